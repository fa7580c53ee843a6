//! One run of a case.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ptc_agent::{LlmRegistry, RunOptions};
use ptc_chat::Llm;
use ptc_transcript::FailReason;

use super::Job;
use super::compiled::compiled;
use super::outcome::Outcome;
use super::records::Records;
use super::talk::{Bench, talk};
use crate::account::Account;
use crate::case::{Case, Prepared};
use crate::counted::{CountedLlm, Tally};
use crate::error::EvalError;
use crate::options::EvalOptions;
use crate::report::{RunReport, SkipReason};
use crate::service;
use crate::suite::Suite;
use crate::variant::Variant;

/// How a run ended.
pub(super) enum RunEnd {
    /// With something to judge.
    Done(Box<RunReport>),
    /// Before that, for a reason that says nothing about the model.
    Cut(SkipReason, Box<RunReport>),
    /// Before it began.
    Unasked(SkipReason),
}

impl Suite {
    /// Ask, judge, and write down what was found.
    pub(super) async fn run(
        &self,
        job: Job<'_>,
        options: &EvalOptions,
        account: &Arc<Account>,
    ) -> Result<RunEnd, EvalError> {
        let Job { case, variant, .. } = job;
        let recording = if options.record { Some(self.record(case, variant)?) } else { None };
        let llm: Arc<dyn Llm> = match options.model(variant) {
            None => Arc::new(self.recorded(case, variant)?),
            Some(model) => model.llm,
        };
        let counted = Arc::new(CountedLlm::new(llm, options.known_prices(variant), Arc::clone(account)));
        let is_cut = AtomicBool::new(false);
        let records = Records::new(job, options);
        let began = Instant::now();
        let outcome = match case.prepare(self, options, variant).await {
            Ok(mut prepared) => {
                let run = run_options(case, options, &counted);
                let bench = Bench { suite: self, options };
                let outcome = asked(case, &prepared, run, &records, account, &is_cut, bench).await;
                prepared.mission.disconnect().await;
                outcome
            }
            // Without its servers the agent can be built: that was checked before.
            Err(error) if !case.mission.servers.is_empty() => {
                Ok(Outcome { problems: vec![error.to_string()], ..Outcome::default() })
            }
            Err(error) => Err(error),
        };
        if let Some(recording) = recording {
            let has_passed = outcome.as_ref().is_ok_and(|outcome| outcome.problems.is_empty());
            recording.finish(has_passed.then(|| records.answers()))?;
        }
        let outcome = outcome?;
        let tally = counted.tally();
        let is_cut = tally.is_refused || is_cut.load(Ordering::Relaxed);
        let why = why_unasked(&outcome, &tally, (options, variant), is_cut);
        let report = report(job, outcome, began, &tally);
        let report = Box::new(RunReport { records: records.into_names(), ..report });
        Ok(match why {
            None => RunEnd::Done(report),
            Some(why) => RunEnd::Cut(why, report),
        })
    }
}

async fn asked(
    case: &Case,
    prepared: &Prepared,
    run: RunOptions,
    records: &Records<'_>,
    account: &Account,
    is_cut: &AtomicBool,
    bench: Bench<'_>,
) -> Result<Outcome, EvalError> {
    if !case.inputs.is_empty() {
        return compiled(case, prepared, records.kept(run)?).await;
    }
    let may_continue = || {
        let is_over = account.budget.is_used_up();
        is_cut.fetch_or(is_over, Ordering::Relaxed);
        !is_over
    };
    talk(case, prepared, run, records, may_continue, bench).await
}

/// The options of all runs of the agent.
fn run_options(case: &Case, options: &EvalOptions, counted: &Arc<CountedLlm>) -> RunOptions {
    let llm: Arc<dyn Llm> = Arc::clone(counted) as Arc<dyn Llm>;
    let models: LlmRegistry =
        case.mission.llm_names().into_iter().map(|name| (name.to_owned(), Arc::clone(&llm))).collect();
    case.mission.run_options().llm(llm).llm_registry(models).cancel(options.cancel.clone())
}

/// Why a run without the right answer says nothing about the model, if it does not.
fn why_unasked(
    outcome: &Outcome,
    tally: &Tally,
    (options, variant): (&EvalOptions, &Variant),
    is_cut: bool,
) -> Option<SkipReason> {
    if outcome.problems.is_empty() {
        return None;
    }
    if options.cancel.is_cancelled() {
        return Some(SkipReason::Cancelled);
    }
    if is_cut {
        return Some(SkipReason::NoMoney);
    }
    let fail = outcome.steps.last().and_then(|step| step.fail());
    let error = tally.error.as_ref().filter(|_| fail.is_some_and(|fail| fail.reason == FailReason::LlmError))?;
    // Recorded answers that end are a mistake of the suite.
    options.model(variant)?;
    if service::is_without_access(error) {
        return Some(SkipReason::NoModel(error.to_string()));
    }
    service::is_at_fault(error).then(|| SkipReason::Service(error.to_string()))
}

fn report(job: Job<'_>, outcome: Outcome, began: Instant, tally: &Tally) -> RunReport {
    let report = RunReport::new(job.run, outcome.answers, outcome.problems, began.elapsed())
        .of_tokens(tally.requests, &tally.tokens);
    match outcome.compiled {
        Some(compiled) => report.of_compiled(&compiled),
        None => report.of_steps(outcome.steps),
    }
}
