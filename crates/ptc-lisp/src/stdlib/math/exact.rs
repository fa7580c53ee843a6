//! Integer functions of `clojure.math` that refuse to leave 64 bits.

use num_bigint::BigInt;

use crate::error::{Res, arithmetic_error};
use crate::stdlib::Call;
use crate::value::Value;

pub(super) fn binary(call: &Call<'_>, step: fn(i64, i64) -> Option<i64>) -> Res {
    fits(call, step(call.int(0)?, call.int(1)?))
}

pub(super) fn fits(call: &Call<'_>, result: Option<i64>) -> Res {
    result.map(Value::Int).ok_or_else(|| arithmetic_error(format!("{}: the result does not fit 64 bits", call.name)))
}

pub(super) fn floor_div(call: &mut Call<'_>) -> Res {
    let (x, y) = (call.int(0)?, divisor(call)?);
    let Some(quotient) = x.checked_div(y) else { return Ok(Value::integer(-BigInt::from(x))) };
    let inexact = x.wrapping_rem(y) != 0 && (x < 0) != (y < 0);
    Ok(Value::Int(if inexact { quotient - 1 } else { quotient }))
}

pub(super) fn floor_mod(call: &mut Call<'_>) -> Res {
    let (x, y) = (call.int(0)?, divisor(call)?);
    let rest = x.wrapping_rem(y);
    Ok(Value::Int(if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest }))
}

fn divisor(call: &Call<'_>) -> Res<i64> {
    match call.int(1)? {
        0 => Err(arithmetic_error("Divide by zero")),
        y => Ok(y),
    }
}
