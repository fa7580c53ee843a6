//! `ptc eval-suite`: a suite of questions with known answers, run and reported.

mod args;
mod variants;

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use ptc_runner::agent::{CancellationToken, LlmRegistry};
use ptc_runner::config::{ModelName, Settings, named};
use ptc_runner::debug::{DebugOptions, format_trace};
use ptc_runner::eval::{
    Case, Detail, EvalModel, EvalOptions, OnRun, Report, Results, RunReport, Selection, Suite, Variant, comparison,
    html_page, judges_table, rows_of,
};
use ptc_runner::trace::replay::PriceBook;

use super::run::llm::Connect;
use crate::data::COMMAND_LINE;
use crate::failure::{Exit, Failure};
use crate::files::{self, Format, WholeFile};
use crate::output::{self, print};
use crate::signals::listening;

pub(crate) use args::EvalSuiteArgs;

/// Run the command.
pub(crate) fn run(args: &EvalSuiteArgs) -> Result<Exit, Failure> {
    let suite = Suite::load_with(&args.folder, &args.mission)?;
    if suite.missions.is_empty() && !args.mission.is_empty() {
        return Err(
            "--mission: the cases of this suite have their own missions; a table of questions is asked with others"
                .into(),
        );
    }
    output::notes(&suite.notes);
    if let Some(labels) = &args.check_judges {
        return check_judges(args, &suite, labels);
    }
    if !suite.missions.is_empty() && !suite.has_right_answers() {
        return Err(format!(
            "{}: no column has right answers, so nothing could fail: call it `expect`, or `expect.contains` and so on; `ptc batch` asks without them",
            named(&args.folder)
        )
        .into());
    }
    let outputs = [("--report", args.report.as_deref()), ("--results", args.results.as_deref())];
    files::apart(&outputs, &[])?;
    let selection = Selection { levels: args.level.clone(), cases: args.case.clone(), turns: args.filter.into() };
    let cases = suite.select(&selection)?;
    let models = models(args, &suite)?;
    let variants = variants::of(args, &suite, &models)?;
    let options = options(args, &suite, &models, variants.len() > 1)?;
    if args.preview {
        return preview(&suite, &cases, &options, &variants);
    }
    let report = args.report.as_deref().map(|path| report_file(path, args.force)).transpose()?;
    let (mut reports, signal) = evaluate(&suite, &cases, options, &variants)?;
    let commit = commit(&suite.folder);
    reports.iter_mut().for_each(|report| report.commit.clone_from(&commit));
    if let Some((file, form)) = report {
        file.write(&whole(&reports, form)?)?;
    }
    let text = shown(args, &reports)?;
    print(|out| out.write_all(text.as_bytes()))?;
    output::remarks(&unasked(&reports));
    let passed = if reports.iter().all(Report::passed) { Exit::Ok } else { Exit::Failed };
    Ok(signal.unwrap_or(passed))
}

/// Say how far the judges of the suite can be trusted.
fn check_judges(args: &EvalSuiteArgs, suite: &Suite, labels: &Path) -> Result<Exit, Failure> {
    let wrong = |problem: String| Failure::from(format!("{}: {problem}", named(labels)));
    let keys = serde_json::Map::from_iter([("file".to_owned(), labels.display().to_string().into())]);
    let texts = ["question", "answer", "expected"].map(str::to_owned);
    let (rows, notes) = rows_of(Path::new(COMMAND_LINE), keys, &texts).map_err(wrong)?;
    output::notes(&notes);
    let judges = judges(suite)?;
    let is_replayed =
        suite.judging.iter().flat_map(|judging| judging.llm_names()).any(|name| name.starts_with("replay:"));
    let jobs = args
        .jobs
        .unwrap_or_else(|| if is_replayed { 1 } else { Settings::load(&suite.folder).map_or(1, |own| own.jobs(1)) });
    let cancel = CancellationToken::new();
    let (checks, signal) = listening(&cancel, suite.check_judges(&rows, &judges, jobs as usize, &cancel))?;
    let checks = checks.map_err(wrong)?;
    match args.json {
        true => output::json(&checks)?,
        false => print(|out| out.write_all(judges_table(&checks).as_bytes()))?,
    }
    let is_whole = checks.iter().all(|check| check.unheard.is_empty());
    Ok(signal.unwrap_or(if is_whole { Exit::Ok } else { Exit::Failed }))
}

/// The models that the judges of a suite ask, by the names that it has for them.
pub(super) fn judges(suite: &Suite) -> Result<LlmRegistry, Failure> {
    let names = suite.judging.iter().flat_map(|judging| judging.llm_names());
    let model =
        |name: &str| Ok((name.to_owned(), Connect::default().model(&ModelName::parse(name, &suite.folder), None)?));
    names.map(model).collect()
}

/// The models that are asked, with what they cost.
fn models(args: &EvalSuiteArgs, suite: &Suite) -> Result<Vec<EvalModel>, Failure> {
    let book = args.prices.book(&Settings::load(&suite.folder)?)?;
    args.llm.iter().map(|spec| asked(spec, &book)).collect()
}

/// A model with what it costs; a price that is not known is noted.
pub(super) fn asked(spec: &str, book: &PriceBook) -> Result<EvalModel, Failure> {
    let llm = Connect::default().model(&ModelName::parse(spec, Path::new("")), None)?;
    let prices = match book.price(llm.name()) {
        Ok(prices) => prices.cloned(),
        Err(missing) => {
            output::notes(&[missing]);
            None
        }
    };
    Ok(EvalModel { llm, prices })
}

