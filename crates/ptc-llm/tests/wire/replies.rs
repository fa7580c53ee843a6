//! Answers of every provider as our replies.

use std::sync::{Arc, Mutex};

use insta::assert_snapshot;
use ptc_agent::{Agent, Context, RunOptions};
use ptc_chat::{Llm, LlmError, Message, Reply, Request, ToolDefinition};
use ptc_llm::{ConnectOptions, connect_with};
use ptc_transcript::{Event, EventKind};
use serde_json::{Value, json};

use crate::server::{json as whole, serve, stream};

fn asking() -> Request {
    let rate =
        ToolDefinition { name: "rate".into(), description: String::new(), parameters: json!({"type": "object"}) };
    Request { messages: vec![Message::user("Price?")], tools: [rate].into(), ..Request::default() }
}

/// The reply of this model when its provider answers like this, and the pieces streamed before, if it streams.
async fn ask(spec: &str, answer: String, streamed: bool) -> (Result<Reply, LlmError>, Vec<String>) {
    let (url, served) = serve(answer).await;
    let options =
        ConnectOptions { base_url: Some(url.clone()), api_key: Some("k".into()), ..ConnectOptions::default() };
    let llm = connect_with(spec, &options).unwrap();
    let mut heard = Vec::new();
    let mut listen = |text: &str| heard.push(text.to_owned());
    let request = asking();
    let reply = if streamed { llm.reply(&request, Some(&mut listen)).await } else { llm.reply(&request, None).await };
    served.await.unwrap();
    (reply.map_err(|error| LlmError { message: error.message.replace(&url, "URL"), ..error }), heard)
}

async fn check(spec: &str, body: &Value) -> String {
    match ask(spec, whole(body), false).await.0 {
        Ok(reply) => serde_json::to_string(&reply).unwrap(),
        Err(error) => error.to_string(),
    }
}

async fn check_stream(spec: &str, events: &[(&str, Value)]) -> String {
    let (reply, heard) = ask(spec, stream(events), true).await;
    format!("{heard:?} {}", serde_json::to_string(&reply.unwrap()).unwrap())
}

fn completion(message: Value) -> Value {
    json!({"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
           "usage": {"prompt_tokens": 50, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 40}}})
}

fn call(arguments: &str) -> Value {
    json!({"id": "c1", "type": "function", "function": {"name": "rate", "arguments": arguments}})
}

fn delta(delta: Value) -> (&'static str, Value) {
    ("", json!({"choices": [{"index": 0, "delta": delta}]}))
}

