//! One function per rule that a single request can break.

use crate::words::{
    CALL_INDENT, DEFINED_HEADER, STORED_NAMES, USER_HEADER, tool_call_line, turns_indicator, whole_call_line,
};
use ptc_chat::{Message, Repeats, Role};
use ptc_lisp::{Memory, ToolRecord};
use ptc_transcript::{CompressionStats, Turn};

use super::sample_run::CONCEALED;
use super::{Rule, SampleRun};
use crate::ceiling::stable_text;
use crate::compression::Rendered;
use crate::input::RenderInput;
use crate::plain::answer;

/// The beginning of notes, which may have a list of calls below them.
const NOTE: &str = ";; Note: ";

type Verdict = Result<(), (Rule, String)>;

/// Check the request after `seen` turns against all rules; `first` is the first request of the run.
pub(super) fn check(name: &str, history: &SampleRun, seen: usize, rendered: &Rendered, first: &Rendered) -> Verdict {
    let text = whole_text(rendered);
    let turns = history.after(seen);
    let told = WholeTurns::of(&rendered.messages, turns);
    roles(&rendered.messages)?;
    filled(&rendered.messages)?;
    prefix(history, &rendered.messages, &first.messages)?;
    ending(&rendered.messages, &history.input(seen))?;
    last_error(turns, &told, &text)?;
    failed_turns(turns, &told, &text)?;
    effects(turns, &text)?;
    let shown = (newest(&prints(turns, &text))?, newest(&calls(turns, &told, &text))?);
    statistics(name, turns, &told, shown, &rendered.stats)?;
    defined(&history.memory(seen), &text)?;
    hidden(&text)
}

/// The turns that a dialogue shows as they were: an assistant message is their whole answer.
pub(crate) struct WholeTurns(Vec<usize>);

impl WholeTurns {
    pub(crate) fn of(messages: &[Message], turns: &[Turn]) -> WholeTurns {
        let is_told = |turn: &&Turn| {
            messages.iter().any(|message| message.role == Role::Assistant && message.content() == answer(turn))
        };
        WholeTurns(turns.iter().filter(is_told).map(Turn::number).collect())
    }

    pub(crate) fn has(&self, turn: &Turn) -> bool {
        self.0.contains(&turn.number())
    }
}

/// The lines that are neither notes nor calls listed below one.
pub(crate) fn beside_notes(text: &str) -> impl Iterator<Item = &str> {
    let mut in_note = false;
    text.lines().filter(move |line| {
        in_note = line.starts_with(NOTE) || (in_note && line.starts_with(CALL_INDENT));
        !in_note
    })
}

/// All messages in one text.
pub(super) fn whole_text(rendered: &Rendered) -> String {
    rendered.messages.iter().map(|message| message.content() + "\n\n").collect()
}

fn hold(rule: Rule, holds: bool, found: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err((rule, found())) }
}

fn roles(messages: &[Message]) -> Verdict {
    let found: Vec<Role> = messages.iter().map(|message| message.role).collect();
    let in_turn = found.iter().zip([Role::User, Role::Assistant].iter().cycle()).all(|(found, wanted)| found == wanted);
    hold(Rule::Roles, in_turn && found.last() == Some(&Role::User), || format!("the roles are {found:?}"))
}

fn filled(messages: &[Message]) -> Verdict {
    for (place, message) in (1..).zip(messages) {
        let text = message.content();
        hold(Rule::Filled, !text.trim().is_empty(), || format!("message {place} is empty"))?;
        hold(Rule::Filled, !text.contains("\n\n\n"), || format!("message {place} has two blank lines in a row"))?;
    }
    Ok(())
}

fn prefix(history: &SampleRun, messages: &[Message], first: &[Message]) -> Verdict {
    let (stable, stable_first) = (stable_text(messages), stable_text(first));
    let mission = history.mission();
    let begins = messages.first().is_some_and(|message| message.content().starts_with(mission));
    hold(Rule::Mission, begins, || "the first message begins otherwise".to_owned())?;
    hold(Rule::Prefix, stable.starts_with(mission), || "the mission is not in a stable part".to_owned())?;
    hold(Rule::Prefix, stable == stable_first, || "the stable beginning is not that of the first request".to_owned())?;
    for name in history.names() {
        hold(Rule::Prefix, stable.contains(&name), || format!("`{name}` is not in the stable beginning"))?;
    }
    order(messages)
}

