use std::time::Duration;

use ptc_mcp::{Access, Grant, Results, ServerSpec, Token};

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
    // It is looked for when it is started, from the folder of the file.
    assert_eq!((line.executable.to_str(), &line.folder), (Some("sh"), &None));
    let source = a.source.as_ref().unwrap();
    assert!(source.is_trusted && source.file == source.folder.join("mission.toml"), "{source:?}");
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
    assert!(read("mcp_servers = \"mcp.json\"\n", &[("mcp.json", &imported(r#""yaml""#))]).unwrap().is_empty());
}

#[test]
fn a_login_may_have_a_client_and_scopes() {
    let json = r#"{"mcpServers": {"b": {"url": "http://x"}}}"#;
    let tables = "mcp_servers = \"mcp.json\"\n[mcp.a]\nurl = \"http://x\"\noauth = { client_id = \"me\", client_secret = \"${S}\", scopes = [\"r\"] }\n\
                  [mcp.b]\noauth = { scopes = [\"w\"] }\n\
                  [mcp.c]\nurl = \"http://x\"\noauth = { grant = \"client_credentials\", client_id = \"me\", client_secret = \"s\" }\n";
    let [a, b, c] = <[ServerSpec; 3]>::try_from(read(tables, &[("mcp.json", json)]).unwrap()).unwrap();
    assert_eq!((a.oauth.client_id.as_deref(), a.oauth.client_secret.as_deref()), (Some("me"), Some("${S}")));
    assert_eq!(
        (a.oauth.scopes.as_slice(), b.oauth.scopes.as_slice()),
        (["r".to_owned()].as_slice(), ["w".to_owned()].as_slice())
    );
    assert_eq!(b.oauth.client_id, None);
    assert_eq!((a.oauth.grant, c.oauth.grant), (Grant::AuthorizationCode, Grant::ClientCredentials));
    // Of the user who runs this, in files of both kinds.
    assert_eq!((&a.logins, &b.logins), (&crate::user_logins(), &crate::user_logins()));
    let told = |oauth: &str| check(&format!("[mcp.a]\nurl = \"http://x\"\noauth = {oauth}\n"), &[]);
    insta::assert_snapshot!(told("{ client_secret = \"x\" }"), @"mission.toml:4:27: a secret belongs to a `client_id`");
    insta::assert_snapshot!(told("{ scope = \"x\" }"), @"mission.toml:4:11: unknown key `scope` in oauth; use `scopes`");
    insta::assert_snapshot!(told("{ grant = \"client\" }"), @"mission.toml:4:19: unknown grant client (authorization_code, client_credentials)");
    insta::assert_snapshot!(told("{ grant = \"client_credentials\", client_id = \"x\" }"), @"mission.toml:4:19: a client that gets tokens for itself has a `client_id` and a `client_secret`");
    insta::assert_snapshot!(told("true"), @"mission.toml:4:9: oauth must be a table (got true)");
    insta::assert_snapshot!(check("[mcp.a]\ncommand = [\"sh\"]\noauth = {}\n", &[]), @"mission.toml:4:9: oauth belongs to `url`");
}

#[test]
fn fields_are_hidden_by_server() {
    let hidden = |table: &str| read(table, &[]).unwrap()[0].hidden.clone();
    assert_eq!(hidden("[mcp.a]\nurl = \"http://x\"\nhidden = [\"_score\", \"_links\"]\n"), ["_score", "_links"]);
    assert_eq!(hidden("[mcp.a]\nurl = \"http://x\"\n"), [""; 0]);
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\nhidden = [\"ssn\"]\n", &[]), @"mission.toml:4:10: hidden has `ssn`: only fields whose names begin with `_` can be hidden; a tool that must not show others has to leave them out");
}

#[test]
fn files_of_other_clients_are_imported() {
    let json = r#"{"theme": "dark", "mcpServers": {
        "files": {"command": "npx", "args": ["-y", "server-files"], "env": {"ROOT": "/srv"}, "disabled": false},
        "web": {"type": "http", "url": "http://127.0.0.1:9/mcp"}, // the last one
    }}"#;
    let servers =
        read("mcp_servers = \"mcp.json\"\n[mcp.own]\nurl = \"http://127.0.0.1:9/\"\n", &[("mcp.json", json)]).unwrap();
    let names: Vec<&str> = servers.iter().map(|server| server.name.as_str()).collect();
    assert_eq!(names, ["own", "files", "web"]);
    let Access::Command(line) = &servers[1].access else { unreachable!() };
    assert_eq!(line.env, [("ROOT".to_owned(), Some("/srv".to_owned()))]);
    insta::assert_snapshot!(check("mcp_servers = \"mcp.json\"\n", &[("mcp.json", "{}")]), @r#"mission.toml:2:15: mcp.json: no servers are in this file: write them as {"mcpServers": {"NAME": {"command": …, "args": […]}}}, or as `servers` or `context_servers`"#);
    insta::assert_snapshot!(check("mcp_servers = \"mcp.json\"\n", &[]), @"mission.toml:2:15: cannot read mcp.json: No such file or directory (os error 2); its name starts from the folder of the mission file");
}

/// The servers of a mission with an imported file, what is left out, and its notes, without the folder.
fn with_imported(tables: &str, json: &str) -> (Vec<ServerSpec>, Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mcp.json"), json).unwrap();
    let text = format!("mission = \"x\"\nmcp_servers = \"mcp.json\"\n{tables}");
    let mission = MissionFile::from_text(folder.path().join("mission.toml"), &text).unwrap();
    let left_out = mission.left_out.iter().map(|one| format!("{}: {}", one.server, one.reason)).collect();
    let prefix = format!("{}/", folder.path().display());
    (mission.servers, left_out, mission.notes.iter().map(|note| note.replace(&prefix, "")).collect())
}

#[test]
fn what_is_left_out_is_noted_and_the_others_stay() {
    let json = r#"{"mcpServers": {"off": {"command": "x", "disabled": true}, "no": {}, "good": {"url": "http://x", "hedaers": {}}}}"#;
    let (servers, left_out, notes) = with_imported("[mcp.own]\nurl = \"http://x\"\ndisabled = true\n", json);
    assert_eq!(servers.iter().map(|server| server.name.as_str()).collect::<Vec<_>>(), ["good"]);
    assert_eq!(left_out, ["own: it is disabled", "off: it is disabled", "no: it has neither `command` nor `url`"]);
    assert_eq!(
        notes,
        [
            "mission.toml: server `own` is left out: it is disabled",
            "mcp.json: server `off` is left out: it is disabled",
            "mcp.json: server `no` is left out: it has neither `command` nor `url`",
            "mcp.json: server `good`: unknown key `hedaers`; use `headers`",
        ]
    );
}

#[test]
fn a_table_adds_to_the_server_of_its_name_in_the_imported_file() {
    let json = r#"{"mcpServers": {"My files": {"command": "x", "env": {"A": "1"}, "excludeTools": ["c"]}, "web": {"url": "http://x"}, "off": {"url": "http://x", "disabled": true}}}"#;
    let tables = "[mcp.\"My files\"]\napprove = [\"a\"]\ndeny = [\"b\"]\nenv = { B = \"2\" }\ntimeout = \"5s\"\n\
                  [mcp.web]\ntoken_file = \"token\"\n[mcp.off]\ndeny = [\"x\"]\n";
    let (servers, left_out, _) = with_imported(tables, json);
    let [files, web] = servers.as_slice() else { unreachable!() };
    let lists = (files.approve.as_slice(), files.deny.as_slice(), files.timeout);
    assert_eq!(
        lists,
        (["a".to_owned()].as_slice(), ["c".to_owned(), "b".to_owned()].as_slice(), Duration::from_secs(5))
    );
    let Access::Command(line) = &files.access else { unreachable!() };
    assert_eq!(line.env.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["A", "B"]);
    assert_eq!(web.token, Some(Token::File("token".into())));
    assert_eq!(left_out, ["off: it is disabled"]);
    // The file was not trusted, whatever names it.
    assert!(servers.iter().all(|server| !server.source.as_ref().unwrap().is_trusted));
    // A table with an address is another server.
    let (servers, _, _) = with_imported("[mcp.web]\nurl = \"http://y\"\n", json);
    let web: Vec<_> = servers.iter().filter(|server| server.name == "web").collect();
    assert!(web.len() == 1 && web[0].source.as_ref().unwrap().is_trusted, "{web:?}");
}

#[tokio::test]
async fn a_file_that_a_mission_names_is_not_run_before_it_was_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let json = r#"{"mcpServers": {"a": {"command": "sh", "args": ["-c", "echo x > ran"]}}}"#;
    std::fs::write(folder.path().join("mcp.json"), json).unwrap();
    let text = "mission = \"x\"\nmcp_servers = \"mcp.json\"\n";
    let mut mission = MissionFile::from_text(folder.path().join("m.toml"), text).unwrap();
    mission.require_servers();
    let error = mission.connect().await.unwrap_err().to_string();
    assert!(error.contains("mcp.json, which you have not trusted yet") && error.contains("ptc mcp trust "), "{error}");
    assert!(!folder.path().join("ran").exists());
}

#[test]
fn a_command_that_is_not_installed_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let check = |line: &str| {
        let text = format!("mission = \"x\"\n[mcp.a]\ncommand = [{line}]\n");
        let check = crate::Registry::new().check_text(folder.path().join("mission.toml"), &text);
        assert!(check.problems.is_empty(), "{:?}", check.problems);
        let warnings = check
            .warnings
            .iter()
            .map(|warning| warning.message.replace(&folder.path().display().to_string(), "FOLDER"));
        warnings.filter(|told| told.starts_with("mcp server")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        check("\"no-such-server\""),
        "mcp server `a`: there is no command `no-such-server`; install it, or name an executable file, relative to FOLDER"
    );
    assert_eq!(check("\"${NO_SUCH_VARIABLE}/server\""), "");
}

#[test]
fn tokens_and_references_are_checked_where_they_are_written() {
    let tables =
        "[mcp.a]\nurl = \"http://x/${PART:-y}\"\ntoken_command = [\"gh\", \"auth\", \"token\"]\nenv = [\"GH_HOST\"]\n";
    let servers = read(tables, &[]).unwrap();
    let Some(Token::Command(line)) = &servers[0].token else { unreachable!() };
    assert_eq!((line.executable.to_str(), line.args.len(), line.env.len()), (Some("gh"), 2, 1));
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\nheaders = { A = \"${B\" }\n", &[]), @"mission.toml:4:17: a `${` is not closed by `}`; write `$${` for the text `${`");
    insta::assert_snapshot!(check("[mcp.a]\ncommand = [\"sh\", \"${input:key}\"]\n", &[]), @"mission.toml:3:18: `${input:key}` asks the user of an editor, which is not possible here: put the value into an environment variable and write `${NAME}`, or into a file and write `${file:PATH}`");
    insta::assert_snapshot!(check("[mcp.a]\ncommand = [\"sh\"]\nenv = { A = \"${b c}\" }\n", &[]), @"mission.toml:4:7: `${b c}` is not known; write `${NAME}`, `${NAME:-default}`, `${env:NAME}` or `${file:PATH}`, or `$${` for the text `${`");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ntoken_file = \"t\"\nheaders = { authorization = \"x\" }\n", &[]), @"mission.toml:4:14: a token is sent as the header Authorization, which `headers` has already");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ntoken_file = \"t\"\ntoken_command = [\"t\"]\n", &[]), @"mission.toml:5:17: a server has one token: remove this, or `token_file`");
    insta::assert_snapshot!(check("[mcp.a]\ncommand = [\"sh\"]\ntoken_file = \"t\"\n", &[]), @"mission.toml:4:14: token_file belongs to `url`");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ncwd = \"t\"\n", &[]), @"mission.toml:4:7: cwd belongs to `command`");
}

