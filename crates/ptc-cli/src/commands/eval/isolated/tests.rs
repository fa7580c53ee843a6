use super::*;

/// Longer than any process takes to start, even on a busy machine.
const PATIENT: Duration = Duration::from_secs(60);

fn worker_of(script: &str) -> Worker {
    Worker::of(Command::new("sh").args(["-c", script])).unwrap()
}

#[test]
fn a_worker_that_hangs_is_told_as_late() {
    // The second does not fit into a pipe that is not read.
    for request in [b"{\"source\": \"1\"}".to_vec(), vec![b'x'; 1 << 20]] {
        let unanswered = worker_of("exec sleep 60").ask(1, &request, Duration::from_millis(300)).unwrap_err();
        assert_eq!(unanswered.reason, Reason::Timeout, "{} bytes", request.len());
        insta::allow_duplicates! {
            insta::assert_snapshot!(unanswered.message, @"no answer within 0 s, the time limit plus time for input and output; the process of the program was ended");
        }
    }
}

#[test]
fn a_worker_that_ends_within_an_answer_has_none() {
    for (script, how) in [
        ("read line; printf '{\"id\":1'; exit 3", "exit status: 3"),
        ("exit 4", "exit status: 4"),
        ("read line; kill -BUS $$", "signal: 7 (SIGBUS)"),
    ] {
        let unanswered = worker_of(script).ask(1, b"{}", PATIENT).expect_err(script);
        assert_eq!(unanswered.reason, Reason::InternalError, "{script}");
        assert!(unanswered.message.contains(how), "{script}: {}", unanswered.message);
    }
}

#[test]
fn a_worker_that_closes_its_output_is_not_waited_for() {
    let mut worker = worker_of("exec >&-; exec sleep 60");
    assert_eq!(worker.answers.recv_timeout(PATIENT), Err(RecvTimeoutError::Disconnected));
    assert_eq!(worker.ended(Duration::from_millis(50)), "it closed its output");
}

#[test]
fn a_worker_asks_too_much_of_memory_only_above_its_bound() {
    const NAME: &str = "commands::eval::isolated::tests::a_worker_asks_too_much_of_memory_only_above_its_bound";
    const TRY: &str = "PTC_TEST_MEMORY";
    if std::env::var_os(TRY).is_none() {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", NAME, "--nocapture", "--test-threads=1"]).env_clear().env(TRY, "1");
        let output = command.output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("more than what is mapped ahead"), "{}: {told}", output.status);
        insta::assert_snapshot!(died(&output.status.to_string()), @"the process that ran the program ended (signal: 6 (SIGABRT)): the bound on memory may have ended it: raise it with `--limit memory=SIZE`; if that does not help, it is a defect of the interpreter; please report the program");
        return;
    }
    seal(64 << 20).unwrap();
    let more = Vec::<u8>::with_capacity(1200 << 20);
    eprintln!("more than what is mapped ahead: {}", more.capacity());
    std::process::exit(i32::from(Vec::<u8>::with_capacity(100 << 30).capacity() == 0));
}

#[test]
fn a_number_goes_before_whatever_a_line_is() {
    assert_eq!(numbered(b"12 {\"id\": 1}\n"), (12, &b"{\"id\": 1}\n"[..]));
    assert_eq!(numbered(b"3 4 x"), (3, &b"4 x"[..]));
    assert_eq!(numbered("7 é".as_bytes()), (7, "é".as_bytes()));
}
