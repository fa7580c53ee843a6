//! A tool that asks a model one question.

use ptc_agent::{AgentError, Callable, LlmTool};
use ptc_lisp::ToolSpec;
use ptc_lisp::signature::Signature;
use serde_json::Value as Json;

use crate::document::{Item, Section};
use crate::error::ConfigError;
use crate::shape::{self, Key};
use crate::{model, options};

/// One question to a model, as `llm = { … }` of a tool table says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked; placeholders stand for the parameters of the tool.
    pub mission: String,
    /// The model, as `--llm` takes it; `None` means that of the caller.
    pub llm: Option<String>,
    /// A program whose value is the result; placeholders stand for fields of the answer.
    pub response_template: Option<String>,
    /// The type of the answer, where a response template turns it into the result.
    pub json_signature: Option<Signature>,
}

impl Question {
    /// The tool that programs of an agent call.
    pub(super) fn callable(&self, spec: &ToolSpec) -> Result<Callable, AgentError> {
        let mut tool = LlmTool::of(spec.clone(), &self.mission);
        if let Some(llm) = &self.llm {
            tool = tool.llm(llm.as_str());
        }
        if let Some(template) = &self.response_template {
            tool = tool.response_template(template);
        }
        if let Some(signature) = &self.json_signature {
            tool = tool.json_signature(signature.to_string());
        }
        tool.build()
    }
}

const KEYS: [Key; 4] = [
    Key("mission", "The question; placeholders stand for the parameters of the tool.", shape::text),
    Key("llm", "The model; by default that of the caller.", shape::text),
    Key(
        "response_template",
        "A program whose value is the result; placeholders stand for fields of the answer.",
        shape::text,
    ),
    Key("json_signature", "The type of the answer, where a response template turns it into the result.", shape::text),
];

/// The schema of `llm` in the table of a tool.
pub(super) fn shape() -> Json {
    shape::table(shape::properties(&KEYS), &["mission"])
}

/// The question of `item` in the table of a tool; it must fit the signature of the tool.
pub(super) fn read(item: Item<'_>, tool: Section<'_>, spec: &ToolSpec) -> Result<Question, ConfigError> {
    let name = &spec.name;
    let rule =
        format!("llm of tool `{name}` must be a table such as {{ mission = \"How does this sound? {{{{text}}}}\" }}");
    let table = item.section(&rule)?;
    table.only(&format!("`llm` of tool `{name}`"), &shape::names(&KEYS))?;
    if let Some(timeout) = tool.get("timeout") {
        return Err(timeout
            .refused(format!("tool `{name}` asks a model: leave out its timeout; `mission_timeout` bounds the run")));
    }
    if spec.signature.is_none() {
        let example = "signature = \"(text :string) -> {tone :keyword}\"";
        return Err(item.refused(format!("tool `{name}` asks a model, so it needs a signature, for example {example}")));
    }
    let text = |key: &str| {
        let text = table.get(key).map(|item| item.text(&format!("{key} must be text")));
        text.transpose().map(|text| text.map(str::to_owned))
    };
    let question = Question {
        mission: text("mission")?.ok_or_else(|| item.refused(rule.clone()))?,
        llm: table.get("llm").map(model::read).transpose()?.map(str::to_owned),
        response_template: text("response_template")?,
        json_signature: table
            .get("json_signature")
            .map(|item| options::signature(item, Signature::parse))
            .transpose()?,
    };
    question.callable(spec).map_err(|source| item.broken(source))?;
    Ok(question)
}

#[cfg(test)]
mod tests;
