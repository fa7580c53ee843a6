//! What can be measured under a name: the workloads, the styles, and subjects that are not programs.

use std::cell::OnceCell;
use std::sync::Arc;

use ptc_runner::compression::{
    self, Aggressive, AppendOnly, Ceiling, Compression, CompressionConfig, Digest, O200k, PerTurnSummary, PlainHistory,
    PlainOptions, RollingWindow, SingleUserCoalesced, renderer_of,
};
use ptc_runner::lisp::{Map, Outcome, Value};
use ptc_tests::bench::styles::{self, Style};
use ptc_tests::bench::{self, Workload};
use serde_json::{Value as Json, json};

use crate::history::History;

/// One thing to measure, prepared at one size.
pub struct Subject {
    /// How often it runs between two readings of the clock.
    pub batch: u32,
    /// One run.
    pub run: Box<dyn FnMut() -> Ran>,
}

/// The outcome of a run, before it is examined: examining is not timed, dropping is.
pub enum Ran {
    /// A program.
    Program(Outcome),
    /// Something else, with a number that shows it was done.
    Other(Result<usize, serde_json::Error>),
}

impl Ran {
    /// The answer; an error when there is none.
    pub fn answer(&self) -> Result<Json, String> {
        match self {
            Ran::Program(outcome) => bench::value(outcome),
            Ran::Other(number) => number.as_ref().map(|number| json!(number)).map_err(ToString::to_string),
        }
    }
}

/// Makes subjects of one size; the orders, as the data of the styles, are created once for all of them.
pub struct Subjects {
    size: u64,
    orders: OnceCell<Map>,
    styles: OnceCell<Map>,
}

impl Subjects {
    /// Subjects of this size.
    pub fn of_size(size: u64) -> Subjects {
        Subjects { size, orders: OnceCell::new(), styles: OnceCell::new() }
    }

    /// Prepare a subject. Cost: creating its data.
    ///
    /// Errors when the name is unknown.
    pub fn named(&self, name: &str) -> Result<Subject, String> {
        match name {
            "import" => Ok(import(self.size, |text| Value::from_json_str(text).map(drop))),
            "import-serde" => Ok(import(self.size, |text| serde_json::from_str::<Json>(text).map(drop))),
            "render-coalesced" => Ok(coalesced(self.size)),
            "render-plain" => Ok(plain(self.size)),
            "next-coalesced" => Ok(next(SingleUserCoalesced::default(), self.size)),
            "next-digest" => Ok(next(Digest::default(), self.size)),
            "next-rolling" => Ok(next(RollingWindow::default(), self.size)),
            "next-summary" => Ok(next(PerTurnSummary::default(), self.size)),
            "next-aggressive" => Ok(next(Aggressive::default(), self.size)),
            "next-append" => Ok(next(AppendOnly::default(), self.size)),
            "next-ceiling" => Ok(next_below(HIGH, self.size)),
            "next-names" => Ok(next_below(LOW, self.size)),
            _ if name.contains('/') => {
                let style = styles::style(name).ok_or_else(|| format!("`{name}` is not a style"))?;
                Ok(self.style(style))
            }
            _ => {
                let workload = bench::workload(name).ok_or_else(|| format!("`{name}` is not a workload"))?;
                Ok(self.program(workload))
            }
        }
    }

    /// A program in one style of several.
    fn style(&self, style: Style) -> Subject {
        let data = self.styles.get_or_init(|| styles::data(self.size)).clone();
        let run = move || Ran::Program(bench::session(data.clone(), Vec::new()).run(style.source, &mut bench::echo));
        Subject { batch: 1, run: Box::new(run) }
    }

    /// A program, from its text to its value, in its own session.
    fn program(&self, workload: &'static Workload) -> Subject {
        let size = self.size;
        let data = match workload.reads_orders() {
            true => self.orders.get_or_init(|| workload.data(size)).clone(),
            false => workload.data(size),
        };
        let source = workload.program(size);
        if workload.id == "W1" {
            return small_programs(workload, size);
        }
        let run = move || Ran::Program(bench::session(data.clone(), workload.tools()).run(&source, &mut bench::echo));
        Subject { batch: 1, run: Box::new(run) }
    }
}

