//! `ptc run`: a mission with a model.

pub(crate) mod answer;
pub(crate) mod approve;
mod args;
pub(crate) mod asked;
mod failure;
mod heading;
pub(crate) mod llm;
pub(crate) mod overrides;
pub(crate) mod preview;
mod progress;
mod record;
mod story;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ptc_runner::agent::{Agent, ApprovalScope, Context, RunOptions};
use ptc_runner::config::{MissionFile, Settings};
use ptc_runner::mcp::HostedServers;
use ptc_runner::transcript::{FailReason, Step};
use serde_json::{Map as Object, Value as Json, json};

use crate::failure::{Exit, Failure};
use crate::output::words::shell;
use crate::output::{Ink, Line, live};
use crate::signals::listening;
use crate::trust;
use crate::{ended, output};
use record::Recording;

pub(crate) use args::{ApproveArg, MissionArgs, RunArgs};

/// A run that can start: everything that could be refused was checked.
struct Ready {
    agent: Agent,
    context: Context,
    options: RunOptions,
    /// Its record, and what is written of it.
    recording: Recording,
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
    /// Where `ptc show` finds the run, if it does.
    next: Option<String>,
}

/// Run the command.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    if args.preview {
        return preview::run(args);
    }
    let target = args.out.as_deref().map(|path| answer::Target::new(path, args.force)).transpose()?;
    let mut ready = ready(args, Path::new(""))?;
    // They end after the run, not within its runtime.
    let _servers = ready.servers.take();
    let (record, told) = (ready.recording.path.clone(), ready.told.clone());
    let (ended, signal) = listening(&ready.options.cancel.clone(), driven(ready))?;
    live::clear();
    let (step, mut recording) = ended.map_err(|failure| record::advised(failure, args.record.as_deref()))?;
    // A record that was given up is empty.
    let record = record.filter(|path| std::fs::metadata(path).is_ok_and(|found| found.len() > 0));
    let json = args.json.then(|| ended::json(&step)).transpose()?;
    let seen = output::seen(output::print(|out| write_out(args, &step, json.as_deref(), out)));
    remarks(args, &step, record.as_deref()).iter().for_each(|line| output::indented(line));
    told.iter().for_each(|told| told.end(&step, record.is_some()));
    let exported = recording.write_requests();
    let kept = target.iter().try_for_each(|target| target.write(&step));
    seen?;
    kept?;
    match exported {
        Ok(()) => Ok(ended::exit(&step, signal)),
        // The answer is there: only what was asked beside it is not.
        Err(failure) => {
            output::notes(&[format!("{failure}; `ptc show --requests` has the requests of a record")]);
            Ok(Exit::Failed)
        }
    }
}

impl Reporting {
    /// The outcome of the run, and where to look next.
    fn end(&self, step: &Step, has_record: bool) {
        let duration = Duration::from_millis(step.usage.duration_ms);
        output::inked(&self.progress.totals(self.asks_nobody, duration, step.usage.turns));
        if let Some(next) = self.next.as_ref().filter(|_| has_record) {
            output::inked(&Line::default().with(Ink::Faint, next.clone()));
        }
    }
}

