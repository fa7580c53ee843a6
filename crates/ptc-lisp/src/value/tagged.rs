//! Tagged JSON: values with their kinds, both ways.

mod pieces;
mod reader;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde_json::{Map as Object, Value as Json};

use super::format::instant_text;
use super::json::{ONE_VALUE, refusal};
use super::number;
use super::{
    CellKind, CellRef, Cells, FormatOptions, GeneratorRef, MAX_NESTING, Map, Name, Order, Sorted, Value,
    shortest_float, write_value,
};
use crate::error::{CatchClass, Error, Exception, Reason, Res, err};
use crate::limits::Limits;
use crate::meter::Meter;

pub(crate) use pieces::numbers_after;
pub(crate) use reader::TaggedReader;

/// Tagged JSON that is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaggedError {
    /// Not `{"t": …}`.
    #[error("expected an object such as {{\"t\":\"int\",\"v\":\"12\"}}, got {found}")]
    NotTagged {
        /// The start of what was found.
        found: String,
    },
    /// A kind that does not exist.
    #[error(
        "unknown kind \"{kind}\"; kinds are nil bool int float str kw sym var seq map set date inst uuid regex atom volatile delay error fn"
    )]
    UnknownKind {
        /// The kind under `t`.
        kind: String,
    },
    /// The right kind with the wrong `v`.
    #[error("\"{kind}\" needs {wanted} under \"v\", got {found}")]
    Payload {
        /// The kind under `t`.
        kind: &'static str,
        /// What `v` must be.
        wanted: &'static str,
        /// The start of what was found.
        found: String,
    },
    /// A kind that only a session can hold.
    #[error("\"{kind}\" cannot be read here: {why}")]
    NotRestorable {
        /// The kind under `t`.
        kind: &'static str,
        /// What is missing.
        why: String,
    },
    /// More levels than are read.
    #[error("nested more than {levels} deep")]
    TooDeep {
        /// Levels that are read.
        levels: usize,
    },
    /// Reading it takes more than the limits leave.
    #[error("{why}")]
    Limit {
        /// Which limit, and its value.
        why: String,
    },
}

/// Creates what text alone cannot give: cells and functions of a session.
pub trait Restore {
    /// An atom, volatile or delay; the same `id` means the same cell.
    fn cell(&mut self, kind: CellKind, id: Option<u64>, content: Option<Value>) -> Result<Value, TaggedError>;
    /// A delay that has not run: `body` is its function.
    fn delay(&mut self, id: Option<u64>, body: Value) -> Result<Value, TaggedError>;
    /// A function from its written form and its captured values.
    fn function(&mut self, text: &TaggedFunction, captures: Vec<(String, Value)>) -> Result<Value, TaggedError>;
}

/// The written form of a function, without its captured values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaggedFunction {
    /// Its text.
    pub source: Option<String>,
    /// Its name in messages.
    pub name: Option<String>,
    /// Whether it is a builtin, or was created by one.
    pub core: bool,
    /// The definitions that it may refer to.
    pub globals: Option<HashSet<String>>,
    /// Namespaces by the aliases that its program had for them.
    pub aliases: HashMap<String, String>,
    /// Namespaces by the names that its program took from them.
    pub refers: HashMap<String, String>,
}

/// Refuses cells and functions.
#[derive(Copy, Clone, Debug, Default)]
pub struct NoRestore;

impl Restore for NoRestore {
    fn cell(&mut self, kind: CellKind, _: Option<u64>, _: Option<Value>) -> Result<Value, TaggedError> {
        Err(TaggedError::NotRestorable { kind: kind.as_str(), why: "there is no session to hold it".to_owned() })
    }
    fn delay(&mut self, id: Option<u64>, _: Value) -> Result<Value, TaggedError> {
        self.cell(CellKind::Delay, id, None)
    }
    fn function(&mut self, _: &TaggedFunction, _: Vec<(String, Value)>) -> Result<Value, TaggedError> {
        Err(TaggedError::NotRestorable { kind: "fn", why: "a function is only its printed form".to_owned() })
    }
}

