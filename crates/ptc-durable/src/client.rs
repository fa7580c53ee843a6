//! The client of the durable engine: starts missions, asks for their status, and decides what waits.
//!
//! It speaks plain HTTP to the ingress of the engine, so that anything it does can be done with `curl`, too. Its
//! answers were recorded from restate-server 1.7.

mod failure;
mod http;
mod patience;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::time::Duration;

use ptc_chat::{AddressSecrets, shown_address};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::json::read;
use crate::limits::LIMITS;
use crate::wire::{Answer, MissionId, MissionState, Outcome, Status, Submission};
use http::{Http, Said};
use patience::patiently;

pub use failure::ClientError;

/// The ingress's answer while a mission runs.
const NOT_YET: u16 = 470;

/// Time between two polls of a mission that is followed.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A client of the engine at one address. Clones share their connections.
///
/// ```no_run
/// use std::time::Duration;
/// use ptc_durable::{Client, MissionId, Submission};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::new("http://127.0.0.1:8080")?;
/// let id = MissionId::fresh("orders")?;
/// client.submit(&id, &Submission { tenant: Some("ines".to_owned()), ..Submission::default() }).await?;
/// let outcome = client.wait(&id, Duration::from_secs(600)).await?;
/// println!("{} ended with {}", outcome.id, outcome.ending.as_str());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    http: Http,
}

/// Workers that the engine knows now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// The engine's name for them.
    pub deployment: String,
    /// The missions that they serve.
    pub missions: Vec<String>,
}

impl Client {
    /// A client of the engine whose ingress is at `address`, usually `http://127.0.0.1:8080`; for [`Client::register`] that
    /// of its admin, usually `http://127.0.0.1:9070`. No request is sent.
    pub fn new(address: &str) -> Result<Client, ClientError> {
        Ok(Client { http: Http::new(address)? })
    }

    /// Start a mission. The engine has stored it when this returns.
    ///
    /// Errors: [`ClientError::AlreadySubmitted`] when the key was used, [`ClientError::Unsure`] when the connection broke
    /// before the answer: submitting the same key again says whether it was stored.
    pub async fn submit(&self, id: &MissionId, submission: &Submission) -> Result<(), ClientError> {
        let said = self.http.post(&[&id.mission, &id.key, "run", "send"], submission).await;
        let said = said.map_err(|error| error.unsure_about(id))?;
        match said.status {
            200..300 => {
                let kept: SubmitReply = self.http.parsed(&said)?;
                match kept.status.as_str() {
                    "PreviouslyAccepted" => Err(ClientError::AlreadySubmitted { id: id.clone() }),
                    _ => Ok(()),
                }
            }
            409 => Err(ClientError::AlreadySubmitted { id: id.clone() }),
            404 => Err(self.no_such_mission(id).await),
            _ => Err(self.http.refused(&said)),
        }
    }

    /// Where a mission is.
    pub async fn status(&self, id: &MissionId) -> Result<Status, ClientError> {
        // A worker cannot distinguish an unused key from one that has not started, and knows nothing of missions that
        // were ended at the engine.
        let goes_on = self.look(id).await?;
        let said = self.http.post(&[&id.mission, &id.key, "status"], &json!({})).await?;
        let status: Status = match said.status {
            200..300 => self.http.parsed(&said)?,
            404 => return Err(self.no_such_mission(id).await),
            _ => return Err(self.http.refused(&said)),
        };
        Ok(if goes_on { status } else { Status { state: MissionState::Ended, waiting: Vec::new(), ..status } })
    }

