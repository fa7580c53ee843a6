//! The values that programs compute with, 16 bytes each.

mod fit;
mod float;
mod format;
mod function;
mod grow;
pub(crate) mod hash;
mod json;
mod key;
mod label;
mod map;
pub(crate) mod name;
pub(crate) mod number;
mod order;
mod pattern;
mod rewrite;
mod sequence;
mod set;
mod shorten;
pub(crate) mod size;
mod sorted;
mod tagged;
mod text;
mod ties;
mod trie;
mod vector;
mod written;

#[cfg(test)]
pub(crate) mod tests;

use std::sync::{Arc, OnceLock};

use num_bigint::BigInt;
use num_traits::ToPrimitive;

pub use crate::calendar::{InZone, NoPeriod, Period, TIME_KINDS, Temporal, YearMonth};
pub(crate) use crate::calendar::{Moment, TimeLiteral};
use crate::error::Exception;
pub use crate::escape::{escaped, escaped_lines, one_line, printed, shortened, shortened_counted};
pub use crate::value::name::Name;

pub use fit::{Fitted, fair_share, fitted};
pub(crate) use float::{LONGEST, parse_tagged_float, readable_float, write_shortest};
pub use float::{print_float, shortest_float};
pub use format::{
    Cells, FormatOptions, Formatted, NoCells, Realised, display_text, format, format_lines, format_with, format_within,
    format_within_with, write_formatted,
};
pub(crate) use format::{quoted, write_lines, write_scalar, write_text, write_value};
pub(crate) use function::{
    ARITIES, By, Calls, Captures, Comparison, EntryPoint, Group, Origin, Proto, Reads, Source, first_of_prelude,
    place_in_prelude,
};
pub use function::{BuiltinId, CellKind, CellRef, Closure, LazySeq, Reduced};
pub(crate) use grow::{extend, gathered, push, push_bytes, push_char, push_text, reserve, reserve_text, text_for};
pub use json::{Import, RowKeys, from_value, to_json, to_value};
pub(crate) use json::{KeyTexts, json_shaped, json_within, number_value, plainly_shaped, write_json};
pub(crate) use label::Shape;
pub use label::{type_keyword, type_of};
pub(crate) use map::Columns;
pub use map::{Entries, Map};
pub use order::{MAX_NESTING, compare_numbers};
pub(crate) use order::{compare_times, is_exact};
pub use pattern::Pattern;
pub(crate) use pattern::SearchResult;
pub(crate) use rewrite::{Rewrite, Walk};
pub(crate) use sequence::{PAIR, TEXT, VECTOR};
pub use set::Set;
pub use shorten::{key_name, key_text};
pub(crate) use shorten::{round_floats, shorten, shown};
pub(crate) use size::{Addresses, LiveCount, is_counted, name_bytes, own_bytes};
pub use sorted::SortedEntries;
pub(crate) use sorted::{Comparators, Lent, Order, Sorted};
pub(crate) use tagged::{
    Keep, KeptCell, KeptFunction, KeptPart, TaggedReader, numbers_after, stored_data, tagged_within, write_stored,
};
pub use tagged::{NoRestore, Restore, TaggedError, TaggedFunction, from_tagged, to_tagged};
pub use text::Text;
pub use vector::{Elements, Vector};
pub(crate) use written::is_surely_longer;
pub use written::writable_levels;

