//! The requests of a run, rendered again from its step.

use std::sync::Arc;

use ptc_chat::{Message, OutputMode};
use ptc_compression::words::DataShapes;
use ptc_compression::{
    Compression, CompressionConfig, History, NextRequest, OverCeiling, PlainOptions, RenderInput, TOOL_TOKENS,
    UnknownStrategy,
};
use ptc_transcript::{CompressionStats, Step, Turn};

/// The requests of one run under one way of showing history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendition {
    /// Its name in tables and charts.
    pub name: String,
    /// The messages of each request, one request per turn, fewer [over a ceiling](Rendition::over_ceiling); the system
    /// text is not among them.
    pub requests: Vec<Vec<Message>>,
    /// What the last request shows and leaves out, as the strategy counts it; `None` for the plain dialogue and for
    /// recorded messages.
    pub stats: Option<CompressionStats>,
    /// The problem of the request after these, if it is too large for the ceiling: the run would have ended there with
    /// `context_limit`.
    pub over_ceiling: Option<OverCeiling>,
    /// What is written differently from the recorded run, if it is a rendition of other requests than its own.
    pub own: Option<OwnTexts>,
}

/// The texts of a rendition that are not those of the recorded run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnTexts {
    /// What precedes the messages of each request: the system text, and the definitions of tools as JSON.
    pub beginning: String,
    /// What the model writes after each request.
    pub answers: Vec<String>,
    /// What is assumed because the recorded run does not say it, a sentence each.
    pub assumptions: Vec<String>,
}

/// A step whose requests cannot be rendered again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenditionError {
    /// The turns were not kept, or there were none.
    #[error("the step has no turns: nothing was asked, or the run did not keep them (`keep_turns`)")]
    NoTurns,
    /// The model answered with JSON or text.
    #[error("the model of this run wrote no programs but {0}: there is no history to show in another way")]
    NoPrograms(&'static str),
    /// Written by an older release.
    #[error("the step does not say how its history was shown, as those of older releases")]
    NotSaid,
    /// The history was shown by a strategy that is not at hand.
    #[error(transparent)]
    Unknown(#[from] UnknownStrategy),
    /// A ceiling counts the system text, too.
    #[error(
        "the step does not hold its system text, which counts for max_tokens: record the run again, or leave max_tokens out"
    )]
    NoSystemText,
}

impl Rendition {
    /// The requests of the run, rendered as its step says.
    ///
    /// Errors when the step does not say it, as in older releases, or names a strategy that this release does not have.
    pub fn recorded(step: &Step, name: impl Into<String>) -> Result<Rendition, RenditionError> {
        Rendition::recorded_with(step, name, &[])
    }

    /// The same, where the step may also name one of these strategies of the host.
    pub fn recorded_with(
        step: &Step,
        name: impl Into<String>,
        own: &[Arc<dyn Compression>],
    ) -> Result<Rendition, RenditionError> {
        Rendition::along(step, name, &recorded_uses(step, own)?)
    }

    /// The requests of the loop with this configuration. With the configuration of the recorded run they equal its
    /// requests, byte for byte. If a request is too large for a ceiling, it and those after it are missing.
    ///
    /// Cost: one rendering per turn; below a ceiling, the new parts of a request are counted.
    pub fn under(
        step: &Step,
        name: impl Into<String>,
        compression: &CompressionConfig,
    ) -> Result<Rendition, RenditionError> {
        Rendition::along(step, name, &[(1, compression.clone())])
    }

    /// With each of these configurations from its turn on.
    fn along(
        step: &Step,
        name: impl Into<String>,
        uses: &[(usize, CompressionConfig)],
    ) -> Result<Rendition, RenditionError> {
        let mut rendition =
            Rendition { name: name.into(), requests: Vec::new(), stats: None, over_ceiling: None, own: None };
        let turns = turns(step)?;
        let shapes = DataShapes::new(&step.data);
        let input = |progress| RenderInput { shapes: Some(&shapes), ..render_input(step, progress) };
        let progress = |at: usize| turns.get(at).map(Turn::progress).unwrap_or_default();
        let begun = |config: &CompressionConfig| {
            let config = config.for_turns(max_turns(step), step.retry_turns);
            history(step, &config, &input(progress(0)))
        };
        let [(_, first), later @ ..] = uses else { return Err(RenditionError::NotSaid) };
        let mut later = later.iter().peekable();
        let mut history = begun(first)?;
        let mut memory = &step.memory_at_start;
        for (done, turn) in turns.iter().enumerate() {
            if let Some((_, config)) = later.next_if(|(from_turn, _)| *from_turn <= done + 1) {
                history = begun(config)?.after(turns.get(..done).unwrap_or_default(), turn.progress());
            }
            let next = history.request(memory, &input(turn.progress()));
            rendition.over_ceiling = next.over_ceiling;
            if rendition.over_ceiling.is_some() {
                break;
            }
            rendition.requests.push(next.messages);
            rendition.stats = next.stats;
            history.push(turn, progress(done + 1));
            memory = turn.memory();
        }
        Ok(rendition)
    }

