//! From template text to pieces: tags by nom, sections by a stack, standalone lines by the source around a tag.

use nom::bytes::complete::{tag, take_until};
use nom::sequence::delimited;
use nom::{IResult, Parser};

use super::{Name, Piece, Section, TagPlace, TemplateError};

/// Parse `text`; sections deeper than `max_depth` are an error.
pub(super) fn parse(text: &str, max_depth: usize) -> Result<Vec<Piece>, TemplateError> {
    let mut builder = Builder { text, max_depth, open: Vec::new(), pieces: Vec::new(), done: 0 };
    let mut rest = text;
    while let Ok((at_tag, _)) = literal(rest) {
        let from = text.len() - at_tag.len();
        let Ok((after, inner)) = raw_tag(at_tag) else {
            return Err(TemplateError::UnclosedTag { at: TagPlace::of(text, from) });
        };
        builder.add(Tag::classify(inner), from, text.len() - after.len())?;
        rest = after;
    }
    builder.finish()
}

/// Everything up to the next `{{`; an error when there is none.
fn literal(input: &str) -> IResult<&str, &str> {
    take_until("{{").parse(input)
}

/// The text between `{{` and the first `}}`.
fn raw_tag(input: &str) -> IResult<&str, &str> {
    delimited(tag("{{"), take_until("}}"), tag("}}")).parse(input)
}

/// A tag by its first character; names are trimmed.
enum Tag<'a> {
    Variable(&'a str),
    Comment,
    Open { name: &'a str, inverted: bool },
    Close(&'a str),
}

impl<'a> Tag<'a> {
    fn classify(inner: &'a str) -> Tag<'a> {
        let inner = trim(inner);
        if inner.starts_with('!') {
            Tag::Comment
        } else if let Some(name) = inner.strip_prefix('#') {
            Tag::Open { name: trim(name), inverted: false }
        } else if let Some(name) = inner.strip_prefix('^') {
            Tag::Open { name: trim(name), inverted: true }
        } else if let Some(name) = inner.strip_prefix('/') {
            Tag::Close(trim(name))
        } else {
            Tag::Variable(inner)
        }
    }
}

/// Spaces inside a tag are the ASCII ones, the same as in `check_template`.
fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// A section whose closing tag has not been seen yet.
struct OpenSection<'a> {
    name: &'a str,
    inverted: bool,
    opened_at: usize,
    from: usize,
    outer: Vec<Piece>,
}

struct Builder<'a> {
    text: &'a str,
    max_depth: usize,
    open: Vec<OpenSection<'a>>,
    /// Pieces of the innermost open section, or of the template.
    pieces: Vec<Piece>,
    /// Source before this offset is already in pieces.
    done: usize,
}

impl<'a> Builder<'a> {
    fn add(&mut self, tag: Tag<'a>, from: usize, to: usize) -> Result<(), TemplateError> {
        let at = || TagPlace::of(self.text, from);
        match tag {
            Tag::Variable("") => Err(TemplateError::UnnamedTag { at: at() }),
            Tag::Variable(name) => {
                self.text_up_to(from);
                self.pieces.push(Piece::Variable { name: Name::new(name), from, to });
                self.done = to;
                Ok(())
            }
            Tag::Comment => {
                self.swallow(from, to);
                Ok(())
            }
            Tag::Open { name: "", .. } => Err(TemplateError::UnnamedSection { at: at() }),
            Tag::Open { name, .. } if self.open.len() >= self.max_depth => {
                Err(TemplateError::TooDeep { name: name.to_owned(), at: at(), limit: self.max_depth })
            }
            Tag::Open { name, inverted } => {
                let (line_from, _) = self.swallow(from, to);
                let outer = std::mem::take(&mut self.pieces);
                self.open.push(OpenSection { name, inverted, opened_at: from, from: line_from, outer });
                Ok(())
            }
            Tag::Close(name) => self.close(name, from, to),
        }
    }

    fn close(&mut self, name: &str, from: usize, to: usize) -> Result<(), TemplateError> {
        let at = || TagPlace::of(self.text, from);
        let Some(open) = self.open.pop() else {
            return Err(TemplateError::StrayClose { at: at(), found: name.to_owned() });
        };
        if open.name != name {
            return Err(TemplateError::WrongClose { at: at(), found: name.to_owned(), open: open.name.to_owned() });
        }
        let (_, line_to) = self.swallow(from, to);
        let body = std::mem::replace(&mut self.pieces, open.outer);
        self.pieces.push(Piece::Section(Section {
            name: Name::new(name),
            inverted: open.inverted,
            body,
            opened_at: open.opened_at,
            from: open.from,
            to: line_to,
        }));
        Ok(())
    }

    /// Leave out a tag that prints nothing, with its whole line when it is alone on it; returns the range left out.
    fn swallow(&mut self, from: usize, to: usize) -> (usize, usize) {
        let (line_from, line_to) = standalone(self.text, from, to).unwrap_or((from, to));
        self.text_up_to(line_from);
        self.done = line_to;
        (line_from, line_to)
    }

    fn text_up_to(&mut self, to: usize) {
        if to > self.done {
            self.pieces.push(Piece::Text { from: self.done, to });
        }
    }

    fn finish(mut self) -> Result<Vec<Piece>, TemplateError> {
        if let Some(open) = self.open.pop() {
            let at = TagPlace::of(self.text, open.opened_at);
            return Err(TemplateError::UnclosedSection { name: open.name.to_owned(), at });
        }
        self.text_up_to(self.text.len());
        Ok(self.pieces)
    }
}

/// The whole line (with its break) around `from..to` if there are only spaces around the tag.
fn standalone(text: &str, from: usize, to: usize) -> Option<(usize, usize)> {
    let before = text.get(..from)?.trim_end_matches([' ', '\t']);
    if !(before.is_empty() || before.ends_with('\n')) {
        return None;
    }
    let after = text.get(to..)?;
    let rest = after.trim_start_matches([' ', '\t']);
    let tail = if rest.is_empty() { rest } else { rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))? };
    Some((before.len(), text.len() - tail.len()))
}
