//! Arithmetic on integers of any size and floats.

use crate::error::{Res, Signal};
use crate::limits::meter::Meter;
use crate::stdlib::argument::Arithmetic;
use crate::stdlib::{Call, Family, InPlace, rows};
use crate::value::{Value, compare_numbers, number};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Arithmetic";
    "+" "[& xs]" lazy size(Size::Scalar) returns(Returns::Number) uses(Uses::Computes) alike
        in_place(InPlace::Compute) arithmetic(Arithmetic::Add)
        = |call| fold(call, Value::Int(0), number::add),
        "The sum of `xs`, 0 for none; integers grow as needed." "(+ 1 2 3)" => "6", "(+ 1 0.5)" => "1.5", "(+)" => "0";
    "-" "[x]" "[x & ys]" lazy size(Size::Scalar) returns(Returns::Number) uses(Uses::Computes) alike
        in_place(InPlace::Compute) arithmetic(Arithmetic::Sub) = subtract,
        "`x` less each of `ys`; `x` negated when it is alone." "(- 9 2 3)" => "4", "(- 4)" => "-4";
    "*" "[& xs]" lazy size(Size::Scalar) returns(Returns::Number) uses(Uses::Computes) alike
        in_place(InPlace::Compute) arithmetic(Arithmetic::Mul)
        = |call| fold(call, Value::Int(1), number::mul),
        "The product of `xs`, 1 for none; integers grow as needed." "(* 2 3 4)" => "24", "(*)" => "1";
    "/" "[x]" "[x & ys]" lazy size(Size::Scalar) uses(Uses::Computes) alike arithmetic(Arithmetic::Div) = divide,
        "`x` divided by each of `ys`: an integer when exact, otherwise a float; 1 by `x` when it is alone."
        "(/ 10 2)" => "5", "(/ 7 2)" => "3.5", "(/ 4)" => "0.25";
    "inc" "[x]" lazy size(Size::Scalar) returns(Returns::Number) uses(Uses::Computes)
        in_place(InPlace::Compute) = |call| one(call, number::inc),
        "`x` plus 1." "(inc 41)" => "42";
    "dec" "[x]" lazy size(Size::Scalar) returns(Returns::Number) uses(Uses::Computes)
        in_place(InPlace::Compute) = |call| one(call, number::dec),
        "`x` less 1." "(dec 43)" => "42";
    "+'" "[& xs]" lazy uses(Uses::Computes) = |call| fold(call, Value::Int(0), number::add),
        "The same as `+`." "(+' 1 2)" => "3";
    "-'" "[x]" "[x & ys]" lazy uses(Uses::Computes) = subtract,
        "The same as `-`." "(-' 5 3)" => "2";
    "*'" "[& xs]" lazy uses(Uses::Computes) = |call| fold(call, Value::Int(1), number::mul),
        "The same as `*`." "(*' 2 3)" => "6";
    "inc'" "[x]" lazy uses(Uses::Computes) = |call| one(call, number::inc),
        "The same as `inc`." "(inc' 1)" => "2";
    "dec'" "[x]" lazy uses(Uses::Computes) = |call| one(call, number::dec),
        "The same as `dec`." "(dec' 1)" => "0";
    "quot" "[x y]" lazy returns(Returns::Number) uses(Uses::Computes)
        arithmetic(Arithmetic::Quot) = |call| pair(call, number::quot),
        "`x` divided by `y`, cut toward zero: an integer, also for floats."
        "(quot 7 2)" => "3", "(quot -7.5 2)" => "-3";
    "rem" "[x y]" lazy returns(Returns::Number) uses(Uses::Computes)
        arithmetic(Arithmetic::Rem) = |call| pair(call, number::rem),
        "The remainder of `x` by `y`, with the sign of `x`." "(rem -7 3)" => "-1";
    "mod" "[x y]" lazy returns(Returns::Number) uses(Uses::Computes)
        arithmetic(Arithmetic::Mod) = |call| pair(call, number::modulo),
        "The remainder of `x` by `y`, with the sign of `y`." "(mod -7 3)" => "2", "(mod 7.5 2)" => "1.5";
    "abs" "[x]" lazy uses(Uses::Computes) within(&["math"]) = |call| one(call, number::abs),
        "`x` without its sign." "(abs -3.5)" => "3.5";
    "max" "[x & more]" lazy returns(Returns::Number) uses(Uses::Computes) alike
        within(&["math"]) in_place(InPlace::Compute) arithmetic(Arithmetic::Max)
        = |call| extreme(call, std::cmp::Ordering::Greater),
        "The largest of the numbers; NaN wins. For a collection: `(apply max coll)`." "(max 3 9 5)" => "9";
    "min" "[x & more]" lazy returns(Returns::Number) uses(Uses::Computes) alike
        within(&["math"]) in_place(InPlace::Compute) arithmetic(Arithmetic::Min)
        = |call| extreme(call, std::cmp::Ordering::Less),
        "The smallest of the numbers; NaN wins. For a collection: `(apply min coll)`." "(min 3 9 5)" => "3";
};

