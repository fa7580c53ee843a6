//! Tools in the provider's own format: calls that a model asks for in text mode.

use std::time::Duration;

use ptc_chat::{Reply, ToolUse};
use ptc_compression::native::{provider_name, tool_answer};
use ptc_lisp::signature::Type;
use ptc_lisp::signature::{coerce, declared_keys};
use ptc_lisp::{Import, ToolCall, ToolError, ToolRecord, ToolResult, Value};
use ptc_transcript::TurnFields;

use super::action::Action;
use super::call::unanswered;
use super::state::{Answer, Asking, Awaited, Batch, Caller, KnownAnswer, RequestStart, Run};

impl Run {
    pub(super) fn use_tools(&mut self, asking: Asking, reply: Reply) -> Action {
        let calls = (1..).zip(&reply.tool_calls).map(|(seq, asked)| self.use_of(seq, asked)).collect();
        let asked = RequestStart { since: self.now, started_micros: self.facts.setup.identity.clock.now_micros() };
        let batch = Batch { calls, caller: Caller::Model(asked) };
        self.make_or_ask(Answer { reply, program: None, asking, time: Duration::ZERO }, batch)
    }

    fn use_of(&mut self, seq: u64, asked: &ToolUse) -> Awaited {
        match self.call_of(seq, asked) {
            Err(failure) => Awaited::new(unmade(asked), KnownAnswer::Result(Err(failure))),
            Ok(call) => {
                let given = self.session.cached_answer(&call).map_or(KnownAnswer::Nothing, KnownAnswer::Kept);
                Awaited::new(call, given)
            }
        }
    }

    fn call_of(&mut self, seq: u64, call: &ToolUse) -> Result<ToolCall, ToolError> {
        self.uses += 1;
        if let Some(limit) = self.spec().max_tool_calls.filter(|limit| self.uses > *limit) {
            return Err(ToolError::new(format!(
                "the limit of {limit} tool calls is used up: answer with what you know"
            )));
        }
        let Some(spec) = self.facts.tools.iter().find(|tool| provider_name(&tool.name) == call.name) else {
            let known: Vec<String> = self.facts.tools.iter().map(|tool| provider_name(&tool.name)).collect();
            return Err(ToolError::new(format!("there is no tool '{}'; there are: {}", call.name, known.join(", "))));
        };
        self.bound(&spec.name, seq, Import::counted().value(call.args.clone()))
    }

    /// The call of a tool with these arguments, if they fit.
    pub(super) fn bound(&self, name: &str, seq: u64, args: Value) -> Result<ToolCall, ToolError> {
        let spec = self.facts.tools.iter().find(|tool| tool.name == name);
        let surface = match args {
            args @ Value::Map(_) => args,
            Value::Nil => Value::map_from([]),
            other => return Err(ToolError::new(format!("the arguments must be an object, got a {}", other.kind()))),
        };
        let signature = spec.and_then(|spec| spec.signature.as_ref());
        let declared = signature.filter(|signature| signature.declares_params());
        let args = match declared.map(|signature| Type::Record(signature.params().to_vec())) {
            None => surface.clone(),
            Some(ty) => {
                let named = declared_keys(&surface, &ty).map_err(|error| ToolError::new(error.message))?;
                let coerced = coerce(&named, &ty);
                coerced.map_err(|finding| ToolError::new(format!("the arguments do not fit: {finding}")))?.0
            }
        };
        // As programs send them, so that equal calls are known by equal arguments.
        let json = args.to_json().map_err(|error| ToolError::new(error.message))?;
        Ok(ToolCall { seq, name: name.into(), args: Import::with_text_keys().value(json), surface })
    }

    /// Record the calls, tell the model, and ask again.
    pub(super) fn used(
        &mut self,
        answer: &Answer,
        asked: RequestStart,
        calls: Vec<Awaited>,
        results: Vec<ToolResult>,
    ) -> Action {
        let (records, answers) = self.records(asked, calls, results);
        self.last = (Vec::new(), records.clone());
        let fields = TurnFields { tool_calls: records, ..self.fields(answer, Value::Nil) };
        self.record_success(fields);
        if let Some(dialogue) = self.history.dialogue_mut() {
            dialogue.push_uses(&answer.reply, &answers);
        }
        self.next_turn()
    }

    /// The records of the calls of a model, and what it reads about their results.
    pub(super) fn records(
        &mut self,
        asked: RequestStart,
        calls: Vec<Awaited>,
        results: Vec<ToolResult>,
    ) -> (Vec<ToolRecord>, Vec<String>) {
        let took = self.now.saturating_sub(asked.since);
        let mut results = results.into_iter();
        let mut recorded = |Awaited { call, given, edited }: Awaited| {
            let (result, duration, cached) = match given {
                KnownAnswer::Nothing => {
                    let result = self.checked_result(&call, results.next().unwrap_or_else(|| Err(unanswered())));
                    if let Ok(answer) = &result {
                        self.session.keep_answer(&call, answer);
                    }
                    (result, took, false)
                }
                KnownAnswer::Kept(answer) => (Ok(answer), Duration::ZERO, true),
                KnownAnswer::Result(result) => (result, took, false),
            };
            let (effect, spec) = (self.effect_of(&call), self.spec_of(&call));
            let record = ToolRecord::new(call, &result, effect, duration, asked.started_micros);
            let record = ToolRecord { cached, edited, ..record };
            let record = spec.map_or(record.clone(), |spec| record.of(spec));
            let answer = tool_answer(&result, &record.hidden_fields);
            (record, answer)
        };
        calls.into_iter().map(&mut recorded).unzip()
    }
}

/// A call that was not made, for the record.
fn unmade(asked: &ToolUse) -> ToolCall {
    let args = Import::counted().value(asked.args.clone());
    ToolCall { seq: 0, name: asked.name.as_str().into(), surface: args.clone(), args }
}
