//! Relative links in Markdown files lead to existing files, and to existing headings.

use std::path::{Component, Path, PathBuf};

use crate::markdown::{local, prose, with_targets};
use crate::{Failure, Problem, Workspace};

/// Broken links in the README and below docs/.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut pages = workspace.files_ending("docs", "md")?;
    pages.push(PathBuf::from("README.md"));
    pages.retain(|page| workspace.has(page));
    let mut problems = Vec::new();
    for page in pages {
        for (line, target) in targets(&workspace.read(&page)?) {
            let Some((path, heading)) = local(&target) else { continue };
            let linked = if path.is_empty() { page.clone() } else { resolved(&page, path) };
            let is_page = linked.extension().is_some_and(|ending| ending == "md");
            if !workspace.has(&linked) {
                let text = format!("links to `{target}`, but there is no `{}`. Correct the path.", linked.display());
                problems.push(Problem::at(&page, line, text));
            } else if let (Some(heading), true) =
                (heading.strip_prefix('#').filter(|heading| !heading.is_empty()), is_page)
            {
                let known = anchors(&workspace.read(&linked)?);
                let text =
                    format!("links to `{target}`, but that page has no such heading. It has: {}.", known.join(", "));
                problems.extend((!known.iter().any(|known| known == heading)).then(|| Problem::at(&page, line, text)));
            }
        }
    }
    Ok(problems)
}

/// A path in a page, relative to the workspace root.
pub(crate) fn resolved(page: &Path, path: &str) -> PathBuf {
    let mut resolved = page.parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(resolved.pop()),
            Component::Normal(name) => resolved.push(name),
            _ => {}
        }
    }
    resolved
}

/// All link targets of a page with their lines, except in code.
pub(super) fn targets(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, text) in prose(text) {
        with_targets(text, |target| {
            found.push((line, target.trim().to_owned()));
            None
        });
    }
    found
}

/// The anchors of the headings of a page.
pub(super) fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter_map(|(_, line)| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')));
    headings.map(|heading| heading.trim().to_lowercase().chars().filter_map(anchor_character).collect()).collect()
}

fn anchor_character(character: char) -> Option<char> {
    match character {
        ' ' => Some('-'),
        '-' | '_' => Some(character),
        other => other.is_alphanumeric().then_some(other),
    }
}
