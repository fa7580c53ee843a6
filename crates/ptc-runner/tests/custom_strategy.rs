//! The strategy of the example follows the rules of all strategies.

#[path = "../examples/custom_strategy.rs"]
#[allow(dead_code, reason = "the example is a program; here only its strategy counts")]
mod example;

use ptc_runner::compression::testkit::{Violation, check};

#[test]
fn the_outline_keeps_the_rules() -> Result<(), Violation> {
    check(&example::Outline, 10_000, 2026)
}
