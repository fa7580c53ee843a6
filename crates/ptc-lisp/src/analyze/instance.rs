//! `(= (type x) String)`: kinds are keywords here, so a comparison with a class becomes an instance test.

use super::ir::{Kind, Node};
use super::{Analyzer, Form, Span, Value};
use crate::stdlib::is_class;

impl Analyzer<'_> {
    /// `(= (type x) String)` and `(not= String (type x))` as `(instance? String x)` and its negation; `None`, with
    /// nothing changed, for every other call.
    pub(super) fn instance_test(&mut self, callee: &Node, args: &[Node], span: Span) -> Option<Node> {
        let opposite = self.is_builtin(callee, "not=");
        if !(opposite || self.is_builtin(callee, "=")) {
            return None;
        }
        let (class, kind) = match args {
            [class, kind] if is_class_node(class) => (class, kind),
            [kind, class] if is_class_node(class) => (class, kind),
            _ => return None,
        };
        let subject = self.kind_of(kind)?.clone();
        let test = self.apply("instance?", vec![class.clone(), subject], span);
        Some(if opposite { self.apply("not", vec![test], span) } else { test })
    }

    /// `instance?` and `x` for the predicate and subject of `(condp = (type x) String … Long …)`.
    pub(super) fn instance_clauses(
        &mut self,
        predicate: &Node,
        subject: &Node,
        clauses: &[Form],
    ) -> Option<(Node, Node)> {
        let subject = self.kind_of(subject).filter(|_| self.is_builtin(predicate, "="))?.clone();
        let mut tests = clauses.chunks_exact(2).filter_map(<[Form]>::first);
        if clauses.len() < 2 || !tests.all(|test| self.is_class_form(test)) {
            return None;
        }
        Some((self.builtin("instance?", predicate.span), subject))
    }

    /// The argument of `type`.
    fn kind_of<'n>(&self, node: &'n Node) -> Option<&'n Node> {
        match &node.kind {
            Kind::Call { callee, args } if self.is_builtin(callee, "type") => args.first(),
            _ => None,
        }
    }

    fn is_builtin(&self, node: &Node, name: &str) -> bool {
        node.builtin().is_some_and(|id| self.names.builtin(None, name).is_some_and(|(known, _)| known == id))
    }

    fn is_class_form(&mut self, form: &Form) -> bool {
        let name = form.plain().filter(|name| is_class(name));
        name.is_some_and(|name| self.lookup(name).is_none() && !self.is_definition(name))
    }
}

fn is_class_node(node: &Node) -> bool {
    matches!(&node.kind, Kind::Const(Value::Symbol(name)) if is_class(name.as_str()))
}
