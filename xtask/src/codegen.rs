//! `cargo xtask codegen [--check]`: files that are generated, never written by hand.
//!
//! A generator is a function from the [`Workspace`] to paths and texts. To add one, write it in its own file and add it to
//! [`GENERATORS`]; `--check` then guards its output in CI.

mod clojure;
mod errors;
mod functions;
mod llms;
mod readmes;
mod requirements;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use ptc_tests::orders;

use crate::{Failure, Problem, Workspace};

/// Paths relative to the workspace root, each with the whole text of the file.
pub(crate) type Generated = Vec<(PathBuf, String)>;

/// One source of generated files. It must give the same texts on every machine.
type Generator = fn(&Workspace) -> Result<Generated, Failure>;

/// Where the orders example is.
const ORDERS: &str = "docs/examples/orders";

/// All generators, in the order in which they run.
const GENERATORS: [Generator; 7] = [
    |_| Ok(written_orders(orders::SHIPPED_SEED, Path::new(ORDERS))),
    functions::generate,
    errors::generate,
    clojure::generate,
    llms::generate,
    readmes::of_crates,
    requirements::generate,
];

/// Write every generated file whose text has changed, or compare them all; and report what is wrong with their sources.
pub(crate) fn run(workspace: &Workspace, check: bool) -> Result<Vec<Problem>, Failure> {
    let mut problems = requirements::problems(workspace)?;
    problems.extend(write_or_check(workspace, generated(workspace)?, check, "cargo xtask codegen")?);
    Ok(problems)
}

/// Write one file, making its folders.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(Failure::file(folder))?;
    }
    fs::write(path, text).map_err(Failure::file(path))
}

/// Write these files, or with `check` compare them with those on disk; `command` writes them.
pub(crate) fn write_or_check(
    workspace: &Workspace,
    files: Generated,
    check: bool,
    command: &str,
) -> Result<Vec<Problem>, Failure> {
    let mut problems = Vec::new();
    for (path, text) in files {
        let found = workspace.read(&path).ok();
        if check {
            problems.extend(compare(&path, &text, found.as_deref(), command));
        } else if found.as_deref() != Some(text.as_str()) {
            write_file(&workspace.root().join(&path), &text)?;
            println!("wrote {}", path.display());
        }
    }
    Ok(problems)
}

/// The link of a page in `docs/` to a file below.
pub(crate) fn linked(path: &str) -> &str {
    path.trim_start_matches("docs/")
}

fn generated(workspace: &Workspace) -> Result<Generated, Failure> {
    let mut all = Vec::new();
    for generator in GENERATORS {
        all.extend(generator(workspace)?);
    }
    Ok(all)
}

fn written_orders(seed: u64, folder: &Path) -> Generated {
    orders::files(seed).into_iter().map(|(name, text)| (folder.join(name), text)).collect()
}

/// `cargo xtask orders --seed N --out DIR`: the orders example for any seed.
pub(crate) fn write_orders(seed: &str, folder: &str) -> Result<Vec<Problem>, Failure> {
    let wanted = "a seed, an integer from 0";
    let seed = seed.parse().map_err(|_| Failure::Argument { argument: seed.to_owned(), wanted })?;
    for (path, text) in written_orders(seed, Path::new(folder)) {
        write_file(&path, &text)?;
    }
    Ok(Vec::new())
}

/// What is wrong with the committed file, if anything; `command` regenerates it.
fn compare(path: &Path, wanted: &str, found: Option<&str>, command: &str) -> Option<Problem> {
    let Some(found) = found else {
        return Some(Problem::whole(path, format!("is generated but missing. Run `{command}` and commit the file.")));
    };
    let (line, wanted, found) = first_difference(wanted, found)?;
    let (wanted, found) = (shown(wanted), shown(found));
    let text = format!("differs from what is generated. Run `{command}`.\n  generated: {wanted}\n  found:     {found}");
    Some(Problem::at(path, line, text))
}

/// The first line (1-based) in which two texts differ, with both versions; `None` stands for the end of the text.
fn first_difference<'a>(wanted: &'a str, found: &'a str) -> Option<(usize, Option<&'a str>, Option<&'a str>)> {
    let (mut left, mut right) = (wanted.split_inclusive('\n'), found.split_inclusive('\n'));
    for line in 1.. {
        match (left.next(), right.next()) {
            (None, None) => break,
            (wanted, found) if wanted == found => {}
            (wanted, found) => return Some((line, wanted, found)),
        }
    }
    None
}

/// A line as quoted in a message: at most 120 characters, so that a data file does not flood the terminal.
fn shown(line: Option<&str>) -> String {
    const LONGEST: usize = 120;
    let Some(line) = line else { return "(end of file)".to_string() };
    let mut text: String = line.chars().take(LONGEST).collect::<String>().escape_debug().to_string();
    if line.chars().count() > LONGEST {
        text.push('…');
    }
    text
}
