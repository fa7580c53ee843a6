//! Ordinary calls, with argument counts checked where they are known.

use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, Reason, Span, Tail, Value, WarningCode, constant, hint, ir};
use crate::error::advice::Counts;
use crate::error::advice::call::on_foreign_arity;
use crate::error::counted;
use crate::parse::Symbol;
use crate::stdlib::table::table;
use crate::stdlib::{regex_problem, takes_pattern};

impl Analyzer<'_> {
    pub(super) fn call_forms(&mut self, head: &Form, args: &[Form], span: Span) -> Node {
        self.call_with(head, None, args, None, span)
    }

    /// A call of `head` with the resolved values around those of `args`.
    pub(super) fn call_with(
        &mut self,
        head: &Form,
        first: Option<Node>,
        args: &[Form],
        last: Option<Node>,
        span: Span,
    ) -> Node {
        let count = args.len() + usize::from(first.is_some()) + usize::from(last.is_some());
        let callee = match &head.kind {
            FormKind::Symbol(symbol) => self.callee(symbol, head, count, span),
            _ => Some(self.expr(head, Tail::No)),
        };
        // The parts of a refused form are not checked: they follow other rules.
        if callee.is_none() && matches!(&head.kind, FormKind::Symbol(symbol) if hint::is_refused(&symbol.name)) {
            return constant(Value::Nil, span);
        }
        if let (Some(Kind::Data(key)), 0) = (callee.as_ref().map(|callee| &callee.kind), count) {
            let text =
                format!("data/{key} is a value: write it without parentheses, or (nth data/{key} 0) for an element");
            return self.problem(Reason::NotCallable, text, span);
        }
        if let (Some(callee), None, None) = (&callee, &first, &last)
            && let Some(node) = self.looked_up(callee, args, span)
        {
            return node;
        }
        let mut nodes = Vec::with_capacity(count);
        if let (FormKind::Symbol(symbol), Some(_)) = (&head.kind, callee.as_ref().and_then(Node::builtin)) {
            self.check_list_order(&symbol.name, head, first.as_ref(), args);
        }
        nodes.extend(first);
        nodes.extend(self.exprs(args));
        nodes.extend(last);
        match callee {
            Some(callee) if is_budget(head) && matches!(callee.kind, Kind::Call { .. }) => {
                self.budget(callee, &nodes, span)
            }
            Some(callee) => {
                if let Kind::Tool(tool) = &callee.kind {
                    self.check_tool_call(tool, &nodes, args, span);
                }
                self.check_pattern(&callee, &nodes);
                self.instance_test(&callee, &nodes, span).unwrap_or_else(|| ir::call_of(callee, nodes, span))
            }
            None => constant(Value::Nil, span),
        }
    }

    /// Warn of a regular expression written as a string where strings are taken literally. Report a literal string that
    /// is used as a regular expression and is not one.
    fn check_pattern(&mut self, callee: &Node, args: &[Node]) {
        let Some(name) = callee.builtin().map(|id| table().entry(id).row.name) else { return };
        match args {
            [Node { kind: Kind::Const(Value::Str(text)), span }, ..] if takes_pattern(name) => {
                if let Some(problem) = regex_problem(text.as_str()) {
                    self.problem(Reason::ArgumentError, problem, *span);
                }
            }
            [_, Node { kind: Kind::Const(Value::Str(text)), span }, ..]
                if matches!(name, "split" | "replace" | "replace-first") && has_class_escape(text) =>
            {
                let pattern = text.as_str().replace('"', "\\\"");
                let message = format!("{name} takes a text as it is; write the pattern #\"{pattern}\"");
                self.warn(WarningCode::PatternAsText, message, *span);
            }
            _ => {}
        }
    }

    /// The callee of a name in head position; `None` when a problem was reported.
    fn callee(&mut self, symbol: &Symbol, head: &Form, count: usize, span: Span) -> Option<Node> {
        let callee = self.find(symbol, head.span)?;
        match callee.kind {
            Kind::Const(Value::Builtin(id)) if !table().entry(id).accepts(count) => {
                self.check_count(&symbol.to_string(), &table().entry(id).counts, count, span);
            }
            Kind::Global(_) => self.check_definition(&symbol.name, count, span),
            _ => {}
        }
        Some(callee)
    }

    /// Check the argument count for a function that this program defines. The definition of an earlier turn may differ;
    /// then only calls after the new definition are checked.
    fn check_definition(&mut self, name: &str, count: usize, span: Span) {
        let Some(definition) = self.survey.definitions.get(name) else { return };
        let Some(counts) = definition.counts.clone() else { return };
        if span.start >= definition.end || !self.names.is_defined(name) {
            self.check_count(name, &counts, count, span);
        }
    }

    fn check_count(&mut self, name: &str, counts: &Counts, count: usize, span: Span) {
        if !counts.accepts(count) {
            let instead = on_foreign_arity(name, count);
            self.problem(Reason::ArityError, format!("{name}: expected {counts}, got {count}{instead}"), span);
        }
    }

    /// `(budget/remaining)` means the same as the bare name.
    fn budget(&mut self, value: Node, args: &[Node], span: Span) -> Node {
        if args.is_empty() {
            return value;
        }
        let text = format!("budget/remaining: expected (budget/remaining), got {}", counted(args.len(), "argument"));
        self.problem(Reason::InvalidArity, text, span)
    }
}

/// Whether `text` has `\s`, `\d`, `\w` or `\b` or one of their opposites; a letter after it suggests a path.
fn has_class_escape(text: &str) -> bool {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\'
            && matches!(chars.next(), Some('s' | 'S' | 'd' | 'D' | 'w' | 'W' | 'b'))
            && !chars.peek().is_some_and(|after| after.is_alphanumeric())
        {
            return true;
        }
    }
    false
}

fn is_budget(head: &Form) -> bool {
    matches!(&head.kind, FormKind::Symbol(symbol) if symbol.ns.as_deref() == Some("budget"))
}
