//! Any strategy below a number of tokens: it shows less and less of the history until the request fits.

mod steps;

use std::sync::Arc;

use crate::words::turns_indicator;
use ptc_chat::{Message, Part, Role};
use ptc_lisp::Memory;
use ptc_transcript::Turn;

use crate::closing::user_message;
use crate::compression::{Compression, Rendered, Renderer};
use crate::counting::Counting;
use crate::history::NextRequest;
use crate::input::RenderInput;
use crate::recent::Recent;
use crate::short_opening::Detail;
use steps::{SMALL, Step};

/// A strategy below a ceiling, used in one run.
pub(crate) struct Fitting {
    name: String,
    whole: Counting,
    small: Recent,
    prefix: Prefix,
}

impl Fitting {
    /// For a new run; `fits` says whether a request of these messages stays below the ceiling.
    pub fn start(
        strategy: &Arc<dyn Compression>,
        input: &RenderInput<'_>,
        fits: impl Fn(Vec<Message>) -> bool,
    ) -> Fitting {
        let whole = Counting::of(strategy);
        let prefix = Prefix::of(&whole.render(&Memory::default(), input), input, fits);
        Fitting { name: strategy.name().to_owned(), whole, small: Recent::new(SMALL), prefix }
    }

    pub fn push(&mut self, turn: &Turn) {
        self.whole.push(turn);
        self.small.push(turn);
    }

    /// The first rendering that fits, or else the smallest. `next` builds the request from a rendering.
    pub fn fit(&self, memory: &Memory, input: &RenderInput<'_>, next: impl Fn(Rendered) -> NextRequest) -> NextRequest {
        let steps = steps::all();
        let render = |place: usize| {
            let mut rendered = match steps.get(place) {
                Some(Step::Capped(caps)) => {
                    self.prefix.put_before(self.whole.render(memory, &RenderInput { caps: *caps, ..*input }))
                }
                Some(Step::Bare) => steps::BARE.render_behind(&self.prefix.text, &self.small, memory, input),
                Some(Step::Names) => steps::only_names(&self.small, &self.prefix.text, memory, input),
                None => Rendered::from(Vec::new()),
            };
            rendered.stats.strategy.clone_from(&self.name);
            // Merging leaves out no more than the strategy does at other turns.
            rendered.stats.ceiling_step = Some(place.saturating_sub(1));
            next(rendered)
        };
        for place in [0, 1] {
            let nothing_left_out = render(place);
            if nothing_left_out.fits() {
                return nothing_left_out;
            }
        }
        // Each step shows less than the one before, so binary search finds the first one that fits. If a custom
        // strategy breaks this, the search may find a later one.
        let (mut first, mut last) = (2, steps.len() - 1);
        let mut found: Option<(usize, NextRequest)> = None;
        while first < last {
            let middle = usize::midpoint(first, last);
            let rendered = render(middle);
            if rendered.fits() {
                (found, last) = (Some((middle, rendered)), middle);
            } else {
                first = middle + 1;
            }
        }
        // Where nothing fits, the last step is the smallest.
        found.filter(|(place, _)| *place == first).map_or_else(|| render(first), |(_, rendered)| rendered)
    }
}

/// The stable beginning of all requests of a run.
struct Prefix {
    text: String,
    /// Written by us instead of the strategy, to leave tokens for the history.
    is_shortened: bool,
}

impl Prefix {
    /// The beginning of a run whose first request the strategy writes like this.
    fn of(first: &Rendered, input: &RenderInput<'_>, fits: impl Fn(Vec<Message>) -> bool) -> Prefix {
        let own = stable_text(&first.messages);
        // The history gets as many tokens as the beginning.
        let fits = |text: &str| {
            let beginning = Message::new(Role::User, [Part::stable(text)]);
            fits(vec![beginning.clone(), beginning])
        };
        if fits(&own) {
            return Prefix { text: own, is_shortened: false };
        }
        let shorter = Detail::ALL.map(|detail| input.short_opening(detail)).into_iter();
        // Where nothing fits, the shortest one.
        let shortest = shorter.reduce(|known, next| if fits(&known) { known } else { next });
        Prefix { text: shortest.unwrap_or(own), is_shortened: true }
    }

    fn put_before(&self, mut rendered: Rendered) -> Rendered {
        if let Some(first) = rendered.messages.first_mut().filter(|_| self.is_shortened) {
            let rest = first.parts.iter().skip_while(|part| part.is_stable()).cloned();
            let parts = std::iter::once(Part::stable(&self.text)).chain(rest);
            *first = Message::new(first.role, parts.collect::<Vec<_>>());
        }
        rendered
    }
}

/// The text of the leading parts that are the same in every request.
pub(crate) fn stable_text(messages: &[Message]) -> String {
    let Some(first) = messages.first() else { return String::new() };
    first.content().get(..first.stable_bytes()).unwrap_or_default().to_owned()
}

/// The smallest first request of a run: a ceiling below it is useless.
pub fn smallest_request(input: &RenderInput<'_>) -> Message {
    let opening = Part::stable(input.short_opening(Detail::Names));
    user_message(Some(opening), [Some(turns_indicator(input.turns_left, input.retries_left))])
}

#[cfg(test)]
mod tests;
