//! Arithmetic of very long integers in steps of at most some milliseconds, with a look at the clock between them.
//!
//! The library multiplies, divides and converts in one go. Here a large operation is split until its parts are small
//! enough for that: products by Karatsuba's algorithm, quotients digit by digit in a large base, decimal digits by
//! halving.

#[cfg(test)]
mod tests;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, Zero};

use super::limbs;
use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::value::{push, push_char, push_text, text_for};

/// The most limbs of factors that the library multiplies in one go, and of numbers that it reads or writes in decimal.
const SHORT: u64 = 2_048;

/// Products of limbs in one step of a division.
const STEP: u64 = SHORT * SHORT;

/// The most limbs of a number that one step processes, however short the other one is.
const LONGEST: u64 = 1 << 18;

/// Limbs of the quotient from one step of a division.
const DIGIT: u64 = SHORT / 2;

/// `x * y`
pub(super) fn product(x: &BigInt, y: &BigInt, meter: &mut Meter) -> Fallible<BigInt> {
    if is_short(limbs(x), limbs(y)) {
        return Ok(x * y);
    }
    let sign = if x.sign() == y.sign() { Sign::Plus } else { Sign::Minus };
    Ok(BigInt::from_biguint(sign, times(x.magnitude(), y.magnitude(), meter)?))
}

/// Quotient and remainder of `x / y`, truncated toward zero; `y` is not zero.
pub(super) fn quotient(x: &BigInt, y: &BigInt, meter: &mut Meter) -> Fallible<(BigInt, BigInt)> {
    if is_short(limbs(x), limbs(y)) {
        return Ok((x / y, x % y));
    }
    let sign = if x.sign() == y.sign() { Sign::Plus } else { Sign::Minus };
    let (quotient, rest) = divided(x.magnitude(), y.magnitude(), meter)?;
    Ok((BigInt::from_biguint(sign, quotient), BigInt::from_biguint(x.sign(), rest)))
}

/// The decimal text of `n`.
pub(super) fn text(n: &BigInt, meter: &mut Meter) -> Fallible<String> {
    if limbs(n) as u64 <= SHORT {
        return Ok(n.to_string());
    }
    let mut out = text_for(limbs(n) * 20, meter)?;
    if n.sign() == Sign::Minus {
        push_char(&mut out, '-', meter)?;
    }
    let mut powers = Powers::default();
    let mut level = 1;
    // The square of the next lower power is above the number.
    while 2 * (powers.of(level - 1, meter)?.bits() - 1) < n.bits() {
        level += 1;
    }
    powers.write(n.magnitude(), level, false, &mut out, meter)?;
    Ok(out)
}

/// The integer with these decimal digits; `None` when there are other characters.
pub(super) fn parsed(digits: &[u8], meter: &mut Meter) -> Fallible<Option<BigUint>> {
    Powers::default().read(digits, meter)
}

/// 10 to the powers of `CHUNK`, `2 CHUNK`, `4 CHUNK` and so on.
#[derive(Default)]
struct Powers(Vec<BigUint>);

/// The most decimal digits that the library reads or writes in one go.
const CHUNK: usize = SHORT as usize * 19;

impl Powers {
    fn of(&mut self, level: usize, meter: &mut Meter) -> Fallible<BigUint> {
        while self.0.len() <= level {
            let next = match self.0.last() {
                Some(last) => times(last, last, meter)?,
                None => BigUint::from(10_u32).pow(CHUNK as u32),
            };
            push(&mut self.0, next, meter)?;
        }
        Ok(self.0.get(level).cloned().unwrap_or_default())
    }

    /// Append the digits of a number below 10 to the power of `CHUNK 2^level`, with leading zeros when it is `inner`.
    /// The depth is the logarithm of the length.
    fn write(&mut self, n: &BigUint, level: usize, inner: bool, out: &mut String, meter: &mut Meter) -> Fallible<()> {
        let Some(below) = level.checked_sub(1) else {
            meter.look_at_clock()?;
            let digits = n.to_string();
            if inner {
                // Bounded: a chunk of digits.
                push_text(out, &"0".repeat(CHUNK.saturating_sub(digits.len())), meter)?;
            }
            return push_text(out, &digits, meter);
        };
        let power = self.of(below, meter)?;
        let (high, low) = divided(n, &power, meter)?;
        let inner_low = inner || !high.is_zero();
        if inner_low {
            self.write(&high, below, inner, out, meter)?;
        }
        self.write(&low, below, inner_low, out, meter)
    }

