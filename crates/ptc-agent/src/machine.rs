//! One run of an agent as a state machine: it decides what to do next and leaves the doing to its caller.

mod approve;
mod ask;
mod call;
mod course;
mod ending;
mod execute;
mod family;
mod history;
mod json;
mod record;
mod spent;
mod texts;
mod using;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indexmap::IndexMap;
use ptc_chat::{LlmError, Message, OutputMode, Reply, Request};
use ptc_compression::{Dialogue, Estimate, History, TokenCounter};
use ptc_lisp::{Checkpoint, KeptAnswers, Map, Memory, Session, SessionOptions, ToolCall, ToolRecord, ToolResult};
use ptc_mission::{DataShapes, MissionExpander, join_sections};
use ptc_transcript::{CompressionRecord, CompressionUse, Decision, Fail, RunUsage, Step, Turn, TurnKind};

use crate::agent::{Agent, Definition};
use crate::approval::Approval;
use crate::drive::{Identity, RunOptions};
use crate::error::AgentError;
use crate::lineage::{Lineage, TurnBudget, lower};
use crate::spec::AgentSpec;
use ask::Asking;
use call::Batch;
use course::Course;
use execute::Answer;
pub(crate) use family::Start;
use family::turn_budget;

/// What happened since the last action, and when.
#[derive(Debug)]
pub struct Event {
    /// Time since the run began; never less than in the event before.
    pub at: Duration,
    /// What happened.
    pub input: Input,
}

/// The answer to an action.
#[derive(Debug)]
#[non_exhaustive]
pub enum Input {
    /// The first event.
    Begin,
    /// The model answered, or could not be asked: to [`Action::AskLlm`].
    Reply(Result<Reply, LlmError>),
    /// One result per call, in order: to [`Action::CallTools`].
    Results(Vec<ToolResult>),
    /// One decision for each id of [`Approval::ids`], in order: to [`Action::Approve`].
    Decisions(Vec<Decision>),
    /// Go on: to [`Action::Slice`].
    Continue,
    /// The caller wants to stop; allowed at any time. Calls under way are recorded as cancelled.
    Cancel,
    /// The caller wants to stop while calls are under way: one result per call, in order, failures for those that are
    /// not finished. To [`Action::CallTools`].
    Interrupted(Vec<ToolResult>),
    /// The journal could not be written, and why; allowed at any time.
    JournalFailed(String),
}

