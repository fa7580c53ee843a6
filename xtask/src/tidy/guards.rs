//! Invariants of `docs/architecture.md` and promises of `docs/guide/security.md` have guards, and the functions that the former
//! names exist.
//!
//! A guard is a test by its name, one of the project's own commands, or a lint that is denied. What breaks an invariant or a
//! promise must break one of them; whether it does is for a reader, as with requirements.

use std::path::Path;

use super::architecture::{PAGE, cells, quoted, section};
use crate::sources::{Found, Sources};
use crate::workspace::at;
use crate::{Failure, Problem, USAGE, Workspace};

const COMMAND: &str = "cargo xtask ";
const LINT: &str = "clippy::";

/// A table of invariants or promises, by number, with their guards.
pub(super) struct Guarded {
    page: &'static str,
    heading: &'static str,
    /// The name of a row.
    what: &'static str,
}

pub(super) const INVARIANTS: Guarded = Guarded { page: PAGE, heading: "## Invariants", what: "invariant" };
const PROMISES: Guarded = Guarded { page: "docs/guide/security.md", heading: "## What is promised", what: "promise" };

/// Problems of the tables.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let page = workspace.read(Path::new(PAGE))?;
    let guards = Guards { sources: Sources::of(workspace)?, manifest: workspace.manifest(Path::new("Cargo.toml"))? };
    let mut problems = guards.rows(&INVARIANTS, &page);
    problems.extend(guards.rows(&PROMISES, &workspace.read(Path::new(PROMISES.page))?));
    problems.extend(guards.arrows(&page));
    problems.extend(unlinted(workspace)?);
    Ok(problems)
}

/// What guards are looked up in.
pub(super) struct Guards {
    pub(super) sources: Sources,
    /// That of the workspace.
    pub(super) manifest: toml::Table,
}

impl Guards {
    /// Rows `| number | what must hold | guards |` whose guards are missing or invalid.
    pub(super) fn rows(&self, table: &Guarded, page: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut rows = 0;
        let Guarded { page: path, heading, what } = table;
        for (line, text) in section(page, heading) {
            let Some([number, _, guards]) = cells::<3>(text).filter(|[number, ..]| number.parse::<usize>().is_ok())
            else {
                continue;
            };
            rows += 1;
            let told = |text: String| Problem::at(Path::new(path), line, format!("{what} {number} {text}"));
            if quoted(guards).next().is_none() {
                problems.push(told("has no guard. Name a test, a command of xtask or a lint in backticks.".to_owned()));
            }
            for guard in quoted(guards) {
                problems.extend(self.wrong(guard).map(|wrong| told(format!("names the guard `{guard}`, {wrong}"))));
            }
        }
        if rows == 0 {
            problems.push(Problem::whole(
                Path::new(path),
                format!("has no {what}s. Add rows `| number | {what} | guards |`."),
            ));
        }
        problems
    }

    /// What is wrong with a guard.
    fn wrong(&self, guard: &str) -> Option<&'static str> {
        if let Some(command) = guard.strip_prefix(COMMAND) {
            return (!is_command(command)).then_some("which is not a command of xtask. Correct the name.");
        }
        if let Some(lint) = guard.strip_prefix(LINT) {
            return (!self.is_denied(lint))
                .then_some("which the workspace does not deny. Deny it, or name another guard.");
        }
        match self.sources.test(guard) {
            Found::Asserts => None,
            Found::RunsOnly => Some("a test that asserts nothing. Name one that does."),
            Found::Nothing => Some("and there is no such test. Correct the name."),
        }
    }

    fn is_denied(&self, lint: &str) -> bool {
        let level = at(&self.manifest, &format!("workspace.lints.clippy.{lint}"));
        let level = level.and_then(|level| level.get("level").unwrap_or(level).as_str());
        matches!(level, Some("deny" | "forbid"))
    }

    /// Rows `| arrow | function |` that name a function which does not exist.
    pub(super) fn arrows(&self, page: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (line, text) in section(page, "## Two flows") {
            let Some([arrow, functions]) = cells(text) else { continue };
            for name in quoted(functions) {
                if !self.sources.has_function(name) {
                    let text =
                        format!("`{arrow}` is said to be `{name}`, and there is no such function. Correct the name.");
                    problems.push(Problem::at(Path::new(PAGE), line, text));
                }
            }
        }
        problems
    }
}

/// Whether the list of commands has it; options may follow.
fn is_command(words: &str) -> bool {
    let name = words.split(' ').next().unwrap_or_default();
    USAGE
        .lines()
        .any(|line| line.strip_prefix("  ").and_then(|line| line.split(' ').next()) == Some(name) && !name.is_empty())
}

/// Members that do not use the lints of the workspace.
fn unlinted(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let without = workspace.members()?.into_iter().filter(|member| !member.inherits("lints"));
    let text = "does not take the lints of the workspace. Write `[lints]` and `workspace = true`.";
    Ok(without.map(|member| Problem::whole(&member.path, text)).collect())
}
