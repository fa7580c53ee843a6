//! The answer to the example's question, computed in plain Rust from the records: the expected output of the mission.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::shop::{self, Item, Order, Shop};

/// The year that the mission asks about.
pub(super) const YEAR: u64 = 2024;

/// How many customers the mission asks for.
const TOP: usize = 3;

/// Parts of a euro in which sums are kept: cents × percent × millionths, so every product is exact.
const PARTS_PER_CENT: i128 = 100 * 1_000_000;

/// The answer for a seed: `{"country": …, "lost": …, "top": [{"name": …, "lost": …} × 3]}`.
///
/// Euros are exact until the end and then rounded to cents, halves up.
#[must_use]
pub fn answer(seed: u64) -> Value {
    of(&shop::shop(seed))
}

/// The answer for a shop.
pub(super) fn of(shop: &Shop) -> Value {
    let mut by_country: BTreeMap<&str, BTreeMap<usize, i128>> = BTreeMap::new();
    for order in shop.orders.iter().filter(|order| is_counted(order)) {
        let Some(place) = order.customer else { continue };
        let Some(customer) = shop.customers.get(place) else { continue };
        let rate = shop.micro_euros(customer.country.2, order.placed.month);
        let value = order.items.iter().map(value).sum::<i128>() * i128::from(rate);
        *by_country.entry(customer.country.0).or_default().entry(place).or_default() += value;
    }
    let worst = by_country.into_iter().max_by_key(|(_, customers)| customers.values().sum::<i128>());
    let Some((country, customers)) = worst else { return Value::Null };
    let lost = customers.values().sum();
    let mut ranking: Vec<(usize, i128)> = customers.into_iter().collect();
    ranking.sort_by_key(|(_, lost)| -lost);
    let top: Vec<Value> = ranking.iter().take(TOP).map(|(place, lost)| entry(shop, *place, *lost)).collect();
    json!({ "country": country, "lost": euros(lost), "top": top })
}

fn is_counted(order: &Order) -> bool {
    order.status.eq_ignore_ascii_case("returned") && order.placed.year() == YEAR
}

/// Hundredths of the local currency, times 100 for the percentage.
fn value(item: &Item) -> i128 {
    i128::from(item.quantity * item.price * (100 - item.discount.unwrap_or(0)))
}

fn entry(shop: &Shop, place: usize, lost: i128) -> Value {
    let name = shop.customers.get(place).map_or("", |customer| customer.name.as_str());
    json!({ "name": name, "lost": euros(lost) })
}

/// Exact parts as euros with two decimals.
fn euros(parts: i128) -> f64 {
    let cents = (parts + PARTS_PER_CENT / 2).div_euclid(PARTS_PER_CENT);
    cents as f64 / 100.0
}
