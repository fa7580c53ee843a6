//! Figures of a way of asking, and of the difference between two.

use serde::Serialize;

use super::{CaseReport, Report, RunReport};
use crate::statistics::{Estimate, Interval, Passed, difference, differing, holm, mean, rate, ratio, sign_test};

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

/// How a way of asking differs from another one, over the cases that both were asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// The other way.
    pub to: String,
    /// These cases.
    pub cases: usize,
    /// By how much its pass rate is higher.
    pub pass_rate: Estimate,
    /// Cases that it passed more often.
    pub better: usize,
    /// Cases that it passed less often.
    pub worse: usize,
    /// How likely chance alone makes both differ in so many cases at least that unequally.
    pub p: f64,
    /// The same, corrected for the number of pairs of ways.
    pub p_of_all: f64,
    /// How many times as much its runs cost, where prices are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Estimate>,
    /// How many times as many tokens its runs use, if any are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Estimate>,
}

/// How the intervals are computed, for readers of reports.
pub(crate) const METHOD: &str = "In brackets: 95 % intervals. Pass rates: Wilson's score interval; several runs of a case \
count as the number of independent runs with the same variance, at least one for each case. Means and the cost of a passed \
run: Student's t over cases. Differences: Newcombe's score interval for paired rates, over the cases that both ways were \
asked; p: the exact sign test over cases that differ, with one run of each McNemar's. Costs against another way: a ratio \
over cases, with Student's t. One case has no interval of means.";

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
    /// How `report` differs from `other`; `None` when no case was asked in both ways.
    fn of(report: &Report, other: &Report) -> Option<Difference> {
        let same = |case: &CaseReport| other.cases.iter().find(|known| known.name == case.name);
        let pairs: Vec<(&CaseReport, &CaseReport)> =
            report.cases.iter().filter_map(|case| Some((case, same(case)?))).collect();
        let rates: Vec<(Passed, Passed)> = pairs.iter().map(|(case, other)| (passed(case), passed(other))).collect();
        let of = |count: fn(&RunReport) -> f64| {
            let mean = |case: &CaseReport| sum(case, count) / case.runs.len() as f64;
            ratio(&pairs.iter().map(|(case, other)| (mean(case), mean(other))).collect::<Vec<_>>())
        };
        let (better, worse) = differing(&rates);
        let p = sign_test(better, worse);
        let is_priced = report.prices.is_some() && other.prices.is_some();
        Some(Difference {
            to: other.way.clone(),
            cases: pairs.len(),
            pass_rate: difference(&rates)?,
            better,
            worse,
            p,
            p_of_all: p,
            cost: of(|run| run.cost.unwrap_or_default()).filter(|_| is_priced),
            tokens: of(|run| (run.input_tokens + run.output_tokens) as f64),
        })
    }

    /// The difference in words: `better: +0.27 (+0.08 to +0.43), p 0.008`. One that chance may have made is none.
    pub(crate) fn quality(&self) -> String {
        let word = match () {
            () if self.p_of_all > MAX_CHANCE => "no difference is shown",
            () if self.better > self.worse => "better",
            () => "worse",
        };
        let of_all = match chance(self.p_of_all) {
            of_all if of_all == chance(self.p) => String::new(),
            of_all => format!(", {of_all} corrected for all pairs"),
        };
        format!("{word}: {}, p {}{of_all}", shown(&self.pass_rate, signed), chance(self.p))
    }
}

/// Chance makes ways that are equally good look different so often, or more rarely, where a difference counts as shown.
const MAX_CHANCE: f64 = 0.05;

impl Report {
    /// Compute the figures of all reports, and how each differs from those before it.
    pub(crate) fn finish(reports: &mut [Report]) {
        for report in reports.iter_mut() {
            report.figures = Figures::of(report);
        }
        for place in 0..reports.len() {
            let (before, rest) = reports.split_at_mut(place);
            if let Some(report) = rest.first_mut() {
                report.differences = before.iter().filter_map(|other| Difference::of(report, other)).collect();
            }
        }
        let all = || reports.iter().flat_map(|report| &report.differences);
        let adjusted = holm(&all().map(|difference| difference.p).collect::<Vec<_>>());
        let differences = reports.iter_mut().flat_map(|report| &mut report.differences);
        differences.zip(adjusted).for_each(|(difference, p)| difference.p_of_all = p);
    }

