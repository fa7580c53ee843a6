//! `cargo xtask live`: what a model did on tasks of the suites, from its records, into `docs/benchmarks-live.md`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use ptc_compression::words::grouped;
use ptc_tests::outside::{Figures, LIVE_WAYS, Live, Played, PlayedWay, Rate, Share};

use crate::bench::tool;
use crate::codegen::write_or_check;
use crate::markdown::{filled, head, row};
use crate::study::{percent, price_list, short};
use crate::words::Words;
use crate::{Failure, Problem, Workspace};

const PAGE: &str = "docs/benchmarks-live.md";
const TEXT: &str = include_str!("live.md");

/// Why a suite refused what was done, by suite, task and way.
const READINGS: &str = "tests/outside/live/readings.toml";

type Readings = BTreeMap<String, BTreeMap<String, BTreeMap<String, String>>>;

const USAGE: &str = "\
usage: cargo xtask live [--check]

  --check   compare the page with what is committed, and write nothing";

/// Measure the records, and write the page or compare it. Cost: some seconds when the measuring program is built.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut words = Words::of(words, USAGE);
    let check = words.flag("--check");
    words.end()?;
    let mut measure = tool::cargo(workspace);
    measure.args(["run", "--quiet", "--example", "outside-figures", "--", "live"]);
    let live = tool::json(measure)?;
    let readings: Readings =
        toml::from_str(&workspace.read(READINGS)?).map_err(|error| Failure::measured(READINGS, error))?;
    let problems = unread(&live, &readings);
    if !problems.is_empty() {
        return Ok(problems);
    }
    write_or_check(workspace, vec![(PathBuf::from(PAGE), page(&live, &readings))], check, "cargo xtask live")
}

/// Refusals that nobody has read, and readings of what was accepted.
pub(super) fn unread(live: &Live, readings: &Readings) -> Vec<Problem> {
    let refused = |task: &Played, way: &str| ways(task).any(|(name, played)| name == way && !played.passed);
    let of = |suite: &str, name: &str| live.tasks.iter().find(|task| task.suite == suite && task.task == name);
    let missing = live.tasks.iter().flat_map(|task| ways(task).map(move |(way, played)| (task, way, played)));
    let missing = missing.filter(|(task, way, played)| !played.passed && reading(readings, task, way).is_none());
    let missing = missing.map(|(task, way, _)| format!("{}, {way}: refused, and not read", name(task)));
    let read = readings.iter().flat_map(|(suite, tasks)| tasks.iter().map(move |(task, ways)| (suite, task, ways)));
    let read = read.flat_map(|(suite, task, ways)| ways.keys().map(move |way| (suite, task, way)));
    let needless = read.filter(|(suite, task, way)| !of(suite, task).is_some_and(|task| refused(task, way)));
    let needless = needless.map(|(suite, task, way)| format!("{suite} {task}, {way}: read, and not refused"));
    missing.chain(needless).map(|text| Problem::whole(READINGS, text)).collect()
}

fn ways(task: &Played) -> impl Iterator<Item = (&'static str, &PlayedWay)> {
    LIVE_WAYS.into_iter().zip(&task.ways)
}

fn reading<'r>(readings: &'r Readings, task: &Played, way: &str) -> Option<&'r str> {
    Some(readings.get(&task.suite)?.get(&task.task)?.get(way)?)
}

fn page(live: &Live, readings: &Readings) -> String {
    let differing = live.tasks.iter().filter(|task| task.ways[0].passed != task.ways[1].passed).count();
    let programs = || live.tasks.iter().map(|task| &task.ways[0]);
    let [cached, uncached] = [0, 1].map(|cache| {
        let ratios = live
            .ratios
            .iter()
            .filter_map(|ratios| ratios.get(cache))
            .map(|ratio| within(ratio, |value| format!("{value:.2}")));
        ratios.collect::<Vec<_>>().join(" / ")
    });
    let largest = live.tasks.iter().max_by_key(|task| task.ways[1].figures.input);
    let failed = programs().map(|way| way.failed.len()).sum::<usize>();
    let figures = [
        ("tasks", live.tasks.len().to_string()),
        ("rates", rates(&live.rates)),
        ("difference", within(&live.difference, |value| format!("{value:+.2}"))),
        ("differing", differing.to_string()),
        ("figures", sums(live)),
        ("cached", cached),
        ("uncached", uncached),
        ("largest", largest.map(name).unwrap_or_default()),
        ("without", without(live, largest)),
        ("prices", price_list(&live.prices, |name, rates| format!("{name} ({rates})"))),
        ("failed", failed.to_string()),
        ("turns", programs().map(|way| way.figures.requests).sum::<usize>().to_string()),
        ("failures", failures(live)),
        ("refused", refused(live, readings)),
        ("first price", live.prices.first().map(short).unwrap_or_default().to_owned()),
        ("each", each(live)),
    ];
    filled(TEXT, figures)
}

