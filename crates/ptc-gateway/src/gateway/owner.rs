//! What the owner of a gateway sees and does: codes, notes, reviews, stored sessions.

use std::io;
use std::time::{Duration, Instant};

use ptc_mcp::ServerStatus;
use serde_json::{Value as Json, json};

use super::{Gateway, GatewayError, Refusal, refused};
use crate::ask::lock;
use crate::audit::{AuditEvent, iso};
use crate::metrics::Now;
use crate::offer::OfferedTool;
use crate::reach::Reach;
use crate::store::Removed;

/// How often sessions that are not kept are looked for, at most.
const LOOK_FOR_UNUSED: Duration = Duration::from_secs(60);

impl Gateway {
    /// Show questions with the codes that approve them to the person who reads this, instead of writing them to
    /// `approvals.log` in the state, which only its owner can read. A model that asks must not read it.
    pub fn show_codes(&self, show: impl Fn(&str) + Send + Sync + 'static) {
        self.shared.ledger.codes.to_person(Box::new(show));
    }

    /// Without a question that waits, all codes that were shown are void.
    pub(super) fn forget_codes(&self) -> io::Result<()> {
        let ledger = &self.shared.ledger;
        // A question that cannot be read may wait.
        let waits = |session: &String| ledger.store.question(session).map_or(true, |question| question.is_some());
        if !ledger.store.sessions()?.iter().any(waits) {
            ledger.codes.forget();
        }
        Ok(())
    }

    /// Report what the owner should know to the person who reads this: that stored sessions were removed.
    pub fn show_notes(&self, show: impl Fn(&str) + Send + Sync + 'static) {
        self.shared.ledger.notes.show_to(Box::new(show));
    }

    /// Take the tools of pinned servers for reviewed as they are now: those of one server, or of all. The result is what
    /// was new or changed.
    pub fn accept_tools(&self, server: Option<&str>) -> Result<Vec<Reach>, GatewayError> {
        let live = self.live();
        let pins = &live.setup.pins;
        if let Some(name) = server.filter(|name| !pins.has(name)) {
            return Err(GatewayError::NotPinned(name.to_owned()));
        }
        let offers = || live.governor.offers.values().chain(&live.governor.denied);
        if let Some(name) = server.filter(|name| !offers().any(|offer| offer.said.server == **name)) {
            return Err(GatewayError::NoTools(name.to_owned()));
        }
        let is_meant = |offer: &&OfferedTool| server.is_none_or(|server| server == offer.said.server);
        let differs = offers().filter(is_meant).filter(|offer| offer.unreviewed.is_some());
        let differs = differs
            .map(|offer| Reach::new(offer, live.governor.standing(offer), "any number".to_owned(), None))
            .collect();
        pins.accept(server, offers()).map_err(GatewayError::Store)?;
        Ok(differs)
    }

    /// The state of each server, without anything that it said: for those who only watch.
    pub(crate) fn health(&self) -> Json {
        let state = |status: &ServerStatus| match status {
            ServerStatus { problem: Some(_), .. } => "failed",
            ServerStatus { is_starting: true, .. } => "starting",
            ServerStatus { since: None, .. } => "ended",
            _ => "connected",
        };
        let servers: Vec<ServerStatus> = self.setup().servers.iter().map(|server| server.status()).collect();
        let told = servers.iter().map(|status| {
            json!({"name": status.name, "state": state(status), "tools": status.tools, "since": status.since.map(iso)})
        });
        let is_whole = servers.iter().all(|status| status.problem.is_none());
        json!({
            "status": if is_whole { "ok" } else { "degraded" }, "servers": told.collect::<Vec<_>>(),
            "programs": lock(&self.shared.running).len(),
        })
    }

    /// What happened since the gateway started, as OpenMetrics text.
    pub(crate) fn metrics(&self) -> String {
        let servers = self.setup().servers.iter().map(|server| server.status()).collect::<Vec<_>>();
        let is_up = |status: &ServerStatus| status.problem.is_none() && !status.is_starting;
        let servers = servers.into_iter().map(|status| (status.name.clone(), is_up(&status))).collect();
        self.shared.ledger.audit.metrics(&Now { running: lock(&self.shared.running).len(), servers })
    }

    /// Whether a client may start one more program, or why not.
    pub(super) fn has_room(&self, client: &str) -> Result<(), Refusal> {
        let most = self.setup().client_programs;
        let running = lock(&self.shared.running).values().filter(|running| *running.client == *client).count();
        if running < most {
            return Ok(());
        }
        let text = format!(
            "{running} programs of this client run or wait (`client_programs` in the gateway file): \
             wait for one by calling run_program with its `session` alone"
        );
        Err(refused("", "busy", &text))
    }

    /// Remove the stored sessions that are not kept.
    pub(super) fn prune(&self) -> io::Result<()> {
        let ledger = &self.shared.ledger;
        let removed = ledger.store.prune(&self.setup().keep)?;
        for Removed { session, why } in &removed {
            // The session is gone: only the line is lost.
            let _lost = ledger.audit.write(AuditEvent::Removed { session: session.clone(), why: why.clone() });
        }
        if !removed.is_empty() {
            ledger.notes.add(Removed::line(&removed));
        }
        Ok(())
    }

    /// The same, if it is time for it. A client never waits for an error here: the next program looks again.
    pub(super) fn prune_now_and_then(&self) {
        let mut looked = lock(&self.shared.looked);
        if looked.elapsed() >= LOOK_FOR_UNUSED {
            let _again = self.prune();
            *looked = Instant::now();
        }
    }
}
