//! `ptc doc`: the reference in the terminal, and the language text that models read.

use std::io::{self, Write};

use clap::Args;
use ptc_runner::lisp::{ReferenceEntry, look_up, reference};
use ptc_runner::mission::LanguageSpec;
use serde_json::{Value as Json, json};

use crate::completion;
use crate::failure::{Exit, Failure};
use crate::output::{self, print};

const DOC_EXAMPLES: &str = "\
Examples:
  ptc doc group-by
  ptc doc clojure.string/join
  ptc doc | less                          # everything, one line each
  ptc doc --language-spec                 # what models read about the language
  ptc doc --language-spec full            # the longer text, for small models
  ptc doc --language-spec minimal --json";

/// Look up functions and special forms, or the language text that models read.
#[derive(Debug, Args)]
#[command(after_help = DOC_EXAMPLES)]
pub(crate) struct DocArgs {
    /// The function, special form or constant, with or without its namespace; without NAME all are listed.
    #[arg(add = completion::functions())]
    name: Option<String>,
    /// Print the language text that models read: `lean`, `full`, `brief` or `minimal`; without KEY the default.
    #[arg(long, value_name = "KEY", num_args = 0..=1, default_missing_value = LanguageSpec::DEFAULT, conflicts_with = "name")]
    language_spec: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Run the command.
pub(crate) fn run(args: &DocArgs) -> Result<Exit, Failure> {
    match (&args.language_spec, &args.name, args.json) {
        (Some(key), _, true) => {
            let (about, text) = (LanguageSpec::metadata(key)?, LanguageSpec::get(key)?);
            output::json(&json!({
                "key": about.key, "version": about.version, "date": about.date, "change": about.change, "parts": about.parts, "text": text,
            }))?;
        }
        (Some(key), _, false) => {
            let text = LanguageSpec::get(key)?;
            print(|out| writeln!(out, "{text}"))?;
        }
        (None, Some(name), is_json) => {
            if name.trim().is_empty() {
                return Err("write a name, such as `ptc doc map`; `ptc doc` lists all".into());
            }
            let entry = look_up(name).map_err(|unknown| format!("{unknown}; `ptc doc` lists all"))?;
            if is_json { output::json(&to_json(&entry)) } else { print(|out| describe(&entry, out)) }?;
        }
        (None, None, true) => output::json(&reference().iter().map(to_json).collect::<Vec<_>>())?,
        (None, None, false) => print(|out| list(&reference(), out))?,
    }
    Ok(Exit::Ok)
}

/// One entry with all its documentation.
pub(crate) fn describe(entry: &ReferenceEntry, out: &mut dyn Write) -> io::Result<()> {
    let bare = entry.name.rsplit_once('/').map_or(entry.name, |(_, bare)| bare);
    let elsewhere = entry.namespaces.iter().filter(|alias| **alias != "core").map(|alias| format!("{alias}/{bare}"));
    let others: Vec<String> = elsewhere.filter(|name| name != entry.name).collect();
    write!(out, "{}  ({}", entry.name, entry.kind.as_str())?;
    if !others.is_empty() {
        write!(out, ", also {}", others.join(" "))?;
    }
    writeln!(out, ", {})", entry.family)?;
    entry.calls.iter().try_for_each(|call| writeln!(out, "  {call}"))?;
    writeln!(out, "\n  {}", entry.doc)?;
    if !entry.examples.is_empty() {
        writeln!(out)?;
    }
    entry.examples.iter().try_for_each(|(program, value)| writeln!(out, "  {program}  ;=> {value}"))
}

/// The families, one line for each name.
fn list(entries: &[ReferenceEntry], out: &mut dyn Write) -> io::Result<()> {
    let mut family = "";
    for entry in entries {
        if entry.family != family {
            writeln!(out, "{}{}", if family.is_empty() { "" } else { "\n" }, entry.family)?;
            family = entry.family;
        }
        writeln!(out, "  {:<22} {}", entry.name, entry.doc)?;
    }
    Ok(())
}

fn to_json(entry: &ReferenceEntry) -> Json {
    let examples: Vec<Json> =
        entry.examples.iter().map(|(program, value)| json!({"program": program, "value": value})).collect();
    json!({
        "name": entry.name, "kind": entry.kind.as_str(), "family": entry.family, "namespaces": entry.namespaces,
        "params": entry.params, "calls": entry.calls, "doc": entry.doc, "examples": examples,
    })
}
