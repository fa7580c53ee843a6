//! Values to JSON.

use std::time::Duration;

use serde_json::{Map as Object, Value as Json};

use crate::error::{Error, Exception, Reason, Res, Signal, err};
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;
use crate::value::format::instant_text;
use crate::value::{
    Cells, FormatOptions, MAX_NESTING, Map, NoCells, Value, display_text, is_surely_longer, number, push, push_bytes,
    push_text, reserve, text_for, write_value,
};

/// One value may need this many times the memory limit as JSON, which is larger than the value.
pub(crate) const ONE_VALUE: u32 = 4;

/// The JSON of a value; `cells` resolves atoms and lazily realised sequences.
///
/// - maps keep their order; a keyword key becomes its name, a string key stays, another key becomes its text; where two
///   keys give the same name, the keyword's entry wins
/// - keywords, symbols, dates, UUIDs and integers beyond 64 bits become strings; sets become arrays; infinities and NaN
///   become null; functions and regular expressions become their printed form, exceptions `{reason, message, data}`
///
/// Errors with `nesting_too_deep` beyond 512 levels, and with `memory_exceeded` when the JSON needs more than four
/// times the default memory limit; [`crate::Session::to_json`] knows the limit of a session.
pub fn to_json(value: &Value, cells: &dyn Cells) -> Result<Json, Error> {
    json_within(value, cells, &Limits::default())
}

/// Like [`to_json`], for a value that was computed under `limits`.
pub(crate) fn json_within(value: &Value, cells: &dyn Cells, limits: &Limits) -> Result<Json, Error> {
    // A meter would cost more than these do.
    if let Some(json) = plain(value) {
        return Ok(json);
    }
    json_of(value, 0, cells, &mut meter_for(value, limits)?).map_err(|signal| refusal(*signal))
}

/// The JSON of nil, a boolean, a small integer or a float; null for a float that JSON does not have.
fn plain(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Nil => Json::Null,
        Value::Bool(b) => Json::Bool(*b),
        Value::Int(n) => Json::from(*n),
        Value::Float(x) => Json::from(*x),
        _ => return None,
    })
}

/// The meter for the text of a value that was computed under `limits`.
///
/// Errors when the text is surely too long.
pub(crate) fn meter_for(value: &Value, limits: &Limits) -> Result<Meter, Error> {
    let mut meter = Meter::writing(limits, ONE_VALUE);
    let is_too_long = is_surely_longer(value, meter.limits().memory);
    let refused = if is_too_long { meter.allocate(usize::MAX) } else { Ok(()) };
    refused.map(|()| meter).map_err(|error| *error)
}

/// Why a value could not be written.
pub(crate) fn refusal(signal: Signal) -> Error {
    match signal {
        Signal::Error(exception) => exception.into_error(),
        other => Error::new(Reason::InternalError, format!("unexpected signal {other:?}")),
    }
}

/// Like [`to_json`], for JSON that a function must not get lost in: one that is sent, not shown.
///
/// Errors like [`to_json`], and with `invalid_tool_args` when there is a function or a var.
pub(crate) fn sent_json(value: &Value) -> Result<Json, Error> {
    let mut meter = Meter::writing(&Limits::default(), ONE_VALUE);
    sent_json_of(value, 0, &NoCells, &mut meter).map_err(|signal| refusal(*signal))
}

/// The same, charged to the run like [`json_of`].
pub(super) fn sent_json_of(value: &Value, depth: usize, cells: &dyn Cells, meter: &mut Meter) -> Res<Json> {
    Export { cells, meter, is_sent: true }.value(value, depth)
}

/// Like [`to_json`], charged to the run: one unit of fuel and the memory of each element; the value is at level
/// `depth`.
pub(crate) fn json_of(value: &Value, depth: usize, cells: &dyn Cells, meter: &mut Meter) -> Res<Json> {
    Export { cells, meter, is_sent: false }.value(value, depth)
}

/// The JSON text of a value without blanks, charged to the run.
pub(crate) fn write_json(value: &Value, cells: &dyn Cells, meter: &mut Meter) -> Res<String> {
    let json = json_of(value, 0, cells, meter)?;
    let mut sink = Sink { text: Vec::new(), meter, refused: None };
    let written = serde_json::to_writer(&mut sink, &json);
    match (sink.refused, written) {
        (Some(error), _) => Err(error.into()),
        (None, Ok(())) => Ok(String::from_utf8(sink.text).unwrap_or_default()),
        (None, Err(error)) => Err(err(Reason::InternalError, format!("JSON could not be written: {error}"))),
    }
}

/// A text that announces its growth.
struct Sink<'m> {
    text: Vec<u8>,
    meter: &'m mut Meter,
    /// Why it could not grow.
    refused: Option<Box<Error>>,
}

impl std::io::Write for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let fits = self.meter.tick().and_then(|()| push_bytes(&mut self.text, bytes, self.meter));
        fits.map(|()| bytes.len()).map_err(|error| {
            self.refused = Some(error);
            std::io::ErrorKind::OutOfMemory.into()
        })
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Export<'a> {
    cells: &'a dyn Cells,
    meter: &'a mut Meter,
    /// Whether functions are refused.
    is_sent: bool,
}

