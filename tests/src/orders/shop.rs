//! The shop: customers, orders and exchange rates, generated from a seed, with the mess that real exports have.

use crate::random::Random;

const CUSTOMERS: usize = 500;
const ORDERS: u64 = 10_000;
const FIRST_YEAR: u64 = 2023;
/// 2023 and 2024.
const MONTHS: usize = 24;
const DAYS: u64 = 365 + 366;

/// Millionths of a euro in a euro.
const MICRO: u64 = 1_000_000;

/// Everything that the example's files are generated from. Amounts are integers, so sums do not depend on their order.
pub(super) struct Shop {
    pub(super) customers: Vec<Customer>,
    pub(super) orders: Vec<Order>,
    /// Millionths of a euro for one unit, month by month, for each of [`CURRENCIES`].
    pub(super) rates: Vec<[u64; MONTHS]>,
}

pub(super) struct Customer {
    pub(super) number: usize,
    pub(super) name: String,
    pub(super) tier: &'static str,
    pub(super) country: Country,
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

#[derive(Debug, Clone, Copy)]
pub(super) struct Date {
    /// From 0, of both years.
    pub(super) month: usize,
    /// From 1.
    pub(super) day: u64,
}

impl Date {
    /// This many days after the first of January 2023.
    fn after(mut days: u64) -> Date {
        let mut month = 0;
        for length in [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
            if days < length {
                break;
            }
            (days, month) = (days - length, month + 1);
        }
        Date { month, day: days + 1 }
    }

    pub(super) fn year(self) -> u64 {
        FIRST_YEAR + self.month as u64 / 12
    }
}

impl Shop {
    /// Millionths of a euro for one unit of `currency` in a month.
    pub(super) fn micro_euros(&self, currency: &str, month: usize) -> u64 {
        let place = CURRENCIES.iter().position(|(code, _)| *code == currency);
        place.and_then(|place| self.rates.get(place)?.get(month)).copied().unwrap_or(MICRO)
    }
}

/// The shop of a seed.
pub(super) fn shop(seed: u64) -> Shop {
    let mut random = Random::new(seed);
    let mut rate = |usual: u64| [(); MONTHS].map(|()| usual * random.between(970, 1030) / 1000);
    let rates = CURRENCIES.iter().map(|(_, usual)| rate(*usual)).collect();
    let popularity = COUNTRIES.map(|_| random.between(4, 20));
    let customers: Vec<_> = (1..=CUSTOMERS).map(|number| customer(&mut random, number, &popularity)).collect();
    let orders = (0..ORDERS).map(|number| order(&mut random, &customers, number)).collect();
    Shop { customers, orders, rates }
}

fn customer(random: &mut Random, number: usize, popularity: &[u64]) -> Customer {
    let first = *random.pick(&FIRST_NAMES);
    let last = *random.pick(&LAST_NAMES);
    let country = *COUNTRIES.get(random.weighted(popularity)).unwrap_or(&COUNTRIES[0]);
    let tier = ["basic", "silver", "gold"].get(random.weighted(&[6, 3, 1])).unwrap_or(&"basic");
    let email = format!("{}.{}{number}@example.org", first.to_lowercase(), last.to_lowercase());
    Customer { number, name: format!("{first} {last}"), tier, country, email, returns: random.between(2, 22) }
}

fn order(random: &mut Random, customers: &[Customer], number: u64) -> Order {
    let place = random.below(customers.len() as u64) as usize;
    let customer = customers.get(place);
    let lost = random.chance(2);
    let usual =
        |(code, micro): &(&str, u64)| (Some(*code) == customer.map(|customer| customer.country.2)).then_some(*micro);
    let per_euro = CURRENCIES.iter().find_map(usual).unwrap_or(MICRO);
    let status = status(random, customer.map_or(0, |customer| customer.returns));
    let count = random.between(1, 9);
    Order {
        id: 100_001 + number,
        customer: (!lost).then_some(place),
        region: customer.map_or("central", |customer| customer.country.1),
        status,
        placed: Date::after(number * DAYS / ORDERS),
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

/// The name of a country, its region, and the currency of its customers' orders.
pub(super) type Country = (&'static str, &'static str, &'static str);

/// The countries that the shop sells to.
pub(super) const COUNTRIES: [Country; 14] = [
    ("Austria", "central", "EUR"),
    ("Czechia", "central", "CZK"),
    ("Denmark", "north", "DKK"),
    ("France", "west", "EUR"),
    ("Germany", "central", "EUR"),
    ("Hungary", "central", "HUF"),
    ("Italy", "south", "EUR"),
    ("Netherlands", "west", "EUR"),
    ("Norway", "north", "NOK"),
    ("Poland", "central", "PLN"),
    ("Spain", "south", "EUR"),
    ("Sweden", "north", "SEK"),
    ("Switzerland", "central", "CHF"),
    ("United Kingdom", "west", "GBP"),
];

/// All currencies but the euro, with the millionths of a euro for one unit before the monthly drift.
pub(super) const CURRENCIES: [(&str, u64); 8] = [
    ("CHF", 1_050_000),
    ("CZK", 40_000),
    ("DKK", 134_000),
    ("GBP", 1_170_000),
    ("HUF", 2_550),
    ("NOK", 86_000),
    ("PLN", 232_000),
    ("SEK", 88_000),
];

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
