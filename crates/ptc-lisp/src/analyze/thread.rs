//! Threading macros: `->` and its variants, `doto`, `..`.

use std::borrow::Cow;

use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, MAX_DEPTH, Reason, Tail, Use, choice, local, nil};
use crate::parse::span::Span;
use crate::parse::{Symbol, pairs};

/// The most steps of one chain that may be special forms or macros, which get the running form as text.
const MAX_SPLICED: usize = 100;
/// The most forms that threading may copy in one program.
const MAX_COPIED: usize = 500_000;

/// Where a step takes the running value.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Side {
    First,
    Last,
}

impl Analyzer<'_> {
    /// Steps up to the last special form are rewritten as text, because such a form itself decides whether and where
    /// the running form is evaluated. The others wrap the resolved call, so long chains need no recursion.
    pub(super) fn thread(&mut self, site: &Use<'_>, side: Side) -> Node {
        let Some((first, steps)) = site.args.split_first() else {
            let text = format!("{} needs at least one expression", site.name);
            return self.problem(Reason::InvalidThreadForm, text, site.span);
        };
        let spliced = steps.iter().rposition(|step| self.needs_text(step)).map_or(0, |index| index + 1);
        let (spliced, called) = steps.split_at(spliced);
        if spliced.len() > MAX_SPLICED || self.depth + called.len() >= MAX_DEPTH {
            let text = format!("{}: {} steps are too many; name results in between with let", site.name, steps.len());
            return self.problem(Reason::InvalidForm, text, site.span);
        }
        let Some(form) = self.spliced(first, spliced, side) else {
            return self.problem(Reason::InvalidForm, "threading macros are nested too deep", site.span);
        };
        self.depth += called.len();
        let mut node = self.expr(&form, if called.is_empty() { site.tail } else { Tail::No });
        for step in called {
            self.depth -= 1;
            node = self.step(step, node, side);
        }
        node
    }

    /// `first` wrapped by `steps`; `None` where that would copy too much.
    fn spliced<'f>(&mut self, first: &'f Form, steps: &[Form], side: Side) -> Option<Cow<'f, Form>> {
        if steps.is_empty() {
            return Some(Cow::Borrowed(first));
        }
        self.copied += size(first) + steps.iter().map(size).sum::<usize>();
        if self.copied > MAX_COPIED {
            return None;
        }
        Some(Cow::Owned(steps.iter().fold(first.clone(), |form, step| splice(step, form, side))))
    }

    /// Whether a step is a special form or macro; a function literal is called instead.
    fn needs_text(&self, step: &Form) -> bool {
        let head = step.list().map_or(Some(step), <[Form]>::first);
        head.is_some_and(|head| self.special(head).is_some()) && !is_function(step)
    }

    /// A call of an ordinary function with the running value among its arguments.
    fn step(&mut self, step: &Form, value: Node, side: Side) -> Node {
        match &step.kind {
            FormKind::List(items) if !is_function(step) => match (items.split_first(), side) {
                (Some((head, args)), Side::First) => self.call_with(head, Some(value), args, None, step.span),
                (Some((head, args)), Side::Last) => self.call_with(head, None, args, Some(value), step.span),
                (None, _) => {
                    self.problem(Reason::InvalidThreadForm, "a threading step cannot be the empty list ()", step.span)
                }
            },
            _ => self.call_with(step, Some(value), &[], None, step.span),
        }
    }

    /// `(as-> value name step…)`
    pub(super) fn as_thread(&mut self, site: &Use<'_>) -> Option<Node> {
        let [value, name, steps @ ..] = site.args else { return None };
        let value = self.expr(value, Tail::No);
        let Some((last, before)) = steps.split_last() else { return Some(value) };
        Some(self.within(|analyzer, bindings| {
            analyzer.bind(name, value, bindings);
            for step in before {
                let value = analyzer.expr(step, Tail::No);
                analyzer.bind(name, value, bindings);
            }
            analyzer.expr(last, site.tail)
        }))
    }

    /// Each step runs where its test holds; else the value passes unchanged.
    pub(super) fn cond_thread(&mut self, site: &Use<'_>, side: Side) -> Option<Node> {
        let (value, clauses) = site.args.split_first()?;
        if clauses.len() % 2 != 0 {
            let text = format!("{}: expected {}; the last test has no step", site.name, site.template);
            return self.refuse(Reason::InvalidForm, text, site.span);
        }
        Some(self.within(|analyzer, bindings| {
            let value = analyzer.expr(value, Tail::No);
            let mut slot = analyzer.hold(value, bindings);
            for [test, step] in pairs(clauses) {
                let test = analyzer.expr(test, Tail::No);
                let then = analyzer.held_step(step, slot, side, Tail::No);
                slot = analyzer.hold(choice(test, then, local(slot, step.span), step.span), bindings);
            }
            local(slot, site.span)
        }))
    }

    /// Stops with nil as soon as the running value is nil.
    pub(super) fn some_thread(&mut self, site: &Use<'_>, side: Side) -> Option<Node> {
        let (value, steps) = site.args.split_first()?;
        let value = self.expr(value, Tail::No);
        let Some((last, before)) = steps.split_last() else { return Some(value) };
        Some(self.within(|analyzer, bindings| {
            let mut slot = analyzer.hold(value, bindings);
            for step in before {
                let next = analyzer.unless_nil(step, slot, side, Tail::No);
                slot = analyzer.hold(next, bindings);
            }
            analyzer.unless_nil(last, slot, side, site.tail)
        }))
    }

    fn unless_nil(&mut self, step: &Form, slot: super::ir::Slot, side: Side, tail: Tail) -> Node {
        let test = self.apply("nil?", vec![local(slot, step.span)], step.span);
        let then = self.held_step(step, slot, side, tail);
        choice(test, nil(step.span), then, step.span)
    }

    /// A step on the value in `slot`.
    fn held_step(&mut self, step: &Form, slot: super::ir::Slot, side: Side, tail: Tail) -> Node {
        if !self.needs_text(step) {
            return self.step(step, local(slot, step.span), side);
        }
        self.copied += size(step);
        if self.copied > MAX_COPIED {
            return self.problem(Reason::InvalidForm, "threading macros are nested too deep", step.span);
        }
        let name = self.made_up(slot);
        let form = splice(step, symbol(name, step.span), side);
        self.expr(&form, tail)
    }

    /// `(doto value step…)`
    pub(super) fn doto(&mut self, site: &Use<'_>) -> Option<Node> {
        let (value, steps) = site.args.split_first()?;
        Some(self.within(|analyzer, bindings| {
            let value = analyzer.expr(value, Tail::No);
            let slot = analyzer.hold(value, bindings);
            let step = |step| analyzer.held_step(step, slot, Side::First, Tail::No);
            let mut nodes: Vec<Node> = steps.iter().map(step).collect();
            nodes.push(local(slot, site.span));
            Node { kind: Kind::Do(nodes), span: site.span }
        }))
    }

    /// `(.. object (method args…) method)`
    pub(super) fn dot_chain(&mut self, site: &Use<'_>) -> Option<Node> {
        let (value, steps) = site.args.split_first()?;
        if self.depth + steps.len() >= MAX_DEPTH {
            let text = format!("..: {} steps are too many; name results in between with let", steps.len());
            return self.refuse(Reason::InvalidForm, text, site.span);
        }
        self.depth += steps.len();
        let mut node = self.expr(value, Tail::No);
        for step in steps {
            self.depth -= 1;
            let (head, args) = step.list().and_then(<[Form]>::split_first).unwrap_or((step, &[]));
            node = match &head.kind {
                FormKind::Symbol(method) => {
                    let head = symbol(format!(".{}", method.name.trim_start_matches(['.', '-'])), head.span);
                    self.call_with(&head, Some(node), args, None, step.span)
                }
                _ => self.wrong_shape(site, head.span).unwrap_or_else(|| nil(site.span)),
            };
        }
        Some(node)
    }
}

/// `(fn …)` and `#(…)`, which are called with the value instead of taking it as one more form.
fn is_function(step: &Form) -> bool {
    matches!(step.kind, FormKind::ShortFn(_)) || matches!(step.call(), Some(("fn", _)))
}

/// The step with `form` inserted as its first or last argument.
fn splice(step: &Form, form: Form, side: Side) -> Form {
    let items = match &step.kind {
        FormKind::List(items) if !items.is_empty() && !is_function(step) => {
            let mut items = items.clone();
            let place = if side == Side::First { 1 } else { items.len() };
            items.insert(place, form);
            items
        }
        _ => vec![step.clone(), form],
    };
    Form { kind: FormKind::List(items), span: step.span }
}

fn symbol(name: String, span: Span) -> Form {
    Form { kind: FormKind::Symbol(Symbol { ns: None, name }), span }
}

/// How many forms this is.
fn size(form: &Form) -> usize {
    1 + form.parts().iter().map(size).sum::<usize>()
}
