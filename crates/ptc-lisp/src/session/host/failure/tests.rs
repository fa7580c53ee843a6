use super::*;

#[track_caller]
fn check(may_have_run: bool, messages: &[&str]) {
    for message in messages {
        assert_eq!(ToolError::new(*message).may_have_run, may_have_run, "{message}");
    }
}

#[test]
fn lost_answers_leave_open_what_happened() {
    check(
        true,
        &[
            "503 busy",
            "exit code 1: 503 config service unavailable",
            "exit code 1: 504 gateway timeout: the answer of the config service was lost",
            "exit code 22: curl: (22) The requested URL returned error: 502",
            "HTTP/1.1 500 Oops",
            "HTTP/2 529",
            "Status code: 599",
            "Request Timeout",
            "operation timed out",
            "no answer within 60 s",
            "Connection reset by peer (os error 104)",
            "exit code 124",
            "exit code 124: Terminated",
            "exit code 137",
        ],
    );
}

#[test]
fn refusals_did_nothing() {
    check(
        false,
        &[
            "",
            "no room",
            "exit code 1: no room",
            "exit code 1",
            "exit code 255: no room",
            "404 not found",
            "exit code 1: 429 Too Many Requests: slow down and repeat the request",
            "HTTP error 409",
            "limit: one transfer moves at most 50000 cents; split it",
            "at most 500 items",
            "room 512 is taken",
            "connection refused",
            "it was not allowed: too expensive",
        ],
    );
}