fn done(finish: &str) -> [(&'static str, Value); 3] {
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]});
    [
        ("", end),
        ("", json!({"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 7}})),
        ("", json!("[DONE]")),
    ]
}

const SERVER: &str = "http://127.0.0.1:1/v1#m";
const CLAUDE: &str = "anthropic:claude-sonnet-4-5";
const GEMINI: &str = "gemini:gemini-2.5-flash";

/// The adapter would allocate as many calls as the index says: hundreds of gigabytes.
#[tokio::test]
async fn the_index_of_a_call_takes_no_memory() {
    let call = |index: u64| json!({"tool_calls": [{"index": index, "id": format!("c{index}"), "function": {"name": "rate", "arguments": "{}"}}]});
    let mut events: Vec<_> = [u64::from(u32::MAX) - 1, 7, u64::MAX].map(call).map(delta).into();
    events.extend(done("tool_calls"));
    assert_snapshot!(check_stream(SERVER, &events).await, @r#"[] {"content":"","tool_calls":[{"id":"c7","name":"rate","args":{}},{"id":"c4294967294","name":"rate","args":{}},{"id":"c18446744073709551615","name":"rate","args":{}}],"stop":"tool_calls","tokens":{"input":50,"output":7}}"#);
}

#[tokio::test]
async fn calls_of_openai() {
    let two = json!({"content": "Looking.", "tool_calls": [call("{\"nights\":2}"), call("")]});
    assert_snapshot!(check(SERVER, &completion(two)).await, @r#"{"content":"Looking.","tool_calls":[{"id":"c1","name":"rate","args":{"nights":2}},{"id":"c1","name":"rate","args":{}}],"stop":"tool_calls","tokens":{"input":50,"output":7,"cached":40}}"#);
    assert_snapshot!(check(SERVER, &completion(json!({"content": null, "tool_calls": [call("{\"nights\":")]}))).await, @r#"{"content":"","tool_calls":[{"id":"c1","name":"rate","args":"{\"nights\":"}],"stop":"tool_calls","tokens":{"input":50,"output":7,"cached":40}}"#);
    let pieces =
        |index: u32, arguments: &str| json!({"tool_calls": [{"index": index, "function": {"arguments": arguments}}]});
    let open = |index: u32, id: &str| json!({"tool_calls": [{"index": index, "id": id, "type": "function", "function": {"name": "rate", "arguments": ""}}]});
    let mut events = vec![delta(json!({"content": "Look"})), delta(json!({"content": "ing."}))];
    events.extend([open(0, "c1"), pieces(0, "{\"nig"), pieces(0, "hts\":2}"), open(1, "c2")].map(delta));
    events.extend(done("tool_calls"));
    assert_snapshot!(check_stream(SERVER, &events).await, @r#"["Look", "ing."] {"content":"Looking.","tool_calls":[{"id":"c1","name":"rate","args":{"nights":2}},{"id":"c2","name":"rate","args":{}}],"stop":"tool_calls","tokens":{"input":50,"output":7}}"#);
}

/// The reason may come first in a frame, and contain the name of the field of calls.
#[tokio::test]
async fn calls_are_found_wherever_they_are_in_a_frame() {
    let open = json!({"tool_calls": [{"index": 0, "id": "c1", "function": {"name": "rate", "arguments": "{}"}}]});
    let frame = json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "delta": open}]});
    let spaced = frame.to_string().replace("\"tool_calls\":", "\"tool_calls\"\t:\t");
    let [_, usage, end] = done("tool_calls");
    let answer = |frame: Value| [("", frame), usage.clone(), end.clone()];
    let told = check_stream(SERVER, &answer(frame)).await;
    assert_snapshot!(told, @r#"[] {"content":"","tool_calls":[{"id":"c1","name":"rate","args":{}}],"stop":"tool_calls","tokens":{"input":50,"output":7}}"#);
    assert_eq!(check_stream(SERVER, &answer(json!(spaced))).await, told);
}

#[tokio::test]
async fn thoughts_of_openai() {
    let apart = json!({"content": "(f)", "reasoning_content": "hm"});
    assert_snapshot!(check(SERVER, &completion(apart)).await, @r#"{"content":"(f)","reasoning":"hm","stop":"tool_calls","tokens":{"input":50,"output":7,"cached":40}}"#);
    for field in ["reasoning", "thinking", "thoughts", "reasoning_text"] {
        let told = check(SERVER, &completion(json!({"content": "(f)", field: "hm"}))).await;
        assert_eq!(
            told,
            check(SERVER, &completion(json!({"content": "(f)", "reasoning_content": "hm"}))).await,
            "{field}"
        );
        let mut events = vec![
            delta(json!({field: "h", "content": ""})),
            delta(json!({field: "m"})),
            delta(json!({"content": "(f)"})),
        ];
        events.extend(done("stop"));
        assert!(
            check_stream(SERVER, &events).await.contains(r#"{"content":"(f)","reasoning":"hm","stop":"end""#),
            "{field}"
        );
    }
    let mut events =
        ["<th", "ink>h", "m</thi", "nk>\n", "(f", ")"].map(|text| delta(json!({"content": text}))).to_vec();
    events.extend(done("stop"));
    assert_snapshot!(check_stream(SERVER, &events).await, @r#"["(f", ")"] {"content":"(f)","reasoning":"hm","stop":"end","tokens":{"input":50,"output":7}}"#);
}

#[tokio::test]
async fn thoughts_go_back_where_they_must() {
    let called = json!({"content": "", "reasoning_content": "hm", "tool_calls": [call("{}")]});
    assert_snapshot!(check("deepseek:deepseek-reasoner", &completion(called.clone())).await, @r#"{"content":"","reasoning":"hm","tool_calls":[{"id":"c1","name":"rate","args":{},"echo":[{"thinking":"hm"}]}],"stop":"tool_calls","tokens":{"input":50,"output":7,"cached":40}}"#);
    let detail = json!({"type": "reasoning.encrypted", "data": "sealed"});
    let mut detailed = called;
    detailed["reasoning_details"] = json!([detail]);
    assert_snapshot!(check("openrouter:openai/gpt-5", &completion(detailed)).await, @r#"{"content":"","reasoning":"hm","tool_calls":[{"id":"c1","name":"rate","args":{},"echo":[{"block":{"type":"reasoning.encrypted","data":"sealed"}}]}],"stop":"tool_calls","tokens":{"input":50,"output":7,"cached":40}}"#);
}

#[tokio::test]
async fn refusals() {
    assert_snapshot!(check("openai:gpt-5-mini", &completion(json!({"content": null, "refusal": "I cannot."}))).await, @"refused: the model refused to answer: I cannot.");
    let mut events = vec![delta(json!({"refusal": "I can"})), delta(json!({"refusal": "not."}))];
    events.extend(done("stop"));
    let (streamed, _) = ask("openai:gpt-5-mini", stream(&events), true).await;
    assert_snapshot!(streamed.unwrap_err(), @"refused: the model refused to answer: I cannot.");
    let stopped = json!({"type": "message", "content": [], "stop_reason": "refusal", "usage": {"input_tokens": 1, "output_tokens": 1}});
    assert_snapshot!(check(CLAUDE, &stopped).await, @"refused: the model or its provider refused to answer");
    let safety =
        json!({"candidates": [{"content": {}, "finishReason": "SAFETY"}], "usageMetadata": {"promptTokenCount": 5}});
    assert_snapshot!(check(GEMINI, &safety).await, @"refused: the model or its provider refused to answer");
    let blocked =
        json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 5}});
    assert_snapshot!(check(GEMINI, &blocked).await, @"refused: URL blocked the request: PROHIBITED_CONTENT");
    let (streamed, _) = ask(GEMINI, stream(&[("", blocked)]), true).await;
    assert_snapshot!(streamed.unwrap_err(), @"refused: URL blocked the request and gave no answer");
}

#[tokio::test]
async fn anthropic() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "signature": "sealed"},
        {"type": "text", "text": "Looking."},
        {"type": "tool_use", "id": "t1", "name": "rate", "input": {"nights": 2}},
        {"type": "tool_use", "id": "t2", "name": "rate", "input": {}}
    ]);
    let usage = json!({"input_tokens": 20, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 70, "output_tokens": 5});
    let body =
        json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "tool_use", "usage": usage});
    assert_snapshot!(check(CLAUDE, &body).await, @r#"{"content":"Looking.","reasoning":"hm","tool_calls":[{"id":"t1","name":"rate","args":{"nights":2},"echo":[{"signature":"sealed"},{"thinking":"hm"}]},{"id":"t2","name":"rate","args":{}}],"stop":"tool_calls","tokens":{"input":120,"output":5,"cached":30,"cache_write":70}}"#);
}

