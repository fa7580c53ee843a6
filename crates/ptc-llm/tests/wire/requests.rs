//! Every provider is sent the same five requests; each line is one of them as it arrived.

use insta::assert_snapshot;
use ptc_chat::{Llm, Message, ModelOptions, OutputMode, Part, ReasoningEffort, Request, Role, ToolDefinition, ToolUse};
use ptc_llm::{ConnectOptions, connect_with};
use serde_json::json;

use crate::server::{Sent, http, serve};

/// What the model of this name is sent; the answer is an error, because only the question counts here.
async fn sent(spec: &str, request: &Request, streamed: bool) -> String {
    let (url, served) = serve(http("400 Bad Request", "application/json", "", "{}")).await;
    let options = ConnectOptions { base_url: Some(url), api_key: Some("k".into()), ..ConnectOptions::default() };
    let llm = connect_with(spec, &options).unwrap();
    let mut ignore = |_: &str| {};
    let reply = if streamed { llm.reply(request, Some(&mut ignore)).await } else { llm.reply(request, None).await };
    assert_eq!(reply.unwrap_err().status, Some(400));
    let Sent { head, body } = served.await.unwrap();
    let told = ["authorization:", "x-api-key:", "x-goog-api-key:", "anthropic-version:"];
    let mut lines = head.lines();
    let first = lines.next().unwrap().trim_end_matches(" http/1.1").to_owned();
    // The client does not keep the order of headers.
    let mut headers: Vec<&str> = lines.filter(|line| told.iter().any(|name| line.starts_with(name))).collect();
    headers.sort_unstable();
    format!("{first}, {}\n{body}", headers.join(", "))
}

async fn all(spec: &str) -> String {
    let requests = [
        ("plain", plain(), false),
        ("cached", cached(), false),
        ("streamed", plain(), true),
        ("tools", tools(), false),
        ("json", schema(), false),
    ];
    let mut lines = String::new();
    for (name, request, streamed) in requests {
        lines.push_str(&format!("{name}: {}\n", sent(spec, &request, streamed).await));
    }
    lines
}

fn plain() -> Request {
    Request {
        system: "You write programs.".into(),
        messages: vec![Message::new(Role::User, [Part::stable("Mission. "), Part::changing("Turn 1")])],
        options: ModelOptions { temperature: Some(0.5), stop: vec!["END".into()], ..ModelOptions::default() },
        ..Request::default()
    }
}

fn cached() -> Request {
    let later = [Message::assistant("(def x 1)"), Message::user("x = 1")];
    Request {
        cache: true,
        messages: plain().messages.into_iter().chain(later).collect(),
        options: ModelOptions::default(),
        ..plain()
    }
}

/// A history that is appended to: this many turns, and after the last one a text that is said once.
fn growing(turns: usize) -> Request {
    let first = Message::new(Role::User, [Part::stable("Mission. "), Part::repeated("Before.")]);
    let turn = |number| {
        let once = (number == turns).then(|| Part::changing(" Now."));
        let said: Vec<Part> = std::iter::once(Part::repeated(format!("r {number}"))).chain(once).collect();
        [Message::assistant(format!("(p {number})")).repeated(), Message::new(Role::User, said)]
    };
    Request { messages: std::iter::once(first).chain((1..=turns).flat_map(turn)).collect(), ..cached() }
}

fn tools() -> Request {
    let parameters = json!({"type": "object", "properties": {"nights": {"type": "integer"}}, "required": ["nights"]});
    let rate = ToolDefinition { name: "rate".into(), description: "Price.".into(), parameters };
    let calls = [ToolUse::new("c1", "rate", json!({"nights": 2})), ToolUse::new("c2", "rate", json!({"nights": 3}))];
    let messages = vec![
        Message::user("Two nights or three?"),
        Message::assistant("Looking.").with_tool_calls(calls),
        Message::tool("c1", "180.0"),
        Message::tool("c2", "{\"error\":\"full\"}"),
    ];
    Request { messages, tools: [rate].into(), output: OutputMode::Text, options: ModelOptions::default(), ..plain() }
}

fn schema() -> Request {
    let properties = json!({"total": {"type": "integer"}});
    let schema =
        json!({"type": "object", "properties": properties, "required": ["total"], "additionalProperties": false});
    Request { schema: Some(schema.into()), output: OutputMode::Json, options: ModelOptions::default(), ..plain() }
}

