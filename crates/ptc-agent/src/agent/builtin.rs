//! Tools that an agent offers on request (`builtin_tools`).

use ptc_lisp::signature::{Field, Signature, Type};
use ptc_lisp::{Effect, ToolSpec};
use regex::RegexBuilder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Callable;
use crate::error::AgentError;
use crate::{FnTool, ToolError};

/// The parameter of `tool/history`.
pub(crate) const HISTORY_TURN: &str = "turn";

#[derive(Deserialize, JsonSchema)]
struct Search {
    pattern: String,
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct NumberedLine {
    line: usize,
    text: String,
}

/// The tools of these families.
pub(crate) fn tools(families: &[String]) -> Result<Vec<Callable>, AgentError> {
    let mut tools = Vec::new();
    for family in families {
        match family.as_str() {
            "grep" => tools.extend([grep(), grep_n()]),
            "history" => tools.push(history()),
            _ => return Err(AgentError::UnknownToolFamily(family.clone())),
        }
    }
    Ok(tools)
}

fn grep() -> Callable {
    let lines =
        |search: Search| Ok::<_, ToolError>(matching(&search)?.into_iter().map(|line| line.text).collect::<Vec<_>>());
    FnTool::new("grep", "Lines of a text that match a regular expression, ignoring case", lines)
        .effect(Effect::Read)
        .into()
}

fn grep_n() -> Callable {
    let lines = |search: Search| matching(&search);
    FnTool::new("grep-n", "As grep, with line numbers from 1", lines).effect(Effect::Read).into()
}

fn matching(Search { pattern, text }: &Search) -> Result<Vec<NumberedLine>, ToolError> {
    let built = RegexBuilder::new(pattern).case_insensitive(true).size_limit(1 << 20).build();
    let regex =
        built.map_err(|error| ToolError::new(format!("pattern {pattern:?} is not a regular expression: {error}")))?;
    let lines = (1..).zip(text.lines()).filter(|(_, text)| regex.is_match(text));
    Ok(lines.map(|(line, text)| NumberedLine { line, text: text.to_owned() }).collect())
}

/// The history for an agent whose compression names it.
pub(crate) fn unlisted_history() -> Callable {
    Callable::new(ToolSpec { unlisted: true, ..history_spec() }, None)
}

/// Whether a tool is [`unlisted_history`].
pub(crate) fn is_unlisted_history(tool: &Callable) -> bool {
    tool.is_history() && tool.spec().unlisted
}

/// `(tool/history)` and `(tool/history {:turn 2})`.
fn history() -> Callable {
    Callable::new(history_spec(), None)
}

fn history_spec() -> ToolSpec {
    let turn = Field::new(HISTORY_TURN, Type::Int.optional());
    let description = "Earlier turns, or the one with this number: {:turn :program :result :prints :tool-calls :error}";
    ToolSpec::new("history")
        .description(description)
        .signature(Signature::new(Some(vec![turn]), Type::Any))
        .effect(Effect::Read)
}
