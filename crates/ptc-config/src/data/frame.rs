//! Parquet and Arrow files: columns as a list of maps.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_json::writer::{JsonArray, Writer, WriterBuilder};
use arrow_schema::{ArrowError, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ptc_lisp::Import;

use super::format::Format;
use super::{DataError, DataFile};

/// The first bytes of an Arrow file with random access; others are streams.
const ARROW_MAGIC: &[u8] = b"ARROW1";

/// These columns of a file, or all, as a list of maps; `limit` bounds their JSON text.
pub(super) fn read(path: &Path, format: Format, columns: Option<&[&str]>, limit: u64) -> Result<DataFile, DataError> {
    let unreadable = |source| DataError::Unreadable { path: path.to_owned(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    let reading = Reading { path, columns, limit };
    if format == Format::Parquet {
        return reading.parquet(file);
    }
    let mut magic = Vec::new();
    Read::by_ref(&mut file).take(ARROW_MAGIC.len() as u64).read_to_end(&mut magic).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    if magic == ARROW_MAGIC { reading.arrow_file(file) } else { reading.arrow_stream(file) }
}

/// What is read from a file.
#[derive(Clone, Copy)]
struct Reading<'a> {
    path: &'a Path,
    columns: Option<&'a [&'a str]>,
    limit: u64,
}

impl Reading<'_> {
    fn parquet(self, file: File) -> Result<DataFile, DataError> {
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| self.refused(&error))?;
        let places = self.places(builder.schema())?;
        let mask = ProjectionMask::roots(builder.parquet_schema(), places);
        let batches = builder.with_projection(mask).build().map_err(|error| self.refused(&error))?;
        self.rows(batches)
    }

    fn arrow_file(self, file: File) -> Result<DataFile, DataError> {
        let batches = FileReader::try_new_buffered(file, None).map_err(|error| self.refused(&error))?;
        self.places(&batches.schema())?;
        self.rows(batches)
    }

    fn arrow_stream(self, file: File) -> Result<DataFile, DataError> {
        let batches = StreamReader::try_new_buffered(file, None).map_err(|error| self.refused(&error))?;
        self.places(&batches.schema())?;
        self.rows(batches)
    }

    /// The places of the columns, in the order in which they are wanted.
    fn places(self, schema: &Schema) -> Result<Vec<usize>, DataError> {
        let known = || schema.fields().iter().map(|field| field.name().clone()).collect();
        self.each_once(schema)?;
        let Some(columns) = self.columns else { return Ok((0..schema.fields().len()).collect()) };
        let missing: Vec<String> =
            columns.iter().filter(|name| schema.index_of(name).is_err()).map(ToString::to_string).collect();
        if !missing.is_empty() {
            return Err(DataError::MissingColumns { path: self.path.to_owned(), missing, known: known() });
        }
        Ok(columns.iter().filter_map(|name| schema.index_of(name).ok()).collect())
    }

    /// Columns become the keys of a map, where the second of one name would replace the first.
    fn each_once(self, schema: &Schema) -> Result<(), DataError> {
        let mut known = HashSet::new();
        match schema.fields().iter().find(|field| !known.insert(field.name())) {
            None => Ok(()),
            Some(twice) => {
                let problem = format!("two columns are named `{}`; rename one", twice.name());
                Err(DataError::Refused { path: self.path.to_owned(), problem })
            }
        }
    }

    /// All rows as one JSON text, from which values are created: dates and times become text there.
    fn rows(self, batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>) -> Result<DataFile, DataError> {
        let text = Capped { bytes: Vec::new(), limit: self.limit, is_full: false };
        let mut writer: Writer<Capped, JsonArray> = WriterBuilder::new().with_explicit_nulls(true).build(text);
        let mut written = Ok(());
        for batch in batches {
            written = batch.and_then(|batch| {
                let places = self.places(&batch.schema()).unwrap_or_default();
                writer.write(&batch.project(&places)?)
            });
            if written.is_err() {
                break;
            }
        }
        let written = written.and_then(|()| writer.finish());
        let text = writer.into_inner();
        if text.is_full {
            return Err(DataError::TooLarge { path: self.path.to_owned(), limit: self.limit });
        }
        written.map_err(|error| self.refused(&error))?;
        let text = String::from_utf8(text.bytes).map_err(|error| self.refused(&error))?;
        let text = if text.is_empty() { "[]" } else { &text };
        Ok(Import::uncounted().text(text).map_err(|error| self.refused(&error))?.into())
    }

    fn refused(self, error: &dyn std::error::Error) -> DataError {
        DataError::Refused { path: self.path.to_owned(), problem: error.to_string() }
    }
}

/// Bytes in memory, at most this many.
struct Capped {
    bytes: Vec<u8>,
    limit: u64,
    is_full: bool,
}

impl Write for Capped {
    fn write(&mut self, more: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + more.len()) as u64 > self.limit {
            self.is_full = true;
            return Err(io::Error::other("too large"));
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;
