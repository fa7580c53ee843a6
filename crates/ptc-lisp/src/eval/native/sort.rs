//! `sort` and `sort-by`: a stable merge that can stop between any two comparisons, or a tight loop over plain keys.

mod plain;
#[cfg(test)]
mod tests;
mod written;

use std::cmp::Ordering;

use super::{Begin, Native, Step, frames};
use crate::error::{Res, Signal, type_error};
use crate::eval::context::Context;
use crate::eval::realise::holds_values;
use crate::limits::meter::Meter;
use crate::limits::release::release;
use crate::stdlib::Call;
use crate::stdlib::call::{check_field_over_one_map, whole};
use crate::stdlib::ordering::{is_number_beside_text, of_one_kind, order_of, warn_of_numbers};
use crate::value::{Order, Value, Vector, compare_numbers, gathered, reserve};
use plain::Places;

pub(crate) use written::ordering;

/// Keys first, then the merge.
pub(crate) struct Sort {
    items: Vector,
    /// Key values so far, while they are computed.
    keys: Vec<Value>,
    order: Order,
    merge: Option<Merge>,
    /// The key function, for messages.
    by: Value,
    /// Whether the last result was already used.
    decided: bool,
}

/// A bottom-up merge: runs of `width` in `from` go to `to`.
struct Merge {
    from: Vec<(Value, Value)>,
    to: Vec<(Value, Value)>,
    width: usize,
    start: usize,
    left: usize,
    right: usize,
}

impl Sort {
    /// Whether the running call is a comparison.
    pub fn is_comparing(&self) -> bool {
        self.merge.is_some()
    }

    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(merge) = &mut self.merge {
            if let Some(result) = returned.take()
                && !std::mem::take(&mut self.decided)
            {
                merge.decide(goes_before(&result)?);
            }
            merge.advance();
            let Some((right, left)) = merge.pair() else {
                let sorted = std::mem::take(&mut merge.from).into_iter().map(|(_, item)| item);
                return Ok(Step::Done(Value::vector(sorted.collect())));
            };
            args.extend([right.clone(), left.clone()]);
            cx.meter.charge(1)?;
            return Ok(Step::Call);
        }
        if !matches!(self.order, Order::By(_))
            && let Some(key) = returned
        {
            cx.settle(key)?;
        }
        if returned.is_some() {
            reserve(&mut self.keys, 1, &mut cx.meter)?;
            self.keys.extend(returned.take());
        }
        if let Some(item) = self.items.get(self.keys.len()) {
            args.push(item.clone());
            return Ok(Step::Call);
        }
        // A step that is refused memory is repeated: nothing is taken before it surely has what it needs.
        cx.meter.allocate(self.items.len() * 64)?;
        if let Order::By(f) = &self.order {
            if let Some(places) = written::order(f, &self.keys, &mut cx.meter)? {
                return Ok(Step::Done(self.placed(places, cx)?));
            }
            let (keys, items) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.items));
            self.merge = Some(Merge::new(keys.into_iter().zip(items.into_vec()).collect()));
            return self.step(&mut None, args, cx);
        }
        let descending = matches!(self.order, Order::Descending);
        let mut numeric = false;
        let sorted = self.in_natural_order(descending, &mut numeric, cx);
        let sorted = sorted.map_err(|signal| of_one_kind(signal, "sort-by", &self.by, numeric))?;
        Ok(Step::Done(sorted))
    }

    /// The elements by the natural order of their keys.
    fn in_natural_order(&mut self, descending: bool, numeric: &mut bool, cx: &mut Context) -> Res {
        let places = natural_places(&self.keys, descending, &mut cx.meter)?;
        if places.is_none() {
            cx.meter.allocate(self.items.len() * 32)?;
        }
        warn_of_numbers(self.keys.iter(), "sort-by", &self.by, descending, cx)?;
        let Some(places) = places else {
            let (keys, items) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.items));
            let mut pairs: Vec<(Value, Value)> = keys.into_iter().zip(items.into_vec()).collect();
            sort_pairs(&mut pairs, descending, numeric, &mut cx.meter).map_err(Signal::finally)?;
            return Ok(Value::vector(pairs.into_iter().map(|(_, item)| item).collect()));
        };
        self.placed(places, cx)
    }

    /// The elements in the order of these indexes.
    fn placed(&mut self, places: Places, cx: &mut Context) -> Res {
        cx.meter.has_room(self.items.len() * 48)?;
        let items = std::mem::take(&mut self.items);
        let sorted = placed(places, items, &mut cx.meter).map_err(Signal::finally)?;
        release(std::mem::take(&mut self.keys));
        Ok(Value::vector(sorted))
    }

    /// See [`Native::again`](super::Native::again).
    #[inline]
    pub fn again(&mut self, returned: &mut Value, args: &mut [Value], cx: &mut Context) -> bool {
        match (&mut self.merge, args) {
            (Some(merge), [first, second, ..]) => {
                let Ok(right_first) = goes_before(returned) else { return false };
                let mark = cx.meter.mark();
                if !cx.meter.charge_quickly(1) {
                    return false;
                }
                merge.decide(right_first);
                merge.advance();
                match merge.pair() {
                    Some((right, left)) => {
                        first.set(right.copy());
                        second.set(left.copy());
                        true
                    }
                    None => {
                        // Only a comparison has a cost.
                        cx.meter.rewind(&mark);
                        self.decided = true;
                        false
                    }
                }
            }
            (None, [element, ..]) => {
                // A key must be realised, unless a function compares it.
                if self.keys.len() == self.keys.capacity() || cx.state.cells.has_generators() && holds_values(returned)
                {
                    return false;
                }
                let Some(item) = self.items.get(self.keys.len() + 1) else { return false };
                self.keys.push(std::mem::take(returned));
                element.set(item.copy());
                true
            }
            _ => false,
        }
    }

    /// Like [`Collect::run`](super::Collect::run), while keys are computed.
    pub fn run(
        &mut self,
        most: usize,
        done: &mut usize,
        cx: &mut Context,
        mut key_of: impl FnMut(&Value, &mut Context) -> Res,
    ) {
        if self.merge.is_some() {
            return;
        }
        for item in self.items.iter_from(self.keys.len()).take(most) {
            let Ok(key) = key_of(item, cx) else { break };
            if reserve(&mut self.keys, 1, &mut cx.meter).is_err() {
                break;
            }
            self.keys.push(key);
            *done += 1;
        }
    }

    /// Bytes of keys and merge buffers, without the values.
    pub fn own_bytes(&self) -> usize {
        let merge = self.merge.as_ref().map_or(0, |merge| merge.from.capacity() + merge.to.capacity());
        self.keys.capacity() * size_of::<Value>() + merge * size_of::<(Value, Value)>()
    }

    /// The function that the next call runs: the key function first, then the comparator.
    pub fn comparator(&self) -> Option<&Value> {
        match (&self.merge, &self.order) {
            (Some(_), Order::By(f)) => Some(f),
            _ => None,
        }
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Vector(self.items.clone()));
        visit(&self.by);
        self.keys.iter().for_each(&mut *visit);
        for (key, item) in self.merge.iter().flat_map(|merge| merge.from.iter().chain(&merge.to)) {
            visit(key);
            visit(item);
        }
    }
}

