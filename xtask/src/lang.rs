//! `cargo xtask lang`: the language corpus, or single files of it, with the differences.

use std::fs;
use std::path::Path;

use ptc_tests::lang;

use crate::{Failure, Problem};

/// Run the cases of the named files and folders, or of the whole corpus without names; every difference is a problem at its case.
pub(crate) fn check(names: &[&str]) -> Result<Vec<Problem>, Failure> {
    let corpus = lang::folder();
    let names = if names.is_empty() { vec![corpus.as_path()] } else { names.iter().map(Path::new).collect() };
    let mut problems = Vec::new();
    let mut count = 0;
    for name in names {
        let paths = if name.is_dir() { lang::files(name).map_err(Failure::file(name))? } else { vec![name.into()] };
        for path in paths {
            match lang::read(&fs::read_to_string(&path).map_err(Failure::file(&path))?) {
                Err(malformed) => problems.push(Problem::at(&path, malformed.line, malformed.text)),
                Ok(cases) => {
                    count += cases.len();
                    for case in cases {
                        let differences = case.check(None, None).into_iter();
                        problems.extend(differences.map(|text| Problem::at(&path, case.line, text)));
                    }
                }
            }
        }
    }
    println!("{count} cases");
    Ok(problems)
}
