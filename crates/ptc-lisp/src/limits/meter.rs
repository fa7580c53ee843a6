//! The meter: fuel, deadline and memory of one run, charged by everything that loops or allocates.

use std::any::Any;
use std::time::Duration;

use crate::error::{Error, Fallible, Reason};
use crate::limits::Limits;
use crate::limits::machine_clock::{CpuClock, Instant};
use crate::limits::release::release_some;

/// Units of fuel between two looks at the clock.
const TICK: i64 = 4_096;

/// Elements that a builtin handles between two looks at the clock, after paying for all of them at once.
pub(crate) const PACE: usize = 4_096;

/// The number of guesses that are kept.
const GUESSES: usize = 4_096;

/// Counts what a run uses. Builtins call [`Meter::charge`] per element and [`Meter::allocate`] per byte allocated.
#[derive(Debug)]
pub struct Meter {
    /// Fuel left before the next look at clock and totals.
    until_check: i64,
    /// Fuel left after `until_check`.
    reserve: i64,
    /// Elements left before the next look at the clock.
    until_pace: usize,
    /// Looks at the clock so far.
    #[cfg(test)]
    pub(crate) looks: usize,
    /// Bytes announced so far.
    #[cfg(test)]
    pub(crate) announced: u64,
    limits: Limits,
    /// What the memory is used for.
    purpose: Purpose,
    started: Instant,
    /// Time that does not count: waiting for tools.
    waited: Duration,
    waiting_since: Option<Duration>,
    cpu: CpuClock,
    /// Bytes charged since the live values were last counted.
    pub(crate) charged: u64,
    /// Charged bytes above which the live values are counted at the next safe point.
    count_above: u64,
    /// Charged bytes above which nothing more is allowed before a count.
    refuse_above: u64,
    /// Live bytes at the last count.
    pub(crate) live: u64,
    /// The largest number seen of live and charged bytes.
    pub(crate) peak: u64,
    /// The part of the charged bytes that earlier programs left, until it is counted.
    carried: u64,
    /// The index of a shared text among the keys of a map, by address; allocated with the first of them. A guess may be
    /// wrong.
    guesses: Vec<u16>,
    /// What the machine lends to the values that a builtin works on, during its call; they know its type.
    pub(crate) lent: Option<Box<dyn Any + Send + Sync>>,
}

impl Meter {
    /// A meter that stops at `limits`.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "a limit looks at how much time has passed")]
    pub fn new(limits: Limits) -> Meter {
        let fuel = i64::try_from(limits.fuel).unwrap_or(i64::MAX);
        let first = fuel.min(TICK);
        let memory = limits.memory;
        Meter {
            until_check: first,
            reserve: fuel - first,
            until_pace: PACE,
            #[cfg(test)]
            looks: 0,
            #[cfg(test)]
            announced: 0,
            limits,
            purpose: Purpose::Program,
            started: Instant::now(),
            waited: Duration::ZERO,
            waiting_since: None,
            cpu: CpuClock::default(),
            charged: 0,
            count_above: memory.max(memory / 20),
            refuse_above: memory.saturating_add(memory / 20),
            live: 0,
            peak: 0,
            carried: 0,
            guesses: Vec::new(),
            lent: None,
        }
    }

    /// A meter for host code that works on its own values: ample, but not unlimited.
    #[must_use]
    pub fn host() -> Meter {
        Meter::host_within(u64::MAX >> 2)
    }

    /// The same, with this many bytes of memory.
    pub(crate) fn host_within(memory: u64) -> Meter {
        let time = Duration::from_secs(3_600);
        Meter::new(Limits { fuel: u64::MAX >> 2, memory, time, ..Limits::default() })
    }

    /// A meter for writing values that a program created under `limits`: the written form may need `times` its memory,
    /// and does not count as a step of a program.
    pub(crate) fn writing(limits: &Limits, times: u32) -> Meter {
        let memory = limits.memory.saturating_mul(u64::from(times));
        Meter { purpose: Purpose::Writing { times }, ..Meter::host_within(memory) }
    }

