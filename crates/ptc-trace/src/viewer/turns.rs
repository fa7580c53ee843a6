//! Turns.

use std::time::Duration;

use ptc_chat::{StopReason, Tokens};
use ptc_transcript::{EndingKind, FailReason, FailurePlace, RequestEstimate, Step, Turn, TurnWarning};
use serde::Serialize;

use super::calls::{CallView, clock_us};
use super::definitions::DefinitionsView;
use super::requests::RequestView;
use super::shown::ValueView;
use crate::replay::Prices;

/// The outcome of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnStatus {
    /// Its program ran to its end.
    Ok,
    /// The same, after a turn that failed.
    Recovered,
    /// It returned the answer of the run.
    Returned,
    /// It failed.
    Failed,
    /// Its program ended the run with `fail`.
    GaveUp,
    /// It is running.
    Running,
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnView {
    /// From 1.
    pub number: usize,
    /// `normal`, `must_return` or `retry`.
    pub kind: &'static str,
    /// Its outcome.
    pub status: TurnStatus,
    /// Why it failed, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it failed, as the model read it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Milliseconds from the start of the run to its request, without times between turns.
    pub at_ms: f64,
    /// Milliseconds from its request to its record.
    pub took_ms: f64,
    /// Where that time went.
    pub times: TimesView,
    /// The program found in the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// Where it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<FailurePlace>,
    /// Legal code that is nearly always a mistake.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<TurnWarning>,
    /// Calls of tools, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallView>,
    /// Printed entries, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prints: Vec<String>,
    /// The value of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<ValueView>,
    /// The answer of the model, byte for byte.
    pub answer: String,
    /// The thoughts of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// Why the model stopped writing, unless it had finished.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopReason>,
    /// The checklist of a plan or the log of tasks as the request showed it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub progress: String,
    /// Tokens of the request and the answer.
    pub tokens: TokensView,
    /// The cost in USD, if the price of the model is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestView>,
    /// How definitions changed.
    pub definitions: DefinitionsView,
}

/// Where the time of a turn went, in microseconds. What is left was spent on programs and on waiting.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TimesView {
    /// The model, all attempts together, if the record of the run says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_us: Option<u64>,
    /// The calls, one after the other.
    pub calls_us: u64,
    /// The calls on the clock: times at which several were made count once.
    pub clock_us: u64,
}

/// Tokens of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct TokensView {
    /// Of the request, those from the cache included.
    pub input: u64,
    /// Of these, how many came from the provider's cache.
    pub cached: u64,
    /// Of these, how many were written to its cache.
    pub write: u64,
    /// Of the answer, thoughts included.
    pub output: u64,
    /// Whether the provider counted. Otherwise the request is estimated, and `cached` is the beginning shared by all
    /// requests.
    pub counted: bool,
}

/// Facts about a turn from other sources.
pub(super) struct Beside<'a> {
    pub step: &'a Step,
    pub before: Option<&'a Turn>,
    pub at_ms: f64,
    pub calls: Vec<CallView>,
    pub request: Option<RequestView>,
    pub model_time: Option<Duration>,
    pub definitions: DefinitionsView,
    pub prices: Option<&'a Prices>,
    pub is_live: bool,
}

impl TurnView {
    pub(super) fn of(turn: &Turn, beside: Beside<'_>) -> TurnView {
        let status = status(turn, &beside);
        let is_over = status != TurnStatus::Running;
        let result = || {
            if status == TurnStatus::Returned {
                ValueView::answer(turn.result(), turn.memory().shown_names())
            } else {
                ValueView::whole(turn.result(), turn.memory().shown_names())
            }
        };
        TurnView {
            number: turn.number(),
            kind: turn.kind().as_str(),
            status,
            reason: turn.error_reason().filter(|_| is_over).map(|reason| reason.as_str().to_owned()),
            error: turn.error_message().filter(|_| is_over),
            at_ms: beside.at_ms,
            took_ms: turn.duration().as_secs_f64() * 1000.0,
            times: TimesView::of(beside.model_time, &beside.calls),
            program: turn.program().map(|program| program.trim_end().to_owned()),
            failed_at: turn.failed_at(),
            warnings: turn.warnings().to_vec(),
            calls: match is_over {
                true => beside.calls,
                false => beside.calls.into_iter().map(CallView::under_way).collect(),
            },
            prints: turn.prints().to_vec(),
            result: turn.is_success().then(result),
            answer: turn.raw_response().to_owned(),
            reasoning: turn.reasoning().map(str::to_owned),
            stop: Some(turn.stop().clone()).filter(|stop| *stop != StopReason::End),
            progress: turn.progress().to_owned(),
            tokens: TokensView::of(turn, beside.step),
            cost: turn.tokens().zip(beside.prices).map(|(tokens, prices)| prices.cost(&tokens)),
            request: beside.request,
            definitions: beside.definitions,
        }
    }
}

fn status(turn: &Turn, beside: &Beside<'_>) -> TurnStatus {
    let is_last = beside.step.turns().last().is_some_and(|last| last.number() == turn.number());
    match (turn.is_success(), beside.step.ending) {
        (false, _) if is_last && beside.is_live && turn.error_reason() == Some(FailReason::Cancelled) => {
            TurnStatus::Running
        }
        (true, EndingKind::Return | EndingKind::Value) if is_last => TurnStatus::Returned,
        (false, EndingKind::Fail) if is_last => TurnStatus::GaveUp,
        (true, _) if beside.before.is_some_and(|before| !before.is_success()) => TurnStatus::Recovered,
        (true, _) => TurnStatus::Ok,
        (false, _) => TurnStatus::Failed,
    }
}

impl TimesView {
    fn of(model: Option<Duration>, calls: &[CallView]) -> TimesView {
        TimesView {
            model_us: model.map(|model| u64::try_from(model.as_micros()).unwrap_or(u64::MAX)),
            calls_us: calls.iter().map(|call| call.took_us).fold(0, u64::saturating_add),
            clock_us: clock_us(calls),
        }
    }
}

impl TokensView {
    /// As the provider counted, or else as estimated.
    fn of(turn: &Turn, step: &Step) -> TokensView {
        let output = turn.tokens().map_or(0, |tokens| tokens.output);
        match turn.tokens().filter(|tokens| tokens.input > 0) {
            Some(Tokens { input, output, cached, cache_write }) => {
                TokensView { input, cached, write: cache_write, output, counted: true }
            }
            None => match step.usage.estimates.iter().find(|estimate| estimate.turn == turn.number()) {
                Some(estimate @ RequestEstimate { prefix, .. }) => {
                    TokensView { input: estimate.total(), cached: *prefix, write: 0, output, counted: false }
                }
                None => TokensView { output, ..TokensView::default() },
            },
        }
    }
}
