//! Comparators that are functions of the program: a machine inside the machine, for the duration of one comparison.
//!
//! Everywhere else a builtin that calls functions is a frame, so it can be suspended. Keys of sorted collections are
//! compared inside value operations, which cannot be suspended. So while a builtin is at work, the machine lends what a
//! call needs to an inner machine, and puts that into the meter, which every value operation has.

use std::any::Any;
use std::cmp::Ordering;
use std::mem::swap;

use super::{Dest, Exit, Machine, Next};
use crate::error::{Reason, Res, Signal, argument_error, err, type_error};
use crate::eval::context::Context;
use crate::eval::native::{Native, OneCall, ordering};
use crate::eval::tools::Tools;
use crate::limits::meter::Meter;
use crate::value::{Comparators, Lent, Map, Value, compare_numbers};

/// The deepest nesting of comparators.
const DEEPEST: usize = 16;

/// The machines around a nested machine; all zero for the outermost.
#[derive(Copy, Clone, Default)]
pub(super) struct Outer {
    /// How many machines.
    pub level: usize,
    /// Calls running in all of them.
    pub depth: usize,
    /// Calls running in the directly enclosing one.
    pub around: usize,
    /// Bytes they hold, as far as known.
    pub bytes: u64,
}

impl Machine {
    /// Make comparators callable until [`Machine::reclaim`]. Does nothing in programs without comparators.
    #[inline]
    pub(super) fn lend(&mut self) {
        if self.cx.state.has_comparators {
            self.lend_all();
        }
    }

    /// Take back what was lent.
    #[inline]
    pub(super) fn reclaim(&mut self) {
        if self.cx.meter.lent.is_some() {
            self.reclaim_all();
        }
    }

    /// Before a call of a builtin: lend if it may compare. Count live values first, so comparators get the remaining
    /// memory.
    #[inline]
    pub(super) fn lend_for_call(&mut self, window: usize, count: usize) -> Res<()> {
        if self.cx.state.has_comparators && !self.regs[window + 1..window + 1 + count].iter().all(Value::is_scalar) {
            if self.cx.meter.charged > self.cx.meter.limits().memory / 20 {
                self.scan()?;
            }
            // Definitions by a comparator belong to its branch.
            self.own_globals()?;
            self.lend_all();
        }
        Ok(())
    }

    #[cold]
    fn lend_all(&mut self) {
        let mut lent = self.inner.take().unwrap_or_else(|| Box::new(Lent(Box::new(self.make_inner()))));
        let Some(inner) = inner_of(&mut lent) else { return };
        inner.text.clone_from(&self.text);
        inner.ended_at = self.place_nearby(&self.codes);
        let around = self.frames.len().max(self.natives.len());
        inner.outer = Outer { level: self.outer.level + 1, depth: self.outer.depth + around, around, bytes: 0 };
        self.hand_over(inner);
        self.cx.meter.lent = Some(lent);
    }

    #[cold]
    fn reclaim_all(&mut self) {
        if let Some(Ok(mut lent)) = self.cx.meter.lent.take().map(|lent| lent.downcast::<Lent>()) {
            if let Some(inner) = inner_of(&mut lent) {
                self.hand_over(inner);
            }
            self.inner = Some(lent);
        }
    }

    fn make_inner(&self) -> Machine {
        let meter = Meter::new(self.cx.meter.limits().clone());
        Machine::new(Context::new(self.cx.language, meter, self.cx.clock.clone(), 0), Map::new(), Tools::default())
    }

    /// Exchange the state that a running function reads and changes with the other machine; a second exchange undoes
    /// it.
    fn hand_over(&mut self, inner: &mut Machine) {
        swap(&mut self.codes, &mut inner.codes);
        swap(&mut self.globals, &mut inner.globals);
        swap(&mut self.before, &mut inner.before);
        swap(&mut self.data, &mut inner.data);
        swap(&mut self.fail, &mut inner.fail);
        swap(&mut self.history, &mut inner.history);
        swap(&mut self.error, &mut inner.error);
        swap(&mut self.cx.state, &mut inner.cx.state);
    }

