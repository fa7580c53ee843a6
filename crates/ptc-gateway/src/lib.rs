//! Programs over the tools of MCP servers, governed.
//!
//! A [`Gateway`] connects to servers and runs programs of clients over their tools: what a program can call is known
//! before it runs, a [`Policy`] allows, asks or denies, each call is on record, and a session resumes after a crash
//! where it was. [`McpServer`] is the gateway as an MCP server.
//!
//! None of it depends on a model or on a client: [`Gateway::run`] takes programs from anywhere. `ptc mcp` is this crate as a
//! command, and [the guide](https://github.com/ptc-runner/ptc-runner/blob/main/docs/guide/gateway.md) describes
//! policies, sessions, the audit log and what a gateway saves.

#![forbid(unsafe_code)]

mod ask;
mod attachments;
mod audit;
mod catalog;
mod code;
mod config;
mod desk;
mod gateway;
mod govern;
mod metrics;
mod observed;
mod offer;
mod pins;
mod policy;
mod reach;
mod report;
mod running;
mod serve;
mod servers;
mod session;
mod store;
#[cfg(test)]
mod testing;
mod waiting;

pub use ask::{Answer, Choice, Question};
pub use audit::{
    AuditCall, AuditDecision, AuditEnding, AuditEntry, AuditEvent, AuditLog, AuditProgram, AuditQuestion, AuditReach,
    AuditStatus, AuditedPrograms, DamagedLine, audit_in,
};
pub use config::GatewayFile;
pub use gateway::{Client, Gateway, GatewayError, Refusal, Request};
pub use offer::OfferedTool;
pub use pins::{PinnedServers, Unreviewed};
pub use policy::{Policy, PolicyAction, PolicyDecision, PolicyRange};
pub use reach::Reach;
pub use running::{CallNews, Made, Phase, ProgramResult, Running};
pub use serve::{McpServer, Tokens, TokensError, check_http_address};
pub use servers::{KnownServer, KnownServers, is_running, servers_in};
pub use store::{KeptSessions, Waiting};
pub use waiting::{Interrupted, KnownSession, WaitingError, decide, interrupted_in, sessions_in, waiting_in};
