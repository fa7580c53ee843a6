//! The programs that are mutated: the agent cases of the conformance files and the agent programs of the language
//! corpus.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use ptc_lisp::{Limits, Outcome, Session, SessionOptions, ToolError};
use ptc_tests::lang;

use super::Expected;
use crate::conformance::case::{self, Case};
use crate::{Failure, Workspace};

/// Conformance files whose `agent` cases are taken.
const CASES: &[&str] = &["tests/conformance/public.jsonl", "tests/conformance/ext-public.jsonl"];
/// The folder of the corpus whose programs are taken.
const CORPUS: &str = "tests/lang/agent";
/// A mutant may use this much more fuel than its original: an endless loop is stopped soon.
const FUEL_FACTOR: u64 = 20;
const LEAST_FUEL: u64 = 100_000;

type Run = dyn Fn(&str, Limits) -> Outcome;

/// A program, and how any text runs in its place: over its data, with its tools.
pub(super) struct Subject {
    pub id: String,
    pub source: String,
    run: Box<Run>,
}

/// The programs of the named files, or of the project's files without names.
pub(super) fn subjects(workspace: &Workspace, files: &[&str]) -> Result<Vec<Subject>, Failure> {
    let mut paths: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    if files.is_empty() {
        paths.extend(CASES.iter().map(|file| workspace.root().join(file)));
        let folder = workspace.root().join(CORPUS);
        paths.extend(lang::files(&folder).map_err(Failure::file(&folder))?);
    }
    let mut subjects = Vec::new();
    for path in paths {
        if path.extension().is_some_and(|ending| ending == "jsonl") {
            of_conformance(&path, &mut subjects)?;
        } else {
            of_corpus(&path, &mut subjects)?;
        }
    }
    Ok(subjects)
}

fn of_conformance(path: &Path, subjects: &mut Vec<Subject>) -> Result<(), Failure> {
    let cases = case::lines(path)?.into_iter().filter_map(|line| Case::read(&line, &HashMap::new()));
    subjects.extend(cases.filter(|case| case.tags.iter().any(|tag| tag == "agent")).map(|case| Subject {
        id: case.id.clone(),
        source: case.source.clone(),
        run: Box::new(move |source, limits| {
            case.session(limits, Vec::new()).run(source, &mut |_| Err(ToolError::new("there are no tools")))
        }),
    }));
    Ok(())
}

/// A program of the corpus is the last turn of its case.
fn of_corpus(path: &Path, subjects: &mut Vec<Subject>) -> Result<(), Failure> {
    let text = fs::read_to_string(path).map_err(Failure::file(path))?;
    let cases = lang::read(&text).map_err(|error| Failure::measured(path.display(), error))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    for mut case in cases {
        let Some(last) = case.turns.pop() else { continue };
        let id = format!("{name}:{}", case.line);
        let run = move |source: &str, limits: Limits| {
            // The corpus test reports a malformed directive; here the program just counts as failing.
            let mut session = case.session(limits).unwrap_or_else(|_| Session::new(SessionOptions::default()));
            for turn in &case.turns {
                session.run(&turn.source, &mut |call| case.answer(call));
            }
            session.run(source, &mut |call| case.answer(call))
        };
        subjects.push(Subject { id, source: last.source, run: Box::new(run) });
    }
    Ok(())
}

impl Subject {
    /// The outcome of the program itself; none when it ends in an error.
    pub fn expected(&self) -> Option<Expected> {
        Expected::of(&(self.run)(&self.source, Limits::default()))
    }

    /// Run a mutant instead of the program, whose outcome is known.
    pub fn run(&self, mutant: &str, original: &Expected) -> Outcome {
        let fuel = (original.fuel * FUEL_FACTOR).max(LEAST_FUEL);
        (self.run)(mutant, Limits { fuel, ..Limits::default() })
    }
}
