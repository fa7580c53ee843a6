//! `ptc data`: how files are read, and what a model would be told about them.

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

#[cfg(test)]
mod tests {
    use ptc_runner::lisp::Value;
    use serde_json::json;

    use super::*;

    fn entries(json: Json) -> Map {
        Value::from_json(json).as_map().unwrap().clone()
    }

    #[test]
    fn columns_rows_and_what_a_model_reads_are_shown() {
        let rows: Vec<Json> = (0..120)
            .map(|n| json!({"id": n, "city": if n % 3 == 0 { "Ulm" } else { "Bonn" }, "_pin": "s3cret"}))
            .collect();
        let entries = entries(json!({ "orders": rows }));
        let (mut out, shapes) = (Vec::new(), DataShapes::with_columns(&entries));
        as_text(&entries, &shapes, &[], 2, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("city    string  \"Bonn\" 80 | \"Ulm\" 40"), "{text}");
        assert!(text.contains("data/orders, the first 2 of 120"), "{text}");
        let told = told(&entries, &shapes);
        assert!(text.ends_with(&format!("{told}\n")), "{text}");
        assert!(told.contains("(hidden: _pin)") && !told.contains("s3cret"), "{told}");
        let json = as_json(&entries, &shapes, &[], 2);
        assert_eq!(json["data"][0]["columns"][0], json!({"name": "id", "type": "int", "values": "0..119"}));
        assert_eq!(json["data"][0]["first"].as_array().map(Vec::len), Some(2));
    }

    #[test]
    fn a_log_is_shown_by_the_shapes_of_its_lines() {
        let log: String = (0..300).map(|n| format!("10:{:02} INFO request {n} took {} ms\n", n % 60, n % 7)).collect();
        let entries = entries(json!({ "app": log }));
        let shapes = DataShapes::with_columns(&entries);
        let told = told(&entries, &shapes);
        let line =
            r##"in 300 lines, lines: "#:# INFO request # took # ms" 300 as in "10:00 INFO request 0 took 0 ms""##;
        assert!(told.ends_with(line), "{told}");
        assert_eq!(as_json(&entries, &shapes, &[], 2)["model_reads"], json!(told));
    }
}
