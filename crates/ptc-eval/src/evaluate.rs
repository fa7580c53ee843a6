//! Running cases and judging their outcomes.

mod compiled;
mod outcome;
mod recording;
mod records;
mod run;
mod talk;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures::StreamExt;
use ptc_agent::BudgetUsage;
use ptc_mission::LanguageSpec;

use crate::account::Account;
use crate::case::Case;
use crate::error::EvalError;
use crate::options::EvalOptions;
use crate::report::{Report, RunReport, SkipReason};
use crate::results::Results;
use crate::suite::Suite;
use crate::variant::Variant;
use run::RunEnd;

/// One run of a case in one way.
#[derive(Clone, Copy)]
struct Job<'a> {
    /// Its place among the ways.
    place: usize,
    variant: &'a Variant,
    case: &'a Case,
    /// From 1.
    run: usize,
}

impl Suite {
    /// Run cases and judge them, in the way that the options say.
    ///
    /// Errors when a case cannot even start, before the first one runs if that can be known.
    pub async fn evaluate(&self, cases: &[&Case], options: &EvalOptions) -> Result<Report, EvalError> {
        let variants = std::slice::from_ref(&options.variant);
        let reports = self.compare(cases, options, variants).await?;
        reports.into_iter().next().ok_or(EvalError::NothingChosen)
    }