#[tokio::test]
async fn a_server_that_speaks_as_openai_does() {
    assert_snapshot!(all("http://127.0.0.1:1/v1#qwen3").await, @r#"
    plain: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"temperature":0.5,"stop":["END"],"max_tokens":4096}
    cached: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"},{"role":"assistant","content":"(def x 1)"},{"role":"user","content":"x = 1"}],"max_tokens":4096}
    streamed: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3","stream":true,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"stream_options":{"include_usage":true},"temperature":0.5,"stop":["END"],"max_tokens":4096}
    tools: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3","stream":false,"tools":[{"type":"function","function":{"name":"rate","description":"Price.","parameters":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"strict":false}}],"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Two nights or three?"},{"role":"assistant","content":"Looking.","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{\"nights\":2}"}},{"type":"function","id":"c2","function":{"name":"rate","arguments":"{\"nights\":3}"}}]},{"role":"tool","content":"180.0","tool_call_id":"c1"},{"role":"tool","content":"{\"error\":\"full\"}","tool_call_id":"c2"}],"max_tokens":4096}
    json: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],"additionalProperties":false}}},"max_tokens":4096}
    "#);
}

#[tokio::test]
async fn ollama() {
    assert_snapshot!(all("ollama:qwen3:0.6b").await, @r#"
    plain: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3:0.6b","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"temperature":0.5,"stop":["END"],"max_tokens":4096}
    cached: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3:0.6b","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"},{"role":"assistant","content":"(def x 1)"},{"role":"user","content":"x = 1"}],"max_tokens":4096}
    streamed: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3:0.6b","stream":true,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"stream_options":{"include_usage":true},"temperature":0.5,"stop":["END"],"max_tokens":4096}
    tools: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3:0.6b","stream":false,"tools":[{"type":"function","function":{"name":"rate","description":"Price.","parameters":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"strict":false}}],"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Two nights or three?"},{"role":"assistant","content":"Looking.","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{\"nights\":2}"}},{"type":"function","id":"c2","function":{"name":"rate","arguments":"{\"nights\":3}"}}]},{"role":"tool","content":"180.0","tool_call_id":"c1"},{"role":"tool","content":"{\"error\":\"full\"}","tool_call_id":"c2"}],"max_tokens":4096}
    json: post /v1/chat/completions, authorization: bearer k
    {"model":"qwen3:0.6b","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],"additionalProperties":false}}},"max_tokens":4096}
    "#);
}

#[tokio::test]
async fn openai() {
    assert_snapshot!(all("openai:gpt-5-mini").await, @r#"
    plain: post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"temperature":0.5,"stop":["END"],"max_completion_tokens":4096}
    cached: post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"},{"role":"assistant","content":"(def x 1)"},{"role":"user","content":"x = 1"}],"max_completion_tokens":4096}
    streamed: post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":true,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"stream_options":{"include_usage":true},"temperature":0.5,"stop":["END"],"max_completion_tokens":4096}
    tools: post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":false,"tools":[{"type":"function","function":{"name":"rate","description":"Price.","parameters":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"strict":false}}],"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Two nights or three?"},{"role":"assistant","content":"Looking.","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{\"nights\":2}"}},{"type":"function","id":"c2","function":{"name":"rate","arguments":"{\"nights\":3}"}}]},{"role":"tool","content":"180.0","tool_call_id":"c1"},{"role":"tool","content":"{\"error\":\"full\"}","tool_call_id":"c2"}],"max_completion_tokens":4096}
    json: post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],"additionalProperties":false}}},"max_completion_tokens":4096}
    "#);
}