fn name(task: &Played) -> String {
    format!("{} {}", task.suite, task.task)
}

/// What all tasks but one cost by programs relative to native calls, at each of the prices, with a cache.
fn without(live: &Live, left_out: Option<&Played>) -> String {
    let rest = || live.tasks.iter().filter(|task| left_out.is_none_or(|left_out| *task != left_out));
    let sum = |way: usize, price: usize| {
        let costs = rest().filter_map(|task| task.ways.get(way)?.figures.costs.get(price));
        costs.map(|cost| cost.cached).sum::<f64>()
    };
    let ratios = (0..live.prices.len()).map(|price| format!("{:.2}", sum(0, price) / sum(1, price)));
    ratios.collect::<Vec<_>>().join(" / ")
}

/// `0.90 (0.77 to 0.96)`
fn within(share: &Share, write: impl Fn(f64) -> String) -> String {
    format!("{} ({} to {})", write(share.value), write(share.low), write(share.high))
}

fn rates(rates: &[Rate]) -> String {
    let labels = ["tasks", "programs passed", "", "native calls passed", ""];
    let mut text = head("suite", labels);
    for Rate { suite, tasks, passed: [programs, native], shares: [by_programs, natively] } in rates {
        let share = |share: &Share| within(share, percent);
        let cells = [tasks.to_string(), programs.to_string(), share(by_programs), native.to_string(), share(natively)];
        text += &row([suite.clone()].into_iter().chain(cells));
    }
    text
}

/// The sums of both ways.
fn sums(live: &Live) -> String {
    let usd = live.prices.iter().map(|price| format!("USD {}", short(price)));
    let labels = ["texts", "requests", "calls", "input", "as before", "output"].map(str::to_owned);
    let mut text = head("", labels.into_iter().chain(usd));
    for (place, way) in LIVE_WAYS.into_iter().enumerate() {
        let all: Vec<&PlayedWay> = live.tasks.iter().filter_map(|task| task.ways.get(place)).collect();
        let total = |count: fn(&PlayedWay) -> u64| grouped(all.iter().map(|way| count(way)).sum::<u64>());
        let counts = [
            total(|way| way.texts as u64),
            total(|way| way.figures.requests as u64),
            total(|way| way.calls as u64),
            total(|way| way.figures.input),
            total(|way| way.figures.shared),
            total(|way| way.figures.output),
        ];
        let usd = (0..live.prices.len()).map(|price| {
            let costs = || all.iter().filter_map(|way| way.figures.costs.get(price));
            let (cached, uncached) = (costs().map(|cost| cost.cached), costs().map(|cost| cost.uncached));
            format!("{:.2} / {:.2}", cached.sum::<f64>(), uncached.sum::<f64>())
        });
        text += &row([way.replace('-', " ")].into_iter().chain(counts).chain(usd));
    }
    text
}

/// Every program that failed, with what the model read.
fn failures(live: &Live) -> String {
    let failed = live.tasks.iter().flat_map(|task| task.ways[0].failed.iter().map(move |failed| (task, failed)));
    let line = |(task, failed): (&Played, &ptc_tests::outside::FailedTurn)| {
        let message = failed.message.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("* {}, text {}, turn {}: {message}\n", name(task), failed.text, failed.turn)
    };
    failed.map(line).collect()
}

fn refused(live: &Live, readings: &Readings) -> String {
    let all = live.tasks.iter().flat_map(|task| ways(task).map(move |(way, played)| (task, way, played)));
    let line = |(task, way, played): (&Played, &'static str, &PlayedWay)| {
        let read = reading(readings, task, way).unwrap_or_default();
        let problem =
            played.problems.first().map(|text| text.split_whitespace().take(12).collect::<Vec<_>>().join(" "));
        format!(
            "* **{}**, {}: {read}. The judge: *{} …*
",
            name(task),
            way.replace('-', " "),
            problem.unwrap_or_default()
        )
    };
    all.filter(|(_, _, played)| !played.passed).map(line).collect()
}

fn each(live: &Live) -> String {
    let mut text = head("task", ["judged", "texts", "requests", "calls", "input", "output", "USD"]);
    for task in &live.tasks {
        let both = |write: &dyn Fn(&PlayedWay) -> String| task.ways.each_ref().map(write).join(", ");
        let figure = |count: fn(&Figures) -> u64| both(&|way| grouped(count(&way.figures)));
        let usd =
            |way: &PlayedWay| way.figures.costs.first().map_or_else(String::new, |cost| format!("{:.3}", cost.cached));
        let cells = [
            both(&|way| if way.passed { "pass".to_owned() } else { "**fail**".to_owned() }),
            task.ways[0].texts.to_string(),
            figure(|figures| figures.requests as u64),
            both(&|way| way.calls.to_string()),
            figure(|figures| figures.input),
            figure(|figures| figures.output),
            both(&usd),
        ];
        text += &row([name(task)].into_iter().chain(cells));
    }
    text
}