    /// These requests and then those of another run, as in a conversation.
    #[must_use]
    pub fn followed_by(mut self, later: Rendition) -> Rendition {
        self.requests.extend(later.requests);
        Rendition { requests: self.requests, name: self.name, ..later }
    }

    /// The recorded requests, if the run collected its messages.
    pub fn as_sent(step: &Step) -> Option<Rendition> {
        let requests: Option<Vec<_>> =
            step.turns().iter().map(|turn| turn.messages().map(<[Message]>::to_vec)).collect();
        let requests = requests.filter(|requests| !requests.is_empty())?;
        Some(Rendition { name: "as sent".to_owned(), requests, stats: None, over_ceiling: None, own: None })
    }
}

/// The turns of a run that wrote programs.
pub(super) fn turns(step: &Step) -> Result<&[Turn], RenditionError> {
    match step.output {
        OutputMode::Json => return Err(RenditionError::NoPrograms("JSON")),
        OutputMode::Text => return Err(RenditionError::NoPrograms("text")),
        _ => {}
    }
    Some(step.turns()).filter(|turns| !turns.is_empty()).ok_or(RenditionError::NoTurns)
}

/// How the requests of the run showed its history, according to its step.
pub(crate) fn recorded_uses(
    step: &Step,
    own: &[Arc<dyn Compression>],
) -> Result<Vec<(usize, CompressionConfig)>, RenditionError> {
    if step.compression.is_empty() {
        return Err(RenditionError::NotSaid);
    }
    let uses = step
        .compression
        .iter()
        .map(|known| Ok((known.from_turn, CompressionConfig::from_record_with(&known.compression, own)?)));
    uses.collect()
}

/// For steps of releases that did not record it: the number of turns.
fn max_turns(step: &Step) -> usize {
    step.max_turns.unwrap_or(step.turns().len())
}

/// The options of the plain dialogue, from the step.
pub(super) fn plain_options(step: &Step) -> PlainOptions {
    let usual = PlainOptions::new(max_turns(step), step.retry_turns);
    PlainOptions { feedback_max_chars: step.feedback_max_chars.unwrap_or(usual.feedback_max_chars), ..usual }
}

/// The request that would follow all turns of this step, with the settings of the last one.
///
/// Progress is that of the last request: what the last turn added to it is unknown. Errors as [`Rendition::recorded`].
pub fn next_request(step: &Step) -> Result<NextRequest, RenditionError> {
    let uses = recorded_uses(step, &[])?;
    let (_, config) = uses.last().ok_or(RenditionError::NotSaid)?;
    request_behind(step, config)
}

/// The same under this configuration.
pub(crate) fn request_behind(step: &Step, config: &CompressionConfig) -> Result<NextRequest, RenditionError> {
    let turns = step.turns();
    let progress = |turn: Option<&Turn>| turn.map(|turn| turn.progress().to_owned()).unwrap_or_default();
    let (begun, now) = (progress(turns.first()), progress(turns.last()));
    let history = history(step, config, &render_input(step, &begun))?.after(turns, &now);
    Ok(history.request(&step.memory, &render_input(step, &now)))
}

/// The history of the run of this step before its first turn.
fn history(step: &Step, config: &CompressionConfig, input: &RenderInput<'_>) -> Result<History, RenditionError> {
    let system = match (&step.system, config.ceiling()) {
        (Some(system), _) => Arc::clone(system),
        (None, Some(_)) => return Err(RenditionError::NoSystemText),
        (None, None) => Arc::default(),
    };
    Ok(History::start(config, system, plain_options(step), input))
}

/// The input of a strategy for the run of this step.
fn render_input<'s>(step: &'s Step, progress: &'s str) -> RenderInput<'s> {
    RenderInput {
        tools: &step.tools,
        tool_tokens: step.tool_tokens.unwrap_or(TOOL_TOKENS),
        signature: step.signature.as_ref(),
        field_descriptions: &step.field_descriptions,
        context_descriptions: &step.context_descriptions,
        kept: &step.memory_at_start,
        shows_samples: step.samples,
        notes: &step.notes,
        follow_up: &step.follow_up,
        progress,
        ..RenderInput::new(&step.mission, &step.data)
    }
}
