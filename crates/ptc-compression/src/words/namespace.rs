//! The sections that list what a program can use: `tool/`, `data/` and `user/`, and what the run did: calls and output.

mod data;
mod hidden;
mod history;
mod lines;
mod seen;
mod shape;
mod tool;
mod user;
mod values;

use ptc_lisp::text::{FormatOptions, format_within_with};
use ptc_lisp::{ShownNames, Value};

pub use data::{DataView, data_section, data_types_section, short_data_section};
pub use hidden::hidden_note;
pub use history::{
    calls_section, left_out, output_before_error, output_section, output_section_from, printed_lines, tool_call_line,
    tool_calls_section, whole_call_line,
};
pub use seen::ColumnProfile;
pub use shape::{DataShapes, common_type};
pub(crate) use tool::short_tool_section;
pub use tool::{ASKS_FOR_APPROVAL, ToolLine, tool_section};
pub use user::{definitions_section, docstring, entry_line, user_section, user_types_section};
pub use values::grouped;

/// How much of a value a sample shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SampleLimits {
    /// Elements of a collection, at every level.
    pub items: usize,
    /// Characters of a string.
    pub characters: usize,
}

/// Characters of a whole sample, and of the arguments and the result of a listed call: elements are counted at each
/// level, so nested values could fill a request.
pub const MAX_SAMPLE_CHARS: usize = 400;

impl Default for SampleLimits {
    /// 3 elements, 80 characters.
    fn default() -> Self {
        SampleLimits { items: 3, characters: 80 }
    }
}

impl SampleLimits {
    /// Whether samples are not shorter than by default.
    fn shows_all(self) -> bool {
        let usual = SampleLimits::default();
        self.items >= usual.items && self.characters >= usual.characters
    }

    /// The sample of a value, without hidden entries.
    fn sample(self, value: &Value, shown: &ShownNames) -> String {
        let options = FormatOptions {
            limit: Some(self.items),
            printable_limit: Some(self.characters),
            ..FormatOptions::sample()
        };
        format_within_with(value, &options, shown, MAX_SAMPLE_CHARS).text
    }
}

#[cfg(test)]
mod tests;
