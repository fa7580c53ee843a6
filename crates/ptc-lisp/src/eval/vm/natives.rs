//! Stepping native frames.

use super::call::{field_of, keyword_lookup};
use super::{Dest, Exit, Flow, Machine, NativeFrame, Next};
use crate::error::advice::call as advice;
use crate::error::{Res, Signal};
use crate::eval::code_table::CodeTable;
use crate::eval::native::{Native, Step};
use crate::index::addressable;
use crate::stdlib::sorted::is_sorted;
use crate::stdlib::table::table;
use crate::stdlib::{Call, Run};
use crate::value::Value;

/// The most arguments for which a list is kept from call to call.
const FEW_ARGS: usize = 256;

impl Machine {
    /// Step the topmost native frame until it calls a function of the program or is done.
    #[expect(clippy::too_many_lines, reason = "the loop over native frames, with one arm for each answer of a frame")]
    pub(super) fn run_natives(&mut self, codes: &CodeTable, returned: Option<Value>) -> Res<Flow> {
        let mut returned = returned;
        loop {
            self.slice -= 1;
            let count = self.cx.meter.scan_due();
            if self.slice < 0 || count {
                let over = match self.natives.last_mut() {
                    Some(frame) => {
                        // The scan must see the value, and so must the next slice.
                        frame.inbox = returned.take();
                        if self.slice < 0 {
                            self.refill()?
                        } else {
                            self.scan()?;
                            false
                        }
                    }
                    None => false,
                };
                if over {
                    self.next = Next::Native;
                    return Ok(Flow::Exit(Exit::Slice));
                }
                returned = self.natives.last_mut().and_then(|frame| frame.inbox.take());
            }
            let Some(frame) = self.natives.last_mut() else { return Ok(Flow::Code) };
            if matches!(frame.native, Native::Parallel(_)) {
                return self.schedule(codes);
            }
            let window = frame.window;
            self.args.clear();
            let (mark, answered) = (self.cx.meter.mark(), returned.is_some());
            let step = frame.native.step(&mut returned, &mut self.args, &mut self.cx);
            self.reclaim();
            let flow = match step {
                Err(signal) if matches!(*signal, Signal::Need { .. } | Signal::NeedAll(_) | Signal::Busy(_)) => {
                    if let Some(frame) = self.natives.last_mut() {
                        frame.inbox = returned.take();
                    }
                    if let Signal::Busy(cell) = *signal {
                        return self.busy(cell);
                    }
                    let above = window + 2 + self.args.len();
                    self.push_force(&signal, above, Dest::Restep)?;
                    Flow::Native(None)
                }
                Err(signal)
                    if answered == returned.is_some()
                        && signal.is_refusal()
                        && self.cx.meter.may_succeed_after_count(&mark) =>
                {
                    // Nothing was taken yet: once live values are distinguished from garbage, the same step is
                    // repeated.
                    self.slice += 1;
                    self.cx.meter.rewind(&mark);
                    if let Some(frame) = self.natives.last_mut() {
                        frame.inbox = returned.take();
                    }
                    self.args.clear();
                    self.scan()?;
                    Flow::Native(self.natives.last_mut().and_then(|frame| frame.inbox.take()))
                }
                Err(signal) => {
                    self.place_warnings(codes);
                    return Err(signal);
                }
                Ok(Step::Done(value)) => {
                    self.place_warnings(codes);
                    let Some(NativeFrame { dest, .. }) = self.natives.pop() else { return Ok(Flow::Code) };
                    self.regs[window] = Value::Nil;
                    match dest {
                        Dest::Register(register) => {
                            self.regs[register] = value;
                            return Ok(Flow::Code);
                        }
                        Dest::Native => Flow::Value(value),
                        Dest::Exit => return Ok(Flow::Exit(Exit::Done(value))),
                        Dest::Retry => {
                            if let Some(top) = self.frames.last_mut() {
                                top.pc -= 1;
                            }
                            return Ok(Flow::Code);
                        }
                        Dest::Restep => Flow::Native(self.natives.last_mut().and_then(|frame| frame.inbox.take())),
                        Dest::RetryCall(count) => {
                            let Some(below) = self.natives.last() else { return Ok(Flow::Code) };
                            let window = below.window;
                            self.dispatch(codes, window, count, true)?
                        }
                    }
                }
                Ok(Step::Call) => self.call_from_native(codes, window)?,
            };
            match flow {
                Flow::Value(value) => returned = Some(value),
                Flow::Native(value) => returned = value,
                other => return Ok(other),
            }
        }
    }

