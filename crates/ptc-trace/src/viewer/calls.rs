//! Calls of tools.

use ptc_lisp::ToolRecord;
use ptc_lisp::values::NoCells;
use serde::Serialize;

use super::shown::text;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallView {
    /// The tool.
    pub tool: String,
    /// The arguments as the program wrote them, named.
    pub args: String,
    /// The result, or why there is none.
    pub result: String,
    /// `ok`, `error`, `perhaps done`, `cached`, `from the failed turn`, or `running`.
    pub status: &'static str,
    /// Whether the approver changed the arguments of the program.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// Microseconds from the first call of the turn to this one.
    pub at_us: u64,
    /// Its duration in microseconds.
    pub took_us: u64,
    /// The run below that answered it, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub child: Option<usize>,
}

/// The calls of a turn. `child` says which run below answered a call.
pub(super) fn calls(records: &[ToolRecord], mut child: impl FnMut(&ToolRecord) -> Option<usize>) -> Vec<CallView> {
    let first = records.iter().map(|record| record.started_micros).min().unwrap_or_default();
    let view = |record: &ToolRecord| CallView {
        tool: record.name.to_string(),
        args: text(&record.surface, &NoCells),
        result: record.error.clone().unwrap_or_else(|| text(&record.result, &record.hidden_fields)),
        status: status(record),
        edited: record.edited,
        at_us: u64::try_from(record.started_micros.saturating_sub(first)).unwrap_or_default(),
        took_us: u64::try_from(record.duration.as_micros()).unwrap_or(u64::MAX),
        child: child(record),
    };
    records.iter().map(view).collect()
}

/// Microseconds in which at least one of these calls was in progress.
pub(super) fn clock_us(calls: &[CallView]) -> u64 {
    let mut spans: Vec<_> = calls.iter().map(|call| (call.at_us, call.at_us.saturating_add(call.took_us))).collect();
    spans.sort_unstable();
    let (mut sum, mut until) = (0u64, 0);
    for (from, to) in spans {
        sum = sum.saturating_add(to.saturating_sub(from.max(until)));
        until = until.max(to);
    }
    sum
}

impl CallView {
    /// For a running turn: a call without a known end is still running.
    pub(super) fn under_way(self) -> CallView {
        match self.status {
            "perhaps done" => CallView { status: "running", result: String::new(), ..self },
            _ => self,
        }
    }
}

fn status(record: &ToolRecord) -> &'static str {
    match record {
        ToolRecord { error: Some(_), may_have_run: true, .. } => "perhaps done",
        ToolRecord { error: Some(_), .. } => "error",
        ToolRecord { from_failed_turn: true, .. } => "from the failed turn",
        ToolRecord { cached: true, .. } => "cached",
        _ => "ok",
    }
}
