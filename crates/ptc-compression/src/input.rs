//! What a strategy may know about the run besides turns and memory.

use std::sync::LazyLock;

use crate::words::{DataShapes, DataView, SampleLimits, data_section, expected_output, tool_section};
use indexmap::IndexMap;
use ptc_chat::Part;
use ptc_lisp::signature::Signature;
use ptc_lisp::{Map, Memory, ToolSpec};
use ptc_mission::join_sections;

static NO_DESCRIPTIONS: LazyLock<IndexMap<String, String>> = LazyLock::new(IndexMap::new);
static NO_DEFINITIONS: LazyLock<Memory> = LazyLock::new(Memory::default);

/// Tokens of the list of tools by default.
pub const TOOL_TOKENS: usize = 2_000;

/// Facts about the run. All but `turns_left`, `retries_left`, `progress` and `caps` are the same for every request of a run.
#[derive(Debug, Clone, Copy)]
pub struct RenderInput<'a> {
    /// The expanded mission.
    pub mission: &'a str,
    /// The tools that programs may call, in any order.
    pub tools: &'a [ToolSpec],
    /// Tokens of the list of tools, as [`tool_section`] estimates them.
    pub tool_tokens: usize,
    /// The input data.
    pub data: &'a Map,
    /// The shapes of the data, computed once per run. Without them each opening computes them again.
    pub shapes: Option<&'a DataShapes>,
    /// The signature of the agent.
    pub signature: Option<&'a Signature>,
    /// Descriptions of result fields.
    pub field_descriptions: &'a IndexMap<String, String>,
    /// Descriptions of input keys that the agent has.
    pub context_descriptions: &'a IndexMap<String, String>,
    /// Descriptions of input keys that came from the previous agent; they win.
    pub received_descriptions: &'a IndexMap<String, String>,
    /// Whether the model sees values of data and definitions in addition to their types. [`History`](crate::History)
    /// takes them from memory and turns; for data [`RenderInput::opening`] leaves them out.
    pub shows_samples: bool,
    /// Fixed text after the Expected Output section; may be empty.
    pub notes: &'a str,
    /// What the user says in a run that continues another one; may be empty. [`History`](crate::History) inserts it after
    /// the stable beginning of the first message, whatever the strategy.
    pub follow_up: &'a str,
    /// What was defined before the first turn.
    pub kept: &'a Memory,
    /// The checklist of a plan or the log of tasks as it is now; may be empty.
    pub progress: &'a str,
    /// Work turns that are left, the coming one included.
    pub turns_left: usize,
    /// Retry turns that are left, the coming one included if it is one.
    pub retries_left: usize,
    /// The most that may be shown of the history, whatever a strategy would show; changes during a run.
    pub caps: Caps,
}

/// Upper limits of what is shown of the history; those of a strategy may be lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Caps {
    /// Samples of definitions; with 0 elements none.
    pub samples: SampleLimits,
    /// Printed entries.
    pub prints: usize,
    /// Tool calls.
    pub calls: usize,
    /// Turns that are shown one by one.
    pub turns: usize,
    /// Whether a history that is appended to is merged, because the text before it is too large.
    pub merged: bool,
}

impl Caps {
    /// No limits but those of the strategy.
    pub const NONE: Caps = Caps {
        samples: SampleLimits { items: usize::MAX, characters: usize::MAX },
        prints: usize::MAX,
        calls: usize::MAX,
        turns: usize::MAX,
        merged: false,
    };

    /// The samples that a strategy with these limits may show; `None` when it may show none.
    #[must_use]
    pub fn samples(&self, limits: SampleLimits) -> Option<SampleLimits> {
        let items = limits.items.min(self.samples.items);
        let characters = limits.characters.min(self.samples.characters);
        (self.samples.items > 0).then_some(SampleLimits { items, characters })
    }
}

impl<'a> RenderInput<'a> {
    /// A run of this mission with this data and nothing else, with no turn left.
    pub fn new(mission: &'a str, data: &'a Map) -> Self {
        RenderInput {
            mission,
            tools: &[],
            tool_tokens: TOOL_TOKENS,
            data,
            shapes: None,
            signature: None,
            field_descriptions: &NO_DESCRIPTIONS,
            context_descriptions: &NO_DESCRIPTIONS,
            received_descriptions: &NO_DESCRIPTIONS,
            shows_samples: true,
            notes: "",
            follow_up: "",
            kept: &NO_DEFINITIONS,
            progress: "",
            turns_left: 0,
            retries_left: 0,
            caps: Caps::NONE,
        }
    }

    /// The stable head of the first message: mission, `tool/`, `data/`, Expected Output and notes.
    ///
    /// `None` only when all of them are empty. Cost: linear in tools and data keys; without `shapes` that of
    /// [`DataShapes::new`], too.
    pub fn opening(&self, samples: SampleLimits, tool_hint: bool) -> Option<Part> {
        let text = join_sections([
            Some(self.mission.to_owned()),
            tool_section(self.tools, self.tool_tokens, tool_hint),
            data_section(&self.data_view(), samples),
            self.signature.map(|signature| expected_output(signature, self.field_descriptions)),
            Some(self.notes.to_owned()),
        ]);
        (!text.is_empty()).then(|| Part::stable(text))
    }

    pub(crate) fn data_view(&self) -> DataView<'a> {
        DataView {
            values: self.data,
            shapes: self.shapes,
            signature: self.signature,
            descriptions: [self.context_descriptions, self.received_descriptions],
            shows_samples: self.shows_samples,
        }
    }
}
