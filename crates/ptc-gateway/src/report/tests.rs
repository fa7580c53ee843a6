use proptest::prelude::*;
use ptc_compression::{ByteBound, TokenCounter, usual_token_counter};
use ptc_lisp::{Import, Value};
use ptc_transcript::EndingKind;
use serde_json::json;

use super::*;

fn said(value: Json, prints: Vec<String>, tokens: usize) -> Json {
    let mut step = Step::returned(EndingKind::Value, Import::uncounted().value(value));
    step.prints = prints;
    let counter = usual_token_counter();
    report("0123456789abcdef", &step, &[], &[], (Budget { counter: &*counter, tokens }, &Attachments::default()))
}

#[test]
fn what_is_cut_is_named_with_the_way_to_see_it() {
    let said = said(json!((0..50_000).collect::<Vec<_>>()), vec!["x".repeat(90_000)], TOKENS);
    assert!(said["value"].as_str().unwrap().starts_with("[0 1 2 3"));
    assert_eq!(
        said["cut"],
        json!(["value: the beginning of list[50000] is shown, as text; all of it is data/last in the next program"])
    );
}

#[test]
fn values_that_fit_are_json_without_what_is_hidden() {
    let said = said(json!({"a": [1, null], "_key": "secret"}), Vec::new(), TOKENS);
    assert_eq!(said["value"], json!({"a": [1, null]}));
    assert_eq!(said["cut"], json!(["value: hidden, since their names begin with `_`: _key"]));
    assert!(said.get("prints").is_none());
}

#[test]
fn many_calls_are_counted_and_unknown_ones_stay() {
    let record = |error: Option<&str>, may_have_run| {
        let call = ptc_lisp::ToolCall { seq: 1, name: "pay".into(), args: Value::Nil, surface: Value::Nil };
        let failed = error.map(|text| ptc_lisp::ToolError::new(text).may_have_run(may_have_run));
        ToolRecord::new(call, &failed.map_or(Ok(Value::Nil), Err), ptc_lisp::Effect::Write, Default::default(), 0)
    };
    let mut records: Vec<ToolRecord> = (0..60).map(|_| record(None, false)).collect();
    records.push(record(Some("no money"), false));
    records.push(record(Some("gone"), true));
    let counter = usual_token_counter();
    assert_eq!(
        calls(&records, Budget { counter: &*counter, tokens: TOKENS }),
        [
            "pay: 62 calls, 60 done, 1 failed, 1 with unknown outcome",
            "pay({}): outcome unknown, it may have been done: gone"
        ]
    );
}

fn values() -> impl Strategy<Value = Json> {
    let leaf =
        prop_oneof![any::<i64>().prop_map(|n| json!(n)), "\\PC{0,400}".prop_map(|text| json!(text)), Just(Json::Null)];
    leaf.prop_recursive(3, 80, 12, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..12).prop_map(Json::Array),
            prop::collection::hash_map("[a-z_]{1,8}", inner, 0..12)
                .prop_map(|fields| Json::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Whatever a program returns, prints and calls, and whatever remarks there are, the answer stays within its
    /// tokens, and the calls with effects are counted in it.
    #[test]
    fn answers_are_within_their_tokens(
        value in values(), prints in prop::collection::vec("\\PC{0,1000}", 0..8), tokens in 500usize..4_000,
        notes in prop::collection::vec("\\PC{0,3000}", 0..3), paid in 0usize..80, failure in prop::option::of("\\PC{0,5000}"),
    ) {
        let mut step = match failure {
            None => Step::returned(EndingKind::Value, Import::uncounted().value(value)),
            Some(text) => Step::failed(EndingKind::Error, ptc_transcript::Fail::new(
                ptc_transcript::FailKind::Program, ptc_transcript::FailReason::ToolError, text)),
        };
        step.prints = prints;
        let args = Import::uncounted().value(json!({"n": 7, "to": "somebody with a long name and an address behind it"}));
        let call = ptc_lisp::ToolCall { seq: 1, name: "pay".into(), args: args.clone(), surface: args };
        let record = ToolRecord::new(call, &Ok(Value::Nil), ptc_lisp::Effect::Write, Default::default(), 0);
        step.tool_calls = vec![record; paid];
        let counter = usual_token_counter();
        let said = report("0123456789abcdef", &step, &notes, &[], (Budget { counter: &*counter, tokens }, &Attachments::default()));
        let count = counter.count(&said.to_string());
        prop_assert!(count <= tokens, "{count} > {tokens}: {said}");
        prop_assert!(ByteBound.count(&said.to_string()) >= count);
        let told = said["calls"].as_array().map_or(0, Vec::len);
        prop_assert!(told == paid || said["calls"][0].as_str().unwrap().starts_with(&format!("pay: {paid} calls")), "{said}");
    }
}