impl Export<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Res<Json> {
        self.meter.charge(1)?;
        match value {
            Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) => Ok(plain(value).unwrap_or_default()),
            Value::Str(text) | Value::Uuid(text) => self.text(text.as_str()),
            Value::Keyword(name) | Value::Symbol(name) => self.text(name.as_str()),
            Value::Big(n) => Ok(Json::String(number::digits(n, self.meter)?)),
            Value::Date(date) => Ok(Json::String(date.to_string())),
            Value::Instant(micros) => Ok(Json::String(instant_text(*micros))),
            Value::Temporal(temporal) => self.text(&temporal.to_string()),
            Value::Vector(items) => self.array(items.iter(), depth),
            Value::Set(set) => self.array(set.iter(), depth),
            Value::Map(map) => self.object(map, depth),
            _ => self.other(value, depth),
        }
    }

    fn other(&mut self, value: &Value, depth: usize) -> Res<Json> {
        match value {
            Value::LazySeq(generator) => {
                let items = self.cells.realised(*generator).unwrap_or_default().items;
                self.array(items.iter(), depth)
            }
            Value::Cell(cell) => {
                let content = self.cells.content(*cell).unwrap_or_default();
                self.value(&content, deeper(depth)?)
            }
            Value::Reduced(inner) => self.value(inner.get(), deeper(depth)?),
            Value::Exception(exception) => self.exception(exception, depth),
            printed => {
                let mut text = String::new();
                write_value(&mut text, printed, &FormatOptions::full(), self.cells, self.meter)?;
                self.may_hold(printed, &text)?;
                Ok(Json::String(text))
            }
        }
    }

    /// Errors when the JSON is sent and this value, printed as `text`, means something only in its session.
    fn may_hold(&self, value: &Value, text: &str) -> Res<()> {
        let (what, instead) = match value {
            Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => ("a function", "what it returns"),
            Value::Var(_) => ("the name of a definition", "its value"),
            _ => return Ok(()),
        };
        if !self.is_sent {
            return Ok(());
        }
        let found = format!("{text} is {what}, which stays in its session");
        Err(Error::hinted(Reason::InvalidToolArgs, found, &format!("send data, such as {instead}")).into())
    }

    fn text(&mut self, text: &str) -> Res<Json> {
        if text.len() > STRETCH {
            // The text is searched for escapes in one go later, a nanosecond for each byte.
            self.meter.look_ahead(Duration::from_nanos(text.len() as u64))?;
        }
        self.text_of(text).map(Json::String)
    }

    fn array<'v>(&mut self, items: impl ExactSizeIterator<Item = &'v Value>, depth: usize) -> Res<Json> {
        let depth = deeper(depth)?;
        let mut made = Vec::new();
        reserve(&mut made, items.len(), self.meter)?;
        for item in items {
            let item = self.value(item, depth)?;
            push(&mut made, item, self.meter)?;
        }
        Ok(Json::Array(made))
    }

    fn object(&mut self, map: &Map, depth: usize) -> Res<Json> {
        let depth = deeper(depth)?;
        self.meter.allocate(64 + map.len() * (size_of::<(u64, String, Json)>() + 20))?;
        // Bounded: announced above.
        let mut made = Object::with_capacity(map.len());
        // Names that come from keywords: nothing else may replace them.
        let mut taken = std::collections::HashSet::new();
        let mixed = map.iter().any(|(key, _)| !matches!(key, Value::Keyword(_)));
        for (key, item) in map {
            let name = self.name(key)?;
            if mixed {
                if matches!(key, Value::Keyword(_)) {
                    self.meter.allocate(64 + name.len())?;
                    taken.insert(name.clone());
                } else if taken.contains(&name) {
                    continue;
                }
            }
            made.insert(name, self.value(item, depth)?);
        }
        Ok(Json::Object(made))
    }

    fn name(&mut self, key: &Value) -> Res<String> {
        let text = match key {
            Value::Keyword(name) | Value::Symbol(name) => return self.text_of(name.as_str()),
            Value::Str(text) | Value::Uuid(text) => return self.text_of(text.as_str()),
            Value::Date(_) | Value::Instant(_) | Value::Temporal(_) => display_text(key),
            _ => {
                let mut text = String::new();
                let options = FormatOptions { hide: false, ..FormatOptions::full() };
                write_value(&mut text, key, &options, self.cells, self.meter)?;
                self.may_hold(key, &text)?;
                return Ok(text);
            }
        };
        self.meter.allocate(text.len())?;
        Ok(text)
    }

    fn text_of(&mut self, text: &str) -> Res<String> {
        let mut copy = text_for(text.len(), self.meter)?;
        push_text(&mut copy, text, self.meter)?;
        Ok(copy)
    }

    fn exception(&mut self, error: &Exception, depth: usize) -> Res<Json> {
        let mut made = Object::new();
        made.insert("reason".to_owned(), self.text(error.reason.as_str())?);
        made.insert("message".to_owned(), self.text(&error.message)?);
        let data = error.data().map(|data| deeper(depth).and_then(|depth| self.value(data, depth))).transpose()?;
        made.insert("data".to_owned(), data.unwrap_or(Json::Null));
        Ok(Json::Object(made))
    }
}

pub(super) fn deeper(depth: usize) -> Res<usize> {
    if depth >= MAX_NESTING {
        return Err(err(Reason::NestingTooDeep, format!("cannot write JSON nested more than {MAX_NESTING} deep")));
    }
    Ok(depth + 1)
}