#[tokio::test]
async fn openai_with_marks() {
    assert_snapshot!(sent("openai:gpt-5.6", &cached(), false).await, @r#"
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5.6","stream":false,"prompt_cache_options":{"mode":"explicit","ttl":"30m"},"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":[{"type":"text","text":"Mission. ","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":"Turn 1"},{"role":"assistant","content":"(def x 1)"},{"role":"user","content":"x = 1"}],"max_completion_tokens":4096}
    "#);
    assert_snapshot!(sent("openai:gpt-5.6", &plain(), false).await, @r#"
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5.6","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"temperature":0.5,"stop":["END"],"max_completion_tokens":4096}
    "#);
}

#[tokio::test]
async fn anthropic() {
    assert_snapshot!(all("anthropic:claude-sonnet-4-5").await, @r#"
    plain: post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":"You write programs.","messages":[{"role":"user","content":"Mission. Turn 1"}],"temperature":0.5,"stop_sequences":["END"],"max_tokens":4096}
    cached: post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Mission. ","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":"Turn 1"},{"role":"assistant","content":"(def x 1)"},{"role":"user","content":"x = 1"}],"max_tokens":4096}
    streamed: post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":true,"system":"You write programs.","messages":[{"role":"user","content":"Mission. Turn 1"}],"temperature":0.5,"stop_sequences":["END"],"max_tokens":4096}
    tools: post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":"You write programs.","tools":[{"name":"rate","input_schema":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"description":"Price."}],"messages":[{"role":"user","content":"Two nights or three?"},{"role":"assistant","content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"c1","name":"rate","input":{"nights":2}},{"type":"tool_use","id":"c2","name":"rate","input":{"nights":3}}]},{"role":"user","content":[{"type":"tool_result","content":"180.0","tool_use_id":"c1"},{"type":"tool_result","content":"{\"error\":\"full\"}","tool_use_id":"c2"}]}],"max_tokens":4096}
    json: post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":"You write programs.","messages":[{"role":"user","content":"Mission. Turn 1"}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],"additionalProperties":false}}},"max_tokens":4096}
    "#);
}

#[tokio::test]
async fn gemini() {
    assert_snapshot!(all("gemini:gemini-2.5-flash").await, @r#"
    plain: post /v1/models/gemini-2.5-flash:generatecontent, x-goog-api-key: k
    {"systemInstruction":{"parts":[{"text":"You write programs."}]},"contents":[{"role":"user","parts":[{"text":"Mission. Turn 1"}]}],"generationConfig":{"temperature":0.5,"stopSequences":["END"],"maxOutputTokens":4096}}
    cached: post /v1/models/gemini-2.5-flash:generatecontent, x-goog-api-key: k
    {"systemInstruction":{"parts":[{"text":"You write programs."}]},"contents":[{"role":"user","parts":[{"text":"Mission. Turn 1"}]},{"role":"model","parts":[{"text":"(def x 1)"}]},{"role":"user","parts":[{"text":"x = 1"}]}],"generationConfig":{"maxOutputTokens":4096}}
    streamed: post /v1/models/gemini-2.5-flash:streamgeneratecontent?alt=sse, x-goog-api-key: k
    {"systemInstruction":{"parts":[{"text":"You write programs."}]},"contents":[{"role":"user","parts":[{"text":"Mission. Turn 1"}]}],"generationConfig":{"temperature":0.5,"stopSequences":["END"],"maxOutputTokens":4096}}
    tools: post /v1/models/gemini-2.5-flash:generatecontent, x-goog-api-key: k
    {"systemInstruction":{"parts":[{"text":"You write programs."}]},"tools":[{"functionDeclarations":[{"name":"rate","description":"Price.","parametersJsonSchema":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]}}]}],"contents":[{"role":"user","parts":[{"text":"Two nights or three?"}]},{"role":"model","parts":[{"text":"Looking."},{"functionCall":{"id":"c1","name":"rate","args":{"nights":2}}},{"functionCall":{"id":"c2","name":"rate","args":{"nights":3}}}]},{"role":"user","parts":[{"functionResponse":{"name":"rate","response":{"name":"rate","content":"180.0"},"id":"c1"}},{"functionResponse":{"name":"rate","response":{"name":"rate","content":"{\"error\":\"full\"}"},"id":"c2"}}]}],"generationConfig":{"maxOutputTokens":4096}}
    json: post /v1/models/gemini-2.5-flash:generatecontent, x-goog-api-key: k
    {"systemInstruction":{"parts":[{"text":"You write programs."}]},"contents":[{"role":"user","parts":[{"text":"Mission. Turn 1"}]}],"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],"additionalProperties":false},"maxOutputTokens":4096}}
    "#);
}

