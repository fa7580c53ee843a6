//! Data files: JSON, JSON Lines, CSV and text, also compressed; Parquet, Arrow and SQLite where their features are on.

mod columns;
mod csv_rows;
#[cfg(feature = "parquet")]
mod frame;
mod json_text;
mod separator;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(test)]
mod tests;
pub(crate) mod twice;

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use ptc_chat::{read_file, read_most};
use ptc_lisp::{Import, Value};

use crate::place::{Place, named};
use crate::text::{NotUtf8, decoded};

/// Bytes that an uncompressed data file may have: values take several times as many.
const MAX_BYTES: u64 = 1 << 30;

/// The first bytes of files compressed by gzip.
const GZIP: &[u8] = &[0x1F, 0x8B];

/// A data file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// It could not be read.
    #[error("cannot read {}: {source}", named(.path))]
    Unreadable {
        /// The file asked for.
        path: PathBuf,
        /// The system's message.
        r#source: io::Error,
    },
    /// Its extension says nothing.
    #[error("the format of {} is unknown; name it .json, .jsonl, .csv, .txt or .md (or one of these with .gz), .parquet or .arrow", named(.path))]
    UnknownKind {
        /// The file asked for.
        path: PathBuf,
    },
    /// It is larger than data may be.
    #[error("{} has more than {} MB{}; keep what the mission needs, or write a tool that searches it", named(.path), .limit >> 20, when_decompressed(path))]
    TooLarge {
        /// The file asked for.
        path: PathBuf,
        /// Bytes that it may have, decompressed.
        limit: u64,
    },
    /// It claims to be compressed, but cannot be decompressed.
    #[error("cannot decompress {} with gzip: {source}", named(.path))]
    Compressed {
        /// The file asked for.
        path: PathBuf,
        /// The decompressor's message.
        r#source: io::Error,
    },
    /// The program was built without its reader.
    #[error("cannot read {}: {format} needs a build with the feature `{feature}`: cargo install ptc-cli --features {feature}", named(.path))]
    NoFeature {
        /// The file asked for.
        path: PathBuf,
        /// What the file is.
        format: &'static str,
        /// The feature of ptc-cli, ptc-runner and ptc-config.
        feature: &'static str,
    },
    /// Columns of a file that is read whole.
    #[error("`columns` chooses from .parquet and .arrow files; {} is read as a whole", named(.path))]
    NoColumns {
        /// The file asked for.
        path: PathBuf,
    },
    /// Columns that the file does not have.
    #[error("{} has no column {}; it has {}", named(.path), quoted(missing), quoted(known))]
    MissingColumns {
        /// The file asked for.
        path: PathBuf,
        /// The columns that it does not have.
        missing: Vec<String>,
        /// The columns that it has.
        known: Vec<String>,
    },
    /// The reader of the format refuses it.
    #[error("cannot read {}: {problem}", named(.path))]
    Refused {
        /// The file asked for.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// It is not text.
    #[error("{place}: {source}")]
    NotText {
        /// Where in the data file.
        place: Box<Place>,
        /// What is there.
        r#source: NotUtf8,
    },
    /// Its content is broken.
    #[error("{place}: {problem}")]
    Invalid {
        /// Where in the data file.
        place: Box<Place>,
        /// What is wrong.
        problem: String,
    },
}

/// What a data file holds.
#[derive(Debug, Clone)]
pub struct DataFile {
    /// The value.
    pub value: Value,
    /// Remarks for the user who gave the file.
    pub notes: Vec<String>,
}

impl From<Value> for DataFile {
    fn from(value: Value) -> DataFile {
        DataFile { value, notes: Vec::new() }
    }
}

/// The value in a data file, as host data, which does not count towards the memory of programs.
///
/// - `.json`: its value; a key that appears twice in one object is an error
/// - `.jsonl`, `.ndjson`: a list with an element per line, without blank lines
/// - `.csv`: a list of maps by the header row. A column is typed as a whole: integers when every filled cell is one,
///   floats when every filled cell is a number (`12.50`, `-3`, `1e-5`), booleans when every filled cell is `true` or
///   `false`, else text. A leading zero (`007`), a `+` (`+49`) or more than 15 digits without a decimal point make a
///   column text; empty cells are nil. Cells are separated by commas, `;` or tabs: whichever gives the header and the
///   first 20 rows the same number of cells, more than one
/// - `.txt`, `.md`: one string
/// - any of these with `.gz`: the same, decompressed
/// - `.parquet`, `.arrow` (`.feather`, `.ipc`), with the feature `parquet`: a list of maps with all columns
/// - at most 1 GB, decompressed
pub fn read_data(path: impl AsRef<Path>) -> Result<DataFile, DataError> {
    read(path.as_ref(), None, &[])
}

