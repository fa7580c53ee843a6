//! The system text of an agent: language reference and output format, built from options alone.
//!
//! Nothing about tools, data, mission, memory or turns enters it, so that it is the same in every request of a run.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::language_spec::{LanguageSpec, UnknownSpec};
use crate::section::join_sections;

/// What the agent's author may change about the system text.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SystemPromptOptions {
    /// The default text.
    #[default]
    Default,
    /// Parts added or replaced.
    Parts(PromptParts),
    /// A text that replaces everything; its author then teaches the language.
    Text(String),
    /// Applied once per run to the default text. It cannot be serialized.
    #[serde(skip)]
    Function(TextFunction),
}

impl SystemPromptOptions {
    /// Whether every rendering with the same facts gives the same text: no function is involved.
    pub fn is_fixed(&self) -> bool {
        match self {
            SystemPromptOptions::Default | SystemPromptOptions::Text(_) => true,
            SystemPromptOptions::Parts(parts) => !matches!(parts.language_spec, Some(LanguageChoice::Function(_))),
            SystemPromptOptions::Function(_) => false,
        }
    }

    /// The chosen language reference, if one is.
    #[must_use]
    pub fn language_spec(&self) -> Option<&LanguageChoice> {
        match self {
            SystemPromptOptions::Parts(parts) => parts.language_spec.as_ref(),
            _ => None,
        }
    }

    /// The same with another language reference; `None` when a text or a function replaces the whole, so that no part
    /// can be chosen.
    ///
    /// ```
    /// # use ptc_mission::SystemPromptOptions;
    /// assert!(SystemPromptOptions::Default.with_language_spec("full".into()).is_some());
    /// assert!(SystemPromptOptions::Text("You are a clerk.".into()).with_language_spec("full".into()).is_none());
    /// ```
    #[must_use]
    pub fn with_language_spec(&self, choice: LanguageChoice) -> Option<SystemPromptOptions> {
        let parts = match self {
            SystemPromptOptions::Default => PromptParts::default(),
            SystemPromptOptions::Parts(parts) => parts.clone(),
            SystemPromptOptions::Text(_) | SystemPromptOptions::Function(_) => return None,
        };
        Some(SystemPromptOptions::Parts(PromptParts { language_spec: Some(choice), ..parts }))
    }

    /// The same with this line at the end, unless its author wrote all of it.
    #[must_use]
    pub fn with_last_line(self, line: &str) -> SystemPromptOptions {
        let mut parts = match self {
            SystemPromptOptions::Default => PromptParts::default(),
            SystemPromptOptions::Parts(parts) => parts,
            whole @ (SystemPromptOptions::Text(_) | SystemPromptOptions::Function(_)) => return whole,
        };
        let before = parts.suffix.take().filter(|suffix| !suffix.is_empty());
        parts.suffix = Some(before.map_or_else(|| line.to_owned(), |before| format!("{before}\n{line}")));
        SystemPromptOptions::Parts(parts)
    }
}

/// Parts of the system text; an empty prefix or suffix counts as absent.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PromptParts {
    /// Text before everything, usually a role.
    pub prefix: Option<String>,
    /// Text after everything.
    pub suffix: Option<String>,
    /// Instead of the default language reference. Ignored in JSON and text mode.
    pub language_spec: Option<LanguageChoice>,
    /// Instead of the default output format. Ignored in JSON and text mode.
    pub output_format: Option<String>,
}

/// Where the language reference comes from.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LanguageChoice {
    /// A key of [`LanguageSpec::list`]. A size (`lean`, `full`, `brief`, `minimal`) adapts to the agent.
    Key(String),
    /// The text itself.
    Text(String),
    /// Called once per run with the facts of the agent. It cannot be serialized.
    #[serde(skip)]
    Function(LanguageFunction),
}

impl From<&str> for LanguageChoice {
    /// A single word of letters, digits and `_` is a key, anything else is the text.
    fn from(text: &str) -> LanguageChoice {
        let is_key = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        if is_key { LanguageChoice::Key(text.to_owned()) } else { LanguageChoice::Text(text.to_owned()) }
    }
}

/// A function from the default text to the text used.
#[derive(Clone)]
pub struct TextFunction(Arc<dyn Fn(&str) -> String + Send + Sync>);

impl TextFunction {
    /// Wrap a closure.
    pub fn new(function: impl Fn(&str) -> String + Send + Sync + 'static) -> TextFunction {
        TextFunction(Arc::new(function))
    }
}

impl fmt::Debug for TextFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextFunction")
    }
}

/// A function from the facts of an agent to a language reference.
#[derive(Clone)]
pub struct LanguageFunction(Arc<dyn Fn(&PromptFacts) -> String + Send + Sync>);

impl LanguageFunction {
    /// Wrap a closure.
    pub fn new(function: impl Fn(&PromptFacts) -> String + Send + Sync + 'static) -> LanguageFunction {
        LanguageFunction(Arc::new(function))
    }
}

impl fmt::Debug for LanguageFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LanguageFunction")
    }
}

/// What a model is asked to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum PromptOutput {
    /// A PTC-Lisp program.
    #[default]
    PtcLisp,
    /// One JSON object or array.
    Json,
    /// Plain text.
    Text,
}

