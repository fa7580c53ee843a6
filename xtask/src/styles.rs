//! `cargo xtask styles`: the same work in several styles, counted in instructions: no style may fall off a cliff.
//!
//! The programs are in `tests/bench/styles`, all styles of one piece of work in a file.

use std::path::Path;

use ptc_tests::bench::styles::{Style, styles};

use crate::bench::growth::{self, ALLOWED, Job};
use crate::bench::tool;
use crate::codegen::write_file;
use crate::markdown::{self, head};
use crate::words::Words;
use crate::{Failure, Problem, Workspace};

const PAGE: &str = "docs/benchmarks-styles.md";
const PROGRAMS: &str = "tests/bench/styles";

/// Sizes of the data: from 512 elements on, shared vectors that are written to are tries, whose steps cost more.
const SIZES: [u64; 2] = [600, 6_000];

const USAGE: &str = "\
usage: cargo xtask styles [--check]

  --check   count the build of the tests, fail when something grows faster than n log n, and write nothing";

const HEAD: &str = "\
# The same work in several styles

Written by `cargo xtask styles`; not edited by hand. Each program runs over data that is in memory already, from its text to its
value, in a separate session; instructions are counted by `valgrind --tool=callgrind` in a release build.
`cargo xtask styles --check` is part of what every commit must pass: ten times the data may take 14 times the instructions.
";

/// The counts of one style.
#[derive(Clone, Debug)]
struct Row {
    style: Style,
    /// Instructions at each of the sizes.
    instructions: [u64; 2],
}

impl Row {
    /// The factor of instructions for ten times the data.
    fn growth(&self) -> f64 {
        let [few, many] = self.instructions;
        many as f64 / few.max(1) as f64
    }

    /// Instructions for each element at the larger size.
    fn each(&self) -> u64 {
        let ([_, many], [_, elements]) = (self.instructions, SIZES);
        many / elements
    }
}

/// Count, and write the page or check growth. Cost: half a minute when the driver is built.
///
/// Errors when valgrind is not installed, or a program fails.
pub(crate) fn run(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let mut words = Words::of(words, USAGE);
    let check = words.flag("--check");
    words.end()?;
    growth::need_valgrind("Install it")?;
    let driver = if check { tool::tested_driver(workspace)? } else { tool::released_driver(workspace)? };
    let rows = measure(&driver)?;
    if !check {
        let text = page(&rows);
        print!("{text}");
        write_file(&workspace.root().join(PAGE), &text)?;
        println!("wrote {PAGE}");
    }
    Ok(steep(&rows))
}

/// Counts of both sizes.
fn measure(driver: &Path) -> Result<Vec<Row>, Failure> {
    let styles: Vec<Style> = styles().collect();
    let names: Vec<String> = styles.iter().map(|style| format!("{}/{}", style.work, style.name)).collect();
    let parts = names.chunks(names.len().div_ceil(growth::processors()).max(1));
    let jobs = parts.flat_map(|part| SIZES.map(|size| Job { names: part.to_vec(), size })).collect();
    let counts = growth::count_all(driver, jobs)?;
    let at = |name: &str, size| counts.iter().find(|count| count.name == name && count.size == size);
    let of = |name: &String| SIZES.map(|size| at(name, size).map_or(0, |count| count.instructions));
    Ok(styles.into_iter().zip(&names).map(|(style, name)| Row { style, instructions: of(name) }).collect())
}

/// What grows faster than allowed.
fn steep(rows: &[Row]) -> Vec<Problem> {
    let problem = |row: &Row| {
        let Style { work, name, .. } = row.style;
        let text = format!(
            "{name}: ten times the data takes {:.1} times the instructions, {ALLOWED} are allowed. What is copied or walked at each step?",
            row.growth()
        );
        Problem::whole(format!("{PROGRAMS}/{work}.clj"), text)
    };
    rows.iter().filter(|row| row.growth() > ALLOWED).map(problem).collect()
}

/// The page: a table for each piece of work, the cheapest style first.
fn page(rows: &[Row]) -> String {
    let mut text = HEAD.to_owned();
    let each = format!("instructions for each of {} elements", SIZES[1]);
    for group in rows.chunk_by(|row, next| row.style.work == next.style.work) {
        let mut group: Vec<&Row> = group.iter().collect();
        group.sort_by_key(|row| row.each());
        let least = group.first().map_or(1, |row| row.each().max(1)) as f64;
        let work = group.first().map_or("", |row| row.style.work);
        text += &format!("\n## {work}\n\n{}", head("style", [each.as_str(), "× the cheapest", "× for 10 × data"]));
        text.extend(group.iter().map(|row| {
            let times = [row.each() as f64 / least, row.growth()].map(|times| format!("{times:.1}"));
            markdown::row([row.style.name.to_owned(), row.each().to_string()].into_iter().chain(times))
        }));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(work: &'static str, name: &'static str, instructions: [u64; 2]) -> Row {
        Row { style: Style { work, name, source: "" }, instructions }
    }

    #[test]
    fn what_grows_too_fast_is_a_problem() {
        let rows = [row("sum", "good", [500_000, 7_000_000]), row("sum", "bad", [500_000, 7_010_000])];
        let problems = steep(&rows);
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), 1, "{texts:?}");
        assert!(
            texts[0].starts_with("tests/bench/styles/sum.clj: bad: ten times the data takes 14.0 times"),
            "{texts:?}"
        );
    }

    #[test]
    fn the_cheapest_style_comes_first() {
        let text = page(&[
            row("sum", "slow", [1_000, 6_000_000]),
            row("sum", "quick", [1_000, 3_000_000]),
            row("join", "one", [1, 1]),
        ]);
        let quick = text.find("| quick | 500 | 1.0 | 3000.0 |").expect("a row");
        assert!(text.find("| slow | 1000 | 2.0 | 6000.0 |").is_some_and(|slow| slow > quick), "{text}");
        assert!(text.contains("## join\n\n| style"));
    }
}
