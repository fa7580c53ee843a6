//! Realising generators and running delays.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::{Begin, Native, Step, frames};
use crate::error::{Res, Signal};
use crate::eval::cells::{Cells, Cursor, Each, Mode, Need, Pull, SLOT, Steps, Tail};
use crate::eval::context::Context;
use crate::stdlib::known::known;
use crate::stdlib::{Call, Sequences};
use crate::value::{CellKind, LazySeq, Value, Vector, reserve};

/// Realises generators, innermost first.
pub(crate) struct Force {
    /// The generator being realised is last.
    chain: Vec<Link>,
}

/// One generator in the chain.
struct Link {
    cell: u32,
    /// The number of elements needed, and how many are computed.
    wanted: usize,
    count: usize,
    /// What is running for it, or waits for the next generator of the chain.
    running: Option<Tail>,
}

impl Link {
    fn new(cell: u32, wanted: usize) -> Link {
        Link { cell, wanted, count: wanted, running: None }
    }

    /// Stop: the cell continues from here the next time.
    fn stop(&mut self, cells: &mut Cells) {
        if let Some(tail) = self.running.take() {
            cells.set_tail(self.cell, tail);
        }
    }
}

impl Force {
    /// Realise the given number of elements of each cell.
    pub fn new(wanted: Vec<(u32, usize)>) -> Force {
        Force { chain: wanted.into_iter().map(|(cell, count)| Link::new(cell, count)).collect() }
    }

    /// Like every frame's step; the function to call is in [`Force::function`].
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        while let Some(Link { cell, wanted, count, running }) = self.chain.last_mut() {
            if running.is_none() {
                *count = if cx.cells.has_elements(*cell, *wanted) { *wanted } else { cx.cells.ahead(*cell, *wanted) };
            }
            let (cell, count) = (*cell, *count);
            match running {
                None => match cx.with_cells(|cells, meter| cells.pull(cell, count, meter))? {
                    Pull::Done => {
                        self.chain.pop();
                    }
                    Pull::First(inner, count) => self.first(inner, count, cx)?,
                    Pull::Run(tail) => {
                        let calls = matches!(tail, Tail::Thunk(_));
                        *running = Some(tail);
                        if calls {
                            return Ok(Step::Call);
                        }
                    }
                },
                Some(Tail::Steps(steps)) => {
                    match cx.with_cells(|cells, meter| cells.go_on((cell, count), steps, returned, args, meter))? {
                        Need::Call => return Ok(Step::Call),
                        Need::First(inner, count) => self.first(inner, count, cx)?,
                        Need::End => {
                            *running = None;
                            cx.cells.set_tail(cell, Tail::End);
                        }
                        Need::Nothing => {
                            if let Some(mut link) = self.chain.pop() {
                                link.stop(&mut cx.cells);
                            }
                        }
                    }
                }
                Some(_) => {
                    let value = returned.take().unwrap_or_default();
                    cx.with_cells(|cells, meter| cells.fill(cell, value, meter))?;
                    *running = None;
                }
            }
        }
        Ok(Step::Done(Value::Nil))
    }

    /// Realise this cell before the current one continues.
    fn first(&mut self, cell: u32, count: usize, cx: &mut Context) -> Res<()> {
        reserve(&mut self.chain, 1, &mut cx.meter)?;
        self.chain.push(Link::new(cell, count));
        Ok(())
    }

    /// See [`Native::again`].
    #[inline]
    pub fn again(&mut self, returned: &mut Value, args: &mut [Value], cx: &mut Context) -> bool {
        match self.chain.last_mut() {
            Some(Link { cell, count, running: Some(Tail::Steps(steps)), .. }) => {
                cx.state.cells.go_on_quickly((*cell, *count), steps, returned, args)
            }
            _ => false,
        }
    }

    /// The function that the running step calls.
    pub fn function(&self) -> Option<Value> {
        match self.chain.last()?.running.as_ref()? {
            Tail::Thunk(function) => Some(function.clone()),
            Tail::Steps(steps) => Some(steps.function()),
            _ => None,
        }
    }

    /// After an error in an element: whether it was computed ahead of those that are needed. Then nothing has happened.
    pub fn forgives(&mut self, cx: &mut Context) -> bool {
        while let Some(mut link) = self.chain.pop() {
            link.stop(&mut cx.cells);
            if link.count > link.wanted && cx.cells.has_elements(link.cell, link.wanted) {
                return true;
            }
        }
        false
    }

    /// After an error, the cells keep what is realised.
    pub fn abandon(&mut self, cx: &mut Context) {
        for link in &mut self.chain {
            link.stop(&mut cx.cells);
        }
    }

    /// Whether something for `cell` is running.
    pub fn computes(&self, cell: u32) -> bool {
        self.chain.iter().any(|link| link.cell == cell && link.running.is_some())
    }

    /// Whether a whole sequence is needed.
    pub fn wants_all(&self) -> bool {
        self.chain.iter().any(|link| link.count == usize::MAX)
    }

    /// Its size in bytes, without its values.
    pub fn own_bytes(&self) -> usize {
        self.chain.capacity() * size_of::<Link>()
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for link in &self.chain {
            visit(&Value::LazySeq(LazySeq { cell: link.cell, offset: 0 }));
            link.running.iter().for_each(|tail| tail.visit(visit));
        }
    }
}

