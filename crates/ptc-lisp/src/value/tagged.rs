//! Tagged JSON: values with their kinds, both ways.

mod keep;
mod pieces;
mod reader;
mod scalars;
mod shared;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::format::instant_text;
use super::json::{meter_for, refusal};
use super::number;
use super::{
    CellKind, CellRef, Cells, FormatOptions, MAX_NESTING, Map, Name, NoCells, Order, Sorted, Value, push_text,
    shortest_float, write_value,
};
use crate::error::{Error, ErrorClass, Exception, Reason, Res, err};
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::limits::pace::next_piece;

pub(crate) use keep::{Keep, KeptCell, KeptFunction, KeptPart};
pub(crate) use pieces::numbers_after;
pub(crate) use reader::TaggedReader;

/// Tagged JSON that is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaggedError {
    /// Neither a plain scalar nor `{"t": …}`.
    #[error(
        "expected a number, a string, true, false, null or an object such as {{\"t\":\"kw\",\"v\":\"name\"}}, got {found}"
    )]
    NotTagged {
        /// The start of what was found.
        found: String,
    },
    /// A kind that does not exist.
    #[error(
        "unknown kind \"{kind}\"; kinds are nil bool int float str kw sym var seq rows map set date inst uuid regex atom volatile delay error fn"
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
/// Errors like [`crate::values::to_json`]; [`crate::Session::to_tagged`] knows the memory limit of a session.
pub fn to_tagged(value: &Value, cells: &dyn Cells) -> Result<Box<RawValue>, Error> {
    tagged_within(value, cells, &Limits::default())
}

/// Like [`to_tagged`], for a value that was computed under `limits`.
pub(crate) fn tagged_within(value: &Value, cells: &dyn Cells, limits: &Limits) -> Result<Box<RawValue>, Error> {
    let mut meter = meter_for(value, limits)?;
    let mut out = String::new();
    let mut export =
        Export { out: &mut out, cells, meter: &mut meter, keep: None, is_stored: false, levels: MAX_NESTING };
    export.value(value, 0).map_err(|signal| refusal(*signal))?;
    RawValue::from_string(out).map_err(|error| Error::new(Reason::InternalError, error.to_string()))
}

/// What [`write_stored`] appends of a value without cells and functions.
pub(crate) fn stored_data(value: &Value) -> Result<String, Error> {
    let mut meter = meter_for(value, &Limits::default())?;
    let mut out = String::new();
    let mut export =
        Export { out: &mut out, cells: &NoCells, meter: &mut meter, keep: None, is_stored: true, levels: MAX_NESTING };
    export.value(value, 0).map_err(|signal| refusal(*signal))?;
    Ok(out)
}

/// Append the value as tagged JSON that takes about as much text as the value takes memory, with cells and functions in a
/// form that a session can restore; at most `levels` deep.
///
/// - integers of 64 bits, finite floats, texts, booleans, and nil in collections are plain JSON
/// - maps with the same keys in the same order, one after another, are `{"t":"rows","keys":[…],"v":[[…],…]}`
/// - what several values share has an `"id"` where it is first, and is `{"same":id}` after that; such a row is
///   `{"v":[…],"id":id}`
/// - the rest is as [`to_tagged`] writes it
pub(crate) fn write_stored(
    out: &mut String,
    value: &Value,
    cells: &dyn Cells,
    keep: &mut dyn Keep,
    levels: usize,
    meter: &mut Meter,
) -> Res<()> {
    Export { out, cells, meter, keep: Some(keep), is_stored: true, levels }.value(value, 0)
}

/// The value of tagged JSON.
///
/// Errors say what was found and what is expected.
pub fn from_tagged(tagged: &RawValue, restore: &mut dyn Restore) -> Result<Value, TaggedError> {
    TaggedReader::new(&mut Meter::host(), MAX_NESTING).value(tagged.get(), restore)
}

