//! PTC-Lisp: Clojure over immutable data, for programs that a language model writes.
//!
//! A host gives a [`Session`] data, tools and limits, and runs programs in it. A program sees nothing else: no file, no
//! network, no clock but the host's. Its definitions stay for later programs. Here is a small host, step by step.
//!
//! # Data in, a value out
//!
//! What is under a key of the data is `data/key` in programs. It is shared with the host and never copied. Data from
//! [`Value::from_json_str`], [`Value::from_json`], [`to_value`] or [`Import::uncounted`] does not count towards the memory
//! limit.
//!
//! ```
//! use ptc_lisp::{Session, SessionOptions, Value, from_value, no_tools};
//!
//! let json = r#"{"orders": [{"item": "tea", "cents": 350}, {"item": "cup", "cents": 1200}]}"#;
//! let Ok(Value::Map(data)) = Value::from_json_str(json) else { panic!("an object") };
//! let mut session = Session::new(SessionOptions { data, ..SessionOptions::default() });
//!
//! let program = "(def total (reduce + (map :cents data/orders)))  {:total total :most (apply max-key :cents data/orders)}";
//! let value = session.run(program, &mut no_tools).into_result()?;
//! assert_eq!(value.to_string(), r#"{:total 1550 :most {:item "cup" :cents 1200}}"#);
//!
//! // Definitions stay for the next program.
//! let value = session.run("(inc total)", &mut no_tools).into_result()?;
//! assert_eq!(from_value::<u32>(&value)?, 1551);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What went wrong, in words that help to repair it
//!
//! A program that is refused by the check, or stopped by an error, ends with [`Problem`]s: what was found, where, and what
//! to write instead. Up to five are found before anything runs, so before any effect. `(fail v)` ends with its value and
//! no problem: [`Outcome::into_result`] covers both.
//!
//! ```
//! use ptc_lisp::{Session, SessionOptions, no_tools, problems_text};
//!
//! let mut session = Session::new(SessionOptions::default());
//! let outcome = session.run("(reduce + (map :cents [{:cents 1}]))\n(filtr odd? [1 2])", &mut no_tools);
//! assert!(outcome.value().is_none());
//! assert!(problems_text(outcome.problems()).contains("filter"));
//! ```
//!
//! # Tools: the program waits, the host does not
//!
//! A call of `tool/name` stops the machine. [`Session::advance`] returns the call, the host answers when it can, and
//! the program continues where it was. A waiting session is a value that can be kept or dropped. [`Session::run`] does
//! the same with a function that answers at once, such as [`FnTools`] of functions of Rust.
//!
//! ```
//! use ptc_lisp::{Progress, Session, SessionOptions, ToolSpec, Value};
//!
//! let tools = vec![ToolSpec::new("price").description("Cents for an item")];
//! let mut session = Session::new(SessionOptions { tools, ..SessionOptions::default() });
//! session.start(r#"(+ 50 (tool/price {:item "tea"}))"#);
//! let outcome = loop {
//!     match session.advance(None) {
//!         // Here a host would start the call and come back later.
//!         Progress::Calls(calls) => session.answer(calls.iter().map(|call| {
//!             assert_eq!(&*call.name, "price");
//!             Ok(Value::Int(350))
//!         }).collect()),
//!         Progress::Slice => {}
//!         Progress::Done(outcome) => break outcome,
//!     }
//! };
//! assert!(matches!(outcome.value(), Some(Value::Int(400))));
//! assert_eq!(outcome.tool_calls.len(), 1);
//! ```
//!
//! # Limits that no program can catch
//!
//! [`Limits`] bound work (fuel), live memory, time, nesting and output. They hold inside every builtin, and `try` does
//! not see them.
//!
//! ```
//! use ptc_lisp::{Limits, Reason, Session, SessionOptions, no_tools};
//!
//! let limits = Limits { fuel: 100_000, ..Limits::default() };
//! let mut session = Session::new(SessionOptions { limits, ..SessionOptions::default() });
//! let outcome = session.run("(try (loop [] (recur)) (catch Exception e :caught))", &mut no_tools);
//! assert_eq!(outcome.problems().first().map(|problem| problem.reason), Some(Reason::FuelExceeded));
//! ```
//!
//! # Where to go next
//!
//! * [`Session`]: turns, checkpoints, storing and restoring memory ([`StoredMemory`]).
//! * [`Program`] and [`Session::call`]: a program that is compiled once, and its functions called from Rust.
//! * [`Problem::snippet`]: where a function failed, with its line, also in an earlier program.
//! * [`Session::effects`]: which tools a program can reach and how often, before it runs.
//! * [`Value`]: the values programs compute with, as text ([`text::format()`]) and as JSON
//!   ([`Value::to_json`], [`values::to_tagged`]).
//! * [`reference`](fn@reference): every builtin and form with its parameters, its doc and examples that run as tests.
//! * [The machine](https://github.com/ptc-runner/ptc-runner/blob/main/docs/machine.md): how a program is run.

