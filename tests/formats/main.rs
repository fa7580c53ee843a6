//! Files of every released format version can be read, and mean what they meant; see `README.md` in their folder.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "what is broken fails the test")]

use std::path::{Path, PathBuf};

use ptc_runner::agent::recorded_step;
use ptc_runner::chat::{Llm, ReplayLlm, Request};
use ptc_runner::lisp::text::{FormatOptions, format};
use ptc_runner::lisp::{Session, SessionOptions, StoredMemory};
use ptc_runner::trace::{Analysis, TRACE_VERSION, Trace};
use ptc_runner::transcript::{FORMAT_VERSION, JOURNAL_VERSION, Recorded, Step, StepJson, TurnJson, ValueForm};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("formats")
}

fn file(name: &str) -> String {
    let path = folder().join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}; see README.md there", path.display()))
}

/// The files of a format, of all its versions.
fn files(format: &str, versions: u32) -> Vec<(String, String)> {
    let mut names: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter(|name| name.starts_with(&format!("{format}-")))
        .collect();
    names.sort_unstable();
    for version in 1..=versions {
        let begins = format!("{format}-{version}");
        let is_there =
            names.iter().filter_map(|name| name.strip_prefix(&begins)).any(|rest| rest.starts_with(['.', '-']));
        assert!(is_there, "keep a file of {format} version {version} in tests/formats before you raise it");
    }
    let read = |name: String| {
        let text = file(&name);
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// The answer of a session that restored this memory, which leaves out these definitions.
fn answers(memory: &str, left_out: &[&str], program: &str) -> String {
    let mut session = Session::new(SessionOptions::default());
    let gone = session.restore_memory(&StoredMemory::parse(memory).expect("a memory"));
    assert_eq!(gone.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), left_out, "{gone:?}");
    let outcome = session.run(program, &mut |_| unreachable!());
    let value = outcome.value().unwrap_or_else(|| panic!("{:?}", outcome.problems()));
    format(value, &FormatOptions::full()).text
}

#[test]
fn memory_files_of_every_version_are_read() {
    assert_eq!(
        answers(&file("memory-1-first.json"), &["f"], "[n m @at (ex-message e)]"),
        r#"[1 {:a [nil true 1.5]} 7 "Divide by zero"]"#
    );
    let program = "(swap! same conj 3)
        [n big (f 4) @at (add 1) @later m (assoc sm 0 :z) st (re-find re \"baa\") (p 2) (ex-message e) (.getYear day)
         (try (throw e) (catch ArithmeticException x :arithmetic))]";
    let expected = r#"[1 123456789012345678901234567890 8 [1 2 3] 4 2 {:a 1 "b" [nil true 1.5]} {0 :z 1 :a 2 :b} #{:x} "aa" 3 "Divide by zero" 2024 :arithmetic]"#;
    for name in ["memory-1.json", "memory-2.json"] {
        assert_eq!(answers(&file(name), &[], program), expected, "{name}");
    }
    assert_eq!(answers(&file("memory-2.json"), &[], "rows"), r#"[{:a 1 :b nil} {:a 2 :b "x"}]"#);
}

fn check_step(step: &Step, name: &str) {
    assert!(step.is_ok(), "{name}: {:?}", step.fail());
    let answer: serde_json::Value = step.value().expect("an answer");
    assert_eq!(answer, serde_json::json!({"n": 2, "when": "Monday"}), "{name}");
    assert_eq!((step.turns().len(), step.mission.as_str()), (2, "Count Monday."), "{name}");
    let call = &step.turns()[0].tool_calls()[0];
    assert_eq!((&*call.name, format(&call.result, &FormatOptions::full()).text.as_str()), ("add", "5"), "{name}");
    let held = step.turns()[1].memory();
    assert!(held.get("a").is_some(), "{name}");
    assert_eq!((step.usage.input_tokens, step.usage.output_tokens), (Some(10), Some(5)), "{name}");
}

#[test]
fn journals_of_every_version_are_read() {
    for (name, text) in files("journal", JOURNAL_VERSION) {
        let recorded = Recorded::read(text.as_bytes()).expect("a journal").expect("a header");
        assert_eq!((recorded.replies().len(), recorded.calls().count(), recorded.turns().len()), (3, 1, 2), "{name}");
        assert_eq!(recorded.asked().len(), 3, "{name}");
        check_step(&recorded_step(recorded).expect("a step"), &name);
    }
}

#[test]
fn steps_and_turns_of_every_version_are_read() {
    for (name, text) in files("step", FORMAT_VERSION) {
        let json = StepJson::parse(&text).expect("a step");
        let is_plain = json.values == ValueForm::Plain;
        let step = json.into_typed().to_step().expect("a step");
        check_step(&step, &name);
        assert_eq!(step.data.iter().count(), usize::from(!is_plain), "{name}");
    }
    for (name, text) in files("turn", FORMAT_VERSION) {
        let turn: TurnJson = serde_json::from_str(&text).expect("a turn");
        let turn = turn.to_turn().expect("a turn");
        assert_eq!(
            (turn.number(), turn.is_success(), turn.error_message().as_deref()),
            (3, false, Some("no program")),
            "{name}"
        );
        assert!(turn.memory().get("rate").is_some() && turn.failed_at().is_some(), "{name}");
    }
}

#[test]
fn trace_logs_of_every_version_are_read() {
    for (name, text) in files("trace", TRACE_VERSION) {
        let trace = Trace::parse(text.as_bytes()).expect("a log");
        let analysis = Analysis::of(&trace);
        assert!(analysis.complete && analysis.runs == 1 && analysis.failed_turns == 0, "{name}: {}", analysis.format());
        assert_eq!(
            analysis.tools.iter().map(|tool| (tool.name.as_str(), tool.calls)).collect::<Vec<_>>(),
            [("add", 1)],
            "{name}"
        );
    }
}

#[tokio::test]
async fn replay_files_of_every_version_are_read() {
    for (name, text) in files("replay", 1) {
        let llm = ReplayLlm::from_text(name.as_str(), &text).expect("a replay file");
        let request = Request::default();
        let first = llm.reply(&request, None).await.expect("an answer");
        assert_eq!(first.tokens.map(|tokens| tokens.total()), Some(15), "{name}");
        assert_eq!(llm.reply(&request, None).await.expect_err("an error").status, Some(429), "{name}");
        assert_eq!(llm.reply(&request, None).await.expect("an answer").reasoning.as_deref(), Some("hm"), "{name}");
        assert_eq!(llm.remaining(), 0, "{name}");
    }
}
