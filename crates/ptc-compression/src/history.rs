//! The history of a run, and the next request.
//!
//! The loop sends its requests. A replay uses it for the requests of a recorded run, a view of a finished run for the
//! next request: all of them push the same turns and so get the same messages.

use std::sync::Arc;

use ptc_chat::{Message, Part};
use ptc_lisp::Memory;
use ptc_transcript::{CompressionStats, RequestEstimate, Turn};

use crate::ceiling::Fitting;
use crate::compression::{Rendered, Renderer};
use crate::config::CompressionConfig;
use crate::counting::Counting;
use crate::dialogue::Dialogue;
use crate::input::RenderInput;
use crate::plain::{PlainHistory, PlainOptions};
use crate::redact::Redactor;
use crate::requests::RequestCounter;
use crate::tokens::{Ceiling, Estimate, OverCeiling};

/// The turns of one run so far, shown in one way.
///
/// ```
/// use ptc_compression::{CompressionConfig, History, PlainOptions, RenderInput};
/// use ptc_lisp::{Map, Memory};
///
/// let data = Map::new();
/// let input = RenderInput::new("Add one and two.", &data);
/// let history = History::start(&CompressionConfig::from(true), "Write programs.", PlainOptions::new(5, 0), &input);
/// let next = history.request(&Memory::default(), &input);
/// assert!(next.messages[0].content().ends_with("\n\nTurns left: 5"));
/// assert_eq!(next.estimate.turn, 1);
/// ```
pub struct History {
    view: View,
    outgoing: Outgoing,
    max_turns: usize,
    retry_turns: usize,
    turns: usize,
    shows_samples: bool,
}

/// How turns are shown.
enum View {
    Plain(PlainHistory),
    Dialogue(Dialogue),
    Compressed(Counting),
    Fitted(Box<Fitting>),
}

/// The request for the next turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextRequest {
    /// The messages, with hidden values removed.
    pub messages: Vec<Message>,
    /// What a strategy shows and leaves out; `None` if the dialogue is sent as it is.
    pub stats: Option<CompressionStats>,
    /// Its size, counted as the ceiling counts, or estimated if there is none.
    pub estimate: RequestEstimate,
    /// What is wrong with it, when it is too large however little it shows.
    pub over_ceiling: Option<OverCeiling>,
}

impl NextRequest {
    pub(crate) fn fits(&self) -> bool {
        self.over_ceiling.is_none()
    }
}

impl History {
    /// For a run that starts with `input`, after this system text. Its programs are shown by the strategy of `config`,
    /// or in the plain dialogue that `plain` shapes.
    ///
    /// Cost: that of the opening, and below a ceiling that of counting it.
    pub fn start(
        config: &CompressionConfig,
        system: impl Into<Arc<str>>,
        plain: PlainOptions,
        input: &RenderInput<'_>,
    ) -> History {
        let outgoing = Outgoing::new(config, system, input);
        let kept = (!input.shows_samples).then(|| input.kept.without_values());
        let input = &RenderInput { kept: kept.as_ref().unwrap_or(input.kept), ..*input };
        let (max_turns, retry_turns) = (plain.max_turns, plain.retry_turns);
        let view = match (config.strategy(), config.ceiling()) {
            (None, _) => View::Plain(PlainHistory::start(input, plain)),
            (Some(strategy), None) => View::Compressed(Counting::of(&strategy)),
            (Some(strategy), Some(_)) => {
                let fits = |messages| outgoing.request(1, messages, None).fits();
                View::Fitted(Box::new(Fitting::start(&strategy, input, fits)))
            }
        };
        History { view, outgoing, max_turns, retry_turns, turns: 0, shows_samples: input.shows_samples }
    }