/// Check everything that can be refused. The run is kept below the folder `base`.
fn ready(args: &RunArgs, base: &Path) -> Result<Ready, Failure> {
    let mut mission = asked::mission(&args.asked, args.save())?;
    let settings = Settings::load(&mission.folder)?;
    let prices = args.prices.book(&settings)?;
    output::notes(&mission.notes);
    overrides::apply(&mut mission, &args.asked)?;
    trust::ask(&mut mission)?;
    let servers = Some(mission.connect_hosted()?);
    output::notes(&mission.server_problems());
    let agent = mission.build_agent(&mission.limits())?;
    let approval = approve::chosen(ApproveArg::or(args.approve, &settings), args.approve_programs, &agent)?;
    let models = mission.models_with(args.asked.llm.as_deref(), &settings)?;
    let requests = record::requests(args, &mission, &models)?;
    let keep = args.keep.or(mission.keep).unwrap_or_else(|| settings.keep());
    let record = || Recording::open(args, base, keep);
    let resumed = args.resume.then(record).transpose()?;
    let connect = llm::Connect { timeout: args.asked.timeout };
    let stopped = resumed.as_ref().and_then(|resumed| resumed.recorded.as_deref());
    let llm = connect.model(&models.first, stopped)?;
    let recording = resumed.map_or_else(record, Ok)?.with_requests(requests);
    let model = llm.name().to_owned();
    let registry = connect.below(&models, &llm)?;
    let scope = if args.approve_programs { ApprovalScope::Programs } else { ApprovalScope::Calls };
    let mut options = mission
        .run_options()
        .llm(llm)
        .llm_registry(registry)
        .seed(args.seed)
        .approval_scope(scope)
        .journal_notes(notes(&mission))
        .resume(recording.recorded.clone());
    options.approval = approval;
    // For a resumed run it starts where the journal ends.
    options.compression = args.asked.compression.as_ref().map(|_| mission.agent.compression.clone());
    options.journal = recording.file.clone();
    options.stream = args.stream;
    let told = is_told(args).then(|| Reporting {
        progress: Arc::new(progress::Progress::new(args.stream, prices)),
        asks_nobody: heading::asks_nobody(&models),
        next: next(&recording),
    });
    if let Some(told) = &told {
        heading::lines(&mission, &models, &model, output::columns()).iter().for_each(output::inked);
        options.observers.push(told.progress.clone());
    }
    let context = Context::from_map(mission.data_map());
    Ok(Ready { agent, context, options, recording, servers, told })
}

/// Whether the run is reported to people: not when machines read a step, unless a person watches.
fn is_told(args: &RunArgs) -> bool {
    !args.quiet && (!args.json || output::is_watched())
}

/// What the record says of the run beside what happens in it.
fn notes(mission: &MissionFile) -> Object<String, Json> {
    let path = std::path::absolute(&mission.path).unwrap_or_else(|_| mission.path.clone());
    // A question has none.
    let file = path.exists().then(|| ("mission_file", path.display().to_string()));
    let version = ("ptc_version", env!("CARGO_PKG_VERSION").to_owned());
    file.into_iter().chain([version]).map(|(name, text)| (name.to_owned(), json!(text))).collect()
}

/// Where to look at the run afterwards.
fn next(recording: &Recording) -> Option<String> {
    let path = recording.path.as_ref()?;
    let file = if recording.is_kept() { String::new() } else { format!(" {}", shell(&path.display().to_string())) };
    let view = if cfg!(feature = "view") { format!(", or ptc view{file} in the browser") } else { String::new() };
    Some(format!("look at it: ptc show{file}{view}"))
}

/// Run the agent to its end.
async fn driven(run: Ready) -> Result<(Step, Recording), Failure> {
    output::remarks(&run.agent.check(&run.context));
    let step = run.agent.run_with(run.context, run.options).await?;
    output::notes(&run.recording.end());
    Ok((step, run.recording))
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
    match args.output {
        Some(format) => answer::print(format.format(), step, out),
        None => ended::answer(step, out),
    }
}

/// What goes to standard error.
fn remarks(args: &RunArgs, step: &Step, record: Option<&Path>) -> Vec<String> {
    let mut lines = ended::remarks(step, args.json);
    let Some(fail) = step.fail() else { return lines };
    // When resumed, the run would continue where it was stopped.
    let condition = match fail.reason {
        FailReason::Cancelled | FailReason::LlmError => "",
        FailReason::JournalError => ", once its record can be written",
        _ => return lines,
    };
    if let Some(record) = record {
        let command = args.again(record);
        lines.push(format!("note: this run can be resumed{condition}: {command}"));
        lines.extend(command.before().map(|before| format!("note: before that, {before}")));
    }
    lines
}
