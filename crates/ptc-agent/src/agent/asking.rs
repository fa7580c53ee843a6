//! A model as a tool: one question, one answer.

use std::sync::Arc;

use ptc_chat::OutputMode;
use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::text::display_text;
use ptc_lisp::{Effect, ToolCall, ToolError, ToolSpec, Value};

use super::around::Around;
use super::{Agent, AgentBuilder, Callable, Callee, Target};
use crate::error::AgentError;
use crate::models::LlmChoice;
use crate::spec::AgentSpec;

/// The name of the tool that [`AgentBuilder::llm_query`] adds.
pub(crate) const QUERY: &str = "llm-query";

/// One question to a model as a tool: the mission is filled with the arguments, the answer has the type of the
/// signature.
///
/// ```
/// use ptc_agent::{Agent, LlmTool};
/// use ptc_chat::ScriptedLlm;
/// use serde_json::json;
///
/// let tone = LlmTool::new("tone", "How does this sound? {{text}}", "(text :string) -> {tone :keyword}").description("Tone of a text");
/// let agent = Agent::builder("Which notes are angry?").tool(tone.build()?).build()?;
/// let program = "(return (filterv (fn [n] (= :angry (:tone (tool/tone {:text n})))) data/notes))";
/// let llm = ScriptedLlm::replies([program, r#"{"tone": "angry"}"#, r#"{"tone": "calm"}"#]);
/// let step = ptc_agent::blocking::run(&agent, &llm, json!({"notes": ["Again!", "Thanks."]}))?;
/// assert_eq!(step.value::<Vec<String>>().unwrap(), ["Again!"]);
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
#[must_use]
pub struct LlmTool {
    spec: ToolSpec,
    mission: String,
    signature: Result<Signature, AgentError>,
    llm: Option<LlmChoice>,
    json_signature: Option<String>,
    around: Around,
}

impl LlmTool {
    /// A tool of this name that asks `mission`, with placeholders for the parameters of `signature`.
    pub fn new(name: impl Into<String>, mission: impl Into<String>, signature: impl Into<String>) -> LlmTool {
        let signature = super::signature(&signature.into());
        LlmTool { signature, ..LlmTool::of(ToolSpec::new(name).effect(Effect::Read), mission) }
    }

    /// The tool of this specification that asks `mission`, with placeholders for its parameters.
    pub fn of(spec: ToolSpec, mission: impl Into<String>) -> LlmTool {
        LlmTool {
            signature: spec.signature.clone().map_or_else(|| super::signature(""), Ok),
            spec,
            mission: mission.into(),
            llm: None,
            json_signature: None,
            around: Around::default(),
        }
    }

    /// What it does, in one line.
    pub fn description(mut self, text: impl Into<String>) -> LlmTool {
        self.spec.description = Some(text.into());
        self
    }

    /// Equal questions of a run are asked once; failures are asked again.
    pub fn cache(mut self) -> LlmTool {
        self.spec.cache = true;
        self
    }

    /// Each question needs approval.
    pub fn approve(mut self) -> LlmTool {
        self.spec.approve = true;
        self
    }

    /// A question may be repeated when it is unknown whether it was answered.
    pub fn idempotent(mut self) -> LlmTool {
        self.spec.idempotent = true;
        self
    }

    /// Whether a question changes anything outside of the run; [`Effect::Read`] by default.
    pub fn effect(mut self, effect: Effect) -> LlmTool {
        self.spec = self.spec.effect(effect);
        self
    }

    /// The model to ask; without one, that of the caller.
    pub fn llm(mut self, llm: impl Into<LlmChoice>) -> LlmTool {
        self.llm = Some(llm.into());
        self
    }

    /// The type that the model answers with, where a response template computes the result from it.
    pub fn json_signature(mut self, text: impl Into<String>) -> LlmTool {
        self.json_signature = Some(text.into());
        self
    }

