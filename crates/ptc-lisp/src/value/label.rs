//! Labels: the kind of a value, in one word.

use super::{TIME_KINDS, Value};

/// Kind and length of a value, noted without formatting anything; the label is created on demand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    word: &'static str,
    /// Elements of a list, map or set, else 0.
    length: usize,
}

/// Kinds with a length.
const SIZED: [&str; 3] = ["list", "map", "set"];
/// Kinds without a length, apart from those of the calendar. A generator is a list of unknown length.
const PLAIN: &str = "list[...] nil boolean integer float string keyword symbol #fn[...] fn atom volatile delay exception \
                     uuid date datetime regex unknown";

impl Shape {
    /// The shape of `value`; never realises a generator.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "every return of a tracked function notes it")]
    pub(crate) fn of(value: &Value) -> Shape {
        let (word, length) = match value {
            Value::Int(_) => ("integer", 0),
            Value::Float(_) => ("float", 0),
            Value::Map(map) => ("map", map.len()),
            Value::Vector(items) => ("list", items.len()),
            Value::Set(set) => ("set", set.len()),
            other => (plain_word(other), 0),
        };
        Shape { word, length }
    }

    /// The shape of a label, if the text is one.
    pub(crate) fn of_label(label: &str) -> Option<Shape> {
        if let Some(word) = PLAIN.split(' ').chain(TIME_KINDS).find(|word| *word == label) {
            return Some(Shape { word, length: 0 });
        }
        let (word, length) = label.strip_suffix(']')?.split_once('[')?;
        let word = SIZED.into_iter().find(|known| *known == word)?;
        Some(Shape { word, length: length.parse().ok()? })
    }

    /// The label: `list[3]`, `map[2]`, `integer`, `#fn[...]`.
    pub(crate) fn label(self) -> String {
        if SIZED.contains(&self.word) { format!("{}[{}]", self.word, self.length) } else { self.word.to_owned() }
    }
}

/// The word for a value without a length: usually the one used in messages.
fn plain_word(value: &Value) -> &'static str {
    match value {
        Value::Big(_) => "integer",
        Value::LazySeq(_) => "list[...]",
        Value::Function(function) if !function.is_derived() => "#fn[...]",
        Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => "fn",
        Value::Var(_) | Value::Reduced(_) => "unknown",
        other => other.kind(),
    }
}

/// The label that summaries show for a value: `list[3]`, `map[2]`, `string`, `#fn[...]`.
///
/// A sequence that is not realised is `list[...]`.
#[must_use]
pub fn type_of(value: &Value) -> String {
    Shape::of(value).label()
}

/// What `(type x)` returns: `:number`, `:vector` …, nil for nil.
#[must_use]
pub fn type_keyword(value: &Value) -> Value {
    match value {
        Value::Nil => Value::Nil,
        Value::Reduced(inner) => type_keyword(inner.get()),
        other => Value::keyword(other.kind()),
    }
}
