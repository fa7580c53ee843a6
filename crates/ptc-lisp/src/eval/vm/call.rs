//! Calling anything callable.

use std::sync::Arc;

use super::operands::clear;
use super::{Answer, Dest, Flow, Frame, Machine, NativeFrame};
use crate::error::advice::call as advice;
use crate::error::warning::WarningCode;
use crate::error::{Reason, Res, Signal, argument_error, counted, err, type_error, with_article};
use crate::eval::code_table::CodeTable;
use crate::eval::context::Context;
use crate::eval::native::{Begin, Force as ForceFrame, Native, OneCall};
use crate::eval::prelude;
use crate::eval::starts::start_of;
use crate::limits::meter::Mark;
use crate::session::host::ToolRecord;
use crate::stdlib::table::{Entry, table};
use crate::stdlib::{Builtin, Call, Demand, Force, Plain, Purity, Run};
use crate::value::{BuiltinId, Closure, LazySeq, MAX_NESTING, Name, Value, Vector};

/// `twice: expected 1 argument, got 3`.
#[cold]
fn arity_error(closure: &Closure, args: &[Value], caller: Option<&str>) -> Box<Signal> {
    let (count, expected) = (args.len(), closure.proto.expected_arguments());
    let hint = advice::on_arity(closure, args, caller);
    err(Reason::ArityError, format!("{}: expected {expected}, got {count}{hint}", closure.proto.shown_name()))
}

/// The same for a builtin.
#[cold]
fn builtin_arity_error(entry: &Entry, count: usize) -> Box<Signal> {
    let (name, expected) = (entry.row.name, &entry.counts);
    let hint = advice::on_builtin_arity(name, &entry.counts, count);
    err(Reason::ArityError, format!("{name}: expected {expected}, got {count}{hint}"))
}

/// `(:k x)` for one holder after another; `near` is the index at which the last one had the key.
#[inline]
pub(super) fn field_of(key: &Value, holder: &Value, near: &mut usize, cx: &mut Context) -> Res {
    if let (Value::Keyword(name), Value::Map(map)) = (key, holder)
        && let Some(found) = map.get_near(name, near)
    {
        return Ok(found.copy());
    }
    keyword_lookup(key, holder, &Value::Nil, cx)
}

/// `(:k x)` and `(:k x default)`.
pub(super) fn keyword_lookup(key: &Value, holder: &Value, default: &Value, cx: &mut Context) -> Res {
    match holder {
        Value::Map(_) | Value::Set(_) => Ok(holder.look_up(key, &mut cx.meter)?.unwrap_or(default).clone()),
        Value::Nil => Ok(default.clone()),
        other => {
            // People read fields of an exception after `catch`.
            let shown = crate::value::shown(key);
            let message = if matches!(other, Value::Exception(_)) {
                format!("({shown} x) on an exception gives nil; use (ex-message x), or ({shown} (ex-data x))")
            } else if matches!(other, Value::Vector(_) | Value::LazySeq(_)) {
                format!("({shown} x) on a vector gives nil; use (map {shown} xs) for many rows or (nth xs i) for one")
            } else {
                format!("({shown} x) on {} gives nil: it is not a map", with_article(other.kind()))
            };
            cx.warn(WarningCode::KeywordOnNonMap, message);
            Ok(default.clone())
        }
    }
}

/// Keyword, string or path access of the functions that take a *key*.
fn field_lookup(key: &Value, item: &Value, cx: &mut Context) -> Res {
    field_at(key, item, 0, cx)
}

/// Costs fuel for a long path, which ends at the first missing value. Errors when paths are nested too deeply.
fn field_at(key: &Value, item: &Value, depth: usize, cx: &mut Context) -> Res {
    match (key, item) {
        (Value::Vector(_), _) if depth > MAX_NESTING => {
            Err(err(Reason::NestingTooDeep, format!("a path is nested more than {MAX_NESTING} deep")))
        }
        (Value::Vector(path), _) => {
            let mut found = item.clone();
            cx.meter.charge(path.len() / 8)?;
            for part in path {
                cx.meter.tick()?;
                found = field_at(part, &found, depth + 1, cx)?;
                if found.is_nil() {
                    break;
                }
            }
            Ok(found)
        }
        (Value::Int(at), Value::Vector(items)) => {
            Ok(usize::try_from(*at).ok().and_then(|at| items.get(at)).cloned().unwrap_or_default())
        }
        _ => keyword_lookup(key, item, &Value::Nil, cx),
    }
}

