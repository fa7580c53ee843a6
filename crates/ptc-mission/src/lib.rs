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

mod expand;
mod json_output;
mod language_spec;
mod scope;
mod section;
mod system_prompt;
mod template;

pub use expand::{ExpandError, MissionExpander, MissionValues};
pub use json_output::{json_example, json_output, text_output};
pub use language_spec::{Example, LanguageSpec, SpecMetadata, UnknownSpec};
pub use scope::{Node, Scope, Shape};
pub use section::{EXPECTED_OUTPUT_HEADER, join_sections};
pub use system_prompt::{
    LanguageChoice, LanguageFunction, PromptCut, PromptFacts, PromptOutput, PromptParts, SystemPrompt,
    SystemPromptError, SystemPromptOptions, TextFunction,
};
pub use template::{
    DEFAULT_MAX_DEPTH, Placeholder, PlaceholderKind, RenderError, TagPlace, Template, TemplateError, check_template,
    extract_placeholders, placeholder_names,
};
