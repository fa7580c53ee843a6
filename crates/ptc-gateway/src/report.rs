//! What a client reads about a program, within a number of tokens.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use ptc_compression::words::tool_call_line;
use ptc_compression::{Redactor, TokenCounter};
use ptc_lisp::text::{FormatOptions, format_within_with, shortened};
use ptc_lisp::{MemoryEntry, ShownNames, ToolRecord, Value};
use ptc_transcript::{Step, TurnWarning, ValueForm, json_of, without_hidden};
use serde_json::{Map, Value as Json, json};

use crate::attachments::Attachments;

/// Default number of tokens of everything.
pub(crate) const TOKENS: usize = 10_000;

/// Characters of a cut value that are tried first.
const CUT_CHARS: usize = 24_000;

/// Bytes per token above which a text is too long without counting.
const MOST_BYTES: usize = 32;

/// Tokens for the names of parts, the handle and the remarks on parts that were cut.
const FRAME: usize = 220;

/// Calls that are listed one by one.
const MAX_CALLS: usize = 40;

/// The same, for a program that has ended.
const MAX_TOLD: usize = 10;

/// Names of hidden fields that are listed, and characters of each.
const MAX_NAMES: usize = 12;
const MAX_NAME: usize = 60;

/// The references in the value whose blocks follow the answer.
pub(crate) const ATTACHMENTS: &str = "attachments";

/// What counts tokens, and the limit.
#[derive(Clone, Copy)]
pub(crate) struct Budget<'a> {
    pub counter: &'a dyn TokenCounter,
    pub tokens: usize,
}

