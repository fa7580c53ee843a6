//! Intervals of rates and means over cases, of which there may be few.
//!
//! Cases are what is sampled: runs of one case resemble each other, so they never count as so many cases.

#[cfg(test)]
mod tests;

use serde::Serialize;

/// The standard normal quantile of 97.5 %.
const Z: f64 = 1.959_963_984_540_054;

/// Quantiles of 97.5 % of Student's t, for 1 to 10 degrees of freedom.
const T: [f64; 10] = [
    12.706_204_736,
    4.302_652_730,
    3.182_446_305,
    2.776_445_105,
    2.570_581_836,
    2.446_911_851,
    2.364_624_252,
    2.306_004_135,
    2.262_157_163,
    2.228_138_852,
];

/// What holds in 95 of 100 evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// A figure with its interval; too few cases have none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Its 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}

impl Estimate {
    /// The share of cases that passed, each asked once, with Wilson's score interval. `None` without cases.
    #[must_use]
    pub fn of_passed(cases: &[bool]) -> Option<Estimate> {
        rate(&cases.iter().copied().map(Passed::once).collect::<Vec<_>>())
    }

    /// How much higher the share of the first is than that of the second, each case asked once in both ways, with Newcombe's
    /// interval. `None` without cases.
    #[must_use]
    pub fn of_difference(cases: &[(bool, bool)]) -> Option<Estimate> {
        let once = |&(first, second): &(bool, bool)| (Passed::once(first), Passed::once(second));
        difference(&cases.iter().map(once).collect::<Vec<_>>())
    }

    /// The sum of the first figures for each of the second, such as costs of cases in two ways, with the interval of a ratio
    /// over cases. `None` when the second sum is 0.
    #[must_use]
    pub fn of_ratio(cases: &[(f64, f64)]) -> Option<Estimate> {
        ratio(cases)
    }
}

/// The runs of one case that passed, of all its runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passed {
    pub(crate) passed: usize,
    pub(crate) runs: usize,
}

impl Passed {
    fn once(passed: bool) -> Passed {
        Passed { passed: usize::from(passed), runs: 1 }
    }

    fn rate(self) -> f64 {
        self.passed as f64 / self.runs.max(1) as f64
    }
}

/// The rate of passed runs with its Wilson interval. Where cases have several runs, these count as the number of
/// independent ones with the same variance of the rate, at least one for each case.
///
/// `None` without runs.
pub(crate) fn rate(cases: &[Passed]) -> Option<Estimate> {
    let runs: usize = cases.iter().map(|case| case.runs).sum();
    if runs == 0 {
        return None;
    }
    let value = cases.iter().map(|case| case.passed).sum::<usize>() as f64 / runs as f64;
    Some(Estimate { value, interval: Some(wilson(value, effective_runs(cases, value))) })
}

/// The number of independent runs whose rate varies as much as that of these.
fn effective_runs(cases: &[Passed], rate: f64) -> f64 {
    let (count, runs) = (cases.len() as f64, cases.iter().map(|case| case.runs).sum::<usize>() as f64);
    let squares: f64 = cases.iter().map(|case| (case.passed as f64 - rate * case.runs as f64).powi(2)).sum();
    let variance = squares / runs.powi(2) * count / (count - 1.0);
    let effective = rate * (1.0 - rate) / variance;
    if effective.is_finite() { effective.clamp(count, runs) } else { count }
}

/// The score interval of Wilson for a rate of `n` runs.
fn wilson(rate: f64, n: f64) -> Interval {
    let square = Z * Z / n;
    let centre = (rate + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (rate * (1.0 - rate) / n + square / (4.0 * n)).sqrt();
    Interval { low: (centre - half).clamp(0.0, rate), high: (centre + half).clamp(rate, 1.0) }
}

/// The mean over cases, with its interval by Student's t; one case has none. `None` without cases.
pub(crate) fn mean(cases: &[f64]) -> Option<Estimate> {
    let count = cases.len() as f64;
    let value = cases.iter().sum::<f64>() / count;
    let squares: f64 = cases.iter().map(|case| (case - value).powi(2)).sum();
    let half = t(cases.len().checked_sub(1)?) * (squares / (count - 1.0) / count).sqrt();
    Some(Estimate { value, interval: around(value, half) })
}

/// The sum of the first figures for each of the second, such as the cost of a passed run, with the interval of a ratio
/// over cases. `None` when the second sum is 0.
pub(crate) fn ratio(cases: &[(f64, f64)]) -> Option<Estimate> {
    let count = cases.len() as f64;
    let below: f64 = cases.iter().map(|(_, below)| below).sum();
    let value = cases.iter().map(|(above, _)| above).sum::<f64>() / below;
    if !value.is_finite() {
        return None;
    }
    let squares: f64 = cases.iter().map(|(above, below)| (above - value * below).powi(2)).sum();
    let half = t(cases.len().checked_sub(1)?) * (squares * count / (count - 1.0)).sqrt() / below;
    Some(Estimate { value, interval: around(value, half) })
}

/// The interval of a figure that is never negative.
fn around(value: f64, half: f64) -> Option<Interval> {
    half.is_finite().then(|| Interval { low: (value - half).max(0.0), high: value + half })
}

/// The quantile of 97.5 % of Student's t; without a degree of freedom it is infinite. Above ten degrees by the expansion
/// of Cornish and Fisher, whose error is below 0.00001 there.
fn t(degrees: usize) -> f64 {
    match degrees.checked_sub(1).map(|place| T.get(place)) {
        None => f64::INFINITY,
        Some(Some(known)) => *known,
        Some(None) => {
            let (n, z) = (degrees as f64, Z);
            z + (z.powi(3) + z) / (4.0 * n)
                + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n.powi(2))
                + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * n.powi(3))
                + (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
                    / (92_160.0 * n.powi(4))
        }
    }
}

