//! Shorter beginnings of requests.

use ptc_lisp::{ToolSpec, key_name};
use ptc_mission::{
    DATA_HEADER, TOOL_HEADER, data_types_section, expected_output, join_sections, short_data_section, tool_section,
};

use super::steps::SHORT_SAMPLES;
use crate::input::RenderInput;

/// How much a beginning says of tools and data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Detail {
    /// Short samples.
    ShortSamples,
    /// Types and documentation of tools, types of data.
    Types,
    /// Types alone.
    Undocumented,
    /// Names alone.
    Names,
}

impl Detail {
    /// From the longest to the shortest.
    pub(super) const ALL: [Detail; 4] = [Detail::ShortSamples, Detail::Types, Detail::Undocumented, Detail::Names];
}

impl RenderInput<'_> {
    /// Mission, tools, data and the type of the result, and of these no more than this.
    pub(super) fn short_opening(&self, detail: Detail) -> String {
        let (tools, data) = match detail {
            Detail::ShortSamples => {
                (tool_section(self.tools, false), short_data_section(&self.data_view(), SHORT_SAMPLES))
            }
            Detail::Types => (tool_section(self.tools, false), data_types_section(&self.data_view())),
            Detail::Undocumented => (undocumented(self.tools), data_types_section(&self.data_view())),
            Detail::Names => (tool_names(self.tools), data_names(self)),
        };
        let result = self.signature.map(|signature| match detail {
            Detail::ShortSamples | Detail::Types => expected_output(signature, self.field_descriptions),
            Detail::Undocumented | Detail::Names => format!("Return: {}", signature.result()),
        });
        join_sections([Some(self.mission.to_owned()), tools, data, result, Some(self.notes.to_owned())])
    }
}

fn undocumented(tools: &[ToolSpec]) -> Option<String> {
    let bare: Vec<ToolSpec> = tools.iter().map(|tool| ToolSpec { description: None, ..tool.clone() }).collect();
    tool_section(&bare, false)
}

fn tool_names(tools: &[ToolSpec]) -> Option<String> {
    names(TOOL_HEADER, "tool", tools.iter().map(|tool| tool.name.as_str()))
}

fn data_names(input: &RenderInput<'_>) -> Option<String> {
    let keys = input.data.iter().filter_map(|(key, _)| key_name(key));
    names(DATA_HEADER, "data", keys)
}

/// A header, and the names on one line in their order.
fn names<'n>(header: &str, namespace: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut names: Vec<String> = names.map(|name| format!("{namespace}/{name}")).collect();
    names.sort_unstable();
    (!names.is_empty()).then(|| format!("{header}\n{}", names.join(" ")))
}
