//! Bits of 64-bit integers.

use crate::error::{Res, argument_error};
use crate::stdlib::{Builtin, Call, Family, Force, Run};
use crate::value::Value;

/// Arguments are looked at as they are: a lazily realised sequence is no number.
const SCALAR: Builtin = Builtin { force: Force::Lazy, ..Builtin::ROW };

pub(crate) const FAMILY: Family = Family {
    title: "Bits",
    rows: &[
        Builtin {
            name: "bit-and",
            params: &["[x y & more]"],
            doc: "The bits set in all of the integers.",
            examples: &[("(bit-and 12 10)", "8")],
            run: Run::Plain(and),
            ..SCALAR
        },
        Builtin {
            name: "bit-or",
            params: &["[x y & more]"],
            doc: "The bits set in any of the integers.",
            examples: &[("(bit-or 12 10)", "14")],
            run: Run::Plain(or),
            ..SCALAR
        },
        Builtin {
            name: "bit-xor",
            params: &["[x y & more]"],
            doc: "The bits set in an odd number of the integers.",
            examples: &[("(bit-xor 12 10)", "6")],
            run: Run::Plain(xor),
            ..SCALAR
        },
        Builtin {
            name: "bit-and-not",
            params: &["[x y & more]"],
            doc: "The bits of `x` that none of the others has.",
            examples: &[("(bit-and-not 255 1 2)", "252")],
            run: Run::Plain(and_not),
            ..SCALAR
        },
        Builtin {
            name: "bit-not",
            params: &["[x]"],
            doc: "All bits of `x` turned over.",
            examples: &[("(bit-not 5)", "-6")],
            run: Run::Plain(not),
            ..SCALAR
        },
        Builtin {
            name: "bit-shift-left",
            params: &["[x n]"],
            doc: "`x` moved left by `n` bits, 0 to 63; what leaves is lost.",
            examples: &[("(bit-shift-left 1 10)", "1024")],
            run: Run::Plain(shift_left),
            ..SCALAR
        },
        Builtin {
            name: "bit-shift-right",
            params: &["[x n]"],
            doc: "`x` moved right by `n` bits, 0 to 63, keeping its sign.",
            examples: &[("(bit-shift-right -16 2)", "-4")],
            run: Run::Plain(shift_right),
            ..SCALAR
        },
        Builtin {
            name: "unsigned-bit-shift-right",
            params: &["[x n]"],
            doc: "`x` moved right by `n` bits, 0 to 63, filling with zeros.",
            examples: &[("(unsigned-bit-shift-right -1 60)", "15")],
            run: Run::Plain(unsigned_shift_right),
            ..SCALAR
        },
        Builtin {
            name: "bit-test",
            params: &["[x n]"],
            doc: "Whether bit `n` of `x` is set.",
            examples: &[("(bit-test 5 1)", "false")],
            run: Run::Plain(test),
            ..SCALAR
        },
        Builtin {
            name: "bit-set",
            params: &["[x n]"],
            doc: "`x` with bit `n` set.",
            examples: &[("(bit-set 0 3)", "8")],
            run: Run::Plain(set),
            ..SCALAR
        },
        Builtin {
            name: "bit-clear",
            params: &["[x n]"],
            doc: "`x` with bit `n` cleared.",
            examples: &[("(bit-clear 15 0)", "14")],
            run: Run::Plain(clear),
            ..SCALAR
        },
        Builtin {
            name: "bit-flip",
            params: &["[x n]"],
            doc: "`x` with bit `n` turned over.",
            examples: &[("(bit-flip 5 1)", "7")],
            run: Run::Plain(flip),
            ..SCALAR
        },
    ],
};

fn and(call: &mut Call<'_>) -> Res {
    fold(call, |x, y| x & y)
}

fn or(call: &mut Call<'_>) -> Res {
    fold(call, |x, y| x | y)
}

fn xor(call: &mut Call<'_>) -> Res {
    fold(call, |x, y| x ^ y)
}

fn and_not(call: &mut Call<'_>) -> Res {
    fold(call, |x, y| x & !y)
}

fn fold(call: &mut Call<'_>, step: fn(i64, i64) -> i64) -> Res {
    call.charge(call.len().saturating_sub(2))?;
    let mut bits = integer(call, 0)?;
    for index in 1..call.len() {
        bits = step(bits, integer(call, index)?);
    }
    Ok(Value::Int(bits))
}

fn not(call: &mut Call<'_>) -> Res {
    Ok(Value::Int(!integer(call, 0)?))
}

fn shift_left(call: &mut Call<'_>) -> Res {
    at_bit(call, |x, n| x << n)
}

fn shift_right(call: &mut Call<'_>) -> Res {
    at_bit(call, |x, n| x >> n)
}

fn unsigned_shift_right(call: &mut Call<'_>) -> Res {
    at_bit(call, |x, n| ((x as u64) >> n) as i64)
}

fn set(call: &mut Call<'_>) -> Res {
    at_bit(call, |x, n| x | (1 << n))
}

fn clear(call: &mut Call<'_>) -> Res {
    at_bit(call, |x, n| x & !(1 << n))
}

fn flip(call: &mut Call<'_>) -> Res {
    at_bit(call, |x, n| x ^ (1 << n))
}

fn at_bit(call: &mut Call<'_>, step: fn(i64, u32) -> i64) -> Res {
    Ok(Value::Int(step(integer(call, 0)?, bit(call)?)))
}

fn test(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool((integer(call, 0)? >> bit(call)?) & 1 == 1))
}

fn integer(call: &Call<'_>, index: usize) -> Res<i64> {
    match call.arg(index) {
        Value::Int(n) => Ok(*n),
        Value::Big(_) => Err(argument_error(format!("{}: expected integers of 64 bits, got a larger one", call.name))),
        other => Err(call.wrong("integers", other)),
    }
}

/// The bit number in argument 1.
fn bit(call: &Call<'_>) -> Res<u32> {
    let n = integer(call, 1)?;
    match u32::try_from(n) {
        Ok(bit) if bit < 64 => Ok(bit),
        _ => Err(argument_error(format!("{}: the bit number must be 0 to 63, got {n}", call.name))),
    }
}
