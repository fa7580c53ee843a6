//! Program text to forms: literals, names and brackets with their places, nothing looked up yet.

mod alphabet;
mod dispatch;
mod form;
mod layout;
mod name;
mod number;
mod opener;
mod reader;
#[cfg(test)]
mod tests;
mod text;

#[cfg(test)]
use crate::span::Position;
use crate::span::{Span, position};

pub use form::{Form, FormKind, Symbol};
pub use name::is_keyword_name;

use layout::Layout;
use reader::{Quotes, Reader};

/// What the reader refuses to look at.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Longest program, in bytes.
    pub max_bytes: usize,
    /// How many brackets, quotes, `@`, `^` and `#_` may be open at once.
    pub max_nesting: usize,
}

impl Default for ReadLimits {
    /// 131,072 bytes and 200 levels.
    fn default() -> Self {
        Self { max_bytes: 131_072, max_nesting: 200 }
    }
}

/// A program that was read.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The top-level forms in order; empty for a blank program.
    pub forms: Vec<Form>,
    /// Where decimal literals such as `1.5M` stand, which were read as floats.
    pub decimals: Vec<Span>,
    /// The first closing bracket that closes nothing.
    pub surplus: Option<Span>,
}

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong and what to write instead.
    pub message: String,
    /// The offending text.
    pub span: Span,
    /// The message says itself where it happened, or concerns the whole program: append no position.
    pub names_position: bool,
    /// What the text lacks, as far as the reader knows.
    lost: Lost,
}

/// What is missing where the reader can go on no longer; where it was lost may be another matter.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Lost {
    /// Nothing known.
    Nothing,
    /// The closing quote of a string.
    Quote,
    /// This bracket, at the end of the text.
    Closer(char),
    /// The partner of a closing bracket: the one that is open, at this offset, is of another kind.
    Pair { opened: u32 },
}

impl ParseError {
    /// A problem with the text at `span`, of which the message does not say where it is.
    fn at(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, names_position: false, lost: Lost::Nothing }
    }

    /// A problem whose message carries its positions.
    fn placed(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, names_position: true, lost: Lost::Nothing }
    }

    fn of_lost(self, lost: Lost) -> Self {
        Self { lost, ..self }
    }

    /// With what the indentation tells about a lost bracket or quote.
    fn explained(self, source: &str) -> Self {
        let Some(hint) = Layout::of(source).hint(source, &self) else { return self };
        let place = if self.names_position { String::new() } else { format!(" at {}", position(source, self.span.start)) };
        Self { message: format!("{}{place}; {hint}", self.message), names_position: true, ..self }
    }

    /// Line and column of the offending text in the `source` that was parsed.
    #[cfg(test)]
    fn position(&self, source: &str) -> Position {
        position(source, self.span.start)
    }
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// Read a program with the default limits.
///
/// - blanks, commas, comments, `#_` discards and metadata leave no trace
/// - surplus closing brackets between top-level forms are ignored
/// - typographic quotes count as quotes only when the text is no program otherwise
///
/// # Errors
/// The first problem found, with its place. Cost: linear in the length of `source`.
#[cfg(test)]
pub fn parse(source: &str) -> Result<Parsed, ParseError> {
    parse_with(source, ReadLimits::default())
}

/// Read a program as [`parse`] does, with the caller's limits.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(source: &str, limits: ReadLimits) -> Result<Parsed, ParseError> {
    let max_bytes = limits.max_bytes.min(u32::MAX as usize);
    if source.len() > max_bytes {
        let message = format!("the program is {} bytes long, the limit is {max_bytes} bytes", source.len());
        return Err(ParseError::placed(Span::default(), message));
    }
    read_any(source, limits).map_err(|error| error.explained(source))
}

/// As many whole top-level forms from the beginning of a program as fit into `chars` characters; empty when not even the
/// first one fits, or the text is no program. Linear in its length.
///
/// ```
/// assert_eq!(ptc_lisp::leading_forms("(def a 1) (def b 2) (def c 3)", 20), "(def a 1) (def b 2)");
/// assert_eq!(ptc_lisp::leading_forms("(def a", 20), "");
/// ```
#[must_use]
pub fn leading_forms(source: &str, chars: usize) -> &str {
    let Ok(parsed) = parse_with(source, ReadLimits::default()) else { return "" };
    let limit = source.char_indices().nth(chars).map_or(source.len(), |(at, _)| at);
    let ends = parsed.forms.iter().map(|form| form.span.end as usize);
    let end = ends.take_while(|end| *end <= limit).last().unwrap_or(0);
    source.get(..end).unwrap_or_default().trim_start()
}

/// Read with straight quotes, and with typographic ones where the text is no program otherwise.
fn read_any(source: &str, limits: ReadLimits) -> Result<Parsed, ParseError> {
    let read = |quotes| Reader::new(source, limits.max_nesting, quotes).read();
    let error = match read(Quotes::Straight) {
        Err(error) if source.contains(alphabet::is_curly) => error,
        done => return done,
    };
    let paired = match read(Quotes::Paired) {
        Err(paired) => paired,
        done => return done,
    };
    read(Quotes::Mixed).map_err(|_| later(error, paired))
}

/// What to add to a problem of a program that has a closing bracket too many, which is no error by itself.
pub fn surplus_note(parsed: &Parsed, source: &str) -> Option<String> {
    let surplus = position(source, parsed.surplus?.start);
    Some(match Layout::of(source).early(source) {
        Some(early) => {
            format!("a closing bracket is too many at {surplus}: by the indentation, the form that ends at {early} is closed too early")
        }
        None => format!("a closing bracket is too many at {surplus}"),
    })
}

/// The error of the attempt that got further; the plain reading's when both stopped together.
fn later(plain: ParseError, mended: ParseError) -> ParseError {
    if mended.span.start > plain.span.start { mended } else { plain }
}
