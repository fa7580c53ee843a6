//! A session: programs run one after another over the same data, tools and definitions.

mod border;
mod call;
mod checkpoint;
mod compiled;
mod definitions;
pub(crate) mod fields;
pub(crate) mod frames;
pub(crate) mod host;
mod interrupt;
pub(crate) mod memory;
mod options;
pub(crate) mod outcome;
pub(crate) mod pipeline;
pub(crate) mod program;
mod restore;
mod store;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::analyze::print;
use crate::error::warning::Warning;
use crate::error::{Error, Reason, Signal};
use crate::eval::code_table::CodeTable;
use crate::eval::context::Context;
use crate::eval::tools::Tools;
use crate::eval::vm::{Exit, Machine};
use crate::fields::DataFields;
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::limits::release::{Garbage, release_some};
use crate::optimize::{PASSES, Plan};
use crate::reference::language;
use crate::session::host::{CachedCall, ToolAnswer, ToolCall, ToolResult};
use crate::session::memory::stored::{Held, Omitted};
use crate::session::memory::{Memory, MemoryEntry};
use crate::session::outcome::{Ending, Outcome, Problem, Usage};
use crate::session::program::Phases;
use crate::stdlib::parameters::parameters;
use crate::stdlib::table::table;
use crate::value::{Import, NoCells, Value};

pub use call::{Arguments, Function};
pub use checkpoint::Checkpoint;
pub use compiled::Program;
pub use definitions::Definitions;
pub use options::SessionOptions;

/// How far a running program has got.
pub enum Progress {
    /// The slice of fuel is used up: advance again.
    Slice,
    /// These calls wait for the host: answer them, then advance.
    Calls(Vec<ToolCall>),
    /// The program ended.
    Done(Outcome),
}

/// Programs over one set of data, tools and definitions. It is `Send`, and blocks no thread while a tool runs.
///
/// ```
/// use ptc_lisp::{Ending, Session, SessionOptions, no_tools};
///
/// let mut session = Session::new(SessionOptions::default());
/// session.run("(defn area [w h] (* w h))", &mut no_tools);
/// let outcome = session.run("(area 2 3)", &mut no_tools);
/// assert!(matches!(outcome.ending, Ending::Value(ptc_lisp::Value::Int(6))));
/// ```
pub struct Session {
    pub(crate) machine: Machine,
    pub(crate) limits: Limits,
    /// What is known of the fields of the data.
    pub(crate) fields: DataFields,
    float_precision: Option<u32>,
    history_max_bytes: usize,
    /// The running program.
    running: Option<Running>,
    /// Stored definitions that could not be restored.
    foreign: IndexMap<String, Held>,
    /// The numbers under which cells were stored.
    cell_ids: store::CellIds,
    /// Definitions of the options that could not be taken.
    left_out: Vec<Omitted>,
    /// Values that programs dropped and that there was no time to free.
    garbage: Garbage,
    /// Makes values of the arguments of calls: most calls have records of the same kinds.
    arguments: Option<Box<Import>>,
    /// The most bytes that programs may have left; `None` when they must be counted.
    carried: Option<u64>,
}

/// Like [`Progress`], but the calls stay where they are.
enum Stop {
    Slice,
    Calls,
    Done(Box<Outcome>),
}

impl Stop {
    fn done(outcome: Outcome) -> Stop {
        Stop::Done(Box::new(outcome))
    }
}

struct Running {
    /// The ending, when it is known and its value is still being realised.
    ending: Option<Ending>,
    /// Static problems: nothing ran.
    refused: Option<Vec<Problem>>,
    /// What to add to an error of the run.
    note: Option<String>,
    /// For a call by the host: the number of cells before it.
    call: Option<usize>,
}

