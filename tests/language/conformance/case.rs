//! One case: what runs and its expected outcome.

use std::collections::HashMap;
use std::fs;

use ptc_lisp::text::{FormatOptions, format as value_text};
use ptc_lisp::{Ending, Import, Limits, Outcome, Reason, Session, SessionOptions, ToolSpec, Value};
use serde::Deserialize;
use serde_json::Value as Json;

/// A program with its expectation, as a line of a file has it.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    pub source: String,
    data: Option<Json>,
    /// What it is about: forms, functions, `agent`.
    #[serde(default)]
    pub tags: Vec<String>,
    expect: Option<Json>,
    reason: Option<Json>,
    ending: Option<String>,
    stdout: Option<Vec<String>>,
}

/// The JSON values of the file of this name, one per line.
pub fn lines(name: &str) -> Vec<Json> {
    let text = fs::read_to_string(super::file(name)).unwrap();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(at, line)| serde_json::from_str(line).unwrap_or_else(|error| panic!("{name}:{}: {error}", at + 1));
    lines.map(read).collect()
}

impl Case {
    /// The case of a line with its override; none for one that is removed.
    pub fn read(line: &Json, replaced: &HashMap<String, Json>) -> Option<Case> {
        let mut case = line.as_object()?.clone();
        if let Some(Json::Object(other)) = replaced.get(case.get("id")?.as_str()?) {
            if other.get("skip").and_then(Json::as_bool) == Some(true) {
                return None;
            }
            if other.contains_key("expect") || other.contains_key("error") {
                case.retain(|key, _| key != "expect" && key != "reason");
            }
            case.extend(other.clone());
        }
        serde_json::from_value(Json::Object(case)).ok()
    }

    /// A session over the data of the case.
    pub fn session(&self, limits: Limits, tools: Vec<ToolSpec>) -> Session {
        let data = self.data.clone().map(|data| Import::uncounted().value(data));
        let data = data.as_ref().and_then(Value::as_map).cloned().unwrap_or_default();
        Session::new(SessionOptions { data, tools, limits, ..SessionOptions::default() })
    }

    /// Whether the program is refused before it runs: wrapping does not change such programs.
    pub fn is_static_error(&self, session: &mut Session) -> bool {
        self.expect.is_none() && {
            let outcome = session.run(&self.source, &mut |_| Err(ptc_lisp::ToolError::new("no tools")));
            outcome.usage.fuel == 0 && outcome.problems().iter().any(|problem| is_static(problem.reason))
        }
    }
}

fn is_static(reason: Reason) -> bool {
    !matches!(reason, Reason::TypeError | Reason::ArgumentError | Reason::ArithmeticError | Reason::Exception)
}

/// Compare an outcome with the expectation; the difference.
pub fn judge(case: &Case, outcome: &Outcome) -> Option<String> {
    let problems = outcome.problems().iter().map(|problem| format!("{} {}", problem.reason, problem.text()));
    let (ending, failure) = match &outcome.ending {
        Ending::Value(_) => ("value", String::new()),
        Ending::Return(_) => ("return", String::new()),
        Ending::Fail(value) => ("fail", format!("fail {}", value_text(value, &FormatOptions::full()).text)),
        _ => ("error", problems.collect::<Vec<_>>().join("; ")),
    };
    let of_value = match (&case.expect, super::tagged(outcome)) {
        (None, _) => judge_error(case, outcome),
        (Some(expected), Some(found)) if same(expected, &found) => None,
        (Some(expected), Some(found)) => Some(format!("expected {expected}, got {found}")),
        (Some(_), None) => Some(failure),
    };
    let of_ending = || {
        let wanted = case.ending.as_deref().filter(|wanted| *wanted != ending)?;
        Some(format!("ending {ending}, expected {wanted}"))
    };
    let of_prints = || {
        let (wanted, printed) = (case.stdout.as_ref()?.join("\n"), outcome.prints.join("\n"));
        (wanted != printed).then(|| format!("printed {printed:?}, expected {wanted:?}"))
    };
    of_value.or_else(of_ending).or_else(of_prints)
}

fn judge_error(case: &Case, outcome: &Outcome) -> Option<String> {
    let Some(problem) = outcome.problems().first() else {
        return Some(format!("expected an error, got {}", super::tagged(outcome).unwrap_or_default()));
    };
    let reason = problem.reason.as_str();
    let fits = match &case.reason {
        None => reason != "internal_error",
        Some(Json::String(wanted)) => wanted == "any" || wanted == reason,
        Some(Json::Array(wanted)) => wanted.iter().any(|wanted| wanted.as_str() == Some(reason)),
        Some(_) => true,
    };
    (!fits).then(|| format!("{reason} {}, expected {:?}", problem.text(), case.reason))
}

/// Equality of tagged values: maps and sets without order, floats to 1e-12, a character is a string.
pub fn same(expected: &Json, found: &Json) -> bool {
    let tag = |value: &Json| match value.get("t").and_then(Json::as_str) {
        Some("char") => "str".to_owned(),
        other => other.unwrap_or("").to_owned(),
    };
    let kind = tag(expected);
    if kind != tag(found) {
        return false;
    }
    let (want, got) = (expected.get("v").unwrap_or(&Json::Null), found.get("v").unwrap_or(&Json::Null));
    let in_order = |want: &[Json], got: &[Json]| want.iter().zip(got).all(|(want, got)| same(want, got));
    match kind.as_str() {
        "nil" | "fn" => true,
        "float" => same_float(want, got),
        "seq" => lists(want, got, in_order),
        "set" => lists(want, got, |want, got| in_any_order(want, got, same)),
        "map" => lists(want, got, |want, got| in_any_order(want, got, |want, got| lists(want, got, in_order))),
        "atom" => same(want, got),
        _ => want == got,
    }
}

/// Whether both are lists of the same length, and equal.
fn lists(want: &Json, got: &Json, equal: impl Fn(&[Json], &[Json]) -> bool) -> bool {
    let (Some(want), Some(got)) = (want.as_array(), got.as_array()) else { return false };
    want.len() == got.len() && equal(want, got)
}

fn in_any_order(want: &[Json], got: &[Json], equal: impl Fn(&Json, &Json) -> bool) -> bool {
    let mut left: Vec<&Json> = got.iter().collect();
    want.iter().all(|one| {
        let found = left.iter().position(|other| equal(one, other));
        found.map(|at| left.swap_remove(at)).is_some()
    })
}

fn same_float(want: &Json, got: &Json) -> bool {
    let number = |value: &Json| {
        let text = value.as_str()?.trim_start_matches("##").replace("Infinity", "inf").replace("Inf", "inf");
        text.parse::<f64>().ok()
    };
    match (number(want), number(got)) {
        (Some(x), Some(y)) => (x.is_nan() && y.is_nan()) || x == y || (x - y).abs() <= 1e-12 * x.abs().max(y.abs()),
        _ => false,
    }
}
