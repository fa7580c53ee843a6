//! What turns and steps record.

use std::time::Duration;

use proptest::prelude::*;
use ptc_chat::{Reply, StopReason, Tokens};
use ptc_transcript::{StepJson, ValueForm};
use serde_json::{Value as Json, json};

use super::super::{Nothing, Seen, agent, bookings, check, check_raw};
use crate::{FnTool, FormatSettings, RunOptions, ToolError};

/// Proves: BRK-008, ARC-010, CHG-003, CHG-015, CHG-022.
#[test]
fn raw_answers_are_kept_byte_for_byte() {
    let answers = [
        "First I look. ;; \u{a0}\r\n```clojure\n(def a 1)\n```\nThat was it.\n\n",
        "no program, “really”",
        " (return a)\t",
    ];
    for compression in [true, false] {
        let replies = answers.iter().map(|answer| Ok((*answer).into())).collect();
        let seen = check_raw(agent().compression(compression), replies, bookings(), RunOptions::default());
        let kept: Vec<&str> = seen.step.turns().iter().map(ptc_transcript::Turn::raw_response).collect();
        assert_eq!(kept, answers);
    }
}

/// Proves: ARC-001, ARC-007, DBG-002, AMB-005, CHG-005.
#[test]
fn a_turn_records_everything_that_happened() {
    let program = "(def a 1) (println \"one\") (tool/quote-room {:room 12 :nights 2}) (conj '(1) 2)";
    let seen = check(agent().max_turns(3), &[program, "(println 2) (foo)", "(return 3)"]);
    let turn = seen.turn(1);
    assert_eq!((turn.number(), turn.is_success(), turn.program()), (1, true, Some(program)));
    assert_eq!(
        (turn.raw_response(), seen.kinds().as_str()),
        (format!("```clojure\n{program}\n```").as_str(), "normal normal must_return")
    );
    assert_eq!(turn.warnings().iter().map(|warning| warning.code.as_str()).collect::<Vec<_>>(), ["list-order"]);
    assert_eq!(
        (turn.prints(), seen.memory_names(1).as_slice()),
        (["one".to_owned()].as_slice(), ["a".to_owned()].as_slice())
    );
    let call = &turn.tool_calls()[0];
    assert_eq!((&*call.name, call.args.to_json().ok()), ("quote-room", Some(json!({"room": 12, "nights": 2}))));
    assert_eq!((call.result.to_json().ok(), call.error.as_deref()), (Some(json!({"total": 179.0})), None));
    assert_eq!(turn.result().to_json().ok(), Some(json!([1, 2])));
    assert!(!seen.turn(2).is_success() && seen.turn(3).is_success());
    let keys = ["number", "raw_response", "program", "result", "prints", "tool_calls", "memory", "success", "kind"];
    assert!(keys.iter().all(|key| seen.json()["turns"][0].get(key).is_some()), "{}", seen.json()["turns"][0]);
}

/// Proves: ARC-007.
#[test]
fn a_failed_turn_records_what_it_did_before_its_error() {
    let seen = check(agent(), &["(println 1) (tool/quote-room {:room 12 :nights 2}) (tool/fail-now {})", "(return 2)"]);
    let turn = seen.turn(1);
    let calls: Vec<&str> = turn.tool_calls().iter().map(|call| &*call.name).collect();
    assert_eq!(
        (turn.is_success(), turn.prints(), calls),
        (false, ["1".to_owned()].as_slice(), vec!["quote-room", "fail-now"])
    );
    assert_eq!(turn.tool_calls()[0].result.to_json().ok(), Some(json!({"total": 179.0})));
}

/// Proves: ARC-007.
#[test]
fn a_turn_records_how_its_answer_came_and_how_long_it_took() {
    let nap = |_: Nothing| async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        Ok::<_, ToolError>(1)
    };
    let (tokens, reasoning) =
        (Some(Tokens { input: 40, output: 2, ..Tokens::default() }), Some("A nap will do.".to_owned()));
    let reply =
        Reply { tokens, reasoning: reasoning.clone(), stop: StopReason::Length, ..Reply::text("(tool/nap {})") };
    let answers = vec![Ok(reply), Ok("(return 1)".into())];
    let seen = check_raw(agent().tool(FnTool::new("nap", "Naps", nap)), answers, bookings(), RunOptions::default());
    let turn = seen.turn(1);
    assert_eq!((turn.tokens(), turn.reasoning(), turn.stop()), (tokens, reasoning.as_deref(), &StopReason::Length));
    assert_eq!((turn.duration().as_secs(), seen.turn(2).duration().as_secs()), (3, 0));
}

/// Proves: DBG-001.
#[test]
fn whole_programs_are_recorded() {
    let program = format!("(def text \"{}\")", "x".repeat(3_000));
    let seen = check(agent().compression(true), &[&program, "(return (count text))"]);
    assert_eq!((seen.turn(1).program(), seen.end().as_str()), (Some(program.as_str()), "return 3000"));
}

