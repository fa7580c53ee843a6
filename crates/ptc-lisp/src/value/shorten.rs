//! Small forms of values: quotes in messages, history entries, rounded results.

use std::collections::HashMap;

use super::{FormatOptions, Set, Value, format};
use crate::meter::Meter;

/// A value as messages quote it: three items, 40 characters.
pub(crate) fn shown(value: &Value) -> String {
    format(value, &FormatOptions::error_quote()).text
}

/// The name of a keyword or string key.
pub(crate) fn key_name(key: &Value) -> Option<&str> {
    match key {
        Value::Keyword(name) => Some(name.as_str()),
        Value::Str(text) => Some(text.as_str()),
        _ => None,
    }
}

/// Floats rounded half away from zero to `decimals`, through all collections; the same value without decimals.
pub(crate) fn round_floats(value: Value, decimals: Option<u32>) -> Value {
    match decimals {
        Some(decimals) => {
            Rounding { factor: 10_f64.powi(i32::try_from(decimals.min(300)).unwrap_or(300)), known: HashMap::new() }
                .value(&value, 0)
        }
        None => value,
    }
}

struct Rounding {
    factor: f64,
    /// What became of each collection, so that shared parts are rounded once and stay shared.
    known: HashMap<usize, Value>,
}

impl Rounding {
    fn value(&mut self, value: &Value, depth: usize) -> Value {
        if depth > super::MAX_NESTING {
            return value.clone();
        }
        let address = match value {
            Value::Vector(items) => Some(items.address()),
            Value::Map(map) => Some(map.address()),
            Value::Set(set) => Some(set.as_map().address()),
            _ => None,
        };
        if let Some(done) = address.and_then(|address| self.known.get(&address)) {
            return done.clone();
        }
        let rounded = self.rounded(value, depth);
        if let Some(address) = address {
            self.known.insert(address, rounded.clone());
        }
        rounded
    }

    fn rounded(&mut self, value: &Value, depth: usize) -> Value {
        match value {
            Value::Float(x) if x.is_finite() => {
                let scaled = x * self.factor;
                Value::Float(if scaled.is_finite() { scaled.round() / self.factor } else { *x })
            }
            Value::Vector(items) => Value::Vector(items.iter().map(|item| self.value(item, depth + 1)).collect()),
            Value::Map(map) => {
                let mut meter = Meter::host();
                let rounded = map.iter().map(|(key, item)| (key.clone(), self.value(item, depth + 1)));
                map.rebuilt(rounded, &mut meter).map_or_else(|_| value.clone(), Value::Map)
            }
            Value::Set(set) => {
                let mut meter = Meter::host();
                Set::from_values(set.iter().map(|item| self.value(item, depth + 1)), &mut meter)
                    .map_or_else(|_| value.clone(), Value::Set)
            }
            other => other.clone(),
        }
    }
}

/// The value cut to about `bytes`: long strings get `...`, collections keep the leading elements that fit.
pub(crate) fn shorten(value: &Value, bytes: usize) -> Value {
    let mut left = bytes;
    shorten_into(value, &mut left, 0)
}

fn shorten_into(value: &Value, left: &mut usize, depth: usize) -> Value {
    *left = left.saturating_sub(8);
    if depth > 64 {
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
        Value::Vector(items) => {
            let mut kept = Vec::new();
            for item in items {
                if *left == 0 {
                    break;
                }
                kept.push(shorten_into(item, left, depth + 1));
            }
            Value::vector(kept)
        }
        Value::Map(map) => {
            let mut meter = Meter::host();
            let mut kept = Vec::new();
            for (key, item) in map {
                if *left == 0 {
                    break;
                }
                kept.push((key.clone(), shorten_into(item, left, depth + 1)));
            }
            map.rebuilt(kept, &mut meter).map_or(Value::Nil, Value::Map)
        }
        Value::Set(set) => {
            let mut meter = Meter::host();
            let mut kept = Vec::new();
            for item in set.iter() {
                if *left == 0 {
                    break;
                }
                *left = left.saturating_sub(16);
                kept.push(item.clone());
            }
            set.rebuilt(kept, &mut meter).map_or(Value::Nil, Value::Set)
        }
        other => other.clone(),
    }
}