    /// For a conversation with a model that writes no programs; no strategy shows it in another way.
    pub fn of_dialogue(
        dialogue: Dialogue,
        config: &CompressionConfig,
        system: impl Into<Arc<str>>,
        input: &RenderInput<'_>,
    ) -> History {
        History {
            view: View::Dialogue(dialogue),
            outgoing: Outgoing::new(config, system, input),
            max_turns: input.turns_left,
            retry_turns: input.retries_left,
            turns: 0,
            shows_samples: input.shows_samples,
        }
    }

    /// The same after these turns, with the progress `progress`.
    #[must_use]
    pub fn after(mut self, turns: &[Turn], progress: &str) -> History {
        let later = turns.iter().skip(1).map(Turn::progress).chain([progress]);
        turns.iter().zip(later).for_each(|(turn, progress)| self.push(turn, progress));
        self
    }

    /// Record a turn that another one follows, and the progress of the run.
    pub fn push(&mut self, turn: &Turn, progress: &str) {
        self.turns += 1;
        self.outgoing.redactor.observe(turn);
        let bare = (!self.shows_samples).then(|| turn.without_values());
        let turn = bare.as_ref().unwrap_or(turn);
        match &mut self.view {
            View::Plain(plain) => plain.push(turn, progress),
            View::Dialogue(dialogue) => dialogue.push(turn),
            View::Compressed(strategy) => strategy.push(turn),
            View::Fitted(fitting) => fitting.push(turn),
        }
    }

    /// The next request. `input` is the one from the start of the run, except for its progress; the numbers of turns
    /// and retries left are known here. Only a strategy uses `memory`: see [`History::shows_memory`].
    ///
    /// Cost: one rendering; below a ceiling a few of them, with only new text counted.
    pub fn request(&self, memory: &Memory, input: &RenderInput<'_>) -> NextRequest {
        let turns_left = self.max_turns.saturating_sub(self.turns);
        let retries_used = self.turns.saturating_sub(self.max_turns);
        let retries_left = self.retry_turns.saturating_sub(retries_used);
        self.request_with(memory, &RenderInput { turns_left, retries_left, ..*input })
    }

    pub(crate) fn request_with(&self, memory: &Memory, input: &RenderInput<'_>) -> NextRequest {
        let bare = (!self.shows_samples).then(|| [memory, input.kept].map(Memory::without_values));
        let [memory, kept] = bare.as_ref().map_or([memory, input.kept], |[memory, kept]| [memory, kept]);
        let input = &RenderInput { kept, ..*input };
        match &self.view {
            View::Plain(plain) => self.next(plain.messages().to_vec(), None),
            View::Dialogue(dialogue) => self.next(dialogue.messages().to_vec(), None),
            View::Compressed(strategy) => self.rendered(strategy.render(memory, input)),
            View::Fitted(fitting) => fitting.fit(memory, input, |rendered| self.rendered(rendered)),
        }
    }

    fn rendered(&self, rendered: Rendered) -> NextRequest {
        self.next(rendered.messages, Some(rendered.stats))
    }

    fn next(&self, messages: Vec<Message>, stats: Option<CompressionStats>) -> NextRequest {
        self.outgoing.request(self.turns + 1, messages, stats)
    }

    /// Whether a strategy shows all definitions again; a dialogue repeats what was said about them.
    pub fn shows_memory(&self) -> bool {
        matches!(self.view, View::Compressed(_) | View::Fitted(_))
    }

    /// The dialogue as it went, with hidden values removed; `None` if a strategy shows the history.
    pub fn told(&self) -> Option<Vec<Message>> {
        let mut messages = match &self.view {
            View::Plain(plain) => plain.messages().to_vec(),
            View::Dialogue(dialogue) => dialogue.messages().to_vec(),
            View::Compressed(_) | View::Fitted(_) => return None,
        };
        self.outgoing.insert_follow_up(&mut messages);
        self.outgoing.redactor.redact_messages(&mut messages);
        Some(messages)
    }

    /// The conversation with a model that writes no programs.
    pub fn dialogue_mut(&mut self) -> Option<&mut Dialogue> {
        match &mut self.view {
            View::Dialogue(dialogue) => Some(dialogue),
            _ => None,
        }
    }

