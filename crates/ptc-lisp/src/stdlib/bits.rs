//! Bits of integers, in two's complement of unlimited width: a negative integer has infinitely many leading ones.
//!
//! Only shifts have a fixed width. They work on 64 bits as in Clojure; an integer from 2^63 to 2^64 - 1, as from masks
//! such as `0xffffffffffffffff`, is taken as 64 unsigned bits, and then the result is unsigned, too.

/// Rows of functions that exist for words of 64 and of 32 bits: a name for each, the doc before and after that number,
/// and for each the arguments of an example with its value.
macro_rules! words {
    ($title:literal; $(
        $long:literal $int:literal $params:literal = $run:expr,
        $doc:literal $more:literal $args:literal => $value:literal $small_args:literal => $small_value:literal;
    )*) => {
        Family {
            title: $title,
            rows: &[
                $(words!(row $long $params = $run, concat!($doc, "64", $more), $args => $value),)*
                $(words!(row $int $params = $run, concat!($doc, "32", $more), $small_args => $small_value),)*
            ],
        }
    };
    (row $name:literal $params:literal = $run:expr, $doc:expr, $args:literal => $value:literal) => {
        $crate::stdlib::Builtin {
            params: &[$params],
            doc: $doc,
            examples: &[(concat!("(", $name, " ", $args, ")"), $value)],
            ..$crate::stdlib::Builtin::lazy($name, $run)
        }
    };
}

mod unchecked;
mod word;

#[cfg(test)]
mod tests;

use num_bigint::{BigInt, Sign};

use crate::error::warning::WarningCode;
use crate::error::{Res, Signal};
use crate::stdlib::argument::Arithmetic;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Value, number};

pub(crate) use unchecked::FAMILY as UNCHECKED;
pub(crate) use word::FAMILY as WORDS;
pub(in crate::stdlib) use word::bits;
use word::unsigned_word;

pub(crate) const FAMILY: Family = rows! {
    "Bits";
    "bit-and" "[x y & more]" lazy uses(Uses::Computes) arithmetic(Arithmetic::And) = and,
        "The bits set in all of the integers, which may be of any size."
        "(bit-and 12 10)" => "8", "(bit-and -1 0xffffffffffffffff)" => "18446744073709551615";
    "bit-or" "[x y & more]" lazy uses(Uses::Computes)
        arithmetic(Arithmetic::Or) = |call| fold(call, |x, y| x | y, |x, y| x | y),
        "The bits set in any of the integers." "(bit-or 12 10)" => "14";
    "bit-xor" "[x y & more]" lazy uses(Uses::Computes)
        arithmetic(Arithmetic::Xor) = |call| fold(call, |x, y| x ^ y, |x, y| x ^ y),
        "The bits set in an odd number of the integers." "(bit-xor 12 10)" => "6";
    "bit-and-not" "[x y & more]" lazy = |call| fold(call, |x, y| x & !y, |x, y| x & !y),
        "The bits of `x` that none of the others has." "(bit-and-not 255 1 2)" => "252";
    "bit-not" "[x]" lazy = not,
        "All bits of `x` flipped: `-x` less 1." "(bit-not 5)" => "-6";
    "bit-shift-left" "[x n]" lazy = |call| shift(call, |x, n| x << n, |x, n| x << n),
        "`x`, an integer of 64 bits, shifted left by `n` bits, 0 to 63; bits that leave are lost. Unbounded: `(* x \
         (bit-set 0 n))`."
        "(bit-shift-left 1 10)" => "1024";
    "bit-shift-right" "[x n]" lazy = |call| shift(call, |x, n| x >> n, |x, n| x >> n),
        "`x`, an integer of 64 bits, shifted right by `n` bits, 0 to 63, keeping its sign."
        "(bit-shift-right -16 2)" => "-4";
    "unsigned-bit-shift-right" "[x n]" lazy = |call| shift(call, |x, n| ((x as u64) >> n) as i64, |x, n| x >> n),
        "`x`, an integer of 64 bits, shifted right by `n` bits, 0 to 63, filling with zeros."
        "(unsigned-bit-shift-right -1 60)" => "15";
    "bit-test" "[x n]" lazy = test,
        "Whether bit `n` of `x` is set, counted from 0 at the right." "(bit-test 5 1)" => "false";
    "bit-set" "[x n]" lazy = |call| at_bit(call, |x, bit| x | bit, |bits, n| bits.set_bit(n, true)),
        "`x` with bit `n` set." "(bit-set 0 3)" => "8", "(bit-set 0 63)" => "9223372036854775808";
    "bit-clear" "[x n]" lazy = |call| at_bit(call, |x, bit| x & !bit, |bits, n| bits.set_bit(n, false)),
        "`x` with bit `n` cleared." "(bit-clear 15 0)" => "14";
    "bit-flip" "[x n]" lazy = |call| at_bit(call, |x, bit| x ^ bit, |bits, n| bits.set_bit(n, !bits.bit(n))),
        "`x` with bit `n` flipped." "(bit-flip 5 1)" => "7";
};

/// Loops such as `(recur (bit-and x (dec x)))` end in Clojure when none of 64 bits is left; with a negative integer,
/// one always remains here.
fn and(call: &mut Call<'_>) -> Res {
    let bits = fold(call, |x, y| x & y, |x, y| x & y)?;
    let is_negative_word = |value: &Value| matches!(value, Value::Int(n) if *n < 0);
    let has_no_end = matches!(&bits, Value::Big(bits) if bits.sign() == Sign::Minus);
    if has_no_end && call.args.iter().any(is_negative_word) {
        let text = "bit-and of negative integers is beyond 64 bits, and a negative integer has infinitely many ones here: \
                    write (Long/bitCount x) to count bits, or keep 64 of them with (bit-and x 0xffffffffffffffff)";
        call.cx.warn(WarningCode::BitsWithoutEnd, text.to_owned());
    }
    Ok(bits)
}

