//! Failures between a client and the engine.

use crate::wire::MissionId;

/// Missions that an error lists.
const MAX_LISTED: usize = 12;

/// A request that was not executed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address is not valid.
    #[error("'{given}' is not the address of a durable engine: {problem}; write it like http://127.0.0.1:8080")]
    Address {
        /// What was given, as addresses are shown.
        given: String,
        /// What is wrong.
        problem: String,
    },
    /// The engine cannot be reached.
    #[error(
        "cannot connect to the durable engine at {engine} ({why}): start restate-server, or give its address: that of the ingress by --engine or PTC_ENGINE, and where workers are registered that of the admin"
    )]
    Unreachable {
        /// Its address.
        engine: String,
        /// The system's message.
        why: String,
    },
    /// The connection ended before the answer.
    #[error("the connection to the durable engine at {engine} broke: {why}")]
    Broken {
        /// Its address.
        engine: String,
        /// The system's message.
        why: String,
    },
    /// No answer in time.
    #[error(
        "no response from {engine} for {seconds} s: the engine keeps a request until a worker answers it; check that `ptc worker` runs for this mission, and try again"
    )]
    Silent {
        /// Its address.
        engine: String,
        /// How long the client waited.
        seconds: u64,
    },
    /// The engine has an internal error.
    #[error("the durable engine at {engine} is temporarily unavailable (HTTP {status}): {told}")]
    Failing {
        /// The HTTP status code.
        engine: String,
        /// The HTTP status code.
        status: u16,
        /// What it said.
        told: String,
    },
    /// The engine, or a worker, refuses this.
    #[error("the durable engine at {engine} refused (HTTP {status}): {told}")]
    Refused {
        /// Its address.
        engine: String,
        /// The HTTP status code.
        status: u16,
        /// What it said.
        told: String,
    },
    /// Another server listens there.
    #[error(
        "{address} is not the ingress of a durable engine: it does not know /restate/health; give the address of the ingress, which is port 8080 by default (the admin is 9070)"
    )]
    NotAnEngine {
        /// Its address.
        address: String,
    },
    /// An unexpected answer.
    #[error(
        "the answer of {engine} cannot be read ({problem}): {found}; give the address of the engine's ingress (port 8080 by default), and workers of the version of this program"
    )]
    Unreadable {
        /// Its address.
        engine: String,
        /// The beginning of the answer.
        found: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No worker serves this mission.
    #[error("no worker of the engine at {engine} serves a mission '{mission}'; {}", served(.known))]
    NoSuchMission {
        /// Its name.
        mission: String,
        /// The address of the engine.
        engine: String,
        /// The missions that are served.
        known: Vec<String>,
    },
    /// It was not submitted.
    #[error(
        "{id} was not submitted, or it ended longer ago than the engine keeps; the id is what `ptc mission submit` printed"
    )]
    NotSubmitted {
        /// Which one.
        id: MissionId,
    },
    /// The key is taken.
    #[error(
        "{id} was submitted before, and is not started again; ask for it with `ptc mission status {id}`, or submit with another key"
    )]
    AlreadySubmitted {
        /// Which one.
        id: MissionId,
    },
    /// The answer to a submission was lost.
    #[error("{why}; it is unknown whether {id} was submitted: submit it again with the key {}, which starts it only once", .id.key)]
    Unsure {
        /// Which one.
        id: MissionId,
        /// What broke.
        why: Box<ClientError>,
    },
    /// The mission has ended.
    #[error("{id} has ended; see `ptc mission result {id}`")]
    AlreadyEnded {
        /// Which one.
        id: MissionId,
    },
    /// It waits for a worker.
    #[error("{id} cannot be cancelled yet: {told}; check that `ptc worker` runs for it, and cancel it again")]
    NotBegun {
        /// Which one.
        id: MissionId,
        /// What the worker said.
        told: String,
    },
    /// Nothing of this name waits for a decision.
    #[error("nothing waits for approval as {call} in {id} ({told}); `ptc mission status {id}` shows what waits")]
    NothingWaits {
        /// The mission.
        id: MissionId,
        /// What was to be decided.
        call: String,
        /// The worker's message.
        told: String,
    },
    /// It was already decided.
    #[error("{call} was already decided ({told}); `ptc mission status` shows what waits")]
    AlreadyDecided {
        /// What was to be decided.
        call: String,
        /// The worker's message.
        told: String,
    },
    /// It ended without an outcome: a worker refused its submission, or it was ended at the engine.
    #[error("{id} ended without a step (HTTP {status}): {told}")]
    Stopped {
        /// Which one.
        id: MissionId,
        /// The HTTP status code.
        status: u16,
        /// Why.
        told: String,
    },
    /// The engine does not accept these workers.
    #[error(
        "the engine at {engine} refused to register the workers at {worker} (HTTP {status}): {told}; give the admin address of the engine (port 9070 by default), and an address of the workers that it reaches from where it runs"
    )]
    NotRegistered {
        /// Its admin address.
        engine: String,
        /// The address of the workers.
        worker: String,
        /// The HTTP status code.
        status: u16,
        /// What it said.
        told: String,
    },
}

impl ClientError {
    /// A stable name.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            ClientError::Address { .. } => "address",
            ClientError::Unreachable { .. } => "unreachable",
            ClientError::Broken { .. } => "broken",
            ClientError::Silent { .. } => "silent",
            ClientError::Failing { .. } => "failing",
            ClientError::Refused { .. } => "refused",
            ClientError::NotAnEngine { .. } => "not_an_engine",
            ClientError::Unreadable { .. } => "unreadable",
            ClientError::NoSuchMission { .. } => "no_such_mission",
            ClientError::NotSubmitted { .. } => "not_submitted",
            ClientError::AlreadySubmitted { .. } => "already_submitted",
            ClientError::Unsure { .. } => "unsure",
            ClientError::AlreadyEnded { .. } => "already_ended",
            ClientError::NotBegun { .. } => "not_begun",
            ClientError::NothingWaits { .. } => "nothing_waits",
            ClientError::AlreadyDecided { .. } => "already_decided",
            ClientError::Stopped { .. } => "stopped",
            ClientError::NotRegistered { .. } => "not_registered",
        }
    }

    /// Whether a retry may succeed: the engine or the workers are unavailable for a while.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        use ClientError::{Broken, Failing, Silent, Unreachable};
        matches!(self, Unreachable { .. } | Broken { .. } | Silent { .. } | Failing { .. })
    }

    /// The outcome of a submission after this failure.
    pub(super) fn unsure_about(self, id: &MissionId) -> ClientError {
        match self {
            ClientError::Broken { .. } | ClientError::Silent { .. } => {
                ClientError::Unsure { id: id.clone(), why: Box::new(self) }
            }
            other => other,
        }
    }
}

fn served(known: &[String]) -> String {
    if known.is_empty() {
        return "it knows of no workers yet: start `ptc worker`, and let it register them".to_owned();
    }
    let listed: Vec<&str> = known.iter().take(MAX_LISTED).map(String::as_str).collect();
    let more = if known.len() > MAX_LISTED { ", …" } else { "" };
    format!(
        "it has {}{more} (for a new mission of registered workers: `ptc worker --register URL --force`)",
        listed.join(", ")
    )
}