/// How much higher the first rate is than the second one, over the same cases. The interval is Newcombe's for paired
/// rates: both Wilson intervals, squared and added, less what the rates of cases have in common.
///
/// `None` without cases.
pub(crate) fn difference(cases: &[(Passed, Passed)]) -> Option<Estimate> {
    let (first, second): (Vec<Passed>, Vec<Passed>) = cases.iter().copied().unzip();
    let (first, second) = (rate(&first)?, rate(&second)?);
    let (one, other) = (first.interval?, second.interval?);
    let common = correlation(cases);
    let half = |near: f64, far: f64| (near.powi(2) - 2.0 * common * near * far + far.powi(2)).max(0.0).sqrt();
    let value = first.value - second.value;
    let below = half(first.value - one.low, other.high - second.value);
    let above = half(one.high - first.value, second.value - other.low);
    Some(Estimate {
        value,
        interval: Some(Interval { low: (value - below).max(-1.0), high: (value + above).min(1.0) }),
    })
}

/// How surprising it is that a way is better in so many cases and worse in so many, if both are equally good: the exact
/// two-sided sign test. With one run of each case it is McNemar's exact test. 1 where no case differs.
pub(crate) fn sign_test(better: usize, worse: usize) -> f64 {
    let (all, fewer) = (better + worse, better.min(worse));
    // Logarithms: the probability of one outcome of many cases is below the smallest number.
    let mut outcome = -(all as f64) * std::f64::consts::LN_2;
    let mut below = 0.0;
    for count in 0..=fewer {
        below += outcome.exp();
        outcome += ((all - count) as f64 / (count + 1) as f64).ln();
    }
    (2.0 * below).min(1.0)
}

/// The same figures of several tests of one question by Holm's method: how surprising the least surprising of those are
/// that are at least as surprising as each.
pub(crate) fn holm(tests: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..tests.len()).collect();
    let test = |place: &usize| tests.get(*place).copied().unwrap_or(1.0);
    order.sort_by(|one, other| test(one).total_cmp(&test(other)));
    let mut adjusted = tests.to_vec();
    let mut most: f64 = 0.0;
    for (rank, place) in order.iter().enumerate() {
        most = most.max(test(place) * (tests.len() - rank) as f64).min(1.0);
        if let Some(adjusted) = adjusted.get_mut(*place) {
            *adjusted = most;
        }
    }
    adjusted
}

/// In how many cases the first of two ways passed more often, and in how many the second one.
pub(crate) fn differing(cases: &[(Passed, Passed)]) -> (usize, usize) {
    let better = cases.iter().filter(|(first, second)| first.rate() > second.rate()).count();
    let worse = cases.iter().filter(|(first, second)| first.rate() < second.rate()).count();
    (better, worse)
}

/// The correlation of the rates of cases; 0 where one of the ways treats all cases alike.
fn correlation(cases: &[(Passed, Passed)]) -> f64 {
    let count = cases.len() as f64;
    let rates = || cases.iter().map(|(first, second)| (first.rate(), second.rate()));
    let (one, other) = rates().fold((0.0, 0.0), |(one, other), (first, second)| (one + first, other + second));
    let (one, other) = (one / count, other / count);
    let (mut both, mut firsts, mut seconds) = (0.0, 0.0, 0.0);
    for (first, second) in rates() {
        both += (first - one) * (second - other);
        firsts += (first - one).powi(2);
        seconds += (second - other).powi(2);
    }
    let correlation: f64 = both / (firsts * seconds).sqrt();
    if correlation.is_finite() { correlation.clamp(-1.0, 1.0) } else { 0.0 }
}
