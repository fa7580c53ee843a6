//! Journals in gzip files, whose names end in `.gz`: about a tenth of their text, and read by every tool that reads gzip.
//!
//! Each line is flushed, so that it survives the end of the process: it ends at [`FLUSHED`]. What a process that was
//! killed left behind is closed when the run is resumed, and the new process begins a gzip member after it.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use flate2::{Compression, Crc, Decompress, FlushDecompress, GzBuilder, Status};

use crate::bounds::MAX_RECORD_BYTES;

/// How gzip files begin.
const MAGIC: &[u8] = b"\x1f\x8b";
/// How each member that is written here begins: no name, no time.
const HEADER: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff";
/// The end of a flushed piece: an empty stored block.
const FLUSHED: &[u8] = b"\x00\x00\xff\xff";
/// The last block of a member, with nothing in it.
const LAST: &[u8] = b"\x03\x00";

/// Whether bytes are those of a gzip file, or its beginning.
pub(super) fn is_packed(bytes: &[u8]) -> bool {
    !bytes.is_empty() && bytes.iter().zip(MAGIC).all(|(byte, magic)| byte == magic)
}

/// The first bytes of the text of a file that begins with these.
pub(crate) fn first_unpacked(bytes: Vec<u8>, most: u64) -> Vec<u8> {
    if !is_packed(&bytes) {
        return bytes;
    }
    let mut text = Vec::new();
    // It ends in the middle.
    let _ = GzDecoder::new(bytes.as_slice()).take(most).read_to_end(&mut text);
    text
}

/// A writer of one gzip member.
pub(super) fn packer(file: Arc<File>) -> GzEncoder<Arc<File>> {
    GzBuilder::new().operating_system(0xff).write(file, Compression::default())
}

/// What a gzip file holds.
#[derive(Debug, Default)]
pub(super) struct Packed {
    /// The text, without a piece that was not flushed.
    pub text: Vec<u8>,
    /// Bytes of the file up to there.
    pub whole: usize,
    /// What closes its last member, if nobody has.
    pub end: Vec<u8>,
}

/// The text of a gzip file, or of any other file as it is, without a piece at the end that is torn. Errors when it is
/// damaged or has more than [`MAX_RECORD_BYTES`].
pub(crate) fn unpacked(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    if is_packed(&bytes) { Packed::read(&bytes).map(|packed| packed.text) } else { Ok(bytes) }
}

/// The same as far as it can be unpacked, and the damage after it: the end of that text may be another than was packed.
pub(super) fn unpacked_in_part(bytes: Vec<u8>) -> io::Result<(Vec<u8>, Option<io::Error>)> {
    if !is_packed(&bytes) {
        return Ok((bytes, None));
    }
    let mut packed = Packed::default();
    match packed.take(&bytes) {
        Err(error) if error.kind() != io::ErrorKind::InvalidData => Err(error),
        taken => Ok((packed.text, taken.err())),
    }
}

impl Packed {
    pub(super) fn read(bytes: &[u8]) -> io::Result<Packed> {
        let mut packed = Packed::default();
        packed.take(bytes)?;
        Ok(packed)
    }

    /// Take what a file holds. After an error there is the text before the damage.
    fn take(&mut self, bytes: &[u8]) -> io::Result<()> {
        while let Some(rest) = bytes.get(self.whole..).filter(|rest| !rest.is_empty()) {
            let before = self.text.len();
            let most = MAX_RECORD_BYTES - before as u64;
            let mut member = GzDecoder::new(rest);
            match (&mut member).take(most + 1).read_to_end(&mut self.text) {
                Ok(read) if read as u64 > most => return Err(too_large()),
                Ok(_) => self.whole = bytes.len() - member.into_inner().len(),
                // Only a member that is not closed lacks bytes.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return self.open(before, rest),
                Err(error) => {
                    if let Some(data) = rest.strip_prefix(HEADER) {
                        self.text.truncate(before);
                        // It fails at the damage: what is before it is there.
                        let _ = inflate(data, &mut self.text);
                    }
                    return Err(damaged(&error));
                }
            }
        }
        Ok(())
    }

    /// Take what was flushed of a member that is not closed, whose text begins at `before`.
    fn open(&mut self, before: usize, member: &[u8]) -> io::Result<()> {
        let Some(data) = member.strip_prefix(HEADER) else {
            return if HEADER.starts_with(member) { Ok(()) } else { Err(damaged(&"it is cut off")) };
        };
        self.text.truncate(before);
        let flushed = data.windows(FLUSHED.len()).rposition(|bytes| bytes == FLUSHED).map(|at| at + FLUSHED.len());
        let Some(flushed) = data.get(..flushed.unwrap_or(0)).filter(|data| !data.is_empty()) else { return Ok(()) };
        inflate(&[flushed, LAST].concat(), &mut self.text)?;
        if self.text.last() != Some(&b'\n') {
            return Err(damaged(&"a line of it does not end where it was flushed"));
        }
        let mut crc = Crc::new();
        crc.update(self.text.get(before..).unwrap_or_default());
        self.end = [LAST, &crc.sum().to_le_bytes(), &crc.amount().to_le_bytes()].concat();
        self.whole += HEADER.len() + flushed.len();
        Ok(())
    }
}

/// Append the text of a deflate stream that ends where these bytes do. Errors when it does not: a bit of it was changed. Then
/// all is there that was flushed before that piece.
fn inflate(data: &[u8], text: &mut Vec<u8>) -> io::Result<()> {
    let most = MAX_RECORD_BYTES - text.len() as u64;
    let mut stream = Decompress::new(false);
    loop {
        text.reserve(data.len().max(1 << 12));
        let (read, written) = (stream.total_in(), stream.total_out());
        let rest = usize::try_from(read).ok().and_then(|read| data.get(read..)).unwrap_or_default();
        // Piece by piece: of one that is damaged nothing is written.
        let piece = rest.windows(FLUSHED.len()).position(|bytes| bytes == FLUSHED).map(|at| at + FLUSHED.len());
        let piece = piece.and_then(|end| rest.get(..end)).unwrap_or(rest);
        match stream.decompress_vec(piece, text, FlushDecompress::None) {
            _ if stream.total_out() > most => return Err(too_large()),
            Ok(Status::StreamEnd) if stream.total_in() == data.len() as u64 => return Ok(()),
            Ok(Status::Ok | Status::BufError) if (read, written) != (stream.total_in(), stream.total_out()) => {}
            Ok(_) => return Err(damaged(&"a part of it does not end where it was flushed")),
            Err(error) => return Err(damaged(&error)),
        }
    }
}

fn damaged(problem: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("this gzip file is damaged: {problem}; take it from a backup"))
}

fn too_large() -> io::Error {
    let told = format!("unpacked, it is larger than the limit of {} MB", MAX_RECORD_BYTES >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, told)
}
