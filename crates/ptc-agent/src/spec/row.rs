//! What is known about one option.

use std::time::Duration;

use serde_json::{Value as Json, json};

/// One option of agents or runs, as data: for code that reads, checks or lists options.
///
/// ```
/// use ptc_agent::AgentSpec;
///
/// let row = AgentSpec::OPTIONS.iter().find(|row| row.name == "max_turns").unwrap();
/// assert_eq!(row.rule(), "max_turns must be an integer above 0");
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct OptionRow {
    /// Its name, in code and in mission files.
    pub name: &'static str,
    /// What it is, in sentences, without its default.
    pub doc: &'static str,
    /// The values that it takes.
    pub kind: OptionKind,
    /// Whether there may be no value.
    pub is_optional: bool,
    /// Whether it changes the course of a run: journals hold its value.
    pub decides_course: bool,
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum OptionKind {
    /// An integer.
    Count {
        /// The lowest.
        least: u64,
        /// The highest.
        most: u64,
    },
    /// A time above 0.
    Time,
    /// Bytes, above 0.
    Bytes,
    /// Yes or no.
    Flag,
    /// A text.
    Text,
    /// A text with more than blanks.
    Line,
    /// Texts by name.
    Texts,
    /// One of several names.
    Choice {
        /// What is chosen.
        what: &'static str,
        /// The names.
        names: fn() -> &'static [&'static str],
    },
    /// Its own options.
    Table(&'static [OptionRow]),
    /// A shape that no other option has: which.
    Own(&'static str),
}

impl OptionKind {
    /// Integers from 0 on.
    pub(super) const ANY: OptionKind = OptionKind::Count { least: 0, most: u32::MAX as u64 };
    /// Integers from 1 on.
    pub(super) const POSITIVE: OptionKind = OptionKind::Count { least: 1, most: u32::MAX as u64 };
    /// Large numbers, of tokens and units of work, from 1 on.
    pub(super) const UNITS: OptionKind = OptionKind::Count { least: 1, most: u64::MAX };
}

impl OptionRow {
    /// The rule that a value of another kind breaks.
    #[must_use]
    pub fn rule(&self) -> String {
        let must = match &self.kind {
            OptionKind::Count { least: 0, .. } => "be an integer, 0 or more",
            OptionKind::Count { .. } | OptionKind::Time | OptionKind::Bytes => "be an integer above 0",
            OptionKind::Flag => "be a boolean",
            OptionKind::Text | OptionKind::Line => "be text",
            OptionKind::Texts | OptionKind::Table(_) => "be a map",
            OptionKind::Choice { .. } => "be one of the known names",
            OptionKind::Own(_) => "have its documented shape",
        };
        let absent = if self.is_optional && self.is_number() { ", or absent" } else { "" };
        format!("{} must {must}{absent}", self.name)
    }

    /// Whether values of its type can break its rule.
    pub(super) fn is_bounded(&self) -> bool {
        self.is_number() || matches!(self.kind, OptionKind::Line)
    }

    fn is_number(&self) -> bool {
        matches!(self.kind, OptionKind::Count { .. } | OptionKind::Time | OptionKind::Bytes)
    }

    /// What is wrong with a value in the form in which serde writes it, as far as numbers and blank texts go.
    pub(super) fn broken_by(&self, value: &Json) -> Option<String> {
        match self.kind {
            OptionKind::Count { least, .. } if value.as_u64().is_some_and(|number| number < least) => Some(self.rule()),
            OptionKind::Bytes if value.as_u64() == Some(0) => Some(self.rule()),
            OptionKind::Time if *value == json!(Duration::ZERO) => Some(self.rule()),
            OptionKind::Line if value.as_str().is_some_and(|text| text.trim().is_empty()) => Some(self.blank()),
            _ => None,
        }
    }

    /// The rule that a blank text breaks.
    #[must_use]
    pub fn blank(&self) -> String {
        format!("{} must not be empty", self.name)
    }
}