#[tokio::test]
async fn openrouter() {
    assert_snapshot!(all("openrouter:anthropic/claude-sonnet-4.5").await, @r#"
    plain: post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"temperature":0.5,"stop":["END"],"max_tokens":4096}
    cached: post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":false,"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"text","text":"Mission. ","cache_control":{"type":"ephemeral"}},{"type":"text","text":"Turn 1"}]},{"role":"assistant","content":"(def x 1)"},{"role":"user","content":"x = 1"}],"max_tokens":4096}
    streamed: post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":true,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"stream_options":{"include_usage":true},"temperature":0.5,"stop":["END"],"max_tokens":4096}
    tools: post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":false,"tools":[{"type":"function","function":{"name":"rate","description":"Price.","parameters":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"strict":false}}],"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Two nights or three?"},{"role":"assistant","content":"Looking.","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{\"nights\":2}"}},{"type":"function","id":"c2","function":{"name":"rate","arguments":"{\"nights\":3}"}}]},{"role":"tool","content":"180.0","tool_call_id":"c1"},{"role":"tool","content":"{\"error\":\"full\"}","tool_call_id":"c2"}],"max_tokens":4096}
    json: post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"}],"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object","properties":{"total":{"type":"integer"}},"required":["total"],"additionalProperties":false}}},"max_tokens":4096}
    "#);
}

#[tokio::test]
async fn openrouter_without_marks() {
    assert_snapshot!(sent("openrouter:qwen/qwen3-max", &cached(), false).await, @r#"
    post /v1/chat/completions, authorization: bearer k
    {"model":"qwen/qwen3-max","stream":false,"reasoning_effort":null,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"Mission. Turn 1"},{"role":"assistant","content":"(def x 1)"},{"role":"user","content":"x = 1"}],"max_tokens":4096}
    "#);
}

