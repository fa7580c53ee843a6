//! The statements of `docs/architecture.md` about the crates, checked against their manifests: the picture of layers
//! and the table below it.
//!
//! A crate uses lower rows of the picture only. Cargo refuses circles and nothing else, so without this check a crate
//! could use its neighbour, and the picture would still look right. Tests of a crate may use any other one: Cargo
//! allows it, and a strategy's requests are best tested by an adapter's crate. In the package of whole-system tests
//! everything is a test, so its dependencies for tests count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::dependencies::KINDS;
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
    let page = workspace.read(Path::new(PAGE))?;
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

/// A crate in the picture: its row, and the line of the page.
struct Layer {
    row: usize,
    line: usize,
}

/// Members that use their own row or a higher one, and names that the picture lacks or has beyond the members.
pub(super) fn layers(members: &BTreeMap<String, Uses>, page: &str) -> Vec<Problem> {
    let at = |line: usize, text: String| Problem::at(Path::new(PAGE), line, text);
    let mut layers: BTreeMap<String, Layer> = BTreeMap::new();
    let mut problems = Vec::new();
    for (name, layer) in picture(page) {
        if !members.contains_key(&name) {
            problems
                .push(at(layer.line, format!("shows `{name}`, which is not a package of the workspace. Remove it.")));
        }
        let line = layer.line;
        if layers.insert(name.clone(), layer).is_some() {
            problems.push(at(line, format!("shows `{name}` twice. Keep one.")));
        }
    }
    for (name, member) in members {
        let Some(own) = layers.get(name) else {
            problems.push(at(
                0,
                format!("does not show `{name}` in the picture of layers. Put it above all that it uses."),
            ));
            continue;
        };
        let lower = |used: &&String| layers.get(*used).is_none_or(|layer| layer.row < own.row);
        problems.extend(member.uses.iter().filter(|used| !lower(used)).map(|used| {
            let row = layers.get(used).map_or(0, |layer| layer.row);
            let text =
                format!("uses `{used}` of row {row}, and is itself in row {}; a crate uses lower rows only.", own.row);
            Problem::whole(&member.path, format!("{text} Do without it, or change the picture in {PAGE}."))
        }));
    }
    problems
}

/// The names in the first code block after the heading of layers; a line without a number belongs to the row above.
fn picture(page: &str) -> Vec<(String, Layer)> {
    let lines = section(page, "## Layers").skip_while(|(_, line)| !line.starts_with("```")).skip(1);
    let mut row = 0;
    let mut found = Vec::new();
    for (line, text) in lines.take_while(|(_, line)| !line.starts_with("```")) {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        row = digits.parse().unwrap_or(row);
        let columns = text.trim_start_matches(|character: char| character.is_ascii_digit()).split("  ").map(str::trim);
        let names = columns.map(|column| column.trim_end_matches('/')).filter(|column| is_name(column));
        found.extend(names.map(|name| (package(name).to_owned(), Layer { row, line })));
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
        let Some(member) = members.get(name) else { continue };
        listed.push(name);
        let Some(allowed) = unknown.strip_prefix(NOTHING_BUT) else { continue };
        let allowed: Vec<&str> = quoted(allowed).collect();
        for used in member.uses.iter().filter(|used| !allowed.contains(&used.as_str())) {
            let text =
                format!("uses `{used}`, and line {line} of {PAGE} allows nothing of ours but {}.", allowed.join(", "));
            problems
                .push(Problem::whole(&member.path, format!("{text} Do without it, or add it there with the reason.")));
        }
    }
    for name in members.keys().filter(|name| !listed.contains(&name.as_str())) {
        problems.push(Problem::whole(
            Path::new(PAGE),
            format!("does not say what `{name}` owns. Add its row to the table of crates."),
        ));
    }
    problems
}

/// The numbered lines of a section, without its heading.
pub(super) fn section<'a>(page: &'a str, heading: &'a str) -> impl Iterator<Item = (usize, &'a str)> {
    let lines = page.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.skip_while(move |(_, line)| *line != heading).skip(1).take_while(|(_, line)| !line.starts_with("## "))
}

/// The columns of a table's row, if it has this many.
pub(super) fn cells<const N: usize>(line: &str) -> Option<[&str; N]> {
    let cells: Vec<&str> = line.strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    cells.try_into().ok()
}

/// The text in backticks.
pub(super) fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}
