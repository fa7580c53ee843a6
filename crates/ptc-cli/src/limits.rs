//! `--limit NAME=VALUE`.

#[cfg(test)]
mod tests;

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
