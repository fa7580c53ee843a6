//! A trace for the viewers of browsers: `chrome://tracing`, Perfetto, Speedscope.

use ptc_lisp::text::shortened;
use serde_json::{Map as Object, Value as Json, json};

use crate::entry::Entry;
use crate::read::Trace;
use crate::tree::{SpanNode, SpanStatus, SpanTree};

/// Characters shown of an answer.
const RESPONSE_CHARACTERS: usize = 1_000;
/// Characters shown of the last message sent.
const PROMPT_CHARACTERS: usize = 500;

/// The trace in the Trace Event Format: one complete event per span, times in microseconds from the start of the trace.
///
/// Concurrent spans are on separate rows, each with the spans inside it. A span without an end lasts to the end of the
/// trace and says so. Cost: linear in the spans times the number of concurrent calls.
pub fn chrome_trace(trace: &Trace) -> Json {
    let tree = SpanTree::of(trace);
    let end = trace.duration_ms();
    let rows = rows(&tree, end);
    let whole = json!({
        "name": "trace", "cat": "trace", "ph": "X", "ts": 0, "dur": micros(end), "pid": 1, "tid": 0,
        "args": {"meta": trace.start.meta, "complete": trace.stop.is_some()},
    });
    let spans = tree.spans.iter().zip(rows).map(|(span, row)| complete(trace, span, row, end));
    json!({
        "traceEvents": std::iter::once(whole).chain(spans).collect::<Json>(),
        "metadata": {"source": "ptc-runner", "trace_id": trace.start.trace_id},
    })
}

fn complete(trace: &Trace, span: &SpanNode, row: usize, end: f64) -> Json {
    json!({
        "name": span.label,
        "cat": span.kind,
        "ph": "X",
        "ts": micros(span.start_ms),
        "dur": micros(span.duration_ms.unwrap_or(end - span.start_ms)),
        "pid": 1,
        "tid": row,
        "args": args(trace, span),
    })
}

/// The details shown for a span in addition to its name.
fn args(trace: &Trace, span: &SpanNode) -> Json {
    let mut args = Object::new();
    args.insert("status".to_owned(), json!(span.status));
    if span.status == SpanStatus::Open {
        args.insert("unfinished".to_owned(), json!(true));
    }
    if let Some(start) = trace.entries.get(span.start) {
        copy(start, &["turn", "model", "attempt", "args"], &mut args);
        if let Some(prompt) = prompt(start) {
            args.insert("prompt".to_owned(), json!(shortened(&prompt, PROMPT_CHARACTERS)));
        }
    }
    if let Some(stop) = span.stop.and_then(|stop| trace.entries.get(stop)) {
        copy(stop, &["program", "result", "reason", "error", "ending"], &mut args);
        if let Some(response) = stop.text("response") {
            args.insert("response".to_owned(), json!(shortened(response, RESPONSE_CHARACTERS)));
        }
        args.extend(stop.measurements.clone());
    }
    Json::Object(args)
}

fn copy(entry: &Entry, keys: &[&str], args: &mut Object<String, Json>) {
    args.extend(keys.iter().filter_map(|key| Some(((*key).to_owned(), entry.metadata.get(*key)?.clone()))));
}

/// The last message that was sent.
fn prompt(entry: &Entry) -> Option<String> {
    let last = entry.metadata.get("messages")?.as_array()?.last()?;
    Some(last.get("content")?.as_str()?.to_owned())
}

/// The row of each span: that of its parent, unless a sibling still occupies it.
fn rows(tree: &SpanTree, end: f64) -> Vec<usize> {
    let mut rows: Vec<usize> = Vec::with_capacity(tree.spans.len());
    // For each row of siblings: the parent, the row, and the time until which it is occupied.
    let mut lanes: Vec<Vec<(usize, f64)>> = vec![Vec::new(); tree.spans.len() + 1];
    let mut unused = 1;
    for span in &tree.spans {
        let own = span.parent.and_then(|parent| rows.get(parent)).copied().unwrap_or(0);
        let until = span.duration_ms.map_or(end, |duration| span.start_ms + duration);
        let Some(siblings) = lanes.get_mut(span.parent.map_or(0, |parent| parent + 1)) else { continue };
        let row = match siblings.iter_mut().find(|(_, taken)| *taken <= span.start_ms) {
            Some(free) => {
                free.1 = until;
                free.0
            }
            None => {
                let row = if siblings.is_empty() { own } else { unused };
                unused += usize::from(!siblings.is_empty());
                siblings.push((row, until));
                row
            }
        };
        rows.push(row);
    }
    rows
}

/// Whole microseconds; never below zero.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn micros(milliseconds: f64) -> u64 {
    (milliseconds.max(0.0) * 1000.0).round() as u64
}

#[cfg(test)]
mod tests;
