//! What the tests of several modules share: scripted runs and their endings.

use std::sync::Arc;

use ptc_chat::ScriptedLlm;
use ptc_transcript::{Step, ValueForm, fingerprint, json_of};
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

/// A journal with other lines, by somebody who knows how they are summed.
pub(crate) fn forged(journal: &[u8], mut change: impl FnMut(&str) -> String) -> Vec<u8> {
    let mut sum = String::new();
    let line = |line: &str| {
        let whole = change(line);
        let body = whole.rsplit_once(",\"sum\":").map_or(whole.trim_end_matches('}'), |(body, _)| body);
        sum = fingerprint(&(&sum, body)).expect("JSON");
        format!("{body},\"sum\":\"{sum}\"}}\n")
    };
    String::from_utf8_lossy(journal).lines().map(line).collect::<String>().into_bytes()
}

/// `ending value` or `ending reason: message`.
pub(crate) fn ended(step: &Step) -> String {
    let ending = step.ending.as_str();
    match &step.result {
        Ok(value) => format!("{ending} {}", json_of(value, ValueForm::Plain)),
        Err(fail) => format!("{ending} {fail}"),
    }
}