    fn read(&mut self, digits: &[u8], meter: &mut Meter) -> Fallible<Option<BigUint>> {
        if digits.len() <= CHUNK {
            meter.look_at_clock()?;
            return Ok(BigUint::parse_bytes(digits, 10));
        }
        let mut level = 0;
        while digits.len() > CHUNK << (level + 1) {
            level += 1;
        }
        let (high, low) = digits.split_at(digits.len() - (CHUNK << level));
        let (Some(high), Some(low)) = (self.read(high, meter)?, self.read(low, meter)?) else { return Ok(None) };
        let power = self.of(level, meter)?;
        Ok(Some(times(&high, &power, meter)? + low))
    }
}

fn is_short(one: usize, other: usize) -> bool {
    fits(one as u64, other as u64)
}

/// Whether numbers of these lengths are multiplied or divided in one step.
fn fits(one: u64, other: u64) -> bool {
    one.saturating_mul(other) <= STEP && one.max(other) <= LONGEST
}

fn bits(limbs: u64) -> u64 {
    limbs * 64
}

fn length(n: &BigUint) -> u64 {
    n.bits() / 64 + 1
}

/// The limbs below and from `at` on.
fn cut(n: &BigUint, at: u64) -> (BigUint, BigUint) {
    let high = n >> bits(at);
    let low = n - (&high << bits(at));
    (low, high)
}

fn times(x: &BigUint, y: &BigUint, meter: &mut Meter) -> Fallible<BigUint> {
    let (x, y) = if length(x) < length(y) { (y, x) } else { (x, y) };
    if fits(length(x), length(y)) {
        meter.look_at_clock()?;
        return Ok(x * y);
    }
    let half = length(x).div_ceil(2);
    let (x0, x1) = cut(x, half);
    if length(y) <= half {
        let low = times(&x0, y, meter)?;
        return Ok(low + (times(&x1, y, meter)? << bits(half)));
    }
    let (y0, y1) = cut(y, half);
    let (low, high) = (times(&x0, &y0, meter)?, times(&x1, &y1, meter)?);
    let middle = times(&(x0 + x1), &(y0 + y1), meter)? - &low - &high;
    Ok(low + (middle << bits(half)) + (high << bits(2 * half)))
}

/// Long division in a base of `DIGIT` limbs.
fn divided(x: &BigUint, y: &BigUint, meter: &mut Meter) -> Fallible<(BigUint, BigUint)> {
    meter.look_at_clock()?;
    if fits(length(x), length(y)) {
        return Ok((x / y, x % y));
    }
    let digits = x.to_u32_digits();
    let mut quotient = vec![0; digits.len()];
    let mut rest = BigUint::zero();
    let size = 2 * DIGIT as usize;
    for (part, place) in digits.chunks(size).zip(quotient.chunks_mut(size)).rev() {
        meter.look_at_clock()?;
        let dividend = (rest << bits(DIGIT)) + BigUint::from_slice(part);
        let (next, left) = step(dividend, y, meter)?;
        place.iter_mut().zip(next.iter_u32_digits()).for_each(|(place, digit)| *place = digit);
        rest = left;
    }
    Ok((BigUint::new(quotient), rest))
}

/// A quotient of at most `DIGIT` limbs, and the remainder.
fn step(dividend: BigUint, y: &BigUint, meter: &mut Meter) -> Fallible<(BigUint, BigUint)> {
    if length(y) <= SHORT {
        return Ok((&dividend / y, dividend % y));
    }
    // The leading limbs give the quotient or slightly more, because cutting makes the divisor smaller.
    let cut = bits(length(y) - DIGIT - 2);
    let mut quotient = (&dividend >> cut) / (y >> cut);
    let mut product = times(&quotient, y, meter)?;
    while product > dividend {
        quotient -= BigUint::one();
        product -= y;
    }
    Ok((quotient, dividend - product))
}
