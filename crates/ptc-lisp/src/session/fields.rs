//! Which fields of the results of tools models see, and the names that they have seen.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::value::{Cells, Value, key_name};

/// The most names that a run shows, and the most bytes of each.
const MAX_NAMES: usize = 1_000;
const MAX_NAME: usize = 200;

/// The most values of a result that are searched for names.
const MAX_VALUES: usize = 2_000_000;

/// Words that mark a field as secret, such as `_token`, `_apiKey` and `_ssn_last4`.
const SECRETS: [&str; 13] = [
    "auth",
    "authorization",
    "cookie",
    "credential",
    "key",
    "passphrase",
    "passwd",
    "password",
    "pin",
    "pwd",
    "secret",
    "ssn",
    "token",
];

/// The fields of a tool's results that models do not see. Only names that begin with `_` are among them. As [`Cells`]
/// they make the formatter show the other fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Option<Vec<String>>", into = "Option<Vec<String>>")]
pub enum HiddenFields {
    /// All of them.
    #[default]
    Underscored,
    /// Those with these names, and those whose names have a word for a secret: `_token`, `_apiKey`, `_ssn`.
    Named(Arc<[String]>),
}

impl HiddenFields {
    /// Those with these names, and those that a word marks as secret.
    pub fn named<N: Into<String>>(names: impl IntoIterator<Item = N>) -> HiddenFields {
        HiddenFields::Named(names.into_iter().map(Into::into).collect())
    }

    /// Whether all names that begin with `_` are hidden.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == HiddenFields::Underscored
    }

    /// Whether models do not see the field of this name.
    #[must_use]
    pub fn hides(&self, name: &str) -> bool {
        name.starts_with('_')
            && match self {
                HiddenFields::Underscored => true,
                HiddenFields::Named(names) => names.iter().any(|hidden| hidden == name) || is_secret(name),
            }
    }
}

impl From<Option<Vec<String>>> for HiddenFields {
    fn from(names: Option<Vec<String>>) -> HiddenFields {
        names.map_or(HiddenFields::Underscored, HiddenFields::named)
    }
}

impl From<HiddenFields> for Option<Vec<String>> {
    fn from(hidden: HiddenFields) -> Option<Vec<String>> {
        match hidden {
            HiddenFields::Underscored => None,
            HiddenFields::Named(names) => Some(names.to_vec()),
        }
    }
}

/// Whether a word of the name marks it as secret.
fn is_secret(name: &str) -> bool {
    let mut word = String::new();
    let mut was_lower = false;
    for letter in name.chars().chain(['_']) {
        let is_start = letter.is_uppercase() && was_lower;
        if (is_start || !letter.is_alphabetic()) && !word.is_empty() {
            let plural = word.strip_suffix('s').filter(|_| !word.ends_with("ss")).unwrap_or(&word);
            if SECRETS.iter().any(|secret| *secret == word || *secret == plural) {
                return true;
            }
            word.clear();
        }
        if letter.is_alphabetic() {
            // Bounded: by the name.
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    false
}

/// The names beginning with `_` that models see in a run, because a tool showed a field of this name. Cloning is cheap.
///
/// Each [`crate::Memory`] has them. As [`Cells`] they make the formatter show these entries:
///
/// ```
/// use ptc_lisp::text::{FormatOptions, format, format_with};
/// use ptc_lisp::{HiddenFields, ShownNames, Value};
///
/// let hit = Value::from_json_str(r#"{"_id": 7, "_token": "t0k3n"}"#)?;
/// let mut shown = ShownNames::default();
/// shown.learn(&hit, &HiddenFields::named(["_score"]));
/// assert_eq!(format(&hit, &FormatOptions::full()).text, "{}");
/// assert_eq!(format_with(&hit, &FormatOptions::full(), &shown).text, "{:_id 7}");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<String>", into = "Vec<String>")]
pub struct ShownNames(Option<Arc<BTreeSet<Box<str>>>>);

impl ShownNames {
    /// Add the names of the fields of a result, except the hidden ones. At most 1,000 names of 200 bytes are kept, of at
    /// most two million values; others stay hidden.
    ///
    /// Cost: linear in the result, unless all its fields that begin with `_` are hidden.
    pub fn learn(&mut self, result: &Value, hidden: &HiddenFields) {
        if hidden.is_default() {
            return;
        }
        let mut waiting = VecDeque::from([result]);
        for _ in 0..MAX_VALUES {
            let Some(value) = waiting.pop_front() else { return };
            match value {
                Value::Vector(items) => waiting.extend(items.iter().filter(|item| holds_fields(item))),
                Value::Set(items) => waiting.extend(items.iter().filter(|item| holds_fields(item))),
                Value::Map(map) => {
                    for (key, inner) in map {
                        if let Some(name) = key_name(key).filter(|name| name.starts_with('_') && !hidden.hides(name)) {
                            self.add(name);
                        }
                        // Bounded: by the result, which the host holds.
                        waiting.extend(holds_fields(inner).then_some(inner));
                    }
                }
                _ => {}
            }
        }
    }

    /// Whether an entry of this name is shown.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.as_ref().is_some_and(|names| names.contains(name))
    }

    /// Whether an entry of this name is hidden: it begins with `_`, and no tool has shown one.
    #[must_use]
    pub fn hides(&self, name: &str) -> bool {
        name.starts_with('_') && !self.has(name)
    }

    /// Whether an entry under this key is hidden.
    #[must_use]
    pub fn hides_key(&self, key: &Value) -> bool {
        key_name(key).is_some_and(|name| self.hides(name))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|names| names.iter()).map(AsRef::as_ref)
    }

    fn add(&mut self, name: &str) {
        if self.has(name) || name.len() > MAX_NAME || self.iter().count() >= MAX_NAMES {
            return;
        }
        Arc::make_mut(self.0.get_or_insert_default()).insert(name.into());
    }
}

impl<N: AsRef<str>> FromIterator<N> for ShownNames {
    fn from_iter<I: IntoIterator<Item = N>>(names: I) -> ShownNames {
        let mut shown = ShownNames::default();
        names.into_iter().for_each(|name| shown.add(name.as_ref()));
        shown
    }
}

impl From<Vec<String>> for ShownNames {
    fn from(names: Vec<String>) -> ShownNames {
        names.into_iter().collect()
    }
}

impl From<ShownNames> for Vec<String> {
    fn from(names: ShownNames) -> Vec<String> {
        names.iter().map(str::to_owned).collect()
    }
}

impl Cells for ShownNames {
    fn shows(&self, name: &str) -> bool {
        self.has(name)
    }
}

impl Cells for HiddenFields {
    fn shows(&self, name: &str) -> bool {
        !self.hides(name)
    }
}

fn holds_fields(value: &Value) -> bool {
    matches!(value, Value::Vector(_) | Value::Set(_) | Value::Map(_))
}
