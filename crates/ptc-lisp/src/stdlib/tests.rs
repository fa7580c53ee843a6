//! What holds for every row of the function table.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::Builtin;
use super::show::tests::check;
use super::table::table;
use crate::error::Reason;
use crate::eval::prelude;
use crate::limits::Limits;
use crate::session::host::ToolError;
use crate::session::outcome::Ending;
use crate::session::{Session, SessionOptions};
use crate::testing::is_tried;

/// Arguments that fit few functions.
const ODD: [&str; 7] = ["nil", "-1", "\"x\"", ":k", "[1]", "{:a 1}", "##NaN"];
/// Argument lists per row with three and with four arguments.
const SAMPLED: usize = 24;

fn visible() -> impl Iterator<Item = &'static Builtin> {
    table().iter().map(|(_, entry)| entry.row).filter(|row| !row.name.starts_with('%'))
}

/// Fails with all findings at once, one per line.
fn nothing_found(findings: &[String]) {
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn the_prelude_compiles() {
    nothing_found(&prelude::problems());
}

#[test]
fn a_prelude_row_has_its_definition() {
    let missing: Vec<String> = table()
        .iter()
        .filter(|(id, entry)| matches!(entry.row.run, super::Run::Prelude(_)) && prelude::closure(*id).is_none())
        .map(|(_, entry)| entry.row.name.to_owned())
        .collect();
    nothing_found(&missing);
}

#[test]
fn a_name_has_one_row() {
    let mut seen = HashSet::new();
    let twice: Vec<String> =
        table().iter().map(|(_, entry)| entry.row.name).filter(|name| !seen.insert(*name)).map(str::to_owned).collect();
    assert!(seen.len() > 400, "the table has {} names", seen.len());
    nothing_found(&twice);
}

#[test]
fn a_visible_row_is_described() {
    let mut findings = Vec::new();
    for row in visible() {
        if row.doc.trim().is_empty() || row.doc.lines().count() != 1 || row.doc.trim() != row.doc {
            findings.push(format!("{}: doc {:?} is not one line", row.name, row.doc));
        }
        if row.params.is_empty() {
            findings.push(format!("{}: no parameter list", row.name));
        }
        for params in row.params {
            if !params.starts_with('[') || !params.ends_with(']') {
                findings.push(format!("{}: {params} is not a parameter list", row.name));
            }
        }
    }
    nothing_found(&findings);
}

#[test]
fn an_example_gives_its_text() {
    let mut findings = Vec::new();
    let mut run = 0;
    for row in visible() {
        for (program, expected) in row.examples {
            run += 1;
            let got = check(program);
            if got.lines().last().unwrap_or_default() != *expected {
                findings.push(format!("{}: {program} gives {got}, not {expected}", row.name));
            }
        }
    }
    assert!(run > 400, "only {run} examples");
    nothing_found(&findings);
}

#[test]
fn what_ends_a_run_has_no_examples() {
    for name in ["return", "fail"] {
        let row = visible().find(|row| row.name == name);
        assert!(row.is_some_and(|row| row.examples.is_empty()), "{name}");
    }
}

#[test]
fn odd_arguments_end_in_a_value_or_an_error() {
    odd_calls(&Limits { fuel: 20_000, memory: 4 << 20, ..Limits::default() });
}

#[test]
fn odd_arguments_with_little_fuel_end_in_a_value_or_an_error() {
    odd_calls(&Limits { fuel: 50, memory: 1 << 20, ..Limits::default() });
}

/// Every visible row with every list of up to two odd arguments and some longer ones, called by name and through
/// `apply`.
fn odd_calls(limits: &Limits) {
    let lists = argument_lists();
    let mut findings = Vec::new();
    for (number, row) in visible().enumerate() {
        let mut session = session(limits);
        for (_, args) in lists.iter().enumerate().filter(|(at, _)| is_tried(number * lists.len() + at)) {
            for program in [format!("({} {args})", row.name), format!("(apply {} [{args}])", row.name)] {
                let ended = catch_unwind(AssertUnwindSafe(|| defect(&mut session, &program)));
                if let Some(finding) = ended.unwrap_or_else(|_| Some("panics".to_owned())) {
                    findings.push(format!("{program}: {finding}"));
                    session = self::session(limits);
                }
            }
        }
    }
    nothing_found(&findings);
}

fn session(limits: &Limits) -> Session {
    Session::new(SessionOptions { limits: limits.clone(), ..SessionOptions::default() })
}

/// What is wrong with the ending of the program.
fn defect(session: &mut Session, program: &str) -> Option<String> {
    let outcome = session.run(program, &mut |_| Err(ToolError::new("no tools here")));
    match outcome.ending {
        Ending::Error(problems) if problems.is_empty() => Some("an error without a problem".to_owned()),
        Ending::Error(problems) => problems
            .iter()
            .find(|problem| problem.reason == Reason::InternalError || problem.reason == Reason::ParseError)
            .map(|problem| format!("{} {}", problem.reason, problem.message)),
        _ => None,
    }
}

/// All lists of zero to two odd arguments, then a sample of those of three and four.
fn argument_lists() -> Vec<String> {
    let mut lists = vec![String::new()];
    lists.extend(ODD.iter().map(|arg| (*arg).to_owned()));
    for first in ODD {
        lists.extend(ODD.iter().map(|second| format!("{first} {second}")));
    }
    for count in [3_u32, 4] {
        let all = ODD.len().pow(count);
        // A step without common divisors with the total visits different lists in every position.
        lists.extend((0..SAMPLED).map(|at| list(at * ((all / SAMPLED) | 1) % all, count)));
    }
    lists
}

/// The list whose arguments are the digits of `number` in base seven.
fn list(mut number: usize, count: u32) -> String {
    let mut args = Vec::new();
    for _ in 0..count {
        args.push(ODD.get(number % ODD.len()).copied().unwrap_or("nil"));
        number /= ODD.len();
    }
    args.join(" ")
}
