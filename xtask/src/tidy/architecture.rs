//! The statements of `docs/architecture.md`, checked against manifests and sources: the picture of layers, the table below it,
//! the functions that the arrows name, and the guards of invariants; those of the promises in `docs/guide/security.md`, too.
//!
//! A crate uses lower rows of the picture only. Cargo refuses circles and nothing else, so without this check a crate
//! could use its neighbour, and the picture would still look right. Tests of a crate may use any other one: Cargo
//! allows it, and a strategy's requests are best tested by an adapter's crate. In the package of whole-system tests
//! everything is a test, so its dependencies for tests count.
//!
//! A guard is a test by its name, one of the project's own commands, or a lint that is denied. What breaks an invariant or a
//! promise must break one of them; whether it does is for a reader, as with requirements.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::manifests::KINDS;
use crate::markdown::{cells, quoted, section};
use crate::sources::{Found, Sources};
use crate::workspace::{Member, at};
use crate::{Failure, Problem, USAGE, Workspace};

const PAGE: &str = "docs/architecture.md";
/// The package that has only tests, and its name on the page.
const TESTS: (&str, &str) = ("ptc-tests", "tests");
/// The beginning of the column of what a crate must not know when it names everything that the crate may use.
const NOTHING_BUT: &str = "anything of ours but ";

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

/// Problems of the page and of the manifests.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let members = members(workspace)?;
    let page = workspace.read(PAGE)?;
    let mut problems = layers(&members, &page);
    problems.extend(table(&members, &page));
    Ok(problems)
}

/// A member, and other members that it uses; of the package of tests those that its tests use, too.
#[derive(Debug)]
pub(super) struct Uses {
    pub(super) path: PathBuf,
    pub(super) uses: Vec<String>,
}

fn members(workspace: &Workspace) -> Result<BTreeMap<String, Uses>, Failure> {
    let members = workspace.members()?;
    let of = |member: &Member| {
        let kinds = if member.name() == TESTS.0 { &KINDS[..] } else { &KINDS[..2] };
        let is_other = |used: &&String| *used != member.name() && members.iter().any(|other| other.name() == *used);
        let used = member.dependencies(kinds).into_iter().map(|(name, _)| name).filter(is_other);
        (member.name().to_owned(), Uses { path: member.path.clone(), uses: used.cloned().collect() })
    };
    Ok(members.iter().map(of).collect())
}

/// Members that use their own row or a higher one, and names that the picture lacks or has beyond the members.
pub(super) fn layers(members: &BTreeMap<String, Uses>, page: &str) -> Vec<Problem> {
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut problems = Vec::new();
    for (name, row, line) in picture(page) {
        if !members.contains_key(name) {
            let text = format!("shows `{name}`, which is not a package of the workspace. Remove it.");
            problems.push(Problem::at(PAGE, line, text));
        }
        if rows.insert(name, row).is_some() {
            problems.push(Problem::at(PAGE, line, format!("shows `{name}` twice. Keep one.")));
        }
    }
    for (name, member) in members {
        let Some(own) = rows.get(name.as_str()) else {
            let text = format!("does not show `{name}` in the picture of layers. Put it above all that it uses.");
            problems.push(Problem::whole(PAGE, text));
            continue;
        };
        for used in &member.uses {
            if let Some(row) = rows.get(used.as_str()).filter(|row| *row >= own) {
                let text = format!(
                    "uses `{used}` of row {row}, and is itself in row {own}; a crate uses lower rows only. Do without it, or change the picture in {PAGE}."
                );
                problems.push(Problem::whole(&member.path, text));
            }
        }
    }
    problems
}

/// The packages in the first code block after the heading of layers, each with its row and the line of the page; a line
/// without a number belongs to the row above.
fn picture(page: &str) -> Vec<(&str, usize, usize)> {
    let lines = section(page, "## Layers").skip_while(|(_, line)| !line.starts_with("```")).skip(1);
    let mut row = 0;
    let mut found = Vec::new();
    for (line, text) in lines.take_while(|(_, line)| !line.starts_with("```")) {
        let names = text.trim_start_matches(|character: char| character.is_ascii_digit());
        row = text.strip_suffix(names).and_then(|digits| digits.parse().ok()).unwrap_or(row);
        let columns = names.split("  ").map(|column| column.trim().trim_end_matches('/'));
        found.extend(columns.filter(|column| is_name(column)).map(|name| (package(name), row, line)));
    }
    found
}

fn is_name(column: &str) -> bool {
    let words = column.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    words && (column.starts_with("ptc-") || column == TESTS.1 || column == "xtask")
}

/// The name of the package for its name on the page.
fn package(name: &str) -> &str {
    if name == TESTS.1 { TESTS.0 } else { name }
}

/// Members that the table of crates lacks or that use more than it allows.
pub(super) fn table(members: &BTreeMap<String, Uses>, page: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut listed = Vec::new();
    for (line, text) in section(page, "## Layers") {
        let Some([name, _, unknown]) = cells(text) else { continue };
        let name = package(name);
        listed.push(name);
        let (Some(member), Some(allowed)) = (members.get(name), unknown.strip_prefix(NOTHING_BUT)) else { continue };
        let allowed: Vec<&str> = quoted(allowed).collect();
        for used in member.uses.iter().filter(|used| !allowed.contains(&used.as_str())) {
            let allowed = allowed.join(", ");
            let text = format!(
                "uses `{used}`, and line {line} of {PAGE} allows nothing of ours but {allowed}. Do without it, or add it there with the reason."
            );
            problems.push(Problem::whole(&member.path, text));
        }
    }
    for name in members.keys().filter(|name| !listed.contains(&name.as_str())) {
        let text = format!("does not say what `{name}` owns. Add its row to the table of crates.");
        problems.push(Problem::whole(PAGE, text));
    }
    problems
}

/// Invariants and promises whose guards are missing or invalid, and arrows whose functions do not exist.
pub(super) fn guards(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
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