#[test]
fn what_is_no_server_is_refused_at_its_place() {
    insta::assert_snapshot!(check("[mcp.a]\ndeny = [\"x\"]\n", &[]), @"mission.toml:2:1: a server needs exactly one of `command` and `url`");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ncommand = [\"sh\"]\n", &[]), @"mission.toml:2:1: a server needs exactly one of `command` and `url`");
    insta::assert_snapshot!(check("[mcp.a]\ncommand = [\"sh\"]\nheaders = {}\n", &[]), @"mission.toml:4:11: headers belongs to `url`");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\nenv = [\"A\"]\n", &[]), @"mission.toml:4:7: env belongs to `command`");
    insta::assert_snapshot!(check("[mcp.a]\nurl = \"http://x\"\ntools = []\n", &[]), @"mission.toml:4:1: unknown key `tools` in mcp server `a`; known: command, url, headers, token_file, token_command, oauth, env, cwd, disabled, allow, deny, approve, results, hidden, timeout, required, pin");
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
    *'"initialize"'*) answer '"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"r","version":"1"},"instructions":" Once only. "}' ;;
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
    let asked = format!("{:?}", llm.requests());
    assert!(asked.contains("Instructions of the MCP server `a`: Once only."), "{asked}");
    let told = step.value::<String>().unwrap();
    assert!(told.contains("the MCP server `a` no longer offers `old`"), "{told}");
    assert_eq!(names(), ["a-new"]);
}
