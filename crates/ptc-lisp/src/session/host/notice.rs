//! What a tool reports while a call is running.

/// What a tool reports about a running call: for people who watch, not for the program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolNotice {
    /// How far the call has got.
    Progress {
        /// The work done, in units of the tool; it grows from notice to notice.
        done: f64,
        /// The work in total, when known.
        total: Option<f64>,
        /// What the tool is doing.
        message: Option<String>,
    },
    /// The service behind the tool has changed its tools. A run keeps the tools that it started with: calls of removed
    /// tools fail, and added tools are available to later runs.
    ToolsChanged {
        /// Names that programs of later runs can call.
        added: Vec<String>,
        /// Names whose calls fail from now on.
        gone: Vec<String>,
    },
}

/// Receives what a tool reports while a call is running. It should return quickly.
pub type OnNotice<'a> = dyn Fn(ToolNotice) + Send + Sync + 'a;
