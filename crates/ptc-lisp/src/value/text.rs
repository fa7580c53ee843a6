//! Strings: shared, counted in characters, grown in place when nobody else holds them.

use std::fmt;
use std::sync::Arc;

use compact_str::CompactString;

use super::grow::room_for_text;
use crate::error::Res;
use crate::meter::Meter;
use crate::pace::push_text;

/// An immutable string of Unicode scalar values behind one thin pointer.
///
/// Length and indexing are O(1) for ASCII text, O(n) otherwise; cloning is one atomic increment. Up to 24 bytes are
/// one allocation together with the header, longer texts two.
#[derive(Clone)]
pub struct Text(Arc<Body>);

struct Body {
    text: CompactString,
    chars: usize,
}

impl Body {
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
        self.0.chars
    }

    /// Whether every character is one byte.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.0.chars == self.0.text.len()
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
        let added = more.chars().count();
        if let Some(body) = Arc::get_mut(&mut self.0) {
            body.make_room(more.len(), meter)?;
            body.text.push_str(more);
            body.chars += added;
            return Ok(self);
        }
        let length = self.0.text.len() + more.len();
        meter.charge(length / 16)?;
        meter.allocate(size_of::<Body>() + 32 + length)?;
        let mut text = String::with_capacity(length);
        push_text(&mut text, &self.0.text, meter)?;
        push_text(&mut text, more, meter)?;
        Ok(Text(Arc::new(Body { text: CompactString::from(text), chars: self.0.chars + added })))
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
        Text(Arc::new(Body { text, chars }))
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
        Text(Arc::new(Body { text: CompactString::new(text), chars }))
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
    fn eq(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.0.chars == other.0.chars && same_bytes(self.as_str().as_bytes(), other.as_str().as_bytes()))
    }
}

/// Different texts mostly differ in their first byte, and to look at that takes no call.
#[inline]
fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    a.first() == b.first() && a == b
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

    proptest! {
        #[test]
        fn characters_are_counted_and_texts_compared_by_content(text in "[a-cé\u{10000}]{0,40}", other in "[a-cé]{0,3}") {
            let (made, same) = (Text::from(text.as_str()), Text::from(text.clone()));
            prop_assert_eq!(made.chars(), text.chars().count());
            prop_assert_eq!(made.is_ascii(), text.is_ascii());
            prop_assert_eq!(&made, &same);
            prop_assert_eq!(made == Text::from(other.as_str()), text == other);
        }
    }
}
