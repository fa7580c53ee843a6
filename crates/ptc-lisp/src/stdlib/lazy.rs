//! Rows about laziness itself.

use super::{Builtin, Call, Force, Run};
use crate::error::Res;
use crate::eval::cells::Reach;
use crate::value::Value;

fn is_generator(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(matches!(call.arg(0), Value::Generator(view) if !call.cx.cells.is_finished(*view))))
}

fn realized(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(match call.arg(0) {
        Value::Generator(view) => call.cx.cells.reach(*view, 1) != Reach::Unknown,
        Value::Cell(cell) => call.cx.cells.waiting(cell.id).is_none(),
        other => return Err(call.wrong("a lazy sequence or a delay", other)),
    }))
}

fn doall(call: &mut Call<'_>) -> Res {
    Ok(call.take(call.len() - 1))
}

fn dorun(_: &mut Call<'_>) -> Res {
    Ok(Value::Nil)
}

/// Rows about laziness itself.
pub(crate) const ROWS: &[Builtin] = &[
    Builtin { name: "%generator?", params: &["[x]"], run: Run::Plain(is_generator), force: Force::Lazy, ..Builtin::ROW },
    Builtin {
        name: "realized?",
        params: &["[x]"],
        doc: "Whether a delay has run or a lazy sequence has begun.",
        examples: &[("(realized? (delay 1))", "false")],
        force: Force::Lazy,
        run: Run::Plain(realized),
        ..Builtin::ROW
    },
    Builtin {
        name: "doall",
        params: &["[coll]", "[n coll]"],
        doc: "The sequence, realised.",
        examples: &[("(doall (map inc [1 2]))", "[2 3]")],
        run: Run::Plain(doall),
        ..Builtin::ROW
    },
    Builtin {
        name: "dorun",
        params: &["[coll]", "[n coll]"],
        doc: "Realise a sequence for its effects; nil.",
        examples: &[("(dorun (map inc [1 2]))", "nil")],
        run: Run::Plain(dorun),
        ..Builtin::ROW
    },
];
