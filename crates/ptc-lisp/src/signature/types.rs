//! The types that a signature can name.

use crate::signature::SignatureError;
use crate::signature::parse;

/// How deep lists, maps and `?` may be nested in a parsed or imported type.
pub const MAX_NESTING: usize = 64;

/// The shape of one value, written `:int`, `[:string]`, `{total :float, note :string?}`, `{:string -> :int}`.
///
/// Not `#[non_exhaustive]`: the list is closed by the signature language, and a match over it must be complete.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// `:string`; also dates and times, as ISO 8601 text.
    String,
    /// `:int`, of any size.
    Int,
    /// `:float`; integers are accepted where a float is expected.
    Float,
    /// `:bool`.
    Bool,
    /// `:keyword`.
    Keyword,
    /// `:any`: every value, nil included.
    Any,
    /// `:map` or `{}`: a map with any keys.
    Map,
    /// A type with `?`: nil, absent, or the inner type. Build it with [`Type::optional`], which never doubles it.
    Optional(Box<Type>),
    /// `[T]`: a list of any length.
    List(Box<Type>),
    /// `{K -> V}`: a map from keys to values of these types, such as `{:string -> :int}`. `K` is one of the types
    /// without parts.
    MapOf(Box<Type>, Box<Type>),
    /// `{name T, …}`: a map with these fields, in declared order. Empty is written `{}`, which reads back as
    /// [`Type::Map`].
    Record(Vec<Field>),
}

/// A named type: a parameter of a signature or a field of a map.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Field {
    /// Letters, digits, `-` and `_`, not starting with a digit or `-`; other names have no text form.
    pub name: String,
    /// The type of the field; optional means that it may be left out.
    pub ty: Type,
}

impl Field {
    /// A field named `name` that holds a `ty`.
    pub fn new(name: impl Into<String>, ty: Type) -> Self {
        Field { name: name.into(), ty }
    }
}

impl Type {
    /// Reads one type, such as `[{id :int, tags [:string]}]`.
    ///
    /// - errors: position, what was found and what to write instead
    /// - cost: linear in the length of `text`; nesting is bounded by [`MAX_NESTING`]
    pub fn parse(text: &str) -> Result<Type, SignatureError> {
        parse::type_only(text)
    }

    /// This type with `?`; the same when it already has one.
    pub fn optional(self) -> Type {
        match self {
            Type::Optional(_) => self,
            other => Type::Optional(Box::new(other)),
        }
    }

    /// The type without its `?`.
    pub fn required(&self) -> &Type {
        match self {
            Type::Optional(inner) => inner.required(),
            other => other,
        }
    }

    /// Whether a field of this type may be left out or nil.
    pub fn accepts_absent(&self) -> bool {
        matches!(self, Type::Optional(_))
    }
}

/// Whether `name` can be a parameter or field name in the text form.
pub(crate) fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(starts_name) && chars.all(continues_name)
}

pub(crate) fn starts_name(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(crate) fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || c == '_'
}
