//! Which names a template needs, for checks against a signature.

use indexmap::IndexMap;
use indexmap::map::Entry;
use serde::{Deserialize, Serialize};

use super::{Name, Piece, TagPlace, Template};

/// One name that a template uses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placeholder {
    /// Keys from the outside in: `{{room.no}}` is `["room", "no"]`.
    pub path: Vec<String>,
    /// How it is used where it first appears.
    pub kind: PlaceholderKind,
    /// Names used inside the section of this name; they may mean its elements or something outside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Placeholder>,
    /// Where `{{.}}` is first used directly in the section of this name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dot: Option<TagPlace>,
}

impl Placeholder {
    /// The path with dots: `room.no`.
    pub fn name(&self) -> String {
        self.path.join(".")
    }
}

/// How a template uses a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum PlaceholderKind {
    /// `{{name}}`
    Simple,
    /// `{{#name}}…{{/name}}`
    Section,
    /// `{{^name}}…{{/name}}`
    Inverted,
}

/// The placeholders of `text`, none when it is not a template.
pub fn extract_placeholders(text: &str) -> Vec<Placeholder> {
    Template::parse(text).map(|template| template.placeholders).unwrap_or_default()
}

/// The dotted paths of the placeholders of `text`, unique, in order of first appearance, none when it is not a
/// template.
///
/// ```
/// # use ptc_mission::placeholder_names;
/// assert_eq!(placeholder_names("Room {{room.no}}, {{guest}}, {{guest}}"), ["room.no", "guest"]);
/// ```
pub fn placeholder_names(text: &str) -> Vec<String> {
    extract_placeholders(text).iter().map(Placeholder::name).collect()
}

/// The names used at one level.
pub(super) struct Collected {
    pub(super) placeholders: Vec<Placeholder>,
    pub(super) dot_at: Option<TagPlace>,
}

pub(super) fn collect(text: &str, pieces: &[Piece]) -> Collected {
    let mut level = Level::default();
    level.read(pieces);
    level.finish(text)
}

/// Names by path, so that repeated ones are found without a search.
#[derive(Default)]
struct Level {
    found: IndexMap<Vec<String>, (PlaceholderKind, Level)>,
    dot_at: Option<usize>,
}

impl Level {
    fn read(&mut self, pieces: &[Piece]) {
        for piece in pieces {
            match piece {
                Piece::Text { .. } => {}
                Piece::Variable { name: Name::Dot, from, .. } => {
                    self.dot_at.get_or_insert(*from);
                }
                Piece::Variable { name: Name::Path(path), .. } => {
                    self.entry(path, PlaceholderKind::Simple);
                }
                Piece::Section(section) => {
                    let kind = if section.inverted { PlaceholderKind::Inverted } else { PlaceholderKind::Section };
                    let inner = match &section.name {
                        Name::Dot => {
                            self.dot_at.get_or_insert(section.opened_at);
                            // The elements of the current element have no name.
                            &mut Level::default()
                        }
                        Name::Path(path) => self.entry(path, kind),
                    };
                    if section.inverted {
                        self.read(&section.body);
                    } else {
                        inner.read(&section.body);
                    }
                }
            }
        }
    }

    fn entry(&mut self, path: &[String], kind: PlaceholderKind) -> &mut Level {
        match self.found.entry(path.to_vec()) {
            Entry::Occupied(entry) => &mut entry.into_mut().1,
            Entry::Vacant(entry) => &mut entry.insert((kind, Level::default())).1,
        }
    }

    fn finish(self, text: &str) -> Collected {
        let placeholders = self.found.into_iter().map(|(path, (kind, inner))| {
            let Collected { placeholders: fields, dot_at: dot } = inner.finish(text);
            Placeholder { path, kind, fields, dot }
        });
        Collected { placeholders: placeholders.collect(), dot_at: self.dot_at.map(|at| TagPlace::of(text, at)) }
    }
}
