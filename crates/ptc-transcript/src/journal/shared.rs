//! Long texts and values that a journal says once: later places refer to them.
//!
//! Values of a run repeat: a definition holds what a call returned, a request what the model answered, a run below the
//! system text of the one before it. Each text and collection of a line that is long enough gets the next number, the
//! inner ones first, unless an equal one has a number already: then `{"$ref": NUMBER}` stands for it. An object of the
//! data that looks like that is written `{"$ref": [VALUE]}`.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use serde_json::{Map as Object, Value as Json};

const REF: &str = "$ref";

/// Bytes from which on a text or a collection has a number.
const LONG: u64 = 192;

/// Bytes that the parts of a line may take when what they refer to is put in their place, and all lines together: a few
/// lines can refer to each other so that they stand for more than any memory has.
const MAX_EXPANDED: u64 = 2 << 30;

/// Levels of a part: more than the 160 that a value has at most, and so few that no chain of references uses up the stack.
const MAX_LEVELS: usize = 256;

/// Writes lines; knows what was written.
#[derive(Debug, Default)]
pub(super) struct SharedWriter {
    /// Numbers by a hash that nobody outside can predict.
    known: HashMap<u64, u32>,
    keys: RandomState,
}

/// Reads lines; knows what was read.
#[derive(Debug, Default)]
pub(super) struct SharedReader {
    /// Long parts, each without the long ones inside it.
    known: Vec<(Json, Size)>,
    expanded: u64,
}

/// A part with all that is inside it.
#[derive(Debug, Default, Clone, Copy)]
struct Size {
    bytes: u64,
    levels: usize,
}

/// What an object of the data must not look like.
fn looks_like_ref(object: &Object<String, Json>) -> bool {
    object.len() == 1 && object.contains_key(REF)
}

fn refer(to: Json) -> Json {
    Json::Object(std::iter::once((REF.to_owned(), to)).collect())
}

/// About the bytes of a part without those inside it.
fn own_bytes(part: &Json) -> u64 {
    match part {
        Json::String(text) => text.len() as u64 + 2,
        Json::Object(fields) => fields.keys().map(|key| key.len() as u64 + 4).sum::<u64>() + 2,
        Json::Array(items) => items.len() as u64 + 2,
        _ => 8,
    }
}

/// A long part as lines have it: with references to the long ones directly inside it, whose numbers these are.
fn outline(part: &Json, numbers: &[Option<usize>]) -> Json {
    let each = |(item, number): (&Json, &Option<usize>)| match number {
        Some(number) => refer(Json::from(*number)),
        None => escaped(item),
    };
    match part {
        Json::Array(items) => Json::Array(items.iter().zip(numbers).map(each).collect()),
        Json::Object(fields) => {
            let items = fields.values().zip(numbers).map(each);
            kept_apart(looks_like_ref(fields), fields.keys().cloned().zip(items).collect())
        }
        text => text.clone(),
    }
}

/// A short part as lines have it.
fn escaped(part: &Json) -> Json {
    match part {
        Json::Array(items) => Json::Array(items.iter().map(escaped).collect()),
        Json::Object(fields) => {
            let items = fields.iter().map(|(key, item)| (key.clone(), escaped(item)));
            kept_apart(looks_like_ref(fields), items.collect())
        }
        scalar => scalar.clone(),
    }
}

/// An object of the data, so that it is not taken for a reference.
fn kept_apart(looks_like_ref: bool, mut fields: Object<String, Json>) -> Json {
    if looks_like_ref {
        fields.values_mut().for_each(|item| *item = Json::Array(vec![item.take()]));
    }
    Json::Object(fields)
}

impl SharedWriter {
    /// The fields of a line, with references instead of what was written before.
    pub fn write(&mut self, line: &mut Json) {
        if let Json::Object(fields) = line {
            for value in fields.values_mut() {
                self.part(value);
            }
        }
    }

