//! Codes: who approves from outside a client has read one where the gateway shows it, which a model that asks cannot.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use ptc_transcript::private_file;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::ask::lock;
use crate::audit::now;
use crate::store::{Waiting, told};

/// Letters and digits that cannot be taken for each other.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Characters of a code: 60 bits, too many to be found by trying, even with the digest.
const CHARACTERS: u32 = 12;

/// Bytes of the file with codes above which it is removed when nothing waits.
const LONG: u64 = 1 << 20;

/// A secret for one question, written `7KQ2-M4XD-9TPA`.
pub(crate) struct Code(String);

impl Code {
    /// One that cannot be guessed.
    pub fn random() -> Code {
        // All of the lower 60 bits of these identifiers are random.
        let bits = uuid::Uuid::new_v4().as_u128();
        let letter = |at: u32| ALPHABET.get((bits >> (5 * at)) as usize % ALPHABET.len()).copied();
        let letters: Vec<u8> = (0..CHARACTERS).filter_map(letter).collect();
        let groups = letters.chunks(4).map(|group| String::from_utf8_lossy(group).into_owned());
        Code(groups.collect::<Vec<_>>().join("-"))
    }

    /// What people typed, however they write it.
    pub fn typed(text: &str) -> Code {
        let letter = |c: char| match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        Code(text.chars().filter(char::is_ascii_alphanumeric).map(letter).collect())
    }

    /// What may be written where others read it: it does not lead to the code.
    pub fn digest(&self, question: &Waiting) -> CodeDigest {
        let letters = self.0.replace('-', "");
        CodeDigest(sha256(&format!("{} {} {letters}", question.session, question.fingerprint)))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The digest of the code of a question. The one of an earlier release is empty and fits no code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CodeDigest(String);

impl CodeDigest {
    /// Whether this is the code of the question.
    pub fn fits(&self, question: &Waiting, code: &str) -> bool {
        same(&self.0, &Code::typed(code).digest(question).0)
    }
}

/// The SHA-256 of a text, in hexadecimal digits.
pub(crate) fn sha256(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether two digests are the same, in a time that does not depend on how much of them is.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

type Show = Box<dyn Fn(&str) + Send + Sync>;

/// Where questions are shown with their codes.
pub(crate) struct Codes {
    log: PathBuf,
    show: Mutex<Option<Show>>,
}

impl Codes {
    /// In this file, which only its owner can read.
    pub fn in_file(log: PathBuf) -> Codes {
        Codes { log, show: Mutex::default() }
    }

    /// Remove a long file of codes that approve nothing any more.
    pub fn forget(&self) {
        if fs::metadata(&self.log).is_ok_and(|log| log.len() > LONG) {
            // Otherwise it stays long.
            let _kept = fs::remove_file(&self.log);
        }
    }

    /// Not in the file, but to the person who reads this.
    pub fn to_person(&self, show: Show) {
        *lock(&self.show) = Some(show);
    }

    /// Show a question with its code.
    pub fn show(&self, question: &Waiting, code: &Code) -> io::Result<()> {
        let lines = question.text.replace('\n', "\n  ");
        let text = format!("question {} waits, its code is {code}\n  {lines}\n", question.id());
        if let Some(show) = &*lock(&self.show) {
            show(&text);
            return Ok(());
        }
        let file = private_file().append(true).create(true).open(&self.log);
        let written = file.and_then(|mut file| file.write_all(format!("{} {text}", now()).as_bytes()));
        written.map_err(|error| told(&self.log, error))
    }
}

impl fmt::Debug for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Codes").field("log", &self.log).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_fits_its_question_however_it_is_typed_and_no_other_one() {
        let question = |fingerprint: &str| Waiting {
            session: "s".to_owned(),
            fingerprint: fingerprint.to_owned(),
            text: String::new(),
            all: false,
        };
        let (asked, other) = (question("f1"), question("f2"));
        for _ in 0..100 {
            let code = Code::random();
            let text = code.to_string();
            assert!(text.len() == 14 && text.chars().all(|c| c == '-' || ALPHABET.contains(&(c as u8))), "{text}");
            let digest = code.digest(&asked);
            for typed in [
                text.clone(),
                text.to_lowercase(),
                text.replace('-', ""),
                format!(" {text}\n"),
                text.replace('1', "l").replace('0', "o"),
            ] {
                assert!(digest.fits(&asked, &typed), "{text}: {typed}");
            }
            let almost = format!("{}{}", &text[..13], if text.ends_with('Z') { 'Y' } else { 'Z' });
            for wrong in ["", "-", &text[..13], &almost, &Code::random().to_string(), &digest.0] {
                assert!(!digest.fits(&asked, wrong), "{text}: {wrong}");
            }
            assert!(!digest.fits(&other, &text) && !CodeDigest::default().fits(&asked, &text));
        }
    }
}
