//! Values as collections: their values by key, and their elements in order.

use super::{Value, Vector};
use crate::error::{Fallible, Res};
use crate::limits::meter::Meter;
use crate::value::{gathered, push, reserve};

/// Bytes of a vector without its elements.
pub(crate) const VECTOR: usize = 96;

/// Bytes of a string without its text.
pub(crate) const TEXT: usize = 80;

/// Bytes of a vector of two elements, and of its place in a vector.
pub(crate) const PAIR: usize = VECTOR + 3 * size_of::<Value>();

impl Value {
    /// The value under `key`: in a map in either spelling (keyword or string), in a set the member itself. Calls of
    /// keywords, maps and sets use this lookup, and so does `get` for these.
    pub(crate) fn look_up(&self, key: &Value, meter: &mut Meter) -> Res<Option<&Value>> {
        match self {
            Value::Map(map) => map.lookup(key, meter),
            Value::Set(set) => set.get(key, meter),
            _ => Ok(None),
        }
    }

    /// Number of elements of any seqable value.
    pub(crate) fn size(&self) -> Option<usize> {
        Some(match self {
            Value::Nil => 0,
            Value::Vector(items) => items.len(),
            Value::Str(text) => text.chars(),
            Value::Map(map) => map.len(),
            Value::Set(set) => set.len(),
            _ => return None,
        })
    }

    /// The element at `index` of any seqable value; an element of a map is `[key value]`.
    pub(crate) fn element_at(&self, index: usize) -> Option<Value> {
        match self {
            Value::Vector(items) => items.get(index).cloned(),
            Value::Str(text) => text.char_at(index).map(Value::string),
            Value::Map(map) => map.entry_at(index).map(|(key, item)| Value::vector(vec![key.clone(), item.clone()])),
            Value::Set(set) => set.member_at(index).cloned(),
            _ => None,
        }
    }

    /// The elements of any seqable value as a vector; `None` for values without elements. A generator has none here: it
    /// is realised before the call.
    pub(crate) fn elements(&self, meter: &mut Meter) -> Fallible<Option<Vector>> {
        Ok(Some(match self {
            Value::Nil => Vector::new(),
            Value::Vector(items) => items.clone(),
            Value::Str(text) => {
                meter.charge(text.chars())?;
                meter.allocate(VECTOR + text.chars() * (TEXT + 4))?;
                let mut chars = Vec::new();
                reserve(&mut chars, text.chars(), meter)?;
                for c in text.as_str().chars() {
                    meter.tick()?;
                    push(&mut chars, Value::string(c), meter)?;
                }
                Vector::from(chars)
            }
            Value::Map(map) => {
                meter.charge(map.len())?;
                meter.allocate(VECTOR + map.len() * (PAIR - size_of::<Value>()))?;
                let pairs = map.iter().map(|(key, item)| Value::vector(vec![key.clone(), item.clone()]));
                Vector::from(gathered(pairs, meter)?)
            }
            Value::Set(set) => {
                meter.charge(set.len())?;
                meter.allocate(VECTOR)?;
                Vector::from(gathered(set.iter().cloned(), meter)?)
            }
            _ => return Ok(None),
        }))
    }
}
