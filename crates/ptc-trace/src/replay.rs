//! A recorded run under another way of showing history, without a model: the contents and cost of its requests.
//!
//! A [`Rendition`] is the sequence of requests of a run under one strategy, built by the functions that the loop uses.
//! A [`Comparison`] holds several of them side by side: the first request that differs, tokens turn by turn, and cost
//! with and without the provider's cache. It is counterfactual only in what is sent: the answers stay those of the
//! recorded run.
//!
//! ```
//! use ptc_compression::Estimate;
//! use ptc_lisp::Value;
//! use ptc_trace::replay::{Comparison, Rendition};
//! use ptc_transcript::{EndingKind, Step, Turn, TurnFields};
//!
//! let turn = |number, program: &str| Turn::success(TurnFields { prints: vec!["x".repeat(400)], ..TurnFields::new(number, program, Value::Nil) });
//! let mut step = Step::returned(EndingKind::Return, Value::Nil);
//! step.turns = Some(vec![turn(1, "(println data/text)"), turn(2, "(return nil)")]);
//! step.max_turns = Some(5);
//!
//! let plain = Rendition::under(&step, "none", &false.into())?;
//! let compressed = Rendition::under(&step, "single-user-coalesced", &true.into())?;
//! let comparison = Comparison::new(&step, &[plain, compressed], &Estimate, None);
//! assert_eq!(comparison.renditions[1].difference.as_ref().unwrap().turn, 1);
//! # Ok::<(), ptc_trace::replay::RenditionError>(())
//! ```

mod baseline;
mod chart;
mod comparison;
mod difference;
mod measure;
mod native;
mod prices;
mod rendition;
mod sources;
mod text;

pub use baseline::{ClearedOutputs, SlidingWindow};
pub use comparison::{Below, Comparison, Cost, Measured, Totals};
pub use difference::Difference;
pub use measure::RequestSize;
pub use native::NativeTools;
pub use prices::{NoPrice, PriceBook, PriceList, PriceListError, Prices, PricesError, RunCost};
pub use rendition::{OwnTexts, Rendition, RenditionError, next_request};
pub(crate) use rendition::{recorded_uses, request_behind};
pub use sources::{Place, Source, Sources, leaves};

#[cfg(test)]
mod tests;