/// A program that is too short for the clock: many in a row, each with another number, so that nothing can be
/// remembered from the previous one.
fn small_programs(workload: &'static Workload, size: u64) -> Subject {
    const BATCH: u32 = 200;
    let sources: Vec<String> = (0..u64::from(BATCH)).map(|other| workload.program(size + other)).collect();
    let mut turn = 0;
    let run = move || {
        let source = sources.get(turn % sources.len()).map_or("", String::as_str);
        turn += 1;
        Ran::Program(bench::session(Map::new(), Vec::new()).run(source, &mut bench::echo))
    };
    Subject { batch: BATCH, run: Box::new(run) }
}

/// Reading the orders from JSON.
fn import(size: u64, read: fn(&str) -> Result<(), serde_json::Error>) -> Subject {
    let text = bench::data::json(size);
    let run = move || Ran::Other(read(&text).map(|()| text.len()));
    Subject { batch: 1, run: Box::new(run) }
}

/// The request after this many turns, with the default strategy.
fn coalesced(turns: u64) -> Subject {
    let history = History::new(turns as usize);
    let strategy = SingleUserCoalesced::default();
    let run =
        move || Ran::Other(Ok(strategy.to_messages(&history.turns, &history.memory, &history.input()).messages.len()));
    Subject { batch: 1, run: Box::new(run) }
}

/// Tokens of a ceiling that is never reached, and of one that leaves only names of a hundred turns.
const HIGH: usize = 500_000;
const LOW: usize = 400;

/// One more turn after this many, and its request, as an agent renders it. The same last turn is repeated.
fn next(strategy: impl Compression + 'static, turns: u64) -> Subject {
    let history = History::new(turns as usize);
    let mut renderer = renderer_of(&(Arc::new(strategy) as Arc<dyn Compression>));
    history.turns.iter().for_each(|turn| renderer.push(turn));
    let run = move || {
        history.turns.last().into_iter().for_each(|turn| renderer.push(turn));
        let rendered = renderer.render(&history.memory, &history.input());
        Ran::Other(Ok(rendered.messages.len()))
    };
    Subject { batch: 1, run: Box::new(run) }
}

/// The same with the default strategy below a ceiling, as the loop requests it.
fn next_below(max_tokens: usize, turns: u64) -> Subject {
    let run = History::new(turns as usize);
    let config = CompressionConfig::from(true).with_ceiling(Ceiling::new(max_tokens, O200k));
    let plain = PlainOptions::new(2 * run.turns.len(), 0);
    let mut history = compression::History::start(&config, "", plain, &run.input());
    run.turns.iter().for_each(|turn| history.push(turn, ""));
    let run = move || {
        run.turns.last().into_iter().for_each(|turn| history.push(turn, ""));
        let next = history.request(&run.memory, &run.input());
        Ran::Other(Ok(next.stats.and_then(|stats| stats.ceiling_step).unwrap_or(next.messages.len())))
    };
    Subject { batch: 1, run: Box::new(run) }
}

/// The request after this many turns, without compression: what the loop does after the last of them. Earlier turns are
/// already written, and all messages are copied into the request.
fn plain(turns: u64) -> Subject {
    let history = History::new(turns as usize);
    let mut written = PlainHistory::start(&history.input(), PlainOptions::new(history.turns.len(), 0));
    let last = history.turns.last().cloned();
    history.turns.iter().take(history.turns.len().saturating_sub(1)).for_each(|turn| written.push(turn, ""));
    let run = move || {
        let mut plain = written.clone();
        last.iter().for_each(|turn| plain.push(turn, ""));
        Ran::Other(Ok(plain.messages().len()))
    };
    // The allocator cleans up freed memory at the next large request, which is not the renderer's work.
    drop(history);
    drop(run());
    Subject { batch: 1, run: Box::new(run) }
}
