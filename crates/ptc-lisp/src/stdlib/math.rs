//! Rounding, powers and the functions of `clojure.math`.

use num_bigint::BigInt;

use crate::error::{Res, arithmetic_error};
use crate::stdlib::argument::Arithmetic;
use crate::stdlib::{Call, Family, rows};
use crate::value::{Value, number};

#[cfg(test)]
mod tests;

pub(crate) const FAMILY: Family = rows! {
    "Mathematics";
    "floor" "[x]" lazy uses(Uses::Computes) = |call| to_whole(call, f64::floor),
        "The largest integer not above `x`; infinities and NaN stay." "(floor -0.5)" => "-1";
    "ceil" "[x]" lazy uses(Uses::Computes) = |call| to_whole(call, f64::ceil),
        "The smallest integer not below `x`; infinities and NaN stay." "(ceil 0.5)" => "1";
    "round" "[x]" lazy uses(Uses::Computes) = |call| to_whole(call, f64::round),
        "The nearest integer, halves away from zero; infinities and NaN stay."
        "(round 2.5)" => "3", "(round -2.5)" => "-3";
    "trunc" "[x]" lazy uses(Uses::Computes) = |call| to_whole(call, f64::trunc),
        "`x` cut toward zero; infinities and NaN stay." "(trunc -3.9)" => "-3";
    "sqrt" "[x]" lazy uses(Uses::Computes) within(&["math"]) = |call| unary(call, f64::sqrt),
        "The square root as a float, NaN below 0." "(sqrt 16)" => "4.0";
    "pow" "[x y]" lazy uses(Uses::Computes) within(&["math"]) = |call| binary(call, f64::powf),
        "`x` to the power `y`, always a float." "(pow 2 10)" => "1024.0";
    "math/floor" "[x]" lazy = |call| unary(call, f64::floor),
        "The largest whole float not above `x`." "(math/floor -0.5)" => "-1.0";
    "math/ceil" "[x]" lazy = |call| unary(call, f64::ceil),
        "The smallest whole float not below `x`." "(math/ceil 1.2)" => "2.0";
    "math/rint" "[x]" lazy = |call| unary(call, f64::round_ties_even),
        "The nearest whole float, halves to the even one." "(math/rint 0.5)" => "0.0";
    "math/round" "[x]" lazy = java_round,
        "The nearest integer, halves up; NaN is 0." "(math/round -2.5)" => "-2";
    "math/cbrt" "[x]" lazy = |call| unary(call, f64::cbrt),
        "The cube root." "(math/cbrt 27.0)" => "3.0";
    "math/exp" "[x]" lazy = |call| unary(call, f64::exp),
        "e to the power `x`." "(math/exp 0)" => "1.0";
    "math/expm1" "[x]" lazy = |call| unary(call, f64::exp_m1),
        "e to the power `x`, less 1, exact near 0." "(math/expm1 0)" => "0.0";
    "math/log" "[x]" lazy = |call| unary(call, f64::ln),
        "The natural logarithm." "(math/log 1)" => "0.0";
    "math/log10" "[x]" lazy = |call| unary(call, f64::log10),
        "The logarithm to base 10." "(math/log10 1000)" => "3.0";
    "math/log1p" "[x]" lazy = |call| unary(call, f64::ln_1p),
        "The natural logarithm of `x` plus 1, exact near 0." "(math/log1p 0)" => "0.0";
    "math/sin" "[x]" lazy = |call| unary(call, f64::sin),
        "The sine of an angle in radians." "(math/sin 0)" => "0.0";
    "math/cos" "[x]" lazy = |call| unary(call, f64::cos),
        "The cosine of an angle in radians." "(math/cos 0)" => "1.0";
    "math/tan" "[x]" lazy = |call| unary(call, f64::tan),
        "The tangent of an angle in radians." "(math/tan 0)" => "0.0";
    "math/asin" "[x]" lazy = |call| unary(call, f64::asin),
        "The angle in radians whose sine is `x`." "(math/asin 0)" => "0.0";
    "math/acos" "[x]" lazy = |call| unary(call, f64::acos),
        "The angle in radians whose cosine is `x`." "(math/acos 1)" => "0.0";
    "math/atan" "[x]" lazy = |call| unary(call, f64::atan),
        "The angle in radians whose tangent is `x`." "(math/atan 0)" => "0.0";
    "math/atan2" "[y x]" lazy = |call| binary(call, f64::atan2),
        "The angle in radians of the point `x`, `y`." "(math/atan2 0 1)" => "0.0";
    "math/sinh" "[x]" lazy = |call| unary(call, f64::sinh),
        "The hyperbolic sine." "(math/sinh 0)" => "0.0";
    "math/cosh" "[x]" lazy = |call| unary(call, f64::cosh),
        "The hyperbolic cosine." "(math/cosh 0)" => "1.0";
    "math/tanh" "[x]" lazy = |call| unary(call, f64::tanh),
        "The hyperbolic tangent." "(math/tanh 0)" => "0.0";
    "math/hypot" "[x y]" lazy = |call| binary(call, f64::hypot),
        "The length of the vector `x`, `y`." "(math/hypot 3 4)" => "5.0";
    "math/to-degrees" "[r]" lazy = |call| unary(call, f64::to_degrees),
        "Radians in degrees." "(math/to-degrees 0)" => "0.0";
    "math/to-radians" "[deg]" lazy = |call| unary(call, f64::to_radians),
        "Degrees in radians." "(math/to-radians 0)" => "0.0";
    "math/signum" "[x]" lazy = |call| unary(call, |x| if x == 0.0 || x.is_nan() { x } else { x.signum() }),
        "The sign of `x` as -1.0, 0.0 or 1.0." "(math/signum -5)" => "-1.0";
    "math/copy-sign" "[magnitude sign]" lazy = |call| binary(call, f64::copysign),
        "`magnitude` with the sign of `sign`." "(math/copy-sign 3.0 -1.0)" => "-3.0";
    "math/IEEE-remainder" "[x y]" lazy = |call| binary(call, remainder),
        "`x` less the nearest whole multiple of `y`." "(math/IEEE-remainder 10.0 4.0)" => "2.0";
    "math/ulp" "[x]" lazy
        = |call| unary(call, |x| if x.is_finite() { x.abs().next_up() - x.abs() } else { x.abs() }),
        "The distance from `x` to the next larger float." "(math/ulp 1e16)" => "2.0";
    "math/next-up" "[x]" lazy = |call| unary(call, f64::next_up),
        "The next larger float." "(= (math/next-up 0.0) 4.9E-324)" => "true";
    "math/next-down" "[x]" lazy = |call| unary(call, f64::next_down),
        "The next smaller float." "(< (math/next-down 1.0) 1.0)" => "true";
    "math/next-after" "[start direction]" lazy = |call| binary(call, toward),
        "The next float from `start` toward `direction`." "(> (math/next-after 1.0 2.0) 1.0)" => "true";
    "math/get-exponent" "[x]" lazy = get_exponent,
        "The binary exponent of `x` without its bias." "(math/get-exponent 0.5)" => "-1";
    "math/scalb" "[x n]" lazy = scalb,
        "`x` times 2 to the power of the integer `n`." "(math/scalb 1.5 2)" => "6.0";
    "math/add-exact" "[x y]" lazy = |call| exact(call, i64::checked_add),
        "The sum, an error beyond 64 bits." "(math/add-exact 1 2)" => "3";
    "math/subtract-exact" "[x y]" lazy = |call| exact(call, i64::checked_sub),
        "The difference, an error beyond 64 bits." "(math/subtract-exact 5 2)" => "3";
    "math/multiply-exact" "[x y]" lazy = |call| exact(call, i64::checked_mul),
        "The product, an error beyond 64 bits." "(math/multiply-exact 3 2)" => "6";
    "math/increment-exact" "[x]" lazy = |call| fits(call, call.int(0)?.checked_add(1)),
        "`x` plus 1, an error beyond 64 bits." "(math/increment-exact 1)" => "2";
    "math/decrement-exact" "[x]" lazy = |call| fits(call, call.int(0)?.checked_sub(1)),
        "`x` less 1, an error beyond 64 bits." "(math/decrement-exact 1)" => "0";
    "math/negate-exact" "[x]" lazy = |call| fits(call, call.int(0)?.checked_neg()),
        "`x` negated, an error beyond 64 bits." "(math/negate-exact 5)" => "-5";
    "math/floor-div" "[x y]" lazy = floor_div,
        "The integer quotient, rounded down." "(math/floor-div -7 2)" => "-4";
    "math/floor-mod" "[x y]" lazy = floor_mod,
        "The remainder that goes with `math/floor-div`." "(math/floor-mod -7 2)" => "1";
};

