//! `cargo xtask mutate`: how well errors teach, measured on programs with mistakes that models make.
//!
//! Programs with known answers run again, each with one mistake. A mutant that is stopped or warned about is *told*:
//! then the message should name the line of the mistake, and for a misspelled name the right one. A mutant that still
//! has the answer of the original does not count; one that has another answer without any message is *silent*.

mod judge;
mod operator;
mod report;
mod site;
mod subject;
mod syntax;
#[cfg(test)]
mod tests;

use ptc_tests::random::Random;

use crate::{Failure, Problem, Workspace};

use judge::{Expected, judge};
use operator::{OPERATORS, Operator};
use report::{Finding, Report};
use site::Sites;
use subject::Subject;

/// What the command line asks for.
struct Request {
    files: Vec<String>,
    /// Decides which of the possible mutants are run.
    seed: u64,
    /// Maximum mutants of each operator in each program.
    cap: usize,
    /// Only this operator.
    only: Option<String>,
    list: bool,
}

/// Mutate the programs of the named files, or all agent programs of the project, and compare the messages with the
/// thresholds.
pub(crate) fn check(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let request = parse(words)?;
    let mut report = Report::default();
    for subject in subject::subjects(workspace, &request.files)? {
        run(&subject, &request, &mut report);
    }
    print!("{}", report.table());
    if request.list {
        print!("{}", report.list());
    }
    Ok(report.problems(request.files.is_empty()))
}

fn parse(words: &[&str]) -> Result<Request, Failure> {
    let mut request = Request { files: Vec::new(), seed: 2026, cap: 3, only: None, list: false };
    let usage = || Failure::Usage(crate::USAGE);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().copied().ok_or_else(usage);
        match *word {
            "--seed" => request.seed = value()?.parse().map_err(|_| usage())?,
            "--cap" => request.cap = value()?.parse().map_err(|_| usage())?,
            "--only" => request.only = Some(known_operator(value()?)?),
            "--list" => request.list = true,
            file if !file.starts_with("--") => request.files.push(file.to_owned()),
            _ => return Err(usage()),
        }
    }
    Ok(request)
}

fn known_operator(name: &str) -> Result<String, Failure> {
    let known = OPERATORS.iter().any(|operator| operator.name == name);
    let wanted = "an operator; the first column of the table lists them";
    known.then(|| name.to_owned()).ok_or_else(|| Failure::Argument { argument: name.to_owned(), wanted })
}

/// All mutants of one program.
fn run(subject: &Subject, request: &Request, report: &mut Report) {
    let Some(original) = subject.expected() else {
        report.skip(&subject.id);
        return;
    };
    report.programs += 1;
    let forms = syntax::forms(&subject.source);
    let sites = Sites::of(&subject.source, &forms);
    let wanted = |operator: &&Operator| request.only.as_deref().is_none_or(|only| only == operator.name);
    for operator in OPERATORS.iter().filter(wanted) {
        // A separate random stream for each program and operator: a new program leaves the mutants of the others as
        // they were.
        let mut random = Random::new(request.seed ^ seed_of(&subject.id) ^ seed_of(operator.name).rotate_left(32));
        for mutant in operator.mutants(&sites, request.cap, &mut random) {
            let outcome = subject.run(&mutant.source, Some(&original));
            let verdict = judge(&mutant, &original, &outcome);
            report.add(Finding { operator: operator.name, program: subject.id.clone(), mutant, verdict });
        }
    }
}

/// The text as a number (FNV-1a).
fn seed_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
