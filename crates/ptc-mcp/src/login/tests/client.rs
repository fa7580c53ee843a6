//! Clients that get tokens for themselves.

use super::{Ears, OAuthServer, State, problem};
use crate::tests::{call, json};
use crate::{Grant, Login, Logins, Server, ServerSpec};

const SECRET: &str = "canary-client-secret";

/// A server that knows the client, and the client.
fn known(state: State) -> (OAuthServer, ServerSpec) {
    let server = OAuthServer::start(State { knows_client: Some(("me", SECRET)), ..state });
    let mut spec = ServerSpec::http("w", server.url());
    spec.oauth.grant = Grant::ClientCredentials;
    spec.oauth.client_id = Some("me".to_owned());
    spec.oauth.client_secret = Some(SECRET.to_owned());
    (server, spec)
}

#[tokio::test]
async fn a_client_gets_a_token_before_the_first_request() {
    for takes_only_headers in [false, true] {
        // A server where nobody logs in needs no PKCE.
        let (server, spec) = known(State { has_no_pkce: true, takes_only_headers, ..State::default() });
        let connected = Server::connect(spec).await.unwrap();
        assert_eq!(json(call(&connected, "w-read", "{}").await), "\"done\"");
        let tokens = server.heard("POST /token");
        assert_eq!(tokens.len(), 1);
        assert!(
            tokens[0].1.contains("grant_type=client_credentials") && tokens[0].1.contains("scope=read"),
            "{tokens:?}"
        );
        let all = server.heard("");
        let at = |start: &str| all.iter().position(|(line, _)| line.starts_with(start));
        assert!(at("POST /token") < at("POST /mcp"), "{all:?}");
    }
}

#[tokio::test]
async fn a_client_gets_another_token_when_one_ends_or_is_refused() {
    let (server, spec) = known(State { life: Some(3600), ..State::default() });
    let connected = Server::connect(spec.clone()).await.unwrap();
    let tokens = || server.heard("POST /token").len();
    assert_eq!(json(call(&connected, "w-read", "{}").await), "\"done\"");
    // Another connection uses the same one.
    let another = Server::connect(spec).await.unwrap();
    assert_eq!(tokens(), 1);
    server.state().tokens.clear();
    assert_eq!((json(call(&connected, "w-read", "{}").await).as_str(), tokens()), ("\"done\"", 2));
    assert_eq!((json(call(&another, "w-read", "{}").await).as_str(), tokens()), ("\"done\"", 2));
    // Ended when it arrives: the next request asks before it is sent.
    server.state().life = Some(0);
    server.state().tokens.clear();
    assert_eq!((json(call(&connected, "w-read", "{}").await).as_str(), tokens()), ("\"done\"", 3));
    let refused = server.heard("POST /mcp").len();
    assert_eq!((json(call(&connected, "w-read", "{}").await).as_str(), tokens()), ("\"done\"", 4));
    assert_eq!(server.heard("POST /mcp").len(), refused + 1);
}

#[tokio::test]
async fn the_scopes_of_a_client_are_those_that_are_configured() {
    let (server, mut spec) = known(State::default());
    let error = call(&Server::connect(spec.clone()).await.unwrap(), "w-write", "{}").await.unwrap_err();
    assert!(error.message.ends_with("allow its client more, and write its `scopes` in `oauth`"), "{}", error.message);
    spec.oauth.scopes = vec!["read".to_owned(), "write".to_owned()];
    // The token of the first connection is known to both.
    server.state().tokens.clear();
    assert_eq!(json(call(&Server::connect(spec).await.unwrap(), "w-write", "{}").await), "\"done\"");
}

#[tokio::test]
async fn a_client_that_is_refused_says_why_without_its_secret() {
    let ears = Ears::default();
    let _hears = tracing::subscriber::set_default(ears.clone());
    let said = format!("{{\"error\": \"invalid_client\", \"error_description\": \"not {SECRET}\"}}");
    let (server, spec) = known(State { refusal: Some(("401 Unauthorized", said)), ..State::default() });
    let error = problem(spec.clone()).await;
    assert!(error.starts_with("MCP server `w`: its client gets no token: "), "{error}");
    assert!(error.contains("invalid_client: not [hidden]"), "{error}");
    server.state().refusal = None;
    let connected = Server::connect(spec.clone()).await.unwrap();
    call(&connected, "w-read", "{}").await.unwrap();
    server.state().refuses_tokens = true;
    let refused = call(&connected, "w-read", "{}").await.unwrap_err();
    assert!(
        refused.message.ends_with("it refuses the token of its client: HTTP 401 Unauthorized"),
        "{}",
        refused.message
    );
    let folder = tempfile::tempdir().unwrap();
    let login = Login::begin(&spec.clone().logins(Logins::in_folder(folder.path())), &[], 0)
        .await
        .map(drop)
        .unwrap_err()
        .to_string();
    assert!(login.ends_with("its client gets tokens with its secret: nobody has to log in"), "{login}");
    let told = format!("{error}{}{login}{spec:?}{connected:?}{}", refused.message, ears.0.lock().unwrap());
    assert!(!told.contains("canary"), "{told}");
}
