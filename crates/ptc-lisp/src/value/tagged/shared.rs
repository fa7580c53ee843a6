//! What values of a memory share when they are read: parts, and the keys of maps of one kind.
//!
//! Bounded: a part takes less here than its text does, and few kinds are remembered.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::value::{Columns, Map, Name, Value};

/// The number of kinds that are remembered.
const KINDS: usize = 1_024;

/// Parts that several values share, by their numbers.
#[derive(Default)]
pub(super) struct Parts {
    by_number: BTreeMap<u64, Value>,
    /// The numbers that the definition being read has added.
    here: Vec<u64>,
}

impl Parts {
    /// Start the next definition.
    pub fn begin(&mut self) {
        self.here.clear();
    }

    /// Forget what this definition has added.
    pub fn undo(&mut self) {
        for number in self.here.drain(..) {
            self.by_number.remove(&number);
        }
    }

    pub fn get(&self, number: u64) -> Option<&Value> {
        self.by_number.get(&number)
    }

    /// Note a part with a new number.
    pub fn add(&mut self, number: u64, part: Value) {
        self.by_number.insert(number, part);
        self.here.push(number);
    }
}

/// The keys of the maps read so far, by the addresses of their names.
#[derive(Default)]
pub(super) struct Kinds(HashMap<Box<[usize]>, Kind>);

enum Kind {
    /// One map has them. There may be no other such map, so it keeps separate keys.
    Met,
    Shared(Arc<Columns>),
}

/// Keys that maps share.
pub(super) struct SharedKeys {
    pub columns: Arc<Columns>,
    /// Whether they are shared for the first time.
    pub is_new: bool,
}

impl Kinds {
    /// The shared keys of rows with these keys, if keys can be shared.
    pub fn of_rows<'k>(&mut self, keys: impl Iterator<Item = &'k Value> + Clone) -> Option<SharedKeys> {
        let columns = Arc::new(Columns::of_rows(keys)?);
        let kind = self.kind(columns.names().iter().map(Name::address).collect());
        if let Kind::Shared(columns) = kind {
            return Some(SharedKeys { columns: columns.clone(), is_new: false });
        }
        *kind = Kind::Shared(columns.clone());
        Some(SharedKeys { columns, is_new: true })
    }

    /// The shared keys of a map like an earlier one.
    pub fn of_map(&mut self, map: &Map) -> Option<SharedKeys> {
        if map.as_sorted().is_some() || map.is_empty() || map.len() > Columns::MOST {
            return None;
        }
        let address = |(key, _): (&Value, &Value)| match key {
            Value::Keyword(name) => Some(name.address()),
            _ => None,
        };
        let names: Box<[usize]> = map.iter().map(address).collect::<Option<_>>()?;
        match self.0.get(&names) {
            Some(_) => self.of_rows(map.iter().map(|(key, _)| key)),
            None => {
                self.kind(names);
                None
            }
        }
    }

    fn kind(&mut self, names: Box<[usize]>) -> &mut Kind {
        if self.0.len() >= KINDS && !self.0.contains_key(&names) {
            self.0.clear();
        }
        self.0.entry(names).or_insert(Kind::Met)
    }
}
