//! Searching long texts in steps, with a look at the clock between them: the engines of `regex` cannot be interrupted.
//!
//! * A pattern whose matches have a maximal length is searched in windows that overlap by this length: every match that
//!   starts in the first part of a window is inside the window, so for those matches the result is the same as for the
//!   whole text.
//! * Any other pattern runs through the text as a deterministic automaton, byte by byte: forward to the end of the
//!   match, then backward to its start. Groups are found inside the match afterwards.
//! * What neither can decide is left to [`Threads`].
//!
//! Bounded: by the groups of a pattern.

use std::sync::{Mutex, OnceLock, PoisonError};

use regex::Regex;
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind, meta};

use super::threads::{Groups, Threads};
use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::value::made_once;

/// Bytes of text in which a pattern of the smallest size is searched in one go: about 4 ms in the slowest case.
const STRETCH: usize = 1 << 16;

/// The smallest size, and also the stretch of the largest patterns.
const SMALL: usize = 8 << 10;
const SHORTEST: usize = 1 << 9;

/// The most bytes of states that an automaton keeps.
const STATES: usize = 256 << 10;

/// What a pattern needs for long texts; created for the first one.
pub(super) struct Long {
    /// Bytes of text between two looks at the clock.
    stretch: usize,
    kind: Kind,
    /// Created when something cannot be decided otherwise; absent when it would be too large.
    threads: OnceLock<Option<Threads>>,
}

enum Kind {
    /// No match is longer than this.
    Bounded(usize),
    Automata(Box<Automata>),
    /// The automata would be too large.
    Threads,
}

struct Automata {
    forward: DFA,
    backward: DFA,
    /// Finds groups inside a match.
    inside: meta::Regex,
    /// Finds where a match may start, if that is fast.
    beginnings: Option<Prefilter>,
    /// States found so far, forward and backward.
    caches: Mutex<Option<(Cache, Cache)>>,
}

/// The result of one search.
pub(crate) enum SearchResult {
    /// The bytes of the match, and those of its groups: the whole first, the others only if requested.
    Match {
        start: usize,
        end: usize,
        groups: Vec<Option<(usize, usize)>>,
    },
    Nothing,
    /// No engine of this kind can decide: the pattern is too large for them.
    Unknown,
}

impl SearchResult {
    fn of(groups: Option<Groups>) -> SearchResult {
        match groups.as_deref() {
            Some([Some((start, end)), ..]) => {
                SearchResult::Match { start: *start, end: *end, groups: groups.unwrap_or_default() }
            }
            _ => SearchResult::Nothing,
        }
    }
}

/// Bytes of text in which a pattern of this size is searched in one go.
pub(super) fn stretch_of(size: usize) -> usize {
    (STRETCH / (size / SMALL).max(1)).max(SHORTEST)
}

