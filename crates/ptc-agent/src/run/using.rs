//! Tools in the provider's own format: calls that a model asks for in text mode.

use std::time::Duration;

use ptc_chat::{Reply, ToolUse};
use ptc_lisp::{Import, ToolCall, ToolFailure, ToolRecord, ToolResult, Value, coerce, fold_keys};
use ptc_signature::Type;
use ptc_transcript::{Decision, TurnFields};
use serde_json::json;

use super::approve::{misfit, not_allowed};
use super::ask::Asking;
use super::call::unanswered;
use super::execute::Answer;
use super::{Action, PendingCall, Phase, Run};
use crate::agent::provider_name;
use crate::approval::Approval;

/// Calls of one reply.
pub(super) struct Using {
    answer: Answer,
    /// What becomes of each call of the reply.
    parts: Vec<Use>,
    since: Duration,
    started_micros: i64,
}

/// One call of a reply.
enum Use {
    /// It is made; somebody may have changed its arguments.
    Made { call: ToolCall, edited: bool },
    /// An equal call was answered before.
    Known(ToolCall, Value),
    /// Nothing is asked of any tool.
    Refused(ToolFailure),
}

impl Using {
    /// The calls that are made, in order.
    pub fn calls(&self) -> Vec<&ToolCall> {
        let parts = self.parts.iter();
        parts.filter_map(|part| if let Use::Made { call, .. } = part { Some(call) } else { None }).collect()
    }
}

impl Run {
    pub(super) fn use_tools(&mut self, asking: Asking, reply: Reply) -> Action {
        let parts = (1..).zip(&reply.tool_calls).map(|(seq, call)| self.use_of(seq, call)).collect();
        let answer = Answer { reply, program: None, asking, time: Duration::ZERO };
        let using = Using { answer, parts, since: self.now, started_micros: self.facts.identity.clock.now_micros() };
        let marked: Vec<PendingCall> = self.marked_uses(&using).map(|call| self.pending_call(call)).collect();
        if marked.is_empty() {
            return self.make_uses(using);
        }
        self.phase = Phase::ApprovingUses(Box::new(using));
        Action::Approve { waiting: Approval::Calls(marked), time_left: self.time_left() }
    }

    /// The calls that somebody must allow: here there are no programs that could be asked about instead.
    pub(super) fn marked_uses<'a>(&'a self, using: &'a Using) -> impl Iterator<Item = &'a ToolCall> {
        using.calls().into_iter().filter(|call| self.is_marked(call))
    }

    pub(super) fn decided_uses(&mut self, mut using: Using, decisions: Vec<Decision>) -> Action {
        let mut decisions = decisions.into_iter();
        for part in &mut using.parts {
            let Use::Made { call, .. } = part else { continue };
            if !self.is_marked(call) {
                continue;
            }
            match decisions.next() {
                Some(Decision::Approve) => {}
                Some(Decision::Edit(args)) => {
                    let edited = self.bound(&call.name, call.seq, args);
                    *part = edited.map_or_else(
                        |failure| Use::Refused(misfit(&failure.message)),
                        |call| Use::Made { call, edited: true },
                    );
                }
                Some(Decision::Deny(reason)) => *part = Use::Refused(not_allowed(&reason)),
                _ => *part = Use::Refused(not_allowed("nothing was decided")),
            }
        }
        self.make_uses(using)
    }

    fn make_uses(&mut self, using: Using) -> Action {
        let calls: Vec<PendingCall> = using.calls().into_iter().map(|call| self.pending_call(call)).collect();
        if calls.is_empty() {
            return self.used(using, Vec::new());
        }
        self.phase = Phase::Using(Box::new(using));
        Action::CallTools { calls, time_left: self.time_left() }
    }

    fn use_of(&mut self, seq: u64, asked: &ToolUse) -> Use {
        match self.call_of(seq, asked) {
            Err(failure) => Use::Refused(failure),
            Ok(call) => match self.session.cached_answer(&call) {
                Some(answer) => Use::Known(call, answer),
                None => Use::Made { call, edited: false },
            },
        }
    }

    fn call_of(&mut self, seq: u64, call: &ToolUse) -> Result<ToolCall, ToolFailure> {
        self.uses += 1;
        if let Some(limit) = self.spec().max_tool_calls.filter(|limit| self.uses > *limit) {
            return Err(ToolFailure::new(format!(
                "the limit of {limit} tool calls is used up: answer with what you know"
            )));
        }
        let Some(spec) = self.facts.tools.iter().find(|tool| provider_name(&tool.name) == call.name) else {
            let known: Vec<String> = self.facts.tools.iter().map(|tool| provider_name(&tool.name)).collect();
            return Err(ToolFailure::new(format!("there is no tool '{}'; there are: {}", call.name, known.join(", "))));
        };
        self.bound(&spec.name, seq, Import::counted().value(call.args.clone()))
    }

