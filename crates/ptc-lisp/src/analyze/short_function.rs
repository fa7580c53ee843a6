//! Short functions: `#(…)` and its placeholders.

use std::sync::Arc;

use super::ir::{Kind, Node};
use super::scope::Scope;
use super::{Analyzer, Form, FormKind, Reason, Span, Tail, Value, constant};
use crate::parse::Symbol;
use crate::value::Origin;

impl Analyzer<'_> {
    /// `#(…)`
    pub(super) fn short_fn(&mut self, items: &[Form], span: Span) -> Node {
        let mut placeholders = Placeholders::default();
        items.iter().for_each(|item| placeholders.visit(item));
        if let Some((message, reason, place)) = placeholders.problem {
            return self.problem(reason, message, place);
        }
        self.scopes.push(Scope::default());
        for number in 1..=placeholders.highest {
            let slot = self.fresh_named(&format!("%{number}"), span);
            if number == 1 {
                self.declare("%", slot);
            }
        }
        if placeholders.rest {
            self.fresh_named("%&", span);
        }
        let count = placeholders.highest + u32::from(placeholders.rest);
        if let Some(scope) = self.scopes.last_mut() {
            scope.targets.push(count as usize);
        }
        let body = self.short_body(items, span);
        let scope = self.scopes.pop().unwrap_or_default();
        let mut names: Vec<String> = (1..=placeholders.highest).map(|number| format!("p{number}")).collect();
        names.extend(placeholders.rest.then(|| "& rest".to_owned()));
        let (takes, origin) = ((placeholders.highest, placeholders.rest), Some(Origin::Whole(span)));
        let function = scope.into_function(takes, body, names.join(" "), origin, span);
        Node { kind: Kind::Fn(Arc::new(function)), span }
    }

    /// A call, as in Clojure, except for a single literal, which models write and mean as the value (L-66).
    fn short_body(&mut self, items: &[Form], span: Span) -> Node {
        match items {
            [] => constant(Value::Nil, span),
            [single] if is_literal(single) => self.expr(single, Tail::Yes),
            _ => self.list(items, span, Tail::Yes),
        }
    }
}

/// Whether a form is a literal that cannot be called without arguments: a collection, a text, a number, a keyword …
fn is_literal(form: &Form) -> bool {
    use FormKind::{Deref, List, ShortFn, Symbol, Var};
    !matches!(&form.kind, Symbol(_) | List(_) | ShortFn(_) | Deref(_) | Var(_))
}

/// What a `%` name means.
enum Placeholder {
    Number(u32),
    Rest,
    Unusable,
}

fn placeholder(symbol: &Symbol) -> Option<Placeholder> {
    let tail = symbol.name.strip_prefix('%').filter(|_| symbol.ns.is_none())?;
    match tail {
        "" => Some(Placeholder::Number(1)),
        "&" => Some(Placeholder::Rest),
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            let number = digits.parse().ok().filter(|number| (1..=20).contains(number));
            Some(number.map_or(Placeholder::Unusable, Placeholder::Number))
        }
        _ => None,
    }
}

/// Whether this name has a meaning only inside `#()`.
pub(super) fn is_placeholder(symbol: &Symbol) -> bool {
    placeholder(symbol).is_some()
}

/// The parameters that a `#()` uses.
#[derive(Default)]
struct Placeholders {
    highest: u32,
    rest: bool,
    problem: Option<(String, Reason, Span)>,
}

impl Placeholders {
    fn visit(&mut self, form: &Form) {
        match &form.kind {
            FormKind::Symbol(symbol) => match placeholder(symbol) {
                Some(Placeholder::Number(number)) => self.highest = self.highest.max(number),
                Some(Placeholder::Rest) => self.rest = true,
                Some(Placeholder::Unusable) => {
                    let text = format!("{symbol} is not a parameter of #(); use % or %1 to %20");
                    self.report(text, Reason::InvalidPlaceholder, form.span);
                }
                None => {}
            },
            FormKind::Quote(_) => {}
            FormKind::ShortFn(_) => {
                let text = "#() inside #() is not possible; write the inner one as (fn [x] ...)";
                self.report(text.to_owned(), Reason::InvalidForm, form.span);
            }
            _ => form.parts().iter().for_each(|part| self.visit(part)),
        }
    }

    fn report(&mut self, text: String, reason: Reason, span: Span) {
        self.problem.get_or_insert((text, reason, span));
    }
}
