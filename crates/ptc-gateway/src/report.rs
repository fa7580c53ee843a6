//! What a client reads of a program, within a number of tokens.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use ptc_compression::TokenCounter;
use ptc_lisp::{FormatOptions, MemoryEntry, ToolRecord, Value, format_within};
use ptc_mission::tool_call_line;
use ptc_transcript::{Step, ValueForm, json_of, without_hidden};
use serde_json::{Map, Value as Json, json};

/// Tokens of everything when nothing else is said.
pub(crate) const TOKENS: usize = 10_000;

/// Characters tried first of a value that is cut.
const CUT_CHARS: usize = 24_000;

/// Bytes of a token above which a text is too long without being counted.
const MOST_BYTES: usize = 32;

/// Calls that are told one by one.
const MAX_CALLS: usize = 40;

/// Who counts, and how far.
#[derive(Clone, Copy)]
pub(crate) struct Budget<'a> {
    pub counter: &'a dyn TokenCounter,
    pub tokens: usize,
}

impl Budget<'_> {
    fn part(&self, hundredths: usize) -> usize {
        self.tokens * hundredths / 100
    }

    fn count(&self, json: &Json) -> usize {
        self.counter.count(&json.to_string())
    }

    /// Whether it has at most so many tokens. Texts that are very short or very long need not be counted: a token is at
    /// least a byte, and seldom more than a few.
    fn holds(&self, json: &Json, tokens: usize) -> bool {
        let text = json.to_string();
        match text.len() {
            bytes if bytes <= tokens => true,
            bytes if bytes > tokens.saturating_mul(MOST_BYTES) => false,
            _ => self.counter.count(&text) <= tokens,
        }
    }

    /// The first of these lines that fit, and how many were left out.
    fn lines(&self, lines: Vec<String>, tokens: usize) -> (Vec<Json>, usize) {
        let total = lines.len();
        let mut left = tokens;
        let mut kept = Vec::new();
        for line in lines {
            let text = json!(line);
            let cost = self.count(&text) + 1;
            let Some(rest) = left.checked_sub(cost) else {
                // A line that alone is too long is cut rather than left out.
                if kept.is_empty() {
                    kept.push(json!(ptc_lisp::shortened(&line, tokens)));
                }
                break;
            };
            left = rest;
            kept.push(text);
        }
        let left_out = total - kept.len();
        (kept, left_out)
    }
}

/// Add a field to an object.
pub(crate) fn put(object: &mut Json, name: &str, value: Json) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}

/// What became of a program.
pub(crate) fn report(session: &str, step: &Step, notes: &[String], budget: Budget<'_>) -> Json {
    let mut said = Map::new();
    let mut cut = Vec::new();
    said.insert("session".to_owned(), json!(session));
    said.insert("status".to_owned(), json!(if step.is_ok() { "ok" } else { "failed" }));
    if !notes.is_empty() {
        said.insert("notes".to_owned(), json!(notes));
    }
    match &step.result {
        Ok(value) => drop(said.insert("value".to_owned(), shown(value, budget, budget.part(60), &mut cut))),
        Err(fail) => {
            let message = ptc_lisp::shortened(&fail.message, budget.part(60));
            said.insert("error".to_owned(), json!({"reason": fail.reason.as_str(), "message": message}));
        }
    }
    let mut lines = |name: &str, lines: Vec<String>, hundredths: usize, instead: &str| {
        if lines.is_empty() {
            return;
        }
        let (kept, left_out) = budget.lines(lines, budget.part(hundredths));
        if left_out > 0 {
            cut.push(format!("{name}: {left_out} more; {instead}"));
        }
        said.insert(name.to_owned(), Json::Array(kept));
    };
    lines("prints", step.prints.clone(), 14, "print less in the next program");
    let turn = step.turns().first();
    let warnings = turn.map(|turn| turn.warnings()).unwrap_or_default();
    let warnings = warnings.iter().map(|one| format!("line {}: {}", one.line, one.message)).collect();
    lines("warnings", warnings, 4, "they repeat");
    lines("calls", calls(&step.tool_calls), 10, "the audit log has each");
    let defined = step.memory.entries().iter().filter(|entry| !entry.name.starts_with('_'));
    let defined = defined.map(definition).collect();
    lines("definitions", defined, 6, "they are there all the same");
    if !cut.is_empty() {
        said.insert("cut".to_owned(), json!(cut));
    }
    within(Json::Object(said), budget)
}

