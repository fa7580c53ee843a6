//! The `tool/` section: each tool with what a first call needs, as long as all of them fit; else an index of them.

mod description;
mod shared;

use std::fmt;

use ptc_lisp::ToolSpec;
use ptc_lisp::signature::{Signature, Type};
use ptc_lisp::text::escaped;

use crate::tokens::{Estimate, TokenCounter};
use crate::words::apart::line;
use crate::words::section::{DESCRIBED, INDEX_OF_TOOLS, SHORTENED, TOOL_HEADER, UNKNOWN_RESULTS, section};
use description::{Description, Excerpt};
use shared::{Beginnings, shared_beginnings};

/// What models read about a tool whose calls need approval.
pub const ASKS_FOR_APPROVAL: &str = "asks for approval";

/// Characters of a description in the line of a tool.
const LINE: usize = 300;

/// How much a list says of each tool, from the longest to the shortest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToolForm {
    /// Signature, and as many sentences as fit into this many characters, but at least one.
    Sentences(usize),
    /// Signature, and this many characters of the description.
    Words(usize),
    /// Name, and this many characters of the description.
    Index(usize),
}

impl ToolForm {
    /// The forms of a list, of which the first one that fits is used. The last one is used even where it does not fit:
    /// a list names every tool.
    const ALL: [ToolForm; 5] = [
        ToolForm::Sentences(LINE),
        ToolForm::Sentences(0),
        ToolForm::Index(60),
        ToolForm::Index(30),
        ToolForm::Index(0),
    ];
}

/// Shows a tool as its line: `tool/quote-room(room int, nights int) -> {total float}  ; Price of a stay`, and for
/// a tool whose calls need approval `tool/pay(euros int) -> bool  ; Pays ; asks for approval`.
///
/// A description of more than 300 characters ends after a sentence, with `...`.
#[derive(Debug, Clone, Copy)]
pub struct ToolLine<'a>(pub &'a ToolSpec);

impl fmt::Display for ToolLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let description = Description::of(self.0);
        f.write_str(&Entry { spec: self.0, label: None, rest: description.after(0) }.line(ToolForm::ALL[0]).0)
    }
}

/// A tool in a list.
struct Entry<'a> {
    spec: &'a ToolSpec,
    /// What stands for the beginning of its description.
    label: Option<char>,
    /// Its description after that.
    rest: Excerpt<'a>,
}

impl Entry<'_> {
    /// Its line in this form, and whether its description is shortened.
    fn line(&self, form: ToolForm) -> (String, bool) {
        let head = match (&self.spec.signature, form) {
            (_, ToolForm::Index(_)) => String::new(),
            (Some(signature), _) => signature.plain().to_string(),
            (None, _) => "() -> any".to_owned(),
        };
        let (text, is_shortened) = match form {
            ToolForm::Sentences(most) => self.rest.sentences(most),
            ToolForm::Words(most) | ToolForm::Index(most) => (self.rest.words(most), false),
        };
        let label = self.label.filter(|_| matches!(form, ToolForm::Sentences(_))).map(|label| format!("[{label}]"));
        let about = label.into_iter().chain(Some(text)).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
        let approval = self.spec.approve.then(|| ASKS_FOR_APPROVAL.to_owned());
        let notes: Vec<_> = Some(about).filter(|about| !about.is_empty()).into_iter().chain(approval).collect();
        let notes = if notes.is_empty() { String::new() } else { format!("  ; {}", notes.join(" ; ")) };
        (line(format!("tool/{}{head}{notes}", self.spec.name)), is_shortened)
    }
}

/// The tools in order of their names, with a line on how to call one after them when `hint` is set.
///
/// - a beginning of several descriptions is said once, before the tools, where that saves tokens
/// - with `hint`, a line says once what to do about results of which nothing is known, if a tool has such results
/// - the list has at most `most_tokens` tokens, estimated by [`Estimate`]: first descriptions are shortened to a sentence,
///   then only names are listed, with the beginnings of descriptions
pub fn tool_section(tools: &[ToolSpec], most_tokens: usize, hint: bool) -> Option<String> {
    let list = ToolList::new(tools)?;
    section(TOOL_HEADER, list.lines(list.form(most_tokens), hint))
}

