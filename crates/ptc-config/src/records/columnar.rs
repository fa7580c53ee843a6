//! Records as Parquet: the types of columns are those of their values.

use std::io::Write;
use std::sync::Arc;

use arrow_json::ReaderBuilder;
use arrow_json::reader::infer_json_schema_from_iterator;
use arrow_schema::{ArrowError, FieldRef, Schema};
use parquet::arrow::ArrowWriter;
use ptc_lisp::Value;
use serde_json::Value as Json;

use super::{RecordError, Records, json};

pub(super) fn write(records: &Records<'_>, out: &mut dyn Write) -> Result<(), RecordError> {
    let rows: Vec<Json> =
        records.rows.iter().map(|row| json(&Value::Map((*row).clone()))).collect::<Result<_, RecordError>>()?;
    let file = encoded(records, &rows).map_err(|error| {
        RecordError::Refused(format!("these records do not fit into Parquet, where a column has one type: {error}"))
    })?;
    Ok(out.write_all(&file)?)
}

fn encoded(records: &Records<'_>, rows: &[Json]) -> Result<Vec<u8>, ArrowError> {
    let found = infer_json_schema_from_iterator(rows.iter().map(Ok))?;
    let fields: Vec<FieldRef> = records
        .columns
        .iter()
        .filter_map(|name| found.fields().iter().find(|field| field.name() == name))
        .cloned()
        .collect();
    let schema = Arc::new(Schema::new(fields));
    let mut decoder = ReaderBuilder::new(schema.clone()).build_decoder()?;
    decoder.serialize(rows)?;
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, None)?;
    if let Some(batch) = decoder.flush()? {
        writer.write(&batch)?;
    }
    Ok(writer.into_inner()?)
}