    /// Run cases in several ways and judge them: a report for each way, in their order. The way of the options does not
    /// count.
    ///
    /// Runs start case by case, and for each run of a case in all ways, so that an evaluation that ends early has asked
    /// the same cases in all of them. Errors as [`Suite::evaluate`] does.
    pub async fn compare(
        &self,
        cases: &[&Case],
        options: &EvalOptions,
        variants: &[Variant],
    ) -> Result<Vec<Report>, EvalError> {
        let asked: Vec<Vec<Case>> =
            variants.iter().map(|variant| cases.iter().map(|case| self.asked(case, variant)).collect()).collect();
        self.check(&asked, options, variants)?;
        let account = Arc::new(account(options, variants)?);
        let mut reports: Vec<Report> = variants.iter().map(|variant| Report::new(self, options, variant)).collect();
        if let Some(results) = &options.results {
            results.check(self, options, variants)?;
        }
        let jobs = jobs(&asked, options, variants);
        let halt = AtomicBool::new(false);
        let (account, stop) = (&account, &halt);
        let work = jobs.iter().map(|job| async move { (*job, self.job(*job, options, account, stop).await) });
        let mut ended: Vec<(Job<'_>, Result<RunEnd, EvalError>)> =
            futures::stream::iter(work).buffer_unordered(options.jobs.max(1)).collect().await;
        ended.sort_by_key(|(job, _)| jobs.iter().position(|known| known.is(job)));
        for (job, ended) in ended {
            let Some(report) = reports.get_mut(job.place) else { continue };
            match ended? {
                RunEnd::Done(run) => report.add(job.case, *run),
                RunEnd::Cut(why, run) => report.add_unasked(job.case, job.run, why, Some(&run)),
                RunEnd::Unasked(why) => report.add_unasked(job.case, job.run, why, None),
            }
        }
        Report::finish(&mut reports);
        Ok(reports)
    }

    /// What can be checked before anything is asked.
    fn check(&self, asked: &[Vec<Case>], options: &EvalOptions, variants: &[Variant]) -> Result<(), EvalError> {
        for (variant, cases) in variants.iter().zip(asked) {
            let has_model = options.model(variant).is_some();
            match (options.record, has_model) {
                (true, false) => return Err(EvalError::RecordWithoutModel),
                (true, true) if options.runs > 1 => return Err(EvalError::RecordManyRuns),
                _ => {}
            }
            if let Some(key) = &variant.language_spec {
                LanguageSpec::get(key)?;
            }
            if variant.is_by_tools() {
                self.check_tools(cases, options, variant)?;
            }
            for case in cases {
                case.check(self, options, variant)?;
                if !has_model {
                    self.recorded(case, variant)?;
                }
            }
        }
        Ok(())
    }

    /// Whether all cases can be asked with native calls of tools.
    fn check_tools(&self, cases: &[Case], options: &EvalOptions, variant: &Variant) -> Result<(), EvalError> {
        if variant.compression.is_some() || variant.language_spec.is_some() {
            return Err(EvalError::ToolsWithPrograms);
        }
        let why_not = |case: &Case| {
            let broken = || case.check(self, options, variant).err().map(|error| error.to_string());
            Some((case.name.clone(), case.why_not_by_tools(variant).or_else(broken)?))
        };
        let refused: Vec<(String, String)> = cases.iter().filter_map(why_not).collect();
        if refused.is_empty() { Ok(()) } else { Err(EvalError::NotByTools(refused)) }
    }

    /// One run, unless nothing may be asked any more.
    async fn job(
        &self,
        job: Job<'_>,
        options: &EvalOptions,
        account: &Arc<Account>,
        halt: &AtomicBool,
    ) -> Result<RunEnd, EvalError> {
        if let Some(known) = options.results.as_ref().and_then(|results| job.known(results, options)) {
            return Ok(RunEnd::Done(Box::new(known)));
        }
        if options.cancel.is_cancelled() {
            return Ok(RunEnd::Unasked(SkipReason::Cancelled));
        }
        if halt.load(Ordering::Relaxed) {
            return Ok(RunEnd::Unasked(SkipReason::Halted));
        }
        if account.budget.is_used_up() {
            return Ok(RunEnd::Unasked(SkipReason::NoMoney));
        }
        let ended = self.run(job, options, account).await.and_then(|ended| {
            self.write_down(&job, options, &ended)?;
            Ok(ended)
        });
        match &ended {
            Ok(RunEnd::Done(run)) => told(options, &job, run),
            Ok(RunEnd::Cut(SkipReason::NoModel(_), _)) | Err(_) => halt.store(true, Ordering::Relaxed),
            Ok(RunEnd::Cut(..) | RunEnd::Unasked(_)) => {}
        }
        ended
    }

    /// Into the file of results, if there is one. A run that was cut before it cost anything leaves nothing.
    fn write_down(&self, job: &Job<'_>, options: &EvalOptions, ended: &RunEnd) -> Result<(), EvalError> {
        let Some(results) = &options.results else { return Ok(()) };
        let asked = (job.case, job.variant, options);
        match ended {
            RunEnd::Done(run) => results.append(self, asked, run, None)?,
            RunEnd::Cut(why, run) if run.tokens().total() > 0 => results.append(self, asked, run, Some(why))?,
            RunEnd::Cut(..) | RunEnd::Unasked(_) => {}
        }
        Ok(())
    }
}

/// An account with what earlier runs of the same evaluation cost.
///
/// Errors when there is a limit and nothing says what tokens cost.
fn account(options: &EvalOptions, variants: &[Variant]) -> Result<Account, EvalError> {
    let unpriced = variants.iter().find(|variant| options.known_prices(variant).is_none());
    if let Some(variant) = unpriced.filter(|_| options.max_usd.is_some()) {
        return Err(EvalError::NoPrices { model: options.model_name(variant) });
    }
    let account = Account::new(options.max_usd, None);
    if let Some(results) = &options.results {
        let prices = |model: &str| {
            let variant = variants.iter().find(|variant| options.model_name(variant) == model)?;
            options.known_prices(variant)
        };
        account.budget.add(BudgetUsage { usd: results.cost(prices), tokens: 0 });
    }
    Ok(account)
}

fn told(options: &EvalOptions, job: &Job<'_>, run: &RunReport) {
    if let Some(on_run) = &options.on_run {
        on_run(job.case, job.variant, run);
    }
}

/// All runs, in the order in which they start.
fn jobs<'a>(asked: &'a [Vec<Case>], options: &EvalOptions, variants: &'a [Variant]) -> Vec<Job<'a>> {
    let runs = options.runs.max(1);
    let cases = asked.first().map(Vec::len).unwrap_or_default();
    let numbered = (0..cases).flat_map(|number| (1..=runs).map(move |run| (number, run)));
    let job = |number: usize, run: usize, place: usize, variant: &'a Variant| {
        let case = asked.get(place)?.get(number)?;
        Some(Job { place, variant, case, run })
    };
    numbered
        .flat_map(|(number, run)| {
            variants.iter().enumerate().filter_map(move |(place, variant)| job(number, run, place, variant))
        })
        .collect()
}

impl Job<'_> {
    /// Its result, if it was finished in an earlier evaluation.
    fn known(&self, results: &Results, options: &EvalOptions) -> Option<RunReport> {
        results.find(self.case, self.variant, options, self.run)
    }

    /// Whether this is the same run.
    fn is(&self, other: &Job<'_>) -> bool {
        self.place == other.place && self.run == other.run && std::ptr::eq(self.case, other.case)
    }
}
