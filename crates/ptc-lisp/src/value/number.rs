//! Arithmetic: 64-bit integers that grow when needed, floats by IEEE 754.

use std::borrow::Cow;

use num_bigint::{BigInt, Sign};
use num_traits::{FromPrimitive, Signed, ToPrimitive, Zero};

use super::Value;
use crate::error::{About, Error, Fallible, Reason, Res, Signal, arithmetic_error};
use crate::limits::Limits;
use crate::limits::meter::Meter;

mod long;
#[cfg(test)]
mod tests;

/// Products of 64-bit limbs for one unit of fuel.
const LIMB_PRODUCTS: usize = 16;

/// Add `y` to `acc`, two plain numbers; false, with nothing changed, when they are not plain numbers, or when the sum
/// is beyond 64 bits.
#[inline]
pub(crate) fn add_plain(acc: &mut Value, y: &Value) -> bool {
    plain(acc, y, i64::checked_add, |x, y| x + y)
}

/// Multiply `acc` by `y`, like [`add_plain`].
#[inline]
pub(crate) fn mul_plain(acc: &mut Value, y: &Value) -> bool {
    plain(acc, y, i64::checked_mul, |x, y| x * y)
}

#[inline]
fn plain(acc: &mut Value, y: &Value, whole: impl Fn(i64, i64) -> Option<i64>, float: impl Fn(f64, f64) -> f64) -> bool {
    match (&mut *acc, y) {
        (Value::Float(x), Value::Float(y)) => *x = float(*x, *y),
        (Value::Float(x), Value::Int(y)) => *x = float(*x, *y as f64),
        (Value::Int(x), Value::Int(y)) => match whole(*x, *y) {
            Some(n) => *x = n,
            None => return false,
        },
        (Value::Int(x), Value::Float(y)) => {
            let x = float(*x as f64, *y);
            acc.set_float(x);
        }
        _ => return false,
    }
    true
}

/// `a + b`; `name` is the function to show in errors.
#[inline]
pub(crate) fn add(a: &Value, b: &Value, name: &str, meter: &mut Meter) -> Res {
    reckon(a, b, name, meter, i64::checked_add, &ADD)
}

/// `a - b`
#[inline]
pub(crate) fn sub(a: &Value, b: &Value, name: &str, meter: &mut Meter) -> Res {
    reckon(a, b, name, meter, i64::checked_sub, &SUB)
}

/// `a * b`; the fuel grows with the product of the lengths.
#[inline]
pub(crate) fn mul(a: &Value, b: &Value, name: &str, meter: &mut Meter) -> Res {
    reckon(a, b, name, meter, i64::checked_mul, &MUL)
}

#[inline]
fn reckon(
    a: &Value,
    b: &Value,
    name: &str,
    meter: &mut Meter,
    whole: impl Fn(i64, i64) -> Option<i64>,
    operation: &Operation,
) -> Res {
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && let Some(n) = whole(*x, *y)
    {
        return Ok(Value::Int(n));
    }
    slow(a, b, name, meter, operation)
}

/// `a / b`: an integer when both are integers and it is exact, otherwise a float.
///
/// Errors with `arithmetic_error` when both are integers and `b` is zero; floats follow IEEE 754.
pub(crate) fn div(a: &Value, b: &Value, name: &str, meter: &mut Meter) -> Res {
    match pair(a, b, name)? {
        Pair::Floats(x, y) => Ok(Value::Float(x / y)),
        Pair::Ints(_, 0) => Err(divide_by_zero()),
        Pair::Ints(x, y) => Ok(match (x.checked_rem(y), x.checked_div(y)) {
            (Some(0), Some(exact)) => Value::Int(exact),
            (Some(_), _) => Value::Float(x as f64 / y as f64),
            (None, _) => Value::integer(-BigInt::from(x)),
        }),
        Pair::Bigs(_, y) if y.is_zero() => Err(divide_by_zero()),
        Pair::Bigs(x, y) => {
            pay_product(&x, &y, meter)?;
            let (quotient, rest) = long::quotient(&x, &y, meter)?;
            if rest.is_zero() { Ok(Value::integer(quotient)) } else { Ok(Value::Float(ratio(&x, &y))) }
        }
    }
}

/// `a / b` truncated toward zero, an integer also for floats.
///
/// Errors with `arithmetic_error` on a zero divisor; a special float as operand gives NaN.
pub(crate) fn quot(a: &Value, b: &Value, name: &str, meter: &mut Meter) -> Res {
    match divisible(a, b, name)? {
        Pair::Floats(x, y) if !x.is_finite() || !y.is_finite() => Ok(Value::Float(f64::NAN)),
        Pair::Floats(x, y) => whole(x / y, name),
        Pair::Ints(x, y) => Ok(x.checked_div(y).map_or_else(|| Value::integer(-BigInt::from(x)), Value::Int)),
        Pair::Bigs(x, y) => {
            pay_product(&x, &y, meter)?;
            Ok(Value::integer(long::quotient(&x, &y, meter)?.0))
        }
    }
}

