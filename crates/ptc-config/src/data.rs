//! Data files: CSV, JSON, JSON Lines, text and workbooks, also compressed; Parquet, Arrow and SQLite where their features
//! are on.

mod columns;
mod dialect;
mod encoding;
mod error;
pub(crate) mod format;
#[cfg(feature = "parquet")]
mod frame;
mod json_text;
mod numbers;
mod open;
pub(crate) mod options;
mod reading;
mod sheet;
mod split;
#[cfg(feature = "sqlite")]
mod sqlite;
mod table;
#[cfg(test)]
mod tests;
pub(crate) mod twice;

use std::path::{Path, PathBuf};

use ptc_lisp::{Import, Value};

use crate::place::named;
use format::Format;
use open::{MAX_BYTES, Opened};

pub use error::DataError;
pub use format::{DataFormat, data_formats};
pub use options::ReadOptions;
pub use reading::{CellReading, ColumnReading, Reading};

/// What a data file holds.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DataFile {
    /// The value.
    pub value: Value,
    /// Remarks for the user who gave the file.
    pub notes: Vec<String>,
    /// How it was read, file by file; nothing for queries of databases.
    pub readings: Vec<Reading>,
}

impl From<Value> for DataFile {
    fn from(value: Value) -> DataFile {
        DataFile { value, notes: Vec::new(), readings: Vec::new() }
    }
}

/// The value in a data file, as host data, which does not count towards the memory of programs. How it is written is
/// found out, and [`DataFile::readings`] says it; see [`read_data_with`].
///
/// - `.csv`, `.tsv`: a list of maps by the header row. A column is typed as a whole: integers, floats or booleans when
///   every filled cell is one, else text; empty cells are nil
/// - `.xlsx`, `.ods`, with the feature `sheets`: the same
/// - `.json`: its value; a key that appears twice in one object is an error
/// - `.jsonl`, `.ndjson`: a list with an element for each value
/// - `.txt`, `.md`, `.log` and text with any other extension: one string
/// - any of these with `.gz`, or alone in a `.zip`: the same, decompressed
/// - `.parquet`, `.arrow` (`.feather`, `.ipc`), with the feature `parquet`: a list of maps with all columns
/// - a pattern such as `logs/*.csv`: the rows of all files; `-`: standard input
/// - at most 1 GB, decompressed
pub fn read_data(path: impl AsRef<Path>) -> Result<DataFile, DataError> {
    read_data_with(path, &ReadOptions::default())
}

/// The same with options that say what cannot be found out.
///
/// ```
/// use ptc_config::{ReadOptions, read_data_with};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("day.csv");
/// std::fs::write(&path, "id;total\n1;1,234\n")?;
/// let mut options = ReadOptions::default();
/// options.set("decimal", &",".into())?;
/// assert_eq!(read_data_with(&path, &options)?.value.to_string(), "[{:id 1 :total 1.234}]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_data_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<DataFile, DataError> {
    let path = path.as_ref();
    let files = open::files(path)?;
    if let [file] = files.as_slice()
        && let Some(format @ (Format::Parquet | Format::Arrow)) = options.format.or_else(|| Format::of(file))
        && !format::has_extension(file, "gz")
    {
        applies(file, format, options)?;
        return read_frame(file, format, options.columns.as_deref());
    }
    if let Some(sources) = large(&files, options) {
        match table::read(sources, options) {
            // The encoding is found out from all bytes, then.
            Err(DataError::NotText { .. }) => {}
            read => return read,
        }
    }
    let mut opened = Vec::with_capacity(files.len());
    let mut left = MAX_BYTES;
    for file in &files {
        let file = open::open(file, options, left)?;
        left = left.saturating_sub(file.bytes.len() as u64);
        opened.push(file);
    }
    let Some(format) = one_format(&opened, options)? else { return Ok(Value::Nil.into()) };
    applies(path, format, options)?;
    match format {
        Format::Csv => {
            table::read(opened.into_iter().map(|file| csv(file, options)).collect::<Result<_, _>>()?, options)
        }
        Format::Sheet => {
            let mut left = MAX_BYTES;
            let sheets = opened.iter().map(|file| sheet::read(file, options, &mut left)).collect::<Result<_, _>>()?;
            table::read(sheets, options)
        }
        Format::Json | Format::JsonLines => json_text::read(opened, format, options),
        Format::Text => texts(opened, options),
        Format::Parquet | Format::Arrow => {
            let problem = format!("{} is read from one file that is not compressed", format.row().title);
            Err(DataError::Refused { path: path.to_owned(), problem })
        }
    }
}