/// Keywords, maps, sets, vectors and symbols as functions.
fn look_up(callee: &Value, args: &[Value], to_native: bool, cx: &mut Context) -> Res {
    match (callee, args) {
        (Value::Keyword(_) | Value::Symbol(_), [holder]) => keyword_lookup(callee, holder, &Value::Nil, cx),
        (Value::Keyword(_) | Value::Symbol(_), [holder, default]) => keyword_lookup(callee, holder, default, cx),
        (Value::Keyword(_) | Value::Symbol(_), _) => Err(err(
            Reason::InvalidKeywordCall,
            format!(
                "({} ...) expects a map and an optional default, got {}",
                crate::value::shown(callee),
                counted(args.len(), "argument")
            ),
        )),
        (Value::Map(_) | Value::Set(_), [key]) => Ok(callee.look_up(key, &mut cx.meter)?.cloned().unwrap_or_default()),
        (Value::Map(_), [key, default]) => Ok(callee.look_up(key, &mut cx.meter)?.unwrap_or(default).clone()),
        (Value::Vector(items), [Value::Int(at)]) => usize::try_from(*at)
            .ok()
            .and_then(|at| items.get(at))
            .cloned()
            .ok_or_else(|| argument_error(format!("index {at} is outside a vector of length {}", items.len()))),
        (Value::Vector(_), [other]) => {
            Err(type_error(format!("a vector called as a function takes an index, got {}", other.kind())))
        }
        (Value::Map(_) | Value::Set(_) | Value::Vector(_), []) => {
            let kind = callee.kind();
            let text = format!(
                "{kind}: a value is written without parentheses; called like a function it takes 1 argument, got 0"
            );
            Err(err(Reason::ArityError, text))
        }
        (Value::Map(_), _) => {
            Err(err(Reason::ArityError, format!("map: expected 1 or 2 arguments, got {}", args.len())))
        }
        (Value::Set(_) | Value::Vector(_), _) => {
            Err(err(Reason::ArityError, format!("{}: expected 1 argument, got {}", callee.kind(), args.len())))
        }
        _ => Err(err(Reason::NotCallable, advice::not_callable(callee, args, to_native))),
    }
}

/// A call of a builtin: its arguments are the `count` registers after `window`, and `to_native` says that a native
/// frame takes the result.
#[derive(Copy, Clone)]
pub(super) struct BuiltinCall {
    pub id: BuiltinId,
    pub window: usize,
    pub count: usize,
    pub to_native: bool,
}

/// The most frames among which a handler of errors is looked for before a call.
const FEW_FRAMES: usize = 16;

impl Machine {
    /// Call the value in register `window` with the `count` arguments after it.
    pub(super) fn dispatch(&mut self, codes: &CodeTable, window: usize, count: usize, to_native: bool) -> Res<Flow> {
        match &self.regs[window] {
            Value::Function(closure) => {
                let closure = closure.clone();
                self.enter(&closure, window, count, to_native)
            }
            Value::Builtin(id) => {
                let id = *id;
                self.call_builtin(codes, BuiltinCall { id, window, count, to_native })
            }
            Value::Tool(_) => self.call_tool(codes, window, count, to_native),
            Value::Var(_) => self.call_var(codes, window, count, to_native),
            Value::LazySeq(view) if self.cx.cells.surely_ends(*view) => {
                let view = *view;
                match self.realised(view) {
                    Ok(vector) => self.regs[window] = vector,
                    Err(signal) => return self.force_for_call(signal, window, count, to_native),
                }
                self.call_data(codes, window, count, to_native)
            }
            callee => {
                if matches!(callee, Value::Map(_) | Value::Set(_))
                    && count > 0
                    && let Err(signal) = self.cx.settle(&mut self.regs[window + 1])
                {
                    return self.force_for_call(signal, window, count, to_native);
                }
                self.call_data(codes, window, count, to_native)
            }
        }
    }

    /// The function of the prelude whose code makes this call, if one does.
    #[cold]
    fn prelude_caller(&self, to_native: bool) -> Option<&str> {
        let code = self.frames.last().filter(|_| !to_native).and_then(|frame| self.codes.get(frame.code as usize))?;
        code.name.as_deref().filter(|_| code.hidden)
    }

