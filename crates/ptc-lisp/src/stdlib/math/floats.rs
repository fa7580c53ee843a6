//! Float functions of `clojure.math`.

use super::float;
use crate::error::Res;
use crate::stdlib::Call;
use crate::value::Value;

/// `step` of argument 0.
pub(super) fn unary(call: &Call<'_>, step: fn(f64) -> f64) -> Res {
    Ok(Value::Float(step(float(call, 0)?)))
}

/// `step` of arguments 0 and 1.
pub(super) fn binary(call: &Call<'_>, step: fn(f64, f64) -> f64) -> Res {
    Ok(Value::Float(step(float(call, 0)?, float(call, 1)?)))
}

/// `x` less the whole multiple of `y` nearest to it, of two equally near ones the even.
pub(super) fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    // Exact: the remainder of floats is a float. Twice `y` keeps whether the quotient is odd.
    let rest = if y <= f64::MAX / 2.0 { x.abs() % (2.0 * y) } else { x.abs() };
    let odd = rest >= y;
    let half = if odd { rest - y } else { rest };
    let folded = if half > y - half || (odd && half == y - half) { half - y } else { half };
    if x.is_sign_negative() { -folded } else { folded }
}

pub(super) fn toward(start: f64, direction: f64) -> f64 {
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

/// Java's rounding: half up, NaN is 0, what does not fit is the nearest end of 64 bits.
pub(super) fn round(call: &mut Call<'_>) -> Res {
    if let Value::Int(n) = call.arg(0) {
        return Ok(Value::Int(*n));
    }
    let x = float(call, 0)?;
    let below = x.floor();
    Ok(Value::Int((if x - below >= 0.5 { below + 1.0 } else { below }) as i64))
}

/// The unbiased exponent in the bits of the float.
pub(super) fn get_exponent(call: &mut Call<'_>) -> Res {
    let field = (float(call, 0)?.to_bits() >> 52) & 0x7ff;
    Ok(Value::Int(field as i64 - 1_023))
}

pub(super) fn scalb(call: &mut Call<'_>) -> Res {
    let (mut x, mut left) = (float(call, 0)?, call.int(1)?.clamp(-2_200, 2_200));
    // In steps, because a single power of two could be out of range where the result is not.
    while left != 0 {
        let step = left.clamp(-512, 512);
        x *= 2.0_f64.powi(step as i32);
        left -= step;
    }
    Ok(Value::Float(x))
}
