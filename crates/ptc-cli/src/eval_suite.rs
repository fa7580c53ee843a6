//! `ptc eval-suite`: a suite of questions with known answers, run and reported.

mod args;
mod failure;

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ptc_runner::debug::{DebugOptions, format_trace};
use ptc_runner::eval::{Case, Detail, EvalOptions, OnRun, Report, RunReport, Selection, Suite};

use crate::eval::print;
use crate::failure::{Exit, Failure};
use crate::report;
use crate::run::{RunFailure, llm, overrides};

pub(crate) use args::EvalSuiteArgs;
pub(crate) use failure::SuiteFailure;

/// Run the command.
pub(crate) fn run(args: &EvalSuiteArgs) -> Result<Exit, Failure> {
    let suite = Suite::load(&args.folder)?;
    let selection = Selection { levels: args.level.clone(), cases: args.case.clone(), turns: args.filter.into() };
    let cases = suite.select(&selection).map_err(SuiteFailure::from)?;
    let options = options(args)?;
    if args.preview {
        return preview(&suite, &cases, &options);
    }
    let cancel = options.cancel.clone();
    let mut evaluated = evaluate(&suite, &cases, options)?;
    evaluated.commit = commit(&args.folder);
    if let Some(path) = &args.report {
        write_report(&evaluated, path)?;
    }
    print(|out| show(args, &evaluated, out))?;
    Ok(match (cancel.is_cancelled(), evaluated.passed()) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Ok,
        (false, false) => Exit::Failed,
    })
}

fn options(args: &EvalSuiteArgs) -> Result<EvalOptions, Failure> {
    let model = args.llm.as_deref().map(|spec| llm::connect(&llm::named(spec, Path::new("")))).transpose()?;
    let compression = args.compression.as_deref().map(|name| overrides::compression(name, None)).transpose()?;
    Ok(EvalOptions {
        llm: model,
        record: args.record,
        runs: args.runs as usize,
        retry_turns: args.retry_turns,
        compression,
        language_spec: args.language_spec.clone(),
        explore: args.explore,
        price: args.price.as_deref().map(price).transpose()?,
        on_run: std::io::stderr().is_terminal().then(progress),
        ..EvalOptions::default()
    })
}

/// `INPUT,OUTPUT`: what a million tokens cost.
fn price(given: &str) -> Result<(f64, f64), SuiteFailure> {
    let amount = |text: &str| text.trim().parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    let amounts = given.split_once(',').and_then(|(input, output)| amount(input).zip(amount(output)));
    amounts.ok_or_else(|| SuiteFailure::Price { given: given.to_owned() })
}

/// A line for each run, for people who watch.
fn progress() -> OnRun {
    Arc::new(|case: &Case, run: &RunReport| {
        let result = if run.passed { "passed".to_owned() } else { format!("FAILED: {}", run.problems.join("; ")) };
        report::note(&format!("{} / {}: {result}", case.level, case.name));
    })
}

/// Run the cases; Ctrl-C ends the one under way and the evaluation with it.
fn evaluate(suite: &Suite, cases: &[&Case], options: EvalOptions) -> Result<Report, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(RunFailure::Runtime)?;
    runtime.block_on(async {
        let cancel = options.cancel.clone();
        let interrupted = tokio::spawn(async move {
            if tokio::signal::ctrl_c().await.is_ok() {
                cancel.cancel();
            }
        });
        let evaluated = suite.evaluate(cases, &options).await;
        interrupted.abort();
        Ok(evaluated.map_err(SuiteFailure::from)?)
    })
}

/// The first request of each case.
fn preview(suite: &Suite, cases: &[&Case], options: &EvalOptions) -> Result<Exit, Failure> {
    for case in cases {
        let preview = suite.preview(case, options).map_err(SuiteFailure::from)?;
        print(|out| {
            writeln!(out, "=== {}, system\n\n{}\n", case.name, preview.system)?;
            preview.messages.iter().try_for_each(|message| writeln!(out, "=== {}, user\n\n{}\n", case.name, message.content()))
        })?;
    }
    Ok(Exit::Ok)
}

/// The commit of the suite's folder, where git knows one.
fn commit(folder: &Path) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(["rev-parse", "--short", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim().to_owned())
}

/// The whole report: JSON when the file is named so, else Markdown.
fn write_report(evaluated: &Report, path: &Path) -> Result<(), Failure> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let text = if is_json { json(evaluated)? } else { evaluated.to_markdown(Detail::Whole) };
    fs::write(path, text).map_err(|source| Failure::Unwritable { path: path.to_owned(), source })
}

fn json(evaluated: &Report) -> Result<String, SuiteFailure> {
    let text = serde_json::to_string_pretty(evaluated).map_err(|error| SuiteFailure::NoJson { problem: error.to_string() })?;
    Ok(text + "\n")
}

/// What goes to standard output.
fn show(args: &EvalSuiteArgs, evaluated: &Report, out: &mut dyn Write) -> std::io::Result<()> {
    if args.json {
        serde_json::to_writer(&mut *out, evaluated)?;
        return writeln!(out);
    }
    if let Some(view) = args.view {
        let options = DebugOptions { view: view.into(), raw: args.raw, usage: args.usage };
        for case in &evaluated.cases {
            for run in &case.runs {
                let Some(step) = &run.step else { continue };
                writeln!(out, "=== {}, run {}\n\n{}", case.name, run.run, format_trace(step, options))?;
            }
        }
    }
    write!(out, "{}", evaluated.to_markdown(Detail::Short))
}
