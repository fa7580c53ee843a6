//! `cargo xtask conformance`: programs with their expected answers, from JSON Lines files.

pub(crate) mod case;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ptc_lisp::{
    Ending, IDENTITY_TOOL, Limits, NoCells, Outcome, Session, SessionOptions, ToolError, ToolSpec, to_tagged,
};
use serde_json::Value as Json;

use crate::words::Words;
use crate::{Failure, Problem};
pub(crate) use case::same;
use case::{Case, Verdict, judge};

/// How cases are run.
struct Options {
    /// Preempted every so many units of fuel.
    slice: Option<u64>,
    /// Whether literals are behind tool calls.
    wrap: bool,
}

/// Run the cases of the named files and report the share that passes; all must.
pub(crate) fn check(words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut words = Words::of(words, crate::USAGE);
    let mut replaced: HashMap<String, Json> = HashMap::new();
    while let Some(file) = words.value::<PathBuf>("--overrides")? {
        let named = |line: Json| Some((line.get("id")?.as_str()?.to_owned(), line));
        replaced.extend(case::lines(&file)?.into_iter().filter_map(named));
    }
    let show = words.value("--show")?.unwrap_or(0);
    let options = Options { slice: words.value("--slice")?, wrap: words.flag("--wrap") };
    let files = words.files()?;
    if files.is_empty() {
        return Err(Failure::Usage(crate::USAGE));
    }
    let mut cases = Vec::new();
    for file in files {
        cases.extend(case::lines(Path::new(file))?.iter().filter_map(|line| Case::read(line, &replaced)));
    }
    let verdicts: Vec<Verdict> = cases.iter().map(|case| run(case, &options)).collect();
    let failed = cases.iter().zip(&verdicts).filter_map(|(case, verdict)| match verdict {
        Verdict::Failed(why) => Some(format!("{}: {why}\n    {}", case.id, case.source.replace('\n', "\n    "))),
        _ => None,
    });
    failed.take(show).for_each(|failure| println!("FAIL {failure}"));
    let skipped = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Skipped)).count();
    let passed = verdicts.iter().filter(|verdict| matches!(verdict, Verdict::Passed)).count();
    let total = verdicts.len() - skipped;
    let all = if total == 0 { 0.0 } else { 100.0 * passed as f64 / total as f64 };
    println!("{passed}/{total} = {all:.2}%, {skipped} skipped");
    let text = || format!("{all:.2}% of the cases pass, at least 100% must");
    Ok((passed < total || total == 0).then(|| Problem::whole("conformance", text())).into_iter().collect())
}

/// Run one case in its own session.
fn run(case: &Case, options: &Options) -> Verdict {
    let outcome = match catch_unwind(AssertUnwindSafe(|| evaluate(case, options))) {
        Ok(outcome) => outcome,
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            return Verdict::Failed(format!("panic: {}", text.unwrap_or_default()));
        }
    };
    let is_refused = |problem: &ptc_lisp::Problem| problem.message.contains("comparator may not call tools");
    match options.wrap && outcome.problems().iter().any(is_refused) {
        true => Verdict::Skipped,
        false => judge(case, &outcome),
    }
}

fn evaluate(case: &Case, options: &Options) -> Outcome {
    let signature = ptc_lisp::signature::Signature::parse("(value :any) -> :any").ok();
    let mut identity = ToolSpec::new(IDENTITY_TOOL);
    identity.signature = signature;
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
pub(crate) fn tagged(outcome: &Outcome) -> Option<Json> {
    let value = match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => value,
        _ => return None,
    };
    to_tagged(value, &NoCells).ok().and_then(|tagged| serde_json::from_str(tagged.get()).ok())
}
