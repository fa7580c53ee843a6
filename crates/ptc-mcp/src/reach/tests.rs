use std::path::Path;

use crate::{Access, CommandLine, ServerSpec, Source, Token};

/// A server of a file in this folder.
fn server(folder: &Path, access: Access) -> ServerSpec {
    ServerSpec { source: Some(Source::new(folder.join("gateway.toml"), folder)), ..ServerSpec::new("s", access) }
}

fn http(folder: &Path, token: Token) -> ServerSpec {
    server(folder, Access::Http { url: "http://127.0.0.1:9/mcp".to_owned(), headers: Vec::new() }).token(token)
}

fn shell(script: &str) -> CommandLine {
    let args = vec!["-c".to_owned(), script.to_owned()];
    CommandLine { executable: "sh".into(), args, folder: None, env: Vec::new() }
}

/// The value of the header, or the error, without the folder.
async fn authorization(spec: &ServerSpec) -> String {
    match spec.reached(None).await.map(|reached| reached.access) {
        Ok(Access::Http { headers, .. }) => headers.iter().map(|(name, value)| format!("{name}: {value}")).collect(),
        Ok(Access::Command(_)) => unreachable!(),
        Err(error) => {
            let folder = spec.source.as_ref().unwrap().folder.display().to_string();
            error.to_string().replace(&folder, "FOLDER")
        }
    }
}

#[tokio::test]
async fn a_token_is_read_again_for_each_connection() {
    let folder = tempfile::tempdir().unwrap();
    let spec = http(folder.path(), Token::File("token".into()));
    for token in ["first-token", "second-token"] {
        std::fs::write(folder.path().join("token"), format!("{token}\n")).unwrap();
        assert_eq!(authorization(&spec).await, format!("Authorization: Bearer {token}"));
        assert_eq!(spec.told(&format!("no {token} known")), "no [hidden] known");
    }
    assert!(!format!("{spec:?}").contains("second-token"));
    std::fs::write(folder.path().join("token"), "two words").unwrap();
    assert_eq!(
        authorization(&spec).await,
        "MCP server `s`: a token is one word, but the file `token` has blank space or other characters that no token has in it (in FOLDER/gateway.toml)"
    );
    std::fs::remove_file(folder.path().join("token")).unwrap();
    let error = authorization(&spec).await;
    assert!(error.starts_with("MCP server `s`: the file `token` cannot be read: "), "{error}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_token_may_be_what_a_command_prints() {
    let folder = tempfile::tempdir().unwrap();
    let by = |script: &str| http(folder.path(), Token::Command(shell(script)));
    // It runs in the folder of the file.
    std::fs::write(folder.path().join("vault"), "sesame-sesame").unwrap();
    let spec = by("cat vault; echo");
    assert_eq!(authorization(&spec).await, "Authorization: Bearer sesame-sesame");
    assert_eq!(spec.told("no sesame-sesame"), "no [hidden]");
    let error = authorization(&by("echo not logged in >&2; exit 3")).await;
    assert!(error.contains("/sh`: exit status: 3; it said: not logged in (in FOLDER/gateway.toml)"), "{error}");
    let error = authorization(&by("true")).await;
    assert!(error.contains("/sh` prints has nothing in it"), "{error}");
    let error = authorization(&by("yes")).await;
    assert!(error.contains("it printed more than 64 kB"), "{error}");
    let error = authorization(&http(
        folder.path(),
        Token::Command(CommandLine { executable: "no-such-vault".into(), ..shell("") }),
    ))
    .await;
    assert!(error.contains("there is no command `no-such-vault`"), "{error}");
}

#[tokio::test]
async fn every_text_of_a_command_is_expanded() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    std::fs::write(folder.path().join("word"), "a-long-word").unwrap();
    let reference = "${file:word}".to_owned();
    let line = CommandLine {
        executable: std::env::current_exe().unwrap(),
        args: vec![format!("--key={reference}"), "$${literal}".to_owned()],
        folder: Some("${NO_SUCH_VARIABLE:-inner}".into()),
        env: vec![("KEY".to_owned(), Some(reference.clone())), ("PATH".to_owned(), None)],
    };
    let spec = server(folder.path(), Access::Command(line.clone()));
    let Ok(Access::Command(reached)) = spec.reached(None).await.map(|reached| reached.access) else { unreachable!() };
    assert_eq!(reached.args, ["--key=a-long-word", "${literal}"]);
    assert_eq!(reached.env, [("KEY".to_owned(), Some("a-long-word".to_owned())), ("PATH".to_owned(), None)]);
    assert_eq!(reached.folder.unwrap(), folder.path().join("inner"));
    // A server may write what it was given to standard error.
    assert_eq!(spec.told("usage: --key=a-long-word"), "usage: --key=[hidden]");
    assert!(!format!("{spec:?}").contains("a-long-word"));
    // The texts of a program are as they are.
    let literal = ServerSpec::new("s", Access::Command(line.clone()));
    assert_eq!(literal.reached(None).await.unwrap().access, Access::Command(line));
}

#[tokio::test]
async fn an_unset_variable_is_named_and_never_sent() {
    let folder = tempfile::tempdir().unwrap();
    let headers = vec![("Authorization".to_owned(), "Bearer ${NO_SUCH_VARIABLE}".to_owned())];
    let spec = server(folder.path(), Access::Http { url: "http://127.0.0.1:9/mcp".to_owned(), headers });
    assert_eq!(
        authorization(&spec).await,
        "MCP server `s`: `${NO_SUCH_VARIABLE}` is not set: set the environment variable `NO_SUCH_VARIABLE`, or write a default, `${NO_SUCH_VARIABLE:-…}` (in FOLDER/gateway.toml)"
    );
}

#[tokio::test]
async fn nothing_of_an_untrusted_file_is_read_or_run() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("ran");
    let mut spec = http(folder.path(), Token::Command(shell(&format!("echo x > {}", mark.display()))));
    spec.source.as_mut().unwrap().is_trusted = false;
    assert_eq!(
        authorization(&spec).await,
        "MCP server `s` is configured by FOLDER/gateway.toml, which you have not trusted yet: its commands run with your rights. Look at it, then run `ptc mcp trust FOLDER/gateway.toml`"
    );
    assert!(!mark.exists());
}
