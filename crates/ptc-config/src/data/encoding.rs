//! Bytes as text: UTF-8, UTF-16, and what older programs write.

use std::path::Path;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use ptc_lisp::text::shortened;

use super::DataError;
use crate::place::place_in;
use crate::text::{NotUtf8, utf8};

/// Bytes that are looked at where there is no byte order mark.
const SAMPLE: usize = 4_096;

/// Characters of a word that a note quotes.
const QUOTED_CHARS: usize = 30;

/// The text of a file, and its encoding where that is not UTF-8.
pub(super) struct Decoded {
    pub(super) text: String,
    pub(super) encoding: &'static Encoding,
    /// Whether it was guessed, without a byte order mark.
    pub(super) is_guessed: bool,
}

impl Decoded {
    /// What people should check where the encoding was guessed: how the first characters beyond ASCII are read.
    pub(super) fn doubt(&self) -> Option<String> {
        if !self.is_guessed {
            return None;
        }
        let name = self.encoding.name();
        let is_beyond = |word: &&str| !word.is_ascii();
        let letters = self.text.split(|c: char| !c.is_alphanumeric()).find(is_beyond);
        let word = letters.or_else(|| self.text.split_whitespace().find(is_beyond));
        let word = word.map(|word| shortened(word, QUOTED_CHARS).into_owned());
        let read = word.map_or(String::new(), |word| format!(": `{word}`"));
        Some(format!("it is not UTF-8 and is read as {name}{read}; `encoding = \"…\"` says another one"))
    }
}

/// The text of these bytes in this encoding, or in the one that they show: a byte order mark, zero bytes of UTF-16, UTF-8.
/// With `guesses`, any other bytes are those of windows-1252, unless they also hold characters of UTF-8.
pub(super) fn decode(
    path: &Path,
    bytes: Vec<u8>,
    given: Option<&'static Encoding>,
    guesses: bool,
) -> Result<Decoded, DataError> {
    if bytes.starts_with(&[0xFF, 0xFE, 0, 0]) || bytes.starts_with(&[0, 0, 0xFE, 0xFF]) {
        let problem = "this is UTF-32, which is not read; save the file as UTF-8".to_owned();
        return Err(DataError::Refused { path: path.to_owned(), problem });
    }
    let marked = Encoding::for_bom(&bytes).map(|(encoding, _)| encoding);
    match given.or(marked).or_else(|| utf16(&bytes)).filter(|encoding| *encoding != UTF_8) {
        Some(encoding) => whole(path, &bytes, encoding, given.is_none() && marked.is_none()),
        None => match utf8(bytes) {
            Ok(text) => {
                let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
                Ok(Decoded { text, encoding: UTF_8, is_guessed: false })
            }
            Err((bytes, problem)) if guesses && given.is_none() && is_single_byte(&bytes) => {
                whole(path, &bytes, WINDOWS_1252, true).map_err(|_| not_utf8(path, &bytes, problem))
            }
            Err((bytes, problem)) => Err(not_utf8(path, &bytes, problem)),
        },
    }
}

fn not_utf8(path: &Path, bytes: &[u8], source: NotUtf8) -> DataError {
    DataError::NotText { place: place_in(path, &String::from_utf8_lossy(bytes), source.offset), source }
}

/// All bytes in an encoding; none may be left over.
fn whole(path: &Path, bytes: &[u8], encoding: &'static Encoding, is_guessed: bool) -> Result<Decoded, DataError> {
    let (text, used, has_errors) = encoding.decode(bytes);
    let is_control = |c: char| ('\u{80}'..='\u{9f}').contains(&c);
    if has_errors || (is_guessed && text.contains(is_control)) {
        let at = text.find(|c| c == '\u{fffd}' || is_control(c)).unwrap_or_default();
        let problem = format!("this is not text in {}; say `encoding = \"…\"`", used.name());
        return Err(DataError::Invalid { place: place_in(path, &text, at), problem });
    }
    Ok(Decoded { text: text.into_owned(), encoding: used, is_guessed })
}

/// UTF-16 without a byte order mark: every other byte of text in Latin letters is zero.
fn utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let sample = bytes.get(..bytes.len().min(SAMPLE) & !1).unwrap_or_default();
    let zeros = |parity: usize| sample.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, most) = (zeros(0), zeros(1), sample.len() * 2 / 5);
    match sample.len() >= 4 {
        true if odd > most && even == 0 => Some(UTF_16LE),
        true if even > most && odd == 0 => Some(UTF_16BE),
        _ => None,
    }
}

/// Whether no character beyond ASCII is one of UTF-8, and no byte is zero.
fn is_single_byte(bytes: &[u8]) -> bool {
    !bytes.contains(&0) && bytes.utf8_chunks().all(|chunk| chunk.valid().is_ascii())
}
