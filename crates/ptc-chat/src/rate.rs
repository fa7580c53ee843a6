//! How often a model may be asked: a bucket that fills by the minute.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

const MINUTE_US: f64 = 60_000_000.0;

/// How much of a minute may be used at once.
const BURST: f64 = 0.1;

/// What a limit allows in a minute; as text `500` or `500,200000`.
///
/// ```
/// use ptc_chat::{Bucket, Rate};
///
/// let rate: Rate = "60,9_000".parse()?;
/// let mut bucket = Bucket::full(rate, 0);
/// assert!((0..6).all(|_| bucket.take(rate, 100)), "a tenth of a minute at once");
/// assert!(!bucket.take(rate, 100));
/// assert_eq!(bucket.room_at(rate, 100), 1_000_000, "after a second");
/// # Ok::<(), ptc_chat::NotARate>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// Requests.
    pub requests: u32,
    /// Tokens of requests and answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u32>,
}

/// A text that is not a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("write REQUESTS or REQUESTS,TOKENS for a minute, such as 500 or 500,200000")]
pub struct NotARate;

impl FromStr for Rate {
    type Err = NotARate;

    fn from_str(text: &str) -> Result<Rate, NotARate> {
        let number =
            |text: &str| text.trim().replace('_', "").parse::<u32>().ok().filter(|count| *count > 0).ok_or(NotARate);
        match text.split_once(',') {
            Some((requests, tokens)) => Ok(Rate { requests: number(requests)?, tokens: Some(number(tokens)?) }),
            None => Ok(Rate { requests: number(text)?, tokens: None }),
        }
    }
}

/// What is left of a limit. Times are microseconds since any moment, the same for all calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Bucket {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_minute_gets_more_than_the_limit_and_its_burst(
            requests in 1_u32..300, tokens in prop::option::of(100_u32..10_000),
            asked in prop::collection::vec((0_i64..2_000_000, 0_u64..300), 1..300),
        ) {
            let rate = Rate { requests, tokens };
            let mut bucket = Bucket::full(rate, 0);
            let (mut now, mut passed) = (0, Vec::new());
            for (pause, size) in asked {
                now += pause;
                bucket.fill(rate, now);
                if !bucket.take(rate, size) {
                    // It passes exactly when it was scheduled to come again.
                    let at = bucket.room_at(rate, size);
                    prop_assert!(at > now);
                    let mut early = bucket;
                    early.fill(rate, (at - 10).max(now));
                    prop_assert!(!early.take(rate, size));
                    now = at + 1;
                    bucket.fill(rate, now);
                    prop_assert!(bucket.take(rate, size));
                }
                passed.push((now, size));
            }
            for (index, (start, _)) in passed.iter().enumerate() {
                let minute: Vec<_> = passed[index..].iter().take_while(|(at, _)| at - start < 60_000_000).collect();
                let burst = |rate: u32| (f64::from(rate) * 0.1).max(1.0);
                prop_assert!(minute.len() as f64 <= f64::from(requests) + burst(requests) + 1.0);
                if let Some(tokens) = tokens {
                    let used: u64 = minute.iter().map(|(_, size)| size).sum();
                    // One request may be larger than the whole bucket.
                    prop_assert!(used as f64 <= f64::from(tokens) + burst(tokens) + 300.0);
                }
            }
        }
    }
}
