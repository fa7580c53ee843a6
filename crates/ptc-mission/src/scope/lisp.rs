//! PTC-Lisp values as template scopes.

use std::borrow::Cow;

use ptc_lisp::Value;
use ptc_lisp::text::{FormatOptions, display_text, format};

use super::{Node, Scope, Shape};

impl Scope for Value {
    fn shape(&self) -> Shape<'_> {
        match self {
            Value::Nil => Shape::Nil,
            Value::Bool(flag) => Shape::Bool(*flag),
            Value::Str(text) => Shape::Text(Cow::Borrowed(text.as_str())),
            Value::Keyword(name) => Shape::Scalar(Cow::Borrowed(name.as_str())),
            Value::Vector(items) => Shape::List { empty: items.is_empty() },
            Value::Set(items) => Shape::List { empty: items.is_empty() },
            Value::Map(_) => Shape::Map,
            other => Shape::Scalar(Cow::Owned(display_text(other))),
        }
    }

    fn child(&self, key: &str) -> Option<Node<'_>> {
        let entry = self.as_map()?.get_named(key)?;
        Some(Box::new(entry))
    }

    fn items(&self) -> Vec<Node<'_>> {
        match self {
            Value::Vector(items) => items.iter().map(|item| Box::new(item) as Node<'_>).collect(),
            Value::Set(items) => items.iter().map(|item| Box::new(item) as Node<'_>).collect(),
            _ => Vec::new(),
        }
    }

    fn printed(&self) -> String {
        format(self, &FormatOptions::full()).text
    }
}
