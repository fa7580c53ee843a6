//! Durations and sizes as people write them: `5s`, `200ms`, `64MB`.

use std::time::Duration;

/// A text that is not a duration or size.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuantityError {
    /// Not a number, or an unknown unit.
    #[error("`{text}` is not a {what}; write {examples}")]
    Malformed {
        /// What was given.
        text: String,
        /// What it should be.
        what: &'static str,
        /// How to write one.
        examples: &'static str,
    },
    /// Larger than can be represented.
    #[error("`{text}` is too large")]
    TooLarge {
        /// What was given.
        text: String,
    },
}

/// The milliseconds of a unit.
fn time_unit(unit: &str) -> Option<u64> {
    match unit {
        "" | "ms" => Some(1),
        "s" => Some(1_000),
        "m" | "min" => Some(60_000),
        "h" => Some(3_600_000),
        _ => None,
    }
}

/// The bytes of a unit; `MB` counts 1024 × 1024, as `MiB` does.
fn size_unit(unit: &str) -> Option<u64> {
    match unit {
        "" | "b" | "bytes" => Some(1),
        "k" | "kb" | "kib" => Some(1 << 10),
        "m" | "mb" | "mib" => Some(1 << 20),
        "g" | "gb" | "gib" => Some(1 << 30),
        _ => None,
    }
}

/// `5s`, `1.5s`, `200ms`, `2m`, `1h`; a plain number is milliseconds.
pub fn parse_duration(text: &str) -> Result<Duration, QuantityError> {
    quantity(text, time_unit, "duration", "`5s`, `200ms`, `2m` or a number of milliseconds").map(Duration::from_millis)
}

/// `64MB`, `512KB`, `1GB`; a plain number is bytes.
pub fn parse_bytes(text: &str) -> Result<u64, QuantityError> {
    quantity(text, size_unit, "size", "`64MB`, `512KB` or a number of bytes")
}

fn quantity(
    text: &str,
    units: fn(&str) -> Option<u64>,
    what: &'static str,
    examples: &'static str,
) -> Result<u64, QuantityError> {
    let malformed = || QuantityError::Malformed { text: text.to_owned(), what, examples };
    let too_large = || QuantityError::TooLarge { text: text.to_owned() };
    let trimmed = text.trim();
    let end = trimmed.find(|c: char| !c.is_ascii_digit() && c != '_' && c != '.').unwrap_or(trimmed.len());
    let (digits, unit) = trimmed.split_at_checked(end).ok_or_else(malformed)?;
    let unit = unit.trim().to_ascii_lowercase();
    let size = units(&unit).ok_or_else(malformed)?;
    let digits = digits.replace('_', "");
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, "0"));
    if whole.is_empty() || fraction.is_empty() || fraction.len() > 9 || fraction.contains('.') {
        return Err(malformed());
    }
    let whole: u64 = whole.parse().map_err(|_| too_large())?;
    let part: u64 = fraction.parse().map_err(|_| malformed())?;
    let tenths = 10_u64.pow(u32::try_from(fraction.len()).unwrap_or(9));
    let part = u128::from(part) * u128::from(size) / u128::from(tenths);
    let total = u128::from(whole) * u128::from(size) + part;
    u64::try_from(total).map_err(|_| too_large())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ms(text: &str) -> Option<u128> {
        parse_duration(text).ok().map(|duration| duration.as_millis())
    }

    #[test]
    fn durations() {
        assert_eq!(ms("5s"), Some(5_000));
        assert_eq!(ms("1.5 s"), Some(1_500));
        assert_eq!(ms("200ms"), Some(200));
        assert_eq!(ms("250"), Some(250));
        assert_eq!(ms("2m"), Some(120_000));
        assert_eq!(ms("1h"), Some(3_600_000));
        assert_eq!(ms("-5s"), None);
        assert_eq!(ms("s"), None);
        assert_eq!(ms("5 parsecs"), None);
        assert_eq!(ms("1.2.3s"), None);
        assert_eq!(ms(""), None);
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_bytes("64MB"), Ok(64 << 20));
        assert_eq!(parse_bytes("64 MiB"), Ok(64 << 20));
        assert_eq!(parse_bytes("512kb"), Ok(512 << 10));
        assert_eq!(parse_bytes("0.5GB"), Ok(512 << 20));
        assert_eq!(parse_bytes("10_000"), Ok(10_000));
    }

    #[test]
    fn errors_say_what_to_write() {
        insta::assert_snapshot!(parse_bytes("lots").unwrap_err(), @"`lots` is not a size; write `64MB`, `512KB` or a number of bytes");
        insta::assert_snapshot!(parse_duration("soon").unwrap_err(), @"`soon` is not a duration; write `5s`, `200ms`, `2m` or a number of milliseconds");
        insta::assert_snapshot!(parse_bytes("99999999999GB").unwrap_err(), @"`99999999999GB` is too large");
    }

    proptest! {
        #[test]
        fn plain_numbers_mean_themselves(n: u64) {
            prop_assert_eq!(parse_bytes(&n.to_string()), Ok(n));
        }

        #[test]
        fn no_text_breaks_it(text: String) {
            let _ = parse_bytes(&text);
            let _ = parse_duration(&text);
        }
    }
}