impl Budget<'_> {
    fn part(&self, hundredths: usize) -> usize {
        self.tokens.saturating_sub(FRAME) * hundredths / 100
    }

    fn count(&self, json: &Json) -> usize {
        self.counter.count(&json.to_string())
    }

    /// Whether it has at most this many tokens. Very short or very long texts need not be counted: a token is at least
    /// a byte, and seldom more than a few.
    fn holds(&self, json: &Json, tokens: usize) -> bool {
        let text = json.to_string();
        match text.len() {
            bytes if bytes <= tokens => true,
            bytes if bytes > tokens.saturating_mul(MOST_BYTES) => false,
            _ => self.counter.count(&text) <= tokens,
        }
    }

    /// The beginning of a text, with at most this many tokens.
    pub fn text(&self, text: &str, tokens: usize) -> String {
        let mut characters = tokens.saturating_mul(4);
        loop {
            let short = shortened(text, characters);
            if characters < 16 || self.holds(&json!(short), tokens) {
                return short.to_string();
            }
            characters = characters * 3 / 4;
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
                // A single line that is too long is cut rather than left out.
                if kept.is_empty() {
                    kept.push(json!(self.text(&line, tokens)));
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

/// Say what a report does not show whole.
pub(crate) fn note_cut(report: &mut Json, text: &str) {
    match report.get_mut("cut").and_then(Json::as_array_mut) {
        Some(cut) => cut.push(json!(text)),
        None => put(report, "cut", json!([text])),
    }
}

/// The outcome of a program; `warnings` were found before it ran.
pub(crate) fn report(
    session: &str,
    step: &Step,
    notes: &[String],
    warnings: &[TurnWarning],
    (budget, attachments): (Budget<'_>, &Attachments),
) -> Json {
    let mut said = Map::new();
    let mut cut = Vec::new();
    said.insert("session".to_owned(), json!(session));
    said.insert("status".to_owned(), json!(if step.is_ok() { "ok" } else { "failed" }));
    let mut lines = |said: &mut Map<String, Json>, name: &str, lines: Vec<String>, hundredths: usize, instead: &str| {
        if lines.is_empty() {
            return;
        }
        let (kept, left_out) = budget.lines(lines, budget.part(hundredths));
        if left_out > 0 {
            cut.push(format!("{name}: {left_out} more; {instead}"));
        }
        said.insert(name.to_owned(), Json::Array(kept));
    };
    lines(&mut said, "notes", notes.to_vec(), 12, "the audit log has the calls");
    lines(&mut said, "calls", calls(&step.tool_calls, budget), 14, "the audit log has each");
    lines(&mut said, "prints", step.prints.clone(), 12, "print less in the next program");
    let turn = step.turns().first();
    let of_turn = turn.map(|turn| turn.warnings()).unwrap_or_default();
    let warnings = of_turn.iter().chain(warnings.iter().filter(|one| !of_turn.contains(one)));
    let warnings = warnings.map(|one| format!("line {}: {}", one.line, one.message)).collect();
    lines(&mut said, "warnings", warnings, 4, "they repeat");
    let defined = step.memory.entries().iter().filter(|entry| !entry.name.starts_with('_'));
    let defined = defined.map(definition).collect();
    lines(&mut said, "definitions", defined, 6, "they are kept anyway");
    match &step.result {
        Ok(value) => {
            let names = step.memory.shown_names();
            let whole = without_hidden_noted(value, names, &mut cut);
            let (attached, not_attached) = attachments.referred(&whole);
            said.insert("value".to_owned(), shown(whole, value, names, budget, &mut cut));
            if !attached.is_empty() {
                said.insert(ATTACHMENTS.to_owned(), json!(attached));
            }
            cut.extend(not_attached);
        }
        Err(fail) => {
            let message = budget.text(&fail.message, budget.part(45));
            said.insert("error".to_owned(), json!({"reason": fail.reason.as_str(), "message": message}));
        }
    }
    if !cut.is_empty() {
        said.insert("cut".to_owned(), json!(cut));
    }
    visible(Json::Object(said), &hidden(step))
}

/// Values under names that begin with `_`: in definitions and in results of tools.
fn hidden(step: &Step) -> Redactor {
    let mut redactor = Redactor::new(&ptc_lisp::Map::new(), &step.memory);
    step.turns().iter().for_each(|turn| redactor.observe(turn));
    redactor
}

/// The same with `[hidden]` instead of hidden texts: a client is a model, and passes on what it reads.
fn visible(said: Json, hidden: &Redactor) -> Json {
    match said {
        Json::String(text) => Json::String(hidden.redact(&text).into_owned()),
        Json::Array(items) => items.into_iter().map(|item| visible(item, hidden)).collect(),
        Json::Object(fields) => fields.into_iter().map(|(name, value)| (name, visible(value, hidden))).collect(),
        scalar => scalar,
    }
}

/// The value as JSON without hidden fields, whose names are noted.
fn without_hidden_noted(value: &Value, names: &ShownNames, cut: &mut Vec<String>) -> Json {
    let whole = json_of(value, ValueForm::Plain);
    let mut hidden = BTreeSet::new();
    note_hidden(&whole, names, &mut hidden);
    if !hidden.is_empty() {
        let listed: Vec<String> = hidden.iter().take(MAX_NAMES).cloned().collect();
        let more = hidden.len().saturating_sub(MAX_NAMES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        cut.push(format!("value: hidden, since their names begin with `_`: {}{more}", listed.join(", ")));
    }
    without_hidden(whole, &|name| names.hides(name))
}

/// The value as JSON, which is `whole`, or its beginning as text when it is too long.
fn shown(whole: Json, value: &Value, names: &ShownNames, budget: Budget<'_>, cut: &mut Vec<String>) -> Json {
    let tokens = budget.part(45);
    if budget.holds(&whole, tokens) {
        return whole;
    }
    let mut characters = CUT_CHARS.min(tokens.saturating_mul(4));
    loop {
        let text = json!(format_within_with(value, &FormatOptions::full(), names, characters).text);
        if budget.holds(&text, tokens) || characters < 64 {
            cut.push(format!(
                "value: the beginning of {} is shown, as text; all of it is data/last in the next program",
                ptc_lisp::values::type_of(value)
            ));
            return text;
        }
        characters = characters * 3 / 4;
    }
}

/// The names of hidden fields, each once.
fn note_hidden(json: &Json, names: &ShownNames, hidden: &mut BTreeSet<String>) {
    match json {
        Json::Array(items) => items.iter().for_each(|item| note_hidden(item, names, hidden)),
        Json::Object(fields) => fields.iter().for_each(|(name, value)| match names.hides(name) {
            true => {
                hidden.insert(shortened(name, MAX_NAME).into_owned());
            }
            false => note_hidden(value, names, hidden),
        }),
        _ => {}
    }
}

/// `(area [w h]): its docstring` for a function, `orders: list[90]` for a value.
fn definition(entry: &MemoryEntry) -> String {
    match (&entry.params, &entry.doc) {
        (Some(params), Some(doc)) => format!("({} [{params}]): {doc}", entry.name),
        (Some(params), None) => format!("({} [{params}])", entry.name),
        (None, _) => format!("{}: {}", entry.name, entry.label),
    }
}

/// One line for each call, those with effects or with an unknown outcome first. If there are too many they are counted
/// by tool, followed by those whose outcome is unknown.
fn calls(records: &[ToolRecord], budget: Budget<'_>) -> Vec<String> {
    let (effects, others): (Vec<&ToolRecord>, Vec<&ToolRecord>) =
        records.iter().partition(|record| record.took_effect() || record.error.is_some());
    let effects: Vec<String> = effects.into_iter().map(line).collect();
    let fits = budget.lines(effects.clone(), budget.part(14)).1 == 0;
    match records.len() <= MAX_CALLS && fits {
        true => effects.into_iter().chain(others.into_iter().map(line)).collect(),
        false => counted(records),
    }
}

fn line(record: &ToolRecord) -> String {
    let call = tool_call_line(record);
    match &record.error {
        Some(error) if record.may_have_run => format!("{call}: outcome unknown, it may have been done: {error}"),
        Some(error) => format!("{call}: failed: {}", shortened(error, 300)),
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
            Some(_) if record.may_have_run => *unknown += 1,
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
    let unknown = records.iter().filter(|record| record.may_have_run).take(MAX_CALLS).map(line);
    lines.extend(unknown);
    lines
}

/// The calls of a program that had or may have had effects, in words: for a session whose end was not read.
pub(crate) fn effects(step: &Step) -> Option<String> {
    let records: Vec<ToolRecord> = step.tool_calls.iter().filter(|record| record.took_effect()).cloned().collect();
    let lines = if records.len() > MAX_TOLD { counted(&records) } else { records.iter().map(line).collect() };
    (!lines.is_empty()).then(|| lines.join("; "))
}

/// A message about something other than a program, within the bounds of an answer: lists are truncated.
pub(crate) fn within(mut said: Json, budget: Budget<'_>) -> Json {
    while !budget.holds(&said, budget.tokens) {
        let longest = said.as_object_mut().and_then(|fields| {
            let lists = fields.values_mut().filter_map(Json::as_array_mut).filter(|list| !list.is_empty());
            lists.max_by_key(|list| list.len())
        });
        match longest {
            Some(list) => list.truncate(list.len() / 2),
            None => return json!({"cut": "the answer would be too long; ask for less"}),
        }
        put(&mut said, "cut", json!("the answer was too long; ask for less"));
    }
    said
}
