//! The servers of a gateway, written down for those who look at it from outside.

#[cfg(test)]
mod tests;

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use ptc_mcp::{Server, ServerStatus};
use ptc_transcript::private_file;
use serde::{Deserialize, Serialize};

use crate::ask::lock;
use crate::audit::{iso, now};
use crate::store::{Store, told};
use crate::waiting::WaitingError;

/// A server of a gateway.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KnownServer {
    /// Its name in the gateway file.
    pub name: String,
    /// `stdio` or `http`.
    pub transport: String,
    /// The number of its tools that the gateway file admits.
    pub tools: usize,
    /// Whether it is being connected for the first time.
    #[serde(default)]
    pub is_starting: bool,
    /// When it was connected, as ISO 8601 in UTC, if it was. One that has ended is connected again by the next call.
    pub since: Option<String>,
    /// Why the last attempt to connect failed.
    pub problem: Option<String>,
    /// What programs do not get of its list, although its owner wants it, each a sentence for people.
    #[serde(default)]
    pub left_out: Vec<String>,
}

/// The servers of a gateway as it wrote them down when one of them had changed: as it started, after a program, or with a
/// new list of tools. Where several gateways share a state, it is what the last one wrote. When none runs, no server is
/// connected.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct KnownServers {
    /// When, as ISO 8601 in UTC; empty when none has.
    pub at: String,
    /// The servers, in the order of the gateway file.
    pub servers: Vec<KnownServer>,
    /// The number of tools of the gateway file itself.
    pub own_tools: usize,
}

/// The servers of the gateway whose state is in this folder.
pub fn servers_in(state: &Path) -> Result<KnownServers, WaitingError> {
    Ok(Store::existing(state)?.servers()?.unwrap_or_default())
}

/// Whether a gateway runs over the state in this folder; `None` where the system cannot say.
pub fn is_running(state: &Path) -> Result<Option<bool>, WaitingError> {
    let path = Store::existing(state)?.running();
    match File::open(&path) {
        // Each gateway shares the lock while it runs.
        Ok(file) => Ok(match file.try_lock() {
            Ok(()) => Some(false),
            Err(TryLockError::WouldBlock) => Some(true),
            Err(TryLockError::Error(_)) => None,
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(false)),
        Err(error) => Err(told(&path, error).into()),
    }
}

/// What a running gateway says about its servers.
pub(crate) struct Sign {
    /// Locked until the gateway ends, however it ends.
    running: File,
    /// What was written last; none once the gateway ends its servers, which is not a change of theirs.
    written: Mutex<Option<Vec<KnownServer>>>,
}

impl Sign {
    /// The sign of a gateway that starts.
    pub fn raise(store: &Store) -> io::Result<Sign> {
        let path = store.running();
        let file = private_file().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(|error| told(&path, error))?;
        // Where files cannot be locked, nothing else depends on it.
        let _unknown = file.lock_shared();
        Ok(Sign { running: file, written: Mutex::new(Some(Vec::new())) })
    }

    /// Write the servers down, if they have changed. A file that cannot be written loses only what pages show.
    pub fn write(&self, store: &Store, servers: &[Arc<Server>], own_tools: usize) {
        let mut written = lock(&self.written);
        let Some(before) = &mut *written else { return };
        let servers: Vec<KnownServer> = servers.iter().map(|server| KnownServer::new(server.status())).collect();
        if *before != servers || !store.has_servers() {
            let known = KnownServers { at: now(), servers, own_tools };
            let _shown_only = store.write_servers(&known);
            *before = known.servers;
        }
    }

    /// The gateway ends its servers: what was written stays.
    pub fn lower(&self) {
        *lock(&self.written) = None;
    }
}

impl Drop for Sign {
    /// Closing the file is not enough: a child that another thread just forked has it open until it becomes its program.
    fn drop(&mut self) {
        let _unlocked_when_closed = self.running.unlock();
    }
}

impl KnownServer {
    fn new(status: ServerStatus) -> KnownServer {
        KnownServer {
            left_out: status.omissions(),
            is_starting: status.is_starting,
            name: status.name,
            transport: status.transport.to_owned(),
            tools: status.tools,
            since: status.since.map(iso),
            problem: status.problem,
        }
    }
}
