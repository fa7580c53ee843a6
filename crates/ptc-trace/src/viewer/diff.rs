//! Two runs next to each other, turn by turn.

use serde::Serialize;

use super::document::Document;
use super::run::RunView;
use super::turns::{TokensView, TurnStatus, TurnView};

/// Version of the format of comparisons; a page shows those of the same version.
pub const DIFF_VERSION: u32 = 1;

/// A comparison of two runs.
///
/// ```
/// use ptc_lisp::Value;
/// use ptc_trace::viewer::{About, Document, RunDiff};
/// use ptc_transcript::{EndingKind, Step};
///
/// let [one, other] = [1, 2].map(|n| Document::of(&Step::returned(EndingKind::Return, Value::Int(n)), &About::default()));
/// assert!(!RunDiff::of(&one, &other).answer.is_same());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunDiff {
    /// Always `ptc-diff`.
    pub format: &'static str,
    /// [`DIFF_VERSION`]
    pub version: u32,
    /// Whether one of them may still be running.
    pub live: bool,
    /// The two runs.
    pub runs: [RunFacts; 2],
    /// Their answers, or why there are none.
    pub answer: TextDiff,
    /// As many turns as the longer run has.
    pub turns: Vec<TurnDiff>,
}

/// A run in a comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunFacts {
    /// [`RunView::title`]
    pub title: String,
    /// Where it was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Milliseconds since 1970 when it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began_ms: Option<i64>,
    /// The model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How it ended, or why without an answer.
    pub ending: String,
    /// Whether it has an answer.
    pub ok: bool,
    /// Recorded turns.
    pub turns: usize,
    /// [`TotalsView::all_tokens`](super::TotalsView::all_tokens)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// [`TotalsView::all_cost`](super::TotalsView::all_cost)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Milliseconds.
    pub took_ms: u64,
}

/// A turn of both runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnDiff {
    /// From 1.
    pub number: usize,
    /// The turn of each run; `None` where it has fewer.
    pub sides: [Option<TurnFacts>; 2],
    /// `program`, `output` and `result`.
    pub parts: [TextDiff; 3],
}

/// A turn of one run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TurnFacts {
    /// Its outcome.
    pub status: TurnStatus,
    /// Why it failed, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Number of its calls.
    pub calls: usize,
    /// Tokens of its request and its answer.
    pub tokens: TokensView,
    /// The cost in USD, if the price of the model is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Milliseconds.
    pub took_ms: f64,
}

/// The same text of both runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TextDiff {
    /// What it is.
    pub what: &'static str,
    /// That of the first run; `None` if it has none.
    pub one: Option<String>,
    /// That of the other run.
    pub other: Option<String>,
    /// Lines that both begin with.
    pub head: usize,
    /// Lines after them that both end with.
    pub tail: usize,
}

impl RunDiff {
    /// Compare the runs of two documents. Cost: linear in their texts.
    pub fn of(one: &Document, other: &Document) -> RunDiff {
        let [left, right] = [one, other].map(|document| document.run.turns.as_deref().unwrap_or_default());
        let most = left.len().max(right.len());
        RunDiff {
            format: "ptc-diff",
            version: DIFF_VERSION,
            live: one.live || other.live,
            runs: [RunFacts::of(one), RunFacts::of(other)],
            answer: TextDiff::of("answer", Some(said(&one.run)), Some(said(&other.run))),
            turns: (0..most).map(|place| TurnDiff::of(place + 1, [left.get(place), right.get(place)])).collect(),
        }
    }
}

impl RunFacts {
    fn of(document: &Document) -> RunFacts {
        let run = &document.run;
        RunFacts {
            title: run.title().to_owned(),
            source: document.source.clone(),
            began_ms: document.began_ms,
            model: run.model.clone(),
            ending: run.outcome().to_owned(),
            ok: run.ok,
            turns: run.totals.turns,
            tokens: run.totals.all_tokens(),
            cost: run.totals.all_cost(),
            took_ms: run.totals.took_ms,
        }
    }
}

/// The answer of a run, or why there is none.
fn said(run: &RunView) -> String {
    match (&run.answer, &run.fail) {
        (Some(answer), _) => answer.text.clone(),
        (None, Some(fail)) => format!("{}: {}", fail.reason, fail.message),
        (None, None) => run.ending.to_owned(),
    }
}

impl TurnDiff {
    fn of(number: usize, turns: [Option<&TurnView>; 2]) -> TurnDiff {
        let part = |what, text: fn(&TurnView) -> String| {
            let [one, other] = turns.map(|turn| turn.map(text));
            TextDiff::of(what, one, other)
        };
        TurnDiff {
            number,
            sides: turns.map(|turn| turn.map(TurnFacts::of)),
            parts: [
                part("program", |turn| turn.program.clone().unwrap_or_default()),
                part("output", |turn| turn.prints.join("\n")),
                part("result", result),
            ],
        }
    }
}

fn result(turn: &TurnView) -> String {
    match (&turn.error, &turn.result) {
        (Some(error), _) => format!("error: {error}"),
        (None, result) => result.as_ref().map(|result| result.text.clone()).unwrap_or_default(),
    }
}

impl TurnFacts {
    fn of(turn: &TurnView) -> TurnFacts {
        TurnFacts {
            status: turn.status,
            reason: turn.reason.clone(),
            calls: turn.calls.len(),
            tokens: turn.tokens,
            cost: turn.cost,
            took_ms: turn.took_ms,
        }
    }
}

impl TextDiff {
    fn of(what: &'static str, one: Option<String>, other: Option<String>) -> TextDiff {
        let [left, right] = [&one, &other].map(|text| text.iter().flat_map(|text| text.lines()).collect::<Vec<&str>>());
        let head = same(left.iter().zip(&right));
        let least = left.len().min(right.len()) - head;
        let tail = same(left.iter().rev().zip(right.iter().rev()).take(least));
        TextDiff { what, one, other, head, tail }
    }

    /// Whether both runs have it, and it is the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.one == self.other
    }

    /// The lines of both runs between those that are the same.
    #[must_use]
    pub fn changed(&self) -> [Option<Vec<&str>>; 2] {
        [&self.one, &self.other].map(|text| {
            let lines: Vec<&str> = text.as_ref()?.lines().collect();
            lines.get(self.head..lines.len().saturating_sub(self.tail)).map(<[&str]>::to_vec)
        })
    }
}

fn same<'a>(pairs: impl Iterator<Item = (&'a &'a str, &'a &'a str)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}
