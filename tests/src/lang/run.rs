//! Running a case and comparing its outcome.

use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::signature::Signature;
use ptc_lisp::syntax::position;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{
    Clock, Limits, Map, Outcome, Problem, Session, SessionOptions, ToolCall, ToolError, ToolResult, ToolSpec, Value,
    Warning,
};
use serde_json::Value as Json;

use super::{Case, Ending, Sabotaged, ToolText, Turn};

/// 2026-01-15T12:00:00Z, for every case.
const NOW_MICROS: i64 = 1_768_478_400_000_000;

struct FixedClock;

impl Clock for FixedClock {
    fn now_micros(&self) -> i64 {
        NOW_MICROS
    }
}

/// Default time of a case: its answer must not depend on how busy the machine is.
const PATIENCE: Duration = Duration::from_secs(120);

/// Default fuel of a case: ample, and soon used up where a name that returns `:wrong` makes a loop endless.
const FUEL: u64 = 2_000_000;

pub(super) fn check(case: &Case, slice: Option<u64>, sabotage: Option<Sabotaged<'_>>) -> Vec<String> {
    let mut session = match open(case, Limits { time: PATIENCE, fuel: FUEL, ..Limits::default() }) {
        Ok(session) => session,
        Err(text) => return vec![text],
    };
    if let Some((namespace, name)) = sabotage
        && !session.sabotage(namespace, name)
    {
        return Vec::new();
    }
    let mut differences = Vec::new();
    for turn in &case.turns {
        let outcome = session.run_sliced(&turn.source, slice, &mut |call| answer(&case.tools, call));
        differences.extend(compare(turn, &outcome));
    }
    differences
}

pub(super) fn open(case: &Case, limits_elsewhere: Limits) -> Result<Session, String> {
    let data = match &case.data {
        Some(text) => literal(text)?,
        None => Map::new(),
    };
    let limits = match &case.limits {
        Some(text) => limits(&literal(text)?, limits_elsewhere)?,
        None => limits_elsewhere,
    };
    let tools = case.tools.iter().map(spec).collect::<Result<_, _>>()?;
    Ok(Session::new(SessionOptions {
        data,
        tools,
        limits,
        seed: 1,
        clock: Arc::new(FixedClock),
        ..SessionOptions::default()
    }))
}

/// The map that a literal denotes.
fn literal(text: &str) -> Result<Map, String> {
    let outcome = Session::new(SessionOptions::default()).run(text, &mut |call| Err(ToolError::new(&*call.name)));
    match outcome.value() {
        Some(Value::Map(map)) => Ok(map.clone()),
        _ => Err(format!("`{text}` is not a map literal: {:?}", outcome.problems())),
    }
}

fn limits(map: &Map, mut limits: Limits) -> Result<Limits, String> {
    for (key, value) in map {
        let (Value::Keyword(name), Value::Int(amount)) = (key, value) else {
            return Err("limits are written {:fuel 100}".to_owned());
        };
        let amount = u64::try_from(*amount).map_err(|_| "a limit is not negative".to_owned())?;
        match name.as_str() {
            "fuel" => limits.fuel = amount,
            "memory" => limits.memory = amount,
            "depth" => limits.depth = usize::try_from(amount).unwrap_or(usize::MAX),
            "time-ms" => limits.time = Duration::from_millis(amount),
            "source-bytes" => limits.source_bytes = usize::try_from(amount).unwrap_or(usize::MAX),
            "symbols" => limits.symbols = usize::try_from(amount).unwrap_or(usize::MAX),
            other => return Err(format!("no limit is called {other}")),
        }
    }
    Ok(limits)
}

fn spec(tool: &ToolText) -> Result<ToolSpec, String> {
    let spec = ToolSpec::new(&tool.name);
    if tool.signature.is_empty() {
        return Ok(spec);
    }
    Signature::parse(&tool.signature)
        .map(|signature| spec.signature(signature))
        .map_err(|error| format!("tool {}: {error}", tool.name))
}

/// The body of the tool as a program whose data is the arguments.
pub(super) fn answer(tools: &[ToolText], call: &ToolCall) -> ToolResult {
    let Some(tool) = tools.iter().find(|tool| tool.name == *call.name) else {
        return Err(ToolError::new("no such tool"));
    };
    let data = arguments(tool, call).ok_or_else(|| ToolError::new("arguments that are not JSON"))?;
    let outcome = Session::new(SessionOptions { data, ..SessionOptions::default() })
        .run(&tool.body, &mut |call| Err(ToolError::new(format!("a tool calls no tools, not even {}", call.name))));
    match &outcome.ending {
        ptc_lisp::Ending::Value(value) | ptc_lisp::Ending::Return(value) => Ok(value.clone()),
        ptc_lisp::Ending::Fail(value) => {
            Err(ToolError::new(value.as_str().map_or_else(|| printed(value), str::to_owned)))
        }
        _ => Err(ToolError::new(format!("the body of {} failed: {:?}", tool.name, outcome.problems()))),
    }
}

