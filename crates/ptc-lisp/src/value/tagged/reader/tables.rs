//! Maps, sets and rows.

use std::sync::Arc;

use super::{Reader, limit, named, text, wrong};
use crate::error::Signal;
use crate::limits::meter::Meter;
use crate::value::tagged::TaggedError;
use crate::value::tagged::pieces::items;
use crate::value::tagged::shared::SharedKeys;
use crate::value::{Columns, Map, Order, Set, Value, Vector, own_bytes};

/// Bytes of an entry of a sorted table while it grows.
const SORTED: usize = 32;

impl Reader<'_, '_> {
    /// Maps whose keys are written once.
    pub(super) fn rows(
        &mut self,
        keys: Option<&str>,
        payload: Option<&str>,
        depth: usize,
    ) -> Result<Value, TaggedError> {
        let Value::Vector(keys) = self.seq(keys, depth + 1)? else { return Err(self.too_deep()) };
        let shared = self.with.kinds.of_rows(keys.iter());
        let columns = shared.map(|keys| self.shared_keys(keys)).transpose()?;
        let (mut made, paid) = self.room(payload)?;
        self.each("rows", payload, &mut |reader, row| {
            let (values, id) = match named(row, ["v", "id", "same"]) {
                Some([_, _, Some(same)]) => {
                    let known = reader.same(same)?;
                    return reader.push(&mut made, known);
                }
                Some([values, id, None]) => (values, id.and_then(|id| id.parse().ok())),
                None => (Some(row), None),
            };
            let known = id.and_then(|id| reader.with.parts.get(id)).cloned();
            let is_new = known.is_none();
            let row = known.map_or_else(|| reader.row(values, &keys, columns.as_ref(), depth), Ok)?;
            if let Some(id) = id.filter(|_| is_new) {
                reader.with.parts.add(id, row.clone());
            }
            reader.push(&mut made, row)
        })?;
        // The keys are in the maps.
        self.settled(Value::vector(made), paid + own_bytes(&Value::Vector(keys)))
    }

    /// Keys that maps share, charged once.
    fn shared_keys(&mut self, SharedKeys { columns, is_new }: SharedKeys) -> Result<Arc<Columns>, TaggedError> {
        self.allocate(if is_new { columns.bytes() } else { 0 })?;
        Ok(columns)
    }

    fn row(
        &mut self,
        row: Option<&str>,
        keys: &Vector,
        columns: Option<&Arc<Columns>>,
        depth: usize,
    ) -> Result<Value, TaggedError> {
        let wanted = || wrong("rows", "a value for each key", row);
        if self.count(row)? != keys.len() {
            return Err(wanted());
        }
        let paid = keys.len() * size_of::<Value>();
        self.allocate(paid)?;
        // Bounded: it was charged.
        let mut values = Vec::with_capacity(keys.len());
        self.each("rows", row, &mut |reader, item| {
            let item = reader.value(item, depth + 2)?;
            reader.push(&mut values, item)
        })?;
        let values = match columns {
            Some(columns) => {
                return self.settled(Value::Map(Map::record(columns, values.into()).ok_or_else(wanted)?), paid);
            }
            None => values,
        };
        let refused = self.too_deep();
        let before = self.with.meter.charged;
        let mut map = self.inserting(|meter| Map::with_exactly(keys.len(), meter), &refused)?;
        for (key, value) in keys.iter().zip(values) {
            self.inserting(|meter| map.insert(key.clone(), value, meter).map(drop), &refused)?;
        }
        self.with.meter.charged = before;
        self.settled(Value::Map(map), paid)
    }

    pub(super) fn set(
        &mut self,
        sorted: Option<&str>,
        payload: Option<&str>,
        depth: usize,
    ) -> Result<Value, TaggedError> {
        let count = self.count(payload)?;
        let before = self.with.meter.charged;
        let (mut map, refused) = self.empty("set", sorted, count)?;
        let mut paid = (self.with.meter.charged - before) as usize;
        self.each("set", payload, &mut |reader, item| {
            let item = reader.value(item, depth + 1)?;
            paid += reader.entry(&mut map, item, Value::Nil, &refused)?;
            Ok(())
        })?;
        self.settled(Value::Set(Set::of_keys(map)), paid)
    }

    pub(super) fn map(
        &mut self,
        sorted: Option<&str>,
        payload: Option<&str>,
        depth: usize,
    ) -> Result<Value, TaggedError> {
        let wanted = || wrong("map", "an array of [key, value]", payload);
        if payload.and_then(items).is_none() {
            return Err(wanted());
        }
        let count = self.count(payload)?;
        let before = self.with.meter.charged;
        let (mut map, refused) = self.empty("map", sorted, count)?;
        let mut paid = (self.with.meter.charged - before) as usize;
        self.each("map", payload, &mut |reader, pair| {
            let mut parts = items(pair).ok_or_else(wanted)?;
            let (Some(key), Some(item), None) = (parts.next(), parts.next(), parts.next()) else {
                return Err(wanted());
            };
            let (key, item) = (reader.value(key, depth + 1), reader.value(item, depth + 1));
            paid += reader.entry(&mut map, key?, item?, &refused)?;
            Ok(())
        })?;
        if let Some(keys) = self.with.kinds.of_map(&map) {
            let columns = self.shared_keys(keys)?;
            // Bounded: by the entries, which were charged.
            let values = map.iter().map(|(_, value)| value.clone()).collect();
            map = Map::record(&columns, values).unwrap_or(map);
        }
        self.settled(Value::Map(map), paid)
    }

    /// The empty table of a map or set of this many entries, and what refuses an entry.
    fn empty(
        &mut self,
        kind: &'static str,
        sorted: Option<&str>,
        entries: usize,
    ) -> Result<(Map, TaggedError), TaggedError> {
        match order_of(sorted) {
            Some(order) => Ok((Map::sorted(order), unsortable(kind))),
            None => {
                let refused = self.too_deep();
                Ok((self.inserting(|meter| Map::with_exactly(entries, meter), &refused)?, refused))
            }
        }
    }

    /// Add an entry to a table; returns what was charged for it.
    fn entry(&mut self, map: &mut Map, key: Value, value: Value, refused: &TaggedError) -> Result<usize, TaggedError> {
        let grows = if map.as_sorted().is_some() { SORTED } else { 0 };
        self.allocate(grows)?;
        let before = self.with.meter.charged;
        let inserted = self.inserting(|meter| map.insert(key, value, meter), refused);
        self.with.meter.charged = before;
        inserted.map(|_| grows)
    }

    fn inserting<R>(
        &mut self,
        insert: impl FnOnce(&mut Meter) -> Result<R, Box<Signal>>,
        refused: &TaggedError,
    ) -> Result<R, TaggedError> {
        insert(self.with.meter).map_err(|signal| match *signal {
            Signal::Error(error) if error.reason.is_limit() => limit(&error),
            _ => refused.clone(),
        })
    }
}

/// The order that a collection had when it was stored.
fn order_of(sorted: Option<&str>) -> Option<Order> {
    match text(sorted)?.as_ref() {
        "ascending" => Some(Order::Ascending),
        "descending" => Some(Order::Descending),
        _ => None,
    }
}

fn unsortable(kind: &'static str) -> TaggedError {
    TaggedError::NotRestorable { kind, why: "it says it is sorted, but its keys cannot be compared".to_owned() }
}
