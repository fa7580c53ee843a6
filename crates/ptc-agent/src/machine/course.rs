//! How history is shown in the course of a run: as its agent says, and when it is resumed as its journal says.

use ptc_compression::CompressionConfig;
use ptc_transcript::{CompressionRecord, CompressionUse, JournalError, Recorded};

use super::setup::Setup;
use crate::agent::Definition;

/// One way of showing history after another; most runs have one.
pub(crate) struct StrategyTimeline {
    first: CompressionConfig,
    /// With the turn from which on each is for, in order.
    later: Vec<(usize, CompressionConfig)>,
    /// The change that the journal of a resumed run does not have yet.
    change: Option<CompressionUse>,
}

impl StrategyTimeline {
    /// The configuration of the options, else of the agent. That of a journal applies to the turns that it has, and
    /// from there on unless the options differ.
    ///
    /// Errors when the journal was written with a strategy that is neither built in nor the one at hand.
    pub fn new(definition: &Definition, setup: &Setup) -> Result<StrategyTimeline, JournalError> {
        let own = setup.compression.as_ref().unwrap_or(&definition.spec.compression);
        let known = |known: &CompressionUse| {
            Ok((known.from_turn, config_of(&known.compression, [own, &definition.spec.compression])?))
        };
        let recorded = setup.resume.as_deref().map(Recorded::compression).unwrap_or_default();
        let mut uses = recorded.iter().map(known).collect::<Result<Vec<_>, JournalError>>()?.into_iter();
        // Older journals do not record their strategy.
        let Some((_, first)) = uses.next() else {
            return Ok(StrategyTimeline { first: own.clone(), later: Vec::new(), change: None });
        };
        let mut course = StrategyTimeline { first, later: uses.collect(), change: None };
        if let Some((chosen, recorded)) = setup.compression.as_ref().zip(setup.resume.as_deref()) {
            course.choose(chosen, recorded.next_turn());
        }
        Ok(course)
    }

    /// Show history this way from this turn on.
    fn choose(&mut self, chosen: &CompressionConfig, from_turn: usize) {
        let last = self.later.last().map_or(&self.first, |(_, config)| config);
        if last.to_record() == chosen.to_record() {
            return;
        }
        self.change = Some(CompressionUse { from_turn, compression: chosen.to_record() });
        self.later.retain(|(known, _)| *known < from_turn);
        match from_turn {
            0 | 1 => self.first = chosen.clone(),
            _ => self.later.push((from_turn, chosen.clone())),
        }
    }

    /// The way for the request of this turn.
    pub fn at(&self, turn: usize) -> &CompressionConfig {
        let later = self.later.iter().rev().find(|(from_turn, _)| *from_turn <= turn);
        later.map_or(&self.first, |(_, config)| config)
    }

    /// Whether another way starts at this turn.
    pub fn changes_at(&self, turn: usize) -> bool {
        self.later.iter().any(|(from_turn, _)| *from_turn == turn)
    }

    /// The change that the journal of a resumed run does not have yet.
    pub fn change(&self) -> Option<CompressionUse> {
        self.change.clone()
    }

    /// The records of the first `turns` turns.
    pub fn records(&self, turns: usize) -> Vec<CompressionUse> {
        let later = self
            .later
            .iter()
            .map(|(from_turn, config)| (*from_turn, config))
            .take_while(|(from_turn, _)| *from_turn <= turns);
        let uses = std::iter::once((1, &self.first)).chain(later);
        uses.map(|(from_turn, config)| CompressionUse { from_turn, compression: config.to_record() }).collect()
    }
}

/// The configuration of a record; a custom strategy is known only where it is at hand.
fn config_of(record: &CompressionRecord, at_hand: [&CompressionConfig; 2]) -> Result<CompressionConfig, JournalError> {
    if let Some(known) = at_hand.into_iter().find(|config| config.to_record() == *record) {
        return Ok(known.clone());
    }
    CompressionConfig::from_record(record)
        .map_err(|unknown| JournalError::OtherStrategy { problem: unknown.to_string() })
}
