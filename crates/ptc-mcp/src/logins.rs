//! Logins that are kept: a file for each server, with tokens that are renewed before they expire.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use oauth2::TokenResponse;
use ptc_chat::{AddressSecrets, private_file, private_folder, read_file};
use rmcp::transport::auth::{AuthError, CredentialStore, OAuthClientConfig, StoredCredentials};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::oauth::{OAuth, discovered, place, told, unheard};

/// Bytes of the longest kept login.
const MAX_LOGIN: u64 = 1 << 20;

/// How long before its end a token is renewed; a token that lives shorter, after half of its life.
const EARLY: Duration = Duration::from_secs(30);

/// How long another process may take to renew a login.
const PATIENCE: Duration = Duration::from_secs(60);
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// Where logins are kept: a file for each server in a folder, readable by its owner only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logins {
    folder: PathBuf,
}

/// A login, as it is kept.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct KeptLogin {
    /// The address of the server, the only one that gets its token.
    server: String,
    /// The client that the configuration named.
    configured_client: Option<String>,
    /// The secret of a client that was registered.
    client_secret: Option<String>,
    /// Where the login can be ended.
    pub revocation_endpoint: Option<String>,
    pub credentials: StoredCredentials,
}

/// Why a login gives no token.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// Nothing but another login helps.
    Ended(String),
    /// It may work later.
    Failed(String),
}

impl From<io::Error> for Unusable {
    fn from(error: io::Error) -> Unusable {
        Unusable::Failed(format!("its login cannot be kept: {error}"))
    }
}

impl KeptLogin {
    pub fn new(
        server: &str,
        oauth: &OAuth,
        client_secret: Option<String>,
        revocation_endpoint: Option<String>,
        credentials: StoredCredentials,
    ) -> KeptLogin {
        let configured_client = oauth.client_id.clone();
        KeptLogin { server: place(server), configured_client, client_secret, revocation_endpoint, credentials }
    }

    fn part(&self, part: impl FnOnce(&rmcp::transport::auth::OAuthTokenResponse) -> Option<&str>) -> Option<&str> {
        self.credentials.token_response.as_ref().and_then(part)
    }

    pub fn access_token(&self) -> Option<&str> {
        self.part(|given| Some(given.access_token().secret()))
    }

    pub fn refresh_token(&self) -> Option<&str> {
        self.part(|given| given.refresh_token().map(|token| token.secret().as_str()))
    }

    /// When its token has to be renewed.
    pub fn fresh_until(&self) -> Option<SystemTime> {
        let life = self.credentials.token_response.as_ref()?.expires_in()?;
        let received = SystemTime::UNIX_EPOCH + Duration::from_secs(self.credentials.token_received_at?);
        received.checked_add(life.saturating_sub(EARLY.min(life / 2)))
    }

    /// Whether it is one to this server by this client.
    pub fn is_for(&self, url: &str, oauth: &OAuth) -> bool {
        self.server == place(url) && self.configured_client == oauth.client_id
    }

    /// Whether the server may accept its token, which is not the refused one.
    pub fn is_fresh(&self, refused: Option<&str>) -> bool {
        let is_other = self.access_token().is_some_and(|token| Some(token) != refused);
        is_other && self.fresh_until().is_none_or(|until| SystemTime::now() < until)
    }

    /// The secret that the client has to show, with the one of the configuration.
    pub fn client_secret<'a>(&'a self, oauth: &'a OAuth) -> Option<&'a str> {
        oauth.client_secret.as_deref().or(self.client_secret.as_deref())
    }

    /// What no text may quote.
    pub fn secrets<'a>(&'a self, oauth: &'a OAuth) -> impl Iterator<Item = &'a str> {
        [self.access_token(), self.refresh_token(), self.client_secret(oauth)].into_iter().flatten()
    }

    /// A text about the login, without them.
    pub fn told(&self, oauth: &OAuth, text: &str) -> String {
        self.secrets(oauth).fold(AddressSecrets::default(), AddressSecrets::and).hidden_in(text)
    }
}

impl Logins {
    /// Those in this folder, which need not exist yet.
    #[must_use]
    pub fn in_folder(folder: impl Into<PathBuf>) -> Logins {
        Logins { folder: folder.into() }
    }

