//! The `tool/` section.

use std::fmt;

use ptc_lisp::ToolSpec;

use crate::expected_output::one_line;
use crate::section::{TOOL_HEADER, section};

/// Shows a tool as its line: `tool/quote-room(room int, nights int) -> {total float}  ; Price of a stay`.
#[derive(Debug, Clone, Copy)]
pub struct ToolLine<'a>(pub &'a ToolSpec);

impl fmt::Display for ToolLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool/{}", self.0.name)?;
        match &self.0.signature {
            Some(signature) => write!(f, "{}", signature.plain())?,
            None => f.write_str("() -> any")?,
        }
        match self.0.description.as_deref().map(one_line) {
            Some(text) if !text.is_empty() => write!(f, "  ; {text}"),
            _ => Ok(()),
        }
    }
}

/// The tools in order of their names, with a line on how to call one behind them when `hint` is set.
pub fn tool_section(tools: &[ToolSpec], hint: bool) -> Option<String> {
    let mut sorted: Vec<&ToolSpec> = tools.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let hint = sorted.first().filter(|_| hint).map(|first| hint_line(first, &sorted));
    section(TOOL_HEADER, sorted.iter().map(|tool| ToolLine(tool).to_string()).chain(hint))
}

/// An example call of the first tool that takes something.
fn hint_line(first: &ToolSpec, sorted: &[&ToolSpec]) -> String {
    let params = |tool: &ToolSpec| -> Vec<String> {
        let params = tool.signature.iter().flat_map(|signature| signature.params());
        params.map(|param| format!(":{} …", param.name)).collect()
    };
    match sorted.iter().map(|tool| (tool, params(tool))).find(|(_, params)| !params.is_empty()) {
        Some((tool, params)) => format!(";; call with named arguments, e.g. (tool/{} {{{}}})", tool.name, params.join(" ")),
        None => format!(";; call with named arguments: (tool/{} {{:key value}})", first.name),
    }
}
