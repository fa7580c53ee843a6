//! Files of servers that a mission names: asking the person at the terminal whether they may be used.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use ptc_runner::chat::shown_address;
use ptc_runner::config::{MissionFile, TrustedFiles, named, read_text};
use ptc_runner::lisp::text::escaped;
use ptc_runner::mcp::{Access, ServerSpec};
use serde_json::Value as Json;

use crate::failure::Failure;
use crate::output;

/// Ask about the files of servers that were not trusted yet. Without a terminal nothing is asked, and connecting to these
/// servers says what to do.
pub(crate) fn ask(mission: &mut MissionFile) -> Result<(), Failure> {
    if !(io::stdin().is_terminal() && output::is_watched()) || untrusted(&mission.servers).is_empty() {
        return Ok(());
    }
    asked(mission, &list()?, &mut io::stdin().lock(), &mut io::stderr())
}

fn asked(
    mission: &mut MissionFile,
    list: &TrustedFiles,
    input: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Failure> {
    for file in untrusted(&mission.servers) {
        let shown = named(&file);
        writeln!(out, "{shown} comes with this file, and you have not agreed to use it. Its servers:")?;
        let is_of = |server: &&ServerSpec| server.source.as_ref().is_some_and(|source| source.file == file);
        for server in mission.servers.iter().filter(is_of) {
            writeln!(out, "  {}", escaped(&described(server)))?;
        }
        write!(out, "Use them, until {shown} changes? [y/N] ")?;
        out.flush()?;
        let mut answer = String::new();
        input.read_line(&mut answer)?;
        if matches!(answer.trim().to_lowercase().as_str(), "y" | "yes") {
            add(list, &file)?;
            let sources = mission.servers.iter_mut().filter_map(|server| server.source.as_mut());
            sources.filter(|source| source.file == file).for_each(|source| source.is_trusted = true);
        }
    }
    Ok(())
}

fn untrusted(servers: &[ServerSpec]) -> BTreeSet<PathBuf> {
    let sources = servers.iter().filter_map(|server| server.source.as_ref());
    sources.filter(|source| !source.is_trusted).map(|source| source.file.clone()).collect()
}

/// Trust the file as long as it does not change.
pub(crate) fn trust(file: &Path) -> Result<(), Failure> {
    add(&list()?, file)
}

fn list() -> Result<TrustedFiles, Failure> {
    TrustedFiles::of_user().ok_or_else(|| "there is no place for a list of trusted files: set HOME".into())
}

fn add(list: &TrustedFiles, file: &Path) -> Result<(), Failure> {
    let text = read_text(file)?;
    list.add(file, &text).map_err(|error| format!("cannot remember that {} is trusted: {error}", named(file)).into())
}

/// How a server is reached, as its file says it, without keys.
pub(crate) fn way(server: &ServerSpec) -> String {
    match &server.access {
        Access::Command(line) => {
            let executable = line.executable.to_string_lossy();
            let words = [executable.as_ref()].into_iter().chain(line.args.iter().map(String::as_str));
            words.map(word).collect::<Vec<_>>().join(" ")
        }
        Access::Http { url, .. } => shown_address(url),
        _ => String::new(),
    }
}

/// A word of a command, in quotes where it would be taken for several.
fn word(word: &str) -> String {
    if word.is_empty() || word.contains(char::is_whitespace) { Json::from(word).to_string() } else { word.to_owned() }
}

/// The same with everything else that a person should know who decides about it.
pub(crate) fn described(server: &ServerSpec) -> String {
    let given: Vec<String> = match &server.access {
        Access::Command(line) => {
            let folder = line.folder.iter().map(|folder| format!("in {}", folder.display()));
            folder
                .chain(line.env.iter().map(|(name, value)| given(name, value.as_deref().unwrap_or_default())))
                .collect()
        }
        Access::Http { headers, .. } => headers.iter().map(|(name, value)| given(name, value)).collect(),
        _ => Vec::new(),
    };
    let given = if given.is_empty() { String::new() } else { format!(" ({})", given.join(", ")) };
    format!("{}: {}{given}", server.name, way(server))
}

/// A variable or header: where it refers to something, as it is written, since that will be sent; else its name.
fn given(name: &str, value: &str) -> String {
    if value.contains("${") { format!("{name}={value}") } else { name.to_owned() }
}
