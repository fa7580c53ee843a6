//! Data files: JSON, JSON Lines, CSV, text, and the same compressed.

use std::path::Path;

use ptc_runner::config::read_data;
use ptc_runner::lisp::Value;
use ptc_runner::lisp::values::{NoCells, to_json};
use tempfile::TempDir;

/// The file extensions; the first byte of an input chooses one.
const KINDS: [&str; 6] = ["json", "jsonl", "csv", "txt", "csv.gz", "json.gz"];

/// A file is data or one error; data can be written as JSON and read back as the same.
pub(crate) fn run(bytes: &[u8]) {
    let Some((kind, content)) = bytes.split_first() else { return };
    let kind = KINDS[usize::from(*kind) % KINDS.len()];
    let folder = folder();
    let path = folder.path().join(format!("data.{kind}"));
    if std::fs::write(&path, content).is_err() {
        panic!("{} cannot be written", path.display());
    }
    let read = read_data(&path);
    match read {
        Ok(file) => {
            if let Ok(json) = to_json(&file.value, &NoCells) {
                let again =
                    Value::from_json_str(&json.to_string()).ok().and_then(|value| to_json(&value, &NoCells).ok());
                assert_eq!(again, Some(json), "{kind}");
            }
        }
        Err(error) => assert!(error.to_string().contains("data."), "an error names the file: {error}"),
    }
}

/// A folder for one input, as several are looked at at once; in memory where the machine has one.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    match made {
        Ok(folder) => folder,
        Err(error) => panic!("no folder for data: {error}"),
    }
}
