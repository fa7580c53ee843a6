//! Hidden strings in every shape in which they could reach a request.

use proptest::prelude::*;
use ptc_chat::{Part, Role};
use ptc_lisp::{HiddenFields, ShownNames, ToolRecord};
use ptc_transcript::{TurnFields, failure_value};
use serde_json::json;

use super::*;
use crate::plain::{feedback, outcome};
use crate::sample_runs::{call, define, fields, map, memory};

fn check(data: serde_json::Value, text: &str, redacted: &str) {
    let redactor = Redactor::new(&map(data), &Memory::default());
    assert_eq!(redactor.redact(text), redacted);
}

#[test]
fn strings_below_hidden_keys() {
    check(json!({"_key": "s3cret-canary"}), "raw s3cret-canary end", "raw [hidden] end");
    check(json!({"a": [{"_deep": [{"b": ["s3cret-canary"]}]}]}), "s3cret-canarys3cret-canary", "[hidden][hidden]");
    check(json!({"_by": {"ines@example.org": 1}}), "to ines@example.org", "to [hidden]");
    check(json!({"key": "s3cret-canary"}), "raw s3cret-canary end", "raw s3cret-canary end");
}

/// A turn whose tool hides these fields; what it answered is defined, too.
fn answered(hidden: HiddenFields, answer: serde_json::Value) -> Turn {
    let kept = memory(&[("hits", answer.clone())]);
    let result = Value::from_json(answer);
    let mut shown = ShownNames::default();
    shown.learn(&result, &hidden);
    let kept = kept.with_shown_names(shown);
    let call = ToolRecord { result, hidden_fields: hidden, ..call("search", json!({})) };
    Turn::success(TurnFields { tool_calls: vec![call], memory: kept, ..fields(1, "(x)") })
}

#[test]
fn fields_that_a_tool_shows_are_not_hidden() {
    let hit = json!({"_id": "document-4711", "_source": {"_token": "s3cret-canary"}});
    let redacted = |hidden| {
        let mut redactor = Redactor::new(&map(json!({"_mine": "hidden-input"})), &Memory::default());
        redactor.observe(&answered(hidden, hit.clone()));
        redactor.redact("document-4711 s3cret-canary hidden-input").into_owned()
    };
    assert_eq!(redacted(HiddenFields::named::<&str>([])), "document-4711 [hidden] [hidden]");
    assert_eq!(redacted(HiddenFields::named(["_id"])), "[hidden] [hidden] [hidden]");
    assert_eq!(redacted(HiddenFields::default()), "[hidden] [hidden] [hidden]");
}

#[test]
fn a_tool_decides_about_its_own_results() {
    let mut redactor = Redactor::new(&Map::new(), &Memory::default());
    redactor.observe(&answered(HiddenFields::named::<&str>([]), json!({"_id": "document-4711"})));
    // The name is shown in this run, but another tool hides it.
    let other = answered(HiddenFields::default(), json!([{"_id": "document-4712"}]));
    let shown = ["_id"].into_iter().collect();
    let memory = other.memory().clone().with_shown_names(shown);
    redactor.observe(&Turn::success(TurnFields {
        memory,
        tool_calls: other.tool_calls().to_vec(),
        ..fields(2, "(x)")
    }));
    assert_eq!(redactor.redact("document-4711 document-4712"), "document-4711 [hidden]");
}

#[test]
fn short_strings_and_numbers_stay() {
    check(json!({"_a": "seven77", "_n": 123456789}), "seven77 123456789", "seven77 123456789");
    check(json!({"_a": "achteckä"}), "achteckä", "[hidden]");
}

#[test]
fn the_longest_one_wins() {
    let data = json!({"_a": "s3cret-canary", "_b": "s3cret-canary/main/one", "_c": "s3cret-canary/main/two"});
    check(data.clone(), "<s3cret-canary/main/two>", "<[hidden]>");
    check(data.clone(), "<s3cret-canary/main>", "<[hidden]/main>");
    check(data, "<s3cret-canar>", "<s3cret-canar>");
}

#[test]
fn escaped_and_cut_forms() {
    let long = format!("line one\n\"{}\"", "k".repeat(100));
    let data = json!({"_long": long, "shown": long});
    let redactor = Redactor::new(&map(data.clone()), &Memory::default());
    let shown = format(&Value::from_json(json!({"shown": long})), &FormatOptions::full()).text;
    assert_eq!(redactor.redact(&shown), "{:shown \"[hidden]\"}");
    let sample = format(&Value::from_json(json!(long)), &FormatOptions::sample()).text;
    assert_eq!(redactor.redact(&sample), "\"[hidden]...\"");
}

#[test]
fn output_that_is_cut_does_not_show_the_beginning_of_a_hidden_text() {
    let redactor = Redactor::new(&map(json!({"_key": "k".repeat(3_000)})), &Memory::default());
    let fields = TurnFields { prints: vec!["k".repeat(3_000)], ..fields(1, "(x)") };
    let failed = Turn::failure(TurnFields { result: failure_value("tool_error", "no"), ..fields.clone() });
    for turn in [Turn::success(fields), failed] {
        let told = feedback(outcome(&turn, 2_000, false));
        assert!(!redactor.redact(&told).contains("kkkk"), "{told}");
    }
}

#[test]
fn what_is_hidden_is_known_in_every_form_of_a_message() {
    let secret = "key\r\n;; \u{1b}[1mone\n---\ntwo";
    let redactor = Redactor::new(&map(json!({ "_key": secret })), &Memory::default());
    let printed = format!("got {secret}!");
    let forms = [
        print_text(secret).into_owned(),
        print_text(&printed).into_owned(),
        ptc_lisp::text::escaped(&printed).into_owned(),
        one_line(&printed),
    ];
    for form in forms {
        let shown = redactor.redact(&form);
        assert!(shown.contains("[hidden]") && !shown.contains("two"), "{form:?} is {shown:?}");
    }
}

