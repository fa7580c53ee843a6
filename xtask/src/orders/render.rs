//! The data files: JSON arrays with one record per line.

use std::fmt::{self, Display};

use super::records::{Customer, Date, Item, Month, Order, Shop};

/// `orders.json`.
pub(super) fn orders(shop: &Shop) -> String {
    array(shop.orders.iter().map(|order| self::order(order, &shop.customers)))
}

/// `customers.json`.
pub(super) fn customers(shop: &Shop) -> String {
    array(shop.customers.iter().map(customer))
}

/// An amount in hundredths as a decimal number.
pub(super) fn hundredths(amount: u64) -> String {
    format!("{}.{:02}", amount / 100, amount % 100)
}

fn array(records: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = records.collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

fn order(order: &Order, customers: &[Customer]) -> String {
    let customer = order.customer.and_then(|place| customers.get(place));
    let customer = customer.map_or("null".to_string(), |customer| format!("\"{}\"", customer_id(customer)));
    let items: Vec<String> = order.items.iter().map(item).collect();
    format!(
        r#"{{"id":{},"customer":{customer},"region":"{}","status":"{}","placed":"{}","items":[{}]}}"#,
        order.id,
        order.region,
        order.status,
        order.placed,
        items.join(",")
    )
}

fn item(item: &Item) -> String {
    let discount = item.discount.map(|percent| format!(r#","discount":{percent}"#)).unwrap_or_default();
    format!(
        r#"{{"sku":"{}","title":"{}","qty":{},"price":{}{discount}}}"#,
        item.sku,
        item.title,
        item.quantity,
        hundredths(item.price)
    )
}

fn customer(customer: &Customer) -> String {
    format!(
        r#"{{"id":"{}","name":"{}","tier":"{}","country":"{}","_email":"{}"}}"#,
        customer_id(customer),
        customer.name,
        customer.tier,
        customer.country.name,
        customer.email
    )
}

fn customer_id(customer: &Customer) -> String {
    format!("C-{:04}", customer.number)
}

impl Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}", self.year, self.month)
    }
}

impl Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:02}", self.month, self.day)
    }
}
