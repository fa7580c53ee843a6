//! Comparators whose code shows what they compare: where the keys are plain, nothing has to be called.

use std::cmp::Ordering;

use super::plain::{self, Places};
use crate::error::Res;
use crate::limits::meter::Meter;
use crate::stdlib::argument::Relation;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, By, Name, Value};

/// What a comparator does.
struct Written<'f> {
    descending: bool,
    /// Whether it fails for anything but numbers.
    numeric: bool,
    field: Option<&'f Name>,
}

/// The indexes of `keys` in the order of comparator `f`, stable; `None` unless its code shows that order and the keys
/// are plain.
pub(super) fn order(f: &Value, keys: &[Value], meter: &mut Meter) -> Res<Option<Places>> {
    let Some(Written { descending, numeric, field }) = written(f) else { return Ok(None) };
    let is_usual = |key: &Value| !numeric || matches!(key, Value::Int(_) | Value::Float(_));
    let Some(name) = field else {
        return if keys.iter().all(is_usual) { plain::order(keys, descending, meter) } else { Ok(None) };
    };
    let key = Value::Keyword(name.clone());
    let mut near = 0;
    let mut fields: Vec<Value> = Vec::new();
    for row in keys {
        meter.tick()?;
        // An element that is not a row is left to the comparator, with its warnings.
        let Some(map) = row.as_map().filter(|map| map.as_sorted().is_none()) else { return Ok(None) };
        let found = match map.get_near(name, &mut near) {
            None => map.lookup(&key, meter)?,
            found => found,
        };
        let Some(field) = found.filter(|field| is_usual(field) && plain::is_plain(field)) else { return Ok(None) };
        if fields.is_empty() {
            meter.allocate(size_of_val(keys))?;
            fields.reserve_exact(keys.len());
        }
        fields.push(field.clone());
    }
    plain::order(&fields, descending, meter)
}

/// The result of comparator `f` for two keys, where its code shows it and they are of one plain kind.
pub(crate) fn ordering(f: &Value, a: &Value, b: &Value, meter: &mut Meter) -> Res<Option<Ordering>> {
    let Some(Written { descending, numeric, field }) = written(f) else { return Ok(None) };
    let (a, b) = match field {
        None => (a, b),
        Some(name) => {
            let (Some(a), Some(b)) = (a.as_map(), b.as_map()) else { return Ok(None) };
            if a.as_sorted().is_some() || b.as_sorted().is_some() {
                return Ok(None);
            }
            let key = Value::Keyword(name.clone());
            let (Some(a), Some(b)) = (a.lookup(&key, meter)?, b.lookup(&key, meter)?) else { return Ok(None) };
            (a, b)
        }
    };
    let is_plain = match (a, b) {
        (Value::Int(_), Value::Int(_)) => true,
        (Value::Float(x), Value::Float(y)) => !x.is_nan() && !y.is_nan(),
        (Value::Str(_), Value::Str(_)) | (Value::Keyword(_), Value::Keyword(_)) | (Value::Bool(_), Value::Bool(_)) => {
            !numeric
        }
        _ => false,
    };
    if !is_plain {
        return Ok(None);
    }
    let order = a.compare(b, meter)?;
    Ok(Some(if descending { order.reverse() } else { order }))
}

fn written(f: &Value) -> Option<Written<'_>> {
    let Value::Function(closure) = f else { return None };
    let comparison = closure.proto.select(2)?.comparison.as_ref()?;
    let id: BuiltinId = match comparison.by {
        By::Builtin(id) => id,
        By::Captured => match closure.captured().first() {
            Some(Value::Builtin(id)) => *id,
            _ => return None,
        },
    };
    let relation = table().entry(id).row.relation();
    let (descends, numeric) = match relation {
        Some(Relation::Less | Relation::Greater) => (relation == Some(Relation::Greater), true),
        // As the predicate of `comparator`, a three-way comparison is always truthy.
        None if id == known().compare && comparison.by != By::Captured => (false, false),
        _ => return None,
    };
    Some(Written { descending: descends != comparison.swapped, numeric, field: comparison.field.as_ref() })
}
