//! The formats of data files, and how files say which one they have.

use std::path::Path;

/// What a data file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Sheet,
    Json,
    JsonLines,
    Text,
    Parquet,
    Arrow,
}

/// A format of data files.
#[derive(Debug)]
#[non_exhaustive]
pub struct DataFormat {
    pub(crate) format: Format,
    /// As `format = "…"` names it.
    pub name: &'static str,
    /// What one file is.
    pub title: &'static str,
    /// What several files are.
    pub plural: &'static str,
    /// Extensions of its files.
    pub extensions: &'static [&'static str],
    /// What programs see.
    pub doc: &'static str,
}

/// The formats of data files, the most frequent ones first.
#[must_use]
pub fn data_formats() -> &'static [DataFormat] {
    &FORMATS
}

pub(crate) const FORMATS: [DataFormat; 7] = [
    DataFormat {
        format: Format::Csv,
        name: "csv",
        title: "CSV",
        plural: "CSV",
        extensions: &["csv", "tsv", "tab", "psv"],
        doc: "a list of maps by the names of the columns",
    },
    DataFormat {
        format: Format::Sheet,
        name: "sheet",
        title: "a workbook",
        plural: "workbooks",
        extensions: &["xlsx", "xlsm", "xlsb", "xls", "ods"],
        doc: "a list of maps, of one sheet; needs the feature `sheets`, which the usual build has",
    },
    DataFormat {
        format: Format::Json,
        name: "json",
        title: "JSON",
        plural: "JSON",
        extensions: &["json", "geojson"],
        doc: "its value, or a list if it has several values in sequence",
    },
    DataFormat {
        format: Format::JsonLines,
        name: "jsonl",
        title: "JSON Lines",
        plural: "JSON Lines",
        extensions: &["jsonl", "ndjson"],
        doc: "a list with an element for each value",
    },
    DataFormat {
        format: Format::Text,
        name: "text",
        title: "text",
        plural: "text",
        extensions: &["txt", "md", "log"],
        doc: "one string, as it is; so is text with any other extension, and a note says so",
    },
    DataFormat {
        format: Format::Parquet,
        name: "parquet",
        title: "Parquet",
        plural: "Parquet",
        extensions: &["parquet"],
        doc: "a list of maps; needs the feature `parquet`",
    },
    DataFormat {
        format: Format::Arrow,
        name: "arrow",
        title: "Arrow",
        plural: "Arrow",
        extensions: &["arrow", "feather", "ipc"],
        doc: "a list of maps; needs the feature `parquet`",
    },
];

/// The names that `format = "…"` takes.
pub(crate) const NAMES: [&str; 7] = names();

const fn names() -> [&'static str; 7] {
    let [a, b, c, d, e, f, g] = &FORMATS;
    [a.name, b.name, c.name, d.name, e.name, f.name, g.name]
}

impl Format {
    pub(crate) fn row(self) -> &'static DataFormat {
        let [first, ..] = &FORMATS;
        FORMATS.iter().find(|row| row.format == self).unwrap_or(first)
    }

    pub(crate) fn named(name: &str) -> Option<Format> {
        FORMATS.iter().find(|row| row.name == name).map(|row| row.format)
    }

    /// The format that the extension of a file says; `.gz` does not count.
    pub(crate) fn of(path: &Path) -> Option<Format> {
        let extension = extension(path);
        FORMATS.iter().find(|row| row.extensions.contains(&extension.as_str())).map(|row| row.format)
    }
}

/// Whether the name of a file ends like this, `.gz` included.
pub(crate) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|known| known.eq_ignore_ascii_case(extension))
}

/// The extension in small letters, without `.gz`.
pub(crate) fn extension(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    name.rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_owned())
}
