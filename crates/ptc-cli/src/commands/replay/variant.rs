//! The ways of showing history that the command line can name.

use ptc_runner::compression::CompressionConfig;
use ptc_runner::config::StrategyChoice;
use ptc_runner::trace::replay::{ClearedOutputs, NativeTools, Rendition, RenditionError, SlidingWindow};
use ptc_runner::transcript::Step;

use super::failure::ReplayFailure;
use crate::failure::Failure;

/// What `--against` calls the messages that were sent: they are not rendered again.
pub(super) const AS_SENT: &str = "as-sent";

/// One way, under the name given.
pub(super) struct Variant {
    pub(super) name: String,
    config: Box<dyn Fn(&Step) -> CompressionConfig>,
}

type Baseline = (&'static str, &'static str, fn(&Step, usize) -> CompressionConfig);

/// What is only there for comparison, and the name of its number.
const BASELINES: [Baseline; 2] = [
    (SlidingWindow::NAME, "turns", |step, turns| SlidingWindow::of(step, turns).into()),
    (ClearedOutputs::NAME, "keep", |step, keep| ClearedOutputs::of(step, keep).into()),
];

impl Variant {
    /// A strategy of mission files, `none` or a baseline, as the value of this option of the command line.
    pub(super) fn parse(flag: &'static str, text: &str) -> Result<Variant, Failure> {
        let (name, number) = text.split_once(',').unwrap_or((text, ""));
        if name == AS_SENT {
            return Err(ReplayFailure::AsSentIsNoStrategy.into());
        }
        let config: Box<dyn Fn(&Step) -> CompressionConfig> = match BASELINES.iter().find(|(known, ..)| *known == name)
        {
            Some((name, key, make)) => {
                let number = number.split_once('=').filter(|(given, _)| given.trim() == *key);
                let number = number.and_then(|(_, number)| number.trim().parse().ok());
                let (given, usage) = (text.to_owned(), format!("{name},{key}=N"));
                let number = number.ok_or(ReplayFailure::Baseline { flag, given, usage })?;
                Box::new(move |step| make(step, number))
            }
            None => {
                let config = StrategyChoice::parse(flag, text)?.to_config();
                Box::new(move |_| config.clone())
            }
        };
        Ok(Variant { name: text.to_owned(), config })
    }

    /// The requests of the run of this step.
    pub(super) fn rendition(&self, step: &Step) -> Result<Rendition, RenditionError> {
        Rendition::under(step, &self.name, &(self.config)(step))
    }
}

/// The value of `--as`: `native-tools`, then `batches`, `words=N`, `answer=N` or `data=no`.
pub(super) fn native_tools(text: &str) -> Result<NativeTools, ReplayFailure> {
    let refused = || ReplayFailure::As { given: text.to_owned() };
    let (name, options) = text.split_once(',').unwrap_or((text, ""));
    if name.trim() != NativeTools::NAME {
        return Err(refused());
    }
    let mut direct = NativeTools::default();
    for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
        let number = |text: &str| text.trim().parse().map_err(|_| refused());
        match option.split_once('=').map_or((option, None), |(key, value)| (key.trim(), Some(value.trim()))) {
            ("batches", None) => direct.batches = true,
            ("words", Some(value)) => direct.words = number(value)?,
            ("answer", Some(value)) => direct.answer_words = Some(number(value)?),
            ("data", Some("no")) => direct.data = false,
            _ => return Err(refused()),
        }
    }
    Ok(direct)
}
