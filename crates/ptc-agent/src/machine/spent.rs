//! The outcomes of the last turns of a run, for the message that no turns are left.

use ptc_compression::Redactor;
use ptc_lisp::Value;
use ptc_lisp::text::{one_line, shortened};
use ptc_transcript::{FailReason, Turn};

/// The number of newest outcomes in the message: consecutive turns with the same outcome count as one.
const OUTCOMES: usize = 3;

/// Characters quoted of an error.
const QUOTED: usize = 120;

/// Turns in a row with the same outcome.
struct Same {
    first: usize,
    last: usize,
    outcome: String,
}

/// `message` with the outcomes of the last turns, on one line:
/// `limit of 3 turns reached: turn 1 ran without calling return; turns 2-3 failed with parse_error "…"`. Hidden values
/// are not quoted.
pub(super) fn with_last_turns(message: &str, turns: &[Turn], redactor: &Redactor) -> String {
    let mut all: Vec<Same> = Vec::new();
    for turn in turns {
        let outcome = outcome(turn, redactor);
        match all.last_mut().filter(|same| same.outcome == outcome) {
            Some(same) => same.last = turn.number(),
            None => all.push(Same { first: turn.number(), last: turn.number(), outcome }),
        }
    }
    let earlier = all.len().saturating_sub(OUTCOMES);
    let told: Vec<String> = all.iter().skip(earlier).map(Same::text).collect();
    match (told.as_slice(), earlier) {
        ([], _) => message.to_owned(),
        (told, 0) => format!("{message}: {}", told.join("; ")),
        (told, _) => format!("{message}; at the end {}", told.join("; ")),
    }
}

impl Same {
    fn text(&self) -> String {
        match self.last - self.first {
            0 => format!("turn {} {}", self.first, self.outcome),
            _ => format!("turns {}-{} {}", self.first, self.last, self.outcome),
        }
    }
}

fn outcome(turn: &Turn, redactor: &Redactor) -> String {
    if turn.is_success() {
        let is_text = turn.program().is_none();
        return if is_text { "called tools and did not answer" } else { "ran without calling return" }.to_owned();
    }
    let message = findings(turn.result()).or_else(|| turn.error_message()).unwrap_or_default();
    let message = one_line(&redactor.redact(&message));
    format!(
        "failed with {} \"{}\"",
        one_line(turn.error_reason().as_ref().map_or("error", FailReason::as_str)),
        shortened(&message, QUOTED)
    )
}

/// The findings on a refused answer, without the type and the value that its message begins with, which are long.
fn findings(result: &Value) -> Option<String> {
    let errors = result.as_map()?.get_named("errors")?.to_json().ok()?;
    let errors = errors.as_array()?.iter().filter_map(|error| error.as_str()).collect::<Vec<_>>().join("; ");
    Some(errors).filter(|errors| !errors.is_empty())
}
