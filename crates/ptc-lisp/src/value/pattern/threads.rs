//! Searching with all threads of a pattern side by side (Pike's algorithm), in steps with a look at the clock between
//! them. It handles what the automata cannot decide: groups inside a very long match, and word boundaries next to
//! characters beyond ASCII.
//!
//! Bounded: by the states of a pattern, announced when a search starts.

#[cfg(test)]
mod tests;

use std::ops::Range;

use regex_automata::nfa::thompson::{Config, NFA, State};
use regex_automata::util::primitives::StateID;

use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::value::reserve;

/// Steps of threads between two looks at the clock: about a millisecond.
const WORK: usize = 1 << 15;

/// The content of a slot whose group did not take part.
const UNSET: usize = usize::MAX;

/// The bytes of a match and of its groups, the whole first.
pub(super) type Groups = Vec<Option<(usize, usize)>>;

/// A pattern as a machine of threads.
pub(super) struct Threads {
    nfa: NFA,
}

/// The threads at one place of the text, preferred ones first. Each waits for a byte or has matched.
struct Active {
    states: Vec<StateID>,
    /// The slots of each thread, one row after another.
    slots: Vec<usize>,
    /// For each state, the round in which it was last seen.
    seen: Vec<u32>,
    round: u32,
}

/// What is left to do while a thread follows transitions that take no byte.
enum Job {
    Explore(StateID),
    /// After the group: restore its slot.
    Restore(usize, usize),
}

/// One search.
struct Search<'a> {
    nfa: &'a NFA,
    text: &'a str,
    /// Slots that are kept for each thread.
    kept: usize,
    /// The slots of the thread that is moving.
    slots: Vec<usize>,
    jobs: Vec<Job>,
    /// Steps since the last look at the clock.
    work: usize,
    meter: &'a mut Meter,
}

impl Threads {
    /// The most bytes that the machine of a pattern of this size takes.
    pub fn bytes_of(size: usize) -> usize {
        4 * size
    }

    /// `None` when the machine would take more than that.
    pub fn new(pattern: &str, size: usize) -> Option<Threads> {
        let config = Config::new().nfa_size_limit(Some(Threads::bytes_of(size)));
        NFA::compiler().configure(config).build(pattern).ok().map(|nfa| Threads { nfa })
    }

    /// The first match `within` these bytes, at their start if it is `anchored`; with groups if requested. O(bytes ×
    /// size of the pattern).
    ///
    /// Errors when the deadline has passed or there is no memory for the threads.
    pub fn find(
        &self,
        text: &str,
        within: Range<usize>,
        anchored: bool,
        groups: bool,
        meter: &mut Meter,
    ) -> Fallible<Option<Groups>> {
        let kept = if groups { self.nfa.group_info().slot_len() } else { 2 };
        let states = self.nfa.states().len();
        meter.allocate(2 * states * size_of::<u32>() + kept * size_of::<usize>())?;
        let mut search = Search { nfa: &self.nfa, text, kept, slots: Vec::new(), jobs: Vec::new(), work: 0, meter };
        let slots = search.run(within, anchored, [Active::new(states), Active::new(states)])?;
        Ok(slots.map(|slots| slots.chunks_exact(2).map(group).collect()))
    }
}

fn group(pair: &[usize]) -> Option<(usize, usize)> {
    match pair {
        [start, end] if *start != UNSET && *end != UNSET => Some((*start, *end)),
        _ => None,
    }
}

