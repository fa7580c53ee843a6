use std::time::Duration;

use futures::executor::block_on;
use insta::assert_snapshot;
use proptest::prelude::*;
use serde_json::json;

use super::write;
use crate::{Llm, LlmError, LlmErrorKind, ReplayLlm, Reply, Request, StopReason, Tokens, ToolUse};

type Answer = Result<Reply, LlmError>;

/// The lines of these answers to agents.
fn lines(script: &[(Option<String>, Answer)]) -> String {
    let line = |(agent, answer): &(Option<String>, Answer)| write(agent.as_deref(), None, answer).unwrap() + "\n";
    script.iter().map(line).collect()
}

#[test]
fn a_line_has_what_was_answered() {
    let tokens = Tokens { input: 9, output: 3, cached: 4, cache_write: 0 };
    let rich =
        Reply { reasoning: Some("hm".into()), stop: StopReason::Length, tokens: Some(tokens), ..Reply::text("a\nb") };
    let limited = LlmError::from_status(429, "slow").with_retry_after(Duration::from_millis(1500));
    let lost = LlmError::new(LlmErrorKind::Unreachable, "no server");
    let script =
        vec![(None, Ok(rich)), (Some("p".to_owned()), Err(limited)), (None, Err(lost)), (None, Ok("c".into()))];
    assert_snapshot!(lines(&script), @r#"
    {"agent":null,"content":"a\nb","reasoning":"hm","stop":"length","usage":{"input":9,"output":3,"cached":4}}
    {"agent":"p","error":{"status":429,"message":"slow","retry_after_ms":1500}}
    {"agent":null,"error":{"kind":"unreachable","message":"no server"}}
    {"agent":null,"content":"c"}
    "#);
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
    fn lines_are_read_as_the_answers_that_they_are_of(
        script in prop::collection::vec((prop::option::of("[ab]"), prop_oneof![
            any_reply().prop_map(Ok),
            any_error().prop_map(Err),
        ]), 0..8)
    ) {
        let replay = ReplayLlm::from_text("r", &lines(&script)).unwrap();
        for (agent, answer) in script {
            let request = Request { agent, ..Request::default() };
            prop_assert_eq!(block_on(replay.reply(&request, None)), answer);
        }
        prop_assert_eq!(replay.remaining(), 0);
    }
}
