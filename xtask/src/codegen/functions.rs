//! Pages about the builtin functions: the reference, and the list that models are shown.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ptc_lisp::{Builtin, Family, families, reference};
use serde_json::json;

use super::{Context, Generated};
use crate::Failure;

const REFERENCE: &str = "docs/reference/functions.md";
const COMPLETION: &str = "docs/reference/completion.json";
const PROMPT: &str = "crates/ptc-mission/src/texts/base.md";
const BEGIN: &str = "<!-- functions:begin -->";
const END: &str = "<!-- functions:end -->";

/// The reference page, the data for editors, and the language text with the function list between its markers.
pub(super) fn generate(context: &Context) -> Result<Generated, Failure> {
    let text = context.workspace.read(Path::new(PROMPT))?;
    let mut generated = vec![(PathBuf::from(REFERENCE), page()), (PathBuf::from(COMPLETION), completion())];
    if let Some((before, rest)) = text.split_once(BEGIN)
        && let Some((_, after)) = rest.split_once(END)
    {
        generated.push((PathBuf::from(PROMPT), format!("{before}{BEGIN}\n{}{END}{after}", prompt_list())));
    }
    Ok(generated)
}

/// Rows that programs can write, family by family.
fn visible() -> impl Iterator<Item = (&'static Family, Vec<&'static Builtin>)> {
    families()
        .iter()
        .map(|family| (family, family.rows.iter().filter(|row| !row.name.starts_with('%')).collect::<Vec<_>>()))
        .filter(|(_, rows)| !rows.is_empty())
}

/// Everything that can be looked up, under its headings.
fn page() -> String {
    let mut page = String::from(
        "# Functions\n\nEvery builtin function of PTC-Lisp, then the special forms, macros and constants. This page is generated from\nthe tables by `cargo xtask codegen`; each example is run by a test. `ptc doc NAME` shows the same in a terminal.\n",
    );
    let mut family = "";
    for entry in reference() {
        if entry.family != family {
            family = entry.family;
            let _ = write!(page, "\n## {family}\n");
        }
        let calls: Vec<String> = entry.calls.iter().map(|call| format!("`{call}`")).collect();
        let _ = write!(page, "\n### `{}`\n\n{}\n\n{}\n", entry.name, calls.join(" "), entry.doc);
        if !entry.examples.is_empty() {
            page.push_str("\n```clojure\n");
            for (program, value) in entry.examples {
                let _ = writeln!(page, "{program} ;=> {value}");
            }
            page.push_str("```\n");
        }
    }
    page
}

/// The same for editors: one JSON object on each line.
fn completion() -> String {
    let entries = reference();
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| {
            let told = json!({
                "name": entry.name,
                "kind": entry.kind.as_str(),
                "namespaces": entry.namespaces,
                "params": entry.params,
                "doc": entry.doc,
            });
            told.to_string()
        })
        .collect();
    format!("[\n{}\n]\n", lines.join(",\n"))
}

/// The names by family, one line each; names that need a namespace or a dot are left to the text around the list.
fn prompt_list() -> String {
    let mut list = String::from("\n## Functions\n\nAll of these exist, by family:\n\n");
    for (family, rows) in visible() {
        let names: Vec<&str> = rows.iter().map(|row| row.name).filter(|name| is_bare(name)).collect();
        if !names.is_empty() {
            let _ = writeln!(list, "- {}: {}", family.title, names.join(" "));
        }
    }
    list
}

/// Names without namespace, dot or bit twiddling: what a program usually wants.
fn is_bare(name: &str) -> bool {
    !(name.len() > 1 && name.contains('/') || name.contains('.') || name.starts_with("bit-") || name.starts_with("unchecked-"))
}
