//! Logic-light text templates: `{{name}}`, `{{a.b}}`, `{{.}}`, comments, sections and inverted sections.

use serde::{Deserialize, Serialize};

use crate::Scope;

mod check;
mod parse;
mod placeholder;
mod render;

pub use check::check_template;
pub use placeholder::{Placeholder, PlaceholderKind, extract_placeholders, placeholder_names};
pub use render::RenderError;
pub(crate) use render::{Binding, Policy, VariableTag, fill, strict_text};

/// Sections may be nested this deep unless [`Template::parse_nested`] says otherwise.
pub const DEFAULT_MAX_DEPTH: usize = 20;

/// A parsed template with the placeholders that it uses.
///
/// Serialises as its source text. Two templates are equal when their sources are.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Template {
    source: String,
    pieces: Vec<Piece>,
    placeholders: Vec<Placeholder>,
    dot_outside_sections: Option<TagPlace>,
}

impl Template {
    /// Parse a template whose sections are nested at most [`DEFAULT_MAX_DEPTH`] deep. Linear in the text length.
    ///
    /// ```
    /// # use ptc_mission::Template;
    /// let error = Template::parse("Hi\n  {{#guests}}").unwrap_err();
    /// assert_eq!(error.to_string(), "section 'guests' opened at 2:3 is never closed");
    /// ```
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        Template::parse_nested(text, DEFAULT_MAX_DEPTH)
    }

    /// Parse with another bound on the nesting of sections (values above 200 count as 200).
    pub fn parse_nested(text: &str, max_depth: usize) -> Result<Template, TemplateError> {
        let pieces = parse::parse(text, max_depth.min(200))?;
        let collected = placeholder::collect(text, &pieces);
        Ok(Template {
            source: text.to_owned(),
            pieces,
            placeholders: collected.placeholders,
            dot_outside_sections: collected.dot_at,
        })
    }

    /// The template of a text that `check_template` has accepted; used by [`t!`](crate::t).
    #[doc(hidden)]
    pub fn from_checked(text: &'static str) -> Template {
        match Template::parse(text) {
            Ok(template) => template,
            Err(error) => unreachable!("check_template accepts only what parses: {error}"),
        }
    }

    /// The text as given.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What the template needs from outside, unique by path, in order of first appearance.
    ///
    /// Names inside a section are its `fields`; names inside an inverted section count at the place of that section.
    pub fn placeholders(&self) -> &[Placeholder] {
        &self.placeholders
    }

    /// The dotted paths of [`placeholders`](Template::placeholders).
    pub fn placeholder_names(&self) -> Vec<String> {
        self.placeholders.iter().map(Placeholder::name).collect()
    }

    /// The place of the first `{{.}}` outside every section, if there is one.
    pub fn dot_outside_sections(&self) -> Option<TagPlace> {
        self.dot_outside_sections
    }

    /// True when there is at least one section or inverted section.
    pub fn has_sections(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Section { .. }))
    }

    /// Fill in values from `scope`, strictly: the first missing variable, or variable that is a map or list, is the
    /// error.
    ///
    /// ```
    /// # use ptc_mission::t;
    /// # use serde_json::json;
    /// let text = t!("{{#nights}}[{{.}}]{{/nights}}").render(&json!({"nights": [1, 2]})).unwrap();
    /// assert_eq!(text, "[1][2]");
    /// ```
    pub fn render(&self, scope: &dyn Scope) -> Result<String, RenderError> {
        fill(self, scope, &mut render::Strict)
    }
}

impl PartialEq for Template {
    fn eq(&self, other: &Template) -> bool {
        self.source == other.source
    }
}

impl Eq for Template {}

impl TryFrom<String> for Template {
    type Error = TemplateError;

    fn try_from(text: String) -> Result<Template, TemplateError> {
        Template::parse(&text)
    }
}

impl From<Template> for String {
    fn from(template: Template) -> String {
        template.source
    }
}

impl std::str::FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Template, TemplateError> {
        Template::parse(text)
    }
}

/// A parsed stretch of a template; ranges are byte offsets into the source.
#[derive(Debug, Clone)]
pub(crate) enum Piece {
    Text { from: usize, to: usize },
    Variable { name: Name, from: usize, to: usize },
    Section(Section),
}

