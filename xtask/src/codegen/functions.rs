//! Pages about the builtin functions: the reference, and the list for models.

use std::path::PathBuf;

use ptc_lisp::{ReferenceEntry, reference};
use serde_json::json;

use super::Generated;
use super::readmes::between_markers;
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
    for family in reference().chunk_by(|one, next| one.family == next.family) {
        page += &format!("\n## {}\n", family.first().map_or("", |entry| entry.family));
        for entry in family {
            let calls: Vec<String> = entry.calls.iter().map(|call| format!("`{call}`")).collect();
            page += &format!("\n### `{}`\n\n{}\n\n{}\n", entry.name, calls.join(" "), entry.doc);
            let examples = entry.examples.iter().map(|(program, value)| format!("{program} ;=> {value}\n"));
            if !entry.examples.is_empty() {
                page += &format!("\n```clojure\n{}```\n", examples.collect::<String>());
            }
        }
    }
    page
}

/// What editors complete and show: one JSON object on each line.
fn completion() -> String {
    let line = |entry: &ReferenceEntry| {
        let ReferenceEntry { name, kind, namespaces, params, doc, .. } = entry;
        json!({ "name": name, "kind": kind.as_str(), "namespaces": namespaces, "params": params, "doc": doc })
            .to_string()
    };
    format!("[\n{}\n]\n", reference().iter().map(line).collect::<Vec<_>>().join(",\n"))
}

/// Every name that can be looked up, one line for each family.
fn prompt_list() -> String {
    let mut list = String::from("\n## Functions\n\nAll functions, special forms and constants:\n");
    for family in reference().chunk_by(|one, next| one.family == next.family) {
        let names: Vec<&str> = family.iter().map(|entry| entry.name).collect();
        list += &format!("\n- {}: {}", family.first().map_or("", |entry| entry.family), names.join(" "));
    }
    list + "\n"
}
