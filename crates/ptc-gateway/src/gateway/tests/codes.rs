//! What waits is approved by people who have read its code, and by nothing that a model can read or write.

use std::time::Duration;

use super::*;
use crate::WaitingError;

/// Everything in the state but where codes are shown.
fn readable(folder: &std::path::Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_dir() {
            text.push_str(&readable(&entry.path()));
        } else if entry.file_name() != "approvals.log" {
            text.push_str(&String::from_utf8_lossy(&std::fs::read(entry.path()).unwrap()));
        }
    }
    text
}

#[tokio::test]
async fn nothing_that_is_read_elsewhere_approves() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".ptc/mcp");
    let gateway = gateway(folder.path(), "").await;
    let mut running = begun(&gateway, "(tool/pay {:n 1})", None);
    let question = asked(&mut running).await;
    let id = question.waiting.id();
    let shown = code(folder.path(), &id);
    let everything = readable(&state);
    assert!(everything.contains(&question.waiting.fingerprint), "the question is there: {everything}");
    for code in [shown.clone(), shown.replace('-', ""), shown.to_lowercase()] {
        assert!(!everything.contains(&code), "{everything}");
    }
    // Each text of the state as a code, and no code at all.
    let words = everything.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.len() >= 4);
    for word in words {
        for choice in [Choice::Approve, Choice::ApproveAll] {
            let refused = decide(&state, &id, answer(choice), Some(word)).unwrap_err();
            assert!(matches!(refused, WaitingError::WrongCode { .. }), "{word}: {refused}");
        }
    }
    let refused = decide(&state, &id, answer(Choice::Approve), None).unwrap_err().to_string();
    let log = state.join("approvals.log");
    assert!(refused.starts_with(&format!("question {id} needs its code")) && refused.ends_with(log.to_str().unwrap()));
    // A decision that others wrote into the state, as a command writes it.
    let forged = json!({"fingerprint": question.waiting.fingerprint, "answer": {"choice": "approve", "by": "x"}, "code": "7KQ2-M4XD-9TPA"});
    let decision = state.join("sessions").join(&question.waiting.session).join("decision.json");
    std::fs::write(&decision, forged.to_string()).unwrap();
    tokio::time::timeout(4 * crate::ask::LOOK, running.passes(&question.waiting.fingerprint)).await.unwrap_err();
    assert!(paid(folder.path()).is_empty());
    decide(&state, &id, answer(Choice::Approve), Some(&shown)).unwrap();
    running.passes(&question.waiting.fingerprint).await;
    assert_eq!(ended(running).await["value"], json!(1));
}

#[tokio::test]
async fn a_code_is_for_one_question_and_is_shown_to_a_person_alone() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".ptc/mcp");
    let gateway = gateway(folder.path(), "").await;
    let shown = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let person = shown.clone();
    gateway.show_codes(move |text| person.lock().unwrap().push(text.to_owned()));
    let mut running = begun(&gateway, "(tool/pay {:n 1}) (tool/pay {:n 2})", None);
    for _ in 0..2 {
        let question = asked(&mut running).await;
        let id = question.waiting.id();
        let texts = shown.lock().unwrap().clone();
        let codes = texts.iter().map(|text| {
            let (head, rest) = text.split_once(" waits, its code is ").unwrap();
            (head.to_owned(), rest.lines().next().unwrap().to_owned())
        });
        let codes: Vec<(String, String)> = codes.collect();
        assert!(texts.last().unwrap().contains("\n  A program wants to call:\n    tool/pay"), "{texts:?}");
        let (last, earlier) = codes.split_last().unwrap();
        assert_eq!(last.0, format!("question {id}"));
        for (_, code) in earlier {
            assert!(decide(&state, &id, answer(Choice::Approve), Some(code)).is_err(), "of an earlier question");
        }
        decide(&state, &id, answer(Choice::Approve), Some(&last.1)).unwrap();
        running.passes(&question.waiting.fingerprint).await;
    }
    assert_eq!(ended(running).await["value"], json!(1));
    assert!(!state.join("approvals.log").exists());
}