#[test]
fn definitions_and_tool_results_are_learnt() {
    let mut redactor = Redactor::new(&Map::new(), &memory(&[("_old", json!("from-before"))]));
    let mut login = call("login", json!({}));
    login.result = Value::from_json(json!({"ok": true, "_session": "session-of-ines"}));
    let fields = TurnFields {
        tool_calls: vec![login],
        memory: memory(&[("_token", json!(["token-of-oto"]))]),
        ..fields(1, "(x)")
    };
    let text = "from-before session-of-ines token-of-oto";
    assert_eq!(redactor.redact(text), "[hidden] session-of-ines token-of-oto");
    redactor.observe(&Turn::success(fields));
    assert_eq!(redactor.redact(text), "[hidden] [hidden] [hidden]");
}

#[test]
fn stable_parts_stay_the_same_during_a_run() {
    let mut redactor = Redactor::new(&map(json!({"_key": "s3cret-canary"})), &Memory::default());
    let message = Message::new(
        Role::User,
        [Part::stable("known-word s3cret-canary"), Part::changing("known-word s3cret-canary")],
    );
    let mut first = vec![message.clone()];
    redactor.redact_messages(&mut first);
    redactor.observe(&Turn::success(TurnFields { memory: memory(&[("_x", json!("known-word"))]), ..fields(1, "(x)") }));
    let mut second = vec![message.clone()];
    redactor.redact_messages(&mut second);
    assert_eq!(message.parts[1].text, "known-word s3cret-canary", "what the history holds stays as it was");
    assert_eq!(first[0].parts[0], second[0].parts[0]);
    assert_eq!(second[0].content(), "known-word [hidden][hidden] [hidden]");
}

#[test]
fn shared_and_deep_values_cost_no_more_than_their_parts() {
    let mut shared = Value::from_json(json!({"_key": "s3cret-canary"}));
    for _ in 0..200 {
        shared = Value::vector(vec![shared.clone(), shared]);
    }
    for _ in 0..100_000 {
        shared = Value::vector(vec![shared]);
    }
    let data = Value::map_from([(Value::keyword("tree"), shared)]);
    let redactor = Redactor::new(data.as_map().unwrap(), &Memory::default());
    assert_eq!(redactor.redact("s3cret-canary"), "[hidden]");
}

#[test]
fn versions_of_a_large_collection_are_all_looked_at() {
    let mut session = ptc_lisp::Session::new(ptc_lisp::SessionOptions::default());
    let program = r#"(def a (vec (map (fn [n] {:id n}) (range 5000)))) (def b (assoc a 4000 {})) (def c (assoc b 4001 {:_key "s3cret-canary"}))"#;
    session.run(program, &mut |_| Err(ptc_lisp::ToolError::new("no tools")));
    let redactor = Redactor::new(&Map::new(), &session.memory());
    assert_eq!(redactor.redact("s3cret-canary"), "[hidden]");
}

#[test]
fn definitions_that_change_are_looked_at_again() {
    let mut redactor = Redactor::new(&Map::new(), &Memory::default());
    let (one, two) = (json!(["first-value"]), json!(["second-value"]));
    let kept = memory(&[("_a", one), ("b", json!([1]))]);
    let changed = Memory::new(vec![kept.entries()[1].clone(), define("_a", two)]);
    for memory in [kept.clone(), kept, changed] {
        redactor.observe(&Turn::success(TurnFields { memory, ..fields(1, "(x)") }));
    }
    assert_eq!(redactor.redact("first-value second-value"), "[hidden] [hidden]");
}

proptest! {
    #[test]
    fn replaces_like_a_search_for_the_longest_at_each_place(secrets in prop::collection::vec("[ab]{8,10}", 1..6), text in "[ab.]{0,60}") {
        let redactor = Redactor::new(&map(json!({"_all": secrets})), &Memory::default());
        let mut expected = String::new();
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let whole = secrets.iter().filter(|secret| rest.starts_with(secret.as_str())).map(String::len).max();
            let cut = || {
                let lengths = (8..10).filter(|length| rest.get(*length..).is_some_and(|behind| behind.starts_with("...")));
                lengths.filter(|length| secrets.iter().any(|secret| secret.starts_with(&rest[..*length]))).max()
            };
            match whole.or_else(cut) {
                Some(length) => {
                    expected.push_str("[hidden]");
                    rest = &rest[length..];
                }
                None => {
                    expected.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        prop_assert_eq!(redactor.redact(&text), expected);
    }

    #[test]
    fn no_hidden_string_survives(secret in "[ -~äß\n]{8,30}", around in "[a-z ]{0,9}") {
        let redactor = Redactor::new(&map(json!({"_s": secret})), &Memory::default());
        let shown = format(&Value::string(secret.as_str()), &FormatOptions::full()).text;
        for text in [format!("{around}{secret}{around}"), format!("{around}{shown}")] {
            prop_assert!(!redactor.redact(&text).contains(&secret));
        }
    }
}

#[test]
fn a_text_in_a_text_is_known_too() {
    let secret = "line \"one\"\nof a key";
    let redactor = Redactor::new(&map(json!({ "_key": secret })), &Memory::default());
    let once = serde_json::to_string(&json!({ "a": secret })).unwrap();
    for shown in [once.clone(), serde_json::to_string(&once).unwrap()] {
        let redacted = redactor.redact(&shown);
        assert!(redacted.contains("[hidden]") && !redacted.contains("of a key"), "{shown}");
    }
}
