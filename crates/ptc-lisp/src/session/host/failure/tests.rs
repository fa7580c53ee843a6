use super::*;
use crate::{Session, SessionOptions, ToolSpec};

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

#[test]
fn programs_find_what_else_a_failure_says() {
    let tools = vec![ToolSpec::new("pay")];
    let mut session = Session::new(SessionOptions { tools, ..SessionOptions::default() });
    let value = |session: &mut Session, program: &str| {
        let data = Value::map_from([(Value::keyword("left"), Value::Int(3))]);
        let outcome = session.run(program, &mut |_| Err(ToolError::new("too much").data(Some(data.clone()))));
        outcome.value().unwrap().to_string()
    };
    let caught = value(&mut session, "(try (tool/pay {}) (catch Exception e (def kept e) (ex-data e)))");
    assert_eq!(caught, r#"{:reason :tool_error :tool "pay" :data {:left 3}}"#);
    assert_eq!(value(&mut session, "(:left (:data (ex-data kept)))"), "3");
    let branch = value(&mut session, "(try (pmap (fn [n] (tool/pay {})) [5]) (catch Exception e (ex-data e)))");
    assert_eq!(branch, r#"{:reason :pmap_error :tool "pay" :data {:left 3} :branch 1 :argument 5}"#);
}