/// The same with this many characters of each description.
pub(crate) fn short_tool_section(tools: &[ToolSpec], most_tokens: usize, chars: usize) -> Option<String> {
    let list = ToolList::new(tools)?;
    let form = match list.form(most_tokens) {
        ToolForm::Index(most) => ToolForm::Index(most.min(chars)),
        _ => ToolForm::Words(chars),
    };
    section(TOOL_HEADER, list.lines(form, false))
}

struct ToolList<'a> {
    specs: Vec<&'a ToolSpec>,
    descriptions: Vec<Description>,
    beginnings: Beginnings,
}

impl<'a> ToolList<'a> {
    /// The listed tools; `None` without any.
    fn new(tools: &'a [ToolSpec]) -> Option<ToolList<'a>> {
        let mut specs: Vec<&ToolSpec> = tools.iter().filter(|tool| !tool.unlisted).collect();
        specs.sort_by(|a, b| a.name.cmp(&b.name));
        let descriptions: Vec<Description> = specs.iter().map(|spec| Description::of(spec)).collect();
        let beginnings = shared_beginnings(&descriptions);
        (!specs.is_empty()).then_some(ToolList { specs, descriptions, beginnings })
    }

    /// The longest form that fits.
    fn form(&self, most_tokens: usize) -> ToolForm {
        let [longer @ .., shortest] = ToolForm::ALL;
        let text = |form| section(TOOL_HEADER, self.lines(form, true)).unwrap_or_default();
        longer.into_iter().find(|form| Estimate.count(&text(*form)) <= most_tokens).unwrap_or(shortest)
    }

    fn lines(&self, form: ToolForm, hint: bool) -> Vec<String> {
        let entries = self.specs.iter().zip(&self.descriptions).enumerate().map(|(at, (spec, description))| {
            let (label, bytes) = self.beginnings.of(at);
            Entry { spec, label, rest: description.after(bytes) }.line(form)
        });
        let (mut lines, shortened): (Vec<String>, Vec<bool>) = entries.unzip();
        let first = match form {
            ToolForm::Sentences(_) => self.beginnings.lines(),
            ToolForm::Words(_) => Vec::new(),
            ToolForm::Index(_) => vec![INDEX_OF_TOOLS.to_owned()],
        };
        lines.splice(..0, first);
        let mut signatures = self.specs.iter().filter_map(|spec| spec.signature.as_ref());
        let is_described = signatures.any(Signature::describes_params);
        let [further, alone] = if is_described { DESCRIBED } else { ["", ""] };
        match form {
            ToolForm::Sentences(_) if shortened.contains(&true) => lines.push(format!("{SHORTENED}{further}")),
            ToolForm::Sentences(_) if !alone.is_empty() => lines.push(alone.to_owned()),
            _ => {}
        }
        let is_unknown = !matches!(form, ToolForm::Index(_)) && self.specs.iter().any(|spec| has_unknown_result(spec));
        lines.extend((hint && is_unknown).then(|| UNKNOWN_RESULTS.to_owned()));
        lines.extend(hint.then(|| escaped(&self.hint_line(form)).into_owned()));
        lines
    }

    /// An example call of the first tool that takes something; an index does not say what its tools take.
    fn hint_line(&self, form: ToolForm) -> String {
        if let ToolForm::Index(_) = form {
            return ";; call with named arguments: (tool/NAME {:key value})".to_owned();
        }
        let params = |tool: &ToolSpec| -> Vec<String> {
            let params = tool.signature.iter().flat_map(|signature| signature.params());
            params.map(|param| format!("{} …", param.key())).collect()
        };
        let taking = self.specs.iter().map(|tool| (tool, params(tool))).find(|(_, params)| !params.is_empty());
        let first = self.specs.first().map_or("NAME", |first| &first.name);
        match taking {
            Some((tool, params)) => {
                format!(";; call with named arguments, e.g. (tool/{} {{{}}})", tool.name, params.join(" "))
            }
            None => format!(";; call with named arguments: (tool/{first} {{:key value}})"),
        }
    }
}

/// Whether the line of a tool does not say what it returns.
fn has_unknown_result(spec: &ToolSpec) -> bool {
    let result = spec.signature.as_ref().map(|signature| signature.result().shape());
    matches!(result, None | Some(Type::Any | Type::JsonOrText))
}

#[cfg(test)]
mod tests;
