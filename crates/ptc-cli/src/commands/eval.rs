//! `ptc eval`: one program, or a batch of them.

mod answer;
mod batch;
pub(crate) mod memory;
#[cfg(test)]
mod tests;

use std::io::{BufWriter, IsTerminal, Read, Write};
use std::path::Path;

use ptc_runner::lisp::{
    Ending, FormatOptions, Limits, Outcome, Session, SessionOptions, StoredMemory, ToolCall, ToolFailure, ToolResult,
    Value, format, printed,
};

use crate::args::{EvalArgs, ValueFormat};
use crate::failure::{Exit, Failure};
use crate::report::{self, Source};
use crate::{data, limits};

pub(crate) use answer::{ErrorAnswer, WarningAnswer};

/// Run the command.
pub(crate) fn run(args: &EvalArgs) -> Result<Exit, Failure> {
    if args.batch { batch::run(args) } else { single(args) }
}

fn single(args: &EvalArgs) -> Result<Exit, Failure> {
    let (name, text) = source(args.source.as_deref(), args.file.as_deref())?;
    let source = Source { name: &name, text: &text };
    // People read prints as they would in a REPL; machines get those that a turn keeps.
    let print_limits = if args.json {
        Limits::default()
    } else {
        Limits { prints: usize::MAX / 4, print_chars: usize::MAX / 4, ..Limits::default() }
    };
    let mut session = Session::new(SessionOptions {
        data: data::read(&args.common.data)?,
        limits: limits::apply(print_limits, &args.common.limit)?,
        seed: args.common.seed,
        ..SessionOptions::default()
    });
    let stored = args.memory.as_deref().map_or(Ok(StoredMemory::default()), memory::load)?;
    let left_out = session.restore_memory(&stored);
    let outcome = session.run(&text, &mut no_tool);
    if args.json {
        let answer = answer::Answer::new(None, &text, &outcome, &mut session, left_out);
        print(|out| answer.write(out))?;
    } else {
        left_out.iter().for_each(|left_out| report::note(&format!("warning: {left_out}")));
        report::warnings(&source, &outcome.warnings);
        show(args.format, &source, &outcome, &session)?;
    }
    if let (Some(path), true) = (&args.memory, outcome.problems().is_empty()) {
        for left_out in memory::save(path, &mut session)? {
            report::note(&format!("warning: {left_out}"));
        }
    }
    Ok(exit(&outcome))
}

/// The program with what to call it: the text given, the file, or standard input.
pub(crate) fn source(text: Option<&str>, file: Option<&Path>) -> Result<(String, String), Failure> {
    if let Some(text) = text {
        return Ok(("<command line>".to_owned(), text.to_owned()));
    }
    let path = file.filter(|path| *path != Path::new("-"));
    let mut bytes = Vec::new();
    let name = match path {
        Some(path) => {
            bytes = std::fs::read(path).map_err(|source| Failure::Unreadable { path: path.to_owned(), source })?;
            path.display().to_string()
        }
        None => {
            std::io::stdin()
                .lock()
                .read_to_end(&mut bytes)
                .map_err(|source| Failure::Unreadable { path: "standard input".into(), source })?;
            "<stdin>".to_owned()
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(Failure::NotText { name, offset: error.utf8_error().valid_up_to() }),
    }
}

/// Programs of the shell have no tools.
pub(crate) fn no_tool(call: &ToolCall) -> ToolResult {
    Err(ToolFailure::new(format!("there is no tool {}", call.name)))
}

/// Prints and value on standard output; what went wrong on standard error.
fn show(shape: ValueFormat, source: &Source<'_>, outcome: &Outcome, session: &Session) -> Result<(), Failure> {
    print(|out| outcome.prints.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    match &outcome.ending {
        Ending::Value(value) | Ending::Return(value) => {
            let text = shown(value, shape, session)?;
            print(|out| writeln!(out, "{text}"))
        }
        Ending::Fail(value) => {
            report::note(&format!("failed: {}", shown(value, shape, session)?));
            Ok(())
        }
        _ => {
            report::problems(source, outcome.problems());
            Ok(())
        }
    }
}

fn shown(value: &Value, shape: ValueFormat, session: &Session) -> Result<String, Failure> {
    let no_json = |error: ptc_runner::lisp::Error| Failure::NoJson { problem: error.message };
    match shape {
        ValueFormat::Clojure => Ok(clojure(value)),
        ValueFormat::Json => session.to_json(value).map(|json| json.to_string()).map_err(no_json),
        ValueFormat::Tagged => session.to_tagged(value).map(|json| json.to_string()).map_err(no_json),
    }
}

/// The whole value, hidden entries too: they are hidden from models, not from whoever runs the program.
pub(crate) fn clojure(value: &Value) -> String {
    format(value, &FormatOptions { hide: false, ..FormatOptions::full() }).text
}

/// The exit code that an outcome means.
pub(crate) fn exit(outcome: &Outcome) -> Exit {
    match &outcome.ending {
        Ending::Value(_) | Ending::Return(_) => Exit::Ok,
        _ if outcome.problems().first().is_some_and(|problem| problem.reason.is_limit()) => Exit::Limit,
        _ => Exit::Failed,
    }
}

/// Write to standard output: as it is for machines, without what a terminal would obey for people.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<(), Failure> {
    let stdout = std::io::stdout().lock();
    let done = if stdout.is_terminal() {
        let mut text = Vec::new();
        write(&mut text).and_then(|()| for_people(&text, stdout))
    } else {
        let mut out = BufWriter::with_capacity(1 << 16, stdout);
        write(&mut out).and_then(|()| out.flush())
    };
    done.map_err(Failure::Output)
}

fn for_people(text: &[u8], mut out: impl Write) -> std::io::Result<()> {
    out.write_all(printed(&String::from_utf8_lossy(text)).as_bytes())
}
