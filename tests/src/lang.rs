//! The language corpus: programs that anyone can read, each with its expected answer.
//!
//! A file is a list of cases, divided by blank lines; a case is a comment, a program and what is expected of it:
//!
//! ```clojure
//! ;; A stuck loop stops at the fuel limit; what it printed is kept.
//! ;- limits {:fuel 100}
//! (println "go")
//! (loop [] (recur))
//! ;out> go
//! ;!> fuel_exceeded 2:1 stopped after 100 steps: …
//! ```
//!
//! Before the program: `;- limits {:fuel :memory :depth :time-ms}`, `;- data {…}`, and
//! `;- tool NAME SIGNATURE = BODY`, where the body is a program over the parameters and `(fail "text")` a failing tool.
//! After it: `;=>`, `;return>` or `;fail>` with the printed value; `;out>` per printed line; `;!>` per problem with its
//! reason, place and text; `;warn>` per warning with its code, place and text; `;call>` per tool call with its
//! arguments. Prints, warnings and problems must be all there and no others; calls are compared when at least one is
//! given. A text may end in `…`, which stands for any rest. Code directly below the expectations is the next turn of
//! the session.
//!
//! `;clojure>` is what Clojure answers instead: `throws`, `prints` with the text, or the printed value. The cases that have it are
//! in [`clojure_folder`].

mod read;
mod run;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};

use ptc_lisp::{Limits, Session, ToolCall, ToolResult};

pub use read::{Malformed, read};

/// A program, or several turns of one, each with its expected answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The comment above it.
    pub title: String,
    /// The line of its file where it starts, from 1.
    pub line: usize,
    /// `:fuel`, `:memory`, `:depth`, `:time-ms` as a map literal.
    pub limits: Option<String>,
    /// What is under `data/`, as a map literal.
    pub data: Option<String>,
    /// The tools that it may call.
    pub tools: Vec<ToolText>,
    /// The programs, in order.
    pub turns: Vec<Turn>,
}

/// A tool as a case describes it.
#[derive(Clone, Debug)]
pub struct ToolText {
    /// The name after `tool/`.
    pub name: String,
    /// Its signature; empty for none.
    pub signature: String,
    /// A program over the parameters.
    pub body: String,
}

/// One program and its expected answer.
#[derive(Clone, Debug, Default)]
pub struct Turn {
    /// The program.
    pub source: String,
    /// How it must end.
    pub ending: Option<Ending>,
    /// The printed lines.
    pub prints: Vec<String>,
    /// `reason line:column text`, in order.
    pub problems: Vec<String>,
    /// `code line:column text`, in order.
    pub warnings: Vec<String>,
    /// `name {args}`, in order; unchecked when empty.
    pub calls: Vec<String>,
    /// What Clojure answers, where it answers otherwise.
    pub clojure: Option<String>,
}

/// How a program must end, with the printed value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `;=>`
    Value(String),
    /// `;return>`
    Return(String),
    /// `;fail>`
    Fail(String),
}

/// A name that is made to return `:wrong`: its namespace and its name.
pub type Sabotaged<'a> = (&'a str, &'a str);

impl Case {
    /// Run it, in slices of fuel when asked; returns the differences, empty when everything is as expected.
    pub fn check(&self, slice: Option<u64>, sabotage: Option<Sabotaged<'_>>) -> Vec<String> {
        run::check(self, slice, sabotage)
    }

    /// A session with its data and tools, for programs that are not its own; `limits` where the case sets none.
    ///
    /// Errors with the malformed directive.
    pub fn session(&self, limits: Limits) -> Result<Session, String> {
        run::open(self, limits)
    }

    /// The answer of the tool of this name; a failure when the case has no such tool.
    pub fn answer(&self, call: &ToolCall) -> ToolResult {
        run::answer(&self.tools, call)
    }

    /// Whether one of its programs contains `name` as a whole word, alone or after a namespace.
    pub fn mentions(&self, name: &str) -> bool {
        let edge = |c: char| c.is_whitespace() || "()[]{}\",;'@^`~".contains(c);
        let in_name = |text: &str| {
            text.split(edge).any(|word| {
                let word = word.trim_start_matches('#');
                word == name || word.rsplit_once('/').is_some_and(|(_, last)| last == name)
            })
        };
        self.turns.iter().any(|turn| in_name(&turn.source))
            // An edge character may be part of a name: `+'`, `*'`.
            || (name.contains('\'') && self.turns.iter().any(|turn| turn.source.contains(name)))
            // `@x` is `deref` and `#()` is `fn`, in other notation.
            || (name == "deref" && self.turns.iter().any(|turn| turn.source.contains('@')))
    }
}

/// All files of the corpus below `folder`, sorted.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "clj") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The folder of the corpus in this workspace.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("lang")
}

/// The folder of the corpus with the differences from Clojure: programs that answer otherwise in `differs`, and programs that
/// do not run here, each with one that does, in `absent`. The page for people who know Clojure is made from it.
#[must_use]
pub fn clojure_folder() -> PathBuf {
    folder().join("clojure")
}
