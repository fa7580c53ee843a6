//! The program of a command line, and the session that it runs in.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use ptc_runner::config::{read_most, read_text};
use ptc_runner::lisp::{Ending, Limits, Outcome, SessionOptions, ToolCall, ToolError, ToolResult};

use crate::failure::{Exit, Failure, FileFailure};
use crate::output::Source;
use crate::{args, data, limits, output};

/// Bytes of standard input read as a program, far above the limit of one.
const MAX_BYTES: u64 = 4 << 20;

#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// The file of the program, or a program that begins with a bracket; standard input with `-` or by default.
    #[arg(conflicts_with = "source")]
    file: Option<PathBuf>,
    /// The program, however it begins.
    #[arg(short = 'e', value_name = "SRC")]
    source: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct SessionArgs {
    /// Data for `data/NAME`: a file (.json, .jsonl, .csv, .txt, .md, each also with .gz) or JSON; without NAME a JSON
    /// object is all of `data/`, and any other file has its own name.
    #[arg(long, value_name = "FILE|NAME=FILE|NAME=JSON")]
    data: Vec<String>,
    /// A limit: `fuel=N`, `memory=64MB`, `time=5s` or `depth=N`.
    #[arg(long, value_name = "NAME=VALUE")]
    limit: Vec<String>,
    /// Seed of random numbers.
    #[arg(long, value_name = "N", default_value = "0", allow_negative_numbers = true, value_parser = args::whole::<u64>(0))]
    seed: u64,
}

impl ProgramArgs {
    /// The file, when one is named.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref().filter(|path| *path != Path::new("-") && self.text().is_none())
    }

    /// The program, when it is on the command line: a file whose name begins with a bracket wins.
    fn text(&self) -> Option<&str> {
        let word = || self.file.as_deref().filter(|path| !path.exists()).and_then(Path::to_str);
        self.source.as_deref().or_else(|| word().filter(|word| word.starts_with(['(', '[', '{', '#'])))
    }

    /// Whether the program would be read from a terminal, where it would have to be typed.
    pub(crate) fn is_typed(&self) -> bool {
        self.text().is_none() && self.file().is_none() && std::io::stdin().is_terminal()
    }

    /// The text given, the file, or standard input.
    pub(crate) fn read(&self) -> Result<Source, Failure> {
        if let Some(text) = self.text() {
            return Ok(Source { name: "<command line>".to_owned(), text: text.to_owned() });
        }
        if self.is_typed() {
            output::notes(&["the program is read from this terminal, up to Ctrl-D"]);
        }
        match self.file() {
            Some(path) => Ok(Source { name: path.display().to_string(), text: read_text(path)? }),
            None => piped(),
        }
    }
}

/// The program on standard input.
pub(crate) fn piped() -> Result<Source, Failure> {
    let bytes = read_most(std::io::stdin().lock(), MAX_BYTES);
    let text = String::from_utf8(bytes.map_err(FileFailure::unreadable("standard input"))?);
    let text = text.map_err(|error| FileFailure::not_text("<stdin>", &error))?;
    Ok(Source { name: "<stdin>".to_owned(), text })
}

impl SessionArgs {
    /// The session, bounded by `limits` unless the command line says otherwise.
    pub(crate) fn options(&self, limits: Limits) -> Result<SessionOptions, Failure> {
        Ok(SessionOptions {
            data: data::read(&self.data)?,
            limits: limits::apply(limits, &self.limit)?,
            seed: self.seed,
            ..SessionOptions::default()
        })
    }
}

/// Programs of the shell have no tools.
pub(crate) fn no_tool(call: &ToolCall) -> ToolResult {
    Err(ToolError::new(format!("there is no tool {}", call.name)))
}

/// The exit code that an outcome means.
pub(crate) fn exit(outcome: &Outcome) -> Exit {
    match &outcome.ending {
        Ending::Value(_) | Ending::Return(_) => Exit::Ok,
        _ if outcome.problems().first().is_some_and(|problem| problem.reason.is_limit()) => Exit::Limit,
        _ => Exit::Failed,
    }
}
