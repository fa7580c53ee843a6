//! `cargo xtask lang`: the language corpus, or single files of it, with the differences; and `cargo xtask coverage`: every name of
//! Clojure that must work has its own cases that notice when it does not. A name is made to return `:wrong` whatever its
//! arguments, and the cases of the corpus that mention it run: those that fail cover it.

use std::fs;
use std::path::{Path, PathBuf};

use ptc_tests::lang::{self, Case};

use crate::{Failure, Problem};

/// Cases that each name needs.
const WANTED: usize = 2;
/// The list of names in the folder of the corpus: one `namespace<TAB>name` a line.
const NAMES: &str = "clojure-names.tsv";

/// Run the cases of the named files, or of the whole corpus without names; every difference is a problem at its case.
pub(crate) fn check(files: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    let mut count = 0;
    for (path, cases) in read(files)? {
        match cases {
            Err(malformed) => problems.push(Problem::at(&path, malformed.line, malformed.text)),
            Ok(cases) => {
                count += cases.len();
                for case in &cases {
                    problems.extend(case.check(None, None).into_iter().map(|text| Problem::at(&path, case.line, text)));
                }
            }
        }
    }
    println!("{count} cases");
    Ok(problems)
}

/// Files with their cases, or with what is wrong with one.
type Files = Vec<(PathBuf, Result<Vec<Case>, lang::Malformed>)>;

/// The named files and those of the named folders; the whole corpus without names.
pub(crate) fn read(names: &[&str]) -> Result<Files, Failure> {
    let corpus = lang::folder();
    let names = if names.is_empty() { vec![corpus.as_path()] } else { names.iter().map(Path::new).collect() };
    let mut files = Vec::new();
    for name in names {
        let paths = if name.is_dir() { lang::files(name).map_err(Failure::file(name))? } else { vec![name.into()] };
        for path in paths {
            let text = fs::read_to_string(&path).map_err(Failure::file(&path))?;
            files.push((path, lang::read(&text)));
        }
    }
    Ok(files)
}

/// Check the corpus, or only the named files of it, against the list of names.
pub(crate) fn coverage(files: &[&str]) -> Result<Vec<Problem>, Failure> {
    let list = lang::folder().join(NAMES);
    let names = names(&list)?;
    // Malformed cases are reported by `lang`, and by the tests.
    let cases: Vec<_> = read(files)?.into_iter().flat_map(|(_, cases)| cases.unwrap_or_default()).collect();
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
