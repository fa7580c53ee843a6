//! JSON values as template scopes, printed the way they look once imported into a program.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;

use super::{Node, Scope, Shape};

/// Values nested deeper than this print as `...`.
const PRINT_DEPTH: usize = 512;

impl Scope for Value {
    fn shape(&self) -> Shape<'_> {
        match self {
            Value::Null => Shape::Nil,
            Value::Bool(flag) => Shape::Bool(*flag),
            Value::Number(number) => Shape::Scalar(Cow::Owned(number.to_string())),
            Value::String(text) => Shape::Text(Cow::Borrowed(text)),
            Value::Array(items) => Shape::List { empty: items.is_empty() },
            Value::Object(_) => Shape::Map,
        }
    }

    fn child(&self, key: &str) -> Option<Node<'_>> {
        self.as_object()?.get(key).map(|value| Box::new(value) as Node<'_>)
    }

    fn items(&self) -> Vec<Node<'_>> {
        let items = self.as_array().map(Vec::as_slice).unwrap_or_default();
        items.iter().map(|item| Box::new(item) as Node<'_>).collect()
    }

    fn printed(&self) -> String {
        let mut out = String::new();
        print(self, 0, &mut out);
        out
    }
}

fn print(value: &Value, depth: usize, out: &mut String) {
    match value {
        _ if depth > PRINT_DEPTH => out.push_str("..."),
        Value::Null => out.push_str("nil"),
        Value::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => out.push_str(&number.to_string()),
        Value::String(text) => print_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                print(item, depth + 1, out);
            }
            out.push(']');
        }
        Value::Object(entries) => {
            out.push('{');
            let visible = entries.iter().filter(|(key, _)| !key.starts_with('_'));
            for (index, (key, item)) in visible.enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                print_key(key, out);
                out.push(' ');
                print(item, depth + 1, out);
            }
            out.push('}');
        }
    }
}

/// A key that reads back as one keyword is a keyword, any other key stays a string.
fn print_key(key: &str, out: &mut String) {
    if is_keyword_name(key) {
        out.push(':');
        out.push_str(key);
    } else {
        print_string(key, out);
    }
}

fn is_keyword_name(key: &str) -> bool {
    let first_fits = |c: char| c.is_alphabetic() || "*+!_-?<>=.$|&%".contains(c);
    let rest_fits = |c: char| c.is_alphanumeric() || "*+!_-?<>=.$|&%#'".contains(c);
    key.chars().next().is_some_and(first_fits) && key.chars().all(rest_fits)
}

fn print_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // Writing to a String cannot fail.
            c if c.is_control() => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}