type Step = fn(&Value, &Value, &str, &mut Meter) -> Res;

fn subtract(call: &mut Call<'_>) -> Res {
    if call.len() == 1 {
        only_number(call)?;
        return one(call, number::neg);
    }
    fold(call, Value::Nil, number::sub)
}

fn divide(call: &mut Call<'_>) -> Res {
    if call.len() == 1 {
        only_number(call)?;
        return one(call, |x, name, meter| number::div(&Value::Int(1), x, name, meter));
    }
    fold(call, Value::Nil, number::div)
}

/// All arguments from left to right; `none` when there are none.
fn fold(call: &mut Call<'_>, none: Value, step: Step) -> Res {
    let Call { name, args, cx } = call;
    let mut rest = args.iter();
    let first = match (rest.next(), rest.next()) {
        (None, _) => return Ok(none),
        (Some(_), None) => {
            only_number(call)?;
            return Ok(call.take(0));
        }
        (Some(x), Some(y)) => step(x, y, name, &mut cx.meter)?,
    };
    cx.meter.charge(rest.len())?;
    rest.try_fold(first, |sum, next| {
        cx.meter.tick()?;
        step(&sum, next, name, &mut cx.meter)
    })
}

fn only_number(call: &Call<'_>) -> Res<()> {
    call.want(0, "numbers", |value| value.is_number().then_some(()))
}

fn pair(call: &mut Call<'_>, step: Step) -> Res {
    let Call { name, args, cx } = call;
    match args {
        [x, y] => step(x, y, name, &mut cx.meter),
        _ => Ok(Value::Nil),
    }
}

fn one(call: &mut Call<'_>, step: fn(&Value, &str, &mut Meter) -> Res) -> Res {
    let Call { name, args, cx } = call;
    match args {
        [x, ..] => step(x, name, &mut cx.meter),
        [] => Ok(Value::Nil),
    }
}

/// The argument that compares as `wanted` with the others; the last one of equal ones.
fn extreme(call: &mut Call<'_>, wanted: std::cmp::Ordering) -> Res {
    call.charge(call.len().saturating_sub(2))?;
    let mut best = 0;
    for (index, value) in call.args.iter().enumerate() {
        call.cx.meter.tick()?;
        if !value.is_number() {
            return Err(no_extreme(call, value));
        }
        let held = call.arg(best);
        if is_nan(held) {
            continue;
        }
        match compare_numbers(held, value) {
            Some(order) if order == wanted => {}
            _ => best = index,
        }
    }
    Ok(call.take(best))
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(x) if x.is_nan())
}

fn no_extreme(call: &Call<'_>, got: &Value) -> Box<Signal> {
    let name = call.name;
    match got {
        Value::Map(_) => {
            call.mismatch(format_args!("expected numbers, got map; of maps, ({name}-by :key coll) picks one"))
        }
        Value::Vector(_) | Value::Set(_) | Value::LazySeq(_) => {
            call.mismatch(format_args!("expected numbers, got {}; use (apply {name} coll)", got.kind()))
        }
        Value::Nil => call.mismatch("expected numbers, got nil; (remove nil? coll) leaves nil out"),
        Value::Date(_) | Value::Instant(_) | Value::Temporal(_) => {
            let end = if name == "max" { "last" } else { "first" };
            call.mismatch(format_args!("expected numbers, got {}; write ({end} (sort coll))", got.kind()))
        }
        _ => call.wrong("numbers", got),
    }
}
