//! Answers that are not programs, plans, tasks and builtin tools.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use insta::assert_snapshot;
use ptc_chat::{LlmError, LlmErrorKind, OutputMode, Repeats, Reply, ToolUse};
use ptc_lisp::Value;
use ptc_transcript::Decision;
use serde_json::{Value as Json, json};

use super::{Seen, agent, check, check_raw};
use crate::{Action, Agent, AgentBuilder, Context, FnTool, Input, Run, RunOptions, TimedInput, ToolError};

fn rated(signature: &str) -> AgentBuilder {
    Agent::builder("Rate {{text}}").signature(signature).output(OutputMode::Json).max_turns(2)
}

fn ask(agent: AgentBuilder, answers: &[&str]) -> Seen {
    let answers = answers.iter().map(|answer| Ok(Reply::from(*answer))).collect();
    check_raw(agent, answers, json!({"text": "good"}), RunOptions::default())
}

fn asked(agent: AgentBuilder, replies: Vec<Reply>, options: RunOptions) -> Seen {
    check_raw(agent, replies.into_iter().map(Ok).collect(), json!({}), options)
}

/// A reply that asks for these calls.
fn calls(calls: &[(&str, Json)]) -> Reply {
    let calls = calls.iter().zip(1..).map(|((name, args), n)| ToolUse::new(format!("c{n}"), *name, args.clone()));
    Reply { tool_calls: calls.collect(), ..Reply::default() }
}

