//! Realising generators and running delays.

use super::{Begin, Native, Step};
use crate::error::{Res, Signal};
use crate::eval::cells::{Pull, SLOT, Tail};
use crate::eval::context::Context;
use crate::stdlib::{Builtin, Call, Force as RowForce, Run};
use crate::value::{CellKind, GeneratorRef, Value};

/// Realises generators, innermost first.
pub(crate) struct Force {
    /// Cells with the number of elements wanted of each, the one that is worked on last.
    chain: Vec<(u32, usize)>,
    /// The function that is running for the last of the chain.
    running: Option<Value>,
}

impl Force {
    /// Realise `count` elements of `cell`.
    pub fn new(wanted: Vec<(u32, usize)>) -> Force {
        Force { chain: wanted, running: None }
    }

    /// Like every frame's step; the function to call is in [`Force::function`].
    pub fn step(&mut self, returned: &mut Option<Value>, cx: &mut Context) -> Res<Step> {
        if let (Some(value), Some((cell, _))) = (returned.take(), self.chain.last()) {
            let function = self.running.take();
            if let Err(signal) = cx.with_cells(|cells, meter| cells.fill(*cell, value, meter)) {
                if let Some(function) = function {
                    cx.cells.unfill(*cell, function);
                }
                return Err(signal);
            }
        }
        while let Some((cell, count)) = self.chain.last().copied() {
            match cx.with_cells(|cells, meter| cells.pull(cell, count, meter))? {
                Pull::Done => {
                    self.chain.pop();
                }
                Pull::First(inner, count) => self.chain.push((inner, count)),
                Pull::Call(function) => {
                    self.running = Some(function);
                    return Ok(Step::Call);
                }
            }
        }
        Ok(Step::Done(Value::Nil))
    }

    /// The function that the running step calls.
    pub fn function(&self) -> Option<&Value> {
        self.running.as_ref()
    }

    /// An error leaves the cell unrealised.
    pub fn abandon(&mut self, cx: &mut Context) {
        if let (Some(function), Some((cell, _))) = (self.running.take(), self.chain.last()) {
            cx.cells.unfill(*cell, function);
        }
    }

    /// Whether its function for `cell` is running.
    pub fn computes(&self, cell: u32) -> bool {
        self.running.is_some() && self.chain.last().is_some_and(|(last, _)| *last == cell)
    }

    /// Whether the whole of a sequence is wanted.
    pub fn wants_all(&self) -> bool {
        self.chain.iter().any(|(_, count)| *count == usize::MAX)
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for (cell, _) in &self.chain {
            visit(&Value::Generator(GeneratorRef { cell: *cell, offset: 0 }));
        }
        self.running.iter().for_each(visit);
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
        // Another branch may have computed it since, or be about to.
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

fn force(call: &mut Call<'_>) -> Res<Begin> {
    match call.arg(0) {
        Value::Cell(cell) if cell.kind == CellKind::Delay => run_delay(call, cell.id),
        other => Ok(Begin::Value(other.clone())),
    }
}

fn run_delay(call: &Call<'_>, cell: u32) -> Res<Begin> {
    Ok(match call.cx.cells.waiting(cell) {
        Some(function) => Begin::Frame(Native::Delayed(Delayed { cell, running: false }), function.clone()),
        None => Begin::Value(call.cx.cells.content(cell).cloned().unwrap_or_default()),
    })
}

fn deref(call: &mut Call<'_>) -> Res<Begin> {
    match call.arg(0) {
        Value::Cell(cell) if cell.kind == CellKind::Delay => run_delay(call, cell.id),
        Value::Cell(cell) => Ok(Begin::Value(call.cx.cells.content(cell.id).cloned().unwrap_or_default())),
        Value::Var(name) => Ok(Begin::Var(name.clone())),
        Value::Reduced(inner) => Ok(Begin::Value(inner.get().clone())),
        other => Err(call.wrong("an atom, volatile, delay or var", other)),
    }
}

fn lazy(call: &mut Call<'_>) -> Res {
    let function = call.take(0);
    call.allocate(SLOT + 64)?;
    Ok(Value::Generator(call.cx.cells.generator(Vec::new(), Tail::Thunk(function))))
}

fn delay(call: &mut Call<'_>) -> Res {
    let function = call.take(0);
    call.allocate(SLOT)?;
    Ok(Value::Cell(call.cx.cells.delay(function)))
}

/// The rows of this file.
pub(crate) const ROWS: &[Builtin] = &[
    Builtin {
        name: "force",
        params: &["[x]"],
        doc: "The value of a delay, computed once; anything else as it is.",
        examples: &[("(force (delay (+ 1 2)))", "3")],
        force: RowForce::Lazy,
        run: Run::Native(force),
        ..Builtin::ROW
    },
    Builtin {
        name: "deref",
        params: &["[ref]"],
        doc: "The content of an atom, volatile or delay; `@ref` is the same.",
        examples: &[("@(atom 5)", "5")],
        force: RowForce::Lazy,
        run: Run::Native(deref),
        ..Builtin::ROW
    },
    Builtin { name: "%lazy", params: &["[f]"], run: Run::Plain(lazy), force: RowForce::Lazy, ..Builtin::ROW },
    Builtin { name: "%delay", params: &["[f]"], run: Run::Plain(delay), force: RowForce::Lazy, ..Builtin::ROW },
];
