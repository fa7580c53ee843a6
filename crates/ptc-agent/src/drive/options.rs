//! What a caller may say of one run.

use std::ops::ControlFlow;
use std::sync::Arc;

use indexmap::IndexMap;
use ptc_chat::Llm;
use ptc_compression::CompressionConfig;
use ptc_lisp::{CachedCall, Clock, Definitions, LeftOut, MemoryEntry, SystemClock};
use ptc_transcript::{Journal, Observer, Recorded, RunUsage, Step};
use tokio_util::sync::CancellationToken;

use super::chunks::OnChunk;
use crate::approval::{ApprovalScope, Approver};
use crate::engine::Engine;
use crate::error::AgentError;
use crate::machine::lineage::Lineage;
use crate::machine::setup::{Identity, OnBudget, Setup};
use crate::models::LlmRegistry;
use crate::spec::run::run_rows;
use crate::spec::table::parts;
use crate::spec::{AgentSpec, KeepTurns, LlmRetry, OnBudgetExceeded, RunSpec};

parts! {
    /// What one run may have beside its agent and its context.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ptc_agent::{RunOptions, RunSpec};
    /// use ptc_chat::ScriptedLlm;
    ///
    /// let options = RunOptions::new().llm(Arc::new(ScriptedLlm::replies(["(return 1)"]))).token_limit(9_000).seed(7);
    /// assert_eq!((options.spec.token_limit, options.seed), (Some(9_000), 7));
    /// assert!(RunOptions::from(RunSpec::default()).llm.is_none());
    /// ```
    #[derive(Clone)]
    #[non_exhaustive]
    #[must_use]
    pub struct RunOptions with RunSpec {
        /// The model to ask; else the agent's.
        llm: Option<Arc<dyn Llm>> = None, (some Arc<dyn Llm>);
        /// Models by name, for agents that name theirs; agents called as tools see the same ones.
        llm_registry: LlmRegistry = LlmRegistry::new(), value;
        /// How the history is shown, in place of what the agent says. Of a run that is resumed it holds from the first
        /// turn that its journal does not have, and is written there; without it a resumed run goes on as its journal
        /// says. Agents called as tools show theirs as they say themselves.
        compression: Option<CompressionConfig> = None, (some into CompressionConfig);
        /// What to do when a call of the model fails; else what the agent asked says. Holds for agents called as tools,
        /// too.
        llm_retry: Option<LlmRetry> = None, into;
        /// Bytes of live values that one program may hold, else what the agent says; agents called as tools may hold no
        /// more.
        max_heap: Option<u64> = None, into;
        /// Asked after each answer of a model whether the run may go on; then `token_limit` is not looked at.
        budget: Option<Arc<OnBudget>> = None, own;
        /// Asked before what needs approval; without one a run with such tools does not start.
        approval: Option<Arc<dyn Approver>> = None, (some Arc<dyn Approver>);
        /// What is asked about.
        approval_scope: ApprovalScope = ApprovalScope::Calls, value;
        /// Answers of cacheable tools from earlier runs: their [`Step::tool_cache`].
        tool_cache: Vec<CachedCall> = Vec::new(), value;
        /// What programs find defined: the [`Step::definitions`] of another run.
        definitions: Definitions = Definitions::default(), value;
        /// Ends the run when it is cancelled, wherever it is: the step has what was done until then.
        cancel: CancellationToken = CancellationToken::new(), value;
        /// Told what happens, in order.
        observers: Vec<Arc<dyn Observer>> = Vec::new(), value;
        /// Fuel after which others may work; `None` never stops before the program does.
        slice: Option<u64> = Some(100_000), into;
        /// Seed of `rand` and the other functions that draw random numbers.
        seed: u64 = 0, value;
        /// The clock that programs read. With a journal it stands still while a program runs: it moves with each answer
        /// of the model and with each result of a call.
        clock: Arc<dyn Clock> = Arc::new(SystemClock), value;
        /// Told the text of the final answer as it is written, in text mode.
        on_chunk: Option<Arc<OnChunk>> = None, own;
        /// Whether observers are told what a model writes as it arrives, as [`EventKind::LlmChunk`]: programs, JSON and
        /// text. Models that cannot stream, and answers of a journal, come in one piece.
        ///
        /// [`EventKind::LlmChunk`]: ptc_transcript::EventKind::LlmChunk
        stream: bool = false, value;
        /// Finished tasks by id, which `(task id …)` answers without working again; `None` keeps none.
        tasks: Option<Vec<(String, ptc_lisp::Value)>> = None, into;
        /// First part of the ids of calls; made up when nothing is said.
        run_id: Option<Arc<str>> = None, (some into Arc<str>);
        /// Where the run writes what a crash must not lose; for [`run_with`](crate::Agent::run_with), like `resume`.
        journal: Option<Arc<dyn Journal>> = None, (some Arc<dyn Journal>);
        /// The journal of the same run before a crash: what it holds is not asked and not called again. `journal` should
        /// then append to it. Its seed wins over `seed`.
        resume: Option<Arc<Recorded>> = None, into;
        /// A durable engine, in place of `journal` and `resume`: it keeps the steps of the run and of the agents that it
        /// calls, its time is theirs, and it asks who approves. `approval` and `clock` are not looked at then.
        engine: Option<Arc<dyn Engine>> = None, (some Arc<dyn Engine>);
    }
}

