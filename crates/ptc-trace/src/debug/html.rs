//! A finished run as a page for browsers: one file that loads nothing and runs no script.

use std::fmt::Write as _;

use ptc_chat::Message;
use ptc_compression::one_line;
use ptc_lisp::{FormatOptions, ToolRecord, Value, format, printed};
use ptc_mission::{SampleLimits, grouped, tool_call_line, user_section};
use ptc_transcript::{Step, Turn};

use super::turns::{answer, result, title};
use crate::markup::markup_text;
use crate::replay::Rendition;

const STYLE: &str = include_str!("html/style.css");

/// Runs of more turns begin with their turns folded, but for those that failed.
const FEW_TURNS: usize = 5;

/// Agents that agents call, one in another, are shown so deep.
const MOST_LEVELS: usize = 16;

/// The whole page.
pub(super) fn page(step: &Step) -> String {
    let title = markup_text(step.name.as_deref().or(step.mission.lines().next()).unwrap_or("Run"));
    let run = run(step, 1);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n\
         <body>\n{run}</body>\n</html>\n"
    )
}

/// Mission, ending, figures, turns, definitions and the runs of agents that this one called.
fn run(step: &Step, level: usize) -> String {
    let mut html = String::from("<main>\n");
    if !step.mission.is_empty() {
        html += &block("Mission", "prose", &step.mission);
    }
    html += &ending(step);
    html += &figures(step);
    let largest =
        step.turns().iter().filter_map(|turn| Request::of(step, turn)).map(|request| request.tokens).max().unwrap_or(0);
    match step.turns.as_deref() {
        None => html += "<p>No turns were kept.</p>\n",
        Some(turns) => {
            let requests = requests(step);
            let boxes =
                turns.iter().enumerate().map(|(place, turn)| turn_box(step, turn, requests.get(place), largest));
            html.extend(boxes);
        }
    }
    if let Some(definitions) = user_section(&step.memory, Some(SampleLimits::default())) {
        html += &folded("Definitions at the end", &pre("", &definitions));
    }
    for (place, child) in step.child_steps.iter().enumerate() {
        let name = child.name.as_deref().unwrap_or("agent");
        let body =
            if level < MOST_LEVELS { run(child, level + 1) } else { "<p>Not shown: too many levels.</p>\n".to_owned() };
        html += &folded(&format!("Called agent {}: {name}", place + 1), &body);
    }
    html + "</main>\n"
}

fn ending(step: &Step) -> String {
    let class = if step.is_ok() { "good" } else { "bad" };
    let (label, text) = match &step.result {
        Ok(value) => (step.ending.as_str().to_owned(), whole(value)),
        Err(fail) => (format!("{}: {}", step.ending.as_str(), fail.reason), fail.message.clone()),
    };
    block(&label, class, &text)
}

/// A list of figures, those that are known.
fn figures(step: &Step) -> String {
    let usage = &step.usage;
    let turns = Some(usage.turns as u64);
    let known = [
        ("turns", turns),
        ("ms", Some(usage.duration_ms)),
        ("input tokens", usage.input_tokens),
        ("of them from the cache", usage.cache_read_tokens),
        ("output tokens", usage.output_tokens),
        ("bytes of memory", Some(usage.memory_bytes).filter(|bytes| *bytes > 0)),
    ];
    let mut html = String::from("<ul class=\"figures\">\n");
    for (name, number) in known {
        if let Some(number) = number {
            // Writing to a string cannot fail.
            let _ = writeln!(html, "<li><b>{}</b> {name}</li>", grouped(number));
        }
    }
    for known in &step.compression {
        let from = if known.from_turn > 1 { format!(" from turn {}", known.from_turn) } else { String::new() };
        let _ = writeln!(html, "<li>history shown as <b>{}</b>{from}</li>", markup_text(&one_line(&known.compression)));
    }
    html + "</ul>\n"
}

/// How large the request of a turn was.
struct Request {
    tokens: u64,
    /// The part that a provider had in its cache, or that is the same in every request.
    repeated: u64,
    words: String,
}

impl Request {
    /// As the provider counted, or else as it was estimated.
    fn of(step: &Step, turn: &Turn) -> Option<Request> {
        let (about, tokens, repeated, why) = match turn.tokens().filter(|tokens| tokens.input > 0) {
            Some(counted) => ("", counted.input, counted.cached, "from the cache"),
            None => {
                let estimate = step.usage.estimates.iter().find(|estimate| estimate.turn == turn.number())?;
                ("about ", estimate.total(), estimate.prefix, "the same in each request")
            }
        };
        let words = format!("{about}{} tokens, {} of them {why}", grouped(tokens), grouped(repeated));
        Some(Request { tokens, repeated, words })
    }

