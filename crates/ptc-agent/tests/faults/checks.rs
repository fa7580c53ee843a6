//! What holds for each process, whatever went wrong in it.

use std::collections::BTreeMap;

use ptc_agent::recorded_step;
use ptc_lisp::ToolRecord;
use ptc_transcript::{EndingKind, FailReason, Recorded, Step, Turn};

use super::missions::LEVEL;
use super::world::Seen;

/// A property that does not hold, and for what.
pub type Broken = String;

/// All calls of a step and of the agents below, by tool and id.
fn records(step: &Step) -> Vec<(String, i64, &ToolRecord)> {
    let own = step.turns().iter().flat_map(Turn::tool_calls).filter_map(|record| {
        let args = record.args.to_json().ok()?;
        Some((record.name.to_string(), args["id"].as_i64()?, record))
    });
    own.chain(step.child_steps.iter().flat_map(records)).collect()
}

/// A step for inspection, turn by turn.
pub fn shown(step: &Step) -> String {
    let call = |call: &ToolRecord| {
        let result = call.error.clone().unwrap_or_else(|| ptc_lisp::text::display_text(&call.result));
        let effect = if call.took_effect() { " (took effect)" } else { "" };
        format!("  {} {} -> {result}{effect}\n", call.name, ptc_lisp::text::display_text(&call.surface))
    };
    let turn = |turn: &Turn| {
        let calls: String = turn.tool_calls().iter().map(call).collect();
        let error = turn.error_message().unwrap_or_else(|| "ok".to_owned());
        format!("turn {}: {error}\n{}\n{calls}", turn.number(), turn.program().unwrap_or_default())
    };
    let turns: String = step.turns().iter().map(turn).collect();
    format!("{turns}{:?} {:?}, {} children", step.ending, step.result, step.child_steps.len())
}

/// Ending, turns and counts agree.
pub fn full(step: &Step) -> Result<(), Broken> {
    if step.is_ok() != step.ending.is_ok() {
        return Err(format!("{:?} with {:?}", step.ending, step.result));
    }
    let numbers: Vec<usize> = step.turns().iter().map(Turn::number).collect();
    if numbers != (1..=numbers.len()).collect::<Vec<_>>() || step.usage.turns != numbers.len() {
        return Err(format!("turns {numbers:?}, used {}", step.usage.turns));
    }
    if matches!(step.ending, EndingKind::Return | EndingKind::Value)
        && step.turns().last().is_none_or(|turn| !turn.is_success())
    {
        return Err("an answer without a good turn".to_owned());
    }
    if step.fail().is_some_and(|fail| {
        fail.reason == FailReason::InternalError && !fail.message.contains(ptc_agent::testkit::PANIC)
    }) {
        return Err(format!("a defect: {:?}", step.fail()));
    }
    step.child_steps.iter().try_for_each(full)
}

/// What models saw is what was counted.
pub fn counted(step: &Step, seen: &Seen) -> Result<(), Broken> {
    let (requests, tokens) = (step.usage.llm_requests.unwrap_or(0), step.usage.total_tokens.unwrap_or(0));
    if (requests, tokens) != (seen.requests, seen.tokens) {
        return Err(format!("{requests} requests and {tokens} tokens, seen {} and {}", seen.requests, seen.tokens));
    }
    Ok(())
}

/// Effects happened at most once, and each of `expected` is reported once: by its own record, or by that of the called
/// agent. What is reported as done happened, and what is reported as surely not done did not.
pub fn told(step: &Step, seen: &Seen, expected: &BTreeMap<(&'static str, i64), usize>) -> Result<(), Broken> {
    let records = records(step);
    let is_repeatable = |name: &str| matches!(name, "reserve" | "look");
    for ((name, id), _) in expected.iter().filter(|((name, _), count)| *name != "look" && **count > 0) {
        let own = records.iter().filter(|(tool, of, record)| tool == name && of == id && record.took_effect()).count();
        let mut above = id / LEVEL;
        let mut is_above = false;
        while above != 0 {
            is_above |= records.iter().any(|(tool, of, record)| {
                matches!(tool.as_str(), "clerk" | "fixed") && *of == above && record.took_effect()
            });
            above /= LEVEL;
        }
        if own > 1 || (own == 0 && !is_above) {
            return Err(format!("{name} {id} is told {own} times"));
        }
    }
    for (name, id, record) in &records {
        let is_done = seen.done.iter().any(|((tool, of), _)| tool == name && of == id);
        let is_tool = matches!(name.as_str(), "pay" | "sign" | "reserve");
        if is_tool && record.error.is_none() && !is_done {
            return Err(format!("{name} {id} is told as done"));
        }
        if is_tool && !is_repeatable(name) && !record.took_effect() && is_done {
            return Err(format!("{name} {id} is told as not done: {:?}", record.error));
        }
    }
    Ok(())
}

/// Effects that cannot be repeated happened once.
pub fn once(seen: &Seen) -> Result<(), Broken> {
    match seen.done.iter().find(|((name, _), count)| matches!(*name, "pay" | "sign") && **count > 1) {
        Some(((name, id), count)) => Err(format!("{name} {id} happened {count} times")),
        None => Ok(()),
    }
}

/// The journal reads back, and says what the step says.
pub fn read_back(bytes: &[u8], step: Option<&Step>, is_whole: bool) -> Result<(), Broken> {
    let recorded = Recorded::read(bytes).map_err(|error| format!("unreadable: {error}"))?;
    let Some(recorded) = recorded else { return Ok(()) };
    let told = recorded_step(recorded.clone()).map_err(|error| format!("no step of the journal: {error}"))?;
    let Some(step) = step else { return Ok(()) };
    let is_over = |turn: &&Turn| !matches!(turn.error_reason(), Some(FailReason::Cancelled | FailReason::JournalError));
    let shown = |turn: &Turn| {
        let calls: Vec<_> = turn
            .tool_calls()
            .iter()
            .map(|call| (call.name.to_string(), call.args.clone(), call.error.clone()))
            .collect();
        format!("{:?} {} {calls:?}", turn.program(), turn.is_success())
    };
    let turns: Vec<String> = step.turns().iter().filter(is_over).map(shown).collect();
    let known: Vec<String> = told.turns().iter().filter(is_over).map(shown).collect();
    // Which limits a turn met is known only when its end is on record.
    let common = turns.len().min(recorded.turns().len());
    if turns[..common] != known[..common] {
        return Err(format!("the step has\n{}\nthe journal\n{}", turns.join("\n"), known.join("\n")));
    }
    if is_whole && turns.len() > known.len() {
        return Err(format!("{} turns, {} in the journal", turns.len(), known.len()));
    }
    Ok(())
}
