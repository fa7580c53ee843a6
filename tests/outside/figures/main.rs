//! Tasks that others made, done by native calls and by programs, in figures.
//!
//! `cargo run -p ptc-tests --example outside-figures` does each task of the suites behind `tests/outside/server.py` and
//! prints one JSON object, [`Outside`]; `cargo xtask outside` installs the suites and makes a page of it. Nothing is
//! asked of a model: what is done is the ground truth of the suites, translated by the rule of `plan`.

mod hybrid;
mod injected;
mod live;
mod measure;
mod plan;
mod run;
mod suite;
mod task;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use ptc_runner::compression::{O200k, TokenCounter};
use ptc_runner::trace::replay::{PriceBook, Prices, Source, Sources, leaves};
use ptc_tests::outside::{self, Outside, SUITES};
use ptc_tests::study::Price;
use serde_json::Value as Json;

use hybrid::Hybrid;
use plan::{Names, Rule};
use suite::{Suites, Verdict};
use task::Task;

/// Errors here are defects of the measurement: their text is enough.
pub(crate) type Res<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// As in the study of compression: writing to the cache costs extra; it is free and reading costs a tenth; the same and
/// a quarter.
const MODELS: [&str; 3] = ["claude-sonnet-4.5", "gpt-5", "gpt-4.1"];

const USAGE: &str = "usage: outside-figures [SUITE | SUITE/TASK | fixture SUITE/TASK | live]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let text = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => whole(),
        ["live"] => live::figures(root()).and_then(|live| Ok(serde_json::to_string(&live)?)),
        ["fixture", name] => one(name).and_then(fixture),
        [name] if name.contains('/') => one(name).and_then(told),
        [suite] => Suites::installed(root())
            .tasks(suite)
            .and_then(|tasks| measured(&Suites::installed(root()), tasks))
            .and_then(|tasks| Ok(serde_json::to_string_pretty(&tasks)?)),
        _ => Err(USAGE.into()),
    };
    match text {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(""))
}

fn whole() -> Res<String> {
    let suites = Suites::installed(root());
    let mut tasks = Vec::new();
    for suite in SUITES {
        tasks.extend(suites.tasks(suite)?);
    }
    let injections = injected::all(&suites)?;
    let tasks = measured(&suites, tasks)?;
    let figures = Outside { counter: O200k.name().to_owned(), prices: price_list(prices()?), tasks, injections };
    Ok(serde_json::to_string(&figures)?)
}

/// Prices as pages list them.
pub(crate) fn price_list(prices: Vec<Prices>) -> Vec<Price> {
    let listed = |Prices { name, input, cached, write, output, .. }| Price { name, input, cached, write, output };
    prices.into_iter().map(listed).collect()
}

pub(crate) fn prices() -> Res<Vec<Prices>> {
    MODELS.iter().map(|model| Ok(PriceBook::default().prices(model)?)).collect()
}

/// Measure tasks, a few at a time; the order stays.
fn measured(suites: &Suites, tasks: Vec<Task>) -> Res<Vec<outside::Task>> {
    let prices = prices()?;
    in_parallel(&tasks, |task| block_on(figures(suites, task, &prices)))
}

/// Each item by as many threads as there are processors; the first error ends it.
pub(crate) fn in_parallel<I: Sync, O: Send>(items: &[I], work: impl Fn(&I) -> Res<O> + Sync) -> Res<Vec<O>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((place, item)) = next_of(&next, items) {
                    let result = work(item);
                    if result.is_err() {
                        next.store(items.len(), Ordering::Relaxed);
                    }
                    eprint!("\r{} of {} ", place + 1, items.len());
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((place, result));
                }
            });
        }
    });
    eprintln!();
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, result)| result).collect()
}

fn next_of<'i, I>(next: &AtomicUsize, items: &'i [I]) -> Option<(usize, &'i I)> {
    let place = next.fetch_add(1, Ordering::Relaxed);
    items.get(place).map(|item| (place, item))
}

pub(crate) fn block_on<O>(work: impl Future<Output = Res<O>>) -> Res<O> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(work)
}

/// The ground truth of a task with its results, and the verdict on it.
async fn recorded(suites: &Suites, task: &Task) -> Res<(Task, run::Done, usize)> {
    let opened = suites.open(task, None).await?;
    let done = run::on_server(task, &opened, Rule::Literals, Names::Shown).await?;
    let known = Task { declared: run::declared(&opened.tools), ..task.clone() }.with_results(done.results());
    let tools = opened.tools.len();
    opened.close().await;
    Ok((known, done, tools))
}

