//! Logs hold what happened, whatever happens to them.

use std::io::{self, Write};
use std::sync::Arc;

use proptest::prelude::*;
use ptc_chat::Message;
use ptc_lisp::ToolNotice;
use ptc_transcript::{EventKind, Observer};

use super::{TraceLog, TraceOptions};
use crate::sample::{any_events, approval_events, event, events, log_of, noticed, options, streamed, traced};
use crate::{SpanTree, Trace, TraceBuffer};

proptest! {
    #[test]
    fn a_log_reads_back_as_it_was_written(events in any_events()) {
        let read = Trace::parse(&log_of(&events, options())).unwrap();
        prop_assert_eq!(&read.entries, &traced(&events).entries);
        prop_assert_eq!(read.stop.as_ref().map(|stop| stop.lost), Some(0));
        prop_assert!(!read.torn);
        for (entry, event) in read.entries.iter().zip(&events) {
            prop_assert_eq!(&entry.event, event.kind.name());
            prop_assert_eq!(&entry.span_id, &event.span.to_string());
            prop_assert_eq!(&entry.parent_span_id, &event.parent.map(|parent| parent.to_string()));
        }
    }

    #[test]
    fn any_prefix_reads_with_its_whole_lines(events in any_events(), cut in 0.0..1.0_f64) {
        let log = log_of(&events, options());
        let whole = Trace::parse(&log).unwrap();
        let start = log.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let length = start + ((log.len() - start) as f64 * cut) as usize;
        let read = Trace::parse(&log[..length]).unwrap();
        let lines = log[start..length].iter().filter(|byte| **byte == b'\n').count();
        // The last byte of a line may be all that is missing: then the line is read, too.
        let unbroken = usize::from(!log[..length].ends_with(b"\n") && log[length..].starts_with(b"\n"));
        prop_assert_eq!(read.entries.len(), (lines + unbroken).min(events.len()));
        prop_assert_eq!(&read.entries[..], &whole.entries[..read.entries.len()]);
        prop_assert_eq!(read.torn, unbroken == 0 && !log[..length].ends_with(b"\n"));
    }
}

#[test]
fn a_streamed_run_has_the_lines_of_any_other() {
    let streamed = streamed(&events());
    assert_eq!(streamed.len(), events().len() + 1);
    assert_eq!(traced(&streamed).entries, traced(&events()).entries);
}

#[test]
fn the_lines_of_a_run() {
    let mut options = options();
    options.meta.insert("mission".into(), "m.toml".into());
    let log = TraceLog::new(Vec::new(), options).unwrap();
    events().iter().for_each(|event| log.on_event(event));
    log.stop();
    log.on_event(&events()[0]);
    assert_eq!(log.stop().events, 10, "stopping again changes nothing");
    insta::assert_snapshot!(String::from_utf8(log.into_writer()).unwrap().replace(&"1a2b3c4d".repeat(4), "ID"));
}