#[tokio::test]
async fn anthropic_streamed() {
    let usage = json!({"input_tokens": 20, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 70, "output_tokens": 1});
    let block =
        |index: u32, block: Value| json!({"type": "content_block_start", "index": index, "content_block": block});
    let delta = |index: u32, delta: Value| json!({"type": "content_block_delta", "index": index, "delta": delta});
    let stop = |index: u32| ("content_block_stop", json!({"type": "content_block_stop", "index": index}));
    let events = [
        ("message_start", json!({"type": "message_start", "message": {"id": "m", "usage": usage}})),
        ("content_block_start", block(0, json!({"type": "thinking", "thinking": "", "signature": ""}))),
        ("content_block_delta", delta(0, json!({"type": "thinking_delta", "thinking": "hm"}))),
        ("content_block_delta", delta(0, json!({"type": "signature_delta", "signature": "sealed"}))),
        stop(0),
        ("content_block_start", block(1, json!({"type": "text", "text": ""}))),
        ("content_block_delta", delta(1, json!({"type": "text_delta", "text": "Look"}))),
        ("content_block_delta", delta(1, json!({"type": "text_delta", "text": "ing."}))),
        stop(1),
        ("content_block_start", block(2, json!({"type": "tool_use", "id": "t1", "name": "rate", "input": {}}))),
        ("content_block_delta", delta(2, json!({"type": "input_json_delta", "partial_json": "{\"nights\":2}"}))),
        stop(2),
        (
            "message_delta",
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}}),
        ),
        ("message_stop", json!({"type": "message_stop"})),
    ];
    assert_snapshot!(check_stream(CLAUDE, &events).await, @r#"["Look", "ing."] {"content":"Looking.","reasoning":"hm","tool_calls":[{"id":"t1","name":"rate","args":{"nights":2},"echo":[{"signature":"sealed"},{"thinking":"hm"}]}],"stop":"tool_calls","tokens":{"input":120,"output":5,"cached":30,"cache_write":70}}"#);
}

