//! The state of a run besides its registers: meter, output, clock, random numbers, cells.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use super::cells::Cells;
use super::local::FiberLocal;
use crate::error::warning::{Warning, WarningCode};
use crate::limits::machine_clock::now_micros;
use crate::limits::meter::Meter;
use crate::parse::span::Span;
use crate::split_mix::SplitMix64;
use crate::stdlib::registry::Language;
use crate::value::{Lent, Value};

/// The most warnings that one run reports.
const MAX_WARNINGS: usize = 5;

/// Supplies the time; hosts may freeze it.
pub trait Clock: Send + Sync {
    /// Microseconds since 1970 UTC.
    fn now_micros(&self) -> i64;

    /// Whether its time advances like that of this machine. Then the clock is read only now and then, and extrapolated
    /// in between.
    fn is_system_time(&self) -> bool {
        false
    }
}

/// How long the clock of the machine is extrapolated before it is read again: it may be set in between.
const COUNTED_ON: Duration = Duration::from_secs(1);

/// The clock of the machine.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_micros(&self) -> i64 {
        now_micros()
    }

    fn is_system_time(&self) -> bool {
        true
    }
}

/// The state of one run that builtins may use.
///
/// It reads like a [`State`]. While a builtin that may compare keys is at work, the state is lent to the nested machine
/// that runs comparators, which is then in the meter. So a comparator prints and counts where its caller does.
pub(crate) struct Context {
    /// For builtins that look up other builtins.
    pub language: Language,
    pub meter: Meter,
    pub clock: Arc<dyn Clock>,
    /// When the clock of the machine was last read, as time of the meter, and its value then.
    read: Option<(Duration, i64)>,
    /// The state, unless it is lent.
    pub state: State,
}

/// What functions of a run read and change besides their arguments.
#[derive(Default)]
pub(crate) struct State {
    /// State of the seeded generator (L-18).
    pub random: SplitMix64,
    /// The private state of the running fiber.
    pub local: Box<FiberLocal>,
    pub warnings: Vec<Warning>,
    /// Warnings of the running call, still without a place: the machine knows where the call is.
    pub unplaced: Vec<(WarningCode, String)>,
    /// The host's budget map.
    pub budget: Value,
    /// Contents of atoms, delays and generators.
    pub cells: Cells,
    /// Whether the host keeps tasks at all.
    pub keeps_tasks: bool,
    /// Compiled patterns of this session, by their text.
    pub patterns: std::collections::HashMap<String, Arc<crate::value::Pattern>>,
    /// Capacity to build short strings in; see [`State::take_scratch`].
    scratch: String,
    /// Whether a collection was created whose comparator is a function of the program.
    pub has_comparators: bool,
}

/// The most bytes of capacity kept between two strings.
const SCRATCH: usize = 1_024;

impl State {
    /// Whether keys and arguments can be compared without realising a sequence or calling a function of the program.
    #[inline]
    pub fn compares_plainly(&self) -> bool {
        !self.has_comparators && !self.cells.has_generators()
    }

    /// An empty string with capacity: most strings are short, and get separate memory when their size is known.
    pub fn take_scratch(&mut self) -> String {
        std::mem::take(&mut self.scratch)
    }

    /// `built` as a string value; its capacity is kept when it is small.
    pub fn finish_scratch(&mut self, built: String) -> Value {
        if built.capacity() > SCRATCH {
            return Value::string(built);
        }
        let value = Value::string(built.as_str());
        self.return_scratch(built);
        value
    }

    /// Return capacity that is no longer needed; it is kept when it is small.
    pub fn return_scratch(&mut self, mut built: String) {
        if built.capacity() <= SCRATCH {
            built.clear();
            self.scratch = built;
        }
    }
}

impl Deref for Context {
    type Target = State;

    #[inline]
    fn deref(&self) -> &State {
        if self.meter.lent.is_none() { &self.state } else { self.lent_state() }
    }
}

impl DerefMut for Context {
    #[inline]
    fn deref_mut(&mut self) -> &mut State {
        if self.meter.lent.is_none() { &mut self.state } else { self.lent_state_mut() }
    }
}

impl Context {
    #[cold]
    fn lent_state(&self) -> &State {
        let lent = self.meter.lent.as_ref().and_then(|lent| lent.downcast_ref());
        lent.and_then(|Lent(lent)| lent.peek().downcast_ref()).unwrap_or(&self.state)
    }

    #[cold]
    fn lent_state_mut(&mut self) -> &mut State {
        let lent = Lent::to(&mut self.meter).and_then(|Lent(lent)| lent.state().downcast_mut());
        lent.unwrap_or(&mut self.state)
    }

    /// A context for a run with this meter and clock.
    pub fn new(language: Language, meter: Meter, clock: Arc<dyn Clock>, seed: u64) -> Context {
        Context {
            language,
            meter,
            clock,
            read: None,
            state: State { random: SplitMix64::new(seed), ..State::default() },
        }
    }

    /// Start a program, whose time the new meter counts.
    pub fn begin(&mut self, meter: Meter) {
        (self.meter, self.read) = (meter, None);
    }

    /// Microseconds since 1970 UTC at `moment` of the meter, which is now: a single reading of a timer serves records
    /// and limits.
    pub fn micros_at(&mut self, moment: Duration) -> i64 {
        if !self.clock.is_system_time() {
            return self.clock.now_micros();
        }
        match self.read {
            Some((then, micros)) if moment < then + COUNTED_ON => {
                micros.saturating_add((moment - then).as_micros() as i64)
            }
            _ => {
                let micros = self.clock.now_micros();
                self.read = Some((moment, micros));
                micros
            }
        }
    }

    /// Work with cells and meter at once. Comparators cannot run during that time.
    pub fn with_cells<R>(&mut self, work: impl FnOnce(&mut Cells, &mut Meter) -> R) -> R {
        let Some(mut lent) = self.meter.lent.take() else { return work(&mut self.state.cells, &mut self.meter) };
        let state = lent.downcast_mut().and_then(|Lent(lent)| lent.state().downcast_mut());
        let State { cells, .. } = state.unwrap_or(&mut self.state);
        let result = work(cells, &mut self.meter);
        self.meter.lent = Some(lent);
        result
    }

    /// Record a warning about the running call; once per site, at most five.
    pub fn warn(&mut self, code: WarningCode, message: impl Into<String>) {
        if self.warnings.len() < MAX_WARNINGS {
            self.unplaced.push((code, message.into()));
        }
    }

    /// Set the place of the warnings of the running call.
    pub fn place_warnings(&mut self, span: Span) {
        for (code, message) in std::mem::take(&mut self.unplaced) {
            if self.warnings.len() < MAX_WARNINGS
                && !self.warnings.iter().any(|known| known.code == code && known.span == span)
            {
                self.warnings.push(Warning::new(code, message, span));
            }
        }
    }
}
