//! Pages about the builtin functions: the reference, and the list for models.

use std::fmt::Write as _;
use std::path::PathBuf;

use ptc_lisp::reference;
use serde_json::json;

use super::Generated;
use super::readme::between_markers;
use crate::{Failure, Workspace};

const REFERENCE: &str = "docs/reference/functions.md";
const COMPLETION: &str = "docs/reference/completion.json";
const PROMPT: &str = "crates/ptc-mission/src/texts/details.md";

/// The reference page, the data for editors, and the language text with the function list between its markers.
pub(super) fn generate(workspace: &Workspace) -> Result<Generated, Failure> {
    let text = workspace.read(PROMPT)?;
    let prompt = between_markers(&text, "functions", &prompt_list());
    let files = [(REFERENCE, page()), (COMPLETION, completion()), (PROMPT, prompt)];
    Ok(files.map(|(path, text)| (PathBuf::from(path), text)).into())
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

/// Every name that can be looked up, one line for each family.
fn prompt_list() -> String {
    let mut list = String::from("\n## Functions\n\nAll functions, special forms and constants:\n");
    let mut family = "";
    for entry in reference() {
        if entry.family != family {
            family = entry.family;
            let _ = write!(list, "\n- {family}:");
        }
        let _ = write!(list, " {}", entry.name);
    }
    list + "\n"
}