    /// Whether the running function of the prelude belongs to a pass that folds a collection.
    fn is_folding(&self) -> bool {
        let codes = self.frames.iter().rev().map_while(|frame| self.codes.get(frame.code as usize));
        let mut callers = codes.take_while(|code| code.hidden).filter_map(|code| code.name.as_deref());
        callers.any(|name| matches!(name, "reduce" | "%reduce-from" | "%transduce"))
    }

    /// The second argument of the running function: in an update of the prelude, the key.
    fn updated_key(&self) -> Option<&Value> {
        self.frames.last().and_then(|frame| self.regs.get(frame.base as usize + 1))
    }

    /// A var stands for its definition, which may be a var again.
    fn call_var(&mut self, codes: &CodeTable, window: usize, count: usize, to_native: bool) -> Res<Flow> {
        let kept = self.regs[window].clone();
        // More steps than there are definitions mean a cycle.
        let mut steps = self.globals.iter().count() + 1;
        while let Value::Var(name) = &self.regs[window] {
            if steps == 0 {
                return Err(type_error(format!("#'{name} stands for itself: define it as a function or a value")));
            }
            steps -= 1;
            self.cx.meter.charge(1)?;
            self.regs[window] = self.named(name)?;
        }
        let flow = self.dispatch(codes, window, count, to_native);
        if to_native {
            self.regs[window] = kept;
        }
        flow
    }

    /// Keywords, maps, sets, vectors and symbols as functions.
    fn call_data(&mut self, codes: &CodeTable, window: usize, count: usize, to_native: bool) -> Res<Flow> {
        let callee = self.regs[window].clone();
        let args: Vec<Value> = self.regs[window + 1..window + 1 + count].iter_mut().map(std::mem::take).collect();
        self.lend();
        // A sequence that is computed element by element calls like a function of the program.
        let by_native = to_native && !matches!(self.natives.last(), Some(NativeFrame { native: Native::Force(_), .. }));
        let by_builtin = by_native || self.prelude_caller(to_native).is_some();
        let found = look_up(&callee, &args, by_builtin, &mut self.cx);
        self.reclaim();
        self.place_warnings(codes);
        found.map(Flow::Value)
    }

    /// Push a frame for a function of the program.
    pub(super) fn enter(&mut self, closure: &Arc<Closure>, window: usize, count: usize, to_native: bool) -> Res<Flow> {
        let entry = match closure.proto.arities.as_slice() {
            [only] if usize::from(only.fixed) == count && !only.rest => only,
            _ => match closure.proto.select(count) {
                Some(entry) => entry,
                None => {
                    let caller = self.prelude_caller(to_native);
                    return Err(arity_error(closure, &self.regs[window + 1..window + 1 + count], caller));
                }
            },
        };
        if self.frames.len() >= self.cx.meter.limits().depth {
            return Err(self.too_deep());
        }
        let base = window + 1;
        let needed = base + usize::from(entry.registers).max(count);
        if self.regs.len() < needed {
            self.grow(needed)?;
        }
        if entry.rest {
            let fixed = usize::from(entry.fixed);
            self.claim((count - fixed) * 16 + 64)?;
            let more: Vec<Value> = self.regs[base + fixed..base + count].iter_mut().map(std::mem::take).collect();
            self.regs[base + fixed] = if more.is_empty() { Value::Nil } else { Value::Vector(Vector::from(more)) };
        }
        let track = closure.track.load(std::sync::atomic::Ordering::Relaxed);
        self.frames.push(Frame { code: entry.code, pc: 0, base: base as u32, answer: Answer::new(track, to_native) });
        Ok(Flow::Code)
    }

    /// Call a builtin.
    pub(super) fn call_builtin(&mut self, codes: &CodeTable, call: BuiltinCall) -> Res<Flow> {
        let entry = table().entry(call.id);
        if !entry.accepts(call.count) {
            return Err(builtin_arity_error(entry, call.count));
        }
        self.count_before_call(call.window, call.count)?;
        let mark = self.cx.meter.mark();
        let result = self.run_builtin(codes, call);
        if result.is_ok() && self.cx.unplaced.is_empty() {
            return result;
        }
        self.after_builtin(codes, call, &mark, result)
    }

    /// Whether a builtin that calls no functions can be called with the arguments after `window` unchanged: nothing has
    /// to be realised before, and no function of the program compares anything.
    #[inline]
    pub(super) fn is_answered_plainly(&self, row: &Builtin, window: usize, count: usize) -> bool {
        self.cx.state.compares_plainly() || self.holds_plain(row, &self.regs[window + 1..window + 1 + count])
    }

