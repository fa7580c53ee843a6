use serde_json::json;

use super::*;
use crate::AuditEntry;

/// The metrics after these lines of an audit log.
fn after(lines: &[serde_json::Value]) -> String {
    let mut metrics = Metrics::default();
    for line in lines {
        let mut line = line.clone();
        line["at"] = json!("2026-11-30T00:00:00Z");
        metrics.note(&serde_json::from_value::<AuditEntry>(line).unwrap().event);
    }
    assert!(metrics.open.is_empty());
    metrics.text(&Now { running: 2, servers: vec![("a\"b".to_owned(), true), ("c".to_owned(), false)] })
}

#[test]
fn lines_of_the_audit_log_are_counted() {
    let call = |event: &str, id: &str, ruling: &str, decision: &str| {
        json!({"event": event, "id": id, "parent": "p", "server": "a\"b", "tool": "t", "args": {}, "ruling": ruling,
               "decision": decision, "by": "x"})
    };
    let text = after(&[
        call("call", "1", "allow", "approve"),
        json!({"event": "result", "id": "1", "status": "ok", "ms": 1_250}),
        call("call", "2", "ask", "approve"),
        json!({"event": "result", "id": "2", "status": "unknown", "ms": 5}),
        json!({"event": "result", "id": "of another process", "status": "ok", "ms": 5}),
        call("refused", "3", "ask", "deny"),
        call("refused", "4", "deny", "deny"),
        json!({"event": "end", "id": "p", "status": "ok", "ms": 2_000}),
        json!({"event": "end", "id": "q", "status": "given up"}),
        json!({"event": "rejected", "client": "c", "denied": [], "program": {"text": "x"}}),
    ]);
    let expected = r#"ptc_programs_total{outcome="given up"} 1
ptc_programs_total{outcome="ok"} 1
ptc_programs_rejected_total 1
ptc_program_seconds_count 1
ptc_program_seconds_sum 2.000
ptc_calls_total{server="a\"b",outcome="ok"} 1
ptc_calls_total{server="a\"b",outcome="unknown"} 1
ptc_call_seconds_count{server="a\"b"} 2
ptc_call_seconds_sum{server="a\"b"} 1.255
ptc_calls_refused_total{server="a\"b"} 2
ptc_approvals_total{decision="approve"} 1
ptc_approvals_total{decision="deny"} 1
ptc_programs_running 2
ptc_server_up{server="a\"b"} 1
ptc_server_up{server="c"} 0
"#;
    let samples: String = text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    assert_eq!(samples, expected);
    assert!(text.ends_with("# EOF\n"));
}
