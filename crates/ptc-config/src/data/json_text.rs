//! JSON and JSON Lines: one value, or several one after the other.

use std::path::Path;

use ptc_lisp::text::shortened;
use ptc_lisp::{Import, Value, Vector};
use serde_json::value::RawValue;

use super::format::Format;
use super::open::Opened;
use super::options::ReadOptions;
use super::reading::{Reading, lines};
use super::{DataError, DataFile, decoded, sniffed_note, twice};
use crate::place::{Lines, line_end, named, place_in};

/// Words that some programs write where JSON has none.
const WORDS: [&str; 7] = ["NaN", "-Infinity", "Infinity", "None", "True", "False", "undefined"];

/// The value of a file, or the elements of all files.
pub(super) fn read(opened: Vec<Opened>, format: Format, options: &ReadOptions) -> Result<DataFile, DataError> {
    let is_one = opened.len() == 1;
    let (mut found, mut import, mut elements) = (DataFile::from(Value::Nil), Import::uncounted(), Vec::new());
    for file in opened {
        let is_named = options.format.is_some() || Format::of(file.named()).is_some();
        let (path, part, decoded) = decoded(file, format, options)?;
        let (text, mut notes) = without_words(decoded.text, options.null.as_deref());
        notes.extend((!is_named).then(|| sniffed_note(format)));
        let reader = Reader { path: &path, text: &text, format };
        let value = reader.value(&mut import, options.skips_bad_rows, &mut notes)?;
        found.readings.push(Reading {
            count: value.as_vector().map_or(1, Vector::len),
            format: format.row().title,
            encoding: Some(decoded.encoding.name()),
            part,
            file: path.clone(),
            ..Reading::default()
        });
        found.notes.extend(notes.into_iter().map(|note| format!("{}: {note}", named(&path))));
        match value {
            value if is_one => found.value = value,
            Value::Vector(items) => elements.extend(items.into_vec()),
            _ => {
                let problem = "this is not a list, and several files are read as one list; name it alone".to_owned();
                return Err(DataError::Refused { path, problem });
            }
        }
    }
    if !is_one {
        found.value = import.list(elements);
    }
    Ok(found)
}

/// The text where these words, outside of strings, are `null`.
fn without_words(text: String, words: Option<&[String]>) -> (String, Vec<String>) {
    let Some(words) = words.filter(|words| !words.is_empty()) else { return (text, Vec::new()) };
    let (mut made, mut count, mut is_string) = (String::with_capacity(text.len()), 0, false);
    let mut rest = text.as_str();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    while let Some(c) = rest.chars().next() {
        let before = made.chars().next_back().is_some_and(is_part);
        let is_word = |word: &&String| {
            let after = rest.strip_prefix(word.as_str());
            !is_string && !before && !word.is_empty() && after.is_some_and(|after| !after.starts_with(is_part))
        };
        if let Some(word) = words.iter().find(is_word) {
            made.push_str("null");
            count += 1;
            rest = rest.get(word.len()..).unwrap_or_default();
            continue;
        }
        // An escaped character does not end a string.
        let taken = if is_string && c == '\\' { rest.chars().take(2).map(char::len_utf8).sum() } else { c.len_utf8() };
        is_string ^= c == '"';
        made.push_str(rest.get(..taken).unwrap_or_default());
        rest = rest.get(taken..).unwrap_or_default();
    }
    let note = (count > 0).then(|| format!("{count} of its values are words that mean a missing value, and are nil"));
    (made, note.into_iter().collect())
}

struct Reader<'t> {
    path: &'t Path,
    text: &'t str,
    format: Format,
}

