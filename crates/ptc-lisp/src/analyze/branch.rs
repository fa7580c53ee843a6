//! Choices: `if` and its variants, `cond`, `case`, `condp`, `and`, `or`.

use super::binding::{Bindings, is_simple};
use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, Reason, Tail, Use, Value, bound, call_of, choice, constant, local, nil};
use crate::parse::pairs;

impl Analyzer<'_> {
    /// `if`, or `if-not` when `holds` is false.
    pub(super) fn if_else(&mut self, site: &Use<'_>, holds: bool) -> Option<Node> {
        self.tested(site, holds, site.args.get(1..2)?, site.args.get(2..)?)
    }

    /// `when`, or `when-not` when `holds` is false.
    pub(super) fn when(&mut self, site: &Use<'_>, holds: bool) -> Option<Node> {
        self.tested(site, holds, site.args.get(1..)?, &[])
    }

    fn tested(&mut self, site: &Use<'_>, holds: bool, then: &[Form], otherwise: &[Form]) -> Option<Node> {
        let test = self.expr(site.args.first()?, Tail::No);
        let then = self.body(then, site.span, site.tail);
        let otherwise = self.body(otherwise, site.span, site.tail);
        Some(if holds { choice(test, then, otherwise, site.span) } else { choice(test, otherwise, then, site.span) })
    }

    pub(super) fn if_bound(&mut self, site: &Use<'_>, some: bool) -> Option<Node> {
        self.when_value(site, some, site.args.get(1..2)?, site.args.get(2..)?)
    }

    pub(super) fn when_bound(&mut self, site: &Use<'_>, some: bool) -> Option<Node> {
        self.when_value(site, some, site.args.get(1..)?, &[])
    }

    /// `then` with the pattern bound when the value is truthy (with `some`: not nil), else `otherwise` without it.
    fn when_value(&mut self, site: &Use<'_>, some: bool, then: &[Form], otherwise: &[Form]) -> Option<Node> {
        let (pattern, value) = self.one_pair(site)?;
        Some(self.within(|analyzer, outer| {
            let value = analyzer.expr(value, Tail::No);
            let held = local(analyzer.hold(value, outer), pattern.span);
            let otherwise = analyzer.body(otherwise, site.span, site.tail);
            let then = analyzer.body_with(pattern, held.clone(), then, site);
            if some {
                let test = analyzer.apply("nil?", vec![held], site.span);
                return choice(test, otherwise, then, site.span);
            }
            choice(held, then, otherwise, site.span)
        }))
    }

    fn body_with(&mut self, pattern: &Form, value: Node, body: &[Form], site: &Use<'_>) -> Node {
        self.within(|analyzer, bindings| {
            analyzer.bind(pattern, value, bindings);
            analyzer.body(body, site.span, site.tail)
        })
    }

    /// `(when-first [x coll] body…)`
    pub(super) fn when_first(&mut self, site: &Use<'_>) -> Option<Node> {
        let (pattern, coll) = self.one_pair(site)?;
        let coll = self.expr(coll, Tail::No);
        let coll = self.collection(site, coll);
        let sequence = self.apply("seq", vec![coll], site.span);
        Some(self.within(|analyzer, outer| {
            let held = local(analyzer.hold(sequence, outer), site.span);
            let first = analyzer.apply("first", vec![held.clone()], site.span);
            let then = analyzer.body_with(pattern, first, site.args.get(1..).unwrap_or(&[]), site);
            choice(held, then, nil(site.span), site.span)
        }))
    }

    /// `coll`, checked to be a collection; errors name this form.
    pub(super) fn collection(&mut self, site: &Use<'_>, coll: Node) -> Node {
        self.apply("%coll", vec![constant(Value::string(site.name), site.span), coll], site.span)
    }

    /// The only pair of `[pattern form]`.
    pub(super) fn one_pair<'f>(&mut self, site: &Use<'f>) -> Option<(&'f Form, &'f Form)> {
        let first = site.args.first()?;
        if let Some(items) = first.vector() {
            if let [pattern, value] = items {
                return Some((pattern, value));
            }
            let text = format!("{}: expected one name and one value in the brackets, got {}", site.name, items.len());
            return self.refuse(Reason::InvalidForm, text, first.span);
        }
        self.wrong_shape(site, first.span)
    }

    pub(super) fn cond(&mut self, site: &Use<'_>) -> Node {
        if !site.args.len().is_multiple_of(2) {
            let text = format!("cond needs an even number of forms, got {}", site.args.len());
            return self.problem(Reason::InvalidCondForm, text, site.span);
        }
        let mut clauses = Vec::with_capacity(site.args.len() / 2);
        let mut default = None;
        for [test, then] in pairs(site.args) {
            let test = self.expr(test, Tail::No);
            let then = self.expr(then, site.tail);
            match &test.kind {
                _ if default.is_some() => {}
                Kind::Const(value) if value.is_truthy() => default = Some(then),
                _ => clauses.push((test, then)),
            }
        }
        let default = default.unwrap_or_else(|| nil(site.span));
        clause_node(clauses, default, site)
    }

    /// `(case value constant result … default?)`
    pub(super) fn case(&mut self, site: &Use<'_>) -> Option<Node> {
        let (subject, rest) = site.args.split_first()?;
        let subject = self.expr(subject, Tail::No);
        let mut bindings = Bindings::new();
        let subject = self.reusable(subject, &mut bindings);
        let (written, default) = rest.as_chunks();
        let mut clauses = Vec::with_capacity(written.len());
        for [constants, result] in written {
            let test = self.case_test(&subject, constants);
            clauses.push((test, self.expr(result, site.tail)));
        }
        let default = match default.first() {
            Some(form) => self.expr(form, site.tail),
            None => self.apply("%case-miss", vec![subject], site.span),
        };
        Some(bound(bindings, clause_node(clauses, default, site)))
    }

    /// Whether the subject equals the constant, or one of a list of constants.
    fn case_test(&mut self, subject: &Node, form: &Form) -> Node {
        let FormKind::List(items) = &form.kind else { return self.case_constant(subject, form) };
        let tests = items.iter().map(|item| self.case_constant(subject, item)).collect();
        Node { kind: Kind::Or(tests), span: form.span }
    }

    fn case_constant(&mut self, subject: &Node, form: &Form) -> Node {
        let inner = match &form.kind {
            FormKind::Quote(inner) => inner,
            _ => form,
        };
        let expected = self.quoted(inner, form.span);
        let plain = self.apply("=", vec![subject.clone(), expected], form.span);
        // `DayOfWeek/MONDAY` stands for its value here, although Clojure would not match it.
        let named = if let FormKind::Symbol(symbol) = &inner.kind { self.named_time(symbol) } else { None };
        match named {
            Some(named) => {
                let named = self.apply("=", vec![subject.clone(), constant(named, form.span)], form.span);
                Node { kind: Kind::Or(vec![plain, named]), span: form.span }
            }
            None => plain,
        }
    }

    /// `(condp predicate value test result … default?)`, with `test :>> function`
    pub(super) fn condp(&mut self, site: &Use<'_>) -> Option<Node> {
        let [predicate, subject, rest @ ..] = site.args else { return None };
        let predicate = self.expr(predicate, Tail::No);
        let subject = self.expr(subject, Tail::No);
        let (predicate, subject) = self.instance_clauses(&predicate, &subject, rest).unwrap_or((predicate, subject));
        let mut bindings = Bindings::new();
        let predicate = self.reusable(predicate, &mut bindings);
        let subject = self.reusable(subject, &mut bindings);
        let body = self.condp_clauses(&predicate, &subject, rest, site);
        Some(bound(bindings, body))
    }

    fn condp_clauses(&mut self, predicate: &Node, subject: &Node, rest: &[Form], site: &Use<'_>) -> Node {
        let mut clauses = Vec::new();
        let mut rest = rest;
        let default = loop {
            match rest {
                [] => break self.apply("%condp-miss", vec![subject.clone()], site.span),
                [default] => break self.expr(default, site.tail),
                // The function gets the truthy result of the test.
                [test, arrow, function, more @ ..] if arrow.is_keyword(">>") => {
                    let build = |analyzer: &mut Self, bindings: &mut Bindings| {
                        let test = analyzer.condp_test(predicate, subject, test);
                        let held = local(analyzer.hold(test, bindings), function.span);
                        let then = call_of(analyzer.expr(function, Tail::No), vec![held.clone()], function.span);
                        let otherwise = analyzer.condp_clauses(predicate, subject, more, site);
                        choice(held, then, otherwise, function.span)
                    };
                    break self.nested(test.span, |analyzer| analyzer.within(build));
                }
                [test, result, more @ ..] => {
                    let test = self.condp_test(predicate, subject, test);
                    clauses.push((test, self.expr(result, site.tail)));
                    rest = more;
                }
            }
        };
        clause_node(clauses, default, site)
    }

    fn condp_test(&mut self, predicate: &Node, subject: &Node, test: &Form) -> Node {
        let test_value = self.expr(test, Tail::No);
        call_of(predicate.clone(), vec![test_value, subject.clone()], test.span)
    }

    /// The node itself where evaluating it again costs nothing, else a local that holds its value.
    fn reusable(&mut self, node: Node, bindings: &mut Bindings) -> Node {
        if is_simple(&node) {
            return node;
        }
        let span = node.span;
        local(self.hold(node, bindings), span)
    }

    /// `and`, `or`.
    pub(super) fn tests(&mut self, site: &Use<'_>, kind: fn(Vec<Node>) -> Kind) -> Node {
        let mut tests = Vec::new();
        if let Some((last, before)) = site.args.split_last() {
            tests = self.exprs(before);
            tests.push(self.expr(last, site.tail));
        }
        Node { kind: kind(tests), span: site.span }
    }
}

fn clause_node(clauses: Vec<(Node, Node)>, default: Node, site: &Use<'_>) -> Node {
    if clauses.is_empty() {
        return default;
    }
    Node { kind: Kind::Cond { clauses, default: Box::new(default) }, span: site.span }
}
