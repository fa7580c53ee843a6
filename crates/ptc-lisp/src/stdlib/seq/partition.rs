//! Groups of neighbours and selections.

use super::take::{amount, ready, step};
use super::{Place, lazily, unless_short};
use crate::error::Res;
use crate::limits::release::Unfinished;
use crate::stdlib::{Call, Family, Sequences, rows};
use crate::value::{Value, Vector, extend, gathered};

pub(crate) const FAMILY: Family = rows! {
    "Groups of elements";
    "partition" "[n coll]" "[n step coll]" "[n step pad coll]" native returns(Returns::Sequence)
        size(Size::Last) steps(Sequences::From(1)) pure
        = |call| lazily(call, Place::Last, "%lazy-partition", |call| groups(call, false)),
        "Groups of n elements, starting every step (n) elements; a short last group is dropped, or filled from pad."
        "(partition 2 [1 2 3 4 5])" => "[[1 2] [3 4]]", "(partition 2 1 [1 2 3])" => "[[1 2] [2 3]]",
        "(partition 3 3 [0] [1 2 3 4])" => "[[1 2 3] [4 0]]";
    "partition-all" "[n]" "[n coll]" "[n step coll]" native returns(Returns::Sequence) size(Size::Last) stage
        pure steps(Sequences::From(1)) = |call| {
        unless_short(call, 1, "%partition-all-xf", |call| {
            lazily(call, Place::Last, "%lazy-partition-all", |call| groups(call, true))
        })
    },
        "As partition, keeping short groups at the end; with n alone a transducer."
        "(partition-all 2 [1 2 3])" => "[[1 2] [3]]";
    "combinations" "[coll n]" shallow = combinations,
        "All selections of n elements, in input order." "(combinations [:x :y :z] 2)" => "[[:x :y] [:x :z] [:y :z]]";
    "%partition-by" "[coll keys]" shallow = partition_by,
        "Groups of neighbours whose keys (one per element) are identical.";
};

/// Groups of elements; short ones are kept, or filled from the pad; a filled group is the last one.
fn groups(call: &mut Call<'_>, keeps_short: bool) -> Res {
    let n = step(call, 0)?;
    let step = if call.len() > 2 { step(call, 1)? } else { n };
    let items = call.seq(call.len() - 1)?;
    let pad = if call.len() == 4 { Some(padding(call, n)?) } else { None };
    let (mut groups, mut from) = (Unfinished::default(), 0);
    while from < items.len() {
        let mut group = window(call, &items, from, n)?;
        let is_last = group.len() < n && !keeps_short;
        if is_last {
            let Some(pad) = &pad else { break };
            let missing = pad.len().min(n - group.len());
            extend(&mut group, pad.iter().take(missing).cloned(), call.meter())?;
        }
        let group = call.paid_vector(group)?;
        call.push(&mut groups, group)?;
        from = if is_last { items.len() } else { from.saturating_add(step) };
    }
    call.paid_vector(groups.finish())
}

/// Up to `n` elements of the pad, which may be endless.
fn padding(call: &mut Call<'_>, n: usize) -> Res<Vector> {
    match *call.arg(2) {
        Value::LazySeq(view) => ready(call, view, n).map(Vector::from),
        _ => call.seq(2),
    }
}

fn window(call: &mut Call<'_>, items: &Vector, from: usize, n: usize) -> Res<Vec<Value>> {
    let length = n.min(items.len().saturating_sub(from));
    call.charge(length / 4 + 1)?;
    call.gathered(items.iter_from(from).take(length).cloned())
}

fn combinations(call: &mut Call<'_>) -> Res {
    let items = call.seq(0)?;
    let n = match call.arg(1) {
        Value::Int(n) if *n >= 0 => amount(call, 1)?,
        other if other.is_number() => return call.vector(Vec::new()),
        other => return Err(call.wrong("a number of elements", other)),
    };
    if n > items.len() {
        return call.vector(Vec::new());
    }
    let mut chosen = gathered(0..n, call.meter())?;
    let mut found = Unfinished::default();
    loop {
        call.charge(n / 4 + 1)?;
        let selection = call.gathered(chosen.iter().map(|index| items.get(*index).cloned().unwrap_or_default()))?;
        let selection = call.paid_vector(selection)?;
        call.push(&mut found, selection)?;
        if !advance(&mut chosen, items.len()) {
            return call.paid_vector(found.finish());
        }
    }
}

/// Advance to the next selection in order; `false` after the last.
fn advance(chosen: &mut [usize], size: usize) -> bool {
    let n = chosen.len();
    let fits = |(place, index): (usize, &usize)| *index < size - n + place;
    let Some(place) = chosen.iter().enumerate().rposition(fits) else { return false };
    let Some(start) = chosen.get(place).map(|index| index + 1) else { return false };
    for (offset, index) in chosen.iter_mut().skip(place).enumerate() {
        *index = start + offset;
    }
    true
}

fn partition_by(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    let items = call.seq(0)?;
    let keys = call.seq(1)?;
    call.charge(items.len())?;
    let mut groups = Unfinished::default();
    let mut group: Vec<Value> = Vec::new();
    let mut before: Option<&Value> = None;
    for (item, key) in items.iter().zip(keys.iter()) {
        let same = match before {
            Some(known) => known.is_identical(key, call.meter())?,
            None => true,
        };
        if !same {
            let full = std::mem::take(&mut group);
            let full = call.paid_vector(full)?;
            call.push(&mut groups, full)?;
        }
        call.push(&mut group, item.clone())?;
        before = Some(key);
    }
    if !group.is_empty() {
        let last = call.paid_vector(group)?;
        call.push(&mut groups, last)?;
    }
    call.paid_vector(groups.finish())
}