    /// Its hash and its bytes.
    fn part(&mut self, part: &mut Json) -> (u64, u64) {
        let mut bytes = own_bytes(part);
        let mut hash = self.keys.build_hasher();
        let mut is_escaped = false;
        match &mut *part {
            Json::String(text) => (1_u8, &*text).hash(&mut hash),
            Json::Array(items) => {
                (2_u8, items.len()).hash(&mut hash);
                for item in items {
                    let (inner, inside) = self.part(item);
                    hash.write_u64(inner);
                    bytes += inside;
                }
            }
            Json::Object(fields) => {
                is_escaped = looks_like_ref(fields);
                (3_u8, fields.len()).hash(&mut hash);
                for (key, item) in fields {
                    let (inner, inside) = self.part(item);
                    (key, inner).hash(&mut hash);
                    bytes += inside;
                }
            }
            scalar => (4_u8, scalar.to_string()).hash(&mut hash),
        }
        let hash = hash.finish();
        if is_escaped {
            *part = kept_apart(true, std::mem::take(part.as_object_mut().unwrap_or(&mut Object::new())));
        }
        if bytes >= LONG {
            match self.known.get(&hash) {
                Some(number) => *part = refer(Json::from(*number)),
                None => drop(self.known.insert(hash, u32::try_from(self.known.len()).unwrap_or(u32::MAX))),
            }
        }
        (hash, bytes)
    }
}

impl SharedReader {
    /// The fields of a line, with what they refer to in its place. Errors when they refer to nothing, or to too much.
    pub fn read(&mut self, line: &mut Json) -> Result<(), String> {
        match line {
            Json::Object(fields) => fields.values_mut().try_for_each(|value| self.part(value).map(drop)),
            _ => Ok(()),
        }
    }

    /// Its size, and its number if it is long.
    fn part(&mut self, part: &mut Json) -> Result<(Size, Option<usize>), String> {
        let mut numbers = Vec::new();
        let mut size = Size::default();
        let mut inside = |reader: &mut Self, item: &mut Json| {
            let (inner, number) = reader.part(item)?;
            numbers.push(number);
            size = Size { bytes: size.bytes + inner.bytes, levels: size.levels.max(inner.levels + 1) };
            Ok::<_, String>(())
        };
        match part {
            Json::Array(items) => items.iter_mut().try_for_each(|item| inside(self, item))?,
            Json::Object(fields) if looks_like_ref(fields) => match fields.get_mut(REF) {
                Some(Json::Array(items)) if items.len() == 1 => {
                    let item = items.first_mut().map(Json::take).unwrap_or_default();
                    fields.insert(REF.to_owned(), item);
                    fields.values_mut().try_for_each(|item| inside(self, item))?;
                }
                number => {
                    let known = number.and_then(|number| self.number(number));
                    let (number, size) = known.ok_or("it refers to nothing before it")?;
                    self.expand(size.bytes)?;
                    *part = self.value(number);
                    return Ok((size, Some(number)));
                }
            },
            Json::Object(fields) => fields.values_mut().try_for_each(|item| inside(self, item))?,
            _ => {}
        }
        size.bytes += own_bytes(part);
        if size.levels > MAX_LEVELS {
            return Err(format!("what its lines refer to has more than {MAX_LEVELS} levels"));
        }
        if size.bytes < LONG {
            return Ok((size, None));
        }
        self.known.push((outline(part, &numbers), size));
        Ok((size, Some(self.known.len() - 1)))
    }

    /// The number of a part that was read, and its size.
    fn number(&self, number: &Json) -> Option<(usize, Size)> {
        let number = usize::try_from(number.as_u64()?).ok()?;
        Some((number, self.known.get(number)?.1))
    }

    /// A part that was read.
    fn value(&self, number: usize) -> Json {
        self.known.get(number).map(|(outline, _)| self.filled(outline)).unwrap_or_default()
    }