/// The agent options on which the system text depends; compression is not among them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct PromptFacts {
    /// `max_turns` is above 1: the reference describes several turns, not of one.
    pub multi_turn: bool,
    /// Reasoning may precede the program.
    pub thinking: bool,
    /// The run keeps finished tasks: `task` is explained.
    pub keeps_tasks: bool,
    /// The agent has a plan: `step-done` is explained.
    pub has_plan: bool,
    /// What the model is asked to write.
    pub output: PromptOutput,
    /// Longest system text in characters, the note about the cut not counted.
    pub prompt_limit: Option<usize>,
}

/// A finished system text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SystemPrompt {
    /// The text to send.
    pub text: String,
    /// Set when `prompt_limit` cut it; `Agent::check` of ptc-agent warns about it.
    pub cut: Option<PromptCut>,
}

/// How much of a system text is left out; its text is the warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system text is cut at {limit} of {length} characters (prompt_limit): the model does not see the last {}", length.saturating_sub(*limit))]
pub struct PromptCut {
    /// Characters kept.
    pub limit: usize,
    /// Characters of the whole text.
    pub length: usize,
}

/// Why the system text cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SystemPromptError {
    /// `language_spec` names no text.
    #[error(transparent)]
    UnknownSpec(#[from] UnknownSpec),
}

impl SystemPrompt {
    /// Build the system text of an agent. Call it once per run: functions in the options may return something else each
    /// time.
    ///
    /// ```
    /// # use ptc_mission::{PromptFacts, PromptParts, SystemPrompt, SystemPromptOptions};
    /// let parts = PromptParts { prefix: Some("You are a clerk.".into()), ..PromptParts::default() };
    /// let prompt = SystemPrompt::render(&SystemPromptOptions::Parts(parts), &PromptFacts::default()).unwrap();
    /// assert!(prompt.text.starts_with("You are a clerk.\n\n"));
    /// ```
    pub fn render(options: &SystemPromptOptions, facts: &PromptFacts) -> Result<SystemPrompt, SystemPromptError> {
        let text = match options {
            SystemPromptOptions::Default => composed(&PromptParts::default(), facts)?,
            SystemPromptOptions::Parts(parts) => composed(parts, facts)?,
            SystemPromptOptions::Text(text) => text.clone(),
            SystemPromptOptions::Function(function) => (function.0)(&composed(&PromptParts::default(), facts)?),
        };
        Ok(limited(text, facts.prompt_limit))
    }
}

fn composed(parts: &PromptParts, facts: &PromptFacts) -> Result<String, SystemPromptError> {
    let core = match facts.output {
        PromptOutput::PtcLisp => {
            let format = parts.output_format.clone().unwrap_or_else(|| output_format(facts.thinking).to_owned());
            join_sections([Some(language(parts.language_spec.as_ref(), facts)?), Some(format)])
        }
        PromptOutput::Json => JSON_TEXT.to_owned(),
        PromptOutput::Text => PLAIN_TEXT.to_owned(),
    };
    Ok(join_sections([parts.prefix.as_deref(), Some(core.as_str()), parts.suffix.as_deref()]))
}

fn language(choice: Option<&LanguageChoice>, facts: &PromptFacts) -> Result<String, UnknownSpec> {
    match choice {
        Some(LanguageChoice::Key(key)) => by_key(key, facts),
        Some(LanguageChoice::Text(text)) => Ok(text.clone()),
        Some(LanguageChoice::Function(function)) => Ok((function.0)(facts)),
        None => by_key(LanguageSpec::DEFAULT, facts),
    }
}

/// A size adapts to the agent: its number of turns, its tasks and its plan. Another key is that text and no more.
fn by_key(key: &str, facts: &PromptFacts) -> Result<String, UnknownSpec> {
    let text = LanguageSpec::for_turns(key, facts.multi_turn)?;
    let addon = |wanted: bool, addon| {
        if wanted && LanguageSpec::is_size(key) { LanguageSpec::get(addon).map(Some) } else { Ok(None) }
    };
    Ok(join_sections([Some(text), addon(facts.keeps_tasks, "addon_tasks")?, addon(facts.has_plan, "addon_plan")?]))
}

fn output_format(thinking: bool) -> &'static str {
    if thinking { THINKING_FORMAT } else { CODE_FORMAT }
}

const CODE_FORMAT: &str = "\
# Output format

Answer with exactly one fenced block tagged `clojure` and nothing else: no text before or after it. Put reasoning in `;;` \
comments inside the block.

```clojure
;; what I know, what this step does
(return {:answer 42})
```";

const THINKING_FORMAT: &str = "\
# Output format

You may think in plain text first. Then give exactly one fenced block tagged `clojure`, and nothing after it. Only that \
block is run.

```clojure
(return {:answer 42})
```";

const JSON_TEXT: &str = "\
Answer only with JSON of the expected shape: one JSON value, no text around it, no comments, every required field present.";

const PLAIN_TEXT: &str = "\
Do what the user asks and answer with the result only. If tools are offered, call them for facts that you do not have. If \
a shape is described, answer with JSON of exactly that shape and nothing else.";

fn limited(text: String, limit: Option<usize>) -> SystemPrompt {
    let length = text.chars().count();
    let Some(limit) = limit.filter(|limit| *limit < length) else {
        return SystemPrompt { text, cut: None };
    };
    let mut kept: String = text.chars().take(limit).collect();
    kept.push_str(&format!("\n\n[system text cut here: {} of {length} characters are left out]", length - limit));
    SystemPrompt { text: kept, cut: Some(PromptCut { limit, length }) }
}

#[cfg(test)]
mod tests;
