//! `ptc run`: a mission with a model.

pub(crate) mod approve;
mod args;
mod failure;
mod heading;
mod journal;
mod keep;
pub(crate) mod llm;
mod logs;
pub(crate) mod overrides;
mod preview;
mod progress;
mod story;
#[cfg(test)]
mod tests;
mod trace_log;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use ptc_runner::agent::{Agent, ApprovalScope, Context, RunOptions};
use ptc_runner::config::MissionFile;
use ptc_runner::mcp::HostedServers;
use ptc_runner::transcript::{FailReason, Step};

use crate::failure::{Exit, Failure};
use crate::kept::KeptRun;
use crate::output::words::shell;
use crate::output::{Ink, Line, live};
use crate::signals::listening;
use crate::{ended, output};

#[cfg(feature = "repl")]
pub(crate) use args::ApproveArg;
pub(crate) use args::RunArgs;

/// A run that can start: everything that could be refused was checked.
struct Ready {
    agent: Agent,
    context: Context,
    options: RunOptions,
    /// The files that grow with the run.
    logs: logs::Logs,
    /// Where events are written.
    trace: Option<Arc<trace_log::TraceOutput>>,
    /// Where the journal is.
    journal: Option<PathBuf>,
    /// Where it is kept.
    kept: Option<KeptRun>,
    /// The MCP servers that it calls.
    servers: Option<HostedServers>,
    /// What reports it to people.
    told: Option<Reporting>,
}

/// What is reported about a run.
#[derive(Clone)]
struct Reporting {
    progress: Arc<progress::Progress>,
    /// Whether all answers are recorded ones.
    asks_nobody: bool,
    /// Where `ptc trace` finds the run, if it does.
    next: Option<String>,
}

/// Run the command.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    if args.preview {
        return preview::run(args);
    }
    let mut ready = ready(args, Path::new(""))?;
    // They end after the run, not within its runtime.
    let _servers = ready.servers.take();
    let (journal, told) = (ready.journal.clone(), ready.told.clone());
    let (step, signal) = listening(&ready.options.cancel.clone(), driven(ready))?;
    live::clear();
    let step = step.map_err(|failure| journal::advised(failure, args.journal.as_deref()))?;
    // A journal that was given up is empty.
    let journal = journal.filter(|path| std::fs::metadata(path).is_ok_and(|found| found.len() > 0));
    let json = args.json.then(|| ended::json(&step, args.typed)).transpose()?;
    let seen = output::seen(output::print(|out| write_out(args, &step, json.as_deref(), out)));
    remarks(args, &step, journal.as_deref()).iter().for_each(|line| output::indented(line));
    told.iter().for_each(|told| told.end(&step, journal.is_some()));
    seen?;
    Ok(ended::exit(&step, signal))
}

impl Reporting {
    /// The outcome of the run, and where to look next.
    fn end(&self, step: &Step, has_journal: bool) {
        let duration = Duration::from_millis(step.usage.duration_ms);
        output::inked(&self.progress.totals(self.asks_nobody, duration, step.usage.turns));
        if let Some(next) = self.next.as_ref().filter(|_| has_journal) {
            output::inked(&Line::default().with(Ink::Faint, next.clone()));
        }
    }
}

