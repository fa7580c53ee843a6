//! What we say to a model: templates, mission expansion, the system prompt and the language reference.
//!
//! A placeholder of a mission becomes its value where that is short, and else a pointer to the data that programs read:
//! `~{data/bookings}`.
//!
//! ```
//! use ptc_mission::{MissionExpander, MissionValues, t};
//! use serde_json::json;
//!
//! let template = t!("Room {{room.no}} for {{guest}}");
//! assert_eq!(template.placeholder_names(), ["room.no", "guest"]);
//!
//! let data = json!({"guest": "Ines", "bookings": [1, 2, 3]});
//! let text = MissionExpander::expand_mission("Sum {{bookings}} for {{guest}}", &data, MissionValues::Auto);
//! assert_eq!(text, "Sum ~{data/bookings} for Ines");
//! ```

#![forbid(unsafe_code)]

mod apart;
mod expand;
mod expected_output;
mod json_output;
mod language_spec;
mod namespace;
mod progress;
mod scope;
mod section;
mod system_prompt;
mod template;
mod turn_line;

pub use apart::{error_text, fenced_program, print_text};
pub use expand::{ExpandError, MissionExpander, MissionValues};
pub use expected_output::expected_output;
pub use json_output::{json_example, json_output};
pub use language_spec::{Example, LanguageSpec, SpecMetadata, UnknownSpec};
pub use namespace::{
    ASKS_FOR_APPROVAL, DataShapes, DataView, MAX_SAMPLE_CHARS, SampleLimits, ToolLine, calls_section, common_type,
    data_section, data_types_section, definitions_section, docstring, entry_line, grouped, hidden_note, left_out,
    output_before_error, output_section, output_section_from, printed_lines, short_data_section, tool_call_line,
    tool_calls_section, tool_section, user_section, user_types_section, whole_call_line,
};
pub use progress::{checklist, mission_log};
pub use scope::{Node, Scope, Shape};
pub use section::{
    CALL_INDENT, DATA_HEADER, DEFINED_HEADER, EXPECTED_OUTPUT_HEADER, NO_TOOL_CALLS, OUTPUT_HEADER, PREVIOUS_ATTEMPT,
    RULE, STORED_NAMES, TOOL_CALLS_HEADER, TOOL_HEADER, USER_HEADER, join_sections, pad, section,
};
pub use system_prompt::{
    LanguageChoice, LanguageFunction, PromptCut, PromptFacts, PromptOutput, PromptParts, SystemPrompt,
    SystemPromptError, SystemPromptOptions, TextFunction,
};
pub use template::{
    DEFAULT_MAX_DEPTH, Placeholder, PlaceholderKind, RenderError, TagPlace, Template, TemplateError, check_template,
    extract_placeholders, placeholder_names,
};
pub use turn_line::{FINAL_TURN, turn_line, turns_indicator};
