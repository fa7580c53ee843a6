//! Integers as words of 64 and 32 bits: what `Long` and `Integer` of Java know about bits.
//!
//! A word has a sign as in Java, or none where the integer is too large for that: `0xffffffffffffffff` is all ones.
//! What has no sign keeps none when it is turned.

use num_traits::ToPrimitive;

use super::{SCALAR, unsigned_value};
use crate::error::{Res, argument_error};
use crate::stdlib::{Builtin, Call, Family, Run};
use crate::value::{Value, shown};

/// A row of both classes.
macro_rules! rows {
    ($($name:literal $params:expr, $doc:literal, $example:literal => $long:literal $integer:literal, $run:expr;)*) => {
        &[
            $(Builtin {
                name: concat!("Long/", $name),
                params: $params,
                doc: concat!($doc, " of 64 bits."),
                examples: &[(concat!("(Long/", $name, " ", $example, ")"), $long)],
                run: Run::Plain($run),
                ..SCALAR
            },)*
            $(Builtin {
                name: concat!("Integer/", $name),
                params: $params,
                doc: concat!($doc, " of 32 bits."),
                examples: &[(concat!("(Integer/", $name, " ", $example, ")"), $integer)],
                run: Run::Plain($run),
                ..SCALAR
            },)*
        ]
    };
}

pub(crate) const FAMILY: Family = Family {
    title: "Bits of words",
    rows: rows! {
        "bitCount" &["[x]"], "How many bits are set in an integer", "-1" => "64" "32", bit_count;
        "numberOfTrailingZeros" &["[x]"], "How many zeros follow the lowest one in an integer", "40" => "3" "3", trailing_zeros;
        "numberOfLeadingZeros" &["[x]"], "How many zeros stand before the highest one in an integer", "1" => "63" "31", leading_zeros;
        "highestOneBit" &["[x]"], "The value of the highest bit that is set, 0 if none, in an integer", "100" => "64" "64", highest_one;
        "lowestOneBit" &["[x]"], "The value of the lowest bit that is set, 0 if none, in an integer", "100" => "4" "4", lowest_one;
        "reverse" &["[x]"], "The bits in reverse order, of an integer", "-2" => "9223372036854775807" "2147483647", reverse;
        "rotateLeft" &["[x n]"], "The bits moved left by `n`, those that leave coming back at the right, of an integer", "-2 1" => "-3" "-3", rotate_left;
        "rotateRight" &["[x n]"], "The bits moved right by `n`, those that leave coming back at the left, of an integer", "-2 1" => "9223372036854775807" "2147483647", rotate_right;
    },
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

/// The 64 bits of an integer that has no sign: 0 to 2^64 - 1.
pub(super) fn unsigned_word(value: &Value) -> Option<u64> {
    match value {
        Value::Int(n) => u64::try_from(*n).ok(),
        Value::Big(n) => n.to_u64(),
        _ => None,
    }
}

impl Word {
    /// Argument 0, by the class that the function belongs to.
    fn of(call: &Call<'_>) -> Res<Word> {
        let Some(function) = call.name.strip_prefix("Integer/") else {
            return match call.arg(0) {
                Value::Int(n) => Ok(Word { bits: *n as u64, width: 64, signed: true }),
                other => match unsigned_word(other) {
                    Some(bits) => Ok(Word { bits, width: 64, signed: false }),
                    None => Err(call.wrong("an integer", other)),
                },
            };
        };
        let beyond = |n: &Value| {
            let shown = shown(n);
            argument_error(format!(
                "{}: {shown} is beyond 32 bits; write (Long/{function} n) or (bit-and n 0xffffffff)",
                call.name
            ))
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

    /// The integer that these bits are, with a sign if the word had one.
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

    /// Turned left by `count` of its bits.
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

fn bit_count(call: &mut Call<'_>) -> Res {
    count(Word::of(call)?.bits.count_ones())
}

fn trailing_zeros(call: &mut Call<'_>) -> Res {
    let word = Word::of(call)?;
    count(word.bits.trailing_zeros().min(word.width))
}

fn leading_zeros(call: &mut Call<'_>) -> Res {
    count(Word::of(call)?.leading_zeros())
}

fn highest_one(call: &mut Call<'_>) -> Res {
    let word = Word::of(call)?;
    Ok(word.with(if word.bits == 0 { 0 } else { 1 << (word.width - 1 - word.leading_zeros()) }))
}

fn lowest_one(call: &mut Call<'_>) -> Res {
    let word = Word::of(call)?;
    Ok(word.with(word.bits & word.bits.wrapping_neg()))
}

fn reverse(call: &mut Call<'_>) -> Res {
    let word = Word::of(call)?;
    Ok(word.with(word.bits.reverse_bits() >> (64 - word.width)))
}

fn rotate_left(call: &mut Call<'_>) -> Res {
    Ok(Word::of(call)?.rotated(call.int(1)?))
}

fn rotate_right(call: &mut Call<'_>) -> Res {
    Ok(Word::of(call)?.rotated(call.int(1)?.wrapping_neg()))
}
