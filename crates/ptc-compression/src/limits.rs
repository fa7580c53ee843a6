//! How much of a run the strategies that list calls and prints show.

use crate::words::SampleLimits;
use serde::{Deserialize, Serialize};

use crate::recent::Keep;

/// The rows of limits, and the methods that strategies with a field `limits` have for them.
macro_rules! limits {
    ($(#[$doc:meta])* { $($(#[$row:meta])* $option:ident: $kind:ty = $default:expr,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(default)]
        pub struct ViewLimits {
            $($(#[$row])* pub $option: $kind,)*
        }

        impl Default for ViewLimits {
            fn default() -> Self {
                ViewLimits { $($option: $default,)* }
            }
        }

        macro_rules! setters_of_limits {
            (limits) => {$(
                $(#[$row])*
                #[must_use]
                pub fn $option(mut self, $option: $kind) -> Self {
                    self.limits.$option = $option;
                    self
                }
            )*};
        }
    };
}

limits! {
    /// Limits of a view, spent from the newest turn backwards.
    ///
    /// ```
    /// use ptc_compression::{CompressionConfig, RollingWindow, ViewLimits};
    ///
    /// let config = CompressionConfig::from(RollingWindow::new().window(5).println_limit(2));
    /// assert_eq!(RollingWindow::new().limits, ViewLimits::default());
    /// assert_eq!(config.strategy().unwrap().name(), "rolling-window");
    /// ```
    {
        /// Printed entries shown, the newest of the run; 15 by default.
        println_limit: usize = 15,
        /// Tool calls listed, the newest of the run; 20 by default.
        tool_call_limit: usize = 20,
        /// Elements shown of a collection in a sample; 3 by default.
        sample_limit: usize = 3,
        /// Characters shown of a string in a sample; 80 by default.
        sample_printable_limit: usize = 80,
        /// Whether the `tool/` section ends with a line on how to call a tool; it does by default.
        tool_hint: bool = true,
        /// Whether calls are listed with their results, as long as nothing was printed; with errors they always are. Not
        /// by default.
        tool_results: bool = false,
    }
}

pub(crate) use setters_of_limits as limit_setters;

impl ViewLimits {
    pub(crate) fn samples(&self) -> SampleLimits {
        SampleLimits { items: self.sample_limit, characters: self.sample_printable_limit }
    }

    /// What a strategy keeps of a run that merges all turns.
    pub(crate) fn keep(&self) -> Keep {
        Keep { turns: 0, merges: true, calls: self.tool_call_limit, prints: self.println_limit, ..Keep::default() }
    }
}
