//! The requests of a run, rendered again from its step.

use std::ops::Range;

use ptc_chat::{Message, OutputMode};
use ptc_compression::{
    CompressionConfig, OverCeiling, PlainHistory, PlainOptions, Redactor, RenderInput, UnknownStrategy,
};
use ptc_mission::DataShapes;
use ptc_transcript::{CompressionStats, Step, Turn};

/// The requests of one run under one way of showing history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendition {
    /// What it is called in tables and charts.
    pub name: String,
    /// The messages of each request, one request per turn, fewer [over a ceiling](Rendition::over_ceiling); the system
    /// text is not among them.
    pub requests: Vec<Vec<Message>>,
    /// What the last request shows and leaves out, as the strategy counts it; `None` for the plain dialogue and for
    /// what was sent.
    pub stats: Option<CompressionStats>,
    /// What is wrong with the request after these, when it is too large for the ceiling: the run would have ended there
    /// with `context_limit`.
    pub over_ceiling: Option<OverCeiling>,
}

/// A step whose requests cannot be rendered again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The turns were not kept, or there were none.
    #[error("the step has no turns: nothing was asked, or the run did not keep them (`keep_turns`)")]
    NoTurns,
    /// The model answered with JSON or text.
    #[error("the model of this run wrote no programs but {0}: there is no history to show in another way")]
    NoPrograms(&'static str),
    /// Written by an older release.
    #[error("the step does not say how its history was shown, as those of older releases")]
    NotSaid,
    /// Shown by a strategy that is not at hand.
    #[error(transparent)]
    Unknown(#[from] UnknownStrategy),
    /// A ceiling counts the system text, too.
    #[error(
        "the step does not hold its system text, which counts for max_tokens: record the run again, or leave max_tokens out"
    )]
    NoSystemText,
}

impl Rendition {
    /// What the run sent, rendered as its step says.
    ///
    /// Errors when the step does not say it, as those of older releases, or names a strategy that this release does not
    /// have.
    pub fn recorded(step: &Step, name: impl Into<String>) -> Result<Rendition, ReplayError> {
        Rendition::along(step, name, &recorded_uses(step)?)
    }

    /// What the loop would have sent with this configuration. For the configuration of the recorded run that is what it
    /// sent, byte for byte. Where a request is too large for a ceiling, it and those behind it are missing.
    ///
    /// Cost: one rendering per turn; below a ceiling what is new in a request is counted.
    pub fn under(
        step: &Step,
        name: impl Into<String>,
        compression: &CompressionConfig,
    ) -> Result<Rendition, ReplayError> {
        Rendition::along(step, name, &[(1, compression.clone())])
    }

    /// With each of these configurations from its turn on.
    fn along(
        step: &Step,
        name: impl Into<String>,
        uses: &[(usize, CompressionConfig)],
    ) -> Result<Rendition, ReplayError> {
        let mut rendition = Rendition { name: name.into(), requests: Vec::new(), stats: None, over_ceiling: None };
        for (place, (from_turn, compression)) in uses.iter().enumerate() {
            let end = uses.get(place + 1).map_or(usize::MAX, |(next, _)| *next);
            if rendition.over_ceiling.is_none() {
                rendition.add(step, compression, *from_turn..end)?;
            }
        }
        Ok(rendition)
    }

