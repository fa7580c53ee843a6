//! How an ended run is shown, and its exit code.

use std::io::{self, Write};

use ptc_runner::lisp::Value;
use ptc_runner::transcript::{EndingKind, Fail, FailReason, Step, StepJson, ValueForm};

use crate::failure::Exit;
use crate::output;

/// Write the answer, if there is one.
pub(crate) fn answer(step: &Step, out: &mut dyn Write) -> io::Result<()> {
    match exit(step, None) {
        Exit::Ok => {
            output::answer(step.return_value().unwrap_or(&Value::Nil), out)?;
            writeln!(out)
        }
        _ => Ok(()),
    }
}

/// The whole step as one line of JSON.
pub(crate) fn json(step: &Step) -> Result<String, String> {
    serde_json::to_string(&StepJson::new(step, ValueForm::Plain))
        .map_err(|error| format!("the step cannot be written as JSON: {error}; leave --json out"))
}

/// What goes to standard error; the JSON of a step already says why it failed.
pub(crate) fn remarks(step: &Step, is_json: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if step.ending == EndingKind::Fallback {
        lines.push("note: the answer is the last value; the model did not call (return …)".to_owned());
    }
    let fail = step.fail().filter(|_| !is_json);
    lines.extend(fail.map(|fail| format!("error[{}]: {}", fail.reason.as_str(), fail.message)));
    lines.extend(fail.and_then(further).map(|value| format!("  {value}")));
    lines
}

/// What `(fail {…})` says besides a reason and a message.
fn further(fail: &Fail) -> Option<&Value> {
    let value = fail.details.as_ref()?.as_map()?.get_named("value")?;
    let map = value.as_map().filter(|map| map.get_named("message").is_some())?;
    let said = usize::from(map.get_named("reason").is_some()) + 1;
    (map.len() > said).then_some(value)
}

/// The exit code of an ending; `signal` is that of the signal that cancelled the run.
pub(crate) fn exit(step: &Step, signal: Option<Exit>) -> Exit {
    match step.ending {
        EndingKind::Return | EndingKind::Value | EndingKind::Fallback => Exit::Ok,
        EndingKind::Limit => Exit::Limit,
        EndingKind::Error if step.fail().is_some_and(|fail| fail.reason == FailReason::Cancelled) => {
            signal.unwrap_or(Exit::Interrupted)
        }
        _ => Exit::Failed,
    }
}
