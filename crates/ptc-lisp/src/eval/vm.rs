//! The machine: registers, frames and the loop that runs instructions.
//!
//! Nothing of a run lives on the native stack: a tool call, a used-up slice or an error leaves the machine in a state
//! that can be resumed, inspected or dropped.

#![allow(
    clippy::indexing_slicing,
    reason = "the compiler checks register and jump operands; every access is still bounds-checked"
)]

mod branches;
mod call;
mod construct;
mod each;
mod exec;
mod natives;
mod nested;
mod operands;
mod origin;
mod scan;
mod unwind;
mod update;

use std::sync::{Arc, Weak};

use super::code_table::CodeTable;
use super::context::Context;
use super::fiber::{Answer, FIRST_REGISTERS, Fiber, Frame, NativeFrame, Next};
use super::globals::Globals;
use super::local::Dest;
use super::native::{Native, OneCall, Status};
use crate::analyze::Edit;
use crate::analyze::ir::CaptureSource;
use crate::error::{Error, Reason, Res, Signal, err};
use crate::index::addressable;
use crate::optimize::Plan;
use crate::parse::program_text::ProgramText;
use crate::parse::span::Span;
use crate::value::{Captures, Closure, Lent, Map, Value};

/// Units of fuel between two checks of the limits, whatever the slice.
const LOOK: i64 = 4_096;

/// How the loop continues.
enum Flow {
    /// Run the topmost frame.
    Code,
    /// Step the topmost native frame with this value.
    Native(Option<Value>),
    /// A value for the register of the running instruction.
    Value(Value),
    /// Continue where the fiber stopped.
    Resume,
    /// The fiber waits for the host.
    Suspend,
    /// The fiber waits for what another branch computes.
    Stall,
    /// Leave the machine, or the branch.
    Exit(Exit),
}

/// Whose turn it is in the machine.
#[derive(Copy, Clone)]
enum Turn {
    /// The fiber's, where it stopped.
    Resume,
    /// The topmost frame's.
    Code,
    /// The topmost native frame's.
    Native,
}

/// Why the machine stopped.
pub(crate) enum Exit {
    Done(Value),
    /// The slice is used up.
    Slice,
    /// The host must answer the calls that wait.
    Calls,
    /// An error, a limit, `return` or `fail`.
    Signal(Box<Signal>),
}

/// The machine of a session.
pub(crate) struct Machine {
    /// All code of the session by index.
    pub codes: Arc<CodeTable>,
    regs: Vec<Value>,
    frames: Vec<Frame>,
    natives: Vec<NativeFrame>,
    args: Vec<Value>,
    pub cx: Context,
    pub globals: Globals,
    /// `data/`
    pub data: Map,
    /// `data/fail`
    pub fail: Value,
    /// Results of earlier turns, latest first.
    pub history: Vec<Value>,
    /// The last error, without the values that a program attached to it; nil before the first.
    pub error: Value,
    pub tools: super::tools::Tools,
    /// The text of the running program: only its code is shown in positions.
    pub text: Arc<ProgramText>,
    slice: i64,
    granted: i64,
    slice_left: i64,
    next: Next,
    /// Where the program ended: errors while its result is realised get this place.
    pub ended_at: Option<Span>,
    /// The programs below the running branch, innermost last.
    #[allow(
        clippy::vec_box,
        reason = "fibers go to and fro between here and their `Parallel`, hundreds of bytes each"
    )]
    parents: Vec<Box<Fiber>>,
    /// Finished branches, kept for their capacity.
    #[allow(clippy::vec_box, reason = "as above")]
    spare: Vec<Box<Fiber>>,
    /// Runs comparators; created when the first one is needed.
    inner: Option<Box<Lent>>,
    /// What runs around this machine, when it is itself an inner one.
    outer: nested::Outer,
    /// Changes that tests make to the language.
    pub edits: Vec<Box<dyn Edit>>,
    /// How programs are optimized: by all passes, except where a test leaves some out.
    pub plan: Arc<Plan>,
    /// Why no program can run: an option of the session holds what belongs to another one.
    pub refusal: Option<Box<Error>>,
    /// The definitions before the running program, to go back to when it fails; `None` when nothing of it ran, or when it
    /// is a call that has defined nothing.
    pub before: Option<Globals>,
    /// Checkpoints that may be restored.
    held: Vec<Weak<Globals>>,
}

impl std::fmt::Debug for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Machine({} frames)", self.frames.len())
    }
}

impl Machine {
    pub fn new(cx: Context, data: Map, tools: super::tools::Tools) -> Machine {
        Machine {
            codes: Arc::default(),
            regs: Vec::new(),
            frames: Vec::new(),
            natives: Vec::new(),
            args: Vec::new(),
            cx,
            globals: Globals::default(),
            data,
            fail: Value::Nil,
            history: Vec::new(),
            error: Value::Nil,
            tools,
            text: Arc::default(),
            slice: 0,
            granted: 0,
            slice_left: 0,
            next: Next::Nothing,
            ended_at: None,
            parents: Vec::new(),
            spare: Vec::new(),
            inner: None,
            outer: nested::Outer::default(),
            edits: Vec::new(),
            plan: Plan::all(),
            refusal: None,
            before: None,
            held: Vec::new(),
        }
    }