    /// The requests of these turns.
    fn add(&mut self, step: &Step, compression: &CompressionConfig, numbers: Range<usize>) -> Result<(), ReplayError> {
        let turns = turns(step)?;
        let is_active = compression.is_active(max_turns(step), step.retry_turns);
        let mut renderer = compression.renderer().filter(|_| is_active);
        let system = compression.ceiling().map(|_| step.system.clone().ok_or(ReplayError::NoSystemText)).transpose()?;
        let ceiling = compression.ceiling().zip(system).map(|(ceiling, system)| (ceiling, ceiling.requests(system)));
        let counter = ceiling.as_ref().map(|(_, counter)| counter);
        let over = |messages: &[Message]| {
            ceiling.as_ref().and_then(|(ceiling, counter)| ceiling.check(counter, messages).err())
        };
        let shapes = DataShapes::new(&step.data);
        let input = |done: usize, progress| RenderInput { shapes: Some(&shapes), ..render_input(step, done, progress) };
        let progress = |at: usize| turns.get(at).map(Turn::progress).unwrap_or_default();
        let mut plain = PlainHistory::start(&input(0, progress(0)), plain_options(step));
        let mut redactor = Redactor::new(&step.data, &step.memory_at_start);
        let mut memory = &step.memory_at_start;
        for (done, turn) in turns.iter().enumerate().take_while(|(done, _)| done + 1 < numbers.end) {
            if done + 1 >= numbers.start {
                let (mut messages, shown) = match &renderer {
                    Some(renderer) => {
                        let input = RenderInput {
                            redactor: Some(&redactor),
                            requests: counter,
                            ..input(done, turn.progress())
                        };
                        let rendered = renderer.render(memory, &input);
                        (rendered.messages, Some(rendered.stats))
                    }
                    None => (plain.messages().to_vec(), None),
                };
                redactor.redact_messages(&mut messages);
                self.over_ceiling = over(&messages);
                if self.over_ceiling.is_some() {
                    break;
                }
                self.requests.push(messages);
                self.stats = shown;
            }
            redactor.observe(turn);
            match &mut renderer {
                Some(renderer) => renderer.push(turn),
                None => plain.push(turn, progress(done + 1)),
            }
            memory = turn.memory();
        }
        Ok(())
    }

    /// What was sent, when the run collected its messages.
    pub fn as_sent(step: &Step) -> Option<Rendition> {
        let requests: Option<Vec<_>> =
            step.turns().iter().map(|turn| turn.messages().map(<[Message]>::to_vec)).collect();
        let requests = requests.filter(|requests| !requests.is_empty())?;
        Some(Rendition { name: "as sent".to_owned(), requests, stats: None, over_ceiling: None })
    }
}

fn turns(step: &Step) -> Result<&[Turn], ReplayError> {
    match step.output {
        OutputMode::Json => return Err(ReplayError::NoPrograms("JSON")),
        OutputMode::Text => return Err(ReplayError::NoPrograms("text")),
        _ => {}
    }
    Some(step.turns()).filter(|turns| !turns.is_empty()).ok_or(ReplayError::NoTurns)
}

/// How the requests of the run showed its history, by what its step says.
pub(crate) fn recorded_uses(step: &Step) -> Result<Vec<(usize, CompressionConfig)>, ReplayError> {
    if step.compression.is_empty() {
        return Err(ReplayError::NotSaid);
    }
    let uses =
        step.compression.iter().map(|known| Ok((known.from_turn, CompressionConfig::from_record(&known.compression)?)));
    uses.collect()
}

/// Steps of releases that did not say it: as many as there were.
fn max_turns(step: &Step) -> usize {
    step.max_turns.unwrap_or(step.turns().len())
}

/// What the step says of how the plain dialogue was written.
pub(super) fn plain_options(step: &Step) -> PlainOptions {
    let usual = PlainOptions::new(max_turns(step), step.retry_turns);
    PlainOptions { feedback_max_chars: step.feedback_max_chars.unwrap_or(usual.feedback_max_chars), ..usual }
}

/// What a strategy is told of the run of this step after `done` turns.
pub(crate) fn render_input<'s>(step: &'s Step, done: usize, progress: &'s str) -> RenderInput<'s> {
    RenderInput {
        tools: &step.tools,
        signature: step.signature.as_ref(),
        field_descriptions: &step.field_descriptions,
        context_descriptions: &step.context_descriptions,
        kept: &step.memory_at_start,
        notes: &step.notes,
        progress,
        turns_left: max_turns(step).saturating_sub(done),
        system: step.system.as_deref().unwrap_or_default(),
        ..RenderInput::new(&step.mission, &step.data)
    }
}