/// The arguments as sent, under the names of the parameters; missing ones are nil.
fn arguments(tool: &ToolText, call: &ToolCall) -> Option<Map> {
    let signature = Signature::parse(&tool.signature).ok();
    let params = signature.as_ref().map(Signature::params).unwrap_or_default();
    let Json::Object(sent) = call.args.to_json().ok()? else { return None };
    let absent = params.iter().map(|param| (param.name.clone(), Json::Null));
    let named = sent.into_iter().map(|(key, value)| {
        let param = params.iter().find(|param| param.name.replace('-', "_") == key);
        (param.map_or(key, |param| param.name.clone()), value)
    });
    Value::from_json(Json::Object(absent.chain(named).collect())).as_map().cloned()
}

fn compare(turn: &Turn, outcome: &Outcome) -> Vec<String> {
    let mut differences = Vec::new();
    let problems = outcome.problems().iter().map(problem_text).collect::<Vec<_>>();
    compare_lists(";!>", &turn.problems, &problems, &mut differences);
    if let Some(expected) = &turn.ending {
        let found = ending(outcome);
        if !found.as_ref().is_some_and(|found| same_ending(expected, found)) {
            differences.push(format!(
                "expected {}, got {}",
                ending_text(expected),
                found.as_ref().map_or("an error".into(), ending_text)
            ));
        }
    }
    compare_lists(";out>", &turn.prints, &outcome.prints, &mut differences);
    let warnings = outcome.warnings.iter().map(|warning| warning_text(warning, &turn.source)).collect::<Vec<_>>();
    compare_lists(";warn>", &turn.warnings, &warnings, &mut differences);
    if !turn.calls.is_empty() {
        let calls = outcome
            .tool_calls
            .iter()
            .map(|call| format!("{} {}", call.name, printed(&call.surface)))
            .collect::<Vec<_>>();
        compare_lists(";call>", &turn.calls, &calls, &mut differences);
    }
    differences
}

fn compare_lists(mark: &str, expected: &[String], found: &[String], differences: &mut Vec<String>) {
    for (at, line) in found.iter().enumerate() {
        match expected.get(at) {
            Some(wanted) if same(wanted, line) => {}
            Some(wanted) => differences.push(format!("expected {mark} {wanted}\n  got      {mark} {line}")),
            None => differences.push(format!("unexpected {mark} {line}")),
        }
    }
    for wanted in expected.iter().skip(found.len()) {
        differences.push(format!("missing {mark} {wanted}"));
    }
}

/// Equal texts, or an expected one that ends in `…` and is a prefix of the found one.
fn same(expected: &str, found: &str) -> bool {
    match expected.strip_suffix('…') {
        Some(start) => found.starts_with(start),
        None => expected == found,
    }
}

fn same_ending(expected: &Ending, found: &Ending) -> bool {
    match (expected, found) {
        (Ending::Value(wanted), Ending::Value(found))
        | (Ending::Return(wanted), Ending::Return(found))
        | (Ending::Fail(wanted), Ending::Fail(found)) => same(wanted, found),
        _ => false,
    }
}

fn ending(outcome: &Outcome) -> Option<Ending> {
    Some(match &outcome.ending {
        ptc_lisp::Ending::Value(value) => Ending::Value(printed(value)),
        ptc_lisp::Ending::Return(value) => Ending::Return(printed(value)),
        ptc_lisp::Ending::Fail(value) => Ending::Fail(printed(value)),
        _ => return None,
    })
}

fn ending_text(ending: &Ending) -> String {
    match ending {
        Ending::Value(text) => format!(";=> {text}"),
        Ending::Return(text) => format!(";return> {text}"),
        Ending::Fail(text) => format!(";fail> {text}"),
    }
}

fn printed(value: &Value) -> String {
    format(value, &FormatOptions::full()).text
}

fn problem_text(problem: &Problem) -> String {
    let place = problem.position.map(|place| format!(" {}:{}", place.line, place.column)).unwrap_or_default();
    format!("{}{place} {}", problem.reason.as_str(), problem.message.replace('\n', " "))
}

fn warning_text(warning: &Warning, source: &str) -> String {
    let place = position(source, warning.span.start);
    format!("{} {}:{} {}", warning.code.as_str(), place.line, place.column, warning.message)
}
