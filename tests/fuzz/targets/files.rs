//! Files that people write, and messages of MCP servers: missions, policies of the gateway, lists of servers, tools,
//! results.

use ptc_runner::config::{MissionFile, Registry};
use ptc_runner::gateway::{GatewayFile, OfferedTool};
use ptc_runner::lisp::values::{NoCells, to_json};
use ptc_runner::mcp::ServerSpec;
use ptc_runner::mcp::testing::{result_of, tool_of};
use ptc_runner::signature::Signature;
use serde_json::json;

/// A mission file is read or refused at a place in it; what is read also passes the check for all mistakes.
pub(crate) fn mission(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Commands and files are looked for in a folder that does not exist.
    let path = "/nonexistent/mission.toml";
    let read = MissionFile::from_text(path, text);
    let checked = Registry::new().check_text(path, text);
    match read {
        Ok(_) => {}
        Err(error) => {
            assert!(
                error.to_string().contains("mission.toml") || error.to_string().contains("/nonexistent"),
                "{error}"
            );
            assert!(!checked.problems.is_empty(), "the check misses {error}");
        }
    }
}

/// A policy is read or refused; a ruling on a call is within the policy's range for its tool.
pub(crate) fn policy(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(file) = GatewayFile::from_text("/nonexistent/gateway.toml", text) else { return };
    for tool in TOOLS {
        let Ok((said, spec)) = tool_of(&ServerSpec::command("files", "sh", ["x"]), tool) else {
            panic!("a tool: {tool}")
        };
        let offer = OfferedTool::new(said, &spec);
        let standing = file.policy.standing(&offer);
        for args in [json!({}), json!({"path": "/etc/passwd", "n": 3, "deep": {"a": [1, null]}})] {
            let verdict = file.policy.verdict(&offer, &args);
            assert!(standing.least <= verdict.ruling && verdict.ruling <= standing.most, "{standing:?}, {verdict:?}");
        }
    }
}

/// Tools that read, write and destroy.
const TOOLS: [&str; 3] = [
    r#"{"name": "read_file", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}"#,
    r#"{"name": "write_file", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": false}}"#,
    r#"{"name": "delete_file", "inputSchema": {"type": "object"}}"#,
];

/// What an MCP server lists is a tool with a signature that can be written and read; what it answers is a value or a
/// failure.
pub(crate) fn mcp(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(imported) = ServerSpec::import(text, "mcp.json") {
        assert!(imported.servers.iter().all(|server| !server.name.is_empty()));
        assert!(imported.left_out.iter().all(|left_out| !left_out.reason.is_empty()));
    }
    if let Ok((_, spec)) = tool_of(&ServerSpec::command("files", "sh", ["x"]), text)
        && let Some(signature) = &spec.signature
    {
        let written = signature.to_string();
        assert!(Signature::parse_tool(&written).is_ok(), "{written}");
        assert!(
            spec.description.as_deref().is_none_or(|about| !about.contains('\n')),
            "one line: {:?}",
            spec.description
        );
    }
    if let Ok(Ok(value)) = result_of(text) {
        assert!(to_json(&value, &NoCells).is_ok(), "{value:?} is JSON again");
    }
}
