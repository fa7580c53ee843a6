//! `cargo xtask conformance`: programs with their expected answers, from JSON Lines files.

pub(crate) mod case;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use ptc_lisp::{
    Ending, IDENTITY_TOOL, Limits, NoCells, Outcome, Session, SessionOptions, ToolError, ToolSpec, to_tagged,
};
use serde_json::Value as Json;

use crate::{Failure, Problem};
pub(crate) use case::same;
use case::{Case, Verdict, judge};

/// What the command line asks for.
#[derive(Default)]
struct Request {
    files: Vec<String>,
    overrides: Vec<String>,
    slice: Option<u64>,
    wrap: bool,
    show: usize,
    min: f64,
}

/// Run the cases of the named files and report the share that passes; a share below `--min` is a problem.
pub(crate) fn check(words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let request = parse(words)?;
    let mut replaced: HashMap<String, Json> = HashMap::new();
    for file in &request.overrides {
        for line in case::lines(Path::new(file))? {
            if let Some(id) = line.get("id").and_then(Json::as_str) {
                replaced.insert(id.to_owned(), line.clone());
            }
        }
    }
    let mut tally = Tally::default();
    // A panic is a finding like any other: its text is shown once, at the end.
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for file in &request.files {
        for line in case::lines(Path::new(file))? {
            if let Some(case) = Case::read(&line, &replaced) {
                tally.add(&case, run(&case, &request), &request);
            }
        }
    }
    std::panic::set_hook(quiet);
    tally.report(&request)
}

fn parse(words: &[&str]) -> Result<Request, Failure> {
    let mut request = Request { min: 100.0, ..Request::default() };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().copied().ok_or(Failure::Usage(crate::USAGE));
        match *word {
            "--overrides" => request.overrides.push(value()?.to_owned()),
            "--slice" => request.slice = Some(value()?.parse().map_err(|_| Failure::Usage(crate::USAGE))?),
            "--show" => request.show = value()?.parse().map_err(|_| Failure::Usage(crate::USAGE))?,
            "--min" => request.min = value()?.parse().map_err(|_| Failure::Usage(crate::USAGE))?,
            "--wrap" => request.wrap = true,
            file if !file.starts_with("--") => request.files.push(file.to_owned()),
            _ => return Err(Failure::Usage(crate::USAGE)),
        }
    }
    if request.files.is_empty() { Err(Failure::Usage(crate::USAGE)) } else { Ok(request) }
}

/// Run one case in its own session.
fn run(case: &Case, request: &Request) -> Verdict {
    let outcome = catch_unwind(AssertUnwindSafe(|| evaluate(case, request)));
    match outcome {
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Verdict::Failed(format!("panic: {}", text.unwrap_or_default()))
        }
        Ok(outcome) => {
            if request.wrap
                && outcome.problems().iter().any(|problem| problem.message.contains("comparator may not call tools"))
            {
                return Verdict::Skipped;
            }
            judge(case, &outcome)
        }
    }
}

fn evaluate(case: &Case, request: &Request) -> Outcome {
    let signature = ptc_lisp::signature::Signature::parse("(value :any) -> :any").ok();
    let mut identity = ToolSpec::new(IDENTITY_TOOL);
    identity.signature = signature;
    let limits = Limits { fuel: 5_000_000_000, time: Duration::from_secs(20), ..Limits::default() };
    let tools = if request.wrap { vec![identity] } else { Vec::new() };
    let mut session = case.session(limits, tools);
    if request.wrap && !case.is_static_error(&mut Session::new(SessionOptions::default())) {
        session.wrap_literals();
    }
    session.run_sliced(&case.source, request.slice, &mut |call| {
        // The value is returned as it is, not through JSON.
        call.surface
            .as_map()
            .and_then(|args| args.get_named("value").cloned())
            .ok_or_else(|| ToolError::new("the identity tool takes one value"))
    })
}

/// The tagged form of a value that ended a program well.
pub(crate) fn tagged(outcome: &Outcome) -> Option<Json> {
    let value = match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => value,
        _ => return None,
    };
    to_tagged(value, &NoCells).ok().and_then(|tagged| serde_json::from_str(tagged.get()).ok())
}

#[derive(Default)]
struct Tally {
    passed: usize,
    total: usize,
    skipped: usize,
    failures: Vec<String>,
}

impl Tally {
    fn add(&mut self, case: &Case, verdict: Verdict, request: &Request) {
        match verdict {
            Verdict::Skipped => self.skipped += 1,
            Verdict::Passed => {
                self.total += 1;
                self.passed += 1;
            }
            Verdict::Failed(why) => {
                self.total += 1;
                if self.failures.len() < request.show {
                    self.failures.push(format!("{}: {why}\n    {}", case.id, case.source.replace('\n', "\n    ")));
                }
            }
        }
    }

    fn report(self, request: &Request) -> Result<Vec<Problem>, Failure> {
        for failure in &self.failures {
            println!("FAIL {failure}");
        }
        let all = if self.total == 0 { 100.0 } else { 100.0 * self.passed as f64 / self.total as f64 };
        println!("{}/{} = {all:.2}%, {} skipped", self.passed, self.total, self.skipped);
        if all < request.min {
            return Ok(vec![Problem::whole(
                "conformance",
                format!("{all:.2}% of the cases pass, at least {}% must", request.min),
            )]);
        }
        Ok(Vec::new())
    }
}
