//! Answers of cacheable tools: once per run, and handed on from run to run.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use ptc_chat::{OutputMode, Reply, ToolUse};
use ptc_lisp::CachedCall;
use ptc_transcript::{StepJson, ValueForm};
use serde_json::json;

use super::{Seen, Stay, check_raw};
use crate::{Agent, AgentBuilder, FnTool, RunOptions, ToolError};

/// `rate` counts its calls; room 0 has no rate.
fn agent(asked: &Arc<AtomicI64>) -> AgentBuilder {
    let rate = |asked: Arc<AtomicI64>, stay: Stay| {
        let count = asked.fetch_add(1, Ordering::SeqCst) + 1;
        if stay.room == 0 { Err(ToolError::new("no such room")) } else { Ok(count * 100 + stay.room) }
    };
    Agent::builder("Rates").tool(FnTool::with_state("rate", "Rate", asked.clone(), rate).cache())
}

fn check(asked: &Arc<AtomicI64>, programs: &[&str], tool_cache: Vec<CachedCall>) -> Seen {
    let answers = programs.iter().map(|program| Ok((*program).into())).collect();
    check_raw(agent(asked), answers, json!({}), RunOptions::new().tool_cache(tool_cache))
}

#[test]
fn equal_calls_of_a_run_are_answered_once() {
    let asked = Arc::default();
    let programs = [
        "(def a (tool/rate {:room 7 :nights 1})) (/ a 0)",
        "(def b (tool/rate {:nights 1 :room 7})) (tool/rate {:room 0 :nights 1})",
        "(tool/rate {:room 0 :nights 1})",
        "(return (tool/rate {:room \"7\" :nights 1}))",
    ];
    let seen = check(&asked, &programs, Vec::new());
    assert_eq!(seen.end(), "return 107");
    assert_eq!(asked.load(Ordering::SeqCst), 3, "one hit, and failures twice");
    let cached: Vec<Vec<bool>> =
        seen.step.turns().iter().map(|turn| turn.tool_calls().iter().map(|call| call.cached).collect()).collect();
    assert_eq!(cached, [vec![false], vec![true, false], vec![false], vec![true]]);
    assert!(seen.turn(4).tool_calls()[0].duration.is_zero());
}

#[test]
fn the_next_run_may_begin_with_the_answers() {
    let asked = Arc::default();
    let first =
        check(&asked, &["(tool/rate {:room 1 :nights 2})", "(return (tool/rate {:room 2 :nights 2}))"], Vec::new())
            .step;
    assert_eq!(first.tool_cache.len(), 2);
    // As it comes back from a file.
    let text = StepJson::new(&first, ValueForm::Typed).to_json();
    let read = serde_json::from_value::<StepJson>(text).expect("a step").to_step().expect("a step");
    let seen = check(&asked, &["(return (mapv (fn [n] (tool/rate {:room n :nights 2})) [1 2 3]))"], read.tool_cache);
    assert_eq!(seen.end(), "return [101,202,303]");
    assert_eq!(asked.load(Ordering::SeqCst), 3);
    assert_eq!(seen.step.tool_cache.len(), 3);
}

#[test]
fn calls_of_text_mode_use_the_cache_of_programs() {
    let asked: Arc<AtomicI64> = Arc::default();
    let call = |room: i64| ToolUse::new(format!("c{room}"), "rate", json!({"room": room, "nights": 2}));
    let calls =
        |rooms: &[i64]| Reply { tool_calls: rooms.iter().map(|room| call(*room)).collect(), ..Reply::default() };
    let first = check(&asked, &["(return (tool/rate {:room 1 :nights 2}))"], Vec::new()).step;
    let replies = vec![Ok(calls(&[1, 2])), Ok(calls(&[2, 0])), Ok(calls(&[0])), Ok("done".into())];
    let options = RunOptions::new().tool_cache(first.tool_cache);
    let seen = check_raw(agent(&asked).output(OutputMode::Text), replies, json!({}), options);
    assert_eq!(seen.end(), r#"value "done""#);
    assert_eq!(asked.load(Ordering::SeqCst), 4, "1 and 2 once, 0 each time");
    let cached: Vec<Vec<bool>> =
        seen.step.turns().iter().map(|turn| turn.tool_calls().iter().map(|call| call.cached).collect()).collect();
    assert_eq!(cached, [vec![true, false], vec![true, false], vec![false], vec![]]);
    assert!(seen.turn(1).tool_calls()[0].duration.is_zero());
    let said: Vec<String> = seen.requests[3].messages.iter().map(|message| message.content().into_owned()).collect();
    assert_eq!(said[2..4], ["101", "202"]);
    assert_eq!(seen.step.tool_cache.len(), 2);
    let next = check(&asked, &["(return (tool/rate {:room 2 :nights 2}))"], seen.step.tool_cache);
    assert_eq!((next.end().as_str(), asked.load(Ordering::SeqCst)), ("return 202", 4), "programs find them, too");
}
