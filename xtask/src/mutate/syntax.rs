//! A program's text as forms with their places: as much as editing it needs. The programs are known to be well-formed.

use std::iter::Peekable;
use std::ops::Range;

use ptc_lisp::{Token, TokenKind, tokens};

/// A form, with its brackets and marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form<'s> {
    pub kind: Kind,
    pub text: &'s str,
    /// Bytes of the source.
    pub span: Range<usize>,
    /// What it contains.
    pub items: Vec<Form<'s>>,
}

/// What a form is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    List,
    Vector,
    Map,
    Set,
    ShortFn,
    /// A name or a number.
    Word,
    Keyword,
    Text,
    Regex,
    Character,
    /// `'form`
    Quote,
    /// `@form`, `^form`, `#_form`
    Mark,
}

impl Kind {
    /// The brackets around the items; empty for forms without.
    pub fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Kind::List => ("(", ")"),
            Kind::Vector => ("[", "]"),
            Kind::Map => ("{", "}"),
            Kind::Set => ("#{", "}"),
            Kind::ShortFn => ("#(", ")"),
            _ => ("", ""),
        }
    }

    /// The kind of the form that begins with this token.
    fn of(token: TokenKind, text: &str) -> Kind {
        match (token, text) {
            (TokenKind::Open, opener) => {
                let bracketed = [Kind::List, Kind::Vector, Kind::Map, Kind::Set, Kind::ShortFn];
                bracketed.into_iter().find(|kind| kind.brackets().0 == opener).unwrap_or(Kind::List)
            }
            (TokenKind::Mark, "'") => Kind::Quote,
            (TokenKind::Mark, _) => Kind::Mark,
            (TokenKind::Keyword, _) => Kind::Keyword,
            (TokenKind::Text, text) if text.starts_with('#') => Kind::Regex,
            (TokenKind::Text, text) if text.starts_with('\\') => Kind::Character,
            (TokenKind::Text, _) => Kind::Text,
            _ => Kind::Word,
        }
    }
}

impl<'s> Form<'s> {
    /// The name at the head of a list or short function.
    pub fn head(&self) -> Option<&'s str> {
        let head = self.items.first().filter(|_| matches!(self.kind, Kind::List | Kind::ShortFn))?;
        (head.kind == Kind::Word).then_some(head.text)
    }

    /// What follows the head.
    pub fn arguments(&self) -> &[Form<'s>] {
        self.items.get(1..).unwrap_or_default()
    }
}

/// The forms of a program.
pub(super) fn forms(source: &str) -> Vec<Form<'_>> {
    let mut tokens = tokens(source).into_iter().filter(|token| token.kind != TokenKind::Comment).peekable();
    std::iter::from_fn(|| form(source, &mut tokens)).collect()
}

/// The next form; none at a closing bracket and at the end.
fn form<'s>(source: &'s str, tokens: &mut Peekable<impl Iterator<Item = Token>>) -> Option<Form<'s>> {
    let token = tokens.next_if(|token| token.kind != TokenKind::Close)?;
    let place = |token: &Token| token.span.start as usize..token.span.end as usize;
    let mut span = place(&token);
    let kind = Kind::of(token.kind, source.get(span.clone()).unwrap_or_default());
    let mut items = Vec::new();
    match token.kind {
        TokenKind::Open => {
            items.extend(std::iter::from_fn(|| form(source, tokens)));
            span.end = tokens.next().map_or(source.len(), |closer| place(&closer).end);
        }
        TokenKind::Mark => {
            items.extend(form(source, tokens));
            span.end = items.last().map_or(span.end, |item| item.span.end);
        }
        _ => {}
    }
    let text = source.get(span.clone()).unwrap_or_default();
    Some(Form { kind, text, span, items })
}
