//! How much of a file is read: records of runs may come from another author.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ptc_chat::read_file;

use crate::journal::{first_unpacked, unpacked};

/// The longest journal, step, trace log or state of a session that is read, in bytes.
pub const MAX_RECORD_BYTES: u64 = 512 << 20;

/// What every record begins with.
pub(crate) const RECORD_HEAD: &[u8] = b"{\"type\":\"header\"";

/// Bytes that the text read from a record may take as JSON.
const MAX_JSON_BYTES: u64 = 4 << 30;

/// Bytes of an object with its first field.
const OBJECT: u64 = 600;
/// Bytes of a further field.
const FIELD: u64 = 220;
/// Bytes of an array with its first element.
const ARRAY: u64 = 320;
/// Bytes of a further element.
const ELEMENT: u64 = 160;
/// Regular expressions read from a record: compiling takes up to 10 ms and 1 MB each.
const MAX_REGEXES: u64 = 4096;
/// The key of a regular expression, and the bytes of its longest spelling.
const REGEX: &[u8] = b"$regex";
const LONGEST_REGEX: usize = r"\u0024".len() * REGEX.len();

/// The content of a file of at most [`MAX_RECORD_BYTES`], unpacked if it is one of gzip; errors as [`read_file`], and when
/// that is damaged.
pub fn read_record(path: &Path) -> io::Result<Vec<u8>> {
    read_file(path, MAX_RECORD_BYTES).and_then(unpacked)
}

/// The first bytes of a file, at most so many, as [`read_record`] has them.
pub fn read_record_head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut head)?;
    Ok(first_unpacked(head, most))
}

/// Whether a file that begins with these bytes, as [`read_record_head`] has them, is the record of a run.
///
/// ```
/// assert!(ptc_transcript::is_record_head(br#"{"type":"header","format":"ptc-journal","version":2"#));
/// assert!(!ptc_transcript::is_record_head(br#"{"version":1,"ending":"return"}"#));
/// ```
#[must_use]
pub fn is_record_head(bytes: &[u8]) -> bool {
    bytes.starts_with(RECORD_HEAD)
}

/// The bound that is exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Excess {
    /// Bytes of text.
    #[error("it is larger than the limit of {} MB", MAX_RECORD_BYTES >> 20)]
    Text,
    /// Bytes of memory that reading it takes.
    #[error("its content is larger than the limit of {} MB as JSON", MAX_JSON_BYTES >> 20)]
    Json,
    /// Regular expressions, which take time to compile.
    #[error("it has more than {MAX_REGEXES} regular expressions, the limit")]
    Regexes,
}

/// Errors when a text of JSON, or of lines of JSON, is too large to read. Cost: linear, without allocating values.
pub fn check_bounds(text: &[u8]) -> Result<(), Excess> {
    check_within(text, MAX_RECORD_BYTES, MAX_JSON_BYTES)
}

fn check_within(text: &[u8], most: u64, json: u64) -> Result<(), Excess> {
    Bounds { text: most, json, regexes: MAX_REGEXES }.take(text)
}

/// How much may still be read of texts that are parts of one file.
#[derive(Debug)]
pub(crate) struct Bounds {
    /// Bytes.
    pub text: u64,
    /// Bytes as JSON.
    json: u64,
    regexes: u64,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { text: MAX_RECORD_BYTES, json: MAX_JSON_BYTES, regexes: MAX_REGEXES }
    }
}

impl Bounds {
    /// Count a text. Errors when it is too much.
    pub fn take(&mut self, text: &[u8]) -> Result<(), Excess> {
        self.text = self.text.checked_sub(text.len() as u64).ok_or(Excess::Text)?;
        let Cost { bytes, regexes } = cost(text);
        self.json = self.json.checked_sub(bytes).ok_or(Excess::Json)?;
        self.regexes = self.regexes.checked_sub(regexes).ok_or(Excess::Regexes)?;
        Ok(())
    }
}

/// The most that reading a text takes.
struct Cost {
    /// Bytes as JSON.
    bytes: u64,
    regexes: u64,
}

