//! The state of a run.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{Message, Reply, Request};
use ptc_compression::words::DataShapes;
use ptc_compression::{Dialogue, History};
use ptc_lisp::{CallTime, Checkpoint, KeptAnswers, Map, Memory, Session, ToolCall, ToolRecord, ToolResult, Value};
use ptc_mission::join_sections;
use ptc_transcript::{RunUsage, Turn, TurnKind};

use super::course::StrategyTimeline;
use super::lineage::TurnBudget;
use super::relief::Relief;
use super::setup::Setup;
use crate::agent::{Agent, Definition};
use crate::spec::AgentSpec;

/// A run: feed it events, do what it says.
///
/// It owns the session and the turns, but no clock, no model and no tools. `Send`, never waits, and spends at most one
/// slice of fuel per event.
///
/// ```
/// use std::time::Duration;
/// use ptc_agent::{Action, Agent, TimedInput, Input, RunOptions};
///
/// let agent = Agent::builder("Add one and two.").max_turns(1).build()?;
/// let mut run = agent.start((), &RunOptions::default())?;
/// let mut at = |input| TimedInput { at: Duration::ZERO, input };
/// assert!(matches!(run.next(at(Input::Begin)), Action::AskLlm { .. }));
/// let Action::Finish(step) = run.next(at(Input::Reply(Ok("(+ 1 2)".into())))) else { unreachable!() };
/// assert_eq!(step.value::<u32>().unwrap(), 3);
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
pub struct Run {
    pub(super) agent: Agent,
    pub(crate) facts: RunFacts,
    pub(super) session: Session,
    pub(crate) course: StrategyTimeline,
    pub(super) history: History,
    /// The messages of the last request, when they are collected and a strategy wrote them.
    pub(super) last_request: Option<Vec<Message>>,
    pub(super) turns: Vec<Turn>,
    pub(super) left: TurnsLeft,
    pub(super) usage: RunUsage,
    /// What requests change of the model options.
    pub(super) relief: Relief,
    pub(super) requests_sent: u64,
    /// Number of the turn that was asked for last.
    pub(super) asked: usize,
    pub(super) now: Duration,
    pub(super) phase: Phase,
    /// Definitions before the running program, if they may have to be restored.
    pub(super) checkpoint: Option<Checkpoint>,
    /// What the last program printed and called.
    pub(super) last: (Vec<String>, Vec<ToolRecord>),
    /// When the calls answered next were made, by their numbers: for their records only.
    pub(crate) call_times: Vec<(u64, CallTime)>,
    /// What programs that failed have read, for the next one.
    pub(super) kept: KeptAnswers,
    /// Calls of tools that the model has asked for in text mode.
    pub(super) uses: usize,
    /// What `step-done` said about steps, in good turns.
    pub(super) summaries: IndexMap<String, String>,
    /// The checklist or the log of tasks after the last turn.
    pub(super) progress: String,
}

/// What is fixed for the run.
pub(crate) struct RunFacts {
    pub mission: String,
    pub system: Arc<str>,
    pub data: Map,
    /// What the data looks like, once a request shows it.
    pub shapes: OnceLock<DataShapes>,
    pub tools: Arc<[ptc_lisp::ToolSpec]>,
    pub deadline: Option<Duration>,
    pub setup: Setup,
    /// What is defined before the first turn.
    pub kept: Memory,
    /// What user and model said before this run, and what the user says now, in a conversation.
    pub said: Vec<Message>,
    /// The program to run instead of asking a model.
    pub program: Option<Arc<str>>,
}

/// What may still be spent.
pub(super) struct TurnsLeft {
    pub(super) work: usize,
    pub(super) retry: usize,
    pub(super) budget: TurnBudget,
}

/// The state of the run.
#[derive(Default)]
pub(super) enum Phase {
    Fresh,
    Asking(Box<Asking>),
    Running(Box<Answer>),
    ApprovingProgram(Box<Answer>),
    ApprovingCalls(Box<Answer>, Batch),
    Calling(Box<Answer>, Batch),
    #[default]
    Over,
}

/// A request that waits for its answer.
pub(super) struct Asking {
    pub request: Arc<Request>,
    /// When the turn started.
    pub since: Duration,
    /// When the request is sent.
    pub due: Duration,
    pub kind: TurnKind,
    /// How far the run had come, as the request says.
    pub progress: String,
}

/// An answer whose program runs.
pub(super) struct Answer {
    pub reply: Reply,
    pub program: Option<String>,
    pub asking: Asking,
    /// Interpreter time that it may take.
    pub time: Duration,
}

/// Calls that are answered together.
pub(super) struct Batch {
    pub calls: Vec<Awaited>,
    pub caller: Caller,
}

/// What waits for the answers.
#[derive(Clone, Copy)]
pub(super) enum Caller {
    /// A program, which continues with them.
    Program,
    /// A model that asked for tools in text mode, which reads them.
    Model(RequestStart),
}

/// When a model asked: time of the run, and of the clock.
#[derive(Clone, Copy)]
pub(super) struct RequestStart {
    pub since: Duration,
    pub started_micros: i64,
}

/// One of the calls.
pub(super) struct Awaited {
    pub call: ToolCall,
    pub given: KnownAnswer,
    /// Whether the approver changed its arguments.
    pub edited: bool,
}

/// What is known about an answer.
pub(super) enum KnownAnswer {
    /// The call is still to be made.
    Nothing,
    /// It has its result without being made.
    Result(ToolResult),
    /// An equal call was answered before: a call of a failed program, or of the model.
    Kept(Value),
}

impl Awaited {
    pub fn new(call: ToolCall, given: KnownAnswer) -> Awaited {
        Awaited { call, given, edited: false }
    }

    pub fn is_open(&self) -> bool {
        matches!(self.given, KnownAnswer::Nothing)
    }
}

impl Batch {
    /// The calls that are still to be made.
    pub fn open(&self) -> impl Iterator<Item = &ToolCall> {
        self.calls.iter().filter(|awaited| awaited.is_open()).map(|awaited| &awaited.call)
    }
}

impl Run {
    /// The turns so far.
    #[must_use]
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The agent that runs.
    #[must_use]
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Say `text` to the model as the next message of a conversation, instead of the mission alone, which starts it.
    pub(crate) fn converse(&mut self, before: Vec<Message>, text: &str) {
        let mission = if before.is_empty() {
            join_sections([self.facts.mission.as_str(), text].map(Some))
        } else {
            text.to_owned()
        };
        let dialogue = Dialogue::after(before, &mission);
        self.facts.said = dialogue.messages().to_vec();
        self.facts.mission = mission;
        if let Some(begun) = self.history.dialogue_mut() {
            *begun = dialogue;
        }
    }

    /// The session of its programs.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// The same, for programs that do not come from a model.
    pub(crate) fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub(super) fn spec(&self) -> &AgentSpec {
        &self.agent.definition.spec
    }

    pub(super) fn definition(&self) -> &Definition {
        &self.agent.definition
    }

    /// From which budget the coming turn is paid.
    pub(crate) fn kind(&self) -> TurnKind {
        match self.left.work {
            0 => TurnKind::Retry,
            1 => TurnKind::MustReturn,
            _ => TurnKind::Normal,
        }
    }

    pub(super) fn time_left(&self) -> Option<Duration> {
        self.facts.deadline.map(|deadline| deadline.saturating_sub(self.now))
    }
}
