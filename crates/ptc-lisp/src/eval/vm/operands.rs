//! What instructions do off the fast path, and with their operands.

use super::{Machine, call};
use crate::error::Res;
use crate::eval::codes::Codes;
use crate::stdlib::compare::{is_keyword_beside_string, warn_keyword_beside_string};
use crate::value::{Value, compare_numbers, number};

impl Machine {
    /// A keyword of whatever it is.
    #[cold]
    pub(super) fn look_up_keyword(&mut self, codes: &Codes, key: &Value, holder: &Value) -> Res {
        self.lend();
        let found = call::keyword_lookup(key, holder, &Value::Nil, &mut self.cx);
        self.reclaim();
        self.place_warnings(codes);
        found
    }

    /// Equality of anything, with a warning for a keyword beside a string.
    #[cold]
    pub(super) fn test_equal(&mut self, codes: &Codes, x: &Value, y: &Value) -> Res<bool> {
        if is_keyword_beside_string(x, y) {
            warn_keyword_beside_string(x, y, &mut self.cx);
            self.place_warnings(codes);
            return Ok(false);
        }
        self.lend();
        let same = self.cx.equal(x, y);
        self.reclaim();
        same
    }
}

/// Empty registers, so that nothing that a call has left keeps a value from being updated in place.
#[inline]
pub(super) fn clear(registers: &mut [Value]) {
    let mut left = registers;
    while let [a, b, c, d, more @ ..] = left {
        if a.holds_pointer() || b.holds_pointer() || c.holds_pointer() || d.holds_pointer() {
            [a, b, c, d].into_iter().for_each(Value::clear);
        }
        left = more;
    }
    left.iter_mut().for_each(Value::clear);
}

/// Whether a float can be this integer.
#[inline]
pub(super) fn is_exact(n: i64) -> bool {
    n.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS
}

/// Comparison of anything but two integers or two floats: `order` says whether less, equal and greater hold.
#[cold]
pub(super) fn compare_slow(x: &Value, y: &Value, order: [bool; 3], name: &str) -> Res<bool> {
    let found = match (x, y) {
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        (Value::Instant(a), Value::Instant(b)) => Some(a.cmp(b)),
        _ if x.is_number() && y.is_number() => compare_numbers(x, y),
        _ => {
            let wrong = if x.is_number() { y } else { x };
            return Err(crate::error::type_error(format!("{name}: expected numbers, got {}", wrong.kind())));
        }
    };
    Ok(match found {
        Some(std::cmp::Ordering::Less) => order[0],
        Some(std::cmp::Ordering::Equal) => order[1],
        Some(std::cmp::Ordering::Greater) => order[2],
        None => false,
    })
}

/// Equality of anything with a scalar constant.
#[inline]
pub(super) fn equal_scalars(x: &Value, constant: &Value) -> bool {
    match (x, constant) {
        (Value::Keyword(x), Value::Keyword(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        _ => x.is_number() && constant.is_number() && compare_numbers(x, constant) == Some(std::cmp::Ordering::Equal),
    }
}

/// Adding a small constant, off the fast path.
#[cold]
pub(super) fn add_int(x: &Value, n: i16, meter: &mut crate::meter::Meter) -> Res {
    let (name, amount) = match n {
        n if n < 0 => ("-", -i64::from(n)),
        n => ("+", i64::from(n)),
    };
    if n < 0 { number::sub(x, &Value::Int(amount), name, meter) } else { number::add(x, &Value::Int(amount), name, meter) }
}
