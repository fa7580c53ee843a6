//! Quick calls for numbers: their order, and folds of short vectors of them.

use super::calls::{Arguments, Quick};
use crate::eval::context::Context;
use crate::stdlib::argument::Arithmetic;
use crate::value::{Value, Vector};

/// The most numbers that are folded at once.
const FEW: usize = 64;

/// The order of two numbers or short texts.
pub(crate) fn compare(o: &mut Arguments<'_>, _: &mut Context) -> bool {
    let order = match (o.get(0), o.get(1)) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        (Value::Float(x), Value::Float(y)) => x.partial_cmp(y),
        (Value::Str(x), Value::Str(y)) if !x.is_long() && !y.is_long() => Some(x.as_str().cmp(y.as_str())),
        _ => None,
    };
    order.is_some_and(|order| o.put_int(order as i64))
}

/// `(reduce f items)` and `(reduce f init items)`.
pub(super) fn reduce(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    let folded = match (o.get(1), o.get(2)) {
        (Value::Vector(items), _) if o.len() == 2 && items.is_empty() => of_none(o.get(0), cx),
        (Value::Vector(items), _) if o.len() == 2 => folded(o.get(0), items.get(0), items, 1, cx),
        (init, Value::Vector(items)) if o.len() == 3 => folded(o.get(0), Some(init), items, 0, cx),
        _ => None,
    };
    folded.is_some_and(|number| o.put(number))
}

/// `(apply f items)`, for a function that folds its arguments.
pub(super) fn apply(o: &mut Arguments<'_>, cx: &mut Context) -> bool {
    let folded = match (o.get(0), o.get(1)) {
        (f @ Value::Builtin(id), Value::Vector(items))
            if o.len() == 2 && items.len() > 1 && cx.language.builtins.entry(*id).accepts(items.len()) =>
        {
            folded(f, items.get(0), items, 1, cx)
        }
        (f, Value::Vector(items)) if o.len() == 2 && items.is_empty() => of_none(f, cx),
        _ => None,
    };
    folded.is_some_and(|number| o.put(number))
}

/// What a sum or a product is without numbers.
fn of_none(f: &Value, cx: &Context) -> Option<Value> {
    let Value::Builtin(id) = f else { return None };
    match cx.language.builtins.entry(*id).row.quick {
        Some(Quick::Arithmetic(Arithmetic::Add)) => Some(Value::Int(0)),
        Some(Quick::Arithmetic(Arithmetic::Mul)) => Some(Value::Int(1)),
        _ => None,
    }
}

/// What a function of two numbers makes of `first` and the elements from an index on, for a unit of fuel each; `None`,
/// with nothing charged, where there is more to do.
fn folded(f: &Value, first: Option<&Value>, items: &Vector, from: usize, cx: &mut Context) -> Option<Value> {
    let (Value::Builtin(id), Some(first)) = (f, first.filter(|first| first.is_number())) else { return None };
    let Some(Quick::Arithmetic(function)) = cx.language.builtins.entry(*id).row.quick else { return None };
    if items.len() > FEW {
        return None;
    }
    let folded = items.iter_from(from).try_fold(first.copy(), |known, item| function.of_values(&known, item))?;
    cx.meter.charge_quickly(items.len() - from).then_some(folded)
}