fn cost(text: &[u8]) -> Cost {
    let mut cost = Cost { bytes: 2 * text.len() as u64, regexes: 0 };
    // Whether each open thing is an object; deep texts are refused when they are read.
    let mut in_object: Vec<bool> = Vec::new();
    let (mut rest, mut last): (&[u8], &[u8]) = (text, &[]);
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => (last, rest) = string(after),
            b'{' | b'[' => {
                cost.bytes += if *byte == b'{' { OBJECT } else { ARRAY };
                in_object.push(*byte == b'{');
            }
            b'}' | b']' => drop(in_object.pop()),
            b',' => cost.bytes += if in_object.last().is_some_and(|is| *is) { FIELD } else { ELEMENT },
            b':' => cost.regexes += u64::from(is_regex(last)),
            _ => {}
        }
    }
    cost
}

/// Whether a key, as written, is that of a regular expression: it may have escapes.
fn is_regex(key: &[u8]) -> bool {
    let read = || serde_json::from_slice::<String>(&[b"\"", key, b"\""].concat());
    key == REGEX
        || key.len() <= LONGEST_REGEX && key.contains(&b'\\') && read().is_ok_and(|key| key.as_bytes() == REGEX)
}

/// The content of the string that begins here, as written, and what follows it.
fn string(text: &[u8]) -> (&[u8], &[u8]) {
    let mut escaped = false;
    let end = text.iter().position(|byte| {
        let closes = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        closes
    });
    match end.and_then(|end| Some((text.get(..end)?, text.get(end + 1..)?))) {
        Some(parts) => parts,
        None => (text, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_much_as_json_is_known_by_its_text() {
        let plain = br#"{"a":[1,2,{"b":"x"}]}"#;
        assert_eq!(cost(plain).bytes, 2 * plain.len() as u64 + 2 * OBJECT + ARRAY + 2 * ELEMENT);
        assert!(cost(br#"{"a":"$regex","b":"\n{{{{\"[[["}"#).bytes < 2_000);
        assert_eq!(check_within(b"[[],[],[]]", 10, 10_000), Ok(()));
        assert_eq!(check_within(b"[[],[],[]]", 9, 10_000), Err(Excess::Text));
        assert_eq!(check_within(b"[[],[],[]]", 10, 1_500), Err(Excess::Json));
        // A file from another author may hold anything.
        for odd in [&b"}}]]]"[..], b"\"", b"\"\\", b":::", b"{[{[", b"\xff\x00,"] {
            let least = 2 * odd.len() as u64;
            assert!((least..=least + 2 * (OBJECT + ARRAY)).contains(&cost(odd).bytes), "{odd:?}");
        }
    }

    #[test]
    fn regular_expressions_are_counted_and_other_keys_are_not() {
        let many = |key: &str| format!("{{\"{key}\":\"a\"}}\n").repeat(5_000);
        for regex in ["$regex", r"$re\u0067ex", r"\u0024\u0072\u0065\u0067\u0065\u0078"] {
            let found = check_bounds(many(regex).as_bytes()).unwrap_err();
            assert_eq!(found.to_string(), "it has more than 4096 regular expressions, the limit");
        }
        for other in [r"C:\\logs\\x", r"a\nb", r#"\"$regex\""#, r"$re\\u0067ex", r"\u0024regexp", "regex", r"\x"] {
            assert_eq!(check_bounds(many(other).as_bytes()), Ok(()), "{other}");
        }
    }

    #[test]
    fn json_takes_no_more_than_is_said() {
        // As large as 64-bit systems make it, with what the allocator adds.
        let size = size_of::<serde_json::Value>() as u64;
        assert!(2 * size <= ELEMENT && 4 * size <= ARRAY, "{size}");
    }

    #[test]
    fn a_file_that_is_too_long_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        let file = File::create(&path).unwrap();
        file.set_len(MAX_RECORD_BYTES + 1).unwrap();
        let error = read_record(&path).unwrap_err();
        assert_eq!(error.to_string(), "it is larger than the limit of 512 MB");
        assert_eq!(error.to_string(), Excess::Text.to_string());
    }
}