/// A float converted to an integer; `arithmetic_error` when it does not fit 64 bits.
fn to_whole(call: &mut Call<'_>, step: fn(f64) -> f64) -> Res {
    match call.arg(0) {
        Value::Float(x) if x.is_finite() => super::convert::to_integer(step(*x), call.name),
        value if value.is_number() => Ok(call.take(0)),
        other => Err(call.wrong("a number", other)),
    }
}

/// Argument `index` as a float.
fn float(call: &Call<'_>, index: usize) -> Res<f64> {
    call.want(index, "a number", number::to_f64)
}

/// `step` of argument 0.
fn unary(call: &Call<'_>, step: fn(f64) -> f64) -> Res {
    Ok(Value::Float(step(float(call, 0)?)))
}

/// `step` of arguments 0 and 1.
fn binary(call: &Call<'_>, step: fn(f64, f64) -> f64) -> Res {
    Ok(Value::Float(step(float(call, 0)?, float(call, 1)?)))
}

/// `x` minus the integer multiple of `y` nearest to it; of two equally near ones, the even one.
fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    // Exact: the remainder of floats is a float. With twice `y`, the remainder still shows whether the quotient is odd.
    let rest = if y <= f64::MAX / 2.0 { x.abs() % (2.0 * y) } else { x.abs() };
    let odd = rest >= y;
    let half = if odd { rest - y } else { rest };
    let folded = if half > y - half || (odd && half == y - half) { half - y } else { half };
    if x.is_sign_negative() { -folded } else { folded }
}

