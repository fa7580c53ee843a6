//! Frames, and fibers: what a branch of `pmap` has for itself while another one runs.

use std::time::Duration;

use indexmap::IndexMap;

use crate::error::{Res, Signal};
use crate::eval::context::Context;
use crate::eval::globals::Globals;
use crate::eval::local::FiberLocal;
use crate::eval::native::{Native, OneCall, Parallel};
use crate::host::{ToolCall, ToolRecord};
use crate::value::Value;

/// Registers of a program that calls no deep functions; filling and clearing more would show in small programs.
pub(crate) const FIRST_REGISTERS: usize = 16;

/// A running function.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Frame {
    pub code: u32,
    /// The next instruction.
    pub pc: u32,
    pub base: u32,
    pub answer: Answer,
}

/// What becomes of the value of a function: which return-type record it fills (0 for none), and whether it goes to the
/// native frame on top instead of the register below `base`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer(u32);

impl Answer {
    /// To the register, and nowhere else.
    pub const PLAIN: Answer = Answer(0);

    pub fn new(track: u32, to_native: bool) -> Answer {
        Answer(track << 1 | u32::from(to_native))
    }

    pub fn track(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_to_native(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Where the value of a native frame goes.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Dest {
    /// An absolute register.
    Register(usize),
    /// The native frame below.
    Native,
    /// Nowhere: the instruction runs again.
    Retry,
    /// Nowhere: the native frame below calls its builtin again with this many arguments.
    RetryCall(usize),
    /// Nowhere: the native frame below is stepped again.
    Restep,
    /// The branch is over with it.
    Exit,
}

/// A builtin that calls functions.
pub(crate) struct NativeFrame {
    pub native: Native,
    /// Register of its function; arguments of the next call follow.
    pub window: usize,
    /// Frames that were running when it started.
    pub depth: usize,
    pub dest: Dest,
    /// A returned value that waits for the next step.
    pub inbox: Option<Value>,
    /// Whether keywords, strings and vectors as function mean field access.
    pub field: bool,
}

/// Where to go on after an exit.
#[derive(Default)]
pub(crate) enum Next {
    Code,
    Native,
    /// With an error that the host answered.
    Raise(Box<Signal>),
    #[default]
    Nothing,
}

/// A tool call that the host has not answered.
pub(crate) struct Pending {
    pub call: ToolCall,
    /// Its number in [`Tools`](super::tools::Tools).
    pub tool: usize,
    /// Time of the meter.
    pub started: Duration,
    pub started_micros: i64,
    /// Whether the host changed the arguments.
    pub edited: bool,
    pub dest: Dest,
}

impl Pending {
    /// Values that only the call holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.call.args);
        visit(&self.call.surface);
    }
}

/// A branch at rest, or the program below the branch that runs.
#[derive(Default)]
pub(crate) struct Fiber {
    pub regs: Vec<Value>,
    pub frames: Vec<Frame>,
    pub natives: Vec<NativeFrame>,
    pub next: Next,
    /// Only of a fiber that waits for the host.
    pub pending: Option<Pending>,
    /// The definitions as this fiber sees them, when the machine has others at the moment.
    pub globals: Option<Globals>,
    pub local: Box<FiberLocal>,
}

impl Fiber {
    /// Bytes of a fiber that has just begun.
    pub const BYTES: usize = size_of::<Fiber>() + size_of::<FiberLocal>() + FIRST_REGISTERS * size_of::<Value>();

    /// Be about to call `f`: a new fiber, or one that ended.
    /// Returns the number of arguments.
    pub fn begin(&mut self, f: Value, args: impl Iterator<Item = Value>, tasks: &IndexMap<String, Value>) -> usize {
        let mut count = 0;
        self.regs.resize(FIRST_REGISTERS, Value::Nil);
        for (at, value) in std::iter::once(f).chain(args).enumerate() {
            count = at;
            match self.regs.get_mut(at) {
                Some(register) => *register = value,
                None => self.regs.push(value),
            }
        }
        let native = Native::Call(OneCall::begun());
        self.natives.push(NativeFrame { native, window: 0, depth: 0, dest: Dest::Exit, inbox: None, field: false });
        self.local.tasks.clone_from(tasks);
        count
    }

    /// Forget everything but the capacity.
    pub fn end(&mut self) {
        // All fields are named, so that none is forgotten.
        let Fiber { regs, frames, natives, next, pending, globals, local } = self;
        regs.truncate(FIRST_REGISTERS);
        regs.iter_mut().for_each(Value::clear);
        frames.clear();
        natives.clear();
        (*next, *pending, *globals) = (Next::Nothing, None, None);
        local.reset();
    }

    /// The waiting call of this number, in this fiber or in its branches.
    pub fn pending_call(&mut self, seq: u64) -> Option<&mut Pending> {
        if self.pending.is_some() {
            return self.pending.as_mut().filter(|pending| pending.call.seq == seq);
        }
        self.parallel()?.pending_call(seq)
    }

    /// Take over what its own branches printed and recorded, because none of them will go on.
    pub fn gather(&mut self) {
        if let Some(mut left) = self.parallel().map(Parallel::outputs) {
            self.local.leave().append(&mut left);
        }
    }

    /// Try again what had to wait for another branch.
    pub fn wake(&mut self) {
        if let Some(parallel) = self.parallel() {
            parallel.wake();
        }
        self.next = Next::Native;
    }

    /// Go on with an error.
    pub fn fail(&mut self, error: Box<Signal>) {
        match self.parallel() {
            Some(parallel) => parallel.fail_first(error),
            None => self.next = Next::Raise(error),
        }
    }

    /// Show the calls that wait for the host, in order.
    pub fn each_call(&self, show: &mut dyn FnMut(&ToolCall)) {
        match (&self.pending, self.natives.last().map(|frame| &frame.native)) {
            (Some(pending), _) => show(&pending.call),
            (None, Some(Native::Parallel(parallel))) => parallel.each_call(show),
            _ => {}
        }
    }

    /// Let `deliver` answer every fiber below that waits, in the order of [`Fiber::each_call`].
    pub fn answer(&mut self, deliver: &mut dyn FnMut(&mut Fiber)) {
        if self.pending.is_some() {
            deliver(self);
        } else if let Some(parallel) = self.parallel() {
            parallel.answer(deliver);
            self.next = Next::Native;
        }
    }

    /// Take the answer of a call that waited.
    pub fn receive(&mut self, dest: Dest, result: Res, record: ToolRecord) {
        self.local.left.records.push(record);
        self.next = place(&mut self.regs, &mut self.natives, dest, result);
    }

    fn parallel(&mut self) -> Option<&mut Parallel> {
        match self.natives.last_mut().map(|frame| &mut frame.native) {
            Some(Native::Parallel(parallel)) => Some(parallel),
            _ => None,
        }
    }

    /// Give up: leave shared cells as they were.
    pub fn abandon(&mut self, cx: &mut Context) {
        for frame in self.natives.iter_mut().rev() {
            frame.native.abandon(cx);
        }
    }

    /// Values that only this fiber holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        self.regs.iter().for_each(&mut *visit);
        self.pending.iter().for_each(|pending| pending.visit(visit));
        for frame in &self.natives {
            frame.inbox.iter().for_each(&mut *visit);
            frame.native.visit(visit);
        }
        self.local.visit(visit);
        for (_, global) in self.globals.iter().flat_map(Globals::iter) {
            global.value.iter().for_each(&mut *visit);
        }
    }

    /// Bytes that it holds beside its values: registers, printed text and records.
    pub fn own_bytes(&self) -> usize {
        let branches: usize = self.natives.iter().map(|frame| frame.native.own_bytes()).sum();
        self.local.own_bytes() + self.regs.capacity() * size_of::<Value>() + branches
    }
}

/// Where an answer goes, and how its fiber goes on.
pub(crate) fn place(regs: &mut [Value], natives: &mut [NativeFrame], dest: Dest, result: Res) -> Next {
    match (result, dest) {
        (Err(signal), _) => Next::Raise(signal),
        (Ok(value), Dest::Register(register)) => {
            if let Some(place) = regs.get_mut(register) {
                *place = value;
            }
            Next::Code
        }
        (Ok(value), _) => {
            if let Some(native) = natives.last_mut() {
                native.inbox = Some(value);
            }
            Next::Native
        }
    }
}
