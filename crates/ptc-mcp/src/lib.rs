//! Tools of MCP servers as tools of PTC-Lisp programs.
//!
//! A [`ServerSpec`] says how a server is reached: a command that speaks over its standard streams, or a URL. A
//! [`Server`] is connected to one; its tools implement [`Tool`](ptc_lisp::Tool), so an agent or a session takes
//! them like functions of the program that embeds it:
//!
//! ```no_run
//! # async fn connect() -> Result<(), ptc_mcp::McpError> {
//! use ptc_mcp::{Server, ServerSpec};
//!
//! let spec = ServerSpec::command("files", "npx", ["-y", "@modelcontextprotocol/server-filesystem", "/srv/data"]);
//! let server = Server::connect(spec.allow(["read_text_file", "list_directory"])).await?;
//! for tool in &server {
//!     println!("tool/{}", tool.spec().name);
//! }
//! # Ok(())
//! # }
//! ```
//!
//! * The tool `read_text_file` of the server `files` is called as `tool/files-read_text_file`. Its signature comes from
//!   its JSON Schemas, its effect and whether it may be repeated from its annotations: without annotations it writes.
//! * Results: `structuredContent` where there is some; a text that is a JSON object or array as that value, any other
//!   text as a string; several blocks as a list. Images, audio and resources are maps that say what they are and where,
//!   without their bytes.
//! * A server that ended is started again by the next call. The call in flight fails with `outcome unknown`, unless the
//!   tool only reads or declares itself idempotent: then it is made once more.
//! * Progress of a call is reported through [`Tool::watched_call`](ptc_lisp::Tool::watched_call). A list of
//!   tools that changes is read again: [`Server::tools`] has the current one, and calls of tools that are gone fail.
//! * Where a server wants OAuth, a person agrees to a [`Login`] in a browser. [`Logins`] keep its tokens, which connections
//!   use and renew.
//! * [`Server::call`] is for the host: it also calls tools that programs do not get.

#![forbid(unsafe_code)]

mod call;
mod caller;
mod child;
mod command;
mod error;
mod executable;
mod expand;
mod far;
mod further;
mod granted;
mod hosted;
mod import;
mod list;
mod listener;
mod login;
mod logins;
mod oauth;
mod offer;
mod reach;
mod readable;
mod redirect;
mod result;
mod server;
mod spec;
mod sse;
mod starts;
mod status;
mod task;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(test)]
mod tests;
mod tool;

pub use caller::{Caller, call_for};
pub use command::CommandLine;
pub use error::McpError;
pub use executable::find_executable;
pub use expand::{ExpandError, check_references};
pub use further::Contents;
pub use hosted::HostedServers;
pub use import::{ImportError, Imported, LeftOutServer};
pub use list::LeftOut;
pub use login::{Login, log_out};
pub use logins::Logins;
pub use oauth::{Grant, OAuth};
pub use offer::ServerTool;
pub use server::Server;
pub use spec::{Access, ONLY_UNDERSCORED, Results, ServerSpec, Source, Token};
pub use status::ServerStatus;
