//! The parts of instructions for builtins: their arguments, functions and comparisons of two numbers, tests of one value,
//! patterns.

use std::cmp::Ordering;
use std::fmt;

use crate::value::{Value, is_exact};

/// What an instruction reads: a register, a register that it empties, or a constant.
#[derive(Copy, Clone, Default, PartialEq, Eq)]
pub(crate) struct Argument(u16);

/// The most operands of a quick call.
pub(crate) const MOST_ARGUMENTS: usize = 9;

const CONSTANT: u16 = 1 << 15;
const LAST: u16 = 1 << 14;
const INDEX: u16 = LAST - 1;

impl Argument {
    /// A register; `last` says that it is emptied.
    pub fn register(register: u32, last: bool) -> Option<Argument> {
        let index = u16::try_from(register).ok().filter(|index| *index <= INDEX)?;
        Some(Argument(if last { index | LAST } else { index }))
    }

    /// A constant by its number.
    pub fn constant(number: u32) -> Option<Argument> {
        u16::try_from(number).ok().filter(|number| *number <= INDEX).map(|number| Argument(number | CONSTANT))
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a test of one bit")]
    pub fn is_last(self) -> bool {
        self.0 & LAST != 0
    }

    /// The register that it names.
    pub fn in_register(self) -> Option<u16> {
        (self.0 & CONSTANT == 0).then_some(self.0 & INDEX)
    }

    /// The number of the register or constant.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "one operation")]
    pub fn index(self) -> usize {
        usize::from(self.0 & INDEX)
    }

    /// What it names.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "what most instructions begin with")]
    pub fn of<'v>(self, registers: &'v [Value], constants: &'v [Value]) -> &'v Value {
        let values = if self.0 & CONSTANT == 0 { registers } else { constants };
        values.get(self.index()).unwrap_or(&Value::Nil)
    }
}

/// `r2`, `r2!` when it is emptied, `k2` for a constant.
impl fmt::Debug for Argument {
    // Bounded: a register.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.0 & CONSTANT == 0 { 'r' } else { 'k' };
        write!(f, "{kind}{}{}", self.index(), if self.is_last() { "!" } else { "" })
    }
}

/// A function of two numbers.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Quot,
    Rem,
    Mod,
    Max,
    Min,
    And,
    Or,
    Xor,
}

impl Arithmetic {
    /// The result of two integers, where it is an integer of 64 bits.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "an instruction")]
    pub fn of(self, x: i64, y: i64) -> Option<i64> {
        match self {
            Arithmetic::Add => x.checked_add(y),
            Arithmetic::Sub => x.checked_sub(y),
            Arithmetic::Mul => x.checked_mul(y),
            Arithmetic::Div => x.checked_rem(y).filter(|rest| *rest == 0).map(|_| x / y),
            Arithmetic::Quot => x.checked_div(y),
            Arithmetic::Rem => x.checked_rem(y),
            Arithmetic::Mod => {
                x.checked_rem(y).map(|rest| if rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest })
            }
            Arithmetic::Max => Some(x.max(y)),
            Arithmetic::Min => Some(x.min(y)),
            Arithmetic::And => Some(x & y),
            Arithmetic::Or => Some(x | y),
            Arithmetic::Xor => Some(x ^ y),
        }
    }

    /// The result where it is a float and needs no further check.
    #[inline]
    pub fn float(self, x: &Value, y: &Value) -> Option<f64> {
        match (x, y) {
            (Value::Float(x), Value::Float(y)) => self.of_floats(*x, *y),
            (Value::Int(x), Value::Float(y)) if self.is_of_floats() => self.of_floats(*x as f64, *y),
            (Value::Float(x), Value::Int(y)) if self.is_of_floats() => self.of_floats(*x, *y as f64),
            (Value::Int(x), Value::Int(y)) if self == Arithmetic::Div => {
                x.checked_rem(*y).map(|_| *x as f64 / *y as f64)
            }
            _ => None,
        }
    }

    /// The result, where it needs no further check.
    pub fn of_values(self, x: &Value, y: &Value) -> Option<Value> {
        match (x, y) {
            (Value::Int(x), Value::Int(y)) if let Some(n) = self.of(*x, *y) => Some(Value::Int(n)),
            (x, y) => self.float(x, y).map(Value::Float),
        }
    }

    #[inline]
    fn of_floats(self, x: f64, y: f64) -> Option<f64> {
        match self {
            Arithmetic::Add => Some(x + y),
            Arithmetic::Sub => Some(x - y),
            Arithmetic::Mul => Some(x * y),
            Arithmetic::Div => Some(x / y),
            Arithmetic::Max if x > y => Some(x),
            Arithmetic::Max if x < y => Some(y),
            Arithmetic::Min if x < y => Some(x),
            Arithmetic::Min if x > y => Some(y),
            _ => None,
        }
    }

    /// Whether an integer is converted when the other operand is a float.
    fn is_of_floats(self) -> bool {
        matches!(self, Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul | Arithmetic::Div)
    }
}

