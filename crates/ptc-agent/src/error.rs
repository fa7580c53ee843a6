//! What can be wrong with an agent, its tools or its input, before the first request.

use ptc_compression::OverCeiling;
use ptc_lisp::signature::Finding;
use ptc_lisp::signature::SignatureError;
use ptc_lisp::{GrammarTooLong, Omitted};
use ptc_mission::SystemPromptError;
use ptc_transcript::JournalError;

use crate::approval::ApprovalTool;

/// Why an agent cannot be built or started. What goes wrong later is part of the step.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The signature does not parse.
    #[error("invalid signature: {0}")]
    InvalidSignature(SignatureError),
    /// A tool with a name that programs cannot write.
    #[error("invalid tool name '{0}': use letters, digits, `_`, `-`, `?` and `!`, starting with a letter or `_`")]
    InvalidToolName(String),
    /// A tool called `return` or `fail`.
    #[error("'{0}' is reserved and cannot name a tool")]
    ReservedToolName(String),
    /// Two tools of one name.
    #[error("two tools are named '{0}': rename one of them")]
    DuplicateTool(String),
    /// The value of an option breaks its rule.
    #[error("{0}")]
    Option(String),
    /// The system prompt names a language reference that does not exist.
    #[error("system_prompt: {0}")]
    SystemPrompt(SystemPromptError),
    /// The mission shows input that the signature does not declare.
    #[error("mission placeholders without a signature parameter: {}{}", braced(.names), meant(.nearest))]
    UncoveredPlaceholders {
        /// Dotted names, each once.
        names: Vec<String>,
        /// The parameter that is nearest to the first of them.
        nearest: Option<String>,
    },
    /// A tool that is the agent itself, of an agent that does not declare its inputs.
    #[error("a self tool requires a signature")]
    SelfToolWithoutSignature,
    /// An agent that cannot be called, since it has no name.
    #[error("an agent needs a name to serve as a tool")]
    ToolWithoutName,
    /// An agent without a description: models would not know its use.
    #[error("an agent needs a description to serve as a tool")]
    ToolWithoutDescription,
    /// A compiled agent whose program calls agents.
    #[error("a compiled agent that needs an LLM cannot serve as a tool")]
    CompiledNeedsLlm,
    /// A tool that asks a model no question.
    #[error("the mission of an LLM tool must not be empty")]
    EmptyLlmTool,
    /// A name that the registry of the run does not have.
    #[error("there is no LLM named '{name}' in the registry{}", listed(.known))]
    UnknownLlm {
        /// What was asked for.
        name: String,
        /// What the registry has.
        known: Vec<String>,
    },
    /// The previous agent does not return what this one takes.
    #[error("the next agent needs [{}], which the previous step does not return", .0.join(", "))]
    ChainKeys(Vec<String>),
    /// A grammar of programs, where the model writes something else as well.
    #[error("grammar excludes {0}: a grammar lets the model write a program and nothing else")]
    GrammarExcludes(&'static str),
    /// More tools and data than a grammar can hold.
    #[error("grammar: {0}")]
    Grammar(GrammarTooLong),
    /// The output is JSON, but no shape is given.
    #[error("json output needs a signature")]
    JsonNeedsSignature,
    /// Tools need the output mode of programs or of text.
    #[error("json output excludes tools")]
    JsonExcludesTools,
    /// Only what programs do can be compressed.
    #[error("{0} output excludes compression")]
    ExcludesCompression(&'static str),
    /// A token ceiling below what every request has, whatever the data.
    #[error("even without history, the request has {0}")]
    TokenCeiling(OverCeiling),
    /// A field of the result that the model may not see, although it has to write it.
    #[error("{mode} output cannot return hidden field {field}")]
    HiddenResult {
        /// The output mode.
        mode: &'static str,
        /// The field.
        field: String,
    },
    /// Inputs that the model would never see.
    #[error("{mode} output: parameters not used in the mission: [{}]", .names.join(", "))]
    UnusedParameters {
        /// The output mode.
        mode: &'static str,
        /// Their names, sorted.
        names: Vec<String>,
    },
    /// A hidden input in a mission that is filled with values.
    #[error("hidden input {{{{{0}}}}} cannot be embedded in a text mission")]
    HiddenInput(String),
    /// Sections of the mission and the signature do not match.
    #[error("{}", .0.join("; "))]
    Sections(Vec<String>),
    /// A step of the plan without a text.
    #[error("plan step {0} has no description")]
    PlanStep(String),
    /// Steps of the plan share an id.
    #[error("plan ids used twice: {}", .0.join(", "))]
    PlanIds(Vec<String>),
    /// A family of builtin tools that does not exist.
    #[error("unknown builtin tool family '{0}' (grep, history)")]
    UnknownToolFamily(String),
    /// A conversation repeats itself: only programs ask for earlier turns.
    #[error("builtin tool family 'history' needs programs: leave it out, or use output ptc_lisp")]
    HistoryNeedsPrograms,
    /// There is no model to ask.
    #[error("an LLM client is required")]
    LlmRequired,
    /// Tools must be approved, and the run has no approver.
    #[error("calls of {} need approval, but there is no approver: set `RunOptions::approval`", joined(.0, ", "))]
    ApproverRequired(Vec<ApprovalTool>),
    /// Programs must be approved, and the run has no approver.
    #[error("programs need approval, but there is no approver: set `RunOptions::approval`")]
    ProgramApproverRequired,
    /// The context is not a map, or cannot be written as JSON.
    #[error("the context must be a map of names to JSON values: {0}")]
    Context(String),
    /// An input does not have its declared type.
    #[error("the context does not fit the signature: {0}")]
    ContextType(Finding),
    /// Definitions that the run should start with but cannot read: it would lack them.
    #[error("cannot start with these definitions: {}; start without definitions, or with those of a run that still has them", joined(.0, "; "))]
    Omitted(Vec<Omitted>),
    /// Data, a task or a cached answer with a function or an atom of another session.
    #[error("cannot start with these values: {0}")]
    Foreign(String),
    /// A data key that the loop uses itself.
    #[error("data key '{0}' is reserved: programs read the last error there; give the entry another name")]
    ReservedDataKey(String),
    /// A journal that cannot be started or continued.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A strategy, a counter of tokens or another part of the run that panicked, and its message.
    #[error("a part of the run panicked before the first request: {0}")]
    Panicked(String),
    /// The blocking form cannot start its runtime.
    #[error("no runtime for a blocking run: {0}")]
    Runtime(String),
}

fn joined(items: &[impl ToString], separator: &str) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(separator)
}

fn listed(known: &[String]) -> String {
    if known.is_empty() { ": it is empty".to_owned() } else { format!("; it has {}", known.join(", ")) }
}

fn meant(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|name| format!("; did you mean {{{{{name}}}}}?")).unwrap_or_default()
}

fn braced(names: &[String]) -> String {
    names.iter().map(|name| format!("{{{{{name}}}}}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