/// The figures of a task; what goes wrong is its exception.
async fn figures(suites: &Suites, task: &Task, prices: &[Prices]) -> Res<outside::Task> {
    let mut figures = outside::Task {
        suite: task.suite.clone(),
        task: task.task.clone(),
        class: task.class.clone(),
        tools: 0,
        texts: task.turns.len(),
        calls: task.calls().count(),
        results: 0,
        read: 0,
        unseen: 0,
        taken: 0,
        natively: 0,
        exception: task.needs.clone(),
        ways: Vec::new(),
    };
    if task.needs.is_some() {
        return Ok(figures);
    }
    match done_in_all_ways(suites, task, prices, &mut figures).await {
        Ok(problems) if problems.is_empty() => {}
        Ok(problems) => figures.exception = Some(problems.join("; ")),
        // Without all ways there is nothing to compare.
        Err(error) => {
            figures.ways.clear();
            figures.exception = Some(error.to_string());
        }
    }
    Ok(figures)
}

/// Do a task in all ways; returns what its suite does not accept.
async fn done_in_all_ways(
    suites: &Suites,
    task: &Task,
    prices: &[Prices],
    figures: &mut outside::Task,
) -> Res<Vec<String>> {
    let (known, literal, tools) = recorded(suites, task).await?;
    (figures.tools, figures.results) = (tools, measure::results(&known));
    let mut problems = problems("direct calls", &literal.verdict);
    if literal.steps.len() < task.turns.len() {
        return Ok(problems);
    }
    let direct = |batches| measure::direct(&known, &literal.steps, batches, prices);
    figures.ways = vec![direct(false)?, direct(true)?];
    let mut hybrid = None;
    for (rule, way) in [(Rule::ReadFirst, "programs"), (Rule::NothingRead, "programs, nothing read between")] {
        let opened = suites.open(task, None).await?;
        let done = run::on_server(&known, &opened, rule, Names::Shown).await;
        opened.close().await;
        let done = done.map_err(|error| format!("{way}: {error}"))?;
        problems.extend(self::problems(way, &done.verdict));
        if rule == Rule::ReadFirst {
            (figures.read, figures.taken) = (done.counts.read, done.counts.taken);
            figures.unseen = done.counts.unseen;
            hybrid = Some(Hybrid::new(&known, &literal.steps, &done.steps)?);
        }
        figures.ways.push(measure::programs(&done.steps, prices)?);
    }
    let hybrid = hybrid.ok_or("there are no programs")?;
    let (cheapest, natively) = hybrid.cheapest(prices)?;
    figures.natively = natively;
    figures.ways.extend([cheapest, hybrid.single_calls_native(prices)]);
    Ok(problems)
}

fn problems(way: &str, verdict: &Verdict) -> Vec<String> {
    if verdict.passed { Vec::new() } else { vec![format!("{way}: {}", verdict.problems.join(", "))] }
}

/// A task by its suite and name.
fn one(name: &str) -> Res<Task> {
    let (suite, wanted) = name.split_once('/').ok_or(USAGE)?;
    let tasks = Suites::installed(root()).tasks(suite)?;
    Ok(tasks
        .into_iter()
        .find(|task| task.task == wanted)
        .ok_or_else(|| format!("no task {name}: tasks.py {suite} lists them"))?)
}

/// A task as it goes: every program and what it shows.
fn told(task: Task) -> Res<String> {
    let suites = Suites::installed(root());
    block_on(async {
        let (known, literal, _) = recorded(&suites, &task).await?;
        let mut text = format!("{:?}\n", literal.verdict);
        for rule in [Rule::ReadFirst, Rule::NothingRead] {
            let opened = suites.open(&task, None).await?;
            let done = run::on_server(&known, &opened, rule, Names::Shown).await?;
            opened.close().await;
            text.push_str(&format!("\n=== {rule:?} {:?} {:?}\n", done.counts, done.verdict));
            for request in measure::recorded(&done.steps)?.requests.last().into_iter().flatten() {
                text.push_str(&format!("{}: {}\n\n", request.role.as_str(), request.content()));
            }
            let programs = done.steps.iter().flat_map(|step| step.turns()).filter_map(|turn| turn.program());
            text.extend(programs.map(|program| format!("{program}\n--\n")));
        }
        Ok(text)
    })
}

/// A task with its results, for the sample in `outside/fixtures`: instead of the texts of its suite it has the values of
/// arguments that the user's texts and the descriptions of tools contain, so that the rule writes the same programs.
fn fixture(task: Task) -> Res<String> {
    let suites = Suites::installed(root());
    let (mut known, literal, _) = block_on(recorded(&suites, &task))?;
    let values: Vec<Json> = known.calls().flat_map(|call| leaves(&call.args)).cloned().collect();
    let called: BTreeSet<String> = known.calls().map(|call| call.tool.clone()).collect();
    known.declared.retain(|tool| called.contains(tool));
    let first = measure::recorded(&literal.steps)?.requests.into_iter().take(1).collect::<Vec<_>>();
    for turn in &mut known.turns {
        let mut sources = Sources::default();
        measure::texts(&first).iter().for_each(|text| sources.read(text));
        sources.read(&turn.user);
        let read = values.iter().filter(|value| sources.of(value) == Source::Read);
        let texts: BTreeSet<String> =
            read.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
        turn.user = texts.into_iter().collect::<Vec<_>>().join("\n");
    }
    Ok(serde_json::to_string_pretty(&known)?)
}
