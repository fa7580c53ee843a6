//! Wrapping arithmetic: the lowest 64 or 32 bits of the result, for hashes and random generators.

use num_bigint::{BigInt, Sign};

use crate::error::Res;
use crate::limits::meter::Meter;
use crate::stdlib::{Call, Family};
use crate::value::{Value, number};

pub(crate) const FAMILY: Family = words! {
    "Wrapping arithmetic";
    "unchecked-add" "unchecked-add-int" "[x y]" = |call| wrapped(call, i64::wrapping_add, number::add),
        "The lowest " " bits of `x` plus `y`, as an integer with a sign."
        "Long/MAX_VALUE 1" => "-9223372036854775808" "Integer/MAX_VALUE 1" => "-2147483648";
    "unchecked-subtract" "unchecked-subtract-int" "[x y]" = |call| wrapped(call, i64::wrapping_sub, number::sub),
        "The lowest " " bits of `x` less `y`, as an integer with a sign."
        "Long/MIN_VALUE 1" => "9223372036854775807" "Integer/MIN_VALUE 1" => "2147483647";
    "unchecked-multiply" "unchecked-multiply-int" "[x y]" = |call| wrapped(call, i64::wrapping_mul, number::mul),
        "The lowest " " bits of `x` times `y`, as an integer with a sign."
        "0xcbf29ce484222325 0x100000001b3" => "-5808590958014384161" "65536 65535" => "-65536";
    "unchecked-inc" "unchecked-inc-int" "[x]" = |call| one(call, |n| n.wrapping_add(1)),
        "The lowest " " bits of `x` plus 1, as an integer with a sign."
        "Long/MAX_VALUE" => "-9223372036854775808" "Integer/MAX_VALUE" => "-2147483648";
    "unchecked-dec" "unchecked-dec-int" "[x]" = |call| one(call, |n| n.wrapping_sub(1)),
        "The lowest " " bits of `x` less 1, as an integer with a sign."
        "Long/MIN_VALUE" => "9223372036854775807" "Integer/MIN_VALUE" => "2147483647";
    "unchecked-negate" "unchecked-negate-int" "[x]" = |call| one(call, i64::wrapping_neg),
        "The lowest " " bits of `-x`, as an integer with a sign."
        "Long/MIN_VALUE" => "-9223372036854775808" "Integer/MIN_VALUE" => "-2147483648";
    "unchecked-long" "unchecked-int" "[x]" = long,
        "The lowest " " bits of a number cut to an integer, as an integer with a sign."
        "0xffffffffffffffff" => "-1" "0xffffffff" => "-1";
};

/// A function of two arguments. As in Clojure, nothing wraps where one of them is a float.
fn wrapped(call: &mut Call<'_>, step: fn(i64, i64) -> i64, floats: fn(&Value, &Value, &str, &mut Meter) -> Res) -> Res {
    if let [one, other] = &*call.args
        && (matches!(one, Value::Float(_)) || matches!(other, Value::Float(_)))
        && !call.name.ends_with("-int")
    {
        return floats(one, other, call.name, &mut call.cx.meter);
    }
    Ok(word(call, step(lowest(call, 0)?, lowest(call, 1)?)))
}

fn one(call: &Call<'_>, step: fn(i64) -> i64) -> Res {
    Ok(word(call, step(lowest(call, 0)?)))
}

/// Floats are first truncated toward zero.
fn long(call: &mut Call<'_>) -> Res {
    if let Value::Float(x) = call.arg(0) {
        let whole = number::whole(*x, call.name)?;
        call.set(0, whole);
    }
    one(call, |n| n)
}

/// The lowest 64 bits, or 32 where the name says so, signed.
fn word(call: &Call<'_>, bits: i64) -> Value {
    Value::Int(if call.name.ends_with("-int") { i64::from(bits as i32) } else { bits })
}

/// The lowest 64 bits of an argument, in two's complement.
fn lowest(call: &Call<'_>, index: usize) -> Res<i64> {
    call.want(index, "integers", |value| match value {
        Value::Int(n) => Some(*n),
        Value::Big(n) => Some(lowest_of(n)),
        _ => None,
    })
}

fn lowest_of(n: &BigInt) -> i64 {
    let magnitude = n.iter_u64_digits().next().unwrap_or_default() as i64;
    if n.sign() == Sign::Minus { magnitude.wrapping_neg() } else { magnitude }
}
