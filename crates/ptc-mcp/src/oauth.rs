//! What a login and its renewal have in common.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::net::IpAddr;
use std::time::Duration;

use ptc_lisp::text::{one_line, shortened};
use reqwest::Url;
use reqwest::redirect::Policy;
use rmcp::transport::auth::{AuthError, AuthorizationManager, AuthorizationMetadata, InMemoryCredentialStore};
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

/// How long a server may take to answer a question that is not part of a connection.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Characters kept of what an authorization server says.
pub(crate) const MAX_TOLD: usize = 400;

/// For whom tokens are.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Grant {
    /// A person, who logs in.
    #[default]
    AuthorizationCode,
    /// The client, which has a secret. Nobody logs in.
    ClientCredentials,
}

impl Grant {
    /// What configuration can say.
    pub const NAMED: [(&'static str, Grant); 2] =
        [("authorization_code", Grant::AuthorizationCode), ("client_credentials", Grant::ClientCredentials)];
}

/// How this client is known where it gets tokens for a server.
#[non_exhaustive]
#[derive(Clone, Default, PartialEq, Eq)]
pub struct OAuth {
    /// For whom they are.
    pub grant: Grant,
    /// The identifier that the authorization server has given out, or the address of a document that describes this
    /// client. By default the client is registered at each login.
    pub client_id: Option<String>,
    /// What the authorization server has given out with it, if anything.
    pub client_secret: Option<String>,
    /// What is asked for; by default what the server wants.
    pub scopes: Vec<String>,
}

impl fmt::Debug for OAuth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuth")
            .field("grant", &self.grant)
            .field("client_id", &self.client_id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// A manager whose tokens are in the store, of a server that says where to log in.
pub(crate) async fn discovered(
    url: &str,
    challenge: Option<&str>,
) -> Result<(AuthorizationManager, InMemoryCredentialStore, AuthorizationMetadata), AuthError> {
    choose_tls();
    // Servers of an organisation and their authorization server often have private addresses.
    let mut manager = AuthorizationManager::new_allowing_private_addresses(url).await?;
    if is_here(url) {
        let client = reqwest::Client::builder().no_proxy().redirect(Policy::none()).timeout(PATIENCE);
        manager.with_client(client.build()?)?;
    }
    let store = InMemoryCredentialStore::new();
    manager.set_credential_store(store.clone());
    let found = manager.resolve_metadata_from_challenge(challenge).await?;
    if !found.source.is_discovered() {
        return Err(AuthError::NoAuthorizationSupport);
    }
    let metadata = found.metadata;
    let endpoints = [Some(&metadata.authorization_endpoint), Some(&metadata.token_endpoint)];
    if let Some(open) =
        endpoints.into_iter().chain([metadata.registration_endpoint.as_ref()]).flatten().find(|place| !is_secret(place))
    {
        return Err(AuthError::MetadataError(format!("{open} is neither HTTPS nor on this machine")));
    }
    manager.set_metadata(metadata.clone());
    Ok((manager, store, metadata))
}

/// Whether a login there is safe. The library lets a server pass that does not say so.
pub(crate) fn has_pkce(metadata: &AuthorizationMetadata) -> Result<(), AuthError> {
    let methods = metadata.code_challenge_methods_supported.iter().flatten();
    if methods.into_iter().any(|method| method == "S256") { Ok(()) } else { Err(AuthError::PkceUnsupported) }
}

/// The address of a server, written in the same way each time.
pub(crate) fn place(url: &str) -> String {
    Url::parse(url).map_or_else(
        |_| url.to_owned(),
        |mut url| {
            url.set_fragment(None);
            url.into()
        },
    )
}

/// Whether nobody else reads what is sent to this address.
pub(crate) fn is_secret(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| url.scheme() == "https" || url.scheme() == "http" && is_here(address))
}

/// Whether this is an address of this machine, whose requests no proxy sees.
pub(crate) fn is_here(address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| {
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|host| host.is_loopback())
    })
}

/// The choice of TLS is the same as for models; the first of both wins.
pub(crate) fn choose_tls() {
    let _already_chosen = rustls::crypto::ring::default_provider().install_default();
}

/// The library writes codes and fields of tokens to `tracing`: nobody hears them.
pub(crate) fn unheard<F: Future>(work: F) -> impl Future<Output = F::Output> {
    work.with_subscriber(NoSubscriber::default())
}

/// What went wrong, with its cause.
pub(crate) fn told(error: &AuthError) -> String {
    let told = match error {
        AuthError::NoAuthorizationSupport => {
            "the server does not say where to log in: it has no OAuth metadata".to_owned()
        }
        AuthError::PkceUnsupported => "its authorization server does not say that it supports PKCE with S256 \
            (`code_challenge_methods_supported`), without which codes can be stolen"
            .to_owned(),
        AuthError::RegistrationFailed(why) => format!(
            "it is not registered: {why}; if you were given a client there, write `oauth = {{ client_id = \"…\" }}` in \
             its table"
        ),
        other => other.to_string(),
    };
    let mut cause: Option<&dyn Error> = error.source();
    while let Some(deeper) = cause.and_then(Error::source) {
        cause = Some(deeper);
    }
    let cause = cause.map(|cause| format!(": {cause}")).unwrap_or_default();
    one_line(&shortened(&format!("{told}{cause}"), MAX_TOLD))
}
