//! The tools of a session: binding arguments, answering from the cache, recording calls.

mod cache;

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;

use super::context::Context;
use super::fiber::Pending;
use crate::contract::{self, ToolArguments};
use crate::error::{Error, Reason, Res, err};
use crate::host::{CachedCall, Effect, ToolAnswer, ToolCall, ToolRecord, ToolResult, ToolSpec};
use crate::meter::Meter;
use crate::value::{KeyTexts, Name, Value};
use crate::warning::WarningCode;
use cache::AnswerCache;

/// Specifications by name, the records of the running program, and cached answers of the whole run.
#[derive(Default)]
pub(crate) struct Tools {
    specs: IndexMap<Arc<str>, ToolSpec, foldhash::fast::RandomState>,
    /// Whether equal calls of any tool may be answered once.
    caches: bool,
    pub records: Vec<ToolRecord>,
    cache: AnswerCache,
    seq: u64,
    /// The names of arguments as tools receive them.
    keys: KeyTexts,
    /// Buffer for the arguments of the next call.
    arguments: Vec<Value>,
    /// How arguments are checked against signatures.
    pub checks: contract::InputChecks,
}

impl Tools {
    /// `known`: answers of earlier sessions.
    pub fn new(specs: Vec<ToolSpec>, known: Vec<CachedCall>) -> Tools {
        let caches = specs.iter().any(|spec| spec.cache);
        let specs = specs.into_iter().map(|spec| (Arc::from(spec.name.as_str()), spec)).collect();
        Tools { specs, caches, cache: known.into_iter().collect(), ..Tools::default() }
    }

    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.specs.get(name)
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.specs.keys().map(ToString::to_string).collect();
        names.sort_unstable();
        names
    }

    /// Begin a program: its records start empty.
    pub fn begin(&mut self) {
        self.records.clear();
        self.seq = 0;
    }

    /// An empty list for the arguments of a call; [`Tools::bind`] takes it back.
    pub fn take_arguments(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.arguments)
    }

    /// The call that these arguments make: bound to parameters, coerced, keys folded.
    pub fn bind(&mut self, name: &Name, mut args: Vec<Value>, cx: &mut Context) -> Res<ToolCall> {
        let bound = self.checked(name.as_str(), &args, cx);
        args.clear();
        self.arguments = args;
        let (known, bound) = bound?;
        for note in bound.notes {
            cx.warn(WarningCode::CoercedArgument, format!("tool/{name}: {note}"));
        }
        self.seq += 1;
        Ok(ToolCall { seq: self.seq, name: known, args: bound.args, surface: bound.surface })
    }

    /// The tool of this name, and what its arguments come to.
    fn checked(&mut self, name: &str, args: &[Value], cx: &mut Context) -> Res<(Arc<str>, ToolArguments)> {
        let Some((_, known, spec)) = self.specs.get_full(name) else {
            return Err(err(Reason::ToolNotFound, format!("tool '{name}' not found")));
        };
        let (checks, keys) = (self.checks, &mut self.keys);
        let bound = cx.with_cells(|cells, meter| {
            let contract = contract::Parameters { tool: known, signature: spec.signature.as_ref(), checks };
            contract::tool_arguments(contract, args, keys, cells, meter)
        });
        Ok((known.clone(), bound?))
    }

    /// Give a pending call other arguments, checked like those of the program. Conversions are silent: nobody who could
    /// learn from a warning wrote them.
    pub fn amend(&mut self, pending: &mut Pending, args: Value, cx: &mut Context) -> Res<()> {
        let (_, bound) = self.checked(&pending.call.name, &[args], cx)?;
        (pending.call.args, pending.call.surface, pending.edited) = (bound.args, bound.surface, true);
        Ok(())
    }

    /// The cached answer of an equal call, recorded as one.
    pub fn cached(&mut self, call: &ToolCall, started: i64, meter: &mut Meter) -> Res<Option<Value>> {
        if !self.is_cached(&call.name) {
            return Ok(None);
        }
        let hit = self.cache.get(call, meter)?.cloned();
        if let Some(value) = &hit {
            let record = self.record(call, &Ok(value.clone()), Duration::ZERO, started);
            self.records.push(ToolRecord { cached: true, ..record });
        }
        Ok(hit)
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
        self.caches && self.specs.get(name).is_some_and(|spec| spec.cache)
    }

    /// What the answer of a pending call means to the program (a failure is its error), and the record of the call.
    pub fn answered(&mut self, pending: Pending, answer: ToolAnswer, now_micros: i64) -> (Res, ToolRecord) {
        let Pending { call, started_micros, edited, .. } = pending;
        let ToolAnswer { result, from_failed_turn } = answer;
        let duration = Duration::from_micros(u64::try_from(now_micros - started_micros).unwrap_or(0));
        let record = ToolRecord { edited, from_failed_turn, ..self.record(&call, &result, duration, started_micros) };
        (self.value_of(&call, result), record)
    }

    /// The record of a call that the host answered.
    fn record(&self, call: &ToolCall, result: &ToolResult, duration: Duration, started_micros: i64) -> ToolRecord {
        let effect = self.get(&call.name).map_or_else(Effect::default, |spec| spec.effect);
        ToolRecord::new(call, result, effect, duration, started_micros)
    }

    fn value_of(&mut self, call: &ToolCall, result: ToolResult) -> Res {
        match result {
            Ok(value) => {
                self.keep(call, &value);
                Ok(value)
            }
            Err(failure) => {
                let mut error =
                    Error::new(Reason::ToolError, format!("tool '{}' failed: {}", call.name, failure.message));
                error.tool = Some(Name::new(&call.name));
                Err(error.into())
            }
        }
    }

    /// Bytes of the records themselves.
    pub fn bytes(&self) -> usize {
        let texts: usize = self
            .records
            .iter()
            .map(|record| record.name.len() + record.error.as_ref().map_or(0, String::len) + 48)
            .sum();
        self.records.capacity() * size_of::<ToolRecord>() + texts
    }

    /// Values that records and the cache hold.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for record in &self.records {
            record.visit(visit);
        }
        self.cache.visit(visit);
    }
}
