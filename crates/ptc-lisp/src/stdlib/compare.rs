//! Equality, order and logic.

mod hash;

use std::cmp::Ordering;
use std::sync::Arc;

use crate::error::Res;
use crate::error::warning::WarningCode;
use crate::eval::context::Context;
use crate::stdlib::argument::{Relation, Test};
use crate::stdlib::quick::calls::{self, Quick};
use crate::stdlib::quick::numbers;
use crate::stdlib::{Call, Family, InPlace, Sequences, rows};
use crate::value::{Value, compare_numbers, compare_times};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Comparison and logic";
    "=" "[x & more]" lazy size(Size::Scalar)
        quick(Quick::Equal) = |call| Ok(Value::Bool(all_equal(call)?)),
        "Whether all are equal, in depth; `1` equals `1.0`, NaN equals nothing."
        "(= [1 2] [1.0 2])" => "true", r#"(= :a "a")"# => "false";
    "not=" "[x & more]" lazy size(Size::Scalar) quick(calls::ARE_NOT_EQUAL)
        = |call| Ok(Value::Bool(!all_equal(call)?)),
        "Whether not all are equal." "(not= 1 2)" => "true";
    "==" "[x & more]" lazy size(Size::Scalar) = numbers_equal,
        "Whether all numbers are equal." "(== 1 1.0)" => "true";
    "<" "[x & more]" lazy size(Size::Scalar) uses(Uses::Computes) alike compares(Relation::Less)
        = |call| chain(call, |order| Relation::Less.accepts(order)),
        "Whether numbers, dates or instants strictly increase." "(< 1 2 3)" => "true";
    ">" "[x & more]" lazy size(Size::Scalar) uses(Uses::Computes) alike compares(Relation::Greater)
        = |call| chain(call, |order| Relation::Greater.accepts(order)),
        "Whether numbers, dates or instants strictly decrease." "(> 3 2 2)" => "false";
    "<=" "[x & more]" lazy size(Size::Scalar) uses(Uses::Computes) alike compares(Relation::AtMost)
        = |call| chain(call, |order| Relation::AtMost.accepts(order)),
        "Whether numbers, dates or instants never decrease." "(<= 1 1 2)" => "true";
    ">=" "[x & more]" lazy size(Size::Scalar) uses(Uses::Computes) alike compares(Relation::AtLeast)
        = |call| chain(call, |order| Relation::AtLeast.accepts(order)),
        "Whether numbers, dates or instants never increase." "(>= 3 2 2)" => "true";
    "compare" "[x y]" deep uses(Uses::Computes) quick(Quick::Value(numbers::compare)) = compare,
        "-1, 0 or 1 by the natural order: nil first, like with like, shorter vectors first."
        r#"(compare "a" "b")"# => "-1", "(compare nil 1)" => "-1";
    "identical?" "[x y]" lazy = identical,
        "Whether both are the very same value; two equal collections built separately are not."
        "(identical? :a :a)" => "true";
    "not" "[x]" lazy callback(Callback::Never) size(Size::Scalar)
        prefix(Sequences::First) in_place(InPlace::Compute) test(Test::Not) = |call| Ok(Value::Bool(!call.arg(0).is_truthy())),
        "Whether `x` is nil or false." "(not nil)" => "true", "(not 0)" => "false";
    "boolean" "[x]" lazy callback(Callback::Never) size(Size::Scalar) presence(true)
        prefix(Sequences::First) = |call| Ok(Value::Bool(call.arg(0).is_truthy())),
        "false for nil and false, true for everything else." r#"(boolean "x")"# => "true";
    "true?" "[x]" lazy presence(true)
        prefix(Sequences::First) = |call| Ok(Value::Bool(matches!(call.arg(0), Value::Bool(true)))),
        "Whether `x` is `true`." "(true? 1)" => "false";
    "false?" "[x]" lazy prefix(Sequences::First) = |call| Ok(Value::Bool(matches!(call.arg(0), Value::Bool(false)))),
        "Whether `x` is `false`." "(false? nil)" => "false";
    "hash" "[x]" deep = hash::hash,
        "An integer that is the same for equal values, in every run."
        "(= (hash {:a 1 :b 2}) (hash {:b 2 :a 1}))" => "true";
};

