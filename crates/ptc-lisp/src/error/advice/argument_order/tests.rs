//! When the order of arguments is named, and when not.

use proptest::prelude::*;

use super::{for_function, parameters, reordered};
use crate::stdlib::table::table;
use crate::value::Value;

fn ints(count: i64) -> Value {
    Value::vector((0..count).map(Value::Int).collect())
}

fn builtin(name: &str) -> Value {
    Value::Builtin(table().find(name).unwrap())
}

#[test]
fn exchanged_arguments_are_named() {
    assert_eq!(reordered(table(), "take", &[ints(2), Value::Int(2)]), "; write (take n coll)");
    assert_eq!(reordered(table(), "nth", &[Value::Int(1), ints(2)]), "; write (nth coll index)");
    assert_eq!(reordered(table(), "reduce", &[ints(2), builtin("+"), Value::Int(0)]), "; write (reduce f init coll)");
    assert_eq!(reordered(table(), "map", &[ints(2), ints(2), builtin("+")]), "; write (map f coll coll)");
    assert_eq!(for_function(table(), "update-vals", &builtin("inc")), "; write (update-vals m f)");
}

#[test]
fn values_that_are_merely_wrong_are_not_moved() {
    assert_eq!(reordered(table(), "bit-flip", &[Value::Int(5), Value::keyword("a")]), "");
    assert_eq!(reordered(table(), "math/scalb", &[Value::Float(1.0), Value::Nil]), "");
    assert_eq!(reordered(table(), "replace-first", &[Value::Nil, Value::string("a"), Value::string("b")]), "");
    assert_eq!(reordered(table(), "take", &[Value::Nil, ints(1)]), "");
    assert_eq!(reordered(table(), "no-such-function", &[ints(1), Value::Int(1)]), "");
    assert_eq!(reordered(table(), "%items", &[ints(1), Value::string("x")]), "");
    assert_eq!(for_function(table(), "pluck", &Value::Int(5)), "");
}

proptest! {
    /// Every suggestion has a parameter for each argument, in parentheses after the name.
    #[test]
    fn a_suggestion_takes_as_many_arguments(row in 0..table().iter().count(), kinds in prop::collection::vec(0..4_u8, 0..5)) {
        let name = table().iter().nth(row).map_or("", |(_, entry)| entry.row.name);
        let args: Vec<Value> = kinds.iter().map(|kind| match kind {
            0 => Value::Int(1),
            1 => ints(2),
            2 => builtin("inc"),
            _ => Value::string("s"),
        }).collect();
        let text = reordered(table(), name, &args);
        if !text.is_empty() {
            let inner = text.strip_prefix(&format!("; write ({name} ")).and_then(|rest| rest.strip_suffix(')'));
            prop_assert_eq!(inner.map(|inner| inner.split(' ').count()), Some(args.len()), "{}", text);
            prop_assert_eq!(parameters(table(), name, args.len()).map(|words| words.len()), Some(args.len()));
        }
    }
}
