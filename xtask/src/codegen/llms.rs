//! `docs/llms.txt`, for models: the text on the language that models of a run read, and all pages with what they are about.

use std::path::{Path, PathBuf};

use super::Generated;
use super::readmes::between_markers;
use crate::{Failure, Workspace};

const PAGE: &str = "docs/llms.txt";
const INDEX: &str = "docs/README.md";
const LANGUAGE: &str = "crates/ptc-mission/src/texts/core.md";

/// The page with both between their markers.
pub(super) fn generate(workspace: &Workspace) -> Result<Generated, Failure> {
    let page = workspace.read(PAGE)?;
    let page = between_markers(&page, "language", &language(&workspace.read(Path::new(LANGUAGE))?));
    let page = between_markers(&page, "pages", &pages(&workspace.read(INDEX)?));
    Ok(vec![(PathBuf::from(PAGE), page)])
}

/// The text without what it says about itself and its headings one level lower.
fn language(text: &str) -> String {
    let text = text.split_once("\n---\n").map_or(text, |(_, text)| text);
    let lines = text.lines().map(|line| if line.starts_with('#') { format!("#{line}\n") } else { format!("{line}\n") });
    lines.collect()
}

/// A line for each row of the index that begins with a link to a page.
fn pages(index: &str) -> String {
    let row = |line: &str| {
        let (page, about) = line.strip_prefix("| [")?.strip_suffix(" |")?.split_once(" | ")?;
        Some(format!("- [{page}: {about}\n"))
    };
    index.lines().filter_map(row).collect()
}
