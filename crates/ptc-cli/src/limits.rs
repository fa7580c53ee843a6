//! `--limit NAME=VALUE`.

use ptc_runner::config::{QuantityError, parse_bytes, parse_duration};
use ptc_runner::lisp::Limits;

use crate::failure::Failure;

/// The bounds that can be given.
pub(crate) const NAMES: [&str; 4] = ["fuel", "memory", "time", "depth"];

/// `limits` with those of the command line; a later one replaces an earlier one.
pub(crate) fn apply(mut limits: Limits, given: &[String]) -> Result<Limits, Failure> {
    for given in given {
        let unknown = || format!("--limit {given}: write `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`");
        let quantity = |error: QuantityError| format!("--limit {given}: {error}");
        let (name, value) = given.split_once('=').ok_or_else(unknown)?;
        let number = || value.trim().replace('_', "").parse::<u64>().map_err(|_| unknown());
        if value.trim().trim_end_matches(char::is_alphabetic).parse() == Ok(0.0) {
            return Err(format!("--limit {given}: a bound must be above 0").into());
        }
        match name.trim() {
            "fuel" => limits.fuel = number()?,
            "memory" => limits.memory = parse_bytes(value).map_err(quantity)?,
            "time" => limits.time = parse_duration(value).map_err(quantity)?,
            "depth" => limits.depth = usize::try_from(number()?).unwrap_or(usize::MAX),
            _ => return Err(unknown().into()),
        }
    }
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(given: &[&str]) -> String {
        let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
        match apply(Limits::default(), &given) {
            Ok(limits) => format!("{} {} {:?} {}", limits.fuel, limits.memory, limits.time, limits.depth),
            Err(failure) => failure.to_string(),
        }
    }

    #[test]
    fn each_bound() {
        assert_eq!(check(&[]), "100000000 67108864 5s 10000");
        assert_eq!(check(&["fuel=1_000", "memory=64KB", "time=200ms", "depth=50"]), "1000 65536 200ms 50");
        assert_eq!(check(&["time=2s", "time=300", "memory=123"]), "100000000 123 300ms 10000");
    }

    #[test]
    fn every_name_is_a_bound_and_changes_it() {
        let changed = NAMES.map(|name| check(&[&format!("{name}=1")]));
        let different: std::collections::HashSet<&String> = changed.iter().collect();
        assert_eq!(different.len(), NAMES.len(), "{changed:?}");
        assert!(changed.iter().all(|limits| !limits.starts_with("--limit") && *limits != check(&[])), "{changed:?}");
    }

    #[test]
    fn mistakes() {
        insta::assert_snapshot!(check(&["feul=3"]), @"--limit feul=3: write `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`");
        insta::assert_snapshot!(check(&["fuel"]), @"--limit fuel: write `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`");
        insta::assert_snapshot!(check(&["fuel=many"]), @"--limit fuel=many: write `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`");
        insta::assert_snapshot!(check(&["time=soon"]), @"--limit time=soon: `soon` is not a duration; write `5s`, `200ms`, `2m` or a number of milliseconds");
    }
}
