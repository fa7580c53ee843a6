//! The private state of a fiber besides its registers and frames: what it printed and called, and what only it sees.

use std::time::Duration;

use indexmap::IndexMap;

use crate::session::host::{ToolCall, ToolRecord};
use crate::session::outcome::ParallelRecord;
use crate::value::Value;

/// Bytes of an entry of a table of texts, without the texts.
pub(crate) const ENTRY: usize = 96;

/// The state of the running fiber that its siblings do not see; a switch of fibers exchanges it as a whole.
#[derive(Default)]
pub(crate) struct FiberLocal {
    /// The call that the fiber waits for.
    pub pending: Option<Pending>,
    pub left: FiberOutput,
    /// The line that `print` has started.
    pub open_line: String,
    /// The characters of the open line.
    pub open_chars: usize,
    /// The characters that the open line lacks.
    pub open_missing: usize,
    /// Bodies of `with-out-str` that are running, innermost last.
    pub captures: Vec<String>,
    /// Finished tasks by id (`task`).
    pub tasks: IndexMap<String, Value>,
    /// What `step-done` recorded; later entries of an id replace earlier ones.
    pub summaries: IndexMap<String, String>,
}

/// The visible results of a fiber so far.
#[derive(Default)]
pub(crate) struct FiberOutput {
    /// Finished lines, oldest first.
    pub prints: Vec<String>,
    /// Lines before them that are not kept.
    pub dropped: usize,
    /// The characters that each line lacks.
    pub missing: Vec<usize>,
    /// One record for each finished call of a tool.
    pub records: Vec<ToolRecord>,
    /// One record for each finished `pmap` and `pcalls`.
    pub parallel: Vec<ParallelRecord>,
}

/// A tool call that the host has not answered.
pub(crate) struct Pending {
    pub call: ToolCall,
    /// Its number among the tools.
    pub tool: usize,
    /// When it started, as time of the meter.
    pub started: Duration,
    pub started_micros: i64,
    /// Whether the host changed the arguments.
    pub edited: bool,
    pub dest: Dest,
}

impl Pending {
    /// Values that only the call holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        visit(&self.call.args);
        visit(&self.call.surface);
    }
}

/// Where the value of a native frame goes.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Dest {
    /// An absolute register.
    Register(usize),
    /// To the native frame below.
    Native,
    /// Nowhere: the instruction runs again.
    Retry,
    /// Nowhere: the native frame below calls its builtin again with this many arguments.
    RetryCall(usize),
    /// Nowhere: the native frame below is stepped again.
    Restep,
    /// Ends the branch.
    Exit,
}

impl FiberLocal {
    /// Forget everything but the tasks, and keep the capacity.
    pub fn reset(&mut self) {
        // All fields are named so that none is forgotten.
        let FiberLocal { pending, left, open_line, open_chars, open_missing, captures, tasks: _, summaries } = self;
        let FiberOutput { prints, missing, dropped, records, parallel } = left;
        *dropped = 0;
        *pending = None;
        prints.clear();
        missing.clear();
        records.clear();
        parallel.clear();
        open_line.clear();
        *open_chars = 0;
        *open_missing = 0;
        captures.clear();
        summaries.clear();
    }

    /// What a finished fiber leaves; an open line counts as a line.
    pub fn leave(&mut self) -> &mut FiberOutput {
        if !self.open_line.is_empty() {
            let line = std::mem::take(&mut self.open_line);
            self.left.print(line, std::mem::take(&mut self.open_missing));
            self.open_chars = 0;
        }
        &mut self.left
    }

    /// The values that it holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        self.pending.iter().for_each(|pending| pending.visit(visit));
        self.tasks.values().for_each(&mut *visit);
        self.left.visit(visit);
    }

    /// Bytes that it holds apart from its values: printed text, records, tasks and summaries.
    pub fn own_bytes(&self) -> usize {
        let summaries = self.summaries.iter().map(|(id, summary)| id.capacity() + summary.capacity() + ENTRY);
        self.left.own_bytes()
            + self.open_line.capacity()
            + self.captures.iter().map(String::capacity).sum::<usize>()
            + self.task_bytes()
            + summaries.sum::<usize>()
    }

    /// Bytes of the table of tasks, without their values.
    pub fn task_bytes(&self) -> usize {
        self.tasks.keys().map(|id| id.capacity() + ENTRY).sum()
    }
}

impl FiberOutput {
    /// Add a finished line that lacks this many characters.
    pub fn print(&mut self, line: String, missing: usize) {
        // Bounded: by the limit of printed lines; the caller drops the oldest.
        self.prints.push(line);
        self.missing.push(missing);
    }

    /// Drop all but the newest lines, and count the others.
    pub fn keep_newest(&mut self, lines: usize) {
        let surplus = self.prints.len().saturating_sub(lines);
        self.prints.drain(..surplus);
        self.missing.drain(..surplus);
        self.dropped += surplus;
    }

    /// Add a whole line before all others.
    pub fn print_first(&mut self, line: String) {
        // Bounded: one line more than are kept.
        self.prints.insert(0, line);
        self.missing.insert(0, 0);
    }

    /// Add what another fiber left; `other` keeps its capacity.
    pub fn append(&mut self, other: &mut FiberOutput) {
        self.prints.append(&mut other.prints);
        self.dropped += other.dropped;
        self.missing.append(&mut other.missing);
        self.parallel.append(&mut other.parallel);
        if self.records.is_empty() {
            std::mem::swap(&mut self.records, &mut other.records);
        } else {
            self.records.append(&mut other.records);
        }
    }

    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for record in &self.records {
            record.visit(visit);
        }
    }

    pub fn own_bytes(&self) -> usize {
        let lines: usize = self.prints.iter().map(|line| line.capacity() + 32).sum();
        lines + self.records_bytes() + self.parallel.capacity() * size_of::<ParallelRecord>()
    }

    /// Bytes of the records of tool calls, without their values.
    pub fn records_bytes(&self) -> usize {
        let text = |record: &ToolRecord| record.name.len() + record.error.as_ref().map_or(0, String::len) + 48;
        self.records.capacity() * size_of::<ToolRecord>() + self.records.iter().map(text).sum::<usize>()
    }
}
