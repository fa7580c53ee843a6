//! The data of the workloads: orders and customers by formula, so that every language can make the same ones.
//!
//! This is not the example of `docs/examples/orders`, which is as untidy as a real export and differs with its seed.

use serde::Serialize;

const REGIONS: [&str; 5] = ["north", "south", "east", "west", "central"];
const STATES: [&str; 3] = ["paid", "open", "void"];
const TIERS: [&str; 3] = ["gold", "silver", "bronze"];

/// The number of customers, whatever the number of orders.
pub const CUSTOMERS: u64 = 500;

/// One order.
#[derive(Clone, Debug, Serialize)]
pub struct Order {
    /// From 0.
    pub id: u64,
    /// The id of its customer, `c0` to `c499`.
    pub customer: String,
    /// One of five.
    pub region: &'static str,
    /// 0.00 to 999.99.
    pub amount: f64,
    /// `paid`, `open` or `void`.
    pub status: &'static str,
    /// What was ordered.
    pub items: [Item; 3],
}

/// One line of an order.
#[derive(Clone, Debug, Serialize)]
pub struct Item {
    /// Stock code, `s0` to `s49`.
    pub sku: String,
    /// 1 to 7.
    pub qty: u64,
    /// 0.0 to 99.9.
    pub price: f64,
}

/// One customer.
#[derive(Clone, Debug, Serialize)]
pub struct Customer {
    /// `c` and the number.
    pub id: String,
    /// `gold`, `silver` or `bronze`.
    pub tier: &'static str,
    /// `Customer` and the number.
    pub name: String,
}

/// The first `count` orders.
pub fn orders(count: u64) -> impl Iterator<Item = Order> {
    (0..count).map(order)
}

/// All customers.
pub fn customers() -> impl Iterator<Item = Customer> {
    (0..CUSTOMERS).map(|number| Customer {
        id: format!("c{number}"),
        tier: pick(&TIERS, number),
        name: format!("Customer {number}"),
    })
}

/// `{"orders": […], "customers": […]}` with this many orders: about 220 bytes for each.
#[must_use]
pub fn json(count: u64) -> String {
    #[derive(Serialize)]
    struct Data {
        orders: Vec<Order>,
        customers: Vec<Customer>,
    }
    let data = Data { orders: orders(count).collect(), customers: customers().collect() };
    // Strings and finite numbers: JSON can represent all of it.
    serde_json::to_string(&data).unwrap_or_default()
}

fn order(id: u64) -> Order {
    Order {
        id,
        customer: format!("c{}", id % CUSTOMERS),
        region: pick(&REGIONS, id),
        amount: (id * 7_919 % 100_000) as f64 / 100.0,
        status: pick(&STATES, id),
        items: [item(id), item(id + 1), item(id + 2)],
    }
}

fn item(number: u64) -> Item {
    Item { sku: format!("s{}", number % 50), qty: number % 7 + 1, price: (number * 31 % 1_000) as f64 / 10.0 }
}

/// The choices in turn.
fn pick(choices: &[&'static str], number: u64) -> &'static str {
    choices.iter().copied().cycle().nth(number as usize % choices.len()).unwrap_or_default()
}
