//! The files: JSON arrays with one record per line, the mission with its two tools, and the recorded answers of a model.

use serde_json::json;

use super::answer::YEAR;
use super::shop::{COUNTRIES, CURRENCIES, Customer, Item, Order, Shop};

/// The five recorded turns, each with the tokens that such a request would cost (input, output, cached).
const TURNS: [(&str, [u64; 3]); 5] = [
    (include_str!("answers/1-shape.md"), [3_050, 190, 0]),
    (include_str!("answers/2-returned.md"), [3_560, 330, 2_944]),
    (include_str!("answers/3-currencies.md"), [3_890, 210, 2_944]),
    (include_str!("answers/4-euros.md"), [4_180, 480, 2_944]),
    (include_str!("answers/5-answer.md"), [4_710, 290, 2_944]),
];

/// `orders.json`.
pub(super) fn orders(shop: &Shop) -> String {
    array(shop.orders.iter().map(|order| self::order(order, &shop.customers)))
}

/// `customers.json`.
pub(super) fn customers(shop: &Shop) -> String {
    array(shop.customers.iter().map(customer))
}

/// `answers.jsonl`: the same for every seed.
pub(super) fn answers() -> String {
    let line = |(content, [input, output, cached]): &(&str, [u64; 3])| {
        let usage = json!({ "input": input, "output": output, "cached": cached });
        format!("{}\n", json!({ "content": content.trim_end(), "usage": usage }))
    };
    TURNS.iter().map(line).collect()
}

/// `mission.toml`.
pub(super) fn mission(shop: &Shop) -> String {
    let currency = |(country, _, currency): &(&str, &str, &str)| {
        format!("  {{ args = {{ country = \"{country}\" }}, result = {{ currency = \"{currency}\" }} }},\n")
    };
    let rate = |((code, _), months): (&(&str, u64), &[u64; 24])| {
        let decimal = |micro: &u64| format!("{}.{:06}", micro / 1_000_000, micro % 1_000_000);
        let years = months.chunks(12).map(|year| year.iter().map(decimal).collect::<Vec<_>>().join(" "));
        let rows: Vec<String> = years.map(|year| format!("[{year}]")).collect();
        format!("\"{code}\" [{}]", rows.join("\n                    "))
    };
    let rates: Vec<String> = CURRENCIES.iter().zip(&shop.rates).map(rate).collect();
    include_str!("mission.toml.in")
        .replace("@year@", &YEAR.to_string())
        .replace("@countries@", &COUNTRIES.iter().map(currency).collect::<String>())
        .replace("@rates@", &rates.join("\n             "))
}

fn array(records: impl Iterator<Item = String>) -> String {
    format!("[\n{}\n]\n", records.collect::<Vec<_>>().join(",\n"))
}

fn order(order: &Order, customers: &[Customer]) -> String {
    let customer = order.customer.and_then(|place| customers.get(place));
    let customer = customer.map_or("null".to_owned(), |customer| format!("\"C-{:04}\"", customer.number));
    let (year, month, day) = (order.placed.year(), order.placed.month % 12 + 1, order.placed.day);
    let Order { id, region, status, .. } = order;
    let items = order.items.iter().map(item).collect::<Vec<_>>().join(",");
    format!(
        r#"{{"id":{id},"customer":{customer},"region":"{region}","status":"{status}","placed":"{year}-{month:02}-{day:02}","items":[{items}]}}"#
    )
}

fn item(item: &Item) -> String {
    let Item { sku, title, quantity, price, discount } = item;
    let discount = discount.map(|percent| format!(r#","discount":{percent}"#)).unwrap_or_default();
    let price = format!("{}.{:02}", price / 100, price % 100);
    format!(r#"{{"sku":"{sku}","title":"{title}","qty":{quantity},"price":{price}{discount}}}"#)
}

fn customer(customer: &Customer) -> String {
    let Customer { number, name, tier, country: (country, ..), email, .. } = customer;
    format!(r#"{{"id":"C-{number:04}","name":"{name}","tier":"{tier}","country":"{country}","_email":"{email}"}}"#)
}
