//! What errors about calls suggest.

use crate::error::{Error, Reason};
use crate::stdlib::table::table;
use crate::value::{Closure, Value, shown};

/// What is wrong with calling a value that is no function: in a form of the program, or as the function of a builtin.
pub(super) fn not_callable(callee: &Value, args: &[Value], by_builtin: bool) -> String {
    let what = match callee {
        Value::Nil => "nil".to_owned(),
        _ => format!("{} ({})", shown(callee), callee.kind()),
    };
    match (callee, args) {
        _ if by_builtin => format!("cannot call {what}: a function was expected here"),
        (_, []) if !callee.is_nil() => format!("cannot call {what}: a value stands without parentheses"),
        (_, [Value::Builtin(id), rest @ ..]) if !callee.is_nil() => {
            let operands: Vec<String> = std::iter::once(callee).chain(rest).map(shown).collect();
            format!(
                "cannot call {what}: the function comes first: ({} {})",
                table().entry(*id).row.name,
                operands.join(" ")
            )
        }
        (Value::Nil, _) => {
            "cannot call nil: what stands first in the parentheses must be a function, and here it is nil".to_owned()
        }
        _ => format!("cannot call {what}: the function comes first, as in (+ 1 2)"),
    }
}

/// How a builtin calls its function, where that is easily mistaken.
fn calls_with(builtin: &str) -> Option<&'static str> {
    match builtin {
        "reduce-kv" => Some("three arguments: (fn [acc k v] ...)"),
        "map-indexed" | "keep-indexed" => Some("index and element: (fn [i x] ...)"),
        _ => None,
    }
}

/// A hint for a function that got a wrong number of arguments, from the builtin that called it if one did.
pub(super) fn on_arity(closure: &Closure, args: &[Value], caller: Option<&str>) -> String {
    let takes = |count: usize| closure.proto.select(count).is_some();
    if let Some(shape) = caller.filter(|_| !closure.is_derived()).and_then(calls_with) {
        return format!("; it is called with {shape}");
    }
    match args {
        [Value::Vector(pair)] if pair.len() == 2 && takes(2) && !closure.is_derived() => {
            format!("; a pair is one argument: (fn [[{}]] ...)", closure.params())
        }
        [_, Value::Vector(pair)] if pair.len() == 2 && takes(3) && !closure.is_derived() => {
            "; an entry is one argument: (fn [acc [k v]] ...), or use reduce-kv".to_owned()
        }
        [_, ..] if closure.name().is_none() && takes(0) && !closure.is_derived() => {
            "; write % where the argument of #(...) goes, or (fn [x] ...)".to_owned()
        }
        _ => String::new(),
    }
}

/// A hint for a builtin that got too few arguments, as it does from `apply` and `reduce` over nothing.
pub(super) fn on_builtin_arity(name: &str, counts: &[(usize, bool)], count: usize) -> &'static str {
    let wants_more = counts.iter().any(|(fixed, more)| *more && *fixed == count + 1);
    match (name, count) {
        ("min-key" | "max-key", 1) | (_, 0) if wants_more => {
            "; apply and reduce over an empty collection call it so: check (seq coll) first"
        }
        _ => "",
    }
}

/// Say how to leave out nil where many elements are reckoned up.
#[cold]
pub(super) fn add_for_nil(error: &mut Error, caller: Option<&str>, count: usize) {
    let is_many = count > 2 || matches!(caller, Some("reduce" | "%reduce-from"));
    let reckons = ["+: ", "-: ", "*: ", "/: "].iter().any(|name| error.message.starts_with(name));
    if is_many && reckons && error.reason == Reason::TypeError && error.message.ends_with("nil") {
        error.message.push_str("; (remove nil? coll) leaves nil out");
    }
}

/// Say what makes `(update m k inc)` work where nothing stands under the key yet: `update` is the function of the prelude
/// that calls, with the key that it was given.
pub(super) fn add_for_update(error: &mut Error, update: Option<(&str, &Value)>, function: &str, args: &[Value]) {
    let Some(("update" | "update-in" | "%update-at" | "%update-along", key)) = update else { return };
    if error.reason != Reason::TypeError || !matches!(args.first(), Some(Value::Nil)) {
        return;
    }
    if matches!(key, Value::Vector(_)) {
        error.message.push_str("; a path of keys is for update-in");
    } else if let Some(start) = start_of(function) {
        error.message.push_str(&format!("; for a missing value use (fnil {function} {start})"));
    }
}

/// What a calculation begins with.
fn start_of(function: &str) -> Option<u8> {
    match function {
        "+" | "-" | "inc" | "dec" => Some(0),
        "*" => Some(1),
        _ => None,
    }
}
