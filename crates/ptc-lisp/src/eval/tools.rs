//! The tools of a session: binding arguments, answering from the cache, recording calls.

mod cache;

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;

use super::context::Context;
use super::fiber::Pending;
use crate::contract::{self, ToolArguments};
use crate::error::{Error, Reason, Res, Signal, err};
use crate::host::{CachedCall, ToolAnswer, ToolCall, ToolFailure, ToolRecord, ToolSpec};
use crate::meter::Meter;
use crate::name::Identity;
use crate::value::{KeyTexts, Name, Value};
use crate::warning::WarningCode;
use cache::AnswerCache;

/// Specifications by name, and cached answers of the whole run.
#[derive(Default)]
pub(crate) struct Tools {
    specs: IndexMap<Name, Known, Identity>,
    /// Whether equal calls of any tool may be answered once.
    caches: bool,
    cache: AnswerCache,
    seq: u64,
    /// The names of arguments as tools receive them.
    keys: KeyTexts,
    /// Buffer for the arguments of the next call.
    arguments: Vec<Value>,
    /// How arguments are checked against signatures.
    pub checks: contract::InputChecks,
}

/// A tool, and its name as calls and records share it.
struct Known {
    name: Arc<str>,
    spec: ToolSpec,
}

impl Tools {
    /// `answers`: those of earlier sessions.
    pub fn new(specs: Vec<ToolSpec>, answers: Vec<CachedCall>) -> Tools {
        let caches = specs.iter().any(|spec| spec.cache);
        let known_as = |spec: ToolSpec| (Name::new(&spec.name), Known { name: spec.name.as_str().into(), spec });
        let specs = specs.into_iter().map(known_as).collect();
        Tools { specs, caches, cache: answers.into_iter().collect(), ..Tools::default() }
    }

    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        Some(&self.specs.get(&Name::known(name)?)?.spec)
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.specs.keys().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    }

    /// Begin a program, whose calls are counted from 1.
    pub fn begin(&mut self) {
        self.seq = 0;
    }

    /// An empty list for the arguments of a call; [`Tools::bind`] takes it back.
    pub fn take_arguments(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.arguments)
    }

    /// The number of the tool, and the call that these arguments make: bound to parameters, coerced, keys folded.
    pub fn bind(&mut self, name: &Name, mut args: Vec<Value>, cx: &mut Context) -> Res<(usize, ToolCall)> {
        let Some((tool, _, Known { name: known, .. })) = self.specs.get_full(name) else {
            return Err(err(Reason::ToolNotFound, format!("tool '{name}' not found")));
        };
        let known = known.clone();
        let bound = self.checked(tool, &mut args, cx);
        args.clear();
        self.arguments = args;
        let bound = bound?;
        for note in bound.notes {
            cx.warn(WarningCode::CoercedArgument, format!("tool/{name}: {note}"));
        }
        self.seq += 1;
        Ok((tool, ToolCall { seq: self.seq, name: known, args: bound.args, surface: bound.surface }))
    }

    /// What the arguments of a tool come to; a lone map among them is taken.
    fn checked(&mut self, tool: usize, args: &mut [Value], cx: &mut Context) -> Res<ToolArguments> {
        let (checks, keys) = (self.checks, &mut self.keys);
        let Some(Known { name, spec }) = self.specs.get_index(tool).map(|(_, known)| known) else {
            return Err(err(Reason::InternalError, "a tool without a number"));
        };
        let contract = contract::Parameters { tool: name, signature: spec.signature.as_ref(), checks };
        cx.with_cells(|cells, meter| contract::tool_arguments(contract, args, keys, cells, meter))
    }

    /// Give a pending call other arguments, checked like those of the program. Conversions are silent: nobody who could
    /// learn from a warning wrote them.
    pub fn amend(&mut self, pending: &mut Pending, args: Value, cx: &mut Context) -> Res<()> {
        let bound = self.checked(pending.tool, &mut [args], cx)?;
        (pending.call.args, pending.call.surface, pending.edited) = (bound.args, bound.surface, true);
        Ok(())
    }

    /// The cached answer of an equal call, recorded as one.
    pub fn cached(&self, pending: &Pending, cx: &mut Context) -> Res<Option<Value>> {
        let Pending { call, tool, started_micros, .. } = pending;
        let Some(spec) = self.spec(*tool).filter(|spec| spec.cache) else { return Ok(None) };
        let Some(value) = self.cache.get(call, &mut cx.meter)?.cloned() else { return Ok(None) };
        let result = Ok(value.clone());
        let record = ToolRecord::new(call, &result, spec.effect, Duration::ZERO, *started_micros);
        cx.local.left.records.push(ToolRecord { cached: true, ..record });
        Ok(Some(value))
    }

    fn spec(&self, tool: usize) -> Option<&ToolSpec> {
        self.specs.get_index(tool).map(|(_, known)| &known.spec)
    }

    /// The cached answer of an equal call that the host is about to make itself.
    pub fn known(&self, call: &ToolCall) -> Option<Value> {
        let known = self.is_cached(&call.name).then(|| self.cache.get(call, &mut Meter::host()).ok().flatten());
        known.flatten().cloned()
    }

    /// Keep an answer, when equal calls of its tool may be answered once.
    pub fn keep(&mut self, call: &ToolCall, answer: &Value) {
        if self.is_cached(&call.name) {
            self.cache.insert(call.name.clone(), call.args.clone(), answer.clone());
        }
    }

    /// Everything in the cache.
    pub fn cached_calls(&self) -> Vec<CachedCall> {
        self.cache.iter().collect()
    }

    /// Whether equal calls of this tool may be answered once.
    fn is_cached(&self, name: &str) -> bool {
        self.caches && self.get(name).is_some_and(|spec| spec.cache)
    }

    /// What the answer of a pending call means to the program (a failure is its error), and the record of the call.
    pub fn answered(&mut self, pending: Pending, answer: ToolAnswer, now_micros: i64) -> (Res, ToolRecord) {
        let Pending { call, tool, started_micros, edited, .. } = pending;
        let ToolAnswer { result, from_failed_turn } = answer;
        if let Ok(value) = &result {
            self.keep(&call, value);
        }
        let duration = Duration::from_micros(u64::try_from(now_micros - started_micros).unwrap_or(0));
        let effect = self.spec(tool).map(|spec| spec.effect).unwrap_or_default();
        let record = ToolRecord::of(call, &result, effect, duration, started_micros);
        let record = ToolRecord { edited, from_failed_turn, ..record };
        (result.map_err(|failure| failed(&record.name, &failure)), record)
    }

    /// Values that only the cache holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        self.cache.visit(visit);
    }
}

/// The error of the program whose call failed.
fn failed(tool: &str, failure: &ToolFailure) -> Box<Signal> {
    let mut error = Error::new(Reason::ToolError, format!("tool '{tool}' failed: {}", failure.message));
    error.tool = Some(Name::new(tool));
    error.into()
}
