mod apart;
mod audited;
mod clients;
mod codes;
mod fields;
mod hidden;
mod pinned;
mod questions;
#[cfg(unix)]
mod starting;

use serde_json::{Value as Json, json};

use crate::testing::{answer, asked, audit, begun, code, ended, gateway, paid, report, request};
use crate::{Answer, Choice, Refusal, Request, decide, sessions_in, waiting_in};

fn text(said: &Json) -> String {
    said["error"]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn sessions_keep_definitions_and_the_last_value_over_restarts() {
    let folder = tempfile::tempdir().unwrap();
    let first = gateway(folder.path(), "").await;
    let said =
        report(&first, "(def seen (atom 0)) (defn double [n] (:twice (tool/look {:n n}))) (swap! seen inc)", None)
            .await;
    let session = said["session"].as_str().unwrap().to_owned();
    assert_eq!((&said["status"], &said["value"]), (&json!("ok"), &json!(1)));
    assert_eq!(said["definitions"], json!(["seen: atom", "(double [n])"]), "{said}");
    let said = report(&first, "[(double 4) data/last (swap! seen inc)]", Some(&session)).await;
    assert_eq!(said["value"], json!([8, 1, 2]));
    assert_eq!(said["calls"], json!(["look({:n 4}): ok"]));
    // Another process.
    let second = gateway(folder.path(), "").await;
    let said = report(&second, "[(double 5) data/last (swap! seen inc)]", Some(&session)).await;
    assert_eq!(said["value"], json!([10, [8, 1, 2], 3]));
}

#[tokio::test]
async fn a_program_that_fails_leaves_what_was_before() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let said = report(&gateway, "(def x 1)", None).await;
    let session = said["session"].as_str().unwrap().to_owned();
    let said = report(&gateway, "(def x 2) (println :here) (first 5)", Some(&session)).await;
    assert_eq!((&said["status"], &said["prints"]), (&json!("failed"), &json!([":here"])));
    assert_eq!(report(&gateway, "x", Some(&session)).await["value"], json!(1));
    let said = report(&gateway, "(fliter odd? [1])", Some(&session)).await;
    assert!(text(&said).contains("filter") && said["session"] == session.as_str(), "{said}");
    let said = report(&gateway, "(fail {:reason :empty :message \"nothing there\"})", Some(&session)).await;
    assert_eq!(said["error"], json!({"reason": "empty", "message": "nothing there"}));
}

#[tokio::test]
async fn handles_that_are_none_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    for handle in ["0123456789abcdef", "../../../etc/passwd", "", "0123456789ABCDEF"] {
        let said = report(&gateway, "1", Some(handle)).await;
        assert_eq!(said["error"]["reason"], "unknown_session", "{handle}");
    }
    let nothing = gateway.run(&Request::default()).map(drop).unwrap_err();
    assert_eq!(nothing.0["error"]["reason"], "nothing_to_run");
}

