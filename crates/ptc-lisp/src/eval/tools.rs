//! The tools of a session: binding arguments, answering from the cache, recording calls.

use std::time::Duration;

use indexmap::IndexMap;

use super::context::{Clock, Context};
use super::vm::fiber::Pending;
use crate::contract;
use crate::error::{Error, Reason, Res, err};
use crate::host::{ToolCall, ToolRecord, ToolResult, ToolSpec};
use crate::value::{Name, Value};
use crate::warning::WarningCode;

/// Specifications by name, the records of the running program, and cached answers of the whole run.
#[derive(Default)]
pub(crate) struct Tools {
    specs: IndexMap<String, ToolSpec, foldhash::fast::RandomState>,
    pub records: Vec<ToolRecord>,
    cache: Vec<(String, Value, Value)>,
    seq: u64,
    /// How arguments are held against signatures.
    pub checks: contract::InputChecks,
}

impl Tools {
    pub fn new(specs: Vec<ToolSpec>) -> Tools {
        Tools { specs: specs.into_iter().map(|spec| (spec.name.clone(), spec)).collect(), ..Tools::default() }
    }

    pub fn get(&self, name: &str) -> Option<&ToolSpec> {
        self.specs.get(name)
    }

    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.specs.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    /// Begin a program: its records start empty.
    pub fn begin(&mut self) {
        self.records.clear();
        self.seq = 0;
    }

    /// The call that these arguments make: bound to parameters, coerced, keys folded.
    pub fn bind(&mut self, name: &Name, args: &[Value], cx: &mut Context) -> Res<ToolCall> {
        let Some(spec) = self.specs.get(name.as_str()) else {
            return Err(err(Reason::ToolNotFound, format!("tool '{name}' not found")));
        };
        let bound =
            cx.with_cells(|cells, meter| contract::tool_arguments(&spec.name, spec.signature.as_ref(), args, self.checks, cells, meter))?;
        for note in bound.notes {
            cx.warn(WarningCode::CoercedArgument, format!("tool/{name}: {note}"));
        }
        self.seq += 1;
        let call = ToolCall { seq: self.seq, name: spec.name.clone(), args: bound.args, surface: bound.surface };
        Ok(call)
    }

    /// The cached answer of an equal call, recorded as one.
    pub fn cached(&mut self, call: &ToolCall, started: i64) -> Option<Value> {
        let cacheable = self.specs.get(&call.name).is_some_and(|spec| spec.cache);
        if cacheable {
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

    /// What the answer of a pending call means to the program (a failure is its error), and the record of the call.
    pub fn answered(&mut self, pending: &Pending, result: ToolResult, clock: &dyn Clock) -> (Res, ToolRecord) {
        let Pending { call, started_micros, .. } = pending;
        let duration = Duration::from_micros(u64::try_from(clock.now_micros() - started_micros).unwrap_or(0));
        let record = record(call, result.as_ref().map_err(|failure| failure.message.as_str()), duration, *started_micros, false);
        (self.value_of(call, result), record)
    }

    fn value_of(&mut self, call: &ToolCall, result: ToolResult) -> Res {
        match result {
            Ok(value) => {
                if self.specs.get(&call.name).is_some_and(|spec| spec.cache) {
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
