//! Strings: shared, counted in characters, grown in place when nobody else holds them.

use std::fmt;
use std::sync::Arc;

use compact_str::CompactString;

use super::grow::room_for_text;
use crate::error::Res;
use crate::meter::Meter;
use crate::pace::{STRETCH, push_text};

/// An immutable string of Unicode scalar values behind one thin pointer.
///
/// Length and indexing are O(1) for ASCII text, O(n) otherwise; cloning is one atomic increment. Up to 24 bytes are
/// one allocation together with the header, longer texts two.
#[derive(Clone)]
pub struct Text(Arc<Body>);

struct Body {
    text: CompactString,
    /// Characters, or [`MANY`] when they are counted when asked for.
    chars: u32,
    /// The first bytes, zero where there are none: most texts that differ do so here.
    head: [u8; HEAD],
}

const MANY: u32 = u32::MAX;
const HEAD: usize = 4;

impl Body {
    fn new(text: CompactString, chars: usize) -> Body {
        let mut head = [0; HEAD];
        text.as_bytes().iter().zip(&mut head).for_each(|(byte, place)| *place = *byte);
        Body { text, chars: u32::try_from(chars).unwrap_or(MANY), head }
    }

    fn chars(&self) -> usize {
        if self.chars == MANY { self.text.chars().count() } else { self.chars as usize }
    }

    #[inline]
    fn is_same(&self, other: &Body) -> bool {
        if self.chars != other.chars || self.head != other.head {
            return false;
        }
        // A byte of ASCII is a character: when as many characters as these bytes are all there is, the text has been compared.
        (self.chars as usize <= HEAD && self.head.is_ascii()) || self.text == other.text
    }

    /// Make room for `more` bytes; charges the growth.
    fn make_room(&mut self, more: usize, meter: &mut Meter) -> Res<()> {
        if self.text.capacity() - self.text.len() >= more {
            return Ok(());
        }
        // The buffer of a long text goes to and fro as it is.
        let mut buffer = std::mem::take(&mut self.text).into_string();
        let granted = room_for_text(&mut buffer, more, meter);
        self.text = CompactString::from_string_buffer(buffer);
        granted
    }
}

impl Text {
    /// The text as `str`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0.text
    }

    /// Number of characters (Unicode scalar values).
    #[must_use]
    pub fn chars(&self) -> usize {
        self.0.chars()
    }

    /// Whether every character is one byte.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.0.chars as usize == self.0.text.len() || (self.0.chars == MANY && self.0.text.is_ascii())
    }

    /// Whether to go through the text takes longer than a look at the clock.
    #[inline]
    pub(crate) fn is_long(&self) -> bool {
        self.0.chars as usize > STRETCH
    }

    /// The byte offset of character `index`, clamped to the end.
    #[must_use]
    pub fn offset(&self, index: usize) -> usize {
        if self.is_ascii() {
            return index.min(self.0.text.len());
        }
        let Some(before) = index.checked_sub(1) else { return 0 };
        // Skipping characters is faster than asking for the place of each.
        let mut rest = self.0.text.chars();
        let _ = rest.nth(before);
        self.0.text.len() - rest.as_str().len()
    }

    /// The character at `index`.
    #[must_use]
    pub fn char_at(&self, index: usize) -> Option<char> {
        if self.is_ascii() {
            return self.0.text.as_bytes().get(index).map(|byte| char::from(*byte));
        }
        self.0.text.chars().nth(index)
    }

    /// Append in place when this is the only holder, else on a copy; charges the growth.
    pub(crate) fn push_str(mut self, more: &str, meter: &mut Meter) -> Res<Text> {
        let chars = self.chars() + more.chars().count();
        if let Some(body) = Arc::get_mut(&mut self.0) {
            body.make_room(more.len(), meter)?;
            body.text.push_str(more);
            *body = Body::new(std::mem::take(&mut body.text), chars);
            return Ok(self);
        }
        let length = self.0.text.len() + more.len();
        meter.charge(length / 16)?;
        meter.allocate(size_of::<Body>() + 32 + length)?;
        let mut text = String::with_capacity(length);
        push_text(&mut text, &self.0.text, meter)?;
        push_text(&mut text, more, meter)?;
        Ok(Text(Arc::new(Body::new(CompactString::from(text), chars))))
    }

    /// Bytes held, header included.
    pub(crate) fn bytes(&self) -> usize {
        const HEADER: usize = 2 * size_of::<usize>() + size_of::<Body>();
        if self.0.text.is_heap_allocated() { HEADER + self.0.text.capacity() } else { HEADER }
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

impl From<CompactString> for Text {
    fn from(text: CompactString) -> Text {
        let chars = if text.is_ascii() { text.len() } else { text.chars().count() };
        Text(Arc::new(Body::new(text, chars)))
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text::from(CompactString::from(text))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        let chars = if is_ascii(text.as_bytes()) { text.len() } else { text.chars().count() };
        Text(Arc::new(Body::new(CompactString::new(text), chars)))
    }
}

/// As the standard function, which takes as long to begin with as most texts are long.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes);
    // Up to 16 bytes the first and the last eight are all of them.
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if bytes.len() <= 16 => (word(first) | word(last)) & HIGH == 0,
        _ => bytes.is_ascii(),
    }
}

impl From<char> for Text {
    fn from(c: char) -> Text {
        let mut bytes = [0; 4];
        Text::from(CompactString::new(c.encode_utf8(&mut bytes)))
    }
}

impl PartialEq for Text {
    #[inline]
    fn eq(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_same(&other.0)
    }
}

impl Eq for Text {}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0.text, f)
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::ops::Deref for Text {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Text;
    use crate::meter::Meter;

    proptest! {
        #[test]
        fn characters_are_counted_and_texts_compared_by_content(text in "[a-cé\u{10000}]{0,40}", other in "[a-cé\u{0}]{0,5}", third in "[a-cé\u{0}]{0,5}") {
            let (made, same) = (Text::from(text.as_str()), Text::from(text.clone()));
            prop_assert_eq!(made.chars(), text.chars().count());
            prop_assert_eq!(made.is_ascii(), text.is_ascii());
            prop_assert_eq!(&made, &same);
            prop_assert_eq!(made == Text::from(other.as_str()), text == other);
            prop_assert_eq!(Text::from(other.as_str()) == Text::from(third.as_str()), other == third);
            let mut meter = Meter::host();
            let grown = Text::from(other.as_str()).push_str(&third, &mut meter);
            prop_assert_eq!(grown.map_err(|_| TestCaseError::fail("refused"))?, Text::from(format!("{other}{third}")));
        }
    }
}
