//! Tools of an MCP server. The server is also this program, started with `serve`, so that it runs anywhere;
//! `ServerSpec::command("files", "npx", ["-y", "@modelcontextprotocol/server-filesystem", "/srv"])` starts a real one.

use std::io::{self, BufRead, Write};

use ptc_runner::mcp::{Server, ServerSpec};
use ptc_runner::prelude::*;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    if std::env::args().nth(1).as_deref() == Some("serve") {
        return Ok(serve()?);
    }
    let server = Server::connect(ServerSpec::command("bank", std::env::current_exe()?, ["serve"])).await?;
    let agent = Agent::builder("What are 100 dollars in euros?").tools(&server).build()?;
    // A scripted model, so that this runs anywhere; `connect("ollama:qwen3")?` asks a real one.
    let llm = ScriptedLlm::replies(["(return (* 100 (:rate (tool/bank-rate {:currency-code \"USD\"}))))"]);
    let step = agent.run(&llm, ()).await?;
    println!("{} euros", step.value::<f64>()?);
    server.close().await;
    Ok(())
}

/// One tool over standard input and output: one JSON-RPC message per line.
fn serve() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let (Some(id), Some(method)) = (message.get("id"), message.get("method").and_then(Value::as_str)) else {
            continue;
        };
        let answer = match method {
            "initialize" => json!({"result": {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "bank", "version": "1"}}}),
            "tools/list" => json!({"result": {"tools": [{"name": "rate", "description": "Euros for one unit",
                "annotations": {"readOnlyHint": true}, "inputSchema": {"type": "object",
                    "properties": {"currencyCode": {"type": "string"}}, "required": ["currencyCode"]}}]}}),
            "tools/call" => json!({"result": {"content": [], "structuredContent": {"rate": 0.9}}}),
            _ => json!({"error": {"code": -32601, "message": "no such method"}}),
        };
        let mut reply = json!({"jsonrpc": "2.0", "id": id});
        if let (Some(reply), Some(answer)) = (reply.as_object_mut(), answer.as_object()) {
            reply.extend(answer.clone());
        }
        println!("{reply}");
        io::stdout().flush()?;
    }
    Ok(())
}