    /// A bar as long as its share of the largest request.
    fn bar(&self, largest: u64) -> String {
        let percent = |part: u64, whole: u64| (part as f64 / whole.max(1) as f64 * 100.0).min(100.0);
        format!(
            "<span class=\"bar\" title=\"{words}\"><span style=\"width:{:.1}%\"><span style=\"width:{:.1}%\"></span></span></span>\
             <small>{words}</small>",
            percent(self.tokens, largest),
            percent(self.repeated, self.tokens),
            words = self.words
        )
    }
}

/// What was sent for each turn, as the run collected it, or else rendered again as its step says. Steps with plain
/// values, which have no system text, do not hold what it takes.
fn requests(step: &Step) -> Vec<Vec<Message>> {
    let rendered = || Rendition::recorded(step, "").ok().filter(|_| step.system.is_some());
    Rendition::as_sent(step).or_else(rendered).map(|rendition| rendition.requests).unwrap_or_default()
}

fn turn_box(step: &Step, turn: &Turn, request: Option<&Vec<Message>>, largest: u64) -> String {
    let mut body = turn.program().map_or_else(String::new, |program| block("Program", "program", program.trim_end()));
    if !turn.tool_calls().is_empty() {
        body += &heading("Tool calls");
        body += "<ol class=\"calls\">\n";
        body.extend(turn.tool_calls().iter().map(call));
        body += "</ol>\n";
    }
    if !turn.prints().is_empty() {
        body += &block(
            "Output",
            "output",
            &turn.prints().iter().map(|print| printed(print)).collect::<Vec<_>>().join("\n"),
        );
    }
    let warnings: Vec<String> = turn.warnings().iter().map(|warning| warning.message.clone()).collect();
    if !warnings.is_empty() {
        body += &block("Warnings", "prose", &warnings.join("\n"));
    }
    let (label, class) = if turn.is_success() { ("Result", "") } else { ("Error", "bad") };
    body += &block(label, class, &result(turn));
    if let Some(reasoning) = turn.reasoning() {
        body += &folded("Reasoning", &pre("prose", reasoning));
    }
    body += &folded("Answer as it came", &pre("prose", turn.raw_response()));
    if let Some(messages) = turn.messages().or(request.map(Vec::as_slice)) {
        body += &folded("What was sent", &messages.iter().map(message).collect::<String>());
    }
    let request = Request::of(step, turn).map_or_else(String::new, |request| request.bar(largest));
    let outcome = if turn.is_success() { "" } else { " failed" };
    let open = if step.turns().len() <= FEW_TURNS || !turn.is_success() { " open" } else { "" };
    let said = format!("{}{outcome} · {}", title(turn), facts(turn));
    format!(
        "<details class=\"turn{outcome}\" id=\"turn-{}\"{open}>\n<summary>{}{request}</summary>\n{body}</details>\n",
        turn.number(),
        markup_text(&said)
    )
}

/// `2 calls, 1 print, 1,204 ms`
fn facts(turn: &Turn) -> String {
    let count = |number: usize, one: &str| match number {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{} {one}s", grouped(number))),
    };
    let duration = u64::try_from(turn.duration().as_millis()).unwrap_or(u64::MAX);
    let parts = [
        count(turn.tool_calls().len(), "call"),
        count(turn.prints().len(), "print"),
        Some(format!("{} ms", grouped(duration))),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn call(call: &ToolRecord) -> String {
    let class = if call.error.is_some() { " class=\"bad\"" } else { "" };
    let line = markup_text(&tool_call_line(call));
    format!("<li{class}><code>{line}</code><br><code>→ {}</code></li>\n", markup_text(&answer(call)))
}

fn message(message: &Message) -> String {
    heading(message.role.as_str()) + &pre("prose", &message.content())
}

/// The value without the entries under names that begin with `_`.
fn whole(value: &Value) -> String {
    format(value, &FormatOptions { limit: None, printable_limit: None, hide: true }).text
}

fn block(label: &str, class: &str, text: &str) -> String {
    heading(label) + &pre(class, text)
}

fn heading(text: &str) -> String {
    format!("<h4>{}</h4>\n", markup_text(text))
}

fn pre(class: &str, text: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!("<pre{class}>{}</pre>\n", markup_text(text))
}

fn folded(label: &str, body: &str) -> String {
    format!("<details>\n<summary>{}</summary>\n{body}</details>\n", markup_text(label))
}

#[cfg(test)]
mod tests;