impl Session {
    /// A session with these options.
    ///
    /// Values of another session cannot be options, except with its definitions: programs are then refused, and
    /// [`Session::refusal`] says why.
    #[must_use]
    #[inline]
    pub fn new(options: SessionOptions) -> Session {
        let meter = Meter::new(options.limits.clone());
        let mut cx = Context::new(language(), meter, options.clock, options.seed);
        cx.keeps_tasks = options.tasks.is_some();
        cx.local.tasks = options.tasks.into_iter().flatten().collect();
        let tools = Tools::new(options.tools, options.tool_cache);
        let mut session = Session {
            machine: Machine::new(cx, options.data, tools),
            limits: options.limits,
            fields: DataFields::new(options.data_types),
            float_precision: options.float_precision,
            history_max_bytes: options.history_max_bytes,
            running: None,
            foreign: IndexMap::new(),
            cell_ids: store::CellIds::default(),
            left_out: Vec::new(),
            garbage: Garbage::default(),
            arguments: None,
            carried: Some(0),
        };
        session.start_with(&options.definitions);
        // Functions that came with the definitions are of this session, too.
        session.check_options();
        session
    }

    /// Definitions of the options that could not be taken, with the reason.
    #[must_use]
    pub fn left_out(&self) -> &[Omitted] {
        &self.left_out
    }

    /// Start a program: parse, analyze, compile. Static problems are the outcome of the first [`Session::advance`].
    ///
    /// A program that waits is abandoned: its definitions and what it wrote into atoms are undone, its prints and calls
    /// are lost. [`Session::interrupt`] ends it with an outcome.
    pub fn start(&mut self, source: &str) {
        self.start_named(None, source);
    }

    /// The same, for a program to which errors and warnings refer by a name.
    fn start_named(&mut self, name: Option<Arc<str>>, source: &str) {
        self.abandon();
        self.begin(self.limits.clone());
        let machine = &mut self.machine;
        machine.tools.begin();
        let phases = Phases { machine, limits: &self.limits, fields: &self.fields, name: name.clone() };
        let (refused, note) = match phases.prepare(source.into()) {
            Ok(mut prepared) => {
                let note = prepared.note.take();
                prepared.install(machine);
                (None, note)
            }
            Err(refusal) => {
                (Some(refusal.into_iter().map(|problem| problem.of_program(name.as_deref())).collect()), None)
            }
        };
        self.running = Some(Running { ending: None, refused, note, call: None });
    }

    /// Undo what a program has done that has not ended.
    fn abandon(&mut self) {
        if self.running.take().is_some() {
            self.machine.clear();
            self.undo();
            self.machine.cx.cells.begin_turn();
            self.carried = None;
        }
    }

    /// Go back to the definitions and the contents of atoms before the program.
    fn undo(&mut self) {
        let machine = &mut self.machine;
        if let Some(before) = machine.before.take() {
            machine.globals.go_back(&before);
        }
        machine.cx.cells.roll_back();
        machine.cx.local.summaries.clear();
    }

    /// Forget everything a program left except its definitions, and count from zero.
    fn begin(&mut self, limits: Limits) {
        self.machine.clear();
        let carried = self.carried.take().unwrap_or_else(|| self.machine.left_bytes());
        let cx = &mut self.machine.cx;
        cx.begin(Meter::after(limits, carried));
        self.carried = Some(carried);
        cx.local.reset();
        cx.warnings.clear();
        cx.cells.begin_turn();
    }

    /// Look for the static problems of a program: nothing runs, nothing is defined, and a running program is left alone.
    ///
    /// Returns its warnings. Errors with up to five problems, ordered by position.
    pub fn check(&self, source: &str) -> Result<Vec<Warning>, Vec<Problem>> {
        let phases = Phases { machine: &self.machine, limits: &self.limits, fields: &self.fields, name: None };
        let prepared = phases.prepare(source.into())?;
        Ok(prepared.warnings.into_iter().map(|warning| warning.placed(&prepared.text)).collect())
    }

    /// What the optimizer makes of a program, without the passes of these names: a tree in which `$0` is a local, `$0!` its
    /// last read, and `(each …)` a loop over a collection (`docs/machine.md`). Nothing runs.
    ///
    /// Errors with up to five problems, ordered by position.
    pub fn optimized(&self, source: &str, without: &[&str]) -> Result<String, Vec<Problem>> {
        let phases = Phases { machine: &self.machine, limits: &self.limits, fields: &self.fields, name: None };
        let (tree, definitions) = phases.optimized(source.into(), &Plan::with(|pass| !without.contains(&pass.name)))?;
        Ok(print::program_in_lines(&tree, &definitions))
    }

