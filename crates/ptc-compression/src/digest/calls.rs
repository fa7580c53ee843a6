//! Calls as a digest lists them: reads of a tool in one line, calls that may have changed something one by one.

use std::collections::VecDeque;

use crate::words::{calls_section, tool_call_line, whole_call_line};
use indexmap::IndexMap;
use ptc_lisp::text::{escaped, shortened};
use ptc_lisp::{Effect, ToolRecord};

use crate::recent::outcome_text;

/// Characters of the error shown for all errors of a tool.
const ERROR_CHARS: usize = 60;

/// The calls of some turns, as far as they are listed.
#[derive(Clone, Default)]
pub(super) struct Calls {
    /// Maximum calls listed that may have changed something, the newest.
    limit: usize,
    /// Whether calls are listed with their results.
    results: bool,
    /// By the names of the tools.
    reads: IndexMap<String, Reads>,
    writes: VecDeque<String>,
    made: usize,
}

/// The reads of one tool.
#[derive(Clone, Default)]
struct Reads {
    count: usize,
    errors: usize,
    /// The newest error.
    error: String,
    /// The newest call.
    last: String,
}

impl Calls {
    pub fn new(limit: usize, results: bool) -> Calls {
        Calls { limit, results, ..Calls::default() }
    }

    pub fn push(&mut self, call: &ToolRecord) {
        self.made += 1;
        let outcome = outcome_text(call, self.results);
        if call.effect == Effect::Read {
            let reads = self.reads.entry(call.name.to_string()).or_default();
            reads.count += 1;
            reads.errors += usize::from(call.error.is_some());
            if let Some(error) = &call.error {
                reads.error = escaped(&shortened(error.lines().next().unwrap_or_default(), ERROR_CHARS)).into_owned();
            }
            reads.last = tool_call_line(call) + &outcome;
            return;
        }
        self.writes.push_back(whole_call_line(call) + &outcome);
        if self.writes.len() > self.limit {
            self.writes.pop_front();
        }
    }

    /// Number of calls made.
    pub fn made(&self) -> usize {
        self.made
    }

    /// At most `limit` lines of calls that may have changed something, and `characters` of them together, below the
    /// reads; and the number of lines. `None` without calls.
    pub fn section(&self, limit: usize, characters: usize) -> (Option<String>, usize) {
        let mut left = characters;
        let fits = |line: &&String| {
            let length = line.chars().count();
            let fits = length <= left;
            left = left.saturating_sub(length);
            fits
        };
        let mut writes: Vec<&String> = self.writes.iter().rev().take(limit).take_while(fits).collect();
        writes.reverse();
        let reads = self.reads.iter().map(|(name, reads)| reads.line(name));
        let listed = writes.len() + self.reads.values().map(|reads| reads.count).sum::<usize>();
        let shown = self.reads.len() + writes.len();
        let lines = reads.chain(writes.iter().map(|line| (*line).clone()));
        ((self.made > 0).then(|| calls_section(lines, self.made - listed)), shown)
    }
}

impl Reads {
    /// `owner × 35 (2 errors: 429 slow down), last: owner({:ip "10.0.0.35"})`
    fn line(&self, name: &str) -> String {
        let Reads { count, errors, error, last } = self;
        let errors = match errors {
            0 => String::new(),
            1 => format!(" (1 error: {error})"),
            errors => format!(" ({errors} errors: {error})"),
        };
        if *count == 1 { last.clone() } else { format!("{} × {count}{errors}, last: {last}", escaped(name)) }
    }
}