    /// Poll a mission each second until it has ended, or `on_status`, which gets what was seen, breaks. The engine and
    /// the workers may be unavailable for as long as `patience` at a time.
    pub async fn follow(
        &self,
        id: &MissionId,
        patience: Duration,
        mut on_status: impl FnMut(&Status) -> ControlFlow<()>,
    ) -> Result<(), ClientError> {
        loop {
            let status = patiently(patience, || self.status(id)).await?;
            if on_status(&status).is_break() || status.state == MissionState::Ended {
                return Ok(());
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// The outcome of a mission; `None` while it runs.
    pub async fn outcome(&self, id: &MissionId) -> Result<Option<Outcome>, ClientError> {
        let said = self.http.get(&["restate", "workflow", &id.mission, &id.key, "output"]).await?;
        if said.status == NOT_YET { Ok(None) } else { self.ended(id, &said).await.map(Some) }
    }

    /// Wait for the outcome of a mission, however long that takes. The engine may be unavailable for as long as
    /// `patience` at a time; after that the last problem is the error.
    pub async fn wait(&self, id: &MissionId, patience: Duration) -> Result<Outcome, ClientError> {
        patiently(patience, || self.attached(id)).await
    }

    /// Decide what waits in a mission.
    ///
    /// Errors: [`ClientError::NothingWaits`] and [`ClientError::AlreadyDecided`].
    pub async fn approve(&self, id: &MissionId, answer: &Answer) -> Result<(), ClientError> {
        let said = self.http.post(&[&id.mission, &id.key, "approve"], answer).await?;
        match said.status {
            200..300 => Ok(()),
            404 if said.is_of_mission => {
                self.going_on(id).await?;
                Err(ClientError::NothingWaits { id: id.clone(), call: answer.call.clone(), told: said.message() })
            }
            404 => Err(self.no_such_mission(id).await),
            409 => Err(ClientError::AlreadyDecided { call: answer.call.clone(), told: said.message() }),
            _ => Err(self.http.refused(&said)),
        }
    }

    /// Ask a mission to end: its step says `cancelled`. It may not have ended yet when this returns.
    ///
    /// Errors: [`ClientError::AlreadyEnded`], and [`ClientError::NotBegun`] while no worker has started it.
    pub async fn cancel(&self, id: &MissionId) -> Result<(), ClientError> {
        // A worker cannot distinguish missions that were not submitted from those that have not started, and cancels
        // ended ones, too.
        self.going_on(id).await?;
        let said = self.http.post(&[&id.mission, &id.key, "cancel"], &json!({})).await?;
        match said.status {
            200..300 => Ok(()),
            404 if said.is_of_mission => Err(ClientError::NotBegun { id: id.clone(), told: said.message() }),
            404 => Err(self.no_such_mission(id).await),
            _ => Err(self.http.refused(&said)),
        }
    }

    /// Register workers with the engine: it asks them at `worker_url` which missions they serve. For a client of the
    /// admin address.
    ///
    /// Workers of a known address stay as they were unless `force` is set; their running missions may then end with an
    /// error.
    pub async fn register(&self, worker_url: &str, force: bool) -> Result<Registered, ClientError> {
        let about = json!({"uri": worker_url, "use_http_11": false, "force": force});
        let said = self.http.post(&["deployments"], &about).await?;
        if !(200..300).contains(&said.status) {
            return Err(ClientError::NotRegistered {
                engine: self.http.place(),
                worker: shown_address(worker_url),
                status: said.status,
                // The error quotes the address.
                told: AddressSecrets::of(worker_url).hidden_in(&said.message()),
            });
        }
        let found: Deployment = self.http.parsed(&said)?;
        let missions = found.services.into_iter().map(|service| service.name).collect();
        Ok(Registered { deployment: found.id, missions })
    }

    async fn attached(&self, id: &MissionId) -> Result<Outcome, ClientError> {
        let said = self.http.get_slowly(&["restate", "workflow", &id.mission, &id.key, "attach"]).await?;
        self.ended(id, &said).await
    }

    /// The outcome in the engine's answer about an ended mission.
    async fn ended(&self, id: &MissionId, said: &Said) -> Result<Outcome, ClientError> {
        match said.status {
            200..300 => self.http.parsed(said),
            404 => Err(self.not_submitted(id).await),
            // A mission whose journal and program diverged ends with a failure that carries its outcome.
            status if said.is_of_mission => read(said.message().as_bytes()).map_err(|_| ClientError::Stopped {
                id: id.clone(),
                status,
                told: said.message(),
            }),
            _ => Err(self.http.refused(said)),
        }
    }

    /// Whether a mission is running. Errors when it was not submitted.
    async fn look(&self, id: &MissionId) -> Result<bool, ClientError> {
        let said = self.http.head_of(&["restate", "workflow", &id.mission, &id.key, "output"]).await?;
        match said.status {
            404 if !said.is_of_mission => Err(self.not_submitted(id).await),
            status => Ok(status == NOT_YET),
        }
    }

    async fn going_on(&self, id: &MissionId) -> Result<(), ClientError> {
        if self.look(id).await? { Ok(()) } else { Err(ClientError::AlreadyEnded { id: id.clone() }) }
    }

    async fn not_submitted(&self, id: &MissionId) -> ClientError {
        match self.missions().await {
            Ok(known) if !known.contains(&id.mission) => self.unknown(id, known),
            Ok(_) => ClientError::NotSubmitted { id: id.clone() },
            Err(error) => error,
        }
    }

    async fn no_such_mission(&self, id: &MissionId) -> ClientError {
        self.missions().await.map_or_else(|error| error, |known| self.unknown(id, known))
    }

    fn unknown(&self, id: &MissionId, known: Vec<String>) -> ClientError {
        ClientError::NoSuchMission { mission: id.mission.clone(), engine: self.http.place(), known }
    }

    /// The missions that workers have registered.
    async fn missions(&self) -> Result<Vec<String>, ClientError> {
        let said = self.http.get(&["restate", "health"]).await?;
        if said.status == 404 {
            return Err(ClientError::NotAnEngine { address: self.http.place() });
        }
        if said.status != 200 {
            return Err(self.http.refused(&said));
        }
        let services = self.http.parsed::<Health>(&said)?.services;
        // Workers share their limits through a service that is not a mission.
        Ok(services.into_iter().filter(|name| !name.starts_with(LIMITS)).collect())
    }
}

/// The engine's answer to a submission.
#[derive(Deserialize)]
struct SubmitReply {
    status: String,
}

#[derive(Deserialize)]
struct Health {
    services: Vec<String>,
}

#[derive(Deserialize)]
struct Deployment {
    id: String,
    services: Vec<Service>,
}

#[derive(Deserialize)]
struct Service {
    name: String,
    #[serde(flatten)]
    _more: serde_json::Map<String, Json>,
}
