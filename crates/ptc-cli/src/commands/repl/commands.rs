//! The commands of the prompt: lines that begin with a colon.

mod looking;

use std::path::Path;

use ptc_runner::config::read_text;
use ptc_runner::lisp::text::nearest;
use ptc_runner::lisp::{StoredMemory, Value};

use super::super::eval::memory;
use super::aside;
use super::names::Names;
use super::state::{Next, State};
use crate::failure::{Exit, Failure, FileFailure};
use crate::files::{self, Readers};
use crate::limits;
use crate::output::{self, OutputFailure, Source};

/// Why a command does nothing.
type Refusal = Failure;

/// Rows of a table that are shown.
const MAX_ROWS: usize = 100;

struct Row {
    name: &'static str,
    args: &'static str,
    about: &'static str,
    run: fn(&mut State, &str) -> Result<Next, Refusal>,
}

const ROWS: &[Row] = &[
    Row { name: ":help", args: "", about: "this list", run: help },
    Row { name: ":doc", args: "NAME", about: "what a function, tool, definition or data entry is", run: looking::doc },
    Row { name: ":data", args: "[NAME]", about: "what is under data/, or all of one entry", run: looking::data },
    Row { name: ":tools", args: "", about: "the tools, their signatures and what they may do", run: looking::tools },
    Row { name: ":memory", args: "", about: "what this session has defined", run: looking::memory },
    Row { name: ":limits", args: "[NAME=VALUE…]", about: "the bounds of each program, or other ones", run: bounds },
    Row { name: ":all", args: "", about: "the last value, whole", run: all },
    Row { name: ":table", args: "", about: "the last value as a table, when it is a list of maps", run: table },
    Row { name: ":load", args: "FILE", about: "run a program, or load definitions from a .json file", run: load },
    Row {
        name: ":save",
        args: "FILE",
        about: "the inputs that ran well as a program, or definitions as .json",
        run: save,
    },
    Row { name: ":time", args: "on|off", about: "whether time and calls are shown after each input", run: time },
    Row { name: ":reset", args: "", about: "forget all definitions", run: reset },
    Row { name: ":quit", args: "", about: "leave; so does Ctrl-D", run: quit },
];

/// Run a line that begins with a colon. Errors when the output is no longer read.
pub(super) fn run(state: &mut State, line: &str) -> Result<Next, Failure> {
    let line = line.trim();
    let (name, given) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let done = match ROWS.iter().find(|row| row.name == name) {
        Some(row) if row.args.is_empty() && !given.trim().is_empty() => Err(format!("{name} takes no argument").into()),
        Some(row) => (row.run)(state, given.trim()),
        None => Err(unknown(name).into()),
    };
    match done {
        Err(failure) if !failure.is::<OutputFailure>() => {
            output::failure(&failure);
            state.failed = Some(Exit::Failed);
            Ok(Next::Prompt)
        }
        done => done,
    }
}

fn unknown(name: &str) -> String {
    let meant = nearest(name, ROWS.iter().map(|row| row.name));
    let meant = meant.map(|meant| format!("did you mean {meant}?")).unwrap_or_else(|| ":help lists them.".to_owned());
    format!("there is no command {name}; {meant} A keyword as a value is (identity {name})")
}

/// Where the word at the end of a command begins, and its completions.
pub(super) fn completed(before: &str, names: &Names) -> (usize, Vec<String>) {
    let Some(at) = before.rfind(char::is_whitespace) else {
        let begins = ROWS.iter().map(|row| row.name).filter(|name| name.starts_with(before));
        return (0, begins.map(str::to_owned).collect());
    };
    let start = at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    let word = before.get(start..).unwrap_or_default();
    let begins =
        |known: &[String]| known.iter().filter(|known| known.starts_with(word)).cloned().collect::<Vec<String>>();
    let found = match before.split_whitespace().next() {
        Some(":doc") => names.beginning(word),
        Some(":data") => {
            let entries = names.beginning(&format!("data/{word}"));
            entries.iter().filter_map(|name| name.strip_prefix("data/")).map(str::to_owned).collect()
        }
        Some(":limits") => begins(&limits::NAMES.map(|name| format!("{name}="))),
        Some(":time") => begins(&["on", "off"].map(str::to_owned)),
        Some(":load" | ":save") => paths(word),
        _ => Vec::new(),
    };
    (start, found)
}

/// The files and folders whose paths begin with this.
fn paths(word: &str) -> Vec<String> {
    let (folder, name) = word.rsplit_once('/').map_or(("", word), |(folder, name)| (folder, name));
    let within = if folder.is_empty() && !word.starts_with('/') {
        Path::new(".").to_owned()
    } else {
        Path::new(&format!("{folder}/")).to_owned()
    };
    let mut found: Vec<String> = std::fs::read_dir(within)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let own = entry.file_name().into_string().ok().filter(|own| own.starts_with(name))?;
            let is_hidden = own.starts_with('.') && !name.starts_with('.');
            let ends = if entry.path().is_dir() { "/" } else { "" };
            let before = word.strip_suffix(name).unwrap_or_default();
            (!is_hidden).then(|| format!("{before}{own}{ends}"))
        })
        .collect();
    found.sort_unstable();
    found
}

