//! The comparators of sorted maps and sets.

use std::any::Any;
use std::cmp::Ordering;

use crate::error::{Reason, Res, argument_error};
use crate::limits::meter::Meter;
use crate::value::Value;

/// Runs the functions of the program that order keys. The machine lends it to the meter while a builtin is at work,
/// because every operation of a collection has the meter.
pub(crate) trait Comparators: Any + Send + Sync {
    /// The order of two keys by `function`, which runs to its end immediately, on the fuel, memory and time of `meter`.
    fn order(&mut self, function: &Value, a: &Value, b: &Value, meter: &mut Meter) -> Res<Ordering>;

    /// What a running builtin reads and changes besides its arguments: lent with the rest.
    fn state(&mut self) -> &mut dyn Any;

    /// Like [`Comparators::state`], read-only.
    fn peek(&self) -> &dyn Any;
}

/// What the meter holds while it is lent.
pub(crate) struct Lent(pub Box<dyn Comparators>);

impl Lent {
    /// What was lent to `meter`.
    pub fn to(meter: &mut Meter) -> Option<&mut Lent> {
        meter.lent.as_mut()?.downcast_mut()
    }
}

/// How keys are ordered.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// In the order of `compare`.
    Ascending,
    /// In the reverse order of `compare`.
    Descending,
    /// By a function that returns a number, or whether the first goes before the second.
    By(Value),
}

impl Order {
    /// The function that orders, if any.
    pub fn function(&self) -> Option<&Value> {
        match self {
            Order::By(function) => Some(function),
            Order::Ascending | Order::Descending => None,
        }
    }

    /// The order of `a` relative to `b`. Costs one unit of fuel, plus what a function uses.
    ///
    /// Errors with `type_error` for values without an order, and with errors of the function.
    pub fn compare(&self, a: &Value, b: &Value, meter: &mut Meter) -> Res<Ordering> {
        meter.charge(1)?;
        match self {
            Order::Ascending => natural(a, b, meter),
            Order::Descending => Ok(natural(a, b, meter)?.reverse()),
            Order::By(function) => decided(function, a, b, meter),
        }
    }
}

fn natural(a: &Value, b: &Value, meter: &mut Meter) -> Res<Ordering> {
    Ok(a.compare(b, meter).map_err(|mut error| {
        if error.reason == Reason::TypeError {
            // Bounded: a hint of ours.
            error.message.push_str(": the keys of a sorted collection must be comparable with each other");
        }
        error
    })?)
}

/// The order by a function. Errors when the function does, and when no program is running.
fn decided(function: &Value, a: &Value, b: &Value, meter: &mut Meter) -> Res<Ordering> {
    let Some(mut lent) = meter.lent.take() else {
        let text = "the comparator of a sorted collection is a function of the program and cannot run here";
        return Err(argument_error(text));
    };
    let order = match lent.downcast_mut::<Lent>() {
        Some(Lent(comparators)) => comparators.order(function, a, b, meter),
        None => Ok(Ordering::Equal),
    };
    meter.lent = Some(lent);
    order
}
