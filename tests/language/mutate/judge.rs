//! The outcome of a mutant, compared with its original.

use ptc_lisp::syntax::position;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{Ending, Outcome, Problem, Warning};

use super::operator::Mutant;

/// The outcome of the original.
pub(super) struct Expected {
    /// Ending, value and printed lines.
    answer: String,
    /// Messages that the original already gets.
    warnings: Vec<String>,
    /// Fuel that it used.
    pub fuel: u64,
}

impl Expected {
    /// For a program that succeeded.
    pub fn of(outcome: &Outcome) -> Option<Expected> {
        let warnings = outcome.warnings.iter().map(|warning| warning.message.clone()).collect();
        Some(Expected { answer: answer(outcome)?, warnings, fuel: outcome.usage.fuel })
    }
}

/// The verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The answer of the original.
    Same,
    /// Another answer, without any message.
    Silent(String),
    /// An error, or another answer with a warning.
    Told {
        names_line: bool,
        /// Whether a hint gives the right name; none when the mistake was not in a name.
        hint: Option<bool>,
        text: String,
    },
}

/// Compare a mutant's outcome with that of the original.
pub(super) fn judge(mutant: &Mutant, expected: &Expected, outcome: &Outcome) -> Verdict {
    let answer = answer(outcome);
    if answer.as_ref() == Some(&expected.answer) {
        return Verdict::Same;
    }
    let warnings: Vec<&Warning> =
        outcome.warnings.iter().filter(|warning| !expected.warnings.contains(&warning.message)).collect();
    let problems = outcome.problems();
    if let (Some(answer), true) = (answer, warnings.is_empty()) {
        return Verdict::Silent(answer);
    }
    let of_problem = |problem: &Problem| (problem.position.map_or(0, |place| place.line), problem.message.clone());
    let of_warning = |warning: &&Warning| (position(&mutant.source, warning.span.start).line, warning.message.clone());
    let told: Vec<(u32, String)> = problems.iter().map(of_problem).chain(warnings.iter().map(of_warning)).collect();
    let names_line = told
        .iter()
        .any(|(line, text)| mutant.lines.iter().any(|wanted| *wanted == *line as usize || mentions(text, *wanted)));
    let hint = mutant.meant.as_deref().map(|meant| told.iter().any(|(_, text)| suggests(text, meant)));
    Verdict::Told { names_line, hint, text: message(problems, &warnings, &mutant.source) }
}

/// Ending, value and prints as one text; none for an error.
fn answer(outcome: &Outcome) -> Option<String> {
    let (mark, value) = match &outcome.ending {
        Ending::Value(value) => ("=>", value),
        Ending::Return(value) => ("return>", value),
        Ending::Fail(value) => ("fail>", value),
        _ => return None,
    };
    let mut text = outcome.prints.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    Some(format!("{text}{mark} {}", format(value, &FormatOptions::full()).text))
}

/// Whether the text mentions this line: `line 3`, not followed by another digit.
pub(super) fn mentions(text: &str, line: usize) -> bool {
    let wanted = format!("line {line}");
    text.match_indices(&wanted).any(|(at, found)| {
        !text.get(at + found.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// Whether a suggestion of the text is the intended name, with or without its namespace. Suggestions follow "Did you
/// mean" and "available"; what the message quotes before them does not count.
pub(super) fn suggests(text: &str, meant: &str) -> bool {
    let from =
        ["Did you mean", "did you mean", "available", "Available"].iter().filter_map(|mark| text.find(mark)).min();
    let Some(hint) = from.and_then(|from| text.get(from..)) else { return false };
    let bare = meant.rsplit_once('/').map_or(meant, |(_, bare)| bare);
    let edge = |c: char| c.is_whitespace() || "'`,;:()".contains(c);
    // The question mark after a quoted name is not part of the name.
    hint.split(edge).any(|word| word == meant || (!bare.is_empty() && word == bare))
}

fn message(problems: &[Problem], warnings: &[&Warning], source: &str) -> String {
    let problems = problems.iter().map(|problem| format!("{}: {}", problem.reason, problem.text()));
    let warnings = warnings.iter().map(|warning| {
        let place = position(source, warning.span.start);
        format!("{}: {} at {place}", warning.code.as_str(), warning.message)
    });
    problems.chain(warnings).collect::<Vec<_>>().join("\n")
}
