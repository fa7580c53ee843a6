//! The book of the documentation: links into the repository for mdBook, and the check that the built pages have no broken
//! link. `.ci/book` runs both.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::tidy::resolved;
use crate::{Failure, Problem, Workspace};

/// The pages, relative to the root of the repository.
const DOCS: &str = "docs";

const REPOSITORY: &str = "https://github.com/ptc-runner/ptc-runner";

/// Pages whose links are not checked: all pages in one, and the one for addresses that do not exist.
const LEFT_OUT: [&str; 2] = ["print.html", "404.html"];

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

/// `cargo xtask book-check DIR`: links of the built pages that lead to no file, or to no heading.
pub(crate) fn check(folder: &str) -> Result<Vec<Problem>, Failure> {
    let book = Workspace::at(Path::new(folder));
    let pages = book.files_ending("", "html")?;
    if pages.is_empty() {
        return Ok(vec![Problem::whole(Path::new(folder), "has no page. Build the book: .ci/book")]);
    }
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    for page in pages {
        let text = book.read(&page)?;
        texts.insert(page, text);
    }
    let anchors: BTreeMap<&Path, BTreeSet<&str>> =
        texts.iter().map(|(page, text)| (page.as_path(), attributes(text, "id").collect())).collect();
    let mut problems = Vec::new();
    for (page, text) in &texts {
        if LEFT_OUT.iter().any(|name| page == Path::new(name)) {
            continue;
        }
        let links: BTreeSet<&str> = attributes(text, "href").chain(attributes(text, "src")).collect();
        problems.extend(links.into_iter().filter_map(|link| broken(&book, &anchors, page, link)));
    }
    Ok(problems)
}

fn broken(book: &Workspace, anchors: &BTreeMap<&Path, BTreeSet<&str>>, page: &Path, link: &str) -> Option<Problem> {
    if link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:") {
        return None;
    }
    let (path, heading) = link.split_once('#').unwrap_or((link, ""));
    let linked = if path.is_empty() { page.to_path_buf() } else { resolved(page, path) };
    if !book.root().join(&linked).is_file() {
        return Some(Problem::whole(
            page,
            format!("links to `{link}`, which is not in the book. Add the page to docs/SUMMARY.md."),
        ));
    }
    let lacks = !heading.is_empty() && anchors.get(linked.as_path()).is_some_and(|known| !known.contains(heading));
    lacks.then(|| Problem::whole(page, format!("links to `{link}`, but that page has no such heading.")))
}

/// The values of an attribute in the tags of a page.
fn attributes<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let start = format!(" {name}=\"");
    let tags = text.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
    tags.filter_map(move |tag| tag.split_once(start.as_str())?.1.split_once('"').map(|(value, _)| value))
}
