//! What sequence functions do with a generator that is not realised.

use super::{Builtin, Call, Force, Run};
use crate::error::{Res, Signal};
use crate::eval::cells::{Reach, Tail};
use crate::value::{GeneratorRef, Value};

/// The form of a builtin for unrealised generators.
#[derive(Copy, Clone)]
pub(crate) enum Form {
    Plain(fn(&mut Call<'_>) -> Res),
    /// A function of the prelude takes the same arguments.
    Prelude(&'static str),
}

/// The generator form of the row with this name; every other row realises its arguments first.
pub(crate) fn form(name: &str) -> Option<Form> {
    Some(match name {
        "first" => Form::Plain(first),
        "second" | "fnext" => Form::Plain(second),
        "rest" => Form::Plain(rest),
        "next" => Form::Plain(next),
        "nnext" => Form::Plain(nnext),
        "nth" | "%nth" => Form::Plain(nth),
        "%at?" => Form::Plain(reaches),
        "%rest" => Form::Plain(rest_from),
        "seq" | "not-empty" => Form::Plain(seq),
        "empty?" => Form::Plain(is_empty),
        "take" => Form::Plain(take),
        "drop" => Form::Plain(drop_first),
        "nthrest" => Form::Plain(nthrest),
        "nthnext" => Form::Plain(nthnext),
        "cons" => Form::Plain(cons),
        "%seq-pattern" | "seq?" | "sequential?" | "coll?" | "vector?" | "counted?" | "indexed?" | "seqable?" | "identity" => return None,
        "concat" => Form::Prelude("%lazy-concat"),
        "interleave" => Form::Prelude("%lazy-interleave"),
        "interpose" => Form::Prelude("%lazy-interpose"),
        "take-nth" => Form::Prelude("%lazy-take-nth"),
        "distinct" => Form::Prelude("%lazy-distinct"),
        "dedupe" => Form::Prelude("%lazy-dedupe"),
        "partition" => Form::Prelude("%lazy-partition"),
        "partition-all" => Form::Prelude("%lazy-partition-all"),
        "zip" => Form::Prelude("%lazy-zip"),
        "zipmap" => Form::Prelude("%lazy-zipmap"),
        _ => return None,
    })
}

/// The generator among the arguments at `index`, when it is one.
fn view(call: &Call<'_>, index: usize) -> Option<GeneratorRef> {
    match call.arg(index) {
        Value::Generator(view) => Some(*view),
        _ => None,
    }
}

/// Whether `count` elements are there; asks for them when nobody knows.
fn reach(call: &mut Call<'_>, view: GeneratorRef, count: usize) -> Res<bool> {
    call.charge(1)?;
    match call.cx.cells.reach(view, count) {
        Reach::Enough => Ok(true),
        Reach::Ended => Ok(false),
        Reach::Unknown => Err(Box::new(Signal::Need { cell: view.cell, count: (view.offset as usize).saturating_add(count) })),
    }
}

fn element(call: &mut Call<'_>, source: usize, index: usize) -> Res<Option<Value>> {
    let Some(view) = view(call, source) else { return Ok(None) };
    Ok(if reach(call, view, index.saturating_add(1))? { call.cx.cells.get(view, index).cloned() } else { None })
}

fn behind(view: GeneratorRef, count: usize) -> GeneratorRef {
    GeneratorRef { cell: view.cell, offset: view.offset.saturating_add(u32::try_from(count).unwrap_or(u32::MAX)) }
}

fn first(call: &mut Call<'_>) -> Res {
    Ok(element(call, 0, 0)?.unwrap_or_default())
}

fn second(call: &mut Call<'_>) -> Res {
    Ok(element(call, 0, 1)?.unwrap_or_default())
}

/// What is behind `count` elements; `empty` when nothing can be.
fn tail(call: &mut Call<'_>, source: usize, count: usize, known: usize, empty: Value) -> Res {
    let Some(view) = view(call, source) else { return Ok(empty) };
    Ok(if reach(call, view, known)? { Value::Generator(behind(view, count)) } else { empty })
}

fn rest(call: &mut Call<'_>) -> Res {
    tail(call, 0, 1, 1, Value::vector(Vec::new()))
}

fn next(call: &mut Call<'_>) -> Res {
    tail(call, 0, 1, 2, Value::Nil)
}

fn nnext(call: &mut Call<'_>) -> Res {
    tail(call, 0, 2, 3, Value::Nil)
}

fn seq(call: &mut Call<'_>) -> Res {
    tail(call, 0, 0, 1, Value::Nil)
}

fn is_empty(call: &mut Call<'_>) -> Res {
    let Some(view) = view(call, 0) else { return Ok(Value::Bool(true)) };
    Ok(Value::Bool(!reach(call, view, 1)?))
}

/// A count or index argument; `None` for a negative one.
fn number(call: &Call<'_>, index: usize) -> Res<Option<usize>> {
    Ok(usize::try_from(call.int(index)?).ok())
}

fn nth(call: &mut Call<'_>) -> Res {
    let Some(index) = number(call, 1)? else { return Ok(call.arg(2).clone()) };
    Ok(match element(call, 0, index)? {
        Some(value) => value,
        None => call.arg(2).clone(),
    })
}

fn reaches(call: &mut Call<'_>) -> Res {
    let Some(index) = number(call, 1)? else { return Ok(Value::Bool(false)) };
    let Some(view) = view(call, 0) else { return Ok(Value::Bool(false)) };
    Ok(Value::Bool(reach(call, view, index.saturating_add(1))?))
}

fn rest_from(call: &mut Call<'_>) -> Res {
    let count = number(call, 1)?.unwrap_or(0);
    tail(call, 0, count, count + 1, Value::Nil)
}

fn take(call: &mut Call<'_>) -> Res {
    let Some(count) = number(call, 0)?.filter(|count| *count > 0) else { return Ok(Value::vector(Vec::new())) };
    let Some(view) = view(call, 1) else { return Ok(Value::vector(Vec::new())) };
    reach(call, view, count)?;
    let items: Vec<Value> = call.cx.cells.realised(view).iter().take(count).cloned().collect();
    call.charge(items.len())?;
    call.vector(items)
}

fn drop_first(call: &mut Call<'_>) -> Res {
    let count = number(call, 0)?.unwrap_or(0);
    tail(call, 1, count, count, Value::vector(Vec::new()))
}

fn nthrest(call: &mut Call<'_>) -> Res {
    let count = number(call, 1)?.unwrap_or(0);
    tail(call, 0, count, count, Value::vector(Vec::new()))
}

fn nthnext(call: &mut Call<'_>) -> Res {
    let count = number(call, 1)?.unwrap_or(0);
    tail(call, 0, count, count + 1, Value::Nil)
}

fn cons(call: &mut Call<'_>) -> Res {
    let Some(view) = view(call, 1) else {
        // The element is the generator: the collection is a plain one.
        let item = call.take(0);
        let mut items = vec![item];
        items.extend(call.seq(1)?.into_vec());
        return call.vector(items);
    };
    let item = call.take(0);
    call.allocate(176)?;
    Ok(Value::Generator(call.cx.cells.generator(vec![item], Tail::Seq(view))))
}

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
