//! `try`, `catch`, `finally`, `throw`.

use super::ir::{Catch, Kind, Node};
use super::repeat::in_order;
use super::{Analyzer, Form, FormKind, Reason, Tail, Use, WarningCode, nil};
use crate::error::{ErrorClass, counted};

impl Analyzer<'_> {
    /// `(try body… (catch Class name body…) … (finally body…))`
    pub(super) fn try_form(&mut self, site: &Use<'_>) -> Node {
        let start = site.args.iter().position(|form| clause(form).is_some()).unwrap_or(site.args.len());
        let (body, clauses) = site.args.split_at(start);
        let inside = match site.tail {
            Tail::No => Tail::No,
            _ => Tail::AcrossTry,
        };
        let body = Box::new(self.body(body, site.span, inside));
        let (mut catches, mut finally) = (Vec::new(), None);
        for form in clauses {
            match clause(form) {
                Some(("catch", parts)) if finally.is_none() => {
                    catches.extend(self.catch(form, parts, inside));
                }
                Some(("finally", parts)) if finally.is_none() => {
                    // The last value is dropped as well.
                    let mut steps = self.statements(parts);
                    let last = steps.pop().unwrap_or_else(|| nil(form.span));
                    finally = Some(Box::new(in_order(steps, last, form.span)));
                }
                _ => {
                    let text = "try: the body comes first, then catch clauses, then one finally";
                    return self.problem(Reason::InvalidForm, text, form.span);
                }
            }
        }
        Node { kind: Kind::Try { body, catches, finally }, span: site.span }
    }

    fn catch(&mut self, form: &Form, parts: &[Form], tail: Tail) -> Option<Catch> {
        let [class, name, body @ ..] = parts else {
            let text = format!("catch: expected (catch Exception e body...), got {}", counted(parts.len(), "part"));
            return self.refuse(Reason::InvalidArity, text, form.span);
        };
        let (Some(class), Some(name)) = (self.catch_class(class), name.plain()) else {
            return self.refuse(Reason::InvalidForm, "catch: expected (catch Exception e body...)", form.span);
        };
        let mark = self.mark();
        let slot = self.fresh_named(name, form.span);
        let body = self.body(body, form.span, tail);
        self.forget(mark);
        Some(Catch { class, slot, body })
    }

    fn catch_class(&mut self, form: &Form) -> Option<ErrorClass> {
        let name = match &form.kind {
            FormKind::Symbol(symbol) => symbol.to_string(),
            FormKind::Keyword(word) => format!(":{word}"),
            _ => return None,
        };
        let simple = name.rsplit_once('.').map_or(name.as_str(), |(_, simple)| simple);
        if matches!(simple, "Object" | ":default") {
            return Some(ErrorClass::Throwable);
        }
        ErrorClass::named(simple).or_else(|| {
            let text = format!("catch does not know the class {name}: it catches every error here; write Exception");
            self.warn(WarningCode::UnknownCatchClass, text, form.span);
            Some(ErrorClass::Throwable)
        })
    }

    pub(super) fn throw(&mut self, site: &Use<'_>) -> Node {
        let args = self.exprs(site.args);
        self.apply("%throw", args, site.span)
    }
}

/// The keyword and the parts of a `catch` or `finally` clause.
fn clause(form: &Form) -> Option<(&str, &[Form])> {
    let (head, parts) = form.list()?.split_first()?;
    head.plain().filter(|name| matches!(*name, "catch" | "finally")).map(|name| (name, parts))
}
