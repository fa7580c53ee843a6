//! Reading an audit log from its end. A gateway writes it as long as it runs, so it may have any length.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::entry::AuditEntry;
use crate::store::{Store, told};
use crate::waiting::WaitingError;

/// Bytes at the end of a log that are read.
const MAX_BYTES: u64 = 8 << 20;

/// Damaged lines that are named; all are counted.
const MAX_NAMED: usize = 20;

/// The newest entries of an audit log, and what is not among them.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct AuditLog {
    /// The newest first.
    pub entries: Vec<AuditEntry>,
    /// Older lines that were left out.
    pub older_lines: usize,
    /// Bytes before them that were not read.
    pub unread_bytes: u64,
    /// The first damaged lines, the newest first.
    pub damaged: Vec<DamagedLine>,
    /// All damaged lines between the entries.
    pub damaged_lines: usize,
}

/// A line that is not an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DamagedLine {
    /// Where it begins: the number of bytes before it.
    pub at: u64,
    /// What is wrong with it.
    pub problem: String,
}

/// The newest entries in the audit log of the gateway whose state is in this folder, at most so many. Damaged lines are
/// left out and counted.
///
/// Cost: reads at most the last 8 MB of the log.
///
/// ```no_run
/// let log = ptc_gateway::audit_in(std::path::Path::new(".ptc/mcp"), 100)?;
/// for entry in &log.entries {
///     println!("{} {:?}", entry.at, entry.event);
/// }
/// println!("{} older lines, {} damaged ones", log.older_lines, log.damaged_lines);
/// # Ok::<(), ptc_gateway::WaitingError>(())
/// ```
pub fn audit_in(state: &Path, most: usize) -> Result<AuditLog, WaitingError> {
    let path = Store::existing(state)?.audit();
    let log = File::open(&path).and_then(|file| end_of(file, MAX_BYTES));
    match log {
        Ok((unread_bytes, bytes)) => Ok(AuditLog::read(unread_bytes, &bytes, most)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(AuditLog::default()),
        Err(error) => Err(told(&path, error).into()),
    }
}

/// At most so many bytes at the end of a file, beginning with a line, and the number of bytes before them.
fn end_of(mut file: File, most: u64) -> io::Result<(u64, Vec<u8>)> {
    let length = file.metadata()?.len();
    let from = length.saturating_sub(most);
    // With the byte before, which says whether a line begins there.
    let before = from.saturating_sub(1);
    file.seek(SeekFrom::Start(before))?;
    let mut bytes = Vec::new();
    file.take(length - before).read_to_end(&mut bytes)?;
    if from == 0 {
        return Ok((0, bytes));
    }
    let begin = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
    let lines = bytes.split_off(begin);
    Ok((before + begin as u64, lines))
}

impl AuditLog {
    /// The newest entries of these lines, which begin after `unread` bytes.
    fn read(unread: u64, lines: &[u8], most: usize) -> AuditLog {
        let mut log = AuditLog { unread_bytes: unread, ..AuditLog::default() };
        let mut end = lines.len();
        let mut is_last = true;
        for line in lines.rsplit(|byte| *byte == b'\n') {
            let begin = end - line.len();
            // A torn line was ended by an empty one.
            if !line.trim_ascii().is_empty() {
                log.take(unread + begin as u64, line, is_last, most);
            }
            is_last = false;
            end = begin.saturating_sub(1);
        }
        log
    }

    /// Take the next older line; `is_cut` for one without an end.
    fn take(&mut self, at: u64, line: &[u8], is_cut: bool, most: usize) {
        if self.entries.len() >= most {
            self.older_lines += 1;
            return;
        }
        match serde_json::from_slice(line) {
            Ok(entry) => self.entries.push(entry),
            Err(error) => {
                self.damaged_lines += 1;
                if self.damaged.len() < MAX_NAMED {
                    let problem = match is_cut {
                        true => "it has no end: a gateway is writing it, or was stopped meanwhile".to_owned(),
                        false => format!("it is not an entry: {error}"),
                    };
                    self.damaged.push(DamagedLine { at, problem });
                }
            }
        }
    }
}

#[cfg(test)]
pub(super) fn end_of_file(path: &Path, most: u64) -> io::Result<(u64, Vec<u8>)> {
    end_of(File::open(path)?, most)
}