#[test]
fn json_is_found_in_prose_and_checked() {
    let seen = ask(
        rated("(text :string) -> {score :int, tags [:keyword], note :string?}"),
        &["Sure!\n```json\n{\"score\": \"high\", \"tags\": [\"a\"]}\n```", "{\"score\": 4, \"tags\": [\"a\"]}"],
    );
    assert_eq!(seen.end(), r#"value {"score":4,"tags":["a"]}"#);
    assert_eq!(seen.outcomes(), "validation_error ok");
    let request = &seen.requests[0];
    assert_eq!(request.output, OutputMode::Json);
    assert_eq!(request.schema.as_ref().unwrap()["required"], json!(["score", "tags"]));
    assert!(request.system.starts_with("Answer only with JSON"));
    assert_snapshot!(request.messages[0].content(), @r#"
    Rate good

    # Expected Output

    Answer with one JSON object and nothing else.

    Fields:
    - `score` (integer)
    - `tags` (array of string)
    - `note` (string, optional)

    Example:

    ```json
    {"score":42,"tags":["ok"],"note":"result"}
    ```
    "#);
    assert_snapshot!(seen.last(2), @r#"
    Error: [score]: expected int, got string

    Your answer was: Sure!
    ```json
    {"score": "high", "tags": ["a"]}
    ```

    Answer again, with JSON like this: {"score":42,"tags":["ok"],"note":"result"}
    "#);
    assert!(seen.step.usage.schema_used && seen.step.usage.schema_bytes.is_some());
    assert_eq!(seen.turn(2).program(), None);
}

#[test]
fn lists_may_be_wrapped() {
    for answer in ["{\"items\": [1, 2]}", "so: [1, 2]"] {
        assert_eq!(ask(rated("(text :string) -> [:int]"), &[answer]).end(), "value [1,2]");
    }
    let seen = ask(rated("(text :string) -> [:int]"), &["{\"list\": [1]}", "{\"items\": 1}"]);
    assert_eq!(seen.end(), "error validation_error: expected an object with an items array");
}

#[test]
fn the_last_wrong_answer_names_its_reason() {
    assert_eq!(
        ask(rated("(text :string) -> {n :int}"), &["[1]", "7"]).end(),
        "error validation_error: must be a JSON object"
    );
    let seen = ask(rated("(text :string) -> {n :int}"), &["a", "b"]);
    assert_eq!(
        seen.end(),
        "error json_parse_error: the answer holds no JSON: answer with one JSON object and nothing else"
    );
    assert_eq!(seen.requests.len(), 2);
    assert_eq!(ask(rated("(text :string) -> :int").max_turns(1), &["42"]).end(), "value 42");
}

#[test]
fn json_ignores_retry_turns_and_keeps_the_limits_of_runs() {
    let seen = ask(rated("(text :string) -> {n :int}").retry_turns(3), &["a", "b", "c"]);
    assert_eq!(seen.requests.len(), 2);
    let failed = LlmError::new(LlmErrorKind::ServerError, "down");
    let seen =
        check_raw(rated("(text :string) -> {n :int}"), vec![Err(failed)], json!({"text": "x"}), RunOptions::default());
    assert_eq!(seen.step.fail().unwrap().reason.as_str(), "llm_error");
    let seen = ask(rated("(text :string) -> {n :int}").turn_budget(1), &["a", "b"]);
    assert_eq!(seen.step.fail().unwrap().reason.as_str(), "turn_budget_exhausted");
}

#[test]
fn text_without_tools_is_the_answer() {
    let text = || Agent::builder("Greet.").output(OutputMode::Text).max_turns(2);
    assert_eq!(asked(text(), vec![" Hello ".into()], RunOptions::default()).end(), r#"value "Hello""#);
    let seen = asked(text(), vec!["".into(), "".into()], RunOptions::default());
    assert_eq!((seen.outcomes().as_str(), seen.requests.len()), ("empty_response empty_response", 2));
    assert_eq!(
        asked(text().signature("{n :int}"), vec!["{\"n\": 1}".into()], RunOptions::default()).end(),
        r#"value {"n":1}"#
    );
}

#[test]
fn text_uses_tools_in_the_format_of_the_provider() {
    let replies = vec![
        calls(&[
            ("quote_room", json!({"room": "12", "nights": 3})),
            ("quote_room", json!({"room": 500, "nights": 1})),
            ("nope", json!({})),
        ]),
        calls(&[("quote_room", json!({"nights": 3}))]),
        "268.5 euros".into(),
    ];
    let seen = asked(agent().output(OutputMode::Text), replies, RunOptions::default());
    assert_eq!(seen.end(), r#"value "268.5 euros""#);
    let tools: Vec<&str> = seen.requests[0].tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(tools, ["quote_room", "fail_now"]);
    assert_eq!(seen.requests[0].tools[0].parameters["required"], json!(["room", "nights"]));
    let messages: Vec<String> = seen.requests[2]
        .messages
        .iter()
        .map(|message| format!("{:?} {:?} said {:?}", message.role, message.call_id, message.content()))
        .collect();
    assert_snapshot!(messages.join("\n"), @r#"
    User None said "Which bookings fit into the limit?"
    Assistant None said ""
    Tool Some("c1") said "{\"total\":268.5}"
    Tool Some("c2") said "{\"error\":\"no such room\"}"
    Tool Some("c3") said "{\"error\":\"there is no tool 'nope'; there are: quote_room, fail_now\"}"
    Assistant None said ""
    Tool Some("c1") said "{\"error\":\"the arguments do not fit: missing required field \\\"room\\\"\"}"
    "#);
    let records = seen.turn(1).tool_calls();
    assert_eq!(records.iter().map(|record| record.error.is_some()).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(records[0].args.to_json().unwrap(), json!({"room": 12, "nights": 3}));
}

#[test]
fn each_request_of_a_conversation_is_repeated_by_the_next_one() {
    let text = vec![calls(&[("quote_room", json!({"room": 12, "nights": 3}))]), "".into(), "268.5 euros".into()];
    let seen = [
        asked(agent().output(OutputMode::Text).max_turns(3), text, RunOptions::default()),
        ask(rated("(text :string) -> {n :int}"), &["{}", "{\"n\": 1}"]),
    ];
    for [before, next] in seen.iter().flat_map(|seen| seen.requests.array_windows()) {
        assert!(next.messages.starts_with(&before.messages));
        assert!(next.messages.iter().flat_map(|message| &*message.parts).all(|part| part.repeats <= Repeats::Next));
    }
    assert_eq!(seen.map(|seen| seen.requests.len()), [3, 2]);
}

#[test]
fn conversations_are_collected_to_their_end() {
    let options = || RunOptions::new().collect_messages(true);
    let again = || calls(&[("quote_room", json!({"room": 1, "nights": 1}))]);
    let talk = |turns: usize, replies: Vec<Reply>| {
        let seen = asked(agent().output(OutputMode::Text).max_turns(turns), replies, options());
        seen.step.messages.unwrap().iter().map(|message| format!("{:?}", message.role)).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(talk(3, vec![again(), "done".into()]), "User Assistant Tool Assistant");
    assert_eq!(talk(2, vec!["".into(), "done".into()]), "User Assistant User Assistant");
    assert_eq!(
        talk(2, vec!["".into(), "".into()]),
        "User Assistant User Assistant",
        "feedback that was never sent is no part of it"
    );
    assert_eq!(talk(1, vec![again()]), "User Assistant Tool");
}

#[test]
fn calls_of_tools_can_be_limited_and_the_last_turn_offers_none() {
    let again = || calls(&[("quote_room", json!({"room": 1, "nights": 1}))]);
    let seen = asked(
        agent().output(OutputMode::Text).max_tool_calls(1).max_turns(3),
        vec![again(), again(), "done".into()],
        RunOptions::default(),
    );
    assert_eq!(seen.end(), r#"value "done""#);
    assert_eq!(
        seen.turn(2).tool_calls()[0].error.as_deref(),
        Some("the limit of 1 tool calls is used up: answer with what you know")
    );
    assert_eq!(seen.requests.iter().map(|request| request.tools.len()).collect::<Vec<_>>(), [2, 2, 0]);
    let seen = asked(agent().output(OutputMode::Text).max_turns(1), vec![again()], RunOptions::default());
    assert_eq!((seen.requests[0].tools.len(), seen.step.fail().unwrap().reason.as_str()), (2, "max_turns_exceeded"));
}

#[test]
fn only_the_final_text_is_streamed() {
    let heard = Arc::new(Mutex::new(String::new()));
    let hear = Arc::clone(&heard);
    let options = RunOptions::new().on_chunk(move |piece| hear.lock().unwrap().push_str(piece));
    let thinking =
        Reply { content: "Let me look.".to_owned(), ..calls(&[("quote_room", json!({"room": 1, "nights": 1}))]) };
    asked(agent().output(OutputMode::Text), vec![thinking, "89.5".into()], options.clone());
    assert_eq!(*heard.lock().unwrap(), "89.5");
    asked(Agent::builder("x"), vec!["(return 1)".into()], options);
    assert_eq!(*heard.lock().unwrap(), "89.5", "programs are not streamed");
}

#[test]
fn hidden_fields_of_results_stay_hidden_in_text_mode() {
    let login = |_: super::Nothing| Ok::<_, ToolError>(json!({"ok": true, "_session": "s3cret-canary-17"}));
    let agent = Agent::builder("Log in.").output(OutputMode::Text).tool(FnTool::new("login", "Logs in", login));
    let seen = asked(agent, vec![calls(&[("login", json!({}))]), "in".into()], RunOptions::default());
    assert_eq!(seen.last(2), r#"{"ok":true}"#);
}

#[test]
fn a_plan_is_ticked_by_good_turns() {
    let agent = agent().plan([("look", "Look up"), ("answer", "Answer")]);
    let seen =
        check(agent, &["(step-done \"look\" \"two rooms\")", "(step-done \"answer\" \"no\") (foo)", "(return 1)"]);
    assert!(seen.last(1).ends_with("- [ ] **look.** Look up\n- [ ] **answer.** Answer"), "{}", seen.last(1));
    assert!(
        seen.last(2).ends_with("- [x] **look.** Look up — two rooms\n- [ ] **answer.** Answer"),
        "{}",
        seen.last(2)
    );
    assert!(seen.last(3).ends_with("- [ ] **answer.** Answer"), "{}", seen.last(3));
    assert_eq!(seen.step.summaries.get("look").map(String::as_str), Some("two rooms"));
    assert_eq!(seen.step.summaries.len(), 1);
    assert!(seen.requests[0].system.contains("step-done"));
}

#[test]
fn a_plan_is_shown_by_strategies_too() {
    let seen = check(agent().plan(["Look", "Answer"]).compression(true), &["(step-done \"1\" \"x\")", "(return 1)"]);
    assert!(seen.last(2).contains("- [x] **1.** Look — x\n- [ ] **2.** Answer"), "{}", seen.last(2));
}

#[test]
fn finished_tasks_are_not_done_again() {
    let program =
        "(task \"fetch\" (println \"working\")) (return (task \"price\" (tool/quote-room {:room 1 :nights 2})))";
    let known = vec![("fetch".to_owned(), Value::Int(7))];
    let answers = || vec![Ok(Reply::from(format!("```clojure\n{program}\n```")))];
    let seen = check_raw(agent(), answers(), json!({}), RunOptions::new().tasks(known));
    assert!(seen.last(1).ends_with("## Mission Log\n\n- [done] fetch: 7"), "{}", seen.last(1));
    assert!(seen.turn(1).prints().is_empty());
    assert_eq!(seen.turn(1).tool_calls().len(), 1);
    let tasks: Vec<(String, Value)> = seen.step.tasks.clone().into_iter().collect();
    assert_eq!(tasks.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>(), ["fetch", "price"]);
    let again = check_raw(agent(), answers(), json!({}), RunOptions::new().tasks(tasks));
    assert_eq!((again.turn(1).tool_calls().len(), again.end()), (0, seen.end()));
}

#[test]
fn grep_finds_lines() {
    let agent = agent().builtin_tools(["grep"]);
    let program = "(def text \"Alpha\nbeta\nALPHABET\") (return [(tool/grep {:pattern \"^alpha\" :text text}) (tool/grep-n {:pattern \"bet\" :text text})])";
    let seen = check(agent, &[program]);
    assert_eq!(seen.end(), r#"return [["Alpha","ALPHABET"],[{"line":2,"text":"beta"},{"line":3,"text":"ALPHABET"}]]"#);
    let seen =
        check(Agent::builder("x").builtin_tools(["grep"]), &["(tool/grep {:pattern \"(\" :text \"x\"})", "(return 1)"]);
    assert!(seen.last(2).contains("is not a regular expression"), "{}", seen.last(2));
}

/// A run in text mode at the point where `pay` needs approval; the model asked for two calls of it.
fn waiting_for_approval() -> Run {
    let pay = FnTool::new("pay", "Pays", |_: super::Nothing| Ok::<_, ToolError>(1)).approve();
    let agent = Agent::builder("Pay").tool(pay).output(OutputMode::Text).max_turns(3).build().expect("an agent");
    let mut run = agent.start(Context::default(), &RunOptions::default()).expect("a run");
    assert!(matches!(next(&mut run, Input::Begin), Action::AskLlm { .. }));
    let asked = Input::Reply(Ok(calls(&[("pay", json!({})), ("pay", json!({}))])));
    assert!(matches!(next(&mut run, asked), Action::Approve { .. }));
    run
}

fn next(run: &mut Run, input: Input) -> Action {
    run.next(TimedInput { at: Duration::ZERO, input })
}

#[test]
fn a_call_of_a_model_that_waits_for_approval_is_stopped_before_it_is_made() {
    let Action::Finish(step) = next(&mut waiting_for_approval(), Input::Cancel) else { panic!("it goes on") };
    assert_eq!(step.tool_calls.iter().map(|call| call.may_have_run).collect::<Vec<_>>(), [false, false]);
}

#[test]
fn calls_of_a_model_are_allowed_one_by_one() {
    let mut run = waiting_for_approval();
    let decisions = Input::Decisions(vec![Decision::deny("too much"), Decision::Approve]);
    let Action::CallTools { calls, .. } = next(&mut run, decisions) else { panic!("nothing is called") };
    assert_eq!(calls.iter().map(|pending| pending.id.as_str()).collect::<Vec<_>>(), ["1/2"]);
    let Action::AskLlm { request, .. } = next(&mut run, Input::Results(vec![Ok(Value::Int(7))])) else {
        panic!("it ends")
    };
    let told: Vec<_> = request.messages.iter().rev().take(2).map(|message| message.content().into_owned()).collect();
    assert_eq!(told, ["7", r#"{"error":"it was not allowed: too much"}"#]);
    let records = run.turns()[0].tool_calls();
    assert_eq!(records.iter().map(|call| &*call.name).collect::<Vec<_>>(), ["pay", "pay"]);
    assert_eq!(records[0].error.as_deref(), Some("it was not allowed: too much"));
}
