//! What a model did on tasks of the suites, in figures: from its records, without the suites and without a model.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use flate2::read::GzDecoder;
use ptc_runner::agent::recorded_step;
use ptc_runner::chat::{Message, Part, Reply, Request, ToolUse};
use ptc_runner::compression::{O200k, TokenCounter};
use ptc_runner::eval::{Estimate, ResultLine, Results};
use ptc_runner::prelude::Step;
use ptc_runner::trace::replay::{OwnTexts, Prices, Rendition};
use ptc_runner::transcript::{Answer, EndingKind, Recorded, read_record};
use ptc_tests::outside::{FailedTurn, LIVE_WAYS, Live, Played, PlayedWay, Rate, SUITES, Share};
use serde_json::json;

use crate::{Res, measure, price_list, prices};

/// For each way the results of the suites, `WAY/SUITE.jsonl`, with the records of their runs, as `ptc eval-suite` writes them.
const RECORDS: &str = "tests/outside/live/records.tar.gz";

/// The figures of all tasks.
pub(crate) fn figures(root: &Path) -> Res<Live> {
    let folder = tempfile::tempdir()?;
    tar::Archive::new(GzDecoder::new(File::open(root.join(RECORDS))?)).unpack(folder.path())?;
    let prices = prices()?;
    let (mut tasks, mut rates) = (Vec::new(), Vec::new());
    for suite in SUITES {
        let [programs, native] = LIVE_WAYS.map(|way| played(&folder.path().join(way), suite, &prices));
        let (programs, mut native) = (programs?, native?);
        let mut both = Vec::new();
        for (task, programs) in programs {
            let native = native.remove(&task).ok_or_else(|| format!("{suite} {task} was not done by native calls"))?;
            both.push(Played { suite: suite.to_owned(), task, ways: [programs, native] });
        }
        if let Some(task) = native.keys().next() {
            return Err(format!("{suite} {task} was not done by programs").into());
        }
        rates.extend((!both.is_empty()).then(|| rate(suite, &both)).transpose()?);
        tasks.extend(both);
    }
    rates.push(rate("all", &tasks)?);
    let passed = tasks.iter().map(|task| task.ways.each_ref().map(|way| way.passed));
    let passed: Vec<_> = passed.map(|[programs, native]| (programs, native)).collect();
    Ok(Live {
        counter: O200k.name().to_owned(),
        difference: share(Estimate::of_difference(&passed))?,
        ratios: (0..prices.len()).map(|price| ratios(&tasks, price)).collect::<Res<_>>()?,
        prices: price_list(prices),
        rates,
        tasks,
    })
}

fn rate(suite: &str, tasks: &[Played]) -> Res<Rate> {
    let passed: Vec<[bool; 2]> = tasks.iter().map(|task| task.ways.each_ref().map(|way| way.passed)).collect();
    let (programs, native): (Vec<_>, Vec<_>) = passed.into_iter().map(|[programs, native]| (programs, native)).unzip();
    let count = |passed: &[bool]| passed.iter().filter(|passed| **passed).count();
    Ok(Rate {
        suite: suite.to_owned(),
        tasks: tasks.len(),
        passed: [count(&programs), count(&native)],
        shares: [share(Estimate::of_passed(&programs))?, share(Estimate::of_passed(&native))?],
    })
}

/// What programs cost relative to native calls at a price: with a cache, and without.
fn ratios(tasks: &[Played], price: usize) -> Res<[Share; 2]> {
    let costs = tasks.iter().map(|task| task.ways.each_ref().map(|way| way.figures.costs.get(price)));
    let costs = costs.map(|[programs, native]| Some((programs?, native?))).collect::<Option<Vec<_>>>();
    let costs = costs.ok_or("a task has no costs")?;
    let cached: Vec<_> = costs.iter().map(|(programs, native)| (programs.cached, native.cached)).collect();
    let uncached: Vec<_> = costs.iter().map(|(programs, native)| (programs.uncached, native.uncached)).collect();
    Ok([share(Estimate::of_ratio(&cached))?, share(Estimate::of_ratio(&uncached))?])
}

fn share(estimate: Option<Estimate>) -> Res<Share> {
    let estimate = estimate.ok_or("there are no runs")?;
    let interval = estimate.interval.ok_or("one run has no interval")?;
    Ok(Share { value: estimate.value, low: interval.low, high: interval.high })
}

