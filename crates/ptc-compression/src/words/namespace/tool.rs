//! The `tool/` section.

use std::fmt;

use ptc_lisp::{ToolSpec, escaped, one_line};

use crate::words::apart::line;
use crate::words::section::{TOOL_HEADER, section};

/// What models read about a tool whose calls need approval.
pub const ASKS_FOR_APPROVAL: &str = "asks for approval";

/// Shows a tool as its line: `tool/quote-room(room int, nights int) -> {total float}  ; Price of a stay`, and for
/// a tool whose calls need approval `tool/pay(euros int) -> bool  ; Pays ; asks for approval`.
#[derive(Debug, Clone, Copy)]
pub struct ToolLine<'a>(pub &'a ToolSpec);

impl fmt::Display for ToolLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature =
            self.0.signature.as_ref().map_or_else(|| "() -> any".to_owned(), |signature| signature.plain().to_string());
        let description = self.0.description.as_deref().map(one_line).filter(|text| !text.is_empty());
        let approval = self.0.approve.then(|| ASKS_FOR_APPROVAL.to_owned());
        let notes: Vec<_> = description.into_iter().chain(approval).collect();
        let notes = if notes.is_empty() { String::new() } else { format!("  ; {}", notes.join(" ; ")) };
        f.write_str(&line(format!("tool/{}{signature}{notes}", self.0.name)))
    }
}

/// The tools in order of their names, with a line on how to call one after them when `hint` is set.
pub fn tool_section(tools: &[ToolSpec], hint: bool) -> Option<String> {
    let mut sorted: Vec<&ToolSpec> = tools.iter().filter(|tool| !tool.unlisted).collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let hint = sorted.first().filter(|_| hint).map(|first| hint_line(first, &sorted));
    section(
        TOOL_HEADER,
        sorted.iter().map(|tool| ToolLine(tool).to_string()).chain(hint.map(|hint| escaped(&hint).into_owned())),
    )
}

/// An example call of the first tool that takes something.
fn hint_line(first: &ToolSpec, sorted: &[&ToolSpec]) -> String {
    let params = |tool: &ToolSpec| -> Vec<String> {
        let params = tool.signature.iter().flat_map(|signature| signature.params());
        params.map(|param| format!("{} …", param.key())).collect()
    };
    match sorted.iter().map(|tool| (tool, params(tool))).find(|(_, params)| !params.is_empty()) {
        Some((tool, params)) => {
            format!(";; call with named arguments, e.g. (tool/{} {{{}}})", tool.name, params.join(" "))
        }
        None => format!(";; call with named arguments: (tool/{} {{:key value}})", first.name),
    }
}
