//! Labels: what kind of value it is, in one word.

use super::{CellKind, TIME_KINDS, Value};

/// Kind and length of a value, noted without formatting anything; the label is made when somebody looks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    word: Word,
    /// Elements of a list, map or set, else 0.
    length: usize,
}

/// The kinds that labels tell apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Word {
    List,
    Map,
    Set,
    Generator,
    Nil,
    Boolean,
    Integer,
    Float,
    String,
    Keyword,
    Symbol,
    Closure,
    Builtin,
    Atom,
    Volatile,
    Delay,
    Exception,
    Uuid,
    /// A kind that is called the same in labels and in messages.
    Kind(&'static str),
    Unknown,
}

/// Kinds that labels call as messages do, beside those of the calendar.
const KINDS: [&str; 3] = ["date", "datetime", "regex"];
/// Kinds with a length.
const SIZED: [Word; 3] = [Word::List, Word::Map, Word::Set];
/// Kinds without one.
const PLAIN: [Word; 16] = [
    Word::Generator,
    Word::Nil,
    Word::Boolean,
    Word::Integer,
    Word::Float,
    Word::String,
    Word::Keyword,
    Word::Symbol,
    Word::Closure,
    Word::Builtin,
    Word::Atom,
    Word::Volatile,
    Word::Delay,
    Word::Exception,
    Word::Uuid,
    Word::Unknown,
];

impl Word {
    fn text(self) -> &'static str {
        match self {
            Word::List => "list",
            Word::Map => "map",
            Word::Set => "set",
            Word::Generator => "list[...]",
            Word::Nil => "nil",
            Word::Boolean => "boolean",
            Word::Integer => "integer",
            Word::Float => "float",
            Word::String => "string",
            Word::Keyword => "keyword",
            Word::Symbol => "symbol",
            Word::Closure => "#fn[...]",
            Word::Builtin => "fn",
            Word::Atom => "atom",
            Word::Volatile => "volatile",
            Word::Delay => "delay",
            Word::Exception => "exception",
            Word::Uuid => "uuid",
            Word::Kind(kind) => kind,
            Word::Unknown => "unknown",
        }
    }
}

impl Shape {
    /// The shape of `value`; never realises a generator.
    #[inline]
    pub(crate) fn of(value: &Value) -> Shape {
        let (word, length) = match value {
            Value::Int(_) => (Word::Integer, 0),
            Value::Float(_) => (Word::Float, 0),
            Value::Nil => (Word::Nil, 0),
            Value::Bool(_) => (Word::Boolean, 0),
            Value::Str(_) => (Word::String, 0),
            Value::Map(map) => (Word::Map, map.len()),
            Value::Vector(items) => (Word::List, items.len()),
            other => return Shape::of_rare(other),
        };
        Shape { word, length }
    }

    fn of_rare(value: &Value) -> Shape {
        let word = match value {
            Value::Set(set) => return Shape { word: Word::Set, length: set.len() },
            Value::Generator(_) => Word::Generator,
            Value::Big(_) => Word::Integer,
            Value::Keyword(_) => Word::Keyword,
            Value::Symbol(_) => Word::Symbol,
            Value::Function(function) if !function.is_derived() => Word::Closure,
            Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => Word::Builtin,
            Value::Cell(cell) => match cell.kind() {
                CellKind::Atom => Word::Atom,
                CellKind::Volatile => Word::Volatile,
                CellKind::Delay => Word::Delay,
            },
            Value::Exception(_) => Word::Exception,
            Value::Uuid(_) => Word::Uuid,
            Value::Date(_) | Value::Instant(_) | Value::Regex(_) | Value::Temporal(_) => Word::Kind(value.kind()),
            _ => Word::Unknown,
        };
        Shape { word, length: 0 }
    }

    /// The shape of a label, when it is one.
    pub(crate) fn of_label(label: &str) -> Option<Shape> {
        if let Some(word) = PLAIN.into_iter().find(|word| word.text() == label) {
            return Some(Shape { word, length: 0 });
        }
        if let Some(kind) = KINDS.into_iter().chain(TIME_KINDS).find(|kind| *kind == label) {
            return Some(Shape { word: Word::Kind(kind), length: 0 });
        }
        let (word, length) = label.strip_suffix(']')?.split_once('[')?;
        let word = SIZED.into_iter().find(|known| known.text() == word)?;
        Some(Shape { word, length: length.parse().ok()? })
    }

    /// The label: `list[3]`, `map[2]`, `integer`, `#fn[...]`.
    pub(crate) fn label(self) -> String {
        if SIZED.contains(&self.word) {
            format!("{}[{}]", self.word.text(), self.length)
        } else {
            self.word.text().to_owned()
        }
    }
}

/// The label that summaries show for a value: `list[3]`, `map[2]`, `string`, `#fn[...]`.
///
/// A sequence that is not realised is `list[...]`.
#[must_use]
pub fn type_of(value: &Value) -> String {
    Shape::of(value).label()
}

/// What `(type x)` answers: `:number`, `:vector` …, nil for nil.
#[must_use]
pub fn type_keyword(value: &Value) -> Value {
    match value {
        Value::Nil => Value::Nil,
        Value::Reduced(inner) => type_keyword(inner.get()),
        other => Value::keyword(other.kind()),
    }
}
