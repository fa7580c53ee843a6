//! Invariants of `docs/architecture.md` and promises of `docs/guide/security.md` have guards, and the functions that the former
//! names exist.
//!
//! A guard is a test by its name, one of the project's own commands, or a lint that is denied. What breaks an invariant or a
//! promise must break one of them; whether it does is for a reader, as with requirements.

use super::architecture::PAGE;
use crate::markdown::{cells, quoted, section};
use crate::sources::{Found, Sources};
use crate::workspace::at;
use crate::{Failure, Problem, USAGE, Workspace};

const COMMAND: &str = "cargo xtask ";
const LINT: &str = "clippy::";
const UNLINTED: &str = "does not take the lints of the workspace. Write `[lints]` and `workspace = true`.";

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
    let page = workspace.read(PAGE)?;
    let guards = Guards { sources: Sources::of(workspace)?, manifest: workspace.manifest("Cargo.toml")? };
    let mut problems = guards.rows(&INVARIANTS, &page);
    problems.extend(guards.rows(&PROMISES, &workspace.read(PROMISES.page)?));
    problems.extend(guards.arrows(&page));
    problems.extend(workspace.without("lints", UNLINTED)?);
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
        let (mut problems, mut is_empty) = (Vec::new(), true);
        let Guarded { page: path, heading, what } = table;
        for (line, text) in section(page, heading) {
            let Some([number, _, guards]) = cells(text) else { continue };
            if number.parse::<usize>().is_err() {
                continue;
            }
            is_empty = false;
            let mut told = |text: String| problems.push(Problem::at(path, line, format!("{what} {number} {text}")));
            if quoted(guards).next().is_none() {
                told("has no guard. Name a test, a command of xtask or a lint in backticks.".to_owned());
            }
            for guard in quoted(guards) {
                self.wrong(guard).into_iter().for_each(|wrong| told(format!("names the guard `{guard}`, {wrong}")));
            }
        }
        if is_empty {
            let text = format!("has no {what}s. Add rows `| number | {what} | guards |`.");
            problems.push(Problem::whole(path, text));
        }
        problems
    }

    /// What is wrong with a guard.
    fn wrong(&self, guard: &str) -> Option<&'static str> {
        if let Some(command) = guard.strip_prefix(COMMAND) {
            let wrong = "which is not a command of xtask. Correct the name.";
            return (!is_command(command)).then_some(wrong);
        }
        if let Some(lint) = guard.strip_prefix(LINT) {
            let wrong = "which the workspace does not deny. Deny it, or name another guard.";
            return (!self.is_denied(lint)).then_some(wrong);
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
            for name in quoted(functions).filter(|name| !self.sources.has_function(name)) {
                let near: Vec<String> = self.sources.near(name).iter().map(|near| format!("`{near}`")).collect();
                let advice = if near.is_empty() {
                    "Correct the name.".to_owned()
                } else {
                    format!("Did you mean {}?", near.join(" or "))
                };
                let text = format!("`{arrow}` is said to be `{name}`, and there is no such function. {advice}");
                problems.push(Problem::at(PAGE, line, text));
            }
        }
        problems
    }
}

/// Whether the list of commands has it; options may follow.
fn is_command(words: &str) -> bool {
    let name = words.split(' ').next().unwrap_or_default();
    let mut known = USAGE.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    !name.is_empty() && known.any(|known| known == name)
}
