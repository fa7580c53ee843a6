//! Journals that have all of their turns.

use std::time::Duration;

use ptc_lisp::{Effect, ToolRecord, Value};
use ptc_transcript::{
    Answer, EndingKind, Fail, FailKind, FailReason, JournalError, Recorded, RecordedCall, RunUsage, Step, Turn,
    TurnFields, failure_value, value_of,
};

use super::{agent, data, interrupted, options, unreadable};
use crate::context::Context;
use crate::drive::{Log, Settings};
use crate::error::AgentError;
use crate::extract::program_of;
use crate::machine::lineage::Lineage;
use crate::machine::{Action, Input, TimedInput};

/// The step of a run with these turns, which is that of the journal `top`, or one below it.
pub(super) fn step(top: &Recorded, recorded: &Recorded, turns: Vec<Turn>) -> Result<Step, AgentError> {
    let settings = Settings::read(recorded.header())?;
    let mut step = match recorded.end_step()? {
        Some(step) => step,
        None => unfinished(recorded, &settings, &turns)?,
    };
    let mut turns = turns;
    if recorded.end().is_none() {
        turns.extend(open_turn(recorded, turns.len() + 1)?);
        let last = turns.last();
        step.prints = last.map(|turn| turn.prints().to_vec()).unwrap_or_default();
        step.tool_calls = last.map(|turn| turn.tool_calls().to_vec()).unwrap_or_default();
    }
    step.usage.turns = turns.len();
    step.data = data(recorded.header())?;
    step.turns = Some(turns);
    settings.describe(&mut step);
    step.child_steps = below(top, recorded)?;
    Ok(step)
}

/// The steps of the agents that the run called, in the order of the calls.
fn below(top: &Recorded, recorded: &Recorded) -> Result<Vec<Step>, AgentError> {
    let calls = recorded.own_calls(0).filter_map(|call| top.below(&call.start.id));
    calls.map(|below| step(top, below, below.to_turns()?.unwrap_or_default())).collect()
}

/// The step of a run that did not end, without its turns: as one that is stopped before it begins.
fn unfinished(recorded: &Recorded, settings: &Settings, turns: &[Turn]) -> Result<Step, AgentError> {
    let options = options(recorded, settings)?;
    let context = Context::from_map(data(recorded.header())?);
    let identity = Log::open(&options).identity();
    let mut run = agent(recorded, settings)?.start_as(context, &options, identity, Lineage::default())?;
    let Action::Finish(mut step) = run.next(TimedInput { at: Duration::ZERO, input: Input::Cancel }) else {
        return Err(JournalError::Value("its run cannot be stopped".to_owned()).into());
    };
    step.ending = EndingKind::Error;
    step.result = Err(Fail::new(FailKind::Limit, FailReason::Cancelled, interrupted(recorded)));
    step.compression = recorded.compression().to_vec();
    step.memory = turns.last().map_or_else(|| step.memory_at_start.clone(), |turn| turn.memory().clone());
    let mut usage = RunUsage { llm_requests: Some(recorded.replies().len() as u64), ..RunUsage::default() };
    let tokens = recorded.replies().iter().filter_map(|reply| match &reply.answer {
        Answer::Reply(reply) => reply.tokens,
        _ => None,
    });
    tokens.for_each(|tokens| usage.add_tokens(&tokens));
    let last = recorded.replies().iter().map(|reply| reply.at_us).chain(ends(recorded)).max().unwrap_or_default();
    usage.duration_ms = last / 1000;
    step.usage = usage;
    Ok(*step)
}

fn ends(recorded: &Recorded) -> impl Iterator<Item = u64> {
    recorded.calls().filter_map(|call| call.end.as_ref()).map(|end| end.at_us)
}

/// The turn in which the run was interrupted, as far as it is on record: with its program and its calls.
fn open_turn(recorded: &Recorded, number: usize) -> Result<Option<Turn>, AgentError> {
    let Some(last) = recorded.replies().last().filter(|reply| usize::try_from(reply.turn) == Ok(number)) else {
        return Ok(None);
    };
    let Answer::Reply(reply) = &last.answer else { return Ok(None) };
    let of_turn = format!("{}/{number}/", recorded.header().run);
    let calls = recorded.own_calls(0).filter(|call| call.start.id.starts_with(&of_turn));
    let fail = failure_value(FailReason::Cancelled.as_str(), super::INTERRUPTED);
    Ok(Some(Turn::failure(TurnFields {
        program: program_of(reply).ok(),
        tool_calls: calls.map(|call| called(recorded, call)).collect::<Result<_, _>>()?,
        tokens: reply.tokens,
        stop: reply.stop.clone(),
        reasoning: reply.reasoning.clone(),
        ..TurnFields::new(number, reply.content.clone(), fail)
    })))
}

/// A call of a turn that did not end.
fn called(recorded: &Recorded, call: &RecordedCall) -> Result<ToolRecord, AgentError> {
    let unknown = "the journal does not say how this call ended";
    let args = value_of(&call.start.args).map_err(unreadable)?;
    let result = call.end.as_ref().map(|end| end.to_result()).transpose()?;
    let header = recorded.header();
    let tool = header.tools.iter().find(|tool| tool.name == call.start.tool);
    let effect = tool.map_or(Effect::Write, |tool| tool.effect);
    let may_have_run = match &result {
        None => true,
        Some(result) => result.as_ref().is_err_and(|failure| failure.may_have_run),
    };
    let began = call.start.at_us.unwrap_or_default();
    let took = call.end.as_ref().map_or(0, |end| end.at_us.saturating_sub(began));
    let (result, error) = match result {
        None => (Value::Nil, Some(unknown.to_owned())),
        Some(Ok(value)) => (value, None),
        Some(Err(failure)) => (Value::Nil, Some(failure.message)),
    };
    Ok(ToolRecord {
        name: call.start.tool.as_str().into(),
        surface: args.clone(),
        args,
        result,
        error,
        duration: Duration::from_micros(took),
        started_micros: header.clock.saturating_add(i64::try_from(began).unwrap_or(i64::MAX)),
        cached: false,
        edited: false,
        effect,
        declares_write: false,
        may_have_run: may_have_run && effect == Effect::Write,
        from_failed_turn: false,
        hidden_fields: tool.map(|tool| tool.hidden_fields.clone()).unwrap_or_default(),
    })
}
