//! What models are taught is true: every sentence of the language texts is in a table with programs that prove it.
//!
//! A row of a table has a piece of a sentence and its proofs. [`coverage`] finds sentences without a row, words in code
//! marks that no program of their sentence uses, and rows that no text needs any longer; [`proof`] runs the programs. A
//! sentence is changed together with its row.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where it stands")]

mod coverage;
mod details;
mod language;
mod proof;
mod size;
mod turns;
mod world;

use proof::Proof;

/// A piece of a sentence, and what shows that it is true. Advice has no proofs.
struct Statement {
    says: &'static str,
    proofs: &'static [Proof],
}

/// A row of a table.
const fn row(says: &'static str, proofs: &'static [Proof]) -> Statement {
    Statement { says, proofs }
}

/// Every row.
fn statements() -> impl Iterator<Item = &'static Statement> {
    language::STATEMENTS.iter().chain(turns::STATEMENTS).chain(details::STATEMENTS)
}

#[test]
fn every_statement_holds() {
    let wrong: Vec<String> = statements().flat_map(problems).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn problems(statement: &Statement) -> Vec<String> {
    let found = statement.proofs.iter().filter_map(|proof| proof.problem());
    found.map(|problem| format!("\"{}\": {problem}", statement.says)).collect()
}
