//! `ptc eval-suite`: a suite of questions with known answers, run and reported.

mod args;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ptc_runner::agent::CancellationToken;
use ptc_runner::config::{ModelName, StrategyChoice};
use ptc_runner::debug::{DebugOptions, format_trace};
use ptc_runner::eval::{Case, Detail, EvalError, EvalOptions, OnRun, Report, RunReport, Selection, Suite, comparison};

use super::run::llm::Connect;
use crate::failure::{Exit, Failure};
use crate::files::{Format, WholeFile};
use crate::output::{self, print};
use crate::signals::listening;

pub(crate) use args::EvalSuiteArgs;

/// Run the command.
pub(crate) fn run(args: &EvalSuiteArgs) -> Result<Exit, Failure> {
    let suite = Suite::load(&args.folder)?;
    let selection = Selection { levels: args.level.clone(), cases: args.case.clone(), turns: args.filter.into() };
    let cases = suite.select(&selection)?;
    let ways = ways(args)?;
    if args.preview {
        return preview(&suite, &cases, &ways);
    }
    let report = args.report.as_deref().map(|path| report_file(path, args.force)).transpose()?;
    let (mut reports, signal) = evaluate(&suite, &cases, ways)?;
    let commit = commit(&args.folder);
    reports.iter_mut().for_each(|report| report.commit.clone_from(&commit));
    if let Some((file, is_json)) = report {
        file.write(&if is_json { json(&reports)? } else { pages(&reports, Detail::Whole) })?;
    }
    let text = shown(args, &reports)?;
    print(|out| out.write_all(text.as_bytes()))?;
    let passed = if reports.iter().all(Report::passed) { Exit::Ok } else { Exit::Failed };
    Ok(signal.unwrap_or(passed))
}

/// Every combination: each strategy with each language text.
fn ways(args: &EvalSuiteArgs) -> Result<Vec<EvalOptions>, Failure> {
    let model = args
        .llm
        .as_deref()
        .map(|spec| Connect::default().model(&ModelName::parse(spec, Path::new("")), None))
        .transpose()?;
    let base = EvalOptions {
        llm: model,
        record: args.record,
        runs: args.runs as usize,
        retry_turns: args.retry_turns,
        explore: args.explore,
        price: args.price.as_deref().map(price).transpose()?,
        on_run: output::is_watched().then(progress),
        ..EvalOptions::default()
    };
    let strategies = args.compression.iter().map(|given| StrategyChoice::parse("--compression", given).map(Some));
    let strategies: Vec<Option<StrategyChoice>> = strategies.collect::<Result<_, _>>()?;
    let languages: Vec<Option<String>> =
        args.language_spec.iter().map(|key| (key != "auto").then(|| key.clone())).collect();
    let languages = or_own(languages);
    let mut ways = Vec::new();
    for compression in or_own(strategies) {
        for language_spec in languages.clone() {
            ways.push(EvalOptions { compression: compression.clone(), language_spec, ..base.clone() });
        }
    }
    if args.record && ways.len() > 1 {
        return Err(
            "--record keeps the answers to one way of asking; name at most one --compression and one --language-spec"
                .into(),
        );
    }
    Ok(ways)
}

/// The given values, or the one that changes nothing.
fn or_own<T>(given: Vec<Option<T>>) -> Vec<Option<T>> {
    if given.is_empty() { vec![None] } else { given }
}

/// `INPUT,OUTPUT`: what a million tokens cost.
fn price(given: &str) -> Result<(f64, f64), String> {
    let amount = |text: &str| text.trim().parse().ok().filter(|amount: &f64| amount.is_finite() && *amount >= 0.0);
    let amounts = given.split_once(',').and_then(|(input, output)| amount(input).zip(amount(output)));
    amounts.ok_or_else(|| {
        format!("--price {given}: write the price of a million input and of a million output tokens, for example --price 3,15")
    })
}

/// A line for each run, for people who watch.
fn progress() -> OnRun {
    Arc::new(|case: &Case, run: &RunReport| {
        let result = if run.passed { "passed".to_owned() } else { format!("FAILED: {}", run.problems.join("; ")) };
        output::line(&format!("{} / {}: {result}", case.level, case.name));
    })
}

/// Run the cases in every combination; Ctrl-C ends the current run and the evaluation, as other signals do.
fn evaluate(suite: &Suite, cases: &[&Case], ways: Vec<EvalOptions>) -> Result<(Vec<Report>, Option<Exit>), Failure> {
    let cancel = CancellationToken::new();
    let (reports, signal) = listening(&cancel, async {
        let mut reports = Vec::new();
        for way in ways {
            let options = EvalOptions { cancel: cancel.clone(), ..way };
            reports.push(suite.evaluate(cases, &options).await?);
            if cancel.is_cancelled() {
                break;
            }
        }
        Ok::<_, EvalError>(reports)
    })?;
    Ok((reports?, signal))
}

/// The first request of each case.
fn preview(suite: &Suite, cases: &[&Case], ways: &[EvalOptions]) -> Result<Exit, Failure> {
    for (case, options) in cases.iter().flat_map(|case| ways.iter().map(move |options| (case, options))) {
        let preview = suite.preview(case, options)?;
        print(|out| {
            writeln!(out, "=== {}, system\n\n{}\n", case.name, preview.system)?;
            preview
                .messages
                .iter()
                .try_for_each(|message| writeln!(out, "=== {}, user\n\n{}\n", case.name, message.content()))
        })?;
    }
    Ok(Exit::Ok)
}

/// The commit of the suite's folder, if it is in a Git repository.
fn commit(folder: &Path) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(["rev-parse", "--short", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim().to_owned())
}

/// Where the whole report goes, and whether as JSON: when the file is named so. Checked before any model is asked.
fn report_file(path: &Path, force: bool) -> Result<(WholeFile, bool), Failure> {
    let is_json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let format = if is_json { Format::JSON_REPORT } else { Format::REPORT };
    Ok((WholeFile::at(path, format, force)?, is_json))
}

/// One object, or a list of them where cases ran in several ways.
fn json(reports: &[Report]) -> Result<String, Failure> {
    let text = if let [report] = reports { serde_json::to_string(report) } else { serde_json::to_string(reports) };
    Ok(text.map_err(|error| format!("the report is not JSON: {error}"))? + "\n")
}

/// One page, or all of them after a table that compares them.
fn pages(reports: &[Report], detail: Detail) -> String {
    let pages: Vec<String> = reports.iter().map(|report| report.to_markdown(detail)).collect();
    if reports.len() == 1 { pages.concat() } else { format!("{}\n{}", comparison(reports), pages.join("\n")) }
}

/// What goes to standard output.
fn shown(args: &EvalSuiteArgs, reports: &[Report]) -> Result<String, Failure> {
    if args.json {
        return json(reports);
    }
    let mut text = String::new();
    if let Some(view) = args.view {
        let options = DebugOptions { view: view.into(), raw: args.raw, usage: args.usage };
        for case in reports.iter().flat_map(|report| &report.cases) {
            for (number, step) in case.runs.iter().filter_map(|run| Some((run.run, run.step.as_ref()?))) {
                text.push_str(&format!("=== {}, run {number}\n\n{}\n", case.name, format_trace(step, options)));
            }
        }
    }
    Ok(text + &pages(reports, Detail::Short))
}
