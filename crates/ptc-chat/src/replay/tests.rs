use futures::executor::block_on;
use insta::assert_snapshot;

use crate::{Llm, LlmError, LlmErrorKind, Message, PastRequest, ReplayLlm, Reply, Request};

/// The answer to each of the agents, one after the other (`""` is the agent started from outside).
fn check(text: &str, agents: &[&str]) -> String {
    let llm = match ReplayLlm::from_text("answers.jsonl", text) {
        Ok(llm) => llm,
        Err(error) => return error.to_string(),
    };
    let ask = |(turn, agent): (usize, &&str)| {
        let agent = Some((*agent).to_owned()).filter(|agent| !agent.is_empty());
        let request = Request { turn: u32::try_from(turn).unwrap() + 1, agent, ..Request::default() };
        match block_on(llm.reply(&request, None)) {
            Ok(reply) => serde_json::to_string(&reply).unwrap(),
            Err(error) => format!("{error} {:?}", error.retry_after),
        }
    };
    agents.iter().enumerate().map(ask).collect::<Vec<_>>().join("\n")
}

#[test]
fn reads_replies_with_everything_known_about_them() {
    let text = r#"
{"content":"(return 1)","usage":{"input":120,"output":8,"cached":100}}

{"content":"(def x","reasoning":"hm","stop":"length"}
{"content":"","tool_calls":[{"id":"c1","name":"quote","args":{"room":41}}],"stop":"tool_use"}"#;
    assert_snapshot!(check(text, &["", "", "", ""]), @r#"
    {"content":"(return 1)","stop":"end","tokens":{"input":120,"output":8,"cached":100}}
    {"content":"(def x","reasoning":"hm","stop":"length"}
    {"content":"","tool_calls":[{"id":"c1","name":"quote","args":{"room":41}}],"stop":"tool_calls"}
    out_of_answers: answers.jsonl has no answer left for turn 4: 3 answers were used; add a line for this call or use a live model None
    "#);
}

#[test]
fn a_byte_order_mark_is_no_matter() {
    assert_eq!(check("\u{feff}{\"content\":\"1\"}\n", &[""]), check("{\"content\":\"1\"}\n", &[""]));
}

#[test]
fn reads_errors() {
    let text = r#"
{"error":{"status":429,"message":"slow down","retry_after_ms":1500}}
{"error":{"status":400}}
{"error":{"kind":"timeout","message":"no answer for 60 s"}}
{"content":"I cannot help with that.","stop":"refusal"}"#;
    assert_snapshot!(check(text, &["", "", "", ""]), @"
    rate_limit (HTTP 429): slow down Some(1.5s)
    client_error (HTTP 400) None
    timeout: no answer for 60 s None
    refused: the model refused to answer: I cannot help with that. None
    ");
}

#[test]
fn lines_are_matched_per_agent() {
    let text = r#"
{"content":"p1","agent":"pricer"}
{"content":"top","agent":null}
{"content":"any"}
{"content":"p2","agent":"pricer"}"#;
    assert_snapshot!(check(text, &["", "pricer", "other", "pricer", "pricer"]), @r#"
    {"content":"top","stop":"end"}
    {"content":"p1","stop":"end"}
    {"content":"any","stop":"end"}
    {"content":"p2","stop":"end"}
    out_of_answers: answers.jsonl has no answer left for turn 5 of agent `pricer`: 4 answers were used; add a line for this call or use a live model None
    "#);
}

#[test]
fn bad_files_name_the_line() {
    assert_snapshot!(check("{\"content\":\"a\"}\n\n{\"contnet\":\"b\"}", &[]), @r#"answers.jsonl, line 3: it has neither `content` nor `error`; write {"content":"…"} or {"error":{"status":429,"message":"…"}}"#);
    assert_snapshot!(check(r#"{"content":"a","error":{}}"#, &[]), @"answers.jsonl, line 1: it has both `content` and `error`; keep one");
    assert_snapshot!(check("\"(return 1)\"", &[]), @r#"answers.jsonl, line 1: expected a JSON object, found a text; write {"content":"…"} or {"error":{"status":429,"message":"…"}}"#);
    assert_snapshot!(check("{\"content\":\"a\"}\n[1]", &[]), @r#"answers.jsonl, line 2: expected a JSON object, found a list; write {"content":"…"} or {"error":{"status":429,"message":"…"}}"#);
    assert_snapshot!(check("(return 1)", &[]), @r#"answers.jsonl, line 1: it is not a JSON answer (expected value at line 1 column 1); write {"content":"…"} or {"error":{"status":429,"message":"…"}}"#);
    assert_snapshot!(check(r#"{"error":{"kind":"odd"}}"#, &[]), @r#"answers.jsonl, line 1: the error kind "odd" is not known; leave `kind` out and give the HTTP `status`"#);
    assert_snapshot!(ReplayLlm::open("/nowhere/answers.jsonl").unwrap_err(), @"cannot read the replay file /nowhere/answers.jsonl: No such file or directory (os error 2)");
}

#[test]
fn an_empty_file_is_used_up_at_once() {
    let llm = ReplayLlm::from_text("none.jsonl", "\n").unwrap();
    let error = block_on(llm.reply(&Request::default(), None)).unwrap_err();
    assert_eq!(error.kind(), LlmErrorKind::OutOfAnswers { used: 0 });
    assert!(!error.is_retryable_by_default());
}

fn said(content: &str) -> PastRequest {
    PastRequest::Answer(Ok(Reply::text(content)))
}

fn below(agent: &str, requests: u64) -> PastRequest {
    PastRequest::Below { agent: agent.to_owned(), requests }
}

/// How many lines a run with these requests has used, and the answers of agents after that.
fn after(lines: &[&str], asked: &[PastRequest], agents: &[&str]) -> String {
    let llm = ReplayLlm::from_text("answers.jsonl", &lines.join("\n")).unwrap();
    let used = llm.go_on_after(asked, &["pricer", "clerk"]);
    assert_eq!(llm.remaining(), lines.len() - used);
    let ask = |agent: &&str| {
        let request =
            Request { agent: Some((*agent).to_owned()).filter(|agent| !agent.is_empty()), ..Request::default() };
        block_on(llm.reply(&request, None)).map_or_else(|error| error.to_string(), |reply| reply.content)
    };
    format!("{used}: {}", agents.iter().map(ask).collect::<Vec<_>>().join(", "))
}

const ABC: [&str; 3] = [r#"{"content":"a"}"#, r#"{"content":"b"}"#, r#"{"content":"c"}"#];

#[test]
fn a_resumed_run_goes_on_behind_what_it_has_used() {
    assert_eq!(after(&ABC, &[], &[""]), "0: a");
    assert_eq!(after(&ABC, &[said("a")], &[""]), "1: b");
    assert_eq!(after(&ABC, &[said("a"), said("b")], &[""]), "2: c");
    let none = "3: out_of_answers: answers.jsonl has no answer left for turn 1: 3 answers were used; add a line for this call or use a live model";
    assert_eq!(after(&ABC, &[said("a"), said("b"), said("c")], &[""]), none);
}

#[test]
fn a_file_that_holds_the_rest_is_read_from_its_first_line() {
    assert_eq!(after(&ABC, &[said("x"), said("y")], &[""]), "0: a");
    // The file was used only for the end of the run.
    assert_eq!(after(&ABC, &[said("x"), said("a"), said("b")], &[""]), "2: c");
    // The run has since continued with another file.
    assert_eq!(after(&ABC, &[said("a"), said("x")], &[""]), "0: a");
    assert_eq!(after(&ABC, &[said("a"), said("a")], &[""]), "1: b");
}

#[test]
fn errors_and_refusals_are_used_up_like_answers() {
    let lines = [
        r#"{"error":{"status":429,"message":"slow down","retry_after_ms":1500}}"#,
        r#"{"content":"no","stop":"refusal"}"#,
        ABC[0],
    ];
    let answers: Vec<PastRequest> =
        lines.iter().map(|line| PastRequest::Answer(crate::lines::read(line).unwrap().into_answer())).collect();
    assert_eq!(after(&lines, &answers[..2], &[""]), "2: a");
    assert_eq!(
        after(&lines, &[PastRequest::Answer(Err(LlmError::from_status(500, ""))), said("a")], &[""]).split(':').next(),
        Some("0")
    );
}

#[test]
fn answers_of_agents_behind_calls_are_counted() {
    // Without names, in the order of the run.
    assert_eq!(after(&ABC, &[said("a"), below("pricer", 1)], &["", "pricer"]).split(", ").next(), Some("2: c"));
    // Two concurrent agents, one of them unfinished, and one agent below the other.
    let named = [
        r#"{"content":"a","agent":null}"#,
        r#"{"content":"p1","agent":"pricer"}"#,
        r#"{"content":"c1","agent":"clerk"}"#,
        r#"{"content":"d1","agent":"deputy"}"#,
        r#"{"content":"p2","agent":"pricer"}"#,
        r#"{"content":"b","agent":null}"#,
    ];
    assert_eq!(after(&named, &[said("a"), below("pricer", 3)], &["", "clerk"]), "4: b, c1");
    assert_eq!(after(&named, &[said("a"), below("clerk", 2)], &["pricer", "pricer", ""]), "3: p1, p2, b");
    // A request of an agent that no longer got an answer.
    assert_eq!(after(&named, &[said("a"), below("clerk", 9)], &["", "pricer"]), "3: b, p1");
}

#[test]
fn a_file_that_is_not_utf8_says_where() {
    let path = std::env::temp_dir().join(format!("ptc-chat-{}.jsonl", std::process::id()));
    std::fs::write(&path, b"{\"content\":\"a\"}\n{\"content\":\"\xe9\"}\n").unwrap();
    let told = ReplayLlm::open(&path).unwrap_err().to_string();
    std::fs::remove_file(&path).unwrap();
    assert!(
        told.ends_with(".jsonl, line 2: this is not UTF-8 text (at byte 28 of the file); save the file as UTF-8"),
        "{told}"
    );
}

#[test]
fn lines_answer_the_requests_that_they_name_before_others() {
    let request =
        |room: &str| Request { agent: Some("p".into()), messages: vec![Message::user(room)], ..Request::default() };
    let line = |room: &str, answer: &str| {
        let named = crate::fingerprint(&request(room)).unwrap();
        crate::answer_line(Some("p"), Some(&named), &Ok(Reply::text(answer))).unwrap()
    };
    let text = [line("one", "1"), line("two", "2"), line("two", "2 again"), line("three", "3")].join("\n");
    let llm = ReplayLlm::from_text("r", &text).unwrap();
    let said = |room: &str| block_on(llm.reply(&request(room), None)).unwrap().content;
    assert_eq!(["two", "three", "two", "in other words"].map(said), ["2", "3", "2 again", "1"]);
}
