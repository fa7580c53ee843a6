//! Durations and periods: units, periods of the calendar, exact durations.

use std::fmt;
use std::str::FromStr;

/// A unit of `ChronoUnit`.
pub struct Amount {
    /// `DAYS`
    pub name: &'static str,
    /// `Days`, as Java's `toString` has it.
    pub text: &'static str,
    /// Its length.
    pub measure: Measure,
}

/// How long a unit is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Microseconds.
    Exact(i64),
    /// Whole days.
    Days(i64),
    /// Whole months.
    Months(i64),
}

const fn unit(name: &'static str, text: &'static str, measure: Measure) -> Amount {
    Amount { name, text, measure }
}

/// The units, shortest first.
pub const UNITS: &[Amount] = &[
    unit("MICROS", "Micros", Measure::Exact(1)),
    unit("MILLIS", "Millis", Measure::Exact(1_000)),
    unit("SECONDS", "Seconds", Measure::Exact(1_000_000)),
    unit("MINUTES", "Minutes", Measure::Exact(60_000_000)),
    unit("HOURS", "Hours", Measure::Exact(3_600_000_000)),
    unit("HALF_DAYS", "HalfDays", Measure::Exact(43_200_000_000)),
    unit("DAYS", "Days", Measure::Days(1)),
    unit("WEEKS", "Weeks", Measure::Days(7)),
    unit("MONTHS", "Months", Measure::Months(1)),
    unit("YEARS", "Years", Measure::Months(12)),
    unit("DECADES", "Decades", Measure::Months(120)),
    unit("CENTURIES", "Centuries", Measure::Months(1_200)),
];

/// Years, months and days, each with its own sign, as they were given: 14 months stay 14 months.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Period {
    /// Years.
    pub years: i32,
    /// Months.
    pub months: i32,
    /// Days.
    pub days: i32,
}

/// `P1Y2M3D`, `P0D`
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("P")?;
        for (number, unit) in [(self.years, 'Y'), (self.months, 'M'), (self.days, 'D')] {
            if number != 0 {
                write!(f, "{number}{unit}")?;
            }
        }
        if *self == Period::default() { f.write_str("0D") } else { Ok(()) }
    }
}

/// The error for a text that is not a period.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NoPeriod;

impl FromStr for Period {
    type Err = NoPeriod;

    fn from_str(text: &str) -> Result<Period, NoPeriod> {
        let (sign, rest) = signed(text);
        let parts = parts(rest.strip_prefix('P').ok_or(NoPeriod)?, "YMWD").ok_or(NoPeriod)?;
        let mut period = Period::default();
        for (number, _, unit) in parts {
            let number = number.checked_mul(sign).ok_or(NoPeriod)?;
            let (field, number) = match unit {
                'Y' => (&mut period.years, Some(number)),
                'M' => (&mut period.months, Some(number)),
                'W' => (&mut period.days, number.checked_mul(7)),
                _ => (&mut period.days, Some(number)),
            };
            let sum =
                number.and_then(|number| i64::from(*field).checked_add(number)).and_then(|sum| i32::try_from(sum).ok());
            *field = sum.ok_or(NoPeriod)?;
        }
        Ok(period)
    }
}

/// 1 or -1, and the text without its sign.
fn signed(text: &str) -> (i64, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Number, microseconds of its fraction, and unit of each part: `2M3D`. At least one part, units in this order.
fn parts(text: &str, units: &str) -> Option<Vec<(i64, i64, char)>> {
    let (mut rest, mut left, mut parts) = (text, units, Vec::new());
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let (number, unit) = (rest.get(..end)?, rest.get(end..)?.chars().next()?);
        left = left.split_once(unit)?.1;
        let (whole, fraction) =
            number.split_once('.').map_or((number, None), |(whole, fraction)| (whole, Some(fraction)));
        let mut micros = 0;
        if let Some(fraction) = fraction {
            if unit != 'S' || fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            micros = format!("{fraction:0<6}").get(..6)?.parse::<i64>().ok()?;
            if whole.starts_with('-') {
                micros = -micros;
            }
        }
        parts.push((whole.parse().ok()?, micros, unit));
        rest = rest.get(end + 1..)?;
    }
    if parts.is_empty() { None } else { Some(parts) }
}

/// `PT1H30M`, `PT0.5S`, `PT-1H`: hours are the largest unit, as in Java.
pub fn duration_text(micros: i64) -> String {
    if micros == 0 {
        return "PT0S".to_owned();
    }
    let seconds = micros / 1_000_000;
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, micros % 60_000_000);
    let mut text = "PT".to_owned();
    for (number, unit) in [(hours, 'H'), (minutes, 'M')] {
        if number != 0 {
            text.push_str(&format!("{number}{unit}"));
        }
    }
    if rest != 0 {
        let sign = if rest < 0 { "-" } else { "" };
        let (whole, fraction) = (rest.unsigned_abs() / 1_000_000, rest.unsigned_abs() % 1_000_000);
        let fraction =
            if fraction == 0 { String::new() } else { format!(".{}", format!("{fraction:06}").trim_end_matches('0')) };
        text.push_str(&format!("{sign}{whole}{fraction}S"));
    }
    text
}

/// Microseconds of `PT1H30M`, `P2DT3H`, `-PT0.5S`.
pub fn read_duration(text: &str) -> Option<i64> {
    if text.len() > 80 {
        return None;
    }
    let (sign, rest) = signed(text);
    let rest = rest.strip_prefix('P')?;
    let (days, clock) = rest.split_once('T').unwrap_or((rest, ""));
    let mut all = if days.is_empty() { Vec::new() } else { parts(days, "D")? };
    if rest.contains('T') {
        all.extend(parts(clock, "HMS")?);
    }
    let mut sum = 0_i64;
    for (number, fraction, unit) in &all {
        let scale = match unit {
            'D' => 86_400_000_000,
            'H' => 3_600_000_000,
            'M' => 60_000_000,
            _ => 1_000_000,
        };
        sum = sum.checked_add(number.checked_mul(scale)?.checked_add(*fraction)?)?;
    }
    if all.is_empty() { None } else { sum.checked_mul(sign) }
}