#[tokio::test]
async fn what_writes_is_asked_about_with_all_that_it_can_do() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let mut running = begun(&gateway, "(tool/look {:n 1}) (tool/pay {:n 7 :_card \"4711\"}) (tool/pay {:n 8})", None);
    let question = asked(&mut running).await;
    assert_eq!(
        question.waiting.text,
        "A program wants to call:\n  tool/pay {\"n\": 7, \"_card\": \"[hidden]\"}\nIn all it can call at most:\n  \
         tool/look  1  only reads  allow\n  tool/pay  2  may destroy  ask"
    );
    assert!(paid(folder.path()).is_empty());
    running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
    // A call other than the one that was shown is another question.
    let next = asked(&mut running).await;
    assert_ne!(next.waiting.fingerprint, question.waiting.fingerprint);
    running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
    assert_eq!(asked(&mut running).await, next, "an answer to another question decides nothing");
    running.answer(&next.waiting.fingerprint, answer(Choice::Deny("not twice".to_owned()))).await;
    let said = ended(running).await;
    assert_eq!(text(&said), "tool 'pay' failed: it was not allowed: not twice at line 1, column 52");
    assert_eq!(said["calls"][0], "pay({:n 7}): done");
    assert_eq!(paid(folder.path()), [r#"{"n":7,"_card":"4711"}"#]);
    let log = audit(folder.path());
    let events: Vec<&str> = log.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!(events, ["program", "call", "result", "waits", "call", "result", "waits", "refused", "end"]);
    assert_eq!(log[4]["args"], json!({"n": 7, "_card": "[hidden]"}));
    let asked = json!([{"id": &log[4]["id"], "tool": "pay", "args": &log[4]["args"]}]);
    assert_eq!((&log[3]["id"], &log[3]["calls"]), (&log[0]["id"], &asked));
    assert_eq!((&log[4]["by"], &log[7]["reason"]), (&json!("a test"), &json!("not twice")));
    assert_eq!((&log[1]["by"], &log[1]["parent"]), (&json!("the default"), &log[0]["id"]));
    assert!(log[2]["bytes"].is_u64() && log[2]["ms"].is_u64(), "{}", log[2]);
}

#[tokio::test]
async fn all_calls_that_were_shown_can_be_allowed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let mut running = begun(&gateway, "(mapv (fn [n] (tool/pay {:n n})) [1 2 3])", None);
    let question = asked(&mut running).await;
    assert!(question.waiting.all);
    running.answer(&question.waiting.fingerprint, answer(Choice::ApproveAll)).await;
    assert_eq!(ended(running).await["value"], json!([1, 1, 1]));
    // Calls that go together are one question.
    let mut running = begun(&gateway, "(pmap (fn [n] (tool/pay {:n n})) [4 5 6])", None);
    let question = asked(&mut running).await;
    assert_eq!(question.calls.len(), 3);
    running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
    assert_eq!(ended(running).await["value"], json!([1, 1, 1]));
    assert_eq!(paid(folder.path()).len(), 6);
    // Uncountable calls cannot be allowed in advance.
    let mut running = begun(&gateway, "(loop [] (when (< (rand) 2) (tool/pay {:n 1}) (recur)))", None);
    assert!(!asked(&mut running).await.waiting.all);
    running.cancel();
}

#[tokio::test]
async fn somebody_else_can_decide() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join(".ptc/mcp");
    let gateway = gateway(folder.path(), "").await;
    let mut running = begun(&gateway, "(tool/pay {:n 1})", None);
    let question = asked(&mut running).await;
    let session = question.waiting.session.clone();
    assert_eq!(waiting_in(&state).unwrap(), std::slice::from_ref(&question.waiting));
    let known = || {
        let known = sessions_in(&state).unwrap().remove(0);
        assert_eq!(known.session, session);
        assert!(known.used.is_some());
        (known.programs, known.calls, known.journal.is_some_and(|journal| journal.ends_with("0001.journal")))
    };
    assert_eq!(known(), (Some(0), Some(0), true), "its first program has not ended");
    let id = question.waiting.id();
    let other = decide(&state, &session, answer(Choice::Approve), None).unwrap_err();
    assert_eq!(other.to_string(), format!("no question {session} waits; there is {id}"));
    decide(&state, &id, answer(Choice::Approve), Some(&code(folder.path(), &id))).unwrap();
    // However late the client comes back, the answer is there.
    let said = loop {
        running.pause().await;
        if let crate::Phase::Ended(ended) = running.phase() {
            break ended.report.clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    drop(running);
    let late = ended(gateway.run(&Request::go_on(session.clone())).unwrap()).await;
    assert_eq!((&late["value"], &late["calls"], &said["value"]), (&json!(1), &said["calls"], &json!(1)));
    assert_eq!(late["program"], "(tool/pay {:n 1})");
    // Sent again by a client that did not receive the answer, it does not run again.
    assert_eq!(report(&gateway, "(tool/pay {:n 1})", Some(&session)).await, late);
    assert_eq!(paid(folder.path()).len(), 1);
    assert!(decide(&state, &id, answer(Choice::Approve), None).is_err(), "a decision is for one question");
    assert!(waiting_in(&state).unwrap().is_empty());
    assert_eq!(known(), (Some(1), Some(1), true));
}

#[tokio::test]
async fn a_session_runs_one_program_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let mut running = begun(&gateway, "(tool/pay {:n 1})", None);
    let question = asked(&mut running).await;
    let session = running.session().to_owned();
    assert_eq!(report(&gateway, "2", Some(&session)).await["error"]["reason"], "busy");
    // The same program is the same request again: its sender waits with the first.
    let same = begun(&gateway, "(tool/pay {:n 1})", Some(&session));
    running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
    assert_eq!(ended(same).await["value"], json!(1));
    assert_eq!(paid(folder.path()).len(), 1);
    assert_eq!(report(&gateway, "2", Some(&session)).await["value"], json!(2));
}

