//! Pages about the builtin functions: the reference, and the list that models are shown.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ptc_lisp::{Builtin, Family, families};

use super::{Context, Generated};
use crate::Failure;

const REFERENCE: &str = "docs/reference/functions.md";
const PROMPT: &str = "crates/ptc-mission/src/texts/base.md";
const BEGIN: &str = "<!-- functions:begin -->";
const END: &str = "<!-- functions:end -->";

/// The reference page and the language text with the function list between its markers.
pub(super) fn generate(context: &Context) -> Result<Generated, Failure> {
    let text = context.workspace.read(Path::new(PROMPT))?;
    let mut generated = vec![(PathBuf::from(REFERENCE), reference())];
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

fn reference() -> String {
    let mut page = String::from(
        "# Functions\n\nEvery builtin function of PTC-Lisp. This page is generated from the function table by `cargo xtask codegen`;\neach example is run by a test.\n",
    );
    for (family, rows) in visible() {
        let _ = write!(page, "\n## {}\n", family.title);
        for row in rows {
            let calls: Vec<String> = row.params.iter().map(|params| call(row.name, params)).collect();
            let _ = write!(page, "\n### `{}`\n\n{}\n\n{}\n", row.name, calls.join(" "), row.doc);
            if !row.examples.is_empty() {
                page.push_str("\n```clojure\n");
                for (program, value) in row.examples {
                    let _ = writeln!(page, "{program} ;=> {value}");
                }
                page.push_str("```\n");
            }
        }
    }
    page
}

/// `` `(name a b)` `` for a row and one of its parameter lists.
fn call(name: &str, params: &str) -> String {
    let inner = params.trim_matches(['[', ']']);
    if inner.is_empty() { format!("`({name})`") } else { format!("`({name} {inner})`") }
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
