//! How well errors teach, measured on programs with mistakes that models make. `-- --nocapture` prints the misses and the table.
//!
//! Programs with known answers run again, each with one mistake. A mutant that is stopped or warned about is *told*:
//! then the message should name the line of the mistake, and for a misspelled name the right one. A mutant that still
//! has the answer of the original does not count; one that has another answer without any message is *silent*.

mod forms;
mod judge;
mod operator;
mod report;
mod subject;
mod tests;

use ptc_tests::random::Random;

use forms::Sites;
use judge::{Expected, judge};
use operator::OPERATORS;
use report::{Finding, Report};
use subject::{Subject, subjects};

/// Decides which of the possible mutants are run.
const SEED: u64 = 2026;
/// Maximum mutants of each operator in each program.
const MOST: usize = 3;

#[test]
fn messages_name_the_line_of_a_mistake_and_the_right_name() {
    let mut report = Report::default();
    for subject in subjects() {
        run(&subject, &mut report);
    }
    println!("{}\n{}", report.list(), report.table());
    assert_eq!(report.problems(), Vec::<String>::new());
}

/// All mutants of one program.
fn run(subject: &Subject, report: &mut Report) {
    let Some(original) = subject.expected() else {
        report.skip(&subject.id);
        return;
    };
    report.programs += 1;
    let forms = forms::forms(&subject.source);
    let sites = Sites::of(&subject.source, &forms);
    for operator in OPERATORS {
        // A separate random stream for each program and operator: a new program leaves the mutants of the others as
        // they were.
        let mut random = Random::new(SEED ^ seed_of(&subject.id) ^ seed_of(operator.name).rotate_left(32));
        for mutant in operator.mutants(&sites, MOST, &mut random) {
            let outcome = subject.run(&mutant.source, &original);
            let verdict = judge(&mutant, &original, &outcome);
            report.add(Finding { operator: operator.name, program: subject.id.clone(), mutant, verdict });
        }
    }
}

/// The text as a number (FNV-1a).
fn seed_of(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
