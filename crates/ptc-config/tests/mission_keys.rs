//! The page on the keys of mission files says what the rows of the options say.

#![allow(clippy::unwrap_used, reason = "a test fails where it stands")]

use std::path::Path;

use ptc_agent::{AgentSpec, FormatSettings, LlmRetry, OptionKind, OptionRow, RunSpec};
use serde_json::Value as Json;

const PAGE: &str = "../../docs/reference/mission-keys.md";

/// Set to write the page instead of comparing it.
const WRITE: &str = "PTC_WRITE_PAGES";

#[test]
fn the_page_on_mission_keys_is_that_of_the_rows() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = page();
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == page, "run `{WRITE}=1 cargo test -p ptc-config --test mission_keys` and commit {PAGE}");
}

fn page() -> String {
    let (agent, run) = (AgentSpec::default(), RunSpec::default());
    let (format, retry) = (FormatSettings::default(), LlmRetry::default());
    [
        "# Keys of mission files\n\nWritten by a test of ptc-config from the rows in `crates/ptc-agent/src/spec`; not edited by hand.\n".to_owned(),
        "Beside these keys a mission file has `[data]`, `[tools]`, `[agents]`, `[mcp]`, `mcp_servers` and `replay`: [the command](../guide/command.md), [tools](../guide/tools.md), [agents](../guide/agents.md), [MCP servers](../guide/mcp.md). `ptc schema` prints all keys as a JSON Schema, for editors.\n".to_owned(),
        table("Of every agent", AgentSpec::OPTIONS, |name| agent.get(name).unwrap()),
        table("Of the run, at the top of the file", RunSpec::OPTIONS, |name| run.get(name).unwrap()),
        table("In `llm_retry`", LlmRetry::OPTIONS, |name| retry.get(name).unwrap()),
        table("In `format_options`", FormatSettings::OPTIONS, |name| format.get(name).unwrap()),
    ]
    .join("\n")
}

fn table(title: &str, rows: &[OptionRow], default: impl Fn(&str) -> Json) -> String {
    let lines = rows.iter().map(|row| {
        // One space for each line break of the doc comment.
        let doc = row.doc.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
        format!("| `{}` | {} | {} | {doc} |\n", row.name, values(&row.kind), shown(&row.kind, &default(row.name)))
    });
    format!("## {title}\n\n| key | values | default | what it is |\n|---|---|---|---|\n{}", lines.collect::<String>())
}

fn values(kind: &OptionKind) -> String {
    match kind {
        OptionKind::Count { least, .. } => format!("integer, {least} or more"),
        OptionKind::Time => "milliseconds, or text such as `\"5s\"`".to_owned(),
        OptionKind::Bytes => "bytes, or text such as `\"64MB\"`".to_owned(),
        OptionKind::Flag => "`true`, `false`".to_owned(),
        OptionKind::Texts => "table of texts".to_owned(),
        OptionKind::Choice { names, .. } => {
            names().iter().map(|name| format!("`\"{name}\"`")).collect::<Vec<_>>().join(", ")
        }
        OptionKind::Table(_) => "table, see below".to_owned(),
        OptionKind::Own(shape) => (*shape).to_owned(),
        _ => "text".to_owned(),
    }
}

fn shown(kind: &OptionKind, value: &Json) -> String {
    match (kind, value) {
        (OptionKind::Time, Json::Object(time)) => format!("`\"{}s\"`", time.get("secs").unwrap()),
        (OptionKind::Bytes, Json::Number(bytes)) => format!("`\"{}MB\"`", bytes.as_u64().unwrap() >> 20),
        (OptionKind::Choice { .. }, Json::String(name)) => format!("`\"{name}\"`"),
        (_, Json::Number(_) | Json::Bool(_)) => format!("`{value}`"),
        _ => String::new(),
    }
}
