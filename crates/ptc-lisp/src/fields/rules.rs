//! What comparisons ask for.

use super::value::Known;
use crate::value::Value;

/// Whether comparing with this value asks for a flag or for nothing: nil, `true` and `false`.
pub(super) fn is_plain_test(value: &Known) -> bool {
    matches!(&value.literal, Some(literal) if matches!(literal.value, Value::Nil | Value::Bool(_)))
}
