//! A small MCP server over its standard streams, written without a library: JSON-RPC messages, one a line.
//!
//! The tests of this crate call it, and so can a mission:
//!
//! ```toml
//! [mcp.notes]
//! command = ["target/debug/examples/notes_server", "notes.txt"]
//! ```
//!
//! Its argument is the file of the notes, a second one a behaviour:
//!
//! * `clash`: one of its tools has a name that differs from another one only in a dot
//! * `late`: it answers the question for its revision only when it is asked to initialize, as one that starts slowly
//! * `lenient`: it answers unknown methods with an empty result, as some servers do
//! * `odd`: its list has tools that are none, one that is listed twice, and a page that is named again and again
//! * `modern`: it speaks the revision without `initialize`, where only subscriptions are informed of another list, and
//!   ends a subscription with the first notification; the number of subscriptions is its only note then
//!
//! The tool `raw` gives its text as the result, whether or not that is JSON. The tool `change` gives it another list of tools, `climb` reports its progress, and `hold` never answers. Then its
//! only note is that it holds a call, or that one was cancelled.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Where a notification names its subscription.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

fn no_such_method() -> Value {
    json!({"code": -32601, "message": "no such method"})
}

fn main() -> io::Result<()> {
    let mut args = std::env::args().skip(1);
    let notes = args.next().unwrap_or_else(|| "notes.txt".to_owned());
    let habit = args.next().unwrap_or_default();
    let clashes = habit == "clash";
    let mut has_changed = false;
    // The subscription that waits for another list.
    let mut subscription: Option<Value> = None;
    let mut subscriptions = 0;
    let mut missed: Option<Value> = None;
    eprintln!("notes are in {notes}");
    for line in io::stdin().lock().lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        let text = |place: &str| message.pointer(place).and_then(Value::as_str);
        // A message without an id is a notification.
        let Some(id) = message.get("id") else {
            if text("/method") == Some("notifications/cancelled") {
                fs::write(&notes, format!("cancelled: {}", text("/params/reason").unwrap_or_default()))?;
            }
            continue;
        };
        missed.take().map_or(Ok(()), |id| send(&json!({"jsonrpc": "2.0", "id": id, "error": no_such_method()})))?;
        let answer = match text("/method") {
            Some("server/discover") if habit == "late" => {
                missed = Some(id.clone());
                continue;
            }
            Some("initialize") => Ok(about("protocolVersion", json!("2025-11-25"))),
            Some("server/discover") if habit == "modern" => Ok(about("supportedVersions", json!(["2026-07-28"]))),
            Some("subscriptions/listen") if habit == "modern" => {
                send(&json!({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {
                    "_meta": {SUBSCRIPTION: id}, "notifications": {"toolsListChanged": true},
                }}))?;
                subscription = Some(id.clone());
                subscriptions += 1;
                fs::write(&notes, format!("subscriptions: {subscriptions}"))?;
                continue;
            }
            Some("tools/list") if habit == "odd" => Ok(odd_page(text("/params/cursor"))),
            Some("tools/list") => Ok(json!({"tools": tools(clashes, has_changed)})),
            Some("tools/call") if text("/params/name") == Some("raw") => {
                raw(id, text("/params/arguments/text").unwrap_or_default())?;
                continue;
            }
            Some("tools/call") if text("/params/name") == Some("hold") => {
                fs::write(&notes, "held")?;
                continue;
            }
            Some("tools/call") if text("/params/name") == Some("change") => {
                has_changed = !has_changed;
                let meta = subscription.as_ref().map_or(json!({}), |id| json!({SUBSCRIPTION: id}));
                let params = json!({"_meta": meta});
                if habit != "modern" || subscription.is_some() {
                    send(&json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": params}))?;
                }
                if let Some(id) = subscription.take() {
                    send(&json!({"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", "_meta": meta}}))?;
                }
                Ok(json!({"content": [{"type": "text", "text": "changed"}]}))
            }
            Some("tools/call") if has_changed && text("/params/name") == Some("picture") => {
                Err(json!({"code": -32602, "message": "Unknown tool: picture"}))
            }
            Some("tools/call") => {
                climb(&message)?;
                let arguments = message.pointer("/params/arguments").unwrap_or(&Value::Null);
                Ok(call(Path::new(&notes), text("/params/name"), arguments)?)
            }
            _ if habit == "lenient" => Ok(json!({})),
            _ => Err(no_such_method()),
        };
        let (key, mut value) = answer.map_or_else(|error| ("error", error), |result| ("result", result));
        if let (Some(result), true) = (value.as_object_mut(), habit == "modern") {
            result.insert("resultType".to_owned(), json!("complete"));
            result.insert("ttlMs".to_owned(), json!(0));
            result.insert("cacheScope".to_owned(), json!("private"));
        }
        send(&json!({"jsonrpc": "2.0", "id": id, key: value}))?;
    }
    Ok(())
}

fn send(message: &Value) -> io::Result<()> {
    println!("{message}");
    io::stdout().flush()
}

/// What the server says about itself.
fn about(key: &str, revision: Value) -> Value {
    json!({
        key: revision,
        "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": {"name": "notes", "version": "1.0.0"},
    })
}

