//! What a run tells its observers while it goes on.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{Message, OutputMode, Tokens};
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
    /// The run in which it happened: the id that the caller gave it, or one made up; of an agent that is called as a
    /// tool the id of that call.
    pub run: Arc<str>,
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
    /// What its model is asked to write.
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
    /// A run begins.
    RunStart {
        /// Who runs.
        agent: Arc<AgentSummary>,
        /// The input data as a map.
        context: Value,
    },
    /// A run ends, well or not.
    RunStop {
        /// From its start.
        duration: Duration,
        /// Its result.
        step: Arc<Step>,
    },
    /// A run broke down inside the library.
    RunException {
        /// From its start.
        duration: Duration,
        /// What happened.
        reason: String,
    },
    /// A turn begins.
    TurnStart {
        /// Its number, from 1.
        turn: usize,
        /// From which budget it is paid.
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
    /// A request goes out.
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
        /// The attempt, from 1: the pieces of one that fails belong to no answer.
        attempt: usize,
        /// The piece: behind those before it, what the model writes.
        text: String,
    },
    /// An answer or an error came back.
    LlmStop {
        /// From the request.
        duration: Duration,
        /// The turn it is for, from 1.
        turn: usize,
        /// What the provider counted.
        tokens: Option<Tokens>,
        /// The answer, or what went wrong.
        response: Result<String, String>,
    },
    /// Somebody is asked whether calls or a program may run.
    ApprovalStart {
        /// What waits: ids of calls such as `RUN/2/1`, or of a program, the number of its turn.
        ids: Vec<String>,
        /// The tools of these calls, one for each id; empty for a program.
        tools: Vec<Arc<str>>,
    },
    /// It is decided.
    ApprovalStop {
        /// From the question.
        duration: Duration,
        /// What was decided, by id, in order.
        decisions: Vec<(String, Decision)>,
    },
    /// A tool call begins.
    ToolStart {
        /// The tool.
        tool_name: Arc<str>,
        /// Its arguments.
        args: Value,
    },
    /// A tool tells about a call that goes on; its span is that of the call.
    ToolNotice {
        /// The tool.
        tool_name: Arc<str>,
        /// What it tells.
        notice: ToolNotice,
    },
    /// A tool call ends well.
    ToolStop {
        /// From its start.
        duration: Duration,
        /// The tool.
        tool_name: Arc<str>,
        /// Its answer.
        result: Value,
    },
    /// A tool call fails.
    ToolException {
        /// From its start.
        duration: Duration,
        /// The tool.
        tool_name: Arc<str>,
        /// What went wrong.
        reason: String,
    },
}

impl EventKind {
    /// Whether it happens inside of a span, which it neither begins nor ends.
    pub fn is_inside(&self) -> bool {
        matches!(self, EventKind::LlmChunk { .. } | EventKind::ToolNotice { .. })
    }

    /// The name of the event behind the prefix `ptc_runner.sub_agent.`, such as `llm.stop`.
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

/// Looks at a run while it goes on. Called in order; it should return quickly, and a panic in it does not stop the run.
pub trait Observer: Send + Sync {
    /// Take notice of one event.
    fn on_event(&self, event: &Event);
}

impl<F: Fn(&Event) + Send + Sync> Observer for F {
    fn on_event(&self, event: &Event) {
        self(event);
    }
}