/// The value of a JSON text in which no object has a key twice; the error has its place.
pub fn read_json(text: &str) -> Result<Value, serde_json::Error> {
    let value = Value::from_json_str(text)?;
    twice::check(text)?;
    Ok(value)
}

/// These columns of a `.parquet` or `.arrow` file, in this order; see [`read_data`].
pub fn read_columns<S: AsRef<str>>(path: impl AsRef<Path>, columns: &[S]) -> Result<DataFile, DataError> {
    let columns: Vec<&str> = columns.iter().map(AsRef::as_ref).collect();
    read(path.as_ref(), Some(&columns), &[])
}

/// The rows that a query of a SQLite file returns, as a list of maps by the names of its columns; with the feature
/// `sqlite`.
///
/// - `params`: the values of `?1`, `?2`, …: strings, numbers, booleans and null
/// - the file is opened for reading only; the query may return a million rows at most
pub fn query_sqlite(path: impl AsRef<Path>, sql: &str, params: &[serde_json::Value]) -> Result<DataFile, DataError> {
    read_rows(path.as_ref(), sql, params)
}

#[cfg(feature = "sqlite")]
fn read_rows(path: &Path, sql: &str, params: &[serde_json::Value]) -> Result<DataFile, DataError> {
    sqlite::read(path, sql, params)
}

#[cfg(not(feature = "sqlite"))]
fn read_rows(path: &Path, _: &str, _: &[serde_json::Value]) -> Result<DataFile, DataError> {
    Err(DataError::NoFeature { path: path.to_owned(), format: "SQLite", feature: "sqlite" })
}

/// Like [`read_data`] or [`read_columns`]; columns of a CSV file that are declared as text stay as they are written.
pub(crate) fn read(path: &Path, columns: Option<&[&str]>, texts: &[&str]) -> Result<DataFile, DataError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
    let (name, is_compressed) = name.strip_suffix(".gz").map_or((name.as_str(), false), |name| (name, true));
    let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
    let csv = |path: &Path, text: &str| csv_rows::read(path, text, texts);
    let read: &dyn Fn(&Path, &str) -> Result<DataFile, DataError> = match kind {
        "json" => &json_text::json,
        "jsonl" | "ndjson" => &json_text::json_lines,
        "csv" => &csv,
        "txt" | "md" => &|_, text| Ok(Import::uncounted().value(text.into()).into()),
        "parquet" | "arrow" | "feather" | "ipc" if !is_compressed => return read_frame(path, kind, columns),
        _ => return Err(DataError::UnknownKind { path: path.to_owned() }),
    };
    if columns.is_some() {
        return Err(DataError::NoColumns { path: path.to_owned() });
    }
    let text = decoded(path, bytes(path, is_compressed, MAX_BYTES)?)
        .map_err(|(place, source)| DataError::NotText { place, source })?;
    read(path, text.strip_prefix('\u{feff}').unwrap_or(&text))
}

#[cfg(feature = "parquet")]
fn read_frame(path: &Path, kind: &str, columns: Option<&[&str]>) -> Result<DataFile, DataError> {
    frame::read(path, kind, columns, MAX_BYTES)
}

#[cfg(not(feature = "parquet"))]
fn read_frame(path: &Path, kind: &str, _: Option<&[&str]>) -> Result<DataFile, DataError> {
    let format = if kind == "parquet" { "Parquet" } else { "Arrow" };
    Err(DataError::NoFeature { path: path.to_owned(), format, feature: "parquet" })
}

/// The bytes of a file, at most this many.
fn bytes(path: &Path, is_compressed: bool, limit: u64) -> Result<Vec<u8>, DataError> {
    let path = path.to_owned();
    let read = if is_compressed {
        let file = File::open(&path).map_err(|source| DataError::Unreadable { path: path.clone(), source })?;
        decompressed(BufReader::new(file), limit)
    } else {
        read_file(&path, limit)
    };
    read.map_err(|source| match source.kind() {
        ErrorKind::FileTooLarge => DataError::TooLarge { path, limit },
        _ if is_compressed => DataError::Compressed { path, source },
        _ => DataError::Unreadable { path, source },
    })
}

/// The decompressed bytes of gzip data, at most this many.
fn decompressed(mut file: impl BufRead, limit: u64) -> io::Result<Vec<u8>> {
    if !file.fill_buf()?.starts_with(GZIP) {
        return Err(io::Error::other("it does not begin as such files do; leave out .gz if it is not compressed"));
    }
    read_most(MultiGzDecoder::new(file), limit)
}

fn when_decompressed(path: &Path) -> &'static str {
    if path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("gz")) { " when decompressed" } else { "" }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