#[tokio::test]
async fn what_a_stopped_program_did_is_told_by_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "[policy.pay]\ndecide = \"allow\"\ntool = \"pay\"").await;
    let mut running = begun(&gateway, "(tool/pay {:n 1}) (tool/wait {})", None);
    let session = running.session().to_owned();
    while running.next_call().await.begun < 2 {}
    running.cancel();
    assert_eq!(ended(running).await["error"]["reason"], "cancelled");
    let said = report(&gateway, "2", Some(&session)).await;
    assert_eq!(said["value"], json!(2));
    assert_eq!(
        said["notes"],
        json!(["the previous program had called: pay({:n 1}): done; its answer may not have been read"])
    );
    assert!(report(&gateway, "3", Some(&session)).await.get("notes").is_none(), "it is told once");
}

/// The gateway ends in the middle of a program: all its tasks are gone, without any shutdown.
fn interrupted(folder: &std::path::Path, program: &str) -> String {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let session = runtime.block_on(async {
        let gateway = gateway(folder, "[policy.pay]\ndecide = \"allow\"\ntool = \"pay\"\nargs = { n = \"1\" }").await;
        let mut running = begun(&gateway, program, None);
        asked(&mut running).await;
        running.session().to_owned()
    });
    runtime.shutdown_timeout(std::time::Duration::from_secs(5));
    session
}

#[test]
fn an_interrupted_program_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let program = "(println :once) [(tool/pay {:n 1}) (tool/pay {:n 2}) (tool/pay {:n 3})]";
    let session = interrupted(folder.path(), program);
    assert_eq!(paid(folder.path()), [r#"{"n":1}"#]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let gateway = gateway(folder.path(), "").await;
        let Refusal(said) = gateway.run(&request("(inc 1)", Some(&session))).map(drop).unwrap_err();
        assert_eq!(said["error"]["reason"], "interrupted");
        assert!(text(&said).starts_with("a program of this session was interrupted: (println :once)"), "{said}");
        assert!(text(&said).ends_with("it had called pay (done)"), "{said}");
        // The policy has become stricter; nevertheless the call that ended is not made again.
        let mut running = gateway.run(&Request::go_on(session.clone())).unwrap();
        for _ in 2..=3 {
            let question = asked(&mut running).await;
            running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
        }
        let said = ended(running).await;
        assert_eq!((&said["value"], &said["prints"]), (&json!([1, 1, 1]), &json!([":once"])));
        assert_eq!(paid(folder.path()), [r#"{"n":1}"#, r#"{"n":2}"#, r#"{"n":3}"#]);
    });
}

#[test]
fn an_interrupted_program_needs_only_the_tools_that_it_reaches() {
    let folder = tempfile::tempdir().unwrap();
    let session = interrupted(folder.path(), "[(tool/pay {:n 1}) (tool/pay {:n 2})]");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        // As when another server has started by now, or has not yet.
        let gateway = gateway(folder.path(), "[tools.more]\nprogram = \"5\"\n").await;
        let mut running = gateway.run(&Request::go_on(session)).unwrap();
        let question = asked(&mut running).await;
        running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
        assert_eq!(ended(running).await["value"], json!([1, 1]));
    });
}

