//! Answers that are not programs: JSON of a declared type, or text.

use std::time::Duration;

use ptc_chat::{Reply, StopReason};
use ptc_lisp::signature::{ExtraFields, Type, fold_keys, respelled, validate};
use ptc_lisp::{Import, Value};
use ptc_transcript::{EndingKind, FailReason, TurnFields};

use super::action::Action;
use super::execute::Refused;
use super::misspelt::misfits;
use super::state::{Answer, Asking, Run};
use crate::extract::json::extract_json;

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
            Err(Refused::new(FailReason::EmptyResponse, "the answer is empty: answer with the result as text"))
        } else {
            self.text_value(text)
        };
        self.take_answer(asking, reply, taken)
    }

    fn take_answer(&mut self, asking: Asking, reply: Reply, taken: Result<Value, Refused>) -> Action {
        let answer = Answer { reply, program: None, asking, time: Duration::ZERO };
        let fields = self.fields(&answer, Value::Nil);
        match taken {
            Ok(value) => {
                self.record_success(TurnFields { result: value.clone(), ..fields });
                if let Some(dialogue) = self.history.dialogue_mut() {
                    dialogue.end(&answer.reply.content);
                }
                self.end(EndingKind::Value, Ok(value))
            }
            Err(refused) => {
                self.record_failure(TurnFields { result: refused.result.clone(), ..fields });
                if self.left.work > 0 {
                    return self.next_turn();
                }
                self.stopped(refused.kind(), refused.reason, refused.message)
            }
        }
    }

    /// The value of an answer in JSON, if it has the declared type.
    fn json_value(&self, reply: &Reply) -> Result<Value, Refused> {
        let unreadable = |message: String| Refused::new(FailReason::JsonParseError, message);
        let json = extract_json(&reply.content).map_err(|error| match reply.stop {
            StopReason::Length => {
                unreadable(format!("the answer was cut because it is too long: answer shorter ({error})"))
            }
            _ => unreadable(error.to_string()),
        })?;
        let Some(ty) = self.spec().signature.as_ref().map(ptc_lisp::signature::Signature::result) else {
            return self.checked(Import::counted().value(json));
        };
        let json = unwrapped(json, ty).map_err(|message| invalid(message.to_owned()))?;
        let value = respelled(&Import::counted().value(json), ty);
        let findings = misfits(&value, ty, ExtraFields::Allowed);
        if !findings.is_empty() {
            return Err(invalid(findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")));
        }
        self.checked(fold_keys(&value, ty).map_err(|error| invalid(error.message))?)
    }

    /// An answer that is a text, if it keeps the rules of its type.
    fn text_value(&self, text: &str) -> Result<Value, Refused> {
        let value = Value::string(text);
        let ty = self.spec().signature.as_ref().map(ptc_lisp::signature::Signature::result);
        match ty.and_then(|ty| validate(&value, ty, ExtraFields::Allowed).into_iter().next()) {
            None => self.checked(value),
            Some(finding) => Err(invalid(finding.to_string())),
        }
    }

    /// The value, if the host takes it.
    fn checked(&self, value: Value) -> Result<Value, Refused> {
        self.host_check(&value).map_err(invalid)?;
        Ok(value)
    }
}

fn invalid(message: String) -> Refused {
    Refused::new(FailReason::ValidationError, message)
}

/// A list is under `items`, or alone; anything that is neither list nor scalar must be an object.
fn unwrapped(json: serde_json::Value, ty: &Type) -> Result<serde_json::Value, &'static str> {
    match (ty.shape(), json) {
        (Type::List(_) | Type::Tuple(_), serde_json::Value::Object(mut object)) => match object.remove("items") {
            Some(items @ serde_json::Value::Array(_)) => Ok(items),
            _ => Err("expected an object with an items array"),
        },
        (Type::List(_) | Type::Tuple(_), json @ serde_json::Value::Array(_)) => Ok(json),
        (Type::List(_) | Type::Tuple(_), _) => Err("expected an object with an items array"),
        (Type::Record(_) | Type::MapOf(..) | Type::Map, json) if !json.is_object() => Err("must be a JSON object"),
        (_, json) => Ok(json),
    }
}