/// What a comparator returns for "does the second go before the first?".
fn goes_before(returned: &Value) -> Res<bool> {
    match returned {
        Value::Bool(before) => Ok(*before),
        Value::Nil => Ok(false),
        number if number.is_number() => Ok(compare_numbers(number, &Value::Int(0)) == Some(Ordering::Less)),
        other => Err(type_error(format!("sort: the comparator must give a number or a boolean, got {}", other.kind()))),
    }
}

impl Merge {
    fn new(pairs: Vec<(Value, Value)>) -> Merge {
        let count = pairs.len();
        Merge { from: pairs, to: Vec::with_capacity(count), width: 1, start: 0, left: 0, right: 1 }
    }

    /// The keys of the next comparison, right element first; `None` when sorted.
    fn pair(&self) -> Option<(&Value, &Value)> {
        if self.width >= self.from.len() {
            return None;
        }
        let ((right, _), (left, _)) = (self.from.get(self.right)?, self.from.get(self.left)?);
        Some((right, left))
    }

    /// Advance to the next comparison, or to the end.
    fn advance(&mut self) {
        while self.width < self.from.len() {
            let middle = (self.start + self.width).min(self.from.len());
            let end = (self.start + 2 * self.width).min(self.from.len());
            if self.left < middle && self.right < end {
                return;
            }
            // One run is exhausted: the rest of the other follows.
            while self.left < middle {
                self.decide(false);
            }
            while self.right < end {
                self.decide(true);
            }
            self.start = end;
            if self.start >= self.from.len() {
                self.width *= 2;
                self.start = 0;
                std::mem::swap(&mut self.from, &mut self.to);
                self.to.clear();
            }
            self.left = self.start;
            self.right = (self.start + self.width).min(self.from.len());
        }
    }

    /// Take the next element of the right run, or of the left one.
    fn decide(&mut self, right_first: bool) {
        let next = if right_first { &mut self.right } else { &mut self.left };
        self.to.extend(self.from.get_mut(*next).map(std::mem::take));
        *next += 1;
    }
}

/// Sort `items`; stable, `n log n` units of fuel.
///
/// `numeric` becomes true when it fails for a number and a numeric string.
fn in_natural_order(items: Vector, descending: bool, numeric: &mut bool, meter: &mut Meter) -> Res<Vec<Value>> {
    meter.allocate(items.len() * 64)?;
    let items = owned(items, meter)?;
    if let Some(places) = natural_places(&items, descending, meter)? {
        return placed(places, items.into(), meter);
    }
    meter.allocate(items.len() * 32)?;
    let mut pairs: Vec<(Value, Value)> = items.clone().into_iter().zip(items).collect();
    sort_pairs(&mut pairs, descending, numeric, meter)?;
    Ok(pairs.into_iter().map(|(_, item)| item).collect())
}