/// The recorded turns as JSON with typed values, without the times of calls, which no two runs share.
fn turns(seen: &Seen) -> Vec<Json> {
    let step = StepJson::new(&seen.step, ValueForm::Typed).to_json();
    let mut turns = step["turns"].as_array().cloned().unwrap_or_default();
    for call in turns.iter_mut().flat_map(|turn| turn["tool_calls"].as_array_mut().expect("calls")) {
        (call["duration_ms"], call["timestamp"]) = (json!(0), json!(0));
    }
    turns
}

const PROGRAMS: [&str; 5] = [
    "(def a 1)",
    "(println data/limit)",
    "(foo)",
    "(def b [data/limit]) (tool/quote-room {:room 1 :nights 2})",
    "(tool/fail-now {})",
];

/// Proves: CMP-003, CHG-019.
#[test]
fn compression_changes_no_record() {
    let answers: Vec<&str> = PROGRAMS.iter().copied().chain(["(return 1)"]).collect();
    let run = |compression: bool| check(agent().max_turns(8).compression(compression), &answers);
    assert_eq!(turns(&run(true)), turns(&run(false)));
}

/// Proves: DBG-003, DBG-006.
#[test]
fn records_hold_no_rendered_text() {
    let seen = check(agent().compression(true), &["(def a 1)", "(println a)", "(return a)"]);
    assert!(seen.last(3).contains(";; === user/"));
    let mut written = StepJson::new(&seen.step, ValueForm::Typed).to_json();
    // Once for the run and not for each turn, because a ceiling counts it; values for people and tools have none.
    let system = written.as_object_mut().and_then(|step| step.remove("system")).expect("a text");
    assert_eq!(system, json!(&*seen.requests[2].system));
    assert_eq!(StepJson::new(&seen.step, ValueForm::Plain).system, None);
    let written = written.to_string();
    for rendered in
        [";; ===", ";; Tool calls made:", ";; No tool calls made", ";; Output:", "Turns left:", "# Output format"]
    {
        assert!(!written.contains(rendered), "{rendered} in {written}");
    }
    let again = agent().compression(true).build().expect("an agent").system_prompt().expect("a text");
    assert_eq!(again.text, &*seen.requests[2].system);
}

/// Proves: CLN-012, CHG-005.
#[test]
fn a_step_has_one_history() {
    let seen = check(agent().compression(true), &["(inc 41)", "(println :two)", "(foo)", "(return 3)"]);
    for form in [ValueForm::Plain, ValueForm::Typed] {
        let mut written = StepJson::new(&seen.step, form).to_json();
        // The text that teaches the language has programs, too.
        let system = written.as_object_mut().and_then(|step| step.remove("system"));
        assert_eq!(system.is_some(), form == ValueForm::Typed);
        let turns = written.as_object_mut().and_then(|step| step.remove("turns")).expect("turns").to_string();
        for part in ["(inc 41)", "(println :two)", "(foo)", "(return 3)", "\":two\""] {
            assert!(turns.contains(part) && !written.to_string().contains(part), "{part} in {written}");
        }
    }
}

/// Proves: TRN-008, TRN-009, TRN-011, AMB-009.
#[test]
fn prints_are_recorded_call_by_call() {
    let long = |length: usize| format!("(println \"{}\")", "x".repeat(length));
    let program = format!("(println \"a\\nb\") (println 1 :k) {} {} {}", long(2_000), long(2_001), long(3_000));
    let seen = check(agent().compression(true), &[&program, "(return 1)"]);
    let prints = seen.turn(1).prints();
    assert_eq!((prints[..2].to_vec(), prints.len()), (vec!["a\nb".to_owned(), "1 :k".to_owned()], 5));
    assert_eq!(prints[2..].iter().map(|entry| entry.len()).collect::<Vec<_>>(), [2_000, 2_003, 2_003]);
    assert!(prints[3].ends_with("x..."));
    assert_eq!((0..5).map(|place| seen.turn(1).print_missing(place)).collect::<Vec<_>>(), [0, 0, 0, 1, 1_000]);
    let whole = check(agent(), &[&program, "(return 1)"]);
    assert_eq!(whole.turn(1).prints()[4].len(), 3_000);

    let short = FormatSettings { max_print_length: Some(4), ..FormatSettings::default() };
    let seen = check(agent().format_options(short), &["(println \"abcdef\")", "(return 1)"]);
    assert_eq!(seen.turn(1).prints(), ["abcd..."]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Proves: ARC-002.
    #[test]
    fn turns_are_only_added_at_the_end(picks in prop::collection::vec(0..PROGRAMS.len(), 1..6), compression in any::<bool>()) {
        let programs: Vec<&str> = picks.iter().map(|pick| PROGRAMS[*pick]).collect();
        // The script runs out after this many answers, which ends the run.
        let after = |answers: usize| turns(&check(agent().max_turns(8).compression(compression), &programs[..answers]));
        for answers in 0..programs.len() {
            let (before, then) = (after(answers), after(answers + 1));
            prop_assert_eq!((before.len(), then.len()), (answers, answers + 1));
            prop_assert_eq!(&before[..], &then[..answers]);
        }
    }
}
