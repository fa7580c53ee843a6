//! What the audit log has of programs: those that ran, and those that tried what is denied.

use super::*;

fn asking(program: &str, session: Option<&str>) -> Request {
    request(program, session).client(crate::Client::unchecked("an-agent 1"))
}

#[tokio::test]
async fn programs_and_attempts_at_what_is_denied_are_on_record() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let ran = "(str \"canary\" (:twice (tool/look {:n 1})))";
    let session = ended(gateway.run(&asking(ran, None)).unwrap()).await["session"].as_str().unwrap().to_owned();
    // A denied tool under its name, in a program that defines it for later, and one that is wrong in another way.
    let denied = ["(tool/wipe {})", "(def later tool/wipe)", "(map tool/wipe [1 2]) (tool/wipe-)"];
    for program in denied {
        gateway.run(&asking(program, Some(&session))).map(drop).unwrap_err();
    }
    gateway.run(&asking("(fliter odd? [1])", None)).map(drop).unwrap_err();
    let log = audit(folder.path());
    let events: Vec<&str> = log.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["program", "call", "result", "end", "rejected", "rejected", "rejected", "rejected"]);
    assert_eq!((&log[0]["program"], &log[0]["client"]), (&json!({"text": ran}), &json!("an-agent 1")));
    for (line, program) in log[4..7].iter().zip(denied) {
        assert_eq!((&line["client"], &line["session"]), (&json!("an-agent 1"), &json!(session)));
        assert_eq!((&line["denied"], &line["program"]["text"]), (&json!(["wipe"]), &json!(program)));
        assert!(line["error"].as_str().unwrap().contains("denies tool/wipe"), "{line}");
    }
    assert_eq!((&log[7]["denied"], log[7].get("session")), (&json!([]), None));
    // What only waits for another program was not an attempt.
    gateway.run(&asking("1", Some("0123456789abcdef"))).map(drop).unwrap_err();
    assert_eq!(audit(folder.path()).len(), log.len());
}

#[tokio::test]
async fn a_log_of_hashes_has_no_text_of_programs() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "audit_programs = \"hash\"").await;
    report(&gateway, "\"canary\"", None).await;
    report(&gateway, "(tool/wipe {:canary \"canary\"})", None).await;
    let log = audit(folder.path());
    assert_eq!(
        log[0]["program"],
        json!({"sha256": "57255a3192513e0ba439a993cb51f113b5b965801b3e9445aae04dff98e35676"})
    );
    assert_eq!((&log[2]["denied"], log[2].get("error")), (&json!(["wipe"]), None));
    let text = std::fs::read_to_string(folder.path().join(".ptc/mcp/audit.jsonl")).unwrap();
    assert!(!text.contains("canary"), "{text}");
}

#[tokio::test]
async fn no_text_of_a_program_on_record_has_what_is_redacted() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "redact = [\"api-key\"]").await;
    for program in [
        "(def r {:api_key \"canary-key-1\" :n [{:_pin \"canary-pin-2\"}]}) (count r)",
        "(tool/wipe {:apiKey \"canary-key-3\"})",
        "(nth [] {\"api-key\" \"canary-key-4\"})",
        "(def _mine (str \"canary\" 5))",
    ] {
        report(&gateway, program, None).await;
    }
    let text = std::fs::read_to_string(folder.path().join(".ptc/mcp/audit.jsonl")).unwrap();
    assert!(!text.contains("canary") && text.contains(":api_key") && text.contains("\"event\":\"rejected\""), "{text}");
}
