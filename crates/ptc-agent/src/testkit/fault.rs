//! What can go wrong.

/// What goes wrong in one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fault {
    /// The model answers after up to 5 s.
    LateReply,
    /// The model never answers.
    NoReply,
    /// The client of the model gives up: `timeout`.
    ReplyTimeout,
    /// HTTP 429.
    RateLimit,
    /// HTTP 429 with a time to wait.
    RetryAfter,
    /// HTTP 500.
    ServerError,
    /// No connection.
    Unreachable,
    /// The connection breaks in the middle of a streamed answer.
    BrokenStream,
    /// The model refuses.
    Refusal,
    /// Half of an answer, stopped by the limit of output tokens.
    CutReply,
    /// Text without a program.
    NoProgram,
    /// A fence that is never closed, around half a program.
    HalfFence,
    /// More than one program.
    TwoPrograms,
    /// Nothing but blanks.
    EmptyReply,
    /// A program with half a surrogate pair.
    LoneSurrogate,
    /// Calls of tools that do not exist, with arguments that are not JSON.
    WrongCalls,
    /// Token counts as large as numbers go.
    AbsurdTokens,
    /// The client of the model panics.
    ModelPanic,
    /// The tool starts after up to 5 s.
    LateCall,
    /// The tool never ends, and does nothing.
    NoAnswer,
    /// The tool does its work and never ends.
    HungAfter,
    /// The tool does its work after the caller has given up.
    LateEffect,
    /// The tool fails before it does anything, and says so.
    ToolError,
    /// The tool does its work and the answer is lost.
    LostAnswer,
    /// The tool does its work and answers with another type.
    WrongAnswer,
    /// The tool panics before it does anything.
    PanicBefore,
    /// The tool panics after its work.
    PanicAfter,
    /// The approver denies.
    Denied,
    /// No decision comes back.
    NoDecision,
    /// More decisions come back than were asked for.
    MoreDecisions,
    /// The arguments are changed to something other than a map.
    BadEdit,
    /// The decision takes up to 5 s.
    LateDecision,
    /// The approver never decides.
    NobodyDecides,
    /// The approver panics.
    ApproverPanic,
    /// The disk is full: nothing of a record is written.
    DiskFull,
    /// Half of a record is written.
    TornWrite,
    /// What was written may not be on the disk.
    SyncFailed,
    /// The journal panics.
    JournalPanic,
    /// An observer panics.
    ObserverPanic,
    /// The function that receives pieces of the answer panics.
    ChunkPanic,
    /// A compression strategy panics.
    StrategyPanic,
    /// A counter of tokens panics.
    CounterPanic,
}

impl Fault {
    /// Faults of a model.
    pub(super) const OF_MODELS: &[Fault] = &[
        Fault::LateReply,
        Fault::NoReply,
        Fault::ReplyTimeout,
        Fault::RateLimit,
        Fault::RetryAfter,
        Fault::ServerError,
        Fault::Unreachable,
        Fault::BrokenStream,
        Fault::Refusal,
        Fault::CutReply,
        Fault::NoProgram,
        Fault::HalfFence,
        Fault::TwoPrograms,
        Fault::EmptyReply,
        Fault::LoneSurrogate,
        Fault::WrongCalls,
        Fault::AbsurdTokens,
        Fault::ModelPanic,
    ];

    /// Faults of a tool.
    pub(super) const OF_TOOLS: &[Fault] = &[
        Fault::LateCall,
        Fault::NoAnswer,
        Fault::HungAfter,
        Fault::LateEffect,
        Fault::ToolError,
        Fault::LostAnswer,
        Fault::WrongAnswer,
        Fault::PanicBefore,
        Fault::PanicAfter,
    ];

    /// Faults of an approver.
    pub(super) const OF_APPROVERS: &[Fault] = &[
        Fault::Denied,
        Fault::NoDecision,
        Fault::MoreDecisions,
        Fault::BadEdit,
        Fault::LateDecision,
        Fault::NobodyDecides,
        Fault::ApproverPanic,
    ];

    /// Faults of journals, observers, callbacks, strategies and counters.
    const OF_OTHERS: &[Fault] = &[
        Fault::DiskFull,
        Fault::TornWrite,
        Fault::SyncFailed,
        Fault::JournalPanic,
        Fault::ObserverPanic,
        Fault::ChunkPanic,
        Fault::StrategyPanic,
        Fault::CounterPanic,
    ];

    /// All kinds, in their order.
    pub fn all() -> impl Iterator<Item = Fault> {
        [Fault::OF_MODELS, Fault::OF_TOOLS, Fault::OF_APPROVERS, Fault::OF_OTHERS].into_iter().flatten().copied()
    }
}