/// The value of a JSON text in which no object has a key twice; the error has its place.
pub fn read_json(text: &str) -> Result<Value, serde_json::Error> {
    let value = Value::from_json_str(text)?;
    twice::check(text)?;
    Ok(value)
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

#[cfg(feature = "parquet")]
fn read_frame(path: &Path, format: Format, columns: Option<&[String]>) -> Result<DataFile, DataError> {
    let columns: Option<Vec<&str>> = columns.map(|names| names.iter().map(String::as_str).collect());
    let mut file = frame::read(path, format, columns.as_deref(), MAX_BYTES)?;
    let count = file.value.as_vector().map_or(0, ptc_lisp::Vector::len);
    file.readings.push(Reading { file: path.to_owned(), format: format.row().title, count, ..Reading::default() });
    Ok(file)
}

#[cfg(not(feature = "parquet"))]
fn read_frame(path: &Path, format: Format, _: Option<&[String]>) -> Result<DataFile, DataError> {
    Err(DataError::NoFeature { path: path.to_owned(), format: format.row().title, feature: "parquet" })
}

/// An option for other formats is a mistake.
fn applies(path: &Path, format: Format, options: &ReadOptions) -> Result<(), DataError> {
    match options.misplaced(format) {
        None => Ok(()),
        Some((option, formats)) => {
            let (path, format) = (path.to_owned(), format.row().title);
            Err(DataError::NotForFormat { path, option, formats, format })
        }
    }
}

/// The format that all files have: by name, or by what is in them.
fn one_format(opened: &[Opened], options: &ReadOptions) -> Result<Option<Format>, DataError> {
    let mut known: Option<(Format, &Opened)> = None;
    for file in opened {
        let format = options.format.or_else(|| Format::of(file.named())).map_or_else(|| sniffed(file), Ok)?;
        match known {
            Some((first, other)) if first != format => {
                let (first, format) = (first.row().title, format.row().title);
                let problem = format!("this is {format}, and {} is {first}; read them one by one", named(&other.path));
                return Err(DataError::Refused { path: file.path.clone(), problem });
            }
            Some(_) => {}
            None => known = Some((format, file)),
        }
    }
    Ok(known.map(|(format, _)| format))
}

/// The format of a file whose name says nothing: text, except in standard input, which has no name.
fn sniffed(file: &Opened) -> Result<Format, DataError> {
    let text = encoding::decode(&file.path, file.bytes.clone(), None, true);
    let Some(text) = text.ok().map(|decoded| decoded.text).filter(|text| !text.contains('\0')) else {
        return Err(DataError::UnknownKind { path: file.path.clone() });
    };
    let is_nameless = file.path == Path::new(open::STANDARD_INPUT) && file.member.is_none();
    Ok(match text.trim_start().as_bytes().first() {
        _ if !is_nameless => Format::Text,
        Some(b'{' | b'[')
            if serde_json::Deserializer::from_str(&text)
                .into_iter::<serde::de::IgnoredAny>()
                .next()
                .is_some_and(|it| it.is_ok()) =>
        {
            Format::Json
        }
        _ if dialect::is_table(&text) => Format::Csv,
        _ => Format::Text,
    })
}

/// The text of a file, with remarks on how it was decoded.
fn decoded(
    file: Opened,
    format: Format,
    options: &ReadOptions,
) -> Result<(PathBuf, Option<String>, encoding::Decoded), DataError> {
    let Opened { path, member, bytes } = file;
    let guesses = matches!(format, Format::Csv | Format::Text);
    let decoded = encoding::decode(&path, bytes, options.encoding, guesses)?;
    Ok((path, member, decoded))
}

/// The separator that an extension names.
fn usual_separator(path: &Path) -> Option<u8> {
    match format::extension(path).as_str() {
        "tsv" | "tab" => Some(b'\t'),
        "psv" => Some(b'|'),
        _ => None,
    }
}

/// Files with columns that are read piece by piece: they are large, and their names or the options say what they are.
fn large(files: &[PathBuf], options: &ReadOptions) -> Option<Vec<table::Source>> {
    let is_said = |path: &Path| options.format.or_else(|| Format::of(path)) == Some(Format::Csv);
    let is_plain = options.misplaced(Format::Csv).is_none()
        && options.encoding.is_none()
        && options.member.is_none()
        && options.begins_at_top();
    let mut left = MAX_BYTES;
    let source = |path: &PathBuf| {
        let is_one = is_plain && is_said(path);
        let text = is_one.then(|| table::Text::of_file(path, left))??;
        left -= text.len();
        Some(table::Source {
            path: path.clone(),
            part: None,
            text,
            separator: usual_separator(path),
            format: Format::Csv.row().title,
            encoding: Some("UTF-8"),
            notes: Vec::new(),
            has_rows: false,
        })
    };
    files.iter().map(source).collect()
}

fn csv(file: Opened, options: &ReadOptions) -> Result<table::Source, DataError> {
    let separator = usual_separator(file.named());
    let is_sniffed = options.format.is_none() && Format::of(file.named()).is_none();
    let (path, part, decoded) = decoded(file, Format::Csv, options)?;
    let mut notes: Vec<String> = decoded.doubt().into_iter().collect();
    notes.extend(is_sniffed.then(|| sniffed_note(Format::Csv)));
    Ok(table::Source {
        path,
        part,
        separator,
        format: Format::Csv.row().title,
        encoding: Some(decoded.encoding.name()),
        notes,
        has_rows: false,
        text: table::Text::Whole(decoded.text),
    })
}

fn sniffed_note(format: Format) -> String {
    let row = format.row();
    format!("its name does not show its format; it is read as {}; set `format = \"…\"` to change this", row.title)
}

/// One string for one file; of several, a map for each.
fn texts(opened: Vec<Opened>, options: &ReadOptions) -> Result<DataFile, DataError> {
    let (mut found, mut import, mut values) = (DataFile::from(Value::Nil), Import::uncounted(), Vec::new());
    let keys = import.row_keys(["file", "text"]);
    for file in opened {
        let is_named = options.format.is_some() || Format::of(file.named()).is_some();
        let (path, part, decoded) = decoded(file, Format::Text, options)?;
        let told = decoded.doubt().into_iter().chain((!is_named).then(|| {
            "its name does not show its format; it is read as one text; set `format = \"csv\"` or another format to change this".to_owned()
        }));
        found.notes.extend(told.map(|note| format!("{}: {note}", named(&path))));
        let count = decoded.text.chars().count();
        values.push((Value::string(path.to_string_lossy().into_owned()), Value::string(decoded.text)));
        found.readings.push(Reading {
            file: path,
            part,
            format: Format::Text.row().title,
            encoding: Some(decoded.encoding.name()),
            count,
            ..Reading::default()
        });
    }
    found.value = match values.len() {
        1 => values.pop().map(|(_, text)| text).unwrap_or_default(),
        _ => {
            let rows = values.into_iter().map(|(file, text)| import.row(&keys, vec![file, text])).collect();
            import.list(rows)
        }
    };
    Ok(found)
}
