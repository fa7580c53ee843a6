//! Kinds of objects of an import: objects of one kind share their keys.

use std::sync::Arc;

use crate::value::{Columns, Value};

/// The number of kinds that are remembered.
const KINDS: usize = 16;

/// The kinds of objects that were seen last, the latest first.
#[derive(Default)]
pub(super) struct Kinds(Vec<Arc<Columns>>);

impl Kinds {
    /// The shared keys of an object like an earlier one. An object of a new kind keeps separate keys: there may be no
    /// other such object.
    pub fn columns_of(&mut self, fields: &[(Value, Value)]) -> Option<Arc<Columns>> {
        let keys = fields.iter().map(|(key, _)| key);
        if let Some(place) = self.0.iter().position(|kind| kind.are(keys.clone())) {
            if let Some(met) = self.0.get_mut(..=place) {
                met.rotate_right(1);
            }
            return self.0.first().cloned();
        }
        if let Some(columns) = Columns::of(keys) {
            self.0.truncate(KINDS - 1);
            self.0.insert(0, Arc::new(columns));
        }
        None
    }
}
