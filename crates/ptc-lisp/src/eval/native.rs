//! Builtins that call functions: frames that are stepped by the machine, one call at a time.

mod apply;
mod force;
mod in_place;
mod merge;
mod parallel;
mod sort;
mod swap;

use crate::error::{Res, Signal};
use crate::eval::context::Context;
use crate::stdlib::Call;
use crate::stdlib::seq::size;
use crate::value::{Name, Value, Vector};

pub(crate) use force::{Delayed, Force};
pub(crate) use merge::merge_with;
pub(crate) use parallel::{OneCall, Parallel, Pick, Status};
pub(crate) use sort::{Sort, is_number_beside_text, of_one_kind, order_of, ordering, warn_of_numbers};
pub(crate) use swap::Swap;

pub(crate) use apply::FAMILY as APPLY;
pub(crate) use force::FAMILY as FORCE;
pub(crate) use parallel::FAMILY as PARALLEL;
pub(crate) use sort::FAMILY as SORT;
pub(crate) use swap::FAMILY as SWAP;

/// How a native frame starts: it looks at its arguments and decides.
pub(crate) type Start = fn(&mut Call<'_>) -> Res<Begin>;

/// What a start decided.
pub(crate) enum Begin {
    /// Step this frame; it calls `f`.
    Frame(Native, Value),
    /// The answer is known already.
    Value(Value),
    /// Call this prelude function with the same arguments.
    Delegate(&'static str),
    /// The value that this name is defined as.
    Var(Name),
    /// Call `f` with these arguments instead.
    Invoke(Value, Vec<Value>),
}

/// What a step wants.
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
    /// One call made as it is: by a branch, for `apply`, or of a nested machine.
    Call(OneCall),
}

impl Native {
    /// Go on with what the function returned (nothing at first). `returned` is taken only when the step succeeds;
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

    /// The quick way from one call of a function of the program to the next: take in what it returned and put the next
    /// arguments into its registers. False, with nothing changed, when the step has to decide about more than that.
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

/// The whole collection in argument `index`; an unrealised generator is asked for.
pub(crate) fn whole(call: &mut Call<'_>, index: usize) -> Res<Vector> {
    if let Value::Generator(view) = call.arg(index) {
        let view = *view;
        if !call.cx.cells.is_finished(view) {
            return Err(Box::new(Signal::Need { cell: view.cell, count: usize::MAX }));
        }
        return call.realised(view);
    }
    call.seq(index)
}

/// Endless sequences that call nothing, beside realised collections in the arguments from `from` on: as many of their
/// elements as the shortest collection has. The arguments stay as they are when anything else is among them.
pub(crate) fn cut_endless(call: &mut Call<'_>, from: usize) -> Res<()> {
    if !call.cx.cells.has_generators() {
        return Ok(());
    }
    let (mut shortest, mut endless) = (None, 0);
    for at in from..call.len() {
        let size = match call.arg(at) {
            Value::Generator(view) if call.cx.cells.is_direct(*view) => {
                endless += 1;
                continue;
            }
            Value::Generator(view) if !call.cx.cells.is_finished(*view) => return Ok(()),
            Value::Generator(view) => call.cx.cells.realised(*view).len(),
            other => match size(other) {
                Some(size) => size,
                None => return Ok(()),
            },
        };
        shortest = Some(shortest.map_or(size, |least: usize| least.min(size)));
    }
    let (Some(count), 1..) = (shortest, endless) else { return Ok(()) };
    for at in from..call.len() {
        if let Value::Generator(view) = *call.arg(at)
            && let Some(steps) = call.cx.cells.direct(view)
        {
            call.charge(count / 4)?;
            let items = call.gathered(steps.take(count))?;
            let items = call.paid_vector(items)?;
            if let Some(arg) = call.args.get_mut(at) {
                *arg = items;
            }
        }
    }
    Ok(())
}

/// Whether argument `index` is a generator with something left to run.
pub(crate) fn is_lazy(call: &Call<'_>, index: usize) -> bool {
    matches!(call.arg(index), Value::Generator(view) if !call.cx.cells.is_finished(*view))
}

/// A keyword, string or path over one map is a slip: it wants many maps.
pub(crate) fn check_field_over_one_map(call: &Call<'_>, f: &Value, collection: usize, field: bool) -> Res<()> {
    let accesses = matches!(f, Value::Keyword(_)) || (field && matches!(f, Value::Str(_) | Value::Vector(_)));
    if accesses && matches!(call.arg(collection), Value::Map(map) if !map.is_empty()) {
        let shown = match f {
            Value::Keyword(name) => format!(":{name}"),
            _ => "field".to_owned(),
        };
        return Err(crate::error::type_error(format!(
            "{}: field access over a collection expects many maps, got one map; use ({shown} m)",
            call.name
        )));
    }
    Ok(())
}
