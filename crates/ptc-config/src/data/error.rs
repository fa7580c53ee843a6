//! Why a data file cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use super::format::{FORMATS, has_extension};
use crate::place::{Place, named};
use crate::text::NotUtf8;

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
    /// Neither its extension nor its bytes say what it is.
    #[error("the format of {} is unknown, and it is not text; what can be read is named {} (or .gz and .zip of these)", named(.path), extensions())]
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
    #[error("cannot read {}: {format} needs a build with the feature `{feature}`: in a clone, cargo install --locked --path crates/ptc-cli --features {feature}", named(.path))]
    NoFeature {
        /// The file asked for.
        path: PathBuf,
        /// What the file is.
        format: &'static str,
        /// The feature of ptc-cli, ptc-runner and ptc-config.
        feature: &'static str,
    },
    /// An option that is not for files of this format.
    #[error("`{option}` is for {}; {} is {format}, leave `{option}` out", formats.join(" and "), named(.path))]
    NotForFormat {
        /// The file asked for.
        path: PathBuf,
        /// The option.
        option: &'static str,
        /// The formats that it is for.
        formats: Vec<&'static str>,
        /// What the file is.
        format: &'static str,
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
    #[error("{place}: {source}, or say how it is written, as in `encoding = \"windows-1252\"`")]
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

fn when_decompressed(path: &Path) -> &'static str {
    let is_packed = ["gz", "zip", "xlsx", "xlsm", "xlsb", "ods"].iter().any(|extension| has_extension(path, extension));
    if is_packed { " when decompressed" } else { "" }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn extensions() -> String {
    let all = FORMATS.iter().flat_map(|row| row.extensions);
    all.map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ")
}
