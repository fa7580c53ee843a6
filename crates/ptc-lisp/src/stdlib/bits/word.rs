//! Integers as words of 64 and 32 bits: the bit functions of Java's `Long` and `Integer`.
//!
//! A word is signed as in Java, or unsigned where the integer is too large for that: `0xffffffffffffffff` is all ones.
//! An unsigned word stays unsigned when it is rotated.

use num_traits::ToPrimitive;

use super::unsigned_value;
use crate::error::Res;
use crate::stdlib::{Call, Family};
use crate::value::{Value, shown};

pub(crate) const FAMILY: Family = words! {
    "Bits of words";
    "Long/bitCount" "Integer/bitCount" "[x]" = |call| count(Word::of(call)?.bits.count_ones()),
        "How many bits are set in an integer of " " bits." "-1" => "64" "-1" => "32";
    "Long/numberOfTrailingZeros" "Integer/numberOfTrailingZeros" "[x]"
        = |call| Word::of(call).and_then(|word| count(word.bits.trailing_zeros().min(word.width))),
        "How many zeros are below the lowest one in an integer of " " bits." "40" => "3" "40" => "3";
    "Long/numberOfLeadingZeros" "Integer/numberOfLeadingZeros" "[x]" = |call| count(Word::of(call)?.leading_zeros()),
        "How many zeros are above the highest one in an integer of " " bits." "1" => "63" "1" => "31";
    "Long/highestOneBit" "Integer/highestOneBit" "[x]" = highest_one,
        "The value of the highest bit that is set, 0 if none, in an integer of " " bits." "100" => "64" "100" => "64";
    "Long/lowestOneBit" "Integer/lowestOneBit" "[x]"
        = |call| Word::of(call).map(|word| word.with(word.bits & word.bits.wrapping_neg())),
        "The value of the lowest bit that is set, 0 if none, in an integer of " " bits." "100" => "4" "100" => "4";
    "Long/reverse" "Integer/reverse" "[x]"
        = |call| Word::of(call).map(|word| word.with(word.bits.reverse_bits() >> (64 - word.width))),
        "The bits in reverse order, of an integer of " " bits." "-2" => "9223372036854775807" "-2" => "2147483647";
    "Long/rotateLeft" "Integer/rotateLeft" "[x n]" = |call| Ok(Word::of(call)?.rotated(call.int(1)?)),
        "The bits rotated left by `n`, those that leave coming back at the right, of an integer of " " bits."
        "-2 1" => "-3" "-2 1" => "-3";
    "Long/rotateRight" "Integer/rotateRight" "[x n]" = |call| Ok(Word::of(call)?.rotated(call.int(1)?.wrapping_neg())),
        "The bits rotated right by `n`, those that leave coming back at the left, of an integer of " " bits."
        "-2 1" => "9223372036854775807" "-2 1" => "2147483647";
};

/// A word of 64 or 32 bits.
#[derive(Copy, Clone)]
struct Word {
    bits: u64,
    /// 64 or 32.
    width: u32,
    /// Whether the integer was taken with its sign.
    signed: bool,
}

/// The 64 bits of an unsigned integer: 0 to 2^64 - 1.
pub(super) fn unsigned_word(value: &Value) -> Option<u64> {
    match value {
        Value::Int(n) => u64::try_from(*n).ok(),
        Value::Big(n) => n.to_u64(),
        _ => None,
    }
}

impl Word {
    /// Argument 0, with the width of the class that the function belongs to.
    fn of(call: &Call<'_>) -> Res<Word> {
        let Some(function) = call.name.strip_prefix("Integer/") else {
            return call.want(0, "an integer", |value| match value {
                Value::Int(n) => Some(Word { bits: *n as u64, width: 64, signed: true }),
                other => unsigned_word(other).map(|bits| Word { bits, width: 64, signed: false }),
            });
        };
        let beyond = |n: &Value| {
            let shown = shown(n);
            call.invalid(format_args!("{shown} is beyond 32 bits; write (Long/{function} n) or (bit-and n 0xffffffff)"))
        };
        match call.arg(0) {
            value @ Value::Int(n) => match (i32::try_from(*n), u32::try_from(*n)) {
                (Ok(n), _) => Ok(Word { bits: u64::from(n as u32), width: 32, signed: true }),
                (_, Ok(n)) => Ok(Word { bits: u64::from(n), width: 32, signed: false }),
                _ => Err(beyond(value)),
            },
            value @ Value::Big(_) => Err(beyond(value)),
            other => Err(call.wrong("an integer", other)),
        }
    }

    /// The integer with these bits, signed if the word was.
    fn with(self, bits: u64) -> Value {
        match (self.signed, self.width) {
            (true, 32) => Value::Int(i64::from(bits as u32 as i32)),
            (true, _) => Value::Int(bits as i64),
            (false, _) => unsigned_value(bits),
        }
    }

    fn leading_zeros(self) -> u32 {
        self.bits.leading_zeros() - (64 - self.width)
    }

    /// The word rotated left by `count` bits.
    fn rotated(self, count: i64) -> Value {
        let count = count.rem_euclid(i64::from(self.width)) as u32;
        self.with(match self.width {
            32 => u64::from((self.bits as u32).rotate_left(count)),
            _ => self.bits.rotate_left(count),
        })
    }
}

/// The bits of argument 0, for writing them.
pub(in crate::stdlib) fn bits(call: &Call<'_>) -> Res<u64> {
    Ok(Word::of(call)?.bits)
}

fn count(bits: u32) -> Res {
    Ok(Value::Int(i64::from(bits)))
}

fn highest_one(call: &mut Call<'_>) -> Res {
    let word = Word::of(call)?;
    Ok(word.with(if word.bits == 0 { 0 } else { 1 << (word.width - 1 - word.leading_zeros()) }))
}
