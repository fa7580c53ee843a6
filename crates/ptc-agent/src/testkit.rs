//! Seeded faults: models, tools, approvers, journals and callbacks that fail, to see what happens to a run.
//!
//! [`Faults`] wraps everything that a run talks to. Before each call it draws whether something goes wrong, and what:
//! the same seed gives the same faults in the same run. [`Faults::met`] says how often each [`Fault`] was met. Times
//! are those of tokio, so that a test under a paused clock takes no time.
//!
//! ```
//! use std::sync::Arc;
//! use ptc_agent::testkit::{Fault, Faults};
//! use ptc_agent::{Agent, LlmRetry, RunOptions};
//! use ptc_chat::ScriptedLlm;
//!
//! let faults = Faults::new(2026).only([Fault::ServerError]).one_in(1).at_most(2);
//! let llm = faults.llm(Arc::new(ScriptedLlm::replies(["(return 1)"])));
//! let agent = Agent::builder("One.").llm_retry(LlmRetry { max_attempts: 3, ..LlmRetry::default() }).build()?;
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
//! let step = runtime.block_on(agent.run(&llm, ()))?;
//! assert_eq!(step.value::<u32>().unwrap(), 1);
//! assert_eq!((faults.met()[&Fault::ServerError], step.usage.llm_requests), (2, Some(3)));
//! # Ok::<(), ptc_agent::AgentError>(())
//! ```

mod around;
mod disk;
mod fault;
mod model;
mod stop;
mod tool;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError};
use std::time::Duration;

use ptc_chat::Llm;
use ptc_compression::{Compression, TokenCounter};
use ptc_lisp::{SplitMix64, Tool};
use ptc_transcript::Observer;

use crate::approval::Approver;

pub use disk::FaultyJournal;
pub use fault::Fault;
pub use stop::{Stop, stopped};
pub use tool::FaultyTool;

/// The text of every panic that is a seeded fault.
pub const PANIC: &str = "a panic by the seed";

/// Leave panics that are faults out of what the process prints, from here on: a test has thousands of them.
pub fn hush() {
    static HUSHED: Once = Once::new();
    HUSHED.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if panic.payload_as_str() != Some(PANIC) {
                usual(panic);
            }
        }));
    });
}

/// Draws what goes wrong. Copies draw from the same numbers.
#[derive(Clone)]
pub struct Faults(Arc<Mutex<State>>);

struct State {
    random: SplitMix64,
    one_in: u64,
    left: usize,
    kinds: Vec<Fault>,
    met: BTreeMap<Fault, usize>,
}

impl Faults {
    /// Faults of every kind in one of four calls, without limit.
    #[must_use]
    pub fn new(seed: u64) -> Faults {
        Faults(Arc::new(Mutex::new(State {
            random: SplitMix64::new(seed),
            one_in: 4,
            left: usize::MAX,
            kinds: Fault::all().collect(),
            met: BTreeMap::new(),
        })))
    }

    /// Faults in one of `calls` calls; 0 means never.
    #[must_use]
    pub fn one_in(self, calls: u64) -> Faults {
        self.state().one_in = calls;
        self
    }

    /// At most this many faults from here on, then everything works.
    #[must_use]
    pub fn at_most(self, faults: usize) -> Faults {
        self.state().left = faults;
        self
    }

    /// Only faults of these kinds.
    #[must_use]
    pub fn only(self, kinds: impl IntoIterator<Item = Fault>) -> Faults {
        self.state().kinds = kinds.into_iter().collect();
        self
    }

    /// How often each kind was met.
    #[must_use]
    pub fn met(&self) -> BTreeMap<Fault, usize> {
        self.state().met.clone()
    }

    /// A model that does not answer as `llm` would.
    #[must_use]
    pub fn llm(&self, llm: Arc<dyn Llm>) -> Arc<dyn Llm> {
        Arc::new(model::FaultyLlm { llm, faults: self.clone() })
    }

    /// A tool that does what `tool` does before it fails, after it, late, or never.
    #[must_use]
    pub fn tool(&self, tool: impl Tool + 'static) -> FaultyTool {
        FaultyTool { tool: Arc::new(tool), faults: self.clone() }
    }

    /// An approver that decides otherwise than `approver`, or not at all.
    #[must_use]
    pub fn approver(&self, approver: Arc<dyn Approver>) -> Arc<dyn Approver> {
        Arc::new(around::FaultyApprover { approver, faults: self.clone() })
    }

