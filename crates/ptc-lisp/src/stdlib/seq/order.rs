//! Reversing, and dropping repetitions.

use super::{Place, lazily, own, unless_short};
use crate::error::Res;
use crate::stdlib::ordering::{is_number_beside_text, of_one_kind, warn_of_numbers};
use crate::stdlib::set::gather;
use crate::stdlib::sorted::reversed;
use crate::stdlib::{Call, Family, Sequences, rows};
use crate::value::{Set, Value};

pub(crate) const FAMILY: Family = rows! {
    "Order and repetition";
    "reverse" "[coll]" shallow returns(Returns::Sequence) size(Size::Same(0)) = reverse,
        "The elements in reverse order." "(reverse [1 2 3])" => "[3 2 1]", r#"(reverse "ab")"# => r#"["b" "a"]"#;
    "%first-reversed" "[coll]" shallow = |call| super::last(call.named("reverse")),
        "The first element in reverse order, without the others.";
    "rseq" "[rev]" shallow returns(Returns::Sequence) size(Size::Same(0)) = rseq,
        "The elements of a vector, sorted map or sorted set in reverse order, nil when there are none."
        "(rseq [1 2])" => "[2 1]", "(rseq (sorted-set 1 2))" => "[2 1]";
    "distinct" "[]" "[coll]" native returns(Returns::Sequence)
        size(Size::Same(0)) stage steps(Sequences::First) pure = |call| {
        unless_short(call, 0, "%distinct-xf", |call| lazily(call, Place::First, "%lazy-distinct", first_appearances))
    },
        "The elements without later repetitions; without coll a transducer." "(distinct [3 1 3])" => "[3 1]";
    "distinct?" "[x & more]" shallow = is_distinct,
        "Whether no two arguments are identical." "(distinct? 1 2 1)" => "false";
    "dedupe" "[]" "[coll]" native returns(Returns::Sequence)
        size(Size::Same(0)) stage pure steps(Sequences::First) = |call| {
        unless_short(call, 0, "%dedupe-xf", |call| lazily(call, Place::First, "%lazy-dedupe", without_repeats))
    },
        "The elements without those equal to the one before; without coll a transducer."
        "(dedupe [1 1 2 2 1])" => "[1 2 1]";
    "%distinct-by" "[coll keys]" shallow = distinct_by,
        "The first element for each key; keys has one per element.";
    "%pick" "[name keep-greater coll keys]" shallow = pick,
        "The element with the least key, or the greatest with keep-greater; nil keys do not take part and the first \
         wins.";
    "%same?" "[a b]" shallow = is_same,
        "Whether a and b are one key.";
};

fn reverse(call: &mut Call<'_>) -> Res {
    let items = own(call, 0)?;
    call.charge(items.len() / 8)?;
    let mut items = call.owned(items)?;
    items.reverse();
    Ok(Value::vector(items))
}

fn rseq(call: &mut Call<'_>) -> Res {
    if let Some(items) = reversed(call)? {
        return Ok(items);
    }
    if !matches!(call.arg(0), Value::Vector(_)) {
        return Err(call.wrong("a vector, sorted map or sorted set", call.arg(0)));
    }
    if super::sized(call, 0)? == 0 { Ok(Value::Nil) } else { reverse(call) }
}

fn first_appearances(call: &mut Call<'_>) -> Res {
    let items = call.settled(0)?;
    let kept = gather(call, items.iter().cloned())?;
    let kept = call.gathered(kept.iter().cloned())?;
    call.paid_vector(kept)
}

fn is_distinct(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    call.charge(call.len())?;
    let mut known = Set::new();
    for item in call.args.iter() {
        if !known.insert(item.clone(), &mut call.cx.meter)? {
            return Ok(false.into());
        }
    }
    Ok(true.into())
}

fn without_repeats(call: &mut Call<'_>) -> Res {
    let items = call.settled(0)?;
    call.charge(items.len())?;
    let mut kept: Vec<Value> = Vec::new();
    for item in &items {
        call.tick()?;
        let last = kept.last();
        let repeated = last.map(|last| last.is_identical(item, call.meter())).transpose()?.unwrap_or(false);
        if !repeated {
            call.push(&mut kept, item.clone())?;
        }
    }
    call.paid_vector(kept)
}

fn distinct_by(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    let items = call.seq(0)?;
    let keys = call.seq(1)?;
    call.charge(items.len())?;
    let mut known = Set::new();
    let mut kept = Vec::new();
    for (item, key) in items.iter().zip(keys.iter()) {
        call.tick()?;
        if known.insert(key.clone(), call.meter())? {
            call.push(&mut kept, item.clone())?;
        }
    }
    call.paid_vector(kept)
}

fn pick(call: &mut Call<'_>) -> Res {
    call.settle(3)?;
    let wanted = if call.arg(1).is_truthy() { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less };
    let items = call.seq(2)?;
    let keys = call.seq(3)?;
    call.charge(items.len())?;
    let name = call.text(0)?;
    warn_of_numbers(keys.iter(), name.as_str(), &Value::Nil, false, call.cx)?;
    let mut best: Option<(&Value, &Value)> = None;
    for (item, key) in items.iter().zip(keys.iter()) {
        call.tick()?;
        if key.is_nil() {
            continue;
        }
        let better = match best {
            None => true,
            Some((_, known)) => match key.compare(known, call.meter()) {
                Ok(order) => order == wanted,
                Err(signal) => {
                    let numeric = is_number_beside_text(key, known);
                    return Err(of_one_kind(signal.into(), &name, &Value::Bool(true), numeric));
                }
            },
        };
        if better {
            best = Some((item, key));
        }
    }
    Ok(best.map(|(item, _)| item.clone()).unwrap_or_default())
}

fn is_same(call: &mut Call<'_>) -> Res {
    call.settle_from(0)?;
    let Call { args, cx, .. } = call;
    let [one, other, ..] = &**args else { return Ok(Value::Nil) };
    Ok(one.is_identical(other, &mut cx.meter)?.into())
}
