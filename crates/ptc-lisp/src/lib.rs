//! PTC-Lisp: Clojure over immutable data, for programs that a language model writes.

mod analyze;
mod contract;
mod error;
mod eval;
mod host;
mod limits;
mod memory;
mod meter;
mod nearest;
mod outcome;
mod pace;
mod parse;
mod program;
mod reference;
mod session;
mod span;
mod stdlib;
mod value;
mod warning;

#[cfg(feature = "testing")]
pub use analyze::wrap::IDENTITY_TOOL;
pub use contract::{ExtraFields, Finding, InputChecks, PathStep, ToolArguments, coerce, fold_keys, validate};
pub use error::{Error, Reason};
pub use eval::context::{Clock, SystemClock};
pub use host::{BoxFuture, CachedCall, Effect, KeptAnswers, Tool, ToolAnswer, ToolCall, ToolFailure, ToolRecord, ToolResult, ToolSpec};
pub use limits::Limits;
pub use memory::stored::{LeftOut, StoredMemory, StoredMemoryError};
pub use memory::{Memory, MemoryEntry};
pub use meter::Meter;
pub use outcome::{Ending, Outcome, ParallelForm, ParallelRecord, Problem, Usage, problems_text};
pub use parse::{is_invisible, leading_forms};
#[cfg(feature = "testing")]
pub use program::phases::{Phases, ReadProgram};
pub use reference::{ReferenceEntry, ReferenceKind, UnknownName, look_up, reference};
pub use session::{Checkpoint, Definitions, Progress, Session, SessionOptions};
pub use span::{Position, Span, position};
pub use stdlib::{Builtin, Family, Force, families};
pub use value::*;
pub use warning::{Warning, WarningCode};
