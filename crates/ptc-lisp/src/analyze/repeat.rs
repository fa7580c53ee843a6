//! Loops: `loop` and `recur`, `while`, `dotimes`, `for`, `doseq`.

use super::binding::Bindings;
use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, Reason, Span, Tail, Use, Value, bound, choice, constant, local, nil};
use crate::error::advice::Counts;
use crate::parse::pairs;

/// One pattern of a `for` with its collection and what follows it.
struct Level<'f> {
    pattern: &'f Form,
    coll: &'f Form,
    modifiers: Vec<Modifier<'f>>,
}

enum Modifier<'f> {
    When(&'f Form),
    While(&'f Form),
    Let(&'f [Form]),
}

/// What runs for each element of a comprehension.
struct Round<'f> {
    body: &'f [Form],
    site: &'f Use<'f>,
    kind: Comprehension,
}

/// What a comprehension does with its body.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Comprehension {
    /// Collects its values.
    For,
    /// Only evaluates it.
    Doseq,
}

impl Analyzer<'_> {
    /// `(loop [pattern init …] body…)`
    pub(super) fn loop_form(&mut self, site: &Use<'_>) -> Option<Node> {
        let (pairs, body) = self.pairs(site)?;
        let is_plain = pairs.iter().all(|[pattern, _]| pattern.plain().is_some());
        Some(self.within(|analyzer, before| match is_plain {
            true => analyzer.plain_loop(pairs, body, site),
            false => analyzer.pattern_loop(pairs, body, site, before),
        }))
    }

    fn plain_loop(&mut self, pairs: &[[Form; 2]], body: &[Form], site: &Use<'_>) -> Node {
        let mut bindings = Bindings::new();
        for [pattern, init] in pairs {
            let value = self.expr(init, Tail::No);
            self.bind(pattern, value, &mut bindings);
            self.note_list(pattern, init);
        }
        let body = self.jump_target(pairs.len(), |analyzer| analyzer.body(body, site.span, Tail::Yes));
        Node { kind: Kind::Loop { bindings, body: Box::new(body) }, span: site.span }
    }

    /// Later inits see the parts of earlier patterns, so these are destructured before the loop and again in each
    /// round.
    fn pattern_loop(&mut self, pairs: &[[Form; 2]], body: &[Form], site: &Use<'_>, before: &mut Bindings) -> Node {
        let mut inits = Vec::with_capacity(pairs.len());
        for [pattern, init] in pairs {
            let init = self.expr(init, Tail::No);
            let slot = self.hold(init, before);
            inits.push(slot);
            self.take_apart(pattern, slot, before);
        }
        let (mut rounds, mut inner) = (Bindings::new(), Bindings::new());
        let slots: Vec<_> = inits.iter().map(|init| self.hold(local(*init, site.span), &mut rounds)).collect();
        for ([pattern, init], slot) in pairs.iter().zip(slots) {
            self.take_apart(pattern, slot, &mut inner);
            self.note_list(pattern, init);
        }
        let body = self.jump_target(pairs.len(), |analyzer| analyzer.body(body, site.span, Tail::Yes));
        Node { kind: Kind::Loop { bindings: rounds, body: Box::new(bound(inner, body)) }, span: site.span }
    }

    /// Bind the names of `pattern` to the parts of what `slot` holds, where a name needs no further slot.
    pub(super) fn take_apart(&mut self, pattern: &Form, slot: super::ir::Slot, out: &mut Bindings) {
        match pattern.plain() {
            Some(name) if name != "&" => self.declare(name, slot),
            _ => self.bind(pattern, local(slot, pattern.span), out),
        }
    }

    /// The result of `body`, in which `recur` with `count` arguments jumps here.
    fn jump_target(&mut self, count: usize, body: impl FnOnce(&mut Self) -> Node) -> Node {
        if let Some(scope) = self.scopes.last_mut() {
            scope.targets.push(count);
        }
        let node = body(self);
        if let Some(scope) = self.scopes.last_mut() {
            scope.targets.pop();
        }
        node
    }

    pub(super) fn recur(&mut self, site: &Use<'_>) -> Node {
        let args = self.exprs(site.args);
        let target = self.scopes.last().and_then(|scope| scope.targets.last().copied());
        match (site.tail, target) {
            (Tail::AcrossTry, Some(_)) => {
                let text = "recur cannot jump out of try; put the loop inside the try, or the recur after it";
                self.problem(Reason::InvalidForm, text, site.span)
            }
            (Tail::Yes, Some(count)) if count == args.len() => Node { kind: Kind::Recur(args), span: site.span },
            (Tail::Yes, Some(count)) => {
                let counts = Counts::new([(count, false)]);
                let text = format!("recur: expected {counts}, got {}", args.len());
                self.problem(Reason::ArityError, text, site.span)
            }
            _ => self.problem(Reason::InvalidForm, "recur is only allowed in tail position", site.span),
        }
    }

    /// `(while test body…)`
    pub(super) fn while_loop(&mut self, site: &Use<'_>) -> Option<Node> {
        let (test, body) = site.args.split_first()?;
        let test = self.expr(test, Tail::No);
        let round = self.statements(body);
        let again = Node { kind: Kind::Recur(Vec::new()), span: site.span };
        let round = in_order(round, again, site.span);
        let body = Box::new(choice(test, round, nil(site.span), site.span));
        Some(Node { kind: Kind::Loop { bindings: Vec::new(), body }, span: site.span })
    }

    /// `(dotimes [i n] body…)`
    pub(super) fn dotimes(&mut self, site: &Use<'_>) -> Option<Node> {
        let (pattern, count) = self.one_pair(site)?;
        let span = site.span;
        let count = self.expr(count, Tail::No);
        let count = match count.kind {
            Kind::Const(Value::Int(_)) => count,
            _ => self.apply("%number", vec![constant(Value::string("dotimes"), span), count], span),
        };
        let body = site.args.get(1..)?;
        Some(self.within(|analyzer, before| {
            let end = analyzer.hold(count, before);
            let mut bindings = Bindings::new();
            let slot = analyzer.hold(constant(Value::Int(0), span), &mut bindings);
            let round = analyzer.within(|analyzer, inner| {
                analyzer.take_apart(pattern, slot, inner);
                let round = analyzer.statements(body);
                let next = analyzer.apply("inc", vec![local(slot, span)], span);
                in_order(round, Node { kind: Kind::Recur(vec![next]), span }, span)
            });
            let test = analyzer.apply("<", vec![local(slot, span), local(end, span)], span);
            let body = Box::new(choice(test, round, nil(span), span));
            Node { kind: Kind::Loop { bindings, body }, span }
        }))
    }

    /// Forms that are evaluated for their effects.
    pub(super) fn statements(&mut self, forms: &[Form]) -> Vec<Node> {
        let statement = |form| {
            let node = self.expr(form, Tail::No);
            self.check_statement(form, &node);
            node
        };
        forms.iter().map(statement).collect()
    }

    pub(super) fn comprehension(&mut self, site: &Use<'_>, kind: Comprehension) -> Option<Node> {
        let (first, body) = site.args.split_first()?;
        let FormKind::Vector(items) = &first.kind else {
            let text = format!("{}: expected {}", site.name, site.template);
            return self.refuse(Reason::InvalidArity, text, first.span);
        };
        let levels = self.levels(items, first.span, site)?;
        Some(self.level(&levels, &Round { body, site, kind }))
    }

    fn levels<'f>(&mut self, items: &'f [Form], span: Span, site: &Use<'_>) -> Option<Vec<Level<'f>>> {
        let mut levels: Vec<Level<'f>> = Vec::new();
        for pair in items.chunks(2) {
            let problem = match pair {
                [Form { kind: FormKind::Keyword(word), .. }, value] => {
                    match (modifier(word, value), levels.last_mut()) {
                        (Ok(modifier), Some(level)) => {
                            level.modifiers.push(modifier);
                            continue;
                        }
                        (Ok(_), None) => format!("the brackets start with a name and a collection, got :{word}"),
                        (Err(text), _) => text,
                    }
                }
                [pattern, coll] => {
                    levels.push(Level { pattern, coll, modifiers: Vec::new() });
                    continue;
                }
                [Form { kind: FormKind::Keyword(word), .. }] => format!(":{word} needs a form after it"),
                _ => "the last name in the brackets has no collection".to_owned(),
            };
            let place = pair.first().map_or(span, |form| form.span);
            return self.refuse(Reason::InvalidForm, format!("{}: {problem}", site.name), place);
        }
        if levels.is_empty() {
            return self.wrong_shape(site, span);
        }
        Some(levels)
    }

    /// The loop over the first level; the others run inside its function.
    fn level(&mut self, levels: &[Level<'_>], round: &Round<'_>) -> Node {
        let Some((level, inner)) = levels.split_first() else { return self.comprehension_body(round) };
        let (pattern, span) = (level.pattern, round.site.span);
        self.nested(pattern.span, |analyzer| {
            let coll = analyzer.expr(level.coll, Tail::No);
            let function = analyzer
                .made_function(Some(pattern), span, None, |inside| inside.modified(&level.modifiers, inner, round));
            let name = match round.kind {
                Comprehension::Doseq => "%doseq",
                Comprehension::For if inner.is_empty() => "%for",
                Comprehension::For => "%for-cat",
            };
            analyzer.apply(name, vec![coll, function], span)
        })
    }

    fn modified(&mut self, modifiers: &[Modifier<'_>], inner: &[Level<'_>], round: &Round<'_>) -> Node {
        let Some((modifier, rest)) = modifiers.split_first() else { return self.level(inner, round) };
        let span = round.site.span;
        self.nested(span, |analyzer| match modifier {
            Modifier::When(test) | Modifier::While(test) => {
                let test = analyzer.expr(test, Tail::No);
                let then = analyzer.modified(rest, inner, round);
                let otherwise = match (modifier, round.kind) {
                    (Modifier::While(_), _) => analyzer.builtin("%stop", span),
                    (_, Comprehension::For) => analyzer.builtin("%skip", span),
                    (_, Comprehension::Doseq) => nil(span),
                };
                choice(test, then, otherwise, span)
            }
            Modifier::Let(items) => analyzer.within(|analyzer, bindings| {
                for [pattern, form] in pairs(items) {
                    let value = analyzer.expr(form, Tail::No);
                    analyzer.bind(pattern, value, bindings);
                }
                analyzer.modified(rest, inner, round)
            }),
        })
    }

    fn comprehension_body(&mut self, Round { body, site, kind }: &Round<'_>) -> Node {
        match kind {
            Comprehension::For => self.body(body, site.span, Tail::No),
            Comprehension::Doseq => {
                let steps = self.statements(body);
                in_order(steps, nil(site.span), site.span)
            }
        }
    }
}

fn modifier<'f>(word: &str, value: &'f Form) -> Result<Modifier<'f>, String> {
    match (word, &value.kind) {
        ("when", _) => Ok(Modifier::When(value)),
        ("while", _) => Ok(Modifier::While(value)),
        ("let", FormKind::Vector(items)) if items.len() % 2 == 0 => Ok(Modifier::Let(items)),
        ("let", _) => Err(":let needs a vector of names and values".to_owned()),
        _ => Err(format!(":{word} is not a modifier; use :when, :let or :while")),
    }
}

/// `last` after `steps`.
pub(super) fn in_order(mut steps: Vec<Node>, last: Node, span: Span) -> Node {
    if steps.is_empty() {
        return last;
    }
    steps.push(last);
    Node { kind: Kind::Do(steps), span }
}