    /// The same, in a session that has generators or comparators.
    pub(super) fn holds_plain(&self, row: &Builtin, args: &[Value]) -> bool {
        let is_ready = |arg: &Value| !matches!(arg, Value::LazySeq(view) if self.is_realised_for(row, *view));
        !self.cx.state.has_comparators && row.force != Force::Deep && args.iter().all(is_ready)
            || args.iter().all(Value::is_scalar)
    }

    /// Whether a lazy sequence becomes a vector before a call. For builtins that read no prefix, one that surely ends does:
    /// it differs from a vector in nothing else.
    fn is_realised_for(&self, row: &Builtin, view: LazySeq) -> bool {
        row.force != Force::Lazy || row.demand == Demand::Whole && self.cx.cells.surely_ends(view)
    }

    /// Call a builtin that calls no functions with the arguments after `window`.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "one instruction makes most calls of builtins")]
    pub(super) fn run_plain(
        &mut self,
        codes: &CodeTable,
        (id, run): (BuiltinId, Plain),
        window: usize,
        count: usize,
    ) -> Result<Value, Res<Flow>> {
        if let Err(signal) = self.count_before_call(window, count) {
            return Err(Err(signal));
        }
        let mark = self.cx.meter.mark();
        let args = &mut self.regs[window + 1..window + 1 + count];
        match run(&mut Call { name: table().entry(id).row.name, args, cx: &mut self.cx }) {
            Ok(value) => {
                self.clear_args(window, count);
                self.place_warnings(codes);
                Ok(value)
            }
            Err(signal) => {
                let call = BuiltinCall { id, window, count, to_native: false };
                Err(self.after_builtin(codes, call, &mark, Err(signal)))
            }
        }
    }

    /// After a builtin call that started at `mark`: repeat it when it was refused memory too early, place its warnings,
    /// and continue after an error when it needs something realised.
    fn after_builtin(&mut self, codes: &CodeTable, call: BuiltinCall, mark: &Mark, mut result: Res<Flow>) -> Res<Flow> {
        let BuiltinCall { id, window, count, to_native } = call;
        if let Err(signal) = &result
            && self.count_for_retry(signal, mark, window, count)?
        {
            result = self.run_builtin(codes, call);
        }
        self.place_warnings(codes);
        match result {
            Err(mut signal) => {
                if let Signal::Error(error) = &mut *signal {
                    let caller = self.prelude_caller(to_native);
                    advice::add_for_nil(error, count > 2 || !to_native && self.is_folding());
                    let args = &self.regs[window + 1..window + 1 + count];
                    advice::add_for_update(error, caller.zip(self.updated_key()), table().entry(id).row.name, args);
                }
                self.force_for_call(signal, window, count, to_native)
            }
            flow => flow,
        }
    }

    /// When `signal` asks for generators, realise them and repeat the call of `window`.
    fn force_for_call(&mut self, signal: Box<Signal>, window: usize, count: usize, to_native: bool) -> Res<Flow> {
        if !matches!(*signal, Signal::Need { .. } | Signal::NeedAll(_)) {
            return Err(signal);
        }
        let dest = if to_native { Dest::RetryCall(count) } else { Dest::Retry };
        self.push_force(&signal, window + count + 1, dest)?;
        Ok(Flow::Native(None))
    }

    fn run_builtin(&mut self, codes: &CodeTable, call: BuiltinCall) -> Res<Flow> {
        let BuiltinCall { id, window, count, to_native } = call;
        let entry = table().entry(id);
        match &entry.row.run {
            Run::Plain(run) => {
                if self.cx.cells.has_generators() {
                    self.realise_arguments(entry.row, window, count)?;
                }
                self.lend_for_call(window, count)?;
                let args = &mut self.regs[window + 1..window + 1 + count];
                let result = run(&mut Call { name: entry.row.name, args, cx: &mut self.cx });
                self.reclaim();
                let value = result?;
                self.clear_args(window, count);
                Ok(Flow::Value(value))
            }
            Run::Native(_) | Run::Frame => {
                // The result register may still hold, from an earlier call, the content of a cell that is about to
                // change.
                if !to_native {
                    self.regs[window].clear();
                }
                self.lend_for_call(window, count)?;
                let args = &mut self.regs[window + 1..window + 1 + count];
                let mut call = Call { name: entry.row.name, args, cx: &mut self.cx };
                let begin = if let Run::Native(start) = &entry.row.run {
                    start(&mut call).map(|begin| begin.within())
                } else if let Some(start) = start_of(id) {
                    start(&mut call)
                } else {
                    Err(err(Reason::InternalError, format!("{} does not start", entry.row.name)))
                };
                self.reclaim();
                self.begin(codes, begin?, window, count, to_native)
            }
            Run::Prelude(_) => {
                let Some(closure) = prelude::closure(id) else {
                    return Err(err(Reason::InternalError, format!("{} is not in the prelude", entry.row.name)));
                };
                self.enter(closure, window, count, to_native)
            }
        }
    }

