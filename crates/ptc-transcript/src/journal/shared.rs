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
    known: Vec<(Json, u64)>,
    expanded: u64,
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
        if let (true, Json::Object(fields)) = (is_escaped, &mut *part) {
            fields.values_mut().for_each(|item| *item = Json::Array(vec![item.take()]));
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

    /// Its bytes.
    fn part(&mut self, part: &mut Json) -> Result<u64, String> {
        let inner = match part {
            Json::Array(items) => {
                let mut inner = 0;
                for item in items {
                    inner += self.part(item)?;
                }
                inner
            }
            Json::Object(fields) if looks_like_ref(fields) => match fields.get_mut(REF) {
                Some(Json::Array(items)) if items.len() == 1 => {
                    let item = items.first_mut().map(Json::take).unwrap_or_default();
                    fields.insert(REF.to_owned(), item);
                    fields.values_mut().try_fold(0, |inner, item| Ok::<_, String>(inner + self.part(item)?))?
                }
                number => {
                    let number =
                        number.as_ref().and_then(|number| number.as_u64()).and_then(|n| usize::try_from(n).ok());
                    let known = number.and_then(|number| self.known.get(number));
                    let (value, bytes) = known.cloned().ok_or("it refers to nothing before it")?;
                    *part = value;
                    self.expand(bytes)?;
                    return Ok(bytes);
                }
            },
            Json::Object(fields) => {
                let mut inner = 0;
                for item in fields.values_mut() {
                    inner += self.part(item)?;
                }
                inner
            }
            _ => 0,
        };
        let bytes = own_bytes(part) + inner;
        if bytes >= LONG {
            self.expand(bytes)?;
            self.known.push((part.clone(), bytes));
        }
        Ok(bytes)
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