/// Writes the text as it goes: a tree of it would take thirty times the memory.
struct Export<'a> {
    out: &'a mut String,
    cells: &'a dyn Cells,
    meter: &'a mut Meter,
    /// How cells and functions are written when they are to be read again.
    keep: Option<&'a mut dyn Keep>,
    /// Whether it is written as definitions are stored.
    is_stored: bool,
    /// The most levels that may be written.
    levels: usize,
}

impl Export<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Res<()> {
        if depth >= self.levels {
            let text = format!("cannot write a value nested more than {} deep", self.levels);
            return Err(err(Reason::NestingTooDeep, text));
        }
        self.meter.charge(1)?;
        let part = self.part(value);
        if let Some(KeptPart::Again(id)) = part {
            return self.same(id);
        }
        match value {
            Value::Str(text) if part.is_some() => self.tagged("str", text.as_str()),
            Value::Vector(items) => self.seq(items.iter(), depth),
            Value::LazySeq(generator) => {
                let realised = self.cells.realised(*generator).unwrap_or_default();
                if let Some(keep) = self.keep.as_mut().filter(|_| !realised.complete) {
                    keep.unrealised(*generator);
                }
                self.seq(realised.items.iter(), depth)
            }
            Value::Set(set) => self.collection("set", set.iter(), set.as_sorted(), depth),
            Value::Map(map) => self.map(map, depth),
            Value::Cell(cell) => self.cell(*cell, depth),
            Value::Reduced(inner) => self.value(inner.get(), depth + 1),
            Value::Exception(exception) => self.exception(exception, depth),
            Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => self.function(value, depth),
            _ => self.scalar(value),
        }?;
        if let Some(KeptPart::First(id)) = part { self.number(id) } else { Ok(()) }
    }

    fn part(&mut self, value: &Value) -> Option<KeptPart> {
        self.keep.as_mut().and_then(|keep| keep.part(value))
    }

    fn same(&mut self, id: u64) -> Res<()> {
        self.put("{\"same\":")?;
        self.put(itoa::Buffer::new().format(id))?;
        self.put("}")
    }

    /// Give the object that was written last a number.
    fn number(&mut self, id: u64) -> Res<()> {
        self.out.pop();
        self.field("id")?;
        self.put(itoa::Buffer::new().format(id))?;
        self.put("}")
    }

    fn put(&mut self, text: &str) -> Res<()> {
        Ok(push_text(self.out, text, self.meter)?)
    }

    /// A text as JSON, in pieces.
    fn text(&mut self, text: &str) -> Res<()> {
        self.put("\"")?;
        let mut rest = text;
        while let Some(piece) = next_piece(&mut rest, self.meter)? {
            let quoted = Json::from(piece).to_string();
            self.put(quoted.get(1..quoted.len() - 1).unwrap_or_default())?;
        }
        self.put("\"")
    }

    /// The beginning of an object of this kind, up to its payload.
    fn open(&mut self, kind: &str) -> Res<()> {
        self.put("{\"t\":\"")?;
        self.put(kind)?;
        self.put("\",\"v\":")
    }

    fn tagged(&mut self, kind: &str, text: &str) -> Res<()> {
        self.open(kind)?;
        self.text(text)?;
        self.put("}")
    }

    /// Another field of an object, up to its value.
    fn field(&mut self, name: &str) -> Res<()> {
        self.put(",")?;
        self.text(name)?;
        self.put(":")
    }

    /// The values, with commas between them.
    fn all<'v>(&mut self, items: impl Iterator<Item = &'v Value>, depth: usize) -> Res<()> {
        for (at, item) in items.enumerate() {
            if at > 0 {
                self.put(",")?;
            }
            match item {
                Value::Nil if self.is_stored && depth < self.levels => self.put("null")?,
                item => self.value(item, depth)?,
            }
        }
        Ok(())
    }

    fn seq<'v>(&mut self, items: impl ExactSizeIterator<Item = &'v Value> + Clone, depth: usize) -> Res<()> {
        match items.clone().next() {
            Some(Value::Map(first)) if self.is_stored && items.len() > 1 => {
                self.meter.charge(items.len())?;
                let are_rows = || items.clone().all(|item| matches!(item, Value::Map(map) if is_row_of(map, first)));
                if !first.is_empty() && are_rows() {
                    return self.rows(first, items, depth);
                }
            }
            _ => {}
        }
        self.collection("seq", items, None, depth)
    }

    /// Maps with the keys of the first one, which are written once.
    fn rows<'v>(&mut self, first: &Map, items: impl Iterator<Item = &'v Value>, depth: usize) -> Res<()> {
        self.put("{\"t\":\"rows\",\"keys\":[")?;
        self.all(first.iter().map(|(key, _)| key), depth + 2)?;
        self.put("],\"v\":[")?;
        for (at, (item, row)) in items.filter_map(|item| Some((item, item.as_map()?))).enumerate() {
            self.meter.charge(1)?;
            self.put(if at > 0 { "," } else { "" })?;
            match self.part(item) {
                Some(KeptPart::Again(id)) => self.same(id)?,
                Some(KeptPart::First(id)) => {
                    self.put("{\"v\":")?;
                    self.row(row, depth)?;
                    self.put("}")?;
                    self.number(id)?;
                }
                None => self.row(row, depth)?,
            }
        }
        self.put("]}")
    }

    fn row(&mut self, row: &Map, depth: usize) -> Res<()> {
        self.put("[")?;
        self.all(row.iter().map(|(_, item)| item), depth + 2)?;
        self.put("]")
    }

    fn collection<'v>(
        &mut self,
        kind: &str,
        items: impl Iterator<Item = &'v Value>,
        sorted: Option<&Sorted>,
        depth: usize,
    ) -> Res<()> {
        self.open(kind)?;
        self.put("[")?;
        self.all(items, depth + 1)?;
        self.put("]")?;
        self.close(sorted)
    }

    fn map(&mut self, map: &Map, depth: usize) -> Res<()> {
        self.open("map")?;
        self.put("[")?;
        for (at, (key, item)) in map.iter().enumerate() {
            self.put(if at > 0 { ",[" } else { "[" })?;
            self.all([key, item].into_iter(), depth + 1)?;
            self.put("]")?;
        }
        self.put("]")?;
        self.close(map.as_sorted())
    }

    /// The end of a collection. A stored one says whether it is sorted.
    fn close(&mut self, sorted: Option<&Sorted>) -> Res<()> {
        if let (Some(sorted), true) = (sorted, self.keep.is_some()) {
            let order = match sorted.order() {
                Order::Ascending => "ascending",
                Order::Descending => "descending",
                Order::By(_) => {
                    let text = "a collection sorted by a function cannot be written; keep its entries in a plain one";
                    return Err(err(Reason::ArgumentError, text));
                }
            };
            self.field("sorted")?;
            self.text(order)?;
        }
        self.put("}")
    }

    fn function(&mut self, function: &Value, depth: usize) -> Res<()> {
        let mut printed = String::new();
        write_value(&mut printed, function, &FormatOptions::full(), self.cells, self.meter)?;
        self.open("fn")?;
        self.text(&printed)?;
        if let Some(keep) = self.keep.as_mut() {
            let kept = keep.function(function)?;
            self.field("source")?;
            self.text(&kept.source)?;
            for (name, field) in &kept.fields {
                self.field(name)?;
                self.put(&field.to_string())?;
            }
            for (at, (name, value)) in kept.captures.iter().enumerate() {
                if at == 0 {
                    self.field("captures")?;
                }
                self.put(if at == 0 { "{" } else { "," })?;
                self.text(name)?;
                self.put(":")?;
                self.value(value, depth + 1)?;
            }
            self.put(if kept.captures.is_empty() { "" } else { "}" })?;
        }
        self.put("}")
    }

    /// A cell with its content; a stored cell with its number, and its content only at its first occurrence.
    fn cell(&mut self, cell: CellRef, depth: usize) -> Res<()> {
        let (id, content, waiting) = match self.keep.as_mut().map(|keep| keep.cell(cell)) {
            Some(KeptCell { id, content, waiting }) => (Some(id), content, waiting),
            None => (None, self.cells.content(cell), None),
        };
        self.put("{\"t\":")?;
        self.text(cell.kind().as_str())?;
        if let Some(content) = content {
            self.field("v")?;
            self.value(&content, depth + 1)?;
        }
        if let Some(id) = id {
            self.field("id")?;
            self.put(&id.to_string())?;
        }
        if let Some(body) = waiting {
            self.field("body")?;
            self.value(&body, depth + 1)?;
        }
        self.put("}")
    }

    fn scalar(&mut self, value: &Value) -> Res<()> {
        match value {
            Value::Nil => self.put("{\"t\":\"nil\"}"),
            Value::Bool(b) if self.is_stored => self.put(if *b { "true" } else { "false" }),
            Value::Int(n) if self.is_stored => self.put(itoa::Buffer::new().format(*n)),
            Value::Float(x) if self.is_stored && x.is_finite() => self.put(&shortest_float(*x)),
            Value::Str(text) if self.is_stored => self.text(text.as_str()),
            Value::Bool(b) => {
                self.open("bool")?;
                self.put(if *b { "true}" } else { "false}" })
            }
            Value::Int(n) => self.tagged("int", itoa::Buffer::new().format(*n)),
            Value::Big(n) => {
                if let Some(limits) = self.keep.as_ref().map(|keep| keep.limits()) {
                    number::check_readable(n, limits)?;
                }
                let digits = number::digits(n, self.meter)?;
                self.tagged("int", &digits)
            }
            Value::Float(x) => self.tagged("float", &shortest_float(*x)),
            Value::Str(text) => self.tagged("str", text.as_str()),
            Value::Keyword(name) => self.tagged("kw", name.as_str()),
            Value::Symbol(name) => self.tagged("sym", name.as_str()),
            Value::Var(name) => self.tagged("var", name.as_str()),
            Value::Date(date) => self.tagged("date", &date.to_string()),
            Value::Instant(micros) => self.tagged("inst", &instant_text(*micros)),
            Value::Temporal(temporal) => self.tagged(temporal.kind(), &temporal.text()),
            Value::Uuid(text) => self.tagged("uuid", text.as_str()),
            Value::Regex(regex) => self.tagged("regex", regex.as_str()),
            other => Err(err(Reason::InternalError, format!("a {} is not a scalar", other.kind()))),
        }
    }

    fn exception(&mut self, error: &Exception, depth: usize) -> Res<()> {
        self.open("error")?;
        self.put("{\"reason\":")?;
        self.text(error.reason.as_str())?;
        self.field("message")?;
        self.text(&error.message)?;
        let class = error.class.map(ErrorClass::name);
        for (name, text) in [("class", class), ("tool", error.tool.as_ref().map(Name::as_str))] {
            if let Some(text) = text {
                self.field(name)?;
                self.text(text)?;
            }
        }
        for (name, held) in [("data", error.data()), ("cause", error.cause())] {
            if let Some(held) = held {
                self.field(name)?;
                self.value(held, depth + 1)?;
            }
        }
        self.put("}}")
    }
}

/// Whether a map has the keys of `first`, in this order, and only those.
fn is_row_of(map: &Map, first: &Map) -> bool {
    let is_plain = map.as_sorted().is_none() && first.as_sorted().is_none();
    let is_same = |((one, _), (other, _)): ((&Value, &Value), (&Value, &Value))| match (one, other) {
        (Value::Keyword(one), Value::Keyword(other)) => one == other,
        (Value::Str(one), Value::Str(other)) => one == other,
        _ => false,
    };
    is_plain && map.len() == first.len() && map.iter().zip(first.iter()).all(is_same)
}