impl Long {
    /// Prepare a pattern of at most `size` bytes. Errors when there is no memory for it.
    pub fn new(text: &str, size: usize, meter: &mut Meter) -> Fallible<Long> {
        let stretch = stretch_of(size);
        let hir = syntax::parse(text).ok();
        // A match may also look at the character after it.
        let kind = match hir.as_ref().and_then(|hir| hir.properties().maximum_len()) {
            Some(longest) if longest < stretch => Kind::Bounded(longest + 4),
            _ => {
                meter.allocate(Long::bytes_of(size))?;
                let start = hir.as_ref().and_then(|hir| Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir));
                let automata = Automata::new(text, size, start);
                automata.map_or(Kind::Threads, |automata| Kind::Automata(Box::new(automata)))
            }
        };
        Ok(Long { stretch, kind, threads: OnceLock::new() })
    }

    /// Bytes held in addition to the pattern.
    pub fn bytes(&self, size: usize) -> usize {
        let automata = if matches!(self.kind, Kind::Automata(_)) { Long::bytes_of(size) } else { 0 };
        automata + self.threads.get().map_or(0, |_| Threads::bytes_of(size))
    }

    fn bytes_of(size: usize) -> usize {
        12 * size + 2 * STATES
    }

    /// The first match of `regex`, for which this was created with `size`, at or after `from`. Errors when the deadline
    /// has passed.
    pub fn find(
        &self,
        regex: &Regex,
        size: usize,
        text: &str,
        from: usize,
        groups: bool,
        meter: &mut Meter,
    ) -> Fallible<SearchResult> {
        let groups = groups && regex.captures_len() > 1;
        let found = match &self.kind {
            Kind::Bounded(longest) => return self.in_windows(regex, text, from, *longest, groups, meter),
            Kind::Automata(automata) => automata.find(text, from, self.stretch, meter)?,
            Kind::Threads => Search::Unknown,
        };
        let (start, end) = match found {
            Search::Nothing => return Ok(SearchResult::Nothing),
            Search::Found((start, end)) if !groups => {
                return Ok(SearchResult::Match { start, end, groups: vec![Some((start, end))] });
            }
            Search::Found(bounds) => bounds,
            Search::Unknown => {
                let Some(threads) = self.threads(regex, size, meter)? else { return Ok(SearchResult::Unknown) };
                return threads.find(text, from..text.len(), false, groups, meter).map(SearchResult::of);
            }
        };
        if let (Kind::Automata(automata), true) = (&self.kind, end - start <= self.stretch)
            && let Some(groups) = automata.groups(text, start, end)
        {
            return Ok(SearchResult::Match { start, end, groups });
        }
        let Some(threads) = self.threads(regex, size, meter)? else { return Ok(SearchResult::Unknown) };
        threads.find(text, start..end, true, true, meter).map(SearchResult::of)
    }

    /// The threads. Errors when there is no memory for them.
    fn threads(&self, regex: &Regex, size: usize, meter: &mut Meter) -> Fallible<Option<&Threads>> {
        let threads = made_once(&self.threads, || {
            meter.allocate(Threads::bytes_of(size)).map(|()| Threads::new(regex.as_str(), size))
        });
        Ok(threads?.as_ref())
    }

    fn in_windows(
        &self,
        regex: &Regex,
        text: &str,
        from: usize,
        longest: usize,
        groups: bool,
        meter: &mut Meter,
    ) -> Fallible<SearchResult> {
        let mut from = from;
        let mut places = regex.capture_locations();
        loop {
            let next = text.ceil_char_boundary(from + self.stretch);
            let end = text.ceil_char_boundary(next + longest);
            let window = text.get(..end).unwrap_or(text);
            let found = match groups {
                true => regex.captures_read_at(&mut places, window, from),
                false => regex.find_at(window, from),
            };
            match found {
                // A match that starts after the first part may continue beyond the window.
                Some(found) if found.start() < next || end == text.len() => {
                    let groups = if groups {
                        (0..places.len()).map(|group| places.get(group)).collect()
                    } else {
                        vec![Some((found.start(), found.end()))]
                    };
                    return Ok(SearchResult::Match { start: found.start(), end: found.end(), groups });
                }
                _ if end == text.len() => return Ok(SearchResult::Nothing),
                _ => from = next,
            }
            meter.look_at_clock()?;
        }
    }
}

impl Automata {
    fn new(text: &str, size: usize, beginnings: Option<Prefilter>) -> Option<Automata> {
        let config = DFA::config().cache_capacity(STATES).skip_cache_capacity_check(true).unicode_word_boundary(true);
        let forward = DFA::builder().configure(config.clone().match_kind(MatchKind::LeftmostFirst)).build(text).ok()?;
        let backward = DFA::builder()
            .configure(config.match_kind(MatchKind::All))
            .thompson(thompson::Config::new().reverse(true).nfa_size_limit(Some(4 * size)))
            .build(text)
            .ok()?;
        let inside = meta::Regex::builder()
            .configure(meta::Config::new().nfa_size_limit(Some(size)).hybrid(false).dfa(false))
            .build(text)
            .ok()?;
        Some(Automata { forward, backward, inside, beginnings, caches: Mutex::new(None) })
    }

    /// The bytes of the first match.
    fn find(&self, text: &str, from: usize, stretch: usize, meter: &mut Meter) -> Fallible<Search<(usize, usize)>> {
        let (mut forward, mut backward) =
            self.take_caches().unwrap_or_else(|| (self.forward.create_cache(), self.backward.create_cache()));
        let found = self.bounds(text, from, stretch, (&mut forward, &mut backward), meter);
        *self.caches.lock().unwrap_or_else(PoisonError::into_inner) = Some((forward, backward));
        found
    }

    /// The groups of a match that is not long.
    fn groups(&self, text: &str, start: usize, end: usize) -> Option<Groups> {
        let mut found = self.inside.create_captures();
        self.inside.search_captures(&Input::new(text).span(start..end).anchored(Anchored::Yes), &mut found);
        let groups = (0..found.group_len()).map(|group| found.get_group(group).map(|span| (span.start, span.end)));
        found.is_match().then(|| groups.collect())
    }

