//! The state of a prompt: its session, and what it shows of each input.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ptc_runner::agent::ProgramSession;
use ptc_runner::lisp::text::{FormatOptions, format_lines};
use ptc_runner::lisp::{Ending, Omitted, Outcome, Reason, StoredMemory, Value};

use super::super::eval::memory;
use super::commands;
use super::editing::{is_command, painted};
use super::names::Names;
use super::running::Runner;
use super::watching::CallProgress;
use super::world::World;
use super::{ReplArgs, aside};
use crate::failure::{Exit, Failure};
use crate::output::{self, Source};
use crate::program;

/// Characters of a line where the terminal does not say.
const WIDTH: usize = 100;

/// Lines of a value that are shown.
pub(super) const MAX_LINES: usize = 40;

/// What follows an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Prompt,
    Quit,
}

pub(super) struct State {
    pub(super) world: World,
    pub(super) session: ProgramSession,
    pub(super) names: Names,
    /// Whether a person types, rather than a file or a pipe.
    pub(super) is_terminal: bool,
    /// Whether time and calls are shown after each input.
    pub(super) has_timing: bool,
    /// Characters of a line.
    pub(super) width: usize,
    /// The whole last value.
    pub(super) last: Option<Value>,
    /// The inputs that ran well, for `:save`.
    pub(super) good: Vec<String>,
    /// Files that `:save` wrote, and may replace.
    pub(super) saved: HashSet<PathBuf>,
    /// What the last failed input means for the caller of the command.
    pub(super) failed: Option<Exit>,
    memory: Option<PathBuf>,
    /// The number of the last definition that is in the memory file.
    kept: u64,
    inputs: usize,
    watching: Arc<CallProgress>,
    runner: Runner,
}

impl State {
    pub(super) fn new(args: &ReplArgs, is_terminal: bool) -> Result<State, Failure> {
        let watching = Arc::new(CallProgress::new(is_terminal && output::is_watched()));
        let mut world = World::new(args, is_terminal, Arc::clone(&watching) as _)?;
        let runner = Runner::new(world.servers.take(), is_terminal)?;
        let names = Names::new(&world.tools(), &world.data());
        let session = world.session()?;
        let mut state = State {
            world,
            session,
            names,
            is_terminal,
            has_timing: is_terminal,
            width: WIDTH,
            last: None,
            good: Vec::new(),
            saved: HashSet::new(),
            failed: None,
            memory: args.memory.clone(),
            kept: 0,
            inputs: 0,
            watching,
            runner,
        };
        if let Some(path) = &args.memory {
            let stored = memory::load(path, state.session.limits())?;
            output::remarks(&state.start_with(&stored));
            state.kept = state.last_definition();
        }
        Ok(state)
    }

    /// The exit code of a signal that asks the command to end.
    pub(super) fn ended(&self) -> Option<Exit> {
        self.runner.ended()
    }

    /// Take these definitions into the session; returns those that are left out.
    pub(super) fn start_with(&mut self, stored: &StoredMemory) -> Vec<Omitted> {
        let left_out = self.session.session_mut().restore_memory(stored);
        self.names.define(&self.session.session().memory());
        left_out
    }

    /// Forget definitions, values and failures.
    pub(super) fn reset(&mut self) -> Result<(), Failure> {
        let limits = self.session.limits().clone();
        self.session = self.world.session()?;
        self.session.set_limits(limits);
        (self.last, self.kept) = (None, 0);
        self.good.clear();
        self.names.define(&self.session.session().memory());
        Ok(())
    }

    /// Execute an input, and show its outcome. Errors when the output is no longer read.
    pub(super) fn input(&mut self, text: &str) -> Result<Next, Failure> {
        if is_command(text) {
            return commands::run(self, text);
        }
        // What people type in other prompts, unless it is defined here.
        let word = text.trim().trim_matches(['(', ')']);
        if matches!(word, "quit" | "exit") && self.session.session().memory().get(word).is_none() {
            return Ok(Next::Quit);
        }
        self.inputs += 1;
        let source = Source { name: format!("input {}", self.inputs), text: text.to_owned() };
        if self.run(&source)? {
            self.good.push(text.trim_end().to_owned());
        }
        Ok(Next::Prompt)
    }

