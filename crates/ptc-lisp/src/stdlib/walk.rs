//! First-order parts of the prelude: nodes of trees, and the comparisons of `where`.

use std::cmp::Ordering;

use super::map::{look, look_along, warn_without_fields};
use super::seq::grow::put;
use super::{Call, Family, holds_number, rows};
use crate::error::warning::WarningCode;
use crate::error::{Reason, Res, err, type_error};
use crate::eval::context::Context;
use crate::limits::meter::Meter;
use crate::stdlib::call::Begin;
use crate::value::{Value, Vector, compare_numbers, compare_times, shown};

pub(crate) const FAMILY: Family = rows! {
    "Trees and filters";
    "walk/prewalk-replace" "[smap form]" native = |_| Ok(Begin::Delegate("%prewalk-replace")),
        "The form with parts found in smap replaced, outermost first."
        "(walk/prewalk-replace {:a [:b] :b :c} [:a :b])" => "[[:c] :c]";
    "walk/postwalk-replace" "[smap form]" native = |_| Ok(Begin::Delegate("%postwalk-replace")),
        "The form with parts found in smap replaced, innermost first."
        "(walk/postwalk-replace {1 :one} [1 [2 1]])" => "[:one [2 :one]]";
    "%branch?" "[form]" shallow
        = |call| Ok(matches!(call.arg(0), Value::Vector(_) | Value::Map(_) | Value::Set(_)).into()),
        "Whether a tree walk goes into form: vectors, maps, sets.";
    "%rebuild" "[name form parts]" shallow = rebuild,
        "A collection of the kind of form made of parts.";
    "%where-test" "[item field op value]" lazy = where_test,
        "Whether the field of item has the relation op (a keyword) to value.";
    "%where-field" "[item field]" lazy = where_field,
        "The field of item that where looks at; nil when item is not a map.";
    "%marked?" "[x mark]" lazy = |call| {
        Ok(matches!((call.arg(0), call.arg(1)), (Value::Builtin(x), Value::Builtin(mark)) if x == mark).into())
    },
        "Whether x is the builtin mark, without looking into sequences.";
};

fn rebuild(call: &mut Call<'_>) -> Res {
    let name = call.text(0)?;
    match call.arg(1) {
        Value::Map(_) => call.settle_entries(2)?,
        Value::Set(_) => call.settle(2)?,
        _ => {}
    }
    let parts = call.seq(2)?;
    call.charge(parts.len())?;
    match call.arg(1).clone() {
        Value::Map(form) => {
            let mut map = form.emptied();
            for part in &parts {
                if let Some((key, value)) = part.as_vector().and_then(Vector::pair) {
                    put(call, &mut map, key.clone(), value.clone())?;
                } else if !part.is_nil() {
                    // A walk may drop entries by returning nil for them.
                    let kind = part.kind();
                    return Err(type_error(format!(
                        "{name}: an entry of a map must stay a [key value] pair, got {kind}"
                    )));
                }
            }
            Ok(map.into())
        }
        Value::Set(form) => {
            call.allocate(parts.len() * 64)?;
            let mut set = form.emptied();
            for part in &parts {
                set.insert(part.clone(), call.meter())?;
            }
            Ok(Value::Set(set))
        }
        _ => Ok(parts.into()),
    }
}

fn where_field(call: &mut Call<'_>) -> Res {
    let (item, field) = (call.arg(0).clone(), call.arg(1).clone());
    if !matches!(field, Value::Vector(_)) {
        warn_without_fields(call);
    }
    field_of(&item, &field, call.cx)
}

fn field_of(item: &Value, field: &Value, cx: &mut Context) -> Res {
    if !matches!(item, Value::Map(_)) {
        return Ok(Value::Nil);
    }
    let found = match field {
        Value::Vector(path) => look_along(item, path, cx)?,
        key => look(item, key, cx)?,
    };
    Ok(found.unwrap_or_default())
}

