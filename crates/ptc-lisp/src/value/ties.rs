//! What ties a value to the session that made it: functions of its programs, and its cells.

use std::sync::Arc;

use super::{Closure, LiveCount, Value};

/// Parts of a collection that are looked at one by one before a walk starts.
const FEW: usize = 16;

/// What a value refers to in a session.
#[derive(Default)]
pub(crate) struct Ties {
    pub functions: Vec<Arc<Closure>>,
    /// Whether there is an atom, a volatile, a delay or a lazy sequence.
    pub has_cells: bool,
}

impl Value {
    /// What ties it to a session, wherever that is: in collections, captured values, comparators, exceptions.
    ///
    /// Host data has no ties, so it is not searched. Cost: linear in the rest.
    pub(crate) fn ties(&self) -> Ties {
        if self.is_plainly_free() {
            return Ties::default();
        }
        let mut count = LiveCount::with_functions();
        count.add(self);
        Ties { has_cells: !count.take_cells().is_empty(), functions: count.take_functions() }
    }

    /// Whether nothing ties it to a session.
    pub(crate) fn is_untied(&self) -> bool {
        let ties = self.ties();
        !ties.has_cells && ties.functions.is_empty()
    }

    /// Whether a short look shows that nothing ties it to a session.
    #[inline]
    pub(crate) fn is_plainly_free(&self) -> bool {
        match self {
            Value::Vector(items) => items.is_external() || items.len() <= FEW && items.iter().all(is_free),
            Value::Map(map) => {
                let is_few = map.len() <= FEW && map.as_sorted().is_none();
                map.is_external() || is_few && map.iter().all(|(key, value)| is_free(key) && is_free(value))
            }
            value => is_free(value),
        }
    }
}

/// Whether a value that is not a collection of the program refers to nothing in a session.
fn is_free(value: &Value) -> bool {
    match value {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) => value.sharing().is_some_and(|sharing| sharing.external),
        Value::Cell(_) | Value::LazySeq(_) => false,
        Value::Function(_) | Value::Exception(_) | Value::Reduced(_) => false,
        _ => true,
    }
}
