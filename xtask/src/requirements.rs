//! `cargo xtask requirements`: every requirement of the agent library has tests that prove it, and they passed.
//!
//! The page names those tests; the catalogue lists the requirements. The results are read from the output of
//! `cargo test --workspace`: the test harness has no stable machine-readable form, and its list of names (`--list`)
//! says nothing about results. Each `Running` and `Doc-tests` line, which cargo writes to its error output, names the
//! binary whose tests follow, so both outputs have to go into one file, in their order.
//!
//! A test that passes proves nothing when nothing in it can fail: the source of each must have an assertion. See
//! [`sources`](crate::sources) for what counts as one.

mod catalogue;
mod draw;
mod page;
mod results;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sources::{Found, Sources};
use crate::{Failure, Problem, Workspace};
use catalogue::Catalogue;
use page::{Proof, Row};
use results::{Results, Verdict};

/// The page of the requirements with their proofs.
const PAGE: &str = "docs/reference/requirements.md";
/// The folders of the sources, which must not be newer than a file of results.
const SOURCES: &[&str] = &["crates", "tests", "xtask"];

/// Check the page against the catalogue and the results of a test run, and print how many of each kind there are.
///
/// Runs the tests, which takes minutes, unless `--from` names a file with the output of a run.
pub(crate) fn check(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let asked = Asked::read(words)?;
    let path = Path::new(PAGE);
    let rows = page::rows(&workspace.read(path)?);
    let printed = match &asked.from {
        Some(file) => printed_in(workspace, file)?,
        None => printed_by_a_run(workspace)?,
    };
    let results = Results::read(&printed);
    let mut problems = judge(path, &rows, &Catalogue::shipped(), &results);
    problems.extend(judge_sources(path, &rows, &Sources::of(workspace)?)?);
    problems.sort();
    println!("{}", totals(&rows));
    if let Some(draw) = asked.draw {
        let sound: Vec<&Row> =
            rows.iter().filter(|row| !problems.iter().any(|problem| problem.line == row.line)).collect();
        draw.print(&sound);
    }
    Ok(problems)
}

/// The options of the command.
#[derive(Default)]
struct Asked {
    from: Option<PathBuf>,
    draw: Option<draw::Draw>,
}

impl Asked {
    fn read(words: &[&str]) -> Result<Asked, Failure> {
        let mut asked = Asked::default();
        let (mut count, mut seed) = (None, 0);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let value = words.next().copied();
            match (*word, value) {
                ("--from", Some(file)) => asked.from = Some(PathBuf::from(file)),
                ("--sample", Some(value)) => count = Some(number(value, "a number of requirements")?),
                ("--seed", Some(value)) => seed = number(value, "a seed, an integer from 0")?,
                ("--from" | "--sample" | "--seed", None) => {
                    return Err(argument(word, "complete; write a value after it"));
                }
                _ => return Err(argument(word, "one of --from FILE, --sample N, --seed S")),
            }
        }
        asked.draw = count.map(|count| draw::Draw { count, seed });
        Ok(asked)
    }
}

fn number(word: &str, wanted: &'static str) -> Result<u64, Failure> {
    word.parse().map_err(|_| argument(word, wanted))
}

fn argument(word: &str, wanted: &'static str) -> Failure {
    Failure::Argument { argument: word.to_owned(), wanted }
}

