//! A bucket that fills by the minute.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

const MINUTE_US: f64 = 60_000_000.0;

/// How much of a minute may be used at once.
const BURST: f64 = 0.1;

/// What a limit allows in a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Rate {
    pub requests: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
}

impl FromStr for Rate {
    type Err = ();

    fn from_str(text: &str) -> Result<Rate, ()> {
        let number = |text: &str| text.trim().replace('_', "").parse::<u32>().ok().filter(|count| *count > 0).ok_or(());
        match text.split_once(',') {
            Some((requests, tokens)) => Ok(Rate { requests: number(requests)?, tokens: Some(number(tokens)?) }),
            None => Ok(Rate { requests: number(text)?, tokens: None }),
        }
    }
}

/// What is left of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bucket {
    requests: f64,
    tokens: f64,
    at_us: i64,
}

impl Bucket {
    /// A full one.
    pub fn full(rate: Rate, at_us: i64) -> Bucket {
        Bucket { requests: most(rate.requests), tokens: rate.tokens.map_or(0.0, most), at_us }
    }

    /// The same bucket later.
    pub fn fill(&mut self, rate: Rate, at_us: i64) {
        let minutes = at_us.saturating_sub(self.at_us).max(0) as f64 / MINUTE_US;
        self.at_us = self.at_us.max(at_us);
        self.requests = (self.requests + minutes * f64::from(rate.requests)).min(most(rate.requests));
        if let Some(tokens) = rate.tokens {
            self.tokens = (self.tokens + minutes * f64::from(tokens)).min(most(tokens));
        }
    }

    /// Take capacity for a request; false when there is none. A request that is larger than the whole bucket passes
    /// when the bucket is full, and the next ones wait for it.
    pub fn take(&mut self, rate: Rate, tokens: u64) -> bool {
        let wanted = tokens as f64;
        let has_tokens = rate.tokens.is_none_or(|most_tokens| self.tokens >= wanted.min(most(most_tokens)));
        let has_room = self.requests >= 1.0 && has_tokens;
        if has_room {
            self.requests -= 1.0;
            self.tokens -= if rate.tokens.is_some() { wanted } else { 0.0 };
        }
        has_room
    }

    /// Correct what was taken: more, or less when negative.
    pub fn spend(&mut self, tokens: i64) {
        self.tokens -= tokens as f64;
    }

    /// When there is capacity for this request.
    pub fn room_at(&self, rate: Rate, tokens: u64) -> i64 {
        let minutes = |missing: f64, rate: u32| (missing / f64::from(rate)).max(0.0);
        let by_requests = minutes(1.0 - self.requests, rate.requests);
        let by_tokens = rate.tokens.map_or(0.0, |rate| minutes((tokens as f64).min(most(rate)) - self.tokens, rate));
        self.at_us.saturating_add((by_requests.max(by_tokens) * MINUTE_US).ceil() as i64)
    }
}

/// The most that may be used at once.
fn most(rate: u32) -> f64 {
    (f64::from(rate) * BURST).max(1.0)
}
