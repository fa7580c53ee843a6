//! The part of a run that knows of runs above and below it, and of the agent before it.

use std::sync::Arc;

use ptc_chat::{Reply, Request};
use ptc_lisp::{Limits, ToolSpec, Value};
use ptc_transcript::{Fail, FailKind, FailReason};

use super::action::Action;
use super::lineage::{Lineage, Spending, TurnBudget, lower};
use super::setup::Setup;
use super::state::{Asking, Run, RunFacts};
use crate::agent::Agent;
use crate::spec::AgentSpec;

/// What the caller has left, or what the agent says; an agent may ask for less than its caller has.
pub(super) fn turn_budget(spec: &AgentSpec, lineage: &Lineage) -> TurnBudget {
    match &lineage.turns {
        Some(turns) => turns.clone().at_most(spec.turn_budget),
        None => TurnBudget::new(spec.turn_budget(), spec.shared_turn_budget),
    }
}

/// The tools of a run. A resumed run keeps the effects in its journal: with others it would keep other answers and make
/// other calls than before.
pub(super) fn tools_of(agent: &Agent, setup: &Setup) -> Arc<[ToolSpec]> {
    let Some(recorded) = &setup.resume else { return Arc::clone(&agent.offer.specs) };
    let recorded = &recorded.header().tools;
    let effect_of =
        |spec: &ToolSpec| recorded.iter().find(|tool| tool.name == spec.name).map_or(spec.effect, |tool| tool.effect);
    agent.offer.specs.iter().map(|spec| ToolSpec { effect: effect_of(spec), ..spec.clone() }).collect()
}

impl RunFacts {
    /// The limits of a program, those of runs above included.
    pub(super) fn limits(&self, spec: &AgentSpec) -> Limits {
        let limits = spec.limits();
        Limits { memory: self.max_heap(spec).unwrap_or(limits.memory), ..limits }
    }

    /// Bytes that a program may hold, if a limit is set.
    fn max_heap(&self, spec: &AgentSpec) -> Option<u64> {
        lower(self.setup.lineage.max_heap, self.setup.max_heap.or(spec.max_heap))
    }
}

impl Run {
    /// Start the run, if it may start at all.
    pub(super) fn begin(&mut self) -> Action {
        if let Some(upstream) = self.facts.setup.upstream.take() {
            return self.stopped_by(&upstream);
        }
        let (depth, limit) = (self.facts.setup.lineage.depth, self.max_depth());
        if depth >= limit {
            return self
                .limit(FailReason::MaxDepthExceeded, format!("nesting depth {depth} reaches the limit {limit}"));
        }
        match self.facts.program.clone() {
            Some(program) => self.run_compiled(&program),
            None => self.next_turn(),
        }
    }

    fn stopped_by(&mut self, upstream: &Fail) -> Action {
        let mut fail = Fail::new(
            FailKind::Chain,
            FailReason::ChainedFailure,
            format!("the previous agent failed: {}: {}", upstream.reason, upstream.message),
        );
        let entries = [("reason", upstream.reason.as_str()), ("message", upstream.message.as_str())];
        let facts = Value::map_from(entries.map(|(name, text)| (Value::keyword(name), Value::string(text))));
        fail.details = Some(Value::map_from([(Value::keyword("upstream"), facts)]));
        self.end(ptc_transcript::EndingKind::Error, Err(fail))
    }

    /// The tools that decide its course: those that its given program can reach, or all that a model may use.
    pub(crate) fn decisive_tools(&self) -> Vec<ToolSpec> {
        let program = self.facts.program.as_deref();
        // A program with problems calls none of them, and a model that is asked after all sees them all.
        let reached = program.and_then(|program| self.session.effects(program).ok());
        let decides = |spec: &&ToolSpec| {
            reached.as_ref().is_none_or(|effects| effects.tools.iter().any(|reach| *reach.name == *spec.name))
        };
        self.agent.offer.specs.iter().filter(decides).cloned().collect()
    }

    /// The only turn of a compiled agent.
    fn run_compiled(&mut self, program: &str) -> Action {
        let asking = Asking {
            request: Arc::new(Request::default()),
            since: self.now,
            due: self.now,
            kind: self.kind(),
            progress: String::new(),
        };
        self.run_program(asking, Reply::from(program), program.to_owned())
    }

    /// Whether a model can be shown a failure and write another program.
    pub(super) fn can_correct(&self) -> bool {
        self.facts.program.is_none() && !self.definition().is_single_shot()
    }

    pub(super) fn max_depth(&self) -> usize {
        let own = self.spec().max_depth;
        self.facts.setup.lineage.max_depth.map_or(own, |above| above.min(own))
    }

    /// Give agents that are called the whole budget again: another program starts for which no model is asked.
    pub(crate) fn renew_budget(&mut self) {
        self.facts.setup.lineage.spending = Spending::default();
        self.left.budget = turn_budget(self.spec(), &self.facts.setup.lineage);
    }

    /// What an agent called now inherits from this run.
    pub(crate) fn lineage(&self) -> Lineage {
        Lineage {
            depth: self.facts.setup.lineage.depth + 1,
            max_depth: Some(self.max_depth()),
            turns: Some(self.left.budget.for_child()),
            time: self.time_left(),
            max_heap: self.facts.max_heap(self.spec()),
            spending: self.facts.setup.lineage.spending.clone(),
            path: Arc::clone(&self.facts.setup.lineage.path),
        }
    }
}