/// A delay that runs for the first time.
pub(crate) struct Delayed {
    cell: u32,
    running: bool,
}

impl Delayed {
    pub fn step(&mut self, returned: &mut Option<Value>, cx: &mut Context) -> Res<Step> {
        if let Some(value) = returned.take() {
            self.running = false;
            cx.cells.store(self.cell, value.clone());
            return Ok(Step::Done(value));
        }
        // Another branch may have computed it since, or may be computing it.
        if let Some(value) = cx.cells.content(self.cell) {
            return Ok(Step::Done(value.clone()));
        }
        if !cx.cells.begin_delay(self.cell) {
            return Err(Box::new(Signal::Busy(self.cell)));
        }
        self.running = true;
        Ok(Step::Call)
    }

    /// An error leaves the delay as it was.
    pub fn abandon(&mut self, cx: &mut Context) {
        if std::mem::take(&mut self.running) {
            cx.cells.end_delay(self.cell);
        }
    }

    /// Whether its function is running.
    pub fn computes(&self, cell: u32) -> bool {
        self.running && self.cell == cell
    }
}

/// Counting from below this integer, no program gets to one beyond 64 bits.
const FAR: i64 = 1 << 62;

fn force(call: &mut Call<'_>) -> Res<Begin> {
    match call.arg(0) {
        Value::Cell(cell) if cell.kind == CellKind::Delay => Ok(content(call, cell.id)),
        other => Ok(Begin::Value(other.clone())),
    }
}

/// The content of a cell; a delay that has not run runs first.
fn content(call: &Call<'_>, cell: u32) -> Begin {
    match call.cx.cells.waiting(cell) {
        Some(function) => Begin::Frame(Native::Delayed(Delayed { cell, running: false }), function.clone()),
        None => Begin::Value(call.cx.cells.content(cell).cloned().unwrap_or_default()),
    }
}

fn deref(call: &mut Call<'_>) -> Res<Begin> {
    match call.arg(0) {
        Value::Cell(cell) => Ok(content(call, cell.id)),
        Value::Var(name) => Ok(Begin::Var(name.clone())),
        Value::Reduced(inner) => Ok(Begin::Value(inner.get().clone())),
        other => Err(call.wrong("an atom, volatile, delay or var", other)),
    }
}

fn lazy(call: &mut Call<'_>) -> Res {
    let function = call.take(0);
    call.allocate(SLOT + 64)?;
    Ok(Value::LazySeq(call.cx.cells.generator(Vec::new(), Tail::Thunk(function))))
}

/// A sequence computed by these steps.
fn made(call: &mut Call<'_>, steps: Steps) -> Res {
    call.allocate(SLOT + 64 + steps.bytes())?;
    Ok(Value::LazySeq(call.cx.cells.generator(Vec::new(), Tail::Steps(Box::new(steps)))))
}

/// A sequence computed from two arguments.
fn made_of(call: &mut Call<'_>, steps: fn(Value, Value) -> Steps) -> Res {
    let steps = steps(call.take(0), call.take(1));
    made(call, steps)
}

fn repeat_forever(call: &mut Call<'_>) -> Res {
    let steps = Steps::Repeat(call.take(0));
    made(call, steps)
}