#[test]
fn what_a_person_denied_stays_denied_under_milder_rules() {
    let folder = tempfile::tempdir().unwrap();
    let session = interrupted(folder.path(), "[(tool/pay {:n 1}) (tool/pay {:n 2}) (tool/pay {:n 3})]");
    let state = folder.path().join(".ptc/mcp");
    let id = waiting_in(&state).unwrap()[0].id();
    decide(&state, &id, Answer { choice: Choice::Deny("not twice".to_owned()), by: "Ada".to_owned() }, None).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let gateway = gateway(folder.path(), "[policy.pay]\ndecide = \"allow\"\ntool = \"pay\"\n").await;
        let said = ended(gateway.run(&Request::go_on(session)).unwrap()).await;
        assert!(text(&said).contains("not twice"), "{said}");
    });
    assert_eq!(paid(folder.path()), [r#"{"n":1}"#]);
    let log = audit(folder.path());
    let refused = log.iter().find(|line| line["event"] == "refused").unwrap();
    assert_eq!((&refused["by"], &refused["reason"]), (&json!("Ada"), &json!("not twice")), "{refused}");
    assert!(waiting_in(&state).unwrap().is_empty());
}

#[test]
fn an_interrupted_program_can_be_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let session = interrupted(folder.path(), "(tool/pay {:n 1}) (tool/pay {:n 2})");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let gateway = gateway(folder.path(), "").await;
        let other = Request { discard: true, ..request("(+ 1 1)", Some(&session)) };
        let said = ended(gateway.run(&other).unwrap()).await;
        assert_eq!(said["value"], json!(2));
        assert_eq!(said["notes"], json!(["the previous program was discarded; it had called pay (done)"]));
    });
    // Also without another program: it is reported at once, and once.
    let session = interrupted(folder.path(), "(tool/pay {:n 1}) (tool/pay {:n 2})");
    runtime.block_on(async {
        let gateway = gateway(folder.path(), "").await;
        let nothing = Request::go_on(&session).discard();
        let running = gateway.run(&nothing).unwrap();
        gateway.heard(&running);
        let said = ended(running).await;
        assert_eq!(said["notes"], json!(["the previous program was discarded; it had called pay (done)"]));
        assert_eq!(report(&gateway, "1", Some(&session)).await.get("notes"), None);
    });
}

#[tokio::test]
async fn what_is_denied_is_unknown_and_said_to_be_denied() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let said = report(&gateway, "(tool/wipe {})", None).await;
    assert!(text(&said).contains("note: policy `no-wiping` denies tool/wipe"), "{said}");
    assert_eq!(gateway.check(&request("(tool/wipe {})", None)).unwrap_err().0["status"], "failed");
    let rulings: Vec<(String, String)> =
        gateway.tools().iter().map(|reach| (reach.tool.clone(), reach.ruling())).collect();
    let known = [("look", "allow"), ("pay", "ask"), ("wait", "allow"), ("wipe", "deny")]
        .map(|(tool, ruling)| (tool.to_owned(), ruling.to_owned()));
    assert_eq!(rulings, known);
}

