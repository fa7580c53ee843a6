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
