//! `where`: predicates over rows.

use super::ir::Node;
use crate::error::counted;

use super::{Analyzer, Form, FormKind, Reason, Tail, Use, Value, constant, quote};

const EXPECTED: &str = "where takes a field, or a field, an operator and a value";
const OPERATORS: &[&str] = &["=", "not=", ">", "<", ">=", "<=", "in", "includes"];

impl Analyzer<'_> {
    /// `(where field)`, `(where field op value)`
    pub(super) fn where_predicate(&mut self, site: &Use<'_>) -> Option<Node> {
        let args = match site.args {
            [field] => vec![self.field(field)?],
            [field, operator, value] => {
                let (field, operator) = (self.field(field), self.operator(operator));
                let value = self.expr(value, Tail::No);
                vec![field?, operator?, value]
            }
            other => {
                let text = match other {
                    [field, value] => {
                        let (field, value) = (quote::text(field, 60), quote::text(value, 60));
                        format!("{EXPECTED}; did you mean (where {field} = {value})?")
                    }
                    _ => format!("{EXPECTED}, got {}", counted(other.len(), "part")),
                };
                return self.refuse(Reason::InvalidWhereForm, text, site.span);
            }
        };
        Some(self.apply("%where", args, site.span))
    }

    /// A keyword, a string, or a vector of keywords, strings and integers.
    fn field(&mut self, form: &Form) -> Option<Node> {
        let is_step = |form: &Form| matches!(form.kind, FormKind::Keyword(_) | FormKind::Str(_) | FormKind::Int(_));
        let valid = match &form.kind {
            FormKind::Keyword(_) | FormKind::Str(_) => true,
            FormKind::Vector(path) => path.iter().all(is_step),
            _ => false,
        };
        if let Some(value) = quote::value(form).filter(|_| valid) {
            return Some(constant(value, form.span));
        }
        let got = quote::text(form, 60);
        let text = format!("{EXPECTED}; the field is a keyword or a literal path such as [:owner :tier], got {got}");
        self.refuse(Reason::InvalidWhereForm, text, form.span)
    }

    fn operator(&mut self, form: &Form) -> Option<Node> {
        if let Some(name) = form.plain().filter(|name| OPERATORS.contains(name)) {
            return Some(constant(Value::keyword(name), form.span));
        }
        let text = format!("unknown where operator '{}'; use {}", quote::text(form, 40), OPERATORS.join(" "));
        self.refuse(Reason::InvalidWhereOperator, text, form.span)
    }
}