/// Give this text as the result of a call.
fn raw(id: &Value, result: &str) -> io::Result<()> {
    println!("a line of a log\n{{\"result\":{result},\"id\":{id},\"jsonrpc\":\"2.0\"}}");
    io::stdout().flush()
}

/// Report the progress of `climb`: this many steps with this many milliseconds before each.
fn climb(message: &Value) -> io::Result<()> {
    let params = message.get("params").unwrap_or(&Value::Null);
    let number = |place: &str| params.pointer(place).and_then(Value::as_u64).unwrap_or(0);
    let (Some(token), Some("climb")) =
        (params.pointer("/_meta/progressToken"), params.get("name").and_then(Value::as_str))
    else {
        return Ok(());
    };
    let steps = number("/arguments/steps");
    for step in 1..=steps {
        thread::sleep(Duration::from_millis(number("/arguments/pause")));
        let progress = json!({"progressToken": token, "progress": step, "total": steps, "message": "climbing"});
        send(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}))?;
    }
    Ok(())
}

fn tools(clashes: bool, has_changed: bool) -> Vec<Value> {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let nothing = json!({"type": "object", "properties": {}});
    let numbers = json!({
        "type": "object",
        "properties": {"firstNumber": {"type": "integer"}, "second": {"type": "integer"}},
        "required": ["firstNumber"],
    });
    let steps = json!({
        "type": "object",
        "properties": {"steps": {"type": "integer"}, "pause": {"type": "integer"}},
    });
    let sum = json!({"type": "object", "properties": {"sum": {"type": "integer"}}, "required": ["sum"]});
    let mut tools = vec![
        json!({"name": "add", "description": "Adds\n two numbers.", "inputSchema": numbers, "outputSchema": sum,
            "annotations": {"readOnlyHint": true}}),
        json!({"name": "note.append", "description": "Appends a note.", "inputSchema": text}),
        json!({"name": "notes", "inputSchema": nothing, "annotations": {"readOnlyHint": true}}),
        json!({"name": "stumble", "inputSchema": text, "annotations": {"readOnlyHint": true}}),
        json!({"name": "append_and_die", "inputSchema": text}),
        json!({"name": "picture", "inputSchema": nothing}),
        json!({"name": "refuse", "inputSchema": text}),
        json!({"name": "sleep", "inputSchema": nothing}),
        json!({"name": "hold", "inputSchema": nothing}),
        json!({"name": "climb", "inputSchema": steps}),
        json!({"name": "raw", "inputSchema": text}),
        json!({"name": "change", "inputSchema": nothing}),
    ];
    if has_changed {
        tools.retain(|tool| tool.get("name") != Some(&json!("picture")));
        tools.push(json!({"name": "late", "inputSchema": nothing}));
    }
    if clashes {
        tools.push(json!({"name": "note-append", "inputSchema": text}));
    }
    tools
}

/// A page of a list that has no end.
fn odd_page(cursor: Option<&str>) -> Value {
    let nothing = json!({"type": "object", "properties": {}});
    let same = json!({"name": "same", "inputSchema": nothing});
    let tools = match cursor {
        None => {
            json!([same, {"name": "bare"}, {"name": "void", "inputSchema": null}, "text", {"name": "raw", "inputSchema": {"type": "object"}}])
        }
        Some(_) => json!([same, {"name": "raw", "inputSchema": nothing}]),
    };
    json!({"tools": tools, "nextCursor": "p2"})
}

fn call(notes: &Path, tool: Option<&str>, args: &Value) -> io::Result<Value> {
    let said = args.get("text").and_then(Value::as_str).unwrap_or_default();
    let number = |name: &str| args.get(name).and_then(Value::as_i64).unwrap_or(0);
    let lines = || fs::read_to_string(notes).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    let append = || fs::write(notes, lines().into_iter().chain([said.to_owned()]).collect::<Vec<_>>().join("\n"));
    let text = |text: String| json!({"content": [{"type": "text", "text": text}]});
    Ok(match tool {
        Some("add") => {
            let sum = number("firstNumber") + number("second");
            json!({"content": [{"type": "text", "text": sum.to_string()}], "structuredContent": {"sum": sum}})
        }
        Some("note.append") => {
            append()?;
            text(format!("{}", lines().len()))
        }
        Some("notes") => text(json!(lines()).to_string()),
        // The first call with a text ends the server; the next one finds the text among the notes.
        Some("stumble") if lines().iter().any(|line| line == said) => text("up again".to_owned()),
        Some("stumble" | "append_and_die") => {
            append()?;
            std::process::exit(1);
        }
        Some("picture") => json!({"content": [
            {"type": "text", "text": "a dot"},
            {"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgo="},
            {"type": "resource_link", "uri": "file:///dot.png", "name": "dot.png"},
        ]}),
        Some("climb") => text("on top".to_owned()),
        Some("late") => text("here".to_owned()),
        Some("sleep") => {
            thread::sleep(Duration::from_secs(30));
            text(String::new())
        }
        other => {
            json!({"isError": true, "content": [{"type": "text", "text": format!("{} is not for {said}", other.unwrap_or("nothing"))}]})
        }
    })
}