    /// A part with what it refers to in its place.
    fn filled(&self, outline: &Json) -> Json {
        match outline {
            Json::Array(items) => Json::Array(items.iter().map(|item| self.filled(item)).collect()),
            Json::Object(fields) => match fields.get(REF).filter(|_| looks_like_ref(fields)) {
                Some(Json::Array(items)) => refer(items.first().map(|item| self.filled(item)).unwrap_or_default()),
                Some(number) => self.number(number).map(|(number, _)| self.value(number)).unwrap_or_default(),
                None => Json::Object(fields.iter().map(|(key, item)| (key.clone(), self.filled(item))).collect()),
            },
            short => short.clone(),
        }
    }

    fn expand(&mut self, bytes: u64) -> Result<(), String> {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded <= MAX_EXPANDED {
            return Ok(());
        }
        Err(format!("what its lines refer to is larger than the limit of {} MB", MAX_EXPANDED >> 20))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn written(lines: &[Json]) -> Vec<Json> {
        let mut writer = SharedWriter::default();
        lines
            .iter()
            .map(|line| {
                let mut line = line.clone();
                writer.write(&mut line);
                line
            })
            .collect()
    }

    fn read(lines: Vec<Json>) -> Result<Vec<Json>, String> {
        let mut reader = SharedReader::default();
        lines.into_iter().map(|mut line| reader.read(&mut line).map(|()| line)).collect()
    }

    #[test]
    fn what_was_said_is_referred_to_wherever_it_stands() {
        let rows: Json = (0..20).map(|n| json!({"id": n, "name": "row"})).collect();
        let text = "a long text ".repeat(40);
        let lines = [
            json!({"result": {"rows": rows, "note": text}}),
            json!({"memory": {"rows": rows, "all": {"rows": rows, "note": text}}, "said": [text]}),
        ];
        let short = written(&lines);
        assert_eq!(short[1], json!({"memory": {"rows": {"$ref": 0}, "all": {"$ref": 2}}, "said": [{"$ref": 1}]}));
        assert_eq!(read(short).unwrap(), lines);
    }

    #[test]
    fn data_that_looks_like_a_reference_stays_data() {
        let lines = [json!({"a": {"$ref": 0}, "b": {"$ref": [7]}, "c": {"$ref": {"$ref": "x".repeat(300)}}})];
        assert_eq!(read(written(&lines)).unwrap(), lines);
    }

    #[test]
    fn lines_that_stand_for_too_much_are_refused() {
        let mut lines = vec![json!({"a": "x".repeat(300)})];
        lines.extend((0..40).map(|n| json!({"a": vec![json!({"$ref": n}); 100]})));
        assert!(read(lines).unwrap_err().contains("limit of 2048 MB"));
        let mut lines = vec![json!({"a": "x".repeat(300)})];
        lines.extend((0..20_000).map(|n| json!({"a": [{"$ref": n}]})));
        assert!(read(lines).unwrap_err().contains("more than 256 levels"));
        for nothing in [json!({"a": {"$ref": 0}}), json!({"a": {"$ref": -1}}), json!({"a": {"$ref": null}})] {
            assert!(read(vec![nothing]).unwrap_err().contains("refers to nothing"));
        }
    }

    fn parts() -> impl Strategy<Value = Json> {
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<i64>().prop_map(Json::from),
            "[a-z$]{0,6}".prop_map(Json::from),
            (0..4_usize).prop_map(|n| Json::from("long ".repeat(50 + n))),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Json::from),
                prop::collection::vec((prop_oneof![Just(REF.to_owned()), "[a-c]{1,2}"], inner), 0..4)
                    .prop_map(|fields| Json::Object(fields.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(parts in prop::collection::vec(parts(), 1..8), order in prop::collection::vec(0..8_usize, 1..12)) {
            let lines: Vec<Json> = order.iter().map(|at| json!({"a": parts[at % parts.len()], "b": at})).collect();
            prop_assert_eq!(read(written(&lines)).unwrap(), lines);
        }
    }
}