/// A PTC-Lisp value. Cloning is at most one atomic increment.
///
/// [`to_value`] makes one from data of any serde type, and [`from_value`] reads one into such a type; both are shorter
/// than a `match`. A program's data is made of the variants from `Nil` to `Set`; the others are functions, parts of
/// lazy sequences and the like.
///
/// ```
/// use ptc_lisp::{Value, from_value, to_value};
///
/// let value = to_value(&vec![("attic", 3)])?;
/// assert_eq!(value.to_string(), r#"[["attic" 3]]"#);
/// assert_eq!(from_value::<Vec<(String, u32)>>(&value)?, [("attic".to_owned(), 3)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`to_value`]: crate::to_value
/// [`from_value`]: crate::from_value
#[non_exhaustive]
// The kind fills a word: values are moved as two words, and no load crosses the boundary between two stores.
#[derive(Clone, Default)]
#[repr(u64)]
pub enum Value {
    /// `nil`
    #[default]
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// A 64-bit integer.
    Int(i64),
    /// An IEEE 754 double.
    Float(f64),
    /// A builtin function.
    Builtin(BuiltinId),
    /// An atom, volatile or delay of the session.
    Cell(CellRef),
    /// A lazily realised sequence of the session.
    LazySeq(LazySeq),
    /// A calendar date.
    Date(jiff::civil::Date),
    /// A point in time: microseconds since 1970 UTC.
    Instant(i64),
    // From here on values hold counted pointers (see `holds_pointer`).
    /// `:name`
    Keyword(Name),
    /// `'name`
    Symbol(Name),
    /// `#'name`
    Var(Name),
    /// A tool as a function.
    Tool(Name),
    /// An integer beyond 64 bits; one that fits is always an `Int`.
    Big(Arc<BigInt>),
    /// A string; characters are strings of length one.
    Str(Text),
    /// The one sequential kind.
    Vector(Vector),
    /// A map in insertion order, or sorted.
    Map(Map),
    /// A set in insertion order, or sorted.
    Set(Set),
    /// A function of the program.
    Function(Arc<Closure>),
    /// A regular expression.
    Regex(Arc<Pattern>),
    /// A UUID by its text.
    Uuid(Text),
    /// Another calendar value: a time of day, a zone, a month, an amount of time.
    Temporal(Arc<Temporal>),
    /// An exception.
    Exception(Arc<Exception>),
    /// A value that ends the enclosing `reduce`.
    Reduced(Arc<Reduced>),
}

/// Copy the value at the second place into the first. The most frequent kinds are constructed in place: storing a value
/// in two parts and loading it as a whole costs more than all the rest.
macro_rules! copy_to {
    ($place:expr, $value:expr) => {
        match $value {
            Value::Int(n) => {
                let n = *n;
                $place.set_int(n);
            }
            Value::Float(x) => {
                let x = *x;
                $place.set_float(x);
            }
            Value::Map(map) => {
                let map = map.clone();
                $place.set_new(|| Value::Map(map));
            }
            Value::Vector(items) => {
                let items = items.clone();
                $place.set_new(|| Value::Vector(items));
            }
            Value::Str(text) => {
                let text = text.clone();
                $place.set_new(|| Value::Str(text));
            }
            Value::Keyword(name) => {
                let name = name.clone();
                $place.set_new(|| Value::Keyword(name));
            }
            other => {
                let value = other.clone();
                $place.set(value);
            }
        }
    };
}
pub(crate) use copy_to;

const _: () = assert!(size_of::<Value>() == 16 && size_of::<Option<Value>>() == 16);

