//! Fields of maps that exist before the program runs: `(:rows data/report)` is as well known as `data/report`.

use std::slice;

use super::value::Abstract;
use super::walk::Walk;
use crate::analyze::ir::{Kind, Node};
use crate::limits::meter::Meter;
use crate::stdlib::known::known;
use crate::value::{FormatOptions, Value, format};

impl Walk<'_> {
    /// What a call reads from a known map, by keys written in the call.
    pub(super) fn field(&mut self, callee: &Node, args: &[Node], values: &[Abstract]) -> Option<Abstract> {
        let whole = values.first()?;
        let map = whole.map.as_ref()?;
        if let (Some(id), [_]) = (callee.builtin(), args) {
            return (id == known().map_pattern).then(|| whole.clone());
        }
        let path: &[Value] = match (&callee.kind, args) {
            (Kind::Const(key @ Value::Keyword(_)), [_]) => slice::from_ref(key),
            (_, [_, Node { kind: Kind::Const(key), .. }]) if callee.builtin() == Some(known().get) => {
                slice::from_ref(key)
            }
            (_, [_, Node { kind: Kind::Const(Value::Vector(path)), .. }])
                if callee.builtin() == Some(known().get_in) =>
            {
                path.side_by_side()?
            }
            _ => return None,
        };
        let (mut value, mut part) = (Value::Map(map.map.clone()), map.part.clone());
        for key in path {
            let Value::Map(map) = &value else { return None };
            let Some(next) = map.lookup(key, &mut Meter::host()).ok()?.cloned() else {
                // It is nil, however the path continues.
                return Some(Abstract::scalar());
            };
            part = part.map(|part| format!("{part} {}", format(key, &FormatOptions::full()).text).into());
            value = next;
        }
        Some(self.part(&value, part))
    }
}
