//! Many maps with the same keys, such as the rows of a table.
//!
//! Bounded: values of the host, and as many keys as a table has columns.

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

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of these many columns, through shared keys and as an object.
    fn both(columns: usize, name: impl Fn(usize) -> String) -> (Value, Value) {
        let names: Vec<String> = (0..columns).map(name).collect();
        let values: Vec<Value> = (0..columns).map(Value::from).collect();
        let mut import = Import::uncounted();
        let keys = import.row_keys(names.iter().map(String::as_str));
        let entries = names.iter().zip(&values).map(|(name, value)| (import.key(name), value.clone())).collect();
        (import.row(&keys, values), import.object(entries))
    }

    #[test]
    fn rows_are_the_maps_of_their_entries() {
        for columns in [0, 1, 8, 9, 16, 17, 64, 65, 200] {
            let (row, object) = both(columns, |at| format!("c{at}"));
            assert_eq!(row.to_string(), object.to_string());
            let map = row.as_map().unwrap();
            assert_eq!(map.columns().is_some(), (1..=64).contains(&columns), "{columns}");
            assert!(map.is_external());
            let last = columns.checked_sub(1).map(|at| map.get_named(&format!("c{at}")).unwrap().to_string());
            assert_eq!(last, columns.checked_sub(1).map(|at| at.to_string()));
        }
        let (row, object) = both(3, |at| format!("{at} kg"));
        assert_eq!((row.to_string(), row.as_map().unwrap().columns().is_some()), (object.to_string(), false));
    }

    #[test]
    fn a_row_may_be_shorter_than_its_keys() {
        let mut import = Import::uncounted();
        let keys = import.row_keys(["a", "b"]);
        assert_eq!(import.row(&keys, vec![Value::Int(1)]).to_string(), "{:a 1}");
        assert_eq!(import.row(&keys, vec![Value::Int(1); 3]).to_string(), "{:a 1 :b 1}");
        let twice = import.row_keys(["a", "a"]);
        assert_eq!(import.row(&twice, vec![Value::Int(1), Value::Int(2)]).to_string(), "{:a 2}");
    }
}
