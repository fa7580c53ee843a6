//! How the history of a run becomes the messages of the next request.
//!
//! A [`Compression`] is a pure function from turns and memory to messages; [`SingleUserCoalesced`] is the one that `true`
//! means, next to [`Digest`], [`RollingWindow`], [`PerTurnSummary`], [`Aggressive`] and [`AppendOnly`]. [`Ceiling`] keeps
//! the requests of any of them below a number of tokens. [`PlainHistory`] is the dialogue without compression, and
//! [`Redactor`] keeps hidden values out of both. [`History`] combines all of it: turns go in, the next request comes
//! out.
//!
//! ```
//! use ptc_compression::{Compression, CompressionConfig, RenderInput};
//! use ptc_lisp::{Map, Memory};
//!
//! let strategy = CompressionConfig::from(true).strategy().unwrap();
//! let data = Map::new();
//! let input = RenderInput { turns_left: 5, ..RenderInput::new("Add one and two.", &data) };
//! let rendered = strategy.to_messages(&[], &Memory::default(), &input);
//! assert_eq!(rendered.messages[0].content(), "Add one and two.\n\n;; No tool calls made\n\nTurns left: 5");
//! assert_eq!(rendered.messages[0].stable_bytes(), "Add one and two.".len());
//! ```

#![forbid(unsafe_code)]

mod aggressive;
mod append;
mod ceiling;
mod changed;
mod closing;
mod coalesced;
mod compression;
mod config;
mod counting;
mod dialogue;
mod digest;
mod history;
mod input;
mod limits;
pub mod native;
mod options;
mod paired;
mod plain;
mod prints;
mod recent;
mod redact;
mod requests;
mod rolling;
mod short_opening;
mod strategy;
mod summary;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
mod tokens;
pub mod words;

pub use aggressive::Aggressive;
pub use append::AppendOnly;
pub use ceiling::smallest_request;
pub use closing::{closing_parts, error_block, note_lines};
pub use coalesced::SingleUserCoalesced;
pub use compression::{Compression, Rendered, Renderer, renderer_of, strategy_of};
pub use config::{CompressionConfig, normalize};
pub use dialogue::Dialogue;
pub use digest::Digest;
pub use history::{History, NextRequest};
pub use input::{Caps, RenderInput, TOOL_TOKENS};
pub use limits::ViewLimits;
pub use plain::{PlainHistory, PlainOptions, answer_from_program};
pub use redact::Redactor;
pub use requests::RequestCounter;
pub use rolling::RollingWindow;
pub use strategy::{Strategy, UnknownStrategy, one_line};
pub use summary::PerTurnSummary;
#[cfg(feature = "tokens")]
pub use tokens::O200k;
pub use tokens::{ByteBound, Ceiling, Estimate, OverCeiling, TokenCounter, usual_counter, usual_token_counter};

#[cfg(test)]
mod laws;
#[cfg(test)]
mod sample_runs;
#[cfg(test)]
mod views;
