//! How much of values and output is shown.

use super::row::OptionKind;
use super::table::options;

options! {
    /// How much of values and output is shown.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct FormatSettings {
        /// Maximum characters of a turn's output in plain feedback.
        feedback_max_chars: usize = 8_000, OptionKind::ANY, own;
        /// Maximum elements shown of a collection in feedback.
        feedback_limit: usize = 10, OptionKind::ANY, own;
        /// Maximum characters kept of one printed line. By default as many as the compression shows: 2,000, and 8,000
        /// without compression, with `digest` and with `append-only`.
        max_print_length: Option<usize> = None, OptionKind::ANY, own;
        /// Maximum printed lines kept of one program; a first line counts the older ones. 1,000 by default.
        #[serde(skip_serializing_if = "Option::is_none")]
        max_prints: Option<usize> = None, OptionKind::ANY, own;
        /// Maximum bytes kept of each of `*1 *2 *3`.
        history_max_bytes: usize = 1_024, OptionKind::ANY, own;
        /// Maximum elements shown of each collection of the final answer, where a run is shown to people:
        /// `print_trace`, `ptc show`.
        result_limit: usize = 50, OptionKind::ANY, own;
        /// Maximum characters shown of the final answer there. The answer itself is never cut.
        result_max_chars: usize = 500, OptionKind::ANY, own;
    }
}
