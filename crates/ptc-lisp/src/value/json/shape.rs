//! Values in the form in which a host that works with JSON receives them, without an intermediate JSON document.

use std::sync::Arc;

use super::Import;
use super::export::{deeper, sent_json_of};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::value::{Cells, Columns, Map, Name, Text, Value, push, reserve};

/// Bytes that are charged for each value, and for each entry in addition to its key and value.
const ELEMENT: usize = 32;
const ENTRY: usize = 96;

/// The number of names that are remembered as texts.
const KEYS: usize = 16;

/// The texts of recent keyword keys: the calls of one program use the same few argument names.
#[derive(Default)]
pub(crate) struct KeyTexts {
    known: Vec<(Name, Text)>,
    /// Which one is forgotten next.
    oldest: usize,
    /// The keys of the last record.
    record: Option<RecordTexts>,
}

/// The keys of records of one kind, as tools receive them.
struct RecordTexts {
    columns: Arc<Columns>,
    texts: Box<[Text]>,
    /// Bytes of all keys.
    bytes: usize,
}

impl KeyTexts {
    /// The name as a string value. Cost: comparing up to 16 pointers.
    fn of(&mut self, name: &Name) -> Text {
        if let Some((_, text)) = self.known.iter().find(|(known, _)| known == name) {
            return text.clone();
        }
        let text = Text::from(name.as_str());
        let pair = (name.clone(), text.clone());
        match self.known.get_mut(self.oldest) {
            Some(forgotten) => *forgotten = pair,
            // Bounded: the number of keys that are remembered.
            None => self.known.push(pair),
        }
        self.oldest = (self.oldest + 1) % KEYS;
        text
    }

    /// The keys of a record, if none of them changes in JSON. Cost: comparing a pointer, if the last record had the
    /// same keys.
    fn of_record(&mut self, columns: &Arc<Columns>) -> Option<&RecordTexts> {
        if !self.record.as_ref().is_some_and(|known| Arc::ptr_eq(&known.columns, columns)) {
            let names = columns.names();
            if names.iter().any(|name| name.as_str().contains('-')) {
                return None;
            }
            self.record = Some(RecordTexts {
                columns: columns.clone(),
                // Bounded: a record has few columns.
                texts: names.iter().map(|name| self.of(name)).collect(),
                bytes: names.iter().map(|name| name.as_str().len()).sum(),
            });
        }
        self.record.as_ref()
    }
}

/// Like [`json_shaped`], for the usual arguments: a record of few plain values under keys without `-`. `None` for
/// others.
pub(crate) fn plainly_shaped(map: &Map, keys: &mut KeyTexts, meter: &mut Meter) -> Res<Option<Map>> {
    let Some(columns) = map.columns().filter(|columns| columns.len() <= Map::FEW) else { return Ok(None) };
    let Some(RecordTexts { texts, bytes, .. }) = keys.of_record(columns) else { return Ok(None) };
    let mut bytes = *bytes + ELEMENT + (ENTRY + ELEMENT) * texts.len();
    for (_, value) in map {
        match value {
            Value::Nil | Value::Bool(_) | Value::Int(_) => {}
            Value::Float(x) if x.is_finite() => {}
            Value::Str(text) => bytes += text.as_str().len(),
            _ => return Ok(None),
        }
    }
    meter.charge(1 + texts.len())?;
    meter.allocate(bytes)?;
    Ok(Some(Map::of_few(texts.iter().zip(map).map(|(text, (_, value))| (Value::Str(text.clone()), value.copy())))))
}

/// What reading back the JSON of `map` would give, with every key as a string; costs the fuel of [`sent_json_of`].
///
/// Errors like [`sent_json_of`].
pub(crate) fn json_shaped(map: &Map, keys: &mut KeyTexts, cells: &dyn Cells, meter: &mut Meter) -> Res {
    let mut shape = Shape { keys, cells, meter };
    match has_keyword_keys(map) {
        true => shape.object(map, 0),
        false => shape.through_json(&Value::Map(map.clone()), 0),
    }
}

/// Whether all keys are keywords: these stay distinct as strings.
fn has_keyword_keys(map: &Map) -> bool {
    map.iter().all(|(key, _)| matches!(key, Value::Keyword(_)))
}

struct Shape<'a> {
    keys: &'a mut KeyTexts,
    cells: &'a dyn Cells,
    meter: &'a mut Meter,
}

impl Shape<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Res {
        match value {
            Value::Nil | Value::Bool(_) | Value::Int(_) => {}
            Value::Float(x) if x.is_finite() => {}
            Value::Str(text) => self.meter.allocate(text.as_str().len())?,
            Value::Keyword(name) | Value::Symbol(name) => {
                self.element()?;
                self.meter.allocate(name.as_str().len())?;
                return Ok(Value::string(name.as_str()));
            }
            Value::Vector(items) => return self.array(items.iter(), depth),
            Value::Map(map) if has_keyword_keys(map) => return self.object(map, depth),
            // Keys of several kinds may give the same name, and the other values are text or a collection only in JSON.
            _ => return self.through_json(value, depth),
        }
        self.element()?;
        Ok(value.clone())
    }

    fn element(&mut self) -> Res<()> {
        self.meter.charge(1)?;
        Ok(self.meter.allocate(ELEMENT)?)
    }

    fn array<'v>(&mut self, items: impl ExactSizeIterator<Item = &'v Value>, depth: usize) -> Res {
        self.element()?;
        let depth = deeper(depth)?;
        let mut made = Vec::new();
        reserve(&mut made, items.len(), self.meter)?;
        for item in items {
            let item = self.value(item, depth)?;
            push(&mut made, item, self.meter)?;
        }
        Ok(Value::vector(made))
    }

    /// A map whose keys are all keywords.
    fn object(&mut self, map: &Map, depth: usize) -> Res {
        self.element()?;
        let depth = deeper(depth)?;
        let mut made = Vec::new();
        reserve(&mut made, map.len(), self.meter)?;
        for (key, item) in map {
            let Value::Keyword(name) = key else { continue };
            self.meter.allocate(ENTRY + name.as_str().len())?;
            let item = self.value(item, depth)?;
            push(&mut made, (Value::Str(self.keys.of(name)), item), self.meter)?;
        }
        Map::of_pairs(made, self.meter).map(Value::Map)
    }

    fn through_json(&mut self, value: &Value, depth: usize) -> Res {
        let json = sent_json_of(value, depth, self.cells, self.meter)?;
        Ok(Import::with_text_keys().value(json))
    }
}
