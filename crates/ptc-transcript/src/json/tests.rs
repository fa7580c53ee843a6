//! Records survive their JSON form; the plain form is the one that other tools expect.

use std::time::Duration;

use insta::{assert_json_snapshot, assert_snapshot};
use proptest::prelude::*;
use ptc_lisp::signature::Signature;
use ptc_lisp::text::{FormatOptions, format};
use ptc_lisp::values::time_from_tag;
use ptc_lisp::{
    Effect, HiddenFields, Memory, MemoryEntry, Session, SessionOptions, ToolCall, ToolRecord, ToolSpec, Value,
};
use serde_json::{Value as Json, json};

use super::*;
use crate::fail::{Fail, FailKind, FailReason};
use crate::step::{EndingKind, Step};
use crate::turn::{FailurePlace, Turn, TurnFields, TurnKind, TurnWarning, failure_value};

fn kw(name: &str) -> Value {
    Value::keyword(name)
}

fn define(name: &str, value: Value, order: u64) -> MemoryEntry {
    let label = ptc_lisp::values::type_of(&value);
    MemoryEntry { name: name.into(), value, doc: None, returns: None, params: None, order, label }
}

fn call(room: i64) -> ToolRecord {
    let args = Value::map_from([(Value::string("room"), Value::Int(room))]);
    let surface = Value::map_from([(kw("room"), Value::Int(room))]);
    let call = ToolCall { seq: 0, name: "quote-room".into(), args, surface };
    ToolRecord::new(call, &Ok(Value::Float(89.5)), Effect::Write, Duration::from_micros(1500), 12)
}

/// A run of three turns: a definition and a call, a failure, a redefinition.
fn run() -> Step {
    let first = Memory::new(vec![define("rate", Value::Float(89.5), 1), define("k", kw("net"), 2)]);
    let last =
        Memory::new(vec![define("rate", Value::Int(90), 3), define("k", kw("net"), 2), define("m", Value::Nil, 4)]);
    let one = Turn::success(TurnFields {
        program: Some("(def rate 89.5)".into()),
        prints: vec!["rate 89.5".into()],
        tool_calls: vec![
            call(12),
            ToolRecord { effect: Effect::Read, from_failed_turn: true, ..call(13) },
            ToolRecord {
                result: Value::Nil,
                error: Some("504 gateway timeout".into()),
                declares_write: false,
                may_have_run: true,
                ..call(14)
            },
        ],
        memory: first.clone(),
        warnings: vec![TurnWarning {
            code: "list-order".into(),
            message: "works at the end".into(),
            line: 1,
            column: 2,
        }],
        duration: Duration::from_micros(2_000_001),
        reasoning: Some("hm".into()),
        progress: "- [ ] **1.** Quote".into(),
        ..TurnFields::new(1, "Sure\n(def rate 89.5)", Value::Var("rate".into()))
    });
    let two = Turn::failure(TurnFields {
        memory: first,
        failed_at: Some(FailurePlace { line: 1, column: 3 }),
        ..TurnFields::new(2, "?", failure_value("parse_error", "no program"))
    });
    let three = Turn::success(TurnFields {
        kind: TurnKind::MustReturn,
        memory: last.clone(),
        ..TurnFields::new(3, "(return 1)", Value::Int(1))
    });
    let mut step = Step::returned(EndingKind::Return, Value::Int(1));
    step.turns = Some(vec![one, two, three]);
    step.memory = last;
    step.mission = "Quote".into();
    step.max_turns = Some(3);
    step.retry_turns = 2;
    step.notes = ";; notes".into();
    step.feedback_max_chars = Some(200);
    step.memory_at_start = Memory::new(vec![define("known", kw("a"), 0)]);
    step.signature = Some(Signature::parse("(limit :int) -> :int").unwrap());
    step.tools = vec![ToolSpec::new("quote-room").signature(Signature::parse("(room :int) -> :float").unwrap())];
    step.data = Value::map_from([(kw("limit"), Value::Int(250))]).as_map().unwrap().clone();
    step
}

