//! How many sessions are kept, how large and for how long.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::time::{Duration, SystemTime};

use super::Store;

/// A session that was used within this time is not removed: it may be in use.
const IN_USE: Duration = Duration::from_secs(60);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What is kept of sessions. One in which something waits or was interrupted is kept in any case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeptSessions {
    /// Maximum number of sessions.
    pub sessions: usize,
    /// Days that an unused one is kept.
    pub days: u32,
    /// Maximum bytes of all of them.
    pub bytes: u64,
}

impl Default for KeptSessions {
    /// 1,000 sessions, 30 days, 1 GB.
    fn default() -> KeptSessions {
        KeptSessions { sessions: 1_000, days: 30, bytes: 1 << 30 }
    }
}

/// A session that was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removed {
    pub session: String,
    /// `unused for 30 days`, in words for its owner.
    pub why: String,
}

impl Removed {
    /// A line about these.
    pub fn line(removed: &[Removed]) -> String {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for one in removed {
            *counts.entry(&one.why).or_default() += 1;
        }
        let counts: Vec<String> = counts.iter().map(|(why, count)| format!("{count} {why}")).collect();
        format!("stored sessions in which nothing waits were removed: {}", counts.join(", "))
    }
}

/// A session, as far as it matters here.
struct Found {
    id: String,
    used: SystemTime,
    bytes: u64,
    may_go: bool,
}

impl Store {
    /// Remove the sessions that are not kept, the longest unused ones first.
    pub fn prune(&self, kept: &KeptSessions) -> io::Result<Vec<Removed>> {
        // One that cannot be read, or that another gateway has just removed, does not prevent this one from running.
        let found = self.sessions()?.into_iter().filter_map(|id| self.found(id).ok());
        let mut found: Vec<Found> = found.collect();
        found.sort_by_key(|one| one.used);
        let (mut count, mut bytes) = (found.len(), found.iter().map(|one| one.bytes).sum::<u64>());
        let mut removed = Vec::new();
        for one in found.into_iter().filter(|one| one.may_go) {
            let is_old = one.used.elapsed().is_ok_and(|unused| unused > DAY.saturating_mul(kept.days));
            let why = match () {
                () if is_old => format!("unused for {} days", kept.days),
                () if count > kept.sessions => format!("more than {} (`keep_sessions`)", kept.sessions),
                () if bytes > kept.bytes => format!("beyond {} MB in all (`keep_size`)", kept.bytes >> 20),
                () => continue,
            };
            if fs::remove_dir_all(self.session(&one.id)).is_ok() {
                (count, bytes) = (count - 1, bytes.saturating_sub(one.bytes));
                removed.push(Removed { session: one.id, why });
            }
        }
        Ok(removed)
    }

    fn found(&self, id: String) -> io::Result<Found> {
        let used = self.used(&id)?;
        let files = fs::read_dir(self.session(&id))?.flatten().filter_map(|file| file.metadata().ok());
        let bytes = files.map(|file| file.len()).sum();
        let is_in_use = used.elapsed().is_ok_and(|unused| unused <= IN_USE);
        // What cannot be read may have something that waits.
        let may_go = !is_in_use && !self.waits(&id).unwrap_or(true);
        Ok(Found { id, used, bytes, may_go })
    }

    /// Whether something waits in a session, runs or was interrupted.
    fn waits(&self, id: &str) -> io::Result<bool> {
        Ok(self.question(id)?.is_some() || self.program(id, self.state(id)?.programs + 1)?.is_some())
    }
}

#[cfg(test)]
mod tests;
