//! Definitions: `def`, `defn`, `defonce`, `declare`.

use std::sync::Arc;

use super::forms::{Strength, find};
use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, Name, Reason, Tail, Use, nil};

impl Analyzer<'_> {
    /// `(def name value)`, `(def name "doc" value)`, and with `once`, `defonce`.
    pub(super) fn define_value(&mut self, site: &Use<'_>, once: bool) -> Option<Node> {
        let (head, doc, form) = match site.args {
            [head, form] => (head, None, form),
            [head, doc, form] => match &doc.kind {
                FormKind::Str(text) => (head, Some(text.as_str()), form),
                _ => return self.too_many_parts(site, doc),
            },
            [_, second, ..] => return self.too_many_parts(site, second),
            _ => return None,
        };
        let name = self.definable(head, site);
        let value = self.named_value(form, name);
        let name = name?;
        self.note_defined_list(name, form);
        if let Kind::Data(key) = &value.kind {
            self.copies.push((name.to_owned(), key.to_string(), site.span));
        }
        Some(self.define(name, value, doc, once, site))
    }

    /// A `def` with more than one form as its value, starting with `first`: usually a function, or a call that lost its
    /// bracket.
    fn too_many_parts(&mut self, site: &Use<'_>, first: &Form) -> Option<Node> {
        let hint = match &first.kind {
            FormKind::Vector(_) => ". Did you mean 'defn'?".to_owned(),
            FormKind::Symbol(name) => format!("; is '(' missing before '{name}'?"),
            _ if site.args.len() > 3 => return self.wrong_count(site),
            _ => return self.wrong_shape(site, first.span),
        };
        let reason = if site.args.len() > 3 { Reason::InvalidArity } else { Reason::InvalidForm };
        let text = format!("{}: expected {}, got {}{hint}", site.name, site.template, site.args.len());
        self.refuse(reason, text, first.span)
    }

    /// A value; a function literal without a name is called `name` in messages.
    fn named_value(&mut self, form: &Form, name: Option<&str>) -> Node {
        if let FormKind::List(items) = &form.kind
            && let Some((head, args)) = items.split_first()
            && let Some(row) = self.special(head).filter(|row| row.name == "fn" && !args.is_empty())
        {
            let site = Use { name: row.name, template: row.template, args, span: form.span, tail: Tail::No };
            return self.function_named(&site, name).unwrap_or_else(|| nil(site.span));
        }
        self.expr(form, Tail::No)
    }

    /// `(defn name "doc"? {attributes}? [params] body…)`, also with several `([params] body…)`
    pub(super) fn defn(&mut self, site: &Use<'_>) -> Option<Node> {
        let (head, parts) = site.args.split_first()?;
        let (doc, mut parts) = match parts {
            [Form { kind: FormKind::Str(text), .. }, rest @ ..] => (Some(text.as_str()), rest),
            _ => (None, parts),
        };
        if let [Form { kind: FormKind::Map(_), .. }, rest @ ..] = parts {
            parts = rest;
        }
        if let [lists @ .., Form { kind: FormKind::Map(_), .. }] = parts
            && lists.first().is_some_and(|first| first.list().is_some())
        {
            parts = lists;
        }
        let name = self.definable(head, site)?;
        let function = self.closure(Some(name), None, parts, site)?;
        Some(self.define(name, function, doc, false, site))
    }

    fn define(&mut self, name: &str, value: Node, doc: Option<&str>, once: bool, site: &Use<'_>) -> Node {
        let doc = doc.map(|text| Arc::from(docstring(text)));
        let global = self.names.global(name);
        let kind = Kind::Def { global, name: Name::new(name), value: Box::new(value), doc, once };
        Node { kind, span: site.span }
    }

    /// The name that a definition binds, if it may.
    fn definable<'f>(&mut self, head: &'f Form, site: &Use<'_>) -> Option<&'f str> {
        let FormKind::Symbol(symbol) = &head.kind else { return self.wrong_shape(site, head.span) };
        if symbol.ns.is_some() {
            let text = format!("{}: {symbol} is a qualified name; write {}", site.name, symbol.name);
            return self.refuse(Reason::InvalidForm, text, head.span);
        }
        if find(&symbol.name).is_some_and(|row| row.strength != Strength::Open) {
            let text = format!("cannot redefine special form '{}'", symbol.name);
            return self.refuse(Reason::InvalidForm, text, head.span);
        }
        Some(&symbol.name)
    }

    /// `(declare name…)`: the survey has already noted the names.
    pub(super) fn declare_names(&mut self, site: &Use<'_>) -> Node {
        for form in site.args {
            self.definable(form, site);
        }
        nil(site.span)
    }
}

/// A docstring as stored: no semicolons, line breaks as one blank, no blanks around (DEF-007).
pub(crate) fn docstring(text: &str) -> String {
    text.replace(';', "").lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
