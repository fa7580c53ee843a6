//! Strings: shared, counted in characters, grown in place when nobody else holds them.

use std::fmt;
use std::sync::Arc;

use super::grow::room_for_text;
use crate::error::Res;
use crate::meter::Meter;

/// An immutable string of Unicode scalar values behind one thin pointer.
///
/// Length and indexing are O(1) for ASCII text, O(n) otherwise; cloning is one atomic increment.
#[derive(Clone)]
pub struct Text(Arc<Body>);

struct Body {
    text: String,
    chars: usize,
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
        self.0.text.char_indices().nth(index).map_or(self.0.text.len(), |(at, _)| at)
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
            room_for_text(&mut body.text, more.len(), meter)?;
            body.text.push_str(more);
            body.chars += added;
            return Ok(self);
        }
        let length = self.0.text.len() + more.len();
        meter.charge(length / 16)?;
        meter.allocate(size_of::<Body>() + 32 + length)?;
        let mut text = String::with_capacity(self.0.text.len() + more.len());
        text.push_str(&self.0.text);
        text.push_str(more);
        Ok(Text(Arc::new(Body { text, chars: self.0.chars + added })))
    }

    /// Bytes held, header included.
    pub(crate) fn bytes(&self) -> usize {
        48 + self.0.text.capacity()
    }

    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }

    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        let chars = if text.is_ascii() { text.len() } else { text.chars().count() };
        Text(Arc::new(Body { text, chars }))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text::from(text.to_owned())
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.text == other.0.text
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
