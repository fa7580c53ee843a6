//! Odd characters that models write instead of plain spaces and quotes.

/// The trimmed text with invisible characters dropped, odd spaces made plain and curly quotes made straight.
///
/// Contents of strings and comments stay as they are.
pub(super) fn clean(text: &str) -> String {
    if text.is_ascii() {
        // Only characters beyond ASCII are fixed.
        return trim(text).to_owned();
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut reader = Reader::default();
    for c in text.chars() {
        cleaned.extend(reader.read(c));
    }
    trim(&cleaned).to_owned()
}

/// Distinguishes strings of a program from the rest, character by character.
#[derive(Default)]
pub(super) struct Reader {
    place: Place,
    /// Whether the character before was a backslash that belongs to this one.
    escapes: bool,
}

impl Reader {
    /// Whether the next character is in a string.
    pub fn is_in_string(&self) -> bool {
        matches!(self.place, Place::Text | Place::CurlyText)
    }

    /// Continue after `c`; returns what is written for it.
    pub fn read(&mut self, c: char) -> Option<char> {
        if std::mem::take(&mut self.escapes) {
            return Some(c);
        }
        if self.place != Place::Comment && c == '\\' {
            self.escapes = true;
            return Some(c);
        }
        let (next, written) = step(self.place, c);
        self.place = next;
        written
    }
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Place {
    #[default]
    Code,
    Comment,
    /// Between straight quotes.
    Text,
    /// A string that a curly quote opened.
    CurlyText,
}

/// The place in the text after `c`, and what is written for it.
fn step(place: Place, c: char) -> (Place, Option<char>) {
    match (place, c) {
        (Place::Code, ';') => (Place::Comment, Some(c)),
        (Place::Code, '"') => (Place::Text, Some(c)),
        (Place::Code, _) if is_curly_quote(c) => (Place::CurlyText, Some('"')),
        (Place::Code, _) if is_invisible(c) => (Place::Code, None),
        (Place::Code, _) if is_odd_blank(c) => (Place::Code, Some(' ')),
        (Place::Code, _) if is_curly_apostrophe(c) => (Place::Code, Some('\'')),
        (Place::Comment, '\n') | (Place::Text, '"') => (Place::Code, Some(c)),
        (Place::CurlyText, _) if c == '"' || is_curly_quote(c) => (Place::Code, Some('"')),
        _ => (place, Some(c)),
    }
}

fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_invisible(c))
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{FEFF}' | '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FFFE}' | '\u{AD}' | '\u{180E}')
}

fn is_odd_blank(c: char) -> bool {
    matches!(c, '\u{A0}' | '\u{202F}' | '\u{2000}'..='\u{200A}')
}

fn is_curly_quote(c: char) -> bool {
    matches!(c, '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{2036}')
}

fn is_curly_apostrophe(c: char) -> bool {
    matches!(c, '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{2035}')
}