/// The indexes of these keys in their natural order, where they are of one plain kind or all rows of such.
fn natural_places(keys: &[Value], descending: bool, meter: &mut Meter) -> Res<Option<Places>> {
    match plain::order(keys, descending, meter)? {
        None => plain::order_of_rows(keys, descending, meter),
        found => Ok(found),
    }
}

/// The elements in the order of these indexes.
fn placed(places: Places, items: Vector, meter: &mut Meter) -> Res<Vec<Value>> {
    let mut items = owned(items, meter)?;
    Ok(gathered(places.map(|place| items.get_mut(place).map(std::mem::take).unwrap_or_default()), meter)?)
}

/// The elements to move out: incrementing the counts of many shared ones takes time.
fn owned(items: Vector, meter: &mut Meter) -> Res<Vec<Value>> {
    Ok(if items.is_unique() { items.into_vec() } else { gathered(items.iter().cloned(), meter)? })
}

/// Sort by key in natural order, stable. Charges one unit per comparison.
fn sort_pairs(pairs: &mut Vec<(Value, Value)>, descending: bool, numeric: &mut bool, meter: &mut Meter) -> Res<()> {
    let mut merge = Merge::new(std::mem::take(pairs));
    let mut comparisons = 0;
    loop {
        merge.advance();
        let Some((right, left)) = merge.pair() else { break };
        let order = right.compare(left, meter).inspect_err(|_| *numeric = is_number_beside_text(right, left))?;
        comparisons += 1;
        if comparisons == 1_024 {
            meter.charge(comparisons)?;
            comparisons = 0;
        }
        merge.decide(order == if descending { Ordering::Greater } else { Ordering::Less });
    }
    meter.charge(comparisons)?;
    *pairs = merge.from;
    Ok(())
}

fn sort(call: &mut Call<'_>) -> Res<Begin> {
    let comparator = if call.len() == 2 { call.arg(0).clone() } else { Value::keyword("asc") };
    let order = order_of(call, &comparator)?;
    if !matches!(order, Order::By(_)) {
        call.settle(call.len() - 1)?;
    }
    let items = whole(call, call.len() - 1)?;
    if let Order::By(f) = order {
        call.allocate(items.len() * 64)?;
        let keys = items.side_by_side().unwrap_or_default();
        if keys.len() > 1
            && let Some(places) = written::order(&f, keys, call.meter())?
        {
            let sorted = placed(places, items, call.meter())?;
            return Ok(Begin::Value(Value::vector(sorted)));
        }
        let merge = Merge::new(items.iter().map(|item| (item.clone(), item.clone())).collect());
        return Ok(begin(items, Order::By(f.clone()), Some(merge), Value::Nil, f));
    }
    let descending = matches!(order, Order::Descending);
    warn_of_numbers(items.iter(), "sort", &Value::Nil, descending, call.cx)?;
    let mut numeric = false;
    let sorted = in_natural_order(items, descending, &mut numeric, call.meter())
        .map_err(|signal| of_one_kind(signal, "sort", &Value::Nil, numeric))?;
    Ok(Begin::Value(Value::vector(sorted)))
}

fn sort_by(call: &mut Call<'_>) -> Res<Begin> {
    let f = call.arg(0).clone();
    let comparator = if call.len() == 3 { call.arg(1).clone() } else { Value::keyword("asc") };
    if call.len() == 3 && matches!(call.arg(2), Value::Function(_) | Value::Builtin(_) | Value::Keyword(_)) {
        return Err(type_error("sort-by: the comparator comes second: (sort-by key comparator coll)"));
    }
    let order = order_of(call, &comparator)?;
    check_field_over_one_map(call, &f, call.len() - 1, true)?;
    let items = whole(call, call.len() - 1)?;
    Ok(begin(items, order, None, f.clone(), f))
}

fn begin(items: Vector, order: Order, merge: Option<Merge>, by: Value, calls: Value) -> Begin {
    Begin::Frame(Native::Sort(Sort { items, keys: Vec::new(), order, merge, by, decided: false }), calls)
}

frames! {
    "Sorting";
    "sort" "[coll]" "[comp coll]" frame returns(Returns::Sequence) size(Size::Last) pure = sort,
        "The elements in natural order, or by `comp` (`>`, `:desc`, a function); stable."
        "(sort [3 1 2])" => "[1 2 3]", "(sort > [1 3 2])" => "[3 2 1]";
    "sort-by" "[key coll]" "[key comp coll]" frame returns(Returns::Sequence) callback(Callback::Each(0, 1)) size(Size::Same(1))
        carries_all_but_last = sort_by,
        "The elements in the order of their key values; `key` is a function, field or path."
        "(sort-by :n [{:n 2} {:n 1}])" => "[{:n 1} {:n 2}]", "(sort-by val > {:x 1 :y 3})" => "[[:y 3] [:x 1]]";
}