#[tokio::test]
async fn gemini() {
    let usage = json!({"promptTokenCount": 50, "candidatesTokenCount": 7, "thoughtsTokenCount": 3, "cachedContentTokenCount": 40});
    let parts = json!([
        {"text": "hm", "thought": true},
        {"text": "Looking."},
        {"functionCall": {"name": "rate", "args": {"nights": 2}}, "thoughtSignature": "sealed"},
        {"functionCall": {"name": "rate", "args": {"nights": 3}}}
    ]);
    let body = json!({"candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": "STOP"}], "usageMetadata": usage});
    assert_snapshot!(check(GEMINI, &body).await, @r#"{"content":"Looking.","reasoning":"hm","tool_calls":[{"id":"call#rate#0","name":"rate","args":{"nights":2},"echo":["sealed"]},{"id":"call#rate#1","name":"rate","args":{"nights":3}}],"stop":"end","tokens":{"input":50,"output":10,"cached":40}}"#);
    let piece = |text: &str| json!({"candidates": [{"content": {"parts": [{"text": text}], "role": "model"}}], "usageMetadata": usage});
    let last = json!({"candidates": [{"content": {"parts": [{"text": ")"}]}, "finishReason": "MAX_TOKENS"}], "usageMetadata": usage});
    assert_snapshot!(check_stream(GEMINI, &[("", piece("(f")), ("", last)]).await, @r#"["(f", ")"] {"content":"(f)","stop":"length","tokens":{"input":50,"output":10,"cached":40}}"#);
}

/// The next request returns everything that a reply wants back with its calls.
async fn sent_back(spec: &str, body: &Value) -> Value {
    let (reply, _) = ask(spec, whole(body), false).await;
    let reply = reply.unwrap();
    let answers = reply.tool_calls.iter().map(|call| Message::tool(call.id.as_str(), "ok")).collect::<Vec<_>>();
    let asked = Message::assistant(reply.content.as_str()).with_tool_calls(reply.tool_calls);
    let messages = [Message::user("Price?"), asked].into_iter().chain(answers).collect();
    let (url, served) = serve(whole(&json!({}))).await;
    let options = ConnectOptions { base_url: Some(url), api_key: Some("k".into()), ..ConnectOptions::default() };
    // The answer is not a chat, which does not matter here.
    let _answer =
        connect_with(spec, &options).unwrap().reply(&Request { messages, cache: true, ..asking() }, None).await;
    served.await.unwrap().body
}

#[tokio::test]
async fn signatures_go_back() {
    let thinking = json!({"type": "thinking", "thinking": "hm", "signature": "sealed"});
    let content = json!([thinking, {"type": "tool_use", "id": "t1", "name": "rate", "input": {"nights": 2}}]);
    let body = json!({"type": "message", "content": content, "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1}});
    assert_snapshot!(sent_back(CLAUDE, &body).await["messages"][1], @r#"{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sealed"},{"type":"tool_use","id":"t1","name":"rate","input":{"nights":2}}]}"#);
    let parts = json!([{"functionCall": {"name": "rate", "args": {}}, "thoughtSignature": "sealed"}]);
    let body = json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]});
    assert_snapshot!(sent_back(GEMINI, &body).await["contents"][1], @r#"{"role":"model","parts":[{"functionCall":{"name":"rate","args":{}},"thoughtSignature":"sealed"}]}"#);
    let details = json!([{"type": "reasoning.encrypted", "data": "sealed"}]);
    let body = completion(json!({"content": "", "tool_calls": [call("{}")], "reasoning_details": details}));
    assert_snapshot!(sent_back("openrouter:anthropic/claude-sonnet-4.5", &body).await["messages"][1], @r#"{"role":"assistant","content":"","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{}"}}],"reasoning_details":[{"type":"reasoning.encrypted","data":"sealed"}]}"#);
    assert_snapshot!(sent_back("openrouter:openai/gpt-5", &body).await["messages"][1], @r#"{"role":"assistant","content":"","tool_calls":[{"type":"function","id":"c1","function":{"name":"rate","arguments":"{}"}}],"reasoning_details":[{"type":"reasoning.encrypted","data":"sealed"}]}"#);
}

#[tokio::test]
async fn programs_reach_observers_as_they_are_written() {
    let mut events = ["(return ", "(+ 1 2))"].map(|text| delta(json!({"content": text}))).to_vec();
    events.extend(done("stop"));
    let (url, served) = serve(stream(&events)).await;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&heard);
    let observer = move |event: &Event| {
        if let EventKind::LlmChunk { text, .. } = &event.kind {
            notes.lock().unwrap().push(text.clone());
        }
    };
    let llm = connect_with(&format!("{url}#m"), &ConnectOptions::default()).unwrap();
    let options = RunOptions::new().llm(Arc::new(llm)).stream(true).observers(vec![Arc::new(observer)]);
    let agent = Agent::builder("Add").build().unwrap();
    let step = agent.run_with(Context::default(), options).await.unwrap();
    assert_eq!(step.value::<u32>().unwrap(), 3);
    assert_eq!(*heard.lock().unwrap(), ["(return ", "(+ 1 2))"]);
    assert_eq!(served.await.unwrap().body["stream"], true);
}
