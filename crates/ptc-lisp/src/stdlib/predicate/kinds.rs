//! The predicates as functions.

use crate::error::Res;
use crate::stdlib::Call;
use crate::value::{CellKind, Value, number};

/// Defines `fn NAME(call)` answering whether argument 0 matches a pattern.
macro_rules! kinds {
    ($($name:ident = $pattern:pat $(if $guard:expr)?,)*) => {$(
        pub(super) fn $name(call: &mut Call<'_>) -> Res {
            Ok(Value::Bool(matches!(call.arg(0), $pattern $(if $guard)?)))
        }
    )*};
}

kinds! {
    is_nil = Value::Nil,
    is_boolean = Value::Bool(_),
    is_string = Value::Str(_),
    is_keyword = Value::Keyword(_),
    is_symbol = Value::Symbol(_),
    is_ident = Value::Keyword(_) | Value::Symbol(_),
    is_number = Value::Int(_) | Value::Float(_) | Value::Big(_),
    is_int = Value::Int(_),
    is_integer = Value::Int(_) | Value::Big(_),
    is_float = Value::Float(_),
    is_pos_int = Value::Int(1..),
    is_neg_int = Value::Int(..=-1),
    is_nat_int = Value::Int(0..),
    is_regex = Value::Regex(_),
    is_uuid = Value::Uuid(_),
    is_inst = Value::Instant(_),
    is_var = Value::Var(_),
    is_delay = Value::Cell(cell) if cell.kind() == CellKind::Delay,
    is_volatile = Value::Cell(cell) if cell.kind() == CellKind::Volatile,
    is_char = Value::Str(text) if text.chars() == 1,
    is_simple_keyword = Value::Keyword(name) if !has_namespace(name),
    is_simple_symbol = Value::Symbol(name) if !has_namespace(name),
    is_simple_ident = Value::Keyword(name) | Value::Symbol(name) if !has_namespace(name),
    is_qualified_keyword = Value::Keyword(name) if has_namespace(name),
    is_qualified_symbol = Value::Symbol(name) if has_namespace(name),
    is_qualified_ident = Value::Keyword(name) | Value::Symbol(name) if has_namespace(name),
}

fn has_namespace(name: &crate::value::Name) -> bool {
    crate::stdlib::convert::parts(name.as_str()).0.is_some()
}

pub(super) fn is_some(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(!call.arg(0).is_nil()))
}

pub(super) fn is_any(_: &mut Call<'_>) -> Res {
    Ok(Value::Bool(true))
}

pub(super) fn is_nothing(_: &mut Call<'_>) -> Res {
    Ok(Value::Bool(false))
}

pub(super) fn is_nan(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Float(x) => Ok(Value::Bool(x.is_nan())),
        other if other.is_number() => Ok(Value::Bool(false)),
        other => Err(call.wrong("a number", other)),
    }
}

pub(super) fn is_infinite(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Float(x) => Ok(Value::Bool(x.is_infinite())),
        other if other.is_number() => Ok(Value::Bool(false)),
        other => Err(call.wrong("a number", other)),
    }
}

pub(super) fn is_zero(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(number::sign(call.arg(0)) == Some(0)))
}

pub(super) fn is_pos(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(number::sign(call.arg(0)) == Some(1)))
}

pub(super) fn is_neg(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(number::sign(call.arg(0)) == Some(-1)))
}

pub(super) fn is_even(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(!odd(call)?))
}

pub(super) fn is_odd(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(odd(call)?))
}

fn odd(call: &Call<'_>) -> Res<bool> {
    match call.arg(0) {
        Value::Int(n) => Ok(n & 1 == 1),
        Value::Big(n) => Ok(n.bit(0)),
        Value::Float(x) if x.fract() == 0.0 => Ok(x % 2.0 != 0.0),
        other => Err(call.wrong("an integer", other)),
    }
}
