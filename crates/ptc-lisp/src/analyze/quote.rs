//! Forms as values, and as the text that messages quote.

use crate::limits::meter::Meter;
use crate::parse::{Form, FormKind};
use crate::value::{Map, Name, Set, Value};

/// The value of a form that evaluates to itself.
pub(super) fn literal(form: &Form) -> Option<Value> {
    Some(match &form.kind {
        FormKind::Nil => Value::Nil,
        FormKind::Bool(flag) => Value::Bool(*flag),
        FormKind::Int(number) => Value::Int(*number),
        FormKind::BigInt(number) => Value::integer(number.clone()),
        FormKind::Float(number) => Value::Float(*number),
        FormKind::Str(text) => Value::string(text.as_str()),
        FormKind::Keyword(name) => Value::keyword(name),
        FormKind::Time(time) => time.clone().into(),
        FormKind::Var(name) => Value::Var(Name::new(name.rsplit_once('/').map_or(name.as_str(), |(_, bare)| bare))),
        _ => return None,
    })
}

/// The value of a quoted form: lists become vectors, names symbols. `None` where it has no value.
pub(super) fn value(form: &Form) -> Option<Value> {
    Some(match &form.kind {
        FormKind::Symbol(symbol) => Value::Symbol(Name::new(&symbol.to_string())),
        FormKind::List(items) | FormKind::Vector(items) => Value::vector(values(items)?),
        FormKind::Map(items) => map_of(values(items)?)?,
        FormKind::Set(items) => set_of(values(items)?)?,
        FormKind::Quote(inner) => Value::vector(vec![Value::Symbol(Name::new("quote")), value(inner)?]),
        FormKind::Deref(inner) => Value::vector(vec![Value::Symbol(Name::new("deref")), value(inner)?]),
        _ => return literal(form),
    })
}

fn values(forms: &[Form]) -> Option<Vec<Value>> {
    forms.iter().map(value).collect()
}

/// A map of alternating keys and values.
pub(super) fn map_of(flat: Vec<Value>) -> Option<Value> {
    let pairs = flat.as_chunks().0.iter().map(|[key, value]| (key.clone(), value.clone()));
    Map::from_pairs(pairs, &mut Meter::host()).ok().map(Value::Map)
}

pub(super) fn set_of(members: Vec<Value>) -> Option<Value> {
    Set::from_values(members, &mut Meter::host()).ok().map(Value::Set)
}

/// A form as a program would write it, for messages: at most about `limit` bytes, then `...`.
pub(super) fn text(form: &Form, limit: usize) -> String {
    let mut out = String::new();
    write(form, limit, &mut out);
    out
}

fn write(form: &Form, limit: usize, out: &mut String) {
    match &form.kind {
        FormKind::Nil => out.push_str("nil"),
        FormKind::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
        FormKind::Int(number) => out.push_str(&number.to_string()),
        FormKind::BigInt(_) => out.push_str("..."),
        FormKind::Float(number) => out.push_str(&format!("{number:?}")),
        FormKind::Str(text) if text.len() > limit => out.push_str("\"...\""),
        FormKind::Str(text) => out.push_str(&format!("{text:?}")),
        FormKind::Keyword(name) => write_name(":", name, limit, out),
        FormKind::Symbol(symbol) => write_name("", &symbol.to_string(), limit, out),
        FormKind::Var(name) => write_name("#'", name, limit, out),
        FormKind::Time(time) => write_name("", &crate::value::shown(&time.clone().into()), limit, out),
        FormKind::Regex(pattern) => write_name("#", &format!("{pattern:?}"), limit, out),
        FormKind::Quote(inner) => write_prefixed('\'', inner, limit, out),
        FormKind::Deref(inner) => write_prefixed('@', inner, limit, out),
        FormKind::List(items) => write_items("(", items, ")", limit, out),
        FormKind::Vector(items) => write_items("[", items, "]", limit, out),
        FormKind::Map(items) => write_items("{", items, "}", limit, out),
        FormKind::Set(items) => write_items("#{", items, "}", limit, out),
        FormKind::ShortFn(items) => write_items("#(", items, ")", limit, out),
    }
}

fn write_name(prefix: &str, name: &str, limit: usize, out: &mut String) {
    out.push_str(prefix);
    out.push_str(if name.len() > limit { "..." } else { name });
}

fn write_prefixed(prefix: char, inner: &Form, limit: usize, out: &mut String) {
    out.push(prefix);
    write(inner, limit, out);
}

fn write_items(open: &str, items: &[Form], close: &str, limit: usize, out: &mut String) {
    out.push_str(open);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        if out.len() > limit {
            out.push_str("...");
            break;
        }
        write(item, limit, out);
    }
    out.push_str(close);
}
