use std::time::Duration;

use ptc_mcp::{Access, Results, ServerSpec};

use crate::{ConfigError, MissionFile};

fn read(tables: &str, files: &[(&str, &str)]) -> Result<Vec<ServerSpec>, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let text = format!("mission = \"x\"\n{tables}");
    MissionFile::from_text(folder.path().join("mission.toml"), &text).map(|mission| mission.servers)
}

/// The error, without the folder of the file.
fn check(tables: &str, files: &[(&str, &str)]) -> String {
    let error = read(tables, files).unwrap_err().to_string();
    let (folder, _) = error.split_once("mission.toml:").unwrap();
    error.replace(folder, "").replace(folder.trim_end_matches('/'), "FOLDER")
}

#[test]
fn servers_are_commands_or_urls() {
    let tables = "[mcp.a]\ncommand = [\"sh\", \"-c\", \"x\"]\nenv = [\"TOKEN\"]\nallow = [\"look\"]\ntimeout = \"5s\"\n\
                  [mcp.b]\nurl = \"http://127.0.0.1:9/mcp\"\nheaders = { Authorization = \"Bearer x\" }\ndeny = [\"drop\"]\n";
    let servers = read(tables, &[]).unwrap();
    let [a, b] = servers.as_slice() else { unreachable!() };
    let Access::Command(line) = &a.access else { unreachable!() };
    assert!(line.executable.ends_with("sh") && line.executable.is_absolute() && line.folder.is_some());
    assert_eq!(
        (line.args.as_slice(), line.env.as_slice()),
        (["-c", "x"].map(str::to_owned).as_slice(), [("TOKEN".to_owned(), None)].as_slice())
    );
    assert_eq!((a.allow.as_deref(), a.timeout), (Some(["look".to_owned()].as_slice()), Duration::from_secs(5)));
    let headers = vec![("Authorization".to_owned(), "Bearer x".to_owned())];
    assert_eq!(b.access, Access::Http { url: "http://127.0.0.1:9/mcp".to_owned(), headers });
    assert_eq!(b.deny, ["drop"]);
}

