//! Choices: `if` and its kin, `cond`, `case`, `condp`, `and`, `or`.

use super::binding::{Bindings, is_simple};
use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, Reason, Tail, Use, Value, bound, choice, constant, local};

impl Analyzer<'_> {
    pub(super) fn if_else(&mut self, site: &Use<'_>) -> Node {
        let (test, then, otherwise) = self.three(site);
        choice(test, then, otherwise, site.span)
    }

    pub(super) fn if_not(&mut self, site: &Use<'_>) -> Node {
        let (test, then, otherwise) = self.three(site);
        choice(test, otherwise, then, site.span)
    }

    fn three(&mut self, site: &Use<'_>) -> (Node, Node, Node) {
        let test = self.part_of(site, 0, Tail::No);
        let then = self.part_of(site, 1, site.tail);
        let otherwise = self.part_of(site, 2, site.tail);
        (test, then, otherwise)
    }

    /// Part `index` of the form; nil when it was not written.
    fn part_of(&mut self, site: &Use<'_>, index: usize, tail: Tail) -> Node {
        match site.args.get(index) {
            Some(form) => self.expr(form, tail),
            None => constant(Value::Nil, site.span),
        }
    }

    pub(super) fn when(&mut self, site: &Use<'_>) -> Node {
        let (test, body) = self.test_and_body(site);
        choice(test, body, constant(Value::Nil, site.span), site.span)
    }

    pub(super) fn when_not(&mut self, site: &Use<'_>) -> Node {
        let (test, body) = self.test_and_body(site);
        choice(test, constant(Value::Nil, site.span), body, site.span)
    }

    fn test_and_body(&mut self, site: &Use<'_>) -> (Node, Node) {
        let test = self.part_of(site, 0, Tail::No);
        let body = self.body(site.args.get(1..).unwrap_or(&[]), site.span, site.tail);
        (test, body)
    }

    pub(super) fn if_let(&mut self, site: &Use<'_>) -> Node {
        self.if_bound(site, false)
    }

    pub(super) fn if_some(&mut self, site: &Use<'_>) -> Node {
        self.if_bound(site, true)
    }

    pub(super) fn when_let(&mut self, site: &Use<'_>) -> Node {
        self.when_bound(site, false)
    }

    pub(super) fn when_some(&mut self, site: &Use<'_>) -> Node {
        self.when_bound(site, true)
    }

    fn if_bound(&mut self, site: &Use<'_>, some: bool) -> Node {
        let Some((pattern, value)) = self.one_pair(site) else {
            return constant(Value::Nil, site.span);
        };
        let value = self.expr(value, Tail::No);
        let (then, otherwise) = (site.args.get(1..2).unwrap_or(&[]), site.args.get(2..).unwrap_or(&[]));
        self.when_value(pattern, value, some, then, otherwise, site)
    }

    fn when_bound(&mut self, site: &Use<'_>, some: bool) -> Node {
        let Some((pattern, value)) = self.one_pair(site) else {
            return constant(Value::Nil, site.span);
        };
        let value = self.expr(value, Tail::No);
        self.when_value(pattern, value, some, site.args.get(1..).unwrap_or(&[]), &[], site)
    }

    /// `then` with the pattern bound when the value is truthy (with `some`: not nil), else `otherwise` without it.
    fn when_value(
        &mut self,
        pattern: &Form,
        value: Node,
        some: bool,
        then: &[Form],
        otherwise: &[Form],
        site: &Use<'_>,
    ) -> Node {
        let mut outer = Bindings::new();
        let slot = self.hold(value, &mut outer);
        let otherwise = self.body(otherwise, site.span, site.tail);
        let then = self.body_with(pattern, local(slot, pattern.span), then, site);
        let held = local(slot, pattern.span);
        let chosen = if some {
            let test = self.apply("nil?", vec![held], site.span);
            choice(test, otherwise, then, site.span)
        } else {
            choice(held, then, otherwise, site.span)
        };
        bound(outer, chosen)
    }

    fn body_with(&mut self, pattern: &Form, value: Node, body: &[Form], site: &Use<'_>) -> Node {
        let mark = self.mark();
        let mut bindings = Bindings::new();
        self.bind(pattern, value, &mut bindings);
        let body = self.body(body, site.span, site.tail);
        self.forget(mark);
        bound(bindings, body)
    }

    /// `(when-first [x coll] body…)`
    pub(super) fn when_first(&mut self, site: &Use<'_>) -> Node {
        let Some((pattern, coll)) = self.one_pair(site) else {
            return constant(Value::Nil, site.span);
        };
        let coll = self.expr(coll, Tail::No);
        let coll = self.collection(site, coll);
        let sequence = self.apply("seq", vec![coll], site.span);
        let mut outer = Bindings::new();
        let slot = self.hold(sequence, &mut outer);
        let first = self.apply("first", vec![local(slot, site.span)], site.span);
        let then = self.body_with(pattern, first, site.args.get(1..).unwrap_or(&[]), site);
        bound(outer, choice(local(slot, site.span), then, constant(Value::Nil, site.span), site.span))
    }

    /// `coll`, checked in the name of this form.
    pub(super) fn collection(&mut self, site: &Use<'_>, coll: Node) -> Node {
        self.apply("%coll", vec![constant(Value::string(site.name), site.span), coll], site.span)
    }

    /// The only pair of `[pattern form]`.
    pub(super) fn one_pair<'f>(&mut self, site: &Use<'f>) -> Option<(&'f Form, &'f Form)> {
        let first = site.args.first()?;
        if let FormKind::Vector(items) = &first.kind {
            if let [pattern, value] = items.as_slice() {
                return Some((pattern, value));
            }
            let text = format!("{}: expected one name and one value in the brackets, got {}", site.name, items.len());
            self.problem(Reason::InvalidForm, text, first.span);
            return None;
        }
        self.wrong_shape(site, first.span);
        None
    }

    pub(super) fn cond(&mut self, site: &Use<'_>) -> Node {
        if !site.args.len().is_multiple_of(2) {
            let text = format!("cond needs an even number of forms, got {}", site.args.len());
            return self.problem(Reason::InvalidCondForm, text, site.span);
        }
        let mut clauses = Vec::with_capacity(site.args.len() / 2);
        let mut default = None;
        for pair in site.args.chunks_exact(2) {
            let [test, then] = pair else { continue };
            let test = self.expr(test, Tail::No);
            let then = self.expr(then, site.tail);
            match &test.kind {
                _ if default.is_some() => {}
                Kind::Const(value) if value.is_truthy() => default = Some(then),
                _ => clauses.push((test, then)),
            }
        }
        let default = default.unwrap_or_else(|| constant(Value::Nil, site.span));
        clause_node(clauses, default, site)
    }

    /// `(case value constant result … default?)`
    pub(super) fn case(&mut self, site: &Use<'_>) -> Node {
        let Some((subject, rest)) = site.args.split_first() else {
            return self.wrong_count(site);
        };
        let subject = self.expr(subject, Tail::No);
        let mut bindings = Bindings::new();
        let subject = self.reusable(subject, &mut bindings);
        let (pairs, default) = pairs_and_rest(rest);
        let mut clauses = Vec::with_capacity(pairs.len() / 2);
        for pair in pairs.chunks_exact(2) {
            let [constants, result] = pair else { continue };
            let test = self.case_test(&subject, constants);
            clauses.push((test, self.expr(result, site.tail)));
        }
        let default = match default {
            Some(form) => self.expr(form, site.tail),
            None => self.apply("%case-miss", vec![subject], site.span),
        };
        bound(bindings, clause_node(clauses, default, site))
    }

    /// Whether the subject equals the constant, or one of a list of constants.
    fn case_test(&mut self, subject: &Node, form: &Form) -> Node {
        let FormKind::List(items) = &form.kind else {
            return self.case_constant(subject, form);
        };
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
        // `DayOfWeek/MONDAY` is written for its value, which Clojure would not find.
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
    pub(super) fn condp(&mut self, site: &Use<'_>) -> Node {
        let [predicate, subject, rest @ ..] = site.args else {
            return self.wrong_count(site);
        };
        let predicate = self.expr(predicate, Tail::No);
        let subject = self.expr(subject, Tail::No);
        let (predicate, subject) = self.instance_clauses(&predicate, &subject, rest).unwrap_or((predicate, subject));
        let mut bindings = Bindings::new();
        let predicate = self.reusable(predicate, &mut bindings);
        let subject = self.reusable(subject, &mut bindings);
        let body = self.condp_clauses(&predicate, &subject, rest, site);
        bound(bindings, body)
    }

    fn condp_clauses(&mut self, predicate: &Node, subject: &Node, rest: &[Form], site: &Use<'_>) -> Node {
        let mut clauses = Vec::new();
        let mut rest = rest;
        loop {
            match rest {
                [] => {
                    let missed = self.apply("%condp-miss", vec![subject.clone()], site.span);
                    return clause_node(clauses, missed, site);
                }
                [default] => {
                    let default = self.expr(default, site.tail);
                    return clause_node(clauses, default, site);
                }
                [test, arrow, function, more @ ..] if is_arrow(arrow) => {
                    let default = self.condp_arrow(predicate, subject, test, function, more, site);
                    return clause_node(clauses, default, site);
                }
                [test, result, more @ ..] => {
                    let test = self.condp_test(predicate, subject, test);
                    clauses.push((test, self.expr(result, site.tail)));
                    rest = more;
                }
            }
        }
    }

    /// `test :>> function` and the clauses behind it: the truthy result of the test goes to the function.
    fn condp_arrow(
        &mut self,
        predicate: &Node,
        subject: &Node,
        test: &Form,
        function: &Form,
        more: &[Form],
        site: &Use<'_>,
    ) -> Node {
        if !self.deeper() {
            return self.too_deep(test.span);
        }
        let mut bindings = Bindings::new();
        let test = self.condp_test(predicate, subject, test);
        let slot = self.hold(test, &mut bindings);
        let callee = Box::new(self.expr(function, Tail::No));
        let then = Node { kind: Kind::Call { callee, args: vec![local(slot, function.span)] }, span: function.span };
        let otherwise = self.condp_clauses(predicate, subject, more, site);
        self.shallower();
        bound(bindings, choice(local(slot, function.span), then, otherwise, function.span))
    }

    fn condp_test(&mut self, predicate: &Node, subject: &Node, test: &Form) -> Node {
        let test_value = self.expr(test, Tail::No);
        let args = vec![test_value, subject.clone()];
        Node { kind: Kind::Call { callee: Box::new(predicate.clone()), args }, span: test.span }
    }

    /// The node itself where evaluating it again costs nothing, else a local that holds its value.
    fn reusable(&mut self, node: Node, bindings: &mut Bindings) -> Node {
        if is_simple(&node) {
            return node;
        }
        let span = node.span;
        local(self.hold(node, bindings), span)
    }

    pub(super) fn and(&mut self, site: &Use<'_>) -> Node {
        let tests = self.tests(site);
        Node { kind: Kind::And(tests), span: site.span }
    }

    pub(super) fn or(&mut self, site: &Use<'_>) -> Node {
        let tests = self.tests(site);
        Node { kind: Kind::Or(tests), span: site.span }
    }

    fn tests(&mut self, site: &Use<'_>) -> Vec<Node> {
        let Some((last, before)) = site.args.split_last() else {
            return Vec::new();
        };
        let mut tests = self.exprs(before);
        tests.push(self.expr(last, site.tail));
        tests
    }
}

fn clause_node(clauses: Vec<(Node, Node)>, default: Node, site: &Use<'_>) -> Node {
    if clauses.is_empty() {
        return default;
    }
    Node { kind: Kind::Cond { clauses, default: Box::new(default) }, span: site.span }
}

/// An even number of forms, and the odd one at the end.
fn pairs_and_rest(forms: &[Form]) -> (&[Form], Option<&Form>) {
    match forms.split_last() {
        Some((last, pairs)) if forms.len() % 2 == 1 => (pairs, Some(last)),
        _ => (forms, None),
    }
}

fn is_arrow(form: &Form) -> bool {
    matches!(&form.kind, FormKind::Keyword(word) if word == ">>")
}