#![cfg_attr(
    test,
    allow(
        clippy::disallowed_macros,
        clippy::disallowed_methods,
        clippy::disallowed_types,
        reason = "tests measure, tell, and use small stacks"
    )
)]
#![forbid(unsafe_code)]

mod analyze;
mod bits;
mod calendar;
mod effects;
mod error;
mod escape;
mod eval;
mod fields;
mod formatter;
mod grammar;
mod index;
mod limits;
mod named;
mod optimize;
mod parse;
mod reference;
mod session;
pub mod signature;
mod split_mix;
mod stdlib;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(all(test, not(feature = "testing")))]
mod testing;
mod value;

pub use effects::{CallBound, EffectSummary, ToolReach};
pub use error::warning::{Warning, WarningCode};
pub use error::{Error, Exception, Reason};
pub use eval::context::{Clock, SystemClock};
pub use grammar::{Grammar, GrammarOptions, GrammarTooLong, MAX_GRAMMAR_BYTES};
pub use limits::Limits;
pub use limits::meter::Meter;
pub use reference::{ReferenceEntry, ReferenceKind, UnknownName, look_up, reference};
pub use session::fields::{HiddenFields, ShownNames};
pub use session::frames::Frame;
pub use session::host::{
    BoxFuture, CachedCall, CallTime, Effect, FnTools, KeptAnswers, OnNotice, Tool, ToolAnswer, ToolCall, ToolError,
    ToolNotice, ToolRecord, ToolResult, ToolSpec, no_tools,
};
pub use session::memory::stored::{Omitted, StoredMemory, StoredMemoryError};
pub use session::memory::{Memory, MemoryEntry};
pub use session::outcome::{
    Ending, Outcome, ParallelForm, ParallelRecord, Problem, ProgramError, Usage, problems_text,
};
pub use session::{Arguments, Checkpoint, Definitions, Function, Program, Progress, Session, SessionOptions};
pub use split_mix::SplitMix64;
pub use stdlib::{Builtin, Family, Force, families};
pub use value::{Import, Map, Name, Set, Text, Value, Vector, from_value, to_value};

/// Programs as text: their tokens and forms, places in them, and the usual layout.
pub mod syntax {
    pub use crate::formatter::formatted;
    pub use crate::parse::span::{Position, Span, position};
    pub use crate::parse::{Token, TokenKind, defines, is_unfinished, leading_forms, tokens};
}

/// Values and other texts as people and models read them: printed, shortened, escaped, and with the word that was meant.
pub mod text {
    pub use crate::error::advice::nearest;
    pub use crate::parse::is_invisible;
    pub use crate::value::{
        Fitted, FormatOptions, Formatted, display_text, escaped, escaped_lines, fair_share, fitted, format,
        format_lines, format_with, format_within, format_within_with, one_line, print_float, printed, shortened,
        shortened_counted, shortest_float, write_formatted,
    };
}

/// What values are made of, and their JSON: for hosts that look into them.
pub mod values {
    pub use crate::session::memory::stored::json_depth;
    pub use crate::value::{
        BuiltinId, CellKind, CellRef, Cells, Closure, Elements, Entries, InZone, LazySeq, MAX_NESTING, NoCells,
        NoPeriod, NoRestore, Pattern, Period, Realised, Reduced, Restore, RowKeys, SortedEntries, TIME_KINDS,
        TaggedError, TaggedFunction, Temporal, YearMonth, compare_numbers, from_tagged, key_name, key_text,
        time_from_tag, to_json, to_tagged, type_keyword, type_of, writable_levels,
    };
}
