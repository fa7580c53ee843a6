//! Integer functions of `clojure.math` that refuse to leave 64 bits.

use num_bigint::BigInt;

use crate::error::{Res, Signal, arithmetic_error};
use crate::stdlib::Call;
use crate::value::Value;

pub(super) fn add(call: &mut Call<'_>) -> Res {
    binary(call, i64::checked_add)
}

pub(super) fn subtract(call: &mut Call<'_>) -> Res {
    binary(call, i64::checked_sub)
}

pub(super) fn multiply(call: &mut Call<'_>) -> Res {
    binary(call, i64::checked_mul)
}

pub(super) fn increment(call: &mut Call<'_>) -> Res {
    fits(call, call.int(0)?.checked_add(1))
}

pub(super) fn decrement(call: &mut Call<'_>) -> Res {
    fits(call, call.int(0)?.checked_sub(1))
}

pub(super) fn negate(call: &mut Call<'_>) -> Res {
    fits(call, call.int(0)?.checked_neg())
}

fn binary(call: &Call<'_>, step: fn(i64, i64) -> Option<i64>) -> Res {
    fits(call, step(call.int(0)?, call.int(1)?))
}

fn fits(call: &Call<'_>, result: Option<i64>) -> Res {
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
        0 => Err(divide_by_zero()),
        y => Ok(y),
    }
}

fn divide_by_zero() -> Box<Signal> {
    arithmetic_error("Divide by zero")
}
