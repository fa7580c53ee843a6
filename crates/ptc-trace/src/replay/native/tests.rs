//! Recorded runs as native tool calls.

use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_chat::{Message, Role};
use ptc_compression::Estimate;
use ptc_lisp::{Map, ToolRecord, Value};
use ptc_transcript::{EndingKind, Step, Turn, TurnFields};
use serde_json::json;

use super::*;
use crate::replay::Comparison;
use crate::sample::{call, step, value};

/// A run of one program with these calls.
fn calling(calls: Vec<ToolRecord>) -> Step {
    let mut step = Step::returned(EndingKind::Return, value(json!({"total": 5})));
    step.turns =
        Some(vec![Turn::success(TurnFields { tool_calls: calls, ..TurnFields::new(1, "(return …)", Value::Nil) })]);
    step.mission = "Add.".into();
    step
}

fn direct(options: NativeTools, step: &Step) -> Rendition {
    options.rendition(step).unwrap()
}

fn texts(messages: &[Message]) -> Vec<String> {
    messages.iter().map(|message| format!("{}: {}", message.role.as_str(), message.content())).collect()
}

#[test]
fn a_run_becomes_calls_and_a_closing_text() {
    let mut step = step();
    step.system = Some("x".repeat(400).into());
    let ways = [
        Rendition::under(&step, "none", &false.into()).unwrap(),
        direct(NativeTools::default(), &step),
        direct(NativeTools { batches: true, words: 10, answer_words: Some(3), data: false }, &step),
    ];
    let prices = "input=2,cached=0.2,write=2.5,output=8".parse().ok();
    assert_snapshot!(Comparison::new(&step, &ways, &Estimate, prices).format(), @r"
    Tokens of each request: characters / 4; the system text counts 100 in each
    Prices (given): USD 2 input, 0.2 cached, 2.5 written to the cache, 8 output per million

    request                         none  native-tools  native-tools, batches
       1                             203           105                    100
       2                             253           122                    185
       3                             343           139                      –
       4                             351           160                      –
       5                               –           176                      –

    requests                           4             5                      2
    system text, native tools        100            92                     92
    input                          1,150           702                    285
      as in the request before       799           526                    100
    output                            63            60                     72
    USD without cache           0.002804      0.001884               0.001146
    USD with cache              0.001541      0.001025               0.001058

    native-tools assumes: each call has a request; 0 words before the calls of a request; the closing text is the answer of the run; the data is in the first message, whole

    native-tools, batches assumes: calls that do not use each other's results share a request; 10 words before the calls of a request; the closing text has 3 words; the data is not sent
    ");
}

#[test]
fn calls_share_a_request_unless_one_uses_what_another_returns() {
    let calls = vec![
        call(json!({"room": 1}), Ok(json!({"id": 71, "note": "see guest Ines"}))),
        call(json!({"room": 2}), Ok(json!({"id": 72}))),
        call(json!({"id": 71}), Ok(json!("71 is paid"))),
        call(json!({"id": 72}), Ok(json!("72 is paid"))),
        call(json!({"guest": "Ines"}), Ok(json!(null))),
    ];
    let step = calling(calls);
    let batched = direct(NativeTools { batches: true, ..NativeTools::default() }, &step);
    let answers = batched.own.unwrap().answers;
    let counts: Vec<usize> = answers.iter().map(|text| text.matches("\"name\"").count()).collect();
    // The guest is in a text that was read with the first request.
    assert_eq!(counts, [2, 3, 0]);
    let single = direct(NativeTools::default(), &step);
    assert_eq!(single.requests.len(), 6);
}

#[test]
fn what_a_cache_answered_is_not_called_again() {
    let known = ToolRecord { cached: true, ..call(json!({"room": 1}), Ok(json!(1))) };
    let kept = ToolRecord { from_failed_turn: true, ..call(json!({"room": 1}), Ok(json!(1))) };
    let step = calling(vec![call(json!({"room": 1}), Ok(json!(1))), known, kept]);
    assert_eq!(direct(NativeTools::default(), &step).requests.len(), 2);
}

#[test]
fn the_data_is_in_the_first_message_unless_it_is_left_out() {
    let mut step = calling(Vec::new());
    let Value::Map(data) = value(json!({"rooms": [1, 2], "_pin": 4711})) else { panic!("not a map") };
    step.data = data;
    let first =
        |data| direct(NativeTools { data, ..NativeTools::default() }, &step).requests[0][0].content().into_owned();
    assert_eq!(first(true), "Add.\n\nData:\n{\"rooms\":[1,2]}");
    assert_eq!(first(false), "Add.");
    step.data = Map::new();
    assert_eq!(direct(NativeTools::default(), &step).requests[0][0].content(), "Add.");
}

#[test]
fn a_conversation_goes_on_after_the_closing_text() {
    let (one, two) = (calling(vec![call(json!({"room": 1}), Ok(json!(1)))]), calling(Vec::new()));
    let said = NativeTools::default().along(&[("First.".into(), &one), ("Then.".into(), &two)]).unwrap();
    assert_eq!(said.requests.len(), 3);
    assert_snapshot!(texts(&said.requests[2]).join("\n"), @r#"
    user: First.
    assistant: {"name":"quote_room","arguments":{"room":1}}
    tool: 1
    assistant: {"total":5}
    user: Then.
    "#);
}

proptest! {
    /// Each request begins with the one before and its answer, and every call is in exactly one.
    #[test]
    fn requests_only_grow(rooms in prop::collection::vec((0..4_i64, 0..4_i64), 0..8), batches: bool, words in 0..3_usize) {
        let step = calling(rooms.iter().map(|(room, result)| call(json!({"room": room}), Ok(json!({"id": result})))).collect());
        let rendition = direct(NativeTools { batches, words, ..NativeTools::default() }, &step);
        let answers = rendition.own.unwrap().answers;
        prop_assert_eq!(answers.len(), rendition.requests.len());
        for (pair, answer) in rendition.requests.windows(2).zip(&answers) {
            let (before, now) = (texts(&pair[0]), texts(&pair[1]));
            prop_assert_eq!(&now[..before.len()], &before[..]);
            prop_assert_eq!(&now[before.len()], &format!("assistant: {answer}"));
        }
        let made: usize = answers.iter().map(|text| text.matches("\"arguments\"").count()).sum();
        prop_assert_eq!(made, rooms.len());
        let results = rendition.requests.last().unwrap().iter().filter(|message| message.role == Role::Tool).count();
        prop_assert_eq!(results, rooms.len());
    }
}