    /// Place the pushed arguments after the function of the topmost native frame and call it.
    fn call_from_native(&mut self, codes: &CodeTable, window: usize) -> Res<Flow> {
        if let Some(Native::Force(force)) = self.natives.last().map(|frame| &frame.native) {
            self.regs[window] = force.function().unwrap_or_default();
        }
        if matches!(self.regs[window], Value::Keyword(_) | Value::Builtin(_)) {
            if self.run_in_place(codes, window) {
                return Ok(Flow::Native(None));
            }
            if let Some(value) = self.answer_in_place(codes, window)? {
                return Ok(Flow::Value(value));
            }
        }
        let count = self.args.len();
        let needed = window + 4 + count;
        if self.regs.len() < needed {
            self.grow(needed)?;
        }
        let Some(frame) = self.natives.last() else { return Ok(Flow::Code) };
        if let Native::Sort(sort) = &frame.native
            && let Some(comparator) = sort.comparator()
        {
            self.regs[window] = comparator.clone();
        }
        if frame.field && matches!(self.regs[window], Value::Str(_) | Value::Vector(_)) {
            let key = self.regs[window].clone();
            let item = self.args.pop().unwrap_or_default();
            return Ok(Flow::Value(self.call_field(codes, &key, &item)?));
        }
        for at in 0..count {
            self.regs[window + 1 + at] = std::mem::take(&mut self.args[at]);
        }
        if self.args.capacity() > FEW_ARGS {
            self.args = Vec::new();
        }
        self.dispatch(codes, window, count, true)
    }

    /// Let a `map`, `filter`, `group-by` or `sort-by` with a keyword or a builtin that calls nothing run to the end of
    /// the slice, or to an element that needs the slow path. One unit of fuel per element, as for single steps.
    fn run_in_place(&mut self, codes: &CodeTable, window: usize) -> bool {
        let Some(frame) = self.natives.last_mut() else { return false };
        let (lends, lazy) = (self.cx.state.has_comparators, self.cx.state.cells.has_generators());
        // The unit for the first element is paid.
        let most = addressable(self.slice).saturating_add(1);
        let (mut done, mut near) = (0, 0);
        match (&mut frame.native, &self.regs[window]) {
            (Native::Sort(pass), key @ Value::Keyword(_)) if !lends && !lazy => {
                pass.run(most, &mut done, &mut self.cx, |holder, cx| field_of(key, holder, &mut near, cx))
            }
            _ => return false,
        }
        self.place_warnings(codes);
        self.slice -= i64::try_from(done.saturating_sub(1)).unwrap_or(i64::MAX);
        done > 0
    }

    /// The result of a keyword, or of a builtin that calls nothing, for the pushed arguments: it needs no registers.
    /// `None` where the slow path is needed: something may have to be realised or compared by a function of the program
    /// first, or the number of arguments is wrong.
    fn answer_in_place(&mut self, codes: &CodeTable, window: usize) -> Res<Option<Value>> {
        let passes = match self.natives.last().map(|frame| &frame.native) {
            Some(Native::Sort(sort)) => !sort.is_comparing(),
            Some(Native::Force(_)) => true,
            _ => false,
        };
        if !passes {
            return Ok(None);
        }
        let answer = match &self.regs[window] {
            key @ Value::Keyword(_) => match self.args.as_slice() {
                [holder] if !self.cx.state.has_comparators || !is_sorted(holder) => {
                    keyword_lookup(key, holder, &Value::Nil, &mut self.cx)
                }
                _ => return Ok(None),
            },
            Value::Builtin(id) => {
                let entry = table().entry(*id);
                let Run::Plain(run) = &entry.row.run else { return Ok(None) };
                let ready = self.cx.state.compares_plainly() || self.holds_plain(entry.row, &self.args);
                if !ready || !entry.accepts(self.args.len()) {
                    return Ok(None);
                }
                run(&mut Call { name: entry.row.name, args: &mut self.args, cx: &mut self.cx })
            }
            _ => return Ok(None),
        };
        self.place_warnings(codes);
        match answer {
            // Realising is for the slow path.
            Err(signal) if matches!(*signal, Signal::Need { .. } | Signal::NeedAll(_)) => Ok(None),
            // The slow path collects garbage before it gives up; it needs the arguments.
            Err(signal) if signal.is_refusal() && self.args.iter().all(|arg| !arg.is_nil()) => Ok(None),
            Err(mut signal) => {
                if let Signal::Error(error) = &mut *signal {
                    advice::add_for_nil(error, self.args.len() > 2);
                }
                Err(signal)
            }
            Ok(value) => Ok(Some(value)),
        }
    }
}
