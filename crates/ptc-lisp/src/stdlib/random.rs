//! Random values, from a generator that the host seeds: the same seed gives the same run.

use crate::error::{Res, argument_error};
use crate::limits::release::Unfinished;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Value, number};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Random values";
    "rand" "[]" "[n]" lazy effect = rand,
        "A float from 0 up to, not including, 1 or `n`." "(rand 0)" => "0.0";
    "math/random" "[]" lazy effect = rand,
        "The same as `(rand)`." "(< (math/random) 1)" => "true";
    "rand-int" "[n]" lazy effect = rand_int,
        "An integer from 0 up to, not including, `n`." "(rand-int 1)" => "0";
    "rand-nth" "[coll]" shallow effect = rand_nth,
        "One of the elements, nil for an empty collection." "(rand-nth [7])" => "7";
    "shuffle" "[coll]" shallow size(Size::Same(0)) effect = shuffle,
        "A vector of the elements in a random order." "(count (shuffle [1 2 3]))" => "3";
    "random-uuid" "[]" lazy effect = random_uuid,
        "A UUID of version 4." "(count (str (random-uuid)))" => "36";
};

/// A float in `0.0..1.0` with 53 random bits.
fn unit(call: &mut Call<'_>) -> f64 {
    (call.cx.random.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
}

fn rand(call: &mut Call<'_>) -> Res {
    let scale = match call.args.first() {
        None => 1.0,
        Some(n) => number::to_f64(n).ok_or_else(|| call.wrong("a number", n))?,
    };
    Ok(Value::Float(unit(call) * scale))
}

fn rand_int(call: &mut Call<'_>) -> Res {
    match call.arg(0) {
        Value::Int(n) => {
            let (bound, negative) = (n.unsigned_abs(), *n < 0);
            let drawn = below(call.cx.random.next_u64(), bound) as i64;
            Ok(Value::Int(if negative { drawn.wrapping_neg() } else { drawn }))
        }
        Value::Float(x) => {
            let scale = *x;
            super::convert::to_integer(scale, call.name)?;
            let drawn = unit(call) * scale;
            super::convert::to_integer(drawn, call.name)
        }
        Value::Big(_) => Err(argument_error("rand-int: the bound does not fit 64 bits")),
        other => Err(call.wrong("a number", other)),
    }
}

/// Random bits mapped to a number below a bound; 0 for a bound of 0.
fn below(bits: u64, bound: u64) -> u64 {
    ((u128::from(bits) * u128::from(bound)) >> 64) as u64
}

fn rand_nth(call: &mut Call<'_>) -> Res {
    let items = call.seq(0)?;
    let index = below(call.cx.random.next_u64(), items.len() as u64);
    Ok(items.get(index as usize).cloned().unwrap_or_default())
}

fn shuffle(call: &mut Call<'_>) -> Res {
    let items = call.seq(0)?;
    call.charge(items.len())?;
    let mut items = Unfinished::from(call.owned(items)?);
    for last in (1..items.len()).rev() {
        call.tick()?;
        let other = below(call.cx.random.next_u64(), last as u64 + 1);
        items.swap(last, other as usize);
    }
    Ok(Value::vector(items.finish()))
}

fn random_uuid(call: &mut Call<'_>) -> Res {
    let (high, low) = (call.cx.random.next_u64(), call.cx.random.next_u64());
    let high = (high & !0xf000) | 0x4000;
    let low = (low & !(0b11 << 62)) | (0b10 << 62);
    let mut text = format!("{high:016x}{low:016x}");
    for at in [20, 16, 12, 8] {
        text.insert(at, '-');
    }
    call.allocate(64 + text.len())?;
    Ok(Value::Uuid(text.into()))
}
