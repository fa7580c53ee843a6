//! The usage of a run: three boxes of numbers.

use std::collections::BTreeMap;

use ptc_chat::Tokens;
use ptc_compression::words::grouped;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::{ToolRecord, Value};
use ptc_transcript::{CompressionStats, RunUsage, Step, Turn};

use super::paper::{BoxWriter, Ink};

/// Steps by which a token ceiling shortens a request.
const CEILING_STEPS: usize = 10;
/// Argument lists shown per tool.
const SAMPLES: usize = 3;

/// Usage, tool calls and compression, each if anything is known about it.
pub(super) fn write(step: &Step, paper: &mut BoxWriter) {
    usage(step, paper);
    turns(step, paper);
    let calls: Vec<&ToolRecord> = step.turns().iter().flat_map(|turn| turn.tool_calls()).collect();
    if !calls.is_empty() {
        tool_calls(&calls, paper);
    }
    if let Some(stats) = step.usage.compression.as_ref().filter(|stats| stats.enabled) {
        compression(stats, paper);
    }
}

fn usage(step: &Step, paper: &mut BoxWriter) {
    let usage = &step.usage;
    paper.begin("Usage");
    let mut field = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            paper.field(name, 14, &value);
        }
    };
    field("Input tokens", usage.input_tokens.map(grouped));
    field("Output tokens", usage.output_tokens.map(grouped));
    field("System prompt", usage.system_prompt_tokens.map(|estimate| system_prompt(estimate, usage)));
    field("Memory", (usage.memory_bytes > 0).then(|| bytes(usage.memory_bytes)));
    field("Duration", Some(format!("{}ms", grouped(usage.duration_ms))));
    field("Turns", Some(grouped(usage.turns)));
    let mut below = Called::default();
    step.child_steps.iter().for_each(|child| below.add(child));
    field("Called agents", (below.runs > 0).then(|| below.to_text()));
    paper.end();
}

/// The runs below one, and what models counted of them.
#[derive(Default)]
struct Called {
    runs: usize,
    unknown: usize,
    input: u64,
    output: u64,
}

impl Called {
    fn add(&mut self, step: &Step) {
        self.runs += 1;
        self.unknown += usize::from(step.usage.input_tokens.is_none());
        self.input += step.usage.input_tokens.unwrap_or(0);
        self.output += step.usage.output_tokens.unwrap_or(0);
        step.child_steps.iter().for_each(|child| self.add(child));
    }

    fn to_text(&self) -> String {
        let unknown = match self.unknown {
            0 => String::new(),
            unknown => format!(", {} of them without counts", grouped(unknown)),
        };
        format!(
            "{} run(s){unknown}, input {}, output {}, not in the sums above",
            grouped(self.runs),
            grouped(self.input),
            grouped(self.output)
        )
    }
}

/// A line per turn: the estimated size of its request, and the counts of the provider.
fn turns(step: &Step, paper: &mut BoxWriter) {
    if step.usage.estimates.is_empty() {
        return;
    }
    paper.begin("Tokens by Turn (estimated | counted)");
    let head = ["Turn", "prefix", "history", "sum", "input", "cached", "output"];
    paper.block(Ink::Label, 2, &columns(head.map(str::to_owned)));
    for estimate in &step.usage.estimates {
        let tokens = step.turns().iter().find(|turn| turn.number() == estimate.turn).and_then(Turn::tokens);
        let counted = |of: fn(Tokens) -> u64| tokens.map(of);
        let cells = [
            Some(estimate.turn as u64),
            Some(estimate.prefix),
            Some(estimate.history),
            Some(estimate.total()),
            counted(|tokens| tokens.input),
            counted(|tokens| tokens.cached),
            counted(|tokens| tokens.output),
        ];
        paper.block(Ink::Plain, 2, &columns(cells.map(|number| number.map_or_else(|| "-".to_owned(), grouped))));
    }
    paper.end();
}

