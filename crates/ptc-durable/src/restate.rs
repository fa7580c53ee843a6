//! Restate: its protocol over HTTP/2.

#[cfg(unix)]
mod apart;
mod endpoint;
mod names;
mod record;

#[cfg(unix)]
pub use apart::HandedInvocation;
#[cfg(unix)]
pub(crate) use apart::{Processes, Start, drive};
pub(crate) use endpoint::serve;
pub(crate) use record::{Answer, Invocation};
