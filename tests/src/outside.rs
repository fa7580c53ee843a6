//! What `outside/figures` measures of tasks that others made, for `cargo xtask outside`.

use serde::{Deserialize, Serialize};

use crate::study::{Cost, Price};

/// The suites of tasks, in the order of the page.
pub const SUITES: [&str; 7] = [
    "bfcl-base",
    "bfcl-long",
    "agentdojo-banking",
    "agentdojo-slack",
    "agentdojo-travel",
    "agentdojo-workspace",
    "agentdojo-workspace-plus",
];

/// The ways of doing a task, in the order of figures.
pub const WAYS: [&str; 6] = [
    "direct calls",
    "direct calls, batches",
    "programs",
    "programs, nothing read between",
    "hybrid, cheapest choice",
    "hybrid, single calls native",
];

/// Positions in [`WAYS`].
pub const DIRECT: usize = 0;
/// Independent calls share a request.
pub const BATCHES: usize = 1;
/// Programs end where the model must read a result before it can write the next call.
pub const PROGRAMS: usize = 2;
/// One program for each text of the user.
pub const UNREAD: usize = 3;
/// Native calls and programs offered side by side: for each text of the user what costs less in the end.
pub const CHEAPEST: usize = 4;
/// The same offer: a text that needs one call is done natively, others by programs.
pub const SINGLE_NATIVE: usize = 5;

/// Everything that is measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outside {
    /// How tokens were counted.
    pub counter: String,
    /// What costs consist of.
    pub prices: Vec<Price>,
    /// The tasks, suite by suite.
    pub tasks: Vec<Task>,
    /// What reaches the model of texts that others placed in results.
    pub injections: Vec<Injection>,
}

/// One task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Its suite.
    pub suite: String,
    /// Its name in the suite.
    pub task: String,
    /// The kind of task.
    pub class: String,
    /// Tools that it offers.
    pub tools: usize,
    /// Texts of the user.
    pub texts: usize,
    /// Calls of its ground truth.
    pub calls: usize,
    /// Tokens of their results.
    pub results: u64,
    /// Values of arguments that the model had to read in a result first.
    pub read: usize,
    /// Of these, values that programs looked for in vain, since the output of a program is cut: they are literals
    /// nevertheless.
    pub unseen: usize,
    /// Values of arguments that programs took from a result.
    pub taken: usize,
    /// Texts of the user that the cheapest choice does natively, at the first prices.
    pub natively: usize,
    /// Why it was not run, or not accepted.
    pub exception: Option<String>,
    /// The figures of each way, as [`WAYS`]; empty when it was not run.
    pub ways: Vec<Figures>,
}

/// One task done in one way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Requests to the model.
    pub requests: usize,
    /// Input tokens of all requests.
    pub input: u64,
    /// Of these, what each request has in common with the one before, which a cache can serve.
    pub shared: u64,
    /// Output tokens.
    pub output: u64,
    /// In USD, for each of the prices.
    pub costs: Vec<Cost>,
}

/// A task with a text of an attacker in its results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Injection {
    /// The suite.
    pub suite: String,
    /// The task that was done.
    pub task: String,
    /// The injection that was placed.
    pub injection: String,
    /// Whether a call of the ground truth has the text as an argument, so that programs contain it.
    pub in_plan: bool,
    /// Bytes of the text in the results of the calls.
    pub placed: usize,
    /// Bytes of it in the requests: direct calls, programs, one program for each text, and the same with results under
    /// hidden names.
    pub reached: [usize; 4],
}

/// What a model did on tasks of the suites, as its runs were recorded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Live {
    /// How tokens were counted.
    pub counter: String,
    /// What costs consist of.
    pub prices: Vec<Price>,
    /// The tasks that a suite accepted, suite by suite, then of all.
    pub rates: Vec<Rate>,
    /// How much higher the rate of programs is than that of native calls.
    pub difference: Share,
    /// What programs cost relative to native calls, for each of the prices: with a cache, and without.
    pub ratios: Vec<[Share; 2]>,
    /// The tasks, suite by suite.
    pub tasks: Vec<Played>,
}

/// The ways in which a model did each task, in the order of figures.
pub const LIVE_WAYS: [&str; 2] = ["programs", "native-calls"];

/// A share, a difference or a ratio with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How many tasks a suite accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// The suite, or `all`.
    pub suite: String,
    /// Tasks that were done.
    pub tasks: usize,
    /// Of these, tasks that it accepted, for each of [`LIVE_WAYS`].
    pub passed: [usize; 2],
    /// Their shares.
    pub shares: [Share; 2],
}

/// A task that a model did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// Its suite.
    pub suite: String,
    /// Its name in the suite.
    pub task: String,
    /// For each of [`LIVE_WAYS`].
    pub ways: [PlayedWay; 2],
}

/// A task that a model did in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayedWay {
    /// Whether the suite accepted it.
    pub passed: bool,
    /// Why not.
    pub problems: Vec<String>,
    /// Texts of the user that were answered.
    pub texts: usize,
    /// Calls of tools.
    pub calls: usize,
    /// Programs that failed; one that ends the run with `(fail …)` is none of them.
    pub failed: Vec<FailedTurn>,
    /// Requests, tokens and costs, as they were sent.
    pub figures: Figures,
}

/// A program that failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailedTurn {
    /// The text of the user, from 1.
    pub text: usize,
    /// The turn of that text, from 1.
    pub turn: usize,
    /// What the model read about it.
    pub message: String,
}

impl Task {
    /// The name in lists.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.suite, self.task)
    }

    /// What a way costs relative to another one, at a price, with a cache; `None` without figures.
    #[must_use]
    pub fn ratio(&self, way: usize, against: usize, price: usize) -> Option<f64> {
        let cost = |way: usize| Some(self.ways.get(way)?.costs.get(price)?.cached);
        Some(cost(way)? / cost(against)?).filter(|ratio| ratio.is_finite())
    }
}