/// The same run with a tool that shows fields: the second turn learns a name, the third keeps it.
fn run_with_shown_names() -> Step {
    let names = |names: &[&str]| names.iter().collect();
    let mut step = run();
    let of_turn = |turn: &Turn| {
        let shown = if turn.number() == 1 { names(&["_id"]) } else { names(&["_id", "_source"]) };
        let fields = TurnFields {
            memory: turn.memory().clone().with_shown_names(shown),
            tool_calls: vec![ToolRecord { hidden_fields: HiddenFields::named(["_score"]), ..call(12) }],
            ..TurnFields::new(turn.number(), "(x)", Value::Nil)
        };
        if turn.is_success() { Turn::success(fields) } else { Turn::failure(fields) }
    };
    step.turns = step.turns.map(|turns| turns.iter().map(of_turn).collect());
    step.memory = step.memory.with_shown_names(names(&["_id", "_source"]));
    step.memory_at_start = step.memory_at_start.with_shown_names(names(&["_id"]));
    step.definitions = step.definitions.with_shown_names(step.memory.shown_names().clone());
    step.tools = vec![ToolSpec { hidden_fields: HiddenFields::named(["_score"]), ..ToolSpec::new("quote-room") }];
    step
}

#[test]
fn names_that_models_have_seen_survive_typed_json() {
    let step = run_with_shown_names();
    let written = StepJson::new(&step, ValueForm::Typed);
    let turns = written.turns.as_ref().unwrap();
    let lists = turns.iter().map(|turn| turn.shown_names.iter().map(str::to_owned).collect::<Vec<_>>());
    // A turn that learned none has no list.
    assert_eq!(lists.collect::<Vec<_>>(), [vec!["_id"], vec!["_id", "_source"], vec![]]);
    let read = StepJson::parse(&written.to_json().to_string()).unwrap().to_step().unwrap();
    for (read, step) in read.turns().iter().zip(step.turns()) {
        assert_eq!(read.memory().shown_names(), step.memory().shown_names());
        assert_eq!(read.tool_calls()[0].hidden_fields, HiddenFields::named(["_score"]));
    }
    let names = |step: &Step| {
        [
            step.memory.shown_names().clone(),
            step.memory_at_start.shown_names().clone(),
            step.definitions.shown_names().clone(),
        ]
    };
    assert_eq!(names(&read), names(&step));
    assert_eq!(read.tools[0].hidden_fields, HiddenFields::named(["_score"]));
}

#[test]
fn a_step_survives_typed_json() {
    let written = StepJson::new(&run(), ValueForm::Typed);
    let text = written.to_json().to_string();
    let read = StepJson::parse(&text).unwrap().to_step().unwrap();
    assert_eq!(StepJson::new(&read, ValueForm::Typed).to_json(), written.to_json());
    let turns = read.turns();
    assert_eq!(turns[1].memory().entries().len(), 2);
    assert_eq!(turns[1].failed_at(), Some(FailurePlace { line: 1, column: 3 }));
    assert!(matches!(turns[1].memory().get("rate").unwrap().value, Value::Float(_)));
    assert!(matches!(turns[2].memory().get("rate").unwrap().value, Value::Int(90)));
    assert_eq!(turns[0].duration(), Duration::from_micros(2_000_001));
    let marks = |call: &ToolRecord| (call.effect, call.may_have_run, call.from_failed_turn);
    let marks: Vec<_> = turns[0].tool_calls().iter().map(marks).collect();
    assert_eq!(marks, [(Effect::Write, false, false), (Effect::Read, false, true), (Effect::Write, true, false)]);
    assert_eq!((turns[0].progress(), read.retry_turns, read.notes.as_str()), ("- [ ] **1.** Quote", 2, ";; notes"));
    assert_eq!((read.feedback_max_chars, read.output), (Some(200), ptc_chat::OutputMode::PtcLisp));
    assert!(read.memory_at_start.get("known").is_some_and(|entry| matches!(entry.value, Value::Keyword(_))));
}

#[test]
fn calls_of_older_releases_count_as_writes() {
    let call = json!({"name": "quote", "args": {}, "result": 1});
    let call: ToolRecordJson = serde_json::from_value(call).unwrap();
    assert_eq!((call.effect, call.may_have_run, call.from_failed_turn), (Effect::Write, false, false));
    let tool: ToolSpecJson = serde_json::from_value(json!({"name": "quote"})).unwrap();
    assert_eq!(tool.to_spec().unwrap().effect, Effect::Write);
    let read = ToolSpecJson::new(&ToolSpec::new("look").effect(Effect::Read));
    assert_eq!(serde_json::to_value(&read).unwrap(), json!({"name": "look", "effect": "read"}));
}

fn session() -> Session {
    Session::new(SessionOptions::default())
}

