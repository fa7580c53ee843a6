//! The page: one file that loads nothing, or served.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ptc_lisp::text::is_invisible;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::document::Document;
use crate::markup::markup_text;

const STYLE: &str = include_str!("viewer.css");

/// The parts of the script, which share one scope.
pub(super) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("js/dom.js"),
    include_str!("js/format.js"),
    include_str!("js/lisp.js"),
    include_str!("js/model.js"),
    include_str!("js/parts.js"),
    include_str!("js/turn.js"),
    include_str!("js/overview.js"),
    include_str!("js/search.js"),
    include_str!("js/viewer.js"),
    include_str!("js/runs.js"),
    include_str!("js/gateway.js"),
    include_str!("js/diff.js"),
    include_str!("js/start.js"),
    "})();\n"
);

/// What a served page requests from its server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "show", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Asset {
    /// A document, repeatedly while its run is running.
    Run {
        /// The address of the document, relative to the page.
        url: String,
        /// The address of the list of runs.
        list: Option<String>,
    },
    /// Two runs next to each other.
    Diff {
        /// The address of the comparison, relative to the page.
        url: String,
        /// The address of the list of runs.
        list: String,
        /// The addresses of the runs.
        runs: [String; 2],
    },
    /// A gateway: its servers, questions, sessions and audit log.
    Gateway {
        /// The address of its data, relative to the page.
        url: String,
        /// The address of the list of runs.
        list: String,
    },
    /// A list of runs.
    Runs {
        /// The address of the list, relative to the page.
        url: String,
    },
}

/// A file for browsers with everything that the document holds. It loads nothing, and its policy allows nothing but its
/// own script and style. Without a script it shows mission, ending and answer.
pub fn page(document: &Document) -> String {
    let run = &document.run;
    let title = run.name.as_deref().or(run.mission.lines().next()).unwrap_or("Run");
    let answer = match (&run.answer, &run.fail) {
        (Some(answer), _) => answer.text.clone(),
        (None, Some(fail)) => format!("{}: {}", fail.reason, fail.message),
        (None, None) => String::new(),
    };
    let plain = format!(
        "<h1>{}</h1>\n<pre>{}</pre>\n<p>Ended with: {}</p>\n<pre>{}</pre>\n<p>Turns, calls and definitions are shown by a \
         script, which this browser does not run.</p>\n",
        markup_text(title),
        markup_text(&run.mission),
        markup_text(run.ending),
        markup_text(&answer)
    );
    html(title, &plain, document, "")
}

/// A page that loads its contents from its server.
pub fn served_page(title: &str, asset: &Asset) -> String {
    let plain =
        "<p>This page needs a script, which this browser does not run. `ptc show FILE` shows a run as text.</p>\n";
    html(title, plain, asset, " connect-src 'self';")
}

/// A page without a script: this markup under this style sheet. It loads nothing, and its policy allows nothing but the
/// style sheet. Texts in the markup are [`markup_text`].
pub fn still_page(title: &str, style: &str, markup: &str) -> String {
    let body = format!("{markup}</body>\n</html>\n");
    head(title, style, "", "") + &body
}

fn html(title: &str, plain: &str, data: &impl Serialize, more_policy: &str) -> String {
    let script = format!(" script-src '{}';", hash(SCRIPT));
    let body = format!(
        "<noscript>\n{plain}</noscript>\n<script type=\"application/json\" id=\"data\">{}</script>\n\
         <script>{SCRIPT}</script>\n</body>\n</html>\n",
        inert(&serde_json::to_string(data).unwrap_or_default())
    );
    head(title, STYLE, &script, more_policy) + &body
}

/// The page up to the beginning of its body; `script` is what its policy says about scripts.
fn head(title: &str, style: &str, script: &str, more_policy: &str) -> String {
    let policy = format!(
        "default-src 'none';{script} style-src '{}'; base-uri 'none'; form-action 'none';{more_policy}",
        hash(style)
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>{style}</style>\n</head>\n<body>\n",
        markup_text(title),
    )
}

/// The name of this script or style in a policy.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// JSON that no parser of HTML or scripts mistakes for anything else, and that every editor shows correctly.
fn inert(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
            || c.is_control()
            || is_invisible(c)
        {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\u{unit:04x}");
            }
        } else {
            text.push(c);
        }
    }
    text
}
