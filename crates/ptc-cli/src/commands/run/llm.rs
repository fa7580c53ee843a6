//! The models of a run.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ptc_runner::agent::LlmRegistry;
use ptc_runner::chat::{Llm, ReplayLlm};
use ptc_runner::config::{ModelName, Registry, RunModels, named};
use ptc_runner::lisp::text::nearest;
use ptc_runner::llm::{ConnectOptions, LlmSpecError, connect_with};
use ptc_runner::transcript::{Recorded, is_record_head, journal_answers, read_record_head};

use crate::failure::Failure;
use crate::{output, recorded};

/// How models are connected.
#[derive(Default)]
pub(crate) struct Connect {
    /// How long they may be silent.
    pub(crate) timeout: Option<Duration>,
}

impl Connect {
    /// The model of this name; it is not asked yet. Recorded answers begin after those that a run received before it
    /// was stopped.
    pub(crate) fn model(&self, name: &ModelName, stopped: Option<&Recorded>) -> Result<Arc<dyn Llm>, Failure> {
        if let ModelName::Replay(file) = name {
            if file.as_os_str().is_empty() {
                return Err("`replay:` names no file; write replay:FILE".into());
            }
            let replay = answers_of(file)?;
            output::remarks(replay.ignored());
            if let Some(stopped) = stopped {
                go_on_after(stopped, &replay, file);
            }
            return Ok(Arc::new(replay));
        }
        let options = ConnectOptions { silence_timeout: self.timeout, ..ConnectOptions::default() };
        Ok(Registry::new()
            .providers(move |spec| connect_with(spec, &options).map_err(|error| ConnectProblem(told(&error))))
            .model(name)?)
    }

    /// The first model and those of its sub-agents, for a command that keeps nothing.
    pub(crate) fn all(&self, models: &RunModels) -> Result<(Arc<dyn Llm>, LlmRegistry), Failure> {
        let llm = self.model(&models.first, None)?;
        let registry = self.below(models, &llm)?;
        Ok((llm, registry))
    }

    /// The models that sub-agents name; `llm` is that of the run.
    pub(super) fn below(&self, models: &RunModels, llm: &Arc<dyn Llm>) -> Result<LlmRegistry, Failure> {
        let connected = models.below.iter().map(|(name, model)| {
            let llm = if *model == models.first { Arc::clone(llm) } else { self.model(model, None)? };
            Ok((name.clone(), llm))
        });
        connected.collect()
    }
}

/// Recorded answers: a replay file, or the record of a run.
fn answers_of(file: &Path) -> Result<ReplayLlm, Failure> {
    if !read_record_head(file, HEAD_BYTES).is_ok_and(|head| is_record_head(&head)) {
        return Ok(ReplayLlm::open(file)?);
    }
    let answers =
        journal_answers(&recorded::found(file)?.bytes).map_err(|error| format!("{}: {error}", named(file)))?;
    Ok(ReplayLlm::from_text(file.display().to_string(), &answers)?)
}

/// Enough of a file to recognize it.
const HEAD_BYTES: u64 = 256;

/// Why a model cannot be connected.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct ConnectProblem(String);

/// The error for the name of a model that cannot be used: for an unknown provider, the nearest one.
pub(crate) fn told(error: &LlmSpecError) -> String {
    if let LlmSpecError::UnknownProvider { name, known } = error
        && let Some(meant) = nearest(name, known.iter().copied())
    {
        return format!("`{name}` is not a known provider; did you mean `{meant}`?");
    }
    error.to_string()
}

/// The file may hold the whole run or the rest of it: say which.
fn go_on_after(stopped: &Recorded, replay: &ReplayLlm, file: &Path) {
    let tools: Vec<&str> = stopped.header().tools.iter().map(|tool| tool.name.as_str()).collect();
    let file = file.display();
    let note = match replay.go_on_after(stopped.asked(), &tools) {
        _ if stopped.asked().is_empty() => return,
        0 => format!("{file} does not start with the answers of the record: it is used from its first line on"),
        1 => format!("the first answer of {file} is in the record: the run continues after it"),
        used => format!("the first {used} answers of {file} are in the record: the run continues after them"),
    };
    output::notes(&[note]);
}