/// What the caller should do next.
#[derive(Debug)]
#[non_exhaustive]
pub enum Action {
    /// Wait for `delay`, then send the request to the model.
    AskLlm {
        /// What to send.
        request: Arc<Request>,
        /// How long to wait before; zero for first attempts.
        delay: Duration,
    },
    /// Make these calls, as many at once as you like. Time that passes counts for nothing but the deadline.
    CallTools {
        /// The calls, in order.
        calls: Vec<PendingCall>,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// Ask whether this may run. Time that passes counts for nothing but the deadline.
    Approve {
        /// What waits.
        waiting: Approval,
        /// Time until the deadline of the run.
        time_left: Option<Duration>,
    },
    /// A slice of the program is done: let others work, then go on.
    Slice,
    /// The run is over.
    Finish(Box<Step>),
}

/// A call that waits for its result.
#[derive(Debug, Clone)]
pub struct PendingCall {
    /// Run, turn and number of the call within the turn, `8c1f/2/1`: the same whenever this run is done again. Without
    /// [`RunOptions::run_id`] it begins with the turn.
    pub id: String,
    /// Who calls: how callers know the agents from the run that was started down to the one that calls, `["boss",
    /// "clerk"]`; empty for the run that was started.
    pub path: Arc<[String]>,
    /// The tool and its arguments.
    pub call: ToolCall,
}

/// A run: feed it events, do what it says.
///
/// It owns the session and the turns, but no clock, no model and no tools. `Send`, never waits, and spends at most one
/// slice of fuel per event.
///
/// ```
/// use std::time::Duration;
/// use ptc_agent::{Action, Agent, Context, Event, Input, RunOptions};
///
/// let agent = Agent::builder("Add one and two.").max_turns(1).build()?;
/// let mut run = agent.start(Context::default(), &RunOptions::default())?;
/// let mut at = |input| Event { at: Duration::ZERO, input };
/// assert!(matches!(run.next(at(Input::Begin)), Action::AskLlm { .. }));
/// let Action::Finish(step) = run.next(at(Input::Reply(Ok("(+ 1 2)".into())))) else { unreachable!() };
/// assert_eq!(step.value::<u32>().unwrap(), 3);
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
pub struct Run {
    agent: Agent,
    facts: Facts,
    session: Session,
    course: Course,
    history: History,
    /// The messages of the last request, when they are collected and a strategy wrote them.
    last_request: Option<Vec<Message>>,
    turns: Vec<Turn>,
    left: Left,
    usage: RunUsage,
    requests_sent: u64,
    /// Number of the turn that was asked for last.
    asked: usize,
    now: Duration,
    phase: Phase,
    /// Definitions before the running program, when they may have to come back.
    checkpoint: Option<Checkpoint>,
    /// What the last program printed and called.
    last: (Vec<String>, Vec<ToolRecord>),
    /// What programs that failed have read, for the next one.
    kept: KeptAnswers,
    /// Calls of tools that the model has asked for in text mode.
    uses: usize,
    /// What `step-done` said of steps, in good turns.
    summaries: IndexMap<String, String>,
    /// The checklist or the log of tasks as it stands after the last turn.
    progress: String,
}

/// What is fixed for the run.
struct Facts {
    mission: String,
    system: Arc<str>,
    data: Map,
    /// What the data looks like, once a request shows it.
    shapes: OnceLock<DataShapes>,
    tools: Arc<[ptc_lisp::ToolSpec]>,
    deadline: Option<Duration>,
    options: RunOptions,
    /// Of a run with a journal, what that says.
    identity: Identity,
    lineage: Lineage,
    /// Descriptions of data that came from the agent before.
    received: IndexMap<String, String>,
    /// Why the agent before has no answer.
    upstream: Option<Fail>,
    /// What is defined before the first turn.
    kept: Memory,
    /// What user and model said before this run, and what the user says now, in a conversation.
    said: Vec<Message>,
    /// The program to run instead of asking a model.
    program: Option<Arc<str>>,
}

/// What may still be spent.
struct Left {
    work: usize,
    retry: usize,
    budget: TurnBudget,
}

/// Where the run stands.
#[derive(Default)]
enum Phase {
    Fresh,
    Asking(Box<Asking>),
    Running(Box<Answer>),
    ApprovingProgram(Box<Answer>),
    ApprovingCalls(Box<Answer>, Batch),
    Calling(Box<Answer>, Batch),
    #[default]
    Over,
}

/// The size of a text, as runs without a ceiling count.
pub(crate) fn estimated_tokens(text: &str) -> u64 {
    u64::try_from(Estimate.count(text)).unwrap_or(u64::MAX)
}

impl Run {
    pub(crate) fn new(agent: Agent, data: Map, system: Arc<str>, start: Start<'_>) -> Result<Run, AgentError> {
        let definition = Arc::clone(&agent.definition);
        let Start { options, identity, lineage, received, upstream } = start;
        let scope = ptc_lisp::Value::Map(data.clone());
        let mut facts = Facts {
            mission: match definition.spec.output {
                OutputMode::PtcLisp => {
                    MissionExpander::expand_mission(&definition.spec.mission, &scope, definition.spec.mission_values)
                }
                _ => MissionExpander::expand_keep(&definition.spec.mission, &scope),
            },
            system,
            tools: family::tools_of(&agent, options),
            deadline: lower(lineage.time, definition.spec.mission_timeout),
            data,
            shapes: OnceLock::new(),
            options: options.clone(),
            identity,
            lineage,
            received,
            upstream,
            kept: Memory::default(),
            said: Vec::new(),
            program: None,
        };
        let mut session = Session::new(session_options(&definition, &facts));
        let left_out = session.take_up(&options.definitions);
        if !left_out.is_empty() {
            return Err(AgentError::LeftOut(left_out));
        }
        facts.kept = session.memory();
        let progress = record::progress_of(&definition, &session, &IndexMap::new());
        let course = Course::new(&definition, options)?;
        let history = ask::history(&agent, &facts, course.at(1), &progress);
        let retry = if definition.spec.output == OutputMode::PtcLisp { definition.spec.retry_turns } else { 0 };
        let left =
            Left { work: definition.spec.max_turns, retry, budget: turn_budget(&definition.spec, &facts.lineage) };
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
            requests_sent: 0,
            asked: 0,
            now: Duration::ZERO,
            phase: Phase::Fresh,
            checkpoint: None,
            last: (Vec::new(), Vec::new()),
            kept: KeptAnswers::default(),
            uses: 0,
            summaries: IndexMap::new(),
            progress,
        })
    }

    /// Take note of an event and decide.
    ///
    /// An event that does not answer the last action ends the run with `internal_error`.
    pub fn next(&mut self, event: Event) -> Action {
        self.now = self.now.max(event.at);
        match (std::mem::take(&mut self.phase), event.input) {
            (Phase::Over, _) => self.broken("the run is over"),
            (_, Input::JournalFailed(problem)) => self.unjournaled(&problem),
            (phase, Input::Cancel) => self.stop(phase, Vec::new()),
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

    /// Run this program as the only turn, without asking a model.
    pub(crate) fn follow(&mut self, program: Arc<str>) {
        self.facts.program = Some(program);
    }

    /// The mission as the model sees it.
    pub(crate) fn mission(&self) -> &str {
        &self.facts.mission
    }

    /// Descriptions of data that came from the agent before.
    pub(crate) fn received(&self) -> &IndexMap<String, String> {
        &self.facts.received
    }

    /// How the request of the first turn shows the history.
    pub(crate) fn compression(&self) -> CompressionRecord {
        self.course.at(1).to_record()
    }

    /// What the journal of a resumed run does not have yet of how its history is shown.
    pub(crate) fn compression_change(&self) -> Option<CompressionUse> {
        self.course.change()
    }

    /// The system text.
    pub(crate) fn system(&self) -> &str {
        &self.facts.system
    }

    /// Whether the provider is asked to cache what is repeated.
    pub(crate) fn caches(&self) -> bool {
        self.facts.options.spec.cache
    }

    /// Say `text` to the model as the next message of a conversation, instead of the mission alone, which begins it.
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

    /// What was said before the first answer, in a conversation.
    pub(crate) fn said(&self) -> &[Message] {
        &self.facts.said
    }

    pub(crate) fn data(&self) -> &Map {
        &self.facts.data
    }

    fn spec(&self) -> &AgentSpec {
        &self.agent.definition.spec
    }

    fn definition(&self) -> &Definition {
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

    fn time_left(&self) -> Option<Duration> {
        self.facts.deadline.map(|deadline| deadline.saturating_sub(self.now))
    }
}

fn session_options(definition: &Definition, facts: &Facts) -> SessionOptions {
    SessionOptions {
        data: facts.data.clone(),
        tools: facts.tools.to_vec(),
        tool_cache: facts.options.tool_cache.clone(),
        limits: facts.limits(&definition.spec),
        seed: facts.identity.seed,
        clock: Arc::clone(&facts.identity.clock),
        tasks: facts.options.tasks.clone(),
        float_precision: definition.spec.float_precision,
        history_max_bytes: definition.spec.format_options.history_max_bytes,
    }
}

#[cfg(test)]
mod tests;
