//! What goes over the wire, against our own provider on the loopback interface.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where it stands")]

#[path = "wire/chat.rs"]
mod chat;
#[path = "wire/errors.rs"]
mod errors;
#[path = "wire/failures.rs"]
mod failures;
#[path = "wire/odd.rs"]
mod odd;
#[path = "wire/replies.rs"]
mod replies;
#[path = "wire/requests.rs"]
mod requests;
#[path = "wire/server.rs"]
mod server;
