//! Labels: what kind of value it is, in one word.

use super::{CellKind, Value};

/// Kind and length of a value, noted without formatting anything; the label is made when somebody looks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    word: &'static str,
    length: Option<usize>,
}

impl Shape {
    /// The shape of `value`; never realises a generator.
    pub(crate) fn of(value: &Value) -> Shape {
        let sized = |word, length| Shape { word, length: Some(length) };
        let word = match value {
            Value::Vector(items) => return sized("list", items.len()),
            Value::Map(map) => return sized("map", map.len()),
            Value::Set(set) => return sized("set", set.len()),
            Value::Generator(_) => "list[...]",
            Value::Nil => "nil",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::Big(_) => "integer",
            Value::Float(_) => "float",
            Value::Str(_) => "string",
            Value::Keyword(_) => "keyword",
            Value::Symbol(_) => "symbol",
            Value::Function(function) if function.is_derived() => "fn",
            Value::Function(_) => "#fn[...]",
            Value::Builtin(_) | Value::Tool(_) => "fn",
            Value::Cell(cell) => cell_word(cell.kind()),
            Value::Exception(_) => "exception",
            Value::Uuid(_) => "uuid",
            Value::Var(_) | Value::Date(_) | Value::Instant(_) | Value::Regex(_) | Value::Reduced(_) => "unknown",
        };
        Shape { word, length: None }
    }

    /// The shape of a label, when it is one.
    pub(crate) fn of_label(label: &str) -> Option<Shape> {
        if let Some(word) = PLAIN_WORDS.iter().find(|word| **word == label) {
            return Some(Shape { word, length: None });
        }
        let (word, length) = label.strip_suffix(']')?.split_once('[')?;
        let word = SIZED_WORDS.iter().find(|known| **known == word)?;
        Some(Shape { word, length: Some(length.parse().ok()?) })
    }

    /// The label: `list[3]`, `map[2]`, `integer`, `#fn[...]`.
    pub(crate) fn label(self) -> String {
        match self.length {
            Some(length) => format!("{}[{length}]", self.word),
            None => self.word.to_owned(),
        }
    }
}

/// Words of shapes with a length.
const SIZED_WORDS: [&str; 3] = ["list", "map", "set"];
/// Words of shapes without one.
const PLAIN_WORDS: [&str; 16] = [
    "list[...]",
    "nil",
    "boolean",
    "integer",
    "float",
    "string",
    "keyword",
    "symbol",
    "#fn[...]",
    "fn",
    "atom",
    "volatile",
    "delay",
    "exception",
    "uuid",
    "unknown",
];

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

fn cell_word(kind: CellKind) -> &'static str {
    match kind {
        CellKind::Atom => "atom",
        CellKind::Volatile => "volatile",
        CellKind::Delay => "delay",
    }
}
