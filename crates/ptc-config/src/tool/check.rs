//! What can be checked of a tool before it is called: problems of programs, and canned answers that do not fit.

use ptc_agent::rules;
use ptc_lisp::signature::Signature;
use ptc_lisp::syntax::Position;
use ptc_lisp::{Import, Problem, ToolSpec, Warning};

use super::answers::CannedAnswer;
use super::program;
use crate::document::Item;
use crate::error::ConfigError;
use crate::problems::{MissionWarning, Problems};

/// The problems and warnings of the program `source`, the text of `item`, with their places in the file.
pub(super) fn program(item: Item<'_>, source: &str, spec: &ToolSpec, problems: &mut Problems) {
    match program::check(source, spec) {
        Ok(warnings) => problems.warnings.extend(warnings.iter().map(|warning| likely(item, warning, spec))),
        Err(found) => problems.all(found.iter().map(|problem| wrong(item, source, problem, spec))),
    }
}

fn wrong(item: Item<'_>, source: &str, problem: &Problem, spec: &ToolSpec) -> ConfigError {
    let (place, message) = match problem.position {
        Some(position) => (item.place_within(offset(source, position)), problem.message.clone()),
        None => (item.place(), problem.text()),
    };
    ConfigError::Program { place, tool: spec.name.clone(), message }
}

fn likely(item: Item<'_>, warning: &Warning, spec: &ToolSpec) -> MissionWarning {
    MissionWarning {
        code: warning.code.as_str(),
        place: Some(item.place_within(warning.span.start as usize)),
        message: format!("tool `{}`: {}", spec.name, warning.message),
    }
}

/// The byte of a line and column.
fn offset(source: &str, position: Position) -> usize {
    let before = position.line.saturating_sub(1) as usize;
    let start: usize = source.split_inclusive('\n').take(before).map(str::len).sum();
    let line = source.get(start..).unwrap_or_default();
    start + line.chars().take(position.column.saturating_sub(1) as usize).map(char::len_utf8).sum::<usize>()
}

/// The error that a call would get for an answer that does not fit the signature.
pub(super) fn answer(item: Item<'_>, answer: &CannedAnswer, spec: &ToolSpec) -> Option<MissionWarning> {
    let signature = spec.signature.as_ref()?;
    let problem = match &answer.result {
        Ok(result) => rules::tool_result(Import::counted().value(result.clone()), signature.result()).err(),
        Err(_) => None,
    };
    let told = match problem {
        Some(finding) => format!("this result does not fit {}: {finding}", signature.result()),
        None => unknown_argument(answer, signature)?,
    };
    let message = format!("tool `{}`: {told}", spec.name);
    Some(MissionWarning { code: "answer", place: Some(item.place()), message })
}

/// An argument that no call can have.
fn unknown_argument(answer: &CannedAnswer, signature: &Signature) -> Option<String> {
    let folded = |name: &str| name.replace('-', "_");
    let known: Vec<String> = signature.params().iter().map(|param| param.name.clone()).collect();
    let is_known = |name: &str| known.iter().any(|param| folded(param) == folded(name));
    let mut names = answer.args.iter().flat_map(|args| args.keys());
    let name = names.find(|name| signature.declares_params() && !is_known(name))?;
    Some(format!("no call has the argument `{name}`, so this answer is never given; parameters: {}", known.join(", ")))
}
