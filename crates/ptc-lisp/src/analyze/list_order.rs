//! Warnings where a function works at the other end of a list than in Clojure: `conj`, `peek`, `pop` and `into`.
//!
//! A binding that starts as an empty list, as nil or as a sequence is noted in its scope. The warning comes when such a function works on that
//! binding, not on another one of the same name; its place is the empty list.

use super::ir::{CaptureSource, Kind, Node, Slot};
use super::{Analyzer, Form, FormKind, Span, WarningCode};
use crate::stdlib::facts::Returns;
use crate::stdlib::table::table;

/// The most forms of a function literal that are searched for uses of its first parameter.
const MOST_FORMS: usize = 1_000;

/// Whether the function of this name works at the end here and at the front of a list in Clojure.
fn works_at_end(name: &str) -> bool {
    matches!(name, "conj" | "peek" | "pop" | "into")
}

impl Analyzer<'_> {
    /// Note that the local `pattern`, which was just bound, starts as an empty list, if `form` is one or an atom of
    /// one.
    pub(super) fn note_list(&mut self, pattern: &Form, form: &Form) {
        if let (Some(name), Some(begin), Some(scope)) = (pattern.plain(), beginning(form), self.scopes.last_mut()) {
            scope.begin_list(name, begin);
        }
    }

    /// Like [`Analyzer::note_list`], for a definition.
    pub(super) fn note_defined_list(&mut self, name: &str, form: &Form) {
        match beginning(form) {
            Some(begin) => _ = self.lists.insert(name.to_owned(), begin),
            None => _ = self.lists.remove(name),
        }
    }

    /// Warn when the call `(name first args...)` of a builtin works on a list, `head` being its name in the source.
    pub(super) fn check_list_order(&mut self, name: &str, head: &Form, first: Option<&Node>, args: &[Form]) {
        match (name, first, args) {
            ("conj" | "peek" | "pop", None, [list, ..]) if is_list(list) => self.warn_of_list(name, head.span),
            ("conj", None, [sequence, ..]) if is_sequence(sequence) => self.warn_of_list(name, head.span),
            ("conj", Some(sequence), _) if makes_sequence(sequence) => self.warn_of_list(name, head.span),
            ("into", None, [start, .., _]) if beginning(start).is_some() => self.warn_of_into(start.span),
            ("conj" | "peek" | "pop" | "into", None, [target, ..]) => self.check_begun(name, self.list_behind(target)),
            ("conj" | "peek" | "pop" | "into", Some(Node { kind: Kind::Local { slot, .. }, .. }), _) => {
                self.check_begun(name, self.list_in(*slot));
            }
            ("swap!" | "vswap!", None, [target, f, ..]) => {
                self.check_collector(f, self.list_behind(target).or_else(|| beginning(target)))
            }
            ("reduce" | "reductions", None, [f, start, _]) => {
                self.check_collector(f, self.list_behind(start).or_else(|| beginning(start)));
            }
            _ => {}
        }
    }

    fn warn_of_list(&mut self, name: &str, span: Span) {
        let text = format!("lists are vectors here: {name} works at the end; use cons, first and rest for the front");
        self.warn(WarningCode::ListOrder, text, span);
    }

    /// Warn about the empty list at `begin`, if there is one, that `f` takes as its first argument and changes at the
    /// end.
    fn check_collector(&mut self, f: &Form, begin: Option<Span>) {
        if let Some(begin) = begin
            && let Some(name) = worked_on_by(f)
        {
            self.check_begun(name, Some(begin));
        }
    }

    /// Warn about the empty list at `begin`, if there is one; once in a program.
    fn check_begun(&mut self, name: &str, begin: Option<Span>) {
        let Some(begin) = begin else { return };
        if self.warnings.iter().any(|warning| warning.code == WarningCode::ListOrder) {
            return;
        }
        if name == "into" {
            return self.warn_of_into(begin);
        }
        let text = "lists and nil become vectors here: conj, peek and pop work at the end; use cons, first and rest for the front";
        self.warn(WarningCode::ListOrder, text, begin);
    }

    fn warn_of_into(&mut self, span: Span) {
        let text = "lists and nil become vectors here: into adds at the end; write (reverse coll) for the other order";
        self.warn(WarningCode::ListOrder, text, span);
    }

    /// The empty list that was the initial value of the local or definition named by `form`, or of the atom in it.
    fn list_behind(&self, form: &Form) -> Option<Span> {
        let name = match &form.kind {
            FormKind::Deref(inner) => inner.name()?,
            _ => form.name()?,
        };
        match self.scopes.iter().rev().find_map(|scope| Some((scope, scope.find(name)?))) {
            Some((scope, CaptureSource::Local(slot))) => scope.list(slot),
            Some(_) => None,
            None => self.lists.get(name).copied(),
        }
    }

    /// The empty list that was the initial value of a local of the innermost function.
    fn list_in(&self, slot: Slot) -> Option<Span> {
        self.scopes.last().and_then(|scope| scope.list(slot))
    }
}

