//! The tools of a session: binding arguments, answering from the cache, recording calls.

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;

use super::context::Context;
use super::vm::fiber::Pending;
use crate::contract;
use crate::error::{Error, Reason, Res, err};
use crate::host::{ToolCall, ToolRecord, ToolResult, ToolSpec};
use crate::value::{KeyTexts, Name, Value};
use crate::warning::WarningCode;

/// Specifications by name, the records of the running program, and cached answers of the whole run.
#[derive(Default)]
pub(crate) struct Tools {
    specs: IndexMap<Arc<str>, ToolSpec, foldhash::fast::RandomState>,
    /// Whether equal calls of any tool may be answered once.
    caches: bool,
    pub records: Vec<ToolRecord>,
    cache: Vec<(Arc<str>, Value, Value)>,
    seq: u64,
    /// The names of arguments as tools receive them.
    keys: KeyTexts,
    /// Room for the arguments of the next call.
    arguments: Vec<Value>,
    /// How arguments are held against signatures.
    pub checks: contract::InputChecks,
}

impl Tools {
    pub fn new(specs: Vec<ToolSpec>) -> Tools {
        let caches = specs.iter().any(|spec| spec.cache);
        let specs = specs.into_iter().map(|spec| (Arc::from(spec.name.as_str()), spec)).collect();
        Tools { specs, caches, ..Tools::default() }
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
        let Some((_, known, spec)) = self.specs.get_full(name.as_str()) else {
            return Err(err(Reason::ToolNotFound, format!("tool '{name}' not found")));
        };
        let (checks, keys) = (self.checks, &mut self.keys);
        let bound = cx.with_cells(|cells, meter| {
            let contract = contract::Parameters { tool: known, signature: spec.signature.as_ref(), checks };
            contract::tool_arguments(contract, &args, keys, cells, meter)
        });
        args.clear();
        self.arguments = args;
        let bound = bound?;
        for note in bound.notes {
            cx.warn(WarningCode::CoercedArgument, format!("tool/{name}: {note}"));
        }
        self.seq += 1;
        Ok(ToolCall { seq: self.seq, name: known.clone(), args: bound.args, surface: bound.surface })
    }

    /// The cached answer of an equal call, recorded as one.
    pub fn cached(&mut self, call: &ToolCall, started: i64) -> Option<Value> {
        if self.is_cached(&call.name) {
            let mut meter = crate::meter::Meter::host();
            let hit = self
                .cache
                .iter()
                .find(|(name, args, _)| *name == call.name && crate::value::equal(args, &call.args, &mut meter).unwrap_or(false))
                .map(|(_, _, value)| value.clone());
            if let Some(value) = hit {
                self.records.push(record(call, Ok(&value), Duration::ZERO, started, true));
                return Some(value);
            }
        }
        None
    }

    /// Whether equal calls of this tool may be answered once.
    fn is_cached(&self, name: &str) -> bool {
        self.caches && self.specs.get(name).is_some_and(|spec| spec.cache)
    }

    /// What the answer of a pending call means to the program (a failure is its error), and the record of the call.
    pub fn answered(&mut self, pending: Pending, result: ToolResult, now_micros: i64) -> (Res, ToolRecord) {
        let Pending { call, started_micros, .. } = pending;
        let duration = Duration::from_micros(u64::try_from(now_micros - started_micros).unwrap_or(0));
        let outcome = result.as_ref().map_err(|failure| failure.message.as_str());
        let record = record(&call, outcome, duration, started_micros, false);
        (self.value_of(&call, result), record)
    }

    fn value_of(&mut self, call: &ToolCall, result: ToolResult) -> Res {
        match result {
            Ok(value) => {
                if self.is_cached(&call.name) {
                    self.cache.push((call.name.clone(), call.args.clone(), value.clone()));
                }
                Ok(value)
            }
            Err(failure) => {
                let mut error = Error::new(Reason::ToolError, format!("tool '{}' failed: {}", call.name, failure.message));
                error.tool = Some(Name::new(&call.name));
                Err(error.into())
            }
        }
    }

    /// Bytes of the records themselves.
    pub fn bytes(&self) -> usize {
        let texts: usize = self.records.iter().map(|record| record.name.len() + record.error.as_ref().map_or(0, String::len) + 48).sum();
        self.records.capacity() * size_of::<ToolRecord>() + texts
    }

    /// Values that records and the cache hold.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for record in &self.records {
            record.visit(visit);
        }
        for (_, args, value) in &self.cache {
            visit(args);
            visit(value);
        }
    }
}

fn record(call: &ToolCall, result: Result<&Value, &str>, duration: Duration, started_micros: i64, cached: bool) -> ToolRecord {
    ToolRecord {
        name: call.name.clone(),
        args: call.args.clone(),
        surface: call.surface.clone(),
        result: result.map_or(Value::Nil, Clone::clone),
        error: result.err().map(str::to_owned),
        duration,
        started_micros,
        cached,
    }
}
