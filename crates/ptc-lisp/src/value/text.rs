//! Strings: shared, counted in characters, grown in place when they are not shared.
//!
//! Bounded: the operations here announce what they add before they add it.

#[cfg(test)]
mod tests;

mod places;

use std::cell::OnceCell;
use std::fmt;
use std::sync::{Arc, OnceLock};

use compact_str::CompactString;

use self::places::{Places, passed};
use super::grow::{push_text, reserve_text, text_for};
use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::limits::pace::STRETCH;

/// An immutable string of Unicode scalar values behind one thin pointer.
///
/// Length and indexing are O(1); the first index into a long text that is not ASCII records the places of its
/// characters. Cloning is one atomic increment. Up to 24 bytes are one allocation together with the header, longer
/// texts two.
#[derive(Clone)]
pub struct Text(Arc<Body>);

struct Body {
    content: Content,
    /// The number of characters, or [`MANY`] when they are counted on demand.
    chars: u32,
    /// The first bytes, zero where there are none: most different texts differ here.
    head: [u8; HEAD],
}

enum Content {
    Plain(CompactString),
    /// A long one with characters beyond ASCII.
    Spaced(Box<Spaced>),
}

struct Spaced {
    text: String,
    /// Created when a place is needed.
    places: OnceLock<Places>,
}

const MANY: u32 = u32::MAX;
const HEAD: usize = 4;

/// From this many bytes on, places are recorded.
const SPACED: usize = 512;

const _: () = assert!(size_of::<Body>() <= 32, "most texts are short");

impl Content {
    #[inline]
    fn as_str(&self) -> &str {
        match self {
            Content::Plain(text) => text,
            Content::Spaced(spaced) => &spaced.text,
        }
    }

    fn capacity(&self) -> usize {
        match self {
            Content::Plain(text) => text.capacity(),
            Content::Spaced(spaced) => spaced.text.capacity(),
        }
    }

    /// Append a text for which there is capacity.
    fn push_str(&mut self, more: &str) {
        match self {
            Content::Plain(text) => text.push_str(more),
            Content::Spaced(spaced) => {
                spaced.text.push_str(more);
                if let Some(places) = spaced.places.get_mut() {
                    places.note(&spaced.text);
                }
            }
        }
    }
}

impl Spaced {
    /// The places, unless the text is too long for them.
    fn places(&self) -> Option<&Places> {
        let note = || {
            let mut places = Places::default();
            places.note(&self.text);
            places
        };
        (self.text.len() < MANY as usize).then(|| self.places.get_or_init(note))
    }
}

impl Body {
    fn new(text: CompactString, chars: usize) -> Body {
        let mut head = [0; HEAD];
        text.as_bytes().iter().zip(&mut head).for_each(|(byte, place)| *place = *byte);
        let content = if chars < text.len() && text.len() >= SPACED {
            Content::Spaced(Box::new(Spaced { text: text.into_string(), places: OnceLock::new() }))
        } else {
            Content::Plain(text)
        };
        Body { content, chars: u32::try_from(chars).unwrap_or(MANY), head }
    }

    #[inline]
    fn as_str(&self) -> &str {
        self.content.as_str()
    }

    fn chars(&self) -> usize {
        if self.chars == MANY { self.as_str().chars().count() } else { self.chars as usize }
    }

    /// Append `more` to the content, which then has `chars` characters.
    fn push_str(&mut self, more: &str, chars: usize) {
        self.content.push_str(more);
        match &mut self.content {
            Content::Plain(text) => *self = Body::new(std::mem::take(text), chars),
            // The first bytes stay the same, and the text is long.
            Content::Spaced(_) => self.chars = u32::try_from(chars).unwrap_or(MANY),
        }
    }

    #[inline]
    fn is_same(&self, other: &Body) -> bool {
        if self.chars != other.chars || self.head != other.head {
            return false;
        }
        // A byte of ASCII is a character: if the text has no more characters than these bytes, it is already compared.
        (self.chars as usize <= HEAD && self.head.is_ascii()) || self.as_str() == other.as_str()
    }

    /// Reserve capacity for `more` bytes; charges the growth.
    fn reserve(&mut self, more: usize, meter: &mut Meter) -> Fallible<()> {
        if self.content.capacity() - self.as_str().len() >= more {
            return Ok(());
        }
        match &mut self.content {
            Content::Plain(text) => {
                // The buffer of a long text is moved out and back unchanged.
                let mut buffer = std::mem::take(text).into_string();
                let granted = reserve_text(&mut buffer, more, meter);
                *text = CompactString::from_string_buffer(buffer);
                granted
            }
            Content::Spaced(spaced) => reserve_text(&mut spaced.text, more, meter),
        }
    }
}

