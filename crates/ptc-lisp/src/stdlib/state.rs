//! Atoms and volatiles.

use super::{Call, Family, rows};
use crate::error::Res;
use crate::stdlib::quick::calls;
use crate::value::{CellKind, CellRef, Value};

fn make(call: &mut Call<'_>, kind: CellKind) -> Res {
    call.allocate_cell()?;
    let content = call.take(0);
    Ok(Value::Cell(call.cx.cells.cell(kind, content)))
}

fn atom(call: &mut Call<'_>) -> Res {
    let mut options = (1..call.len()).step_by(2).map(|at| call.arg(at));
    if options.any(|option| matches!(option, Value::Keyword(name) if name.as_str() == "validator")) {
        return Err(call.invalid(":validator is not available here; test the new value in the function of swap!"));
    }
    make(call, CellKind::Atom)
}

fn cell(call: &Call<'_>, kind: CellKind, word: &str) -> Res<CellRef> {
    call.want(0, word, |value| match value {
        Value::Cell(cell) if cell.kind == kind => Some(*cell),
        _ => None,
    })
}

fn store(call: &mut Call<'_>, kind: CellKind, word: &str) -> Res {
    let cell = cell(call, kind, word)?;
    let value = call.take(1);
    call.cx.cells.store(cell.id, value.clone());
    Ok(value)
}

fn reset_vals(call: &mut Call<'_>) -> Res {
    let cell = cell(call, CellKind::Atom, "an atom")?;
    let value = call.take(1);
    let old = call.cx.cells.content(cell.id).cloned().unwrap_or_default();
    call.cx.cells.store(cell.id, value.clone());
    call.vector(vec![old, value])
}

fn compare_and_set(call: &mut Call<'_>) -> Res {
    let cell = cell(call, CellKind::Atom, "an atom")?;
    let content = call.cx.cells.content(cell.id).cloned().unwrap_or_default();
    let expected = call.arg(1).clone();
    if !content.is_identical(&expected, call.meter())? {
        return Ok(Value::Bool(false));
    }
    let value = call.take(2);
    call.cx.cells.store(cell.id, value);
    Ok(Value::Bool(true))
}

fn recalled(call: &mut Call<'_>) -> Res {
    call.settle(1)?;
    let Value::Cell(cell) = call.arg(0) else { return Ok(Value::Nil) };
    let Some(Value::Map(known)) = call.cx.cells.content(cell.id) else { return Ok(Value::Nil) };
    let known = known.clone();
    let found = known.get(call.args.get(1).unwrap_or(&Value::Nil), &mut call.cx.meter)?;
    Ok(found.cloned().unwrap_or_default())
}

pub(crate) const FAMILY: Family = rows! {
    "Mutable cells";
    "%recalled" "[atom k]" shallow effect = recalled,
        "What the map in the atom has under exactly the key k, else nil.";
    "atom" "[x]" "[x & options]" lazy effect = atom,
        "A mutable cell of this run holding `x`; read it with `@`." "@(atom 1)" => "1";
    "volatile!" "[x]" lazy effect = |call| make(call, CellKind::Volatile),
        "A mutable cell for one place of use." "@(volatile! 1)" => "1";
    "reset!" "[atom value]" lazy effect quick(calls::RESET) = |call| store(call, CellKind::Atom, "an atom"),
        "Set the content of an atom; the value." "(reset! (atom 1) 2)" => "2";
    "reset-vals!" "[atom value]" lazy effect = reset_vals,
        "Like `reset!`; old and new content." "(reset-vals! (atom 1) 2)" => "[1 2]";
    "compare-and-set!" "[atom old new]" lazy effect = compare_and_set,
        "Set the atom when it holds `old`; whether it did." "(compare-and-set! (atom 1) 1 2)" => "true";
    "vreset!" "[vol value]" lazy effect quick(calls::RESET_VOLATILE)
        = |call| store(call, CellKind::Volatile, "a volatile"),
        "Set the content of a volatile; the value." "(vreset! (volatile! 1) 2)" => "2";
};
