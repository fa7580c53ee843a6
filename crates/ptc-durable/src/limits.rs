//! How many requests and tokens a minute models are asked for, over all workers, shared among tenants.
//!
//! A limit is an object of the engine, so all workers share one count. A request that must wait leaves the id of a
//! callback there, and its mission is suspended. When capacity is free, waiting tenants are served in turn, each its
//! oldest request first. So a tenant with thousands of requests gets no more of a model than one with ten.

mod object;

use std::collections::BTreeMap;
use std::str::FromStr;

use bytes::Bytes;
use ptc_chat::{Rate, Request};
use serde::{Deserialize, Serialize};

use crate::pump::InvocationContext;
use crate::record::{Notice, RecordError, Target};

pub(crate) use object::{ASK, Ask, SPENT, Spent, TICK, ask, spent, tick};

/// The tenant of missions that name none.
const NOBODY: &str = "";

/// The prefix of the name of a limit for one tenant; alone it applies to each.
const TENANT: &str = "tenant";

/// The prefix of the name of the limits service. Workers of the same missions share one: a worker of other missions
/// that went away would have taken it along.
pub(crate) const LIMITS: &str = "ptc_limits";

/// The service of the limits of workers with these missions.
pub(crate) fn service_of<'a>(missions: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = missions.collect();
    names.sort_unstable();
    format!("{LIMITS}_{}", ptc_transcript::fingerprint(&names).unwrap_or_default())
}

/// The limits for the requests of all workers that are configured alike.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Limits {
    rates: BTreeMap<String, Rate>,
}

/// A limit that cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a limit; write NAME=REQUESTS or NAME=REQUESTS,TOKENS, for a minute: openai=500, openai:gpt-5=500,200000, tenant=60 for each tenant, tenant:acme=120 for one"
)]
pub struct NotALimit(pub String);

impl Limits {
    /// Add `NAME=REQUESTS` or `NAME=REQUESTS,TOKENS`, each for a minute. NAME is a provider, a model as `--llm` takes it,
    /// `tenant` for each tenant, or `tenant:NAME` for one.
    pub fn add(&mut self, text: &str) -> Result<(), NotALimit> {
        let parsed = text.rsplit_once('=').filter(|(name, _)| !name.trim().is_empty());
        let parsed = parsed.and_then(|(name, rate)| Some((name.trim().to_owned(), Rate::from_str(rate).ok()?)));
        let (name, rate) = parsed.ok_or_else(|| NotALimit(text.to_owned()))?;
        self.rates.insert(name, rate);
        Ok(())
    }

    /// What a limit allows.
    pub(crate) fn rate(&self, name: &str) -> Option<Rate> {
        let of_each = name.starts_with("tenant:").then(|| self.rates.get(TENANT)).flatten();
        self.rates.get(name).or(of_each).copied()
    }

    /// The limits that a request to this model has to pass, in order.
    fn of(&self, model: &str, tenant: &str) -> Vec<String> {
        let provider = model.split([':', '/']).next().unwrap_or(model);
        let mut names = vec![format!("{TENANT}:{tenant}"), model.to_owned()];
        if provider != model {
            names.push(provider.to_owned());
        }
        names.retain(|name| self.rate(name).is_some());
        names
    }

    /// What holds back the requests of a mission of this tenant, in the objects of this service.
    pub(crate) fn rate_limiter(self, service: String, tenant: Option<&str>) -> RateLimiter {
        RateLimiter { limits: self, service, tenant: tenant.unwrap_or(NOBODY).to_owned() }
    }
}

/// The limits that the requests of a mission pass.
pub(crate) struct RateLimiter {
    limits: Limits,
    service: String,
    tenant: String,
}

impl RateLimiter {
    /// Wait until there is capacity for the request.
    pub async fn pass(&self, handler: &InvocationContext, model: &str, request: &Request) -> Result<(), RecordError> {
        for name in self.limits.of(model, &self.tenant) {
            let Some(rate) = self.limits.rate(&name) else { continue };
            let (callback, room) = handler.callback().await?;
            let ask = Ask { tenant: self.tenant.clone(), tokens: request.estimated_tokens(), callback, rate };
            self.send(handler, name, ASK, &ask);
            room.await?;
        }
        Ok(())
    }

    /// Report what a request really used.
    pub fn used(&self, handler: &InvocationContext, model: &str, request: &Request, tokens: u64) {
        let more = i64::try_from(tokens).unwrap_or(i64::MAX).saturating_sub_unsigned(request.estimated_tokens());
        for name in self.limits.of(model, &self.tenant) {
            let rate = self.limits.rate(&name).filter(|rate| more != 0 && rate.tokens.is_some());
            if let Some(rate) = rate {
                self.send(handler, name, SPENT, &Spent { tokens: more, rate });
            }
        }
    }

    fn send(&self, handler: &InvocationContext, key: String, to: &'static str, message: &impl Serialize) {
        let target = Target { service: self.service.clone(), key, handler: to };
        let message = serde_json::to_vec(message).unwrap_or_default();
        handler.tell(Notice::Send(target, Bytes::from(message), None));
    }
}

#[cfg(test)]
mod tests;
