mod client;
mod server;

use std::time::Duration;

use super::tests::server::{OAuthServer, State};
use super::{Login, log_out};
use crate::tests::{call, json};
use crate::{Logins, Server, ServerSpec, Source};

/// The server as it is configured, with logins in this folder.
fn spec(server: &OAuthServer, folder: &tempfile::TempDir) -> ServerSpec {
    ServerSpec::http("w", server.url()).logins(Logins::in_folder(folder.path().join("logins")))
}

async fn log_in(spec: &ServerSpec, scopes: &[&str]) -> Result<(), String> {
    let scopes: Vec<String> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
    let login = Login::begin(spec, &scopes, 0).await.map_err(|error| error.to_string())?;
    login.complete(&OAuthServer::agree(login.address())).await.map_err(|error| error.to_string())
}

async fn problem(spec: ServerSpec) -> String {
    Server::connect(spec).await.map(drop).unwrap_err().to_string()
}

#[tokio::test]
async fn after_a_login_a_server_can_be_used() {
    for is_openid in [false, true] {
        let server = OAuthServer::start(State { is_openid, challenges_only_posts: is_openid, ..State::default() });
        let folder = tempfile::tempdir().unwrap();
        let error = problem(spec(&server, &folder)).await;
        assert!(error.ends_with("it wants a login: HTTP 401 Unauthorized; log in with `ptc mcp login w`"), "{error}");
        log_in(&spec(&server, &folder), &[]).await.unwrap();
        let connected = Server::connect(spec(&server, &folder)).await.unwrap();
        assert_eq!(json(call(&connected, "w-read", "{}").await), "\"done\"");
        let (asked, _) = &server.heard("GET /authorize")[0];
        assert!(asked.contains("scope=read&") || asked.contains("scope=read "), "{asked}");
    }
}

