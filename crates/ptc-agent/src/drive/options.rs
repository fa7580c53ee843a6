//! What a caller may say of one run.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use ptc_chat::Llm;
use ptc_compression::CompressionConfig;
use ptc_lisp::{CachedCall, Clock, Definitions, LeftOut, MemoryEntry, SystemClock};
use ptc_transcript::{Journal, Observer, Recorded, RunUsage, Step};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::OnChunk;
use crate::approval::{ApprovalScope, Approver};
use crate::error::AgentError;
use crate::models::LlmRegistry;
use crate::options::LlmRetry;
use crate::spec::AgentSpec;

/// What one run may have beside its agent and its context.
#[derive(Clone)]
pub struct RunOptions {
    /// The model to ask; else the agent's.
    pub llm: Option<Arc<dyn Llm>>,
    /// Models by name, for agents that name theirs; agents called as tools see the same ones.
    pub llm_registry: LlmRegistry,
    /// How the history is shown, in place of what the agent says. Of a run that is resumed it holds from the first turn
    /// that its journal does not have, and is written there; without it a resumed run goes on as its journal says.
    /// Agents called as tools show theirs as they say themselves.
    pub compression: Option<CompressionConfig>,
    /// Whether the step holds the messages, of a run with compression those of its last request, and each turn what was
    /// sent for it.
    pub collect_messages: bool,
    /// Whether the step holds the turns.
    pub keep_turns: KeepTurns,
    /// Whether providers are asked to cache the stable part of requests.
    pub cache: bool,
    /// What to do when a call of the model fails; else what the agent asked says. Holds for agents called as tools,
    /// too.
    pub llm_retry: Option<LlmRetry>,
    /// Bytes of live values that one program may hold, else what the agent says; agents called as tools may hold no
    /// more.
    pub max_heap: Option<u64>,
    /// Input and output tokens of the run and of all agents that it calls.
    pub token_limit: Option<u64>,
    /// Asked after each answer of a model whether the run may go on; then `token_limit` is not looked at.
    pub budget: Option<OnBudget>,
    /// What happens above the limit.
    pub on_budget_exceeded: OnBudgetExceeded,
    /// Tool calls in flight at once.
    pub max_parallel_calls: usize,
    /// Asked before what needs approval; without one a run with such tools does not start.
    pub approval: Option<Arc<dyn Approver>>,
    /// What is asked about.
    pub approval_scope: ApprovalScope,
    /// Answers of cacheable tools from earlier runs: their [`Step::tool_cache`].
    pub tool_cache: Vec<CachedCall>,
    /// What programs find defined: the [`Step::definitions`] of another run.
    pub definitions: Definitions,
    /// Ends the run when it is cancelled, wherever it is: the step has what was done until then.
    pub cancel: CancellationToken,
    /// Told what happens, in order.
    pub observers: Vec<Arc<dyn Observer>>,
    /// Fuel after which others may work; `None` never stops before the program does.
    pub slice: Option<u64>,
    /// Seed of `rand` and its kin.
    pub seed: u64,
    /// The clock that programs read. With a journal it stands still while a program runs: it moves with each answer of
    /// the model and with each result of a call.
    pub clock: Arc<dyn Clock>,
    /// Told the text of the final answer as it is written, in text mode.
    pub on_chunk: Option<OnChunk>,
    /// Finished tasks by id, which `(task id …)` answers without working again; `None` keeps none.
    pub tasks: Option<Vec<(String, ptc_lisp::Value)>>,
    /// First part of the ids of calls; made up when nothing is said.
    pub run_id: Option<Arc<str>>,
    /// Where the run writes what a crash must not lose; for [`run_with`](crate::Agent::run_with), like `resume`.
    pub journal: Option<Arc<dyn Journal>>,
    /// The journal of the same run before a crash: what it holds is not asked and not called again. `journal` should
    /// then append to it. Its seed wins over `seed`.
    pub resume: Option<Arc<Recorded>>,
}

