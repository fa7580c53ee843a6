//! What errors about calls suggest.

use super::Counts;
use crate::error::{About, Error, Reason};
use crate::stdlib::table::table;
use crate::value::{Closure, Value, shown};

/// The error for calling a value that is not a function: in a form of the program, or in a call by a builtin.
pub(crate) fn not_callable(callee: &Value, args: &[Value], by_builtin: bool) -> String {
    let what = match callee {
        Value::Nil => "nil".to_owned(),
        _ => format!("{} ({})", shown(callee), callee.kind()),
    };
    let why = match (callee, args) {
        _ if by_builtin => "a function was expected here".to_owned(),
        (Value::Nil, _) => "the first form of a call must be a function, and here it is nil".to_owned(),
        (_, []) => "a value is written without parentheses".to_owned(),
        (_, [Value::Builtin(id), rest @ ..]) => {
            let operands: Vec<String> = std::iter::once(callee).chain(rest).map(shown).collect();
            format!("the function comes first: ({} {})", table().entry(*id).row.name, operands.join(" "))
        }
        _ => "the function comes first, as in (+ 1 2)".to_owned(),
    };
    format!("cannot call {what}: {why}")
}

/// Say what a short function with one form does, to those who meant the value.
#[cold]
pub(crate) fn add_for_short_function(error: &mut Error, call: &str) {
    if error.reason == Reason::NotCallable && call.starts_with("#(") {
        error.message.push_str("; #(x) calls x: write identity for #(%), (fn [] x) for a value");
    }
}

/// How a builtin calls its function, where that is easily misunderstood.
fn calls_with(builtin: &str) -> Option<&'static str> {
    match builtin {
        "reduce-kv" => Some("three arguments: (fn [acc k v] ...)"),
        "map-indexed" | "keep-indexed" => Some("index and element: (fn [i x] ...)"),
        _ => None,
    }
}

/// A hint for a function that got a wrong number of arguments, from the builtin that called it if one did.
pub(crate) fn on_arity(closure: &Closure, args: &[Value], caller: Option<&str>) -> String {
    let takes = |count: usize| closure.proto.select(count).is_some();
    match (caller.and_then(calls_with), args) {
        _ if closure.is_derived() => String::new(),
        (Some(shape), _) => format!("; it is called with {shape}"),
        (_, [Value::Vector(pair)]) if pair.len() == 2 && takes(2) => {
            format!("; a pair is one argument: (fn [[{}]] ...)", closure.params())
        }
        (_, [_, Value::Vector(pair)]) if pair.len() == 2 && takes(3) => {
            "; an entry is one argument: (fn [acc [k v]] ...), or use reduce-kv".to_owned()
        }
        (_, [_, ..]) if closure.name().is_none() && takes(0) => {
            "; write % where the argument of #(...) goes, or (fn [x] ...)".to_owned()
        }
        _ => String::new(),
    }
}

/// A hint for a builtin that got too few arguments, as happens with `apply` and with `reduce` over nothing.
pub(crate) fn on_builtin_arity(name: &str, counts: &Counts, count: usize) -> &'static str {
    match (name, count) {
        ("min-key" | "max-key", 1) | (_, 0) if counts.from == Some(count + 1) => {
            "; apply and reduce over an empty collection call it so: check (seq coll) first"
        }
        _ => "",
    }
}

/// A hint for a call of a builtin whose name means something else in other languages.
pub(crate) fn on_foreign_arity(name: &str, count: usize) -> &'static str {
    match (name, count) {
        ("any?", 2) => "; write (some pred coll)",
        ("round" | "Math/round", 2) => {
            "; for two decimals write (/ (round (* x 100)) 100.0), or (format \"%.2f\" x) as text"
        }
        _ => "",
    }
}

/// Say how to leave out nil where many elements are added up.
#[cold]
pub(crate) fn add_for_nil(error: &mut Error, is_many: bool) {
    if is_many && error.about == About::NilOperand {
        error.about = About::Other;
        error.message.push_str("; (remove nil? coll) leaves nil out");
    }
}

/// Say how to make `(update m k inc)` work where the key has no value yet: `update` is the calling function of the
/// prelude, with the key that it got.
pub(crate) fn add_for_update(error: &mut Error, update: Option<(&str, &Value)>, function: &str, args: &[Value]) {
    let Some(("update" | "update-in" | "%update-at" | "%update-along", key)) = update else { return };
    if error.reason != Reason::TypeError || !matches!(args.first(), Some(Value::Nil)) {
        return;
    }
    let start = match function {
        _ if matches!(key, Value::Vector(_)) => return error.message.push_str("; a path of keys is for update-in"),
        "+" | "-" | "inc" | "dec" => 0,
        "*" => 1,
        _ => return,
    };
    error.message.push_str(&format!("; for a missing value use (fnil {function} {start})"));
}