/// What the cell holds, created on first use. If another thread creates it first, that one is used.
fn made_once<T, E>(cell: &OnceLock<T>, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
    if let Some(known) = cell.get() {
        return Ok(known);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

/// How a collection is held.
#[derive(Copy, Clone)]
pub(crate) struct Sharing {
    /// Whether it is data of the host.
    pub external: bool,
    pub shared: bool,
    pub address: usize,
}

/// The most values that a node may drop in place: checking more costs more than it saves.
const FEW: usize = 32;

impl Value {
    /// The address of a collection: the same for all its clones, and unique while one of them is held.
    #[must_use]
    pub fn address(&self) -> Option<usize> {
        self.sharing().map(|sharing| sharing.address)
    }

    /// How a collection is held.
    pub(crate) fn sharing(&self) -> Option<Sharing> {
        let map = match self {
            Value::Vector(items) => {
                let (external, shared, address) = (items.is_external(), !items.is_unique(), items.address());
                return Some(Sharing { external, shared, address });
            }
            Value::Map(map) => map,
            Value::Set(set) => set.as_map(),
            _ => return None,
        };
        Some(Sharing { external: map.is_external(), shared: !map.is_unique(), address: map.address() })
    }

    /// The address of what several values can share, if a written form can say that they do.
    pub(crate) fn node(&self) -> Option<usize> {
        match self {
            Value::Str(text) | Value::Uuid(text) => Some(text.address()),
            Value::Big(n) => Some(Arc::as_ptr(n) as usize),
            Value::Temporal(temporal) => Some(Arc::as_ptr(temporal) as usize),
            Value::Regex(regex) => Some(Arc::as_ptr(regex) as usize),
            Value::Exception(exception) => Some(Arc::as_ptr(exception) as usize),
            Value::Function(closure) => Some(Arc::as_ptr(closure) as usize),
            _ => self.address(),
        }
    }

    /// The values in a collection; for a map, its keys as well.
    pub(crate) fn parts(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match self {
            Value::Vector(items) => Box::new(items.iter()),
            Value::Map(map) => Box::new(map.iter().flat_map(|(key, item)| [key, item])),
            Value::Set(set) => Box::new(set.iter()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// A string value.
    #[must_use]
    pub fn string(text: impl Into<Text>) -> Value {
        Value::Str(text.into())
    }

    /// A keyword; `name` without the colon.
    #[must_use]
    pub fn keyword(name: &str) -> Value {
        Value::Keyword(Name::new(name))
    }

    /// A vector value.
    #[must_use]
    pub fn vector(items: Vec<Value>) -> Value {
        Value::Vector(Vector::from(items))
    }

    /// An integer, big only when it does not fit.
    #[must_use]
    pub fn integer(n: BigInt) -> Value {
        n.to_i64().map_or_else(|| Value::Big(Arc::new(n)), Value::Int)
    }

    /// Whether it is neither nil nor false.
    #[must_use]
    #[inline]
    pub fn is_truthy(&self) -> bool {
        !matches!(self, Value::Nil | Value::Bool(false))
    }

    /// Whether dropping it does anything.
    #[inline]
    pub(crate) fn holds_pointer(&self) -> bool {
        !matches!(
            self,
            Value::Nil
                | Value::Bool(_)
                | Value::Int(_)
                | Value::Float(_)
                | Value::Builtin(_)
                | Value::Cell(_)
                | Value::LazySeq(_)
                | Value::Date(_)
                | Value::Instant(_)
        )
    }

    /// Whether dropping it drops no other value.
    #[inline]
    pub(crate) fn is_shallow(&self) -> bool {
        !matches!(
            self,
            Value::Vector(_)
                | Value::Map(_)
                | Value::Set(_)
                | Value::Function(_)
                | Value::Exception(_)
                | Value::Reduced(_)
        )
    }

    /// Whether dropping these values drops nothing else, so they may be dropped in place.
    #[inline]
    pub(crate) fn are_shallow<'v>(values: impl ExactSizeIterator<Item = &'v Value>) -> bool {
        values.len() <= FEW && { values }.all(Value::is_shallow)
    }

    /// Replace it; the common case of a plain old value costs no drop.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a value that is written where it stays is not moved")]
    pub(crate) fn set(&mut self, value: Value) {
        if self.holds_pointer() {
            std::mem::replace(self, value).let_go();
        } else {
            std::mem::forget(std::mem::replace(self, value));
        }
    }

    /// Replace it with a value that is constructed in place.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "a value that is written where it stays is not moved")]
    pub(crate) fn set_new(&mut self, value: impl FnOnce() -> Value) {
        match self {
            Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) => *self = value(),
            other => std::mem::replace(other, value()).let_go(),
        }
    }

    /// Replace it with an integer.
    // Numbers are stored field by field: storing one in two parts and loading it as a whole costs more than all the
    // rest.
    #[inline]
    pub(crate) fn set_int(&mut self, n: i64) {
        match self {
            Value::Int(old) => *old = n,
            Value::Nil | Value::Bool(_) | Value::Float(_) => *self = Value::Int(n),
            other => std::mem::replace(other, Value::Int(n)).let_go(),
        }
    }

    /// Replace it with a float.
    #[inline]
    pub(crate) fn set_float(&mut self, x: f64) {
        match self {
            Value::Float(old) => *old = x,
            Value::Nil | Value::Bool(_) | Value::Int(_) => *self = Value::Float(x),
            other => std::mem::replace(other, Value::Float(x)).let_go(),
        }
    }

    /// Replace it with the value in `from`, which may be nil afterwards.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "every return of a function does it")]
    pub(crate) fn take_from(&mut self, from: &mut Value) {
        match from {
            Value::Int(n) => self.set_int(*n),
            Value::Float(x) => self.set_float(*x),
            _ => self.set(std::mem::take(from)),
        }
    }

    /// Like [`Value::set`], for a value that may be a number: see [`Value::set_int`].
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "after most calls of builtins")]
    pub(crate) fn store(&mut self, value: Value) {
        self.take_from(&mut { value });
    }

    /// Drop it: a separate call, to keep the code around it short.
    #[inline(never)]
    fn let_go(self) {}

    /// Drop what it holds; a value without a pointer stays as it is.
    #[inline]
    pub(crate) fn clear(&mut self) {
        if self.holds_pointer() {
            std::mem::take(self).let_go();
        }
    }

    /// A clone that is fast for numbers.
    #[inline]
    pub(crate) fn copy(&self) -> Value {
        match self {
            Value::Int(n) => Value::Int(*n),
            Value::Float(x) => Value::Float(*x),
            Value::Nil => Value::Nil,
            other => other.clone(),
        }
    }

    /// Whether this is nil.
    #[must_use]
    pub fn is_nil(&self) -> bool {
        matches!(self, Value::Nil)
    }

    /// Whether it is an integer or a float.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Float(_) | Value::Big(_))
    }

    /// Whether it has no parts to compare and no comparator.
    #[inline]
    pub(crate) fn is_scalar(&self) -> bool {
        use Value::{Bool, Float, Int, Keyword, Nil, Str};
        matches!(self, Nil | Bool(_) | Int(_) | Float(_) | Str(_) | Keyword(_))
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::Str(text) => Some(text.as_str()),
            _ => None,
        }
    }

    /// The map inside.
    #[must_use]
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The vector inside.
    #[must_use]
    pub fn as_vector(&self) -> Option<&Vector> {
        match self {
            Value::Vector(items) => Some(items),
            _ => None,
        }
    }

    /// The kind as error messages name it.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::Float(_) | Value::Big(_) => "number",
            Value::Keyword(_) => "keyword",
            Value::Symbol(_) => "symbol",
            Value::Var(_) => "var",
            Value::Builtin(_) | Value::Tool(_) | Value::Function(_) => "function",
            Value::Cell(cell) => cell.kind.as_str(),
            Value::LazySeq(_) | Value::Vector(_) => "vector",
            Value::Date(_) => "date",
            Value::Instant(_) => "datetime",
            Value::Str(_) => "string",
            Value::Map(_) => "map",
            Value::Set(_) => "set",
            Value::Regex(_) => "regex",
            Value::Uuid(_) => "uuid",
            Value::Temporal(temporal) => temporal.kind(),
            Value::Exception(_) => "exception",
            Value::Reduced(_) => "reduced value",
        }
    }
}

