//! What only tests use.

use super::{Call, Family, rows};
use crate::error::Res;
use crate::value::Value;

/// The row that replaces every builtin that is made to fail.
pub(crate) const WRONG: &str = "%wrong";

pub(crate) const FAMILY: Family = rows! {
    "Testing";
    "%wrong" "[& xs]" lazy = wrong,
        "`:wrong`.";
};

fn wrong(_: &mut Call<'_>) -> Res {
    Ok(answer())
}

/// What a sabotaged name returns.
pub(crate) fn answer() -> Value {
    Value::keyword("wrong")
}