#[tokio::test]
async fn only_the_end_of_the_prefix_is_marked() {
    let messages = vec![Message::new(Role::User, [Part::stable("a")]), Message::new(Role::User, [Part::stable("b")])];
    assert_snapshot!(sent("anthropic:claude-sonnet-4-5", &Request { messages, ..cached() }, false).await, @r#"
    post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":"a"},{"role":"user","content":[{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}]}],"max_tokens":4096}
    "#);
}

/// The end of one request is a mark of the next, and text sent before is cut as before.
#[tokio::test]
async fn a_history_that_grows_is_marked() {
    let mut lines = String::new();
    for spec in ["anthropic:claude-sonnet-4-5", "openai:gpt-5.6", "openrouter:anthropic/claude-sonnet-4.5"] {
        for turns in 1..3 {
            lines.push_str(&sent(spec, &growing(turns), false).await);
            lines.push('\n');
        }
    }
    assert_snapshot!(lines, @r#"
    post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Mission. ","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"text","text":"Before.","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"(p 1)"},{"role":"user","content":[{"type":"text","text":"r 1","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":" Now."}],"max_tokens":4096}
    post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Mission. ","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":"Before."},{"role":"assistant","content":"(p 1)"},{"role":"user","content":[{"type":"text","text":"r 1","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"(p 2)"},{"role":"user","content":[{"type":"text","text":"r 2","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":" Now."}],"max_tokens":4096}
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5.6","stream":false,"prompt_cache_options":{"mode":"explicit","ttl":"30m"},"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":[{"type":"text","text":"Mission. ","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":[{"type":"text","text":"Before.","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"assistant","content":"(p 1)"},{"role":"user","content":[{"type":"text","text":"r 1","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":" Now."}],"max_completion_tokens":4096}
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5.6","stream":false,"prompt_cache_options":{"mode":"explicit","ttl":"30m"},"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":[{"type":"text","text":"Mission. ","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":"Before."},{"role":"assistant","content":"(p 1)"},{"role":"user","content":[{"type":"text","text":"r 1","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"assistant","content":"(p 2)"},{"role":"user","content":[{"type":"text","text":"r 2","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":" Now."}],"max_completion_tokens":4096}
    post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":false,"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"text","text":"Mission. ","cache_control":{"type":"ephemeral"}},{"type":"text","text":"Before.","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"(p 1)"},{"role":"user","content":[{"type":"text","text":"r 1","cache_control":{"type":"ephemeral"}},{"type":"text","text":" Now."}]}],"max_tokens":4096}
    post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":false,"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"text","text":"Mission. ","cache_control":{"type":"ephemeral"}},{"type":"text","text":"Before."}]},{"role":"assistant","content":"(p 1)"},{"role":"user","content":[{"type":"text","text":"r 1","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"(p 2)"},{"role":"user","content":[{"type":"text","text":"r 2","cache_control":{"type":"ephemeral"}},{"type":"text","text":" Now."}]}],"max_tokens":4096}
    "#);
}

#[tokio::test]
async fn answers_to_calls_are_marked_where_the_provider_takes_it() {
    let request = tools();
    let messages = request.messages.iter().cloned().map(Message::repeated).collect();
    let request = Request { messages, cache: true, ..request };
    let mut lines = String::new();
    for spec in ["anthropic:claude-sonnet-4-5", "openai:gpt-5.6", "openrouter:anthropic/claude-sonnet-4.5"] {
        lines.push_str(&sent(spec, &request, false).await);
        lines.push('\n');
    }
    assert_snapshot!(lines, @r#"
    post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}],"tools":[{"name":"rate","input_schema":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"description":"Price."}],"messages":[{"role":"user","content":[{"type":"text","text":"Two nights or three?","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"c1","name":"rate","input":{"nights":2}},{"type":"tool_use","id":"c2","name":"rate","input":{"nights":3}}]},{"role":"user","content":[{"type":"tool_result","content":"180.0","tool_use_id":"c1"},{"type":"tool_result","content":"{\"error\":\"full\"}","tool_use_id":"c2","cache_control":{"type":"ephemeral"}}]}],"max_tokens":4096}
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5.6","stream":false,"prompt_cache_options":{"mode":"explicit","ttl":"30m"},"tools":[{"type":"function","function":{"name":"rate","description":"Price.","parameters":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"strict":false}}],"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"user","content":[{"type":"text","text":"Two nights or three?","prompt_cache_breakpoint":{"mode":"explicit"}}]},{"role":"assistant","content":"Looking.","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{\"nights\":2}"}},{"type":"function","id":"c2","function":{"name":"rate","arguments":"{\"nights\":3}"}}]},{"role":"tool","content":"180.0","tool_call_id":"c1"},{"role":"tool","content":"{\"error\":\"full\"}","tool_call_id":"c2"}],"max_completion_tokens":4096}
    post /v1/chat/completions, authorization: bearer k
    {"model":"anthropic/claude-sonnet-4.5","stream":false,"tools":[{"type":"function","function":{"name":"rate","description":"Price.","parameters":{"type":"object","properties":{"nights":{"type":"integer"}},"required":["nights"]},"strict":false}}],"messages":[{"role":"system","content":[{"type":"text","text":"You write programs.","cache_control":{"type":"ephemeral"}}]},{"role":"user","content":[{"type":"text","text":"Two nights or three?","cache_control":{"type":"ephemeral"}}]},{"role":"assistant","content":"Looking.","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{\"nights\":2}"}},{"type":"function","id":"c2","function":{"name":"rate","arguments":"{\"nights\":3}"}}]},{"role":"tool","tool_call_id":"c1","content":"180.0"},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"{\"error\":\"full\"}","cache_control":{"type":"ephemeral"}}]}],"max_tokens":4096}
    "#);
}

/// Every provider gets the same request, whatever is marked as repeated, when caching is not requested.
#[tokio::test]
async fn without_marks_nothing_is_cut() {
    let specs =
        ["http://127.0.0.1:1/v1#qwen3", "openai:gpt-5-mini", "gemini:gemini-2.5-flash", "anthropic:claude-sonnet-4-5"];
    for (spec, cache) in specs.into_iter().zip([true, true, true, false]) {
        let request = Request { cache, ..growing(2) };
        let whole = |message: &Message| Message::new(message.role, [Part::changing(message.content())]);
        let plain = Request { messages: request.messages.iter().map(whole).collect(), ..request.clone() };
        assert_eq!(sent(spec, &request, false).await, sent(spec, &plain, false).await, "{spec}");
    }
}

