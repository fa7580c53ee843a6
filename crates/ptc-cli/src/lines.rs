//! Lines of standard input, none of which can take all memory.

use std::io::{self, BufRead, ErrorKind, Read};

/// The lines of a stream.
pub(crate) struct Lines<R> {
    from: R,
    most: usize,
    line: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// Lines of at most `most` bytes each.
    pub(crate) fn new(from: R, most: usize) -> Lines<R> {
        Lines { from, most, line: Vec::new() }
    }

    /// The next line with its end, if it has one; `None` after the last line. A longer line is an error.
    pub(crate) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let most = u64::try_from(self.most).unwrap_or(u64::MAX).saturating_add(1);
        self.from.by_ref().take(most).read_until(b'\n', &mut self.line)?;
        if self.line.len() > self.most && !self.line.ends_with(b"\n") {
            let told = format!("it has a line of more than {} bytes", self.most);
            return Err(io::Error::new(ErrorKind::FileTooLarge, told));
        }
        Ok((!self.line.is_empty()).then_some(&self.line))
    }
}