fn toward(start: f64, direction: f64) -> f64 {
    if start.is_nan() || direction.is_nan() {
        f64::NAN
    } else if direction > start {
        start.next_up()
    } else if direction < start {
        start.next_down()
    } else {
        direction
    }
}

/// Java's rounding: half up, NaN is 0, what does not fit becomes the nearest 64-bit limit.
fn java_round(call: &mut Call<'_>) -> Res {
    if let Value::Int(n) = call.arg(0) {
        return Ok(Value::Int(*n));
    }
    let x = float(call, 0)?;
    let below = x.floor();
    Ok(Value::Int((if x - below >= 0.5 { below + 1.0 } else { below }) as i64))
}

/// The unbiased exponent in the bits of the float.
fn get_exponent(call: &mut Call<'_>) -> Res {
    let field = (float(call, 0)?.to_bits() >> 52) & 0x7ff;
    Ok(Value::Int(field as i64 - 1_023))
}

fn scalb(call: &mut Call<'_>) -> Res {
    let (mut x, mut left) = (float(call, 0)?, call.int(1)?.clamp(-2_200, 2_200));
    // In steps, because a single power of two may be out of range where the result is not.
    while left != 0 {
        let step = left.clamp(-512, 512);
        x *= 2.0_f64.powi(step as i32);
        left -= step;
    }
    Ok(Value::Float(x))
}

fn exact(call: &Call<'_>, step: fn(i64, i64) -> Option<i64>) -> Res {
    fits(call, step(call.int(0)?, call.int(1)?))
}

fn fits(call: &Call<'_>, result: Option<i64>) -> Res {
    result.map(Value::Int).ok_or_else(|| arithmetic_error(format!("{}: the result does not fit 64 bits", call.name)))
}

fn floor_div(call: &mut Call<'_>) -> Res {
    let (x, y) = (call.int(0)?, divisor(call)?);
    let Some(quotient) = x.checked_div(y) else { return Ok(Value::integer(-BigInt::from(x))) };
    let inexact = x.wrapping_rem(y) != 0 && (x < 0) != (y < 0);
    Ok(Value::Int(if inexact { quotient - 1 } else { quotient }))
}

fn floor_mod(call: &mut Call<'_>) -> Res {
    let (x, y) = (call.int(0)?, divisor(call)?);
    // The remainder of the least integer by -1 is 0.
    Ok(Value::Int(Arithmetic::Mod.of(x, y).unwrap_or(0)))
}

fn divisor(call: &Call<'_>) -> Res<i64> {
    match call.int(1)? {
        0 => Err(arithmetic_error("Divide by zero")),
        y => Ok(y),
    }
}
