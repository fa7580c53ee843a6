//! One run of an agent as a state machine: it decides what to do next and leaves the actions to its caller.

mod action;
mod approve;
mod ask;
mod call;
mod course;
mod ending;
mod execute;
mod family;
mod history;
mod json;
pub(crate) mod lineage;
mod misspelt;
mod record;
mod relief;
pub(crate) mod setup;
mod spent;
mod state;
mod texts;
mod using;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::OutputMode;
use ptc_lisp::signature::Signature;
use ptc_lisp::{GrammarOptions, KeptAnswers, Map, Memory, Session, SessionOptions};
use ptc_mission::MissionExpander;
use ptc_transcript::RunUsage;

use crate::agent::{Agent, Definition};
use crate::error::AgentError;
use course::StrategyTimeline;
use lineage::lower;
use setup::Setup;
use state::{Phase, RunFacts, TurnsLeft};

pub use action::{Action, Input, TimedInput};
pub(crate) use approve::not_allowed;
pub(crate) use ending::estimated_tokens;
pub use state::Run;

impl Run {
    pub(crate) fn new(agent: Agent, data: Map, system: Arc<str>, setup: Setup) -> Result<Run, AgentError> {
        let definition = Arc::clone(&agent.definition);
        let scope = ptc_lisp::Value::Map(data.clone());
        let mut facts = RunFacts {
            mission: match definition.spec.output {
                OutputMode::PtcLisp => {
                    MissionExpander::expand_mission(&definition.spec.mission, &scope, definition.spec.mission_values)
                }
                _ => MissionExpander::expand_keep(&definition.spec.mission, &scope),
            },
            system,
            tools: family::tools_of(&agent, &setup),
            deadline: lower(setup.lineage.time, definition.spec.mission_timeout),
            data,
            shapes: OnceLock::new(),
            setup,
            kept: Memory::default(),
            said: Vec::new(),
            program: None,
        };
        let session = Session::new(session_options(&definition, &facts));
        if !session.left_out().is_empty() {
            return Err(AgentError::Omitted(session.left_out().to_vec()));
        }
        if let Some(refusal) = session.refusal() {
            return Err(AgentError::Foreign(refusal.message.clone()));
        }
        if definition.spec.grammar {
            // Definitions that are added later are left out when they do not fit.
            let returns = definition.spec.signature.as_ref().map(Signature::result);
            session.grammar(&GrammarOptions { returns, ..GrammarOptions::default() }).map_err(AgentError::Grammar)?;
        }
        facts.kept = session.memory();
        let progress = record::progress_of(&definition, &session, &IndexMap::new());
        let course = StrategyTimeline::new(&definition, &facts.setup)?;
        let history = ask::history(&agent, &facts, course.at(1), &progress);
        let retry = if definition.spec.output == OutputMode::PtcLisp { definition.spec.retry_turns } else { 0 };
        let left = TurnsLeft {
            work: definition.spec.max_turns,
            retry,
            budget: family::turn_budget(&definition.spec, &facts.setup.lineage),
        };
        Ok(Run {
            agent,
            facts,
            session,
            course,
            history,
            last_request: None,
            turns: Vec::new(),
            left,
            usage: RunUsage::default(),
            relief: relief::Relief::default(),
            requests_sent: 0,
            asked: 0,
            now: Duration::ZERO,
            phase: Phase::Fresh,
            checkpoint: None,
            last: (Vec::new(), Vec::new()),
            call_times: Vec::new(),
            kept: KeptAnswers::default(),
            uses: 0,
            summaries: IndexMap::new(),
            progress,
        })
    }

    /// Record an event and decide.
    ///
    /// An event that does not answer the last action ends the run with `internal_error`.
    pub fn next(&mut self, event: TimedInput) -> Action {
        self.now = self.now.max(event.at);
        match (std::mem::take(&mut self.phase), event.input) {
            (Phase::Over, _) => self.broken("the run is over"),
            (phase, Input::JournalFailed(problem)) => self.unjournaled(phase, None, &problem),
            (phase, Input::Unrecorded(happened, problem)) => self.unjournaled(phase, Some(*happened), &problem),
            (phase, Input::Poisoned(happened, starts)) => self.poisoned(phase, *happened, starts),
            (phase, Input::Diverged(problem)) => self.diverged(phase, &problem),
            (phase, Input::Cancel) => self.stop(phase, Vec::new()),
            (Phase::Asking(_), Input::CancelAfter(reply)) => {
                self.count(&reply);
                self.stop(Phase::Over, Vec::new())
            }
            (phase @ Phase::Calling(..), Input::Interrupted(results)) => self.stop(phase, results),
            (Phase::Fresh, Input::Begin) => self.begin(),
            (Phase::Asking(asking), Input::Reply(reply)) => self.replied(*asking, reply),
            (Phase::Running(answer), Input::Continue) => self.advance(*answer),
            (Phase::ApprovingProgram(answer), Input::Decisions(decisions)) if decisions.len() == 1 => {
                self.decided_program(*answer, decisions)
            }
            (Phase::ApprovingCalls(answer, batch), Input::Decisions(decisions))
                if self.count_marked(&batch) == decisions.len() =>
            {
                self.decided_calls(*answer, batch, decisions)
            }
            (Phase::Calling(answer, batch), Input::Results(results)) if batch.open().count() == results.len() => {
                self.answered(*answer, batch, results)
            }
            _ => self.broken("this event does not answer the last action"),
        }
    }
}

fn session_options(definition: &Definition, facts: &RunFacts) -> SessionOptions {
    SessionOptions {
        data: facts.data.clone(),
        data_types: definition.spec.signature.as_ref().map(Signature::params).unwrap_or_default().to_vec(),
        definitions: facts.setup.definitions.clone(),
        tools: facts.tools.to_vec(),
        tool_cache: facts.setup.tool_cache.clone(),
        limits: facts.limits(&definition.spec),
        seed: facts.setup.identity.seed,
        clock: Arc::clone(&facts.setup.identity.clock),
        tasks: facts.setup.tasks.clone(),
        float_precision: definition.spec.float_precision,
        history_max_bytes: definition.spec.format_options.history_max_bytes,
    }
}

#[cfg(test)]
mod tests;
