//! The ways of showing history that the command line can name.

use ptc_runner::compression::CompressionConfig;
use ptc_runner::config::StrategyChoice;
use ptc_runner::trace::replay::{ClearedOutputs, Rendition, RenditionError, SlidingWindow};
use ptc_runner::transcript::Step;

use super::failure::ReplayFailure;
use crate::failure::Failure;

/// One way, under the name that was written.
#[derive(Debug, Clone)]
pub(super) struct Way {
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// What was sent.
    AsSent,
    /// A strategy of mission files, or the plain dialogue.
    Strategy(CompressionConfig),
    /// The plain dialogue of the newest turns.
    Window(usize),
    /// The plain dialogue without older output.
    Cleared(usize),
}

type Baseline = (&'static str, &'static str, fn(usize) -> Kind);

/// What is only there to compare with, and the name of its number.
const BASELINES: [Baseline; 2] =
    [(SlidingWindow::NAME, "turns", Kind::Window), (ClearedOutputs::NAME, "keep", Kind::Cleared)];

impl Way {
    /// The value of `--against`.
    pub(super) fn parse_reference(text: &str) -> Result<Way, Failure> {
        if text == "as-sent" {
            return Ok(Way { name: "as sent".to_owned(), kind: Kind::AsSent });
        }
        Way::read("--against", text)
    }

    /// The value of `--compression`.
    pub(super) fn parse(text: &str) -> Result<Way, Failure> {
        Way::read("--compression", text)
    }

    /// The value of this option of the command line.
    fn read(flag: &'static str, text: &str) -> Result<Way, Failure> {
        let (name, option) = text.split_once(',').unwrap_or((text, ""));
        if name == "as-sent" {
            return Err(ReplayFailure::AsSentIsNoStrategy.into());
        }
        let kind = match BASELINES.iter().find(|(known, ..)| *known == name) {
            Some((name, key, kind)) => {
                let number = option.split_once('=').filter(|(given, _)| given.trim() == *key);
                let number = number.and_then(|(_, number)| number.trim().parse().ok());
                let wrong =
                    || ReplayFailure::Baseline { flag, given: text.to_owned(), usage: format!("{name},{key}=N") };
                kind(number.ok_or_else(wrong)?)
            }
            None => Kind::Strategy(StrategyChoice::parse(flag, text)?.to_config()),
        };
        Ok(Way { name: text.to_owned(), kind })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is what was sent, which is not rendered again.
    pub(super) fn is_as_sent(&self) -> bool {
        matches!(self.kind, Kind::AsSent)
    }

    /// The requests of the run of this step.
    pub(super) fn rendition(&self, step: &Step) -> Result<Rendition, RenditionError> {
        let config: CompressionConfig = match &self.kind {
            Kind::AsSent => false.into(),
            Kind::Strategy(config) => config.clone(),
            Kind::Window(turns) => SlidingWindow::of(step, *turns).into(),
            Kind::Cleared(keep) => ClearedOutputs::of(step, *keep).into(),
        };
        Rendition::under(step, &self.name, &config)
    }
}
