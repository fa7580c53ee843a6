//! One run of a case.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ptc_agent::{LlmRegistry, RunOptions};
use ptc_chat::{Llm, LlmError, LlmErrorKind};
use ptc_transcript::FailReason;

use super::Job;
use super::account::Account;
use super::compiled::compiled;
use super::counted::{CountedLlm, Tally};
use super::outcome::Outcome;
use super::records::Records;
use super::talk::talk;
use crate::case::{Case, Prepared};
use crate::error::EvalError;
use crate::options::EvalOptions;
use crate::report::{RunReport, SkipReason};
use crate::suite::Suite;

/// HTTP statuses of a provider that does not let this key ask this model, whatever it is asked.
const NO_ACCESS: [u16; 4] = [401, 402, 403, 404];

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
        let llm: Arc<dyn Llm> = match (&options.llm, &recording) {
            (None, _) => Arc::new(self.recorded(case, variant)?),
            (Some(llm), None) => Arc::clone(llm),
            (Some(llm), Some(recording)) => recording.around(Arc::clone(llm)),
        };
        let counted = Arc::new(CountedLlm::new(llm, Arc::clone(account)));
        let is_cut = Arc::new(AtomicBool::new(false));
        let records = Records::new(job, options);
        let began = Instant::now();
        let outcome = match case.prepare(self, options, variant).await {
            Ok(mut prepared) => {
                let run = run_options(case, options, &counted, account, &is_cut);
                let outcome = asked(case, &prepared, run, &records, account, &is_cut).await;
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
            recording.finish(outcome.as_ref().is_ok_and(|outcome| outcome.problems.is_empty()))?;
        }
        let outcome = outcome?;
        let tally = counted.tally();
        let why = why_unasked(&outcome, &tally, options, is_cut.load(Ordering::Relaxed));
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
) -> Result<Outcome, EvalError> {
    if !case.inputs.is_empty() {
        return compiled(case, prepared, records.kept(run)?).await;
    }
    let may_continue = || {
        let is_over = account.is_used_up();
        is_cut.fetch_or(is_over, Ordering::Relaxed);
        !is_over
    };
    talk(case, prepared, run, records, may_continue).await
}

/// The options of all runs of the agent: they end when the money or the tokens of the case do.
fn run_options(
    case: &Case,
    options: &EvalOptions,
    counted: &Arc<CountedLlm>,
    account: &Arc<Account>,
    is_cut: &Arc<AtomicBool>,
) -> RunOptions {
    let llm: Arc<dyn Llm> = Arc::clone(counted) as Arc<dyn Llm>;
    let models: LlmRegistry =
        case.mission.llm_names().into_iter().map(|name| (name.to_owned(), Arc::clone(&llm))).collect();
    let run = case.mission.run_options().llm(llm).llm_registry(models).cancel(options.cancel.clone());
    if !account.is_limited() {
        return run;
    }
    let (account, is_cut, tokens) = (Arc::clone(account), Arc::clone(is_cut), run.spec.token_limit);
    run.budget(move |usage| {
        let is_over = account.is_used_up();
        is_cut.fetch_or(is_over, Ordering::Relaxed);
        let is_long = tokens.is_some_and(|limit| usage.total_tokens.is_some_and(|total| total > limit));
        if is_over || is_long { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

/// Why a run without the right answer says nothing about the model, if it does not.
fn why_unasked(outcome: &Outcome, tally: &Tally, options: &EvalOptions, is_cut: bool) -> Option<SkipReason> {
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
    options.llm.as_ref()?;
    if is_without_access(error) {
        return Some(SkipReason::NoModel(error.to_string()));
    }
    let is_of_service = matches!(
        error.kind(),
        LlmErrorKind::RateLimit
            | LlmErrorKind::ServerError
            | LlmErrorKind::Timeout
            | LlmErrorKind::Unreachable
            | LlmErrorKind::OutOfAnswers { .. }
    );
    is_of_service.then(|| SkipReason::Service(error.to_string()))
}

/// Whether every other request would fail in the same way.
fn is_without_access(error: &LlmError) -> bool {
    let is_refused = || error.status.is_some_and(|status| NO_ACCESS.contains(&status));
    match error.kind() {
        LlmErrorKind::ConfigError => true,
        LlmErrorKind::ClientError => is_refused(),
        _ => false,
    }
}

fn report(job: Job<'_>, outcome: Outcome, began: Instant, tally: &Tally) -> RunReport {
    let report = RunReport::new(job.run, outcome.answers, outcome.problems, began.elapsed())
        .of_tokens(tally.requests, &tally.tokens);
    match outcome.compiled {
        Some(compiled) => report.of_compiled(&compiled),
        None => report.of_steps(outcome.steps),
    }
}
