use std::io::{self, Write};
use std::time::Duration;

use futures::executor::block_on;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

use crate::{
    Llm, LlmError, LlmErrorKind, RecordingLlm, ReplayLlm, Reply, Request, ScriptedLlm, StopReason, Tokens, ToolUse,
};

type Answer = Result<Reply, LlmError>;

/// Asks once per answer, as that agent, and returns what was recorded and what was answered.
fn record(script: Vec<(Option<String>, Answer)>) -> (String, Vec<Answer>) {
    let agents: Vec<_> = script.iter().map(|(agent, _)| agent.clone()).collect();
    let llm = RecordingLlm::new(ScriptedLlm::new(script.into_iter().map(|(_, answer)| answer)), Vec::new());
    let answers = agents.into_iter().map(|agent| ask(&llm, agent)).collect();
    (String::from_utf8(llm.into_writer()).unwrap(), answers)
}

fn ask(llm: &dyn Llm, agent: Option<String>) -> Answer {
    block_on(llm.reply(&Request { agent, ..Request::default() }, None))
}

#[test]
fn lines_are_replay_lines() {
    let tokens = Tokens { input: 9, output: 3, cached: 4, cache_write: 0 };
    let rich =
        Reply { reasoning: Some("hm".into()), stop: StopReason::Length, tokens: Some(tokens), ..Reply::text("a\nb") };
    let limited = LlmError::from_status(429, "slow").with_retry_after(Duration::from_millis(1500));
    let lost = LlmError::new(LlmErrorKind::Unreachable, "no server");
    let script =
        vec![(None, Ok(rich)), (Some("p".to_owned()), Err(limited)), (None, Err(lost)), (None, Ok("c".into()))];
    assert_snapshot!(record(script).0, @r#"
    {"agent":null,"content":"a\nb","reasoning":"hm","stop":"length","usage":{"input":9,"output":3,"cached":4}}
    {"agent":"p","error":{"status":429,"message":"slow","retry_after_ms":1500}}
    {"agent":null,"error":{"kind":"unreachable","message":"no server"}}
    {"agent":null,"content":"c"}
    "#);
}

#[test]
fn running_out_is_not_recorded() {
    let llm = RecordingLlm::new(ScriptedLlm::replies(["a"]), Vec::new());
    assert!(ask(&llm, None).is_ok());
    assert!(ask(&llm, None).is_err());
    assert_eq!(llm.into_writer().iter().filter(|byte| **byte == b'\n').count(), 1);
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let llm = RecordingLlm::new(ScriptedLlm::replies(["a"]), Full);
    assert_snapshot!(ask(&llm, None).unwrap_err(), @"config_error: cannot write the answer to its file: no storage space");
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let stop = prop_oneof![
        Just(StopReason::End),
        Just(StopReason::Length),
        Just(StopReason::StopSequence),
        Just(StopReason::ToolCalls),
        Just(StopReason::Other("paused".into())),
    ];
    let tokens = (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>())
        .prop_map(|(input, output, cached, cache_write)| Tokens { input, output, cached, cache_write });
    let echo = prop::option::of("[a-z]{1,4}".prop_map(|signature| json!([signature])));
    let call =
        ("[a-z]{1,4}", echo).prop_map(|(name, echo)| ToolUse { echo, ..ToolUse::new("1", &name, json!({"n": name})) });
    (
        any::<String>(),
        prop::option::of(any::<String>()),
        prop::collection::vec(call, 0..2),
        stop,
        prop::option::of(tokens),
    )
        .prop_map(|(content, reasoning, tool_calls, stop, tokens)| Reply {
            content,
            reasoning,
            tool_calls,
            stop,
            tokens,
        })
}

fn any_error() -> impl Strategy<Value = LlmError> {
    let kinds =
        ["rate_limit", "server_error", "client_error", "timeout", "config_error", "refused", "unreachable", "unknown"];
    let kind = prop::sample::select(kinds.to_vec()).prop_map(|name| LlmErrorKind::from_name(name).unwrap());
    (kind, prop::option::of(100u16..600), any::<String>(), prop::option::of(0u64..1_000_000)).prop_map(
        |(kind, status, message, wait)| LlmError {
            kind,
            status,
            message,
            retry_after: wait.map(Duration::from_millis),
        },
    )
}

proptest! {
    #[test]
    fn a_recording_replays_the_same_answers(
        script in prop::collection::vec((prop::option::of("[ab]"), prop_oneof![
            any_reply().prop_map(Ok),
            any_error().prop_map(Err),
        ]), 0..8)
    ) {
        let agents: Vec<_> = script.iter().map(|(agent, _)| agent.clone()).collect();
        let (text, answers) = record(script);
        let replay = ReplayLlm::from_text("r", &text).unwrap();
        let replayed: Vec<Answer> = agents.into_iter().map(|agent| ask(&replay, agent)).collect();
        prop_assert_eq!(replayed, answers);
        prop_assert_eq!(replay.remaining(), 0);
    }
}
