//! Iterating over the matches of a pattern in a text, like Java's matcher.

use regex::CaptureLocations;

use crate::error::Res;
use crate::stdlib::Call;
use crate::stdlib::text::piece_of;
use crate::value::{Pattern, SearchResult, Value, reserve};

/// The matches of a pattern from left to right. Each search charges fuel and looks at the deadline.
pub(in crate::stdlib) struct Matches<'t> {
    regex: &'t Pattern,
    text: &'t str,
    /// Where the next search starts; `None` after the end.
    from: Option<usize>,
    groups: CaptureLocations,
    /// The groups of the last match in a long text.
    long_groups: Option<Vec<Option<(usize, usize)>>>,
}

impl<'t> Matches<'t> {
    /// All matches of `regex` in `text`.
    pub fn new(regex: &'t Pattern, text: &'t str) -> Matches<'t> {
        Matches { regex, text, from: Some(0), groups: regex.capture_locations(), long_groups: None }
    }

    /// The next match by its bytes.
    pub fn next(&mut self, call: &mut Call<'_>) -> Res<Option<(usize, usize)>> {
        self.search(call, false)
    }

    /// The next match by its bytes, with groups.
    pub fn next_groups(&mut self, call: &mut Call<'_>) -> Res<Option<(usize, usize)>> {
        self.search(call, true)
    }

    /// The search after an empty match starts one character later.
    fn search(&mut self, call: &mut Call<'_>, groups: bool) -> Res<Option<(usize, usize)>> {
        call.charge(1)?;
        // One search may read the whole text: the deadline is checked before each search, not only by fuel.
        if call.cx.meter.is_late() {
            call.cx.meter.look_at_clock()?;
        }
        let Some(from) = self.from else { return Ok(None) };
        let found = match self.in_long_text(call, from, groups)? {
            Some(found) => found,
            None if groups => {
                self.long_groups = None;
                self.regex.captures_read_at(&mut self.groups, self.text, from).map(|whole| (whole.start(), whole.end()))
            }
            None => self.regex.find_at(self.text, from).map(|whole| (whole.start(), whole.end())),
        };
        self.from = found.and_then(|(start, end)| {
            if end > start {
                return Some(end);
            }
            self.text.get(end..)?.chars().next().map(|c| end + c.len_utf8())
        });
        Ok(found)
    }

    /// The text of a group of the last match; `None` when the group did not take part.
    pub fn group(&self, index: usize) -> Option<&'t str> {
        let (start, end) = match &self.long_groups {
            Some(groups) => groups.get(index).copied().flatten()?,
            None => self.groups.get(index)?,
        };
        self.text.get(start..end)
    }

    /// The next match, when enough text is left that the search has to look at the clock. `None` when there is less, or
    /// when only the usual engine can decide.
    fn in_long_text(&mut self, call: &mut Call<'_>, from: usize, groups: bool) -> Res<Option<Option<(usize, usize)>>> {
        if self.text.len() - from.min(self.text.len()) <= self.regex.stretch() {
            return Ok(None);
        }
        Ok(match self.regex.find_long(self.text, from, groups, call.meter())? {
            SearchResult::Match { start, end, groups } => {
                self.long_groups = Some(groups);
                Some(Some((start, end)))
            }
            SearchResult::Nothing => Some(None),
            SearchResult::Unknown => None,
        })
    }

    /// The last match as programs see it: its text, or whole and groups.
    pub fn value(&self, call: &mut Call<'_>) -> Res {
        if self.regex.captures_len() == 1 {
            return self.string(call, 0);
        }
        let mut parts = Vec::new();
        reserve(&mut parts, self.regex.captures_len(), call.meter())?;
        for index in 0..self.regex.captures_len() {
            let part = self.string(call, index)?;
            call.push(&mut parts, part)?;
        }
        call.paid_vector(parts)
    }

    fn string(&self, call: &mut Call<'_>, index: usize) -> Res {
        self.group(index).map_or(Ok(Value::Nil), |text| piece_of(call, text))
    }
}
