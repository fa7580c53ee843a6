//! Warnings about code that is legal but nearly always a slip.

use super::ir::{Kind, Node};
use super::{Analyzer, Form, FormKind, Value, WarningCode};
use crate::stdlib::table::table;
use crate::value::BuiltinId;

/// Functions whose only point is their value.
const PURE: &[&str] = &[
    "!=",
    "*",
    "+",
    "-",
    "/",
    "<",
    "<=",
    "=",
    ">",
    ">=",
    "abs",
    "assoc",
    "assoc!",
    "assoc-in",
    "avg",
    "butlast",
    "concat",
    "conj",
    "conj!",
    "cons",
    "contains?",
    "count",
    "dec",
    "disj",
    "disj!",
    "dissoc",
    "dissoc!",
    "distinct",
    "drop",
    "empty?",
    "first",
    "flatten",
    "format",
    "frequencies",
    "get",
    "get-in",
    "hash-map",
    "inc",
    "into",
    "join",
    "keys",
    "keyword",
    "last",
    "list",
    "lower-case",
    "max",
    "merge",
    "min",
    "mod",
    "name",
    "neg?",
    "next",
    "nil?",
    "not",
    "not=",
    "nth",
    "odd?",
    "even?",
    "partition",
    "pop",
    "pos?",
    "pr-str",
    "quot",
    "range",
    "rem",
    "rest",
    "reverse",
    "second",
    "select-keys",
    "set",
    "some?",
    "sort",
    "split",
    "str",
    "subs",
    "subvec",
    "sum",
    "take",
    "trim",
    "upper-case",
    "vals",
    "vec",
    "vector",
    "zero?",
    "zipmap",
];

/// Functions that are pure when the function at this argument is.
const CARRIERS: &[(&str, usize)] = &[
    ("map", 0),
    ("mapv", 0),
    ("filter", 0),
    ("filterv", 0),
    ("remove", 0),
    ("keep", 0),
    ("sort-by", 0),
    ("group-by", 0),
    ("update", 2),
    ("update-in", 2),
    ("update-vals", 2),
];

impl Analyzer<'_> {
    /// Warn when the value of this form is dropped although it is all the form is good for.
    pub(super) fn check_statement(&mut self, form: &Form, node: &Node) {
        let (FormKind::List(items), Kind::Call { callee, .. }) = (&form.kind, &node.kind) else {
            return;
        };
        if !matches!(callee.kind, Kind::Const(Value::Builtin(_))) {
            return;
        }
        let Some((name, _)) = last_call(items).filter(|(name, args)| is_pure(name, args)) else {
            return;
        };
        let text = format!(
            "the result of ({name} ...) is dropped here: values never change in place; bind it with let or def, or make it the last form"
        );
        self.warn(WarningCode::DroppedResult, text, form.span);
    }

    /// Warn about definitions that repeat input data and serve nothing.
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

/// Whether a call of this builtin is only good for its value, whatever its arguments.
pub(crate) fn is_pure_builtin(id: BuiltinId) -> bool {
    PURE.contains(&table().entry(id).row.name)
}

/// Which argument of this builtin is a function, where calls are pure when it is.
pub(crate) fn carried(id: BuiltinId) -> Option<usize> {
    CARRIERS.iter().find(|(name, _)| *name == table().entry(id).row.name).map(|(_, place)| *place)
}

fn is_pure(name: &str, args: &[Form]) -> bool {
    if PURE.contains(&name) {
        return true;
    }
    let Some((_, place)) = CARRIERS.iter().find(|(known, _)| *known == name) else {
        return false;
    };
    args.get(*place).is_some_and(|function| match &function.kind {
        FormKind::Keyword(_) => true,
        _ => function.name().is_some_and(|name| PURE.contains(&name)),
    })
}

/// The name and the arguments of the call that gives the value of a list: of the last step in a thread.
fn last_call(items: &[Form]) -> Option<(&str, &[Form])> {
    let (head, args) = items.split_first()?;
    let name = head.name()?;
    if !matches!(name, "->" | "->>") {
        return Some((name, args));
    }
    let step = args.last().filter(|_| args.len() > 1)?;
    step.call().or_else(|| step.name().map(|name| (name, [].as_slice())))
}