/// All arguments from the left: `small` when all fit 64 bits, else `large`.
fn fold(call: &mut Call<'_>, small: fn(i64, i64) -> i64, large: fn(&BigInt, &BigInt) -> BigInt) -> Res {
    call.charge(call.len().saturating_sub(2))?;
    match fold_small(call.args, small) {
        Some(bits) => Ok(Value::Int(bits)),
        None => fold_large(call, large),
    }
}

fn fold_small(args: &[Value], step: fn(i64, i64) -> i64) -> Option<i64> {
    let small = |value: &Value| if let Value::Int(n) = value { Some(*n) } else { None };
    let (first, rest) = args.split_first()?;
    rest.iter().try_fold(small(first)?, |bits, value| Some(step(bits, small(value)?)))
}

#[cold]
fn fold_large(call: &mut Call<'_>, step: fn(&BigInt, &BigInt) -> BigInt) -> Res {
    (0..call.len()).try_for_each(|index| check(call, index))?;
    let mut bits = integer(call, 0)?;
    for index in 1..call.len() {
        call.tick()?;
        let next = integer(call, index)?;
        number::pay_bits(bits.bits().max(next.bits()), call.meter())?;
        bits = step(&bits, &next);
    }
    Ok(Value::integer(bits))
}

fn not(call: &mut Call<'_>) -> Res {
    if let Value::Int(n) = call.arg(0) {
        return Ok(Value::Int(!n));
    }
    let bits = integer(call, 0)?;
    Ok(Value::integer(!bits))
}

/// A shift of 64 bits: signed, or unsigned where the integer is beyond `i64`.
fn shift(call: &mut Call<'_>, signed: fn(i64, u32) -> i64, unsigned: fn(u64, u32) -> u64) -> Res {
    check(call, 0)?;
    let distance = distance(call)?;
    match call.arg(0) {
        Value::Int(n) => Ok(Value::Int(signed(*n, distance))),
        other => {
            let word = unsigned_word(other).ok_or_else(|| beyond_a_word(call))?;
            Ok(unsigned_value(unsigned(word, distance)))
        }
    }
}

/// An unsigned integer of 64 bits.
fn unsigned_value(word: u64) -> Value {
    i64::try_from(word).map_or_else(|_| Value::integer(BigInt::from(word)), Value::Int)
}

fn beyond_a_word(call: &Call<'_>) -> Box<Signal> {
    call.invalid(
        "shifts work on 64 bits, got a larger integer; (bit-and x 0xffffffffffffffff) keeps the lowest 64, \
         (* x (bit-set 0 n)) and (quot x (bit-set 0 n)) shift one of any size",
    )
}

/// How far to shift, from argument 1.
fn distance(call: &Call<'_>) -> Res<u32> {
    let n = position(call)?;
    let bits = u32::try_from(n).ok().filter(|bits| *bits < 64);
    bits.ok_or_else(|| call.invalid(format_args!("the bit number must be 0 to 63, got {n}")))
}

fn position(call: &Call<'_>) -> Res<i64> {
    call.want(1, "integers", |value| if let Value::Int(n) = value { Some(*n) } else { None })
}

/// One bit changed; bit 63 of a 64-bit integer is its sign, so setting it gives a larger integer.
fn at_bit(call: &mut Call<'_>, small: fn(i64, i64) -> i64, large: fn(&mut BigInt, u64)) -> Res {
    check(call, 0)?;
    let at = bit(call)?;
    if let (Value::Int(n), 0..63) = (call.arg(0), at) {
        return Ok(Value::Int(small(*n, 1 << at)));
    }
    let most = call.meter().limits().memory.saturating_mul(8);
    if at >= most {
        let text = format_args!("the bit number must be below {most}, the bits that a program may hold, got {at}");
        return Err(call.invalid(text));
    }
    let mut bits = integer(call, 0)?;
    number::pay_bits(bits.bits().max(at), call.meter())?;
    large(&mut bits, at);
    Ok(Value::integer(bits))
}

fn test(call: &mut Call<'_>) -> Res {
    check(call, 0)?;
    let at = bit(call)?;
    if let Value::Big(n) = call.arg(0) {
        // The bits of a negative one are computed from the lowest: the work is linear in its length.
        let length = n.bits() / 1_024;
        call.charge(usize::try_from(length).unwrap_or(usize::MAX))?;
    }
    Ok(Value::Bool(match call.arg(0) {
        Value::Int(n) => n >> at.min(63) & 1 == 1,
        Value::Big(n) => n.bit(at),
        _ => false,
    }))
}

/// The bit number in argument 1.
fn bit(call: &Call<'_>) -> Res<u64> {
    let n = position(call)?;
    u64::try_from(n).map_err(|_| call.invalid(format_args!("bits are counted from 0, got {n}")))
}

/// Refuse an argument that is not an integer.
fn check(call: &Call<'_>, index: usize) -> Res<()> {
    call.want(index, "integers", |value| matches!(value, Value::Int(_) | Value::Big(_)).then_some(()))
}

/// Argument `index` as an integer of any size; a large one is copied, which is charged.
fn integer(call: &mut Call<'_>, index: usize) -> Res<BigInt> {
    let Call { args, cx, .. } = call;
    match args.get(index) {
        Some(Value::Int(n)) => Ok(BigInt::from(*n)),
        Some(Value::Big(n)) => {
            number::pay_bits(n.bits(), &mut cx.meter)?;
            Ok(BigInt::clone(n))
        }
        _ => {
            check(call, index)?;
            Ok(BigInt::default())
        }
    }
}
