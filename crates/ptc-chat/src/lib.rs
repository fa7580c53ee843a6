//! What an agent and a language model say to each other, and models that need no network.
//!
//! A model is a type that implements [`Llm`]: one [`Request`] in, one [`Reply`] or [`LlmError`] out. [`ScriptedLlm`] and
//! [`ReplayLlm`] answer from memory or from a file, whose lines [`answer_line`] writes.
//!
//! ```
//! use ptc_chat::{Llm, Message, Request, ScriptedLlm};
//!
//! let llm = ScriptedLlm::replies(["(return 42)"]);
//! let request = Request { messages: vec![Message::user("What is 6 x 7?")], ..Request::default() };
//! let reply = futures::executor::block_on(llm.reply(&request, None))?;
//! assert_eq!(reply.content, "(return 42)");
//! assert_eq!(llm.requests()[0].messages[0].content(), "What is 6 x 7?");
//! # Ok::<(), ptc_chat::LlmError>(())
//! ```

#![forbid(unsafe_code)]

mod address;
mod error;
mod file;
mod fingerprint;
mod function;
mod lines;
mod llm;
mod message;
mod options;
mod private;
mod rate;
mod redirect;
mod replay;
mod reply;
mod request;
mod request_line;
mod scripted;
mod thoughts;
mod tool;

pub use address::{AddressSecrets, masked_addresses, shown_address, shown_addresses};
pub use error::{LlmError, LlmErrorKind};
pub use file::{read_file, read_most, read_open_file};
pub use fingerprint::fingerprint;
pub use function::{FunctionLlm, llm_async_fn, llm_fn};
pub use lines::write as answer_line;
pub use llm::{BoxFuture, ChunkSink, Llm};
pub use message::{Message, Part, Repeats, Role};
pub use options::{ModelOptions, ReasoningEffort};
pub use private::{lock_private, private_file, private_folder};
pub use rate::{Bucket, NotARate, Rate};
pub use redirect::{Destination, RefusedRedirect, check_redirect};
pub use replay::{PastRequest, ReplayError, ReplayLlm};
pub use reply::{Reply, StopReason, Tokens};
pub use request::{OutputMode, Request};
pub use request_line::request_line;
pub use scripted::ScriptedLlm;
pub use thoughts::{SplitAnswer, ThoughtMarks, ThoughtSplitter, split_thoughts};
pub use tool::{ToolDefinition, ToolUse};