run_rows!(setters RunOptions);

impl From<RunSpec> for RunOptions {
    fn from(spec: RunSpec) -> RunOptions {
        RunOptions { spec, ..RunOptions::default() }
    }
}

impl RunOptions {
    /// The defaults.
    pub fn new() -> RunOptions {
        RunOptions::default()
    }

    /// Decides after each answer of a model whether the run may go on, by what it and the agents that it called have
    /// used: tokens, requests, and the turns and the time of the run that was answered. Then `token_limit` is not looked
    /// at.
    ///
    /// It should depend on nothing but the usage, so that a run that is resumed takes the same course.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use ptc_agent::RunOptions;
    ///
    /// let options = RunOptions::new().budget(|usage| match usage.llm_requests {
    ///     Some(requests) if requests > 10 => ControlFlow::Break(()),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// # drop(options);
    /// ```
    pub fn budget(mut self, decide: impl Fn(&RunUsage) -> ControlFlow<()> + Send + Sync + 'static) -> RunOptions {
        self.budget = Some(Arc::new(decide));
        self
    }

    /// Told the text of the final answer as it is written, in text mode.
    pub fn on_chunk(mut self, tell: impl Fn(&str) + Send + Sync + 'static) -> RunOptions {
        self.on_chunk = Some(Arc::new(tell));
        self
    }

    /// Who the run is, as far as the caller says.
    pub(super) fn identity(&self) -> Identity {
        Identity { id: self.run_id.clone(), seed: self.seed, clock: Arc::clone(&self.clock) }
    }

    /// What decides the course of a run of this identity, called by runs of this lineage.
    pub(super) fn setup(&self, identity: Identity, lineage: Lineage) -> Setup {
        Setup {
            spec: self.spec.clone(),
            identity,
            lineage,
            compression: self.compression.clone(),
            llm_retry: self.llm_retry.clone(),
            max_heap: self.max_heap,
            budget: self.budget.clone(),
            approval_scope: self.approval_scope,
            tool_cache: self.tool_cache.clone(),
            definitions: self.definitions.clone(),
            slice: self.slice,
            tasks: self.tasks.clone(),
            resume: self.resume.clone(),
            is_timed: self.engine.is_none(),
            received: IndexMap::new(),
            upstream: None,
        }
    }

    /// Errors when a figure breaks the rule of the option of agents that it replaces.
    pub(crate) fn check(&self) -> Result<(), AgentError> {
        AgentSpec { max_heap: self.max_heap, llm_retry: self.llm_retry.clone(), ..AgentSpec::default() }.check()
    }

    /// What an agent that this run calls has of it; for the journal of this run, all of that is one call.
    pub(super) fn of_child(&self, call: &str, identity: Identity) -> RunOptions {
        let spec = RunSpec { collect_messages: false, ..self.spec.clone() };
        RunOptions {
            spec,
            llm: None,
            compression: None,
            max_heap: None,
            on_chunk: None,
            tasks: None,
            tool_cache: Vec::new(),
            definitions: Definitions::default(),
            journal: None,
            resume: None,
            run_id: Some(call.into()),
            seed: identity.seed,
            clock: identity.clock,
            ..self.clone()
        }
    }

    /// The same, beginning with what this step leaves: its definitions, and its finished tasks beside those of the
    /// options.
    ///
    /// Everything else begins anew: turns, budgets, `*1 *2 *3`, `data/fail`, and random numbers by `seed`. Answers of
    /// cacheable tools are taken along by `tool_cache`.
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