#[tokio::test]
async fn arguments_can_decide() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "[policy.small]\ndecide = \"allow\"\ntool = \"pay\"\nargs = { m = \"*\" }\n[policy.one]\ndecide = \"allow\"\ntool = \"pay\"\nargs = { n = \"1*\" }\n\
                 [policy.rest]\ndecide = \"deny\"\ntool = \"pay\"\n[policy.nothing]\ndecide = \"deny\"\ntool = \"nobody\"";
    let gateway = gateway(folder.path(), rules).await;
    assert_eq!(gateway.idle_rules(), ["nothing"]);
    let said =
        report(&gateway, "[(tool/pay {:n 17}) (try (tool/pay {:n 2}) (catch Exception e (ex-message e)))]", None).await;
    assert_eq!(said["value"], json!([1, "tool 'pay' failed: it was not allowed: policy `rest` denies it"]), "{said}");
    assert_eq!(paid(folder.path()), [r#"{"n":17}"#]);
}

#[test]
fn rules_that_change_decide_nothing_that_was_decided() {
    for (before, after, paid_before) in [("allow", "ask", 1), ("deny", "allow", 0)] {
        let folder = tempfile::tempdir().unwrap();
        let rule =
            |ruling: &str| format!("[policy.pay]\ndecide = \"{ruling}\"\ntool = \"pay\"\nargs = {{ n = \"1\" }}");
        let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let first = runtime();
        let program = "[(try (tool/pay {:n 1}) (catch Exception e :no)) (tool/pay {:n 2})]";
        let session = first.block_on(async {
            let gateway = gateway(folder.path(), &rule(before)).await;
            let mut running = begun(&gateway, program, None);
            asked(&mut running).await;
            running.session().to_owned()
        });
        first.shutdown_timeout(std::time::Duration::from_secs(5));
        assert_eq!(paid(folder.path()).len(), paid_before);
        runtime().block_on(async {
            let gateway = gateway(folder.path(), &rule(after)).await;
            let mut running = gateway.run(&Request::go_on(session)).unwrap();
            let question = asked(&mut running).await;
            assert!(question.waiting.text.contains("tool/pay {\"n\": 2}"), "{}", question.waiting.text);
            running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
            let value = if paid_before == 1 { json!([1, 1]) } else { json!(["no", 1]) };
            assert_eq!(ended(running).await["value"], value);
            assert_eq!(paid(folder.path()).len(), paid_before + 1);
        });
    }
}

#[tokio::test]
async fn arguments_are_known_however_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "redact = [\"api-key\"]\n[tools.wr]\ncommand = [\"sh\", \"-c\", \"read l; echo $l >> paid; echo 1\"]\n\
                 [policy.etc]\ndecide = \"deny\"\ntool = \"wr\"\nargs = { \"file-path\" = \"/etc*\" }\n[policy.wr]\ndecide = \"allow\"\ntool = \"wr\"";
    let gateway = gateway(folder.path(), rules).await;
    for args in [
        "{:file-path \"/etc/x\"}",
        "{:file_path \"/etc/x\"}",
        "{\"file-path\" \"/etc/x\"}",
        "{\"filePath\" \"/etc/x\"}",
    ] {
        let said = report(&gateway, &format!("(tool/wr {args})"), None).await;
        assert!(text(&said).contains("policy `etc` denies it"), "{args}: {said}");
    }
    report(&gateway, "(tool/wr {:file-path \"/srv\" :api-key \"s3cret\"})", None).await;
    assert_eq!(paid(folder.path()).len(), 1);
    let log = std::fs::read_to_string(folder.path().join(".ptc/mcp/audit.jsonl")).unwrap();
    assert!(!log.contains("s3cret") && log.contains("[hidden]"), "{log}");
}

#[tokio::test]
async fn two_gateways_on_one_state_see_what_the_other_did() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (gateway(folder.path(), "").await, gateway(folder.path(), "").await);
    let session = report(&first, "(def x 1)", None).await["session"].as_str().unwrap().to_owned();
    assert_eq!(report(&second, "(def x (inc x)) x", Some(&session)).await["value"], json!(2));
    assert_eq!(report(&first, "x", Some(&session)).await["value"], json!(2));
    // One of them runs a program: the other one can neither run another nor give it up.
    let mut running = begun(&second, "(tool/pay {:n 1})", Some(&session));
    let question = asked(&mut running).await;
    assert_eq!(report(&first, "x", Some(&session)).await["error"]["reason"], "busy");
    let discard = request("x", Some(&session)).discard();
    assert_eq!(first.run(&discard).map(drop).unwrap_err().0["error"]["reason"], "busy");
    let same = first.run(&Request::go_on(session.clone())).map(drop).unwrap_err();
    assert!(same.0["error"]["message"].as_str().unwrap().starts_with("another gateway runs a program of this session"));
    running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
    assert_eq!(ended(running).await["value"], json!(1));
    assert_eq!(report(&first, "data/last", Some(&session)).await["value"], json!(1));
}