    /// The instructions that a program is compiled to without the passes of these names, function by function: `r3` is a
    /// register, `r3!` one that is emptied, `→7` the instruction that follows (`docs/machine.md`). Nothing runs.
    ///
    /// Errors with up to five problems, ordered by position.
    pub fn instructions(&self, source: &str, without: &[&str]) -> Result<String, Vec<Problem>> {
        let phases = Phases { machine: &self.machine, limits: &self.limits, fields: &self.fields, name: None };
        let plan = Plan::with(|pass| !without.contains(&pass.name));
        Ok(phases.prepare_with(source.into(), &plan, |_, _| ())?.0.listing())
    }

    /// The passes of the optimizer in their order: the name, what it does, and why it has this place.
    pub fn passes() -> impl Iterator<Item = [&'static str; 3]> {
        PASSES.iter().map(|pass| [pass.name, pass.does, pass.place])
    }

    /// Run for `slice` units of fuel, or until something happens. Without a running program the outcome is nil.
    ///
    /// Values that a program dropped are freed before this returns, unless the deadline passes first: then with the
    /// next program or with the session.
    pub fn advance(&mut self, slice: Option<u64>) -> Progress {
        let codes = self.machine.codes.clone();
        let stop = self.collecting(|session| session.go_on(&codes, slice));
        drop(codes);
        match stop {
            Stop::Slice => Progress::Slice,
            Stop::Calls => {
                let mut calls = Vec::new();
                self.machine.each_call(&mut |call| calls.push(call.clone()));
                Progress::Calls(calls)
            }
            Stop::Done(outcome) => {
                self.forget_code();
                Progress::Done(*outcome)
            }
        }
    }

    /// Do this while large values that the program drops wait to be freed.
    fn collecting<R>(&mut self, work: impl FnOnce(&mut Session) -> R) -> R {
        let mut garbage = std::mem::take(&mut self.garbage);
        let collecting = garbage.collect_here();
        let result = work(self);
        drop(collecting);
        self.garbage = garbage;
        result
    }

    /// Run until something happens, and free waiting values before the host is asked.
    fn go_on(&mut self, codes: &CodeTable, slice: Option<u64>) -> Stop {
        self.machine.cx.meter.work_begins();
        let stop = self.run_machine(codes, slice);
        self.machine.cx.meter.work_ends();
        if !matches!(stop, Stop::Slice) {
            while release_some() && !self.machine.cx.meter.is_late() {}
        }
        stop
    }

    fn run_machine(&mut self, codes: &CodeTable, slice: Option<u64>) -> Stop {
        let slice = slice.map_or(i64::MAX, |units| i64::try_from(units).unwrap_or(i64::MAX));
        self.machine.cx.meter.resume();
        if let Some(problems) = self.running.as_mut().and_then(|running| running.refused.take()) {
            return Stop::done(self.finish(Ending::Error(problems)));
        }
        match self.machine.run(codes, slice) {
            Exit::Slice => Stop::Slice,
            Exit::Calls => {
                let since = self.machine.suspended_at();
                self.machine.cx.meter.pause(since);
                Stop::Calls
            }
            Exit::Done(value) => {
                let known = self.running.as_mut().and_then(|running| running.ending.take());
                self.realise(known.unwrap_or(Ending::Value(value)))
            }
            Exit::Signal(signal) => match *signal {
                Signal::Return(value) => self.realise(Ending::Return(value)),
                Signal::Fail(value) => self.realise(Ending::Fail(value)),
                Signal::Error(error) => Stop::done(self.failed(&error)),
                Signal::Need { .. } | Signal::NeedAll(_) | Signal::Busy(_) => Stop::done(self.failed(&unrealisable())),
            },
        }
    }