fn help(_: &mut State, _: &str) -> Result<Next, Refusal> {
    let width = ROWS.iter().map(|row| row.name.len() + 1 + row.args.chars().count()).max().unwrap_or(0);
    output::print(|out| {
        for row in ROWS {
            let call = format!("{} {}", row.name, row.args);
            writeln!(out, "{call}{}  {}", " ".repeat(width.saturating_sub(call.chars().count())), row.about)?;
        }
        writeln!(
            out,
            "\n(doc map) (apropos \"split\") (dir str) (source f) look things up; *1 *2 *3 are the last values, *e is the last error."
        )?;
        writeln!(
            out,
            "An input is one program: its last value is shown, and if it fails, its definitions are undone."
        )?;
        writeln!(
            out,
            "Tab completes. Ctrl-C interrupts a program, at the prompt it clears the line. Ctrl-R searches the history."
        )
    })?;
    Ok(Next::Prompt)
}

fn quit(_: &mut State, _: &str) -> Result<Next, Refusal> {
    Ok(Next::Quit)
}

fn reset(state: &mut State, _: &str) -> Result<Next, Refusal> {
    state.reset()?;
    output::line("all definitions are forgotten");
    Ok(Next::Prompt)
}

fn all(state: &mut State, _: &str) -> Result<Next, Refusal> {
    let value = state.last.as_ref().ok_or("there is no value yet")?;
    state.value(value, usize::MAX)?;
    Ok(Next::Prompt)
}

fn table(state: &mut State, _: &str) -> Result<Next, Refusal> {
    let value = state.last.as_ref().ok_or("there is no value yet")?;
    let left_out = value.as_vector().map_or(0, |rows| rows.len().saturating_sub(MAX_ROWS));
    let text = match value.as_vector().filter(|_| left_out > 0) {
        Some(rows) => output::readable(&Value::vector(rows.iter().take(MAX_ROWS).cloned().collect()), state.width),
        None => output::readable(value, state.width),
    };
    output::print(|out| writeln!(out, "{text}"))?;
    if left_out > 0 {
        aside(&format!("  … {} more", output::counted(left_out, "row")));
    }
    Ok(Next::Prompt)
}

fn time(state: &mut State, given: &str) -> Result<Next, Refusal> {
    state.has_timing = match given {
        "on" => true,
        "off" => false,
        _ => {
            return Err(
                format!("write :time on or :time off; it is {}", if state.has_timing { "on" } else { "off" }).into()
            );
        }
    };
    Ok(Next::Prompt)
}

fn bounds(state: &mut State, given: &str) -> Result<Next, Refusal> {
    let given: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
    let limits = limits::apply(state.session.limits().clone(), &given);
    let limits = limits.map_err(|error| error.to_string().replacen("--limit", ":limits", 1))?;
    if given.is_empty() {
        output::print(|out| {
            writeln!(
                out,
                "fuel={}  memory={}MB  time={}s  depth={}",
                limits.fuel,
                limits.memory >> 20,
                limits.time.as_secs_f64(),
                limits.depth
            )
        })?;
    }
    state.session.set_limits(limits);
    Ok(Next::Prompt)
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

/// The file that a command names.
fn named<'a>(command: &str, given: &'a str) -> Result<&'a Path, Refusal> {
    let path = given.trim_matches('"');
    if path.is_empty() {
        Err(format!("write {command} FILE: a .clj file for a program, a .json file for definitions").into())
    } else {
        Ok(Path::new(path))
    }
}

fn load(state: &mut State, given: &str) -> Result<Next, Refusal> {
    let path = named(":load", given)?;
    let name = path.display().to_string();
    if !is_json(path) {
        let text = read_text(path)?;
        if state.run(&Source { name, text: text.clone() })? {
            state.good.push(text.trim_end().to_owned());
        }
        return Ok(Next::Prompt);
    }
    let limits = state.session.limits();
    let text = memory::read(path, limits)?;
    let stored = StoredMemory::parse_within(&text, limits).map_err(|error| format!("{name}: {error}"))?;
    output::remarks(&state.start_with(&stored));
    output::line(&format!(
        "took up {}",
        output::counted(state.session.session().memory().entries().len(), "definition")
    ));
    Ok(Next::Prompt)
}

fn save(state: &mut State, given: &str) -> Result<Next, Refusal> {
    let path = named(":save", given)?;
    if path.exists() && !state.saved.contains(path) {
        return Err(format!("{}: there is a file already; name another one", path.display()).into());
    }
    let what = if is_json(path) {
        output::remarks(&memory::save(path, state.session.session_mut())?);
        output::counted(state.session.session().memory().entries().len(), "definition")
    } else {
        let text = state.good.join("\n") + "\n";
        files::replace(path, text.as_bytes(), Readers::Owner)
            .map_err(|source| FileFailure::Unwritable { path: path.to_owned(), source })?;
        output::counted(state.good.len(), "input")
    };
    state.saved.insert(path.to_owned());
    output::line(&format!("wrote {what} to {}", path.display()));
    Ok(Next::Prompt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_told_the_nearest_one() {
        assert_eq!(
            unknown(":memry"),
            "there is no command :memry; did you mean :memory? A keyword as a value is (identity :memry)"
        );
        assert_eq!(
            unknown(":xyzzy"),
            "there is no command :xyzzy; :help lists them. A keyword as a value is (identity :xyzzy)"
        );
    }

    #[test]
    fn files_are_completed_folder_by_folder() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.clj", "a.json", ".hidden"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        std::fs::create_dir(folder.path().join("alone")).unwrap();
        let base = folder.path().display().to_string();
        let found = |word: &str| {
            paths(&format!("{base}/{word}")).iter().map(|path| path.replace(&base, "")).collect::<Vec<_>>()
        };
        assert_eq!(found("a"), ["/a.clj", "/a.json", "/alone/"]);
        assert_eq!(found(""), ["/a.clj", "/a.json", "/alone/"]);
        assert_eq!(found(".h"), ["/.hidden"]);
        assert_eq!(paths(&format!("{base}/nowhere/x")), Vec::<String>::new());
    }
}