#[tokio::test]
async fn a_program_that_waits_can_be_given_up_and_shows_all_that_it_asks() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "[tools.sh]\ncommand = [\"sh\", \"-c\", \"echo 1\"]").await;
    let long = "x".repeat(5_000);
    let mut running =
        begun(&gateway, &format!("(tool/sh {{:n 1 :_card \"{long}\" :note \"{long}\" :cmd \"rm -rf /\"}})"), None);
    let question = asked(&mut running).await;
    assert!(question.waiting.text.contains("rm -rf /"), "{}", question.waiting.text);
    assert!(question.waiting.text.len() < 3_000 && question.waiting.text.contains("\"note\""));
    let session = running.session().to_owned();
    let discard = Request::go_on(&session).discard();
    assert_eq!(gateway.run(&discard).map(drop).unwrap_err().0["error"]["reason"], "stopping");
    running.passes(&question.waiting.fingerprint).await;
    assert_eq!(ended(running).await["error"]["reason"], "cancelled");
    assert_eq!(report(&gateway, "2", Some(&session)).await["value"], json!(2));
}

#[tokio::test]
async fn what_is_kept_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let first = gateway(folder.path(), "").await;
    let session = report(&first, "(def x 1)", None).await["session"].as_str().unwrap().to_owned();
    for _ in 0..5 {
        report(&first, "(tool/look {:n x})", Some(&session)).await;
    }
    let sessions = folder.path().join(".ptc/mcp/sessions");
    let files = std::fs::read_dir(sessions.join(&session)).unwrap().count();
    assert_eq!(files, 4, "the state, what was heard, and one program with its journal");
    // It has been unused for 31 days; another one was interrupted then.
    let interrupted = report(&first, "1", None).await["session"].as_str().unwrap().to_owned();
    std::fs::write(sessions.join(&interrupted).join("0002.clj"), "(inc 1)").unwrap();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(31 * 24 * 60 * 60);
    for id in [&session, &interrupted] {
        std::fs::File::open(sessions.join(id).join("state.json")).unwrap().set_modified(old).unwrap();
    }
    let second = gateway(folder.path(), "").await;
    assert_eq!(report(&second, "x", Some(&session)).await["error"]["reason"], "unknown_session");
    let goes_on = second.run(&Request::go_on(interrupted)).unwrap();
    assert_eq!(ended(goes_on).await["value"], json!(2));
}

#[tokio::test]
async fn a_program_makes_no_more_calls_than_it_may() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "max_calls = 3").await;
    let program = "(mapv (fn [n] (try (:n (tool/look {:n n})) (catch Exception e (ex-message e)))) (range 5))";
    let said = report(&gateway, program, None).await;
    let refused = "tool 'look' failed: it was not allowed: a program may make 3 calls";
    assert_eq!(said["value"], json!([0, 1, 2, refused, refused]));
    assert_eq!(audit(folder.path()).iter().filter(|line| line["by"] == "max_calls").count(), 2);
}

#[tokio::test]
async fn effects_are_told_until_somebody_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "[policy.pay]\ndecide = \"allow\"\ntool = \"pay\"").await;
    let session = report(&gateway, "1", None).await["session"].as_str().unwrap().to_owned();
    // The answers of two programs in a row are not read.
    for program in ["(tool/pay {:n 1})", "(+ 1 1)"] {
        ended(begun(&gateway, program, Some(&session))).await;
    }
    let told = json!(["the previous program had called: pay({:n 1}): done; its answer may not have been read"]);
    assert_eq!(report(&gateway, "2", Some(&session)).await["notes"], told);
    assert!(report(&gateway, "3", Some(&session)).await.get("notes").is_none());
}