    fn take_caches(&self) -> Option<(Cache, Cache)> {
        self.caches.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn bounds(
        &self,
        text: &str,
        from: usize,
        stretch: usize,
        caches: (&mut Cache, &mut Cache),
        meter: &mut Meter,
    ) -> Fallible<Search<(usize, usize)>> {
        let from = match &self.beginnings {
            Some(beginnings) => match beginning(beginnings, text, from, meter)? {
                Some(place) => place,
                None => return Ok(Search::Nothing),
            },
            None => from,
        };
        let end = match (Steps { automaton: &self.forward, cache: caches.0, stretch, meter: &mut *meter })
            .match_end(text, from)?
        {
            Search::Found(end) => end,
            Search::Nothing => return Ok(Search::Nothing),
            Search::Unknown => return Ok(Search::Unknown),
        };
        let start = match (Steps { automaton: &self.backward, cache: caches.1, stretch, meter })
            .match_start(text, from, end)?
        {
            Search::Found(start) => start,
            Search::Nothing | Search::Unknown => return Ok(Search::Unknown),
        };
        // An empty match between the bytes of a character does not count.
        Ok(if text.is_char_boundary(start) && text.is_char_boundary(end) {
            Search::Found((start, end))
        } else {
            Search::Unknown
        })
    }
}

/// The first place at or after `from` where a match may start.
fn beginning(beginnings: &Prefilter, text: &str, from: usize, meter: &mut Meter) -> Fallible<Option<usize>> {
    let mut from = from;
    loop {
        let next = from + (1 << 20);
        let end = text.len().min(next + beginnings.max_needle_len());
        match beginnings.find(text.as_bytes(), regex_automata::Span { start: from, end }) {
            Some(found) => return Ok(Some(found.start)),
            None if end == text.len() => return Ok(None),
            None => from = next,
        }
        meter.look_at_clock()?;
    }
}

enum Search<T> {
    Found(T),
    Nothing,
    /// The automaton gave up: a word boundary next to a character beyond ASCII.
    Unknown,
}

/// One run of an automaton through a text.
struct Steps<'a> {
    automaton: &'a DFA,
    cache: &'a mut Cache,
    stretch: usize,
    meter: &'a mut Meter,
}

/// What a state says about the place before the byte that led to it.
enum State {
    Match,
    Dead,
    Unknown,
    On,
}

fn state(id: LazyStateID) -> State {
    if !id.is_tagged() {
        State::On
    } else if id.is_match() {
        State::Match
    } else if id.is_dead() {
        State::Dead
    } else if id.is_quit() {
        State::Unknown
    } else {
        State::On
    }
}

impl Steps<'_> {
    /// Where the first match at or after `from` ends.
    fn match_end(&mut self, text: &str, from: usize) -> Fallible<Search<usize>> {
        let Ok(id) = self.automaton.start_state_forward(self.cache, &Input::new(text).range(from..)) else {
            return Ok(Search::Unknown);
        };
        let bytes = text.as_bytes().get(from..).unwrap_or_default().iter().copied();
        self.last_match(id, bytes.zip(from..), text.len(), None)
    }

    /// Where the match that ends at `end` starts, at or after `from`.
    fn match_start(&mut self, text: &str, from: usize, end: usize) -> Fallible<Search<usize>> {
        let bytes = text.as_bytes();
        let input = Input::new(text).span(from..end).anchored(Anchored::Yes);
        let Ok(id) = self.automaton.start_state_reverse(self.cache, &input) else { return Ok(Search::Unknown) };
        let before = from.checked_sub(1).and_then(|before| bytes.get(before)).copied();
        let inside = bytes.get(from..end).unwrap_or_default().iter().rev().copied();
        self.last_match(id, inside.zip((from + 1..=end).rev()), from, before)
    }

    /// The last place with a match on the way through these bytes, each given with the place before it. The way ends at
    /// the place `end`, with `beyond` after it.
    fn last_match(
        &mut self,
        mut id: LazyStateID,
        bytes: impl Iterator<Item = (u8, usize)>,
        end: usize,
        beyond: Option<u8>,
    ) -> Fallible<Search<usize>> {
        let (mut last, mut left) = (Search::Nothing, self.stretch);
        for (byte, at) in bytes {
            match left.checked_sub(1) {
                Some(less) => left = less,
                None => {
                    self.meter.look_at_clock()?;
                    left = self.stretch;
                }
            }
            let Ok(next) = self.automaton.next_state(self.cache, id, byte) else { return Ok(Search::Unknown) };
            id = next;
            match state(id) {
                State::On => {}
                State::Match => last = Search::Found(at),
                State::Dead => return Ok(last),
                State::Unknown => return Ok(Search::Unknown),
            }
        }
        let beyond = match beyond {
            Some(byte) => self.automaton.next_state(self.cache, id, byte),
            None => self.automaton.next_eoi_state(self.cache, id),
        };
        Ok(match beyond.map(state) {
            Ok(State::Match) => Search::Found(end),
            Ok(State::On | State::Dead) => last,
            Ok(State::Unknown) | Err(_) => Search::Unknown,
        })
    }
}
