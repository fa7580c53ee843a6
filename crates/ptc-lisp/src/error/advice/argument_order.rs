//! The right way to write a call whose arguments are in the wrong order.

#[cfg(test)]
mod tests;

use crate::stdlib::registry::Table;
use crate::value::Value;

/// What a parameter expects, as far as its name says.
#[derive(Copy, Clone)]
enum Want {
    Number,
    Function,
    Collection,
    Map,
    Text,
    Pattern,
    /// A function, or a key that reads a field.
    Key,
    /// Any value, usually a keyword.
    Name,
    /// Any value, one that the function is about.
    Element,
    Anything,
}

impl Want {
    /// By the names that the parameter lists of the function table use.
    fn of(parameter: &str) -> Want {
        match parameter {
            "n" | "index" | "start" | "end" | "step" => Want::Number,
            "f" | "pred" | "g" | "preds" => Want::Function,
            "coll" | "colls" | "xs" => Want::Collection,
            "m" | "maps" | "kmap" | "smap" => Want::Map,
            "s" | "part" | "prefix" | "suffix" => Want::Text,
            "re" | "pattern" | "sep" | "separator" => Want::Pattern,
            "key" => Want::Key,
            "k" | "ks" => Want::Name,
            "x" | "init" | "value" => Want::Element,
            _ => Want::Anything,
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Want::Number => value.is_number(),
            Want::Function => {
                !(value.is_number() || matches!(value, Value::Nil | Value::Bool(_) | Value::Str(_) | Value::Regex(_)))
            }
            Want::Collection => is_collection(value),
            Want::Map => matches!(value, Value::Map(_) | Value::Nil),
            Want::Text => matches!(value, Value::Str(_)),
            Want::Pattern => matches!(value, Value::Regex(_) | Value::Str(_)),
            Want::Key => !(value.is_number() || matches!(value, Value::Nil | Value::Bool(_) | Value::Regex(_))),
            Want::Name | Want::Element | Want::Anything => true,
        }
    }
}

/// Whether a value in a wrong place is more likely a wrong value than a misplaced one: no parameter expects it.
fn is_lost(value: &Value, wants: &[Want]) -> bool {
    match value {
        Value::Nil | Value::Bool(_) | Value::Keyword(_) => {
            !wants.iter().any(|want| !matches!(want, Want::Element | Want::Anything) && want.fits(value))
        }
        _ if value.is_number() => !wants.iter().any(|want| !matches!(want, Want::Anything) && want.fits(value)),
        _ => false,
    }
}

fn is_collection(value: &Value) -> bool {
    matches!(value, Value::Nil | Value::Vector(_) | Value::Str(_) | Value::Map(_) | Value::Set(_) | Value::LazySeq(_))
}

/// `; write (take n coll)` when exchanging arguments of the builtin `name` makes them fit, else `None`.
///
/// Cost: a few checks of each argument; only the first four count.
pub(crate) fn reordered(builtins: &'static Table, name: &str, args: &[Value]) -> String {
    let Some(parameters) = parameters(builtins, name, args.len()) else { return String::new() };
    let wants: Vec<Want> = parameters.iter().map(|parameter| Want::of(parameter)).collect();
    let fits = |order: &[&Value]| wants.iter().zip(order).all(|(want, value)| want.fits(value));
    let given: Vec<&Value> = args.iter().take(4).collect();
    let misfits = || wants.iter().zip(&given).filter(|(want, value)| !want.fits(value));
    if misfits().next().is_none()
        || misfits().any(|(_, value)| is_lost(value, &wants))
        || !orders(&given).iter().any(|order| fits(order))
    {
        return String::new();
    }
    written(name, &parameters)
}

/// `; write (pluck key coll)` for a function or key where `name` expects something else, else `None`.
pub(crate) fn for_function(builtins: &'static Table, name: &str, got: &Value) -> String {
    let Some(row) = builtins.find(name).map(|id| builtins.entry(id).row) else { return String::new() };
    let Some(parameters) = row.params.last().map(|list| words(list)) else { return String::new() };
    match got {
        Value::Function(_) | Value::Builtin(_) => written(name, &parameters),
        Value::Keyword(_) if parameters.contains(&"key") => written(name, &parameters),
        _ => String::new(),
    }
}

/// The given order with two arguments exchanged, or all moved by one place.
fn orders<'v>(given: &[&'v Value]) -> Vec<Vec<&'v Value>> {
    let mut all = Vec::new();
    for left in 0..given.len() {
        for right in left + 1..given.len() {
            let mut order = given.to_vec();
            order.swap(left, right);
            all.push(order);
        }
    }
    for distance in 1..given.len() {
        let mut order = given.to_vec();
        order.rotate_left(distance);
        all.push(order);
    }
    all
}

/// The parameter of each of `count` arguments; the one after `&` repeats as needed.
fn parameters(builtins: &'static Table, name: &str, count: usize) -> Option<Vec<&'static str>> {
    let row = builtins.find(name).filter(|_| !name.starts_with('%') && count > 1).map(|id| builtins.entry(id).row)?;
    row.params.iter().find_map(|list| {
        let words = words(list);
        let Some(mark) = words.iter().position(|word| *word == "&") else {
            return (words.len() == count).then_some(words);
        };
        let (fixed, rest) = words.split_at(mark);
        let more = rest.last()?;
        let named = fixed.iter().copied().chain(std::iter::repeat_n(*more, count.checked_sub(mark)?));
        Some(named.collect())
    })
}

fn words(list: &'static str) -> Vec<&'static str> {
    list.trim_matches(['[', ']']).split_whitespace().collect()
}

fn written(name: &str, parameters: &[&str]) -> String {
    let shown = parameters.iter().map(|parameter| match *parameter {
        "re" => "#\"...\"",
        "colls" => "coll",
        other => other,
    });
    format!("; write ({name} {})", shown.collect::<Vec<_>>().join(" "))
}