    /// Hold definitions that may be restored: their cells stay as long as they are held.
    pub fn hold(&mut self, globals: Globals) -> Arc<Globals> {
        let globals = Arc::new(globals);
        self.held.retain(|held| held.strong_count() > 0);
        self.held.push(Arc::downgrade(&globals));
        globals
    }

    /// Whether this machine holds these definitions.
    pub fn holds(&self, globals: &Arc<Globals>) -> bool {
        self.held.iter().any(|held| std::ptr::eq(held.as_ptr(), Arc::as_ptr(globals)))
    }

    /// Keep the definitions before the first one of a call, which starts without a copy of them.
    fn keep_globals(&mut self) {
        if self.before.is_none() {
            self.before = Some(self.globals.clone());
        }
    }

    /// Start a call of `function` by the host, when nothing runs.
    ///
    /// Errors when the function does not take so many arguments, or no call may nest.
    pub fn start_call(&mut self, function: Value, args: Vec<Value>) -> Res<()> {
        let count = args.len();
        self.regs.resize_with((count + 1).max(FIRST_REGISTERS), Value::default);
        self.ended_at = None;
        self.text = self.text_of(&function);
        let Value::Function(closure) = &function else {
            self.push_native(Native::Call(OneCall::new(args)), 0, Dest::Exit)?;
            self.regs[0] = function;
            self.next = Next::Native;
            return Ok(());
        };
        // Its frame is that of a program: below it, the callee, and afterwards the result.
        let closure = closure.clone();
        self.regs[0] = function;
        self.regs.iter_mut().skip(1).zip(args).for_each(|(register, arg)| *register = arg);
        self.enter(&closure, 0, count, false)?;
        self.next = Next::Code;
        Ok(())
    }

    /// The program that a function is of.
    fn text_of(&self, function: &Value) -> Arc<ProgramText> {
        let Value::Function(closure) = function else { return Arc::default() };
        let code = closure.proto.arities.first().and_then(|entry| self.codes.get(entry.code as usize));
        code.map(|code| code.text.clone()).unwrap_or_default()
    }

    /// Start running the arity without parameters at `index`.
    pub fn start(&mut self, index: u32) {
        self.clear();
        let registers = self.codes.get(index as usize).map_or(0, |code| usize::from(code.registers));
        self.regs.resize_with((registers + 1).max(FIRST_REGISTERS), Value::default);
        self.ended_at = None;
        self.frames.push(Frame { code: index, pc: 0, base: 1, answer: Answer::PLAIN });
        self.next = Next::Code;
    }

    /// Forget what was running.
    pub fn clear(&mut self) {
        self.give_up_branches();
        self.spare = Vec::new();
        self.frames.clear();
        while let Some(mut native) = self.natives.pop() {
            native.native.abandon(&mut self.cx);
        }
        self.regs.clear();
        self.args.clear();
        self.cx.local.pending = None;
        self.next = Next::Nothing;
        // A finished run needs no more fuel.
        let _ = self.settle();
    }

    /// Charge the granted units that were used. Errors when they are too many.
    fn settle(&mut self) -> Res<()> {
        let used = addressable(self.granted - self.slice);
        self.granted = 0;
        self.slice = 0;
        Ok(self.cx.meter.charge(used)?)
    }

    /// Run for at most `slice` units of fuel; `codes` are those of the machine.
    pub fn run(&mut self, codes: &CodeTable, slice: i64) -> Exit {
        self.slice_left = slice.max(1);
        self.grant();
        let exit = self.run_with(codes);
        let settled = self.settle();
        match (exit, settled) {
            (exit @ (Exit::Calls | Exit::Slice), _) => exit,
            (Exit::Signal(signal), _) if is_limit(&signal) => Exit::Signal(signal),
            // The last units exceeded the fuel.
            (_, Err(signal)) => Exit::Signal(signal),
            (exit, Ok(())) => exit,
        }
    }

    fn run_with(&mut self, codes: &CodeTable) -> Exit {
        let (mut turn, mut returned) = (Turn::Resume, None);
        loop {
            // The result of a turn is read in place: copying it would cost more than most turns do.
            let flow = match turn {
                Turn::Resume => self.resume(),
                Turn::Code => self.exec(codes),
                Turn::Native => self.run_natives(codes, returned.take()),
            };
            turn = match flow {
                Ok(Flow::Code) => Turn::Code,
                Ok(Flow::Native(value)) => {
                    returned = value;
                    Turn::Native
                }
                Ok(Flow::Resume) => Turn::Resume,
                Ok(Flow::Suspend) if self.parents.is_empty() => return Exit::Calls,
                Ok(stopped @ (Flow::Suspend | Flow::Stall)) => {
                    self.park(if matches!(stopped, Flow::Suspend) { Status::Waiting } else { Status::Stalled });
                    Turn::Native
                }
                Ok(Flow::Exit(Exit::Done(value))) if !self.parents.is_empty() => {
                    self.end_branch(Ok(value));
                    Turn::Native
                }
                // Only instructions request values, and they take them themselves.
                Ok(Flow::Value(value)) => return Exit::Done(value),
                Ok(Flow::Exit(exit)) => return exit,
                Err(signal) => match self.unwind(codes, signal) {
                    Ok(turn) => turn,
                    Err(signal) if self.parents.is_empty() || is_limit(&signal) => {
                        self.clear();
                        return Exit::Signal(signal);
                    }
                    Err(signal) => {
                        self.end_branch(Err(signal));
                        Turn::Native
                    }
                },
            };
        }
    }

