//! The text of a program as its functions and its errors keep it.

use std::collections::HashMap;
use std::sync::Arc;

/// The text of a program, with the meanings of names other than definitions and builtins.
#[derive(Debug, Default)]
pub(crate) struct ProgramText {
    /// What the host calls it, such as the name of its file.
    pub name: Option<Arc<str>>,
    pub text: Arc<str>,
    pub required: Required,
}

/// What a program required: short names of namespaces, and names with the namespaces they come from.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Required {
    pub aliases: HashMap<String, String>,
    pub referred: HashMap<String, String>,
}
