//! `cargo xtask lang`: the language corpus, or single files of it, with the differences.

use std::fs;
use std::path::{Path, PathBuf};

use ptc_tests::lang::{self, Case};

use crate::{Failure, Problem};

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
