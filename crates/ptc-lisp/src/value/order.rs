//! Equality, key identity, hash and the natural order.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hash, Hasher};

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::key::Key;
use super::{Map, Name, Text, Value, Vector};
use crate::error::{About, Error, Fallible, Reason, Res, Signal};
use crate::limits::meter::{Mark, Meter};
use crate::limits::pace::STRETCH;
use crate::value::hash::{seed, text_hash_with};

/// The most levels of a nested value that are compared, hashed and written as JSON.
pub const MAX_NESTING: usize = 512;

fn too_deep(what: &str) -> Box<Error> {
    Error::new(Reason::NestingTooDeep, format!("{what} a value nested more than {MAX_NESTING} deep")).into()
}

fn without_order(message: String, about: About) -> Box<Error> {
    Error::new(Reason::TypeError, message).about(about).into()
}

impl Value {
    /// Language `=`: structural, with `1` equal to `1.0` at every level; NaN equals nothing.
    ///
    /// Errors with `nesting_too_deep` beyond 512 levels; charges one unit per compared element.
    pub(crate) fn equals(&self, other: &Value, meter: &mut Meter) -> Res<bool> {
        Walk { numeric: true, meter }.same(self, other, 0)
    }

    /// Key identity: like `=`, but `1` and `1.0` differ, and NaN is identical to itself.
    #[inline]
    pub(crate) fn is_identical(&self, other: &Value, meter: &mut Meter) -> Res<bool> {
        match (self, other) {
            (Value::Keyword(x), Value::Keyword(y)) => Ok(x == y),
            (Value::Str(x), Value::Str(y)) => Ok(same_text(x, y, meter)?),
            (Value::Int(x), Value::Int(y)) => Ok(x == y),
            _ => Walk { numeric: false, meter }.same(self, other, 0),
        }
    }

    /// Whether a key of a hashed table is this one, where a part of their hashes is equal. Keys that differ cost no
    /// fuel: which keys a table compares depends on the seed of the process, but the fuel of a program must not.
    #[inline]
    pub(crate) fn is_same_key(&self, key: &Value, meter: &mut Meter) -> Res<bool> {
        let mark = meter.mark();
        match self.is_identical(key, meter) {
            Ok(false) => {
                meter.rewind(&mark);
                Ok(false)
            }
            Err(signal) if matches!(&*signal, Signal::Error(error) if error.reason == Reason::FuelExceeded) => {
                self.is_same_key_beyond(key, meter, &mark, signal)
            }
            same => same,
        }
    }

    /// Like [`Value::is_same_key`], where the fuel runs out: that is an error only if the keys are the same.
    #[cold]
    fn is_same_key_beyond(&self, key: &Value, meter: &mut Meter, mark: &Mark, signal: Box<Signal>) -> Res<bool> {
        if self.is_identical(key, &mut meter.beside())? {
            return Err(signal);
        }
        meter.rewind(mark);
        Ok(false)
    }

    /// The natural order of `compare` and `sort`: nil first, like with like.
    ///
    /// Errors with `type_error` for kinds that cannot be ordered with each other, and for NaN.
    pub(crate) fn compare(&self, other: &Value, meter: &mut Meter) -> Fallible<Ordering> {
        compare_at(self, other, meter, 0)
    }
}

impl Key for Value {
    fn key_hash(&self, meter: &mut Meter) -> Fallible<u64> {
        match self {
            Value::Keyword(name) => Ok(name.keyword_hash()),
            Value::Str(text) => text_hash_with(text, || meter.look_at_clock()),
            Value::Int(n) => Ok(seed().hash_one(n)),
            _ => hash_at(self, meter, 0),
        }
    }

    #[inline]
    fn keyword_name(&self) -> Option<&Name> {
        match self {
            Value::Keyword(name) => Some(name),
            _ => None,
        }
    }
}

/// The longest vector that is found as a key without a look inside for what has to be realised.
const SHORT_KEY: usize = 4;

impl Value {
    /// Whether it is a key, or a short vector of keys, that is found as it is: nothing in it has to be realised first.
    #[inline]
    pub(crate) fn is_plain_key(&self) -> bool {
        let is_plain = |part: &Value| matches!(part, Value::Str(_) | Value::Keyword(_) | Value::Int(_));
        match self {
            Value::Vector(parts) => parts.len() <= SHORT_KEY && parts.iter().all(is_plain),
            key => is_plain(key),
        }
    }
}

