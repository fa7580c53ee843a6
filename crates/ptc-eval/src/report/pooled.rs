//! Missions over all models, and models over all missions: which prompt is better on the whole.

use super::{Report, Summary};

/// What ways of asking differ in.
type Part = (&'static str, fn(&Report) -> String);

const PARTS: [Part; 2] =
    [("mission", |report| report.mission.clone().unwrap_or_default()), ("model", |report| report.model.clone())];

/// For each part in which ways differ, its name and a report of each of its values over all ways that have it. Nothing for a
/// part that tells all ways apart: their own reports say it.
pub(super) fn of(reports: &[Report]) -> Vec<(&'static str, Vec<Report>)> {
    let of_part = |(name, value): Part| {
        let mut pooled: Vec<Report> = Vec::new();
        for report in reports {
            let way = value(report);
            let place = pooled.iter().position(|known| known.way == way).unwrap_or(pooled.len());
            if place == pooled.len() {
                pooled.push(empty(report, way));
            }
            pooled.iter_mut().skip(place).take(1).for_each(|all| all.take(report));
        }
        let is_told = pooled.len() > 1 && pooled.len() < reports.len();
        is_told.then(|| {
            Report::finish(&mut pooled);
            (name, pooled)
        })
    };
    PARTS.into_iter().filter_map(of_part).collect()
}

fn empty(report: &Report, way: String) -> Report {
    Report {
        way,
        summary: Summary::default(),
        figures: None,
        differences: Vec::new(),
        cases: Vec::new(),
        unasked: Vec::new(),
        ..report.clone()
    }
}

impl Report {
    /// Take the runs of another way.
    fn take(&mut self, other: &Report) {
        if other.prices.is_none() {
            self.prices = None;
        }
        for case in &other.cases {
            case.runs.iter().for_each(|run| self.summary.add(run));
            match self.cases.iter_mut().find(|known| known.name == case.name) {
                Some(known) => case.runs.iter().for_each(|run| known.add(run.clone())),
                None => self.cases.push(case.clone()),
            }
        }
    }
}
