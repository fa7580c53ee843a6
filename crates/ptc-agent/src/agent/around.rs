//! What a tool that asks a model one question does before and after it.

use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::problems_text;
use ptc_lisp::text::display_text;
use ptc_lisp::{Ending, Import, Limits, Progress, Session, SessionOptions, ToolError, ToolResult, Value};
use ptc_mission::MissionExpander;

/// Bounds of the program of a response template.
const TEMPLATE_TIME: Duration = Duration::from_secs(5);

pub(super) type Validator = Arc<dyn Fn(&serde_json::Value) -> Result<(), String> + Send + Sync>;

/// What happens before and after the question.
#[derive(Clone, Default)]
pub(crate) struct Around {
    pub validator: Option<Validator>,
    /// The text of a program, with placeholders for the answer.
    pub template: Option<String>,
}

impl Around {
    /// Checks the arguments before the question.
    pub fn check(&self, args: &serde_json::Value) -> Result<(), ToolError> {
        self.validator.as_ref().map_or(Ok(()), |check| check(args)).map_err(ToolError::new)
    }

    /// The result of the answer; other tasks may run while it rests.
    pub async fn result<R: Future<Output = ()>>(&self, answer: Value, rest: impl Fn() -> R) -> ToolResult {
        match &self.template {
            None => Ok(answer),
            Some(template) => evaluated(&MissionExpander::expand_keep(template, &answer), rest).await,
        }
    }
}

/// The value of a program without tools and data.
async fn evaluated<R: Future<Output = ()>>(source: &str, rest: impl Fn() -> R) -> ToolResult {
    let limits = Limits { time: TEMPLATE_TIME, ..Limits::default() };
    let mut session = Session::new(SessionOptions { limits, ..SessionOptions::default() });
    session.start(source);
    let outcome = loop {
        match session.advance(Some(100_000)) {
            Progress::Slice => rest().await,
            Progress::Calls(calls) => {
                session.answer(calls.iter().map(|_| Err(ToolError::new("there are no tools here"))).collect())
            }
            Progress::Done(outcome) => break outcome,
        }
    };
    let value = match outcome.ending {
        Ending::Value(value) | Ending::Return(value) => value,
        Ending::Fail(value) => {
            return Err(ToolError::new(format!("its response template failed: {}", display_text(&value))));
        }
        Ending::Error(problems) => {
            return Err(ToolError::new(format!("its response template failed: {}", problems_text(&problems))));
        }
        _ => return Err(ToolError::new("its response template ended in an unknown way")),
    };
    let json = value.to_sent_json().map_err(|error| ToolError::new(error.message))?;
    Ok(Import::counted().value(json))
}
