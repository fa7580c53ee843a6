//! Figures of a way of asking, and of the difference between two.

use serde::Serialize;

use super::{CaseReport, Report, RunReport};
use crate::statistics::{Estimate, Passed, difference, mean, rate, ratio};

/// What one way of asking costs and how often it is right. Means are those over cases of the mean over their runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Figures {
    /// Passed runs of all runs.
    pub pass_rate: Estimate,
    /// Turns of a run.
    pub turns: Estimate,
    /// Requests of a run.
    pub requests: Estimate,
    /// Input tokens of a run, cached ones included.
    pub input_tokens: Estimate,
    /// Cached input tokens of a run.
    pub cached_tokens: Estimate,
    /// Output tokens of a run.
    pub output_tokens: Estimate,
    /// The cost of a run in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Estimate>,
    /// The cost of all runs for each that passed, in USD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_of_passed: Option<Estimate>,
}

/// How a way of asking differs from the first one, over the cases that both were asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// These cases.
    pub cases: usize,
    /// By how much its pass rate is higher.
    pub pass_rate: Estimate,
}

/// How the intervals are computed, for readers of reports.
pub(crate) const METHOD: &str = "In brackets: 95 % intervals. Pass rates: Wilson's score interval; several runs of a case \
count as the number of independent runs with the same variance, at least one for each case. Means and the cost of a passed \
run: Student's t over cases. Differences: Newcombe's score interval for paired rates, over the cases that both ways were \
asked. One case has no interval of means.";

impl Figures {
    /// `None` without runs.
    pub(super) fn of(report: &Report) -> Option<Figures> {
        let of = |count: fn(&RunReport) -> f64| {
            let means: Vec<f64> = report.cases.iter().map(|case| sum(case, count) / case.runs.len() as f64).collect();
            mean(&means)
        };
        let passed: Vec<Passed> = report.cases.iter().map(passed).collect();
        let cost = |run: &RunReport| run.cost.unwrap_or_default();
        let is_priced = report.prices.is_some();
        let for_passed: Vec<(f64, f64)> = report
            .cases
            .iter()
            .map(|case| (sum(case, cost), sum(case, |run| f64::from(u8::from(run.passed)))))
            .collect();
        Some(Figures {
            pass_rate: rate(&passed)?,
            turns: of(|run| run.turns as f64)?,
            requests: of(|run| run.requests as f64)?,
            input_tokens: of(|run| run.input_tokens as f64)?,
            cached_tokens: of(|run| run.cached_tokens as f64)?,
            output_tokens: of(|run| run.output_tokens as f64)?,
            cost: of(cost).filter(|_| is_priced),
            cost_of_passed: ratio(&for_passed).filter(|_| is_priced),
        })
    }
}

impl Difference {
    /// How `report` differs from `first`; `None` when no case was asked in both ways.
    pub(super) fn of(report: &Report, first: &Report) -> Option<Difference> {
        let pair = |case: &CaseReport| {
            let other = first.cases.iter().find(|other| other.name == case.name)?;
            Some((passed(case), passed(other)))
        };
        let pairs: Vec<(Passed, Passed)> = report.cases.iter().filter_map(pair).collect();
        Some(Difference { cases: pairs.len(), pass_rate: difference(&pairs)? })
    }
}

impl Report {
    /// Compute the figures of all reports, and how the later ones differ from the first.
    pub(crate) fn finish(reports: &mut [Report]) {
        for report in reports.iter_mut() {
            report.figures = Figures::of(report);
        }
        if let Some((first, later)) = reports.split_first_mut() {
            for report in later {
                report.difference = Difference::of(report, first);
            }
        }
    }

    /// What the model was asked for, in a few words.
    pub(super) fn variant(&self) -> String {
        let parts =
            [self.mode.map(|variant| variant.as_str()), self.compression.as_deref(), self.language_spec.as_deref()];
        let parts: Vec<&str> = parts.into_iter().flatten().collect();
        if parts.is_empty() { "per case".to_owned() } else { parts.join(" · ") }
    }
}

fn passed(case: &CaseReport) -> Passed {
    Passed { passed: case.runs.iter().filter(|run| run.passed).count(), runs: case.runs.len() }
}

fn sum(case: &CaseReport, count: impl Fn(&RunReport) -> f64) -> f64 {
    case.runs.iter().map(count).sum()
}

/// A figure with its interval, each written by `number`: `0.80 (0.49 to 0.94)`.
pub(super) fn shown(estimate: &Estimate, number: fn(f64) -> String) -> String {
    let interval =
        estimate.interval.map(|interval| format!(" ({} to {})", number(interval.low), number(interval.high)));
    format!("{}{}", number(estimate.value), interval.unwrap_or_default())
}

/// A share: `0.80`.
pub(super) fn share(number: f64) -> String {
    format!("{number:.2}")
}

/// Turns and requests: `2.5`.
pub(super) fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

/// Tokens: `1234`.
pub(super) fn whole(number: f64) -> String {
    format!("{number:.0}")
}

/// Dollars: `0.0012`.
pub(super) fn dollars(number: f64) -> String {
    format!("{number:.4}")
}

/// A difference: `+0.10`.
pub(super) fn signed(number: f64) -> String {
    format!("{number:+.2}")
}

/// The columns of a table of ways: names, and a row of figures for each way.
pub(super) fn columns(reports: &[Report]) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let has_costs = reports.iter().any(|report| report.prices.is_some());
    let mut names = vec!["pass rate", "turns", "requests", "input tokens", "cached", "output tokens"];
    names.extend(has_costs.then_some(["USD a run", "USD a passed run"]).into_iter().flatten());
    names.extend((reports.len() > 1).then_some("pass rate against the first"));
    let row = |(place, report): (usize, &Report)| {
        let figures = report.figures.as_ref();
        let of = |pick: fn(&Figures) -> Option<Estimate>, number: fn(f64) -> String| {
            figures.and_then(pick).map_or_else(|| "–".to_owned(), |estimate| shown(&estimate, number))
        };
        let mut row = vec![
            of(|figures| Some(figures.pass_rate), share),
            of(|figures| Some(figures.turns), tenths),
            of(|figures| Some(figures.requests), tenths),
            of(|figures| Some(figures.input_tokens), whole),
            of(|figures| Some(figures.cached_tokens), whole),
            of(|figures| Some(figures.output_tokens), whole),
        ];
        if has_costs {
            row.extend([of(|figures| figures.cost, dollars), of(|figures| figures.cost_of_passed, dollars)]);
        }
        if reports.len() > 1 {
            let difference = report.difference.as_ref().filter(|_| place > 0);
            row.push(difference.map_or_else(
                || "–".to_owned(),
                |difference| format!("{} in {} cases", shown(&difference.pass_rate, signed), difference.cases),
            ));
        }
        row
    };
    (names, reports.iter().enumerate().map(row).collect())
}
