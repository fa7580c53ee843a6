//! The README of each crate, for crates.io: the page that its documentation begins with.

use super::Generated;
use crate::workspace::{at, text_at};
use crate::{Failure, Workspace};
use std::fmt::Write;

/// What a README ends with.
const FOOT: &str = "## License\n\nMIT or Apache-2.0, at your option.\n";

/// `text` with everything between the two markers of this name replaced; a text without both gets them at its end.
pub(super) fn between_markers(text: &str, name: &str, body: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|part| format!("<!-- {name}:{part} -->"));
    let parts =
        text.split_once(&begin).and_then(|(before, rest)| rest.split_once(&end).map(|(_, after)| (before, after)));
    let (before, after) =
        parts.map_or_else(|| (format!("{}\n\n", text.trim_end()), "\n"), |(before, after)| (before.to_owned(), after));
    format!("{before}{begin}\n{body}{end}{after}")
}

/// A `README.md` for each member that is published.
pub(super) fn of_crates(workspace: &Workspace) -> Result<Generated, Failure> {
    let root = workspace.manifest("Cargo.toml")?;
    let repository = text_at(&root, "workspace.package.repository").unwrap_or_default();
    let mut pages = Generated::new();
    for member in workspace.members()?.iter().filter(|member| at(&member.manifest, "package.publish").is_none()) {
        let (name, folder) = (member.name(), member.folder());
        let library = folder.join("src/lib.rs");
        let source = if workspace.has(&library) { library } else { folder.join("src/main.rs") };
        let body = markdown(&workspace.read(&source)?);
        let page = format!("# {name}\n\n{body}\n\nPart of [ptc-runner]({repository}).\n\n{FOOT}");
        pages.push((folder.join("README.md"), page));
    }
    Ok(pages)
}

/// The comment that a source file begins with, as a page: without lines that documentation hides, and without links to
/// items, which only documentation can follow.
pub(super) fn markdown(source: &str) -> String {
    let mut page = String::new();
    let (mut in_code, mut hides) = (false, false);
    for line in source.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        let is_fence = line.starts_with("```");
        if in_code && !is_fence {
            if !(hides && (line == "#" || line.starts_with("# "))) {
                let _ = writeln!(page, "{line}");
            }
            continue;
        }
        let _ = match (is_fence, in_code) {
            // Code without a language is Rust there.
            (true, false) if is_rust(line) => writeln!(page, "```rust"),
            (true, _) => writeln!(page, "{line}"),
            // The name of the crate is the only heading of its level.
            (false, _) if line.starts_with('#') => writeln!(page, "#{}", without_links(line)),
            (false, _) => writeln!(page, "{}", without_links(line)),
        };
        in_code ^= is_fence;
        // Only code that documentation compiles has hidden lines.
        hides = in_code && is_rust(line);
    }
    page.trim_end().to_owned()
}

/// Whether a fence opens code that documentation compiles.
fn is_rust(fence: &str) -> bool {
    ["", "no_run", "ignore", "should_panic", "rust"].contains(&fence.trim_start_matches('`').trim())
}

/// The line with the text of each link to an item in place of the link.
fn without_links(line: &str) -> String {
    let mut parts = line.split('[');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((label, after)) = part.split_once(']') else {
            text += &format!("[{part}");
            continue;
        };
        text += &match after.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((target, after)) if !target.contains("://") => format!("{label}{after}"),
            None if label.starts_with('`') => format!("{label}{after}"),
            _ => format!("[{part}"),
        };
    }
    text
}