impl Reader<'_> {
    fn value(&self, import: &mut Import, skips: bool, notes: &mut Vec<String>) -> Result<Value, DataError> {
        if self.format == Format::Json {
            return self.json(import, notes);
        }
        if skips {
            return self.good_lines(import, notes);
        }
        let values = self.several(import)?;
        let written = self.text.lines().filter(|line| !line.trim().is_empty()).count();
        if let ([Value::Vector(items)], true) = (values.as_slice(), self.text.trim_start().starts_with('[')) {
            let count = items.len();
            notes.push(format!("it is one JSON list of {count} elements, not a value in each line; `format = \"json\"` reads its elements"));
        } else if written != values.len() {
            let count = values.len();
            notes.push(format!("there is not one value in each line: {count} values in {written} lines were read"));
        }
        Ok(import.list(values))
    }

    fn json(&self, import: &mut Import, notes: &mut Vec<String>) -> Result<Value, DataError> {
        let error = match import.text(self.text) {
            Ok(value) => {
                twice::check(self.text).map_err(|error| self.invalid(0, &error))?;
                return Ok(value);
            }
            Err(error) => error,
        };
        // Several values one after the other: what follows the first one is the mistake then.
        let mut first = serde_json::Deserializer::from_str(self.text).into_iter::<&RawValue>();
        let is_first_good = first.next().is_some_and(|value| value.is_ok());
        let next = self.text.get(first.byte_offset()..).unwrap_or_default().trim_start();
        if !is_first_good || !next.starts_with(['{', '[', '"']) {
            return Err(self.invalid(0, &error));
        }
        let values = self.several(import)?;
        notes.push(format!("it has {} values one after the other, and is read as the list of them", values.len()));
        Ok(import.list(values))
    }

    /// The values one after the other, wherever their lines end.
    fn several(&self, import: &mut Import) -> Result<Vec<Value>, DataError> {
        let mut stream = serde_json::Deserializer::from_str(self.text).into_iter::<&RawValue>();
        let mut values = Vec::new();
        while let Some(next) = stream.next() {
            let raw = next.map_err(|error| self.invalid(0, &error))?.get();
            let base = stream.byte_offset().saturating_sub(raw.len());
            let value = import.text(raw).and_then(|value| twice::check(raw).map(|()| value));
            values.push(value.map_err(|error| self.invalid(base, &error))?);
        }
        Ok(values)
    }

    /// The lines that are values; the others are left out.
    fn good_lines(&self, import: &mut Import, notes: &mut Vec<String>) -> Result<Value, DataError> {
        let (mut at, mut values, mut bad, mut why) = (0, Vec::new(), Vec::new(), None);
        while at < self.text.len() {
            let end = line_end(self.text, at);
            let line = self.text.get(at..end).unwrap_or_default();
            if !line.trim().is_empty() {
                match import.text(line).and_then(|value| twice::check(line).map(|()| value)) {
                    Ok(value) => values.push(value),
                    Err(error) => {
                        bad.push(at);
                        why.get_or_insert_with(|| self.told(at, &error).1);
                    }
                }
            }
            at = end;
        }
        if let Some(why) = why {
            let numbers = Lines::of(self.text).numbers(&bad);
            let (count, are) = (bad.len(), if bad.len() == 1 { "line is" } else { "lines are" });
            let first = numbers.first().copied().unwrap_or(1);
            notes.push(format!("{count} {are} left out: {}; of line {first}: {why}", lines(&numbers)));
        }
        Ok(import.list(values))
    }

    /// An error of the JSON reader, which read from byte `base`.
    fn invalid(&self, base: usize, error: &serde_json::Error) -> DataError {
        let (at, problem) = self.told(base, error);
        DataError::Invalid { place: place_in(self.path, self.text, at), problem }
    }

    fn told(&self, base: usize, error: &serde_json::Error) -> (usize, String) {
        let text = self.text.get(base..).unwrap_or_default();
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        let line = starts.take(error.line().max(1)).last().unwrap_or_default();
        let at = base + (line + error.column().saturating_sub(1)).min(text.len());
        let told = error.to_string();
        let problem = told.split(" at line ").next().unwrap_or_default();
        if error.is_data() {
            return (at, problem.to_owned());
        }
        let (before, after) = (self.text.get(..at).unwrap_or_default(), self.text.get(at..).unwrap_or_default());
        let word = WORDS.iter().find(|word| {
            after.starts_with(**word)
                || before.ends_with('-') && word.strip_prefix('-').is_some_and(|rest| after.starts_with(rest))
        });
        let hint = match (word, after.chars().next()) {
            (Some(word), _) => {
                let word = shortened(word, 20);
                format!("; `{word}` is not in JSON, `null = [\"{word}\"]` reads it as nil")
            }
            (None, Some('\'')) => "; texts and keys are in double quotes".to_owned(),
            _ => String::new(),
        };
        (at, format!("this is not JSON: {problem}{hint}"))
    }
}