#[test]
fn definitions_survive_typed_json() {
    let mut first = session();
    // Values that cannot be written grow fast, so writing them is soon given up.
    first.run(
        "(def n (atom 3)) (defn add [x] (swap! n + x)) (def endless (iterate (fn [s] (str s s)) \"ab\"))",
        &mut |_| unreachable!(),
    );
    let deep = (0..60).fold(Value::Int(1), |value, _| Value::vector(vec![value]));
    first.define("deep", deep, None).unwrap();
    let step = Step { definitions: first.definitions(), ..run() };
    let written = StepJson::new(&step, ValueForm::Typed);
    let read = StepJson::parse(&written.to_json().to_string()).unwrap().to_step().unwrap();
    assert_eq!(StepJson::new(&read, ValueForm::Typed).to_json(), written.to_json());
    let mut second = Session::new(SessionOptions { definitions: read.definitions, ..SessionOptions::default() });
    let left_out = second.left_out();
    assert_eq!(left_out.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), ["deep", "endless"]);
    assert_eq!(left_out[0].why, "its JSON is nested more than 100 deep");
    let outcome = second.run("(add 4)", &mut |_| unreachable!());
    assert!(matches!(outcome.value(), Some(Value::Int(7))));
    assert!(StepJson::new(&step, ValueForm::Plain).to_json().get("definitions").is_none());
}

