//! Files that the command writes. None replaces a file that the same option did not write, unless `--force` is given,
//! and none replaces a file that the command reads.
//!
//! They are written next to their destination and renamed ([`WholeFile`]), except the record of a run, which has its
//! final name from its first line on, so that a crash loses nothing.

mod format;
mod whole;

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use ptc_runner::config::named;

pub(crate) use format::Format;
pub(crate) use whole::{Readers, WholeFile, replace};

/// A file that cannot be written to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TargetFailure {
    #[error("{option} {}: there is a file that {option} did not write; name another one, or add --force to replace it", named(.path))]
    Foreign { option: &'static str, path: PathBuf },
    #[error("{option} {}: there is a file already; name another one, or add --force to replace it", named(.path))]
    Present { option: &'static str, path: PathBuf },
    #[error("{option} {}: this is a folder; name a file in it", named(.path))]
    Folder { option: &'static str, path: PathBuf },
    #[error("{option} {}: this command reads {what} from this file; name another one", named(.path))]
    Read { option: &'static str, path: PathBuf, what: &'static str },
    #[error("{option} {}: {other} names the same file; name another one", named(.path))]
    Twice { option: &'static str, other: &'static str, path: PathBuf },
    #[error("{option}: cannot write {}: {source}", named(.path))]
    Unwritable { option: &'static str, path: PathBuf, r#source: io::Error },
}

/// What is at a path before anything is written there.
#[derive(Debug, PartialEq, Eq)]
enum ExistingFile {
    /// Nothing, an empty file, one that the same option wrote, or any with `--force`.
    Free,
    /// A pipe or a device.
    Stream,
}

/// Whether `path` may be written to; missing parent folders are created.
fn look(path: &Path, format: Format, force: bool) -> Result<ExistingFile, TargetFailure> {
    let option = format.option;
    let unwritable = |source| TargetFailure::Unwritable { option, path: path.to_owned(), source };
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(unwritable)?;
            return Ok(ExistingFile::Free);
        }
        Err(error) => return Err(unwritable(error)),
    };
    if found.is_dir() {
        return Err(TargetFailure::Folder { option, path: path.to_owned() });
    }
    if !found.is_file() {
        return Ok(ExistingFile::Stream);
    }
    if found.len() == 0 || force {
        return Ok(ExistingFile::Free);
    }
    let Some(head) = format.head else { return Err(TargetFailure::Present { option, path: path.to_owned() }) };
    let mut begin = Vec::new();
    File::open(path).and_then(|file| file.take(format::HEAD_BYTES).read_to_end(&mut begin)).map_err(unwritable)?;
    if format::begins_with(&begin, head) {
        Ok(ExistingFile::Free)
    } else {
        Err(TargetFailure::Foreign { option, path: path.to_owned() })
    }
}

/// Empty a file that somebody wants to be replaced.
pub(crate) fn free(path: &Path, format: Format) -> Result<(), TargetFailure> {
    let option = format.option;
    let emptied = fs::OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(0));
    emptied.map_err(|source| TargetFailure::Unwritable { option, path: path.to_owned(), source })
}

/// Refuse outputs that are files which the command reads, or that another option writes, even with `--force`.
pub(crate) fn apart(
    outputs: &[(&'static str, Option<&Path>)],
    inputs: &[(&'static str, &Path)],
) -> Result<(), TargetFailure> {
    let outputs: Vec<(&'static str, &Path)> =
        outputs.iter().filter_map(|(option, path)| Some((*option, (*path)?))).collect();
    for (index, (option, path)) in outputs.iter().enumerate() {
        if let Some((what, _)) = inputs.iter().find(|(_, input)| is_same_file(path, input)) {
            return Err(TargetFailure::Read { option, path: path.to_path_buf(), what });
        }
        if let Some((other, _)) = outputs.iter().take(index).find(|(_, other)| is_same_file(path, other)) {
            return Err(TargetFailure::Twice { option, other, path: path.to_path_buf() });
        }
    }
    Ok(())
}

/// Whether both paths lead to one file, which need not exist yet; devices may be shared.
fn is_same_file(left: &Path, right: &Path) -> bool {
    match (left.exists(), right.exists()) {
        // A pipe would wait for its other end, and a file that may only be written cannot be opened to compare.
        (true, true) => {
            let is_same = || fs::canonicalize(left).ok() == fs::canonicalize(right).ok();
            left.is_file() && right.is_file() && same_file::is_same_file(left, right).unwrap_or_else(|_| is_same())
        }
        (false, false) => resolved(left) == resolved(right),
        _ => false,
    }
}

/// A path that does not exist yet, its folder without links and dots.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = path.file_name().unwrap_or_default();
    fs::canonicalize(folder).map_or_else(|_| path.to_owned(), |folder| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is reported about a file with this content.
    fn check(format: Format, content: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        fs::write(&path, content).unwrap();
        match look(&path, format, false) {
            Ok(found) => format!("{found:?}"),
            Err(error) => error.to_string().replace(&folder.path().display().to_string(), "F"),
        }
    }

    #[test]
    fn files_are_known_by_how_they_begin() {
        let chrome = "{\"traceEvents\":[{\"name\":\"trace\",\"cat\":\"trace\"";
        assert_eq!(check(Format::CHROME, &format!("{chrome},\"ph\":\"X\"}}]}}")), "Free");
        assert_eq!(check(Format::REQUESTS, "{\"turn\":12,\"attempt\":1,\"system\":\"\"}\n"), "Free");
        assert_eq!(check(Format::RECORD, ""), "Free");
        insta::assert_snapshot!(check(Format::CHROME, &chrome[..30]), @"--chrome F/f: there is a file that --chrome did not write; name another one, or add --force to replace it");
        insta::assert_snapshot!(check(Format::REQUESTS, "{\"turn\":1}\n"), @"--requests F/f: there is a file that --requests did not write; name another one, or add --force to replace it");
        insta::assert_snapshot!(check(Format::RECORD, "{\"agent\":null,\"content\":\"\"}\n"), @"--record F/f: there is a file already; name another one, or add --force to replace it");
    }

    #[cfg(unix)]
    #[test]
    fn what_runs_hold_is_for_their_owner_and_pages_are_as_usual() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
        WholeFile::at(&at("requests"), Format::REQUESTS, false).unwrap().write("{}").unwrap();
        WholeFile::at(&at("record"), Format::RECORD, false).unwrap().write("{}").unwrap();
        WholeFile::at(&at("page"), Format::HTML, false).unwrap().write("<p>").unwrap();
        replace(&at("memory"), b"{}", Readers::Owner).unwrap();
        fs::write(at("usual"), "").unwrap();
        assert_eq!(["requests", "record", "memory"].map(mode), [0o600; 3]);
        assert_eq!(mode("page"), mode("usual"));
        // The mode of a file that exists is a choice of its owner.
        fs::set_permissions(at("memory"), fs::Permissions::from_mode(0o640)).unwrap();
        replace(&at("memory"), b"{}", Readers::Owner).unwrap();
        assert_eq!(mode("memory"), 0o640);
    }
}
