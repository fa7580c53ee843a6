//! How history is shown in the course of a run: as its agent says, and when it is resumed as its journal says.

use ptc_compression::CompressionConfig;
use ptc_transcript::{CompressionRecord, CompressionUse, JournalError, Recorded};

use crate::agent::Definition;
use crate::drive::RunOptions;

/// One way of showing history after another; most runs have one.
pub(super) struct Course {
    /// With the first turn that each is for, in order; the first one is for turn 1.
    uses: Vec<(usize, CompressionConfig)>,
    /// The last one is new: the journal of a resumed run does not have it.
    is_changed: bool,
}

impl Course {
    /// What the options say, else the agent. What a journal says holds for the turns that it has, and from there on unless the
    /// options say otherwise.
    ///
    /// Errors when the journal was written with a strategy that is neither built in nor the one at hand.
    pub fn new(definition: &Definition, options: &RunOptions) -> Result<Course, JournalError> {
        let own = options.compression.as_ref().unwrap_or(&definition.compression);
        let recorded = options.resume.as_deref().map(Recorded::compression).unwrap_or_default();
        let at_hand = [own, &definition.compression];
        let mut uses = recorded
            .iter()
            .map(|known| Ok((known.from_turn, config_of(&known.compression, at_hand)?)))
            .collect::<Result<Vec<_>, JournalError>>()?;
        let is_new = match (uses.last(), &options.compression) {
            (None, _) => true,
            (Some((_, known)), Some(chosen)) => known.to_record() != chosen.to_record(),
            (Some(_), None) => false,
        };
        let is_changed = is_new && !uses.is_empty();
        if is_new {
            // Older journals do not say what they were written with.
            let from_turn = if is_changed { options.resume.as_ref().map_or(1, |recorded| recorded.next_turn()) } else { 1 };
            uses.retain(|(known, _)| *known < from_turn);
            uses.push((from_turn, own.clone()));
        }
        Ok(Course { uses, is_changed })
    }

    /// The way for the request of this turn.
    pub fn at(&self, turn: usize) -> &CompressionConfig {
        let known = self.uses.iter().rev().find(|(from_turn, _)| *from_turn <= turn).or(self.uses.first());
        // There always is one.
        known.map_or(&NOTHING, |(_, config)| config)
    }

    /// Whether another way begins with this turn.
    pub fn changes_at(&self, turn: usize) -> bool {
        self.uses.iter().skip(1).any(|(from_turn, _)| *from_turn == turn)
    }

    /// What the journal of a resumed run does not have yet.
    pub fn change(&self) -> Option<CompressionUse> {
        self.uses.last().filter(|_| self.is_changed).map(use_of)
    }

    /// Those of the first so many turns.
    pub fn records(&self, turns: usize) -> Vec<CompressionUse> {
        self.uses.iter().take_while(|(from_turn, _)| *from_turn <= turns.max(1)).map(use_of).collect()
    }
}

static NOTHING: std::sync::LazyLock<CompressionConfig> = std::sync::LazyLock::new(CompressionConfig::default);

fn use_of((from_turn, config): &(usize, CompressionConfig)) -> CompressionUse {
    CompressionUse { from_turn: *from_turn, compression: config.to_record() }
}

/// The configuration of a record; that of a custom strategy is only known where it is at hand.
fn config_of(record: &CompressionRecord, at_hand: [&CompressionConfig; 2]) -> Result<CompressionConfig, JournalError> {
    if let Some(known) = at_hand.into_iter().find(|config| config.to_record() == *record) {
        return Ok(known.clone());
    }
    CompressionConfig::from_record(record).map_err(|unknown| JournalError::OtherStrategy { problem: unknown.to_string() })
}