#[tokio::test]
async fn an_empty_answer_is_not_repeated_where_it_would_be_refused() {
    let messages = vec![Message::user("a"), Message::assistant(" "), Message::user("b")];
    let request = Request { messages, options: ModelOptions::default(), ..plain() };
    assert_snapshot!(sent("anthropic:claude-sonnet-4-5", &request, false).await, @r#"
    post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"system":"You write programs.","messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}],"max_tokens":4096}
    "#);
    assert_snapshot!(sent("gemini:gemini-2.5-flash", &request, false).await, @r#"
    post /v1/models/gemini-2.5-flash:generatecontent, x-goog-api-key: k
    {"systemInstruction":{"parts":[{"text":"You write programs."}]},"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"user","parts":[{"text":"b"}]}],"generationConfig":{"maxOutputTokens":4096}}
    "#);
    assert_snapshot!(sent("openai:gpt-5-mini", &request, false).await, @r#"
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":false,"messages":[{"role":"system","content":"You write programs."},{"role":"user","content":"a"},{"role":"assistant","content":" "},{"role":"user","content":"b"}],"max_completion_tokens":4096}
    "#);
}

#[tokio::test]
async fn a_schema_with_optional_fields_is_not_narrowed() {
    let properties = json!({"note": {"type": "string"}, "any": {"type": "object"}});
    let open = json!({"type": "object", "properties": properties, "required": ["any"], "additionalProperties": false});
    let request = Request { schema: Some(open.clone().into()), ..schema() };
    let openai = sent("openai:gpt-5-mini", &request, false).await;
    let format = json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": false, "schema": open}});
    assert!(openai.contains(&format!("\"response_format\":{format}")), "{openai}");
    let anthropic = sent("anthropic:claude-sonnet-4-5", &request, false).await;
    assert!(!anthropic.contains("output_config"), "{anthropic}");
}

#[tokio::test]
async fn effort_and_seed() {
    let effort = |effort| ModelOptions { reasoning_effort: Some(effort), seed: Some(7), ..ModelOptions::default() };
    let asking = |options| Request { messages: vec![Message::user("a")], options, ..Request::default() };
    let mut lines = String::new();
    for spec in
        ["openai:gpt-5-mini", "anthropic:claude-sonnet-4-5", "gemini:gemini-2.5-flash", "openai_resp:gpt-5-mini"]
    {
        for wanted in [ReasoningEffort::High, ReasoningEffort::None] {
            lines.push_str(&sent(spec, &asking(effort(wanted)), false).await);
            lines.push('\n');
        }
    }
    assert_snapshot!(lines, @r#"
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":false,"reasoning_effort":"high","messages":[{"role":"user","content":"a"}],"max_completion_tokens":4096,"seed":7}
    post /v1/chat/completions, authorization: bearer k
    {"model":"gpt-5-mini","stream":false,"reasoning_effort":"none","messages":[{"role":"user","content":"a"}],"max_completion_tokens":4096,"seed":7}
    post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"messages":[{"role":"user","content":"a"}],"thinking":{"type":"enabled","budget_tokens":2048},"max_tokens":4096}
    post /v1/messages, anthropic-version: 2023-06-01, x-api-key: k
    {"model":"claude-sonnet-4-5","stream":false,"messages":[{"role":"user","content":"a"}],"max_tokens":4096}
    post /v1/models/gemini-2.5-flash:generatecontent, x-goog-api-key: k
    {"generationConfig":{"thinkingConfig":{"thinkingBudget":2048,"includeThoughts":true},"maxOutputTokens":4096,"seed":7},"contents":[{"role":"user","parts":[{"text":"a"}]}]}
    post /v1/models/gemini-2.5-flash:generatecontent, x-goog-api-key: k
    {"generationConfig":{"thinkingConfig":{"thinkingBudget":0},"maxOutputTokens":4096,"seed":7},"contents":[{"role":"user","parts":[{"text":"a"}]}]}
    post /v1/responses, authorization: bearer k
    {"store":false,"model":"gpt-5-mini","stream":false,"reasoning":{"effort":"high","summary":"detailed"},"include":["reasoning.encrypted_content"],"input":[{"role":"user","content":"a"}],"max_output_tokens":4096}
    post /v1/responses, authorization: bearer k
    {"store":false,"model":"gpt-5-mini","stream":false,"reasoning":{"effort":"none"},"input":[{"role":"user","content":"a"}],"max_output_tokens":4096}
    "#);
}
