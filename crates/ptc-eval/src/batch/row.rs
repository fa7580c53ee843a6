//! The rows of a batch, and what tells them apart.

use std::collections::HashMap;
use std::path::Path;

use ptc_config::{Document, MissionFile, with_table};
use ptc_lisp::values::key_name;
use ptc_lisp::{Map, Value};
use ptc_transcript::{ValueForm, fingerprint, json_of};
use serde_json::{Map as JsonMap, Value as Json, json};

/// A row of what a batch goes through: the inputs of one run of the mission.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BatchRow {
    /// Its number, from 1.
    pub number: usize,
    /// All of its columns.
    pub columns: Map,
    /// Those that are inputs of the mission.
    pub inputs: Map,
    /// What tells it apart from other rows, and stays when rows are added or sorted: 12 hex digits of its columns; the
    /// second one of equal rows has `-2` added.
    pub key: String,
}

impl BatchRow {
    /// The rows of these maps, in order; `is_input` decides which of their columns are inputs.
    pub fn all(rows: impl IntoIterator<Item = Map>, is_input: impl Fn(&str) -> bool) -> Vec<BatchRow> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let row = |(place, columns): (usize, Map)| {
            let hash = fingerprint(&json(&columns)).unwrap_or_default();
            let hash: String = hash.chars().take(12).collect();
            let count = seen.entry(hash.clone()).or_default();
            *count += 1;
            let key = if *count == 1 { hash } else { format!("{hash}-{count}") };
            let named = columns.iter().filter_map(|(key, value)| Some((key_name(key)?, value)));
            let inputs = named.filter(|(name, _)| is_input(name));
            let inputs = Value::map_from(inputs.map(|(name, value)| (Value::keyword(name), value.clone())));
            BatchRow { number: place + 1, inputs: inputs.as_map().cloned().unwrap_or_default(), columns, key }
        };
        rows.into_iter().enumerate().map(row).collect()
    }

    /// Its columns as JSON.
    #[must_use]
    pub fn json(&self) -> Json {
        json(&self.columns)
    }
}

/// The records of a data file that these keys name, as an entry of the data of a mission file has them; columns with the
/// names of `texts` stay texts. With remarks on how the file was read. File names start from the folder of `document`.
///
/// The error says why there are none.
pub fn rows_of(
    document: &Path,
    keys: JsonMap<String, Json>,
    texts: &[String],
) -> Result<(Vec<Map>, Vec<String>), String> {
    let texts: Vec<String> = texts.iter().map(|name| format!("{name} :string?")).collect();
    let text = format!("signature = {}\n", json!(format!("(rows [{{{}}}]) -> :any", texts.join(", "))));
    let text = with_table(&text, &["data", "rows"], &keys);
    let document = Document::new(document, &text);
    let read = document.parse().and_then(|parsed| MissionFile::tools_from_section(document.section(&parsed), &[]));
    let mut read = read.map_err(|error| error.message().trim_start_matches("data/rows: ").to_owned())?;
    let rows = match read.data.swap_remove("rows") {
        Some(Value::Vector(rows)) => rows,
        Some(Value::Map(row)) => return Ok((vec![row], read.notes)),
        _ => return Err("this is not a list of records; name a CSV or JSON Lines file".to_owned()),
    };
    let row = |(place, row): (usize, &Value)| match row {
        Value::Map(row) => Ok(row.clone()),
        _ => {
            let number = place + 1;
            Err(format!("row {number} is not a record; each row has named columns: {{\"text\": …}}"))
        }
    };
    let rows: Result<Vec<Map>, String> = rows.iter().enumerate().map(row).collect();
    Ok((rows?, read.notes))
}

fn json(columns: &Map) -> Json {
    json_of(&Value::Map(columns.clone()), ValueForm::Plain)
}