    fn begin(&mut self, codes: &CodeTable, begin: Begin, window: usize, count: usize, to_native: bool) -> Res<Flow> {
        // The function of the native frame below must stay where it is.
        let (place, dest) = if to_native { (window + 1, Dest::Native) } else { (window, Dest::Register(window)) };
        match begin {
            Begin::Value(value) => {
                self.clear_args(window, count);
                Ok(Flow::Value(value))
            }
            Begin::Var(name) => {
                self.clear_args(window, count);
                self.named(&name).map(Flow::Value)
            }
            Begin::Delegate(name) => match table().find(name) {
                Some(id) => self.call_builtin(codes, BuiltinCall { id, window, count, to_native }),
                None => Err(err(Reason::InternalError, format!("{name} is missing"))),
            },
            Begin::Frame(mut native, f) => {
                self.clear_args(window, count);
                if let Native::Swap(swap) = &mut native
                    && swap.may_own().is_some_and(|extra| self.is_unnoticed(codes, &f, extra))
                {
                    swap.own();
                }
                self.regs[place] = f;
                self.push_native(native, place, dest)?;
                Ok(Flow::Native(None))
            }
            Begin::Invoke(f, args) => {
                self.clear_args(window, count);
                let given = args.len();
                let needed = place + 2 + given;
                // Here a count of live values sees them.
                self.args = args;
                if self.regs.len() < needed {
                    self.grow(needed)?;
                }
                // Allocating space for a million arguments takes milliseconds, and so does filling it.
                self.look_for(given)?;
                let args = std::mem::take(&mut self.args);
                let is_function = matches!(f, Value::Function(_));
                self.regs[place] = f;
                if !is_function {
                    // The callee may ask for generators: then the callee is called again, not this call.
                    self.push_native(Native::Call(OneCall::new(args)), place, dest)?;
                    return Ok(Flow::Native(None));
                }
                for (at, arg) in args.into_iter().enumerate() {
                    self.regs[place + 1 + at] = arg;
                }
                self.look_for(given)?;
                self.dispatch(codes, place, given, to_native)
            }
        }
    }

    /// Whether nothing notices that a cell is empty while this function, given what is in it and `extra`, runs: it reads
    /// no cell, and its errors end the program, which undoes what was written to cells.
    fn is_unnoticed(&self, codes: &CodeTable, f: &Value, extra: &[Value]) -> bool {
        let is_reading = |value: &Value| !self.is_pure(value, false);
        let reads = match f {
            Value::Builtin(id) => match table().entry(*id).row.purity {
                Purity::Carries(at) => at.checked_sub(1).and_then(|at| extra.get(at)).is_none_or(is_reading),
                _ => is_reading(f),
            },
            _ => is_reading(f),
        };
        // A generator may read any cell when it is realised.
        let is_alone = self.parents.is_empty() && !self.is_nested() && !self.cx.cells.has_generators();
        let catches = |frame: &Frame| !codes[frame.code as usize].handlers.is_empty();
        !reads && is_alone && self.frames.len() <= FEW_FRAMES && !self.frames.iter().any(catches)
    }

    /// Look at the clock after work on this many elements, if there are many.
    fn look_for(&mut self, elements: usize) -> Res<()> {
        if elements > crate::limits::meter::PACE { Ok(self.cx.meter.look_at_clock()?) } else { Ok(()) }
    }

    /// The value of a var: a definition, else a builtin.
    fn named(&self, name: &Name) -> Res {
        let defined = self.globals.named(name).and_then(|global| global.value.clone());
        defined
            .or_else(|| table().resolve(None, name.as_str()).map(Value::Builtin))
            .ok_or_else(|| err(Reason::UndefinedSymbol, format!("undefined symbol '{name}'")))
    }

    #[inline]
    fn clear_args(&mut self, window: usize, count: usize) {
        clear(&mut self.regs[window + 1..window + 1 + count]);
    }