/// The remainder with the sign of the dividend; errors like [`quot`].
pub(crate) fn rem(a: &Value, b: &Value, name: &str, meter: &mut Meter) -> Res {
    match divisible(a, b, name)? {
        Pair::Floats(x, y) if !x.is_finite() || !y.is_finite() => Ok(Value::Float(f64::NAN)),
        Pair::Floats(x, y) => Ok(Value::Float(x % y)),
        Pair::Ints(x, y) => Ok(Value::Int(x.checked_rem(y).unwrap_or(0))),
        Pair::Bigs(x, y) => {
            pay_product(&x, &y, meter)?;
            Ok(Value::integer(long::quotient(&x, &y, meter)?.1))
        }
    }
}

/// The remainder with the sign of the divisor; errors like [`quot`].
pub(crate) fn modulo(a: &Value, b: &Value, name: &str, meter: &mut Meter) -> Res {
    let rest = rem(a, b, name, meter)?;
    let opposite = match (sign(&rest), sign(b)) {
        (Some(one), Some(other)) => one * other < 0,
        _ => false,
    };
    if opposite { add(&rest, b, name, meter) } else { Ok(rest) }
}

/// `-a`
pub(crate) fn neg(a: &Value, name: &str, meter: &mut Meter) -> Res {
    match a {
        Value::Int(n) => Ok(n.checked_neg().map_or_else(|| Value::integer(-BigInt::from(*n)), Value::Int)),
        Value::Float(x) => Ok(Value::Float(-x)),
        Value::Big(n) => {
            pay_sum(n, n, meter)?;
            Ok(Value::integer(-&**n))
        }
        other => Err(not_a_number(name, other)),
    }
}

/// `a + 1`
#[inline]
pub(crate) fn inc(a: &Value, name: &str, meter: &mut Meter) -> Res {
    if a.is_number() { add(a, &Value::Int(1), name, meter) } else { Err(not_a_number(name, a)) }
}

/// `a - 1`
#[inline]
pub(crate) fn dec(a: &Value, name: &str, meter: &mut Meter) -> Res {
    if a.is_number() { sub(a, &Value::Int(1), name, meter) } else { Err(not_a_number(name, a)) }
}

/// `a` without its sign.
pub(crate) fn abs(a: &Value, name: &str, meter: &mut Meter) -> Res {
    match a {
        Value::Float(x) => Ok(Value::Float(x.abs())),
        _ if sign(a).is_some_and(|sign| sign < 0) => neg(a, name, meter),
        _ if a.is_number() => Ok(a.clone()),
        other => Err(not_a_number(name, other)),
    }
}

/// -1, 0 or 1; `None` for a NaN and for values that are not numbers.
pub(crate) fn sign(a: &Value) -> Option<i32> {
    match a {
        Value::Int(n) => Some(n.signum() as i32),
        Value::Big(n) => Some(if n.is_negative() { -1 } else { 1 }),
        Value::Float(x) => x.partial_cmp(&0.0).map(|order| order as i32),
        _ => None,
    }
}

/// The nearest float of any number; infinite when it is too large.
pub(crate) fn to_f64(a: &Value) -> Option<f64> {
    match a {
        Value::Int(n) => Some(*n as f64),
        Value::Float(x) => Some(*x),
        Value::Big(n) => Some(big_to_f64(n)),
        _ => None,
    }
}

/// `x` truncated toward zero as an integer of any size.
///
/// Errors with `arithmetic_error` for infinities and NaN.
pub(crate) fn whole(x: f64, name: &str) -> Res {
    let cut = x.trunc();
    if cut.abs() < 9.0e18 {
        return Ok(Value::Int(cut as i64));
    }
    match BigInt::from_f64(cut) {
        Some(n) => Ok(Value::integer(n)),
        None => Err(arithmetic_error(format!("{name}: no integer value for {}", super::print_float(x)))),
    }
}

/// An integer of any size from decimal digits with an optional sign; `None` for any other text.
///
/// Errors when the fuel or memory does not suffice for a very long one.
pub(crate) fn parse_integer(text: &str, meter: &mut Meter) -> Fallible<Option<Value>> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    if let Ok(n) = text.parse::<i64>() {
        return Ok(Some(Value::Int(n)));
    }
    let limbs = digits.len() / 19 + 1;
    meter.charge(fuel_for_digits(digits.len()))?;
    meter.allocate(limbs * 8)?;
    let sign = if text.starts_with('-') { Sign::Minus } else { Sign::Plus };
    Ok(long::parsed(digits.as_bytes(), meter)?.map(|n| Value::integer(BigInt::from_biguint(sign, n))))
}