impl Default for RunOptions {
    fn default() -> Self {
        RunOptions {
            llm: None,
            llm_registry: LlmRegistry::new(),
            compression: None,
            collect_messages: false,
            keep_turns: KeepTurns::Always,
            cache: false,
            llm_retry: None,
            max_heap: None,
            token_limit: None,
            budget: None,
            on_budget_exceeded: OnBudgetExceeded::Fail,
            max_parallel_calls: 64,
            approval: None,
            approval_scope: ApprovalScope::Calls,
            tool_cache: Vec::new(),
            definitions: Definitions::default(),
            cancel: CancellationToken::new(),
            observers: Vec::new(),
            slice: Some(100_000),
            seed: 0,
            clock: Arc::new(SystemClock),
            on_chunk: None,
            tasks: None,
            run_id: None,
            journal: None,
            resume: None,
        }
    }
}

impl RunOptions {
    /// Errors when a figure breaks the rule of the option of agents that it replaces.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        AgentSpec { max_heap: self.max_heap, llm_retry: self.llm_retry.clone(), ..AgentSpec::default() }.check()
    }

    /// The same, beginning with what this step leaves: its definitions, and its finished tasks beside those of the
    /// options.
    ///
    /// Everything else begins anew: turns, budgets, `*1 *2 *3`, `data/fail`, and random numbers by `seed`. Answers of
    /// cacheable tools are taken along by `tool_cache`.
    #[must_use]
    pub fn continuing(mut self, step: &Step) -> RunOptions {
        self.definitions = step.definitions.clone();
        let is_lost = |entry: &&MemoryEntry| !self.definitions.has(&entry.name);
        let lost: Vec<String> = step.memory.entries().iter().filter(is_lost).map(|entry| entry.name.clone()).collect();
        for name in lost {
            self.definitions
                .leave_out(LeftOut { name, why: "the step has only its value, not its definition".to_owned() });
        }
        if !step.tasks.is_empty() {
            let given = self.tasks.get_or_insert_default();
            let missing = step.tasks.iter().filter(|(id, _)| given.iter().all(|(known, _)| known != *id));
            let missing: Vec<_> = missing.map(|(id, value)| (id.clone(), value.clone())).collect();
            given.splice(0..0, missing);
        }
        self
    }
}

/// Decides after each answer of a model whether a run may go on, by what it and the agents that it called have used:
/// tokens, requests, and the turns and the time of the run that was answered.
///
/// ```
/// use std::ops::ControlFlow;
/// use ptc_agent::{OnBudget, RunOptions};
///
/// let few_requests = OnBudget::new(|usage| match usage.llm_requests {
///     Some(requests) if requests > 10 => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// });
/// let options = RunOptions { budget: Some(few_requests), ..RunOptions::default() };
/// # drop(options);
/// ```
#[derive(Clone)]
pub struct OnBudget(Arc<Decide>);

type Decide = dyn Fn(&RunUsage) -> ControlFlow<()> + Send + Sync;

impl OnBudget {
    /// Wrap a closure. It should depend on nothing but the usage, so that a run that is resumed takes the same course.
    pub fn new(decide: impl Fn(&RunUsage) -> ControlFlow<()> + Send + Sync + 'static) -> OnBudget {
        OnBudget(Arc::new(decide))
    }

    pub(crate) fn stops(&self, usage: &RunUsage) -> bool {
        (self.0)(usage).is_break()
    }
}

impl fmt::Debug for OnBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnBudget")
    }
}

/// When the step keeps its turns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum KeepTurns {
    /// Always.
    #[default]
    Always,
    /// When the run has no answer.
    OnError,
    /// Never.
    Never,
}

/// What a run does when its token limit is used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum OnBudgetExceeded {
    /// It ends with `budget_callback_exceeded`.
    #[default]
    Fail,
    /// The value of the last good turn is the answer, if it fits.
    ReturnPartial,
}