    /// What this way of asking does better or worse than the first one, in a sentence; `None` for the first one itself.
    pub(crate) fn verdict(&self, first: &Report) -> Option<String> {
        let difference = self.differences.first().filter(|difference| difference.to == first.way)?;
        let rates = format!(
            "{} passed {} of {} runs, {} {} of {}",
            self.way, self.summary.passed, self.summary.total, first.way, first.summary.passed, first.summary.total
        );
        let cost = difference
            .cost
            .map(|cost| ("costs", cost))
            .or(difference.tokens.map(|tokens| ("reads and writes", tokens)));
        let cost = cost.map(|(verb, times)| {
            let what = if verb == "costs" { "as much" } else { "as many tokens" };
            format!("; a run {verb} {} times {what}", shown(&times, share))
        });
        Some(format!("{rates}: {}{}.", difference.quality(), cost.unwrap_or_default()))
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

/// How many times as much, with its interval: `0.62 (0.50 to 0.75)`.
pub(crate) fn times(value: f64, interval: Option<Interval>) -> String {
    shown(&Estimate { value, interval }, share)
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

/// Dollars: `0.0012`, `0.00034`.
pub(super) fn dollars(number: f64) -> String {
    if number > 0.0 && number < 0.001 { format!("{number:.5}") } else { format!("{number:.4}") }
}

/// A difference: `+0.10`.
pub(super) fn signed(number: f64) -> String {
    format!("{number:+.2}")
}

/// A probability: `0.008`, `< 0.001`.
pub(super) fn chance(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// The most ways of which all pairs are shown.
const MAX_PAIRED: usize = 6;

/// A row for each pair of ways after the first one: both, how many cases each is better in, p, and p of all pairs. Empty
/// where the table of ways says it all, or where there are too many.
pub(super) fn pairs(reports: &[Report]) -> Vec<[String; 6]> {
    if !(3..=MAX_PAIRED).contains(&reports.len()) {
        return Vec::new();
    }
    let row = |report: &Report, difference: &Difference| {
        [
            report.way.clone(),
            difference.to.clone(),
            shown(&difference.pass_rate, signed),
            format!("{} : {}", difference.better, difference.worse),
            chance(difference.p),
            chance(difference.p_of_all),
        ]
    };
    reports.iter().flat_map(|report| report.differences.iter().map(move |difference| row(report, difference))).collect()
}

/// The names of the columns of [`pairs`].
pub(super) const PAIRS: [&str; 6] =
    ["way", "against", "pass rate", "cases better : worse", "p", "p, corrected for all pairs"];

/// The columns of a table of ways: names, and a row of figures for each way.
pub(super) fn columns(reports: &[Report]) -> (Vec<&'static str>, Vec<Vec<String>>) {
    let has_costs = reports.iter().any(|report| report.prices.is_some());
    let mut names = vec!["pass rate", "turns", "requests", "input tokens", "cached", "output tokens"];
    names.extend(has_costs.then_some(["USD a run", "USD a passed run"]).into_iter().flatten());
    if reports.len() > 1 {
        names.extend(["pass rate against the first", if has_costs { "cost against it" } else { "tokens against it" }]);
    }
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
            let difference = report.differences.first().filter(|_| place > 0);
            let missing = || "–".to_owned();
            row.push(difference.map_or_else(missing, |difference| {
                let all = report.cases.len();
                let cases =
                    if difference.cases == all { String::new() } else { format!(" in {} cases", difference.cases) };
                format!("{}{cases}, p {}", shown(&difference.pass_rate, signed), chance(difference.p))
            }));
            let times = difference.and_then(|difference| if has_costs { difference.cost } else { difference.tokens });
            row.push(times.map_or_else(missing, |times| format!("× {}", shown(&times, share))));
        }
        row
    };
    (names, reports.iter().enumerate().map(row).collect())
}