    /// Whether this machine runs a comparator.
    pub(super) fn is_nested(&self) -> bool {
        self.outer.level > 0
    }

    /// The result of `function` for `keys`, run to its end on `meter`.
    fn answer_comparator(&mut self, function: &Value, keys: [Value; 2], meter: &mut Meter) -> Res {
        if self.outer.level > DEEPEST {
            return Err(err(
                Reason::RecursionLimitExceeded,
                format!(
                    "comparators of sorted collections are nested more than {DEEPEST} deep: order such keys by plain values"
                ),
            ));
        }
        swap(&mut self.cx.meter, meter);
        let (depth, charged, live) = (self.cx.meter.limits().depth, self.cx.meter.charged, self.cx.meter.live);
        let (held, changes) = (live.saturating_add(charged), self.cx.cells.changes());
        self.cx.meter.set_depth(depth.saturating_sub(self.outer.around));
        self.outer.bytes = held;
        self.cx.meter.suppose(held, 0);
        let answer = self.run_comparator(function, keys);
        // What the call created is garbage by now, unless a cell keeps it.
        let grown = (self.cx.meter.live + self.cx.meter.charged).saturating_sub(held);
        self.cx.meter.suppose(live, if self.cx.cells.changes() == changes { charged } else { charged + grown });
        self.cx.meter.set_depth(depth);
        swap(&mut self.cx.meter, meter);
        answer
    }

    fn run_comparator(&mut self, function: &Value, keys: [Value; 2]) -> Res {
        self.push_native(Native::Call(OneCall::new(keys.to_vec())), 0, Dest::Exit)?;
        self.regs[0] = function.clone();
        self.next = Next::Native;
        let codes = self.codes.clone();
        let exit = loop {
            match self.run(&codes, i64::MAX) {
                Exit::Slice => {}
                exit => break exit,
            }
        };
        self.clear();
        match exit {
            Exit::Done(answer) => Ok(answer),
            Exit::Signal(signal) => Err(match *signal {
                Signal::Return(_) | Signal::Fail(_) => argument_error(
                    "the comparator of a sorted collection may not return or fail; let it give a number or a boolean",
                ),
                other => Box::new(other),
            }),
            Exit::Slice | Exit::Calls => Err(err(Reason::InternalError, "a comparator was suspended")),
        }
    }
}

/// The machine that was lent.
fn inner_of(lent: &mut Lent) -> Option<&mut Machine> {
    (&mut *lent.0 as &mut dyn Any).downcast_mut()
}

impl Comparators for Machine {
    /// A negative number or true means before; after false, the function is called with the keys exchanged.
    fn order(&mut self, function: &Value, a: &Value, b: &Value, meter: &mut Meter) -> Res<Ordering> {
        if let Some(order) = ordering(function, a, b, meter)? {
            return Ok(order);
        }
        match self.answer_comparator(function, [a.clone(), b.clone()], meter)? {
            Value::Bool(true) => Ok(Ordering::Less),
            Value::Bool(false) | Value::Nil => {
                let after = self.answer_comparator(function, [b.clone(), a.clone()], meter)?.is_truthy();
                Ok(if after { Ordering::Greater } else { Ordering::Equal })
            }
            answer => compare_numbers(&answer, &Value::Int(0)).ok_or_else(|| {
                type_error(format!(
                    "the comparator of a sorted collection must give a number or a boolean, got {}",
                    if answer.is_number() { "##NaN" } else { answer.kind() }
                ))
            }),
        }
    }

    fn state(&mut self) -> &mut dyn Any {
        &mut self.cx.state
    }

    fn peek(&self) -> &dyn Any {
        &self.cx.state
    }
}
