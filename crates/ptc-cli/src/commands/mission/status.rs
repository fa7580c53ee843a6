//! `ptc mission status`: where a mission of a durable engine is.

use std::collections::HashSet;
use std::ops::ControlFlow;

use clap::Args;
use ptc_durable::{MissionId, MissionState, Status, TurnLine, Waiting};
use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::{display_text, escaped};
use serde_json::Value as Json;

use crate::commands::run::approve;
use crate::engine::{EngineArg, PATIENCE, asked, noted};
use crate::failure::{Exit, Failure};
use crate::output::{self, OutputFailure};

const EXAMPLES: &str = "\
Examples:
  ptc mission status orders/6a1fd10c9b0e4d57
  ptc mission status orders/6a1fd10c9b0e4d57 --follow          # a line as each turn ends, until the mission has ended
  ptc mission status orders/6a1fd10c9b0e4d57 --json | jq .waiting

Exit codes: 0 ok, 2 wrong usage, or the mission is unknown.";

/// Show the turns and the state of a mission, and what waits for approval.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StatusArgs {
    /// Mission id.
    #[arg(value_name = "ID")]
    id: MissionId,
    /// Print JSON; with --follow one line per change.
    #[arg(long)]
    json: bool,
    /// Follow the mission until it has ended.
    #[arg(long)]
    follow: bool,
    #[command(flatten)]
    engine: EngineArg,
}

/// Run the command.
pub(crate) fn run(args: &StatusArgs) -> Result<Exit, Failure> {
    let client = args.engine.client()?;
    asked(async {
        let mut seen = LastShown::default();
        if !args.follow {
            seen.print(args, &client.status(&args.id).await?)?;
            return Ok(Exit::Ok);
        }
        let mut failed = None;
        let show = |status: &Status| match seen.print(args, status) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        };
        noted(&client, &args.id).await;
        client.follow(&args.id, PATIENCE, show).await?;
        failed.map_or(Ok(Exit::Ok), |error| Err(error.into()))
    })
}

/// What was already shown.
#[derive(Default)]
struct LastShown {
    turns: usize,
    head: String,
    waiting: HashSet<String>,
    json: String,
}

impl LastShown {
    fn print(&mut self, args: &StatusArgs, status: &Status) -> Result<(), OutputFailure> {
        let lines = if args.json { self.new_json(status) } else { self.new_lines(args, status) };
        output::print(|out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))
    }

    fn new_json(&mut self, status: &Status) -> Vec<String> {
        let json = serde_json::to_string(status).unwrap_or_default();
        let is_new = json != self.json;
        self.json.clone_from(&json);
        if is_new { vec![json] } else { Vec::new() }
    }

    /// The turns, then where it is, then what waits.
    fn new_lines(&mut self, args: &StatusArgs, status: &Status) -> Vec<String> {
        let mut lines: Vec<String> = status.turns.iter().skip(self.turns).map(turn).collect();
        self.turns = self.turns.max(status.turns.len());
        let head = head(status);
        if head != self.head {
            lines.push(head.clone());
            self.head = head;
        }
        for waiting in &status.waiting {
            if self.waiting.insert(waiting.id.clone()) {
                lines.push(needed(&args.id, waiting, &args.engine));
            }
        }
        // What was decided may be asked again, by a mission that was cancelled and continues.
        self.waiting.retain(|known| status.waiting.iter().any(|waiting| waiting.id == *known));
        lines
    }
}

/// `orders/3f9c02d1 · waiting for a decision · began 2026-11-26T10:00:00Z · workers 1.2`
fn head(status: &Status) -> String {
    let state = match status.state {
        MissionState::Submitted => "submitted, no worker has started it".to_owned(),
        MissionState::Running => "running".to_owned(),
        MissionState::Waiting => "waiting for a decision".to_owned(),
        MissionState::Ended => match (&status.ending, &status.reason) {
            (Some(ending), None) => format!("ended with {}", ending.as_str()),
            (Some(ending), Some(reason)) => format!("ended with {}: {reason}", ending.as_str()),
            (None, _) => "ended, see `ptc mission result`".to_owned(),
        },
        _ => "in a state that this version does not know".to_owned(),
    };
    let began = status.began_us.map(|began| format!("began {}", instant(began)));
    let version = status.version.as_ref().map(|version| format!("workers {version}"));
    let parts: Vec<String> = [Some(status.id.clone()), Some(state), began, version].into_iter().flatten().collect();
    let trouble = status.trouble.as_ref().map(|trouble| format!("\n  {}", escaped(trouble))).unwrap_or_default();
    format!("{}{trouble}", escaped(&parts.join(" · ")))
}

/// `turn 2 · 3 calls · 812 tokens so far · eval_error`
fn turn(turn: &TurnLine) -> String {
    let calls = (turn.calls > 0).then(|| output::counted(turn.calls, "call"));
    let tokens = turn.tokens.map(|tokens| format!("{tokens} tokens so far"));
    let reason = turn.reason.as_ref().map(|reason| reason.to_string());
    let parts: Vec<String> =
        [Some(format!("turn {}", turn.turn)), calls, tokens, reason].into_iter().flatten().collect();
    parts.join(" · ")
}

/// What waits, and the commands that decide it.
fn needed(id: &MissionId, waiting: &Waiting, engine: &EngineArg) -> String {
    let asked = match (&waiting.tool, &waiting.program) {
        (Some(tool), _) => {
            let large = waiting.stored_args.as_ref();
            let large =
                large.map(|blob| Json::String(format!("{} bytes, in the blob store as {}", blob.bytes, blob.blob)));
            let args = waiting.args.as_ref().or(large.as_ref()).unwrap_or(&Json::Null);
            approve::call_shown(&waiting.id, &waiting.path, tool, args)
        }
        (None, Some(program)) => approve::program_shown(&waiting.id, &waiting.path, program),
        (None, None) => escaped(&format!("{} needs approval", waiting.id)).into_owned(),
    };
    let until = waiting.until_us.map(|until| format!("\n  denied at {} unless decided", instant(until)));
    let call = waiting.id.strip_prefix(&format!("{id}/")).unwrap_or(&waiting.id);
    let command = engine.proposed("ptc mission approve", &[&id.to_string(), call]);
    let before = command.before().map(|before| format!("\n  before that, {before}")).unwrap_or_default();
    format!("{asked}{}\n  {command}\n  {command} --deny REASON{before}", until.unwrap_or_default())
}

fn instant(us: i64) -> String {
    display_text(&Value::Instant(us))
}
