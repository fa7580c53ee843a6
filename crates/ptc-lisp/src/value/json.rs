//! Values from JSON and as JSON.
//!
//! Bounded: the values of a text, whose memory a program pays for before it is read, and those of the host.

mod export;
mod import;
mod keys;
mod kinds;
mod numbers;
mod rows;
mod serialized;
mod shape;
mod texts;

use self::keys::Keys;
use self::kinds::Kinds;
use self::texts::Texts;
use super::{Map, Name, Set, Value, Vector};
use crate::error::{Error, Res};
use crate::index::addressable;
use crate::limits::meter::Meter;
use crate::limits::release::release;
use crate::parse::is_keyword_name;

pub use export::to_json;
pub(crate) use export::{json_within, meter_for, refusal, write_json};
pub(crate) use import::number_value;
pub use rows::RowKeys;
pub(crate) use shape::{KeyTexts, json_shaped, plainly_shaped};

#[cfg(test)]
mod tests;

/// The most keys, and places for texts, of an import that lasts as long as a session.
const MOST_KEPT: usize = 256;

/// Reads JSON into values; each distinct object key is created once per import, and repeated short strings share one
/// value.
///
/// - object keys that read back as one keyword (`:name`, no `/`, not starting with a digit) become keywords, others
///   stay strings
/// - integers stay exact, however long; a `serde_json::Value` has already rounded those beyond 64 bits
#[derive(Default)]
pub struct Import {
    keys: Keys,
    texts: Texts,
    /// Elements of the arrays being read, innermost last, so each array is allocated once, at its final size.
    items: Vec<Value>,
    /// The same for the fields of objects.
    fields: Vec<(Value, Value)>,
    kinds: Kinds,
    external: bool,
    /// All object keys stay strings.
    verbatim: bool,
    /// An object had a key twice.
    has_repeated_keys: bool,
    /// The meter of a program that reads JSON; also used by maps whose keys are compared. An import of the host creates
    /// one for the first such map.
    meter: Option<Meter>,
    /// The fuel a program has for integers beyond 64 bits.
    fuel: Option<usize>,
    digits_fuel: usize,
    /// The error when the deadline ended the import.
    late: Option<Box<Error>>,
}

impl Import {
    /// An import of host data: it does not count towards a program's memory limit.
    #[must_use]
    pub fn uncounted() -> Import {
        Import { external: true, ..Import::default() }
    }

    /// An import of data that a program made: it counts.
    #[must_use]
    pub fn counted() -> Import {
        Import::default()
    }

    /// Count one more element of an import; false when the deadline has passed.
    #[inline]
    fn goes_on(&mut self) -> bool {
        match self.meter.as_mut().map_or(Ok(()), Meter::tick) {
            Ok(()) => true,
            Err(late) => {
                self.late = Some(late);
                false
            }
        }
    }

    /// The value of a JSON text for the program that `meter` belongs to; `None` when it is not JSON. The caller charges
    /// its memory.
    ///
    /// Errors when the deadline has passed, or when the fuel does not suffice for the digits of an integer beyond 64
    /// bits.
    pub(crate) fn within(meter: &mut Meter, text: &str, long_tokens: bool) -> Res<Option<Value>> {
        let fuel = Some(addressable(meter.fuel_left()));
        let mut import = Import { meter: Some(meter.beside()), fuel, ..Import::counted() };
        let value = if long_tokens { import.piecewise(text) } else { import.text(text) };
        #[cfg(test)]
        {
            meter.looks += import.meter.as_ref().map_or(0, |beside| beside.looks);
        }
        // It may have read much before it fails.
        release(std::mem::take(&mut import.items));
        meter.charge(import.digits_fuel)?;
        match import.late {
            Some(late) => Err(late.into()),
            None => Ok(value.ok()),
        }
    }

    /// An import of data that a program made, with every object key as a string, as tools receive arguments.
    #[must_use]
    pub fn with_text_keys() -> Import {
        Import { verbatim: true, ..Import::default() }
    }

