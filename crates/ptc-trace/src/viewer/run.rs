//! A run with its turns and the runs below it.

use std::time::Duration;

use ptc_compression::one_line;
use ptc_lisp::values::{key_text, type_of};
use ptc_lisp::{Map, ToolRecord, ToolSpec, Value};
use ptc_transcript::{Step, Turn, ValueForm, json_of};
use serde::Serialize;

use super::calls::calls;
use super::definitions::{self, DefinitionView};
use super::document::About;
use super::requests::{RequestView, Sent, requests};
use super::shown::ValueView;
use super::turns::{Beside, TurnView};
use crate::replay::{PriceBook, Prices};

/// Maximum depth of nested agents in a document.
const MOST_LEVELS: usize = 64;

/// A run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunView {
    /// The label of the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The mission as the model saw it.
    pub mission: String,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Inputs and result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// How it ended: `return`, `value`, `fallback`, `fail`, `limit` or `error`.
    pub ending: &'static str,
    /// Whether it has an answer.
    pub ok: bool,
    /// The answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<ValueView>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail: Option<FailView>,
    /// Its usage.
    pub totals: TotalsView,
    /// Work turns of the agent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<usize>,
    /// How history was shown, and from which turn on, if that is not the first.
    pub history: Vec<String>,
    /// The tools that programs could call.
    pub tools: Vec<ToolView>,
    /// The input data: names and types.
    pub data: Vec<(String, String)>,
    /// The system text of the requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The definitions with which it started.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub definitions: Vec<DefinitionView>,
    /// The turns; `None` when they were not kept.
    pub turns: Option<Vec<TurnView>>,
    /// The runs of agents called by it, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<RunView>,
    /// How many runs below are left out, because they are too deep.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub children_left_out: Option<usize>,
}

/// Why a run has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailView {
    /// The reason, by name.
    pub reason: String,
    /// The message.
    pub message: String,
}

/// A tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolView {
    /// The name after `tool/`.
    pub name: String,
    /// Parameters and result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// One line for the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The usage of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct TotalsView {
    /// Recorded turns.
    pub turns: usize,
    /// Requests, retried ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// Input tokens, cached ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<u64>,
    /// Of these, from the cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached: Option<u64>,
    /// Output tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<u64>,
    /// Milliseconds.
    pub took_ms: u64,
    /// Bytes of memory at the end.
    pub memory_bytes: u64,
    /// The cost in USD, if the price of the model is known; called agents are not included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Input and output tokens of the agents that it called, and of those below them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_tokens: Option<u64>,
    /// Their cost, if all prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below_cost: Option<f64>,
    /// The source of the price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<String>,
    /// Why the price is unknown, and how to give one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpriced: Option<String>,
}

impl TotalsView {
    /// Input and output tokens, with those of the agents that it called.
    #[must_use]
    pub fn all_tokens(&self) -> Option<u64> {
        let below = self.below_tokens.unwrap_or(0);
        self.input.map(|input| input.saturating_add(self.output.unwrap_or(0)).saturating_add(below))
    }

    /// The cost in USD, with that of the agents that it called, if all prices are known.
    #[must_use]
    pub fn all_cost(&self) -> Option<f64> {
        let below = if self.below_tokens.is_some() { self.below_cost? } else { 0.0 };
        self.cost.map(|cost| cost + below)
    }
}

impl RunView {
    pub(super) fn of(step: &Step, about: &About) -> RunView {
        let known_of = OfRun { model: about.model.as_deref(), sent: about.sent.as_ref(), is_live: about.is_live };
        RunView::at_level(step, known_of, &about.prices, 1)
    }

    /// The first line of its mission, or else its name.
    #[must_use]
    pub fn title(&self) -> &str {
        let first = self.mission.trim().lines().next().filter(|line| !line.is_empty());
        first.or(self.name.as_deref()).unwrap_or("Run")
    }

    /// How it ended; without an answer the reason.
    #[must_use]
    pub fn outcome(&self) -> &str {
        self.fail.as_ref().map_or(self.ending, |fail| &fail.reason)
    }

    fn at_level(step: &Step, known_of: OfRun<'_>, book: &PriceBook, level: usize) -> RunView {
        let OfRun { model, sent, is_live } = known_of;
        let model = sent.and_then(|sent| sent.model.as_deref()).or(model);
        let price = model.map_or(Ok(None), |model| book.price(model));
        let prices = price.as_ref().ok().copied().flatten();
        let is_too_deep = level >= MOST_LEVELS && !step.child_steps.is_empty();
        let mut below = Below::of(if is_too_deep { &[] } else { &step.child_steps });
        let requests = sent.map_or_else(|| requests(step), |sent| sent.requests.iter().cloned().map(Some).collect());
        let model_times = sent.map(|sent| sent.model_times.as_slice()).unwrap_or_default();
        let of_turns = OfTurns { requests, model_times, prices, is_live };
        let turns = step.turns.as_ref().map(|turns| turn_views(step, turns, &mut below, of_turns));
        // Agents may ask other models, which only records say.
        let child = |(place, child): (usize, &Step)| {
            let sent = sent.and_then(|sent| sent.below.get(place));
            RunView::at_level(child, OfRun { model: None, sent, is_live: false }, book, level + 1)
        };
        let children: Vec<RunView> = below.steps.iter().enumerate().map(child).collect();
        RunView {
            name: step.name.clone(),
            mission: step.mission.clone(),
            model: model.map(str::to_owned),
            signature: step.signature.as_ref().map(ToString::to_string),
            ending: step.ending.as_str(),
            ok: step.is_ok(),
            answer: step.return_value().map(|value| ValueView::answer(value, step.memory.shown_names())),
            fail: step
                .fail()
                .map(|fail| FailView { reason: fail.reason.as_str().to_owned(), message: fail.message.clone() }),
            totals: TotalsView {
                unpriced: price.as_ref().err().map(ToString::to_string),
                ..totals(step, turns.as_deref(), prices, &children)
            },
            max_turns: step.max_turns,
            history: history(step),
            tools: step.tools.iter().map(ToolView::of).collect(),
            data: step.data.iter().map(|(key, value)| (key_text(key), type_of(value))).collect(),
            system: step.system.as_deref().map(str::to_owned),
            definitions: definitions::all(&step.memory_at_start),
            turns,
            children,
            children_left_out: is_too_deep.then_some(step.child_steps.len()),
        }
    }
}