/// The tagged JSON of a value: `{"t":"int","v":"12"}`, `{"t":"map","v":[[k,v],…]}`.
///
/// - atoms show their content (`cells`), unrealised delays nothing, functions give only their printed form
/// - sorted maps and sets are a plain `map` or `set` with the entries in order: a comparator has no form outside its
///   session
/// - errors are `{"t":"error","v":{"reason","message","class"?,"tool"?,"data"?,"cause"?}}` with tagged data and cause
///
/// Errors like [`crate::to_json`]; [`crate::Session::to_tagged`] knows the memory limit of a session.
pub fn to_tagged(value: &Value, cells: &dyn Cells) -> Result<Json, Error> {
    tagged_within(value, cells, &Limits::default())
}

/// Like [`to_tagged`], for a value that was computed under `limits`.
pub(crate) fn tagged_within(value: &Value, cells: &dyn Cells, limits: &Limits) -> Result<Json, Error> {
    tagged_of(value, cells, &mut Meter::writing(limits, ONE_VALUE)).map_err(|signal| refusal(*signal))
}

/// Like [`to_tagged`], charged to the run.
pub(crate) fn tagged_of(value: &Value, cells: &dyn Cells, meter: &mut Meter) -> Res<Json> {
    Export { cells, meter, keep: None, levels: MAX_NESTING }.value(value, 0)
}

/// Like [`to_tagged`], with cells and functions written in a form that a session can restore; at most `levels` deep.
pub(crate) fn stored_of(
    value: &Value,
    cells: &dyn Cells,
    keep: &mut dyn Keep,
    levels: usize,
    meter: &mut Meter,
) -> Res<Json> {
    Export { cells, meter, keep: Some(keep), levels }.value(value, 0)
}

/// Knows how cells and functions of a session are written.
pub(crate) trait Keep {
    /// A cell, with its content only the first time.
    fn cell(&mut self, cell: CellRef) -> KeptCell;
    /// Note a generator that is not realised.
    fn unrealised(&mut self, generator: GeneratorRef);
    /// A function. Errors when its text is not known.
    fn function(&mut self, function: &Value) -> Res<KeptFunction>;
    /// The limits under which it will be read again.
    fn limits(&self) -> &Limits;
}

/// The written form of a cell.
pub(crate) struct KeptCell {
    pub id: u64,
    pub content: Option<Value>,
    /// The function of a delay that has not run.
    pub waiting: Option<Value>,
}

/// The written form of a function.
pub(crate) struct KeptFunction {
    pub source: String,
    /// Additional fields.
    pub fields: Object<String, Json>,
    pub captures: Vec<(std::sync::Arc<str>, Value)>,
}

impl KeptFunction {
    /// A function of which only the text is known.
    pub fn plain(source: String) -> KeptFunction {
        KeptFunction { source, fields: Object::new(), captures: Vec::new() }
    }

    /// A builtin by its name, or a function that a builtin created.
    pub fn core(source: String, captures: Vec<(std::sync::Arc<str>, Value)>) -> KeptFunction {
        let fields = std::iter::once(("core".to_owned(), Json::Bool(true))).collect();
        KeptFunction { source, fields, captures }
    }
}

/// The value of tagged JSON.
///
/// Errors say what was found and what is expected.
pub fn from_tagged(tagged: &Json, restore: &mut dyn Restore) -> Result<Value, TaggedError> {
    TaggedReader::new(&mut Meter::host(), MAX_NESTING).value(&text_of(tagged), restore)
}