/// The list, the sequence or nil that `form` is, or that is the initial content of the atom `form`: a list to which
/// `conj` adds at the front in Clojure.
fn beginning(form: &Form) -> Option<Span> {
    let begins = |form: &Form| is_empty_list(form) || matches!(form.kind, FormKind::Nil) || is_sequence(form);
    match form.call() {
        Some(("atom" | "volatile!", [start, ..])) if begins(start) => Some(start.span),
        _ => begins(form).then_some(form.span),
    }
}

/// The function by which `f` changes its first argument, if that one works at the end of a list.
fn worked_on_by(f: &Form) -> Option<&str> {
    let mut left = MOST_FORMS;
    match &f.kind {
        FormKind::Symbol(symbol) => works_at_end(&symbol.name).then_some(&symbol.name),
        FormKind::ShortFn(items) => used_in(items, &["%", "%1"], &mut left),
        FormKind::List(items) if matches!(f.call(), Some(("fn", _))) => {
            let first = items.iter().find_map(Form::vector)?.first()?.name()?;
            items.iter().find_map(|item| used(item, &[first], &mut left))
        }
        _ => None,
    }
}

/// The first call in `form` that works at the end of a list named by one of `names`.
fn used<'f>(form: &'f Form, names: &[&str], left: &mut usize) -> Option<&'f str> {
    *left = left.checked_sub(1)?;
    match &form.kind {
        FormKind::List(items) => used_in(items, names, left),
        FormKind::Vector(items) | FormKind::Map(items) | FormKind::Set(items) => {
            items.iter().find_map(|item| used(item, names, left))
        }
        _ => None,
    }
}

/// Like [`used`], for the items of a call.
fn used_in<'f>(items: &'f [Form], names: &[&str], left: &mut usize) -> Option<&'f str> {
    let is_named = |form: &Form| form.name().is_some_and(|name| names.contains(&name));
    let call = |form: &'f Form| form.call().map(|(name, _)| name).or_else(|| form.name());
    if let [head, first, steps @ ..] = items
        && is_named(first)
    {
        let found = match head.name()? {
            "->" | "cond->" | "some->" => steps.iter().filter_map(call).find(|name| works_at_end(name)),
            name => works_at_end(name).then_some(name),
        };
        if found.is_some() {
            return found;
        }
    }
    items.iter().find_map(|item| used(item, names, left))
}

/// `()`, `'()` or `(list)`.
fn is_empty_list(form: &Form) -> bool {
    match &form.kind {
        FormKind::Quote(inner) => matches!(&inner.kind, FormKind::List(items) if items.is_empty()),
        FormKind::List(items) => items.is_empty() || matches!(form.call(), Some(("list", []))),
        _ => false,
    }
}

/// A call that returns a sequence in Clojure.
fn is_sequence(form: &Form) -> bool {
    form.call().is_some_and(|(name, args)| match name {
        "->>" => args.last().and_then(Form::call).is_some_and(|(name, _)| returns_sequence(name)),
        name => returns_sequence(name),
    })
}

/// Whether a step of a threading form is a call that returns a sequence.
fn makes_sequence(node: &Node) -> bool {
    node.builtin_call().is_some_and(|(id, _)| returns_sequence(table().entry(id).row.name))
}

/// Whether the function or form of this name returns a sequence in Clojure, to whose front `conj` adds.
fn returns_sequence(name: &str) -> bool {
    let is_sequence = |id| table().entry(id).row.facts.returns == Returns::Sequence;
    matches!(name, "for" | "lazy-cat" | "lazy-seq") || table().find(name).is_some_and(is_sequence)
}

/// A quoted list, or a call that returns a list in Clojure.
fn is_list(form: &Form) -> bool {
    match &form.kind {
        FormKind::Quote(inner) => matches!(inner.kind, FormKind::List(_)),
        FormKind::List(items) => match form.call() {
            Some(("quote", [inner])) => matches!(inner.kind, FormKind::List(_)),
            Some((name, _)) => matches!(name, "cons" | "list"),
            None => items.is_empty(),
        },
        _ => false,
    }
}
