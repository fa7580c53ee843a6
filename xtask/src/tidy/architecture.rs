//! The statements of `docs/architecture.md` about the crates, checked against their manifests: the picture of layers
//! and the table below it.
//!
//! A crate uses lower rows of the picture only. Cargo refuses circles and nothing else, so without this check a crate
//! could use its neighbour, and the picture would still look right. Tests of a crate may use any other one: Cargo
//! allows it, and a strategy's requests are best tested by an adapter's crate. In the package of whole-system tests
//! everything is a test, so its dependencies for tests count.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::manifests::KINDS;
use crate::markdown::{cells, quoted, section};
use crate::workspace::Member;
use crate::{Failure, Problem, Workspace};

pub(super) const PAGE: &str = "docs/architecture.md";
/// The package that has only tests, and its name on the page.
const TESTS: (&str, &str) = ("ptc-tests", "tests");
/// The beginning of the column of what a crate must not know when it names everything that the crate may use.
const NOTHING_BUT: &str = "anything of ours but ";

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
        row = text.trim_end_matches(names).parse().unwrap_or(row);
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