/// Units of fuel for constructing an integer beyond 64 bits from this many digits.
pub(crate) fn fuel_for_digits(digits: usize) -> usize {
    square(digits / 19 + 1)
}

/// The decimal digits of a big integer; charged by the square of its length before they are computed.
pub(crate) fn digits(n: &BigInt, meter: &mut Meter) -> Fallible<String> {
    let limbs = limbs(n);
    meter.charge(square(limbs))?;
    meter.allocate_briefly(limbs * 52)?;
    long::text(n, meter)
}

/// Errors when an integer is too large to be read back under `limits`.
pub(crate) fn check_readable(n: &BigInt, limits: &Limits) -> Fallible {
    if fuel_for_digits(limbs(n) * 20) as u64 <= limits.fuel {
        return Ok(());
    }
    let text = format!("an integer of about {} digits takes more fuel to read back than is left", limbs(n) * 19);
    Err(Box::new(Error::new(Reason::FuelExceeded, text)))
}

/// Bytes that a big integer holds.
pub(crate) fn big_bytes(n: &BigInt) -> usize {
    48 + limbs(n) * 8
}

/// `name: expected a number, got KIND`
pub(crate) fn not_a_number(name: &str, got: &Value) -> Box<Signal> {
    let text = format!("{name}: expected a number, got {}", got.kind());
    Box::<Signal>::from(Error::new(Reason::TypeError, text).about(about(name, got))).about_value(got)
}

/// The subject of the error when `operand` is not a number.
fn about(name: &str, operand: &Value) -> About {
    let adds_up = matches!(name, "+" | "-" | "*" | "/");
    if adds_up && operand.is_nil() { About::NilOperand } else { About::Other }
}

/// Two numbers converted to one representation.
enum Pair<'a> {
    Ints(i64, i64),
    Floats(f64, f64),
    Bigs(Cow<'a, BigInt>, Cow<'a, BigInt>),
}

fn pair<'a>(a: &'a Value, b: &'a Value, name: &str) -> Res<Pair<'a>> {
    Ok(match (a, b) {
        (Value::Int(x), Value::Int(y)) => Pair::Ints(*x, *y),
        (Value::Float(_), _) | (_, Value::Float(_)) => match (to_f64(a), to_f64(b)) {
            (Some(x), Some(y)) => Pair::Floats(x, y),
            _ => return Err(mixed(name, a, b)),
        },
        _ => match (wide(a), wide(b)) {
            (Some(x), Some(y)) => Pair::Bigs(x, y),
            _ => return Err(mixed(name, a, b)),
        },
    })
}

/// A pair whose divisor is not zero.
fn divisible<'a>(a: &'a Value, b: &'a Value, name: &str) -> Res<Pair<'a>> {
    let pair = pair(a, b, name)?;
    let zero = match &pair {
        Pair::Ints(_, y) => *y == 0,
        Pair::Floats(_, y) => *y == 0.0,
        Pair::Bigs(_, y) => y.is_zero(),
    };
    if zero { Err(divide_by_zero()) } else { Ok(pair) }
}

/// One operation where the fast path does not suffice.
struct Operation {
    floats: fn(f64, f64) -> f64,
    bigs: fn(&BigInt, &BigInt, &mut Meter) -> Fallible<BigInt>,
    pay: fn(&BigInt, &BigInt, &mut Meter) -> Fallible,
}

const ADD: Operation = Operation { floats: |x, y| x + y, bigs: |x, y, _| Ok(x + y), pay: pay_sum };
const SUB: Operation = Operation { floats: |x, y| x - y, bigs: |x, y, _| Ok(x - y), pay: pay_sum };
const MUL: Operation = Operation { floats: |x, y| x * y, bigs: long::product, pay: pay_product };

#[cold]
fn slow_bigs(x: &BigInt, y: &BigInt, meter: &mut Meter, operation: &Operation) -> Res {
    (operation.pay)(x, y, meter)?;
    Ok(Value::integer((operation.bigs)(x, y, meter)?))
}

fn slow(a: &Value, b: &Value, name: &str, meter: &mut Meter, operation: &Operation) -> Res {
    // An integer with a float is not rare: quantity times price.
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => return Ok(Value::Float((operation.floats)(*x, *y))),
        (Value::Int(x), Value::Float(y)) => return Ok(Value::Float((operation.floats)(*x as f64, *y))),
        (Value::Float(x), Value::Int(y)) => return Ok(Value::Float((operation.floats)(*x, *y as f64))),
        _ => {}
    }
    match pair(a, b, name)? {
        Pair::Floats(x, y) => Ok(Value::Float((operation.floats)(x, y))),
        // Only overflows get here.
        Pair::Ints(x, y) => slow_bigs(&BigInt::from(x), &BigInt::from(y), meter, operation),
        Pair::Bigs(x, y) => slow_bigs(&x, &y, meter, operation),
    }
}

