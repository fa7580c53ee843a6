//! The playground: one file that loads nothing. Its style, colours and elements are those of the pages of runs.

use std::io::{self, Write as _};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::{Failure, Workspace};

const VIEWER: &str = "crates/ptc-trace/src/viewer";
const PLAYGROUND: &str = "crates/ptc-wasm/playground";

/// The parts of the script, which share one scope: those of the viewer first.
const SHARED: [&str; 3] = ["js/dom.js", "js/format.js", "js/lisp.js"];
const OWN: [&str; 4] = ["engine.js", "editor.js", "results.js", "playground.js"];

/// A module as browsers unpack it.
pub(super) fn packed(module: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(module)?;
    encoder.finish()
}

/// The page with this module, as [`packed`] returns it, and the JavaScript that `wasm-bindgen` wrote for it.
pub(super) fn page(workspace: &Workspace, glue: &str, module: &[u8]) -> Result<String, Failure> {
    let read = |folder: &str, names: &[&str]| {
        names.iter().map(|name| workspace.read(Path::new(folder).join(name))).collect::<Result<String, Failure>>()
    };
    let style = read(VIEWER, &["viewer.css"])? + &read(PLAYGROUND, &["playground.css"])?;
    let parts = read(VIEWER, &SHARED)? + &read(PLAYGROUND, &OWN)?;
    let script = format!("(() => {{\n\"use strict\";\n{parts}}})();\n");
    let worker = glue.to_owned() + &read(PLAYGROUND, &["worker.js"])?;
    let gallery = workspace.manifest(Path::new(PLAYGROUND).join("gallery.toml"))?;
    let gallery = serde_json::to_string(&gallery).unwrap_or_default();
    let parts = [
        ("{policy}", policy(&script)),
        ("{style}", style),
        ("{gallery}", inert(&gallery)),
        ("{module}", STANDARD.encode(module)),
        ("{worker}", worker),
        ("{script}", script),
    ];
    let template = read(PLAYGROUND, &["page.html"])?;
    filled(&template, &parts).map_err(|text| Failure::measured("playground", text))
}

/// The page may run its script and workers made of its text. It may reach nothing, and neither may its workers, which
/// have the same policy: `unsafe-eval` is for the tools that people write into the page.
fn policy(script: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(script));
    format!(
        "default-src 'none'; script-src 'sha256-{hash}' 'unsafe-eval' blob:; worker-src blob:; style-src \
         'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )
}

/// The template with its parts, each of which it names once. Errors with a part that it lacks, or that would end the
/// element around it.
pub(super) fn filled(template: &str, parts: &[(&str, String)]) -> Result<String, String> {
    let mut page = String::new();
    let mut rest = template;
    for (name, text) in parts {
        let (before, after) = rest.split_once(name).ok_or_else(|| format!("page.html lacks {name} at its place"))?;
        if let Some(end) = ["</script", "</style", "<!--"].into_iter().find(|end| text.to_lowercase().contains(end)) {
            return Err(format!("{name} contains {end}, which a page cannot hold there: write it in two pieces"));
        }
        page.push_str(before);
        page.push_str(text);
        rest = after;
    }
    page.push_str(rest);
    Ok(page)
}

/// JSON that no parser of HTML mistakes for anything else.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}
