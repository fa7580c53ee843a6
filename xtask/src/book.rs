//! The book of the documentation: links into the repository for mdBook.

#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::path::Path;

use serde_json::Value as Json;

use crate::tidy::resolved;
use crate::{Failure, Problem, Workspace};

/// The pages, relative to the root of the repository.
const DOCS: &str = "docs";

const REPOSITORY: &str = "https://github.com/ptc-runner/ptc-runner";

/// `cargo xtask book-links`, a preprocessor of mdBook: reads context and book as JSON, and writes the book with links that
/// leave docs/, or lead to a folder, as addresses in the repository.
pub(crate) fn links(workspace: &Workspace, words: &[&str]) -> Result<Vec<Problem>, Failure> {
    // mdBook asks first whether a renderer is supported: all of them are.
    if words.first() == Some(&"supports") {
        return Ok(Vec::new());
    }
    let stdin = Path::new("standard input");
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).map_err(Failure::file(stdin))?;
    let read: Result<(Json, Json), _> = serde_json::from_str(&text);
    let (_, mut book) = read.map_err(io::Error::from).map_err(Failure::file(stdin))?;
    rewrite(workspace, &mut book);
    writeln!(io::stdout(), "{book}").map_err(Failure::file(Path::new("standard output")))?;
    Ok(Vec::new())
}

/// Rewrites all chapters, wherever they are in the book.
fn rewrite(workspace: &Workspace, book: &mut Json) {
    match book {
        Json::Array(items) => items.iter_mut().for_each(|item| rewrite(workspace, item)),
        Json::Object(entries) => {
            let page = entries.get("source_path").and_then(Json::as_str).map(|path| Path::new(DOCS).join(path));
            if let (Some(page), Some(Json::String(content))) = (page, entries.get_mut("content")) {
                *content = with_addresses(workspace, &page, content);
            }
            entries.values_mut().for_each(|value| rewrite(workspace, value));
        }
        _ => {}
    }
}

/// The text of a page, in which links that the book cannot have are addresses.
fn with_addresses(workspace: &Workspace, page: &Path, text: &str) -> String {
    let mut fenced = false;
    let lines = text.split_inclusive('\n').map(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        if fenced || fence {
            return line.to_owned();
        }
        // Code spans stay as they are.
        let parts = line.split('`').enumerate();
        let parts = parts.map(|(at, part)| if at % 2 == 0 { outside(workspace, page, part) } else { part.to_owned() });
        parts.collect::<Vec<_>>().join("`")
    });
    lines.collect()
}

fn outside(workspace: &Workspace, page: &Path, text: &str) -> String {
    let mut parts = text.split("](");
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once(')').unwrap_or((part, ""));
        let address = address(workspace, page, target).unwrap_or_else(|| target.to_owned());
        written += &format!("]({address}{}", if part.contains(')') { ")" } else { "" });
        written += rest;
    }
    written
}

/// Another target for a relative link: the address of what the book does not have, and the name in the book of a README.
fn address(workspace: &Workspace, page: &Path, target: &str) -> Option<String> {
    let (path, heading) = target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
    if path.is_empty() || target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let linked = resolved(page, path);
    let is_folder = workspace.root().join(&linked).is_dir();
    let heading = heading.map(|heading| format!("#{heading}")).unwrap_or_default();
    if linked.starts_with(DOCS) && !is_folder {
        return path.strip_suffix("README.md").map(|folder| format!("{folder}index.md{heading}"));
    }
    let kind = if is_folder { "tree" } else { "blob" };
    Some(format!("{REPOSITORY}/{kind}/main/{}{heading}", linked.display()))
}