/// The output of a run in `file`, which must be newer than all sources.
fn printed_in(workspace: &Workspace, file: &Path) -> Result<String, Failure> {
    let written = changed(file)?;
    for folder in SOURCES {
        for source in workspace.files_ending(folder, "rs")? {
            if changed(&workspace.root().join(&source))? > written {
                let text = format!("older than {}; run the tests again", source.display());
                return Err(Failure::Measurement { what: file.display().to_string(), text });
            }
        }
    }
    let bytes = fs::read(file).map_err(Failure::file(file))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn changed(file: &Path) -> Result<std::time::SystemTime, Failure> {
    fs::metadata(file).and_then(|about| about.modified()).map_err(Failure::file(file))
}

/// The output of all tests, both streams in one, in their order; it is shown, too.
fn printed_by_a_run(workspace: &Workspace) -> Result<String, Failure> {
    let failure = |error: io::Error| Failure::Measurement { what: "cargo test".to_owned(), text: error.to_string() };
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let (reader, writer) = io::pipe().map_err(failure)?;
    let mut command = Command::new(cargo);
    command.args(["test", "--workspace", "--locked", "--no-fail-fast"]).current_dir(workspace.root());
    let mut child = command.stdout(writer.try_clone().map_err(failure)?).stderr(writer).spawn().map_err(failure)?;
    // The command holds the writing ends, without dropping which reading would never end.
    drop(command);
    let bytes = shown_and_kept(reader).map_err(failure)?;
    child.wait().map_err(failure)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Everything from the pipe, copied to the error output on the way.
fn shown_and_kept(mut reader: io::PipeReader) -> io::Result<Vec<u8>> {
    let (mut kept, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let length = reader.read(&mut chunk)?;
        let new = chunk.get(..length).unwrap_or_default();
        if new.is_empty() {
            return Ok(kept);
        }
        io::stderr().write_all(new)?;
        kept.extend_from_slice(new);
    }
}

/// Everything that is wrong with the rows, by line.
fn judge(path: &Path, rows: &[Row], catalogue: &Catalogue, results: &Results) -> Vec<Problem> {
    let mut problems: Vec<Problem> = results
        .unfinished()
        .iter()
        .map(|binary| Problem::whole(path, format!("the tests of {binary} did not come to an end; run them again")))
        .collect();
    if results.is_empty() {
        problems.push(Problem::whole(
            path,
            "the test run has no results; hand in both outputs of `cargo test --workspace`",
        ));
    }
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let told = |text: String| Problem::at(path, row.line, format!("{}: {text}", row.id));
        if let Some(first) = lines.insert(&row.id, row.line) {
            problems.push(told(format!("has a row in line {first}, too; keep one")));
        }
        if row.sentence.is_empty() {
            problems.push(told("says nothing; write the requirement in one sentence".to_owned()));
        }
        problems.extend(judge_row(row, catalogue, results).into_iter().map(told));
    }
    for id in catalogue.ids().filter(|id| !lines.contains_key(id.as_str())) {
        problems.push(Problem::whole(path, format!("{id} has no row; add one")));
    }
    problems
}

/// What is wrong with the proof of one row.
fn judge_row(row: &Row, catalogue: &Catalogue, results: &Results) -> Vec<String> {
    if !catalogue.has(&row.id) {
        return vec!["is not a requirement of the catalogue; correct the ID".to_owned()];
    }
    match &row.proof {
        Proof::Nothing(text) => {
            vec![format!("has no proof (`{text}`); name tests in backticks, or write `process note`")]
        }
        Proof::Note if catalogue.is_note(&row.id) => Vec::new(),
        Proof::Note => vec!["states behaviour and is not a process note; name its tests".to_owned()],
        Proof::Tests(names) => judge_tests(names, results),
    }
}

fn judge_tests(names: &[String], results: &Results) -> Vec<String> {
    let mut known = BTreeSet::new();
    let mut told = Vec::new();
    for name in names {
        if !known.insert(name) {
            told.push(format!("names {name} twice; name it once"));
        }
        match results.verdict(name) {
            Some(Verdict::Passed) => {}
            Some(Verdict::Failed) => told.push(format!("{name} failed")),
            Some(Verdict::Ignored) => told.push(format!("{name} was not run; a proof must not be ignored")),
            None => told.push(format!("there is no test {name}; correct the name")),
        }
    }
    told
}

/// Which cited tests have no assertion, by line.
fn judge_sources(path: &Path, rows: &[Row], sources: &Sources<'_>) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for row in rows {
        let Proof::Tests(names) = &row.proof else { continue };
        for name in names {
            let told = match sources.test(name)? {
                Found::Asserts => continue,
                Found::RunsOnly if is_twin(name, names) => continue,
                Found::RunsOnly => "asserts nothing, so it cannot fail; add an assertion, or name a test that has one",
                Found::Nothing => "has no source that this check finds; name a function, or the item of a doc test",
            };
            problems.push(Problem::at(path, row.line, format!("{}: {name} {told}", row.id)));
        }
    }
    Ok(problems)
}

/// Code that compiles next to what must not shows that the other fails for one reason only; alone it proves nothing.
fn is_twin(name: &str, names: &[String]) -> bool {
    name.contains("::doc::") && names.contains(&name.replacen("::doc::", "::compile-fail::", 1))
}

fn totals(rows: &[Row]) -> String {
    let (mut proved, mut notes, mut names) = (0, 0, BTreeSet::new());
    for row in rows {
        match &row.proof {
            Proof::Tests(tests) => {
                proved += 1;
                names.extend(tests);
            }
            Proof::Note => notes += 1,
            Proof::Nothing(_) => {}
        }
    }
    format!("{} requirements: {proved} proved by {} tests, {notes} process notes", rows.len(), names.len())
}
