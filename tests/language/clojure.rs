//! The language corpus in real Clojure 1.11, where the `clojure` command is installed:
//! `cargo test -p ptc-tests --test language clojure -- --ignored --nocapture`.
//!
//! Compared are the single programs without data, tools and limits whose names Clojure has. Intended differences are in
//! a list with their decision; an entry that no longer differs is a problem too. The programs of the page for people who know
//! Clojure say what Clojure answers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};

use ptc_lisp::{Outcome, Session, SessionOptions, ToolError};
use ptc_tests::lang::{self, Case, Ending, Turn};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::conformance::{same, tagged};

const EVALUATE: &str = include_str!("clojure/evaluate.clj");
/// In the folder of the corpus: `decision<TAB>file<TAB>program`, blanks in the program collapsed.
const ACCEPTED: &str = "differences.tsv";
/// Folders of the page: what answers otherwise, and what is not there.
const PAGE: [&str; 2] = ["differs", "absent"];
/// Decisions without a row on the page, which says them in a sentence: limits, and the first line of a script.
const IN_PROSE: [&str; 4] = ["8.1", "8.3", "L-22", "2.2"];
/// Prefix of the decision for a program whose answer in Clojure depends on threads.
const MAY_DIFFER: char = '~';

/// File and program, as the list of accepted differences names it.
type Key = (String, String);

/// A program of the corpus that Clojure can run too.
struct Program {
    key: Key,
    line: usize,
    source: String,
}

#[test]
#[ignore = "needs the `clojure` command"]
fn clojure_answers_as_the_corpus_does() {
    let programs = programs();
    let answers = ask_clojure(&programs);
    let accepted = accepted();
    let mut problems = wrong_on_the_page();
    let mut seen = BTreeSet::new();
    let (mut same_count, mut unknown) = (0, 0);
    for (Program { key, line, source }, answer) in programs.iter().zip(&answers) {
        if answer.get("unknown").is_some() {
            unknown += 1;
        } else if let Some(difference) = difference(&run(source), answer) {
            if !accepted.contains_key(key) {
                problems.push(format!("{}:{line}: {difference}\n    {}", key.0, key.1));
            }
            seen.insert(key);
        } else {
            same_count += 1;
        }
    }
    let stale = accepted.iter().filter(|(key, decision)| !seen.contains(key) && !decision.starts_with(MAY_DIFFER));
    problems.extend(stale.map(|((file, program), _)| {
        format!("{ACCEPTED}: `{program}` of {file} does not differ any more; take the line out")
    }));
    println!(
        "{} programs: {same_count} the same, {} different, of these {} accepted; {unknown} use names that Clojure does not have",
        programs.len(),
        seen.len(),
        seen.iter().filter(|key| accepted.contains_key(**key)).count()
    );
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The cases of a folder of the page for people who know Clojure, with their places.
fn cases_of_the_page(folder: &str) -> Vec<(String, Case)> {
    let files = lang::files(&lang::clojure_folder().join(folder)).unwrap();
    let cases = files.iter().flat_map(|path| {
        let cases = lang::read(&fs::read_to_string(path).unwrap()).unwrap();
        cases.into_iter().map(|case| (format!("{}:{}", path.display(), case.line), case))
    });
    cases.collect()
}

/// Where the page does not say what Clojure answers.
fn wrong_on_the_page() -> Vec<String> {
    let cases: Vec<_> = PAGE.into_iter().flat_map(cases_of_the_page).collect();
    let first = |case: &Case| Program { key: Key::default(), line: case.line, source: case.turns[0].source.clone() };
    let answers = ask_clojure(&cases.iter().map(|(_, case)| first(case)).collect::<Vec<_>>());
    let wrong = cases.iter().zip(&answers).filter_map(|((place, case), answer)| {
        let text = |field: &str| answer.get(field).and_then(Json::as_str).unwrap_or_default();
        let found = match (answer.get("text"), text("out").trim_end()) {
            (None, _) => "throws".to_owned(),
            (Some(_), "") => text("text").to_owned(),
            (Some(_), printed) => format!("prints {printed}"),
        };
        let said = case.turns[0].clojure.as_deref().unwrap();
        let is_same = said.strip_suffix('…').map_or(said == found, |start| found.starts_with(start));
        (!is_same).then(|| format!("{place}: Clojure answers {found}, the case says {said}"))
    });
    wrong.collect()
}

fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for path in lang::files(&lang::folder()).unwrap() {
        let file = path.strip_prefix(lang::folder()).unwrap().to_string_lossy();
        for case in lang::read(&fs::read_to_string(&path).unwrap()).unwrap() {
            let is_plain = case.data.is_none() && case.limits.is_none() && case.tools.is_empty();
            if let ([turn @ Turn { clojure: None, .. }], true) = (case.turns.as_slice(), is_plain) {
                let collapsed = turn.source.split_whitespace().collect::<Vec<_>>().join(" ");
                let key = (file.clone().into_owned(), collapsed);
                programs.push(Program { key, line: case.line, source: turn.source.clone() });
            }
        }
    }
    programs
}

