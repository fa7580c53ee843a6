//! `cargo xtask oracle`: the language corpus in real Clojure, where that is installed.
//!
//! Compared are the single programs without data, tools and limits whose names Clojure has. Intended differences are in
//! a list with their decision; an entry that no longer differs is a problem too.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ptc_lisp::{Outcome, Session, SessionOptions, ToolError};
use ptc_tests::lang;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::bench::tool;
use crate::codegen::write_file;
use crate::conformance::{same, tagged};
use crate::{Failure, Problem};

const EVALUATE: &str = include_str!("oracle/evaluate.clj");
/// In the folder of the corpus: `decision<TAB>file<TAB>program`, blanks in the program collapsed.
const ACCEPTED: &str = "differences.tsv";
/// Prefix of the decision for a program whose answer in Clojure depends on threads.
const MAY_DIFFER: char = '~';

/// Decision and line of each entry, by file and program.
type Accepted = BTreeMap<(String, String), (String, usize)>;

/// A program of the corpus that Clojure can run too.
struct Program {
    path: PathBuf,
    line: usize,
    source: String,
}

impl Program {
    /// Its name in the list of accepted differences.
    fn key(&self) -> (String, String) {
        let file = self.path.strip_prefix(lang::folder()).unwrap_or(&self.path);
        (file.to_string_lossy().into_owned(), self.source.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// Run the corpus in Clojure and report what differs without being accepted, and what is accepted without differing.
pub(crate) fn check() -> Result<Vec<Problem>, Failure> {
    let programs = programs()?;
    let answers = ask_clojure(&programs)?;
    let list = lang::folder().join(ACCEPTED);
    let accepted = accepted(&list)?;
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    let (mut same_count, mut unknown) = (0, 0);
    for (program, answer) in programs.iter().zip(&answers) {
        if answer.get("unknown").is_some() {
            unknown += 1;
        } else if let Some(difference) = difference(&run(&program.source), answer) {
            let key = program.key();
            if !accepted.contains_key(&key) {
                problems.push(Problem::at(&program.path, program.line, format!("{difference}\n    {}", key.1)));
            }
            seen.insert(key);
        } else {
            same_count += 1;
        }
    }
    for (key, (decision, line)) in &accepted {
        if !seen.contains(key) && !decision.starts_with(MAY_DIFFER) {
            let text = format!("{}: `{}` does not differ any more; take the line out", key.0, key.1);
            problems.push(Problem::at(&list, *line, text));
        }
    }
    println!(
        "{} programs: {same_count} the same, {} different, of these {} accepted; {unknown} use names that Clojure does not have",
        programs.len(),
        seen.len(),
        seen.iter().filter(|key| accepted.contains_key(*key)).count()
    );
    Ok(problems)
}

fn programs() -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    for (path, cases) in crate::lang::read(&[])? {
        for case in cases.unwrap_or_default() {
            let is_plain = case.data.is_none() && case.limits.is_none() && case.tools.is_empty();
            if let ([turn], true) = (case.turns.as_slice(), is_plain) {
                programs.push(Program { path: path.clone(), line: case.line, source: turn.source.clone() });
            }
        }
    }
    Ok(programs)
}

/// One JSON object per program.
fn ask_clojure(programs: &[Program]) -> Result<Vec<Json>, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::file(&std::env::temp_dir()))?;
    let (script, input) = (folder.path().join("evaluate.clj"), folder.path().join("programs"));
    // A JSON string is a Clojure string.
    let lines: String = programs.iter().map(|program| format!("{}\n", Json::from(program.source.as_str()))).collect();
    write_file(&script, EVALUATE)?;
    write_file(&input, &lines)?;
    let mut command = Command::new("clojure");
    command.arg(script).stdin(fs::File::open(&input).map_err(Failure::file(&input))?).stderr(Stdio::inherit());
    let text = tool::output(command)?;
    let read = |(at, line): (usize, &str)| {
        let mut reader = serde_json::Deserializer::from_str(line);
        // Answers may be nested as deep as programs make them: a few hundred levels.
        reader.disable_recursion_limit();
        Json::deserialize(&mut reader).map_err(|error| Failure::measured(format!("line {} of clojure", at + 1), error))
    };
    let answers = text.lines().enumerate().map(read).collect::<Result<Vec<Json>, Failure>>()?;
    if answers.len() < programs.len() {
        let text = format!("answered {} of {} programs", answers.len(), programs.len());
        return Err(Failure::measured("clojure", text));
    }
    Ok(answers)
}

fn run(source: &str) -> Outcome {
    Session::new(SessionOptions::default())
        .run(source, &mut |call| Err(ToolError::new(format!("no tool {}", call.name))))
}

/// The difference between our outcome and Clojure's answer; all errors are equal.
fn difference(ours: &Outcome, theirs: &Json) -> Option<String> {
    match (tagged(ours), theirs.get("value")) {
        (None, None) => None,
        (Some(found), None) => {
            Some(format!("ours {found}, Clojure fails: {}", theirs.get("error").unwrap_or(&Json::Null)))
        }
        (None, Some(value)) => {
            let problem = ours.problems().first().map_or_else(|| "fail".to_owned(), |problem| problem.text());
            Some(format!("ours fails: {problem}, Clojure {value}"))
        }
        (Some(found), Some(value)) if !same(value, &found) => Some(format!("ours {found}, Clojure {value}")),
        _ => {
            let out = theirs.get("out").and_then(Json::as_str).unwrap_or_default();
            let printed: String = ours.prints.iter().map(|line| format!("{line}\n")).collect();
            (printed.trim_end() != out.trim_end()).then(|| format!("ours prints {printed:?}, Clojure {out:?}"))
        }
    }
}

/// The accepted differences with their lines.
fn accepted(list: &Path) -> Result<Accepted, Failure> {
    let text = fs::read_to_string(list).map_err(Failure::file(list))?;
    let mut accepted = Accepted::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
        match line.split('\t').collect::<Vec<_>>().as_slice() {
            [decision, file, program] if !decision.is_empty() => {
                accepted.insert(((*file).to_owned(), (*program).to_owned()), ((*decision).to_owned(), at + 1));
            }
            _ => {
                let wanted = "an accepted difference is written decision, file and program with tabs between";
                return Err(Failure::measured(list.display(), format!("line {}: {wanted}", at + 1)));
            }
        }
    }
    Ok(accepted)
}
