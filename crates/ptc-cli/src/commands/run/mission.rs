//! The run itself: the agent of the mission file, driven to its end.

use std::io::IsTerminal;
use std::sync::Arc;

use ptc_runner::agent::{Context, RunOptions};
use ptc_runner::lisp::Value;
use ptc_runner::transcript::{EndingKind, FailReason, Journal, Step, StepJson};

use super::progress::Progress;
use super::{Finished, RunEnding, RunFailure, RunPlan, trace_log};
use crate::failure::{Exit, Failure};
use crate::report;
use crate::signals::Listener;

/// Run the plan to its end; Ctrl-C and other signals end it early.
pub(super) fn run(plan: RunPlan) -> Result<Finished, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(RunFailure::Runtime)?;
    runtime.block_on(driven(plan))
}

async fn driven(mut plan: RunPlan) -> Result<Finished, Failure> {
    let agent = plan.mission.build_agent(&plan.limits)?;
    let mut options = RunOptions::from(plan.mission.run.clone())
        .llm(plan.llm)
        .llm_registry(plan.llm_registry)
        .seed(plan.seed)
        .approval_scope(plan.approval_scope)
        .resume(plan.journal.recorded);
    options.approval = plan.approval;
    options.compression = plan.compression;
    options.journal = plan.journal.file.map(|file| file as Arc<dyn Journal>);
    if std::io::stderr().is_terminal() {
        options.observers.push(Arc::new(Progress::default()));
    }
    if let Some(log) = plan.trace.clone() {
        options.observers.push(log);
    }
    let listening = Listener::start(options.cancel.clone());
    let context = Context::from_map(plan.mission.data_map());
    for warning in agent.check(&context) {
        report::note(&format!("warning: {warning}"));
    }
    let ended = agent.run_with(context, options).await;
    let signal = listening.stop().await;
    if let Some(log) = &plan.trace {
        trace_log::close(log);
    }
    let step = ended.map_err(RunFailure::from)?;
    plan.logs.settle()?;
    if let Some(kept) = &mut plan.kept {
        kept.settle();
    }
    let goes_on = plan.journal.path.filter(|_| was_stopped(&step));
    let json = plan.values.map(|form| serde_json::to_string(&StepJson::new(&step, form))).transpose();
    let json = json.map_err(RunFailure::Step)?;
    Ok(Finished { goes_on, step: json, ..finished(&step, signal) })
}

/// Whether the run would go on where it was stopped, if it was resumed.
fn was_stopped(step: &Step) -> bool {
    step.fail().is_some_and(|fail| matches!(fail.reason, FailReason::Cancelled | FailReason::LlmError))
}

fn finished(step: &Step, signal: Option<Exit>) -> Finished {
    let is_cancelled = step.fail().is_some_and(|fail| fail.reason == FailReason::Cancelled);
    let ending = match step.ending {
        EndingKind::Return | EndingKind::Value => RunEnding::Answer,
        EndingKind::Fallback => RunEnding::Fallback,
        EndingKind::Limit => RunEnding::Limit,
        EndingKind::Error if is_cancelled => RunEnding::Interrupted(signal.unwrap_or(Exit::Interrupted)),
        _ => RunEnding::Failed,
    };
    let turns = step.turns();
    Finished {
        ending,
        answer: step.return_value().cloned().unwrap_or(Value::Nil),
        failure: step.fail().map(|fail| (fail.reason.as_str().to_owned(), fail.message.clone())),
        step: None,
        program: turns.iter().rev().find_map(|turn| turn.program().map(str::to_owned)),
        replies: turns.iter().map(|turn| turn.raw_response().to_owned()).collect(),
        goes_on: None,
    }
}