/// Whether both are the same text; long ones are compared piece by piece.
#[inline]
fn same_text(x: &Text, y: &Text, meter: &mut Meter) -> Fallible<bool> {
    if !x.is_long() || x.len() != y.len() || x.address() == y.address() { Ok(x == y) } else { same_long(x, y, meter) }
}

#[cold]
fn same_long(x: &str, y: &str, meter: &mut Meter) -> Fallible<bool> {
    Ok(compare_texts(x, y, meter)? == Ordering::Equal)
}

/// By code points, which is the order of the bytes.
fn compare_texts(x: &str, y: &str, meter: &mut Meter) -> Fallible<Ordering> {
    let (mut x, mut y) = (x.as_bytes(), y.as_bytes());
    while let (Some((one, x_rest)), Some((other, y_rest))) = (x.split_at_checked(STRETCH), y.split_at_checked(STRETCH))
    {
        let order = one.cmp(other);
        if order != Ordering::Equal {
            return Ok(order);
        }
        meter.look_at_clock()?;
        (x, y) = (x_rest, y_rest);
    }
    Ok(x.cmp(y))
}

struct Walk<'m> {
    numeric: bool,
    meter: &'m mut Meter,
}

impl Walk<'_> {
    fn same(&mut self, a: &Value, b: &Value, depth: usize) -> Res<bool> {
        Ok(match (a, b) {
            (Value::Nil, Value::Nil) => true,
            (Value::Bool(x), Value::Bool(y)) => x == y,
            (Value::Int(x), Value::Int(y)) => x == y,
            (Value::Float(x), Value::Float(y)) => x == y || (!self.numeric && x.is_nan() && y.is_nan()),
            (Value::Big(x), Value::Big(y)) => x == y,
            (Value::Int(_) | Value::Big(_), Value::Float(_)) | (Value::Float(_), Value::Int(_) | Value::Big(_)) => {
                self.numeric && compare_numbers(a, b) == Some(Ordering::Equal)
            }
            (Value::Keyword(x), Value::Keyword(y))
            | (Value::Symbol(x), Value::Symbol(y))
            | (Value::Var(x), Value::Var(y)) => x == y,
            (Value::Str(x), Value::Str(y)) => same_text(x, y, self.meter)?,
            (Value::Vector(x), Value::Vector(y)) => {
                if x.len() != y.len() {
                    return Ok(false);
                }
                // NaN is not equal to itself, so only key identity may trust the address.
                if !self.numeric && x.address() == y.address() {
                    return Ok(true);
                }
                self.enter(depth, x.len())?;
                for (one, other) in x.iter().zip(y.iter()) {
                    self.meter.tick()?;
                    if !self.same(one, other, depth + 1)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Value::Map(x), Value::Map(y)) => self.same_maps(x, y, depth)?,
            (Value::Set(x), Value::Set(y)) => self.same_maps(x.as_map(), y.as_map(), depth)?,
            (Value::Date(x), Value::Date(y)) => x == y,
            (Value::Instant(x), Value::Instant(y)) => x == y,
            (Value::Uuid(x), Value::Uuid(y)) => x == y,
            (Value::Temporal(x), Value::Temporal(y)) => x == y,
            (Value::Regex(x), Value::Regex(y)) => x.as_str() == y.as_str(),
            (Value::Function(x), Value::Function(y)) => std::sync::Arc::ptr_eq(x, y),
            (Value::Builtin(x), Value::Builtin(y)) => x == y,
            (Value::Tool(x), Value::Tool(y)) => x == y,
            (Value::Cell(x), Value::Cell(y)) => x == y,
            (Value::LazySeq(x), Value::LazySeq(y)) => x == y,
            (Value::Exception(x), Value::Exception(y)) => std::sync::Arc::ptr_eq(x, y),
            (Value::Reduced(x), Value::Reduced(y)) => self.same(x.get(), y.get(), depth + 1)?,
            _ => false,
        })
    }

    fn same_maps(&mut self, x: &Map, y: &Map, depth: usize) -> Res<bool> {
        if x.len() != y.len() {
            return Ok(false);
        }
        if !self.numeric && x.address() == y.address() {
            return Ok(true);
        }
        self.enter(depth, x.len())?;
        if y.as_sorted().is_some() {
            return self.same_sorted(x, y, depth);
        }
        for (key, value) in x {
            self.meter.tick()?;
            let Some(other) = y.get(key, self.meter)? else { return Ok(false) };
            if !self.same(value, other, depth + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Keys are distinguished by identity, not by the comparator of `y`, so the lookups use a map without a comparator.
    fn same_sorted(&mut self, x: &Map, y: &Map, depth: usize) -> Res<bool> {
        if x.as_sorted().is_none() {
            return self.same_maps(y, x, depth);
        }
        self.meter.charge(y.len())?;
        self.meter.allocate(y.len() * 52)?;
        let plain = Map::from_pairs(y.iter().map(|(key, value)| (key.clone(), value.clone())), self.meter)?;
        self.same_maps(x, &plain, depth)
    }

    fn enter(&mut self, depth: usize, items: usize) -> Res<()> {
        if depth >= MAX_NESTING {
            return Err(too_deep("cannot compare").into());
        }
        Ok(self.meter.charge(items / 4 + 1)?)
    }
}

// The recursive part is separate from the rest, so its native frames stay small.
fn hash_at(value: &Value, meter: &mut Meter, depth: usize) -> Fallible<u64> {
    match value {
        Value::Str(text) => text_hash_with(text, || meter.look_at_clock()),
        Value::Vector(items) => hash_items(items, meter, depth),
        Value::Map(map) => hash_entries(map, 8, meter, depth),
        Value::Set(set) => hash_entries(set.as_map(), 9, meter, depth),
        Value::Reduced(boxed) => hash_at(boxed.get(), meter, deeper(depth)?),
        _ => Ok(hash_scalar(value)),
    }
}

fn deeper(depth: usize) -> Fallible<usize> {
    if depth + 1 >= MAX_NESTING { Err(too_deep("cannot hash")) } else { Ok(depth + 1) }
}

fn hash_items(items: &Vector, meter: &mut Meter, depth: usize) -> Fallible<u64> {
    let depth = deeper(depth)?;
    meter.charge(items.len() / 4 + 1)?;
    let mut state = seed().build_hasher();
    state.write_u8(7);
    for item in items {
        meter.tick()?;
        state.write_u64(hash_at(item, meter, depth)?);
    }
    Ok(state.finish())
}

/// The order of entries does not count, so the hashes of the parts are added. `kind` distinguishes sets, which have no
/// values, from maps.
fn hash_entries(map: &Map, kind: u8, meter: &mut Meter, depth: usize) -> Fallible<u64> {
    let depth = deeper(depth)?;
    meter.charge(map.len() / 4 + 1)?;
    let mut sum = 0_u64;
    for (key, item) in map {
        meter.tick()?;
        let mut pair = hash_at(key, meter, depth)?.rotate_left(17);
        if !item.is_nil() {
            pair ^= hash_at(item, meter, depth)?;
        }
        sum = sum.wrapping_add(seed().hash_one(pair));
    }
    Ok(seed().hash_one((kind, sum)))
}

fn hash_scalar(value: &Value) -> u64 {
    let mut state = seed().build_hasher();
    match value {
        Value::Keyword(name) => return name.keyword_hash(),
        Value::Int(n) => return seed().hash_one(n),
        Value::Bool(b) => state.write_u8(2 + u8::from(*b)),
        Value::Float(x) => {
            // The two zeros are one key, and so are all NaNs.
            let x = if x.is_nan() { f64::NAN } else { x + 0.0 };
            (4_u8, x.to_bits()).hash(&mut state);
        }
        Value::Big(n) => state.write(&n.to_signed_bytes_le()),
        Value::Symbol(name) => state.write_u64(name.hash_figure() ^ 5),
        Value::Var(name) => state.write_u64(name.hash_figure() ^ 6),
        Value::Date(date) => date.hash(&mut state),
        Value::Instant(micros) => (11_u8, micros).hash(&mut state),
        Value::Uuid(text) => state.write(text.as_bytes()),
        Value::Temporal(temporal) => match temporal.name() {
            Some(name) => state.write(name.as_bytes()),
            None => state.write(temporal.to_string().as_bytes()),
        },
        Value::Regex(regex) => state.write(regex.as_str().as_bytes()),
        Value::Function(function) => state.write_usize(std::sync::Arc::as_ptr(function) as usize),
        Value::Exception(exception) => state.write_usize(std::sync::Arc::as_ptr(exception) as usize),
        Value::Builtin(id) => id.hash(&mut state),
        Value::Tool(name) => state.write_u64(name.hash_figure() ^ 12),
        Value::Cell(cell) => cell.hash(&mut state),
        Value::LazySeq(generator) => generator.hash(&mut state),
        Value::Nil | Value::Str(_) | Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Reduced(_) => {
            state.write_u8(1)
        }
    }
    state.finish()
}

/// Numbers by value; `None` for a NaN or for anything else.
#[must_use]
pub fn compare_numbers(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        (Value::Float(x), Value::Float(y)) => x.partial_cmp(y),
        (Value::Big(x), Value::Big(y)) => Some(x.cmp(y)),
        (Value::Int(_), Value::Big(y)) => Some(0.cmp(&big_sign(y))),
        (Value::Big(x), Value::Int(_)) => Some(big_sign(x).cmp(&0)),
        (Value::Int(x), Value::Float(y)) => int_with_float(*x, *y),
        (Value::Float(x), Value::Int(y)) => int_with_float(*y, *x).map(Ordering::reverse),
        (Value::Big(x), Value::Float(y)) => big_with_float(x, *y),
        (Value::Float(x), Value::Big(y)) => big_with_float(y, *x).map(Ordering::reverse),
        _ => None,
    }
}

/// A big integer is beyond every 64-bit one, so its sign decides.
fn big_sign(n: &BigInt) -> i32 {
    if n.sign() == num_bigint::Sign::Minus { -1 } else { 1 }
}

fn int_with_float(n: i64, x: f64) -> Option<Ordering> {
    match x {
        _ if is_exact(n) => (n as f64).partial_cmp(&x),
        9_223_372_036_854_775_808.0.. => Some(Ordering::Less),
        ..-9_223_372_036_854_775_808.0 => Some(Ordering::Greater),
        // A float equal to an integer of this many digits is whole.
        _ => (!x.is_nan()).then(|| n.cmp(&(x as i64))),
    }
}

/// Whether a float can represent this integer exactly, so floats can be compared with it as floats.
#[inline]
pub(crate) fn is_exact(n: i64) -> bool {
    n.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

/// Exact, so that equality stays transitive: a finite float beyond 64 bits is itself an integer.
fn big_with_float(n: &BigInt, x: f64) -> Option<Ordering> {
    match BigInt::from_f64(x) {
        Some(whole) => Some(n.cmp(&whole)),
        None => 0.0.partial_cmp(&x),
    }
}

fn compare_at(a: &Value, b: &Value, meter: &mut Meter, depth: usize) -> Fallible<Ordering> {
    if depth >= MAX_NESTING {
        return Err(too_deep("cannot compare"));
    }
    Ok(match (a, b) {
        (Value::Nil, Value::Nil) => Ordering::Equal,
        (Value::Nil, _) => Ordering::Less,
        (_, Value::Nil) => Ordering::Greater,
        (Value::Int(x), Value::Int(y)) => x.cmp(y),
        (Value::Str(x), Value::Str(y)) => compare_texts(x, y, meter)?,
        (Value::Keyword(x), Value::Keyword(y)) | (Value::Symbol(x), Value::Symbol(y)) => x.cmp(y),
        (Value::Bool(x), Value::Bool(y)) => x.cmp(y),
        (Value::Date(x), Value::Date(y)) => x.cmp(y),
        (Value::Instant(x), Value::Instant(y)) => x.cmp(y),
        (Value::Temporal(x), Value::Temporal(y)) if x.order(y).is_some() => x.order(y).unwrap_or(Ordering::Equal),
        (Value::Uuid(x), Value::Uuid(y)) => x.as_str().cmp(y.as_str()),
        (Value::Vector(x), Value::Vector(y)) => {
            let by_length = x.len().cmp(&y.len());
            if by_length != Ordering::Equal {
                return Ok(by_length);
            }
            meter.charge(x.len() / 4 + 1)?;
            for (one, other) in x.iter().zip(y.iter()) {
                meter.tick()?;
                let order = compare_at(one, other, meter, depth + 1)?;
                if order != Ordering::Equal {
                    return Ok(order);
                }
            }
            Ordering::Equal
        }
        _ if a.is_number() && b.is_number() => match compare_numbers(a, b) {
            Some(order) => order,
            None => return Err(without_order("cannot compare ##NaN with a number".to_owned(), About::NoNumber)),
        },
        _ => {
            let has_map = [a, b].into_iter().any(|value| matches!(value, Value::Map(_)));
            let about = if has_map { About::NoOrderOfMaps } else { About::NoOrder };
            return Err(without_order(format!("cannot compare {} with {}", a.kind(), b.kind()), about));
        }
    })
}

/// The order of two times of one kind: dates, points in time, and the kinds that [`Temporal::order`] orders.
pub(crate) fn compare_times(a: &Value, b: &Value) -> Option<Ordering> {
    super::moment(a)?.order(super::moment(b)?)
}
