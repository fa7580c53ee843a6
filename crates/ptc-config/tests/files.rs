//! Small files as people have them: separators, titles, encodings, quotes, numbers, dates, and what is read of each.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails where it stands")]

use std::fs;
use std::path::Path;

use ptc_config::{ReadOptions, read_data_with};
use serde::Deserialize;
use serde_json::{Value as Json, json};

/// The files with their expected values. What others read is there for people.
const FILES: &str = include_str!("files/ugly.toml");

#[derive(Deserialize)]
struct Files {
    file: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    name: String,
    what: String,
    text: Option<String>,
    /// Each character is a byte.
    bytes: Option<String>,
    #[serde(default)]
    options: serde_json::Map<String, Json>,
    /// The value, or the error.
    reads: String,
    #[serde(default)]
    notes: Vec<String>,
    pandas: Option<String>,
    duckdb: Option<String>,
}

impl Expected {
    fn content(&self) -> Vec<u8> {
        let bytes = |text: &String| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        self.text.as_ref().map(|text| text.clone().into_bytes()).or_else(|| self.bytes.as_ref().map(bytes)).unwrap()
    }

    fn read(&self, folder: &Path) -> (String, Vec<String>) {
        let path = folder.join(&self.name);
        fs::write(&path, self.content()).unwrap();
        let mut options = ReadOptions::default();
        for (name, value) in &self.options {
            options.set(name, value).unwrap();
        }
        let plain = |text: String| text.replace(&format!("{}/", folder.display()), "");
        match read_data_with(&path, &options) {
            Ok(file) => (file.value.to_string(), file.notes.into_iter().map(plain).collect()),
            Err(error) => (plain(error.to_string()), Vec::new()),
        }
    }
}

#[test]
fn files_as_people_have_them() {
    let files: Files = toml::from_str(FILES).unwrap();
    assert!(files.file.len() >= 60);
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for file in &files.file {
        let (reads, notes) = file.read(folder.path());
        if (&reads, &notes) != (&file.reads, &file.notes) {
            wrong.push(json!({"name": file.name, "what": file.what, "reads": reads, "notes": notes}).to_string());
        }
    }
    assert!(wrong.is_empty(), "these are read differently:\n{}", wrong.join("\n"));
}

#[test]
fn what_others_read_is_recorded() {
    let files: Files = toml::from_str(FILES).unwrap();
    let compared = files.file.iter().filter(|file| file.pandas.is_some() && file.duckdb.is_some()).count();
    assert!(compared >= 60, "{compared}");
}
