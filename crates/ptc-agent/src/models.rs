//! Which model an agent asks: its own, or one that the run knows by name.

use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use ptc_chat::{Llm, shown_addresses};

use crate::error::AgentError;

/// Models by name, for agents that name theirs; agents called as tools see the same ones.
pub type LlmRegistry = IndexMap<String, Arc<dyn Llm>>;

/// A model, or the name of one in [`RunOptions::llm_registry`](crate::RunOptions::llm_registry).
#[derive(Clone)]
#[non_exhaustive]
pub enum LlmChoice {
    /// This one.
    Client(Arc<dyn Llm>),
    /// The one that the run has under this name.
    Named(String),
}

impl LlmChoice {
    /// The model itself.
    ///
    /// Errors when the registry has no model of that name; the message lists those it has.
    pub(crate) fn resolve(&self, registry: &LlmRegistry) -> Result<Arc<dyn Llm>, AgentError> {
        match self {
            LlmChoice::Client(llm) => Ok(Arc::clone(llm)),
            LlmChoice::Named(name) => registry.get(name).cloned().ok_or_else(|| AgentError::UnknownLlm {
                name: shown_addresses(name),
                // A program may ask for any name, so that models read this.
                known: registry.keys().map(|known| shown_addresses(known)).collect(),
            }),
        }
    }
}

impl From<Arc<dyn Llm>> for LlmChoice {
    fn from(llm: Arc<dyn Llm>) -> Self {
        LlmChoice::Client(llm)
    }
}

impl<L: Llm + 'static> From<Arc<L>> for LlmChoice {
    fn from(llm: Arc<L>) -> Self {
        LlmChoice::Client(llm)
    }
}

impl From<&str> for LlmChoice {
    fn from(name: &str) -> Self {
        LlmChoice::Named(name.to_owned())
    }
}

impl From<String> for LlmChoice {
    fn from(name: String) -> Self {
        LlmChoice::Named(name)
    }
}

impl fmt::Debug for LlmChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LlmChoice::Client(llm) => write!(f, "Client({})", llm.name()),
            LlmChoice::Named(name) => write!(f, "Named({})", shown_addresses(name)),
        }
    }
}
