//! `cargo xtask lang`: the language corpus, or single files of it, with the differences.

use std::fs;
use std::path::{Path, PathBuf};

use ptc_tests::lang;

use crate::{Failure, Problem};

/// Run the cases of the named files, or of the whole corpus without names; every difference is a problem at its case.
pub(crate) fn check(files: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    let mut count = 0;
    for path in paths(files)? {
        let text = fs::read_to_string(&path).map_err(Failure::file(&path))?;
        match lang::read(&text) {
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

fn paths(files: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    if files.is_empty() {
        let folder = lang::folder();
        return lang::files(&folder).map_err(Failure::file(&folder));
    }
    let mut found = Vec::new();
    for file in files {
        let path = Path::new(file);
        if path.is_dir() {
            found.extend(lang::files(path).map_err(Failure::file(path))?);
        } else {
            found.push(path.to_path_buf());
        }
    }
    Ok(found)
}
