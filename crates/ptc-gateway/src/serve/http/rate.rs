//! How many requests a client may send.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::ask::lock;

/// What a limit is about.
const MINUTE: Duration = Duration::from_secs(60);

/// The requests of clients, by name: each takes its share of a minute, and may be ahead of time by one minute in all.
#[derive(Debug, Default)]
pub(super) struct Rate {
    /// When the shares of a client end that it has taken.
    ends: Mutex<HashMap<String, Instant>>,
}

impl Rate {
    /// Count a request, or how long the client has to wait until there is room for it.
    pub fn take(&self, client: &str, per_minute: u32, now: Instant) -> Result<(), Duration> {
        let mut ends = lock(&self.ends);
        // Names are those of tokens, so there are only so many.
        let end = ends.entry(client.to_owned()).or_insert(now);
        let after = (*end).max(now) + MINUTE / per_minute.max(1);
        match after.saturating_duration_since(now + MINUTE) {
            Duration::ZERO => {
                *end = after;
                Ok(())
            }
            wait => Err(wait),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever the times of its requests, a client has at most twice its number in any minute, and as many as that
        /// when it starts; what others send takes nothing from it.
        #[test]
        fn a_client_has_its_number_and_not_much_more(
            per_minute in 1_u32..50, steps in prop::collection::vec(0_u64..5_000, 1..300),
        ) {
            let (rate, start) = (Rate::default(), Instant::now());
            for _ in 0..per_minute {
                prop_assert!(rate.take("ann", per_minute, start).is_ok());
                prop_assert!(rate.take("ben", per_minute, start).is_ok());
            }
            prop_assert!(rate.take("ann", per_minute, start).is_err());
            let (mut now, mut taken) = (start, vec![start; per_minute as usize]);
            for step in steps {
                now += Duration::from_millis(step);
                match rate.take("ann", per_minute, now) {
                    Ok(()) => taken.push(now),
                    // After that time, and not before it, there is room.
                    Err(wait) => {
                        prop_assert!(wait <= MINUTE / per_minute);
                        now += wait;
                        prop_assert!(rate.take("ann", per_minute, now).is_ok());
                        taken.push(now);
                    }
                }
                let in_minute = taken.iter().filter(|at| now.duration_since(**at) < MINUTE).count();
                prop_assert!(in_minute <= 2 * per_minute as usize);
            }
        }
    }
}