/// The tasks of a suite that were done in one way, by their names; none where the way has no results of the suite.
fn played(way: &Path, suite: &str, prices: &[Prices]) -> Res<BTreeMap<String, PlayedWay>> {
    let results = way.join(suite).with_extension("jsonl");
    if !results.exists() {
        return Ok(BTreeMap::new());
    }
    let lines = Results::read(&results)?;
    lines.iter().map(|line| Ok((line.case().to_owned(), played_way(line, way, prices)?))).collect()
}

fn played_way(line: &ResultLine, folder: &Path, prices: &[Prices]) -> Res<PlayedWay> {
    let runs = line.records(folder).map(|path| Run::read(&path)).collect::<Res<Vec<_>>>()?;
    let beginning = runs.first().map(|run| run.beginning.clone()).unwrap_or_default();
    let own = OwnTexts {
        beginning,
        answers: runs.iter().flat_map(|run| run.answers.clone()).collect(),
        assumptions: Vec::new(),
    };
    let sent = Rendition {
        name: "as sent".to_owned(),
        requests: runs.iter().flat_map(|run| run.requests.clone()).collect(),
        stats: None,
        over_ceiling: None,
        own: Some(own),
    };
    let figures = measure::each(&[], std::slice::from_ref(&sent), prices)?.into_iter().next();
    Ok(PlayedWay {
        passed: line.found.passed,
        problems: line.found.problems.clone(),
        texts: runs.len(),
        calls: runs.iter().flat_map(|run| run.step.turns()).map(|turn| turn.tool_calls().len()).sum(),
        failed: runs.iter().enumerate().flat_map(|(place, run)| run.failed(place + 1)).collect(),
        figures: figures.ok_or("nothing was measured")?,
    })
}

/// A text of the user and what followed it.
struct Run {
    /// The system text and the definitions of tools, which every request has.
    beginning: String,
    requests: Vec<Vec<Message>>,
    answers: Vec<String>,
    step: Step,
}

impl Run {
    fn read(path: &Path) -> Res<Run> {
        let recorded = Recorded::read(&read_record(path)?)?.ok_or_else(|| format!("{} is empty", path.display()))?;
        let sent = recorded.requests().map(|sent| sent.map(|(_, request)| request)).collect::<Result<Vec<_>, _>>()?;
        let reply = |answer: &Answer| match answer {
            Answer::Reply(reply) => Some(answer_text(reply)),
            _ => None,
        };
        let answers = recorded.replies().iter().filter_map(|record| reply(&record.answer)).collect();
        Ok(Run {
            beginning: sent.first().map(beginning).unwrap_or_default(),
            requests: sent.into_iter().map(|request| request.messages.into_iter().map(with_calls).collect()).collect(),
            answers,
            step: recorded_step(recorded)?,
        })
    }

    fn failed(&self, text: usize) -> Vec<FailedTurn> {
        // A run that ends with `(fail …)` says what it found.
        let own = self.step.turns().len() - usize::from(self.step.ending == EndingKind::Fail);
        let failed = self.step.turns().iter().take(own).filter(|turn| !turn.is_success());
        failed
            .map(|turn| FailedTurn { text, turn: turn.number(), message: turn.error_message().unwrap_or_default() })
            .collect()
    }
}

fn beginning(request: &Request) -> String {
    let tool = |tool: &ptc_runner::chat::ToolDefinition| {
        json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters}).to_string()
    };
    std::iter::once(request.system.to_string()).chain(request.tools.iter().map(tool)).collect::<Vec<_>>().join("\n")
}

/// A message whose calls are text, which is what is counted.
fn with_calls(mut message: Message) -> Message {
    let calls = calls_text(message.tool_calls());
    if !calls.is_empty() {
        message.parts = message.parts.iter().cloned().chain(Some(Part::repeated(calls))).collect();
    }
    message
}

fn answer_text(reply: &Reply) -> String {
    reply.content.clone() + &calls_text(&reply.tool_calls)
}

fn calls_text(calls: &[ToolUse]) -> String {
    let call = |call: &ToolUse| json!({"name": call.name, "arguments": call.args}).to_string();
    calls.iter().map(call).collect::<Vec<_>>().join("\n")
}
