//! `swap!`: one call on the content of a cell.

use super::in_place::swapped;
use super::{Begin, Native, Step, frames};
use crate::error::Res;
use crate::eval::context::Context;
use crate::stdlib::Call;
use crate::value::{CellKind, CellRef, Value};

/// `swap!` and its variants: call, then store; repeat when the content changed in between.
pub(crate) struct Swap {
    cell: CellRef,
    extra: Vec<Value>,
    seen: u64,
    /// The function owns the content while it runs, so that it changes in place: the cell is empty.
    owns: bool,
    /// Return both the old and the new content.
    both: bool,
}

impl Swap {
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(value) = returned.take()
            && cx.cells.version(self.cell.id) == self.seen
        {
            let old = if self.both { cx.cells.content(self.cell.id).cloned() } else { None }.unwrap_or_default();
            cx.cells.store(self.cell.id, value.clone());
            return Ok(Step::Done(if self.both { Value::vector(vec![old, value]) } else { value }));
        }
        self.seen = cx.cells.version(self.cell.id);
        if self.owns {
            args.push(cx.cells.take(self.cell.id));
            args.append(&mut self.extra);
            return Ok(Step::Call);
        }
        args.push(cx.cells.content(self.cell.id).cloned().unwrap_or_default());
        args.extend(self.extra.iter().cloned());
        Ok(Step::Call)
    }

    /// The arguments after the content, where the function may own that, if nothing notices.
    pub fn may_own(&self) -> Option<&[Value]> {
        (!self.both).then_some(&self.extra)
    }

    /// The function, which reads no cell, owns the content. Where it fails, the program ends, and its writes are undone.
    pub fn own(&mut self) {
        self.owns = true;
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&Value::Cell(self.cell));
        self.extra.iter().for_each(visit);
    }
}

fn swap_cell(call: &mut Call<'_>, kind: CellKind, word: &str, both: bool) -> Res<Begin> {
    let cell = match call.arg(0) {
        Value::Cell(cell) if cell.kind == kind => *cell,
        other => return Err(call.wrong(word, other)),
    };
    if !both && let Some(value) = swapped(call, cell)? {
        return Ok(Begin::Value(value));
    }
    let f = call.arg(1).clone();
    let extra = (2..call.len()).map(|at| call.take(at)).collect();
    Ok(Begin::Frame(Native::Swap(Swap { cell, extra, seen: 0, owns: false, both }), f))
}

frames! {
    "Updating";
    "swap!" "[atom f & args]" frame callback(Callback::Any) = |call| swap_cell(call, CellKind::Atom, "an atom", false),
        "Set the atom to `(f content & args)`; the new content." "(let [a (atom 1)] (swap! a + 2) @a)" => "3";
    "swap-vals!" "[atom f & args]" frame callback(Callback::Any) = |call| swap_cell(call, CellKind::Atom, "an atom", true),
        "Like `swap!`; old and new content." "(swap-vals! (atom 1) inc)" => "[1 2]";
    "vswap!" "[vol f & args]" frame callback(Callback::Any) = |call| swap_cell(call, CellKind::Volatile, "a volatile", false),
        "Set the volatile to `(f content & args)`; the new content." "(vswap! (volatile! 1) inc)" => "2";
}