/// The text of JSON, however deep it is.
fn text_of(json: &Json) -> String {
    enum Open<'j> {
        Items(std::slice::Iter<'j, Json>),
        Fields(serde_json::map::Iter<'j>),
    }
    let (mut text, mut open, mut next) = (String::new(), Vec::new(), Some(json));
    loop {
        match next.take() {
            Some(Json::Array(items)) => {
                text.push('[');
                open.push(Open::Items(items.iter()));
            }
            Some(Json::Object(fields)) => {
                text.push('{');
                open.push(Open::Fields(fields.iter()));
            }
            Some(scalar) => text.push_str(&scalar.to_string()),
            None => {}
        }
        let is_first = text.ends_with(['[', '{']);
        let part = match open.last_mut() {
            None => return text,
            Some(Open::Items(items)) => items.next().map(|item| (None, item)).ok_or(']'),
            Some(Open::Fields(fields)) => fields.next().map(|(name, field)| (Some(name), field)).ok_or('}'),
        };
        match part {
            Ok((name, part)) => {
                text.push_str(if is_first { "" } else { "," });
                text.extend(name.map(|name| format!("{}:", Json::from(name.as_str()))));
                next = Some(part);
            }
            Err(end) => {
                text.push(end);
                open.pop();
            }
        }
    }
}

struct Export<'a> {
    cells: &'a dyn Cells,
    meter: &'a mut Meter,
    /// How cells and functions are written when they are to be read again.
    keep: Option<&'a mut dyn Keep>,
    /// The most levels that may be written.
    levels: usize,
}

