//! The interface of compression strategies.

use std::sync::Arc;

use ptc_chat::Message;
use ptc_lisp::Memory;
use ptc_transcript::{CompressionOptions, CompressionStats, Turn};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::input::RenderInput;

/// Characters of one printed entry in the views that list a number of entries.
pub(crate) const PRINT_CHARS: usize = 2_000;

/// Renders the history of a run for the next request.
///
/// Rules for every strategy; the module `testkit` (a feature of that name) checks custom strategies against them:
///
/// 1. Pure: equal turns, memory and input give byte-equal messages; no clock, randomness or I/O.
/// 2. The first message is the user's and starts with the mission, whole.
/// 3. `tool/`, `data/`, Expected Output and fixed notes follow it in stable parts, the same in every request of a run;
///    [`RenderInput::opening`] makes them. Parts that the next request most likely repeats follow
///    ([`Part::repeated`](ptc_chat::Part::repeated)), then what changes.
/// 4. The last message is the user's and ends with the turns indicator; [`closing_parts`](crate::closing_parts) makes
///    it.
/// 5. Roles alternate.
/// 6. A failed turn is at most one error block, and only if it was the last turn; or it is shown as it was, with its
///    whole answer as an assistant message. Its prints and calls are not counted. Calls of failed turns that took
///    effect are all named until the run ends, so that they are not repeated.
/// 7. Limits drop the oldest first and count over the whole run; a line says how many entries a list leaves out. What
///    is left is bounded: no request grows with the number of turns, only with the limits, the definitions and the calls
///    of rule 6.
/// 8. No message is empty; absent parts leave no gap.
/// 9. Nothing is listed as defined that is not, and no value under a name with `_` is shown.
/// 10. The system text is not part of a strategy: the loop adds it.
pub trait Compression: Send + Sync {
    /// The name in options and statistics, such as `single-user-coalesced`.
    fn name(&self) -> &str;

    /// The options that records keep, by the names that mission files have for them, so that the requests of a run can
    /// be rendered again. A strategy without options has none.
    fn options(&self) -> CompressionOptions {
        CompressionOptions::new()
    }

    /// The same strategy with other options, all of those that [`options`](Compression::options) has: what a mission file, a
    /// command line or a record says. `None`, the default, means that they are those of the value, and cannot be set.
    ///
    /// [`strategy_of`] reads them by serde.
    fn with_options(&self, options: &CompressionOptions) -> Option<Result<Arc<dyn Compression>, String>> {
        let _ = options;
        None
    }

    /// The messages after these turns with this memory.
    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered;

    /// Whether its requests name `(tool/history)` as what has the output that they leave out: an agent then offers it
    /// without listing it.
    fn names_history(&self) -> bool {
        false
    }

    /// Characters of one printed entry that a request shows at most: an agent records no more of it, unless its own
    /// limit is another one.
    fn print_chars(&self) -> usize {
        PRINT_CHARS
    }

    /// A renderer that is fed turn by turn and may cache; `None` renders everything again each time.
    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        None
    }
}

/// A strategy of this type with these options, for [`Compression::with_options`].
///
/// Errors with what serde found.
///
/// ```
/// use std::sync::Arc;
/// use ptc_compression::{Compression, RenderInput, Rendered, strategy_of};
/// use ptc_lisp::Memory;
/// use ptc_transcript::{CompressionOptions, Turn};
///
/// #[derive(serde::Deserialize)]
/// struct Newest { prints: usize }
///
/// impl Compression for Newest {
///     fn name(&self) -> &str { "newest" }
///     fn options(&self) -> CompressionOptions {
///         [("prints".to_owned(), self.prints.into())].into_iter().collect()
///     }
///     fn with_options(&self, options: &CompressionOptions) -> Option<Result<Arc<dyn Compression>, String>> {
///         Some(strategy_of::<Newest>(options))
///     }
///     fn to_messages(&self, _: &[Turn], _: &Memory, _: &RenderInput<'_>) -> Rendered { Vec::new().into() }
/// }
///
/// let four = Newest { prints: 2 }.with_options(&Newest { prints: 4 }.options()).unwrap()?;
/// assert_eq!(four.options()["prints"], 4);
/// # Ok::<(), String>(())
/// ```
pub fn strategy_of<S: Compression + DeserializeOwned + 'static>(
    options: &CompressionOptions,
) -> Result<Arc<dyn Compression>, String> {
    let read = serde_json::from_value::<S>(Json::Object(options.clone()));
    read.map(|strategy| Arc::new(strategy) as Arc<dyn Compression>).map_err(|error| error.to_string())
}

/// A strategy of this crate: its options are its fields, and it works turn by turn.
pub(crate) trait BuiltIn: Serialize + Send + Sync + 'static {
    const NAME: &'static str;
    const PRINT_CHARS: usize = PRINT_CHARS;
    const NAMES_HISTORY: bool = false;

    fn renderer(&self) -> Box<dyn Renderer>;
}

impl<S: BuiltIn> Compression for S {
    fn name(&self) -> &str {
        S::NAME
    }

    fn options(&self) -> CompressionOptions {
        match serde_json::to_value(self) {
            Ok(Json::Object(options)) => options,
            _ => CompressionOptions::new(),
        }
    }

    fn names_history(&self) -> bool {
        S::NAMES_HISTORY
    }

    fn print_chars(&self) -> usize {
        S::PRINT_CHARS
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        let mut renderer = self.renderer();
        turns.iter().for_each(|turn| renderer.push(turn));
        renderer.render(memory, input)
    }

    fn incremental(&self) -> Option<Box<dyn Renderer>> {
        Some(self.renderer())
    }
}

/// A strategy used in one run. After the turns `t1 … tn` were pushed, `render` equals `to_messages([t1 … tn], …)`.
pub trait Renderer: Send {
    /// Record the next turn.
    fn push(&mut self, turn: &Turn);

    /// The messages after the turns so far.
    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered;
}

/// The renderer of a strategy: its own, or one that keeps the turns and calls `to_messages`.
pub fn renderer_of(strategy: &Arc<dyn Compression>) -> Box<dyn Renderer> {
    strategy
        .incremental()
        .unwrap_or_else(|| Box::new(WholeHistory { strategy: Arc::clone(strategy), turns: Vec::new() }))
}

struct WholeHistory {
    strategy: Arc<dyn Compression>,
    turns: Vec<Turn>,
}

impl Renderer for WholeHistory {
    fn push(&mut self, turn: &Turn) {
        self.turns.push(turn.clone());
    }

    fn render(&self, memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        self.strategy.to_messages(&self.turns, memory, input)
    }
}

/// The messages of one request and what they show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// User and assistant messages; the leading stable parts of the first one are equal in every request of a run.
    pub messages: Vec<Message>,
    /// What was shown and left out.
    pub stats: CompressionStats,
}

impl From<Vec<Message>> for Rendered {
    /// Messages of a strategy that does not count: the statistics are zero and name no strategy.
    fn from(messages: Vec<Message>) -> Self {
        Rendered { messages, stats: CompressionStats::default() }
    }
}