    /// Run a program and show its outcome; returns whether it succeeded.
    pub(super) fn run(&mut self, source: &Source) -> Result<bool, Failure> {
        let began = Instant::now();
        let outcome = self.execute(&source.text, &mut |line| {
            output::live::clear();
            // Standard output may be closed; then the value cannot be written either, and that is reported.
            let _ = output::print(|out| writeln!(out, "{line}"));
            let _ = std::io::stdout().flush();
        });
        let time = began.elapsed();
        output::warnings(source, &outcome.warnings);
        let is_good = self.show(source, &outcome)?;
        if self.has_timing {
            aside(&timing(time, outcome.tool_calls.len()));
        }
        if is_good {
            self.keep()?;
        } else {
            self.failed = Some(program::exit(&outcome));
        }
        Ok(is_good)
    }

    /// Run a program, with its prints as they come.
    pub(super) fn execute(&mut self, program: &str, on_print: &mut (dyn FnMut(&str) + Send)) -> Outcome {
        self.watching.begin();
        let outcome = self.runner.run(&mut self.session, program, &self.watching, on_print);
        self.watching.end();
        self.names.define(&self.session.session().memory());
        outcome
    }

    fn show(&mut self, source: &Source, outcome: &Outcome) -> Result<bool, Failure> {
        match &outcome.ending {
            Ending::Value(value) | Ending::Return(value) => {
                self.value(value, MAX_LINES)?;
                self.last = Some(value.clone());
                return Ok(true);
            }
            Ending::Fail(value) => output::line(&format!("failed: {}", output::clojure(value))),
            _ if outcome.problems().first().is_some_and(|problem| problem.reason == Reason::Cancelled) => {
                output::line("interrupted; definitions are as they were before");
            }
            _ => {
                output::problems(source, outcome.problems());
                let limit = outcome.problems().first().and_then(|problem| limit(problem.reason));
                if let Some(limit) = limit.filter(|_| self.is_terminal) {
                    output::line(&format!("  here: :limits {limit}"));
                }
            }
        }
        Ok(false)
    }

    /// Show a value: over several lines for people, on one for machines.
    pub(super) fn value(&self, value: &Value, lines: usize) -> Result<(), Failure> {
        if !self.is_terminal {
            return Ok(output::print(|out| {
                output::write_clojure(value, output::LONGEST, out).and_then(|()| writeln!(out))
            })?);
        }
        let options = FormatOptions { hide: false, ..FormatOptions::full() };
        let shown = format_lines(value, &options, self.width, lines);
        let has_colors = output::has_colors(&std::io::stdout());
        output::painted(&if has_colors { painted(&shown.text, None, &self.names) } else { shown.text })?;
        if shown.truncated {
            aside("  … not all of it; :all shows it whole");
        }
        Ok(())
    }

    /// Write new definitions to the file of `--memory`.
    pub(super) fn keep(&mut self) -> Result<(), Failure> {
        let last = self.last_definition();
        if let Some(path) = self.memory.as_ref().filter(|_| last > self.kept) {
            output::remarks(&memory::save(path, self.session.session_mut())?);
            self.kept = last;
        }
        Ok(())
    }

    fn last_definition(&self) -> u64 {
        self.session.session().memory().entries().iter().map(|entry| entry.order).max().unwrap_or(0)
    }
}

/// `2 ms · 3 calls`
fn timing(time: Duration, calls: usize) -> String {
    let calls = if calls > 0 { format!(" · {}", output::counted(calls, "call")) } else { String::new() };
    format!("{}{calls}", output::words::duration(time))
}

/// How to allow more at the prompt.
fn limit(reason: Reason) -> Option<&'static str> {
    match reason {
        Reason::FuelExceeded => Some("fuel=1_000_000_000"),
        Reason::MemoryExceeded => Some("memory=256MB"),
        Reason::Timeout => Some("time=30s"),
        Reason::RecursionLimitExceeded => Some("depth=100_000"),
        _ => None,
    }
}
