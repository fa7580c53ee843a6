use std::fs;

use proptest::prelude::*;
use serde_json::json;

use super::read::end_of_file;
use super::*;
use crate::policy::PolicyAction;

/// A state with an audit log.
struct State(tempfile::TempDir);

impl State {
    fn new() -> State {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sessions")).unwrap();
        State(folder)
    }

    fn path(&self) -> std::path::PathBuf {
        self.0.path().join("audit.jsonl")
    }

    fn audit(&self) -> Audit {
        Audit::open(&self.path(), &[], AuditedPrograms::Text).unwrap()
    }

    fn add(&self, bytes: &[u8]) {
        let mut file = OpenOptions::new().append(true).create(true).open(self.path()).unwrap();
        file.write_all(bytes).unwrap();
    }

    fn read(&self, most: usize) -> AuditLog {
        audit_in(self.0.path(), most).unwrap()
    }
}

fn tools(error: &str) -> AuditEvent {
    AuditEvent::Tools { error: error.to_owned() }
}

fn errors(log: &AuditLog) -> Vec<&str> {
    let errors = log.entries.iter().map(|entry| match &entry.event {
        AuditEvent::Tools { error } => error.as_str(),
        other => panic!("{other:?}"),
    });
    errors.collect()
}

fn call() -> impl Strategy<Value = AuditCall> {
    let ruling = prop_oneof![Just(PolicyAction::Allow), Just(PolicyAction::Ask), Just(PolicyAction::Deny)];
    let decision = prop_oneof![Just(AuditDecision::Approve), Just(AuditDecision::Deny)];
    let text = || any::<String>();
    let some_text = || any::<Option<String>>();
    (text(), some_text(), text(), any::<i64>(), ruling, decision, text(), some_text()).prop_map(
        |(id, server, tool, number, ruling, decision, by, reason)| AuditCall {
            parent: id.clone(),
            args: json!({ "n": number, &*id: [tool, null, 1.5] }),
            id,
            server,
            tool,
            ruling,
            decision,
            by,
            reason,
        },
    )
}

fn program() -> impl Strategy<Value = AuditProgram> {
    prop_oneof![any::<String>().prop_map(AuditProgram::Text), any::<String>().prop_map(AuditProgram::Sha256)]
}

fn event() -> impl Strategy<Value = AuditEvent> {
    let (text, some_text) = (any::<String>, any::<Option<String>>);
    let status = prop_oneof![Just(AuditStatus::Ok), Just(AuditStatus::Failed), Just(AuditStatus::Unknown)];
    let ending = prop_oneof![
        Just(AuditEnding::Ok),
        Just(AuditEnding::Failed),
        Just(AuditEnding::Stopped),
        Just(AuditEnding::GivenUp)
    ];
    let reach = (text(), text()).prop_map(|(tool, at_most)| AuditReach { tool, at_most });
    prop_oneof![
        (text(), text(), any::<bool>(), prop::collection::vec(reach, 0..3), prop::option::of(program())).prop_map(
            |(id, client, resumed, reach, program)| AuditEvent::Program { id, client, resumed, reach, program }
        ),
        (text(), some_text(), prop::collection::vec(text(), 0..3), some_text(), program()).prop_map(
            |(client, session, denied, error, program)| AuditEvent::Rejected {
                client,
                session,
                denied,
                error,
                program
            }
        ),
        call().prop_map(AuditEvent::Call),
        call().prop_map(AuditEvent::Refused),
        (text(), status, any::<Option<usize>>(), some_text(), any::<Option<u64>>())
            .prop_map(|(id, status, bytes, error, ms)| AuditEvent::Result { id, status, bytes, error, ms }),
        (text(), ending, some_text(), some_text(), any::<Option<usize>>(), any::<Option<u64>>())
            .prop_map(|(id, status, reason, by, calls, ms)| AuditEvent::End { id, status, reason, by, calls, ms }),
        text().prop_map(|error| AuditEvent::Tools { error }),
        (text(), text()).prop_map(|(session, why)| AuditEvent::Removed { session, why }),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read(events in prop::collection::vec(event(), 0..8), most in 0..10_usize) {
        let state = State::new();
        let audit = state.audit();
        events.iter().for_each(|event| audit.write(event.clone()).unwrap());
        let log = state.read(most);
        let read: Vec<&AuditEvent> = log.entries.iter().map(|entry| &entry.event).collect();
        let newest: Vec<&AuditEvent> = events.iter().rev().take(most).collect();
        prop_assert_eq!(read, newest);
        prop_assert_eq!((log.older_lines, log.damaged_lines), (events.len().saturating_sub(most), 0));
    }

    /// Whatever a file holds: each line that is not empty is shown, left out, or counted as damaged, and those that are
    /// not read are the first bytes.
    #[test]
    fn no_file_breaks_the_reader(
        parts in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..30),
            Just(b"\n".to_vec()),
            Just(br#"{"at":"t","event":"tools","error":"e"}"#.to_vec()),
        ], 0..12),
        most in 0..100_u64,
    ) {
        let state = State::new();
        state.add(&parts.concat());
        let log = state.read(2);
        let lines = parts.concat();
        let lines = lines.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
        prop_assert_eq!(log.entries.len() + log.older_lines + log.damaged_lines, lines.count());
        let (unread, end) = end_of_file(&state.path(), most).unwrap();
        let bytes = fs::read(state.path()).unwrap();
        prop_assert_eq!(&bytes[usize::try_from(unread).unwrap()..], &*end);
        prop_assert!(end.len() as u64 <= most && (unread == 0 || bytes[usize::try_from(unread).unwrap() - 1] == b'\n' || end.is_empty()));
    }
}

