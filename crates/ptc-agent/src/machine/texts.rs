//! Texts of the loop that a model reads.

use std::time::Duration;

use ptc_chat::{Reply, ToolUse};
use ptc_lisp::signature::Type;
use ptc_lisp::syntax::defines;
use ptc_lisp::text::{FormatOptions, escaped, format_with, shortened};
use ptc_lisp::{Problem, Reason, ShownNames, Value};
use ptc_transcript::{FailReason, Turn};

use super::relief::Relief;

/// Characters of the refused value that are quoted.
const QUOTED_CHARS: usize = 200;

/// The message about an answer that is small in memory only because it shares its parts.
pub(super) const REPETITIVE: &str =
    "the value repeats the same parts so often that it cannot be written out: hand over counts, or each part once";

/// The message about a returned value that does not fit, and the record of the turn.
pub(super) fn refused_return(
    reason: &FailReason,
    ty: &Type,
    value: &Value,
    problems: Vec<String>,
    (limit, shown): (usize, &ShownNames),
) -> (String, Value) {
    let options = FormatOptions { limit: Some(limit), ..FormatOptions::full() };
    let got = format_with(value, &options, shown).text;
    let got = shortened(&got, QUOTED_CHARS);
    let lines: String = problems.iter().map(|problem| format!("- {problem}\n")).collect();
    let message = format!(
        "The returned value does not fit the signature.\nWanted: {}\nGot: {got}\nProblems:\n{lines}Correct the value and return it again.",
        escaped(&ty.to_string())
    );
    let result = Value::map_from([
        (Value::keyword("reason"), Value::keyword(reason.as_str())),
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

/// The answer stopped at the limit of output tokens before its program began.
pub(super) fn cut_in_thoughts(tokens: u64, change: Option<Relief>) -> String {
    let change = match change {
        Some(Relief::Limit(limit)) => format!(" The limit is now {limit} tokens."),
        Some(Relief::Effort(_)) => " The reasoning effort is now low.".to_owned(),
        _ => String::new(),
    };
    format!(
        "your answer was cut at {tokens} tokens while you were thinking, before its program.{change} Think less, and write the program of the next step"
    )
}

/// The same when no turn is left, for people.
pub(super) fn cut_at_last(tokens: u64) -> String {
    format!(
        "the answer was cut at {tokens} tokens while the model was thinking; raise `max_output_tokens`, or lower `reasoning_effort`"
    )
}

/// The reply with its program as its text, when the text is empty because the program is in the thoughts.
pub(super) fn with_program(reply: Reply, program: &str) -> Reply {
    if reply.content.trim().is_empty() {
        return Reply { content: format!("```clojure\n{program}\n```"), ..reply };
    }
    reply
}

/// The reply with calls in the format of native tools as text, so that neither people nor the model miss them.
pub(super) fn with_calls(reply: Reply) -> Reply {
    let text = |call: &ToolUse| {
        let call = serde_json::json!({"name": call.name, "arguments": call.args});
        format!("<tool_call>\n{call}\n</tool_call>")
    };
    let told = Some(reply.content.trim()).filter(|text| !text.is_empty()).map(str::to_owned);
    let content: Vec<String> = told.into_iter().chain(reply.tool_calls.iter().map(text)).collect();
    if reply.tool_calls.is_empty() { reply } else { Reply { content: content.join("\n"), ..reply } }
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
