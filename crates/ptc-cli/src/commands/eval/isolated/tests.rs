use super::*;

/// What a worker that is this shell script does with a request.
fn asked(script: &str) -> Unanswered {
    let mut worker = Worker::of(Command::new("sh").args(["-c", script])).unwrap();
    worker.ask(1, b"{\"source\": \"1\"}", Duration::from_millis(300)).expect_err(script)
}

#[test]
fn a_worker_that_hangs_is_told_as_late() {
    let unanswered = asked("exec sleep 60");
    assert_eq!(unanswered.reason, Reason::Timeout);
    insta::assert_snapshot!(unanswered.message, @"no answer within 0 s, which is the time limit and what reading and writing may take; the process that ran the program was ended");
}

#[test]
fn a_worker_that_ends_within_an_answer_has_none() {
    for (script, how) in [
        ("read line; printf '{\"id\":1'; exit 3", "exit status: 3"),
        ("exit 4", "exit status: 4"),
        ("read line; kill -BUS $$", "signal: 7 (SIGBUS)"),
        ("read line; exec >&-; exec sleep 60", "it closed its output"),
    ] {
        let unanswered = asked(script);
        assert_eq!(unanswered.reason, Reason::InternalError, "{script}");
        assert!(unanswered.message.contains(how), "{script}: {}", unanswered.message);
    }
}

#[test]
fn a_number_goes_before_whatever_a_line_is() {
    assert_eq!(numbered(b"12 {\"id\": 1}\n"), (12, &b"{\"id\": 1}\n"[..]));
    assert_eq!(numbered(b"3 4 x"), (3, &b"4 x"[..]));
    assert_eq!(numbered("7 é".as_bytes()), (7, "é".as_bytes()));
}
