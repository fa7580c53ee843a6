//! JSON to values.

use std::fmt;
use std::io::BufReader;

use num_bigint::BigInt;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;

use super::Import;
use crate::error::Error;
use crate::meter::Meter;
use crate::pace::STRETCH;
use crate::value::Value;

/// Nested arrays and objects that are read.
const MAX_DEPTH: usize = 512;

impl Import {
    /// The value of a JSON document of any depth.
    pub fn value(&mut self, json: Json) -> Value {
        let mut open: Vec<Open> = Vec::new();
        let mut next = Some(json);
        loop {
            // A finished value, or the start of a collection.
            let mut done = match next.take() {
                Some(Json::Array(items)) => {
                    open.push(Open::Array { made: Vec::with_capacity(items.len()), rest: items.into_iter() });
                    None
                }
                Some(Json::Object(fields)) => {
                    open.push(Open::Object { made: Vec::with_capacity(fields.len()), key: Value::Nil, rest: fields.into_iter() });
                    None
                }
                Some(Json::String(text)) => Some(self.texts.value(&text)),
                Some(scalar) => Some(scalar_value(&scalar)),
                None => None,
            };
            while next.is_none() {
                let Some(top) = open.last_mut() else { return done.unwrap_or_default() };
                if let Some(value) = done.take() {
                    top.take(value);
                }
                next = top.next(self);
                if next.is_none() {
                    done = open.pop().map(|full| full.finish(self));
                }
            }
        }
    }

    /// The value of a JSON text.
    ///
    /// Errors with line and column where the text is not JSON, nests too deep, or something follows the document.
    pub fn text(&mut self, text: &str) -> Result<Value, serde_json::Error> {
        let mut reader = serde_json::Deserializer::from_str(text);
        // The seeds count levels themselves.
        reader.disable_recursion_limit();
        // What an import that failed has left.
        self.items.clear();
        self.fields.clear();
        let value = Seed { import: self, depth: 0 }.deserialize(&mut reader)?;
        reader.end()?;
        Ok(value)
    }
}

impl Import {
    fn pace<E: serde::de::Error>(&mut self) -> Result<(), E> {
        if self.goes_on() { Ok(()) } else { Err(E::custom("stopped by the deadline")) }
    }

    /// As [`Import::text`], several times slower, with looks at the clock inside strings and blanks, too.
    pub(super) fn piecewise(&mut self, text: &str) -> Result<Value, serde_json::Error> {
        let mut clock = self.meter.as_ref().map_or_else(Meter::host, Meter::beside);
        let mut late = None;
        let read = Stretches { rest: text.as_bytes(), meter: &mut clock, late: &mut late };
        let mut reader = serde_json::Deserializer::from_reader(BufReader::with_capacity(STRETCH, read));
        reader.disable_recursion_limit();
        let value = Seed { import: self, depth: 0 }.deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
        drop(reader);
        #[cfg(test)]
        {
            self.meter.iter_mut().for_each(|meter| meter.looks += clock.looks);
        }
        self.late = self.late.take().or(late);
        value
    }
}

/// A text that is read in pieces, with a look at the clock before each.
struct Stretches<'t, 'm> {
    rest: &'t [u8],
    meter: &'m mut Meter,
    late: &'m mut Option<Box<Error>>,
}

impl std::io::Read for Stretches<'_, '_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if let Err(late) = self.meter.look_at_clock() {
            *self.late = Some(late);
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        let length = self.rest.len().min(out.len());
        let (piece, rest) = self.rest.split_at(length);
        out.iter_mut().zip(piece).for_each(|(to, from)| *to = *from);
        self.rest = rest;
        Ok(length)
    }
}

fn scalar_value(json: &Json) -> Value {
    match json {
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(n), _) => Value::Int(n),
            (None, Some(n)) => Value::integer(BigInt::from(n)),
            (None, None) => number.as_f64().map_or(Value::Nil, Value::Float),
        },
        _ => Value::Nil,
    }
}

/// A collection whose elements are being read.
enum Open {
    Array { made: Vec<Value>, rest: std::vec::IntoIter<Json> },
    Object { made: Vec<(Value, Value)>, key: Value, rest: serde_json::map::IntoIter },
}

impl Open {
    fn take(&mut self, value: Value) {
        match self {
            Open::Array { made, .. } => made.push(value),
            Open::Object { made, key, .. } => made.push((std::mem::take(key), value)),
        }
    }

    fn next(&mut self, import: &mut Import) -> Option<Json> {
        match self {
            Open::Array { rest, .. } => rest.next(),
            Open::Object { key, rest, .. } => {
                let (name, json) = rest.next()?;
                *key = import.key(&name);
                Some(json)
            }
        }
    }

    fn finish(self, import: &mut Import) -> Value {
        match self {
            Open::Array { made, .. } => import.vector(made),
            Open::Object { made, .. } => import.object(made),
        }
    }
}

/// Reads one value straight from the text.
struct Seed<'i> {
    import: &'i mut Import,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nil)
    }

    fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
        Ok(Value::Int(n))
    }

    fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
        Ok(i64::try_from(n).map_or_else(|_| Value::integer(BigInt::from(n)), Value::Int))
    }

    fn visit_f64<E>(self, x: f64) -> Result<Value, E> {
        Ok(Value::Float(x))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(self.import.texts.value(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let depth = deeper(self.depth)?;
        let start = self.import.items.len();
        while let Some(item) = items.next_element_seed(Seed { import: self.import, depth })? {
            self.import.pace()?;
            self.import.items.push(item);
        }
        let made = self.import.items.drain(start..).collect();
        Ok(self.import.vector(made))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let depth = deeper(self.depth)?;
        let start = self.import.fields.len();
        while let Some(key) = fields.next_key_seed(KeySeed(self.import))? {
            let value = fields.next_value_seed(Seed { import: self.import, depth })?;
            self.import.pace()?;
            self.import.fields.push((key, value));
        }
        let made = self.import.fields.drain(start..).collect();
        Ok(self.import.object(made))
    }
}

fn deeper<E: serde::de::Error>(depth: usize) -> Result<usize, E> {
    if depth >= MAX_DEPTH { Err(E::custom(format_args!("nested more than {MAX_DEPTH} deep"))) } else { Ok(depth + 1) }
}

/// Reads an object key without an own string when it is known.
struct KeySeed<'i>(&'i mut Import);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object key")
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(self.0.key(text))
    }
}
