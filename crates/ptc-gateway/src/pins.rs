//! Pins: what the tools of a server were when a person reviewed them. A new or changed one asks first.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::SystemTime;

use crate::ask::lock;
use crate::code::sha256;
use crate::offer::OfferedTool;
use crate::store::{read, write};

/// The servers whose tools are pinned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PinnedServers {
    /// None.
    #[default]
    None,
    /// Those of these names.
    Named(Vec<String>),
    /// All.
    All,
}

impl PinnedServers {
    /// Whether this server is pinned. A tool of the gateway file has none.
    #[must_use]
    pub fn has(&self, server: &str) -> bool {
        match self {
            PinnedServers::None => false,
            PinnedServers::Named(names) => names.iter().any(|name| name == server),
            PinnedServers::All => !server.is_empty(),
        }
    }
}

/// How a tool of a pinned server differs from what was reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreviewed {
    /// It was not there.
    New,
    /// Its description, its schemas or its annotations were others.
    Changed,
}

impl Unreviewed {
    /// The difference in words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Unreviewed::New => "new since the server was reviewed",
            Unreviewed::Changed => "changed since it was reviewed",
        }
    }
}

/// Digests of the contracts of reviewed tools, by server and tool.
type Reviewed = BTreeMap<String, BTreeMap<String, String>>;

/// The file with what was reviewed.
#[derive(Debug)]
pub(crate) struct Pins {
    path: PathBuf,
    servers: PinnedServers,
    /// Held between reading and writing.
    writing: Mutex<()>,
}

impl Pins {
    /// Errors when the file is there and cannot be read: nothing would be pinned.
    pub fn open(path: PathBuf, servers: PinnedServers) -> io::Result<Pins> {
        let _readable: Option<Reviewed> = read(&path)?;
        Ok(Pins { path, servers, writing: Mutex::default() })
    }

    /// When a review was written last.
    pub fn reviewed_at(&self) -> Option<SystemTime> {
        fs::metadata(&self.path).and_then(|file| file.modified()).ok()
    }

    /// Mark the tools of pinned servers that differ from what was reviewed. A server without a review counts as reviewed
    /// as it is now; if that cannot be written down, none of its tools does.
    pub fn mark(&self, offers: &mut [OfferedTool]) {
        let _one_at_a_time = lock(&self.writing);
        let Ok(known) = self.reviewed() else {
            let pinned = offers.iter_mut().filter(|offer| self.servers.has(&offer.said.server));
            return pinned.for_each(|offer| offer.unreviewed = Some(Unreviewed::Changed));
        };
        let mut reviewed = known.clone();
        for offer in offers.iter().filter(|offer| self.servers.has(&offer.said.server)) {
            if !known.contains_key(&offer.said.server) {
                add(&mut reviewed, offer);
            }
        }
        let reviewed = if reviewed == known || write(&self.path, &reviewed).is_ok() { reviewed } else { known };
        for offer in offers.iter_mut().filter(|offer| self.servers.has(&offer.said.server)) {
            let before = reviewed.get(&offer.said.server).and_then(|tools| tools.get(&offer.said.tool));
            offer.unreviewed = match before {
                None => Some(Unreviewed::New),
                Some(digest) if *digest != sha256(&offer.said.contract) => Some(Unreviewed::Changed),
                Some(_) => None,
            };
        }
    }

    /// Take the tools of pinned servers for reviewed as they are now: of one server, or of all.
    pub fn accept<'o>(&self, server: Option<&str>, offers: impl Iterator<Item = &'o OfferedTool>) -> io::Result<()> {
        let _one_at_a_time = lock(&self.writing);
        let mut reviewed = self.reviewed()?;
        let is_meant = |name: &str| self.servers.has(name) && server.is_none_or(|server| server == name);
        let mut fresh = Reviewed::new();
        offers.filter(|offer| is_meant(&offer.said.server)).for_each(|offer| add(&mut fresh, offer));
        // A tool that is gone is new when it comes back.
        reviewed.extend(fresh);
        write(&self.path, &reviewed)
    }

    /// Whether this server is pinned.
    pub fn has(&self, server: &str) -> bool {
        self.servers.has(server)
    }

    fn reviewed(&self) -> io::Result<Reviewed> {
        Ok(read(&self.path)?.unwrap_or_default())
    }
}

fn add(reviewed: &mut Reviewed, offer: &OfferedTool) {
    let tools = reviewed.entry(offer.said.server.clone()).or_default();
    tools.insert(offer.said.tool.clone(), sha256(&offer.said.contract));
}
