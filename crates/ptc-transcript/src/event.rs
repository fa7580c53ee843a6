//! What a run reports to its observers while it runs.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{LlmError, Message, OutputMode, Tokens};
use ptc_lisp::{ToolNotice, Value};
use serde::Serialize;

use crate::decision::Decision;
use crate::step::Step;
use crate::turn::{Turn, TurnKind};

/// Identifies a span of a run; shown as 8 hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpanId(pub u32);

impl fmt::Display for SpanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// Something that happened, with its place in the tree run ⊃ turn ⊃ model call or tool call.
#[derive(Debug, Clone)]
pub struct Event {
    /// The run in which it happened: the id that the caller gave it, or a generated one; for an agent called as a tool,
    /// the id of that call.
    pub run: Arc<str>,
    /// The name of the agent that runs, if it has one. Events of an agent that was called as a tool are told from those of
    /// its caller by `run`.
    pub agent: Option<Arc<str>>,
    /// The span that starts, stops or fails.
    pub span: SpanId,
    /// The span it is part of; of a child run the tool span that called it.
    pub parent: Option<SpanId>,
    /// What happened.
    pub kind: EventKind,
}

/// The few facts about an agent that events carry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AgentSummary {
    /// Its label.
    pub name: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// The output mode of its model.
    pub output: OutputMode,
    /// Its work turns.
    pub max_turns: usize,
    /// Names of its tools.
    pub tool_names: Vec<String>,
}

/// The kinds of events. Durations are wall time.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum EventKind {
    /// A run starts.
    RunStart {
        /// The agent.
        agent: Arc<AgentSummary>,
        /// The input data as a map.
        context: Value,
    },
    /// A run ends, with or without an answer.
    RunStop {
        /// From its start.
        duration: Duration,
        /// Its result.
        step: Arc<Step>,
    },
    /// A run failed inside the library.
    RunException {
        /// From its start.
        duration: Duration,
        /// What happened.
        reason: String,
    },
    /// A turn starts.
    TurnStart {
        /// Its number, from 1.
        turn: usize,
        /// The budget that pays for it.
        kind: TurnKind,
        /// Tools offered to the model; 0 on turns that must finish.
        tools_count: usize,
    },
    /// A turn is over.
    TurnStop {
        /// From its start.
        duration: Duration,
        /// Its number, from 1.
        turn: usize,
        /// Its record; `None` when the model could not be asked.
        record: Option<Turn>,
    },
    /// A request is sent.
    LlmStart {
        /// The turn it is for, from 1.
        turn: usize,
        /// The attempt, from 1.
        attempt: usize,
        /// The messages.
        messages: Arc<Vec<Message>>,
        /// The system text, on the first turn only.
        system: Option<Arc<str>>,
        /// Name of the model.
        model: String,
    },
    /// A piece of the answer arrived, where the run is [streamed]; its span is that of the request.
    ///
    /// [streamed]: https://docs.rs/ptc-agent/latest/ptc_agent/struct.RunOptions.html#structfield.stream
    LlmChunk {
        /// The turn it is for, from 1.
        turn: usize,
        /// The attempt, from 1: the pieces of a failed attempt belong to no answer.
        attempt: usize,
        /// The piece: appended to those before it, the text of the model.
        text: String,
    },
    /// An answer or an error arrived.
    LlmStop {
        /// From the request.
        duration: Duration,
        /// The turn it is for, from 1.
        turn: usize,
        /// Name of the model.
        model: String,
        /// Whether the model was asked; `false` when the journal of a resumed run had the answer.
        is_new: bool,
        /// The token counts of the provider.
        tokens: Option<Tokens>,
        /// The answer, or what went wrong.
        response: Result<String, LlmError>,
    },
    /// Calls or a program wait for approval.
    ApprovalStart {
        /// What waits: ids of calls such as `RUN/2/1`, or of a program, the number of its turn.
        ids: Vec<String>,
        /// The tools of these calls, one per id; empty for a program.
        tools: Vec<Arc<str>>,
    },
    /// The decision arrived.
    ApprovalStop {
        /// From the question.
        duration: Duration,
        /// What was decided, by id, in order.
        decisions: Vec<(String, Decision)>,
    },
    /// A tool call starts. Calls that are answered from a cache or from a failed turn have no events; the record in
    /// [`EventKind::TurnStop`] has all calls.
    ToolStart {
        /// The tool.
        tool_name: Arc<str>,
        /// Its arguments as sent, with strings as keys; [`ToolRecord::surface`](ptc_lisp::ToolRecord) has them as the
        /// program wrote them.
        args: Value,
    },
    /// A tool reports on a call in progress; its span is that of the call.
    ToolNotice {
        /// The tool.
        tool_name: Arc<str>,
        /// The report.
        notice: ToolNotice,
    },
    /// A tool call succeeds.
    ToolStop {
        /// From its start.
        duration: Duration,
        /// The tool.
        tool_name: Arc<str>,
        /// Whether the tool was called; `false` when the journal of a resumed run had the result.
        is_new: bool,
        /// Its answer.
        result: Value,
    },
    /// A tool call fails.
    ToolException {
        /// From its start.
        duration: Duration,
        /// The tool.
        tool_name: Arc<str>,
        /// Whether the tool was called; `false` when the journal of a resumed run had the result.
        is_new: bool,
        /// What went wrong.
        reason: String,
    },
}

impl EventKind {
    /// Whether it happens inside a span, without starting or ending it.
    pub fn is_inside(&self) -> bool {
        matches!(self, EventKind::LlmChunk { .. } | EventKind::ToolNotice { .. })
    }

    /// The name of the event in trace logs, such as `llm.stop`.
    pub fn name(&self) -> &'static str {
        match self {
            EventKind::RunStart { .. } => "run.start",
            EventKind::RunStop { .. } => "run.stop",
            EventKind::RunException { .. } => "run.exception",
            EventKind::TurnStart { .. } => "turn.start",
            EventKind::TurnStop { .. } => "turn.stop",
            EventKind::LlmStart { .. } => "llm.start",
            EventKind::LlmChunk { .. } => "llm.chunk",
            EventKind::LlmStop { .. } => "llm.stop",
            EventKind::ApprovalStart { .. } => "approval.start",
            EventKind::ApprovalStop { .. } => "approval.stop",
            EventKind::ToolStart { .. } => "tool.start",
            EventKind::ToolNotice { notice: ToolNotice::ToolsChanged { .. }, .. } => "tool.changed",
            EventKind::ToolNotice { .. } => "tool.progress",
            EventKind::ToolStop { .. } => "tool.stop",
            EventKind::ToolException { .. } => "tool.exception",
        }
    }
}

/// Observes a run while it runs. Called in order; it should return quickly, and a panic in it does not stop the run.
pub trait Observer: Send + Sync {
    /// Receive one event.
    fn on_event(&self, event: &Event);
}

impl<F: Fn(&Event) + Send + Sync> Observer for F {
    fn on_event(&self, event: &Event) {
        self(event);
    }
}