    /// The call of a tool with these arguments, if they fit.
    fn bound(&self, name: &str, seq: u64, args: Value) -> Result<ToolCall, ToolFailure> {
        let spec = self.facts.tools.iter().find(|tool| tool.name == name);
        let surface = match args {
            args @ Value::Map(_) => args,
            Value::Nil => Value::map_from([]),
            other => return Err(ToolFailure::new(format!("the arguments must be an object, got a {}", other.kind()))),
        };
        let signature = spec.and_then(|spec| spec.signature.as_ref());
        let declared = signature.filter(|signature| signature.declares_params());
        let args = match declared.map(|signature| Type::Record(signature.params().to_vec())) {
            None => surface.clone(),
            Some(ty) => {
                let (args, _) = coerce(&surface, &ty)
                    .map_err(|finding| ToolFailure::new(format!("the arguments do not fit: {finding}")))?;
                fold_keys(&args, Some(&ty)).map_err(|error| ToolFailure::new(error.message))?
            }
        };
        // As programs send them, so that equal calls are known by equal arguments.
        let json = args.to_json().map_err(|error| ToolFailure::new(error.message))?;
        Ok(ToolCall { seq, name: name.into(), args: Import::verbatim().value(json), surface })
    }

    /// Record the calls, tell the model, and ask again.
    pub(super) fn used(&mut self, using: Using, results: Vec<ToolResult>) -> Action {
        let (answer, records, answers) = self.records(using, results);
        self.last = (Vec::new(), records.clone());
        let fields = TurnFields { tool_calls: records, ..self.fields(&answer, Value::Nil) };
        self.record_success(fields);
        if let Some(dialogue) = self.history.dialogue_mut() {
            dialogue.push_uses(&answer.reply, &answers);
        }
        self.next_turn()
    }

    /// Record the calls as far as they came.
    pub(super) fn stop_uses(&mut self, using: Using, results: Vec<ToolResult>) {
        let (answer, records, _) = self.records(using, results);
        self.last = (Vec::new(), records);
        self.record_stop(&answer);
    }

    /// The records of the calls, and what the model reads of their results.
    fn records(&mut self, using: Using, results: Vec<ToolResult>) -> (Answer, Vec<ToolRecord>, Vec<String>) {
        let Using { answer, parts, since, started_micros } = using;
        let mut results = results.into_iter();
        let mut answers = Vec::new();
        let mut records = Vec::new();
        for (part, asked) in parts.into_iter().zip(&answer.reply.tool_calls) {
            let took = self.now.saturating_sub(since);
            let (call, result, duration, cached, edited) = match part {
                Use::Made { call, edited } => {
                    let result = self.checked_result(&call, results.next().unwrap_or_else(|| Err(unanswered())));
                    if let Ok(answer) = &result {
                        self.session.keep_answer(&call, answer);
                    }
                    (call, result, took, false, edited)
                }
                Use::Known(call, answer) => (call, Ok(answer), Duration::ZERO, true, false),
                Use::Refused(failure) => (unmade(asked), Err(failure), took, false, false),
            };
            answers.push(answer_text(&result));
            let effect = self.effect_of(&call);
            records.push(ToolRecord {
                cached,
                edited,
                ..ToolRecord::new(&call, &result, effect, duration, started_micros)
            });
        }
        (answer, records, answers)
    }
}

/// A call that was not made, for the record.
fn unmade(asked: &ToolUse) -> ToolCall {
    let args = Import::counted().value(asked.args.clone());
    ToolCall { seq: 0, name: asked.name.as_str().into(), surface: args.clone(), args }
}

/// What the model reads of a result: JSON without hidden fields.
fn answer_text(result: &ToolResult) -> String {
    let json = match result {
        Ok(value) => value.to_json().map(visible).unwrap_or_else(|error| json!({ "error": error.message })),
        Err(failure) => json!({ "error": failure.message }),
    };
    json.to_string()
}

fn visible(json: serde_json::Value) -> serde_json::Value {
    match json {
        serde_json::Value::Object(fields) => fields
            .into_iter()
            .filter(|(key, _)| !key.starts_with('_'))
            .map(|(key, value)| (key, visible(value)))
            .collect(),
        serde_json::Value::Array(items) => items.into_iter().map(visible).collect(),
        scalar => scalar,
    }
}
