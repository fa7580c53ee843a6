//! The words of a history: lines and sections about tools, data, definitions, calls, prints and turns.

mod apart;
mod expected_output;
mod namespace;
mod progress;
mod section;
mod turn_line;

pub use apart::{error_text, fenced_program, print_text};
pub use expected_output::expected_output;
pub(crate) use namespace::short_tool_section;
pub use namespace::{
    ASKS_FOR_APPROVAL, ColumnProfile, DataShapes, DataView, MAX_SAMPLE_CHARS, SampleLimits, ToolLine, calls_section,
    common_type, data_section, data_types_section, definitions_section, docstring, entry_line, grouped, hidden_note,
    left_out, output_before_error, output_section, output_section_from, printed_lines, short_data_section,
    tool_call_line, tool_calls_section, tool_section, user_section, user_types_section, whole_call_line,
};
pub use progress::{checklist, mission_log};
pub use section::{
    CALL_INDENT, DATA_HEADER, DEFINED_HEADER, NO_TOOL_CALLS, OUTPUT_HEADER, PREVIOUS_ATTEMPT, RULE, STORED_NAMES,
    TOOL_CALLS_HEADER, TOOL_HEADER, USER_HEADER, pad, section,
};
pub use turn_line::{FINAL_TURN, turn_line, turns_indicator};