    /// Answer the pending calls, in their order.
    pub fn answer(&mut self, results: Vec<ToolResult>) {
        self.answer_calls(results.into_iter().map(ToolAnswer::from));
    }

    /// Like [`Session::answer`], with the origin of each answer for the records of the calls.
    pub fn answer_calls(&mut self, answers: impl IntoIterator<Item = ToolAnswer>) {
        let moment = self.machine.cx.meter.moment();
        self.machine.cx.meter.resume_at(moment);
        self.machine.answer(answers, moment);
    }

    /// What the running program has printed so far: whole lines, oldest first. The lines of `pmap` branches are added
    /// when the `pmap` ends. Beyond the limits, the oldest lines are dropped.
    #[must_use]
    pub fn prints(&self) -> &[String] {
        &self.machine.cx.local.left.prints
    }

    /// Run a program to its end, answering tool calls with `tools`.
    pub fn run(&mut self, source: &str, tools: &mut dyn FnMut(&ToolCall) -> ToolResult) -> Outcome {
        self.run_sliced(source, None, tools)
    }

    /// Like [`Session::run`], in slices of fuel: the outcome does not depend on the slice.
    pub fn run_sliced(
        &mut self,
        source: &str,
        slice: Option<u64>,
        tools: &mut dyn FnMut(&ToolCall) -> ToolResult,
    ) -> Outcome {
        self.start(source);
        self.go_to_end(slice, tools)
    }

    /// Run what was started to its end, answering tool calls with `tools`.
    fn go_to_end(&mut self, slice: Option<u64>, tools: &mut dyn FnMut(&ToolCall) -> ToolResult) -> Outcome {
        // The calls stay where they are, and one list serves all their answers.
        let (mut answers, codes) = (Vec::new(), self.machine.codes.clone());
        let outcome = self.collecting(|session| {
            loop {
                match session.go_on(&codes, slice) {
                    Stop::Slice => {}
                    Stop::Calls => {
                        session.machine.each_call(&mut |call| answers.push(ToolAnswer::from(tools(call))));
                        session.answer_calls(answers.drain(..));
                    }
                    Stop::Done(outcome) => return *outcome,
                }
            }
        });
        drop(codes);
        self.forget_code();
        outcome
    }

    /// Drop the code to which no function refers. Code that is shared with the definitions of another session stays until
    /// the next program, which gets a table that is not.
    pub(super) fn forget_code(&mut self) {
        if let Some(codes) = Arc::get_mut(&mut self.machine.codes) {
            codes.collect();
        }
    }

    /// The outcome of an ending; a value with unrealised generators inside is realised first, under the same limits.
    fn realise(&mut self, ending: Ending) -> Stop {
        let (value, kind): (Value, fn(Value) -> Ending) = match ending {
            Ending::Value(value) => (value, Ending::Value),
            Ending::Return(value) => (value, Ending::Return),
            Ending::Fail(value) => (value, Ending::Fail),
            problems @ Ending::Error(_) => return Stop::done(self.finish(problems)),
        };
        match self.machine.export(value.clone(), self.float_precision) {
            Ok(value) => Stop::done(self.finish(kind(value))),
            Err(signal) => match (&*signal, &mut self.running) {
                (Signal::Error(error), _) => {
                    let mut error = error.clone();
                    error.span = error.span.or(self.machine.ended_at);
                    Stop::done(self.failed(&error))
                }
                (_, Some(running)) if self.machine.start_force(&signal) => {
                    // The value is checked again when its generators are realised.
                    running.ending = Some(kind(value));
                    Stop::Slice
                }
                _ => Stop::done(self.failed(&unrealisable())),
            },
        }
    }

    fn failed(&mut self, error: &Error) -> Outcome {
        let text = &self.machine.text;
        let mut problem = Problem::new(error, &text.text).of_program(text.name.as_deref());
        let note = self.running.as_ref().and_then(|running| running.note.as_deref());
        problem.message.push_str(note.unwrap_or_default());
        self.finish(Ending::Error(vec![problem]))
    }

