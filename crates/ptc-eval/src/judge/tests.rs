use serde_json::json;

use super::*;

#[test]
fn a_judge_is_a_server_and_a_tool() {
    let judge = Judge::parse("env.suite.judge").unwrap();
    assert_eq!((judge.server.as_str(), judge.tool.as_str()), ("env", "suite.judge"));
    assert_eq!(judge.to_string(), "the judge `env.suite.judge`");
    for text in ["env", ".judge", "env.", ""] {
        assert_eq!(Judge::parse(text), None, "{text}");
    }
}

#[test]
fn verdicts_are_read_or_refused() {
    let verdict = |passed, problems: &[&str]| {
        Some(Verdict { passed, problems: problems.iter().map(|problem| (*problem).to_owned()).collect() })
    };
    assert_eq!(Verdict::read(&json!({"passed": true, "problems": []})), verdict(true, &[]));
    assert_eq!(Verdict::read(&json!({"passed": false, "problems": ["a", "b"]})), verdict(false, &["a", "b"]));
    let silent = verdict(false, &["the judge refuses the answer and says no more"]);
    assert_eq!(Verdict::read(&json!({"passed": false})), silent);
    for said in [
        json!(true),
        json!({"passed": "yes"}),
        json!({"passed": false, "problems": "a"}),
        json!({"passed": false, "problems": [1]}),
    ] {
        assert_eq!(Verdict::read(&said), None, "{said}");
    }
}

#[test]
fn answers_are_texts() {
    assert_eq!(answer_text(&json!("two")), "two");
    assert_eq!(answer_text(&json!({"a": [1, null]})), r#"{"a":[1,null]}"#);
}
