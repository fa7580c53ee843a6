//! The room that values take when their host writes them out: shared parts count as often as they occur.

#[cfg(test)]
mod tests;

use super::{MAX_NESTING, Map, Value};
use crate::error::{Reason, Res, Signal, err};
use crate::meter::Meter;

/// What a scalar takes: about as much as in JSON.
const SCALAR: u64 = 8;

/// Whether a host can write out all of `values`.
///
/// A value of `n` collections that share their parts can take `2^n` when it is written as JSON, and whatever a program leaves
/// behind is written somewhere: into a record, a journal, a file. It may take as much as live values may, or four times what
/// `data` takes, for what a program makes of its input may repeat it a few times. Arguments of tools are bounded by themselves,
/// since they are written when the call is made.
///
/// Linear in what is written, with looks at the clock; levels that are never written do not count. Errors with
/// `memory_exceeded`, and with `timeout` at the deadline.
pub(crate) fn check_written<'v>(values: impl Iterator<Item = &'v Value> + Clone, data: &Map, meter: &mut Meter) -> Res<()> {
    let limit = meter.limits().memory;
    let checked = Room::of(limit).take(values.clone(), meter);
    let is_full = matches!(&checked, Err(signal) if matches!(&**signal, Signal::Error(error) if error.reason == Reason::MemoryExceeded));
    if !is_full || data.is_empty() {
        return checked;
    }
    let mut input = Room::of(u64::MAX);
    input.map(data, 0, meter)?;
    match 4 * (u64::MAX - input.left) {
        more if more > limit => Room::of(more).take(values, meter),
        _ => checked,
    }
}

struct Room {
    left: u64,
    limit: u64,
}

impl Room {
    fn of(limit: u64) -> Room {
        Room { left: limit, limit }
    }

    fn take<'v>(mut self, mut values: impl Iterator<Item = &'v Value>, meter: &mut Meter) -> Res<()> {
        values.try_for_each(|value| self.value(value, 0, meter))
    }

    fn value(&mut self, value: &Value, depth: usize, meter: &mut Meter) -> Res<()> {
        meter.tick()?;
        let text = match value {
            Value::Str(text) | Value::Uuid(text) => text.as_str().len(),
            Value::Keyword(name) | Value::Symbol(name) | Value::Var(name) => name.as_str().len(),
            _ => 0,
        };
        self.bytes(SCALAR + text as u64)?;
        if depth > MAX_NESTING {
            return Ok(());
        }
        match value {
            Value::Vector(items) => items.iter().try_for_each(|item| self.value(item, depth + 1, meter)),
            Value::Set(items) => items.iter().try_for_each(|item| self.value(item, depth + 1, meter)),
            Value::Map(map) => self.map(map, depth, meter),
            Value::Reduced(inner) => self.value(inner.get(), depth + 1, meter),
            Value::Exception(exception) => {
                let error = exception.error();
                self.bytes(error.message.len() as u64)?;
                error.data.iter().chain(&error.cause).try_for_each(|inner| self.value(inner, depth + 1, meter))
            }
            _ => Ok(()),
        }
    }

    fn map(&mut self, map: &Map, depth: usize, meter: &mut Meter) -> Res<()> {
        map.iter().try_for_each(|(key, item)| {
            self.value(key, depth + 1, meter)?;
            self.value(item, depth + 1, meter)
        })
    }

    fn bytes(&mut self, bytes: u64) -> Res<()> {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(err(
                Reason::MemoryExceeded,
                format!(
                    "what the program leaves behind would take more than {} bytes, because it repeats the same parts: return and define \
                     counts, or each part once",
                    self.limit
                ),
            )),
        }
    }
}
