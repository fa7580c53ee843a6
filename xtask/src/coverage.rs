//! `cargo xtask coverage`: every name of Clojure that must work has its own cases that notice when it does not.
//!
//! A name is made to return `:wrong` whatever its arguments, and the cases of the corpus that mention it run: those
//! that fail cover it.

use std::fs;
use std::path::Path;

use ptc_tests::lang;

use crate::{Failure, Problem};

/// Cases that each name needs.
const WANTED: usize = 2;
/// The list of names in the folder of the corpus: one `namespace<TAB>name` a line.
const NAMES: &str = "clojure-names.tsv";

/// Check the corpus, or only the named files of it, against the list of names.
pub(crate) fn check(files: &[&str]) -> Result<Vec<Problem>, Failure> {
    let list = lang::folder().join(NAMES);
    let names = names(&list)?;
    // Malformed cases are reported by `lang`, and by the tests.
    let cases: Vec<_> =
        crate::lang::read(files)?.into_iter().flat_map(|(_, cases)| cases.unwrap_or_default()).collect();
    let mut problems = Vec::new();
    let mut covered = 0;
    for (line, namespace, name) in &names {
        let found = cases
            .iter()
            .filter(|case| case.mentions(name) && !case.check(None, Some((namespace, name))).is_empty())
            .take(WANTED)
            .count();
        if found < WANTED {
            let text =
                format!("{namespace}/{name} has {found} case(s) that notice when it returns :wrong, it needs {WANTED}");
            problems.push(Problem::at(&list, *line, text));
        } else {
            covered += 1;
        }
    }
    println!("{covered}/{} names covered by {} cases", names.len(), cases.len());
    Ok(problems)
}

/// Line, namespace and name of each entry of the list.
fn names(list: &Path) -> Result<Vec<(usize, String, String)>, Failure> {
    let text = fs::read_to_string(list).map_err(Failure::file(list))?;
    Ok(text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .filter_map(|(at, line)| {
            line.split_once('\t').map(|(namespace, name)| (at + 1, namespace.to_owned(), name.to_owned()))
        })
        .collect())
}
