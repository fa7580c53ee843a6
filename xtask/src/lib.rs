//! The project's own commands: `cargo xtask tidy`, `codegen [--check]`, `bench`, `styles`, `orders` …
//!
//! A command is a module with one entry function that gets the [`Workspace`] and returns the problems it found.

#![forbid(unsafe_code)]

mod bars;
mod bench;
mod book;
mod code;
mod codegen;
mod failure;
mod lang;
mod markdown;
mod outside;
mod problem;
mod sources;
mod study;
mod styles;
#[cfg(test)]
mod tests;
mod tidy;
mod wasm;
mod words;
mod workspace;

use std::process::ExitCode;

pub use failure::Failure;
pub use problem::Problem;
pub use workspace::Workspace;

/// Every command with its options, as wrong usage prints them.
pub const USAGE: &str = "\
usage: cargo xtask <command>

  tidy                         layers, guards, file sizes, top level, dependencies, versions, links, licences, whitespace
  codegen [--check]            write the generated files, or compare them with what is committed
  lang [FILE...]               run the language corpus, or files of it
  bench [--quick] [--check]    times and growth of the workloads against their targets, into docs/benchmarks.md
  styles [--check]             instructions of the same work in several styles, into docs/benchmarks-styles.md; --check: growth only
  study [--check]              missions of scripts and real runs under every way of showing history, into docs/benchmarks-compression.md
  outside [--check]            tasks that others made, by native calls and by programs, into docs/benchmarks-programs.md
  live [--check]               what a model did on such tasks, from its records, into docs/benchmarks-live.md
  book-links                   for mdBook: links of docs/ that leave it, as addresses in the repository
  orders --seed N --out DIR    the orders example for another seed, with its expected answer
  wasm [--out DIR]             the language as a package for JavaScript, and the playground";

/// Run one command and print its findings to standard error.
///
/// Exit code: 0 nothing to report, 1 problems, 2 wrong usage or a file that cannot be read or written.
pub fn run(arguments: &[String]) -> ExitCode {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match command(&words) {
        Ok(problems) if problems.is_empty() => ExitCode::SUCCESS,
        Ok(problems) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            eprintln!("{} problem(s)", problems.len());
            ExitCode::FAILURE
        }
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

fn command(words: &[&str]) -> Result<Vec<Problem>, Failure> {
    let workspace = Workspace::of_this_run();
    match words {
        ["tidy"] => tidy::check(&workspace),
        ["codegen"] => codegen::run(&workspace, false),
        ["codegen", "--check"] => codegen::run(&workspace, true),
        ["orders", "--seed", seed, "--out", folder] => codegen::write_orders(seed, folder),
        ["book-links", rest @ ..] => book::links(&workspace, rest),
        ["bench", rest @ ..] => bench::run(&workspace, rest),
        ["styles", rest @ ..] => styles::run(&workspace, rest),
        ["study", rest @ ..] => study::run(&workspace, rest),
        ["outside", rest @ ..] => outside::run(&workspace, rest),
        ["live", rest @ ..] => outside::live::run(&workspace, rest),
        ["wasm", rest @ ..] => wasm::run(&workspace, rest),
        ["lang", rest @ ..] => lang::check(rest),
        _ => Err(Failure::Usage(USAGE)),
    }
}
