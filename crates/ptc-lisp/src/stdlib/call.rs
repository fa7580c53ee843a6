//! One call of a builtin: its arguments and what it may use.

use crate::error::{Res, type_error};
use crate::eval::context::Context;
use crate::meter::Meter;
use crate::stdlib::usage;
use crate::value::{Map, Text, Value, Vector, shown};

/// The arguments of a builtin call (their number already fits the row) and the run around it.
///
/// Check and read first; take an argument out (`take`) only when nothing can fail any more that would need it.
pub(crate) struct Call<'a> {
    /// The name to show in messages.
    pub name: &'static str,
    pub args: &'a mut [Value],
    pub cx: &'a mut Context,
}

impl Call<'_> {
    /// Number of arguments.
    pub fn len(&self) -> usize {
        self.args.len()
    }

    /// Argument `index`; nil when it was not given.
    pub fn arg(&self, index: usize) -> &Value {
        const NIL: &Value = &Value::Nil;
        self.args.get(index).unwrap_or(NIL)
    }

    /// Move argument `index` out, so that it may be updated in place.
    pub fn take(&mut self, index: usize) -> Value {
        self.args.get_mut(index).map(std::mem::take).unwrap_or_default()
    }

    /// The meter of the run.
    pub fn meter(&mut self) -> &mut Meter {
        &mut self.cx.meter
    }

    /// Use fuel: one unit per element handled.
    pub fn charge(&mut self, units: usize) -> Res<()> {
        Ok(self.cx.meter.charge(units)?)
    }

    /// Announce bytes before allocating them.
    pub fn allocate(&mut self, bytes: usize) -> Res<()> {
        Ok(self.cx.meter.allocate(bytes)?)
    }

    /// A new vector; charges its memory.
    pub fn vector(&mut self, items: Vec<Value>) -> Res {
        self.allocate(64 + items.len() * 16)?;
        Ok(Value::vector(items))
    }

    /// A new string; charges its memory.
    pub fn string(&mut self, text: String) -> Res {
        self.allocate(64 + text.len())?;
        Ok(Value::string(text))
    }

    /// `name: expected WHAT, got KIND`, as `type_error`.
    pub fn wrong(&self, what: &str, got: &Value) -> Box<crate::error::Signal> {
        let name = self.name;
        type_error(match got {
            Value::Float(_) if what.contains("integer") => {
                format!("{name}: expected {what}, got the float {}; (int x), (round x) or quot gives an integer", shown(got))
            }
            Value::Big(_) if what.contains("integer") => format!("{name}: expected {what}, got {}, which is beyond 64 bits", shown(got)),
            _ => {
                let usage = usage::reordered(name, self.args);
                let remark = match got {
                    Value::Regex(_) if usage.is_empty() => "; patterns are for re-find, replace and split",
                    _ => "",
                };
                format!("{name}: expected {what}, got {}{usage}{remark}", got.kind())
            }
        })
    }

    /// Argument `index` as an integer that fits 64 bits.
    pub fn int(&self, index: usize) -> Res<i64> {
        match self.arg(index) {
            Value::Int(n) => Ok(*n),
            other => Err(self.wrong("an integer", other)),
        }
    }

    /// Argument `index` as a string.
    pub fn text(&self, index: usize) -> Res<Text> {
        match self.arg(index) {
            Value::Str(text) => Ok(text.clone()),
            other => Err(self.wrong("a string", other)),
        }
    }

    /// Argument `index` as a map; nil is the empty map.
    pub fn map(&self, index: usize) -> Res<Map> {
        match self.arg(index) {
            Value::Map(map) => Ok(map.clone()),
            Value::Nil => Ok(Map::new()),
            other => Err(self.wrong("a map", other)),
        }
    }

    /// Argument `index` as a sequence of elements: nil, vector, string (characters), map (`[key value]`), set.
    ///
    /// A vector is shared, not copied; the others are built, one unit of fuel per element.
    pub fn seq(&mut self, index: usize) -> Res<Vector> {
        let value = self.arg(index).clone();
        match elements(&value, &mut self.cx.meter)? {
            Some(items) => Ok(items),
            None => Err(self.wrong("a collection", &value)),
        }
    }
}

/// The elements of any seqable value as a vector; `None` for what has no elements. A generator has none here:
/// it is realised before the call.
pub(crate) fn elements(value: &Value, meter: &mut Meter) -> Res<Option<Vector>> {
    Ok(Some(match value {
        Value::Nil => Vector::new(),
        Value::Vector(items) => items.clone(),
        Value::Str(text) => {
            meter.charge(text.chars())?;
            meter.allocate(text.chars() * 80)?;
            text.as_str().chars().map(|c| Value::string(c.to_string())).collect()
        }
        Value::Map(map) => {
            meter.charge(map.len())?;
            meter.allocate(map.len() * 112)?;
            map.iter().map(|(key, item)| Value::vector(vec![key.clone(), item.clone()])).collect()
        }
        Value::Set(set) => {
            meter.charge(set.len())?;
            meter.allocate(set.len() * 16)?;
            set.iter().cloned().collect()
        }
        _ => return Ok(None),
    }))
}
