//! Sorting by keys of one plain kind: they are first extracted from their values, and sorted without touching those.

use std::cmp::Ordering;

use crate::error::Res;
use crate::limits::meter::Meter;
use crate::limits::pace::Paced;
use crate::value::{Value, Vector, gathered};

/// Elements sorted between two looks at the meter.
const BLOCK: usize = 1_024;

/// Elements merged between two looks at the meter.
const STRIDE: usize = 4_096;

/// Bytes of the longest string that one step may compare.
const LONGEST: usize = 256;

/// Integers up to here convert to floats without loss.
const EXACT: i64 = 1 << 53;

/// The indexes of `keys` in natural order, or in reverse, stable. `None` unless all are of one plain kind: integers and
/// floats, strings, keywords, booleans, dates, points in time.
///
/// Charges one unit per element and pass: `n log n`, less where runs are already in order.
pub(super) fn order(keys: &[Value], descending: bool, meter: &mut Meter) -> Res<Option<Places>> {
    if u32::try_from(keys.len()).is_err() {
        return Ok(None);
    }
    meter.charge(keys.len() / 4)?;
    if let Some(figures) = figures(keys) {
        // The complement reverses the order of integers, and equal ones stay equal.
        let keyed =
            figures.into_iter().zip(0_u32..).map(|(figure, at)| (if descending { !figure } else { figure }, at));
        let mut paced = Paced::new(keyed, meter);
        let keyed = paced.by_ref().collect();
        paced.finish()?;
        return Ok(Some(Places::of(sorted(keyed, i64::cmp, meter)?)));
    }
    let Some(keyed) = texts(keys, meter)? else { return Ok(None) };
    let forward = |a: &(u64, &str), b: &(u64, &str)| a.cmp(b);
    let keyed = if descending { sorted(keyed, |a, b| forward(b, a), meter)? } else { sorted(keyed, forward, meter)? };
    Ok(Some(Places::of(keyed)))
}

/// The most elements of keys that are vectors.
const WIDEST: usize = 8;

/// Like [`order`], for keys that are vectors of the same length: the last column is sorted first.
pub(super) fn order_of_rows(keys: &[Value], descending: bool, meter: &mut Meter) -> Res<Option<Places>> {
    let row = |key: &Value| key.as_vector().map_or(0, Vector::len);
    let width = keys.first().map_or(0, row);
    if !(1..=WIDEST).contains(&width) || u32::try_from(keys.len()).is_err() || !keys.iter().all(|key| row(key) == width)
    {
        return Ok(None);
    }
    let element = |place: u32, column: usize| keys.get(place as usize)?.as_vector()?.get(column);
    // A cheap check: keys of other kinds are usually so from the first one on.
    if !(0..width).all(|column| element(0, column).is_some_and(is_plain)) {
        return Ok(None);
    }
    meter.charge(keys.len() / 4)?;
    meter.allocate(keys.len() * (size_of::<Value>() + 8))?;
    let mut places: Vec<u32> = (0..keys.len() as u32).collect();
    for column in (0..width).rev() {
        let values = gathered(places.iter().map(|place| element(*place, column).cloned().unwrap_or_default()), meter)?;
        let Some(order) = order(&values, descending, meter)? else { return Ok(None) };
        places = order.filter_map(|place| places.get(place).copied()).collect();
    }
    Ok(Some(Places(places.into_iter())))
}

/// Whether keys of this kind may be sorted in this way.
pub(super) fn is_plain(key: &Value) -> bool {
    use Value::{Bool, Date, Float, Instant, Int, Keyword, Str};
    matches!(key, Int(_) | Float(_) | Str(_) | Keyword(_) | Bool(_) | Date(_) | Instant(_))
}

/// Indexes into a collection, in the order of their keys.
pub(super) struct Places(std::vec::IntoIter<u32>);

impl Places {
    fn of<K>(keyed: Vec<(K, u32)>) -> Places {
        Places(keyed.into_iter().map(|(_, at)| at).collect::<Vec<_>>().into_iter())
    }
}

impl Iterator for Places {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.0.next().map(|at| at as usize)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

/// A text after its first bytes, and its index.
type KeyedText<'k> = ((u64, &'k str), u32);

/// Integers in the order of the keys, if the keys have such integers.
fn figures(keys: &[Value]) -> Option<Vec<i64>> {
    let first = keys.first()?;
    let kind = std::mem::discriminant(first);
    let figure = |key: &Value| match key {
        _ if std::mem::discriminant(key) != kind => None,
        Value::Int(n) | Value::Instant(n) => Some(*n),
        Value::Bool(b) => Some(i64::from(*b)),
        Value::Date(date) => Some(day(*date)),
        _ => None,
    };
    match first {
        Value::Float(_) => floats(keys),
        Value::Int(_) => keys.iter().map(figure).collect::<Option<_>>().or_else(|| floats(keys)),
        _ => keys.iter().map(figure).collect(),
    }
}