#[test]
fn the_lines_of_what_tools_tell() {
    let facts = |notice| {
        let kind = EventKind::ToolNotice { tool_name: "n-scan".into(), notice };
        let entry = traced(&[event(4, 2, kind)]).entries.remove(0);
        format!("{} {}", entry.event, serde_json::Value::Object(entry.metadata))
    };
    let progress = ToolNotice::Progress { done: 1.5, total: Some(4.0), message: Some("b.txt".into()) };
    insta::assert_snapshot!(facts(progress), @r#"tool.progress {"tool_name":"n-scan","done":1.5,"total":4.0,"message":"b.txt"}"#);
    let little = ToolNotice::Progress { done: 2.0, total: None, message: None };
    insta::assert_snapshot!(facts(little), @r#"tool.progress {"tool_name":"n-scan","done":2.0}"#);
    let changed = ToolNotice::ToolsChanged { added: vec!["n-b".into()], gone: Vec::new() };
    insta::assert_snapshot!(facts(changed), @r#"tool.changed {"tool_name":"n-scan","added":["n-b"],"gone":[]}"#);
    // A trace with them is shown like one without.
    let tree = |trace: &Trace| SpanTree::of(trace).format();
    assert_eq!(tree(&traced(&noticed(&events()))), tree(&traced(&events())));
}

#[test]
fn a_log_names_the_role_of_each_message() {
    let messages = vec![Message::user("What is 2 + 3?"), Message::assistant(""), Message::tool("call-1", "5")];
    let kind = EventKind::LlmStart { turn: 2, attempt: 1, messages: messages.into(), system: None, model: "m".into() };
    let read = Trace::parse(&log_of(&[event(1, 0, kind)], options())).unwrap();
    let messages = read.entries[0].metadata["messages"].as_array().unwrap();
    let roles: Vec<_> = messages.iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool"]);
}

/// Accepts this many lines.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("disk full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Space for this many bytes, then none for one write, then no limit: a disk that is full for a while.
struct FullOnce {
    room: Option<usize>,
    written: Vec<u8>,
}

impl Write for FullOnce {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = self.room.map_or(bytes.len(), |room| room.min(bytes.len()));
        if length == 0 {
            self.room = None;
            return Err(io::Error::other("disk full"));
        }
        self.room = self.room.map(|room| room - length);
        self.written.extend_from_slice(&bytes[..length]);
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

proptest! {
    #[test]
    fn a_line_that_is_torn_costs_no_other(events in any_events(), room in 0.0..1.0_f64) {
        let whole = log_of(&events, options());
        let start = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let room = start + ((whole.len() - start) as f64 * room) as usize;
        let log = TraceLog::new(FullOnce { room: Some(room), written: Vec::new() }, options()).unwrap();
        events.iter().for_each(|event| log.on_event(event));
        let written = log.stop();
        let read = Trace::parse(&log.into_writer().written).unwrap();
        // The line break may be all that was missing: then the line is read, too.
        let unbroken = whole.get(room) == Some(&b'\n');
        prop_assert!(written.lost <= 1);
        prop_assert_eq!(read.entries.len(), events.len() - usize::from(written.lost == 1 && !unbroken));
        let is_between = whole[..room].ends_with(b"\n");
        prop_assert_eq!(read.torn, written.error.is_some() && !is_between && !unbroken);
    }
}

#[test]
fn decisions_are_written_whole() {
    let trace = traced(&approval_events());
    assert_eq!(
        trace.entries[2].metadata["ids"].as_array().map(Vec::len).zip(trace.entries[2].metadata["tools"].get(2)),
        Some((3, &"quote-room".into()))
    );
    insta::assert_snapshot!(trace.entries[3].metadata["decisions"], @r#"[{"id":"run/1/1","decision":"approve"},{"id":"run/1/2","decision":"deny","reason":"too expensive"},{"id":"run/1/3","decision":"edit","edited":{"room":2,"_pin":"[hidden]"}}]"#);
    assert_eq!(trace.entries[3].duration_ms, Some(40.0));
}

#[test]
fn what_cannot_be_written_is_counted() {
    let log = TraceLog::new(Full(3), options()).unwrap();
    events().iter().for_each(|event| log.on_event(event));
    let written = log.stop();
    assert_eq!((written.events, written.lost, written.error.as_deref()), (2, 8, Some("disk full")));
    assert!(TraceLog::new(Full(0), options()).is_err());
}

#[test]
fn files_get_their_folders_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let (log, path) = TraceLog::create_in(&folder.path().join("a/b"), options()).unwrap();
    assert_eq!(path, folder.path().join("a/b/trace_20260102T030405Z_1a2b3c4d.jsonl"));
    let observer: Arc<dyn Observer> = Arc::new(log);
    observer.on_event(&events()[0]);
    let trace = Trace::read(&path).unwrap();
    assert_eq!((trace.entries.len(), trace.stop), (1, None), "each line is there at once");
}

#[test]
fn ids_are_new_each_time() {
    let id = || TraceBuffer::new(TraceOptions::default(), None).trace().start.trace_id;
    let (one, other) = (id(), id());
    assert_ne!(one, other);
    assert!(one.len() == 32 && one.chars().all(|c| c.is_ascii_hexdigit()), "{one}");
}

#[test]
fn a_buffer_keeps_the_newest() {
    let buffer = TraceBuffer::new(options(), Some(2));
    events().iter().for_each(|event| buffer.on_event(event));
    let names: Vec<String> = buffer.trace().entries.into_iter().map(|entry| entry.event).collect();
    assert_eq!(names, ["turn.stop", "run.stop"]);
    let none = TraceBuffer::new(options(), Some(0));
    none.on_event(&events()[0]);
    assert!(none.trace().entries.is_empty());
}