/// Conversions of types that a value holds directly.
macro_rules! held {
    ($($type:ty => $value:expr;)*) => {
        $(impl From<$type> for Value {
            fn from(held: $type) -> Value {
                $value(held)
            }
        })*
    };
}

held! {
    bool => Value::Bool;
    i32 => |n: i32| Value::Int(n.into());
    i64 => Value::Int;
    f64 => Value::Float;
    &str => Value::string;
    String => Value::string;
    Vec<Value> => Value::vector;
    Vector => Value::Vector;
    Map => Value::Map;
    Temporal => |temporal| Value::Temporal(Arc::new(temporal));
    serde_json::Value => Value::from_json;
}

/// The calendar value inside, if it is one.
pub(crate) fn moment(value: &Value) -> Option<Moment<'_>> {
    match value {
        Value::Date(date) => Some(Moment::Date(*date)),
        Value::Instant(micros) => Some(Moment::Instant(*micros)),
        Value::Temporal(temporal) => Some(Moment::Temporal(temporal)),
        _ => None,
    }
}

impl From<TimeLiteral> for Value {
    fn from(literal: TimeLiteral) -> Value {
        match literal {
            TimeLiteral::Date(date) => Value::Date(date),
            TimeLiteral::Instant(micros) => Value::Instant(micros),
            TimeLiteral::Temporal(temporal) => temporal.into(),
        }
    }
}

/// The value that the text of a tagged literal denotes: `date`, `inst` and the kinds of [`Temporal`].
///
/// ```
/// let month = ptc_lisp::values::time_from_tag("year-month", "2024-03").unwrap();
/// assert_eq!(ptc_lisp::text::display_text(&month), "2024-03");
/// assert!(ptc_lisp::values::time_from_tag("date", "2024-02-30").is_none());
/// ```
#[must_use]
pub fn time_from_tag(tag: &str, text: &str) -> Option<Value> {
    TimeLiteral::read(tag, text).map(Value::from)
}

impl From<usize> for Value {
    fn from(value: usize) -> Value {
        i64::try_from(value).map_or(Value::Float(f64::INFINITY), Value::Int)
    }
}
