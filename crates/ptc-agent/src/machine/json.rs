//! Answers that are no programs: JSON of a declared type, or text.

use std::time::Duration;

use ptc_chat::{Reply, StopReason};
use ptc_lisp::{ExtraFields, Import, Value, fold_keys, validate};
use ptc_signature::Type;
use ptc_transcript::{EndingKind, FailKind, FailReason, TurnFields, failure_value};

use super::action::Action;
use super::state::{Answer, Asking, Run};
use crate::extract::json::extract_json;
use crate::tool::with_keywords;

/// Why an answer is not taken.
struct Refused {
    kind: FailKind,
    reason: FailReason,
    message: String,
}

impl Run {
    pub(super) fn answered_with_json(&mut self, asking: Asking, reply: Reply) -> Action {
        let taken = self.json_value(&reply);
        self.take_answer(asking, reply, taken)
    }

    /// Calls of tools, text as it is, or JSON where the signature asks for more than a string.
    pub(super) fn answered_with_text(&mut self, asking: Asking, reply: Reply) -> Action {
        if !reply.tool_calls.is_empty() {
            return self.use_tools(asking, reply);
        }
        if !self.definition().spec.answers_text() {
            return self.answered_with_json(asking, reply);
        }
        let text = reply.content.trim();
        let taken = if text.is_empty() {
            let message = "the answer is empty: answer with the result as text".to_owned();
            Err(Refused { kind: FailKind::Llm, reason: FailReason::EmptyResponse, message })
        } else {
            Ok(Value::string(text))
        };
        self.take_answer(asking, reply, taken)
    }

    fn take_answer(&mut self, asking: Asking, reply: Reply, taken: Result<Value, Refused>) -> Action {
        let answer = Answer { reply, program: None, asking, time: Duration::ZERO };
        let fields = |run: &Run, result: Value| TurnFields { program: None, ..run.fields(&answer, result) };
        match taken {
            Ok(value) => {
                let fields = fields(self, value.clone());
                self.record_success(fields);
                if let Some(dialogue) = self.history.dialogue_mut() {
                    dialogue.end(&answer.reply.content);
                }
                self.end(EndingKind::Value, Ok(value))
            }
            Err(Refused { kind, reason, message }) => {
                let fields = fields(self, failure_value(reason.as_str(), &message));
                self.record_failure(fields);
                if self.left.work == 0 { self.stopped(kind, reason, message) } else { self.next_turn() }
            }
        }
    }

    /// The value of an answer in JSON, if it has the declared type.
    fn json_value(&self, reply: &Reply) -> Result<Value, Refused> {
        let unreadable = |message: String| Refused { kind: FailKind::Llm, reason: FailReason::JsonParseError, message };
        let json = extract_json(&reply.content).map_err(|error| match reply.stop {
            StopReason::Length => {
                unreadable(format!("the answer was cut because it is too long: answer shorter ({error})"))
            }
            _ => unreadable(error.to_string()),
        })?;
        let Some(ty) = self.spec().signature.as_ref().map(ptc_signature::Signature::result) else {
            return Ok(Import::counted().value(json));
        };
        let json = unwrapped(json, ty).map_err(|message| invalid(message.to_owned()))?;
        let value = with_keywords(Import::counted().value(json), ty);
        let findings = validate(&value, ty, ExtraFields::Allowed);
        if !findings.is_empty() {
            return Err(invalid(findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")));
        }
        fold_keys(&value, Some(ty)).map_err(|error| invalid(error.message))
    }
}

fn invalid(message: String) -> Refused {
    Refused { kind: FailKind::Validation, reason: FailReason::ValidationError, message }
}

/// A list stands under `items`, or alone; what is neither list nor scalar must be an object.
fn unwrapped(json: serde_json::Value, ty: &Type) -> Result<serde_json::Value, &'static str> {
    match (ty.required(), json) {
        (Type::List(_), serde_json::Value::Object(mut object)) => match object.remove("items") {
            Some(items @ serde_json::Value::Array(_)) => Ok(items),
            _ => Err("expected an object with an items array"),
        },
        (Type::List(_), json @ serde_json::Value::Array(_)) => Ok(json),
        (Type::List(_), _) => Err("expected an object with an items array"),
        (Type::Record(_) | Type::MapOf(..) | Type::Map, json) if !json.is_object() => Err("must be a JSON object"),
        (_, json) => Ok(json),
    }
}
