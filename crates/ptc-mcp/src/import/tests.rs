use std::path::Path;

use proptest::prelude::*;
use serde_json::Value as Json;

use super::plain::plain;
use crate::{Access, Imported, ServerSpec};

fn import(text: &str) -> Imported {
    ServerSpec::import(text, "/users/ada/mcp.json").unwrap()
}

/// What is said about one server with these keys: that it is read, with its notes, or why it is left out.
fn said(keys: &str) -> String {
    let imported = import(&format!(r#"{{"mcpServers": {{"a": {{{keys}}}}}}}"#));
    let read = imported.servers.iter().map(|server| match &server.access {
        Access::Command(line) => format!("{line:?}"),
        Access::Http { url, .. } => url.clone(),
    });
    let left_out = imported.left_out.iter().map(|left_out| left_out.reason.clone());
    read.chain(left_out).chain(imported.notes.iter().cloned()).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_format_is_read() {
    let server = r#"{"command": "npx", "args": ["-y", "s"], "env": {"A": "1", "N": 2, "NO": null}}"#;
    let tables = [
        format!(r#"{{"mcpServers": {{"a": {server}}}, "theme": "dark"}}"#),
        format!(r#"{{"inputs": [], "servers": {{"a": {server}}}}}"#),
        format!(r#"{{"mcp": {{"servers": {{"a": {server}}}}}, "editor.fontSize": 12}}"#),
        format!(r#"{{"context_servers": {{"a": {server}}}}}"#),
        r#"{"context_servers": {"a": {"command": {"path": "npx", "args": ["-y", "s"], "env": {"A": "1", "N": "2"}}}}}"#
            .to_owned(),
        format!("\u{feff}// mine\n{{\"mcpServers\": /* all */ {{\"a\": {server},}},}} // end"),
    ];
    for table in &tables {
        let imported = import(table);
        let [server] = imported.servers.as_slice() else { unreachable!("{table}: {imported:?}") };
        let Access::Command(line) = &server.access else { unreachable!() };
        let env = vec![("A".to_owned(), Some("1".to_owned())), ("N".to_owned(), Some("2".to_owned()))];
        assert_eq!(
            (line.executable.as_path(), &line.args, &line.env),
            (Path::new("npx"), &vec!["-y".to_owned(), "s".to_owned()], &env)
        );
        assert_eq!((imported.left_out.len(), imported.notes.len()), (0, 0), "{table}");
    }
    for keys in [
        r#""url": "http://h/mcp""#,
        r#""type": "http", "url": "http://h/mcp""#,
        r#""type": "streamable-http", "url": "http://h/mcp""#,
        r#""type": "streamableHttp", "url": "http://h/mcp""#,
        r#""type": "sse", "url": "http://h/mcp""#,
        r#""serverUrl": "http://h/mcp""#,
        r#""httpUrl": "http://h/mcp", "url": "http://h/sse""#,
        r#""transport": "http", "url": "http://h/mcp", "description": "x", "disabled": false, "alwaysAllow": []"#,
    ] {
        assert_eq!(said(keys), "http://h/mcp", "{keys}");
    }
}

#[test]
fn a_server_that_cannot_be_used_takes_only_itself_away() {
    let text = r#"{"mcpServers": {"off": {"command": "x", "disabled": true}, "no": {}, "good": {"url": "http://h"}, "odd": 1, "@x/y": {"url": "http://h"}, "My server": {"url": "http://h"}}}"#;
    let imported = import(text);
    assert_eq!(imported.servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["good", "My server"]);
    let left_out: Vec<_> = imported.left_out.iter().map(|one| (one.server.as_str(), one.reason.as_str())).collect();
    assert_eq!(
        left_out,
        [
            ("off", "it is disabled"),
            ("no", "it has neither `command` nor `url`"),
            ("odd", "it must be an object"),
            ("@x/y", "its name begins the names of its tools, so it must begin with a letter from a to z"),
        ]
    );
    for (keys, reason) in [
        (r#""command": "x", "enabled": false"#, "it is disabled"),
        (r#""command": "x", "disabled": "yes""#, "`disabled` must be true or false (got a text)"),
        (
            r#""command": "x", "url": "http://h""#,
            "it has both `command` and `url`: remove one, or say which counts with `type`",
        ),
        (r#""type": "stdio", "url": "http://h""#, "it has no `command`"),
        (r#""type": "http", "command": "x""#, "it has no `url`"),
        (
            r#""type": "ws", "url": "ws://h""#,
            "its type `ws` is not known (stdio, local, http, streamable-http, streamableHttp, streamable_http, sse, remote)",
        ),
        (r#""command": "x", "args": "-v secret-word""#, "`args` must be a list of texts (got a text)"),
        (r#""url": "http://h", "headers": ["secret-word"]"#, "`headers` must be an object of texts (got a list)"),
        (r#""command": "x", "env": {"A": {}}"#, "`env.A` must be a text (got an object)"),
        (r#""command": "x", "results": "yaml""#, "unknown results `yaml` (json, text)"),
        (
            r#""command": "x", "hidden": ["_id", "ssn"]"#,
            "`hidden` has `ssn`: only fields whose names begin with `_` can be hidden; a tool that must not show others has to leave them out",
        ),
        (r#""command": "x", "args": ["${A"]"#, "`args`: a `${` is not closed by `}`; write `$${` for the text `${`"),
    ] {
        assert_eq!(said(keys), reason, "{keys}");
    }
    let input = said(r#""url": "http://h", "headers": {"Authorization": "Bearer ${input:token}"}"#);
    assert!(input.starts_with("`headers.Authorization`: `${input:token}` asks the user of an editor"), "{input}");
}

#[test]
fn what_has_no_effect_is_said() {
    for (keys, told) in [
        (r#""url": "http://h", "heders": {}"#, "server `a`: unknown key `heders`; use `headers`"),
        (r#""url": "http://h", "zzzzzzzz": 1"#, "server `a`: unknown key `zzzzzzzz` has no effect"),
        (r#""url": "http://h", "alwaysAllow": ["x"]"#, "server `a`: `alwaysAllow` has no effect: policies decide"),
        (r#""url": "http://h", "timeout": 60"#, "server `a`: `timeout` has no effect: clients count it in seconds"),
        (
            r#""url": "http://h", "oauth": {"clientId": "x"}"#,
            "server `a`: `oauth` has no effect: log in with `ptc mcp login NAME`",
        ),
        (
            r#""url": "http://h", "headers": {"A": "Bearer $TOKEN"}"#,
            "server `a`: `headers.A` has $TOKEN, which is a text here: write `${TOKEN}` for the variable",
        ),
    ] {
        let said = said(keys);
        assert!(said.contains(&format!("\n{told}")), "{keys}: {said}");
    }
}

#[test]
fn lists_of_tools_are_those_of_the_client() {
    let text = r#"{"mcpServers": {"a": {"url": "http://h", "includeTools": ["x"], "excludeTools": ["y"]}, "b": {"url": "http://h", "tools": ["*"], "disabledTools": ["z"]}}}"#;
    let imported = import(text);
    let [a, b] = imported.servers.as_slice() else { unreachable!() };
    assert_eq!(
        (a.allow.as_deref(), a.deny.as_slice()),
        (Some(["x".to_owned()].as_slice()), ["y".to_owned()].as_slice())
    );
    assert_eq!((b.allow.as_deref(), b.deny.as_slice()), (None, ["z".to_owned()].as_slice()));
}

#[test]
fn commands_run_in_the_folder_of_the_project() {
    let folder = |file: &str| {
        let imported = ServerSpec::import(r#"{"servers": {"a": {"command": "x"}}}"#, file).unwrap();
        imported.servers[0].source.as_ref().unwrap().folder.display().to_string()
    };
    assert_eq!(folder("/p/mcp.json"), "/p");
    assert_eq!(folder("/p/.vscode/mcp.json"), "/p");
    assert_eq!(folder("/p/.hidden/mcp.json"), "/p/.hidden");
    assert_eq!(folder("mcp.json"), ".");
    assert_eq!(folder(".cursor/mcp.json"), ".");
}

#[test]
fn a_file_without_servers_is_refused() {
    let refused = |text: &str| ServerSpec::import(text, "mcp.json").unwrap_err().to_string();
    assert!(refused("{}").starts_with("no servers are in this file: write them as {\"mcpServers\":"));
    assert!(refused("[]").starts_with("no servers are in this file"));
    assert_eq!(refused("{\n // here\n \"a\": }"), "this is not JSON: expected value at line 3 column 7");
}

proptest! {
    /// Whatever strings hold, and wherever comments and last commas are, the values are the same.
    #[test]
    fn comments_and_last_commas_change_nothing(
        texts in prop::collection::vec(r#"[a-z/*"\\,\]} \n{]{0,12}"#, 0..5),
        between in prop::collection::vec(prop::sample::select(vec!["", " ", "\n", "// x, }\n", "/* ] , \" */", "/**/"]), 12),
    ) {
        let mut at = between.iter().cycle();
        let mut gap = || *at.next().unwrap();
        let mut items = String::new();
        for text in &texts {
            items += &format!("{}{}{},", gap(), serde_json::to_string(text).unwrap(), gap());
        }
        let written = format!("{}[{items}{}]{}", gap(), gap(), gap());
        let read: Json = serde_json::from_str(&plain(&written)).unwrap();
        prop_assert_eq!(read, Json::from(texts));
        prop_assert_eq!(plain(&written).len(), written.len());
    }
}

#[test]
fn a_server_that_is_there_twice_is_noted() {
    let imported = import(r#"{"mcpServers": {"a": {"url": "http://h/1"}, "a": {"url": "http://h/2"}}}"#);
    assert_eq!(imported.servers.len(), 1);
    assert!(imported.notes[0].contains("has a key twice"), "{:?}", imported.notes);
}
