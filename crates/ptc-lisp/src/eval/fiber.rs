//! Frames and fibers: the state that a branch of `pmap` keeps while another one runs.

use indexmap::IndexMap;

use crate::error::Signal;
use crate::eval::context::Context;
use crate::eval::globals::Globals;
use crate::eval::local::{Dest, FiberLocal, Pending};
use crate::eval::native::{Native, OneCall, Parallel};
use crate::session::host::ToolCall;
use crate::value::Value;

/// Registers of a program that calls no deep functions; filling and clearing more would slow down small programs.
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

/// Where the value of a function goes: which return-type record it fills (0 for none), and whether it goes to the
/// native frame on top instead of the register below `base`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer(u32);

impl Answer {
    /// To the register, and nowhere else.
    pub const PLAIN: Answer = Answer(0);

    pub fn new(track: u32, to_native: bool) -> Answer {
        Answer(track << 2 | u32::from(to_native))
    }

    /// Whether perhaps only a prefix of the value is read.
    pub fn is_in_part(self) -> bool {
        self.0 & 2 == 2
    }

    /// The same where perhaps only a prefix of the value is read.
    pub fn in_part(self) -> Answer {
        Answer(self.0 | 2)
    }

    pub fn track(self) -> u32 {
        self.0 >> 2
    }

    pub fn is_to_native(self) -> bool {
        self.0 & 1 == 1
    }
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
    /// Whether keywords, strings and vectors as functions mean field access.
    pub field: bool,
}

/// Where to continue after an exit.
#[derive(Default)]
pub(crate) enum Next {
    Code,
    Native,
    /// With an error that was the host's answer.
    Raise(Box<Signal>),
    #[default]
    Nothing,
}

/// A branch at rest, or the program below the running branch.
#[derive(Default)]
pub(crate) struct Fiber {
    pub regs: Vec<Value>,
    pub frames: Vec<Frame>,
    pub natives: Vec<NativeFrame>,
    pub next: Next,
    /// The definitions as this fiber sees them, when the machine currently has others.
    pub globals: Option<Globals>,
    pub local: Box<FiberLocal>,
    /// For a program below a branch: the number of calls running in it.
    pub running: usize,
}

impl Fiber {
    /// Bytes of a fiber that has just started.
    pub const BYTES: usize = size_of::<Fiber>() + size_of::<FiberLocal>() + FIRST_REGISTERS * size_of::<Value>();

    /// Start with a call that [`Parallel::call`] writes, in a new fiber or one that ended. Returns the number of
    /// arguments.
    pub fn begin(&mut self, parallel: &Parallel, number: usize, tasks: &IndexMap<String, Value>) -> usize {
        self.regs.resize_with(FIRST_REGISTERS, Value::default);
        let native = Native::Call(OneCall::begun());
        self.natives.reserve_exact(1);
        self.natives.push(NativeFrame { native, window: 0, depth: 0, dest: Dest::Exit, inbox: None, field: false });
        self.local.tasks.clone_from(tasks);
        parallel.call(number, &mut self.regs)
    }

    /// Forget everything but the capacity.
    pub fn end(&mut self) {
        // All fields are named so that none is forgotten.
        let Fiber { regs, frames, natives, next, globals, local, running } = self;
        regs.truncate(FIRST_REGISTERS);
        regs.iter_mut().for_each(Value::clear);
        frames.clear();
        natives.clear();
        (*next, *globals, *running) = (Next::Nothing, None, 0);
        local.reset();
    }

    /// Take over what its own branches printed and recorded, because none of them will continue.
    pub fn gather(&mut self) {
        if let Some(mut left) = parallel_of(&mut self.natives).map(Parallel::outputs) {
            self.local.leave().append(&mut left);
        }
    }

    /// Retry what had to wait for another branch.
    pub fn wake(&mut self) {
        if let Some(parallel) = parallel_of(&mut self.natives) {
            parallel.wake();
        }
        self.next = Next::Native;
    }

    /// Continue with an error.
    pub fn fail(&mut self, error: Box<Signal>) {
        match parallel_of(&mut self.natives) {
            Some(parallel) => parallel.fail_first(error),
            None => self.next = Next::Raise(error),
        }
    }

    /// Let `deliver` answer every waiting fiber below, in the order of [`each_call`].
    pub fn answer(&mut self, deliver: &mut dyn FnMut(AtRest<'_>) -> Option<Next>) {
        let Fiber { regs, natives, local, .. } = self;
        if let Some(next) = (AtRest { regs, natives, local }).answer(deliver) {
            self.next = next;
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
        for frame in &self.natives {
            frame.inbox.iter().for_each(&mut *visit);
            frame.native.visit(visit);
        }
        self.local.visit(visit);
        for (_, global) in self.globals.iter().flat_map(Globals::iter) {
            global.value.iter().for_each(&mut *visit);
        }
    }

    /// Bytes that it holds apart from its values: registers, frames, its table of definitions, printed text and
    /// records.
    pub fn own_bytes(&self) -> usize {
        let branches: usize = self.natives.iter().map(|frame| frame.native.own_bytes()).sum();
        self.local.own_bytes()
            + self.regs.capacity() * size_of::<Value>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.natives.capacity() * size_of::<NativeFrame>()
            + self.globals.as_ref().map_or(0, Globals::own_bytes)
            + branches
    }
}

/// The branches that the topmost of these frames schedules.
pub(crate) fn parallel_of(natives: &mut [NativeFrame]) -> Option<&mut Parallel> {
    if let Native::Parallel(parallel) = &mut natives.last_mut()?.native { Some(parallel) } else { None }
}

/// Show the calls that wait for the host, in order: that of the fiber with these frames, or those of its branches.
pub(crate) fn each_call(natives: &[NativeFrame], local: &FiberLocal, show: &mut dyn FnMut(&ToolCall)) {
    match (&local.pending, natives.last().map(|frame| &frame.native)) {
        (Some(pending), _) => show(&pending.call),
        (None, Some(Native::Parallel(parallel))) => parallel.each_call(show),
        _ => {}
    }
}

/// The waiting call with this number, in the fiber with these frames or in its branches.
pub(crate) fn waiting_call<'f>(
    natives: &'f mut [NativeFrame],
    local: &'f mut FiberLocal,
    seq: u64,
) -> Option<&'f mut Pending> {
    match &mut local.pending {
        Some(pending) => Some(pending).filter(|pending| pending.call.seq == seq),
        None => parallel_of(natives)?.waiting_call(seq),
    }
}

/// A fiber that does not run, in its box or in the machine.
pub(crate) struct AtRest<'f> {
    pub regs: &'f mut [Value],
    pub natives: &'f mut [NativeFrame],
    pub local: &'f mut FiberLocal,
}

impl AtRest<'_> {
    /// Let `deliver` answer this fiber, or its waiting branches, in the order of [`each_call`]. Returns how it
    /// continues, if it waited.
    pub fn answer(self, deliver: &mut dyn FnMut(AtRest<'_>) -> Option<Next>) -> Option<Next> {
        if self.local.pending.is_some() {
            return deliver(self);
        }
        parallel_of(self.natives)?.answer(deliver);
        Some(Next::Native)
    }
}
