//! The comparators of sorted maps and sets.

use std::cmp::Ordering;

use crate::error::{Reason, Res, Signal, type_error};
use crate::eval::native::ordering;
use crate::meter::Meter;
use crate::value::{Value, compare, compare_numbers};

/// How keys are ordered.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    /// As `compare` says.
    Ascending,
    /// The other way round.
    Descending,
    /// As a function says: a number, or whether the first goes before the second.
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

    /// The place of `a` relative to `b`. One unit of fuel, and what a function uses.
    ///
    /// Errors with `type_error` for values without an order, and with whatever the function raises.
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
    compare(a, b, meter).map_err(|mut signal| {
        if let Signal::Error(error) = &mut *signal
            && error.reason == Reason::TypeError
        {
            error.message.push_str(": the keys of a sorted collection must have an order together");
        }
        signal
    })
}

/// What a function says: a negative number or true is before; after false it is asked the other way round.
fn decided(function: &Value, a: &Value, b: &Value, meter: &mut Meter) -> Res<Ordering> {
    // Without a run no function orders anything.
    if meter.nested.is_some()
        && let Some(order) = ordering(function, a, b, meter)?
    {
        return Ok(order);
    }
    match meter.call_comparator(function, a, b)? {
        Value::Bool(true) => Ok(Ordering::Less),
        Value::Bool(false) | Value::Nil => {
            let after = meter.call_comparator(function, b, a)?.is_truthy();
            Ok(if after { Ordering::Greater } else { Ordering::Equal })
        }
        answer => compare_numbers(&answer, &Value::Int(0)).ok_or_else(|| {
            type_error(format!(
                "the comparator of a sorted collection must give a number or a boolean, got {}",
                if answer.is_number() { "##NaN" } else { answer.kind() }
            ))
        }),
    }
}