/// A comparison of two numbers: the orders that it accepts, a bit each.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Relation {
    Less = 0b001,
    AtMost = 0b011,
    Greater = 0b100,
    AtLeast = 0b110,
}

impl Relation {
    /// Whether it holds for values in this order.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a part of an instruction")]
    pub fn accepts(self, order: Ordering) -> bool {
        (self as u8 >> (order as i8 + 1)) & 1 != 0
    }

    /// Whether it holds for two numbers, where that is known immediately.
    pub fn of(self, x: &Value, y: &Value) -> Option<bool> {
        let floats = |x: &f64, y: &f64| x.partial_cmp(y).is_some_and(|order| self.accepts(order));
        match (x, y) {
            (Value::Int(x), Value::Int(y)) => Some(self.accepts(x.cmp(y))),
            (Value::Float(x), Value::Float(y)) => Some(floats(x, y)),
            (Value::Float(x), Value::Int(y)) if is_exact(*y) => Some(floats(x, &(*y as f64))),
            (Value::Int(x), Value::Float(y)) if is_exact(*x) => Some(floats(&(*x as f64), y)),
            _ => None,
        }
    }

    /// Whether it is one of those that put greater values first.
    pub fn descends(self) -> bool {
        self.accepts(Ordering::Greater)
    }
}

/// Whether two values are equal, where that is known immediately and nobody has to be warned.
#[inline(always)]
#[allow(clippy::inline_always, reason = "an instruction")]
pub(crate) fn equal(x: &Value, y: &Value) -> Option<bool> {
    match (x, y) {
        (Value::Int(x), Value::Int(y)) => Some(x == y),
        (Value::Keyword(x), Value::Keyword(y)) => Some(x == y),
        (Value::Str(x), Value::Str(y)) if !x.is_long() => Some(x == y),
        (Value::Nil, Value::Nil) => Some(true),
        (Value::Nil, _) | (_, Value::Nil) => Some(false),
        (Value::Bool(x), Value::Bool(y)) => Some(x == y),
        (Value::Float(x), Value::Float(y)) => Some(x == y),
        (Value::Float(x), Value::Int(y)) | (Value::Int(y), Value::Float(x)) if is_exact(*y) => Some(*x == *y as f64),
        _ => None,
    }
}

/// A kind of value that a pattern destructures directly.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Pattern {
    Sequence,
    Map,
}

impl Pattern {
    /// Whether the value needs no conversion.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "an instruction")]
    pub fn takes(self, value: &Value) -> bool {
        match self {
            Pattern::Sequence => matches!(value, Value::Vector(_) | Value::Nil),
            Pattern::Map => matches!(value, Value::Map(_) | Value::Nil),
        }
    }
}

/// A test of one value.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) enum Test {
    IsNil,
    IsSome,
    Not,
    IsZero,
    IsPositive,
    IsNegative,
    IsEven,
    IsOdd,
    IsEmpty,
    HasElements,
    IsString,
    IsKeyword,
    IsMap,
    IsNumber,
}

impl Test {
    /// Whether it holds, where that is known immediately.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "an instruction")]
    pub fn of(self, value: &Value) -> Option<bool> {
        let number = |int: fn(i64) -> bool, float: fn(f64) -> bool| match value {
            Value::Int(n) => Some(int(*n)),
            Value::Float(x) => Some(float(*x)),
            _ => None,
        };
        match self {
            // A sequence whose elements are not known may be empty, or something else.
            _ if matches!(value, Value::LazySeq(_)) => None,
            Test::IsNil => Some(value.is_nil()),
            Test::IsSome => Some(!value.is_nil()),
            Test::Not => Some(!value.is_truthy()),
            Test::IsZero => number(|n| n == 0, |x| x == 0.0),
            Test::IsPositive => number(|n| n > 0, |x| x > 0.0),
            Test::IsNegative => number(|n| n < 0, |x| x < 0.0),
            Test::IsEven => integer(value).map(|n| n & 1 == 0),
            Test::IsOdd => integer(value).map(|n| n & 1 != 0),
            Test::IsEmpty => elements(value).map(|count| count == 0),
            Test::HasElements => elements(value).map(|count| count > 0),
            Test::IsString => Some(matches!(value, Value::Str(_))),
            Test::IsKeyword => Some(matches!(value, Value::Keyword(_))),
            Test::IsMap => Some(matches!(value, Value::Map(_))),
            Test::IsNumber => Some(value.is_number()),
        }
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "a part of an instruction")]
fn integer(value: &Value) -> Option<i64> {
    if let Value::Int(n) = value { Some(*n) } else { None }
}

/// The number of elements of a collection at hand.
pub(super) fn elements(value: &Value) -> Option<usize> {
    match value {
        Value::Nil => Some(0),
        Value::Vector(items) => Some(items.len()),
        Value::Map(map) => Some(map.len()),
        Value::Set(set) => Some(set.len()),
        _ => None,
    }
}
