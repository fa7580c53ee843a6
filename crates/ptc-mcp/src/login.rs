//! Logging in to a server: a person agrees in a browser, and the tokens that this client then gets are kept.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ptc_chat::AddressSecrets;
use ptc_lisp::text::{one_line, shortened};
use reqwest::Url;
use rmcp::transport::auth::{
    AuthError, AuthorizationCallback, AuthorizationManager, AuthorizationMetadata, AuthorizationRequest,
    AuthorizationSession, CredentialStore, InMemoryCredentialStore, InMemoryStateStore, StateStore,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

use crate::error::McpError;
use crate::far::{self, client_with};
use crate::logins::{KeptLogin, Logins, Unusable};
use crate::oauth::{Grant, MAX_TOLD, OAuth, PATIENCE, discovered, has_pkce, is_secret, told, unheard};
use crate::reach::is_token;
use crate::server::{Link, any_revision};
use crate::spec::{Access, ServerSpec};

/// How this client is called where it is registered.
const CLIENT: &str = "ptc-runner";

/// Bytes of the longest request of a browser.
const MAX_REQUEST: usize = 32 << 10;

/// Bytes of the longest answer that is read for the words in it.
const MAX_ANSWER: usize = 32 << 10;

/// Where browsers are sent back to.
const PATH: &str = "/callback";

/// A login that waits for a person to agree.
pub struct Login {
    name: String,
    server: String,
    logins: Logins,
    oauth: OAuth,
    registered_secret: Option<String>,
    revocation_endpoint: Option<String>,
    session: AuthorizationSession,
    tokens: InMemoryCredentialStore,
    states: InMemoryStateStore,
    /// The `state` of its address.
    state: String,
    listener: TcpListener,
}

impl Login {
    /// Ask the server where to log in, and register this client there. The browser of the person is to open
    /// [`address`](Login::address).
    ///
    /// These scopes are asked for in addition to those of an earlier login. Browsers are sent back to this port of this
    /// machine, or to any free one with 0.
    pub async fn begin(spec: &ServerSpec, scopes: &[String], port: u16) -> Result<Login, McpError> {
        let refused = |problem: String| McpError::Login { server: spec.name.clone(), problem: spec.told(&problem) };
        let logins = spec.logins.clone().ok_or_else(|| refused("its tokens have no folder: set HOME".to_owned()))?;
        let (Access::Http { url: server, headers }, oauth) = spec.configured().await? else {
            return Err(refused("it is a command, which has no login; give it a token as a variable".to_owned()));
        };
        if oauth.grant == Grant::ClientCredentials {
            return Err(refused("its client gets tokens with its secret: nobody has to log in".to_owned()));
        }
        if headers.iter().any(is_token) {
            let told = "its configuration has a token, which would be used instead of a login: remove that first";
            return Err(refused(told.to_owned()));
        }
        if !is_secret(&server) {
            return Err(refused(
                "its address is neither HTTPS nor on this machine: others could read the token".to_owned(),
            ));
        }
        let listener = TcpListener::bind(("127.0.0.1", port)).await;
        let listener = listener.map_err(|error| refused(format!("cannot listen on port {port}: {error}")))?;
        let port = listener.local_addr().map_err(|error| refused(error.to_string()))?.port();
        let redirect = format!("http://127.0.0.1:{port}{PATH}");
        let challenge = challenge(spec).await?;
        let secret = oauth.client_secret.iter().fold(AddressSecrets::default(), |known, secret| known.and(secret));
        let failed = |error: AuthError| refused(secret.hidden_in(&told(&error)));
        unheard(async {
            let (mut manager, tokens, metadata) = discovered(&server, challenge.as_deref()).await.map_err(failed)?;
            has_pkce(&metadata).map_err(failed)?;
            let states = InMemoryStateStore::new();
            manager.set_state_store(states.clone());
            let kept = logins.find(&server, &oauth).ok().flatten();
            let wanted = wanted(&manager, &oauth, kept, scopes).await;
            let client = client(&mut manager, &metadata, &oauth, &redirect, &wanted).await.map_err(failed)?;
            let request = AuthorizationRequest::new(redirect).with_scopes(wanted).with_initial_scope_selection();
            let request = request.with_preregistered_client(client.id);
            let request = match client.secret.clone() {
                Some(secret) => request.with_client_secret(secret),
                None => request,
            };
            let session = AuthorizationSession::new(manager, request).await.map_err(|(_, error)| failed(error))?;
            let address = Url::parse(session.get_authorization_url()).map_err(|error| refused(error.to_string()))?;
            let state = address.query_pairs().find(|(name, _)| name == "state").map(|(_, state)| state.into_owned());
            let revocation_endpoint = metadata.additional_fields.get("revocation_endpoint").and_then(|at| at.as_str());
            Ok(Login {
                name: spec.name.clone(),
                server,
                logins,
                registered_secret: client.secret.filter(|_| oauth.client_secret.is_none()),
                oauth,
                revocation_endpoint: revocation_endpoint.filter(|at| is_secret(at)).map(str::to_owned),
                session,
                tokens,
                states,
                state: state.unwrap_or_default(),
                listener,
            })
        })
        .await
    }

    /// What the person opens, on this machine or another one.
    #[must_use]
    pub fn address(&self) -> &str {
        self.session.get_authorization_url()
    }

    /// Wait until a browser on this machine was sent back, and return to where.
    ///
    /// A browser elsewhere shows this address, which does not lead anywhere there: the person copies it.
    pub async fn redirected(&self) -> String {
        let (send, mut found) = mpsc::channel(1);
        loop {
            tokio::select! {
                Some(target) = found.recv() => return format!("http://127.0.0.1{target}"),
                // A browser may open connections that it does not use.
                Ok((stream, _)) = self.listener.accept() => {
                    drop(tokio::spawn(tokio::time::timeout(PATIENCE, heard(stream, self.state.clone(), send.clone()))));
                }
            }
        }
    }

    /// Get the tokens and keep them: `redirected` is the address to which the browser was sent back.
    pub async fn complete(&self, redirected: &str) -> Result<(), McpError> {
        let url = Url::parse(redirected.trim());
        let parts = url.iter().flat_map(Url::query_pairs);
        let part = |name: &str| parts.clone().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        let secrets = self.secrets(part("code")).await;
        let refused =
            |problem: String| McpError::Login { server: self.name.clone(), problem: secrets.hidden_in(&problem) };
        let Ok(url) = &url else {
            return Err(refused("that is not the address to which the browser was sent back".to_owned()));
        };
        if part("state").as_deref() != Some(&self.state) {
            return Err(refused("that address belongs to another login: its `state` is another one".to_owned()));
        }
        if let Some(error) = part("error") {
            let more = part("error_description").map(|more| format!(": {more}")).unwrap_or_default();
            return Err(refused(told(&AuthError::AuthorizationFailed(format!("{error}{more}")))));
        }
        let failed = |error: AuthError| refused(told(&error));
        let callback = AuthorizationCallback::from_redirect_url(url.as_str()).map_err(failed)?;
        let (code, issuer) = (callback.code.as_str(), callback.issuer.as_deref());
        unheard(self.session.handle_callback_with_issuer(code, &self.state, issuer)).await.map_err(failed)?;
        let credentials = self.tokens.load().await.map_err(failed)?;
        let credentials = credentials.ok_or_else(|| failed(AuthError::AuthorizationRequired))?;
        let secret = self.registered_secret.clone();
        let kept = KeptLogin::new(&self.server, &self.oauth, secret, self.revocation_endpoint.clone(), credentials);
        let unkept = |error: std::io::Error| refused(format!("its tokens cannot be kept: {error}"));
        let _turn = self.logins.turn(&self.server).await.map_err(unkept)?;
        self.logins.keep(&kept).map_err(unkept)
    }

    /// What no text may quote.
    async fn secrets(&self, code: Option<String>) -> AddressSecrets {
        let verifier = self.states.load(&self.state).await.ok().flatten().map(|state| state.pkce_verifier);
        let secrets = [&code, &self.registered_secret, &self.oauth.client_secret, &verifier];
        secrets.into_iter().flatten().fold(AddressSecrets::default(), |known, secret| known.and(secret))
    }
}

/// End the login to a server: forget its tokens, and tell the authorization server if it wants to know. Returns whether
/// there was one.
///
/// Errors when the authorization server could not be told; the tokens are forgotten nevertheless.
pub async fn log_out(spec: &ServerSpec) -> Result<bool, McpError> {
    let refused = |problem: String| McpError::Login { server: spec.name.clone(), problem: spec.told(&problem) };
    let (url, oauth, unread) = match (spec.configured().await, &spec.access) {
        (Ok((Access::Http { url, .. }, oauth)), _) => (url, oauth, None),
        (Ok(_), _) => return Ok(false),
        // What is written as it is suffices to forget the tokens.
        (Err(error), Access::Http { url, .. }) if !url.contains("${") => (url.clone(), spec.oauth.clone(), Some(error)),
        (Err(error), _) => return Err(error),
    };
    let Some(logins) = &spec.logins else { return Ok(false) };
    let unkept = |error: std::io::Error| refused(format!("its login cannot be removed: {error}"));
    let _turn = logins.turn(&url).await.map_err(unkept)?;
    // A damaged one is removed, too.
    let kept = logins.find(&url, &oauth);
    match logins.remove(&url) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(false),
        removed => removed.map_err(unkept)?,
    }
    if let Some(error) = unread {
        return Err(refused(format!("its tokens are forgotten here, but may still work: {error}")));
    }
    let Ok(Some(kept)) = kept else { return Ok(true) };
    let (Some(endpoint), Some(token)) = (&kept.revocation_endpoint, kept.refresh_token().or(kept.access_token()))
    else {
        return Ok(true);
    };
    let mut form = vec![("token", token), ("client_id", kept.credentials.client_id.as_str())];
    form.extend(kept.client_secret(&oauth).map(|secret| ("client_secret", secret)));
    let unrevoked =
        |why: String| refused(kept.told(&oauth, &format!("its tokens are forgotten here, but may still work: {why}")));
    let body = Url::parse_with_params("form:", form).map_err(|error| unrevoked(error.to_string()))?;
    let client = client_with(endpoint, &[]).map_err(unrevoked)?.post(endpoint).timeout(PATIENCE);
    let client = client.header(reqwest::header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = client.body(body.query().unwrap_or_default().to_owned()).send().await;
    let answer = answer.map_err(|error| unrevoked(error.to_string()))?;
    match answer.error_for_status_ref() {
        Ok(_) => Ok(true),
        Err(error) => Err(unrevoked(format!("{error}{}", said(answer).await))),
    }
}

/// Why an authorization server refuses a request, in its words.
async fn said(mut answer: reqwest::Response) -> String {
    let mut body = Vec::new();
    while let Ok(Some(part)) = answer.chunk().await
        && body.len() < MAX_ANSWER
    {
        body.extend_from_slice(&part);
    }
    let body: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
    let words = ["error", "error_description"].into_iter().filter_map(|key| body.get(key)?.as_str());
    let words: String = words.map(|word| format!(": {word}")).collect();
    one_line(&shortened(&words, MAX_TOLD))
}

/// What a login asks for: what the configuration says or else the server, and with further scopes also what the kept
/// login may do.
async fn wanted(
    manager: &AuthorizationManager,
    oauth: &OAuth,
    kept: Option<KeptLogin>,
    further: &[String],
) -> Vec<String> {
    let mut wanted = match oauth.scopes.as_slice() {
        [] => manager.select_initial_scopes(&[]).await,
        configured => configured.to_vec(),
    };
    if !further.is_empty() {
        wanted.extend(kept.into_iter().flat_map(|kept| kept.credentials.granted_scopes));
        wanted.extend_from_slice(further);
        wanted.sort();
        wanted.dedup();
    }
    wanted
}

/// Who this client is to an authorization server.
struct Client {
    id: String,
    secret: Option<String>,
}

/// The client that the configuration names, else one that is registered.
async fn client(
    manager: &mut AuthorizationManager,
    metadata: &AuthorizationMetadata,
    oauth: &OAuth,
    redirect: &str,
    scopes: &[String],
) -> Result<Client, AuthError> {
    let reads_documents = metadata.additional_fields.get("client_id_metadata_document_supported");
    let reads_documents = reads_documents.and_then(serde_json::Value::as_bool) == Some(true);
    if let Some(id) = oauth.client_id.clone().filter(|id| reads_documents || !id.starts_with("https://")) {
        return Ok(Client { id, secret: oauth.client_secret.clone() });
    }
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let registered = manager.register_client(CLIENT, redirect, &scopes).await?;
    Ok(Client { id: registered.client_id, secret: registered.client_secret })
}

/// What the server says to a client without a token, if it refuses it.
async fn challenge(spec: &ServerSpec) -> Result<Option<String>, McpError> {
    let link = Arc::new(Link::new(ServerSpec { logins: None, ..spec.clone() }));
    match tokio::time::timeout(spec.timeout, link.begin(any_revision())).await {
        Ok(begun) => Ok(begun?.err().and_then(|error| far::challenge(&error).map(str::to_owned))),
        Err(_) => Err(link.too_late()),
    }
}

/// Answer a request of a browser, and pass its target on when it belongs to this login.
async fn heard(mut stream: TcpStream, state: String, found: mpsc::Sender<String>) {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let mut part = [0; 4096];
        match stream.read(&mut part).await {
            Ok(read) if read > 0 && head.len() < MAX_REQUEST => {
                head.extend_from_slice(part.get(..read).unwrap_or_default())
            }
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head);
    let target = head.strip_prefix("GET ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let is_own = Url::parse("http://127.0.0.1").and_then(|base| base.join(target)).is_ok_and(|url| {
        url.path() == PATH && url.query_pairs().any(|(name, value)| name == "state" && value == state)
    });
    let (status, said) = if is_own {
        ("200 OK", "This page can be closed: the rest is in the terminal.")
    } else {
        ("404 Not Found", "This address belongs to no login that waits.")
    };
    let length = said.len();
    let answer = format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {length}\r\ncache-control: no-store\r\n\
         referrer-policy: no-referrer\r\nconnection: close\r\n\r\n{said}"
    );
    // The target counts, whether or not the browser waits for the answer.
    let _gone = stream.write_all(answer.as_bytes()).await;
    if is_own {
        let _ended = found.send(target.to_owned()).await;
    }
}

impl Unusable {
    /// What is wrong, and what helps.
    pub(crate) fn told(self, spec: &ServerSpec) -> String {
        match self {
            Unusable::Ended(why) => format!("{why}; log in again with `{}`", spec.login_command("")),
            Unusable::Failed(why) => why,
        }
    }
}
