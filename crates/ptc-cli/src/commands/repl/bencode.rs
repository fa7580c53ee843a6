//! Bencode, in which nREPL writes its messages.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

/// Levels of a message.
const MAX_LEVELS: usize = 16;

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Bencode {
    Int(i64),
    Text(String),
    List(Vec<Bencode>),
    Dict(BTreeMap<String, Bencode>),
}

impl From<&str> for Bencode {
    fn from(text: &str) -> Bencode {
        Bencode::Text(text.to_owned())
    }
}

impl From<String> for Bencode {
    fn from(text: String) -> Bencode {
        Bencode::Text(text)
    }
}

impl<const N: usize> From<[(&str, Bencode); N]> for Bencode {
    fn from(entries: [(&str, Bencode); N]) -> Bencode {
        Bencode::Dict(entries.map(|(key, value)| (key.to_owned(), value)).into())
    }
}

impl Bencode {
    /// The text under this key of a dictionary.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        let Bencode::Dict(entries) = self else { return None };
        if let Some(Bencode::Text(text)) = entries.get(key) { Some(text) } else { None }
    }

    /// What is under this key of a dictionary.
    pub(super) fn get(&self, key: &str) -> Option<&Bencode> {
        if let Bencode::Dict(entries) = self { entries.get(key) } else { None }
    }

    /// The next value, of at most `most` bytes; `None` at the end. Errors when something else comes.
    pub(super) fn read(input: &mut impl BufRead, most: u64) -> io::Result<Option<Bencode>> {
        if input.fill_buf()?.is_empty() {
            return Ok(None);
        }
        value(&mut input.take(most), MAX_LEVELS).map(Some)
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Bencode::Int(number) => out.extend(format!("i{number}e").into_bytes()),
            Bencode::Text(text) => put(text, out),
            Bencode::List(items) => {
                out.push(b'l');
                items.iter().for_each(|item| item.write(out));
                out.push(b'e');
            }
            Bencode::Dict(entries) => {
                out.push(b'd');
                for (key, value) in entries {
                    put(key, out);
                    value.write(out);
                }
                out.push(b'e');
            }
        }
    }
}

fn put(text: &str, out: &mut Vec<u8>) {
    out.extend(format!("{}:{text}", text.len()).into_bytes());
}

fn value(input: &mut io::Take<&mut impl BufRead>, levels: usize) -> io::Result<Bencode> {
    let mut first = [0];
    input.read_exact(&mut first)?;
    item(first[0], input, levels)
}

/// The value that begins with this byte.
fn item(first: u8, input: &mut io::Take<&mut impl BufRead>, levels: usize) -> io::Result<Bencode> {
    let levels = levels.checked_sub(1).ok_or_else(|| bad("too many levels"))?;
    match first {
        b'i' => number(String::new(), b'e', input).map(Bencode::Int),
        b'0'..=b'9' => text(first, input).map(Bencode::Text),
        b'l' => {
            let mut items = Vec::new();
            while let Some(first) = more(input)? {
                items.push(item(first, input, levels)?);
            }
            Ok(Bencode::List(items))
        }
        b'd' => {
            let mut entries = BTreeMap::new();
            while let Some(first) = more(input)? {
                let key = text(first, input)?;
                entries.insert(key, value(input, levels)?);
            }
            Ok(Bencode::Dict(entries))
        }
        _ => Err(bad("not bencode")),
    }
}

/// The first byte of another element; none at the end.
fn more(input: &mut io::Take<&mut impl BufRead>) -> io::Result<Option<u8>> {
    let mut first = [0];
    input.read_exact(&mut first)?;
    Ok(Some(first[0]).filter(|first| *first != b'e'))
}

/// A text whose length begins with this digit. Nothing is reserved for what is only announced.
fn text(first: u8, input: &mut io::Take<&mut impl BufRead>) -> io::Result<String> {
    let length = number(char::from(first).to_string(), b':', input)?;
    let length = u64::try_from(length).map_err(|_| bad("not a length"))?;
    let mut text = Vec::new();
    if input.by_ref().take(length).read_to_end(&mut text)? as u64 != length {
        return Err(bad("it ends in the middle of a text, or is too long"));
    }
    String::from_utf8(text).map_err(|_| bad("not UTF-8"))
}

fn number(mut digits: String, end: u8, input: &mut io::Take<&mut impl BufRead>) -> io::Result<i64> {
    while let Some(byte) = Some(more_of(input)?).filter(|byte| *byte != end) {
        digits.push(char::from(byte));
        if digits.len() > 20 {
            return Err(bad("not a number"));
        }
    }
    digits.parse().map_err(|_| bad("not a number"))
}

fn more_of(input: &mut impl Read) -> io::Result<u8> {
    let mut byte = [0];
    input.read_exact(&mut byte)?;
    Ok(byte[0])
}

fn bad(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bencode() -> impl Strategy<Value = Bencode> {
        let leaf = prop_oneof![any::<i64>().prop_map(Bencode::Int), ".{0,9}".prop_map(Bencode::Text)];
        leaf.prop_recursive(4, 20, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Bencode::List),
                prop::collection::btree_map(".{0,3}", inner, 0..4).prop_map(Bencode::Dict),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(values in prop::collection::vec(bencode(), 0..4), cut in 0_usize..40) {
            let mut bytes = Vec::new();
            values.iter().for_each(|value| value.write(&mut bytes));
            let mut input = &bytes[..];
            for value in &values {
                prop_assert_eq!(Bencode::read(&mut input, 10_000).unwrap(), Some(value.clone()));
            }
            prop_assert_eq!(Bencode::read(&mut input, 10_000).unwrap(), None);
            // A message that is cut off is an error or an earlier one, and never waits or panics.
            let mut part = &bytes[..cut.min(bytes.len())];
            while matches!(Bencode::read(&mut part, 10_000), Ok(Some(_))) {}
        }

        #[test]
        fn other_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _any = Bencode::read(&mut &bytes[..], 1_000);
        }
    }

    #[test]
    fn what_is_too_long_or_too_deep_is_refused() {
        for bytes in
            ["9999999999999:a", "99999999999999999999999:", "i1", "GET / HTTP/1.1", &"l".repeat(100), "d1:ae", "i1x"]
        {
            assert!(Bencode::read(&mut bytes.as_bytes(), 50).is_err(), "{bytes}");
        }
        assert_eq!(Bencode::read(&mut &b"3:abc"[..], 4).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