#[tokio::test]
async fn a_program_that_did_something_runs_again_only_when_that_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "[policy.pay]\ndecide = \"allow\"\ntool = \"pay\"").await;
    let session = report(&gateway, "1", None).await["session"].as_str().unwrap().to_owned();
    let pay = || request("(tool/pay {:n 1})", Some(&session));
    ended(gateway.run(&pay()).unwrap()).await;
    let running = gateway.run(&pay()).unwrap();
    assert_eq!(paid(folder.path()).len(), 1, "its answer may have been lost");
    ended(gateway.run(&pay().again()).unwrap()).await;
    assert_eq!(paid(folder.path()).len(), 2);
    // A client that has read the answer really asks again.
    ended(gateway.run(&Request { heard: Some(running.number + 1), ..pay() }).unwrap()).await;
    assert_eq!(paid(folder.path()).len(), 3);
    // What only reads can be asked again at once.
    for at in 1..=2 {
        report(&gateway, "(tool/look {:n 1})", Some(&session)).await;
        let looks = audit(folder.path()).iter().filter(|line| line["tool"] == "look").count();
        assert_eq!(looks, at);
    }
}

#[tokio::test]
async fn many_calls_are_asked_about_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "").await;
    let mut running =
        begun(&gateway, "(count (pmap (fn [n] (try (tool/pay {:n n}) (catch Exception e :no))) (range 45)))", None);
    for calls in [20, 20] {
        let question = asked(&mut running).await;
        assert_eq!((question.calls.len(), question.waiting.text.matches("tool/pay {").count()), (calls, calls));
        running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
    }
    let question = asked(&mut running).await;
    assert_eq!(question.calls.len(), 5);
    running.answer(&question.waiting.fingerprint, answer(Choice::Deny("enough".to_owned()))).await;
    assert_eq!(ended(running).await["value"], json!(45));
    assert_eq!(paid(folder.path()).len(), 40);
}

#[tokio::test]
async fn functions_whose_tools_are_gone_rest_until_they_are_back() {
    let folder = tempfile::tempdir().unwrap();
    let list = "[tools.list]\nprogram = \"[1 2]\"\neffect = \"read\"";
    let program = "(def n (atom 1)) (defn all [] (tool/list {})) (defn before [] data/last) (count (all))";
    let said = report(&gateway(folder.path(), list).await, program, None).await;
    let session = said["session"].as_str().unwrap().to_owned();
    let without = gateway(folder.path(), "").await;
    let said = report(&without, "(swap! n inc)", Some(&session)).await;
    assert_eq!(said["value"], json!(2));
    assert!(said["notes"][0].as_str().unwrap().starts_with("definition `all` cannot be used now: "), "{said}");
    let said = report(&without, "(all)", Some(&session)).await;
    assert!(text(&said).contains("note: definition `all` cannot be used now: "), "{said}");
    let said = report(&gateway(folder.path(), list).await, "[(all) @n (before)]", Some(&session)).await;
    assert_eq!(said["value"], json!([[1, 2], 2, 2]), "{said}");
}

#[tokio::test]
async fn a_client_has_only_so_many_programs_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), "client_programs = 1").await;
    let of = |client: &str, program: &str| {
        gateway.run(&Request { client: crate::Client::named(client), ..request(program, None) })
    };
    let mut waits = of("ann", "(tool/pay {:n 1})").unwrap();
    let question = asked(&mut waits).await;
    let Err(Refusal(said)) = of("ann", "1") else { panic!("it runs") };
    assert_eq!(said["error"]["reason"], "busy", "{said}");
    assert!(of("ben", "1").is_ok());
    waits.answer(&question.waiting.fingerprint, answer(Choice::Deny(String::new()))).await;
    ended(waits).await;
    assert!(of("ann", "1").is_ok());
}
