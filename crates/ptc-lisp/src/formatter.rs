//! Programs as people write them: blanks and indentation in the usual way of Clojure.
//!
//! Tokens, comments, commas and line breaks are those of the text, so the program stays what it was. What changes is the
//! space between them.

mod indentation;
#[cfg(test)]
mod tests;

use crate::error::{Error, Reason};
use crate::parse::{Token, TokenKind, parse_as_written, tokens};
use crate::session::outcome::Problem;
use indentation::Frame;

/// The program with the usual blanks and indentation: one blank between forms, closing brackets where the last form
/// ends, at most one empty line. Line breaks, comments and commas stay. Formatting twice is formatting once.
///
/// Errors when the text is not a program as it is: with a bracket too many, or quotes that are not straight, it is not
/// clear what is meant. Cost: linear in its length.
///
/// ```
/// let text = "(defn area [w h]\n(* w   h) ; cm\n)";
/// assert_eq!(ptc_lisp::syntax::formatted(text)?, "(defn area [w h]\n  (* w h) ; cm\n  )\n");
/// # Ok::<(), Box<ptc_lisp::Problem>>(())
/// ```
pub fn formatted(source: &str) -> Result<String, Box<Problem>> {
    check(source).map_err(|error| Box::new(Problem::new(&error, source)))?;
    let mut page = Page { source, text: String::new(), column: 0, open: Vec::new() };
    let mut previous: Option<Token> = None;
    for token in tokens(source) {
        page.put(previous, token);
        previous = Some(token);
    }
    if previous.is_some() {
        page.text.push('\n');
    }
    Ok(page.text)
}

/// Whether the text is a program as it is.
fn check(source: &str) -> Result<(), Error> {
    match parse_as_written(source)?.surplus {
        Some(surplus) => Err(Error::new(Reason::ParseError, "this closing bracket closes nothing").at(surplus.first)),
        None => Ok(()),
    }
}

/// What is between two tokens.
struct Gap {
    /// How many lines end in it.
    lines: usize,
    /// Its characters.
    width: usize,
    has_comma: bool,
}

impl Gap {
    fn of(text: &str) -> Gap {
        let ends = text.matches('\n').count() + text.matches('\r').count() - text.matches("\r\n").count();
        Gap { lines: ends, width: text.chars().count(), has_comma: text.contains(',') }
    }
}

/// The text so far.
struct Page<'s> {
    source: &'s str,
    text: String,
    /// Characters of the last line.
    column: usize,
    /// The open brackets.
    open: Vec<Frame>,
}

impl Page<'_> {
    /// Write a token after the previous one.
    fn put(&mut self, previous: Option<Token>, token: Token) {
        if let Some(previous) = previous {
            self.separate(previous, token);
        }
        let text = self.source.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
        let text = if token.kind == TokenKind::Comment { text.trim_end() } else { text };
        let is_marked = previous.is_some_and(|previous| previous.kind == TokenKind::Mark);
        let is_element = !is_marked && !matches!(token.kind, TokenKind::Close | TokenKind::Comment);
        let within = self.open.last_mut();
        let opened = match token.kind {
            TokenKind::Open => Some(Frame::opened(text, self.column, within.as_deref())),
            _ => None,
        };
        if let Some(frame) = within.filter(|_| is_element) {
            frame.add(text, token.kind, self.column);
        }
        self.write(text);
        match (token.kind, opened) {
            (TokenKind::Close, _) => drop(self.open.pop()),
            (_, Some(frame)) => self.open.push(frame),
            _ => {}
        }
    }

    /// Write what is between two tokens.
    fn separate(&mut self, previous: Token, token: Token) {
        let between = self.source.get(previous.span.end as usize..token.span.start as usize).unwrap_or_default();
        let gap = Gap::of(between);
        let follows_comment = previous.kind == TokenKind::Comment;
        let is_closed = token.kind == TokenKind::Close;
        if !follows_comment && (is_closed || matches!(previous.kind, TokenKind::Open | TokenKind::Mark)) {
            return;
        }
        if gap.has_comma && !follows_comment {
            self.write(",");
        }
        if follows_comment || gap.lines > 0 {
            let is_apart = gap.lines > 1 && !is_closed;
            self.text.push_str(if is_apart { "\n\n" } else { "\n" });
            self.column = 0;
            let indent = self.open.last_mut().map_or(0, Frame::indent);
            self.write(&" ".repeat(indent));
        } else if token.kind == TokenKind::Comment {
            // Comments of several lines may be aligned.
            let width = gap.width - usize::from(gap.has_comma);
            self.write(&" ".repeat(width.max(1)));
        } else {
            self.write(" ");
        }
    }

    fn write(&mut self, text: &str) {
        self.text.push_str(text);
        self.column = match text.rsplit_once('\n') {
            Some((_, last)) => last.chars().count(),
            None => self.column + text.chars().count(),
        };
    }
}
