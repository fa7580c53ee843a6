//! How much of a run the strategies that list calls and prints show.

use ptc_mission::SampleLimits;
use serde::{Deserialize, Serialize};

use crate::recent::Keep;

/// Limits of a view, spent from the newest turn backwards.
///
/// ```
/// use ptc_compression::{CompressionConfig, ViewLimits, RollingWindow};
///
/// let config = CompressionConfig::from(RollingWindow::new().window(5).println_limit(2));
/// assert_eq!(RollingWindow::new().limits, ViewLimits::default());
/// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewLimits {
    /// Printed entries shown, the newest of the run.
    pub println_limit: usize,
    /// Tool calls listed, the newest of the run.
    pub tool_call_limit: usize,
    /// Elements shown of a collection in a sample.
    pub sample_limit: usize,
    /// Characters shown of a string in a sample.
    pub sample_printable_limit: usize,
    /// Whether the `tool/` section ends with a line on how to call a tool.
    pub tool_hint: bool,
    /// Whether calls are listed with their results, as long as nothing was printed; with errors they always are.
    pub tool_results: bool,
}

impl Default for ViewLimits {
    /// 15 prints, 20 calls, samples of 3 elements and 80 characters, with hint, without results.
    fn default() -> Self {
        ViewLimits {
            println_limit: 15,
            tool_call_limit: 20,
            sample_limit: 3,
            sample_printable_limit: 80,
            tool_hint: true,
            tool_results: false,
        }
    }
}

impl ViewLimits {
    pub(crate) fn samples(&self) -> SampleLimits {
        SampleLimits { items: self.sample_limit, characters: self.sample_printable_limit }
    }

    /// What a strategy keeps of a run that merges all turns.
    pub(crate) fn keep(&self) -> Keep {
        Keep { turns: 0, merges: true, calls: self.tool_call_limit, prints: self.println_limit }
    }
}

/// The same strategy with another value of an option, one method for each.
macro_rules! setters {
    ($($(#[$doc:meta])* $option:ident: $kind:ty),+ $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $option(mut self, $option: $kind) -> Self {
            self.$option = $option;
            self
        }
    )+};
}

/// `new`, and the options that strategies with a field `limits` share.
macro_rules! limit_setters {
    () => {
        /// With the options that it has unless told otherwise.
        #[must_use]
        pub fn new() -> Self {
            Self::default()
        }

        crate::limits::limit_setters! {
            /// Printed entries shown, the newest of the run; 15 unless told otherwise.
            println_limit: usize,
            /// Tool calls listed, the newest of the run; 20 unless told otherwise.
            tool_call_limit: usize,
            /// Elements shown of a collection in a sample; 3 unless told otherwise.
            sample_limit: usize,
            /// Characters shown of a string in a sample; 80 unless told otherwise.
            sample_printable_limit: usize,
            /// Whether the `tool/` section ends with a line on how to call a tool; it does unless told otherwise.
            tool_hint: bool,
            /// Whether calls are listed with their results, as long as nothing was printed; not unless told so.
            tool_results: bool,
        }
    };
    ($($(#[$doc:meta])* $option:ident: $kind:ty),+ $(,)?) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $option(mut self, $option: $kind) -> Self {
            self.limits.$option = $option;
            self
        }
    )+};
}

pub(crate) use {limit_setters, setters};