    /// Whether an object had a key twice, of which only the later value was read.
    ///
    /// ```
    /// let mut import = ptc_lisp::Import::uncounted();
    /// let value = import.text(r#"{"a": 1, "a": 2}"#)?;
    /// assert!(import.has_repeated_keys() && value.to_string() == "{:a 2}");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn has_repeated_keys(&self) -> bool {
        self.has_repeated_keys
    }

    /// How many keys it remembers, and texts at most.
    pub(crate) fn remembers(&self) -> (usize, usize) {
        (self.keys.count(), self.texts.places())
    }

    /// Begin again if this import has met many keys or texts, which it remembers.
    pub(crate) fn renew(&mut self) {
        let (keys, texts) = self.remembers();
        if keys > MOST_KEPT || texts > MOST_KEPT {
            *self = Import { external: self.external, verbatim: self.verbatim, ..Import::default() };
        }
    }

    /// The value of a text, as part of this import: for hosts that import objects of another language. Repeated short
    /// texts share one value.
    ///
    /// ```
    /// use ptc_lisp::{Import, Value};
    ///
    /// let mut import = Import::uncounted();
    /// let (name, item) = (import.key("item"), import.string("tea"));
    /// let order = import.map(vec![(name, item)])?;
    /// assert_eq!(import.list(vec![order]).to_string(), r#"[{:item "tea"}]"#);
    /// # Ok::<(), ptc_lisp::Error>(())
    /// ```
    pub fn string(&mut self, text: &str) -> Value {
        self.texts.value(text)
    }

    /// The list of these values, as part of this import.
    #[must_use]
    pub fn list(&self, items: Vec<Value>) -> Value {
        let is_data = items.iter().all(Value::is_untied);
        Value::Vector(if self.external && is_data { Vector::external(items) } else { Vector::from(items) })
    }

    /// The map of these entries, as part of this import: a key that occurs twice keeps its place and takes the later
    /// value. Text keys come from [`Import::key`].
    ///
    /// Errors when a key is a collection nested deeper than 512 levels.
    pub fn map(&mut self, entries: Vec<(Value, Value)>) -> Result<Value, Error> {
        let is_data = entries.iter().all(|(key, value)| key.is_untied() && value.is_untied());
        self.as_data(is_data, |import| import.map_of(entries))
    }

    fn map_of(&mut self, entries: Vec<(Value, Value)>) -> Result<Value, Error> {
        if entries.iter().all(|(key, _)| matches!(key, Value::Keyword(_) | Value::Str(_))) {
            return Ok(self.object(entries));
        }
        let made = Map::of_pairs(entries, self.meter.get_or_insert_with(Meter::host));
        let map = made.map_err(|signal| refusal(*signal))?;
        Ok(Value::Map(if self.external { map.into_external() } else { map }))
    }

    /// The set of these members, as part of this import.
    ///
    /// Errors when a member is a collection nested deeper than 512 levels.
    pub fn set(&mut self, members: Vec<Value>) -> Result<Value, Error> {
        let is_data = members.iter().all(Value::is_untied);
        self.as_data(is_data, |import| import.set_of(members))
    }

    /// Do this with a collection that is host data only if it is data: nothing looks for functions in host data.
    fn as_data<R>(&mut self, is_data: bool, make: impl FnOnce(&mut Import) -> R) -> R {
        let external = self.external;
        self.external &= is_data;
        let made = make(self);
        self.external = external;
        made
    }

    fn set_of(&mut self, members: Vec<Value>) -> Result<Value, Error> {
        let made = Set::from_values(members, self.meter.get_or_insert_with(Meter::host));
        let set = made.map_err(|signal| refusal(*signal))?;
        Ok(Value::Set(if self.external { set.into_external() } else { set }))
    }

    fn vector(&self, items: Vec<Value>) -> Value {
        Value::Vector(if self.external { Vector::external(items) } else { Vector::from(items) })
    }

    /// The object of these fields; a key that occurs twice keeps its place and takes the later value.
    fn object(&mut self, fields: Vec<(Value, Value)>) -> Value {
        let start = self.fields.len();
        self.fields.extend(fields);
        self.object_since(start)
    }

    /// The same for the fields that were read from this one on.
    fn object_since(&mut self, start: usize) -> Value {
        let map = match self.kinds.columns_of(self.fields.get(start..).unwrap_or_default()) {
            Some(columns) => {
                let values = self.fields.drain(start..).map(|(_, value)| value).collect();
                Map::record(&columns, values).unwrap_or_default()
            }
            // Keys are keywords and strings: comparing and hashing them cannot fail.
            None => {
                let fields: Vec<_> = self.fields.drain(start..).collect();
                let count = fields.len();
                let map = Map::of_pairs(fields, self.meter.get_or_insert_with(Meter::host)).unwrap_or_default();
                self.has_repeated_keys |= map.len() < count;
                map
            }
        };
        Value::Map(if self.external { map.into_external() } else { map })
    }

    /// The key of this text, as part of this import: a keyword when it reads back as one, has no `/` and does not start
    /// with a digit; else a string.
    pub fn key(&mut self, text: &str) -> Value {
        let Import { verbatim, external, .. } = *self;
        self.keys.value(text, || match !verbatim && is_key_name(text) {
            true if external => Value::keyword(text),
            true => Value::Keyword(Name::made(text)),
            false => Value::string(text),
        })
    }
}

/// Whether an object key becomes a keyword: `:text` reads back as that keyword, has no `/` and does not start with a
/// digit.
pub(crate) fn is_key_name(text: &str) -> bool {
    !text.starts_with(|first: char| first.is_ascii_digit()) && !text.contains('/') && is_keyword_name(text)
}

