//! What shells propose besides commands and options: runs, missions, functions.
//!
//! A shell asks this command itself, through a variable of the environment, so that it proposes what there is.

use std::ffi::OsStr;
use std::path::Path;

use clap_complete::engine::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{CompleteEnv, Shells};
use ptc_runner::lisp::reference;

use crate::kept;

/// The variable with the name of the shell that asks.
const VARIABLE: &str = "PTC_COMPLETE";

/// Answer a shell that asks, and end.
pub(crate) fn answer(all: fn() -> clap::Command) {
    CompleteEnv::with_factory(all).var(VARIABLE).complete();
}

/// What a shell reads to ask this command, which was called as `program`. `None` for an unknown shell.
pub(crate) fn script(shell: &str, name: &str, program: &OsStr) -> Option<std::io::Result<Vec<u8>>> {
    // From any folder; a name without a folder is looked up by the shell.
    let program = Path::new(program);
    let program = if program.components().count() > 1 { std::path::absolute(program) } else { Ok(program.to_owned()) };
    let shells = Shells::builtins();
    let shell = shells.completer(shell)?;
    let written = program.and_then(|program| {
        let mut script = Vec::new();
        shell.write_registration(VARIABLE, name, name, &program.to_string_lossy(), &mut script)?;
        Ok(script)
    });
    Some(written)
}

/// The runs that are kept in this folder, the newest first, and files.
pub(crate) fn runs() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let known = kept::all(Path::new(""));
        let names = known.iter().map(|path| kept::name(path)).chain((!known.is_empty()).then_some("last"));
        let begun = current.to_string_lossy();
        let names = names.filter(|name| name.starts_with(&*begun));
        let names = names.enumerate().map(|(at, name)| CompletionCandidate::new(name).display_order(Some(at)));
        names.chain(PathCompleter::file().complete(current)).collect()
    })
}

/// Mission files; folders are proposed with them.
pub(crate) fn missions() -> ArgValueCompleter {
    let is_mission = |path: &Path| {
        let ending = path.extension().unwrap_or_default();
        path.is_file() && ["toml", "json", "yaml", "yml"].iter().any(|known| ending.eq_ignore_ascii_case(known))
    };
    ArgValueCompleter::new(PathCompleter::any().filter(is_mission))
}

/// What `ptc doc` describes.
pub(crate) fn functions() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let candidate = |name: String, doc: &str| CompletionCandidate::new(name).help(Some(doc.to_owned().into()));
        reference().iter().map(|entry| candidate(entry.name.to_owned(), &entry.doc)).collect()
    })
}