    /// A program whose value is the result; `{{name}}` stands for a field of the answer. The program runs without tools
    /// and data.
    pub fn response_template(mut self, text: impl Into<String>) -> LlmTool {
        self.around.template = Some(text.into());
        self
    }

    /// Checks the arguments before the model is asked; its error is that of the tool.
    pub fn validator(
        mut self,
        check: impl Fn(&serde_json::Value) -> Result<(), String> + Send + Sync + 'static,
    ) -> LlmTool {
        self.around.validator = Some(Arc::new(check));
        self
    }

    /// The tool.
    ///
    /// Errors when the mission is empty, a signature does not parse, or placeholders and parameters do not match.
    pub fn build(self) -> Result<Callable, AgentError> {
        if self.mission.trim().is_empty() {
            return Err(AgentError::EmptyLlmTool);
        }
        let signature = self.signature?;
        let asked = match &self.json_signature {
            None => signature.clone(),
            Some(text) => {
                let params = signature.declares_params().then(|| signature.params().to_vec());
                Signature::new(params, super::signature(text)?.result().clone())
            }
        };
        let agent = one_question(&self.mission, asked)?;
        let spec = self.spec.signature(signature);
        let callee = Callee { around: Some(Arc::new(self.around)), ..Callee::of(agent, self.llm) };
        Ok(Callable::new(spec, Some(Target::Agent(Box::new(callee)))))
    }
}

/// An agent that answers once, with text where a string is expected and JSON otherwise.
fn one_question(mission: &str, signature: Signature) -> Result<Agent, AgentError> {
    let output = if *signature.result().shape() == Type::String { OutputMode::Text } else { OutputMode::Json };
    let spec = AgentSpec { signature: Some(signature), output, max_turns: 1, ..AgentSpec::new(mission) };
    AgentBuilder::from(spec).build()
}

/// The tool of [`AgentBuilder::llm_query`].
pub(crate) fn query() -> Callable {
    let spec = ToolSpec::new(QUERY).description("Asks a language model one question").effect(Effect::Read);
    Callable::new(spec, Some(Target::Query))
}

/// The question of one call, and the values that fill it.
pub(crate) fn asked_by(call: &ToolCall) -> Result<(Callee, ToolCall), ToolError> {
    let text = |names: &[&str]| match names.iter().find_map(|name| call.args.as_map()?.get_named(name)) {
        None | Some(Value::Nil) => Ok(None),
        Some(Value::Str(text)) => Ok(Some(text.as_str().to_owned())),
        Some(Value::Keyword(name)) => Ok(Some(format!(":{}", name.as_str()))),
        Some(other) => Err(ToolError::new(format!("{} must be text, got a {}", names.join(" or "), other.kind()))),
    };
    let missing = || ToolError::new("it needs a :prompt: write {:prompt \"… {{name}} …\" :name value}");
    let prompt = text(&["prompt"])?.ok_or_else(missing)?;
    let signature = text(&["signature"])?.unwrap_or_else(|| ":string".to_owned());
    let signature = super::signature(&signature).map_err(|error| ToolError::new(error.to_string()))?;
    let llm = text(&["llm"])?.map(|name| LlmChoice::Named(name.trim_start_matches(':').to_owned()));
    let template = text(&["response_template", "response-template"])?;
    let result = Signature::new(None, signature.result().clone());
    let agent = one_question(&prompt, result).map_err(|error| ToolError::new(error.to_string()))?;
    let around = Around { validator: None, template };
    let given = call.args.as_map().into_iter().flat_map(|args| args.iter()).filter(|(key, _)| !is_control(key));
    let args = Value::map_from(given.map(|(key, value)| (key.clone(), value.clone())));
    Ok((Callee { around: Some(Arc::new(around)), ..Callee::of(agent, llm) }, ToolCall { args, ..call.clone() }))
}

fn is_control(key: &Value) -> bool {
    let name = display_text(key);
    matches!(name.trim_start_matches(':'), "prompt" | "signature" | "llm" | "response_template" | "response-template")
}

#[cfg(test)]
mod tests;
