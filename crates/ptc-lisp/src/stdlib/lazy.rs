//! Rows about laziness itself.

use super::seq::take::amount;
use super::seq::{reaches, realise, sized};
use super::{Call, Family, Sequences, rows};
use crate::error::Res;
use crate::eval::cells::Reach;
use crate::value::Value;

fn realized(call: &mut Call<'_>) -> Res {
    Ok(Value::Bool(match call.arg(0) {
        Value::LazySeq(view) => call.cx.cells.reach(*view, 1) != Reach::Unknown,
        Value::Cell(cell) => call.cx.cells.waiting(cell.id).is_none(),
        other => return Err(call.wrong("a lazy sequence or a delay", other)),
    }))
}

/// Realise the last argument, or as many elements of it as the first one says.
fn run_through(call: &mut Call<'_>) -> Res<()> {
    if call.len() == 1 {
        return realise(call, 0);
    }
    let wanted = amount(call, 0)?;
    match *call.arg(1) {
        Value::LazySeq(view) => reaches(call.cx, view, wanted).map(drop),
        _ => sized(call, 1).map(drop),
    }
}

pub(crate) const FAMILY: Family = rows! {
    "Lazy sequences";
    "%generator?" "[x]" lazy prefix(Sequences::First) effect
        = |call| Ok(Value::Bool(matches!(call.arg(0), Value::LazySeq(view) if !call.cx.cells.is_finished(*view))));
    "%whole" "[x]" lazy = |call| Ok(call.take(0)),
        "A sequence that surely ends, realised; anything else as it is.";
    "realized?" "[x]" lazy prefix(Sequences::First) effect = realized,
        "Whether a delay has run or a lazy sequence has started." "(realized? (delay 1))" => "false";
    "doall" "[coll]" "[n coll]" lazy size(Size::Last)
        effect = |call| run_through(call).map(|()| call.take(call.len() - 1)),
        "The sequence, realised; with n its first n elements." "(doall (map inc [1 2]))" => "[2 3]";
    "dorun" "[coll]" "[n coll]" lazy effect = |call| run_through(call).map(|()| Value::Nil),
        "Realise a sequence, or its first n elements, for its effects; nil." "(dorun (map inc [1 2]))" => "nil";
};
