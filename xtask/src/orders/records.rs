//! The shop: customers, orders and exchange rates, generated from a seed, with the mess that real exports have.

use super::country::{COUNTRIES, CURRENCIES, Country, EURO, MICRO};
use crate::random::Random;

const CUSTOMERS: usize = 500;
const ORDERS: u64 = 10_000;
const FIRST_YEAR: u64 = 2023;
/// 2023 and 2024.
const DAYS: u64 = 365 + 366;

/// Everything that the example's files are generated from. Amounts are integers, so sums do not depend on their order.
pub(super) struct Shop {
    pub(super) customers: Vec<Customer>,
    pub(super) orders: Vec<Order>,
    pub(super) rates: Vec<Rate>,
}

pub(super) struct Customer {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) tier: &'static str,
    pub(super) country: &'static Country,
    pub(super) email: String,
    /// How many of 100 orders are returned.
    returns: u64,
}

pub(super) struct Order {
    pub(super) id: u64,
    /// Index in `customers`; the export lost the customer of a few orders.
    pub(super) customer: Option<usize>,
    pub(super) region: &'static str,
    pub(super) status: &'static str,
    pub(super) placed: Date,
    pub(super) items: Vec<Item>,
}

pub(super) struct Item {
    pub(super) sku: String,
    pub(super) title: String,
    pub(super) quantity: u64,
    /// Hundredths of the currency of the customer's country, a multiple of 10.
    pub(super) price: u64,
    /// Percent off the line, a multiple of 10: so a discounted line is whole cents, and a sum in euros never lies
    /// half-way between two cents, where floating point and exact figures could round apart.
    pub(super) discount: Option<u64>,
}

