//! A program's text as forms with their places: as much as editing it needs. The programs are known to be well-formed.

use std::ops::Range;

/// A form, with its brackets and marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub kind: Kind,
    /// Bytes of the source.
    pub span: Range<usize>,
    /// What it contains.
    pub items: Vec<Form>,
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
    /// `@form`, `^form`, `#_form`, `#'form`
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
}

impl Form {
    /// The text of the form.
    pub fn text<'s>(&self, source: &'s str) -> &'s str {
        source.get(self.span.clone()).unwrap_or_default()
    }

    /// The name at the head of a list or short function.
    pub fn head<'s>(&self, source: &'s str) -> Option<&'s str> {
        let head = self.items.first().filter(|_| matches!(self.kind, Kind::List | Kind::ShortFn))?;
        (head.kind == Kind::Word).then(|| head.text(source))
    }

    /// What follows the head.
    pub fn arguments(&self) -> &[Form] {
        self.items.get(1..).unwrap_or_default()
    }
}

/// The forms of a program; malformed parts become words.
pub(super) fn forms(source: &str) -> Vec<Form> {
    let mut scanner = Scanner { source, at: 0 };
    let mut forms = Vec::new();
    while let Some(form) = scanner.form() {
        forms.push(form);
    }
    forms
}

struct Scanner<'s> {
    source: &'s str,
    at: usize,
}

impl Scanner<'_> {
    /// The next form; `None` at a closing bracket and at the end.
    fn form(&mut self) -> Option<Form> {
        self.skip_blanks();
        let start = self.at;
        let rest = self.rest();
        let first = rest.chars().next()?;
        let (kind, items) = match first {
            ')' | ']' | '}' => return None,
            '(' => self.group(Kind::List),
            '[' => self.group(Kind::Vector),
            '{' => self.group(Kind::Map),
            '"' => self.text(Kind::Text, 1),
            '\\' => self.character(),
            '\'' => self.marked(Kind::Quote, 1),
            '@' | '^' => self.marked(Kind::Mark, 1),
            _ if rest.starts_with("#{") => self.group(Kind::Set),
            _ if rest.starts_with("#(") => self.group(Kind::ShortFn),
            _ if rest.starts_with("#\"") => self.text(Kind::Regex, 2),
            _ if rest.starts_with("#_") || rest.starts_with("#'") => self.marked(Kind::Mark, 2),
            ':' => self.word(Kind::Keyword),
            _ => self.word(Kind::Word),
        };
        Some(Form { kind, span: start..self.at, items })
    }

    fn group(&mut self, kind: Kind) -> (Kind, Vec<Form>) {
        self.at += kind.brackets().0.len();
        let mut items = Vec::new();
        while let Some(item) = self.form() {
            items.push(item);
        }
        self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        (kind, items)
    }

    fn marked(&mut self, kind: Kind, mark: usize) -> (Kind, Vec<Form>) {
        self.at += mark;
        (kind, self.form().into_iter().collect())
    }

    fn text(&mut self, kind: Kind, opener: usize) -> (Kind, Vec<Form>) {
        self.at += opener;
        let mut escaped = false;
        let rest = self.rest();
        let length = rest.char_indices().find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        self.at += length.map_or(rest.len(), |(at, _)| at + 1);
        (kind, Vec::new())
    }

    fn character(&mut self) -> (Kind, Vec<Form>) {
        let rest = self.rest();
        let mut chars = rest.char_indices().skip(2);
        self.at += chars.find(|(_, c)| !c.is_alphanumeric()).map_or(rest.len(), |(at, _)| at);
        (Kind::Character, Vec::new())
    }

    fn word(&mut self, kind: Kind) -> (Kind, Vec<Form>) {
        let rest = self.rest();
        let end = rest.char_indices().skip(1).find(|(_, c)| c.is_whitespace() || "()[]{}\";,@^".contains(*c));
        self.at += end.map_or(rest.len(), |(at, _)| at);
        (kind, Vec::new())
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
            let comment = if rest.starts_with(';') { rest.find('\n').unwrap_or(rest.len()) } else { 0 };
            if blank + comment == 0 {
                return;
            }
            self.at += blank + comment;
        }
    }

    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or_default()
    }
}
