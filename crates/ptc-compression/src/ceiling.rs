//! Any strategy below a number of tokens: it shows less and less of the history until the request fits.

mod opening;
mod steps;

use std::sync::{Arc, OnceLock};

use ptc_chat::{Message, Part, Role};
use ptc_lisp::Memory;
use ptc_mission::turns_indicator;
use ptc_transcript::{CompressionOptions, Turn};

use crate::closing::user_message;
use crate::compression::{Compression, Rendered, Renderer, renderer_of};
use crate::input::RenderInput;
use crate::recent::Recent;
use crate::requests::RequestCounter;
#[cfg(feature = "tokens")]
use crate::tokens::O200k;
use crate::tokens::{Ceiling, TokenCounter};
use opening::Detail;
use steps::{SMALL, Step};

/// Keeps the requests of a strategy below a number of tokens.
///
/// A request that is too large is rendered again with less of the history, in this order, until it fits: samples of
/// definitions (shorter, then none), prints (the newest 8, 3, 1), calls and turns with their programs (10 calls and 2
/// turns, 3 and 1, 1 and none), no documentation and no program of the last error (as [`Aggressive`](crate::Aggressive)
/// shows a run), names only. A strategy of one's own takes part in the first steps when it obeys [`RenderInput::caps`].
///
/// The stable beginning is shortened once for the whole run, from agent and data alone, when it would take more than
/// half of what the system text leaves: shorter samples, no samples, no documentation, names only.
///
/// Never left out are the mission, the names of tools, the beginning of the last error and the calls that ran in failed
/// turns. When even that is too much, the smallest request is returned, and whoever sends it must
/// [check](Ceiling::check): agents end with `context_limit`.
///
/// ```
/// use ptc_compression::{ByteBound, CompressionConfig, RollingWindow, TokenCeiling};
///
/// let config = CompressionConfig::from(TokenCeiling::with_counter(RollingWindow::default(), 8_000, ByteBound));
/// assert_eq!(config.ceiling().unwrap().max_tokens(), 8_000);
/// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
/// ```
#[derive(Clone)]
pub struct TokenCeiling {
    strategy: Arc<dyn Compression>,
    ceiling: Ceiling,
}

impl TokenCeiling {
    /// At most so many tokens in a request, counted in the vocabulary of [`O200k`].
    #[cfg(feature = "tokens")]
    pub fn new(strategy: impl Compression + 'static, max_tokens: usize) -> Self {
        TokenCeiling::with_counter(strategy, max_tokens, O200k)
    }

    /// At most so many tokens in a request, counted in another way.
    pub fn with_counter(
        strategy: impl Compression + 'static,
        max_tokens: usize,
        counter: impl TokenCounter + 'static,
    ) -> Self {
        TokenCeiling::below(strategy, Ceiling::new(max_tokens, counter))
    }

    /// No more than this ceiling allows.
    pub fn below(strategy: impl Compression + 'static, ceiling: Ceiling) -> Self {
        TokenCeiling { strategy: Arc::new(strategy), ceiling }
    }

    /// The counter of the run, if it counts as this ceiling does, or else `own`.
    fn requests<'r>(&self, input: &RenderInput<'r>, own: &'r OnceLock<RequestCounter>) -> &'r RequestCounter {
        let shared = input.requests.filter(|requests| self.ceiling.made(requests));
        shared.unwrap_or_else(|| own.get_or_init(|| self.ceiling.requests(input.system)))
    }

    /// The beginning of all requests of the run.
    fn prefix(&self, requests: &RequestCounter, input: &RenderInput<'_>) -> Prefix {
        let own = stable_text(&self.strategy.to_messages(&[], &Memory::default(), input).messages);
        // With as much room for the history as it takes itself.
        let fits = |text: &str| {
            let beginning = Message::new(Role::User, [Part::stable(text)]);
            self.ceiling.check(requests, &sent(vec![beginning.clone(), beginning], input)).is_ok()
        };
        if fits(&own) {
            return Prefix::Own(own);
        }
        let shorter = Detail::ALL.map(|detail| input.short_opening(detail)).into_iter();
        // Where nothing fits, the shortest one.
        Prefix::Shortened(shorter.reduce(|known, next| if fits(&known) { known } else { next }).unwrap_or(own))
    }

