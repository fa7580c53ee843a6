//! Tokens that a client gets for itself, with its own credentials: no person logs in.

use rmcp::transport::auth::{AuthError, ClientCredentialsConfig, CredentialStore, StoredCredentials};
use tokio::sync::Mutex;

use crate::logins::{KeptLogin, Unusable};
use crate::oauth::{OAuth, discovered, is_secret, place, told, unheard};
use crate::spec::Aside;

/// The last token, for as long as the process runs.
pub(crate) type Granted = Aside<Mutex<Option<KeptLogin>>>;

impl Granted {
    /// A token that the server may accept: another one when the last one expires soon, or is the refused one.
    pub async fn usable(&self, url: &str, oauth: &OAuth, refused: Option<&str>) -> Result<KeptLogin, Unusable> {
        let mut last = self.lock().await;
        if let Some(last) = last.as_ref().filter(|last| last.is_for(url, oauth) && last.is_fresh(refused)) {
            return Ok(last.clone());
        }
        let failed = |why: String| Unusable::Failed(format!("its client gets no token: {why}"));
        if !is_secret(url) {
            return Err(failed("its address is neither HTTPS nor on this machine: others could read it".to_owned()));
        }
        let credentials = unheard(granted(url, oauth)).await.map_err(|error| failed(told(&error)))?;
        Ok(last.insert(KeptLogin::new(url, oauth, None, None, credentials)).clone())
    }
}

async fn granted(url: &str, oauth: &OAuth) -> Result<StoredCredentials, AuthError> {
    let (Some(client_id), Some(client_secret)) = (oauth.client_id.clone(), oauth.client_secret.clone()) else {
        return Err(AuthError::ClientCredentialsError("`oauth` has no `client_id` or no `client_secret`".to_owned()));
    };
    let (mut manager, store, _) = discovered(url, None).await?;
    let scopes = match oauth.scopes.as_slice() {
        [] => manager.select_initial_scopes(&[]).await,
        configured => configured.to_vec(),
    };
    // The keys in an address are not for the authorization server.
    let resource = place(url).split('?').next().map(str::to_owned);
    let client = ClientCredentialsConfig::ClientSecret { client_id, client_secret, scopes, resource };
    manager.validate_client_credentials_metadata(&client)?;
    manager.configure_client_credentials(&client)?;
    manager.exchange_client_credentials(&client).await?;
    store.load().await?.ok_or(AuthError::AuthorizationRequired)
}
