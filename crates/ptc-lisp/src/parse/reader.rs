//! The reader: one pass over the text with an explicit stack of what is open.

use crate::calendar::{TAGS, TimeLiteral};
use crate::parse::span::{Span, position};

use super::alphabet::{
    ends_number, excerpt, in_name, instead_of, is_curly_double, is_curly_single, is_name_start, run_of, skip_blanks,
    visible,
};
use super::dispatch::{Dispatch, dispatch, unsupported_mark};
use super::form::{Form, FormKind};
use super::name::{keyword, symbol, var};
use super::number::{number, special_float, starts_number};
use super::opener::Opener;
use super::text::{self, Flaw};
use super::{Lost, ParseError, Parsed, Surplus};

/// How typographic quotes outside strings are read.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Quotes {
    /// As unexpected characters.
    Straight,
    /// A string ends with the kind of quote that it started with.
    Paired,
    /// Every double quote opens and ends a string.
    Mixed,
}

struct Frame {
    opener: Opener,
    /// The bracket or mark itself.
    span: Span,
    forms: Vec<Form>,
}

/// The state of one pass.
pub(super) struct Reader<'a> {
    source: &'a str,
    rest: &'a str,
    quotes: Quotes,
    max_nesting: usize,
    open: Vec<Frame>,
    done: Parsed,
}

type Step<T = ()> = Result<T, ParseError>;

impl<'a> Reader<'a> {
    pub(super) fn new(source: &'a str, max_nesting: usize, quotes: Quotes) -> Self {
        Self { source, rest: source, quotes, max_nesting, open: Vec::new(), done: Parsed::default() }
    }

    /// Read everything.
    pub(super) fn read(mut self) -> Step<Parsed> {
        loop {
            self.rest = skip_blanks(self.rest);
            match self.rest.chars().next() {
                Some(first) => self.step(first)?,
                None => return self.finish(),
            }
        }
    }

    fn step(&mut self, first: char) -> Step {
        match first {
            '(' => self.open(Opener::List),
            '[' => self.open(Opener::Vector),
            '{' => self.open(Opener::Map),
            ')' | ']' | '}' => self.close(first),
            '\'' => self.open(Opener::Quote),
            '@' => self.open(Opener::Deref),
            '^' => self.open(Opener::Tag),
            '"' => self.string(first),
            '\\' => self.character(),
            ':' => self.name(":", keyword),
            '#' => self.dispatch(),
            _ if starts_number(self.rest) => self.number(),
            _ if is_name_start(first) => self.name("", symbol),
            _ if self.quotes != Quotes::Straight && is_curly_double(first) => self.string(first),
            _ if self.quotes != Quotes::Straight && is_curly_single(first) => {
                self.open_with(Opener::Quote, first.len_utf8())
            }
            _ => Err(self.unexpected(first)),
        }
    }

    // ---- brackets and marks -------------------------------------------------------------------

    fn open(&mut self, opener: Opener) -> Step {
        self.open_with(opener, opener.text().len())
    }

    fn open_with(&mut self, opener: Opener, bytes: usize) -> Step {
        let span = self.advance(bytes);
        if self.open.len() >= self.max_nesting {
            let message = format!("forms nested deeper than {}", self.max_nesting);
            return Err(ParseError::at(span, message));
        }
        self.open.push(Frame { opener, span, forms: Vec::new() });
        Ok(())
    }

    fn close(&mut self, found: char) -> Step {
        let span = self.advance(found.len_utf8());
        let Some(frame) = self.open.pop() else {
            self.done.surplus.get_or_insert_with(|| Surplus::at(span)).count += 1;
            return Ok(());
        };
        match frame.opener.closer() {
            Some(expected) if expected == found => {}
            Some(expected) => return Err(self.mismatch(&frame, expected, found, span)),
            None => {
                let message = format!("{}, found '{found}'", frame.opener.missing());
                return Err(ParseError::at(span, message));
            }
        }
        let span = frame.span.to(span);
        let kind = match frame.opener {
            Opener::Vector => FormKind::Vector(frame.forms),
            Opener::Set => FormKind::Set(frame.forms),
            Opener::ShortFn => FormKind::ShortFn(frame.forms),
            Opener::Map if frame.forms.len().is_multiple_of(2) => FormKind::Map(frame.forms),
            Opener::Map => {
                let count = frame.forms.len();
                let message = format!("map literal needs an even number of forms, got {count}");
                return Err(ParseError::at(span, message));
            }
            _ => FormKind::List(frame.forms),
        };
        self.deliver(Form { kind, span })
    }

