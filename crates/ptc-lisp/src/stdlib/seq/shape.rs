//! Interleaving and flattening sequences.

use super::{Place, lazily, sized, unless_short};
use crate::error::Res;
use crate::pace::{Paced, gathered};
use crate::stdlib::call::{Begin, VECTOR, cut_endless};
use crate::stdlib::{Call, Family, rows};
use crate::value::{Value, Vector, reserve};

pub(crate) const FAMILY: Family = rows! {
    "Interleaving and flattening";
    "flatten" "[coll]" native pure = |call| lazily(call, Place::First, "%lazy-flatten", flat),
        "The elements with nested vectors spliced in; maps, sets and strings inside stay whole."
        r#"(flatten [1 [2 {:a [3]}] "xy"])"# => r#"[1 2 {:a [3]} "xy"]"#;
    "interleave" "[& colls]" native = interleave,
        "One element of each coll in turn, until the shortest ends." "(interleave [:a :b] [1 2 3])" => "[:a 1 :b 2]";
    "interpose" "[sep]" "[sep coll]" native
        = |call| unless_short(call, 1, "%interpose-xf", |call| lazily(call, Place::Last, "%lazy-interpose", separated)),
        "The elements with sep between them; without coll a transducer." "(interpose 0 [7 8 9])" => "[7 0 8 0 9]";
    "zip" "[coll & colls]" native = zip,
        "Vectors of the elements at the same position, until the shortest ends."
        "(zip [1 2] [:a :b])" => "[[1 :a] [2 :b]]";
};

fn flat(call: &mut Call<'_>) -> Res {
    call.settle(0)?;
    let start = match call.arg(0) {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) => call.seq(0)?,
        _ => return call.vector(Vec::new()),
    };
    // Open vectors and where to continue in each: nesting uses no native stack.
    let mut open: Vec<(Vector, usize)> = vec![(start, 0)];
    let mut flat = Vec::new();
    while let Some((items, at)) = open.pop() {
        let leaves = items.iter_from(at).take_while(|item| !matches!(item, Value::Vector(_))).count();
        call.charge(leaves + 1)?;
        reserve(&mut flat, leaves, call.meter())?;
        let mut paced = Paced::new(items.iter_from(at).take(leaves).cloned(), call.meter());
        flat.extend(paced.by_ref());
        paced.finish()?;
        if let Some(Value::Vector(inner)) = items.get(at + leaves) {
            let inner = inner.clone();
            open.push((items, at + leaves + 1));
            open.push((inner, 0));
        }
    }
    Ok(Value::vector(flat))
}

/// The arguments as sequences, with the length of the shortest.
fn rows(call: &mut Call<'_>) -> Res<(Vec<Vector>, usize)> {
    let sizes: Vec<usize> = (0..call.len()).map(|index| sized(call, index)).collect::<Res<_>>()?;
    let rows: Vec<Vector> = (0..call.len()).map(|index| call.seq(index)).collect::<Res<_>>()?;
    Ok((rows, sizes.into_iter().min().unwrap_or(0)))
}

fn interleave(call: &mut Call<'_>) -> Res<Begin> {
    cut_endless(call, 0)?;
    lazily(call, Place::All, "%lazy-interleave", woven)
}

fn woven(call: &mut Call<'_>) -> Res {
    let (rows, length) = rows(call)?;
    let total = rows.len().saturating_mul(length);
    call.charge(total)?;
    call.allocate(total * 16)?;
    let mut woven = Vec::with_capacity(total);
    for index in 0..length {
        call.tick()?;
        woven.extend(rows.iter().filter_map(|row| row.get(index).cloned()));
    }
    Ok(Value::vector(woven))
}

fn separated(call: &mut Call<'_>) -> Res {
    let items = call.seq(1)?;
    call.charge(items.len())?;
    call.allocate(items.len() * 32)?;
    let separator = call.arg(0).clone();
    let mut woven = Vec::with_capacity(items.len() * 2);
    for (index, item) in items.iter().enumerate() {
        call.tick()?;
        if index > 0 {
            woven.push(separator.clone());
        }
        woven.push(item.clone());
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
    call.allocate(length.saturating_mul(VECTOR + 16 + rows.len() * 16))?;
    let tuples =
        (0..length).map(|index| Value::vector(rows.iter().filter_map(|row| row.get(index).cloned()).collect()));
    let tuples = gathered(tuples, call.meter())?;
    Ok(Value::vector(tuples))
}
