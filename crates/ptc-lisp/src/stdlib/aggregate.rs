//! Folding sequences of values: sums, means, counts.

use super::{Call, Family, rows};
use crate::error::{Res, type_error};
use crate::value::{Map, Value, number};

pub(crate) const FAMILY: Family = rows! {
    "Aggregation";
    "sum" "[coll]" shallow = |call| total(call, 0).map(|(sum, _)| sum),
        "The sum of the numbers; nil elements are skipped." "(sum [1 nil 2])" => "3", "(sum [])" => "0";
    "avg" "[coll]" shallow = |call| mean(call, 0),
        "The mean of the numbers as a float; nil elements are not counted; nil when nothing is left."
        "(avg [4 nil 5])" => "4.5";
    "frequencies" "[coll]" shallow size(Size::Same(0)) returns(Returns::Table) = frequencies,
        "A map from each element to how often it occurs, in order of first appearance."
        r#"(frequencies "abca")"# => r#"{"a" 2 "b" 1 "c" 1}"#;
    "%sum" "[name numbers]" shallow = |call| total(call, 1).map(|(sum, _)| sum),
        "As sum; errors name the function.";
    "%avg" "[name numbers]" shallow = |call| mean(call, 1),
        "As avg; errors name the function.";
};

/// Sum and count of the numbers among the elements of argument `index`; an earlier argument may be the name of the
/// function. Nil is skipped.
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
        if !item.is_number() {
            let name = if index == 0 { call.name } else { call.arg(0).as_str().unwrap_or_default() };
            return Err(type_error(format!("{name}: expected numbers, got {}", item.kind())).about_value(item));
        }
        sum = number::add(&sum, item, call.name, call.meter())?;
        counted += 1;
    }
    Ok((sum, counted))
}

fn mean(call: &mut Call<'_>, index: usize) -> Res {
    let (sum, counted) = total(call, index)?;
    let sum = number::to_f64(&sum).filter(|_| counted > 0);
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
