//! Folding sequences of values: sums, means, counts.

use num_bigint::BigInt;

use super::convert::wide;
use super::{Call, Family, rows};
use crate::error::{Res, type_error};
use crate::value::number::to_f64;
use crate::value::{Map, Value};

pub(crate) const FAMILY: Family = rows! {
    "Aggregation";
    "sum" "[coll]" shallow pure = |call| total(call, 0).map(|(sum, _)| sum),
        "The sum of the numbers; nil elements are skipped." "(sum [1 nil 2])" => "3", "(sum [])" => "0";
    "avg" "[coll]" shallow pure = |call| mean(call, 0),
        "The mean of the numbers as a float; nil elements are not counted; nil when nothing is left."
        "(avg [4 nil 5])" => "4.5";
    "frequencies" "[coll]" shallow pure = frequencies,
        "A map from each element to how often it occurs, in order of first appearance."
        r#"(frequencies "abca")"# => r#"{"a" 2 "b" 1 "c" 1}"#;
    "%sum" "[name numbers]" shallow = |call| total(call, 1).map(|(sum, _)| sum),
        "As sum; errors name the function.";
    "%avg" "[name numbers]" shallow = |call| mean(call, 1),
        "As avg; errors name the function.";
};

/// The sum of two numbers, big when it must be; nothing for what is no number.
pub(crate) fn plus(a: &Value, b: &Value) -> Option<Value> {
    Some(match (a, b) {
        (Value::Int(x), Value::Int(y)) => match x.checked_add(*y) {
            Some(sum) => Value::Int(sum),
            None => Value::integer(BigInt::from(*x) + y),
        },
        (Value::Float(_), _) | (_, Value::Float(_)) => Value::Float(to_f64(a)? + to_f64(b)?),
        _ => Value::integer(wide(a)? + wide(b)?),
    })
}

/// Fuel for handling a number: big ones by their size.
fn cost(value: &Value) -> usize {
    match value {
        Value::Big(n) => usize::try_from(n.bits() / 64).unwrap_or(usize::MAX >> 8),
        _ => 0,
    }
}

/// Sum and count of the numbers among the elements of argument `index`, behind the name of the function if there is
/// one; nil is skipped.
fn total(call: &mut Call<'_>, index: usize) -> Res<(Value, usize)> {
    let items = call.seq(index)?;
    call.charge(items.len() / 4)?;
    let mut sum = Value::Int(0);
    let mut counted = 0;
    for item in &items {
        call.tick()?;
        if item.is_nil() {
            continue;
        }
        let extra = cost(&sum) + cost(item);
        if extra > 0 {
            call.charge(extra)?;
            call.allocate(extra * 8)?;
        }
        sum = plus(&sum, item).ok_or_else(|| {
            let name = if index == 0 { call.name } else { call.arg(0).as_str().unwrap_or_default() };
            type_error(format!("{name}: expected numbers, got {}", item.kind()))
        })?;
        counted += 1;
    }
    Ok((sum, counted))
}

fn mean(call: &mut Call<'_>, index: usize) -> Res {
    let (sum, counted) = total(call, index)?;
    let sum = to_f64(&sum).filter(|_| counted > 0);
    Ok(sum.map_or(Value::Nil, |sum| Value::Float(sum / counted as f64)))
}

fn frequencies(call: &mut Call<'_>) -> Res {
    let items = call.settled(0)?;
    call.charge(items.len())?;
    let mut counts = Map::new();
    for item in &items {
        call.tick()?;
        let place = counts.find(item, call.meter())?.map(|(place, _, _)| place);
        match place {
            Some(place) => {
                if let Some(Value::Int(count)) = counts.value_mut(place, call.meter())? {
                    *count += 1;
                }
            }
            None => super::seq::grow::put(call, &mut counts, item.clone(), Value::Int(1))?,
        }
    }
    Ok(counts.into())
}
