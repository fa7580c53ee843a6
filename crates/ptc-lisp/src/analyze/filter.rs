//! `where`: predicates over rows.

use super::ir::Node;
use crate::error::counted;

use super::{Analyzer, Form, FormKind, Reason, Tail, Use, Value, constant, quote};

const OPERATORS: &[&str] = &["=", "not=", ">", "<", ">=", "<=", "in", "includes"];

impl Analyzer<'_> {
    /// `(where field)`, `(where field op value)`
    pub(super) fn where_predicate(&mut self, site: &Use<'_>) -> Node {
        let span = site.span;
        match site.args {
            [field] => match self.field(field) {
                Some(field) => self.apply("%where", vec![field], span),
                None => constant(Value::Nil, span),
            },
            [field, value] => {
                let text = format!(
                    "where takes a field, or a field, an operator and a value; did you mean (where {} = {})?",
                    quote::text(field, 60),
                    quote::text(value, 60)
                );
                self.problem(Reason::InvalidWhereForm, text, span)
            }
            [field, operator, value] => {
                let field = self.field(field);
                let operator = self.operator(operator);
                let value = self.expr(value, Tail::No);
                match (field, operator) {
                    (Some(field), Some(operator)) => self.apply("%where", vec![field, operator, value], span),
                    _ => constant(Value::Nil, span),
                }
            }
            _ => {
                let text = format!(
                    "where takes a field, or a field, an operator and a value, got {}",
                    counted(site.args.len(), "part")
                );
                self.problem(Reason::InvalidWhereForm, text, span)
            }
        }
    }

    /// A keyword, a string, or a vector of keywords, strings and integers.
    fn field(&mut self, form: &Form) -> Option<Node> {
        let is_step = |form: &Form| matches!(form.kind, FormKind::Keyword(_) | FormKind::Str(_) | FormKind::Int(_));
        let valid = match &form.kind {
            FormKind::Keyword(_) | FormKind::Str(_) => true,
            FormKind::Vector(path) => path.iter().all(is_step),
            _ => false,
        };
        match quote::value(form).filter(|_| valid) {
            Some(value) => Some(constant(value, form.span)),
            None => {
                let text = format!(
                    "where takes a field, or a field, an operator and a value; \
                     the field is a keyword or a literal path such as [:owner :tier], got {}",
                    quote::text(form, 60)
                );
                self.problem(Reason::InvalidWhereForm, text, form.span);
                None
            }
        }
    }

    fn operator(&mut self, form: &Form) -> Option<Node> {
        if let FormKind::Symbol(symbol) = &form.kind
            && symbol.ns.is_none()
            && OPERATORS.contains(&symbol.name.as_str())
        {
            return Some(constant(Value::keyword(&symbol.name), form.span));
        }
        let text = format!("unknown where operator '{}'; use {}", quote::text(form, 40), OPERATORS.join(" "));
        self.problem(Reason::InvalidWhereOperator, text, form.span);
        None
    }
}
