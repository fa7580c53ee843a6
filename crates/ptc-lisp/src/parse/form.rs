//! What the reader returns: forms with their places in the source.

use num_bigint::BigInt;

use crate::calendar::TimeLiteral;
use crate::parse::span::Span;

/// One literal, name or bracketed group of the program.
///
/// Nested at most [`ReadLimits::max_nesting`](super::ReadLimits) deep, so walking or dropping it may
/// recurse.
#[derive(Clone, Debug)]
pub struct Form {
    /// What it is.
    pub kind: FormKind,
    /// Where it is, brackets included.
    pub span: Span,
}

/// The kinds of forms.
#[derive(Clone, Debug)]
pub enum FormKind {
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// An integer of 64 bits, whatever its notation: `42`, `0xFF`, `2r101`, `1N`.
    Int(i64),
    /// An integer that does not fit in 64 bits.
    BigInt(BigInt),
    /// `1.5`, `1e3`, `##Inf`, `1.5M`; magnitudes out of range are infinite or zero.
    Float(f64),
    /// A string with its escapes resolved, or a character literal.
    Str(String),
    /// A keyword without its colon; `order/id` for `:order/id`.
    Keyword(String),
    /// A name.
    Symbol(Symbol),
    /// The pattern of `#"…"`, not compiled yet.
    Regex(String),
    /// `(…)`
    List(Vec<Form>),
    /// `[…]`
    Vector(Vec<Form>),
    /// `{…}`: key, value, key, value …; always an even number.
    Map(Vec<Form>),
    /// `#{…}`, duplicates included.
    Set(Vec<Form>),
    /// The forms inside `#(…)`.
    ShortFn(Vec<Form>),
    /// `'form`
    Quote(Box<Form>),
    /// `@form`
    Deref(Box<Form>),
    /// The name in `#'name`.
    Var(String),
    /// `#date "2024-03-01"`, `#inst "…"` and the other tags of times.
    Time(TimeLiteral),
}

impl FormKind {
    /// Its kind in messages: `number`, `vector` …
    #[must_use]
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Nil => "nil",
            Self::Bool(_) => "boolean",
            Self::Int(_) | Self::BigInt(_) | Self::Float(_) => "number",
            Self::Str(_) => "string",
            Self::Keyword(_) => "keyword",
            Self::Symbol(_) => "symbol",
            Self::Regex(_) => "regex",
            Self::List(_) => "list",
            Self::Vector(_) => "vector",
            Self::Map(_) => "map",
            Self::Set(_) => "set",
            Self::ShortFn(_) => "short function",
            Self::Quote(_) => "quoted form",
            Self::Deref(_) => "deref",
            Self::Var(_) => "var",
            Self::Time(time) => time.kind(),
        }
    }
}

impl Form {
    /// The name of an unqualified symbol.
    pub(crate) fn plain(&self) -> Option<&str> {
        self.symbol().filter(|symbol| symbol.ns.is_none()).map(|symbol| symbol.name.as_str())
    }

    pub(crate) fn symbol(&self) -> Option<&Symbol> {
        if let FormKind::Symbol(symbol) = &self.kind { Some(symbol) } else { None }
    }

    /// The name of a symbol, without its namespace.
    pub(crate) fn name(&self) -> Option<&str> {
        self.symbol().map(|symbol| symbol.name.as_str())
    }

    pub(crate) fn is_keyword(&self, word: &str) -> bool {
        matches!(&self.kind, FormKind::Keyword(name) if name == word)
    }

    /// The name with which a list starts, and the forms after it.
    pub(crate) fn call(&self) -> Option<(&str, &[Form])> {
        self.list()?.split_first().and_then(|(head, args)| Some((head.name()?, args)))
    }

    /// The items of a list.
    pub(crate) fn list(&self) -> Option<&[Form]> {
        if let FormKind::List(items) = &self.kind { Some(items) } else { None }
    }

    pub(crate) fn vector(&self) -> Option<&[Form]> {
        if let FormKind::Vector(items) = &self.kind { Some(items) } else { None }
    }

    /// The forms inside: the items of a collection, the form after a mark.
    pub(crate) fn parts(&self) -> &[Form] {
        match &self.kind {
            FormKind::List(items)
            | FormKind::Vector(items)
            | FormKind::Map(items)
            | FormKind::Set(items)
            | FormKind::ShortFn(items) => items,
            FormKind::Quote(inner) | FormKind::Deref(inner) => std::slice::from_ref(inner),
            _ => &[],
        }
    }
}

/// Keys and values, names and values: two forms at a time.
pub(crate) fn pairs(forms: &[Form]) -> &[[Form; 2]] {
    forms.as_chunks().0
}

/// A name, split at its first inner `/`: `data/user-id`, `clojure.string/join`, `->>`, `/`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    /// The part before the slash.
    pub ns: Option<String>,
    /// The part after it, or the whole name.
    pub name: String,
}

impl Symbol {
    /// The symbol written `text`; a slash that is the first or last character does not split.
    #[must_use]
    pub fn new(text: &str) -> Self {
        match text.split_once('/') {
            Some((ns, name)) if !ns.is_empty() && !name.is_empty() => {
                Self { ns: Some(ns.to_owned()), name: name.to_owned() }
            }
            _ => Self { ns: None, name: text.to_owned() },
        }
    }
}

impl std::fmt::Display for Symbol {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.ns {
            Some(ns) => write!(f, "{ns}/{}", self.name),
            None => f.write_str(&self.name),
        }
    }
}