fn all_equal(call: &mut Call<'_>) -> Res<bool> {
    let Call { args, cx, .. } = call;
    for pair in args.windows(2) {
        let [one, other] = pair else { break };
        match (one, other) {
            (Value::Int(x), Value::Int(y)) if x == y => {}
            _ if is_keyword_beside_string(one, other) => {
                warn_keyword_beside_string(one, other, cx);
                return Ok(false);
            }
            _ if cx.equal(one, other)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

/// Whether one is a keyword and the other a string of the same name.
pub(crate) fn is_keyword_beside_string(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Keyword(name), Value::Str(text)) | (Value::Str(text), Value::Keyword(name)) => {
            name.as_str() == text.as_str()
        }
        _ => false,
    }
}

/// Note that a keyword was compared with a string of the same name; ignores other values.
pub(crate) fn warn_keyword_beside_string(one: &Value, other: &Value, cx: &mut Context) {
    if let (Value::Keyword(name), Value::Str(_)) | (Value::Str(_), Value::Keyword(name)) = (one, other) {
        let text = format!(
            "the keyword :{name} never equals the string \"{name}\": compare keyword with keyword or use (name k)"
        );
        cx.warn(WarningCode::KeywordVsString, text);
    }
}

fn numbers_equal(call: &mut Call<'_>) -> Res {
    if let Some(other) = call.args.iter().find(|value| !value.is_number()) {
        return Err(call.wrong("numbers", other));
    }
    chain(call, |order| order == Ordering::Equal)
}

/// Whether every neighbouring pair is in order; all arguments are checked first.
fn chain(call: &mut Call<'_>, fits: fn(Ordering) -> bool) -> Res {
    if call.len() > 2 {
        call.charge(call.len() / 2)?;
    }
    let mut holds = true;
    for (index, value) in call.args.iter().enumerate() {
        let comparable = match (call.arg(0), value) {
            (Value::Date(_), Value::Date(_)) | (Value::Instant(_), Value::Instant(_)) => true,
            (Value::Temporal(first), Value::Temporal(other)) => first.order(other).is_some(),
            (first, other) => first.is_number() && other.is_number(),
        };
        if !comparable {
            return Err(call.wrong(wanted(call.arg(0)), value));
        }
        let before = call.arg(index.saturating_sub(1));
        holds = holds && (index == 0 || ordered(before, value).is_some_and(fits));
    }
    Ok(Value::Bool(holds))
}

fn wanted(first: &Value) -> &'static str {
    match first {
        Value::Date(_) => "dates",
        Value::Instant(_) => "instants",
        Value::Temporal(_) => "times of one kind that has an order",
        _ => "numbers",
    }
}

fn ordered(a: &Value, b: &Value) -> Option<Ordering> {
    compare_times(a, b).or_else(|| compare_numbers(a, b))
}

pub(super) fn compare(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = call;
    let [one, other] = &**args else { return Ok(Value::Nil) };
    Ok(Value::Int(one.compare(other, &mut cx.meter)? as i64))
}

fn identical(call: &mut Call<'_>) -> Res {
    let Call { args, cx, .. } = call;
    let [one, other] = &**args else { return Ok(Value::Nil) };
    Ok(Value::Bool(match (one, other) {
        (Value::Float(x), Value::Float(y)) => x.to_bits() == y.to_bits(),
        (Value::Big(x), Value::Big(y)) => Arc::ptr_eq(x, y),
        (Value::Vector(x), Value::Vector(y)) => x.address() == y.address(),
        (Value::Map(x), Value::Map(y)) => x.address() == y.address(),
        (Value::Set(x), Value::Set(y)) => x.as_map().address() == y.as_map().address(),
        (Value::Regex(x), Value::Regex(y)) => Arc::ptr_eq(x, y),
        (Value::Reduced(x), Value::Reduced(y)) => Arc::ptr_eq(x, y),
        _ => one.is_identical(other, &mut cx.meter)?,
    }))
}
