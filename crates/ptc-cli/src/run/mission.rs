//! The run itself: the agent of the mission file, driven to its end.

use std::io::IsTerminal;
use std::sync::Arc;

use ptc_runner::agent::{Context, RunOptions};
use ptc_runner::lisp::Value;
use ptc_runner::transcript::{EndingKind, FailReason, Journal, Step, StepJson, ValueForm};

use super::progress::Progress;
use super::{Finished, RunEnding, RunFailure, RunPlan, trace_log};
use crate::failure::Failure;
use crate::report;

/// Run the plan to its end; Ctrl-C ends it early.
pub(super) fn run(plan: RunPlan) -> Result<Finished, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(RunFailure::Runtime)?;
    runtime.block_on(driven(plan))
}

async fn driven(plan: RunPlan) -> Result<Finished, Failure> {
    let agent = plan.mission.build_agent(&plan.limits)?;
    let mut options = RunOptions {
        llm: Some(plan.llm),
        llm_registry: plan.llm_registry,
        seed: plan.seed,
        approval: plan.approval,
        approval_scope: plan.approval_scope,
        journal: plan.journal.file.map(|file| file as Arc<dyn Journal>),
        resume: plan.journal.recorded,
        ..plan.mission.run_options()
    };
    if std::io::stderr().is_terminal() {
        options.observers.push(Arc::new(Progress::default()));
    }
    if let Some(log) = plan.trace.clone() {
        options.observers.push(log);
    }
    let cancel = options.cancel.clone();
    let interrupted = tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            cancel.cancel();
        }
    });
    let context = Context::from_map(plan.mission.data_map());
    for warning in agent.check(&context) {
        report::note(&format!("warning: {warning}"));
    }
    let ended = agent.run_with(context, options).await;
    interrupted.abort();
    if let Some(log) = &plan.trace {
        trace_log::close(log);
    }
    let step = ended.map_err(RunFailure::from)?;
    plan.logs.settle()?;
    Ok(finished(&step, plan.values))
}

fn finished(step: &Step, values: Option<ValueForm>) -> Finished {
    let is_cancelled = step.fail().is_some_and(|fail| fail.reason == FailReason::Cancelled);
    let ending = match step.ending {
        EndingKind::Return | EndingKind::Value => RunEnding::Answer,
        EndingKind::Fallback => RunEnding::Fallback,
        EndingKind::Limit => RunEnding::Limit,
        EndingKind::Error if is_cancelled => RunEnding::Interrupted,
        _ => RunEnding::Failed,
    };
    let turns = step.turns();
    Finished {
        ending,
        answer: step.return_value().cloned().unwrap_or(Value::Nil),
        failure: step.fail().map(|fail| (fail.reason.as_str().to_owned(), fail.message.clone())),
        step: values.map(|form| StepJson::new(step, form).to_json()),
        program: turns.iter().rev().find_map(|turn| turn.program().map(str::to_owned)),
        replies: turns.iter().map(|turn| turn.raw_response().to_owned()).collect(),
    }
}
