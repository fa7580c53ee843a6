//! Programs with their known answers, from the JSON Lines files of `tests/conformance`: as they are, preempted at every call, and with
//! every literal behind a tool call.

pub mod case;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ptc_lisp::signature::Signature;
use ptc_lisp::testing::IDENTITY_TOOL;
use ptc_lisp::values::{NoCells, to_tagged};
use ptc_lisp::{Ending, Limits, Outcome, Session, SessionOptions, ToolError, ToolSpec};
use serde_json::Value as Json;

pub use case::same;
use case::{Case, judge};

/// Lines that are replaced.
const OVERRIDES: &str = "overrides.jsonl";

/// How cases are run.
#[derive(Default)]
struct Options {
    /// Preempted every so many units of fuel.
    slice: Option<u64>,
    /// Whether literals are behind tool calls.
    wrap: bool,
}

#[test]
fn programs_have_their_answers() {
    check(&["public.jsonl"], &Options::default());
}

#[test]
fn programs_that_are_preempted_at_every_call_have_their_answers() {
    check(&["public.jsonl"], &Options { slice: Some(1), wrap: true });
}

#[test]
fn programs_whose_literals_are_behind_calls_have_their_answers() {
    check(&["public.jsonl"], &Options { slice: Some(7), wrap: true });
}

#[test]
fn programs_of_the_extensions_and_the_dialect_have_their_answers() {
    check(&["ext-public.jsonl", "dialect.jsonl"], &Options::default());
}

/// The file of this name.
pub fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conformance").join(name)
}

/// Run the cases of the files; all must pass.
fn check(files: &[&str], options: &Options) {
    let named = |line: Json| (line["id"].as_str().unwrap().to_owned(), line);
    let replaced: HashMap<String, Json> = case::lines(OVERRIDES).into_iter().map(named).collect();
    let cases: Vec<Case> =
        files.iter().flat_map(|name| case::lines(name)).filter_map(|line| Case::read(&line, &replaced)).collect();
    let failure = |case: &Case| {
        Some(format!("{}: {}\n    {}", case.id, run(case, options)?, case.source.replace('\n', "\n    ")))
    };
    let failed: Vec<String> = cases.iter().filter_map(failure).collect();
    assert!(!cases.is_empty(), "there are no cases");
    assert!(failed.is_empty(), "{} of {} cases fail:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

/// Run one case in its own session; why it fails.
fn run(case: &Case, options: &Options) -> Option<String> {
    println!("{}", case.id);
    let outcome = evaluate(case, options);
    let is_refused = |problem: &ptc_lisp::Problem| problem.message.contains("comparator may not call tools");
    if options.wrap && outcome.problems().iter().any(is_refused) { None } else { judge(case, &outcome) }
}

fn evaluate(case: &Case, options: &Options) -> Outcome {
    let mut identity = ToolSpec::new(IDENTITY_TOOL);
    identity.signature = Some(Signature::parse("(value :any) -> :any").unwrap());
    let limits = Limits { fuel: 5_000_000_000, time: Duration::from_secs(20), ..Limits::default() };
    let tools = if options.wrap { vec![identity] } else { Vec::new() };
    let mut session = case.session(limits, tools);
    if options.wrap && !case.is_static_error(&mut Session::new(SessionOptions::default())) {
        session.wrap_literals();
    }
    session.run_sliced(&case.source, options.slice, &mut |call| {
        // The value is returned as it is, not through JSON.
        call.surface
            .as_map()
            .and_then(|args| args.get_named("value").cloned())
            .ok_or_else(|| ToolError::new("the identity tool takes one value"))
    })
}

/// The tagged form of a value that ended a program well.
pub fn tagged(outcome: &Outcome) -> Option<Json> {
    let value = match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => value,
        _ => return None,
    };
    to_tagged(value, &NoCells).ok().and_then(|tagged| serde_json::from_str(tagged.get()).ok())
}
