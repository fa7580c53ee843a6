//! The book of the documentation: links into the repository for mdBook.

#[cfg(test)]
mod tests;

use std::io::{self, Read, Write};
use std::path::Path;

use serde_json::Value as Json;

use crate::markdown::{self, local, with_targets};
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
                let address = |target: &str| address(workspace, &page, target);
                let lines = markdown::lines(content);
                let lines =
                    lines.map(|(_, line, is_code)| if is_code { line.to_owned() } else { with_targets(line, address) });
                *content = lines.collect();
            }
            entries.values_mut().for_each(|value| rewrite(workspace, value));
        }
        _ => {}
    }
}

/// Another target for a relative link: the address of what the book does not have, and the name in the book of a README.
fn address(workspace: &Workspace, page: &Path, target: &str) -> Option<String> {
    let (path, heading) = local(target).filter(|(path, _)| !path.is_empty())?;
    let linked = resolved(page, path);
    let is_folder = workspace.root().join(&linked).is_dir();
    if linked.starts_with(DOCS) && !is_folder {
        return path.strip_suffix("README.md").map(|folder| format!("{folder}index.md{heading}"));
    }
    let kind = if is_folder { "tree" } else { "blob" };
    Some(format!("{REPOSITORY}/{kind}/main/{}{heading}", linked.display()))
}