/// A section with its body; `from..to` covers the lines that its standalone tags remove.
#[derive(Debug, Clone)]
pub(crate) struct Section {
    pub(crate) name: Name,
    pub(crate) inverted: bool,
    pub(crate) body: Vec<Piece>,
    pub(crate) opened_at: usize,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// What a tag names: the current element or a path of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    Dot,
    Path(Vec<String>),
}

impl Name {
    fn new(text: &str) -> Name {
        match text {
            "." => Name::Dot,
            _ => Name::Path(text.split('.').map(str::to_owned).collect()),
        }
    }

    pub(crate) fn dotted(&self) -> String {
        match self {
            Name::Dot => ".".to_owned(),
            Name::Path(path) => path.join("."),
        }
    }
}

/// A 1-based line and column (in characters) of the `{{` of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TagPlace {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl TagPlace {
    /// Count lines and characters up to `offset`. Linear, so only for reports.
    pub(crate) fn of(text: &str, offset: usize) -> TagPlace {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        TagPlace {
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        }
    }
}

impl std::fmt::Display for TagPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Why a text is not a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// `{{` without a later `}}`.
    #[error("tag opened at {at} is never closed")]
    UnclosedTag {
        /// Where the tag opens.
        at: TagPlace,
    },
    /// `{{}}`.
    #[error("tag without a name at {at}")]
    UnnamedTag {
        /// Where the tag opens.
        at: TagPlace,
    },
    /// `{{#}}` or `{{^}}`.
    #[error("section without a name at {at}")]
    UnnamedSection {
        /// Where the tag opens.
        at: TagPlace,
    },
    /// A section that the text ends in.
    #[error("section '{name}' opened at {at} is never closed")]
    UnclosedSection {
        /// Name of the innermost open section.
        name: String,
        /// Where it opens.
        at: TagPlace,
    },
    /// A closing tag with another name than the section it would close.
    #[error("{at} closes '{found}', but '{open}' is open")]
    WrongClose {
        /// The place of the closing tag.
        at: TagPlace,
        /// The name it closes.
        found: String,
        /// The name of the innermost open section.
        open: String,
    },
    /// A closing tag outside every section.
    #[error("{at} closes '{found}', but no section is open")]
    StrayClose {
        /// The place of the closing tag.
        at: TagPlace,
        /// The name it closes.
        found: String,
    },
    /// Sections nested deeper than allowed.
    #[error("section '{name}' at {at} is nested deeper than the limit of {limit}; flatten the template")]
    TooDeep {
        /// Name of the section that is nested too deep.
        name: String,
        /// Where it opens.
        at: TagPlace,
        /// The nesting allowed.
        limit: usize,
    },
}

impl TemplateError {
    /// A stable name of the kind of problem.
    pub fn code(&self) -> &'static str {
        match self {
            TemplateError::UnclosedTag { .. } => "unclosed_tag",
            TemplateError::UnnamedTag { .. } => "unnamed_tag",
            TemplateError::UnnamedSection { .. } => "unnamed_section",
            TemplateError::UnclosedSection { .. } => "unclosed_section",
            TemplateError::WrongClose { .. } => "wrong_close",
            TemplateError::StrayClose { .. } => "stray_close",
            TemplateError::TooDeep { .. } => "max_depth_exceeded",
        }
    }
}

/// A [`Template`] from a literal that is checked when the program is compiled.
///
/// ```
/// let template = ptc_mission::t!("Room {{room.no}}");
/// assert_eq!(template.placeholders()[0].path, ["room", "no"]);
/// ```
///
/// A broken template does not compile:
///
/// ```compile_fail
/// ptc_mission::t!("Room {{room.no");
/// ```
///
/// ```compile_fail
/// ptc_mission::t!("{{#guests}} … {{/rooms}}");
/// ```
#[macro_export]
macro_rules! t {
    ($text:expr $(,)?) => {{
        const TEXT: &str = $text;
        const _: () = $crate::check_template(TEXT);
        $crate::Template::from_checked(TEXT)
    }};
}

#[cfg(test)]
mod tests;
