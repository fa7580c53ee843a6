//! What a tool tells while a call goes on.

/// What a tool tells about a call while it goes on: for people who watch, not for the program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ToolNotice {
    /// How far the call is.
    Progress {
        /// What is done, in units of the tool; it grows from notice to notice.
        done: f64,
        /// What there is to do, when that is known.
        total: Option<f64>,
        /// What it does at present.
        message: Option<String>,
    },
    /// The service behind the tool has other tools than before. A run keeps those that it began with: calls of tools that
    /// are gone fail, and those that were added are there for later runs.
    ToolsChanged {
        /// Names that programs of later runs can call.
        added: Vec<String>,
        /// Names whose calls fail from now on.
        gone: Vec<String>,
    },
}

/// Takes what a tool tells while a call goes on. It should return quickly.
pub type OnNotice<'a> = dyn Fn(ToolNotice) + Send + Sync + 'a;