/// The value of one unit of a currency in a month.
pub(super) struct Rate {
    pub(super) currency: &'static str,
    pub(super) month: Month,
    pub(super) micro_euros: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Month {
    pub(super) year: u64,
    /// From 1.
    pub(super) month: u64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Date {
    pub(super) month: Month,
    /// From 1.
    pub(super) day: u64,
}

impl Shop {
    /// Millionths of a euro for one unit of `currency` in `month`.
    pub(super) fn micro_euros(&self, currency: &str, month: Month) -> u64 {
        let known = self.rates.iter().find(|rate| rate.currency == currency && rate.month == month);
        known.map_or(MICRO, |rate| rate.micro_euros)
    }
}

/// The shop of a seed.
pub(super) fn shop(seed: u64) -> Shop {
    let mut random = Random::new(seed);
    let rates = rates(&mut random);
    let customers = customers(&mut random);
    let orders = (0..ORDERS).map(|number| order(&mut random, &customers, number)).collect();
    Shop { customers, orders, rates }
}

/// The twelve months of both years, oldest first.
pub(super) fn months() -> impl Iterator<Item = Month> {
    (FIRST_YEAR..FIRST_YEAR + 2).flat_map(|year| (1..=12).map(move |month| Month { year, month }))
}

fn rates(random: &mut Random) -> Vec<Rate> {
    let mut rates = Vec::new();
    for currency in &CURRENCIES {
        for month in months() {
            let per_mille = random.between(970, 1030);
            rates.push(Rate { currency: currency.code, month, micro_euros: currency.micro_euros * per_mille / 1000 });
        }
    }
    rates
}

fn customers(random: &mut Random) -> Vec<Customer> {
    let popularity: Vec<u64> = COUNTRIES.iter().map(|_| random.between(4, 20)).collect();
    (1..=CUSTOMERS).map(|number| customer(random, number, &popularity)).collect()
}

fn customer(random: &mut Random, number: usize, popularity: &[u64]) -> Customer {
    let first = *random.pick(&FIRST_NAMES);
    let last = *random.pick(&LAST_NAMES);
    let country = COUNTRIES.get(random.weighted(popularity)).unwrap_or(&COUNTRIES[0]);
    let tier = ["basic", "silver", "gold"].get(random.weighted(&[6, 3, 1])).unwrap_or(&"basic");
    let email = format!("{}.{}{number}@example.org", first.to_lowercase(), last.to_lowercase());
    Customer { number, name: format!("{first} {last}"), tier, country, email, returns: random.between(2, 22) }
}

fn order(random: &mut Random, customers: &[Customer], number: u64) -> Order {
    let place = random.below(customers.len() as u64) as usize;
    let customer = customers.get(place);
    let lost = random.chance(2);
    let currency = customer.map_or(EURO, |customer| customer.country.currency);
    let per_euro = CURRENCIES.iter().find(|known| known.code == currency).map_or(MICRO, |known| known.micro_euros);
    let status = status(random, customer.map_or(0, |customer| customer.returns));
    let count = random.between(1, 9);
    Order {
        id: 100_001 + number,
        customer: (!lost).then_some(place),
        region: customer.map_or("central", |customer| customer.country.region),
        status,
        placed: date(number * DAYS / ORDERS),
        items: (0..count).map(|_| item(random, per_euro)).collect(),
    }
}

/// Two shop systems wrote the export, and they do not agree on capital letters.
fn status(random: &mut Random, returns: u64) -> &'static str {
    match random.below(100) {
        roll if roll < returns && random.chance(25) => "Returned",
        roll if roll < returns => "returned",
        roll if roll < returns + 5 => "cancelled",
        roll if roll < returns + 10 => "shipped",
        _ => "delivered",
    }
}

fn item(random: &mut Random, micro_euros: u64) -> Item {
    let (code, noun, cents) = *random.pick(&PRODUCTS);
    let finish = *random.pick(&FINISHES);
    let model = random.between(100, 999);
    let euro_cents = cents * random.between(60, 180) / 100;
    Item {
        sku: format!("{code}-{model}"),
        title: format!("{noun}, {finish}"),
        quantity: [1, 2, 3, 4, 6].get(random.weighted(&[55, 22, 12, 7, 4])).copied().unwrap_or(1),
        price: euro_cents * MICRO / micro_euros / 10 * 10,
        discount: random.chance(18).then(|| *random.pick(&[10, 20, 30, 40])),
    }
}

/// The date this many days after the first of January 2023.
fn date(days: u64) -> Date {
    let mut day = days;
    for month in months() {
        let length = days_in(month);
        if day < length {
            return Date { month, day: day + 1 };
        }
        day -= length;
    }
    Date { month: Month { year: FIRST_YEAR + 2, month: 1 }, day: day + 1 }
}

fn days_in(month: Month) -> u64 {
    match month.month {
        2 if month.year.is_multiple_of(4) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

const FIRST_NAMES: [&str; 36] = [
    "Ada", "Agnes", "Bela", "Bruno", "Carla", "Chiara", "David", "Dora", "Elin", "Emil", "Freja", "Gabor", "Hanna",
    "Henrik", "Ines", "Ivo", "Jana", "Jonas", "Karel", "Klara", "Lars", "Lucia", "Marek", "Maria", "Nadia", "Nils",
    "Olga", "Otto", "Petra", "Pietro", "Rosa", "Simon", "Tereza", "Tomas", "Vera", "Wanda",
];

const LAST_NAMES: [&str; 40] = [
    "Albers", "Andersen", "Bakker", "Bauer", "Berg", "Bianchi", "Brandt", "Costa", "Dahl", "Dubois", "Eriksen",
    "Farkas", "Fischer", "Garcia", "Gruber", "Hansen", "Horvat", "Jansen", "Keller", "Kovacs", "Kowalski", "Larsen",
    "Lindgren", "Lopez", "Marino", "Meyer", "Moreau", "Nagy", "Novak", "Nowak", "Olsen", "Petit", "Ricci", "Rossi",
    "Schmid", "Svoboda", "Taylor", "Vidal", "Visser", "Wright",
];

/// Stock code, name and usual price in euro cents.
const PRODUCTS: [(&str, &str, u64); 14] = [
    ("LAMP", "Desk lamp", 4_990),
    ("CHAIR", "Office chair", 18_900),
    ("DESK", "Standing desk", 42_900),
    ("SHELF", "Wall shelf", 3_450),
    ("MUG", "Mug", 990),
    ("RUG", "Wool rug", 12_900),
    ("CLOCK", "Wall clock", 2_790),
    ("STOOL", "Bar stool", 7_950),
    ("FRAME", "Picture frame", 1_590),
    ("VASE", "Vase", 2_250),
    ("SOFA", "Two-seat sofa", 64_900),
    ("PLANT", "Plant pot", 1_390),
    ("LINEN", "Bed linen", 5_690),
    ("TABLE", "Side table", 9_900),
];

const FINISHES: [&str; 9] =
    ["oak", "walnut", "white", "black", "brass", "moss green", "terracotta", "sand", "steel blue"];
