//! Builtins that call functions: frames that are stepped by the machine, one call at a time.

pub(crate) mod force;
mod in_place;
pub(crate) mod merge;
pub(crate) mod parallel;
pub(crate) mod sort;
pub(crate) mod swap;

use crate::error::Res;
use crate::eval::context::Context;
use crate::stdlib::{Call, call};
use crate::value::Value;

pub(crate) use force::{Delayed, Force};
pub(crate) use parallel::{OneCall, Parallel, Pick, Status};
pub(crate) use sort::{Sort, ordering};
pub(crate) use swap::Swap;

/// What the start of a native frame decided.
pub(crate) type Begin = call::Begin<Native>;

/// How a native frame starts: it looks at its arguments and decides.
pub(crate) type Start = fn(&mut Call<'_>) -> Res<Begin>;

/// Rows of builtins; those of kind `frame` start native frames.
macro_rules! frames {
    ($title:literal; $(
        $name:literal $($params:literal)+ $kind:ident $($flag:ident $(($($arg:expr),+))?)* = $run:expr
        $(, $doc:literal $($program:literal => $value:literal),*)?;
    )*) => {
        pub(crate) const FAMILY: $crate::stdlib::Family = $crate::stdlib::rows! {
            $title; $(
                $name $($params)+ $kind $($flag $(($($arg),+))?)* = $run
                $(, $doc $($program => $value),*)?;
            )*
        };

        /// How the frames of these rows start.
        pub(crate) const STARTS: &[Option<(&str, $crate::eval::native::Start)>] =
            &[$($crate::eval::native::start!($kind $name $run)),*];
    };
}
pub(crate) use frames;

macro_rules! start {
    (frame $name:literal $run:expr) => {
        Some(($name, $run))
    };
    ($kind:ident $name:literal $run:expr) => {
        None
    };
}
pub(crate) use start;

/// What a step needs next.
pub(crate) enum Step {
    /// Call the frame's function with the arguments that were pushed.
    Call,
    /// The frame is done.
    Done(Value),
}

/// The state of a builtin between two calls of its function.
pub(crate) enum Native {
    Sort(Sort),
    Swap(Swap),
    Force(Force),
    Delayed(Delayed),
    /// The branches of `pmap`, scheduled by the machine.
    Parallel(Box<Parallel>),
    /// One plain call: by a branch, for `apply`, or of a nested machine.
    Call(OneCall),
}

impl Native {
    /// Continue with what the function returned (`None` at first). `returned` is taken only when the step succeeds;
    /// arguments of the next call are pushed to `args`.
    pub fn step(&mut self, returned: &mut Option<Value>, args: &mut Vec<Value>, cx: &mut Context) -> Res<Step> {
        match self {
            Native::Sort(state) => state.step(returned, args, cx),
            Native::Swap(state) => state.step(returned, args, cx),
            Native::Force(state) => state.step(returned, args, cx),
            Native::Delayed(state) => state.step(returned, cx),
            Native::Call(state) => Ok(state.step(returned, args)),
            Native::Parallel(_) => Ok(Step::Done(Value::Nil)),
        }
    }

    /// The fast path from one call of a function of the program to the next: use what it returned and put the next
    /// arguments into its registers. False, with nothing changed, when the step has more to decide.
    #[inline]
    pub fn again(&mut self, returned: &mut Value, args: &mut [Value], cx: &mut Context) -> bool {
        match self {
            Native::Force(state) => state.again(returned, args, cx),
            Native::Sort(state) => state.again(returned, args, cx),
            _ => false,
        }
    }

    /// Whether its function may suspend: comparators may not.
    pub fn may_call_tools(&self) -> bool {
        !matches!(self, Native::Sort(sort) if sort.is_comparing())
    }

    /// The frame is dropped because of an error: leave shared cells as they were.
    pub fn abandon(&mut self, cx: &mut Context) {
        match self {
            Native::Force(force) => force.abandon(cx),
            Native::Delayed(delayed) => delayed.abandon(cx),
            Native::Parallel(parallel) => parallel.abandon(cx),
            _ => {}
        }
    }

    /// Whether this frame is computing the sequence or delay in `cell`.
    pub fn computes(&self, cell: u32) -> bool {
        match self {
            Native::Force(force) => force.computes(cell),
            Native::Delayed(delayed) => delayed.computes(cell),
            _ => false,
        }
    }

    /// Bytes that only this frame holds, without its values: buffers, and what branches keep.
    pub fn own_bytes(&self) -> usize {
        match self {
            Native::Sort(state) => state.own_bytes(),
            Native::Call(state) => state.own_bytes(),
            Native::Force(state) => state.own_bytes(),
            Native::Parallel(parallel) => parallel.own_bytes(),
            _ => 0,
        }
    }

    /// Values that only this frame holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        match self {
            Native::Sort(state) => state.visit(visit),
            Native::Swap(state) => state.visit(visit),
            Native::Force(state) => state.visit(visit),
            Native::Delayed(_) => {}
            Native::Parallel(state) => state.visit(visit),
            Native::Call(state) => state.visit(visit),
        }
    }
}
