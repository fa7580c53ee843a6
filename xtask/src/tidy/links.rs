//! Relative links in Markdown files lead to existing files, and to existing headings.

use std::path::{Component, Path, PathBuf};

use crate::{Failure, Problem, Workspace};

/// Broken links in the README and below docs/.
pub(super) fn check(workspace: &Workspace) -> Result<Vec<Problem>, Failure> {
    let mut pages = workspace.files_ending("docs", "md")?;
    pages.push(PathBuf::from("README.md"));
    pages.retain(|page| workspace.has(page));
    let mut problems = Vec::new();
    for page in pages {
        let text = workspace.read(&page)?;
        for (line, target) in targets(&text) {
            problems.extend(broken(workspace, &page, &text, line, &target)?);
        }
    }
    Ok(problems)
}

fn broken(
    workspace: &Workspace,
    page: &Path,
    text: &str,
    line: usize,
    target: &str,
) -> Result<Option<Problem>, Failure> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(None);
    }
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let linked = if path.is_empty() { page.to_path_buf() } else { resolved(page, path) };
    if !workspace.has(&linked) {
        let text = format!("links to `{target}`, but there is no `{}`. Correct the path.", linked.display());
        return Ok(Some(Problem::at(page, line, text)));
    }
    if heading.is_empty() || linked.extension().is_none_or(|ending| ending != "md") {
        return Ok(None);
    }
    let known = if path.is_empty() { anchors(text) } else { anchors(&workspace.read(&linked)?) };
    let found = known.iter().any(|anchor| anchor == heading);
    Ok((!found).then(|| {
        Problem::at(
            page,
            line,
            format!("links to `{target}`, but that page has no such heading. It has: {}.", known.join(", ")),
        )
    }))
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
    prose(text)
        .flat_map(|(line, prose)| {
            let without_code: String = prose.split('`').step_by(2).collect::<Vec<_>>().join(" code ");
            let parts: Vec<String> = without_code
                .split("](")
                .skip(1)
                .filter_map(|rest| rest.split_once(')'))
                .map(|(target, _)| target.trim().to_string())
                .collect();
            parts.into_iter().map(move |target| (line, target))
        })
        .collect()
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

/// Lines outside fenced code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(place, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fenced && !fence).then_some((place + 1, line))
    })
}