    /// A journal in memory that continues after these bytes, on a disk that is full or breaks, in one of five of the
    /// writes that would fail otherwise: there are many.
    #[must_use]
    pub fn journal(&self, bytes: &[u8]) -> FaultyJournal {
        FaultyJournal { bytes: Mutex::new(bytes.to_vec()), faults: self.clone() }
    }

    /// An observer that panics, in one of twenty of the events at which it would.
    #[must_use]
    pub fn observer(&self) -> Arc<dyn Observer> {
        let faults = self.clone();
        let panics = move |_: &ptc_transcript::Event| {
            if faults.draw_rarely(&[Fault::ObserverPanic], 20).is_some() {
                panic_now();
            }
        };
        Arc::new(panics)
    }

    /// A function for [`RunOptions::on_chunk`](crate::RunOptions::on_chunk) that panics.
    pub fn on_chunk(&self) -> impl Fn(&str) + Send + Sync + 'static {
        let faults = self.clone();
        move |_| faults.panic_by(Fault::ChunkPanic)
    }

    /// A strategy that panics while it writes a request.
    #[must_use]
    pub fn compression(&self, strategy: Arc<dyn Compression>) -> Arc<dyn Compression> {
        Arc::new(around::FaultyCompression { strategy, faults: self.clone() })
    }

    /// A counter of tokens that panics, in one of a hundred of the calls that would fail otherwise: it is asked often.
    pub fn token_counter(&self, counter: impl TokenCounter + 'static) -> impl TokenCounter + 'static {
        around::FaultyCounter { counter, faults: self.clone() }
    }

    /// What goes wrong in this call, of what may go wrong in it.
    fn draw(&self, possible: &[Fault]) -> Option<Fault> {
        let state = &mut *self.state();
        let possible: Vec<Fault> = possible.iter().copied().filter(|fault| state.kinds.contains(fault)).collect();
        let one_in = state.one_in;
        if possible.is_empty() || state.left == 0 || one_in == 0 || state.below(one_in) != 0 {
            return None;
        }
        let index = usize::try_from(state.below(possible.len() as u64)).unwrap_or_default();
        let fault = *possible.get(index)?;
        state.left -= 1;
        *state.met.entry(fault).or_default() += 1;
        Some(fault)
    }

    /// A time of up to this many milliseconds.
    fn time(&self, most: u64) -> Duration {
        Duration::from_millis(self.state().below(most) + 1)
    }

    /// The same for frequent calls: only one in `calls` is drawn for.
    fn draw_rarely(&self, possible: &[Fault], calls: u64) -> Option<Fault> {
        if self.state().below(calls) == 0 { self.draw(possible) } else { None }
    }

    fn panic_by(&self, fault: Fault) {
        if self.draw(&[fault]).is_some() {
            panic_now();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.next_u64() % bound.max(1)
    }
}

impl fmt::Debug for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Faults").field("met", &self.met()).finish_non_exhaustive()
    }
}

/// Panics are the purpose of this kit.
#[allow(clippy::panic, reason = "a fault that a test asked for")]
fn panic_now() -> ! {
    panic!("{PANIC}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_fault_is_one_of_all() {
        let kinds: Vec<Fault> = Fault::all().collect();
        // The number of a variant counts those before it: none is left out, and none is listed twice.
        assert_eq!(kinds.iter().map(|fault| *fault as usize).collect::<Vec<_>>(), (0..kinds.len()).collect::<Vec<_>>());
        assert_eq!(kinds.last(), Some(&Fault::CounterPanic), "the last variant");
    }

    #[test]
    fn equal_seeds_draw_equal_faults() {
        let drawn = |seed| {
            let faults = Faults::new(seed).one_in(2).at_most(10);
            let all: Vec<_> = Fault::all().collect();
            let drawn: Vec<_> = (0..100).map(|_| faults.draw(&all)).collect();
            assert_eq!(faults.met().values().sum::<usize>(), 10);
            drawn
        };
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }

    #[test]
    fn kinds_and_counts_bound_what_is_drawn() {
        let faults = Faults::new(1).one_in(1).only([Fault::DiskFull]);
        assert_eq!(faults.draw(&[Fault::NoReply]), None);
        assert_eq!(faults.draw(&[Fault::NoReply, Fault::DiskFull]), Some(Fault::DiskFull));
        let never = Faults::new(1).one_in(0);
        assert_eq!(never.draw(&[Fault::NoReply]), None);
    }
}
