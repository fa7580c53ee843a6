//! The record of an agent run: turns, the step at its end, its usage, and its events.
//!
//! A [`Turn`] is immutable and created by [`Turn::success`] or [`Turn::failure`]; a [`Step`] collects the turns and
//! says how the run ended. [`TurnJson`] and [`StepJson`] are both as JSON, with a version.
//!
//! ```
//! use ptc_lisp::Value;
//! use ptc_transcript::{EndingKind, Step, StepJson, Turn, TurnFields, ValueForm};
//!
//! let turn = Turn::success(TurnFields { program: Some("(return 4)".into()), ..TurnFields::new(1, "(return 4)", Value::Int(4)) });
//! let mut step = Step::returned(EndingKind::Return, Value::Int(4));
//! step.turns = Some(vec![turn]);
//! assert_eq!(step.value::<u32>()?, 4);
//! assert_eq!(StepJson::new(&step, ValueForm::Plain).to_json()["ending"], "return");
//! # Ok::<(), ptc_transcript::RunFailure>(())
//! ```

#![forbid(unsafe_code)]

mod bounds;
mod compression;
mod decision;
mod event;
mod fail;
mod journal;
mod json;
mod step;
mod turn;
mod usage;

pub use bounds::{Excess, MAX_RECORD_BYTES, check_bounds, is_record_head, read_record, read_record_head};
pub use compression::{CompressionOptions, CompressionRecord, CompressionUse};
pub use decision::Decision;
pub use event::{AgentSummary, Event, EventKind, Observer, SpanId};
pub use fail::{Fail, FailKind, FailReason};
pub use journal::{
    Answer, CallEnd, CallOutcome, CallStart, ChangedSetting, Damage, Decided, DecisionRecord, DecisionsRecord,
    EndRecord, JOURNAL_VERSION, Journal, JournalError, JournalFile, JournalFileError, JournalHeader, JournalLines,
    JournalRecord, JournalStart, JournalSubject, JournalWriter, MessageRecord, NoticeKind, NoticeRecord, Recorded,
    RecordedCall, ReplyRecord, RequestRecord, TurnRecord, fingerprint, journal_answers, journal_events,
    journal_requests, read_undamaged,
};
pub use json::{
    CachedCallJson, FORMAT_VERSION, FailJson, MemoryEntryJson, ReadError, StepJson, ToolRecordJson, ToolSpecJson,
    TurnJson, ValueForm, json_of, typed_json, typed_value, value_of, without_hidden,
};
pub use ptc_chat::{lock_private, private_file, private_folder};
pub use step::{EndingKind, RunFailure, Step};
pub use turn::{FailurePlace, Turn, TurnFields, TurnKind, TurnWarning, failure_value};
pub use usage::{CompressionStats, RequestEstimate, RunUsage, Spent};