/// Aligned cells: the first one to the left, the others to the right.
fn columns(cells: [String; 7]) -> String {
    let [turn, rest @ ..] = cells;
    rest.iter().fold(format!("{turn:<4}"), |line, cell| format!("{line} {cell:>7}"))
}

/// The estimate and, if input was counted, its share over all turns.
fn system_prompt(estimate: u64, usage: &RunUsage) -> String {
    let sent = estimate.saturating_mul(usage.turns as u64);
    match usage.input_tokens.filter(|input| *input > 0) {
        Some(input) => {
            let percent = (sent.saturating_mul(200) / input).saturating_add(1) / 2;
            format!("{} (est. size, ~{percent}% of input)", grouped(estimate))
        }
        None => format!("{} (est. size)", grouped(estimate)),
    }
}

fn tool_calls(calls: &[&ToolRecord], paper: &mut BoxWriter) {
    let mut by_tool: BTreeMap<&str, Vec<&ToolRecord>> = BTreeMap::new();
    for call in calls {
        by_tool.entry(&call.name).or_default().push(call);
    }
    let mut tools: Vec<(&str, Vec<&ToolRecord>)> = by_tool.into_iter().collect();
    // Stable, so that equal counts stay in order of their names.
    tools.sort_by_key(|(_, calls)| std::cmp::Reverse(calls.len()));
    paper.begin("Tool Calls");
    for (name, calls) in tools {
        let kept = match calls.iter().filter(|call| call.from_failed_turn).count() {
            0 => String::new(),
            kept => format!(" ({} from the failed turn)", grouped(kept)),
        };
        paper.block(Ink::Label, 2, &format!("{name} × {}{kept}", grouped(calls.len())));
        for (place, call) in calls.iter().take(SAMPLES).enumerate() {
            paper.block(Ink::Plain, 4, &format!("{}. {}", place + 1, arguments(call)));
        }
        if calls.len() > SAMPLES {
            paper.block(Ink::Plain, 4, &format!("... +{} more", grouped(calls.len() - SAMPLES)));
        }
    }
    paper.end();
}

fn arguments(call: &ToolRecord) -> String {
    match &call.surface {
        Value::Nil => "{}".to_owned(),
        args => format(args, &FormatOptions::tool_args()).text,
    }
}

fn compression(stats: &CompressionStats, paper: &mut BoxWriter) {
    paper.begin("Compression");
    let mut field = |name: &str, value: String| paper.field(name, 13, &value);
    field("Strategy", stats.strategy.clone());
    field("Turns", format!("{} compressed", grouped(stats.turns_compressed)));
    if stats.tool_calls_total > 0 {
        field("Tool calls", shown(stats.tool_calls_shown, stats.tool_calls_total, stats.tool_calls_dropped));
    }
    if stats.printlns_total > 0 {
        field("Printlns", shown(stats.printlns_shown, stats.printlns_total, stats.printlns_dropped));
    }
    if let Some(step) = stats.ceiling_step.filter(|step| *step > 0) {
        field("Ceiling", format!("last request shortened, step {step} of {CEILING_STEPS}"));
    }
    if stats.error_turns_collapsed > 0 {
        field("Errors", format!("{} turn(s) collapsed", grouped(stats.error_turns_collapsed)));
    }
    paper.end();
}

fn shown(shown: usize, total: usize, dropped: usize) -> String {
    let left_out = if dropped > 0 { format!(" ({} dropped)", grouped(dropped)) } else { String::new() };
    format!("{}/{} shown{left_out}", grouped(shown), grouped(total))
}

/// `812 B`, `3.4 KB`, `1.2 MB`; a KB has 1,024 bytes.
pub(super) fn bytes(number: u64) -> String {
    let tenths = |unit: u64| {
        let tenths = number.saturating_mul(10).saturating_add(unit / 2) / unit;
        format!("{}.{}", grouped(tenths / 10), tenths % 10)
    };
    match number {
        0..1_024 => format!("{} B", grouped(number)),
        1_024..1_048_576 => format!("{} KB", tenths(1_024)),
        _ => format!("{} MB", tenths(1_048_576)),
    }
}
