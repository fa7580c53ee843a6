//! The ways of showing history that the command line can name.

use ptc_runner::compression::CompressionConfig;
use ptc_runner::config::StrategyChoice;
use ptc_runner::trace::replay::{ClearedOutputs, Rendition, RenditionError, SlidingWindow};
use ptc_runner::transcript::Step;

use super::failure::ReplayFailure;
use crate::failure::Failure;

/// One way, under the name that was written.
#[derive(Debug, Clone)]
pub(super) enum Way {
    /// What was sent.
    AsSent,
    /// A strategy of mission files, or the plain dialogue.
    Strategy(String, CompressionConfig),
    /// The plain dialogue of the newest turns.
    Window(String, usize),
    /// The plain dialogue without older output.
    Cleared(String, usize),
}

impl Way {
    /// What stands behind `--against`.
    pub(super) fn parse_reference(text: &str) -> Result<Way, Failure> {
        if text == "as-sent" { Ok(Way::AsSent) } else { Way::read("--against", text) }
    }

    /// What stands behind `--compression`.
    pub(super) fn parse(text: &str) -> Result<Way, Failure> {
        Way::read("--compression", text)
    }

    /// What stands behind this option of the command line.
    fn read(flag: &'static str, text: &str) -> Result<Way, Failure> {
        let (name, option) = text.split_once(',').map_or((text, None), |(name, option)| (name, Some(option)));
        let given = || text.to_owned();
        Ok(match name {
            "as-sent" => return Err(ReplayFailure::AsSentIsNoStrategy.into()),
            SlidingWindow::NAME => Way::Window(given(), number(flag, text, option, "turns", "sliding-window,turns=N")?),
            ClearedOutputs::NAME => {
                Way::Cleared(given(), number(flag, text, option, "keep", "cleared-outputs,keep=N")?)
            }
            _ => Way::Strategy(given(), StrategyChoice::parse(flag, text)?.to_config()),
        })
    }

    pub(super) fn name(&self) -> &str {
        match self {
            Way::AsSent => "as sent",
            Way::Strategy(name, _) | Way::Window(name, _) | Way::Cleared(name, _) => name,
        }
    }

    /// The requests of the run of this step; what was sent is not rendered again.
    pub(super) fn rendition(&self, step: &Step) -> Result<Rendition, RenditionError> {
        let config: CompressionConfig = match self {
            Way::AsSent => false.into(),
            Way::Strategy(_, config) => config.clone(),
            Way::Window(_, turns) => SlidingWindow::of(step, *turns).into(),
            Way::Cleared(_, keep) => ClearedOutputs::of(step, *keep).into(),
        };
        Rendition::under(step, self.name(), &config)
    }
}

/// The number behind `KEY=`.
fn number(
    flag: &'static str,
    given: &str,
    option: Option<&str>,
    key: &str,
    usage: &'static str,
) -> Result<usize, ReplayFailure> {
    let wrong = || ReplayFailure::Baseline { flag, given: given.to_owned(), usage };
    let (name, number) = option.and_then(|option| option.split_once('=')).ok_or_else(wrong)?;
    if name.trim() != key {
        return Err(wrong());
    }
    number.trim().parse().map_err(|_| wrong())
}