impl Export<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Res<Json> {
        if depth >= self.levels {
            let text = format!("cannot write a value nested more than {} deep", self.levels);
            return Err(err(Reason::NestingTooDeep, text));
        }
        self.meter.charge(1)?;
        // A node is a JSON object of two fields: about 750 bytes with its keys.
        self.meter.allocate(750)?;
        match value {
            Value::Vector(items) => self.all("seq", items.iter(), depth),
            Value::Generator(generator) => {
                let realised = self.cells.realised(*generator).unwrap_or_default();
                if let Some(keep) = self.keep.as_mut().filter(|_| !realised.complete) {
                    keep.unrealised(*generator);
                }
                self.all("seq", realised.items.iter(), depth)
            }
            Value::Set(set) => {
                let made = self.all("set", set.iter(), depth)?;
                self.ordered(made, set.as_sorted())
            }
            Value::Map(map) => {
                let made = self.map(map, depth)?;
                self.ordered(made, map.as_sorted())
            }
            Value::Cell(cell) => self.cell(*cell, depth),
            Value::Reduced(inner) => self.value(inner.get(), depth + 1),
            Value::Exception(exception) => self.exception(exception, depth),
            Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => self.function(value, depth),
            _ => self.scalar(value),
        }
    }

    /// A stored collection says whether it is sorted.
    fn ordered(&self, mut made: Json, sorted: Option<&Sorted>) -> Res<Json> {
        if let (Some(sorted), Some(fields), true) = (sorted, made.as_object_mut(), self.keep.is_some()) {
            let order = match sorted.order() {
                Order::Ascending => "ascending",
                Order::Descending => "descending",
                Order::By(_) => {
                    let text = "a collection sorted by a function cannot be written; keep its entries in a plain one";
                    return Err(err(Reason::ArgumentError, text));
                }
            };
            fields.insert("sorted".to_owned(), Json::from(order));
        }
        Ok(made)
    }

    fn function(&mut self, function: &Value, depth: usize) -> Res<Json> {
        let mut printed = String::new();
        write_value(&mut printed, function, &FormatOptions::full(), self.cells, self.meter)?;
        let mut made = tag("fn", Some(Json::String(printed)));
        let (Some(keep), Some(fields)) = (self.keep.as_mut(), made.as_object_mut()) else { return Ok(made) };
        let kept = keep.function(function)?;
        self.meter.allocate(kept.source.len())?;
        fields.insert("source".to_owned(), Json::String(kept.source));
        fields.extend(kept.fields);
        let mut captures = Object::new();
        for (name, value) in kept.captures {
            captures.insert(name.to_string(), self.value(&value, depth + 1)?);
        }
        if !captures.is_empty() {
            fields.insert("captures".to_owned(), Json::Object(captures));
        }
        Ok(made)
    }

    /// A cell with its content; a stored cell with its number, and its content only at its first occurrence.
    fn cell(&mut self, cell: CellRef, depth: usize) -> Res<Json> {
        let (id, content, waiting) = match self.keep.as_mut().map(|keep| keep.cell(cell)) {
            Some(KeptCell { id, content, waiting }) => (Some(id), content, waiting),
            None => (None, self.cells.content(cell), None),
        };
        let content = content.map(|content| self.value(&content, depth + 1)).transpose()?;
        let body = waiting.map(|body| self.value(&body, depth + 1)).transpose()?;
        let mut made = tag(cell.kind().as_str(), content);
        if let Some(fields) = made.as_object_mut() {
            fields.extend(id.map(|id| ("id".to_owned(), Json::from(id))));
            fields.extend(body.map(|body| ("body".to_owned(), body)));
        }
        Ok(made)
    }

    fn scalar(&mut self, value: &Value) -> Res<Json> {
        let text = |kind: &str, text: String| Ok(tag(kind, Some(Json::String(text))));
        match value {
            Value::Nil => Ok(tag("nil", None)),
            Value::Bool(b) => Ok(tag("bool", Some(Json::Bool(*b)))),
            Value::Int(n) => text("int", n.to_string()),
            Value::Big(n) => {
                if let Some(limits) = self.keep.as_ref().map(|keep| keep.limits()) {
                    number::check_readable(n, limits)?;
                }
                text("int", number::digits(n, self.meter)?)
            }
            Value::Float(x) => text("float", shortest_float(*x)),
            Value::Str(chars) => {
                self.meter.allocate(chars.as_str().len())?;
                text("str", chars.as_str().to_owned())
            }
            Value::Keyword(name) => text("kw", name.to_string()),
            Value::Symbol(name) => text("sym", name.to_string()),
            Value::Var(name) => text("var", name.to_string()),
            Value::Date(date) => text("date", date.to_string()),
            Value::Instant(micros) => text("inst", instant_text(*micros)),
            Value::Temporal(temporal) => text(temporal.kind(), temporal.text()),
            Value::Uuid(chars) => text("uuid", chars.as_str().to_owned()),
            Value::Regex(regex) => text("regex", regex.as_str().to_owned()),
            other => Err(err(Reason::InternalError, format!("a {} is not a scalar", other.kind()))),
        }
    }

    fn all<'v>(&mut self, kind: &str, items: impl ExactSizeIterator<Item = &'v Value>, depth: usize) -> Res<Json> {
        let mut made = Vec::with_capacity(items.len().min(1 << 16));
        for item in items {
            made.push(self.value(item, depth + 1)?);
        }
        Ok(tag(kind, Some(Json::Array(made))))
    }

    fn map(&mut self, map: &Map, depth: usize) -> Res<Json> {
        let mut made = Vec::with_capacity(map.len().min(1 << 16));
        for (key, item) in map {
            made.push(Json::Array(vec![self.value(key, depth + 1)?, self.value(item, depth + 1)?]));
        }
        Ok(tag("map", Some(Json::Array(made))))
    }

    fn exception(&mut self, error: &Exception, depth: usize) -> Res<Json> {
        let mut made = Object::new();
        made.insert("reason".to_owned(), Json::from(error.reason.as_str()));
        made.insert("message".to_owned(), Json::from(error.message.as_str()));
        let class = error.class.and_then(CatchClass::thrown_name);
        for (name, text) in [("class", class), ("tool", error.tool.as_ref().map(Name::as_str))] {
            made.extend(text.map(|text| (name.to_owned(), Json::from(text))));
        }
        for (name, held) in [("data", error.data()), ("cause", error.cause())] {
            if let Some(held) = held {
                made.insert(name.to_owned(), self.value(held, depth + 1)?);
            }
        }
        Ok(tag("error", Some(Json::Object(made))))
    }
}

fn tag(kind: &str, payload: Option<Json>) -> Json {
    let mut made = Object::new();
    made.insert("t".to_owned(), Json::from(kind));
    if let Some(payload) = payload {
        made.insert("v".to_owned(), payload);
    }
    Json::Object(made)
}