/// Parts after one that is repeated for a shorter time could not be cached.
fn order(messages: &[Message]) -> Verdict {
    let mut before = Repeats::Run;
    for part in messages.iter().flat_map(|message| message.parts.iter()) {
        let said = if part.is_stable() { "stable" } else { "repeated" };
        let other = if before == Repeats::No { "changes" } else { "only the next request repeats" };
        hold(Rule::Prefix, before <= part.repeats, || format!("a {said} part follows one that {other}"))?;
        before = part.repeats;
    }
    Ok(())
}

fn ending(messages: &[Message], input: &RenderInput<'_>) -> Verdict {
    let last = messages.last().map(Message::content).unwrap_or_default();
    let indicator = turns_indicator(input.turns_left, input.retries_left);
    hold(Rule::Ending, last.ends_with(&indicator), || {
        format!("it ends with `{}` instead of `{indicator}`", last.lines().last().unwrap_or_default())
    })
}

fn failed(turns: &[Turn]) -> impl Iterator<Item = (usize, &Turn)> {
    turns.iter().enumerate().filter(|(_, turn)| !turn.is_success())
}

fn last_error(turns: &[Turn], told: &WholeTurns, text: &str) -> Verdict {
    for (place, turn) in failed(turns).filter(|(_, turn)| !told.has(turn)) {
        let (is_last, number) = (place + 1 == turns.len(), turn.number());
        let is_shown = text.contains(&format!("error of f{number}:"));
        hold(Rule::LastError, is_shown || !is_last, || "the error of the last turn is missing".to_owned())?;
        let program = turn.program().is_some_and(|program| text.contains(program));
        hold(Rule::LastError, is_last || !(is_shown || program), || {
            format!("turn {number}, which failed before, is still shown")
        })?;
    }
    Ok(())
}

fn failed_turns(turns: &[Turn], told: &WholeTurns, text: &str) -> Verdict {
    for (place, turn) in failed(turns).filter(|(_, turn)| !told.has(turn)) {
        let (number, is_last) = (turn.number(), place + 1 == turns.len());
        let printed =
            text.contains(&format!("f{number}.")) && turn.prints().iter().any(|print| text.contains(mark(print)));
        hold(Rule::FailedTurns, is_last || !printed, || {
            format!("what turn {number} printed is shown, although it failed")
        })?;
        let called = turn
            .tool_calls()
            .iter()
            .map(tool_call_line)
            .any(|call| beside_notes(text).any(|line| line.contains(&call)));
        hold(Rule::FailedTurns, is_last || !called, || {
            format!("what turn {number} called is shown, although it failed")
        })?;
    }
    Ok(())
}

fn effects(turns: &[Turn], text: &str) -> Verdict {
    for call in failed(turns).flat_map(|(_, turn)| turn.tool_calls()).filter(|call| call.took_effect()) {
        let line = whole_call_line(call);
        hold(Rule::Effects, text.contains(&line), || {
            format!("{line} took effect in a turn that failed and is not named in a note")
        })?;
    }
    Ok(())
}

/// The beginning of an entry, which occurs nowhere else.
fn mark(entry: &str) -> &str {
    entry.find(' ').and_then(|end| entry.get(..=end)).unwrap_or(entry)
}

fn good(turns: &[Turn]) -> impl Iterator<Item = &Turn> {
    turns.iter().filter(|turn| turn.is_success())
}

/// Where the prints of a run are in a text, oldest first; `None` for those that are missing.
fn prints(turns: &[Turn], text: &str) -> Vec<Option<usize>> {
    good(turns).flat_map(Turn::prints).map(|print| text.find(mark(print))).collect()
}

/// The same of calls, which are shown by the answer where a dialogue shows a turn as it was.
fn calls(turns: &[Turn], told: &WholeTurns, text: &str) -> Vec<Option<usize>> {
    let made = good(turns).flat_map(|turn| turn.tool_calls().iter().map(move |call| (turn, call)));
    let place = |(turn, call): (&Turn, &ToolRecord)| match told.has(turn) {
        true => text.find(answer(turn)),
        false => text.find(&format!("{}({{:at \"{}\"", call.name, SampleRun::mark(call))),
    };
    made.map(place).collect()
}