/// What is known of a run besides its step.
struct OfRun<'a> {
    model: Option<&'a str>,
    sent: Option<&'a Sent>,
    is_live: bool,
}

/// What is known of the turns of a run besides its step.
struct OfTurns<'a> {
    requests: Vec<Option<RequestView>>,
    model_times: &'a [Option<Duration>],
    prices: Option<&'a Prices>,
    is_live: bool,
}

fn turn_views(step: &Step, turns: &[Turn], below: &mut Below<'_>, known_of: OfTurns<'_>) -> Vec<TurnView> {
    let OfTurns { requests, model_times, prices, is_live } = known_of;
    let (mut requests, mut model_times) = (requests.into_iter(), model_times.iter());
    let mut known = definitions::all(&step.memory_at_start);
    let (mut before, mut at_ms) = (None, 0.0);
    let mut views = Vec::with_capacity(turns.len());
    for turn in turns {
        let defined = definitions::all(turn.memory());
        let beside = Beside {
            step,
            before,
            at_ms,
            calls: calls(turn.tool_calls(), |call| below.of_call(call)),
            request: requests.next().flatten(),
            model_time: model_times.next().copied().flatten(),
            definitions: definitions::between(&known, &defined),
            prices,
            is_live,
        };
        views.push(TurnView::of(turn, beside));
        at_ms += turn.duration().as_secs_f64() * 1000.0;
        (before, known) = (Some(turn), defined);
    }
    views
}

/// The runs below, each of which answered one call.
struct Below<'a> {
    steps: &'a [Step],
    taken: Vec<bool>,
}

impl<'a> Below<'a> {
    fn of(steps: &'a [Step]) -> Below<'a> {
        Below { steps, taken: vec![false; steps.len()] }
    }

    /// The first run that could have answered this call and has not answered another one: it has the name of the tool,
    /// and the arguments as its data if the step holds them.
    fn of_call(&mut self, call: &ToolRecord) -> Option<usize> {
        if call.cached || call.from_failed_turn {
            return None;
        }
        let fits = |step: &Step| {
            step.name.as_deref().is_none_or(|name| name == &*call.name)
                && (step.data.is_empty() || is_same(&step.data, &call.args))
        };
        let free = self.steps.iter().zip(&self.taken).position(|(step, taken)| !taken && fits(step))?;
        if let Some(taken) = self.taken.get_mut(free) {
            *taken = true;
        }
        Some(free)
    }
}

fn is_same(data: &Map, args: &Value) -> bool {
    json_of(&Value::Map(data.clone()), ValueForm::Plain) == json_of(args, ValueForm::Plain)
}

fn totals(step: &Step, turns: Option<&[TurnView]>, prices: Option<&Prices>, below: &[RunView]) -> TotalsView {
    let usage = &step.usage;
    let counted = below.iter().filter(|run| run.totals.all_tokens().is_some());
    let costs: Option<Vec<f64>> = counted.map(|run| run.totals.all_cost()).collect();
    TotalsView {
        turns: usage.turns,
        requests: usage.llm_requests,
        input: usage.input_tokens,
        cached: usage.cache_read_tokens,
        output: usage.output_tokens,
        took_ms: usage.duration_ms,
        memory_bytes: usage.memory_bytes,
        cost: turns
            .map(|turns| turns.iter().filter_map(|turn| turn.cost))
            .and_then(|costs| costs.reduce(|sum, cost| sum + cost)),
        below_tokens: below.iter().filter_map(|run| run.totals.all_tokens()).reduce(u64::saturating_add),
        below_cost: costs.filter(|costs| !costs.is_empty()).map(|costs| costs.iter().sum()),
        prices: prices.map(|prices| prices.name.clone()),
        unpriced: None,
    }
}

fn history(step: &Step) -> Vec<String> {
    let line = |known: &ptc_transcript::CompressionUse| {
        let from = if known.from_turn > 1 { format!("from turn {}: ", known.from_turn) } else { String::new() };
        format!("{from}{}", one_line(&known.compression))
    };
    step.compression.iter().map(line).collect()
}

impl ToolView {
    fn of(spec: &ToolSpec) -> ToolView {
        ToolView {
            name: spec.name.clone(),
            signature: spec.signature.as_ref().map(ToString::to_string),
            description: spec.description.clone(),
        }
    }
}