    /// A meter for restoring definitions in a session with these limits: they have the memory of one program and the
    /// time of `times` programs.
    pub(crate) fn restoring(limits: &Limits, times: u32) -> Meter {
        let time = limits.time.saturating_mul(times);
        Meter { purpose: Purpose::Restoring, ..Meter::new(Limits { time, ..limits.clone() }) }
    }

    /// Continue with this much fuel, whatever was used.
    pub(crate) fn refuel(&mut self, fuel: u64) {
        self.limits.fuel = fuel;
        let fuel = i64::try_from(fuel).unwrap_or(i64::MAX);
        self.until_check = fuel.min(TICK);
        self.reserve = fuel - self.until_check;
    }

    /// A meter for one call of this run that has already paid: ample like [`Meter::host`], with the same deadline.
    pub(crate) fn beside(&self) -> Meter {
        let limits = Limits { time: self.limits.time, ..Meter::host().limits };
        Meter { started: self.started, waited: self.waited, ..Meter::new(limits) }
    }

    /// Like [`Meter::beside`], with the memory that this run has left.
    pub(crate) fn beside_within_memory(&self) -> Meter {
        let beside = self.beside();
        let limits = Limits { memory: self.limits.memory, ..beside.limits.clone() };
        let Meter { charged, count_above, refuse_above, live, .. } = *self;
        Meter { limits, charged, count_above, refuse_above, live, ..beside }
    }