    /// How the fiber continues.
    fn resume(&mut self) -> Res<Flow> {
        match std::mem::replace(&mut self.next, Next::Nothing) {
            Next::Code => Ok(Flow::Code),
            Next::Native => Ok(Flow::Native(self.natives.last_mut().and_then(|native| native.inbox.take()))),
            Next::Raise(signal) => Err(signal),
            Next::Nothing => Ok(Flow::Exit(Exit::Done(Value::Nil))),
        }
    }

    fn grant(&mut self) {
        self.granted = self.slice_left.min(LOOK).min(self.cx.meter.fuel_left()).max(0);
        self.slice = self.granted;
    }

    /// Leave before the instruction at `pc`, which runs when the next slice starts.
    #[cold]
    fn stop_before(&mut self, pc: u32) -> Flow {
        if let Some(top) = self.frames.last_mut() {
            top.pc = pc;
        }
        self.next = Next::Code;
        Flow::Exit(Exit::Slice)
    }

    /// The granted units are used up: charge them, check the limits, grant more. True when the slice is over.
    #[cold]
    fn refill(&mut self) -> Res<bool> {
        let used = self.granted - self.slice - 1;
        self.granted = 0;
        self.slice = 0;
        self.cx.meter.charge(addressable(used))?;
        if self.cx.meter.fuel_left() <= 0 {
            // One more unit is one too many.
            self.cx.meter.charge(1)?;
        }
        self.slice_left -= used;
        if self.cx.meter.scan_due() {
            self.scan()?;
        }
        if self.slice_left <= 0 {
            return Ok(true);
        }
        self.grant();
        self.slice -= 1;
        Ok(false)
    }

    fn sibling(&self, base: usize, index: u32) -> Value {
        let Value::Function(closure) = &self.regs[base - 1] else { return Value::Nil };
        let Captures::Group(group) = &closure.captures else { return Value::Nil };
        let sibling = Closure::of_group(group, index as usize);
        sibling.map(|closure| Value::Function(Arc::new(closure))).unwrap_or_default()
    }

    /// A captured value of the running function.
    #[inline]
    fn captured(&self, base: usize, index: u16) -> Value {
        let Value::Function(closure) = &self.regs[base - 1] else { return Value::Nil };
        closure.captured().get(usize::from(index)).map(Value::copy).unwrap_or_default()
    }

    fn capture(&self, base: usize, sources: &[CaptureSource]) -> Vec<Value> {
        sources
            .iter()
            .map(|source| match source {
                CaptureSource::Local(slot) => self.regs[base + *slot as usize].clone(),
                CaptureSource::Capture(index) => self.captured(base, *index as u16),
                CaptureSource::SelfFn => self.regs[base - 1].clone(),
                CaptureSource::Sibling(index) => self.sibling(base, *index),
            })
            .collect()
    }

    /// Allocate `needed` registers.
    #[cold]
    fn grow(&mut self, needed: usize) -> Res<()> {
        let target =
            if needed < 1 << 16 { needed.next_power_of_two().max(FIRST_REGISTERS) } else { needed + needed / 8 };
        self.claim((target - self.regs.len()) * 16)?;
        if (target as u64) * 16 > self.cx.meter.limits().memory.max(1 << 20) {
            return Err(err(
                Reason::MemoryExceeded,
                "the calls that are running need more memory than the limit allows",
            ));
        }
        self.regs.reserve_exact(target - self.regs.len());
        self.regs.resize(target, Value::Nil);
        Ok(())
    }

    #[cold]
    fn too_deep(&self) -> Box<Signal> {
        let below: usize = self.parents.iter().map(|fiber| fiber.running).sum();
        let depth = self.cx.meter.limits().depth + self.outer.depth + below;
        err(Reason::RecursionLimitExceeded, format!("call depth exceeded {depth}: end the recursion or use loop/recur"))
    }

    #[cold]
    fn unbound(&self, global: u32) -> Box<Signal> {
        let name = self.globals.name(global).map_or_else(String::new, ToString::to_string);
        err(Reason::UndefinedSymbol, format!("undefined symbol '{name}': its def has not run yet"))
    }
}

fn is_limit(signal: &Signal) -> bool {
    matches!(signal, Signal::Error(error) if error.reason.is_limit())
}