/// One JSON object per program.
fn ask_clojure(programs: &[Program]) -> Vec<Json> {
    let folder = tempfile::tempdir().unwrap();
    let (script, input) = (folder.path().join("evaluate.clj"), folder.path().join("programs"));
    // A JSON string is a Clojure string.
    let lines: String = programs.iter().map(|program| format!("{}\n", Json::from(program.source.as_str()))).collect();
    fs::write(&script, EVALUATE).unwrap();
    fs::write(&input, lines).unwrap();
    let mut command = Command::new("clojure");
    // Dates are written in the zone of the machine.
    command.env("TZ", "UTC");
    command.arg(script).stdin(fs::File::open(&input).unwrap()).stderr(Stdio::inherit());
    let output = command.output().unwrap_or_else(|error| panic!("clojure: {error}"));
    assert!(output.status.success(), "clojure: {}", output.status);
    let read = |line: &str| {
        let mut reader = serde_json::Deserializer::from_str(line);
        // Answers may be nested as deep as programs make them: a few hundred levels.
        reader.disable_recursion_limit();
        Json::deserialize(&mut reader).unwrap_or_else(|error| panic!("{error} of clojure's {line}"))
    };
    let answers: Vec<Json> = std::str::from_utf8(&output.stdout).unwrap().lines().map(read).collect();
    assert_eq!(answers.len(), programs.len(), "answers of clojure");
    answers
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

/// The accepted differences with their decisions.
fn accepted() -> BTreeMap<Key, String> {
    let text = fs::read_to_string(lang::folder().join(ACCEPTED)).unwrap();
    let read = |line: &str| match line.split('\t').collect::<Vec<_>>().as_slice() {
        [decision, file, program] if !decision.is_empty() => {
            (((*file).to_owned(), (*program).to_owned()), (*decision).to_owned())
        }
        _ => {
            panic!("{ACCEPTED}: an accepted difference is written decision, file and program with tabs between: {line}")
        }
    };
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(read).collect()
}

#[test]
fn accepted_differences_are_of_programs_that_are_there() {
    let keys: BTreeSet<Key> = programs().into_iter().map(|program| program.key).collect();
    let gone: Vec<Key> = accepted().into_keys().filter(|key| !keys.contains(key)).collect();
    assert!(gone.is_empty(), "{ACCEPTED} names programs that the corpus does not have: {gone:?}");
}

#[test]
fn what_the_page_lists_differs() {
    let wrong = cases_of_the_page("differs").into_iter().filter_map(|(place, case)| {
        let [turn] = case.turns.as_slice() else { return Some(format!("{place}: one program")) };
        let here = match &turn.ending {
            Some(Ending::Value(value)) if turn.prints.is_empty() => value.clone(),
            Some(Ending::Value(_)) => format!("prints {}", turn.prints.join("\n")),
            _ => return Some(format!("{place}: a program that ends with a value")),
        };
        let says = turn.clojure.as_deref();
        (says.is_none() || says == Some(&here)).then(|| format!("{place}: Clojure answers {says:?}, and {here} here"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_the_page_says_to_write_runs() {
    let wrong = cases_of_the_page("absent").into_iter().filter_map(|(place, case)| {
        let is_right = match case.turns.as_slice() {
            [absent, there] => {
                let runs_in_clojure = absent.clojure.as_deref().is_some_and(|answer| answer != "throws");
                runs_in_clojure && !absent.problems.is_empty() && there.problems.is_empty()
            }
            _ => false,
        };
        (!is_right).then_some(place)
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "a program that runs in Clojure, its problem, and one to write instead: {wrong:?}");
}

/// The comment of a case of the page is the decision by which it differs; the first one has the heading of the file before it.
#[test]
fn every_decision_to_differ_is_on_the_page() {
    let decision = |case: &Case| case.title.rsplit(' ').next().unwrap_or_default().to_owned();
    let shown: BTreeSet<String> =
        PAGE.into_iter().flat_map(cases_of_the_page).map(|(_, case)| decision(&case)).collect();
    let decisions: BTreeSet<String> = accepted()
        .into_values()
        .flat_map(|decisions| {
            decisions.trim_start_matches(MAY_DIFFER).split('+').map(str::to_owned).collect::<Vec<_>>()
        })
        .filter(|decision| !IN_PROSE.contains(&decision.as_str()))
        .collect();
    assert_eq!(decisions.difference(&shown).collect::<Vec<_>>(), Vec::<&String>::new(), "decisions without a row");
    assert_eq!(shown.difference(&decisions).collect::<Vec<_>>(), Vec::<&String>::new(), "rows of no decision");
}
