//! The durable engine of a command line, and the blob store that its workers share with us.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ptc_durable::{BlobStore, Client, MissionId, Stored, load, open_blobs};
use ptc_runner::agent::CancellationToken;
use serde_json::Value as Json;

use crate::failure::{Exit, Failure};
use crate::output;
use crate::output::proposed::Proposed;
use crate::signals::listening;

/// The default address of the engine.
const USUAL: &str = "http://127.0.0.1:8080";

/// How long the engine may be unavailable at a time while a command waits.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Debug, Args)]
pub(crate) struct EngineArg {
    /// The address of the durable engine's ingress.
    #[arg(long, value_name = "URL", env = "PTC_ENGINE", default_value = USUAL, hide_env_values = true)]
    engine: String,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct BlobsArg {
    /// The blob store of the workers, for values above 256 kB: a shared folder, or `s3://BUCKET/PREFIX`.
    #[arg(long, value_name = "DIR", env = "PTC_BLOBS", hide_env_values = true)]
    blobs: Option<String>,
}

impl EngineArg {
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        Ok(Client::new(&self.engine)?)
    }

    /// A proposed command that asks the same engine.
    pub(crate) fn proposed(&self, command: &str, arguments: &[&str]) -> Proposed {
        let usual = std::env::var("PTC_ENGINE").unwrap_or_else(|_| USUAL.to_owned());
        Proposed::new(command, arguments).option("--engine", (self.engine != usual).then_some(&self.engine))
    }
}

impl BlobsArg {
    /// The blob store, when there is one.
    pub(crate) fn open(&self) -> Result<Option<Arc<dyn BlobStore>>, Failure> {
        let place = self.blobs.as_deref().filter(|place| !place.is_empty());
        Ok(place.map(open_blobs).transpose()?)
    }

    /// A stored part of a mission; `what` names it.
    pub(crate) async fn loaded(&self, id: &MissionId, what: &str, stored: Stored) -> Result<Json, Failure> {
        let bytes = match stored {
            Stored::Json(value) => return Ok(value),
            Stored::Stored(ref blob) => blob.bytes,
            _ => return Err(format!("{what} of {id} is stored in a way that this version does not know").into()),
        };
        let Some(blobs) = self.open()? else {
            return Err(format!(
                "{what} of {id} has {bytes} bytes and is in the blob store of the workers: name it with --blobs DIR or PTC_BLOBS"
            )
            .into());
        };
        Ok(load(&*blobs, stored).await?)
    }
}

/// Report that the engine is unavailable now: a command that waits is patient with it.
pub(crate) async fn noted(client: &Client, id: &MissionId) {
    if let Err(error) = client.outcome(id).await
        && error.is_passing()
    {
        let minutes = PATIENCE.as_secs() / 60;
        output::notes(&[format!("{error}; asking again for {minutes} minutes")]);
    }
}

/// Ask the engine until all is done, or a signal ends the command: the mission is not affected.
pub(crate) fn asked(work: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let cancel = CancellationToken::new();
    let (done, signal) = listening(&cancel, cancel.run_until_cancelled(work))?;
    done.unwrap_or_else(|| Ok(signal.unwrap_or(Exit::Interrupted)))
}