    /// Keep or undo what the program did, and collect its results.
    fn finish(&mut self, ending: Ending) -> Outcome {
        self.machine.clear();
        let running = self.running.take();
        if running.is_some() && matches!(ending, Ending::Error(_)) {
            self.undo();
        }
        let call = running.and_then(|running| running.call);
        let machine = &mut self.machine;
        machine.before = None;
        machine.cx.cells.begin_turn();
        match &ending {
            _ if call.is_some() => {}
            Ending::Value(value) => {
                let kept = crate::value::shorten(value, self.history_max_bytes);
                machine.history.insert(0, kept);
                machine.history.truncate(3);
            }
            Ending::Return(_) => {}
            Ending::Fail(_) | Ending::Error(_) => machine.error = ending.exception(),
        }
        crate::stdlib::close_output(&mut machine.cx);
        let meter = &machine.cx.meter;
        let usage = Usage { fuel: meter.fuel_used(), memory: meter.most(), time: meter.run_time() };
        if !machine.cx.cells.is_empty() && call.is_none_or(|cells| machine.cx.cells.count() > cells) {
            // Counting the live values frees cells that the program created and that nothing refers to.
            let _ = machine.scan();
        }
        let meter = &machine.cx.meter;
        self.carried = Some(meter.live.saturating_add(meter.charged));
        let left = std::mem::take(&mut machine.cx.local.left);
        let warnings = std::mem::take(&mut machine.cx.warnings);
        Outcome {
            ending,
            prints: left.prints,
            missing: left.missing,
            tool_calls: left.records,
            parallel_calls: left.parallel,
            warnings: warnings.into_iter().map(|warning| warning.placed(&machine.text)).collect(),
            usage,
            summaries: std::mem::take(&mut machine.cx.local.summaries).into_iter().collect(),
        }
    }

    /// The definitions, in order; atoms show their contents.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let globals = &self.machine.globals;
        let entries = globals
            .iter()
            .filter_map(|(name, global)| {
                let value = global.value.as_ref()?;
                Some(MemoryEntry {
                    name: name.to_string(),
                    value: self.machine.show(value),
                    doc: global.doc.as_ref().map(ToString::to_string),
                    returns: globals.return_label(global),
                    params: parameters(value, table()),
                    order: global.order,
                    label: crate::value::type_of(value),
                })
            })
            .collect();
        Memory::new(entries).with_shown_names(self.machine.cx.cells.shown_names.clone())
    }

    /// A result of this session as JSON; see [`crate::values::to_json`].
    ///
    /// Errors with `nesting_too_deep` beyond 512 levels, and with `memory_exceeded` when the JSON needs more than four
    /// times the memory limit of the session.
    pub fn to_json(&self, value: &Value) -> Result<serde_json::Value, Error> {
        crate::value::json_within(value, &NoCells, &self.limits)
    }

    /// A result of this session as tagged JSON; see [`crate::values::to_tagged`].
    ///
    /// Errors like [`Session::to_json`].
    pub fn to_tagged(&self, value: &Value) -> Result<Box<serde_json::value::RawValue>, Error> {
        crate::value::tagged_within(value, &NoCells, &self.limits)
    }

    /// Bytes of the definitions; host data is free.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.machine.definitions_bytes()
    }

    /// Finished tasks, in order; atoms show their contents.
    pub fn tasks(&self) -> impl Iterator<Item = (&str, Value)> {
        self.machine.cx.local.tasks.iter().map(|(id, value)| (id.as_str(), self.machine.show(value)))
    }

    /// The answers of cacheable tools so far, those of the options included.
    #[must_use]
    pub fn tool_cache(&self) -> Vec<CachedCall> {
        self.machine.tools.cached_calls()
    }

    /// The cached answer of an equal call of a cacheable tool; for calls that the host makes itself, outside programs.
    #[must_use]
    pub fn cached_answer(&self, call: &ToolCall) -> Option<Value> {
        self.machine.tools.known(call)
    }

    /// The limits of the next program.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }
}

/// A defect of the interpreter: something asked for elements where they cannot be realised.
fn unrealisable() -> Error {
    Error::new(Reason::InternalError, "a sequence could not be realised")
}
