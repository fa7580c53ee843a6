//! Several renditions of one run side by side.

use ptc_chat::Message;
use ptc_compression::{OverCeiling, TokenCounter};
use ptc_transcript::{Step, Turn};
use serde::Serialize;

use super::difference::Difference;
use super::measure::{RequestSize, tokens};
use super::prices::Prices;
use super::rendition::Rendition;
use super::{chart, text};

/// The totals of the requests of a run under several ways of showing history. The first one is the reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// How tokens were counted.
    pub counter: String,
    /// Tokens of the system text, which is in every request; `None` if the step does not hold it, as in older releases:
    /// it then counts as 0.
    pub system_tokens: Option<u64>,
    /// The prices behind the costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
    /// The runs of called agents, which show their history as they did in every rendition.
    #[serde(skip_serializing_if = "Below::is_nothing")]
    pub below: Below,
    /// Tokens of the answers, turn by turn. They are those of the recorded run: as the provider counted, if it did and
    /// no rendition has answers of another kind to compare them with.
    pub output: Vec<u64>,
    /// One for each rendition, in order.
    pub renditions: Vec<Measured>,
}

/// One rendition in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// Its name.
    pub name: String,
    /// Its requests, turn by turn.
    pub requests: Vec<RequestSize>,
    /// Tokens of the answers to them, where these are not those of the recorded run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Vec<u64>>,
    /// What is assumed because the recorded run does not say it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumptions: Vec<String>,
    /// Their totals.
    pub totals: Totals,
    /// Where it first differs from the reference.
    pub difference: Option<Difference>,
    /// Why there are fewer requests than turns: the run would have ended there with `context_limit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_ceiling: Option<OverCeiling>,
}

/// Sums over all requests and their answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Bytes of all messages.
    pub bytes: usize,
    /// Input tokens.
    pub input: u64,
    /// Of these, what a cache can serve: see [`RequestSize::shared`].
    pub shared: u64,
    /// Output tokens.
    pub output: u64,
    /// The cost in USD, when there are prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
}

/// The cost of a run in USD, output included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Cost {
    /// Every request pays for all of its input.
    pub uncached: f64,
    /// Each request reads the part that it shares with the one before, and writes once the part that the next one will
    /// share. If writing has a separate price, this is the marked part: see [`RequestSize::marked`]. This is the
    /// minimum price: the provider's minimum cache size, rounding and expiry are extra.
    pub cached: f64,
}

/// Runs of agents that a run called, and those called, and so on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Below {
    /// All of them.
    pub runs: usize,
    /// Those among them that are not in the totals: their steps do not say what was sent, as those of runs without a record.
    pub unknown: usize,
    /// The totals of the others; costs are at the prices of the run that called them.
    pub totals: Totals,
}

impl Below {
    /// Whether there are none.
    fn is_nothing(&self) -> bool {
        self.runs == 0
    }

    fn add(&mut self, totals: Option<Totals>) {
        self.runs += 1;
        let Some(totals) = totals else {
            self.unknown += 1;
            return;
        };
        let sums = &mut self.totals;
        sums.bytes += totals.bytes;
        sums.input += totals.input;
        sums.shared += totals.shared;
        sums.output += totals.output;
        sums.cost = totals.cost.map(|cost| cost.with(sums.cost));
    }
}

impl Cost {
    /// Both together.
    pub(super) fn with(self, other: Option<Cost>) -> Cost {
        let other = other.unwrap_or_default();
        Cost { uncached: self.uncached + other.uncached, cached: self.cached + other.cached }
    }
}

impl Comparison {
    /// Measure the renditions of the run of this step. Cost: linear in all texts, which are counted once or twice.
    pub fn new(
        step: &Step,
        renditions: &[Rendition],
        counter: &dyn TokenCounter,
        prices: Option<Prices>,
    ) -> Comparison {
        Comparison::of_conversation(&[step], renditions, counter, prices)
    }

