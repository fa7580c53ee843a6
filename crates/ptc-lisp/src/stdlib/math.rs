//! Rounding, powers and the functions of `clojure.math`.

mod exact;
mod floats;

use crate::error::Res;
use crate::stdlib::{Builtin, Call, Family, Force, Run};
use crate::value::{Value, number};

#[cfg(test)]
mod tests;

/// Arguments are looked at as they are: a lazily realised sequence is no number.
const SCALAR: Builtin = Builtin { force: Force::Lazy, ..Builtin::ROW };

pub(crate) const FAMILY: Family = Family {
    title: "Mathematics",
    rows: &[
        Builtin {
            name: "floor",
            params: &["[x]"],
            doc: "The largest integer not above `x`; infinities and NaN stay.",
            examples: &[("(floor -0.5)", "-1")],
            run: Run::Plain(floor),
            ..SCALAR
        },
        Builtin {
            name: "ceil",
            params: &["[x]"],
            doc: "The smallest integer not below `x`; infinities and NaN stay.",
            examples: &[("(ceil 0.5)", "1")],
            run: Run::Plain(ceil),
            ..SCALAR
        },
        Builtin {
            name: "round",
            params: &["[x]"],
            doc: "The nearest integer, halves away from zero; infinities and NaN stay.",
            examples: &[("(round 2.5)", "3"), ("(round -2.5)", "-3")],
            run: Run::Plain(round),
            ..SCALAR
        },
        Builtin {
            name: "trunc",
            params: &["[x]"],
            doc: "`x` cut toward zero; infinities and NaN stay.",
            examples: &[("(trunc -3.9)", "-3")],
            run: Run::Plain(trunc),
            ..SCALAR
        },
        Builtin {
            name: "sqrt",
            namespaces: &["math"],
            params: &["[x]"],
            doc: "The square root as a float, NaN below 0.",
            examples: &[("(sqrt 16)", "4.0")],
            run: Run::Plain(sqrt),
            ..SCALAR
        },
        Builtin {
            name: "pow",
            namespaces: &["math"],
            params: &["[x y]"],
            doc: "`x` to the power `y`, always a float.",
            examples: &[("(pow 2 10)", "1024.0")],
            run: Run::Plain(pow),
            ..SCALAR
        },
        Builtin {
            name: "math/floor",
            params: &["[x]"],
            doc: "The largest whole float not above `x`.",
            examples: &[("(math/floor -0.5)", "-1.0")],
            run: Run::Plain(floats::floor),
            ..SCALAR
        },
        Builtin {
            name: "math/ceil",
            params: &["[x]"],
            doc: "The smallest whole float not below `x`.",
            examples: &[("(math/ceil 1.2)", "2.0")],
            run: Run::Plain(floats::ceil),
            ..SCALAR
        },
        Builtin {
            name: "math/rint",
            params: &["[x]"],
            doc: "The nearest whole float, halves to the even one.",
            examples: &[("(math/rint 0.5)", "0.0")],
            run: Run::Plain(floats::rint),
            ..SCALAR
        },
        Builtin {
            name: "math/round",
            params: &["[x]"],
            doc: "The nearest integer, halves up; NaN is 0.",
            examples: &[("(math/round -2.5)", "-2")],
            run: Run::Plain(floats::round),
            ..SCALAR
        },
        Builtin {
            name: "math/cbrt",
            params: &["[x]"],
            doc: "The cube root.",
            examples: &[("(math/cbrt 27.0)", "3.0")],
            run: Run::Plain(floats::cbrt),
            ..SCALAR
        },
        Builtin {
            name: "math/exp",
            params: &["[x]"],
            doc: "e to the power `x`.",
            examples: &[("(math/exp 0)", "1.0")],
            run: Run::Plain(floats::exp),
            ..SCALAR
        },
        Builtin {
            name: "math/expm1",
            params: &["[x]"],
            doc: "e to the power `x`, less 1, exact near 0.",
            examples: &[("(math/expm1 0)", "0.0")],
            run: Run::Plain(floats::expm1),
            ..SCALAR
        },
        Builtin {
            name: "math/log",
            params: &["[x]"],
            doc: "The natural logarithm.",
            examples: &[("(math/log 1)", "0.0")],
            run: Run::Plain(floats::log),
            ..SCALAR
        },
        Builtin {
            name: "math/log10",
            params: &["[x]"],
            doc: "The logarithm to base 10.",
            examples: &[("(math/log10 1000)", "3.0")],
            run: Run::Plain(floats::log10),
            ..SCALAR
        },
        Builtin {
            name: "math/log1p",
            params: &["[x]"],
            doc: "The natural logarithm of `x` plus 1, exact near 0.",
            examples: &[("(math/log1p 0)", "0.0")],
            run: Run::Plain(floats::log1p),
            ..SCALAR
        },
        Builtin {
            name: "math/sin",
            params: &["[x]"],
            doc: "The sine of an angle in radians.",
            examples: &[("(math/sin 0)", "0.0")],
            run: Run::Plain(floats::sin),
            ..SCALAR
        },
        Builtin {
            name: "math/cos",
            params: &["[x]"],
            doc: "The cosine of an angle in radians.",
            examples: &[("(math/cos 0)", "1.0")],
            run: Run::Plain(floats::cos),
            ..SCALAR
        },
        Builtin {
            name: "math/tan",
            params: &["[x]"],
            doc: "The tangent of an angle in radians.",
            examples: &[("(math/tan 0)", "0.0")],
            run: Run::Plain(floats::tan),
            ..SCALAR
        },
        Builtin {
            name: "math/asin",
            params: &["[x]"],
            doc: "The angle in radians whose sine is `x`.",
            examples: &[("(math/asin 0)", "0.0")],
            run: Run::Plain(floats::asin),
            ..SCALAR
        },
        Builtin {
            name: "math/acos",
            params: &["[x]"],
            doc: "The angle in radians whose cosine is `x`.",
            examples: &[("(math/acos 1)", "0.0")],
            run: Run::Plain(floats::acos),
            ..SCALAR
        },
        Builtin {
            name: "math/atan",
            params: &["[x]"],
            doc: "The angle in radians whose tangent is `x`.",
            examples: &[("(math/atan 0)", "0.0")],
            run: Run::Plain(floats::atan),
            ..SCALAR
        },
        Builtin {
            name: "math/atan2",
            params: &["[y x]"],
            doc: "The angle in radians of the point `x`, `y`.",
            examples: &[("(math/atan2 0 1)", "0.0")],
            run: Run::Plain(floats::atan2),
            ..SCALAR
        },
        Builtin {
            name: "math/sinh",
            params: &["[x]"],
            doc: "The hyperbolic sine.",
            examples: &[("(math/sinh 0)", "0.0")],
            run: Run::Plain(floats::sinh),
            ..SCALAR
        },
        Builtin {
            name: "math/cosh",
            params: &["[x]"],
            doc: "The hyperbolic cosine.",
            examples: &[("(math/cosh 0)", "1.0")],
            run: Run::Plain(floats::cosh),
            ..SCALAR
        },
        Builtin {
            name: "math/tanh",
            params: &["[x]"],
            doc: "The hyperbolic tangent.",
            examples: &[("(math/tanh 0)", "0.0")],
            run: Run::Plain(floats::tanh),
            ..SCALAR
        },
        Builtin {
            name: "math/hypot",
            params: &["[x y]"],
            doc: "The length of the vector `x`, `y`.",
            examples: &[("(math/hypot 3 4)", "5.0")],
            run: Run::Plain(floats::hypot),
            ..SCALAR
        },
        Builtin {
            name: "math/to-degrees",
            params: &["[r]"],
            doc: "Radians in degrees.",
            examples: &[("(math/to-degrees 0)", "0.0")],
            run: Run::Plain(floats::to_degrees),
            ..SCALAR
        },
        Builtin {
            name: "math/to-radians",
            params: &["[deg]"],
            doc: "Degrees in radians.",
            examples: &[("(math/to-radians 0)", "0.0")],
            run: Run::Plain(floats::to_radians),
            ..SCALAR
        },
        Builtin {
            name: "math/signum",
            params: &["[x]"],
            doc: "The sign of `x` as -1.0, 0.0 or 1.0.",
            examples: &[("(math/signum -5)", "-1.0")],
            run: Run::Plain(floats::signum),
            ..SCALAR
        },
        Builtin {
            name: "math/copy-sign",
            params: &["[magnitude sign]"],
            doc: "`magnitude` with the sign of `sign`.",
            examples: &[("(math/copy-sign 3.0 -1.0)", "-3.0")],
            run: Run::Plain(floats::copy_sign),
            ..SCALAR
        },
        Builtin {
            name: "math/IEEE-remainder",
            params: &["[x y]"],
            doc: "`x` less the nearest whole multiple of `y`.",
            examples: &[("(math/IEEE-remainder 10.0 4.0)", "2.0")],
            run: Run::Plain(floats::ieee_remainder),
            ..SCALAR
        },
        Builtin {
            name: "math/ulp",
            params: &["[x]"],
            doc: "The distance from `x` to the next larger float.",
            examples: &[("(math/ulp 1e16)", "2.0")],
            run: Run::Plain(floats::ulp),
            ..SCALAR
        },
        Builtin {
            name: "math/next-up",
            params: &["[x]"],
            doc: "The next larger float.",
            examples: &[("(= (math/next-up 0.0) 4.9E-324)", "true")],
            run: Run::Plain(floats::next_up),
            ..SCALAR
        },
        Builtin {
            name: "math/next-down",
            params: &["[x]"],
            doc: "The next smaller float.",
            examples: &[("(< (math/next-down 1.0) 1.0)", "true")],
            run: Run::Plain(floats::next_down),
            ..SCALAR
        },
        Builtin {
            name: "math/next-after",
            params: &["[start direction]"],
            doc: "The next float from `start` toward `direction`.",
            examples: &[("(> (math/next-after 1.0 2.0) 1.0)", "true")],
            run: Run::Plain(floats::next_after),
            ..SCALAR
        },
        Builtin {
            name: "math/get-exponent",
            params: &["[x]"],
            doc: "The binary exponent of `x` without its bias.",
            examples: &[("(math/get-exponent 0.5)", "-1")],
            run: Run::Plain(floats::get_exponent),
            ..SCALAR
        },
        Builtin {
            name: "math/scalb",
            params: &["[x n]"],
            doc: "`x` times 2 to the power of the integer `n`.",
            examples: &[("(math/scalb 1.5 2)", "6.0")],
            run: Run::Plain(floats::scalb),
            ..SCALAR
        },
        Builtin {
            name: "math/add-exact",
            params: &["[x y]"],
            doc: "The sum, an error beyond 64 bits.",
            examples: &[("(math/add-exact 1 2)", "3")],
            run: Run::Plain(exact::add),
            ..SCALAR
        },
        Builtin {
            name: "math/subtract-exact",
            params: &["[x y]"],
            doc: "The difference, an error beyond 64 bits.",
            examples: &[("(math/subtract-exact 5 2)", "3")],
            run: Run::Plain(exact::subtract),
            ..SCALAR
        },
        Builtin {
            name: "math/multiply-exact",
            params: &["[x y]"],
            doc: "The product, an error beyond 64 bits.",
            examples: &[("(math/multiply-exact 3 2)", "6")],
            run: Run::Plain(exact::multiply),
            ..SCALAR
        },
        Builtin {
            name: "math/increment-exact",
            params: &["[x]"],
            doc: "`x` plus 1, an error beyond 64 bits.",
            examples: &[("(math/increment-exact 1)", "2")],
            run: Run::Plain(exact::increment),
            ..SCALAR
        },
        Builtin {
            name: "math/decrement-exact",
            params: &["[x]"],
            doc: "`x` less 1, an error beyond 64 bits.",
            examples: &[("(math/decrement-exact 1)", "0")],
            run: Run::Plain(exact::decrement),
            ..SCALAR
        },
        Builtin {
            name: "math/negate-exact",
            params: &["[x]"],
            doc: "`x` negated, an error beyond 64 bits.",
            examples: &[("(math/negate-exact 5)", "-5")],
            run: Run::Plain(exact::negate),
            ..SCALAR
        },
        Builtin {
            name: "math/floor-div",
            params: &["[x y]"],
            doc: "The integer quotient, rounded down.",
            examples: &[("(math/floor-div -7 2)", "-4")],
            run: Run::Plain(exact::floor_div),
            ..SCALAR
        },
        Builtin {
            name: "math/floor-mod",
            params: &["[x y]"],
            doc: "The remainder that goes with `math/floor-div`.",
            examples: &[("(math/floor-mod -7 2)", "1")],
            run: Run::Plain(exact::floor_mod),
            ..SCALAR
        },
    ],
};

fn floor(call: &mut Call<'_>) -> Res {
    to_whole(call, f64::floor)
}

fn ceil(call: &mut Call<'_>) -> Res {
    to_whole(call, f64::ceil)
}

fn round(call: &mut Call<'_>) -> Res {
    to_whole(call, f64::round)
}

fn trunc(call: &mut Call<'_>) -> Res {
    to_whole(call, f64::trunc)
}

/// A float brought to an integer; `arithmetic_error` when it does not fit 64 bits.
fn to_whole(call: &mut Call<'_>, step: fn(f64) -> f64) -> Res {
    match call.arg(0) {
        Value::Float(x) if x.is_finite() => super::convert::to_integer(step(*x), call.name),
        value if value.is_number() => Ok(call.take(0)),
        other => Err(call.wrong("a number", other)),
    }
}

fn sqrt(call: &mut Call<'_>) -> Res {
    floats::unary(call, f64::sqrt)
}

fn pow(call: &mut Call<'_>) -> Res {
    floats::binary(call, f64::powf)
}

/// Argument `index` as a float.
fn float(call: &Call<'_>, index: usize) -> Res<f64> {
    number::to_f64(call.arg(index)).ok_or_else(|| call.wrong("a number", call.arg(index)))
}
