//! The parameter lists of a function, for readers who see only its name.
//!
//! Bounded: by the text of a program.

use super::registry::Table;
use crate::value::{ARITIES, Closure, Value};

/// The separator of parameter lists where they are shown.
const BETWEEN: &str = "] [";

/// The most wrapping functions that are followed.
const MAX_HOPS: usize = 32;

/// The parameters of a function without the outer brackets: `x & more`, for several arities `w] [w h`. `None` for a
/// value that is not a function.
///
/// `(memoize f)`, `(fnil f x)` and `(complement f)` have the parameters of `f`, `(comp f g)` those of `g`, and
/// `(partial f a)` has one fewer than `f`.
pub(crate) fn parameters(function: &Value, builtins: &Table) -> Option<String> {
    parameter_lists(function, builtins).map(|lists| lists.join(BETWEEN))
}

/// The parameter lists of a function, as [`parameters`] shows them.
pub(crate) fn parameter_lists(function: &Value, builtins: &Table) -> Option<Vec<String>> {
    let own = lists(function, builtins)?;
    let (mut inner, mut bound) = (function, 0);
    for _ in 0..MAX_HOPS {
        let Some((wrapped, more)) = wrapped(inner) else { break };
        (inner, bound) = (wrapped, bound + more);
    }
    let left: Vec<String> =
        lists(inner, builtins).into_iter().flatten().filter_map(|list| without(&list, bound)).collect();
    Some(if left.is_empty() { own } else { left })
}

/// The function to which a wrapper passes its arguments, and how many arguments are already given.
fn wrapped(value: &Value) -> Option<(&Value, usize)> {
    let Value::Function(closure) = value else { return None };
    let count = |name| match captured(closure, name) {
        Some(Value::Vector(items)) => Some(items.len()),
        _ => None,
    };
    match maker(closure)? {
        "memoize" | "fnil" | "complement" => Some((captured(closure, "f")?, 0)),
        "partial" => Some((
            captured(closure, "f")?,
            count("fixed").unwrap_or_else(|| if captured(closure, "b").is_some() { 2 } else { 1 }),
        )),
        "comp" => match captured(closure, "chain") {
            Some(Value::Vector(chain)) => Some((chain.get(0)?, 0)),
            _ => Some((captured(closure, "h").or_else(|| captured(closure, "g"))?, 0)),
        },
        _ => None,
    }
}

/// The builtin that created a function.
fn maker(closure: &Closure) -> Option<&str> {
    let source = closure.proto.source.as_ref().filter(|_| closure.is_derived())?;
    source.program.text.strip_prefix("(defn ")?.split_whitespace().next()
}

fn captured<'c>(closure: &'c Closure, name: &str) -> Option<&'c Value> {
    let at = closure.proto.capture_names.iter().position(|known| known.as_ref() == name)?;
    closure.captured().get(at)
}

/// The contents of each parameter list.
fn lists(function: &Value, builtins: &Table) -> Option<Vec<String>> {
    let all = match function {
        Value::Function(closure) => closure.proto.params_text.split(ARITIES).map(str::to_owned).collect(),
        Value::Builtin(id) => {
            builtins.entry(*id).row.params.iter().map(|list| list.trim_matches(['[', ']']).to_owned()).collect()
        }
        _ => return None,
    };
    let derived = matches!(function, Value::Function(closure) if closure.is_derived());
    Some(if derived { gathered(all) } else { all })
}

/// Functions created by builtins take any number of arguments, with separate arities for speed: `[] [x] [x & more]` is
/// shown as `[& args]`.
fn gathered(all: Vec<String>) -> Vec<String> {
    match all.as_slice() {
        [first, .., last] if last.contains('&') => vec![format!("{first} & args").trim_start().to_owned()],
        _ => all,
    }
}

/// A parameter list without its first `count` parameters; `None` when it has fewer.
fn without(list: &str, count: usize) -> Option<String> {
    let params = params_of(list);
    match params.iter().position(|param| *param == "&") {
        Some(rest) => Some(params.get(count.min(rest)..)?.join(" ")),
        None => Some(params.get(count..)?.join(" ")),
    }
}

/// The parameters of a list; a destructuring pattern such as `{:keys [to kg]}` is one.
fn params_of(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let between = |c: char| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    };
    list.split(between).filter(|param| !param.is_empty()).collect()
}