    fn mismatch(&self, frame: &Frame, expected: char, found: char, span: Span) -> ParseError {
        let opened = position(self.source, frame.span.start);
        let here = position(self.source, span.start);
        let opener = frame.opener.text();
        let message =
            format!("expected '{expected}' to close '{opener}' opened at {opened}, found '{found}' at {here}");
        ParseError::placed(span, message).of_lost(Lost::Pair { opened: frame.span.start })
    }

    /// Pass a complete form to what is open, through the marks that waited for it.
    fn deliver(&mut self, mut form: Form) -> Step {
        while let Some(top) = self.open.last_mut() {
            let span = top.span.to(form.span);
            match top.opener {
                Opener::Quote => form = Form { kind: FormKind::Quote(Box::new(form)), span },
                Opener::Deref => form = Form { kind: FormKind::Deref(Box::new(form)), span },
                Opener::Tagged => {}
                Opener::Tag | Opener::OldTag => {
                    top.opener = Opener::Tagged;
                    check_metadata(&form)?;
                    self.forget_decimals(span);
                    return Ok(());
                }
                Opener::Discard => {
                    self.open.pop();
                    self.forget_decimals(span);
                    return Ok(());
                }
                _ => {
                    top.forms.push(form);
                    return Ok(());
                }
            }
            self.open.pop();
        }
        self.done.forms.push(form);
        Ok(())
    }

    /// Discarded parts of the program deserve no warning.
    fn forget_decimals(&mut self, dropped: Span) {
        while self.done.decimals.last().is_some_and(|decimal| decimal.start >= dropped.start) {
            self.done.decimals.pop();
        }
    }

    fn finish(self) -> Step<Parsed> {
        let Some(innermost) = self.open.last() else { return Ok(self.done) };
        let bracket = self.open.iter().rev().find(|frame| frame.opener.closer().is_some());
        let frame = bracket.unwrap_or(innermost);
        Err(match bracket.and_then(|frame| frame.opener.closer()) {
            Some(closer) => {
                self.unclosed(&format!("'{}'", frame.opener.text()), frame.span).of_lost(Lost::Closer(closer))
            }
            None => {
                let message = format!("Unexpected end of input: {}", frame.opener.missing());
                ParseError::at(frame.span, message).of_lost(Lost::Form)
            }
        })
    }

    // ---- literals and names -------------------------------------------------------------------

    fn string(&mut self, opener: char) -> Step {
        let opened = self.advance(opener.len_utf8());
        let (content, span) = self.quoted(text::string, opener, "string", opened)?;
        self.deliver(Form { kind: FormKind::Str(content), span })
    }

    fn regex(&mut self) -> Step {
        let opened = self.advance("#\"".len());
        let (pattern, span) = self.quoted(text::regex, '"', "regex", opened)?;
        self.deliver(Form { kind: FormKind::Regex(pattern), span })
    }

    /// The content of a quoted text that was `opened` there, and its span.
    fn quoted(&mut self, read: text::Quoted, opener: char, what: &str, opened: Span) -> Step<(String, Span)> {
        let (content, rest) = read(self.rest, self.closes(opener)).map_err(|flaw| self.flaw(flaw, what, opened))?;
        Ok((content, opened.to(self.move_to(rest))))
    }

    /// Which characters end a string that `opener` started.
    fn closes(&self, opener: char) -> fn(char) -> bool {
        match self.quotes {
            Quotes::Mixed => |c| c == '"' || is_curly_double(c),
            _ if is_curly_double(opener) => is_curly_double,
            _ => |c| c == '"',
        }
    }

    fn flaw(&self, flaw: Flaw<'_>, what: &str, opened: Span) -> ParseError {
        match flaw {
            Flaw::Unclosed => self.unclosed(what, opened).of_lost(Lost::Quote),
            Flaw::At(rest, message) => {
                let start = self.offset_of(rest);
                ParseError::at(Span { start, end: start + 1 }, message)
            }
        }
    }

    fn unclosed(&self, what: &str, opened: Span) -> ParseError {
        let place = position(self.source, opened.start);
        let message = format!("Unexpected end of input: {what} opened at {place} was never closed");
        ParseError::placed(opened, message)
    }

    fn character(&mut self) -> Step {
        let (c, rest) = text::character(self.rest).map_err(|flaw| self.flaw(flaw, "character", Span::default()))?;
        let span = self.move_to(rest);
        self.deliver(Form { kind: FormKind::Str(c.to_string()), span })
    }