impl Value {
    /// The value of a JSON document as host data; see [`Import`].
    #[must_use]
    pub fn from_json(json: serde_json::Value) -> Value {
        Import::uncounted().value(json)
    }

    /// The value of a JSON text as host data, without a detour; see [`Import`].
    ///
    /// Errors with line and column where the text is not JSON or nests too deep.
    pub fn from_json_str(text: &str) -> Result<Value, serde_json::Error> {
        Import::uncounted().text(text)
    }

    /// This value as JSON; see [`to_json`].
    pub fn to_json(&self) -> Result<serde_json::Value, Error> {
        to_json(self, &super::NoCells)
    }

    /// This value as JSON that is sent to where no function can follow, instead of shown: functions and vars are errors
    /// there, where [`Value::to_json`] prints them.
    ///
    /// ```
    /// use ptc_lisp::{Session, SessionOptions, no_tools};
    ///
    /// let mut session = Session::new(SessionOptions::default());
    /// let value = session.run("{:rate 2 :rule (fn [n] (* 2 n))}", &mut no_tools).into_result()?;
    /// assert!(value.to_sent_json().unwrap_err().message.starts_with("#fn[n] is a function"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_sent_json(&self) -> Result<serde_json::Value, Error> {
        export::sent_json(self)
    }

    /// A map of these entries. A later entry with the same key replaces the value of the earlier one.
    ///
    /// An entry is left out when its key is a collection nested deeper than 512 levels.
    #[must_use]
    pub fn map_from(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
        let (mut map, mut meter) = (Map::new(), Meter::host());
        for (key, value) in entries {
            let _ = map.insert(key, value, &mut meter);
        }
        Value::Map(map)
    }

    /// A set of these members, in their order; `None` when one is a collection nested deeper than 512 levels.
    #[must_use]
    pub fn set_from(members: impl IntoIterator<Item = Value>) -> Option<Value> {
        Set::from_values(members, &mut Meter::host()).ok().map(Value::Set)
    }
}

/// The value of what `data` serializes to, as host data: a struct becomes a map with keyword keys, a sequence or tuple a
/// vector, `None` nil. A variant without fields is its name as text, `Shipping::Express` is `"Express"`, and one with fields
/// is a map, `{:Van {:wheels 4}}`. So programs compare it with a string: a keyword is never equal to it, of which
/// [`Outcome::warnings`](crate::Outcome::warnings) of each run and call has `KeywordVsString`.
///
/// Errors where `serde_json` cannot write it: a map whose keys are sequences or maps, or what the type itself refuses.
/// Numbers and booleans as keys become text. Cost: linear; a JSON document is built in between only for bytes and for keys
/// that are not text.
///
/// ```
/// #[derive(serde::Serialize)]
/// struct Order { item: &'static str, cents: u32 }
/// let value = ptc_lisp::to_value(&[Order { item: "tea", cents: 350 }])?;
/// assert_eq!(value.to_string(), r#"[{:item "tea" :cents 350}]"#);
///
/// #[derive(serde::Serialize)]
/// #[serde(rename_all = "snake_case")]
/// enum Shipping { Express, Van { wheels: u8 } }
/// let value = ptc_lisp::to_value(&(Shipping::Express, Shipping::Van { wheels: 4 }, None::<u8>))?;
/// assert_eq!(value.to_string(), r#"["express" {:van {:wheels 4}} nil]"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn to_value<T: serde::Serialize + ?Sized>(data: &T) -> Result<Value, serde_json::Error> {
    Import::uncounted().serialized(data)
}

/// A Rust value of what a program returned, read as its JSON: see [`to_json`] for the form of keys and dates.
///
/// Errors where it has no JSON, or where that is not what `T` expects. Cost: linear, and the memory of the JSON.
///
/// ```
/// #[derive(Debug, PartialEq, serde::Deserialize)]
/// struct Total { item: String, cents: u32 }
/// let mut session = ptc_lisp::Session::new(ptc_lisp::SessionOptions::default());
/// let value = session.run(r#"{:item "tea" :cents (* 2 350)}"#, &mut ptc_lisp::no_tools).into_result()?;
/// assert_eq!(ptc_lisp::from_value::<Total>(&value)?, Total { item: "tea".into(), cents: 700 });
/// assert_eq!(ptc_lisp::from_value::<u8>(&value).unwrap_err().to_string(), "invalid type: map, expected u8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn from_value<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(value.to_json().map_err(serde::de::Error::custom)?)
}

impl TryFrom<&Value> for serde_json::Value {
    type Error = Error;

    fn try_from(value: &Value) -> Result<serde_json::Value, Error> {
        value.to_json()
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Nil, Into::into)
    }
}

/// Serializes as JSON; fails where [`to_json`] fails.
impl serde::Serialize for Value {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().map_err(|error| serde::ser::Error::custom(error.message))?.serialize(serializer)
    }
}