#[test]
fn results_are_json_or_text_by_server_or_by_tool() {
    let tables = "[mcp.a]\nurl = \"http://x\"\nresults = \"text\"\n[mcp.b]\nurl = \"http://x\"\nresults = { query = \"json\", log = \"text\" }\n";
    let [a, b] = <[ServerSpec; 2]>::try_from(read(tables, &[]).unwrap()).unwrap();
    assert_eq!((a.results, a.tool_results), (Results::Text, vec![]));
    let of_tools = vec![("query".to_owned(), Results::Json), ("log".to_owned(), Results::Text)];
    assert_eq!((b.results, &b.tool_results), (Results::JsonOrText, &of_tools));
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\nresults = \"yaml\"\n", &[]), @"mission.toml:4:11: unknown results yaml (json, text)");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\nresults = { query = 1 }\n", &[]), @"mission.toml:4:21: unknown results 1 (json, text)");
    let imported = |results: &str| format!(r#"{{"mcpServers": {{"a": {{"url": "http://x", "results": {results}}}}}}}"#);
    let json = imported(r#"{"query": "json", "log": "text"}"#);
    assert_eq!(read("mcp_servers = \"mcp.json\"\n", &[("mcp.json", &json)]).unwrap()[0].tool_results, of_tools);
    insta::assert_snapshot!(check("mcp_servers = \"mcp.json\"\n", &[("mcp.json", &imported(r#""yaml""#))]), @"mission.toml:2:15: mcp.json: server `a`: unknown results `yaml` (json, text)");
}

#[test]
fn files_of_other_clients_are_imported() {
    let json = r#"{"theme": "dark", "mcpServers": {
        "files": {"command": "npx", "args": ["-y", "server-files"], "env": {"ROOT": "/srv"}, "disabled": false},
        "web": {"type": "http", "url": "http://127.0.0.1:9/mcp"}
    }}"#;
    let servers =
        read("mcp_servers = \"mcp.json\"\n[mcp.own]\nurl = \"http://127.0.0.1:9/\"\n", &[("mcp.json", json)]).unwrap();
    let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(names, ["own", "files", "web"]);
    let Access::Command(line) = &servers[1].access else { unreachable!() };
    assert_eq!(line.env, [("ROOT".to_owned(), Some("/srv".to_owned()))]);
    insta::assert_snapshot!(check("mcp_servers = \"mcp.json\"\n", &[("mcp.json", r#"{"mcpServers": {"a": {"args": []}}}"#)]), @"mission.toml:2:15: mcp.json: server `a` has neither `command` nor `url`");
    insta::assert_snapshot!(check("mcp_servers = \"mcp.json\"\n", &[("mcp.json", "{}")]), @"mission.toml:2:15: mcp.json: this is not a JSON object with `mcpServers`: missing field `mcpServers` at line 1 column 2");
    insta::assert_snapshot!(check("mcp_servers = \"mcp.json\"\n", &[]), @"mission.toml:2:15: cannot read mcp.json: No such file or directory (os error 2); its name starts from the folder of the mission file");
}

#[test]
fn what_is_no_server_is_refused_at_its_place() {
    insta::assert_snapshot!(check("[mcp.a]\ndeny = [\"x\"]\n", &[]), @"mission.toml:2:1: a server needs exactly one of `command` and `url`");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ncommand = [\"sh\"]\n", &[]), @"mission.toml:2:1: a server needs exactly one of `command` and `url`");
    insta::assert_snapshot!(check("[mcp.a]\ncommand = [\"sh\"]\nheaders = {}\n", &[]), @"mission.toml:4:11: headers belongs to `url`");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\nenv = [\"A\"]\n", &[]), @"mission.toml:4:7: env belongs to `command`");
    insta::assert_snapshot!(check("[mcp.a]\ncommand = [\"no-such-server\"]\n", &[]), @"mission.toml:3:11: mcp server `a`: there is no command `no-such-server`; install it, or name an executable file, relative to FOLDER");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ntools = []\n", &[]), @"mission.toml:4:1: unknown key `tools` in mcp server `a`; known: command, url, headers, env, allow, deny, approve, results, timeout");
    insta::assert_snapshot!(check("[mcp]\na = 1\n", &[]), @"mission.toml:3:5: mcp server `a` must be a table (got 1)");
    insta::assert_snapshot!(check("[agents.b]\nmission = \"y\"\ndescription = \"z\"\n[agents.b.mcp.a]\nurl = \"http://x\"\n", &[]), @"mission.toml:5:11: agent `b` cannot have `mcp`; name the servers at the top of the file");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ndeny = \"x\"\n", &[]), @r#"mission.toml:4:8: deny must list names of tools (got "x")"#);
}

#[test]
fn an_agent_is_not_built_before_its_servers_are_there() {
    let mission = MissionFile::from_text("m.toml", "mission = \"x\"\n[mcp.a]\nurl = \"http://x\"\n").unwrap();
    let error = mission.build_agent(&mission.limits()).unwrap_err();
    insta::assert_snapshot!(error, @"m.toml: its MCP servers are not connected; await `MissionFile::connect` before");
}

/// Has the tool `old` until it is called, then the tool `new`.
#[cfg(unix)]
const CHANGING: &str = r#"
answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
tool=old
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"r","version":"1"}}' ;;
    *'"tools/list"'*) answer '"result":{"tools":[{"name":"'$tool'","inputSchema":{"type":"object"}}]}' ;;
    *'"tools/call"'*) tool=new; printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'; answer '"result":{"content":[]}' ;;
    *'"id"'*) answer '"error":{"code":-32601,"message":"no such method"}' ;;
  esac
done
"#;

#[cfg(unix)]
#[tokio::test]
async fn the_next_agent_of_a_connection_has_the_tools_of_the_new_list() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("server.sh"), CHANGING).unwrap();
    let text = "mission = \"x\"\n[mcp.a]\ncommand = [\"sh\", \"server.sh\"]\n";
    let mut mission = MissionFile::from_text(folder.path().join("m.toml"), text).unwrap();
    mission.connect().await.unwrap();
    let names = || {
        let agent = mission.build_agent(&mission.limits()).unwrap();
        agent.tools().into_iter().map(|tool| tool.name).collect::<Vec<_>>()
    };
    assert_eq!(names(), ["a-old"]);
    let agent = mission.build_agent(&mission.limits()).unwrap();
    let llm = ptc_chat::ScriptedLlm::replies([
        "(tool/a-old)",
        "(return (try (tool/a-old) (catch Exception e (ex-message e))))",
    ]);
    let step = agent.run(&llm, ()).await.unwrap();
    let told = step.value::<String>().unwrap();
    assert!(told.contains("the MCP server `a` no longer offers `old`"), "{told}");
    assert_eq!(names(), ["a-new"]);
}
