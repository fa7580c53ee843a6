//! The bytes of data files: by name or pattern, from standard input, compressed and in archives.

use std::fs::File;
use std::io::{self, BufReader, Cursor, ErrorKind, IsTerminal, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use ptc_chat::{read_file, read_most};

use super::DataError;
use super::format::has_extension;
use super::options::ReadOptions;

/// Bytes that all files of an entry may have, uncompressed: values take several times as many.
pub(super) const MAX_BYTES: u64 = 1 << 30;
/// Files that a pattern may match.
const MAX_FILES: usize = 10_000;
/// The name of standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// The first bytes of files compressed by gzip.
const GZIP: &[u8] = &[0x1F, 0x8B];
/// The first bytes of zip archives, which workbooks also are.
pub(super) const ZIP: &[u8] = b"PK\x03\x04";

/// The bytes of one file.
pub(super) struct Opened {
    /// As it was named.
    pub(super) path: PathBuf,
    /// The file of an archive.
    pub(super) member: Option<String>,
    pub(super) bytes: Vec<u8>,
}

impl Opened {
    /// What its extension counts of: the archived file, or the file.
    pub(super) fn named(&self) -> &Path {
        self.member.as_deref().map_or(&self.path, Path::new)
    }
}

/// The files that a name means: itself, or where no such file exists, all that fit it as a pattern, in the order of their
/// names.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, DataError> {
    let pattern = path.to_string_lossy();
    if !pattern.contains(['*', '?', '[']) || path.symlink_metadata().is_ok() {
        return Ok(vec![path.to_owned()]);
    }
    let refused = |problem: String| DataError::Refused { path: path.to_owned(), problem };
    // Only what is below a folder that is there is a pattern.
    let folder = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new(""));
    let pattern = path
        .strip_prefix(folder)
        .map_or(path.to_owned(), |below| Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(below));
    let found =
        glob::glob(&pattern.to_string_lossy()).map_err(|error| refused(format!("this is not a pattern: {error}")))?;
    let mut files = Vec::new();
    for file in found.take(MAX_FILES + 1) {
        let file =
            file.map_err(|error| DataError::Unreadable { path: error.path().to_owned(), source: error.into() })?;
        if file.is_file() {
            files.push(file);
        }
    }
    match files.len() {
        0 => Err(refused("no file has a name like this".to_owned())),
        count if count > MAX_FILES => Err(refused(format!("more than {MAX_FILES} files have names like this"))),
        _ => Ok(files),
    }
}

/// The bytes of a file, at most `limit`, decompressed and unpacked.
pub(super) fn open(path: &Path, options: &ReadOptions, limit: u64) -> Result<Opened, DataError> {
    let bytes = if path == Path::new(STANDARD_INPUT) { standard_input(limit)? } else { bytes(path, limit)? };
    let is_archive = has_extension(path, "zip") || path == Path::new(STANDARD_INPUT) && is_archive(&bytes, options);
    if !is_archive {
        if options.member.is_some() {
            let problem = "`member` names a file of a .zip archive, which this is not; leave it out".to_owned();
            return Err(DataError::Refused { path: path.to_owned(), problem });
        }
        return Ok(Opened { path: path.to_owned(), member: None, bytes });
    }
    let (member, bytes) = unpacked(path, bytes, options.member.as_deref(), limit)?;
    Ok(Opened { path: path.to_owned(), member: Some(member), bytes })
}

fn is_archive(bytes: &[u8], options: &ReadOptions) -> bool {
    bytes.starts_with(ZIP) && options.format != Some(super::format::Format::Sheet)
}

fn standard_input(limit: u64) -> Result<Vec<u8>, DataError> {
    let path = PathBuf::from(STANDARD_INPUT);
    let input = io::stdin().lock();
    if input.is_terminal() {
        let problem = "standard input is a terminal; pipe data into it".to_owned();
        return Err(DataError::Refused { path, problem });
    }
    let bytes = read_most(input, limit).and_then(|bytes| plain(bytes, limit));
    let bytes = bytes.map_err(|source| told(&path, limit, source))?;
    if bytes.is_empty() {
        let problem = "nothing is in standard input; it can be read only once".to_owned();
        return Err(DataError::Refused { path, problem });
    }
    Ok(bytes)
}

/// The bytes of a file, at most this many; those of gzip are decompressed, whatever its name is.
fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>, DataError> {
    let is_named = has_extension(path, "gz");
    let read = if is_named {
        let file = File::open(path).map_err(|source| DataError::Unreadable { path: path.to_owned(), source })?;
        decompressed(BufReader::new(file), limit)
    } else {
        read_file(path, limit).and_then(|bytes| plain(bytes, limit))
    };
    read.map_err(|source| match source.kind() {
        _ if !is_named => told(path, limit, source),
        ErrorKind::FileTooLarge => DataError::TooLarge { path: path.to_owned(), limit },
        _ => DataError::Compressed { path: path.to_owned(), source },
    })
}

fn told(path: &Path, limit: u64, source: io::Error) -> DataError {
    let path = path.to_owned();
    match source.kind() {
        ErrorKind::FileTooLarge => DataError::TooLarge { path, limit },
        _ => DataError::Unreadable { path, source },
    }
}

fn plain(bytes: Vec<u8>, limit: u64) -> io::Result<Vec<u8>> {
    if bytes.starts_with(GZIP) { read_most(MultiGzDecoder::new(bytes.as_slice()), limit) } else { Ok(bytes) }
}

/// The decompressed bytes of gzip data, at most this many.
fn decompressed(mut file: impl io::BufRead, limit: u64) -> io::Result<Vec<u8>> {
    if !file.fill_buf()?.starts_with(GZIP) {
        return Err(io::Error::other("it does not begin as such files do; leave out .gz if it is not compressed"));
    }
    read_most(MultiGzDecoder::new(file), limit)
}

/// The only file of an archive, or the one with this name.
fn unpacked(path: &Path, bytes: Vec<u8>, member: Option<&str>, limit: u64) -> Result<(String, Vec<u8>), DataError> {
    let refused = |problem: String| DataError::Refused { path: path.to_owned(), problem };
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).map_err(|error| refused(error.to_string()))?;
    let is_data = |name: &String| !name.ends_with('/') && !name.starts_with("__MACOSX/");
    let names = archive.file_names().map(|name| name.map(|name| name.into_owned()));
    let names: Vec<String> = names.collect::<Result<_, _>>().map_err(|error| refused(error.to_string()))?;
    let names: Vec<String> = names.into_iter().filter(is_data).collect();
    let name = match (member, names.as_slice()) {
        (Some(name), _) if names.iter().any(|known| known == name) => name.to_owned(),
        (None, [only]) => only.clone(),
        (None, []) => return Err(refused("there is no file in this archive".to_owned())),
        (_, known) => {
            let known: Vec<String> =
                known.iter().take(20).map(|name| format!("`{}`", ptc_lisp::text::escaped(name))).collect();
            let count = names.len();
            let known = known.join(", ");
            return Err(refused(format!("the archive has {count} files: {known}; choose one with `member = \"…\"`")));
        }
    };
    let file = archive.by_name(&name).map_err(|error| refused(format!("{name}: {error}")))?;
    let bytes = read_most(file.take(limit + 1), limit).map_err(|source| match source.kind() {
        ErrorKind::FileTooLarge => DataError::TooLarge { path: path.to_owned(), limit },
        _ => refused(format!("{name}: {source}")),
    })?;
    Ok((name, bytes))
}
