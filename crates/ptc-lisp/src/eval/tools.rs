//! The tools of a session: binding arguments, answering from the cache, recording calls.

mod cache;

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;

use super::context::Context;
use super::fiber::{AtRest, Next};
use super::local::{Dest, Pending};
use crate::error::warning::WarningCode;
use crate::error::{Error, Exception, Reason, Res, Signal, err};
use crate::limits::meter::Meter;
use crate::session::fields::ShownNames;
use crate::session::host::{CachedCall, ToolAnswer, ToolCall, ToolError, ToolRecord, ToolSpec};
use crate::signature::contract::{self, ToolArguments};
use crate::value::name::Identity;
use crate::value::{KeyTexts, Name, Value};
use cache::AnswerCache;

/// Specifications by name, and cached answers of the whole run.
#[derive(Default)]
pub(crate) struct Tools {
    specs: IndexMap<Name, NamedTool, Identity>,
    /// Whether equal calls of any tool may be answered once.
    caches: bool,
    cache: AnswerCache,
    seq: u64,
    /// The names of arguments as tools receive them.
    keys: KeyTexts,
    /// How arguments are checked against signatures.
    pub checks: contract::InputChecks,
}

/// A tool, and its name as calls and records share it.
struct NamedTool {
    name: Arc<str>,
    spec: ToolSpec,
}