    pub(super) fn push_native(&mut self, native: Native, window: usize, dest: Dest) -> Res<()> {
        if self.natives.len() >= self.cx.meter.limits().depth {
            return Err(self.too_deep());
        }
        let field = matches!(native, Native::Sort(_));
        if self.regs.len() < window + 4 {
            self.grow(window + 4)?;
        }
        self.natives.push(NativeFrame { native, window, depth: self.frames.len(), dest, inbox: None, field });
        Ok(())
    }

    /// A frame that realises what `signal` asks for, above register `window`.
    pub(super) fn push_force(&mut self, signal: &Signal, window: usize, dest: Dest) -> Res<()> {
        let wanted = match signal {
            Signal::Need { cell, count } => vec![(*cell, *count)],
            Signal::NeedAll(cells) => cells.iter().map(|cell| (*cell, usize::MAX)).collect(),
            _ => return Ok(()),
        };
        self.push_native(Native::Force(ForceFrame::new(wanted)), window, dest)
    }

    /// When `signal` asks for generators, realise them above register `window` and run the current instruction again.
    pub(super) fn force_for_retry(&mut self, signal: &Signal, window: usize) -> bool {
        matches!(signal, Signal::Need { .. } | Signal::NeedAll(_))
            && self.push_force(signal, window, Dest::Retry).is_ok()
    }

    /// The vector of a lazy sequence; requests it if it is not realised.
    fn realised(&mut self, view: LazySeq) -> Res {
        if !self.cx.cells.is_finished(view) {
            return Err(Box::new(Signal::Need { cell: view.cell, count: usize::MAX }));
        }
        self.cx.meter.allocate(96 + self.cx.cells.realised(view).len() * 16)?;
        Ok(Value::vector(self.cx.cells.realised(view).to_vec()))
    }

    /// Replace generators among the arguments with vectors; requests those that are not realised.
    fn realise_arguments(&mut self, row: &Builtin, window: usize, count: usize) -> Res<()> {
        for at in window + 1..window + 1 + count {
            if let Value::LazySeq(view) = self.regs[at]
                && self.is_realised_for(row, view)
            {
                self.regs[at] = self.realised(view)?;
            }
            if row.force == Force::Deep {
                let value = self.regs[at].clone();
                self.regs[at] = self.cx.materialise(value)?;
            }
        }
        Ok(())
    }

    /// A call of a tool: suspend the machine with it.
    fn call_tool(&mut self, codes: &CodeTable, window: usize, count: usize, to_native: bool) -> Res<Flow> {
        let Value::Tool(name) = &self.regs[window] else { return Ok(Flow::Value(Value::Nil)) };
        if self.is_nested() {
            return Err(argument_error(format!(
                "the comparator of a sorted collection may not call tools; compute keys with tool/{name} first, then order by them"
            )));
        }
        let below = self.parents.iter().flat_map(|fiber| &fiber.natives);
        if self.natives.iter().chain(below).any(|frame| !frame.native.may_call_tools()) {
            return Err(argument_error(format!(
                "sort: the comparator may not call tools; compute keys with tool/{name} first, then sort by them"
            )));
        }
        // Twice, because the list of records may be half empty.
        self.claim(2 * size_of::<ToolRecord>() + name.as_str().len() + 768)?;
        let args = window + 1..window + 1 + count;
        if !self.cx.cells.is_empty() {
            for at in args.clone() {
                match self.cx.materialise(self.regs[at].clone()) {
                    Ok(value) => self.regs[at] = value,
                    Err(signal) => return self.force_for_call(signal, window, count, to_native),
                }
            }
            for at in args.clone() {
                self.regs[at] = self.with_contents(&self.regs[at].clone())?;
            }
        }
        let (callee, args) = self.regs[window..args.end].split_at_mut(1);
        let dest = if to_native { Dest::Native } else { Dest::Register(window) };
        let bound = self.tools.bind(&callee[0], args, dest, &mut self.cx);
        clear(args);
        self.place_warnings(codes);
        bound?;
        Ok(self.tools.cached(&mut self.cx)?.map_or(Flow::Suspend, Flow::Value))
    }

    /// Field access by the functions that take a key.
    pub(super) fn call_field(&mut self, codes: &CodeTable, key: &Value, item: &Value) -> Res {
        self.lend();
        let found = field_lookup(key, item, &mut self.cx);
        self.reclaim();
        self.place_warnings(codes);
        found
    }
}
