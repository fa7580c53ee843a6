//! `ptc fmt`: programs in the usual layout.

mod page;

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use ptc_runner::config::read_text;
use ptc_runner::lisp::syntax::formatted;

use crate::failure::{Exit, Failure, FileFailure};
use crate::files::{self, Readers};
use crate::output::{self, Source};
use crate::program;

const EXAMPLES: &str = "\
Examples:
  ptc fmt report.clj checks/*.clj     # rewrites the files that change, and names them
  ptc fmt < draft.clj                 # to standard output
  ptc fmt --check report.clj          # names what would change, writes nothing
  ptc fmt notes.md                    # the blocks of a page that begin with ```clojure

Blanks and indentation change; forms, comments, commas and line breaks stay.

Exit codes: 0 formatted, 1 not formatted (--check) or not a program, 2 wrong usage or unreadable input.";

/// Format programs: blanks and indentation as is usual in Clojure.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FmtArgs {
    /// Files with programs, or pages with blocks of them (.md); `-` or nothing formats standard input.
    files: Vec<PathBuf>,
    /// Name the files that are not formatted, and change nothing.
    #[arg(long)]
    check: bool,
}

/// What became of a text.
enum Formatted {
    Same,
    Changed(String),
    /// It is not a program; that has been reported.
    Refused,
}

/// Run the command.
pub(crate) fn run(args: &FmtArgs) -> Result<Exit, Failure> {
    let is_piped = |path: &PathBuf| path == Path::new("-");
    if args.files.is_empty() || args.files.iter().all(is_piped) {
        return piped(args.check);
    }
    if args.files.iter().any(is_piped) {
        return Err("`-` is standard input: format it alone, or name only files".into());
    }
    let mut exit = Exit::Ok;
    for path in &args.files {
        let source = Source { name: path.display().to_string(), text: read_text(path)? };
        match of(&source) {
            Formatted::Same => {}
            Formatted::Refused => exit = Exit::Failed,
            Formatted::Changed(text) => {
                if args.check {
                    exit = Exit::Failed;
                } else {
                    write(path, &text)?;
                }
                output::print(|out| writeln!(out, "{}", source.name))?;
            }
        }
    }
    Ok(exit)
}

/// Standard input to standard output.
fn piped(is_check: bool) -> Result<Exit, Failure> {
    if std::io::stdin().is_terminal() {
        output::notes(&["the program is read from this terminal, up to Ctrl-D"]);
    }
    let source = program::piped()?;
    let (text, exit) = match of(&source) {
        Formatted::Refused => return Ok(Exit::Failed),
        Formatted::Same => (source.text, Exit::Ok),
        Formatted::Changed(text) => (text, if is_check { Exit::Failed } else { Exit::Ok }),
    };
    match (is_check, exit) {
        (false, _) => output::print(|out| out.write_all(text.as_bytes()))?,
        (true, Exit::Ok) => {}
        (true, _) => output::print(|out| writeln!(out, "{}", source.name))?,
    }
    Ok(exit)
}

/// Format a program, or the programs of a page.
fn of(source: &Source) -> Formatted {
    let is_page = Path::new(&source.name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    let text = if is_page {
        let (text, left) = page::formatted_blocks(&source.name, &source.text);
        output::remarks(&left);
        text
    } else {
        match formatted(&source.text) {
            Ok(text) => text,
            Err(problem) => {
                output::problems(source, &[*problem]);
                return Formatted::Refused;
            }
        }
    };
    if text == source.text { Formatted::Same } else { Formatted::Changed(text) }
}

fn write(path: &Path, text: &str) -> Result<(), FileFailure> {
    let unwritable = |source| FileFailure::Unwritable { path: path.to_owned(), source };
    // A file that may not be written is not replaced either.
    fs::OpenOptions::new().append(true).open(path).map_err(unwritable)?;
    files::replace(path, text.as_bytes(), Readers::AsUsual).map_err(unwritable)
}
