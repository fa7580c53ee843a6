//! Interleaving and flattening sequences.

use super::{Place, lazily, sized, unless_short};
use crate::error::Res;
use crate::stdlib::call::{Begin, VECTOR, cut_endless};
use crate::stdlib::{Call, Family, Sequences, rows};
use crate::value::{Value, Vector, extend, push, reserve};

pub(crate) const FAMILY: Family = rows! {
    "Interleaving and flattening";
    "flatten" "[coll]" native returns(Returns::Sequence)
        steps(Sequences::First) pure = |call| lazily(call, Place::First, "%lazy-flatten", flat),
        "The elements with nested vectors spliced in; maps, sets and strings inside stay whole."
        r#"(flatten [1 [2 {:a [3]}] "xy"])"# => r#"[1 2 {:a [3]} "xy"]"#;
    "interleave" "[& colls]" native returns(Returns::Sequence) alike pure steps(Sequences::From(0)) = interleave,
        "One element of each coll in turn, until the shortest ends." "(interleave [:a :b] [1 2 3])" => "[:a 1 :b 2]";
    "interpose" "[sep]" "[sep coll]" native returns(Returns::Sequence) stage pure steps(Sequences::From(1))
        = |call| unless_short(call, 1, "%interpose-xf", |call| lazily(call, Place::Last, "%lazy-interpose", separated)),
        "The elements with sep between them; without coll a transducer." "(interpose 0 [7 8 9])" => "[7 0 8 0 9]";
    "zip" "[coll & colls]" native pure = zip,
        "Vectors of the elements at the same position, until the shortest ends."
        "(zip [1 2] [:a :b])" => "[[1 :a] [2 :b]]";
};

fn flat(call: &mut Call<'_>) -> Res {
    call.settle(0)?;
    let start = match call.arg(0) {
        Value::Vector(items) => items.clone(),
        _ => return call.vector(Vec::new()),
    };
    // Open vectors and where to continue in each: nesting uses no native stack.
    let mut open: Vec<(Vector, usize)> = vec![(start, 0)];
    let mut flat = Vec::new();
    while let Some((items, at)) = open.pop() {
        let leaves = items.iter_from(at).take_while(|item| !matches!(item, Value::Vector(_))).count();
        call.charge(leaves + 1)?;
        reserve(&mut flat, leaves, call.meter())?;
        extend(&mut flat, items.iter_from(at).take(leaves).cloned(), call.meter())?;
        if let Some(Value::Vector(inner)) = items.get(at + leaves) {
            let inner = inner.clone();
            push(&mut open, (items, at + leaves + 1), call.meter())?;
            push(&mut open, (inner, 0), call.meter())?;
        }
    }
    Ok(Value::vector(flat))
}

/// The arguments as sequences, with the length of the shortest.
fn rows(call: &mut Call<'_>) -> Res<(Vec<Vector>, usize)> {
    let mut shortest = usize::MAX;
    for index in 0..call.len() {
        shortest = shortest.min(sized(call, index)?);
    }
    let mut rows = Vec::new();
    for index in 0..call.len() {
        let row = call.seq(index)?;
        push(&mut rows, row, call.meter())?;
    }
    Ok((rows, if call.len() == 0 { 0 } else { shortest }))
}

fn interleave(call: &mut Call<'_>) -> Res<Begin> {
    cut_endless(call, 0)?;
    lazily(call, Place::All, "%lazy-interleave", woven)
}

fn woven(call: &mut Call<'_>) -> Res {
    let (rows, length) = rows(call)?;
    let total = rows.len().saturating_mul(length);
    call.charge(total)?;
    let mut woven = Vec::new();
    reserve(&mut woven, total, call.meter())?;
    for index in 0..length {
        call.tick()?;
        for item in rows.iter().filter_map(|row| row.get(index)) {
            push(&mut woven, item.clone(), call.meter())?;
        }
    }
    Ok(Value::vector(woven))
}

fn separated(call: &mut Call<'_>) -> Res {
    let items = call.seq(1)?;
    call.charge(items.len())?;
    let separator = call.arg(0).clone();
    let mut woven = Vec::new();
    reserve(&mut woven, items.len() * 2, call.meter())?;
    for (index, item) in items.iter().enumerate() {
        call.tick()?;
        if index > 0 {
            push(&mut woven, separator.clone(), call.meter())?;
        }
        push(&mut woven, item.clone(), call.meter())?;
    }
    Ok(Value::vector(woven))
}

fn zip(call: &mut Call<'_>) -> Res<Begin> {
    cut_endless(call, 0)?;
    lazily(call, Place::All, "%lazy-zip", tuples)
}

fn tuples(call: &mut Call<'_>) -> Res {
    let (rows, length) = rows(call)?;
    call.charge(rows.len().saturating_mul(length))?;
    rows_across(call, &rows, length)
}

/// A vector of the elements at each of the first `count` positions of these columns.
pub(in crate::stdlib) fn rows_across(call: &mut Call<'_>, columns: &[Vector], count: usize) -> Res {
    call.allocate(count.saturating_mul(VECTOR + columns.len() * size_of::<Value>()))?;
    // Bounded: announced for all rows at once.
    let row = |at| Value::vector(columns.iter().filter_map(|column| column.get(at).cloned()).collect());
    let rows = call.gathered((0..count).map(row))?;
    call.paid_vector(rows)
}