#[tokio::test]
async fn a_token_is_renewed_before_it_expires_and_when_it_is_refused() {
    let server = OAuthServer::start(State { life: Some(0), ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    // Expired when it arrived: renewed before anything is asked.
    server.state().life = Some(3600);
    let connected = Server::connect(spec(&server, &folder)).await.unwrap();
    assert_eq!((json(call(&connected, "w-read", "{}").await).as_str(), server.state().refreshed), ("\"done\"", 1));
    // The server no longer accepts it.
    server.state().tokens.clear();
    assert_eq!((json(call(&connected, "w-read", "{}").await).as_str(), server.state().refreshed), ("\"done\"", 2));
    // Each connection uses what is kept.
    let another = Server::connect(spec(&server, &folder)).await.unwrap();
    assert_eq!((json(call(&another, "w-read", "{}").await).as_str(), server.state().refreshed), ("\"done\"", 2));
    // A connection that was made with an older one asks for the kept one, too.
    server.state().tokens.clear();
    assert_eq!(json(call(&another, "w-read", "{}").await), "\"done\"");
    assert_eq!((json(call(&connected, "w-read", "{}").await).as_str(), server.state().refreshed), ("\"done\"", 3));
}

#[tokio::test]
async fn a_token_that_expires_during_a_connection_is_renewed_before_it_is_sent() {
    let server = OAuthServer::start(State { life: Some(0), ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    let connected = Server::connect(spec(&server, &folder)).await.unwrap();
    let renewed = server.state().refreshed;
    server.state().life = Some(3600);
    let asked = server.heard("POST /mcp").len();
    assert_eq!(json(call(&connected, "w-read", "{}").await), "\"done\"");
    assert_eq!(server.heard("POST /mcp").len(), asked + 1);
    assert!(server.state().refreshed > renewed);
}

#[tokio::test]
async fn of_many_who_renew_at_once_none_loses_the_new_refresh_token() {
    let server = OAuthServer::start(State { life: Some(0), ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    server.state().life = Some(3600);
    let used = (0..8).map(|_| {
        let spec = spec(&server, &folder);
        tokio::spawn(async move { json(call(&Server::connect(spec).await.unwrap(), "w-read", "{}").await) })
    });
    for used in used.collect::<Vec<_>>() {
        assert_eq!(used.await.unwrap(), "\"done\"");
    }
    assert_eq!(server.state().refreshed, 1);
}

#[tokio::test]
async fn a_renewal_that_nobody_waits_for_is_kept() {
    let server = OAuthServer::start(State { life: Some(0), ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(&server, &folder);
    log_in(&spec, &[]).await.unwrap();
    server.state().life = Some(3600);
    server.state().keeps_waiting = true;
    let renewing = spec.clone();
    let renewing = tokio::spawn(async move { renewing.reached(None).await });
    while server.heard("POST /token").len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    renewing.abort();
    assert!(renewing.await.is_err());
    server.state().keeps_waiting = false;
    assert_eq!(json(call(&Server::connect(spec).await.unwrap(), "w-read", "{}").await), "\"done\"");
    assert_eq!(server.state().refreshed, 1);
}

#[tokio::test]
async fn a_login_that_was_revoked_says_what_to_do_and_is_forgotten() {
    let server = OAuthServer::start(State::default());
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    let connected = Server::connect(spec(&server, &folder)).await.unwrap();
    server.state().refresh_token = None;
    server.state().tokens.clear();
    let error = call(&connected, "w-read", "{}").await.unwrap_err();
    let why = "its login has ended: OAuth refresh token was rejected: Server returned error response: invalid_grant: \
        no such token: [hidden]; log in again with `ptc mcp login w`";
    assert_eq!((error.message.as_str(), error.may_have_run), (&*format!("the MCP server `w`: {why}"), false));
    assert!(problem(spec(&server, &folder)).await.contains("it wants a login: "));
    let tried = server.heard("POST /token").len();
    assert!(problem(spec(&server, &folder)).await.contains("it wants a login: "));
    assert_eq!(server.heard("POST /token").len(), tried);
}

#[tokio::test]
async fn a_connection_whose_login_has_ended_says_so() {
    for has_refresh_token in [false, true] {
        let server = OAuthServer::start(State { gives_no_refresh_token: !has_refresh_token, ..State::default() });
        let folder = tempfile::tempdir().unwrap();
        log_in(&spec(&server, &folder), &[]).await.unwrap();
        server.state().refresh_token = None;
        server.state().tokens.clear();
        let why = if has_refresh_token {
            "its login has ended: OAuth"
        } else {
            "its login has ended, and has no token to renew it with"
        };
        let error = problem(spec(&server, &folder)).await;
        assert!(error.contains(why) && error.ends_with("; log in again with `ptc mcp login w`"), "{error}");
    }
}

#[tokio::test]
async fn no_other_authorization_server_gets_a_refresh_token() {
    let (server, other) = (OAuthServer::start(State::default()), OAuthServer::start(State::default()));
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    server.state().authorization_server = Some(other.base.clone());
    server.state().tokens.clear();
    let error = problem(spec(&server, &folder)).await;
    assert!(error.contains("its authorization server is another one than at the login; log in again with"), "{error}");
    assert!(other.heard("POST").is_empty());
}

#[tokio::test]
async fn an_authorization_server_that_fails_ends_no_login() {
    let server = OAuthServer::start(State { life: Some(0), ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    server.state().refusal = Some(("503 Service Unavailable", "no".to_owned()));
    let error = problem(spec(&server, &folder)).await;
    assert!(error.starts_with("MCP server `w`: its login cannot be renewed: ") && !error.contains("log in"), "{error}");
    server.state().refusal = None;
    Server::connect(spec(&server, &folder)).await.unwrap();
}

#[tokio::test]
async fn a_call_that_needs_another_scope_names_it_and_a_login_adds_it() {
    let server = OAuthServer::start(State::default());
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &["extra"]).await.unwrap();
    let connected = Server::connect(spec(&server, &folder)).await.unwrap();
    let error = call(&connected, "w-write", "{}").await.unwrap_err();
    let why = "the MCP server `w`: it wants a token that allows more, the scopes `read write`: HTTP 403 Forbidden; log in \
        again with `ptc mcp login w --scope read --scope write`";
    assert_eq!((error.message.as_str(), error.may_have_run), (why, false));
    log_in(&spec(&server, &folder), &["write"]).await.unwrap();
    // Also on a connection that was made before.
    assert_eq!(json(call(&connected, "w-write", "{}").await), "\"done\"");
    // Nothing that the earlier login may do is lost.
    let (asked, _) = &server.heard("GET /authorize")[1];
    assert!(asked.contains("scope=extra+read+write&"), "{asked}");
}

#[tokio::test]
async fn a_login_is_refused_where_it_is_not_safe() {
    let pkce = State { has_no_pkce: true, ..State::default() };
    let issuer = State { issuer: Some("https://elsewhere.example".to_owned()), ..State::default() };
    let resource = State { resource: Some("https://elsewhere.example/mcp".to_owned()), ..State::default() };
    for (state, why) in
        [(pkce, "does not say that it supports PKCE"), (issuer, "issuer mismatch"), (resource, "resource mismatch")]
    {
        let server = OAuthServer::start(state);
        let folder = tempfile::tempdir().unwrap();
        let error = log_in(&spec(&server, &folder), &[]).await.unwrap_err();
        assert!(error.starts_with("cannot log in to MCP server `w`: ") && error.contains(why), "{error}");
        assert!(server.heard("POST /register").is_empty() && server.heard("GET /authorize").is_empty());
    }
    let folder = tempfile::tempdir().unwrap();
    let logins = || Logins::in_folder(folder.path().join("logins"));
    let open = ServerSpec::http("w", "http://mcp.example/mcp").logins(logins());
    let error = log_in(&open, &[]).await.unwrap_err();
    assert!(error.contains("its address is neither HTTPS nor on this machine"), "{error}");
    let command = ServerSpec::command("w", "server", [""; 0]).logins(logins());
    assert!(log_in(&command, &[]).await.unwrap_err().contains("it is a command"));
}

#[test]
fn a_command_to_type_has_no_words_of_a_server_that_mean_something_to_a_shell() {
    let spec = ServerSpec::http("w", "https://h");
    let command = spec.login_command("a:b $(x) ;y `z` https://h/c.d 'e' e|f");
    assert_eq!(command, "ptc mcp login w --scope a:b --scope https://h/c.d");
}

#[tokio::test]
async fn a_client_that_cannot_be_registered_can_be_configured() {
    let server = OAuthServer::start(State { registers_nobody: true, ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    let error = log_in(&spec(&server, &folder), &[]).await.unwrap_err();
    assert!(
        error.contains("it is not registered: ") && error.ends_with("`oauth = { client_id = \"…\" }` in its table"),
        "{error}"
    );
    let mut configured = spec(&server, &folder);
    configured.oauth.client_id = Some("known-client".to_owned());
    configured.oauth.scopes = vec!["write".to_owned()];
    log_in(&configured, &[]).await.unwrap();
    let connected = Server::connect(configured).await.unwrap();
    assert_eq!(json(call(&connected, "w-write", "{}").await), "\"done\"");
}

#[tokio::test]
async fn only_the_address_of_this_login_completes_it() {
    let server = OAuthServer::start(State::default());
    let folder = tempfile::tempdir().unwrap();
    let login = Login::begin(&spec(&server, &folder), &[], 0).await.unwrap();
    let own = OAuthServer::agree(login.address());
    let state = own.split("state=").nth(1).unwrap();
    let tell = async |address: &str| login.complete(address).await.unwrap_err().to_string();
    assert!(tell("yes").await.contains("not the address to which the browser was sent back"));
    assert!(tell(&own.replace(state, "another-state")).await.contains("belongs to another login"));
    let denied = format!("http://127.0.0.1/callback?error=access_denied&error_description=not+today&state={state}");
    assert!(
        tell(&denied).await.ends_with("OAuth authorization failed: access_denied: not today"),
        "{}",
        tell(&denied).await
    );
    let forged = format!("{own}&iss=https://elsewhere.example");
    assert!(tell(&forged).await.contains("issuer mismatch"), "{}", tell(&forged).await);
    assert!(server.heard("POST /token").is_empty());
    login.complete(&format!(" {own}\n")).await.unwrap();
}

#[tokio::test]
async fn a_browser_on_this_machine_is_awaited_and_others_are_not_heard() {
    use std::io::{Read, Write};
    let server = OAuthServer::start(State::default());
    let folder = tempfile::tempdir().unwrap();
    let login = Login::begin(&spec(&server, &folder), &[], 0).await.unwrap();
    let own = OAuthServer::agree(login.address());
    let (host, target) = own.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let (host, target) = (host.to_owned(), format!("/{target}"));
    let asking = std::thread::spawn(move || {
        // One that is never used.
        let _idle = std::net::TcpStream::connect(&host).unwrap();
        ["/favicon.ico".to_owned(), "/callback?code=x&state=y".to_owned(), target].map(|target| {
            let mut stream = std::net::TcpStream::connect(&host).unwrap();
            write!(stream, "GET {target} HTTP/1.1\r\nhost: {host}\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer.lines().next().unwrap().to_owned()
        })
    });
    login.complete(&login.redirected().await).await.unwrap();
    assert_eq!(asking.join().unwrap(), ["HTTP/1.1 404 Not Found", "HTTP/1.1 404 Not Found", "HTTP/1.1 200 OK"]);
    Server::connect(spec(&server, &folder)).await.unwrap();
}

#[tokio::test]
async fn a_client_has_the_secret_that_it_is_configured_with_or_got() {
    for knows in [None, Some(("known-client", "canary-configured-secret"))] {
        let server = OAuthServer::start(State { gives_secret: true, knows_client: knows, ..State::default() });
        let folder = tempfile::tempdir().unwrap();
        let mut spec = spec(&server, &folder);
        spec.oauth.client_id = knows.map(|(id, _)| id.to_owned());
        spec.oauth.client_secret = knows.map(|(_, secret)| secret.to_owned());
        log_in(&spec, &[]).await.unwrap();
        server.state().tokens.clear();
        let connected = Server::connect(spec.clone()).await.unwrap();
        assert_eq!((json(call(&connected, "w-read", "{}").await).as_str(), server.state().refreshed), ("\"done\"", 1));
        assert_eq!(server.heard("POST /register").len(), usize::from(knows.is_none()));
        // Another client has no login.
        spec.oauth.client_id = Some("another-client".to_owned());
        assert!(problem(spec).await.contains("it wants a login"));
        assert!(!kept(&folder).contains("canary-configured-secret"));
    }
}

/// What is kept, in all files.
fn kept(folder: &tempfile::TempDir) -> String {
    let files = std::fs::read_dir(folder.path().join("logins")).unwrap().map(|file| file.unwrap().path());
    files.map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

#[tokio::test]
async fn a_configured_token_wins_and_a_login_belongs_to_one_address() {
    let server = OAuthServer::start(State::default());
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    let mut configured = spec(&server, &folder);
    if let crate::Access::Http { headers, .. } = &mut configured.access {
        headers.push(("authorization".to_owned(), "Bearer canary-of-mine".to_owned()));
    }
    let error = problem(configured.clone()).await;
    assert!(error.contains("it refuses the token: HTTP 401") && !error.contains("log in"), "{error}");
    assert!(log_in(&configured, &[]).await.unwrap_err().contains("its configuration has a token"));
    let mut elsewhere = spec(&server, &folder);
    elsewhere.access = crate::Access::Http { url: format!("{}/mcp/", server.base), headers: Vec::new() };
    assert!(elsewhere.reached(None).await.unwrap().fresh_until.is_none());
    let crate::Access::Http { headers, .. } = elsewhere.reached(None).await.unwrap().access else { unreachable!() };
    assert!(headers.is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn logins_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let server = OAuthServer::start(State::default());
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let logins = folder.path().join("logins");
    assert_eq!(mode(&logins), 0o700);
    let files = std::fs::read_dir(&logins).unwrap().map(|file| file.unwrap().path());
    assert!(files.map(|file| mode(&file)).all(|mode| mode == 0o600));
}

#[tokio::test]
async fn after_a_logout_nothing_is_left() {
    let server = OAuthServer::start(State { has_revocation: true, gives_secret: true, ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    let refresh = server.state().refresh_token.clone().unwrap().0;
    assert!(log_out(&spec(&server, &folder)).await.unwrap());
    let (_, told) = &server.heard("POST /revoke")[0];
    assert!(told.contains(&refresh) && told.contains("client_secret=canary-registered-secret"), "{told}");
    assert!(kept(&folder).is_empty() && !log_out(&spec(&server, &folder)).await.unwrap());
    assert!(problem(spec(&server, &folder)).await.contains("it wants a login"));
}

#[tokio::test]
async fn a_logout_that_is_refused_says_why() {
    let server = OAuthServer::start(State { has_revocation: true, ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    for (body, told) in [
        (r#"{"error": "invalid_client", "error_description": "not REFRESH"}"#, ": invalid_client: not [hidden]"),
        (r#"{"error": "invalid_client"}"#, ": invalid_client"),
        ("<p>gone</p>", ""),
    ] {
        server.state().refusal = None;
        log_in(&spec(&server, &folder), &[]).await.unwrap();
        let refresh = server.state().refresh_token.clone().unwrap().0;
        server.state().refusal = Some(("400 Bad Request", body.replace("REFRESH", &refresh)));
        let error = log_out(&spec(&server, &folder)).await.unwrap_err().to_string();
        let end = format!("(400 Bad Request) for url ({}/revoke){told}", server.base);
        assert!(error.contains("forgotten here, but may still work: ") && error.ends_with(&end), "{error}");
        assert!(kept(&folder).is_empty());
    }
}

#[tokio::test]
async fn a_login_is_forgotten_where_the_configuration_cannot_be_read() {
    let server = OAuthServer::start(State::default());
    let folder = tempfile::tempdir().unwrap();
    log_in(&spec(&server, &folder), &[]).await.unwrap();
    let mut unset = spec(&server, &folder);
    unset.oauth.client_secret = Some("${PTC_TEST_UNSET}".to_owned());
    unset.source = Some(Source::new("m.toml", "."));
    let error = log_out(&unset).await.unwrap_err().to_string();
    assert!(error.contains("may still work") && error.contains("PTC_TEST_UNSET"), "{error}");
    assert!(kept(&folder).is_empty() && !log_out(&unset).await.unwrap());
}

/// Hears everything that libraries write to `tracing`.
#[derive(Clone, Default)]
struct Ears(std::sync::Arc<std::sync::Mutex<String>>);

impl tracing::Subscriber for Ears {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        self.0.lock().unwrap().push_str(&format!("{span:?}\n"));
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, values: &tracing::span::Record<'_>) {
        self.0.lock().unwrap().push_str(&format!("{values:?}\n"));
    }
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        self.0.lock().unwrap().push_str(&format!("{event:?}\n"));
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn no_secret_is_in_errors_or_what_libraries_write() {
    let ears = Ears::default();
    let _hears = tracing::subscriber::set_default(ears.clone());
    let server = OAuthServer::start(State { gives_secret: true, ..State::default() });
    let folder = tempfile::tempdir().unwrap();
    let spec = spec(&server, &folder);
    let login = Login::begin(&spec, &[], 0).await.unwrap();
    let own = OAuthServer::agree(login.address());
    let code = own.split("code=").nth(1).unwrap().split('&').next().unwrap();
    // The server repeats the code, and then the verifier.
    let mut told = login.complete(&own.replace(code, "canary-wrong-code")).await.unwrap_err().to_string();
    assert!(told.ends_with("no such code: [hidden]"), "{told}");
    let login = Login::begin(&spec, &[], 0).await.unwrap();
    let own = OAuthServer::agree(login.address());
    server.state().codes.values_mut().for_each(|code| drop(code.insert("code_challenge".into(), "x".into())));
    told += &login.complete(&own).await.unwrap_err().to_string();
    assert!(told.ends_with("another verifier: [hidden]"), "{told}");
    log_in(&spec, &[]).await.unwrap();
    let connected = Server::connect(spec.clone()).await.unwrap();
    call(&connected, "w-read", "{}").await.unwrap();
    server.state().tokens.clear();
    call(&connected, "w-read", "{}").await.unwrap();
    server.state().refresh_token = None;
    server.state().tokens.clear();
    told += &call(&connected, "w-read", "{}").await.unwrap_err().message;
    told += &format!("{:?}{:?}{connected:?}", spec, connected.status());
    told += &ears.0.lock().unwrap();
    assert!(!told.contains("canary"), "{told}");
    assert!(told.contains("rmcp"), "something was heard: {}", told.len());
}
