//! The programs that are mutated: the agent cases of the conformance files and the agent programs of the language
//! corpus.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use ptc_lisp::{Limits, Outcome, ToolError};
use ptc_tests::lang;

use super::Expected;
use crate::conformance::case::{self, Case};

/// Conformance files whose `agent` cases are taken.
const CASES: &[&str] = &["public.jsonl", "ext-public.jsonl"];
/// The folder of the corpus whose programs are taken.
const CORPUS: &str = "agent";
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

/// The programs of the project's files.
pub(super) fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for name in CASES {
        of_conformance(name, &mut subjects);
    }
    for path in lang::files(&lang::folder().join(CORPUS)).unwrap() {
        of_corpus(&path, &mut subjects);
    }
    subjects
}

fn of_conformance(name: &str, subjects: &mut Vec<Subject>) {
    let cases = case::lines(name).into_iter().filter_map(|line| Case::read(&line, &HashMap::new()));
    subjects.extend(cases.filter(|case| case.tags.iter().any(|tag| tag == "agent")).map(|case| Subject {
        id: case.id.clone(),
        source: case.source.clone(),
        run: Box::new(move |source, limits| {
            case.session(limits, Vec::new()).run(source, &mut |_| Err(ToolError::new("there are no tools")))
        }),
    }));
}

/// A program of the corpus is the last turn of its case.
fn of_corpus(path: &Path, subjects: &mut Vec<Subject>) {
    let cases = lang::read(&fs::read_to_string(path).unwrap()).unwrap();
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    for mut case in cases {
        let Some(last) = case.turns.pop() else { continue };
        let id = format!("{name}:{}", case.line);
        let run = move |source: &str, limits: Limits| {
            let mut session = case.session(limits).unwrap();
            for turn in &case.turns {
                session.run(&turn.source, &mut |call| case.answer(call));
            }
            session.run(source, &mut |call| case.answer(call))
        };
        subjects.push(Subject { id, source: last.source, run: Box::new(run) });
    }
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
