//! Programs over the tools of MCP servers, governed.
//!
//! A [`Gateway`] has servers behind it and runs programs of clients over their tools: what a program can call is known
//! before it runs, a [`Policy`] allows, asks or denies, each call is on record, and a session goes on after a crash where
//! it stood. [`McpServer`] is the gateway as a server of MCP.
//!
//! ```no_run
//! use ptc_gateway::{Gateway, GatewayFile, Phase, Request};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let gateway = Gateway::start(GatewayFile::load("gateway.toml")?).await?;
//! let mut request = Request::default();
//! request.program = Some("(count (tool/files-list {:path \"/srv\"}))".to_owned());
//! let mut running = gateway.run(&request).map_err(|refusal| refusal.0.to_string())?;
//! match running.pause().await {
//!     Phase::Ended(ended) => println!("{}", ended.report),
//!     Phase::Asks(question) => println!("{}", question.waiting.text),
//!     _ => {}
//! }
//! # Ok(())
//! # }
//! ```

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails where it stands")
)]

mod ask;
mod audit;
mod catalog;
mod config;
mod gateway;
mod govern;
mod observed;
mod offer;
mod policy;
mod reach;
mod report;
mod running;
mod serve;
mod session;
mod store;
#[cfg(test)]
mod testing;
mod waiting;

pub use ask::{Answer, Choice, Question};
pub use config::GatewayFile;
pub use gateway::{Gateway, GatewayError, Refusal, Request};
pub use offer::Offer;
pub use policy::{Policy, Ruling, Standing, Verdict};
pub use reach::Reach;
pub use running::{Ended, Made, Phase, Running};
pub use serve::McpServer;
pub use store::Waiting;
pub use waiting::{Interrupted, WaitingError, decide, interrupted_in, waiting_in};