    /// Use `units` of fuel: 1 per call, backward jump or element.
    ///
    /// Errors when the fuel is used up or the deadline has passed.
    #[inline]
    pub fn charge(&mut self, units: usize) -> Fallible {
        self.until_check -= units as i64;
        if self.until_check < 0 { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Fallible {
        let left = self.reserve.saturating_add(self.until_check);
        if left < 0 {
            self.reserve = 0;
            // Every later charge is refused, too.
            self.until_check = -1;
            return Err(Box::new(self.fuel_error()));
        }
        let next = left.min(TICK);
        self.until_check = next;
        self.reserve = left - next;
        self.look_at_clock()
    }

    /// Count one of many elements that are already paid for: looks at the clock now and then.
    ///
    /// Errors when the deadline has passed.
    #[inline]
    pub(crate) fn tick(&mut self) -> Fallible {
        match self.until_pace.checked_sub(1) {
            Some(left) => {
                self.until_pace = left;
                Ok(())
            }
            None => self.look_at_clock(),
        }
    }

    /// Look at the clock, and free some of the values that the program has dropped. Errors when the deadline has
    /// passed.
    #[cold]
    pub(crate) fn look_at_clock(&mut self) -> Fallible {
        self.look_ahead(Duration::ZERO)
    }

    /// Like [`Meter::look_at_clock`], before `work` that cannot be interrupted. Errors when the deadline would pass
    /// before its end.
    #[cold]
    pub(crate) fn look_ahead(&mut self, work: Duration) -> Fallible {
        self.until_pace = PACE;
        release_some();
        #[cfg(test)]
        {
            self.looks += 1;
        }
        if self.run_time() + work > self.limits.time {
            let text = format!("run exceeded the {} ms limit", self.limits.time.as_millis());
            return Err(Box::new(Error::new(Reason::Timeout, text)));
        }
        if let Some(limit) = self.cpu.exceeded(&self.limits, work) {
            let text = format!("run exceeded the limit of {} ms of CPU time", limit.as_millis());
            return Err(Box::new(Error::new(Reason::Timeout, text)));
        }
        Ok(())
    }

    /// The calling thread begins to work on the program.
    pub(crate) fn work_begins(&mut self) {
        self.cpu.begin(&self.limits);
    }

    /// The calling thread stops working on the program, which another one may continue.
    pub(crate) fn work_ends(&mut self) {
        self.cpu.end(&self.limits);
    }

    /// The index at which the text at this address was found among the keys of a map, perhaps of this one.
    #[inline]
    #[allow(clippy::indexing_slicing, reason = "there are as many places as the remainder can name")]
    pub(crate) fn guess(&mut self, address: usize) -> &mut u16 {
        if self.guesses.is_empty() {
            self.guesses.resize(GUESSES, 0);
        }
        // Rows of one kind are at regular distances in memory, which a single product would map to few places.
        let mixed = (address as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        &mut self.guesses[(mixed >> 32) as usize % GUESSES]
    }

    /// Announce `bytes` that are about to be allocated.
    ///
    /// Errors when they exceed the limit, together with what was live at the last count and all that was charged since.
    /// Part of that may be garbage by now: the machine counts again and repeats the call before it gives up.
    #[inline]
    pub fn allocate(&mut self, bytes: usize) -> Fallible {
        let charged = self.charged.saturating_add(bytes as u64);
        if charged > self.refuse_above {
            // Not charged: what is refused is never in use.
            return Err(Box::new(self.memory_error()));
        }
        self.charged = charged;
        #[cfg(test)]
        {
            self.announced = self.announced.saturating_add(bytes as u64);
        }
        Ok(())
    }

    /// Whether so many bytes could be allocated now; errors like [`Meter::allocate`].
    pub(crate) fn has_room(&mut self, bytes: usize) -> Fallible {
        let charged = self.charged;
        let allowed = self.allocate(bytes);
        self.charged = charged;
        allowed
    }

    /// Like [`Meter::charge`], if that needs no look at the clock. Otherwise false, with nothing charged.
    #[inline]
    pub(crate) fn charge_quickly(&mut self, units: usize) -> bool {
        let enough = self.until_check >= units as i64;
        if enough {
            self.until_check -= units as i64;
        }
        enough
    }

    /// Like [`Meter::allocate`], if live values need not be counted first. Otherwise false, with nothing allocated.
    #[inline]
    pub(crate) fn allocate_quickly(&mut self, bytes: usize) -> bool {
        let charged = self.charged.saturating_add(bytes as u64);
        let enough = charged <= self.count_above.min(self.refuse_above);
        if enough {
            #[cfg(test)]
            {
                self.announced = self.announced.saturating_add(bytes as u64);
            }
            self.charged = charged;
        }
        enough
    }

    /// Like [`Meter::allocate`], for memory that is freed at once.
    pub(crate) fn allocate_briefly(&mut self, bytes: usize) -> Fallible {
        if self.is_short_of(bytes) { Err(Box::new(self.memory_error())) } else { Ok(()) }
    }

    /// Whether the live values should be counted at the next safe point.
    #[inline]
    pub(crate) fn scan_due(&self) -> bool {
        self.charged > self.count_above
    }

    /// Whether an allocation of `bytes` would be refused.
    #[inline]
    pub(crate) fn is_short_of(&self, bytes: usize) -> bool {
        self.charged.saturating_add(bytes as u64) > self.refuse_above
    }

    /// A meter for the next program of a session, in which up to `carried` bytes are live.
    pub(crate) fn after(limits: Limits, carried: u64) -> Meter {
        let meter = Meter::new(limits);
        Meter { charged: carried, carried, ..meter }
    }

    /// The most bytes that the program was seen to hold; what earlier programs left counts only once it was counted.
    pub(crate) fn most(&self) -> u64 {
        self.peak.max((self.live + self.charged).saturating_sub(self.carried))
    }

    /// Record a new count of live bytes.
    pub(crate) fn counted(&mut self, live: u64) -> Fallible {
        self.peak = self.most().max(live);
        self.carried = 0;
        self.suppose(live, 0);
        if live > self.limits.memory { Err(Box::new(self.memory_error())) } else { Ok(()) }
    }

    /// Continue from these numbers of live and charged bytes.
    pub(crate) fn suppose(&mut self, live: u64, charged: u64) {
        let limit = self.limits.memory;
        self.live = live;
        self.charged = charged;
        self.count_above = limit.saturating_sub(live).max(limit / 20);
        self.refuse_above = limit.saturating_add(limit / 20).saturating_sub(live).max(limit / 20);
    }

    /// The state of fuel and memory, to repeat a call from there.
    #[inline]
    pub(crate) fn mark(&self) -> Mark {
        Mark { until_check: self.until_check, reserve: self.reserve, charged: self.charged }
    }

    /// Whether a call that started at `mark` and was refused memory may succeed once garbage is excluded.
    pub(crate) fn may_succeed_after_count(&self, mark: &Mark) -> bool {
        mark.charged > self.limits.memory / 64
    }

    /// Refund the fuel that was used since `mark`: the call is repeated.
    pub(crate) fn rewind(&mut self, mark: &Mark) {
        self.until_check = mark.until_check;
        self.reserve = mark.reserve;
    }

    fn fuel_error(&self) -> Error {
        let fuel = self.limits.fuel;
        if let Purpose::Restoring = self.purpose {
            let text = format!("reading it takes more than {fuel} steps");
            return Error::new(Reason::FuelExceeded, text);
        }
        let hint = "the program loops too long; work on less data or end the loop";
        Error::hinted(Reason::FuelExceeded, format!("stopped after {fuel} steps"), hint)
    }

    fn memory_error(&self) -> Error {
        let limit = self.limits.memory;
        let exceeded = match self.purpose {
            Purpose::Restoring => {
                let text = format!(
                    "it does not fit into the memory limit of {limit} bytes in addition to what is already defined"
                );
                return Error::new(Reason::MemoryExceeded, text);
            }
            Purpose::Program => format!("memory limit of {limit} bytes exceeded"),
            Purpose::Writing { times } => {
                let limit = limit / u64::from(times);
                format!(
                    "the value is too large to write down: it needs more than {times} times the memory limit of {limit} bytes"
                )
            }
        };
        Error::hinted(Reason::MemoryExceeded, exceeded, "keep counts and samples instead of whole collections")
    }

    /// The limits of this run.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Set how many calls may still nest, as a separate limit, until it is reset.
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
        self.waiting_since.unwrap_or_else(|| self.moment()).saturating_sub(self.waited)
    }

    /// Whether the deadline has passed.
    pub(crate) fn is_late(&self) -> bool {
        self.run_time() > self.limits.time
    }

    /// The moment at which the deadline passes, while nothing waits for the host; `None` when it never passes.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.started.checked_add(self.limits.time)?.checked_add(self.waited)
    }

    /// Time since this meter was created, including waiting for tools.
    pub(crate) fn moment(&self) -> Duration {
        self.started.elapsed()
    }

    /// Stop the clock while the host answers, from `since` on.
    pub(crate) fn pause(&mut self, since: Duration) {
        self.waiting_since.get_or_insert(since);
    }

    /// Start the clock again.
    pub(crate) fn resume(&mut self) {
        if self.waiting_since.is_some() {
            self.resume_at(self.moment());
        }
    }

    /// Start the clock again at `moment`, the current time.
    pub(crate) fn resume_at(&mut self, moment: Duration) {
        if let Some(since) = self.waiting_since.take() {
            self.waited += moment.saturating_sub(since);
        }
    }
}

/// What the memory of a meter is used for.
#[derive(Copy, Clone, Debug)]
enum Purpose {
    /// The values of a program.
    Program,
    /// The same, read from stored memory.
    Restoring,
    /// Values in a form that leaves the program, which may be this many times as large as the program's own memory.
    Writing { times: u32 },
}

/// A moment of a meter.
pub(crate) struct Mark {
    until_check: i64,
    reserve: i64,
    charged: u64,
}