/// The value as JSON, or its beginning as text when it is too long.
fn shown(value: &Value, budget: Budget<'_>, tokens: usize, cut: &mut Vec<String>) -> Json {
    let whole = without_hidden(json_of(value, ValueForm::Plain));
    if budget.holds(&whole, tokens) {
        return whole;
    }
    let mut characters = CUT_CHARS.min(tokens.saturating_mul(4));
    loop {
        let text = json!(format_within(value, &FormatOptions::full(), characters).text);
        if budget.holds(&text, tokens) || characters < 64 {
            cut.push(format!(
                "value: the beginning of {} is shown, as text; all of it is data/last in the next program",
                ptc_lisp::type_of(value)
            ));
            return text;
        }
        characters = characters * 3 / 4;
    }
}

/// `(area [w h]): its docstring` of a function, `orders: list[90]` of a value.
fn definition(entry: &MemoryEntry) -> String {
    match (&entry.params, &entry.doc) {
        (Some(params), Some(doc)) => format!("({} [{params}]): {doc}", entry.name),
        (Some(params), None) => format!("({} [{params}])", entry.name),
        (None, _) => format!("{}: {}", entry.name, entry.label),
    }
}

/// One line for each call; many of one kind are counted. Those that may have done something come first.
fn calls(records: &[ToolRecord]) -> Vec<String> {
    if records.len() > MAX_CALLS {
        return counted(records);
    }
    let (effects, others): (Vec<&ToolRecord>, Vec<&ToolRecord>) =
        records.iter().partition(|record| record.took_effect() || record.error.is_some());
    effects.into_iter().chain(others).map(line).collect()
}

fn line(record: &ToolRecord) -> String {
    let call = tool_call_line(record);
    match &record.error {
        Some(error) if record.perhaps_done => format!("{call}: outcome unknown, it may have been done: {error}"),
        Some(error) => format!("{call}: failed: {}", ptc_lisp::shortened(error, 300)),
        None if record.cached || record.from_failed_turn => format!("{call}: from the cache"),
        None if record.took_effect() => format!("{call}: done"),
        None => format!("{call}: ok"),
    }
}

fn counted(records: &[ToolRecord]) -> Vec<String> {
    let mut tools: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for record in records {
        let [ok, failed, unknown] = tools.entry(&record.name).or_default();
        match &record.error {
            Some(_) if record.perhaps_done => *unknown += 1,
            Some(_) => *failed += 1,
            None => *ok += 1,
        }
    }
    let told = |(name, [ok, failed, unknown]): (&str, [usize; 3])| {
        let mut text = format!("{name}: {} calls, {ok} done", ok + failed + unknown);
        if failed > 0 {
            text.push_str(&format!(", {failed} failed"));
        }
        if unknown > 0 {
            text.push_str(&format!(", {unknown} with unknown outcome"));
        }
        text
    };
    let mut lines: Vec<String> = tools.into_iter().map(told).collect();
    let unknown = records.iter().filter(|record| record.perhaps_done).take(MAX_CALLS).map(line);
    lines.extend(unknown);
    lines
}

/// Shorter until it fits: first the lists, then the value.
fn within(mut report: Json, budget: Budget<'_>) -> Json {
    for name in ["definitions", "warnings", "prints", "calls", "value"] {
        if budget.holds(&report, budget.tokens) {
            break;
        }
        if let Some(part) = report.get_mut(name) {
            *part = json!("cut: the answer would be too long");
        }
    }
    report
}

/// What the session remembers of a program that nobody heard the end of.
pub(crate) fn unheard(step: &Step) -> Option<String> {
    let lines: Vec<String> = step.tool_calls.iter().filter(|record| record.took_effect()).map(line).collect();
    (!lines.is_empty()).then(|| format!("the program before was stopped; it had called: {}", lines.join("; ")))
}
