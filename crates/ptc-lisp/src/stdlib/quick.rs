//! The quick calls of all rows by number, as instructions name them.

pub(crate) mod calls;
pub(crate) mod numbers;
#[cfg(test)]
mod tests;

pub(crate) use self::calls::{Arguments, Quick};
use super::known::known;
pub(crate) use super::table::QUICK;
use crate::eval::context::Context;
use crate::value::{BuiltinId, CellKind};

impl Quick {
    /// The quick call of this number.
    pub fn numbered(number: u8) -> &'static Quick {
        QUICK.get(usize::from(number)).map_or(&Quick::First, |(_, quick)| quick)
    }
}

/// The number of the quick call for which `is_it` holds.
pub(crate) fn number_of(is_it: impl Fn(&Quick) -> bool) -> Option<u8> {
    QUICK.iter().position(|(_, quick)| is_it(quick)).and_then(|number| u8::try_from(number).ok())
}

/// The quick call of a row that may start a frame, with its arguments in the window of the call.
pub(crate) fn in_window(id: BuiltinId) -> Option<fn(&mut Arguments<'_>, &mut Context) -> bool> {
    let known = known();
    match id {
        _ if id == known.concat => Some(|o, cx| calls::append(o, cx, |count| count / 4 + 1)),
        _ if id == known.into => Some(|o, cx| calls::append(o, cx, |count| count)),
        _ if id == known.reduce => Some(numbers::reduce),
        _ if id == known.apply => Some(numbers::apply),
        _ if id == known.swap => Some(|o, cx| calls::change(o, CellKind::Atom, cx)),
        _ if id == known.vswap => Some(|o, cx| calls::change(o, CellKind::Volatile, cx)),
        _ if id == known.deref => Some(calls::deref),
        _ => None,
    }
}
