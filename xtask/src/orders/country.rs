//! The countries that the shop sells to, with their currencies.

/// A country; prices of its customers' orders are in its currency.
#[derive(Debug)]
pub(super) struct Country {
    pub(super) name: &'static str,
    pub(super) region: &'static str,
    pub(super) currency: &'static str,
}

/// A currency with its value before the monthly drift.
#[derive(Debug)]
pub(super) struct Currency {
    pub(super) code: &'static str,
    /// Millionths of a euro for one unit.
    pub(super) micro_euros: u64,
}

pub(super) const EURO: &str = "EUR";
pub(super) const MICRO: u64 = 1_000_000;

const fn country(name: &'static str, region: &'static str, currency: &'static str) -> Country {
    Country { name, region, currency }
}

const fn currency(code: &'static str, micro_euros: u64) -> Currency {
    Currency { code, micro_euros }
}

pub(super) const COUNTRIES: [Country; 14] = [
    country("Austria", "central", EURO),
    country("Czechia", "central", "CZK"),
    country("Denmark", "north", "DKK"),
    country("France", "west", EURO),
    country("Germany", "central", EURO),
    country("Hungary", "central", "HUF"),
    country("Italy", "south", EURO),
    country("Netherlands", "west", EURO),
    country("Norway", "north", "NOK"),
    country("Poland", "central", "PLN"),
    country("Spain", "south", EURO),
    country("Sweden", "north", "SEK"),
    country("Switzerland", "central", "CHF"),
    country("United Kingdom", "west", "GBP"),
];

/// All currencies but the euro.
pub(super) const CURRENCIES: [Currency; 8] = [
    currency("CHF", 1_050_000),
    currency("CZK", 40_000),
    currency("DKK", 134_000),
    currency("GBP", 1_170_000),
    currency("HUF", 2_550),
    currency("NOK", 86_000),
    currency("PLN", 232_000),
    currency("SEK", 88_000),
];
