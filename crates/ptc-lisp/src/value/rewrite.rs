//! Values with some of their parts replaced: the one walk that derives a value from another one.

use std::collections::HashMap;

use super::{MAX_NESTING, Set, Sharing, Value};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::value::{extend, gathered, push, reserve};

/// How the parts of a value are replaced.
pub(crate) trait Rewrite {
    /// The replacement of this value, which is not a collection; `None` when it stays.
    fn leaf(&mut self, value: &Value, walk: &mut Walk) -> Res<Option<Value>>;

    /// Pays for the collections that are rebuilt.
    fn meter(&mut self) -> &mut Meter;

    /// Whether collections of the host are searched, and keys of maps are replaced.
    fn scope(&self) -> Scope {
        Scope { data: false, keys: true }
    }

    /// The set of these members, which are in the order of `set`.
    fn set(&mut self, set: &Set, members: Vec<Value>) -> Res<Set> {
        set.rebuilt(members, self.meter())
    }
}

/// Bytes for the recorded result of a shared collection.
const KNOWN: usize = 64;

/// Where parts are replaced.
pub(crate) struct Scope {
    pub data: bool,
    pub keys: bool,
}

/// A walk over one value. Shared collections are rebuilt once and stay shared. Collections in which nothing is replaced
/// stay unchanged, and so do those nested deeper than the limit.
#[derive(Default)]
pub(crate) struct Walk {
    depth: usize,
    /// The results of shared collections.
    known: HashMap<usize, Option<Value>>,
}

impl Walk {
    /// The value with its parts replaced; `None` when nothing is replaced.
    pub fn rewrite(&mut self, value: &Value, by: &mut impl Rewrite) -> Res<Option<Value>> {
        if self.depth > MAX_NESTING {
            return Ok(None);
        }
        let Some(Sharing { external, shared, address }) = value.sharing() else { return by.leaf(value, self) };
        if external && !by.scope().data {
            return Ok(None);
        }
        if let Some(known) = self.known.get(&address).filter(|_| shared) {
            return Ok(known.clone());
        }
        let new = match value {
            Value::Vector(items) => self.parts(items.len(), 1, || items.iter(), by)?.map(Value::vector),
            Value::Map(map) => {
                let step = if by.scope().keys { 1 } else { 2 };
                let parts = || map.iter().flat_map(|(key, item)| [key, item]);
                match self.parts(map.len() * 2, step, parts, by)? {
                    Some(parts) => {
                        let pair = |pair: &[Value]| Some((pair.first()?.clone(), pair.last()?.clone()));
                        let pairs = gathered(parts.chunks_exact(2).filter_map(pair), by.meter())?;
                        Some(Value::Map(map.rebuilt(pairs, by.meter())?))
                    }
                    None => None,
                }
            }
            Value::Set(set) => match self.parts(set.len(), 1, || set.iter(), by)? {
                Some(members) => Some(Value::Set(by.set(set, members)?)),
                None => None,
            },
            _ => None,
        };
        if shared {
            by.meter().allocate(KNOWN)?;
            self.known.insert(address, new.clone());
        }
        Ok(new)
    }

    /// All parts, with the last one of each `step` replaced; `None` when nothing is replaced.
    pub fn parts<'v, I: Iterator<Item = &'v Value>>(
        &mut self,
        count: usize,
        step: usize,
        parts: impl Fn() -> I,
        by: &mut impl Rewrite,
    ) -> Res<Option<Vec<Value>>> {
        let mut new: Option<Vec<Value>> = None;
        self.depth += 1;
        for (at, part) in parts().enumerate() {
            by.meter().tick()?;
            let changed = if (at + 1).is_multiple_of(step) { self.rewrite(part, by)? } else { None };
            match (changed, &mut new) {
                (Some(changed), Some(new)) => push(new, changed, by.meter())?,
                (Some(changed), None) => {
                    let mut all = Vec::new();
                    reserve(&mut all, count, by.meter())?;
                    extend(&mut all, parts().take(at).cloned().chain([changed]), by.meter())?;
                    new = Some(all);
                }
                (None, Some(new)) => push(new, part.clone(), by.meter())?,
                (None, None) => {}
            }
        }
        self.depth -= 1;
        Ok(new)
    }
}
