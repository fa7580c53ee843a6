//! `ptc data`: how files are read, and what a model would be told about them.

#[cfg(test)]
mod tests;

use std::io::{self, Write};

use clap::Args;
use indexmap::IndexMap;
use ptc_runner::compression::words::{ColumnProfile, DataShapes, DataView, SampleLimits, data_section, grouped};
use ptc_runner::config::Reading;
use ptc_runner::lisp::text::escaped;
use ptc_runner::lisp::values::{key_text, type_of};
use ptc_runner::lisp::{Map, Value};
use serde_json::{Value as Json, json};

use super::check::reading;
use crate::failure::{Exit, Failure};
use crate::{data, output};

const EXAMPLES: &str = "\
Examples:
  ptc data orders.csv
  ptc data orders.csv prices=2024.xlsx 'logs/*.csv' --rows 20
  ptc data 'orders={ file = \"orders.csv\", skip = 2 }'     # with options as in a mission file
  ptc data orders.csv --json";

/// Show how data files are read, and what a model would see of them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DataArgs {
    /// The files; `NAME=FILE` gives programs another name than that of the file, `NAME={ file = "…", skip = 2 }` adds
    /// options, `-` is standard input.
    #[arg(value_name = "[NAME=]FILE", required = true)]
    files: Vec<String>,
    /// Number of rows shown of each file.
    #[arg(long, value_name = "N", default_value_t = 5)]
    rows: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Run the command.
pub(crate) fn run(args: &DataArgs) -> Result<Exit, Failure> {
    let named = |file: &String| match file.split_once('=').is_some_and(|(name, _)| data::is_name(name)) {
        true => Ok(file.clone()),
        false => Ok(format!("{}={file}", data::name_of(file)?)),
    };
    let given: Vec<String> = args.files.iter().map(named).collect::<Result<_, Failure>>()?;
    let (entries, readings) = data::told(&given)?;
    let shapes = DataShapes::with_columns(&entries);
    output::print(|out| match args.json {
        true => output::json_line(out, &as_json(&entries, &shapes, &readings, args.rows)),
        false => as_text(&entries, &shapes, &readings, args.rows, out),
    })?;
    Ok(Exit::Ok)
}

/// What the first message of a run would say.
fn told(entries: &Map, shapes: &DataShapes) -> String {
    let (none, shapes) = (IndexMap::new(), Some(shapes));
    let view = DataView { values: entries, shapes, signature: None, descriptions: [&none, &none], shows_samples: true };
    let section = data_section(&view, SampleLimits::default()).unwrap_or_default();
    format!("A model reads:\n{}", section.lines().skip(1).collect::<Vec<_>>().join("\n"))
}

fn as_json(entries: &Map, shapes: &DataShapes, readings: &[(String, Reading)], rows: usize) -> Json {
    let entry = |(key, value): (&Value, &Value)| {
        let name = key_text(key);
        let read: Vec<&Reading> = readings.iter().filter(|(of, _)| *of == name).map(|(_, reading)| reading).collect();
        let shown = first(value, rows).to_json().unwrap_or(Json::Null);
        json!({
            "name": name, "kind": type_of(value), "read": read, "columns": shapes.columns(&name), "first": shown,
        })
    };
    json!({"data": entries.iter().map(entry).collect::<Vec<_>>(), "model_reads": told(entries, shapes)})
}

fn as_text(
    entries: &Map,
    shapes: &DataShapes,
    readings: &[(String, Reading)],
    rows: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    reading::write(out, readings)?;
    for (key, value) in entries {
        let columns = shapes.columns(&key_text(key));
        if !columns.is_empty() {
            writeln!(out, "\n{}", output::readable(&table(columns), output::width()))?;
        }
        let shown = first(value, rows);
        let of =
            value.as_vector().map(|items| format!(", the first {} of {}", rows.min(items.len()), grouped(items.len())));
        writeln!(out, "\ndata/{}{}", escaped(&key_text(key)), of.unwrap_or_default())?;
        writeln!(out, "{}\n", output::readable(&shown, output::width()))?;
    }
    writeln!(out, "{}", told(entries, shapes))
}

fn table(columns: &[ColumnProfile]) -> Value {
    let text = |name: &str, value: &str| (Value::keyword(name), Value::string(value));
    let row = |column: &ColumnProfile| {
        Value::map_from([text("column", &column.name), text("type", &column.ty), text("values", &column.values)])
    };
    Value::vector(columns.iter().map(row).collect())
}

/// The first elements of a list; the first lines of a text; any other value.
fn first(value: &Value, rows: usize) -> Value {
    match value {
        Value::Vector(items) => Value::vector(items.iter().take(rows).cloned().collect()),
        Value::Str(text) => Value::string(text.as_str().lines().take(rows).collect::<Vec<_>>().join("\n")),
        other => other.clone(),
    }
}
