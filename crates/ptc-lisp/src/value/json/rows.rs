//! Many maps with the same keys, such as the rows of a table.
//!
//! Bounded: values of the host, and as many keys as a table has columns.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::Import;
use crate::value::{Columns, Map, Value};

/// The keys of maps that [`Import::row`] makes: up to 64 keywords are stored once for all of them.
#[derive(Debug, Clone)]
pub struct RowKeys {
    keys: Vec<Value>,
    shared: Option<Arc<Columns>>,
}

impl Import {
    /// Keys for [`Import::row`]: each is a keyword or a string, as [`Import::key`] decides.
    pub fn row_keys<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) -> RowKeys {
        let keys: Vec<Value> = names.into_iter().map(|name| self.key(name)).collect();
        let shared = Columns::of_rows(keys.iter()).map(Arc::new);
        RowKeys { keys, shared }
    }

    /// The map of these values under these keys, as part of this import; values and keys are taken in order, as many as
    /// both have. The values are data. Cost: one allocation for the map and one for its values.
    ///
    /// ```
    /// use ptc_lisp::{Import, Value};
    ///
    /// let mut import = Import::uncounted();
    /// let keys = import.row_keys(["item", "unit price"]);
    /// let row = import.row(&keys, vec![Value::string("tea"), Value::Float(3.5)]);
    /// assert_eq!(row.to_string(), r#"{:item "tea" "unit price" 3.5}"#);
    /// ```
    pub fn row(&mut self, keys: &RowKeys, values: Vec<Value>) -> Value {
        let columns = keys.shared.as_ref().filter(|columns| columns.len() == values.len());
        let Some(columns) = columns else {
            return self.object(keys.keys.iter().cloned().zip(values).collect());
        };
        let map = Map::record(columns, values.into_boxed_slice()).unwrap_or_default();
        Value::Map(if self.external { map.into_external() } else { map })
    }
}