    fn number(&mut self) -> Step {
        let (run, rest) = run_of(self.rest, |c| !ends_number(c));
        let span = self.move_to(rest);
        let number = number(&visible(run)).map_err(|message| ParseError::at(span, message))?;
        if number.decimal {
            self.done.decimals.push(span);
        }
        self.deliver(Form { kind: number.kind, span })
    }

    /// Read `prefix` and the name after it, which may be empty.
    fn name(&mut self, prefix: &str, meaning: fn(&str) -> Result<FormKind, String>) -> Step {
        let opened = self.advance(prefix.len());
        let (run, rest) = run_of(self.rest, in_name);
        let span = opened.to(self.move_to(rest));
        let kind = meaning(&visible(run)).map_err(|message| ParseError::at(span, message))?;
        self.deliver(Form { kind, span })
    }

    fn dispatch(&mut self) -> Step {
        match dispatch(self.rest) {
            Dispatch::Open(opener) => self.open(opener),
            Dispatch::Regex => self.regex(),
            Dispatch::Var => self.name("#'", var),
            Dispatch::SpecialFloat => self.name("##", special_float),
            Dispatch::Time(tag) => self.time(tag),
            Dispatch::Unsupported(message) => {
                let span = self.advance("#".len());
                Err(ParseError::at(span, message))
            }
        }
    }

    /// `#date "2024-03-01"`
    fn time(&mut self, tag: &'static str) -> Step {
        let opened = self.advance(1 + tag.len());
        self.rest = skip_blanks(self.rest);
        let opener =
            self.rest.chars().next().filter(|c| *c == '"' || self.quotes != Quotes::Straight && is_curly_double(*c));
        let example = TAGS.iter().find(|(known, _)| *known == tag).map_or("", |(_, example)| example);
        let Some(opener) = opener else {
            return Err(ParseError::at(opened, format!("#{tag} needs a string: #{tag} \"{example}\"")));
        };
        let start = self.advance(opener.len_utf8());
        let (content, span) = self.quoted(text::string, opener, "string", start)?;
        let span = opened.to(span);
        let Some(time) = TimeLiteral::read(tag, &content) else {
            let text = format!("'{}' is not a valid #{tag} (write #{tag} \"{example}\")", excerpt(&content));
            return Err(ParseError::at(span, text));
        };
        self.deliver(Form { kind: FormKind::Time(time), span })
    }

    fn unexpected(&mut self, c: char) -> ParseError {
        let span = self.advance(c.len_utf8());
        let fence = c == '`' && self.rest.starts_with("``");
        let message = match (unsupported_mark(c).filter(|_| !fence), instead_of(c)) {
            _ if fence => "leave out the ``` marks: the program is all that is between them".to_owned(),
            _ if matches!(c, '`' | '~') && self.source.contains("(defmacro ") => {
                "no macros; write a function with defn".to_owned()
            }
            (Some(hint), _) => hint.to_owned(),
            (None, Some(instead)) => format!("unexpected character '{c}' ({instead})"),
            (None, None) => format!("unexpected character '{}'", c.escape_debug()),
        };
        ParseError::at(span, message)
    }

    // ---- places -------------------------------------------------------------------------------

    /// Advance by `bytes`, past what was just recognised.
    fn advance(&mut self, bytes: usize) -> Span {
        self.move_to(self.rest.get(bytes..).unwrap_or_default())
    }

    /// Advance to `rest`, a tail of the source; returns the span in between.
    fn move_to(&mut self, rest: &'a str) -> Span {
        let span = Span { start: self.offset_of(self.rest), end: self.offset_of(rest) };
        self.rest = rest;
        span
    }

    /// Where `tail` starts. The size limit keeps offsets within 32 bits.
    fn offset_of(&self, tail: &str) -> u32 {
        u32::try_from(self.source.len() - tail.len()).unwrap_or(u32::MAX)
    }
}

/// Check that Clojure accepts this as metadata.
fn check_metadata(form: &Form) -> Step {
    match form.kind {
        FormKind::Keyword(_) | FormKind::Symbol(_) | FormKind::Str(_) | FormKind::Map(_) | FormKind::Vector(_) => {
            Ok(())
        }
        _ => {
            let found = form.kind.describe();
            let message = format!(
                "'^' begins metadata (a keyword, symbol, string or map), found a {found} (a power is (Math/pow x y))"
            );
            Err(ParseError::at(form.span, message))
        }
    }
}
