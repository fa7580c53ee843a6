//! How data files were read, entry by entry.

use std::io::{self, Write};

use ptc_runner::config::Reading;
use ptc_runner::lisp::text::escaped;
use serde_json::{Value as Json, json};

/// A line for each file: `data/orders: orders.csv: CSV, cells separated by ;; 2 rows: id integers, name text`.
pub(crate) fn write(out: &mut dyn Write, readings: &[(String, Reading)]) -> io::Result<()> {
    for (name, reading) in readings {
        writeln!(out, "{}", escaped(&format!("data/{name}: {reading}")))?;
    }
    Ok(())
}

/// The same for machines, in the field `data`; without files there is none.
pub(super) fn add(answer: &mut Json, readings: &[(String, Reading)]) {
    if let (Json::Object(fields), false) = (answer, readings.is_empty()) {
        let of = |(name, reading): &(String, Reading)| json!({"name": name, "read": reading});
        fields.insert("data".to_owned(), readings.iter().map(of).collect());
    }
}