#[test]
fn damaged_lines_are_named_and_those_around_them_are_shown() {
    let state = State::new();
    let audit = state.audit();
    audit.write(tools("one")).unwrap();
    let at = fs::metadata(state.path()).unwrap().len();
    state.add(b"{\"at\":\"t\",\"event\":\"moon\"}\n\xff\n");
    audit.write(tools("two")).unwrap();
    let log = state.read(10);
    assert_eq!(errors(&log), ["two", "one"]);
    let named: Vec<(u64, &str)> = log.damaged.iter().map(|line| (line.at, &*line.problem)).collect();
    assert_eq!(named[1].0, at);
    assert!(
        named[1].1.starts_with("it is not an entry: unknown variant `moon`, expected one of `program`"),
        "{named:?}"
    );
    assert_eq!(log.damaged_lines, 2);
}

#[test]
fn a_line_that_a_killed_gateway_left_is_ended_by_the_next_one() {
    let state = State::new();
    state.audit().write(tools("one")).unwrap();
    state.add(br#"{"at":"2026-"#);
    let torn = state.read(10);
    assert_eq!(errors(&torn), ["one"]);
    assert_eq!(torn.damaged[0].problem, "it has no end: a gateway is writing it, or was stopped meanwhile");
    state.audit().write(tools("two")).unwrap();
    let log = state.read(10);
    assert_eq!((errors(&log), log.damaged_lines), (vec!["two", "one"], 1));
    assert_eq!(log.damaged[0].at, torn.damaged[0].at);
}

#[test]
fn many_damaged_lines_are_counted_and_some_are_named() {
    let state = State::new();
    state.add(&b"x\n".repeat(1_000));
    let log = state.read(10);
    assert_eq!((log.damaged.len(), log.damaged_lines), (20, 1_000));
}

#[test]
fn only_the_end_of_a_long_log_is_read() {
    let state = State::new();
    let long = File::create(state.path()).unwrap();
    long.set_len(40 << 20).unwrap();
    state.add(b"\n");
    state.audit().write(tools("one")).unwrap();
    let log = state.read(10);
    assert_eq!((errors(&log), log.unread_bytes), (vec!["one"], (40 << 20) + 1));
}

#[test]
fn lines_of_earlier_versions_are_read() {
    let state = State::new();
    state.add(br#"{"at":"2026-11-26T13:29:12.815Z","event":"call","id":"f/1/1/1","parent":"f/1","server":"files","tool":"files-write_file","args":{"path":"a.txt"},"ruling":"ask","decision":"approve","by":"the user"}
{"at":"2026-11-26T13:29:12.822Z","event":"result","status":"ok","bytes":59,"id":"f/1/1/1","ms":6}
{"at":"2026-11-26T13:29:12.823Z","event":"end","id":"f/1","status":"ok","reason":null,"calls":1,"ms":8}
{"at":"2026-11-26T13:29:12.824Z","event":"end","id":"f/2","status":"given up","by":"an-editor"}
"#);
    let log = state.read(10);
    assert_eq!((log.entries.len(), log.damaged), (4, Vec::new()));
}

#[test]
fn a_folder_without_a_gateway_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let error = audit_in(folder.path(), 1).unwrap_err().to_string();
    assert!(error.starts_with("the state of the gateway: no gateway keeps its state in "), "{error}");
    assert_eq!(State::new().read(1), AuditLog::default(), "one that has not started yet");
}
