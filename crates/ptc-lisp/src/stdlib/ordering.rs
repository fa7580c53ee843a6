//! Numeric strings: sorted as strings, `"10"` comes before `"9"`.

use crate::error::warning::WarningCode;
use crate::error::{About, Reason, Res, Signal, type_error};
use crate::eval::context::Context;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::stdlib::{Call, holds_number};
use crate::value::{Order, Value, shown};

/// Warn when all `keys` are numeric strings, which `name` sorts by the function `by`. Nil does not count, and numbers
/// padded with leading zeros to equal length are meant to be strings.
///
/// - fuel: none unless the first string is a number, then one unit for four keys
pub(crate) fn warn_of_numbers<'k>(
    keys: impl ExactSizeIterator<Item = &'k Value>,
    name: &str,
    by: &Value,
    descending: bool,
    cx: &mut Context,
) -> Res<()> {
    let count = keys.len();
    let number = |key: &'k Value| key.as_str().filter(|text| holds_number(text));
    let mut known = keys.filter(|key| !key.is_nil()).map(number);
    let (Some(Some(first)), Some(Some(second))) = (known.next(), known.next()) else { return Ok(()) };
    cx.meter.charge(count / 4)?;
    // Numbers padded with leading zeros to equal length sort like numbers: `"009" "010"`.
    let (mut is_even, mut has_zero) = (first.len() > 1, false);
    let mut add = |text: &str| {
        is_even &= text.len() == first.len() && text.bytes().all(|byte| byte.is_ascii_digit());
        has_zero |= text.starts_with('0');
    };
    add(first);
    add(second);
    for key in known {
        let Some(text) = key else { return Ok(()) };
        add(text);
    }
    if is_even && has_zero {
        return Ok(());
    }
    let order = if descending && name.starts_with("sort") { " >" } else { "" };
    let written = match by {
        Value::Nil if name == "sort" => format!("(sort-by parse-double{order} coll)"),
        Value::Keyword(_) => format!("({name} (comp parse-double {}){order} coll)", shown(by)),
        _ => format!("({name} (comp parse-double f){order} coll)"),
    };
    let message = format!(
        "{name} compares texts here, all of them numbers, such as {} and {}: as texts \"10\" comes before \"9\"; for numeric order write {written}",
        shown(&Value::string(first)),
        shown(&Value::string(second))
    );
    cx.warn(WarningCode::NumbersAsTexts, message);
    Ok(())
}

/// Whether one is a number and the other a numeric string.
pub(crate) fn is_number_beside_text(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Str(text), number) | (number, Value::Str(text)) => number.is_number() && holds_number(text.as_str()),
        _ => false,
    }
}

/// What a comparator argument means, for `sort` and for sorted collections.
pub(crate) fn order_of(call: &Call<'_>, comparator: &Value) -> Res<Order> {
    match comparator {
        Value::Keyword(name) if name.as_str() == "asc" => Ok(Order::Ascending),
        Value::Keyword(name) if name.as_str() == "desc" => Ok(Order::Descending),
        // As comparators these use the natural order, so they work on strings, too.
        Value::Builtin(id) if *id == known().compare => Ok(Order::Ascending),
        Value::Builtin(id) if let Some(relation) = table().entry(*id).row.relation() => {
            Ok(if relation.descends() { Order::Descending } else { Order::Ascending })
        }
        Value::Function(_) | Value::Builtin(_) | Value::Var(_) => Ok(Order::By(comparator.clone())),
        Value::Vector(_) | Value::Nil | Value::LazySeq(_) if call.name == "sort-by" => {
            Err(type_error("sort-by: the comparator comes second: (sort-by key comparator coll)"))
        }
        other => {
            Err(call.mismatch(format_args!("the comparator must be a function, :asc or :desc, got {}", other.kind())))
        }
    }
}

/// Say what to do about elements or keys that cannot be ordered with each other; `numeric` when they are a number and a
/// numeric string.
pub(crate) fn of_one_kind(mut signal: Box<Signal>, name: &str, by: &Value, numeric: bool) -> Box<Signal> {
    let Signal::Error(error) = &mut *signal else { return signal };
    if error.reason != Reason::TypeError {
        return signal;
    }
    let is_map = error.about == About::NoOrderOfMaps;
    let (open, close, kind) = if numeric { ("parse-double (", ")", "numbers") } else { ("", "", "texts") };
    let hint = match by {
        _ if error.about == About::NoNumber => String::new(),
        Value::Nil if is_map => "; use (sort-by key coll)".to_owned(),
        _ if is_map => format!("; {name} needs keys with an order: numbers, texts or keywords"),
        Value::Nil if numeric => "; (sort-by #(parse-double (str %)) coll) sorts as numbers".to_owned(),
        Value::Nil => "; (sort-by str coll) sorts as texts".to_owned(),
        Value::Keyword(key) => {
            format!(" under :{key}; ({name} #({open}str (:{key} %){close}) coll) compares as {kind}")
        }
        Value::Str(_) => format!("; ({name} #({open}str (get % {}){close}) coll) compares as {kind}", shown(by)),
        _ => format!("; the keys must be of the same kind: ({name} #({open}str (f %){close}) coll) compares as {kind}"),
    };
    // Bounded: a hint of ours, with one value shown in short.
    error.message.push_str(&hint);
    signal
}