    /// Measure the renditions of a conversation: of runs that follow each other under the same system text.
    pub fn of_conversation(
        steps: &[&Step],
        renditions: &[Rendition],
        counter: &dyn TokenCounter,
        prices: Option<Prices>,
    ) -> Comparison {
        let system = steps.first().and_then(|step| step.system.as_deref());
        let system_tokens = system.map(|text| tokens(counter, text));
        // The thoughts of a model, which its provider counts, are unknown for answers that it did not give.
        let counts_texts = renditions.iter().any(|rendition| rendition.own.is_some());
        let answer = &|turn: &Turn| {
            let counted = turn.tokens().filter(|_| !counts_texts).map(|counted| counted.output);
            counted.unwrap_or_else(|| tokens(counter, turn.raw_response()))
        };
        let output: Vec<u64> = steps.iter().flat_map(|step| step.turns()).map(answer).collect();
        let measured = |rendition: &Rendition| {
            let own = rendition.own.as_ref();
            let beginning = own.map(|own| tokens(counter, &own.beginning)).or(system_tokens).unwrap_or(0);
            let requests = sizes(&rendition.requests, beginning, counter);
            let written = own.map(|own| own.answers.iter().map(|text| tokens(counter, text)).collect::<Vec<_>>());
            // There is no answer after a request that is too large.
            let sum = written.as_ref().unwrap_or(&output).iter().take(requests.len()).sum();
            let difference = || renditions.first().and_then(|reference| Difference::between(reference, rendition));
            Measured {
                name: rendition.name.clone(),
                totals: totals(&requests, sum, prices.as_ref()),
                requests,
                over_ceiling: rendition.over_ceiling.clone(),
                difference: if own.is_none() { difference() } else { None },
                output: written,
                assumptions: own.map(|own| own.assumptions.clone()).unwrap_or_default(),
            }
        };
        let measured = renditions.iter().map(measured).collect();
        let sums = |below: &Step| {
            // A run keeps less than its record of those below it.
            let system = tokens(counter, below.system.as_deref()?);
            let sent = Rendition::as_sent(below).or_else(|| Rendition::recorded(below, "").ok())?;
            let output = below.turns().iter().map(answer).sum();
            Some(totals(&sizes(&sent.requests, system, counter), output, prices.as_ref()))
        };
        let mut below = Below::default();
        for_each_below(steps, &mut |step| below.add(sums(step)));
        Comparison { counter: counter.name().to_owned(), system_tokens, prices, below, output, renditions: measured }
    }

    /// As text: tokens turn by turn, sums, cost, and where renditions first differ from the reference.
    pub fn format(&self) -> String {
        text::of(self)
    }

    /// As a picture: a line of tokens over turns for each rendition, without the system text. Equal comparisons produce
    /// equal bytes.
    pub fn to_svg(&self, title: &str) -> String {
        chart::of(self, title)
    }
}

/// Do this with each run below these, and those below them.
fn for_each_below(steps: &[&Step], each: &mut dyn FnMut(&Step)) {
    for child in steps.iter().flat_map(|step| &step.child_steps) {
        each(child);
        for_each_below(&[child], each);
    }
}

fn sizes(requests: &[Vec<Message>], system: u64, counter: &dyn TokenCounter) -> Vec<RequestSize> {
    let before = std::iter::once(None).chain(requests.iter().map(|request| Some(request.as_slice())));
    before.zip(requests).map(|(before, request)| RequestSize::new(before, request, system, counter)).collect()
}

fn totals(requests: &[RequestSize], output: u64, prices: Option<&Prices>) -> Totals {
    let sum = |part: fn(&RequestSize) -> u64| requests.iter().map(part).sum();
    Totals {
        bytes: requests.iter().map(|size| size.bytes).sum(),
        input: sum(|size| size.tokens),
        shared: sum(|size| size.shared),
        output,
        cost: prices.map(|prices| cost(requests, output, prices)),
    }
}

fn cost(requests: &[RequestSize], output: u64, prices: &Prices) -> Cost {
    let usd = |tokens: u64, price: f64| tokens as f64 * price / 1e6;
    let mut cost = Cost { uncached: usd(output, prices.output), cached: usd(output, prices.output) };
    let next = requests.iter().skip(1).map(|size| size.shared).chain([0]);
    for (size, next) in requests.iter().zip(next) {
        let (read, written) = if prices.are_for_marks() {
            (size.found, size.marked.saturating_sub(size.found))
        } else {
            // Of what the next request reads, the part that this one did not read itself.
            (size.shared, next.saturating_sub(size.shared).min(size.tokens - size.shared))
        };
        let fresh = size.tokens.saturating_sub(read + written);
        cost.uncached += usd(size.tokens, prices.input);
        cost.cached += usd(read, prices.cached) + usd(written, prices.write) + usd(fresh, prices.input);
    }
    cost
}
