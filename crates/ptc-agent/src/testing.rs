//! What the tests of several modules share: scripted runs and their endings.

use std::sync::Arc;

use ptc_chat::ScriptedLlm;
use ptc_transcript::{Step, ValueForm, json_of};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::RunOptions;

/// The argument of most tools.
#[derive(Deserialize, JsonSchema)]
pub(crate) struct Item {
    pub id: i64,
}

/// A model that answers with these texts, and options that name it.
pub(crate) fn scripted(replies: &[&str]) -> (RunOptions, Arc<ScriptedLlm>) {
    let llm = Arc::new(ScriptedLlm::replies(replies.iter().copied()));
    (RunOptions::new().llm(llm.clone()), llm)
}

/// `ending value` or `ending reason: message`.
pub(crate) fn ended(step: &Step) -> String {
    let ending = step.ending.as_str();
    match &step.result {
        Ok(value) => format!("{ending} {}", json_of(value, ValueForm::Plain)),
        Err(fail) => format!("{ending} {fail}"),
    }
}
