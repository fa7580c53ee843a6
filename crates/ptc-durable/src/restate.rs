//! Restate: its protocol over HTTP/2.

mod endpoint;
mod names;
mod record;

pub(crate) use endpoint::serve;
pub(crate) use record::{Answer, Invocation};
