//! Files of servers that their user has looked at: what they say may run.

use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use ptc_chat::read_file;
use ptc_lisp::text::escaped;
use ptc_transcript::{private_file, private_folder};
use sha2::{Digest, Sha256};

use crate::user::user_state;

/// Bytes of the longest list that is read: some ten thousand files.
const MAX_LIST: u64 = 4 << 20;

/// The files that a user has trusted, each with its content: a file that changes has to be trusted again.
///
/// A mission file can name a file of servers as other clients have it, and both can come with a folder that was copied
/// from somewhere. So the servers of that file are only connected when its user has agreed to it.
#[derive(Debug, Clone)]
pub struct TrustedFiles {
    list: PathBuf,
}

impl TrustedFiles {
    /// Those of the user who runs this process; none where the user has no known folder.
    #[must_use]
    pub fn of_user() -> Option<TrustedFiles> {
        user_state().map(|folder| TrustedFiles::listed_in(folder.join("trusted")))
    }

    /// Those of this list.
    #[must_use]
    pub fn listed_in(list: impl Into<PathBuf>) -> TrustedFiles {
        TrustedFiles { list: list.into() }
    }

    /// The list.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.list
    }

    /// Whether the file was trusted when it had this text. A list that cannot be read has none.
    #[must_use]
    pub fn knows(&self, file: impl AsRef<Path>, text: &str) -> bool {
        let Ok(mark) = Mark::of(file.as_ref(), text) else { return false };
        let list = read_file(&self.list, MAX_LIST).unwrap_or_default();
        let list = String::from_utf8_lossy(&list);
        list.lines().any(|line| line.split(' ').next() == Some(mark.0.as_str()))
    }

    /// Trust the file as long as it has this text.
    pub fn add(&self, file: impl AsRef<Path>, text: &str) -> io::Result<()> {
        let file = file.as_ref();
        if self.knows(file, text) {
            return Ok(());
        }
        let mark = Mark::of(file, text)?;
        if let Some(folder) = self.list.parent() {
            private_folder().recursive(true).create(folder)?;
        }
        let line = format!("{mark}  {}\n", escaped(&file.canonicalize()?.to_string_lossy()));
        private_file().create(true).append(true).open(&self.list)?.write_all(line.as_bytes())
    }
}

/// A file with its content: relative commands of the same text are other commands in another folder.
struct Mark(String);

impl Mark {
    fn of(file: &Path, text: &str) -> io::Result<Mark> {
        let path = file.canonicalize()?;
        let path = path.to_str().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "its path is not UTF-8"))?;
        let digest = Sha256::new().chain_update(path).chain_update([0]).chain_update(text).finalize();
        Ok(Mark(digest.iter().map(|byte| format!("{byte:02x}")).collect()))
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_trusted_at_its_place_as_long_as_it_does_not_change() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("mcp.json"), folder.path().join("copy.json"));
        std::fs::write(&file, "{}").unwrap();
        std::fs::write(&other, "{}").unwrap();
        let trusted = TrustedFiles::listed_in(folder.path().join("state").join("trusted"));
        assert!(!trusted.knows(&file, "{}"));
        trusted.add(&file, "{}").unwrap();
        trusted.add(&file, "{}").unwrap();
        assert!(trusted.knows(&file, "{}"));
        // The same place by another name.
        assert!(trusted.knows(folder.path().join("state").join("..").join("mcp.json"), "{}"));
        assert!(!trusted.knows(&file, "{} "), "another text");
        assert!(!trusted.knows(&other, "{}"), "another place");
        assert!(!trusted.knows(folder.path().join("gone.json"), "{}"));
        let list = std::fs::read_to_string(folder.path().join("state").join("trusted")).unwrap();
        assert_eq!((list.lines().count(), list.trim_end().ends_with("mcp.json")), (1, true), "{list}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = folder.path().join("state").join("trusted").metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
