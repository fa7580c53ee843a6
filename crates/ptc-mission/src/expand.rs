//! Filling a mission with its data: by value, by reference to `data/`, or per placeholder.

use serde::{Deserialize, Serialize};

use crate::template::{Binding, Name, Policy, RenderError, Template, TemplateError, VariableTag, fill, strict_text};
use crate::{Scope, Shape};

/// Longest printed form, in characters, of a value that is put into a mission instead of a reference.
const INLINE_LIMIT: usize = 200;

/// Whether a mission shows values or points to `data/`.
///
/// In every mode, hidden values and strings with a line break or control character are references, and sections are
/// filled with values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum MissionValues {
    /// Values, lists and maps in Clojure syntax.
    Inline,
    /// References `~{data/name}`.
    Reference,
    /// A single value of at most 200 printed characters is shown, anything else is a reference.
    #[default]
    Auto,
}

/// Why a mission cannot be expanded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExpandError {
    /// The mission is not a template.
    #[error(transparent)]
    Template(#[from] TemplateError),
    /// Variables outside sections without a value: all of them, dotted, unique, in order.
    #[error("missing_keys [{}]", .0.join(", "))]
    MissingKeys(Vec<String>),
    /// References cannot replace sections.
    #[error("sections_not_supported: a mission with sections cannot be written with references only")]
    SectionsNotSupported,
    /// A section, or a variable next to a section, cannot be filled in.
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// The ways to fill a mission with data. All are pure functions of text and data.
#[derive(Debug, Clone, Copy)]
pub struct MissionExpander;

impl MissionExpander {
    /// The mission as a PTC-Lisp agent shows it. Never fails: what cannot be decided stays as typed.
    ///
    /// Each placeholder is decided on its own. A missing one stays as typed; a failing section stays as typed without
    /// affecting the rest; a text that is not a template is returned unchanged.
    pub fn expand_mission(text: &str, scope: &dyn Scope, values: MissionValues) -> String {
        let Ok(template) = Template::parse(text) else {
            return text.to_owned();
        };
        let mut policy = Mission { values };
        fill(&template, scope, &mut policy).unwrap_or_else(|_| text.to_owned())
    }

    /// Values only, strictly: every variable outside sections must exist, and everything inside sections too.
    ///
    /// Hidden values are inserted like others; missions that a model reads are checked for them first.
    pub fn expand(text: &str, scope: &dyn Scope) -> Result<String, ExpandError> {
        let template = Template::parse(text)?;
        let mut policy = Values::of(&template, Missing::Collect);
        let filled = fill(&template, scope, &mut policy);
        if policy.missing.is_empty() { Ok(filled?) } else { Err(ExpandError::MissingKeys(policy.missing)) }
    }

    /// Values only: a missing variable stays as typed, so does a failing section; a text that cannot be expanded for
    /// another reason is returned unchanged.
    pub fn expand_keep(text: &str, scope: &dyn Scope) -> String {
        let Ok(template) = Template::parse(text) else {
            return text.to_owned();
        };
        let mut policy = Values::of(&template, Missing::Keep);
        fill(&template, scope, &mut policy).unwrap_or_else(|_| text.to_owned())
    }

    /// References only: every variable becomes `~{data/path}`.
    pub fn expand_annotated(text: &str, scope: &dyn Scope) -> Result<String, ExpandError> {
        let template = Template::parse(text)?;
        if template.has_sections() {
            return Err(ExpandError::SectionsNotSupported);
        }
        let mut policy = References { missing: Vec::new() };
        let filled = fill(&template, scope, &mut policy);
        if policy.missing.is_empty() { Ok(filled?) } else { Err(ExpandError::MissingKeys(policy.missing)) }
    }
}

/// Per placeholder: value or reference.
struct Mission {
    values: MissionValues,
}

impl Policy for Mission {
    fn variable(
        &mut self,
        tag: &VariableTag<'_>,
        found: Option<Binding<'_>>,
        out: &mut String,
    ) -> Result<(), RenderError> {
        let Some(found) = found else {
            return keep_or_fail(tag, out);
        };
        if found.path.is_empty() {
            return keep_or_fail(tag, out);
        }
        let shape = found.node.shape();
        if is_hidden(&found.path) || has_control(&shape) {
            push_reference(&found.path, out);
        } else if tag.in_section {
            let text = strict_text(tag, Some(shape))?;
            push_value_or_reference(text, self.values == MissionValues::Inline, &found, out);
        } else {
            match (self.values, shape.inserted()) {
                (MissionValues::Reference, _) | (MissionValues::Auto, None) => push_reference(&found.path, out),
                (MissionValues::Inline, None) => out.push_str(&found.node.printed()),
                (MissionValues::Inline | MissionValues::Auto, Some(text)) => {
                    push_value_or_reference(text.to_owned(), self.values == MissionValues::Inline, &found, out);
                }
            }
        }
        Ok(())
    }

    fn keeps_failed_sections(&self) -> bool {
        true
    }
}

/// Outside sections the tag stays as typed; inside, its section fails.
fn keep_or_fail(tag: &VariableTag<'_>, out: &mut String) -> Result<(), RenderError> {
    if tag.in_section {
        return strict_text(tag, None).map(drop);
    }
    out.push_str(tag.typed);
    Ok(())
}

fn push_value_or_reference(text: String, any_length: bool, found: &Binding<'_>, out: &mut String) {
    if any_length || found.node.printed().chars().count() <= INLINE_LIMIT {
        out.push_str(&text);
    } else {
        push_reference(&found.path, out);
    }
}

fn push_reference(path: &[String], out: &mut String) {
    out.push_str("~{data/");
    out.push_str(&path.join("."));
    out.push('}');
}

fn is_hidden(path: &[String]) -> bool {
    path.iter().any(|key| key.starts_with('_'))
}

/// Text that could pass for a separate line in the message.
fn has_control(shape: &Shape<'_>) -> bool {
    let breaks = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
    matches!(shape, Shape::Text(text) | Shape::Scalar(text) if text.contains(breaks))
}

/// The effect of a missing variable outside sections.
#[derive(Clone, Copy, PartialEq)]
enum Missing {
    Collect,
    Keep,
}

/// Values everywhere.
struct Values {
    on_missing: Missing,
    /// Without sections a list or map is printed; with sections it is an error.
    prints_collections: bool,
    missing: Vec<String>,
}

impl Values {
    fn of(template: &Template, on_missing: Missing) -> Values {
        Values { on_missing, prints_collections: !template.has_sections(), missing: Vec::new() }
    }
}

impl Policy for Values {
    fn variable(
        &mut self,
        tag: &VariableTag<'_>,
        found: Option<Binding<'_>>,
        out: &mut String,
    ) -> Result<(), RenderError> {
        match (found, self.on_missing) {
            (None, Missing::Collect) if !tag.in_section => note_missing(tag, &mut self.missing),
            (None, Missing::Keep) if !tag.in_section => out.push_str(tag.typed),
            (Some(found), _)
                if self.prints_collections && *tag.name != Name::Dot && found.node.shape().inserted().is_none() =>
            {
                out.push_str(&found.node.printed());
            }
            (found, _) => out.push_str(&strict_text(tag, found.map(|found| found.node.shape()))?),
        }
        Ok(())
    }

    fn keeps_failed_sections(&self) -> bool {
        self.on_missing == Missing::Keep
    }
}

/// References everywhere.
struct References {
    missing: Vec<String>,
}

impl Policy for References {
    fn variable(
        &mut self,
        tag: &VariableTag<'_>,
        found: Option<Binding<'_>>,
        out: &mut String,
    ) -> Result<(), RenderError> {
        match found {
            None => note_missing(tag, &mut self.missing),
            Some(found) if found.path.is_empty() => drop(strict_text(tag, Some(found.node.shape()))?),
            Some(found) => push_reference(&found.path, out),
        }
        Ok(())
    }

    fn keeps_failed_sections(&self) -> bool {
        false
    }
}

fn note_missing(tag: &VariableTag<'_>, missing: &mut Vec<String>) {
    let name = tag.name.dotted();
    if !missing.contains(&name) {
        missing.push(name);
    }
}

#[cfg(test)]
mod tests;
