//! What is left of a record that was damaged.

use std::io;
use std::path::Path;

use ptc_chat::read_file;

use super::lines::LineReader;
use super::packed::unpacked_in_part;
use super::recorded::check_torn;
use crate::bounds::{MAX_RECORD_BYTES, is_record_head};

/// Where a record is damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the record is damaged from line {line} on ({problem}): only what is before it can be shown")]
pub struct Damage {
    /// The first line that is not as it was written, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// The content of a file as [`read_record`](crate::read_record) has it; where that is a damaged record, its lines before the
/// damage. A line at the end that is torn is not damage.
///
/// Errors as `read_record`, where nothing of a record is left.
///
/// ```
/// use ptc_transcript::read_undamaged;
/// # use ptc_transcript::{JournalHeader, JournalLines, JournalRecord, JournalStart, JournalSubject};
/// # let about = JournalSubject { mission: "Count.", signature: None, max_turns: 5, retry_turns: 0, tools: &[] };
/// # let header = JournalHeader::new(&about, &JournalStart::new(&ptc_lisp::Map::new()))?;
/// # let line = JournalLines::default().line(None, &JournalRecord::Header(Box::new(header)))?;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.jsonl");
///
/// std::fs::write(&path, format!("{line}{{\"type\":\"resumed\"}}\n"))?; // a line that was added by hand
/// let (text, damage) = read_undamaged(&path)?;
/// assert_eq!((text, damage.unwrap().line), (line.into_bytes(), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_undamaged(path: &Path) -> io::Result<(Vec<u8>, Option<Damage>)> {
    read_file(path, MAX_RECORD_BYTES).and_then(undamaged)
}

pub(super) fn undamaged(file: Vec<u8>) -> io::Result<(Vec<u8>, Option<Damage>)> {
    let (mut text, after) = unpacked_in_part(file)?;
    let Some((whole, line, found)) = is_record_head(&text).then(|| whole_lines(&text)).flatten() else {
        return after.map_or(Ok((text, None)), Err);
    };
    match found.or_else(|| after.map(|problem| problem.to_string())) {
        None => Ok((text, None)),
        Some(problem) => {
            text.truncate(whole);
            Ok((text, Some(Damage { line, problem })))
        }
    }
}

/// The length of the lines whose sums hold, the number of the line after them, and what is wrong with that one, if
/// anything is. `None` where not even the first one holds, as in version 1, which has none.
fn whole_lines(text: &[u8]) -> Option<(usize, usize, Option<String>)> {
    let mut reader = LineReader::default();
    let mut whole = 0;
    for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let found = match line.ends_with(b"\n") {
            true => reader.undamaged(line).err(),
            false => return Some((whole, index + 1, check_torn(line).err())),
        };
        match found {
            Some(_) if index == 0 => return None,
            Some(problem) => return Some((whole, index + 1, Some(problem))),
            None => whole += line.len(),
        }
    }
    Some((whole, text.split(|byte| *byte == b'\n').count(), None))
}
