//! Models and compression strategies that a program adds to the built-in ones: its mission files may name them.

#[cfg(test)]
mod tests;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use indexmap::IndexMap;
use ptc_agent::LlmRegistry;
use ptc_chat::Llm;
use ptc_compression::{Compression, Strategy};

/// What stands for the dialogue without compression.
pub(crate) const NONE: &str = "none";

pub(crate) type Connect = dyn Fn(&str) -> Result<Arc<dyn Llm>, Box<dyn Error + Send + Sync>> + Send + Sync;

/// What mission files and command lines may name besides what is built in.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Context, blocking};
/// use ptc_chat::ScriptedLlm;
/// use ptc_config::Registry;
///
/// let registry = Registry::new().llm("mine", Arc::new(ScriptedLlm::replies(["(return 42)"])))?;
/// let mission = registry.read("m.toml", "mission = \"Answer\"\nllm = \"mine\"")?;
/// let agent = mission.build_agent(&mission.limits())?;
/// let step = blocking::run_with(&agent, Context::from_map(mission.data_map()), mission.run_options())?;
/// assert_eq!(step.value::<u32>()?, 42);
///
/// let mistake = registry.read("m.toml", "mission = \"Answer\"\nllm = \"mien\"").unwrap_err();
/// assert_eq!(mistake.to_string(), "m.toml:2:7: there is no model `mien`; registered: mine; built in: PROVIDER:MODEL, URL#MODEL, replay:FILE");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    pub(crate) models: LlmRegistry,
    pub(crate) strategies: IndexMap<String, Arc<dyn Compression>>,
    pub(crate) connect: Option<Arc<Connect>>,
}

impl Registry {
    /// Nothing but what is built in.
    #[must_use]
    pub fn new() -> Registry {
        Registry::default()
    }

    /// A model for `llm = "NAME"`. Mission files that are read with the registry may name no other bare name.
    ///
    /// Errors when a file or command line could not write the name, or would read it as recorded answers.
    pub fn llm(mut self, name: impl Into<String>, llm: Arc<dyn Llm>) -> Result<Registry, UnusableName> {
        let (kind, name) = ("model", name.into());
        if name.trim() != name || name.is_empty() {
            return Err(UnusableName { kind, name, problem: "is empty or has spaces around it" });
        }
        if name.starts_with("replay:") {
            return Err(UnusableName { kind, name, problem: "means recorded answers" });
        }
        self.models.insert(name, llm);
        Ok(self)
    }

    /// A strategy for `compression = "NAME"`, under its own name. Its options are those of this value, or what a table
    /// `{ strategy = "NAME", … }` or `NAME,option=4` on a command line says, if it [takes
    /// them](Compression::with_options).
    ///
    /// Records hold that name, so this errors when a built-in strategy has it, or when a command line could not write
    /// it.
    pub fn strategy(mut self, strategy: impl Compression + 'static) -> Result<Registry, UnusableName> {
        let (kind, name) = ("strategy", strategy.name().to_owned());
        if Strategy::NAMES.contains(&name.as_str()) || name == NONE {
            return Err(UnusableName { kind, name, problem: "is built in" });
        }
        if name.trim() != name || name.is_empty() || name.contains(',') {
            return Err(UnusableName { kind, name, problem: "cannot be written on a command line" });
        }
        self.strategies.insert(name, Arc::new(strategy));
        Ok(self)
    }

    /// The registered strategies, for records that name them.
    #[must_use]
    pub fn strategies(&self) -> Vec<Arc<dyn Compression>> {
        self.strategies.values().cloned().collect()
    }

    /// What connects `PROVIDER:MODEL` and `URL#MODEL`, such as `ptc_llm::connect`.
    #[must_use]
    pub fn providers<E: Error + Send + Sync + 'static>(
        mut self,
        connect: impl Fn(&str) -> Result<Arc<dyn Llm>, E> + Send + Sync + 'static,
    ) -> Registry {
        self.connect = Some(Arc::new(move |spec| Ok(connect(spec)?)));
        self
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let models: Vec<&String> = self.models.keys().collect();
        let strategies: Vec<&String> = self.strategies.keys().collect();
        f.debug_struct("Registry").field("models", &models).field("strategies", &strategies).finish_non_exhaustive()
    }
}

/// A model or strategy whose name could not be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a {kind} cannot be registered as `{name}`: this name {problem}")]
pub struct UnusableName {
    kind: &'static str,
    name: String,
    problem: &'static str,
}