impl Tools {
    /// `answers` are cached calls of earlier sessions.
    pub fn new(specs: Vec<ToolSpec>, answers: Vec<CachedCall>) -> Tools {
        // Empty tables are some 240 of the 20,000 instructions that `(+ 1 2)` takes.
        if specs.is_empty() && answers.is_empty() {
            return Tools::default();
        }
        let caches = specs.iter().any(|spec| spec.cache);
        let known_as = |spec: ToolSpec| (Name::new(&spec.name), NamedTool { name: spec.name.as_str().into(), spec });
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

    /// Start a program, whose calls are counted from 1.
    pub fn begin(&mut self) {
        self.seq = 0;
    }

    /// Make the fiber wait for the call with these arguments: bound to parameters, coerced, keys folded.
    pub fn bind(&mut self, callee: &Value, args: &mut [Value], dest: Dest, cx: &mut Context) -> Res<()> {
        let Value::Tool(name) = callee else { return Ok(()) };
        let Some((tool, _, NamedTool { name, spec })) = self.specs.get_full(name) else {
            return Err(err(Reason::ToolNotFound, format!("tool '{name}' not found")));
        };
        let name = name.clone();
        let plain = contract::plain_arguments(spec.signature.as_ref(), args, &mut self.keys, &mut cx.meter)?;
        let (surface, args) = match plain {
            Some(plain) => plain,
            None => {
                let ToolArguments { surface, args, notes } = self.checked(tool, args, cx)?;
                for note in notes {
                    cx.warn(WarningCode::CoercedArgument, format!("tool/{name}: {note}"));
                }
                (surface, args)
            }
        };
        self.seq += 1;
        let started = cx.meter.moment();
        let started_micros = cx.micros_at(started);
        let seq = self.seq;
        // In place: the fiber waits for nothing else.
        cx.local.pending.get_or_insert_with(|| {
            let call = ToolCall { seq, name, args: Value::Map(args), surface: Value::Map(surface) };
            Pending { call, tool, started, started_micros, edited: false, dest }
        });
        Ok(())
    }

    /// The checked arguments of a tool; a lone map is moved out of `args`.
    fn checked(&mut self, tool: usize, args: &mut [Value], cx: &mut Context) -> Res<ToolArguments> {
        let (checks, keys) = (self.checks, &mut self.keys);
        let Some(NamedTool { name, spec }) = self.specs.get_index(tool).map(|(_, known)| known) else {
            return Err(err(Reason::InternalError, "a tool without a number"));
        };
        let contract = contract::Parameters { tool: name, signature: spec.signature.as_ref(), checks };
        cx.with_cells(|cells, meter| contract::tool_arguments(contract, args, keys, cells, meter))
    }

    /// Give a pending call other arguments, checked like those of the program. Coercions are silent: the program did
    /// not write these arguments, so a warning would not help.
    pub fn amend(&mut self, pending: &mut Pending, args: Value, cx: &mut Context) -> Res<()> {
        let bound = self.checked(pending.tool, &mut [args], cx)?;
        (pending.call.args, pending.call.surface) = (Value::Map(bound.args), Value::Map(bound.surface));
        pending.edited = true;
        Ok(())
    }

    /// The cached answer of a call equal to the one that the fiber waits for, recorded as one.
    #[inline]
    pub fn cached(&self, cx: &mut Context) -> Res<Option<Value>> {
        if self.caches { self.look_up(cx) } else { Ok(None) }
    }

    fn look_up(&self, cx: &mut Context) -> Res<Option<Value>> {
        let tool = cx.local.pending.as_ref().map(|pending| pending.tool);
        let Some(spec) = tool.and_then(|tool| self.spec(tool)).filter(|spec| spec.cache) else { return Ok(None) };
        let Some(pending) = cx.local.pending.take() else { return Ok(None) };
        let Some(value) = self.cache.get(&pending.call, &mut cx.meter)?.cloned() else {
            cx.local.pending = Some(pending);
            return Ok(None);
        };
        cx.cells.shown_names.learn(&value, &spec.hidden_fields);
        let result = Ok(value.clone());
        let record = ToolRecord::new(pending.call, &result, spec.effect, Duration::ZERO, pending.started_micros);
        cx.local.left.records.push(ToolRecord { cached: true, ..record.of(spec) });
        Ok(Some(value))
    }

    fn spec(&self, tool: usize) -> Option<&ToolSpec> {
        self.specs.get_index(tool).map(|(_, known)| &known.spec)
    }

    /// The cached answer to an equal call that the host is about to make itself.
    pub fn known(&self, call: &ToolCall) -> Option<Value> {
        let known = self.is_cached(&call.name).then(|| self.cache.get(call, &mut Meter::host()).ok().flatten());
        known.flatten().cloned()
    }

    /// Keep an answer if its tool is cacheable.
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

    /// Deliver the answer to the call that a fiber waits for: its value goes to the waiting register or native frame, a
    /// failure becomes an error of the program. Returns how the fiber continues. The record takes over the name and
    /// arguments of the call.
    pub fn answered(
        &mut self,
        fiber: AtRest<'_>,
        answer: ToolAnswer,
        now_micros: i64,
        shown_names: &mut ShownNames,
    ) -> Option<Next> {
        let AtRest { regs, natives, local } = fiber;
        let Pending { call, tool, started_micros, edited, dest, .. } = local.pending.take()?;
        let error = match &answer.result {
            Ok(value) => {
                self.keep(&call, value);
                None
            }
            Err(failure) => Some(failed(&call.name, failure)),
        };
        let since = || Duration::from_micros(u64::try_from(now_micros.saturating_sub(started_micros)).unwrap_or(0));
        let waited = answer.time.map_or(0, |time| i64::try_from(time.waited.as_micros()).unwrap_or(i64::MAX));
        let (started_micros, duration) =
            (started_micros.saturating_add(waited), answer.time.map_or_else(since, |time| time.took));
        let spec = self.spec(tool);
        let effect = spec.map(|spec| spec.effect).unwrap_or_default();
        let mut record = ToolRecord::new(call, &answer.result, effect, duration, started_micros);
        if let Some(spec) = spec {
            record = record.of(spec);
            shown_names.learn(&record.result, &record.hidden_fields);
        }
        (record.edited, record.from_failed_turn) = (edited, answer.from_failed_turn);
        local.left.records.push(record);
        Some(match (answer.result, dest) {
            (Err(_), _) => Next::Raise(error?),
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
        })
    }

    /// Values that only the cache holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        self.cache.visit(visit);
    }
}

/// The error of the program whose call failed.
fn failed(tool: &str, failure: &ToolError) -> Box<Signal> {
    let mut error = Error::new(Reason::ToolError, format!("tool '{tool}' failed: {}", failure.message));
    error.tool = Some(Name::new(tool));
    let mut exception = Exception::new(error);
    exception.attached.data = failure.data.as_ref().map(|data| {
        let (reason, tool) = (Value::keyword(Reason::ToolError.as_str()), Value::string(tool));
        Value::map_from(
            [("reason", reason), ("tool", tool), ("data", data.clone())]
                .map(|(key, value)| (Value::keyword(key), value)),
        )
    });
    Box::new(Signal::Error(exception))
}
