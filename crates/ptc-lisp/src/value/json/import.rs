//! JSON to values.
//!
//! Bounded: the values of a text, whose memory a program pays for before it is read, and those of the host.

use std::fmt;
use std::io::BufReader;

use num_bigint::BigInt;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;

use super::Import;
use super::numbers::{Numbers, is_integer, is_large};
use crate::error::Error;
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;
use crate::value::{MAX_NESTING, Value, number};

/// The reader's message for a number beyond the range of floats.
const OUT_OF_RANGE: &str = "number out of range";

/// The message of an import that a limit ended; the error of the limit is shown instead.
const STOPPED: &str = "stopped by a limit";

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
                    open.push(Open::Object {
                        made: Vec::with_capacity(fields.len()),
                        key: Value::Nil,
                        rest: fields.into_iter(),
                    });
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
    /// Errors with line and column where the text is not JSON, nests too deep, or when something follows the document.
    pub fn text(&mut self, text: &str) -> Result<Value, serde_json::Error> {
        // What a failed import left.
        self.items.clear();
        self.fields.clear();
        self.inner_text(text)
    }

    /// Like [`Import::text`], inside a value under construction.
    pub(super) fn inner_text(&mut self, text: &str) -> Result<Value, serde_json::Error> {
        self.whole(text, |import, json, numbers| {
            let mut reader = serde_json::Deserializer::from_str(json);
            // The seeds themselves count levels.
            reader.disable_recursion_limit();
            let value = Seed { import, numbers, depth: 0 }.deserialize(&mut reader)?;
            reader.end()?;
            Ok(value)
        })
    }

    /// Like [`Import::text`], several times slower, but with looks at the clock inside strings and blanks, too.
    pub(super) fn piecewise(&mut self, text: &str) -> Result<Value, serde_json::Error> {
        self.whole(text, |import, json, numbers| {
            let mut clock = import.meter.as_ref().map_or_else(Meter::host, Meter::beside);
            let mut late = None;
            let read = Stretches { rest: json.as_bytes(), meter: &mut clock, late: &mut late };
            let mut reader = serde_json::Deserializer::from_reader(BufReader::with_capacity(STRETCH, read));
            reader.disable_recursion_limit();
            let value = Seed { import, numbers, depth: 0 }
                .deserialize(&mut reader)
                .and_then(|value| reader.end().map(|()| value));
            drop(reader);
            #[cfg(test)]
            {
                import.meter.iter_mut().for_each(|meter| meter.looks += clock.looks);
            }
            import.late = import.late.take().or(late);
            value
        })
    }

    /// The result of `read` for the text. If an integer is too long for the reader, a text with a float in its place is
    /// read.
    fn whole(
        &mut self,
        text: &str,
        read: impl Fn(&mut Import, &str, &mut Numbers<'_>) -> Result<Value, serde_json::Error>,
    ) -> Result<Value, serde_json::Error> {
        let (items, fields) = (self.items.len(), self.fields.len());
        let refused = match read(self, text, &mut Numbers::of(text)) {
            Err(error) if error.to_string().starts_with(OUT_OF_RANGE) => error,
            done => return done,
        };
        self.items.truncate(items);
        self.fields.truncate(fields);
        match Numbers::of(text).shortened(self.meter.get_or_insert_with(Meter::host)) {
            Ok(Some(short)) => read(self, &short, &mut Numbers::of(text)),
            Ok(None) => Err(refused),
            Err(late) => Err(self.stopped(late)),
        }
    }

    fn pace<E: serde::de::Error>(&mut self) -> Result<(), E> {
        if self.goes_on() { Ok(()) } else { Err(E::custom(STOPPED)) }
    }

    fn stopped<E: serde::de::Error>(&mut self, late: Box<Error>) -> E {
        self.late = Some(late);
        E::custom(STOPPED)
    }

    /// The next large number of the text, which the reader rounded to `rounded`.
    #[cold]
    fn large<E: serde::de::Error>(&mut self, numbers: &mut Numbers<'_>, rounded: f64) -> Result<Value, E> {
        let found = numbers.next_large(self.meter.get_or_insert_with(Meter::host));
        match found {
            Ok(Some(number)) if is_integer(number) => self.integer(number),
            Ok(_) => Ok(Value::Float(rounded)),
            Err(late) => Err(self.stopped(late)),
        }
    }

    /// The integer with these digits. A program pays for it after the import, and cannot start one that it cannot pay
    /// for.
    fn integer<E: serde::de::Error>(&mut self, number: &str) -> Result<Value, E> {
        self.digits_fuel = self.digits_fuel.saturating_add(number::fuel_for_digits(number.len()));
        if self.fuel.is_some_and(|fuel| self.digits_fuel > fuel) {
            return Err(E::custom(STOPPED));
        }
        match number::parse_integer(number, self.meter.get_or_insert_with(Meter::host)) {
            Ok(value) => Ok(value.unwrap_or_default()),
            Err(late) => Err(self.stopped(late)),
        }
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
        Json::Number(number) => number_value(number),
        _ => Value::Nil,
    }
}

pub(crate) fn number_value(number: &serde_json::Number) -> Value {
    match (number.as_i64(), number.as_u64()) {
        (Some(n), _) => Value::Int(n),
        (None, Some(n)) => Value::integer(BigInt::from(n)),
        // With arbitrary precision, `serde_json` keeps longer ones.
        (None, None) if !number.is_f64() => exact_or_near(number),
        (None, None) => number.as_f64().map_or(Value::Nil, Value::Float),
    }
}

fn exact_or_near(number: &serde_json::Number) -> Value {
    let exact = number::parse_integer(&number.to_string(), &mut Meter::host()).ok().flatten();
    exact.or_else(|| number.as_f64().map(Value::Float)).unwrap_or_default()
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

/// Reads one value directly from the text.
struct Seed<'i, 't> {
    import: &'i mut Import,
    /// The numbers of the text, up to the last large one requested.
    numbers: &'i mut Numbers<'t>,
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Seed<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_, '_> {
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

    fn visit_f64<E: serde::de::Error>(self, x: f64) -> Result<Value, E> {
        if is_large(x) { self.import.large(self.numbers, x) } else { Ok(Value::Float(x)) }
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(self.import.texts.value(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let depth = deeper(self.depth)?;
        let start = self.import.items.len();
        while let Some(item) = items.next_element_seed(Seed { import: self.import, numbers: self.numbers, depth })? {
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
            let value = fields.next_value_seed(Seed { import: self.import, numbers: self.numbers, depth })?;
            self.import.pace()?;
            self.import.fields.push((key, value));
        }
        Ok(self.import.object_since(start))
    }
}

fn deeper<E: serde::de::Error>(depth: usize) -> Result<usize, E> {
    if depth >= MAX_NESTING {
        Err(E::custom(format_args!("nested more than {MAX_NESTING} deep")))
    } else {
        Ok(depth + 1)
    }
}

/// Reads an object key without a separate string when it is known.
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
