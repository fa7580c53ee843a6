//! Small forms of values: quotes in messages, history entries, rounded results.

use super::rewrite::{Rewrite, Scope, Walk};
use super::{FormatOptions, MAX_NESTING, Set, Value, display_text, format, format_within};
use crate::error::Res;
use crate::limits::meter::Meter;

/// The most characters of a value that messages quote: three items of three items of … are many.
const QUOTED: usize = 400;

/// A value as messages quote it: three items, 40 characters of a string, 400 in all.
pub(crate) fn shown(value: &Value) -> String {
    format_within(value, &FormatOptions::error_quote(), QUOTED).text
}

/// The name of a keyword or string key.
#[must_use]
pub fn key_name(key: &Value) -> Option<&str> {
    match key {
        Value::Keyword(name) => Some(name.as_str()),
        Value::Str(text) => Some(text.as_str()),
        _ => None,
    }
}

/// The text of a key in JSON and lists of names: its name, else its text.
#[must_use]
pub fn key_text(key: &Value) -> String {
    match (key_name(key), key) {
        (Some(name), _) => name.to_owned(),
        (None, Value::Date(_) | Value::Instant(_) | Value::Temporal(_)) => display_text(key),
        (None, other) => format(other, &FormatOptions::full()).text,
    }
}

/// Floats rounded half away from zero to `decimals`, through all collections; unchanged when `decimals` is `None`.
///
/// Errors when there is no memory or time for the changed collections.
pub(crate) fn round_floats(value: &Value, decimals: Option<u32>, meter: Meter) -> Res {
    let Some(decimals) = decimals else { return Ok(value.clone()) };
    let factor = 10_f64.powi(i32::try_from(decimals.min(300)).unwrap_or(300));
    let rounded = Walk::default().rewrite(value, &mut Rounding { factor, meter })?;
    Ok(rounded.unwrap_or_else(|| value.clone()))
}

struct Rounding {
    factor: f64,
    meter: Meter,
}

impl Rewrite for Rounding {
    fn leaf(&mut self, value: &Value, _: &mut Walk) -> Res<Option<Value>> {
        let Value::Float(x) = value else { return Ok(None) };
        let scaled = x * self.factor;
        Ok(scaled.is_finite().then(|| Value::Float(scaled.round() / self.factor)))
    }

    fn meter(&mut self) -> &mut Meter {
        &mut self.meter
    }

    fn scope(&self) -> Scope {
        Scope { data: true, keys: false }
    }

    /// Members that differed may be equal now.
    fn set(&mut self, _: &Set, members: Vec<Value>) -> Res<Set> {
        Set::from_values(members, &mut self.meter)
    }
}

/// The value cut to about `bytes`: long strings get `...`, collections keep the leading elements that fit.
pub(crate) fn shorten(value: &Value, bytes: usize) -> Value {
    let mut left = bytes;
    shorten_into(value, &mut left, 0)
}

fn shorten_into(value: &Value, left: &mut usize, depth: usize) -> Value {
    *left = left.saturating_sub(8);
    if depth > MAX_NESTING {
        return Value::Nil;
    }
    match value {
        Value::Str(text) if text.as_str().len() > *left => {
            let mut end = *left;
            while !text.as_str().is_char_boundary(end) {
                end -= 1;
            }
            let kept = text.as_str().get(..end).unwrap_or("");
            *left = 0;
            Value::string(format!("{kept}..."))
        }
        Value::Str(text) => {
            *left -= text.as_str().len();
            value.clone()
        }
        Value::Vector(items) => Value::vector(leading(items, left, |item, left| shorten_into(item, left, depth + 1))),
        Value::Map(map) => {
            let kept = leading(map, left, |(key, item), left| (key.clone(), shorten_into(item, left, depth + 1)));
            map.rebuilt(kept, &mut Meter::host()).map_or(Value::Nil, Value::Map)
        }
        Value::Set(set) => {
            let kept = leading(set.iter(), left, |item, left| {
                *left = left.saturating_sub(16);
                item.clone()
            });
            set.rebuilt(kept, &mut Meter::host()).map_or(Value::Nil, Value::Set)
        }
        other => other.clone(),
    }
}

/// The results of `keep` for the elements while there are bytes left.
// Bounded: by the bytes that are left.
fn leading<T, K>(items: impl IntoIterator<Item = T>, left: &mut usize, keep: impl Fn(T, &mut usize) -> K) -> Vec<K> {
    items.into_iter().map_while(|item| (*left > 0).then(|| keep(item, left))).collect()
}