fn day(date: jiff::civil::Date) -> i64 {
    i64::from(date.year()) * 512 + i64::from(date.month()) * 32 + i64::from(date.day())
}

/// Floats, and integers that convert to floats without loss, as integers in the same order.
fn floats(keys: &[Value]) -> Option<Vec<i64>> {
    let float = |key: &Value| match key {
        Value::Float(x) if !x.is_nan() => Some(*x),
        Value::Int(n) if (-EXACT..=EXACT).contains(n) => Some(*n as f64),
        _ => None,
    };
    // Adding zero unifies the two zeros; below zero the order of the bits is reversed.
    let figure = |x: f64| {
        let bits = (x + 0.0).to_bits().cast_signed();
        if bits < 0 { bits ^ i64::MAX } else { bits }
    };
    keys.iter().map(|key| float(key).map(figure)).collect()
}

/// Strings or keywords with their first bytes and their indexes.
fn texts<'k>(keys: &'k [Value], meter: &mut Meter) -> Res<Option<Vec<KeyedText<'k>>>> {
    let text = match keys.first() {
        Some(Value::Str(_)) => |key: &'k Value| key.as_str(),
        Some(Value::Keyword(_)) => {
            // Names with a namespace are not in the order of their texts.
            |key: &'k Value| match key {
                Value::Keyword(name) => Some(name.as_str()).filter(|name| !name.contains('/')),
                _ => None,
            }
        }
        _ => return Ok(None),
    };
    let mut paced = Paced::new(keys.iter().zip(0_u32..), meter);
    let mut keyed = Vec::with_capacity(keys.len());
    for (key, at) in paced.by_ref() {
        let Some(text) = text(key).filter(|text| text.len() <= LONGEST) else { return Ok(None) };
        keyed.push(((head(text), text), at));
    }
    paced.finish()?;
    Ok(Some(keyed))
}

/// The first eight bytes as a number that sorts alike: most comparisons end there.
fn head(text: &str) -> u64 {
    let mut bytes = [0; 8];
    for (place, byte) in bytes.iter_mut().zip(text.bytes()) {
        *place = byte;
    }
    u64::from_be_bytes(bytes)
}

/// `keyed` in stable order: blocks first, then merged pair by pair.
fn sorted<K: Copy>(
    mut keyed: Vec<(K, u32)>,
    compare: impl Fn(&K, &K) -> Ordering,
    meter: &mut Meter,
) -> Res<Vec<(K, u32)>> {
    for block in keyed.chunks_mut(BLOCK) {
        meter.charge(block.len() * passes(block.len()))?;
        block.sort_by(|(a, _), (b, _)| compare(a, b));
    }
    let mut merged = Vec::with_capacity(if keyed.len() > BLOCK { keyed.len() } else { 0 });
    let mut width = BLOCK;
    while width < keyed.len() {
        for pair in keyed.chunks(2 * width) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, &mut merged, &compare, meter)?;
        }
        std::mem::swap(&mut keyed, &mut merged);
        merged.clear();
        width *= 2;
    }
    Ok(keyed)
}

/// How often `length` can be halved, rounded up.
fn passes(length: usize) -> usize {
    length.next_power_of_two().ilog2() as usize
}

/// Append both runs in order; of equal elements those of `left` come first.
fn merge<K: Copy>(
    mut left: &[(K, u32)],
    mut right: &[(K, u32)],
    out: &mut Vec<(K, u32)>,
    compare: &impl Fn(&K, &K) -> Ordering,
    meter: &mut Meter,
) -> Res<()> {
    meter.charge((left.len() + right.len()) / 8)?;
    let in_order = match (left.last(), right.first()) {
        (Some((last, _)), Some((first, _))) => compare(last, first) != Ordering::Greater,
        _ => true,
    };
    while !in_order && !left.is_empty() && !right.is_empty() {
        meter.charge(STRIDE.min(left.len() + right.len()))?;
        for _ in 0..STRIDE {
            let ([one, after_one @ ..], [other, after_other @ ..]) = (left, right) else { break };
            if compare(&one.0, &other.0) == Ordering::Greater {
                out.push(*other);
                right = after_other;
            } else {
                out.push(*one);
                left = after_one;
            }
        }
    }
    out.extend_from_slice(left);
    out.extend_from_slice(right);
    Ok(())
}
