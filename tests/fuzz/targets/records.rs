//! What runs left on disk: journals, steps, trace logs, recorded answers.

use ptc_runner::agent::recorded_step;
use ptc_runner::chat::ReplayLlm;
use ptc_runner::trace::viewer::{About, Document, page};
use ptc_runner::trace::{Analysis, SpanTree, Trace, chrome_trace, debug};
use ptc_runner::transcript::{Recorded, StepJson};

/// A journal is read to its last whole record or refused, and gives the same when only that part is read.
pub(crate) fn journal(bytes: &[u8]) {
    let Ok(Some(recorded)) = Recorded::read(bytes) else { return };
    let whole = recorded.whole_bytes();
    assert!(whole <= bytes.len());
    let turns = recorded.turns().len();
    match Recorded::read(bytes.get(..whole).unwrap_or_default()) {
        Ok(Some(again)) => assert_eq!((again.turns().len(), again.whole_bytes()), (turns, whole)),
        other => panic!("the whole records are not read: {:?}", other.map(|recorded| recorded.is_some())),
    }
    if let Ok(step) = recorded_step(recorded) {
        look_at(&step);
    }
}

/// A step is read or refused; what is read is written as text that is read as the same, and can be shown.
pub(crate) fn step(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(read) = StepJson::parse(text) else { return };
    let written = read.to_json().to_string();
    match StepJson::parse(&written) {
        Ok(again) => assert_eq!(again.to_json().to_string(), written),
        Err(error) => panic!("{error}: {written}"),
    }
    if let Ok(step) = read.to_step() {
        look_at(&step);
    }
}

fn look_at(step: &ptc_runner::transcript::Step) {
    let page = page(&Document::of(step, &About::default()));
    assert_eq!(page.matches("</script>").count(), page.matches("<script").count(), "a run cannot end a script");
    let _ = debug::trace_text(step, debug::DebugOptions::default(), true);
}

/// A trace log is read or refused, and can be shown.
pub(crate) fn trace(bytes: &[u8]) {
    let Ok(trace) = Trace::parse(bytes) else { return };
    let lines = bytes.split(|byte| *byte == b'\n').count();
    assert!(trace.entries.len() < lines, "{} entries in {lines} lines", trace.entries.len());
    assert!(!Analysis::of(&trace).format().is_empty());
    let _ = (trace.to_lines(), SpanTree::of(&trace).format(), chrome_trace(&trace));
}

/// Recorded answers are read, or refused with the line.
pub(crate) fn answers(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match ReplayLlm::from_text("answers.jsonl", text) {
        Ok(model) => assert!(model.remaining() <= text.lines().count()),
        Err(error) => assert!(error.to_string().contains("answers.jsonl"), "{error}"),
    }
}
