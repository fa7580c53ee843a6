//! Calls of tools while a program runs: a line for each, for people who watch.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::{FormatOptions, format_within, one_line, shortened};
use ptc_runner::transcript::{Event, EventKind, Observer, SpanId};

use super::aside;
use crate::output::{self, live, words};

/// Lines about calls of one program; further calls are counted.
const MAX_LINES: usize = 20;
/// Characters shown of arguments and results.
const MAX_VALUE: usize = 40;
/// How long a call or a program may take before it is reported as still running.
const LONG: Duration = Duration::from_secs(1);

/// Reports the progress of calls on standard error.
#[derive(Default)]
pub(super) struct CallProgress {
    /// Whether a person sees it.
    is_watched: bool,
    seen: Mutex<CallsInFlight>,
}

struct CallsInFlight {
    began: Instant,
    /// The run of the program; agents that it calls have their own.
    run: Option<SpanId>,
    /// Whether a person is asked about calls: the line of the question is reserved for that.
    asks: bool,
    /// Calls in flight.
    open: HashMap<SpanId, Call>,
    lines: usize,
    calls: usize,
}

impl Default for CallsInFlight {
    fn default() -> CallsInFlight {
        CallsInFlight { began: Instant::now(), run: None, asks: false, open: HashMap::new(), lines: 0, calls: 0 }
    }
}

struct Call {
    text: String,
    since: Instant,
}

impl CallProgress {
    pub(super) fn new(is_watched: bool) -> CallProgress {
        CallProgress { is_watched, seen: Mutex::default() }
    }

    /// Another program starts.
    pub(super) fn begin(&self) {
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = CallsInFlight::default();
    }

    /// The program has ended: report how many calls had no line.
    pub(super) fn end(&self) {
        live::clear();
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let further = seen.calls.saturating_sub(MAX_LINES);
        if self.is_watched && further > 0 {
            aside(&format!("  … {}", output::counted(further, "further call")));
        }
    }

    /// Show on the last line of the terminal what takes long: a call, else the program.
    pub(super) fn tell_long(&self) {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let call = seen.open.values().min_by_key(|call| call.since);
        let (what, since) = call.map_or(("running", seen.began), |call| (call.text.as_str(), call.since));
        if self.is_watched && !seen.asks && since.elapsed() > LONG {
            live::show(&format!("{what} · Ctrl-C interrupts it"), since.elapsed());
        }
    }

    /// The line about an event, if it has one.
    fn told(&self, event: &Event) -> Option<String> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let how = match &event.kind {
            EventKind::RunStart { .. } => {
                seen.run.get_or_insert(event.span);
                return None;
            }
            EventKind::ApprovalStart { .. } | EventKind::ApprovalStop { .. } => {
                seen.asks = matches!(event.kind, EventKind::ApprovalStart { .. });
                live::clear();
                return None;
            }
            EventKind::ToolStart { tool_name, args } if event.parent == seen.run => {
                let text = format!("tool/{tool_name} {}", brief(&words::named(args)));
                seen.open.insert(event.span, Call { text, since: Instant::now() });
                return None;
            }
            EventKind::ToolStop { duration, result, .. } => {
                format!("→ {} · {}", brief(result), words::duration(*duration))
            }
            EventKind::ToolException { duration, reason, .. } => {
                format!("failed after {}: {}", words::duration(*duration), one_line(reason))
            }
            _ => return None,
        };
        let call = seen.open.remove(&event.span)?;
        seen.calls += 1;
        if seen.lines >= MAX_LINES {
            return None;
        }
        seen.lines += 1;
        Some(format!("  {} {how}", call.text))
    }
}

impl Observer for CallProgress {
    fn on_event(&self, event: &Event) {
        if let Some(line) = self.told(event).filter(|_| self.is_watched) {
            // A cut text ends with three dots.
            aside(&shortened(&line, output::columns().unwrap_or(usize::MAX).saturating_sub(4)));
        }
    }
}

fn brief(value: &Value) -> String {
    let options = FormatOptions { hide: false, ..FormatOptions::tool_args() };
    format_within(value, &options, MAX_VALUE).text
}
