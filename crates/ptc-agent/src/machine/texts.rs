//! Texts of the loop that a model reads.

use std::time::Duration;

use ptc_lisp::signature::Type;
use ptc_lisp::{Finding, FormatOptions, Problem, Reason, ShownNames, Value, defines, escaped, format_with, shortened};
use ptc_transcript::{FailReason, Turn};

/// Characters of the refused value that are quoted.
const QUOTED_CHARS: usize = 200;

/// The message about an answer that is small in memory only because it shares its parts.
pub(super) const REPETITIVE: &str =
    "the value repeats the same parts so often that it cannot be written out: hand over counts, or each part once";

/// The message about a returned value that does not fit, and the record of the turn.
pub(super) fn refused_return(
    ty: &Type,
    value: &Value,
    findings: &[Finding],
    (limit, shown): (usize, &ShownNames),
) -> (String, Value) {
    let options = FormatOptions { limit: Some(limit), ..FormatOptions::full() };
    let got = format_with(value, &options, shown).text;
    let got = shortened(&got, QUOTED_CHARS);
    let problems: Vec<String> = findings.iter().map(ToString::to_string).collect();
    let lines: String = problems.iter().map(|problem| format!("- {problem}\n")).collect();
    let message = format!(
        "The returned value does not fit the signature.\nWanted: {}\nGot: {got}\nProblems:\n{lines}Correct the value and return it again.",
        escaped(&ty.to_string())
    );
    let result = Value::map_from([
        (Value::keyword("reason"), Value::keyword(FailReason::ReturnValidationFailed.as_str())),
        (Value::keyword("message"), Value::string(message.as_str())),
        (Value::keyword("actual"), value.clone()),
        (Value::keyword("errors"), Value::vector(problems.into_iter().map(Value::string).collect())),
    ]);
    (message, result)
}

/// The same problem; if it is a name that a failed program defined, it says so instead of what else could be meant.
pub(super) fn explained(problem: &Problem, turns: &[Turn]) -> Problem {
    let name = || problem.message.strip_prefix("undefined symbol '")?.split('\'').next();
    let lost_by = |name: &str| {
        let failed = turns.iter().rev().filter(|turn| !turn.is_success());
        failed.into_iter().find(|turn| turn.program().is_some_and(|program| defines(program, name))).map(Turn::number)
    };
    match name().filter(|_| problem.reason == Reason::UndefinedSymbol).and_then(|name| Some((name, lost_by(name)?))) {
        Some((name, turn)) => Problem {
            message: format!(
                "undefined symbol '{name}'. Turn {turn} defined it, but failed, so it is gone: define it again"
            ),
            ..problem.clone()
        },
        None => problem.clone(),
    }
}

/// The answer stopped at the limit of output tokens.
pub(super) fn cut_answer(tokens: u64) -> String {
    format!(
        "the answer was cut at {tokens} tokens, so its program is incomplete. Write a shorter program: do one step now, the rest in the next turn"
    )
}

/// The program ran too long.
pub(super) fn timeout(limit: Duration, problem: &Problem) -> String {
    let place = problem.position.map(|place| format!(" (stopped at line {}, column {})", place.line, place.column));
    format!(
        "the program ran longer than {} ms{}: work on less data, or end the loop",
        limit.as_millis(),
        place.unwrap_or_default()
    )
}

/// Each process that continued the run ended.
pub(super) fn poisoned(turn: usize, starts: usize) -> String {
    format!(
        "turn {turn} was continued {starts} times after its worker had ended, and each time the worker ended before the program did: the program may need more memory than workers have, or end them by a defect; read it in the step, then submit the mission again under another key"
    )
}

/// The definitions are too large.
pub(super) fn memory_limit(size: u64, limit: u64) -> String {
    format!("memory holds {size} bytes, the limit is {limit}")
}

/// The definitions of the turn were undone.
pub(super) fn undone(message: &str) -> String {
    format!(
        "{message}: the definitions of this turn were undone. Keep smaller pieces: define counts, sums or the few fields that you need"
    )
}
