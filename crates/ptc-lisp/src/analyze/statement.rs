//! Warnings about code that is legal but nearly always a mistake.

use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, WarningCode};
use crate::stdlib::Purity;
use crate::stdlib::table::table;

impl Analyzer<'_> {
    /// Warn when the value of this form is dropped although the form has no other use.
    pub(super) fn check_statement(&mut self, form: &Form, node: &Node) {
        let (FormKind::List(items), Kind::Call { callee, .. }) = (&form.kind, &node.kind) else { return };
        let pure = callee.builtin().and_then(|_| last_call(items)).filter(|(name, args)| is_pure(name, args));
        let Some((name, _)) = pure else { return };
        let text = format!(
            "the result of ({name} ...) is dropped here: values never change in place; bind it with let or def, or make it the last form"
        );
        self.warn(WarningCode::DroppedResult, text, form.span);
    }

    /// Warn about definitions that repeat input data and are never used.
    pub(super) fn check_copies(&mut self) {
        for (name, key, span) in std::mem::take(&mut self.copies) {
            if !self.referred_to.contains(&name) {
                let text = format!(
                    "{name} repeats data/{key} and is not used: data/{key} can be written everywhere, also in later turns"
                );
                self.warn(WarningCode::DuplicateDataDef, text, span);
            }
        }
    }
}

fn is_pure(name: &str, args: &[Form]) -> bool {
    let is_pure_function = |function: &Form| match &function.kind {
        FormKind::Keyword(_) => true,
        _ => function.name().is_some_and(|name| purity(name) == Purity::Pure),
    };
    purity(name).called(args).is_some_and(|functions| functions.iter().all(is_pure_function))
}

fn purity(name: &str) -> Purity {
    table().find(name).map_or(Purity::Unknown, |id| table().entry(id).row.purity)
}

/// The name and the arguments of the call that gives the value of a list; in a threading form, that is the last step.
fn last_call(items: &[Form]) -> Option<(&str, &[Form])> {
    let (head, args) = items.split_first()?;
    let name = head.name()?;
    if !matches!(name, "->" | "->>") {
        return Some((name, args));
    }
    let step = args.last().filter(|_| args.len() > 1)?;
    step.call().or_else(|| step.name().map(|name| (name, [].as_slice())))
}