/// Check everything that can be refused. The run is kept below the folder `base`.
fn ready(args: &RunArgs, base: &Path) -> Result<Ready, Failure> {
    let mut mission = MissionFile::load(&args.mission)?;
    output::notes(&mission.notes);
    overrides::apply(&mut mission, args)?;
    let servers = Some(mission.connect_hosted()?);
    let agent = mission.build_agent(&mission.limits())?;
    let approval = approve::chosen(args, &agent)?;
    let models = mission.models(args.llm.as_deref())?;
    let mut logs = logs::Logs::open(args, &mission, &models)?;
    let mut journal = journal::open(args.journal.as_deref(), args.resume)?;
    let connect = llm::Connect { timeout: args.timeout };
    let llm = connect.model(&models.first, journal.recorded.as_deref())?;
    let keep = || keep::begin(args, base, &mission, llm.name(), &mut journal, &mut logs);
    // A run that cannot be kept runs nevertheless.
    let kept = (!args.no_keep).then(keep).transpose().unwrap_or_else(|error| {
        output::notes(&[format!(
            "this run is not kept in .ptc/runs: {error}; name a journal with --journal, or add --no-keep"
        )]);
        None
    });
    let model = llm.name().to_owned();
    let llm = logs.around(llm);
    let registry = connect.below(&models, &llm, &logs)?;
    let trace = logs.trace.clone().map(|file| trace_log::open(file, &mission, llm.name()));
    let scope = if args.approve_programs { ApprovalScope::Programs } else { ApprovalScope::Calls };
    let mut options = mission
        .run_options()
        .llm(llm)
        .llm_registry(registry)
        .seed(args.seed)
        .approval_scope(scope)
        .resume(journal.recorded);
    options.approval = approval;
    // For a resumed run it starts where the journal ends.
    options.compression = args.compression.as_ref().map(|_| mission.agent.compression.clone());
    options.journal = journal.file;
    options.stream = args.stream;
    let told = is_told(args).then(|| Reporting {
        progress: Arc::new(progress::Progress::new(args.stream)),
        asks_nobody: heading::asks_nobody(&models),
        next: next(kept.is_some(), journal.path.as_deref()),
    });
    if let Some(told) = &told {
        heading::lines(&mission, &models, &model, output::columns()).iter().for_each(output::inked);
        options.observers.push(told.progress.clone());
    }
    options.observers.extend(trace.clone().map(|log| log as _));
    let context = Context::from_map(mission.data_map());
    Ok(Ready { agent, context, options, logs, trace, journal: journal.path, kept, servers, told })
}

/// Whether the run is reported to people: not when machines read a step, unless a person watches.
fn is_told(args: &RunArgs) -> bool {
    !args.quiet && (!args.json || output::is_watched())
}

/// Where to look at the run afterwards.
fn next(is_kept: bool, journal: Option<&Path>) -> Option<String> {
    let journal = journal?;
    let file = if is_kept { String::new() } else { format!(" {}", shell(&journal.display().to_string())) };
    let view = if cfg!(feature = "view") { format!(", or ptc view{file} in the browser") } else { String::new() };
    Some(format!("look at it: ptc trace{file}{view}"))
}

/// Run the agent to its end.
async fn driven(mut run: Ready) -> Result<Step, Failure> {
    output::remarks(&run.agent.check(&run.context));
    let ended = run.agent.run_with(run.context, run.options).await;
    if let Some(log) = &run.trace {
        trace_log::close(log);
    }
    let step = ended?;
    run.logs.settle()?;
    if let Some(kept) = &mut run.kept {
        output::notes(&keep::end(kept, &step));
    }
    Ok(step)
}

/// What goes to standard output: the step as JSON, or the answer.
fn write_out(args: &RunArgs, step: &Step, json: Option<&str>, out: &mut dyn Write) -> std::io::Result<()> {
    if let Some(json) = json {
        return writeln!(out, "{json}");
    }
    if args.raw {
        for (index, turn) in step.turns().iter().enumerate() {
            writeln!(out, ";; reply {}\n{}\n", index + 1, turn.raw_response().trim_end())?;
        }
    }
    if args.show_program {
        let program = step.turns().iter().rev().find_map(|turn| turn.program());
        writeln!(out, "{}\n", program.unwrap_or(";; no program was found").trim_end())?;
    }
    ended::answer(step, out)
}

/// What goes to standard error.
fn remarks(args: &RunArgs, step: &Step, journal: Option<&Path>) -> Vec<String> {
    let mut lines = ended::remarks(step, args.json);
    let Some(fail) = step.fail() else { return lines };
    // When resumed, the run would continue where it was stopped.
    let condition = match fail.reason {
        FailReason::Cancelled | FailReason::LlmError => "",
        FailReason::JournalError => ", once the journal can be written",
        _ => return lines,
    };
    if let Some(journal) = journal {
        lines.push(format!("note: this run can be resumed{condition}: {}", args.again(journal)));
    }
    lines
}