fn where_test(call: &mut Call<'_>) -> Res {
    let mut field = where_field(call)?;
    call.cx.settle(&mut field)?;
    call.settle(3)?;
    let value = call.arg(3).clone();
    let Value::Keyword(op) = call.arg(2).clone() else { return Err(call.wrong("an operator", call.arg(2))) };
    warn_of_kinds(&field, op.as_str(), &value, call);
    let meter = call.meter();
    let holds = match op.as_str() {
        "=" => loosely_equal(&field, &value, meter)?,
        "not=" => !loosely_equal(&field, &value, meter)?,
        ">" => order(&field, &value) == Some(Ordering::Greater),
        "<" => order(&field, &value) == Some(Ordering::Less),
        ">=" => matches!(order(&field, &value), Some(Ordering::Greater | Ordering::Equal)),
        "<=" => matches!(order(&field, &value), Some(Ordering::Less | Ordering::Equal)),
        "in" => !field.is_nil() && has_loosely(&value, &field, meter)?,
        "includes" => includes(&field, &value, meter)?,
        other => return Err(err(Reason::InvalidWhereOperator, format!("unknown where operator '{other}'"))),
    };
    Ok(holds.into())
}

/// Warn where a number is compared with a string.
fn warn_of_kinds(field: &Value, op: &str, value: &Value, call: &mut Call<'_>) {
    let ((Value::Str(text), number) | (number, Value::Str(text))) = (field, value) else { return };
    if !number.is_number() || matches!(op, "in" | "includes") {
        return;
    }
    let name = shown(call.arg(1));
    let advice = match value {
        _ if !holds_number(text.as_str()) => String::new(),
        Value::Str(number) => format!("; write (where {name} {op} {number})"),
        _ => {
            let read = match call.arg(1) {
                Value::Keyword(_) => format!("({name} %)"),
                Value::Vector(_) => format!("(get-in % {name})"),
                _ => format!("(get % {name})"),
            };
            let op = if op == "=" { "==" } else { op };
            format!("; to compare numbers write (filter #(some-> {read} parse-double ({op} {})) rows)", shown(value))
        }
    };
    let (field, value) = (described(field), described(value));
    let message =
        format!("where compares {field} under {name} with {value}: they are never equal and have no order{advice}");
    call.cx.warn(WarningCode::NumberVsText, message);
}

/// `the number 5`, `the text "007"`.
fn described(value: &Value) -> String {
    format!("the {} {}", if value.is_number() { "number" } else { "text" }, shown(value))
}

/// `=` where a keyword stands for its name; nil equals only nil.
fn loosely_equal(a: &Value, b: &Value, meter: &mut Meter) -> Res<bool> {
    match (a, b) {
        (Value::Keyword(name), Value::Str(text)) | (Value::Str(text), Value::Keyword(name)) => {
            Ok(name.as_str() == text.as_str())
        }
        _ => a.equals(b, meter),
    }
}

/// The order of two numbers, strings, dates or instants; `None` for nil, NaN and mixed kinds.
fn order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Str(x), Value::Str(y)) => Some(x.as_str().cmp(y.as_str())),
        _ => compare_times(a, b).or_else(|| compare_numbers(a, b)),
    }
}

/// Whether a vector or set has a member loosely equal to `value`.
fn has_loosely(coll: &Value, value: &Value, meter: &mut Meter) -> Res<bool> {
    match coll {
        Value::Vector(items) => any_equal(items.iter(), value, meter),
        Value::Set(set) => any_equal(set.iter(), value, meter),
        _ => Ok(false),
    }
}

fn any_equal<'v>(items: impl ExactSizeIterator<Item = &'v Value>, value: &Value, meter: &mut Meter) -> Res<bool> {
    meter.charge(items.len() / 4)?;
    for item in items {
        if loosely_equal(item, value, meter)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn includes(field: &Value, value: &Value, meter: &mut Meter) -> Res<bool> {
    match (field, value) {
        (Value::Str(text), Value::Str(part)) => Ok(text.contains(part.as_str())),
        (Value::Str(text), Value::Keyword(name)) => Ok(text.contains(name.as_str())),
        _ => has_loosely(field, value, meter),
    }
}
