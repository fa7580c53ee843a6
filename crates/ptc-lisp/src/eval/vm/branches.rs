//! Scheduling the branches of `pmap` and `pcalls`.
//!
//! The running fiber is in the machine itself; the programs below it wait in `Machine::parents`, innermost last. A
//! parent's topmost native frame is the [`Parallel`] with its other branches.

use std::time::Duration;

use super::{Dest, Flow, Machine, Next};
use crate::error::{Reason, Res, Signal, argument_error, err};
use crate::eval::border::admit_answer;
use crate::eval::code_table::CodeTable;
use crate::eval::context::State;
use crate::eval::fiber::{AtRest, Fiber, each_call, parallel_of, waiting_call};
use crate::eval::local::FiberOutput;
use crate::eval::native::{Native, Pick, Status};
use crate::session::host::{ToolAnswer, ToolCall, ToolError};
use crate::session::outcome::ParallelRecord;
use crate::stdlib::append_output;
use crate::value::Value;

/// The deepest nesting of `pmap`, so code that walks fibers may recurse.
const NESTED: usize = 64;

/// The most branches whose capacity is kept while the program runs: as many as are active at once.
const SPARE: usize = 256;

/// The most bytes of capacity of a kept branch.
const SPARE_BYTES: usize = 1_024;

impl Machine {
    /// Run a branch of the topmost native frame, or end the frame, or say what it waits for.
    pub(super) fn schedule(&mut self, codes: &CodeTable) -> Res<Flow> {
        loop {
            let level = self.parents.len();
            let Some(parallel) = parallel_of(&mut self.natives) else { return Ok(Flow::Code) };
            match parallel.pick() {
                Pick::Run(fiber) => {
                    self.descend(fiber);
                    return Ok(Flow::Resume);
                }
                Pick::Start(number) => {
                    if level >= NESTED {
                        return Err(err(
                            Reason::RecursionLimitExceeded,
                            format!("pmap inside pmap is {NESTED} levels deep: use map in the inner ones"),
                        ));
                    }
                    return self.start_branch(codes, number);
                }
                Pick::Wait => {
                    self.next = Next::Native;
                    return Ok(Flow::Suspend);
                }
                Pick::Stall if level > 0 => {
                    self.next = Next::Native;
                    return Ok(Flow::Stall);
                }
                // Each branch waits for what another one computes: the first one fails.
                Pick::Stall => parallel.fail_first(argument_error(
                    "branches that wait for each other's sequences or delays; realise them before pmap",
                )),
                Pick::Finish => return self.finish_parallel(),
            }
        }
    }

    /// Start a branch of the topmost native frame, and call its function.
    fn start_branch(&mut self, codes: &CodeTable, number: usize) -> Res<Flow> {
        self.cx.meter.charge(1 + self.cx.local.tasks.len())?;
        self.cx.meter.allocate(Fiber::BYTES + self.cx.local.task_bytes())?;
        let mut fiber = self.spare.pop().unwrap_or_default();
        let Some(parallel) = parallel_of(&mut self.natives) else { return Ok(Flow::Code) };
        let count = fiber.begin(parallel, number, &self.cx.local.tasks);
        self.descend(fiber);
        // One step of the calling frame.
        self.slice -= 1;
        let needed = 4 + count;
        if self.regs.len() < needed {
            self.grow(needed)?;
        }
        match self.dispatch(codes, 0, count, true)? {
            Flow::Value(value) => Ok(Flow::Native(Some(value))),
            flow => Ok(flow),
        }
    }

    /// Make `fiber` the running branch; its calls nest in those of the program below.
    fn descend(&mut self, mut fiber: Box<Fiber>) {
        let running = self.frames.len().max(self.natives.len());
        self.exchange(&mut fiber);
        fiber.running = running;
        let depth = self.cx.meter.limits().depth;
        self.cx.meter.set_depth(depth.saturating_sub(running));
        // Now `fiber` holds the program below.
        self.parents.push(fiber);
    }

    /// Leave the running branch for the program below; returns the branch.
    fn ascend(&mut self) -> Option<Box<Fiber>> {
        let mut fiber = self.parents.pop()?;
        let depth = self.cx.meter.limits().depth;
        self.cx.meter.set_depth(depth.saturating_add(fiber.running));
        self.exchange(&mut fiber);
        Some(fiber)
    }

    /// The running branch cannot continue: its siblings may.
    pub(super) fn park(&mut self, status: Status) {
        if let Some(fiber) = self.ascend()
            && let Some(parallel) = parallel_of(&mut self.natives)
        {
            parallel.park(status, fiber);
        }
    }

    /// The running branch has ended.
    pub(super) fn end_branch(&mut self, result: Result<Value, Box<Signal>>) {
        let Some(mut fiber) = self.ascend() else { return };
        fiber.abandon(&mut self.cx);
        if let Some(parallel) = parallel_of(&mut self.natives) {
            parallel.end(result, fiber.local.leave(), &mut self.cx);
        }
        self.spare(fiber);
    }

    /// Keep a finished branch for the next one.
    fn spare(&mut self, mut fiber: Box<Fiber>) {
        if self.spare.len() < SPARE && fiber.own_bytes() <= SPARE_BYTES {
            fiber.end();
            self.spare.push(fiber);
        }
    }

