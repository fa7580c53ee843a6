//! Program text to forms: literals, names and brackets with their places, nothing looked up yet.

mod alphabet;
mod dispatch;
mod form;
mod layout;
mod name;
mod number;
mod opener;
pub(crate) mod program_text;
mod reader;
pub(crate) mod span;
#[cfg(test)]
mod tests;
mod text;
mod tokens;

use crate::error::{Error, Reason, counted};
use crate::parse::span::{Position, Span, position};

pub use alphabet::is_invisible;
pub(crate) use form::pairs;
pub use form::{Form, FormKind, Symbol};
pub use name::is_keyword_name;
pub use tokens::{Token, TokenKind, is_unfinished, tokens};

use layout::Layout;
use reader::{Quotes, Reader};

/// Limits of the texts that the reader accepts.
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
    /// The places of decimal literals such as `1.5M`, which were read as floats.
    pub decimals: Vec<Span>,
    /// Closing brackets at top level that close nothing.
    pub surplus: Option<Surplus>,
}

/// Closing brackets that close nothing: they are ignored, but the program may not be what was meant.
#[derive(Copy, Clone, Debug)]
pub struct Surplus {
    /// The first of them.
    pub first: Span,
    count: usize,
    /// The position of the first.
    place: Position,
    /// Whether no form follows.
    ends: bool,
    /// Where a form was closed too early, judged by the indentation.
    early: Option<Position>,
}

impl Surplus {
    /// A record with the first one at `first`; the rest is known when the whole text is read.
    fn at(first: Span) -> Surplus {
        Surplus { first, count: 0, place: Position { line: 0, column: 0 }, ends: false, early: None }
    }

    /// What to add to the message of an error.
    pub fn note(&self) -> String {
        format!("there is one closing bracket too many at {}{}", self.place, self.cause(':'))
    }

    /// The text of a warning at the first of them.
    pub fn warning(&self) -> String {
        let instead = match (self.ends, self.count) {
            (true, 1) => "the program ends before it",
            (true, _) => "the program ends before them",
            (false, _) => "nothing is open here",
        };
        format!("{} too many: {instead}{}", counted(self.count, "closing delimiter"), self.cause(';'))
    }

    fn cause(&self, mark: char) -> String {
        let hint = |early| format!("{mark} by the indentation, the form that ends at {early} is closed too early");
        self.early.map_or_else(String::new, hint)
    }
}

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// What is wrong and what to write instead.
    pub message: String,
    /// The offending text.
    pub span: Span,
    /// The message itself says where it happened, or concerns the whole program: append no position.
    pub names_position: bool,
    /// What is missing from the text, as far as the reader knows.
    lost: Lost,
}

/// What is missing where the reader cannot continue; it may have been lost at another place.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Lost {
    /// Nothing known.
    Nothing,
    /// The closing quote of a string.
    Quote,
    /// This bracket, at the end of the text.
    Closer(char),
    /// The form after a mark, at the end of the text.
    Form,
    /// The partner of a closing bracket: the open bracket, at this offset, is of another kind.
    Pair { opened: u32 },
}

impl ParseError {
    /// A problem with the text at `span`, with a message that does not say where it is.
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

    /// The same error, with what the indentation says about a lost bracket or quote.
    fn explained(self, source: &str) -> Self {
        let Some(hint) = Layout::of(source).hint(source, &self) else { return self };
        let place =
            if self.names_position { String::new() } else { format!(" at {}", position(source, self.span.start)) };
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

impl From<ParseError> for Error {
    fn from(ParseError { message, span, names_position, .. }: ParseError) -> Error {
        Error { names_position, ..Error::new(Reason::ParseError, message).at(span) }
    }
}

/// Read a program with the default limits.
///
/// - blanks, commas, comments, `#_` discards and metadata leave no trace
/// - surplus closing brackets at top level are ignored, and reported as [`Surplus`]
/// - typographic quotes count as quotes only when the text is otherwise not a program
///
/// # Errors
/// The first problem found, with its place. Cost: linear in the length of `source`.
#[cfg(test)]
pub fn parse(source: &str) -> Result<Parsed, ParseError> {
    parse_with(source, ReadLimits::default())
}

/// Read a program like [`parse`], with the caller's limits.
///
/// # Errors
/// Like [`parse`].
pub fn parse_with(source: &str, limits: ReadLimits) -> Result<Parsed, ParseError> {
    let max_bytes = limits.max_bytes.min(u32::MAX as usize);
    if source.len() > max_bytes {
        let message = format!("the program is {} bytes long, the limit is {max_bytes} bytes", source.len());
        return Err(ParseError::placed(Span::default(), message));
    }
    let mut parsed = read_any(source, limits).map_err(|error| error.explained(source))?;
    if let Some(surplus) = &mut parsed.surplus {
        surplus.place = position(source, surplus.first.start);
        surplus.ends = parsed.forms.last().is_none_or(|form| form.span.start < surplus.first.start);
        surplus.early = Layout::of(source).early(source);
    }
    Ok(parsed)
}

/// Read a text of any length as it is: typographic quotes are not taken for straight ones.
///
/// # Errors
/// Like [`parse`].
pub fn parse_as_written(source: &str) -> Result<Parsed, ParseError> {
    let read = Reader::new(source, ReadLimits::default().max_nesting, Quotes::Straight).read();
    read.map_err(|error| error.explained(source))
}

/// The leading whole top-level forms of a program that fit into `chars` characters; empty when not even the first one
/// fits, or when the text is not a program. Cost: linear in its length.
///
/// ```
/// assert_eq!(ptc_lisp::syntax::leading_forms("(def a 1) (def b 2) (def c 3)", 20), "(def a 1) (def b 2)");
/// assert_eq!(ptc_lisp::syntax::leading_forms("(def a", 20), "");
/// ```
#[must_use]
pub fn leading_forms(source: &str, chars: usize) -> &str {
    let Ok(parsed) = parse_with(source, ReadLimits::default()) else { return "" };
    let limit = source.char_indices().nth(chars).map_or(source.len(), |(at, _)| at);
    let ends = parsed.forms.iter().map(|form| form.span.end as usize);
    let end = ends.take_while(|end| *end <= limit).last().unwrap_or(0);
    source.get(..end).unwrap_or_default().trim_start()
}

/// Whether a top-level form of the program defines this name; false for a text that is not a program.
///
/// ```
/// assert!(ptc_lisp::syntax::defines("(def a 1) (defn all [f xs] (every? f xs))", "all"));
/// assert!(!ptc_lisp::syntax::defines("(println (def a 1)) (def b", "b"));
/// ```
#[must_use]
pub fn defines(source: &str, name: &str) -> bool {
    let Ok(parsed) = parse_with(source, ReadLimits::default()) else { return false };
    let is_named = |form: &Form, name: &str| matches!(&form.kind, FormKind::Symbol(symbol) if symbol.name == name);
    parsed.forms.iter().any(|form| match &form.kind {
        FormKind::List(items) => match items.as_slice() {
            [head, defined, ..] => {
                ["def", "defn", "defn-", "defonce"].iter().any(|def| is_named(head, def)) && is_named(defined, name)
            }
            _ => false,
        },
        _ => false,
    })
}

/// Read with straight quotes, and with typographic ones where the text is otherwise not a program.
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

/// The error of the attempt that got further; the plain reading's when both stopped together.
fn later(plain: ParseError, mended: ParseError) -> ParseError {
    if mended.span.start > plain.span.start { mended } else { plain }
}
