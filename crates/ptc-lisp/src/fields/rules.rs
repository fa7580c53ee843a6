//! What is known of builtins: which of them use a value, which only test for it.

use super::value::Known;
use crate::stdlib::table::Names;
use crate::value::{BuiltinId, Value};

/// Tests that hold where something is there.
static THERE: Names = Names::of("some? seq not-empty boolean true?");
/// Tests that hold where nothing is there.
static NOT_THERE: Names = Names::of("nil? empty?");

/// Builtins that compute with each argument: nil is an error for them, or a wrong result.
const COMPUTES: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "inc",
    "dec",
    "+'",
    "-'",
    "*'",
    "inc'",
    "dec'",
    "quot",
    "rem",
    "mod",
    "abs",
    "max",
    "min",
    "<",
    ">",
    "<=",
    ">=",
    "compare",
    "zero?",
    "pos?",
    "neg?",
    "even?",
    "odd?",
    "floor",
    "ceil",
    "round",
    "trunc",
    "sqrt",
    "pow",
    "int",
    "long",
    "bigint",
    "double",
    "float",
    "num",
    "parse-long",
    "parse-int",
    "parse-double",
    "parse-boolean",
    "upper-case",
    "upcase",
    "lower-case",
    "downcase",
    "capitalize",
    "trim",
    "triml",
    "trimr",
    "trim-newline",
    "split",
    "split-lines",
    "subs",
    "starts-with?",
    "ends-with?",
    "includes?",
    "index-of",
    "last-index-of",
    "replace",
    "replace-first",
    "re-find",
    "re-matches",
    "re-seq",
    "re-split",
    "extract",
    "extract-int",
    "name",
    "keyword",
    "symbol",
    "bit-and",
    "bit-or",
    "bit-xor",
    "inst-ms",
];

/// Builtins that show their arguments.
const SHOWS: &[&str] = &[
    "str",
    "println",
    "print",
    "prn",
    "pr",
    "printf",
    "pr-str",
    "prn-str",
    "print-str",
    "println-str",
    "format",
    "return",
    "json/generate-string",
    "ex-info",
    "step-done",
    "tap>",
];

/// Builtins for which each of many arguments is like the last one.
const ANY_NUMBER: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "max",
    "min",
    "concat",
    "merge",
    "max-key",
    "min-key",
    "max-by",
    "min-by",
    "str",
    "conj",
    "hash-set",
    "set/union",
    "set/intersection",
    "set/difference",
    "interleave",
    "mapcat",
    "<",
    ">",
    "<=",
    ">=",
    "println",
    "merge-with",
];

/// Whether a test of presence holds where something is there.
pub(super) fn presence(id: BuiltinId) -> Option<bool> {
    match () {
        () if THERE.have(id) => Some(true),
        () if NOT_THERE.have(id) => Some(false),
        () => None,
    }
}

/// Whether it computes with each argument. Functions of namespaces and methods do.
pub(super) fn computes(name: &str) -> bool {
    let is_of_namespace = name.len() > 1 && (name.contains('/') || name.starts_with('.'));
    COMPUTES.contains(&name) || is_of_namespace && !shows(name)
}

pub(super) fn shows(name: &str) -> bool {
    SHOWS.contains(&name)
}

pub(super) fn takes_any_number(name: &str) -> bool {
    ANY_NUMBER.contains(&name)
}

/// Whether comparing with this value asks for a flag or for nothing: nil, `true` and `false`.
pub(super) fn is_plain_test(value: &Known) -> bool {
    matches!(&value.literal, Some(literal) if matches!(literal.value, Value::Nil | Value::Bool(_)))
}