/// What holds for all ways.
fn options(args: &EvalSuiteArgs, suite: &Suite, models: &[EvalModel], has_ways: bool) -> Result<EvalOptions, Failure> {
    let is_replayed = args.llm.iter().any(|spec| matches!(ModelName::parse(spec, Path::new("")), ModelName::Replay(_)));
    if args.jobs.is_some_and(|jobs| jobs > 1) && is_replayed {
        return Err(
            "--jobs: runs that share one file of recorded answers must come one after another; leave it out".into()
        );
    }
    let settings = Settings::load(&suite.folder)?;
    let jobs = args.jobs.unwrap_or_else(|| if is_replayed { 1 } else { settings.jobs(1) });
    let results = args.results.as_deref().map(Results::open).transpose()?;
    output::notes(&results.as_ref().and_then(Results::note).into_iter().collect::<Vec<_>>());
    let prices = match models.first() {
        None => args.prices.book(&settings)?.fixed().cloned(),
        Some(model) => model.prices.clone(),
    };
    Ok(EvalOptions {
        llm: models.first().map(|model| Arc::clone(&model.llm)),
        judges: judges(suite)?,
        record: args.record,
        runs: args.runs as usize,
        retry_turns: args.retry_turns,
        explore: args.explore,
        jobs: jobs as usize,
        patience: args.patience.patience,
        prices,
        max_usd: args.max_usd,
        results: results.map(|results| if args.keep_runs { results.keeping_runs() } else { results }).map(Arc::new),
        on_run: output::is_watched().then(|| on_run(args.runs > 1, has_ways)),
        ..EvalOptions::default()
    })
}

/// A line for each run, for people who watch.
pub(super) fn on_run(has_runs: bool, has_ways: bool) -> OnRun {
    Arc::new(move |case: &Case, variant: &Variant, run: &RunReport| {
        let result = if run.passed { "passed".to_owned() } else { format!("FAILED: {}", run.problems.join("; ")) };
        let number = if has_runs { format!(", run {}", run.run) } else { String::new() };
        let variant = if has_ways { format!(" ({variant})") } else { String::new() };
        output::line(&format!("{} / {}{number}{variant}: {result}", case.level, case.name));
    })
}

/// Run the cases in every way; Ctrl-C ends the runs in progress and the evaluation, as other signals do.
fn evaluate(
    suite: &Suite,
    cases: &[&Case],
    options: EvalOptions,
    variants: &[Variant],
) -> Result<(Vec<Report>, Option<Exit>), Failure> {
    let cancel = CancellationToken::new();
    let options = EvalOptions { cancel: cancel.clone(), ..options };
    let (reports, signal) = listening(&cancel, suite.compare(cases, &options, variants))?;
    Ok((reports?, signal))
}

/// How many runs were not asked, for each reason.
pub(super) fn unasked(reports: &[Report]) -> Vec<String> {
    let mut reasons: Vec<(String, usize)> = Vec::new();
    for unasked in reports.iter().flat_map(|report| &report.unasked) {
        let why = unasked.why.to_string();
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, runs)) => *runs += 1,
            None => reasons.push((why, 1)),
        }
    }
    reasons.into_iter().map(|(why, runs)| format!("{} not asked: {why}", output::counted(runs, "run"))).collect()
}

/// The first request of each case.
fn preview(suite: &Suite, cases: &[&Case], options: &EvalOptions, variants: &[Variant]) -> Result<Exit, Failure> {
    for (case, variant) in cases.iter().flat_map(|case| variants.iter().map(move |variant| (case, variant))) {
        let options = EvalOptions { variant: variant.clone(), ..options.clone() };
        let (preview, signal) = listening(&options.cancel, suite.preview(case, &options))?;
        let preview = preview?;
        print(|out| {
            writeln!(out, "=== {}, system\n\n{}\n", case.name, preview.system)?;
            preview
                .messages
                .iter()
                .try_for_each(|message| writeln!(out, "=== {}, user\n\n{}\n", case.name, message.content()))
        })?;
        if let Some(signal) = signal {
            return Ok(signal);
        }
    }
    Ok(Exit::Ok)
}

/// The commit of the suite's folder, if it is in a Git repository.
fn commit(folder: &Path) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(["rev-parse", "--short", "HEAD"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    Some(text.trim().to_owned())
}

/// What a file of a report holds.
#[derive(Clone, Copy)]
enum Form {
    Markdown,
    Json,
    Html,
}

/// Where the whole report goes, and in which form, as the file is named. Checked before any model is asked.
fn report_file(path: &Path, force: bool) -> Result<(WholeFile, Form), Failure> {
    let is_named = |ending: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
    let (format, form) = match () {
        () if is_named("json") => (Format::JSON_REPORT, Form::Json),
        () if is_named("html") => (Format::HTML_REPORT, Form::Html),
        () => (Format::REPORT, Form::Markdown),
    };
    Ok((WholeFile::at(path, format, force)?, form))
}

/// The whole report in this form.
fn whole(reports: &[Report], form: Form) -> Result<String, Failure> {
    Ok(match form {
        Form::Json => json(reports)?,
        Form::Html => html_page(reports, &[]),
        Form::Markdown => pages(reports, Detail::Whole),
    })
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
            for (run, step) in case.runs.iter().flat_map(|run| run.steps.iter().map(move |step| (run, step))) {
                text.push_str(&format!("=== {}, run {}\n\n{}\n", case.name, run.run, format_trace(step, options)));
            }
        }
    }
    Ok(text + &pages(reports, Detail::Short))
}