#[test]
fn definitions_that_are_data_are_written_once() {
    let mut first = session();
    first.run(
        "(def rows [{:id 1 \"a b\" #{2.0 :c}} nil]) (def n (atom 3)) (def by-id (sorted-map 2 :b 1 :a)) (def f inc)\n\
         (def lazy (map inc [1 2])) (def big 123456789012345678901234567890) (defn add [x] (swap! n + x))",
        &mut |_| unreachable!(),
    );
    let step = Step { definitions: first.definitions(), memory: first.memory(), ..run() };
    let written = StepJson::new(&step, ValueForm::Typed);
    let json = written.to_json();
    let once = |(name, entry): (&String, &Json)| (*entry == json!({"in_memory": true})).then(|| name.clone());
    let once: Vec<String> = json["definitions"].as_object().unwrap().iter().filter_map(once).collect();
    assert_eq!(once, ["rows", "lazy", "big"]);
    let read = StepJson::parse(&json.to_string()).unwrap().to_step().unwrap();
    let text = |step: &Step| serde_json::to_string(&step.definitions.store().0).unwrap();
    assert_eq!(text(&read), text(&step));
    assert_eq!(StepJson::new(&read, ValueForm::Typed).to_json(), json);

    let mut without = json;
    without["memory"].as_object_mut().unwrap().remove("rows");
    let error = StepJson::parse(&without.to_string()).unwrap().to_step().unwrap_err();
    assert_snapshot!(error, @r#"this is not a recorded step or turn: "memory" has no value of `rows`"#);
}

/// Each kind of value has a size, so that no kind is a way around the bound.
#[test]
fn values_above_the_bound_are_named() {
    let parts = [
        Value::string("x".repeat(90_000)),
        Value::keyword(&"k".repeat(90_000)),
        Value::Symbol("s".repeat(90_000).as_str().into()),
        Value::Uuid("u".repeat(90_000).as_str().into()),
        Value::integer("7".repeat(90_000).parse().unwrap()),
    ];
    let memory = |times: usize| {
        let entry = |part: &Value| MemoryEntry {
            name: part.to_string().chars().take(3).collect(),
            value: Value::vector(vec![part.clone(); times]),
            doc: None,
            returns: None,
            params: None,
            order: 1,
            label: String::new(),
        };
        Memory::new(parts.iter().map(entry).collect())
    };
    assert!(!within_bounds(&memory(50)).1);
    let (named, is_bounded) = within_bounds(&memory(120));
    assert!(is_bounded);
    for entry in named.entries() {
        assert_eq!(entry.value.to_string(), format!("#{}: more than 8 MB", entry.name));
    }
}

#[test]
fn a_turn_stands_alone() {
    let turn = run().turns()[2].clone();
    let written = TurnJson::new(&turn, ValueForm::Typed);
    assert_eq!(written.memory.len(), 3);
    assert_eq!(TurnJson::new(&written.to_turn().unwrap(), ValueForm::Typed), written);
}

#[test]
fn inside_a_step_memory_is_stored_as_changes() {
    let written = StepJson::new(&run(), ValueForm::Plain).to_json();
    let names = |turn: usize| written["turns"][turn]["memory"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        (names(0), names(1), names(2)),
        (vec!["rate".into(), "k".into()], vec![], vec!["rate".into(), "m".into()])
    );
}

#[test]
fn a_forgotten_definition_is_not_carried_on() {
    let turn = |number, entries| {
        Turn::success(TurnFields { memory: Memory::new(entries), ..TurnFields::new(number, "", Value::Nil) })
    };
    let mut step = Step::returned(EndingKind::Value, Value::Nil);
    step.turns = Some(vec![
        turn(1, vec![define("a", Value::Int(1), 1), define("b", Value::Int(2), 2)]),
        turn(2, vec![define("b", Value::Int(2), 2)]),
    ]);
    let read = StepJson::new(&step, ValueForm::Typed).to_step().unwrap();
    assert!(read.turns()[1].memory().get("a").is_none());
}

/// Proves: BRK-002, TC-006, CLN-001, CHG-005.
#[test]
fn plain_json_is_for_people() {
    let written = StepJson::new(&run(), ValueForm::Plain).to_json();
    assert_json_snapshot!(written["turns"][0]["tool_calls"][0], @r#"
    {
      "name": "quote-room",
      "args": {
        "room": 12
      },
      "result": 89.5,
      "duration_ms": 1.5,
      "timestamp": 12
    }
    "#);
    assert_eq!(written["turns"][1]["result"], json!({"reason": "parse_error", "message": "no program"}));
    assert_eq!((&written["return"], &written["ending"], &written["version"]), (&json!(1), &json!("return"), &json!(1)));
    assert_eq!(written["data_keys"], json!(["limit"]));
    assert!(written.get("trace").is_none() && written.get("data").is_none() && written.get("fail").is_none());
}

#[test]
fn an_answer_of_nil_is_written() {
    let written = StepJson::new(&Step::returned(EndingKind::Value, Value::Nil), ValueForm::Typed).to_json();
    assert_eq!(written.get("return"), Some(&Json::Null));
    let fail = Fail::new(FailKind::Limit, FailReason::MissionTimeout, "the mission deadline has passed");
    let failed = StepJson::new(&Step::failed(EndingKind::Limit, fail), ValueForm::Typed);
    assert!(failed.to_json().get("return").is_none());
    assert_eq!(failed.to_step().unwrap().fail().unwrap().reason, FailReason::MissionTimeout);
}

#[test]
fn a_step_for_people_can_be_read_as_far_as_it_goes() {
    let plain = StepJson::new(&run(), ValueForm::Plain);
    let text = plain.to_json().to_string();
    let read = StepJson::parse(&text).unwrap().into_typed().to_step().unwrap();
    assert_eq!(StepJson::new(&read, ValueForm::Plain), StepJson { data_keys: Vec::new(), ..plain });
    let failed = &read.turns()[1];
    assert_eq!(
        (failed.error_reason().unwrap(), failed.error_message().unwrap()),
        ("parse_error".into(), "no program".into())
    );
    let typed = StepJson::new(&run(), ValueForm::Typed);
    assert_eq!(typed.clone().into_typed(), typed);
}

#[test]
fn what_cannot_be_read_back_says_why() {
    let plain = StepJson::new(&run(), ValueForm::Plain);
    assert_snapshot!(plain.to_step().unwrap_err(), @"this record holds plain values, which cannot be read back: write it with typed values");
    let newer = StepJson { version: 9, ..StepJson::new(&run(), ValueForm::Typed) };
    assert_snapshot!(newer.to_step().unwrap_err(), @"this record has format version 9, this release reads up to 1: use a newer release");
    let both = StepJson {
        fail: Some(FailJson {
            reason: FailReason::Failed,
            message: String::new(),
            kind: FailKind::Explicit,
            op: None,
            details: None,
        }),
        ..StepJson::new(&run(), ValueForm::Typed)
    };
    assert_snapshot!(both.to_step().unwrap_err(), @r#"this is not a recorded step or turn: ending return does not match the keys "return" and "fail""#);
    assert_snapshot!(value_of(&json!({"$date": "soon"})).unwrap_err(), @r#"{"$date":"soon"} is not a typed value: the content does not parse"#);
}

#[test]
fn typed_forms() {
    let mixed =
        Value::map_from([(Value::string("a"), kw("b")), (kw("c"), Value::set_from(vec![Value::Int(1)]).unwrap())]);
    assert_snapshot!(json_of(&mixed, ValueForm::Typed), @r#"{"$map":[["a",{"$kw":"b"}],[{"$kw":"c"},{"$set":[1]}]]}"#);
    assert_snapshot!(json_of(&Value::map_from([(kw("a"), Value::Float(2.0))]), ValueForm::Typed), @r#"{"a":2.0}"#);
    assert_snapshot!(json_of(&Value::map_from([(kw("$kw"), Value::Nil)]), ValueForm::Typed), @r#"{"$map":[[{"$kw":"$kw"},null]]}"#);
    assert_snapshot!(json_of(&Value::Float(f64::NEG_INFINITY), ValueForm::Typed), @r#"{"$num":"-Inf"}"#);
    let label = value_of(&json!({"$fn": "[x y]"})).unwrap();
    assert_snapshot!(format(&label, &FormatOptions::full()).text, @"#fn[x y]");
    assert_snapshot!(json_of(&label, ValueForm::Typed), @r#"{"$fn":"[x y]"}"#);
}

#[test]
fn deep_values_are_cut_and_stay_readable() {
    let deep = (0..100_000).fold(Value::Nil, |inner, _| Value::vector(vec![inner]));
    for form in [ValueForm::Plain, ValueForm::Typed] {
        assert!(json_of(&deep, form).to_string().contains("..."));
    }
    let text = json_of(&deep, ValueForm::Typed).to_string();
    assert!(value_of(&serde_json::from_str(&text).unwrap()).is_ok());
}

/// `2^60` numbers in 61 vectors: written only to about their size in memory.
#[test]
fn values_that_repeat_their_parts_are_cut() {
    let doubled =
        (0..60).fold(Value::vector(vec![Value::Int(1)]), |inner, _| Value::vector(vec![inner.clone(), inner]));
    for form in [ValueForm::Plain, ValueForm::Typed] {
        let text = json_of(&doubled, form).to_string();
        assert!(
            text.starts_with("[[[[[[[[[[[") && text.contains("...") && text.len() < 400_000,
            "{} characters",
            text.len()
        );
    }
}

/// A text of each kind of time.
const TIMES: &[(&str, &str)] = &[
    ("date", "2024-03-01"),
    ("local-datetime", "2024-03-01T10:30"),
    ("local-time", "10:30"),
    ("year-month", "2024-03"),
    ("zoned-datetime", "2024-03-01T10:30+01:00[Europe/Berlin]"),
    ("zone", "Europe/Berlin"),
    ("day-of-week", "MONDAY"),
    ("month", "MARCH"),
    ("unit", "DAYS"),
    ("period", "P1Y2M3D"),
    ("duration", "PT1H30M"),
    ("formatter", "yyyy-MM-dd"),
];

#[test]
fn every_kind_of_time_survives_typed_json() {
    assert!(ptc_lisp::values::TIME_KINDS.iter().all(|kind| TIMES.iter().any(|(known, _)| known == kind)));
    let all = Value::vector(TIMES.iter().map(|(kind, text)| time_from_tag(kind, text).unwrap()).collect());
    assert_snapshot!(json_of(&all, ValueForm::Typed).to_string(), @r#"[{"$date":"2024-03-01"},{"$local-datetime":"2024-03-01T10:30"},{"$local-time":"10:30"},{"$year-month":"2024-03"},{"$zoned-datetime":"2024-03-01T10:30+01:00[Europe/Berlin]"},{"$zone":"Europe/Berlin"},{"$day-of-week":"MONDAY"},{"$month":"MARCH"},{"$unit":"DAYS"},{"$period":"P1Y2M3D"},{"$duration":"PT1H30M"},{"$formatter":"yyyy-MM-dd"}]"#);
    assert_snapshot!(json_of(&Value::map_from([(time_from_tag("date", "2024-03-01").unwrap(), Value::Int(1))]), ValueForm::Plain).to_string(), @r#"{"2024-03-01":1}"#);
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<f64>().prop_map(Value::Float),
        "[$a-z:\"#]{0,6}".prop_map(Value::string),
        "[$a-z][a-z/]{0,3}".prop_map(|name| Value::keyword(&name)),
        "[a-z]{1,4}".prop_map(|name| Value::Symbol(name.as_str().into())),
        any::<i64>().prop_map(|micros| Value::Instant(micros >> 20)),
        prop::sample::select(TIMES).prop_map(|(kind, text)| time_from_tag(kind, text).unwrap()),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::vector),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|members| Value::set_from(members).unwrap()),
            prop::collection::vec((inner.clone(), inner), 0..4).prop_map(Value::map_from),
        ]
    })
}

proptest! {
    #[test]
    fn values_survive_typed_json(value in any_value()) {
        let json = json_of(&value, ValueForm::Typed);
        let text = json.to_string();
        let read = value_of(&serde_json::from_str(&text).unwrap()).unwrap();
        prop_assert_eq!(format(&read, &FormatOptions::full()), format(&value, &FormatOptions::full()));
        prop_assert_eq!(json_of(&read, ValueForm::Typed), json);
    }
}
