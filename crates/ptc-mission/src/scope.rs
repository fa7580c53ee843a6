//! The view of a value that templates need, so that they can render any kind of data.

use std::borrow::Cow;

/// A borrowed or newly created value inside a scope.
pub type Node<'a> = Box<dyn Scope + 'a>;

/// The kind of a value for a template: decides truth, the inserted text and the errors.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape<'a> {
    /// Nothing: falsy, inserted as empty text.
    Nil,
    /// Inserted as `true` or `false`.
    Bool(bool),
    /// A string: falsy when empty, inserted verbatim.
    Text(Cow<'a, str>),
    /// Any other single value (number, keyword without its colon, date): truthy, inserted as this text.
    Scalar(Cow<'a, str>),
    /// A list or set; `empty` decides its truth.
    List {
        /// True when there are no elements.
        empty: bool,
    },
    /// A map: always truthy.
    Map,
}

impl Shape<'_> {
    /// True unless nil, false, the empty string or the empty list. Zero and the empty map are truthy.
    pub fn is_truthy(&self) -> bool {
        match self {
            Shape::Nil | Shape::Bool(false) => false,
            Shape::Text(text) => !text.is_empty(),
            Shape::List { empty } => !empty,
            Shape::Bool(true) | Shape::Scalar(_) | Shape::Map => true,
        }
    }

    /// The inserted text of a scalar; `None` for lists and maps.
    pub fn inserted(&self) -> Option<&str> {
        match self {
            Shape::Nil => Some(""),
            Shape::Bool(true) => Some("true"),
            Shape::Bool(false) => Some("false"),
            Shape::Text(text) | Shape::Scalar(text) => Some(text),
            Shape::List { .. } | Shape::Map => None,
        }
    }
}

/// A value that a template can look into. Implement it for a value type once and every template function works on it.
pub trait Scope {
    /// What this value is.
    fn shape(&self) -> Shape<'_>;

    /// The entry of a map under `key`, compared as text; `None` when absent or when this is not a map.
    fn child(&self, key: &str) -> Option<Node<'_>>;

    /// The elements of a list or set in order, nothing for other values.
    fn items(&self) -> Vec<Node<'_>>;

    /// The value in Clojure syntax, uncut, without map entries whose key starts with `_`.
    fn printed(&self) -> String;
}

impl<S: Scope + ?Sized> Scope for &S {
    fn shape(&self) -> Shape<'_> {
        (**self).shape()
    }

    fn child(&self, key: &str) -> Option<Node<'_>> {
        (**self).child(key)
    }

    fn items(&self) -> Vec<Node<'_>> {
        (**self).items()
    }

    fn printed(&self) -> String {
        (**self).printed()
    }
}

mod json;
mod lisp;

#[cfg(test)]
mod tests;
