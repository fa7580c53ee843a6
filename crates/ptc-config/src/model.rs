//! Names of models, in mission files, on command lines and in the environment.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ptc_chat::{Llm, ReplayError, ReplayLlm, shown_addresses};

use crate::document::Item;
use crate::error::{ConfigError, names};
use crate::registry::Registry;

/// Names that need no registration.
const BUILT_IN: &str = "PROVIDER:MODEL, URL#MODEL, replay:FILE";

/// A named model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelName {
    /// Recorded answers.
    Replay(PathBuf),
    /// A registered one, or a provider or a server as its adapter takes it.
    Named(String),
}

impl ModelName {
    /// What was written: `replay:FILE` relative to `folder`, or a name.
    #[must_use]
    pub fn parse(text: &str, folder: &Path) -> ModelName {
        match text.strip_prefix("replay:") {
            Some(file) => ModelName::Replay(folder.join(file)),
            None => ModelName::Named(text.to_owned()),
        }
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            ModelName::Replay(file) => Some(file),
            ModelName::Named(_) => None,
        }
    }
}

/// The name of a model in a mission file. Where models are registered, a name that cannot be that of a provider or of a
/// file must be one of theirs.
pub(crate) fn read<'a>(item: Item<'a>) -> Result<&'a str, ConfigError> {
    let name = item.text("llm must be text")?;
    let models = &item.document.registry.models;
    if models.is_empty() || models.contains_key(name) || name.contains([':', '#']) {
        return Ok(name);
    }
    Err(item.refused(format!("there is no model `{name}`; {}", names(&mut models.keys(), BUILT_IN))))
}

impl Registry {
    /// The model of this name; it is not called yet.
    pub fn model(&self, name: &ModelName) -> Result<Arc<dyn Llm>, ModelError> {
        let spec = match name {
            ModelName::Replay(file) => return Ok(Arc::new(ReplayLlm::open(file)?)),
            ModelName::Named(spec) => spec,
        };
        if let Some(known) = self.models.get(spec) {
            return Ok(Arc::clone(known));
        }
        let registered = || self.models.keys().cloned().collect();
        match &self.connect {
            Some(connect) => connect(spec).map_err(|error| ModelError::Refused { error, registered: registered() }),
            None => Err(ModelError::Unknown { name: shown_addresses(spec), registered: registered() }),
        }
    }
}

/// A model that cannot be called.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Recorded answers that cannot be read.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A name that is not registered, without an adapter to providers.
    #[error("there is no model `{name}`; {}", names(&mut registered.iter(), BUILT_IN))]
    Unknown {
        /// What was written.
        name: String,
        /// The names that are registered.
        registered: Vec<String>,
    },
    /// The adapter to providers does not accept it.
    #[error("{error}{}", further(registered))]
    Refused {
        /// Why.
        error: Box<dyn Error + Send + Sync>,
        /// The names that are registered.
        registered: Vec<String>,
    },
}

fn further(registered: &[String]) -> String {
    if registered.is_empty() { String::new() } else { format!("; registered: {}", registered.join(", ")) }
}