    /// Knows what was hidden so far.
    pub fn redactor(&self) -> &Redactor {
        &self.outgoing.redactor
    }
}

/// The processing of messages before they are sent.
struct Outgoing {
    follow_up: String,
    redactor: Redactor,
    requests: RequestCounter,
    ceiling: Option<Ceiling>,
}

impl Outgoing {
    fn new(config: &CompressionConfig, system: impl Into<Arc<str>>, input: &RenderInput<'_>) -> Outgoing {
        let ceiling = config.ceiling().cloned();
        let requests = match &ceiling {
            Some(ceiling) => ceiling.requests(system),
            None => RequestCounter::new(Estimate, system),
        };
        let follow_up = input.follow_up.to_owned();
        Outgoing { follow_up, redactor: Redactor::new(input.data, input.kept), requests, ceiling }
    }

    /// A part of the first message after its stable beginning, so that the beginning stays the same in each run of a
    /// conversation: caches find it there.
    fn insert_follow_up(&self, messages: &mut [Message]) {
        let Some(first) = messages.first_mut().filter(|_| !self.follow_up.is_empty()) else { return };
        let (stable, rest): (Vec<Part>, Vec<Part>) = first.parts.iter().cloned().partition(Part::is_stable);
        let before = if stable.is_empty() { "" } else { "\n\n" };
        let after = if stable.is_empty() && !rest.is_empty() { "\n\n" } else { "" };
        let said = Part::repeated(format!("{before}{}{after}", self.follow_up));
        let parts: Vec<Part> = stable.into_iter().chain([said]).chain(rest).collect();
        *first = Message::new(first.role, parts);
    }

    /// Remove hidden values, count, and check the count.
    fn request(&self, turn: usize, mut messages: Vec<Message>, stats: Option<CompressionStats>) -> NextRequest {
        self.insert_follow_up(&mut messages);
        self.redactor.redact_messages(&mut messages);
        let estimate = self.requests.estimate(turn, &messages);
        let tokens = usize::try_from(estimate.total()).unwrap_or(usize::MAX);
        let over_ceiling = self.ceiling.as_ref().and_then(|ceiling| ceiling.over(tokens));
        NextRequest { messages, stats, estimate, over_ceiling }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{O200k, Strategy, testkit};

    proptest! {
        // A case renders up to a hundred requests.
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// Earlier requests and the time when turns were pushed do not change a request.
        #[test]
        fn a_request_depends_on_turns_and_memory_alone(
            seed: u64,
            which in 0..=Strategy::NAMES.len(),
            ceiling in prop::option::of(60..3_000_usize),
            is_long: bool,
        ) {
            let run = if is_long { testkit::SampleRun::long(seed) } else { testkit::SampleRun::random(seed) };
            let strategy = Strategy::all().get(which).map(Strategy::to_compression);
            let config = match (strategy, ceiling) {
                (Some(strategy), Some(max_tokens)) => CompressionConfig::from(strategy).with_ceiling(Ceiling::new(max_tokens, O200k)),
                (strategy, _) => strategy.into(),
            };
            let start = || History::start(&config, "Write programs.", PlainOptions::new(40, 0), &run.input(0));
            let mut asked = start();
            for seen in 0..=run.turns().len() {
                let (memory, input) = (run.memory(seen), run.input(seen));
                let next = asked.request(&memory, &input);
                if seen % 13 == 3 || seen == run.turns().len() {
                    let mut fresh = start();
                    run.after(seen).iter().for_each(|turn| fresh.push(turn, input.progress));
                    prop_assert_eq!(&fresh.request(&memory, &input), &next);
                }
                prop_assert_eq!(next.estimate.turn, seen + 1);
                if let Some(turn) = run.turns().get(seen) {
                    asked.push(turn, input.progress);
                }
            }
        }
    }
}