#[test]
fn a_decision_outlives_the_gateway_and_a_forged_one_does_not() {
    for is_forged in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join(".ptc/mcp");
        let session = interrupted(folder.path(), "[(tool/pay {:n 1}) (tool/pay {:n 2})]");
        let waiting = waiting_in(&state).unwrap().remove(0);
        let id = waiting.id();
        let shown = code(folder.path(), &id);
        decide(&state, &id, answer(Choice::Approve), Some(&shown)).unwrap();
        if is_forged {
            let decision = state.join("sessions").join(&session).join("decision.json");
            let text = std::fs::read_to_string(&decision).unwrap();
            std::fs::write(&decision, text.replace(&shown, "7KQ2-M4XD-9TPA")).unwrap();
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let gateway = gateway(folder.path(), "").await;
            let mut running = gateway.run(&Request::go_on(session.clone())).unwrap();
            if is_forged {
                let again = asked(&mut running).await;
                assert_eq!(again.waiting.id(), id);
                // It is shown with another code; the earlier one no longer approves.
                assert_ne!(code(folder.path(), &id), shown);
                assert!(decide(&state, &id, answer(Choice::Approve), Some(&shown)).is_err());
                running.cancel();
            } else {
                assert_eq!(ended(running).await["value"], json!([1, 1]));
            }
        });
        assert_eq!(paid(folder.path()).len(), if is_forged { 1 } else { 2 });
    }
}

#[test]
fn a_long_file_of_void_codes_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join(".ptc/mcp/approvals.log");
    let session = interrupted(folder.path(), "(tool/pay {:n 1}) (tool/pay {:n 2})");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let long = || {
            let codes = std::fs::read_to_string(&log).unwrap();
            std::fs::write(&log, format!("{codes}{}", " ".repeat(1 << 20))).unwrap();
        };
        long();
        let waits = gateway(folder.path(), "").await;
        assert!(log.exists(), "something waits");
        ended(waits.run(&Request::go_on(session).discard()).unwrap()).await;
        gateway(folder.path(), "").await;
        assert!(!log.exists());
        let mut running = begun(&waits, "(tool/pay {:n 3})", None);
        let question = asked(&mut running).await;
        running.answer(&question.waiting.fingerprint, answer(Choice::Deny("no".to_owned()))).await;
        ended(running).await;
        gateway(folder.path(), "").await;
        assert!(log.exists(), "it is short");
    });
}

#[cfg(unix)]
#[tokio::test]
async fn only_its_owner_reads_anything_in_the_state() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".ptc/mcp");
    let gateway = gateway(folder.path(), "").await;
    let said = report(&gateway, "(def n (tool/look {:n 1}))", None).await;
    report(&gateway, "n", said["session"].as_str()).await;
    let _key = gateway.shared.ledger.store.key().unwrap();
    let mut running = begun(&gateway, "(tool/pay {:n 1})", None);
    let id = asked(&mut running).await.waiting.id();
    decide(&state, &id, answer(Choice::Approve), Some(&code(folder.path(), &id))).unwrap();
    let mut running = begun(&gateway, "(tool/pay {:n 2})", None);
    asked(&mut running).await;
    gateway.close().await;
    let (mut folders, mut seen) = (vec![state], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let Ok(metadata) = entry.metadata() else { continue };
            let mode = metadata.permissions().mode() & 0o777;
            let wanted = if metadata.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, wanted, "{} has mode {mode:o}", entry.path().display());
            seen.push(entry.file_name().into_string().unwrap());
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    for name in [
        "approvals.log",
        "audit.jsonl",
        "key",
        "question.json",
        "state.json",
        "0001.journal",
        "0001.clj",
        "observed.json",
        "servers.json",
        "running",
    ] {
        assert!(seen.iter().any(|one| one == name), "{name} is not among {seen:?}");
    }
    running.cancel();
    let _pause = tokio::time::timeout(Duration::from_secs(60), running.pause()).await;
}
