//! The meter: fuel, deadline and memory of one run, charged by everything that loops or allocates.

use std::time::{Duration, Instant};

use crate::error::{Error, Reason, Res, argument_error};
use crate::eval::vm::Machine;
use crate::limits::Limits;
use crate::value::Value;

/// Units of fuel between two looks at the clock.
const TICK: i64 = 4_096;

/// Counts what a run uses. Builtins call [`Meter::charge`] per element and [`Meter::allocate`] per byte made.
#[derive(Debug)]
pub struct Meter {
    /// Fuel left before the next look at clock and totals.
    until_check: i64,
    /// Fuel left behind `until_check`.
    reserve: i64,
    limits: Limits,
    started: Instant,
    /// Time that does not count: waiting for tools.
    waited: Duration,
    waiting_since: Option<Instant>,
    /// Bytes charged since the live values were last counted.
    pub(crate) charged: u64,
    /// Live bytes at the last count.
    pub(crate) live: u64,
    /// The largest figure seen of live and charged bytes.
    pub(crate) peak: u64,
    /// What runs the comparators of sorted collections, while a builtin is at work that may need it.
    pub(crate) nested: Option<Box<Machine>>,
}

impl Meter {
    /// A meter that stops at `limits`.
    #[must_use]
    pub fn new(limits: Limits) -> Meter {
        let fuel = i64::try_from(limits.fuel).unwrap_or(i64::MAX);
        let first = fuel.min(TICK);
        Meter {
            until_check: first,
            reserve: fuel - first,
            limits,
            started: Instant::now(),
            waited: Duration::ZERO,
            waiting_since: None,
            charged: 0,
            live: 0,
            peak: 0,
            nested: None,
        }
    }

    /// A meter for host code that works on its own values: ample, but not endless.
    #[must_use]
    pub fn host() -> Meter {
        Meter::new(Limits { fuel: u64::MAX >> 2, memory: u64::MAX >> 2, time: Duration::from_secs(3_600), ..Limits::default() })
    }

    /// Use `units` of fuel: 1 per call, backward jump or element.
    ///
    /// Errors when the fuel is used up or the deadline has passed.
    #[inline]
    pub fn charge(&mut self, units: usize) -> Result<(), Box<Error>> {
        self.until_check -= units as i64;
        if self.until_check < 0 { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<(), Box<Error>> {
        let left = self.reserve.saturating_add(self.until_check);
        if left < 0 {
            self.reserve = 0;
            self.until_check = 0;
            return Err(Box::new(Error::new(
                Reason::FuelExceeded,
                format!("stopped after {} steps: the program loops too long; work on less data or end the loop", self.limits.fuel),
            )));
        }
        let next = left.min(TICK);
        self.until_check = next;
        self.reserve = left - next;
        if self.run_time() > self.limits.time {
            return Err(Box::new(Error::new(Reason::Timeout, format!("run exceeded the {} ms limit", self.limits.time.as_millis()))));
        }
        Ok(())
    }

    /// Announce `bytes` that are about to be allocated.
    ///
    /// Errors at once only when this alone, or all allocations since the last count together with it, could not fit;
    /// the live values are counted by the machine between two instructions.
    #[inline]
    pub fn allocate(&mut self, bytes: usize) -> Result<(), Box<Error>> {
        self.charged = self.charged.saturating_add(bytes as u64);
        if self.has_room(0) { Ok(()) } else { Err(Box::new(self.memory_error())) }
    }

    /// Whether [`Meter::allocate`] would take so many bytes.
    #[inline]
    pub(crate) fn has_room(&self, bytes: usize) -> bool {
        self.charged.saturating_add(bytes as u64) <= self.limits.memory.saturating_add(self.limits.memory / 4)
    }

    /// Announce `bytes` for which there is room.
    #[inline]
    pub(crate) fn note(&mut self, bytes: usize) {
        self.charged += bytes as u64;
    }

    /// Whether the live values should be counted at the next safe point.
    #[inline]
    pub(crate) fn scan_due(&self) -> bool {
        let limit = self.limits.memory;
        self.charged > limit.saturating_sub(self.live).max(limit / 20)
    }

    /// Take note of a fresh count of live bytes.
    pub(crate) fn counted(&mut self, live: u64) -> Result<(), Box<Error>> {
        self.peak = self.peak.max(self.live + self.charged).max(live);
        self.live = live;
        self.charged = 0;
        if live > self.limits.memory { Err(Box::new(self.memory_error())) } else { Ok(()) }
    }

    fn memory_error(&self) -> Error {
        Error::new(
            Reason::MemoryExceeded,
            format!("memory limit of {} bytes exceeded: keep counts and samples instead of whole collections", self.limits.memory),
        )
    }

    /// The limits of this run.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// What a function of the program says of two keys; it runs to its end at once, on the same fuel, memory and time.
    ///
    /// Errors with whatever the function raises, and where no run is at work.
    pub(crate) fn call_comparator(&mut self, function: &Value, a: &Value, b: &Value) -> Res {
        let Some(mut nested) = self.nested.take() else {
            return Err(argument_error("the comparator of a sorted collection is a function of the program and cannot run here"));
        };
        let answer = nested.answer_comparator(function, [a.clone(), b.clone()], self);
        self.nested = Some(nested);
        answer
    }

    /// Calls that may still nest, as a limit of their own, until it is set back.
    pub(crate) fn set_depth(&mut self, depth: usize) {
        self.limits.depth = depth;
    }

    /// Fuel that is left.
    pub(crate) fn fuel_left(&self) -> i64 {
        self.reserve.saturating_add(self.until_check)
    }

    /// Fuel used so far.
    #[must_use]
    pub fn fuel_used(&self) -> u64 {
        let left = self.reserve.saturating_add(self.until_check.max(0)).max(0);
        self.limits.fuel.saturating_sub(left as u64)
    }

    /// Interpreter time used so far; waiting for tools does not count.
    #[must_use]
    pub fn run_time(&self) -> Duration {
        let paused = self.waiting_since.map_or(Duration::ZERO, |since| since.elapsed());
        self.started.elapsed().saturating_sub(self.waited).saturating_sub(paused)
    }

    /// Stop the clock while the host answers.
    pub(crate) fn pause(&mut self) {
        self.waiting_since.get_or_insert_with(Instant::now);
    }

    /// Start the clock again.
    pub(crate) fn resume(&mut self) {
        if let Some(since) = self.waiting_since.take() {
            self.waited += since.elapsed();
        }
    }
}

impl From<Box<Error>> for Box<crate::error::Signal> {
    fn from(error: Box<Error>) -> Self {
        Box::new(crate::error::Signal::Error(*error))
    }
}
