//! Shorter beginnings of requests.

use crate::words::{
    DATA_HEADER, SampleLimits, TOOL_HEADER, data_types_section, expected_output, short_data_section,
    short_tool_section, tool_section,
};
use ptc_lisp::text::escaped;
use ptc_lisp::values::key_name;
use ptc_mission::join_sections;

use crate::input::RenderInput;

/// Samples of a beginning that still shows some.
pub(crate) const SHORT_SAMPLES: SampleLimits = SampleLimits { items: 1, characters: 20 };

/// How much a beginning says about tools and data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Short samples.
    ShortSamples,
    /// Types and documentation of tools, types of data.
    Types,
    /// Types, and this many characters of the description of a tool.
    Described(usize),
    /// Only names.
    Names,
}

impl Detail {
    /// From the longest to the shortest.
    pub(crate) const ALL: [Detail; 4] = [Detail::ShortSamples, Detail::Types, Detail::Described(0), Detail::Names];
}

impl RenderInput<'_> {
    /// Mission, tools, data and the type of the result, with at most this detail.
    pub(crate) fn short_opening(&self, detail: Detail) -> String {
        let (tools, data) = match detail {
            Detail::ShortSamples => (
                tool_section(self.tools, self.tool_tokens, false),
                short_data_section(&self.data_view(), SHORT_SAMPLES),
            ),
            Detail::Types => (tool_section(self.tools, self.tool_tokens, false), data_types_section(&self.data_view())),
            Detail::Described(chars) => {
                (short_tool_section(self.tools, self.tool_tokens, chars), data_types_section(&self.data_view()))
            }
            Detail::Names => {
                let tools = self.tools.iter().filter(|tool| !tool.unlisted).map(|tool| tool.name.as_str());
                let data = self.data.iter().filter_map(|(key, _)| key_name(key));
                (names(TOOL_HEADER, "tool/", tools), names(DATA_HEADER, "data/", data))
            }
        };
        let result = self.signature.map(|signature| match detail {
            Detail::ShortSamples | Detail::Types => expected_output(signature, self.field_descriptions),
            Detail::Described(_) | Detail::Names => format!("Return: {}", escaped(&signature.result().to_string())),
        });
        join_sections([Some(self.mission.to_owned()), tools, data, result, Some(self.notes.to_owned())])
    }
}

/// A header, and the names on one line in their order; `None` without names.
pub(crate) fn names<'n>(header: &str, namespace: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut names: Vec<String> = names.map(|name| format!("{namespace}{name}")).collect();
    names.sort_unstable();
    (!names.is_empty()).then(|| format!("{header}\n{}", names.join(" ")))
}