/// How many entries are shown, if these are the newest ones in order.
fn newest(places: &[Option<usize>]) -> Result<usize, (Rule, String)> {
    let shown: Vec<usize> = places.iter().skip_while(|place| place.is_none()).copied().flatten().collect();
    let dropped = places.iter().take_while(|place| place.is_none()).count();
    hold(Rule::Newest, dropped + shown.len() == places.len(), || {
        "an entry is missing, and an older one is shown".to_owned()
    })?;
    hold(Rule::Newest, shown.is_sorted(), || "entries are not in the order in which they came".to_owned())?;
    Ok(shown.len())
}

fn statistics(
    name: &str,
    turns: &[Turn],
    told: &WholeTurns,
    (prints, calls): (usize, usize),
    stats: &CompressionStats,
) -> Verdict {
    if !stats.enabled {
        let nothing = CompressionStats { ceiling_step: stats.ceiling_step, ..CompressionStats::default() };
        return hold(Rule::Statistics, *stats == nothing, || format!("not counting, it says {stats:?}"));
    }
    let collapsed = failed(turns).filter(|(place, turn)| place + 1 < turns.len() && !told.has(turn)).count();
    let totals = (good(turns).flat_map(Turn::prints).count(), good(turns).flat_map(Turn::tool_calls).count());
    let figures = [
        ("prints", stats.printlns_total, totals.0),
        ("calls", stats.tool_calls_total, totals.1),
        ("prints shown", stats.printlns_shown, prints),
        ("prints left out", stats.printlns_dropped, totals.0 - prints),
        // Calls may be counted instead of listed.
        ("calls shown", stats.tool_calls_shown, if calls == 0 { stats.tool_calls_shown } else { calls }),
        ("calls shown and left out", stats.tool_calls_shown + stats.tool_calls_dropped, totals.1),
        ("failed turns left out", stats.error_turns_collapsed, collapsed),
    ];
    for (what, said, is) in figures {
        hold(Rule::Statistics, said == is, || format!("{said} {what} are counted, and there are {is}"))?;
    }
    hold(Rule::Statistics, stats.strategy == name, || format!("the statistics name `{}`", stats.strategy))?;
    hold(Rule::Statistics, stats.turns_compressed <= turns.len(), || {
        format!("{} turns are merged away", stats.turns_compressed)
    })
}

fn defined(memory: &Memory, text: &str) -> Verdict {
    let mut in_user = false;
    let mut missing: Vec<&str> = memory.entries().iter().map(|entry| entry.name.as_str()).collect();
    for line in text.lines() {
        let names = match line.strip_prefix(";; Defined: ").or_else(|| line.strip_prefix(STORED_NAMES)) {
            Some(names) => names,
            None if in_user && !line.is_empty() && !line.starts_with(';') => line,
            None => {
                in_user = line == USER_HEADER || line == DEFINED_HEADER;
                continue;
            }
        };
        for name in listed(names) {
            hold(Rule::Defined, memory.get(name).is_some(), || format!("`{name}` is listed and not defined"))?;
            missing.retain(|other| *other != name);
        }
    }
    // A strategy may omit the list.
    let lists = text.contains(USER_HEADER);
    hold(Rule::Defined, !lists || missing.is_empty(), || {
        format!("`{}` is defined and not listed", missing.join("`, `"))
    })
}

/// The names of a line: of a function `(fits? [booking])`, of a value `rows  ; = list[3]` or `total = 3`, or of several
/// `a, b`.
fn listed(line: &str) -> Vec<&str> {
    let end = |c: char| c.is_whitespace() || matches!(c, ')' | ',');
    match line.strip_prefix('(') {
        Some(function) => function.split(end).take(1).collect(),
        None => {
            line.split([';', '=']).take(1).flat_map(|names| names.split(end)).filter(|name| !name.is_empty()).collect()
        }
    }
}

fn hidden(text: &str) -> Verdict {
    let value =
        text.find(CONCEALED).and_then(|start| text.get(start..)).and_then(|rest| rest.split(['"', ' ', '\n']).next());
    hold(Rule::Hidden, value.is_none(), || format!("the hidden value `{}` is shown", value.unwrap_or_default()))
}
