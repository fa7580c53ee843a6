//! Values as a host that thinks in JSON receives them, without the detour over a JSON document.

use super::Import;
use super::export::{deeper, json_of};
use crate::error::Res;
use crate::meter::Meter;
use crate::value::{Cells, Map, Value};

/// What reading the JSON of `value` back would give, with every key as a string; at the fuel of [`json_of`].
///
/// Errors as [`json_of`].
pub(crate) fn json_shaped(value: &Value, cells: &dyn Cells, meter: &mut Meter) -> Res {
    Shape { cells, meter }.value(value, 0)
}

struct Shape<'a> {
    cells: &'a dyn Cells,
    meter: &'a mut Meter,
}

impl Shape<'_> {
    fn value(&mut self, value: &Value, depth: usize) -> Res {
        match value {
            Value::Nil | Value::Bool(_) | Value::Int(_) => {}
            Value::Float(x) if x.is_finite() => {}
            Value::Str(text) => self.meter.allocate(text.as_str().len())?,
            Value::Keyword(name) | Value::Symbol(name) => {
                self.element()?;
                self.meter.allocate(name.as_str().len())?;
                return Ok(Value::string(name.as_str()));
            }
            Value::Vector(items) => return self.array(items.iter(), depth),
            Value::Map(map) if map.iter().all(|(key, _)| matches!(key, Value::Keyword(_))) => return self.object(map, depth),
            // Keys of several kinds may give one name, and the rest is text or a collection only in JSON.
            _ => return self.through_json(value, depth),
        }
        self.element()?;
        Ok(value.clone())
    }

    fn element(&mut self) -> Res<()> {
        self.meter.charge(1)?;
        Ok(self.meter.allocate(32)?)
    }

    fn array<'v>(&mut self, items: impl ExactSizeIterator<Item = &'v Value>, depth: usize) -> Res {
        self.element()?;
        let depth = deeper(depth)?;
        self.meter.allocate(items.len() * 32)?;
        let mut made = Vec::with_capacity(items.len());
        for item in items {
            made.push(self.value(item, depth)?);
        }
        Ok(Value::vector(made))
    }

    /// A map whose keys are all keywords, which are as different as strings as they were before.
    fn object(&mut self, map: &Map, depth: usize) -> Res {
        self.element()?;
        let depth = deeper(depth)?;
        let mut made = Map::new();
        for (key, item) in map {
            let Value::Keyword(name) = key else { continue };
            self.meter.allocate(64 + name.as_str().len())?;
            let item = self.value(item, depth)?;
            made.insert(Value::string(name.as_str()), item, self.meter)?;
        }
        Ok(Value::Map(made))
    }

    fn through_json(&mut self, value: &Value, depth: usize) -> Res {
        let json = json_of(value, depth, self.cells, self.meter)?;
        Ok(Import::verbatim().value(json))
    }
}