    /// The first rendering that fits, or else the smallest.
    fn fit(
        &self,
        requests: &RequestCounter,
        prefix: &Prefix,
        whole: &dyn Fn(&RenderInput<'_>) -> Rendered,
        small: &dyn Small,
        memory: &Memory,
        input: &RenderInput<'_>,
    ) -> Rendered {
        let steps = steps::all();
        let render = |place: usize| {
            let mut rendered = match steps.get(place) {
                Some(Step::Capped(caps)) => prefix.put_before(whole(&RenderInput { caps: *caps, ..*input })),
                Some(Step::Small(view)) => small.recent(&|recent| view.render(recent, prefix.text(), memory, input)),
                None => Rendered::from(Vec::new()),
            };
            if rendered.stats.enabled {
                rendered.stats.strategy = self.name().to_owned();
            }
            // Merging leaves out no more than the strategy does at other turns.
            rendered.stats.ceiling_step = Some(place.saturating_sub(1));
            rendered
        };
        let fits = |rendered: &Rendered| self.ceiling.check(requests, &sent(rendered.messages.clone(), input)).is_ok();
        for place in [0, 1] {
            let nothing_left_out = render(place);
            if fits(&nothing_left_out) {
                return nothing_left_out;
            }
        }
        // Each step is to show less than the one before, so that the first one that fits is found by halves. Where a
        // strategy of one's own does otherwise, a later one may be found.
        let (mut first, mut last) = (2, steps.len() - 1);
        let mut found: Option<(usize, Rendered)> = None;
        while first < last {
            let middle = usize::midpoint(first, last);
            let rendered = render(middle);
            if fits(&rendered) {
                (found, last) = (Some((middle, rendered)), middle);
            } else {
                first = middle + 1;
            }
        }
        // Where nothing fits, the last step is the smallest.
        found.filter(|(place, _)| *place == first).map_or_else(|| render(first), |(_, rendered)| rendered)
    }
}

impl Compression for TokenCeiling {
    fn name(&self) -> &str {
        self.strategy.name()
    }

    fn options(&self) -> CompressionOptions {
        self.strategy.options()
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let whole = |input: &RenderInput<'_>| self.strategy.to_messages(turns, memory, input);
        let own = OnceLock::new();
        let requests = self.requests(input, &own);
        self.fit(requests, &self.prefix(requests, input), &whole, &turns, memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        let (whole, small) = (renderer_of(&self.strategy), Recent::new(SMALL));
        Some(Box::new(Fitting {
            ceiling: self.clone(),
            whole,
            small,
            requests: OnceLock::new(),
            prefix: OnceLock::new(),
        }))
    }

    fn ceiling(&self) -> Option<&Ceiling> {
        Some(&self.ceiling)
    }
}

/// What the smallest steps show a run from; made only when they are needed.
trait Small {
    fn recent(&self, render: &dyn Fn(&Recent) -> Rendered) -> Rendered;
}

impl Small for &[Turn] {
    fn recent(&self, render: &dyn Fn(&Recent) -> Rendered) -> Rendered {
        let mut recent = Recent::new(SMALL);
        self.iter().for_each(|turn| recent.push(turn));
        render(&recent)
    }
}

impl Small for Recent {
    fn recent(&self, render: &dyn Fn(&Recent) -> Rendered) -> Rendered {
        render(self)
    }
}

/// A strategy below its ceiling, at work in one run.
struct Fitting {
    ceiling: TokenCeiling,
    whole: Box<dyn Renderer>,
    small: Recent,
    /// Where the loop does not count.
    requests: OnceLock<RequestCounter>,
    /// The same in every request, so that it is decided once.
    prefix: OnceLock<Prefix>,
}

impl Renderer for Fitting {
    fn push(&mut self, turn: &Turn) {
        self.whole.push(turn);
        self.small.push(turn);
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let requests = self.ceiling.requests(input, &self.requests);
        let prefix = self.prefix.get_or_init(|| self.ceiling.prefix(requests, input));
        self.ceiling.fit(requests, prefix, &|input| self.whole.render(memory, input), &self.small, memory, input)
    }
}

/// The stable beginning of all requests of a run.
enum Prefix {
    /// As the strategy writes it.
    Own(String),
    /// Written by us, to leave room for the history.
    Shortened(String),
}

impl Prefix {
    fn text(&self) -> &str {
        match self {
            Prefix::Own(text) | Prefix::Shortened(text) => text,
        }
    }

    fn put_before(&self, mut rendered: Rendered) -> Rendered {
        if let (Prefix::Shortened(text), Some(first)) = (self, rendered.messages.first_mut()) {
            let rest = first.parts.iter().skip_while(|part| part.is_stable()).cloned();
            *first = Message::new(first.role, std::iter::once(Part::stable(text)).chain(rest).collect::<Vec<_>>());
        }
        rendered
    }
}

fn stable_text(messages: &[Message]) -> String {
    let Some(first) = messages.first() else { return String::new() };
    first.content().get(..first.stable_bytes()).unwrap_or_default().to_owned()
}

/// The messages as the model gets them.
fn sent(mut messages: Vec<Message>, input: &RenderInput<'_>) -> Vec<Message> {
    if let Some(redactor) = input.redactor {
        redactor.redact_messages(&mut messages);
    }
    messages
}

/// The smallest first request of a run: a ceiling below it serves for nothing.
pub fn smallest_request(input: &RenderInput<'_>) -> Message {
    let opening = Part::stable(input.short_opening(Detail::Names));
    user_message(Some(opening), [Some(turns_indicator(input.turns_left))])
}

#[cfg(test)]
mod tests;
