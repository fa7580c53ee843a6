//! Tools in the provider's own format: calls that a model asks for in text mode.

use std::time::Duration;

use ptc_chat::{Reply, ToolDefinition, ToolUse};
use ptc_lisp::{Import, ToolCall, ToolFailure, ToolRecord, ToolResult, ToolSpec, Value, coerce, fold_keys};
use ptc_signature::{Signature, Type};
use ptc_transcript::TurnFields;
use serde_json::json;

use super::ask::Asking;
use super::execute::Answer;
use super::{Action, PendingCall, Phase, Run};

/// Calls of one reply.
pub(super) struct Using {
    answer: Answer,
    /// For each call of the reply: what is asked of the tool, or why nothing is.
    parts: Vec<Result<ToolCall, ToolFailure>>,
    since: Duration,
    started_micros: i64,
}

impl Using {
    /// The calls that are made, in order.
    pub fn calls(&self) -> Vec<&ToolCall> {
        self.parts.iter().filter_map(|part| part.as_ref().ok()).collect()
    }
}

/// A tool as providers are told of it.
pub(super) fn definition_of(spec: &ToolSpec) -> ToolDefinition {
    let parameters = spec.signature.as_ref().map_or_else(|| json!({"type": "object", "properties": {}}), Signature::params_schema);
    ToolDefinition { name: provider_name(&spec.name), description: spec.description.clone().unwrap_or_default(), parameters }
}

fn provider_name(name: &str) -> String {
    name.replace('-', "_")
}

impl Run {
    pub(super) fn use_tools(&mut self, asking: Asking, reply: Reply) -> Action {
        let parts = (1..).zip(&reply.tool_calls).map(|(seq, call)| self.call_of(seq, call)).collect();
        let answer = Answer { reply, program: None, asking, time: Duration::ZERO };
        let using = Using { answer, parts, since: self.now, started_micros: self.facts.options.clock.now_micros() };
        let turn = self.turns.len() + 1;
        let calls: Vec<PendingCall> =
            using.calls().into_iter().map(|call| PendingCall { id: format!("{turn}/{}", call.seq), call: call.clone() }).collect();
        if calls.is_empty() {
            return self.used(using, Vec::new());
        }
        self.phase = Phase::Using(Box::new(using));
        Action::CallTools { calls, time_left: self.time_left() }
    }

    fn call_of(&mut self, seq: u64, call: &ToolUse) -> Result<ToolCall, ToolFailure> {
        self.uses += 1;
        if let Some(limit) = self.definition().max_tool_calls.filter(|limit| self.uses > *limit) {
            return Err(ToolFailure::new(format!("the limit of {limit} tool calls is used up: answer with what you know")));
        }
        let Some(spec) = self.facts.tools.iter().find(|tool| provider_name(&tool.name) == call.name) else {
            let known: Vec<String> = self.facts.tools.iter().map(|tool| provider_name(&tool.name)).collect();
            return Err(ToolFailure::new(format!("there is no tool '{}'; there are: {}", call.name, known.join(", "))));
        };
        let surface = match Import::counted().value(call.args.clone()) {
            args @ Value::Map(_) => args,
            Value::Nil => Value::map_from([]),
            other => return Err(ToolFailure::new(format!("the arguments must be an object, got a {}", other.kind()))),
        };
        let declared = spec.signature.as_ref().filter(|signature| signature.declares_params());
        let args = match declared.map(|signature| Type::Record(signature.params().to_vec())) {
            None => surface.clone(),
            Some(ty) => {
                let (args, _) =
                    coerce(&surface, &ty).map_err(|finding| ToolFailure::new(format!("the arguments do not fit: {finding}")))?;
                fold_keys(&args, Some(&ty)).map_err(|error| ToolFailure::new(error.message))?
            }
        };
        Ok(ToolCall { seq, name: spec.name.as_str().into(), args, surface })
    }

    /// Record the calls, tell the model, and ask again.
    pub(super) fn used(&mut self, using: Using, results: Vec<ToolResult>) -> Action {
        let Using { answer, parts, since, started_micros } = using;
        let mut results = results.into_iter();
        let mut answers = Vec::new();
        let mut records = Vec::new();
        for (part, asked) in parts.into_iter().zip(&answer.reply.tool_calls) {
            let (call, result) = match part {
                Ok(call) => {
                    let missing = || Err(ToolFailure::new("the call was never answered"));
                    let result = self.checked_result(&call, results.next().unwrap_or_else(missing));
                    (call, result)
                }
                Err(failure) => (unmade(asked), Err(failure)),
            };
            answers.push(answer_text(&result));
            let (result, error) = result.map_or_else(|failure| (Value::Nil, Some(failure.message)), |value| (value, None));
            let ToolCall { name, args, surface, .. } = call;
            let duration = self.now.saturating_sub(since);
            records.push(ToolRecord { name, args, surface, result, error, duration, started_micros, cached: false });
        }
        self.last = (Vec::new(), records.clone());
        let fields = TurnFields { tool_calls: records, ..self.fields(&answer, Value::Nil) };
        self.record_success(fields);
        if let Some(dialogue) = &mut self.histories.dialogue {
            dialogue.push_uses(&answer.reply, &answers);
        }
        self.next_turn()
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
        serde_json::Value::Object(fields) => {
            fields.into_iter().filter(|(key, _)| !key.starts_with('_')).map(|(key, value)| (key, visible(value))).collect()
        }
        serde_json::Value::Array(items) => items.into_iter().map(visible).collect(),
        scalar => scalar,
    }
}
