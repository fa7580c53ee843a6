//! The output of a run of `cargo test`, as names of tests with their results.

use std::collections::BTreeMap;

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Passed,
    Ignored,
    Failed,
}

/// The results of a run by name.
///
/// A name is that of the binary, then the path of the test:
/// `ptc-agent::run::tests::laws::a_run_can_move_between_threads`. The binary of unit tests is named after its crate, or
/// after the command (`ptc`); one of integration tests after its file. The doc tests of an item are one test,
/// `ptc-mission::doc::template::t`, that passes when all of them do; those that must not compile are another,
/// `ptc-mission::compile-fail::template::t`.
#[derive(Debug, Default)]
pub(super) struct Results {
    verdicts: BTreeMap<String, Verdict>,
    unfinished: Vec<String>,
}

impl Results {
    /// Read both outputs of a run, in their order.
    pub(super) fn read(printed: &str) -> Results {
        let mut reader = Reader::default();
        for line in printed.lines() {
            reader.line(&without_colours(line));
        }
        reader.close();
        reader.results
    }

    /// How the test ended; the worst result, if several have the name.
    pub(super) fn verdict(&self, name: &str) -> Option<Verdict> {
        self.verdicts.get(name).copied()
    }

    /// Binaries that started and never reported how they ended.
    pub(super) fn unfinished(&self) -> &[String] {
        &self.unfinished
    }

    pub(super) fn is_empty(&self) -> bool {
        self.verdicts.is_empty()
    }
}

#[derive(Default)]
struct Reader {
    results: Results,
    binary: String,
    is_doc: bool,
    is_open: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let line = line.trim();
        if let Some(binary) = binary(line) {
            self.begin(binary, false);
        } else if let Some(name) = line.strip_prefix("Doc-tests ") {
            self.begin(name.replace('_', "-"), true);
        } else if line.starts_with("running ") && line.ends_with(['t', 's']) {
            self.is_open = true;
        } else if line.starts_with("test result: ") {
            self.is_open = false;
        } else if let Some((path, verdict)) = test(line) {
            self.add(path, verdict);
        }
    }

    fn begin(&mut self, binary: String, is_doc: bool) {
        self.close();
        (self.binary, self.is_doc) = (binary, is_doc);
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.results.unfinished.push(self.binary.clone());
        }
    }

    fn add(&mut self, path: &str, verdict: Verdict) {
        let path = if self.is_doc { doc_path(path) } else { path.trim_end_matches(" - should panic").to_owned() };
        let worst = self.results.verdicts.entry(format!("{}::{path}", self.binary)).or_insert(verdict);
        *worst = verdict.max(*worst);
    }
}

/// `Running unittests src/lib.rs (target/debug/deps/ptc_agent-0123456789abcdef)` gives `ptc-agent`.
fn binary(line: &str) -> Option<String> {
    let (_, path) = line.strip_prefix("Running ")?.strip_suffix(')')?.rsplit_once('(')?;
    let file = path.rsplit(['/', '\\']).next()?;
    let (name, _) = file.rsplit_once('-')?;
    Some(name.replace('_', "-"))
}

/// `test a::b ... ok` gives the path and the verdict.
fn test(line: &str) -> Option<(&str, Verdict)> {
    let (path, ending) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let verdict = match ending {
        "ok" => Verdict::Passed,
        "FAILED" => Verdict::Failed,
        other if other.starts_with("ignored") => Verdict::Ignored,
        _ => return None,
    };
    Some((path, verdict))
}

/// `crates/x/src/template.rs - template::t (line 8)` gives `doc::template::t`: lines move, items stay. What must not
/// compile is `compile-fail::template::t`, so that a twin that compiles cannot stand for it.
fn doc_path(path: &str) -> String {
    let kind = if path.ends_with(" - compile fail") { "compile-fail" } else { "doc" };
    let item = path.split_once(" - ").map_or(path, |(_, item)| item);
    let item = item.split("(line ").next().unwrap_or_default().trim();
    if item.is_empty() { kind.to_owned() } else { format!("{kind}::{item}") }
}

/// The line without the escape sequences that colour it.
fn without_colours(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or("", |(_, rest)| rest));
    }
    plain
}
