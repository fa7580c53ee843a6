//! Arithmetic that wraps: the lowest 64 or 32 bits of the result, as hashes and random generators are written.

use num_bigint::{BigInt, Sign};

use super::SCALAR;
use crate::error::Res;
use crate::meter::Meter;
use crate::stdlib::{Builtin, Call, Family, Run};
use crate::value::{Value, number};

pub(crate) const FAMILY: Family = Family {
    title: "Arithmetic that wraps",
    rows: &[
        Builtin {
            name: "unchecked-add",
            params: &["[x y]"],
            doc: "The lowest 64 bits of `x` plus `y`, as an integer with a sign.",
            examples: &[("(unchecked-add Long/MAX_VALUE 1)", "-9223372036854775808")],
            run: Run::Plain(add),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-subtract",
            params: &["[x y]"],
            doc: "The lowest 64 bits of `x` less `y`, as an integer with a sign.",
            examples: &[("(unchecked-subtract Long/MIN_VALUE 1)", "9223372036854775807")],
            run: Run::Plain(subtract),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-multiply",
            params: &["[x y]"],
            doc: "The lowest 64 bits of `x` times `y`, as an integer with a sign.",
            examples: &[("(unchecked-multiply 0xcbf29ce484222325 0x100000001b3)", "-5808590958014384161")],
            run: Run::Plain(multiply),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-inc",
            params: &["[x]"],
            doc: "The lowest 64 bits of `x` plus 1, as an integer with a sign.",
            examples: &[("(unchecked-inc Long/MAX_VALUE)", "-9223372036854775808")],
            run: Run::Plain(increment),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-dec",
            params: &["[x]"],
            doc: "The lowest 64 bits of `x` less 1, as an integer with a sign.",
            examples: &[("(unchecked-dec Long/MIN_VALUE)", "9223372036854775807")],
            run: Run::Plain(decrement),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-negate",
            params: &["[x]"],
            doc: "The lowest 64 bits of `-x`, as an integer with a sign.",
            examples: &[("(unchecked-negate Long/MIN_VALUE)", "-9223372036854775808")],
            run: Run::Plain(negate),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-long",
            params: &["[x]"],
            doc: "The lowest 64 bits of a number cut to an integer, as an integer with a sign.",
            examples: &[("(unchecked-long 0xffffffffffffffff)", "-1")],
            run: Run::Plain(long),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-add-int",
            params: &["[x y]"],
            doc: "The lowest 32 bits of `x` plus `y`, as an integer with a sign.",
            examples: &[("(unchecked-add-int Integer/MAX_VALUE 1)", "-2147483648")],
            run: Run::Plain(add),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-subtract-int",
            params: &["[x y]"],
            doc: "The lowest 32 bits of `x` less `y`, as an integer with a sign.",
            examples: &[("(unchecked-subtract-int Integer/MIN_VALUE 1)", "2147483647")],
            run: Run::Plain(subtract),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-multiply-int",
            params: &["[x y]"],
            doc: "The lowest 32 bits of `x` times `y`, as an integer with a sign.",
            examples: &[("(unchecked-multiply-int 65536 65535)", "-65536")],
            run: Run::Plain(multiply),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-inc-int",
            params: &["[x]"],
            doc: "The lowest 32 bits of `x` plus 1, as an integer with a sign.",
            examples: &[("(unchecked-inc-int Integer/MAX_VALUE)", "-2147483648")],
            run: Run::Plain(increment),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-dec-int",
            params: &["[x]"],
            doc: "The lowest 32 bits of `x` less 1, as an integer with a sign.",
            examples: &[("(unchecked-dec-int Integer/MIN_VALUE)", "2147483647")],
            run: Run::Plain(decrement),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-negate-int",
            params: &["[x]"],
            doc: "The lowest 32 bits of `-x`, as an integer with a sign.",
            examples: &[("(unchecked-negate-int Integer/MIN_VALUE)", "-2147483648")],
            run: Run::Plain(negate),
            ..SCALAR
        },
        Builtin {
            name: "unchecked-int",
            params: &["[x]"],
            doc: "The lowest 32 bits of a number cut to an integer, as an integer with a sign.",
            examples: &[("(unchecked-int 0xffffffff)", "-1")],
            run: Run::Plain(long),
            ..SCALAR
        },
    ],
};

fn add(call: &mut Call<'_>) -> Res {
    wrapped(call, i64::wrapping_add, number::add)
}

fn subtract(call: &mut Call<'_>) -> Res {
    wrapped(call, i64::wrapping_sub, number::sub)
}

fn multiply(call: &mut Call<'_>) -> Res {
    wrapped(call, i64::wrapping_mul, number::mul)
}

/// Two arguments. As in Clojure nothing wraps where one of them is a float.
fn wrapped(call: &mut Call<'_>, step: fn(i64, i64) -> i64, floats: fn(&Value, &Value, &str, &mut Meter) -> Res) -> Res {
    if let [one, other] = &*call.args
        && (matches!(one, Value::Float(_)) || matches!(other, Value::Float(_)))
        && !call.name.ends_with("-int")
    {
        return floats(one, other, call.name, &mut call.cx.meter);
    }
    let bits = step(lowest(call, 0)?, lowest(call, 1)?);
    Ok(word(call, bits))
}

fn increment(call: &mut Call<'_>) -> Res {
    let bits = lowest(call, 0)?.wrapping_add(1);
    Ok(word(call, bits))
}

fn decrement(call: &mut Call<'_>) -> Res {
    let bits = lowest(call, 0)?.wrapping_sub(1);
    Ok(word(call, bits))
}

fn negate(call: &mut Call<'_>) -> Res {
    let bits = lowest(call, 0)?.wrapping_neg();
    Ok(word(call, bits))
}

/// Floats are cut toward zero first.
fn long(call: &mut Call<'_>) -> Res {
    let whole = if let Value::Float(x) = call.arg(0) { Some(number::whole(*x, call.name)?) } else { None };
    if let (Some(whole), Some(arg)) = (whole, call.args.first_mut()) {
        *arg = whole;
    }
    let bits = lowest(call, 0)?;
    Ok(word(call, bits))
}

/// The lowest 64 bits, or 32 where the name says so, with a sign.
fn word(call: &Call<'_>, bits: i64) -> Value {
    Value::Int(if call.name.ends_with("-int") { i64::from(bits as i32) } else { bits })
}

/// The lowest 64 bits of an argument, in two's complement.
fn lowest(call: &Call<'_>, index: usize) -> Res<i64> {
    match call.arg(index) {
        Value::Int(n) => Ok(*n),
        Value::Big(n) => Ok(lowest_of(n)),
        other => Err(call.wrong("integers", other)),
    }
}

fn lowest_of(n: &BigInt) -> i64 {
    let magnitude = n.iter_u64_digits().next().unwrap_or_default() as i64;
    if n.sign() == Sign::Minus { magnitude.wrapping_neg() } else { magnitude }
}