impl Text {
    /// The text as `str`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Number of characters (Unicode scalar values).
    #[must_use]
    pub fn chars(&self) -> usize {
        self.0.chars()
    }

    /// Whether every character is one byte.
    #[must_use]
    pub fn is_ascii(&self) -> bool {
        self.0.chars as usize == self.as_str().len() || (self.0.chars == MANY && self.as_str().is_ascii())
    }

    /// Whether a pass over the text takes longer than a look at the clock.
    #[inline]
    pub(crate) fn is_long(&self) -> bool {
        self.0.chars as usize > STRETCH
    }

    /// The byte offset of character `index`, clamped to the end.
    #[must_use]
    pub fn offset(&self, index: usize) -> usize {
        let text = self.as_str();
        if self.is_ascii() {
            return index.min(text.len());
        }
        match self.places() {
            Some(places) => places.offset(text, index),
            None => passed(text, 0, index).unwrap_or(text.len()),
        }
    }

    /// How many characters are before `byte`, which is at the start of a character or the end of the text.
    pub(crate) fn index_at(&self, byte: usize) -> usize {
        if self.is_ascii() {
            return byte;
        }
        match self.places() {
            Some(places) => places.index(self, byte),
            None => self.get(..byte).map_or(0, |before| before.chars().count()),
        }
    }

    fn places(&self) -> Option<&Places> {
        match &self.0.content {
            Content::Plain(_) => None,
            Content::Spaced(spaced) => spaced.places(),
        }
    }

    /// Bytes that are scanned to find a place in the text.
    pub(crate) fn steps_to_a_place(&self) -> usize {
        if self.is_ascii() { 0 } else { self.len().min(SPACED) }
    }

    /// The character at `index`.
    #[must_use]
    pub fn char_at(&self, index: usize) -> Option<char> {
        if self.is_ascii() {
            return self.as_bytes().get(index).map(|byte| char::from(*byte));
        }
        self.get(self.offset(index)..)?.chars().next()
    }

    /// Append in place when this is the only holder, else on a copy; charges the growth.
    pub(crate) fn push_str(mut self, more: &str, meter: &mut Meter) -> Fallible<Text> {
        let chars = self.chars() + more.chars().count();
        if let Some(body) = Arc::get_mut(&mut self.0) {
            body.reserve(more.len(), meter)?;
            body.push_str(more, chars);
            return Ok(self);
        }
        let length = self.len() + more.len();
        meter.charge(length / 16)?;
        meter.allocate(size_of::<Body>() + 32)?;
        let mut text = text_for(length, meter)?;
        push_text(&mut text, &self, meter)?;
        push_text(&mut text, more, meter)?;
        Ok(Text(Arc::new(Body::new(CompactString::from(text), chars))))
    }

    /// Bytes held, header included.
    pub(crate) fn bytes(&self) -> usize {
        const HEADER: usize = 2 * size_of::<usize>() + size_of::<Body>();
        match &self.0.content {
            Content::Plain(text) if text.is_heap_allocated() => HEADER + text.capacity(),
            Content::Plain(_) => HEADER,
            Content::Spaced(spaced) => {
                HEADER + size_of::<Spaced>() + spaced.text.capacity() + spaced.places.get().map_or(0, Places::bytes)
            }
        }
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

/// Like the standard function, which takes as long to start as most texts take in all.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = |bytes: &[u8; 8]| u64::from_ne_bytes(*bytes);
    // Up to 16 bytes, the first and the last eight cover all of them.
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) if bytes.len() <= 16 => (word(first) | word(last)) & HIGH == 0,
        _ => bytes.is_ascii(),
    }
}

thread_local! {
    /// The ASCII characters: the elements of most strings, and a sequence of a string holds many of them.
    static CHARS: [OnceCell<Text>; 128] = const { [const { OnceCell::new() }; 128] };
}

impl From<char> for Text {
    fn from(c: char) -> Text {
        let made = || Text::made_of(c);
        CHARS
            .try_with(|chars| chars.get(c as usize).map(|known| known.get_or_init(made).clone()))
            .ok()
            .flatten()
            .unwrap_or_else(made)
    }
}

impl Text {
    fn made_of(c: char) -> Text {
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
        fmt::Debug::fmt(self.as_str(), f)
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
