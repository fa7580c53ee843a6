//! How a server is.

use std::time::SystemTime;

use crate::list::LeftOut;

/// A server as its host sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerStatus {
    /// The name in its spec.
    pub name: String,
    /// `stdio` or `http`.
    pub transport: &'static str,
    /// The number of tools that programs get.
    pub tools: usize,
    /// Whether it is being connected for the first time.
    pub is_starting: bool,
    /// When it was connected, if it is. One that has ended is connected again by the next call.
    pub since: Option<SystemTime>,
    /// Why the last attempt to connect failed.
    pub problem: Option<String>,
    /// What programs do not get of its list, although its owner wants it.
    pub left_out: Vec<LeftOut>,
}

impl ServerStatus {
    /// What is wrong with it, each a sentence for people: why it cannot be used, and what is left out.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let until = if self.tools == 0 { "its tools are left out" } else { "the next call tries again" };
        self.problem.iter().map(|problem| format!("{problem}; {until}")).chain(self.omissions()).collect()
    }

    /// What is left out of its list, each a sentence for people.
    #[must_use]
    pub fn omissions(&self) -> Vec<String> {
        let told = |one: &LeftOut| match &one.tool {
            Some(tool) => format!("MCP server `{}`: its tool `{tool}` is left out: {}", self.name, one.why),
            None => format!("MCP server `{}`: {}", self.name, one.why),
        };
        self.left_out.iter().map(told).collect()
    }
}