fn cycle(call: &mut Call<'_>) -> Res {
    let steps = Steps::Cycle(call.seq(0)?, 0);
    made(call, steps)
}

fn source(call: &mut Call<'_>, at: usize) -> (Cursor, bool) {
    let source = call.take(at);
    call.cx.cells.cursor(source)
}

/// The results of argument `f`, a function, for the elements of the arguments at `sources`.
fn each(call: &mut Call<'_>, mode: Mode, indexed: bool, f: usize, sources: Range<usize>) -> Res {
    let (f, sources) = (call.take(f), sources.map(|at| source(call, at)));
    let (sources, pure): (Vec<_>, Vec<_>) = sources.unzip();
    let pure = pure.into_iter().all(|pure| pure);
    made(call, Steps::Each(Each { mode, f, sources, index: indexed.then_some(0), current: Value::Nil, pure }))
}

/// `x`, `(f x)`, `(f (f x))` and so on.
fn iterated(f: Value, x: Value) -> Steps {
    match (&f, &x) {
        (Value::Builtin(id), Value::Int(start @ ..FAR)) if *id == known().inc => Steps::Naturals(*start),
        _ => Steps::Iterate { f, x, begun: false },
    }
}

/// `init`, then the results of each step of `reduce` from there.
fn reductions(call: &mut Call<'_>) -> Res {
    let (f, init) = (call.take(0), call.take(1));
    let (source, pure) = source(call, 2);
    let current = init.clone();
    let each = Each { mode: Mode::Scan, f, sources: vec![source], index: None, current, pure };
    call.allocate(SLOT + 64 + size_of::<Steps>() + size_of::<Cursor>())?;
    Ok(Value::LazySeq(call.cx.cells.generator(vec![init], Tail::Steps(Box::new(Steps::Each(each))))))
}

fn delay(call: &mut Call<'_>) -> Res {
    let function = call.take(0);
    call.allocate(SLOT)?;
    Ok(Value::Cell(call.cx.cells.delay(function)))
}

frames! {
    "Delays and references";
    "force" "[x]" frame = force,
        "The value of a delay, computed once; anything else as it is." "(force (delay (+ 1 2)))" => "3";
    "deref" "[ref]" frame = deref,
        "The content of an atom, volatile or delay; `@ref` is the same." "@(atom 5)" => "5";
    "%lazy" "[f]" lazy effect = lazy;
    "%unfold" "[step state]" lazy passes(Sequences::From(1)) effect = |call| made_of(call, |step, state| Steps::Unfold { step, state });
    "%unfold-all" "[step state]" lazy passes(Sequences::From(1)) effect
        = |call| made_of(call, |step, state| Steps::Batches { step, state, made: Vector::new(), at: 0 });
    "%iterate" "[f x]" lazy passes(Sequences::From(1)) effect = |call| made_of(call, iterated);
    "%naturals" "[]" lazy effect = |call| made(call, Steps::Naturals(0));
    "%repeat-forever" "[x]" lazy effect = repeat_forever;
    "%cycle" "[items]" lazy effect = cycle;
    "%lazy-map" "[f coll & colls]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::Map, false, 0, 1..call.len());
    "%lazy-map-indexed" "[f coll]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::Map, true, 0, 1..call.len());
    "%lazy-filter" "[pred coll]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::Filter, false, 0, 1..call.len());
    "%lazy-remove" "[pred coll]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::Remove, false, 0, 1..call.len());
    "%lazy-keep" "[f coll]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::Keep, false, 0, 1..call.len());
    "%lazy-keep-indexed" "[f coll]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::Keep, true, 0, 1..call.len());
    "%lazy-take-while" "[pred coll]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::TakeWhile, false, 0, 1..call.len());
    "%lazy-drop-while" "[pred coll]" lazy steps(Sequences::From(1)) effect = |call| each(call, Mode::DropWhile, false, 0, 1..call.len());
    "%lazy-for" "[coll f]" lazy steps(Sequences::First) effect = |call| each(call, Mode::For, false, 1, 0..1);
    "%lazy-reductions" "[f init coll]" lazy steps(Sequences::From(2)) effect = reductions;
    "%delay" "[f]" lazy effect = delay;
}