    fn finish_parallel(&mut self) -> Res<Flow> {
        let Some(frame) = self.natives.pop() else { return Ok(Flow::Code) };
        let Native::Parallel(mut parallel) = frame.native else { return Ok(Flow::Code) };
        let left = parallel.outputs();
        let now = self.cx.clock.now_micros();
        let (values, record) = parallel.finish(&left, now, &mut self.cx.meter);
        self.keep(left);
        self.cx.meter.allocate(size_of::<ParallelRecord>())?;
        self.cx.local.left.parallel.push(record);
        let value = Value::vector(values?);
        match frame.dest {
            Dest::Register(register) => {
                self.regs[register] = value;
                Ok(Flow::Code)
            }
            _ => Ok(Flow::Native(Some(value))),
        }
    }

    /// Give the running program what its branches printed and recorded, in branch order.
    fn keep(&mut self, mut left: FiberOutput) {
        append_output(&mut self.cx, std::mem::take(&mut left.prints), &std::mem::take(&mut left.missing));
        self.cx.local.left.append(&mut left);
    }

    /// Abandon all branches and return to the program below them all, with what they printed and recorded.
    pub(super) fn give_up_branches(&mut self) {
        while let Some(mut fiber) = self.ascend() {
            fiber.abandon(&mut self.cx);
            fiber.gather();
            if let Some(parallel) = parallel_of(&mut self.natives) {
                let left = parallel.outputs_with(fiber.local.leave());
                self.keep(left);
            }
        }
        // The branches of the program itself, when none of them was running.
        self.give_up_waiting();
    }

    /// Show the calls that wait for the host, in branch order.
    pub fn each_call(&self, show: &mut dyn FnMut(&ToolCall)) {
        each_call(&self.natives, &self.cx.local, show);
    }

    /// Since when the program has waited for the host: the start of a single call, else now.
    pub fn suspended_at(&self) -> Duration {
        self.cx.local.pending.as_ref().map_or_else(|| self.cx.meter.moment(), |pending| pending.started)
    }

    /// Deliver the answers of the pending calls, in their order; an error is raised when its branch continues. `now` is
    /// the current time.
    ///
    /// A call without an answer fails.
    pub fn answer(&mut self, answers: impl IntoIterator<Item = ToolAnswer>, now: Duration) {
        let now_micros = self.cx.micros_at(now);
        let mut answers = answers.into_iter();
        let mut next = || answers.next().unwrap_or_else(|| Err(ToolError::new("the host gave no answer")).into());
        let Machine { regs, natives, tools, cx, codes, .. } = self;
        let State { local, has_comparators, cells, .. } = &mut **cx;
        let mut deliver = |fiber: AtRest<'_>| {
            let mut answer = next();
            admit_answer(&mut answer, codes, has_comparators);
            tools.answered(fiber, answer, now_micros, &mut cells.shown_names)
        };
        self.next = AtRest { regs, natives, local }.answer(&mut deliver).unwrap_or_default();
    }

    /// Give a waiting call other arguments, checked against its signature. `None` when no call with this number waits.
    pub fn amend(&mut self, seq: u64, args: Value) -> Option<Res<ToolCall>> {
        let Machine { natives, tools, cx, .. } = self;
        let mut local = std::mem::take(&mut cx.local);
        let amended = waiting_call(natives, &mut local, seq)
            .map(|waiting| tools.amend(waiting, args, cx).map(|()| waiting.call.clone()));
        cx.local = local;
        amended
    }

    /// Abandon the waiting branches, keeping what they printed and recorded.
    pub fn give_up_waiting(&mut self) {
        if let Some(parallel) = parallel_of(&mut self.natives) {
            let left = parallel.outputs();
            self.keep(left);
        }
    }

    /// Give the branch its own definitions: the programs below keep theirs.
    pub(super) fn own_globals(&mut self) -> Res<()> {
        if let Some(below) = self.parents.last_mut()
            && below.globals.is_none()
        {
            self.cx.meter.charge(self.globals.iter().count() + 1)?;
            self.cx.meter.allocate(self.globals.own_bytes())?;
            below.globals = Some(self.globals.clone());
        }
        Ok(())
    }

    /// Whether the running branch, or a program below it, is computing this cell itself.
    pub(super) fn computes(&self, cell: u32) -> bool {
        let below = self.parents.iter().flat_map(|fiber| &fiber.natives);
        self.natives.iter().chain(below).any(|frame| frame.native.computes(cell))
    }

    /// What to do about a cell that is being computed: wait for another branch, unless that can never help.
    pub(super) fn busy(&mut self, cell: u32) -> Res<Flow> {
        if self.parents.is_empty() || self.computes(cell) {
            return Err(argument_error(match self.cx.cells.waiting(cell) {
                Some(_) => "a delay that depends on itself: its body needs its value",
                None => "a sequence that depends on itself: its next element needs that element",
            }));
        }
        self.next = Next::Native;
        Ok(Flow::Stall)
    }

    /// Exchange the machine's fiber with `fiber`; a second exchange undoes it.
    pub(super) fn exchange(&mut self, fiber: &mut Fiber) {
        use std::mem::swap;
        swap(&mut self.regs, &mut fiber.regs);
        swap(&mut self.frames, &mut fiber.frames);
        swap(&mut self.natives, &mut fiber.natives);
        swap(&mut self.next, &mut fiber.next);
        swap(&mut self.cx.local, &mut fiber.local);
        if let Some(globals) = &mut fiber.globals {
            swap(&mut self.globals, globals);
        }
    }
}