pub(crate) fn wide(a: &Value) -> Option<Cow<'_, BigInt>> {
    match a {
        Value::Int(n) => Some(Cow::Owned(BigInt::from(*n))),
        Value::Big(n) => Some(Cow::Borrowed(n)),
        _ => None,
    }
}

fn pay_sum(x: &BigInt, y: &BigInt, meter: &mut Meter) -> Fallible {
    let limbs = limbs(x).max(limbs(y)) + 1;
    meter.charge(limbs / LIMB_PRODUCTS + 1)?;
    meter.allocate(48 + limbs * 8)
}

/// Pay for an integer of this many bits before it is computed.
pub(crate) fn pay_bits(bits: u64, meter: &mut Meter) -> Fallible {
    let limbs = usize::try_from(bits / 64).unwrap_or(usize::MAX / 16);
    meter.charge(limbs / LIMB_PRODUCTS + 1)?;
    meter.allocate(48 + limbs.saturating_mul(8))
}

fn pay_product(x: &BigInt, y: &BigInt, meter: &mut Meter) -> Fallible {
    let (one, other) = (limbs(x), limbs(y));
    meter.charge(one.saturating_mul(other) / LIMB_PRODUCTS + 1)?;
    meter.allocate(48 + (one + other) * 8)
}

fn square(limbs: usize) -> usize {
    limbs.saturating_mul(limbs) / LIMB_PRODUCTS + 1
}

pub(crate) fn limbs(n: &BigInt) -> usize {
    (n.bits() / 64) as usize + 1
}

fn big_to_f64(n: &BigInt) -> f64 {
    n.to_f64().unwrap_or(if n.is_negative() { f64::NEG_INFINITY } else { f64::INFINITY })
}

/// The quotient of integers that may each be beyond the range of floats.
fn ratio(x: &BigInt, y: &BigInt) -> f64 {
    let (mut exponent, top_x) = top(x);
    let (lowered, top_y) = top(y);
    exponent -= lowered;
    let mut quotient = top_x / top_y;
    // In steps, because a single power of two may be out of range where the result is not.
    while exponent != 0 && quotient != 0.0 && quotient.is_finite() {
        let step = exponent.clamp(-512, 512);
        quotient *= 2.0_f64.powi(step as i32);
        exponent -= step;
    }
    quotient
}

/// The leading bits as a float and how far they were shifted down.
fn top(n: &BigInt) -> (i64, f64) {
    let shift = n.bits().saturating_sub(128);
    (i64::try_from(shift).unwrap_or(i64::MAX), big_to_f64(&(n >> shift)))
}

fn divide_by_zero() -> Box<Signal> {
    arithmetic_error("Divide by zero")
}

#[cold]
fn mixed(name: &str, a: &Value, b: &Value) -> Box<Signal> {
    let hint = match (a, b) {
        (Value::Str(_), _) | (_, Value::Str(_)) => {
            "; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts"
        }
        (Value::Vector(_) | Value::LazySeq(_), _) | (_, Value::Vector(_) | Value::LazySeq(_)) => {
            "; (reduce f coll) or (apply f coll) takes a collection"
        }
        (Value::Date(_), Value::Date(_)) => "; (- (.toEpochDay b) (.toEpochDay a)) counts the days from a to b",
        (Value::Instant(_), Value::Instant(_)) => "; (- (.getTime b) (.getTime a)) counts the milliseconds from a to b",
        (Value::Temporal(x), Value::Temporal(y)) if x.kind() == "duration" && y.kind() == "duration" => {
            "; (.plus a b) and (.minus a b) join durations, (.toMillis d) gives a number"
        }
        (Value::Temporal(x), _) | (_, Value::Temporal(x)) if x.kind() == "duration" => {
            "; (.toMillis d), (.toHours d) and (.toDays d) give a number"
        }
        (Value::Temporal(_), _) | (_, Value::Temporal(_)) => {
            "; (.plus t n ChronoUnit/HOURS) moves a time, (Duration/between a b) measures"
        }
        (Value::Date(_), _) => "; (.plusDays d n) and (.minusDays d n) move a date",
        (Value::Instant(_), _) => "; (java.util.Date. (+ (.getTime d) ms)) is moved by milliseconds",
        _ => "",
    };
    let about = if hint.is_empty() { about(name, b) } else { About::Other };
    let text = format!("{name}: expected numbers, got {} and {}{hint}", a.kind(), b.kind());
    let error = Box::<Signal>::from(Error::new(Reason::TypeError, text).about(about));
    error.about_value(if a.is_number() { b } else { a })
}
