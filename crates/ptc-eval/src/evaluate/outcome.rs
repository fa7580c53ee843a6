//! The outcome of one run, and what is wrong with its answer.

use ptc_agent::{CompiledAgent, extract_json};
use ptc_chat::OutputMode;
use ptc_transcript::{Step, ValueForm, json_of};
use serde_json::Value as Json;

use crate::case::Case;
use crate::constraint::{Constraint, Kind, quoted};

/// The outcome of one run.
#[derive(Default)]
pub(super) struct Outcome {
    /// The runs of the agent, one for each text of the user; none for a compiled one that succeeded.
    pub(super) steps: Vec<Step>,
    /// The program of a compiled agent, with its turns and tokens.
    pub(super) compiled: Option<CompiledAgent>,
    /// The answers, one for each text.
    pub(super) answers: Vec<Json>,
    /// Everything that is wrong.
    pub(super) problems: Vec<String>,
}

/// The answer of a step in plain JSON.
///
/// The error says why there is none.
pub(super) fn answer_of(step: &Step) -> Result<Json, String> {
    match &step.result {
        Ok(value) => Ok(json_of(value, ValueForm::Plain)),
        Err(fail) => Err(format!("no answer, the run ended with {}: {fail}", step.ending.as_str())),
    }
}

/// The last answer as its kind is judged, and what is wrong with it. A text that a model wrote is read as JSON where
/// the case wants anything else.
pub(super) fn judged(answer: Json, output: OutputMode, case: &Case) -> (Json, Vec<String>) {
    let wants_text = case.kind.is_none_or(|kind| kind == Kind::String);
    let answer = match (output, answer) {
        (OutputMode::Text, Json::String(text)) if !wants_text => match extract_json(&text) {
            Ok(json) => json,
            Err(_) => {
                let wanted = case.kind.map(|kind| kind.to_string()).unwrap_or_default();
                let problem = format!("wanted {wanted} as JSON, got the text {}", quoted(&Json::from(text.as_str())));
                return (Json::String(text), vec![problem]);
            }
        },
        (_, answer) => answer,
    };
    let problems = problems(&answer, case.kind, case.expect.iter().filter(|one| !case.is_reference(one)));
    (answer, problems)
}

/// What is wrong with an answer; comparing one of the wrong kind adds nothing.
pub(super) fn problems<'a>(
    answer: &Json,
    kind: Option<Kind>,
    expect: impl IntoIterator<Item = &'a Constraint>,
) -> Vec<String> {
    match kind.map_or(Ok(()), |kind| kind.judge(answer)) {
        Err(problem) => vec![problem],
        Ok(()) => expect.into_iter().filter_map(|constraint| constraint.judge(answer).err()).collect(),
    }
}
