//! What counts as the JSON of an answer.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{JsonError, extract_json};

#[test]
fn the_first_block_decides() {
    assert_eq!(extract_json("a ```json\n{\"a\": 1}\n``` b ```json\n{\"a\": 2}\n```"), Ok(json!({"a": 1})));
    assert_eq!(extract_json("```\n\n``` and ```\n[2]\n```"), Ok(json!([2])));
    assert_eq!(extract_json("```python\n[1]\n``` then ```json\n[2]\n```"), Ok(json!([2])));
    let broken = extract_json("```json\n{\"a\": \n``` but {\"a\": 1}");
    let error = broken.expect_err("an error").to_string();
    assert_eq!(error, "the answer is not JSON: EOF while parsing a value at line 1 column 5");
}

#[test]
fn without_a_block_the_first_bracket_counts() {
    assert_eq!(extract_json("The answer: {\"text\": \"a } b\\\" ]\"} - done"), Ok(json!({"text": "a } b\" ]"})));
    assert_eq!(extract_json("  [1, 2]  "), Ok(json!([1, 2])));
    assert_eq!(extract_json("42"), Ok(json!(42)));
    assert_eq!(extract_json("no idea"), Err(JsonError::Missing));
    assert!(matches!(extract_json("{\"a\": "), Err(JsonError::Invalid(_))));
}

#[test]
fn characters_that_were_lost_are_named() {
    let lost = Err(JsonError::Undecoded("\"caf\u{fffd}\"}".to_owned()));
    for answer in
        ["{\"a\": \"caf\u{fffd}\"}", "```json\n{\"a\": \"caf\u{fffd}\"}\n```", "so: {\"a\": \"caf\u{fffd}\"} done"]
    {
        assert_eq!(extract_json(answer), lost);
    }
    assert_eq!(extract_json("voil\u{fffd}: [1] f\u{fffd}in"), Ok(json!([1])));
    assert_eq!(extract_json(r#"["\ufffd"]"#), Ok(json!(["\u{fffd}"])));
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z\"]{0,5}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_object_is_found_in_prose(value in any_json(), before in "[a-z .]{0,20}", after in "[ -~&&[^`]]{0,20}") {
        let wrapped = json!({ "v": value });
        let plain = wrapped.to_string();
        prop_assume!(!plain.contains("```"));
        prop_assert_eq!(extract_json(&format!("{before}{plain}{after}")), Ok(wrapped.clone()));
        prop_assert_eq!(extract_json(&format!("{before}```json\n{plain}\n```")), Ok(wrapped));
    }

    #[test]
    fn no_answer_panics(text in "[`{}\\[\\]\":, a1\n]{0,60}") {
        let _ = extract_json(&text);
    }
}

#[test]
fn fences_in_strings_belong_to_the_json() {
    let answer = "Here:\n```json\n{\"text\": \"```clojure\\n(f)\\n```\"}\n```\nDone.";
    assert_eq!(extract_json(answer), Ok(serde_json::json!({"text": "```clojure\n(f)\n```"})));
}

#[test]
fn an_answer_that_is_json_as_a_whole_may_quote_blocks() {
    let whole = json!({"text": "Run:\n```json\n[1]\n```", "n": 1});
    assert_eq!(extract_json(&format!("{whole}\n")), Ok(whole));
}