    /// The login to this server by this client, if there is one.
    pub(crate) fn find(&self, url: &str, oauth: &OAuth) -> Result<Option<KeptLogin>, Unusable> {
        let path = self.path(url, "json");
        let text = match read_file(&path, MAX_LOGIN) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| Unusable::Failed(format!("its login cannot be read: {error}")))?,
        };
        // What serde says may quote the file.
        let kept: KeptLogin = serde_json::from_slice(&text)
            .map_err(|_| Unusable::Ended(format!("its login is damaged: {}", path.display())))?;
        Ok(Some(kept).filter(|kept| kept.is_for(url, oauth)))
    }

    /// The login with a token that the server may accept: renewed when it expires soon, or is the refused one.
    pub(crate) async fn usable(
        &self,
        url: &str,
        oauth: &OAuth,
        refused: Option<&str>,
    ) -> Result<Option<KeptLogin>, Unusable> {
        let kept = self.find(url, oauth)?;
        if kept.as_ref().is_none_or(|kept| kept.is_fresh(refused)) {
            return Ok(kept);
        }
        let (logins, url, oauth) = (self.clone(), url.to_owned(), oauth.clone());
        let refused = refused.map(str::to_owned);
        // Also when nobody waits for it any more: the old refresh token may be worth nothing after it.
        let renewed = tokio::spawn(async move { logins.renewed(&url, &oauth, refused.as_deref()).await });
        renewed.await.map_err(|error| Unusable::Failed(error.to_string()))?
    }

    async fn renewed(&self, url: &str, oauth: &OAuth, refused: Option<&str>) -> Result<Option<KeptLogin>, Unusable> {
        let _turn = self.turn(url).await?;
        // Another process may have renewed it by now, or ended it.
        let Some(mut kept) = self.find(url, oauth)?.filter(|kept| !kept.is_fresh(refused)) else {
            return self.find(url, oauth);
        };
        let renewed = unheard(renewed(url, &kept, kept.client_secret(oauth))).await;
        let told = |error: &AuthError| kept.told(oauth, &told(error));
        match renewed {
            Ok(Some(credentials)) => kept.credentials = credentials,
            Ok(None) => {
                return Err(Unusable::Ended("its authorization server is another one than at the login".to_owned()));
            }
            Err(AuthError::AuthorizationRequired) => {
                return Err(Unusable::Ended("its login has ended, and has no token to renew it with".to_owned()));
            }
            Err(error @ AuthError::TokenRefreshRejected(_)) => {
                let why = told(&error);
                self.remove(url)?;
                return Err(Unusable::Ended(format!("its login has ended: {why}")));
            }
            Err(error) => return Err(Unusable::Failed(format!("its login cannot be renewed: {}", told(&error)))),
        }
        self.keep(&kept)?;
        Ok(Some(kept))
    }

    /// Wait until no other process or task changes the login to this server. Nobody else does until the result is
    /// dropped.
    pub(crate) async fn turn(&self, url: &str) -> io::Result<File> {
        private_folder().recursive(true).create(&self.folder)?;
        let file = private_file().create(true).append(true).open(self.path(url, "lock"))?;
        let began = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => {
                    tokio::time::sleep(BETWEEN_TRIES).await;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Keep a login, in its [turn](Logins::turn).
    pub(crate) fn keep(&self, kept: &KeptLogin) -> io::Result<()> {
        let draft = self.path(&kept.server, "new");
        let mut file = private_file().create(true).write(true).truncate(true).open(&draft)?;
        file.write_all(&serde_json::to_vec(kept)?)?;
        file.sync_all()?;
        fs::rename(draft, self.path(&kept.server, "json"))
    }

    /// Remove a login, in its [turn](Logins::turn).
    pub(crate) fn remove(&self, url: &str) -> io::Result<()> {
        fs::remove_file(self.path(url, "json"))
    }

    fn path(&self, url: &str, ending: &str) -> PathBuf {
        let digest = Sha256::digest(place(url));
        let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.{ending}"))
    }
}

/// Other credentials for these; `None` when they are those of another authorization server than the server has now.
async fn renewed(
    url: &str,
    kept: &KeptLogin,
    client_secret: Option<&str>,
) -> Result<Option<StoredCredentials>, AuthError> {
    let (mut manager, store, _) = discovered(url, None).await?;
    store.save(kept.credentials.clone()).await?;
    if !manager.initialize_from_store().await? {
        return Ok(None);
    }
    let client = OAuthClientConfig::new(&kept.credentials.client_id, url);
    manager.configure_client(match client_secret {
        Some(secret) => client.with_client_secret(secret),
        None => client,
    })?;
    manager.refresh_token().await?;
    store.load().await
}
