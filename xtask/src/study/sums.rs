//! What is computed from the figures: sums over all missions, and how histories grow.

use ptc_tests::study::{Cost, Figures, Mission, Shown, Study};

/// The turns whose requests are compared.
pub(super) const EARLY: usize = 20;
pub(super) const LATE: usize = 50;

/// The maximum ratio of a late history, without the `user/` section, to the early one.
pub(super) const LARGEST_RATIO: f64 = 1.3;

/// The minimum of the median share that a strategy saves at [`LATE`].
pub(super) const LEAST_SAVED: f64 = 0.7;

/// With or without caching.
pub(super) type Part = fn(&Cost) -> f64;

/// One way over all missions.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Sum {
    pub(super) input: u64,
    /// Input that is not cached.
    pub(super) fresh: u64,
    /// Requests.
    pub(super) requests: usize,
    pub(super) history: u64,
    pub(super) costs: Vec<Cost>,
    pub(super) shown: Shown,
}

/// How the history of one mission grew under a strategy.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Growth {
    /// Bytes without the `user/` section at the two turns, where the mission has them.
    pub(super) history: [Option<u64>; 2],
    /// Bytes of the `user/` section.
    pub(super) user: [Option<u64>; 2],
    pub(super) definitions: [Option<usize>; 2],
    /// Bytes of the late request that belong to a failed program and its error.
    pub(super) attempt: Option<u64>,
    /// The share of the uncompressed history that is saved at [`LATE`], and at the last turn.
    pub(super) saved: Option<f64>,
    pub(super) saved_at_last: Option<f64>,
}

impl Growth {
    /// The late history divided by the early one.
    pub(super) fn ratio(&self) -> Option<f64> {
        let [early, late] = self.history;
        Some(late? as f64 / early.filter(|bytes| *bytes > 0)? as f64)
    }
}

/// The sums of each way, in the order of the study.
pub(super) fn sums(study: &Study) -> Vec<Sum> {
    (0..study.ways.len())
        .map(|place| {
            let figures = study.missions.iter().filter_map(|mission| mission.ways.get(place));
            figures.fold(Sum { costs: vec![Cost::default(); study.prices.len()], ..Sum::default() }, add)
        })
        .collect()
}

fn add(mut sum: Sum, figures: &Figures) -> Sum {
    sum.input += figures.input.iter().sum::<u64>();
    sum.fresh += figures.fresh.iter().sum::<u64>();
    sum.requests += figures.history.len();
    sum.history += figures.history.iter().sum::<u64>();
    sum.costs.iter_mut().zip(&figures.costs).for_each(|(total, cost)| *total += *cost);
    let (shown, more) = (&mut sum.shown, figures.shown);
    let totals = [&mut shown.programs, &mut shown.prints, &mut shown.calls, &mut shown.errors];
    for (total, part) in totals.into_iter().zip([more.programs, more.prints, more.calls, more.errors]) {
        total[0] += part[0];
        total[1] += part[1];
    }
    sum
}

/// How a mission grew under the strategy of this name; `None` when the study does not have it.
pub(super) fn growth(study: &Study, mission: &Mission, strategy: &str) -> Option<Growth> {
    let plain = mission.ways.first()?;
    let ours = mission.ways.get(study.ways.iter().position(|way| way == strategy)?)?;
    let at = |list: &[u64]| [EARLY, LATE].map(|turn| list.get(turn - 1).copied());
    Some(Growth {
        history: at(&ours.history_bytes),
        user: at(&ours.user_bytes),
        definitions: [EARLY, LATE].map(|turn| mission.definitions.get(turn - 1).copied()),
        attempt: mission.attempt_bytes.get(LATE - 1).copied(),
        saved: saved(ours, plain, LATE),
        saved_at_last: saved(ours, plain, mission.turns),
    })
}

/// The saved share of the bytes of the plain history at a turn, definitions counted on both sides.
fn saved(ours: &Figures, plain: &Figures, turn: usize) -> Option<f64> {
    let bytes = |figures: &Figures| {
        let place = turn.checked_sub(1)?;
        Some((figures.history_bytes.get(place)? + figures.user_bytes.get(place)?) as f64)
    };
    let whole = bytes(plain).filter(|bytes| *bytes > 0.0)?;
    Some(1.0 - bytes(ours)? / whole)
}

/// The ways from the cheapest to the most expensive at one of the prices; equal ones in the order of the study.
pub(super) fn ranking(sums: &[Sum], price: usize, cost: Part) -> Vec<(usize, f64)> {
    let of = |sum: &Sum| sum.costs.get(price).map(cost);
    let mut ranking: Vec<(usize, f64)> =
        sums.iter().enumerate().filter_map(|(way, sum)| Some((way, of(sum)?))).collect();
    ranking.sort_by(|(_, one), (_, two)| one.total_cmp(two));
    ranking
}
