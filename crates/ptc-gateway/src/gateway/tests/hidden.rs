//! Values under names that begin with `_`, or that are to be redacted, in everything that a gateway says and writes.

use super::*;

const TOOLS: &str = r#"
redact = ["api-key"]
[tools.login]
command = ["sh", "-c", "echo '{\"_session\": \"canary-session-1\", \"ok\": true}'"]
[tools.bad]
command = ["sh", "-c", "read l; echo \"no: $l\" >&2; exit 3"]
[policy.all]
decide = "allow"
tool = "*"
"#;

#[tokio::test]
async fn no_answer_shows_what_a_tool_hides() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), TOOLS).await;
    let programs = [
        "(def r (tool/login {})) (def _mine (:_session r)) (println r (:_session r) (str \"<\" (:_session r) \">\") (pr-str r)) {:a (:_session r)}",
        "(println _mine) [(str _mine \"!\") r]",
        "(tool/bad {:n _mine})",
        "(throw (ex-info (str \"no \" _mine) {:at _mine}))",
        "(nth [] _mine)",
        "(fail _mine)",
    ];
    let mut session: Option<String> = None;
    for program in programs {
        let said = report(&gateway, program, session.as_deref()).await;
        assert!(!said.to_string().contains("canary"), "{program}: {said}");
        session = said["session"].as_str().map(str::to_owned);
    }
    assert!(session.is_some());
}

#[tokio::test]
async fn what_is_hidden_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), TOOLS).await;
    let said = report(&gateway, "[(tool/login {}) {:_a {:_b 1}} {:b [{\"_c\" 1}]}]", None).await;
    assert_eq!(said["value"], json!([{"ok": true}, {}, {"b": [{}]}]));
    assert_eq!(said["cut"], json!(["value: hidden, since their names begin with `_`: _a, _c, _session"]));
    assert_eq!(report(&gateway, "{:a 1}", None).await["cut"], Json::Null);
}

#[tokio::test]
async fn what_a_tool_shows_is_shown_until_the_session_ends() {
    let folder = tempfile::tempdir().unwrap();
    let tools = TOOLS
        .replace("[tools.bad]", "hidden = []\n[tools.bad]")
        .replace("\\\"_session\\\"", "\\\"_id\\\": 7, \\\"_token\\\"");
    let first = gateway(folder.path(), &tools).await;
    let said = report(&first, "(def r (tool/login {})) (println r (:_token r)) r", None).await;
    assert_eq!(said["value"], json!({"_id": 7, "ok": true}));
    assert_eq!(said["prints"], json!(["{:_id 7 :ok true} [hidden]"]));
    assert_eq!(said["cut"], json!(["value: hidden, since their names begin with `_`: _token"]));
    drop(first);
    // Another gateway continues the session.
    let second = gateway(folder.path(), &tools).await;
    let said = report(&second, "(println r data/last) r", said["session"].as_str()).await;
    assert_eq!(
        (&said["value"], &said["prints"]),
        (&json!({"_id": 7, "ok": true}), &json!(["{:_id 7 :ok true} {:_id 7 :ok true}"]))
    );
}

#[tokio::test]
async fn no_error_on_record_repeats_a_redacted_argument() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), TOOLS).await;
    report(&gateway, "(tool/bad {:api-key \"canary-key-2\" :more [{:_pin \"canary-pin-3\"}] :n \"seen\"})", None).await;
    let log = std::fs::read_to_string(folder.path().join(".ptc/mcp/audit.jsonl")).unwrap();
    assert!(log.contains("exit code 3: no: ") && log.contains("seen"), "{log}");
    assert!(!log.contains("canary"), "{log}");
}