impl Search<'_> {
    /// The slots of the first match.
    fn run(
        &mut self,
        within: Range<usize>,
        anchored: bool,
        [mut now, mut next]: [Active; 2],
    ) -> Fallible<Option<Vec<usize>>> {
        let mut best = None;
        let mut at = within.start;
        loop {
            let begins = best.is_none() && (at == within.start || !anchored) && self.text.is_char_boundary(at);
            if begins {
                // Threads that started earlier are preferred.
                self.slots.clear();
                self.slots.resize(self.kept, UNSET);
                self.follow(self.nfa.start_anchored(), at, &mut now)?;
            }
            if now.states.is_empty() && (anchored || best.is_some()) {
                return Ok(best);
            }
            let byte = self.text.as_bytes().get(at).copied().filter(|_| at < within.end);
            if let Some(slots) = self.step(byte, at, &now, &mut next)? {
                best = Some(slots);
            }
            if at >= within.end {
                return Ok(best);
            }
            std::mem::swap(&mut now, &mut next);
            next.clear();
            at += 1;
        }
    }

    /// Let each thread take `byte`; returns the slots of one that has matched. Threads after it have lower priority and
    /// end.
    fn step(&mut self, byte: Option<u8>, at: usize, now: &Active, next: &mut Active) -> Fallible<Option<Vec<usize>>> {
        for (state, slots) in now.states.iter().zip(now.slots.chunks_exact(self.kept)) {
            let to = match (self.nfa.state(*state), byte) {
                (State::Match { .. }, _) => return Ok(Some(slots.to_vec())),
                (State::ByteRange { trans }, Some(byte)) => trans.matches_byte(byte).then_some(trans.next),
                (State::Sparse(moves), Some(byte)) => moves.matches_byte(byte),
                (State::Dense(moves), Some(byte)) => moves.matches_byte(byte),
                _ => None,
            };
            if let Some(to) = to {
                self.slots.clear();
                self.slots.extend_from_slice(slots);
                self.follow(to, at + 1, next)?;
            }
        }
        // A place without threads counts as work, too.
        self.spend(1).map(|()| None)
    }

    /// Add the states that a thread in `state` reaches without taking a byte, preferred ways first.
    fn follow(&mut self, state: StateID, at: usize, active: &mut Active) -> Fallible<()> {
        self.jobs.push(Job::Explore(state));
        while let Some(job) = self.jobs.pop() {
            match job {
                Job::Restore(slot, old) => self.set(slot, old),
                Job::Explore(state) => self.explore(state, at, active)?,
            }
        }
        Ok(())
    }

    fn explore(&mut self, state: StateID, at: usize, active: &mut Active) -> Fallible<()> {
        let mut state = state;
        while active.is_new(state) {
            self.spend(1)?;
            state = match self.nfa.state(state) {
                State::Look { look, next } if self.nfa.look_matcher().matches(*look, self.text.as_bytes(), at) => *next,
                State::Look { .. } | State::Fail => return Ok(()),
                State::Union { alternates } => {
                    let Some((first, others)) = alternates.split_first() else { return Ok(()) };
                    self.jobs.extend(others.iter().rev().map(|state| Job::Explore(*state)));
                    *first
                }
                State::BinaryUnion { alt1, alt2 } => {
                    self.jobs.push(Job::Explore(*alt2));
                    *alt1
                }
                State::Capture { next, slot, .. } => {
                    let slot = slot.as_usize();
                    if let Some(old) = self.slots.get(slot) {
                        self.jobs.push(Job::Restore(slot, *old));
                        self.set(slot, at);
                    }
                    *next
                }
                State::ByteRange { .. } | State::Sparse(_) | State::Dense(_) | State::Match { .. } => {
                    self.spend(self.kept / 8)?;
                    return active.add(state, &self.slots, self.meter);
                }
            };
        }
        Ok(())
    }

    fn set(&mut self, slot: usize, place: usize) {
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = place;
        }
    }

    #[inline]
    fn spend(&mut self, steps: usize) -> Fallible<()> {
        self.work += steps;
        if self.work > WORK {
            self.work = 0;
            self.meter.look_at_clock()?;
        }
        Ok(())
    }
}

impl Active {
    fn new(states: usize) -> Active {
        Active { states: Vec::new(), slots: Vec::new(), seen: vec![0; states], round: 1 }
    }

    fn clear(&mut self) {
        self.states.clear();
        self.slots.clear();
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            self.seen.fill(0);
            self.round = 1;
        }
    }

    /// Whether this is the first way to a state at this place; others are not preferred.
    fn is_new(&mut self, state: StateID) -> bool {
        self.seen.get_mut(state.as_usize()).is_some_and(|seen| std::mem::replace(seen, self.round) != self.round)
    }

    fn add(&mut self, state: StateID, slots: &[usize], meter: &mut Meter) -> Fallible<()> {
        reserve(&mut self.states, 1, meter)?;
        reserve(&mut self.slots, slots.len(), meter)?;
        self.states.push(state);
        self.slots.extend_from_slice(slots);
        Ok(())
    }
}
