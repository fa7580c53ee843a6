//! `ptc run`: a mission with a model.

mod approve;
mod args;
mod failure;
mod journal;
mod keep;
pub(crate) mod llm;
mod logs;
mod mission;
mod overrides;
mod progress;
#[cfg(test)]
mod tests;
mod trace_log;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_runner::agent::{ApprovalScope, Approver, LlmRegistry};
use ptc_runner::chat::Llm;
use ptc_runner::compression::CompressionConfig;
use ptc_runner::config::MissionFile;
use ptc_runner::lisp::{Limits, Value};
use ptc_runner::transcript::ValueForm;

use crate::failure::{Exit, Failure};
use crate::kept::KeptRun;
use crate::report;

pub(crate) use args::{ApproveArg, RunArgs};
pub(crate) use failure::RunFailure;

/// Everything that a run needs.
pub(crate) struct RunPlan {
    /// The mission with what the command line changes.
    pub(crate) mission: MissionFile,
    /// Bounds of each program.
    pub(crate) limits: Limits,
    /// The model; recording and logging are around it.
    pub(crate) llm: Arc<dyn Llm>,
    /// The models that agents below name.
    pub(crate) llm_registry: LlmRegistry,
    /// Seed of random numbers.
    pub(crate) seed: u64,
    /// Where events are written.
    pub(crate) trace: Option<Arc<trace_log::TraceOutput>>,
    /// The files that grow with the run.
    pub(crate) logs: logs::Logs,
    /// How values of the step are written, when it is asked for.
    pub(crate) values: Option<ValueForm>,
    /// Who decides about calls and programs that need approval.
    pub(crate) approval: Option<Arc<dyn Approver>>,
    /// Which of both are asked about.
    pub(crate) approval_scope: ApprovalScope,
    /// What makes the run survive a crash.
    pub(crate) journal: journal::Journaling,
    /// How the history is shown, when the command line says it: of a resumed run, from where its journal ends.
    pub(crate) compression: Option<CompressionConfig>,
    /// Where it is kept.
    pub(crate) kept: Option<KeptRun>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunEnding {
    /// `(return v)`, or the value of a single shot.
    Answer,
    /// No `return`: the last value stands in.
    Fallback,
    /// `(fail v)` or an error.
    Failed,
    /// Turns, budgets, deadline, memory or context.
    Limit,
    /// A signal ended it, which means this exit code.
    Interrupted(Exit),
}

/// What is shown of a finished run.
pub(crate) struct Finished {
    /// How it ended.
    pub(crate) ending: RunEnding,
    /// The answer, nil when there is none.
    pub(crate) answer: Value,
    /// Reason and text of a failure.
    pub(crate) failure: Option<(String, String)>,
    /// The step as the text of a JSON object, when it is asked for.
    pub(crate) step: Option<String>,
    /// The last program that was found in a reply.
    pub(crate) program: Option<String>,
    /// The replies as they came.
    pub(crate) replies: Vec<String>,
    /// The journal that the run can go on with, because it was stopped.
    pub(crate) goes_on: Option<PathBuf>,
}

/// Run the command.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let finished = mission::run(plan(args, Path::new(""))?)?;
    super::eval::print(|out| write_out(args, &finished, out))?;
    for line in remarks(args, &finished) {
        report::indented(&line);
    }
    Ok(exit(finished.ending))
}

/// Everything that can be refused is looked at here. The run is kept below the folder `base`.
fn plan(args: &RunArgs, base: &Path) -> Result<RunPlan, Failure> {
    let mut mission = MissionFile::load(&args.mission)?;
    mission.notes.iter().for_each(|note| report::note(&format!("note: {note}")));
    overrides::apply(&mut mission, args)?;
    let approval = approve::chosen(args, &mission)?;
    let approval_scope = if args.approve_programs { ApprovalScope::Programs } else { ApprovalScope::Calls };
    let environment = std::env::var("PTC_LLM").ok();
    let choice = llm::choose(args.llm.as_deref(), &mission, environment.as_deref())?;
    let mut logs = logs::Logs::open(args, &mission, &choice)?;
    let mut journal = journal::open(args.journal.as_deref(), args.resume)?;
    let llm = llm::connect(&choice, journal.recorded.as_deref())?;
    let kept = keep::begin(args, base, &mission, llm.name(), &mut journal, &mut logs);
    let llm = logs.around(llm);
    let llm_registry = llm::registry(&mission, args.llm.is_some(), &choice, &llm, &logs)?;
    let trace = logs.trace.clone().map(|file| trace_log::open(file, &mission, llm.name()));
    let values = args.json.then_some(if args.typed { ValueForm::Typed } else { ValueForm::Plain });
    let limits = mission.limits();
    let (seed, compression) = (args.seed, args.compression.as_ref().map(|_| mission.agent.compression.clone()));
    Ok(RunPlan {
        limits,
        llm,
        llm_registry,
        seed,
        approval,
        approval_scope,
        mission,
        trace,
        logs,
        values,
        journal,
        compression,
        kept,
    })
}

/// What goes to standard output.
fn write_out(args: &RunArgs, finished: &Finished, out: &mut dyn Write) -> std::io::Result<()> {
    if let Some(step) = &finished.step {
        return writeln!(out, "{step}");
    }
    if args.raw {
        for (index, reply) in finished.replies.iter().enumerate() {
            writeln!(out, ";; reply {}\n{}\n", index + 1, reply.trim_end())?;
        }
    }
    if args.show_program {
        writeln!(out, "{}\n", finished.program.as_deref().unwrap_or(";; no program was found").trim_end())?;
    }
    match finished.ending {
        RunEnding::Answer | RunEnding::Fallback => writeln!(out, "{}", super::eval::clojure(&finished.answer)),
        RunEnding::Failed | RunEnding::Limit | RunEnding::Interrupted(_) => Ok(()),
    }
}

/// What goes to standard error.
fn remarks(args: &RunArgs, finished: &Finished) -> Vec<String> {
    let mut lines = Vec::new();
    if finished.ending == RunEnding::Fallback {
        lines.push("note: the answer is the last value; the model did not call (return …)".to_owned());
    }
    if let Some((reason, message)) = finished.failure.as_ref().filter(|_| !args.json) {
        lines.push(format!("error[{reason}]: {message}"));
    }
    if let Some(journal) = &finished.goes_on {
        let (mission, journal) = (args.mission.display(), journal.display());
        lines.push(format!(
            "note: this run can go on: ptc run {mission} --journal {journal} --resume, with its other options"
        ));
    }
    lines
}

fn exit(ending: RunEnding) -> Exit {
    match ending {
        RunEnding::Answer | RunEnding::Fallback => Exit::Ok,
        RunEnding::Failed => Exit::Failed,
        RunEnding::Limit => Exit::Limit,
        RunEnding::Interrupted(exit) => exit,
    }
}
