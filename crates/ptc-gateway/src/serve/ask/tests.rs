use super::*;
use crate::Waiting;

/// The properties of the form that a client of this revision gets.
fn properties(all: bool, revision: Option<&ProtocolVersion>) -> Json {
    let (session, fingerprint, text) = ("s".to_owned(), "f".to_owned(), "A program wants to call:".to_owned());
    let question = Question { waiting: Waiting { session, fingerprint, text, all }, calls: Vec::new() };
    serde_json::to_value(form(&question, revision)).unwrap()["requestedSchema"]["properties"].clone()
}

/// The values that a form offers, with their titles.
fn offered(decision: &Json) -> Vec<(String, String)> {
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    match decision["oneOf"].as_array() {
        Some(choices) => choices.iter().map(|choice| (text(&choice["const"]), text(&choice["title"]))).collect(),
        None => {
            let (values, titles) = (decision["enum"].as_array().unwrap(), decision["enumNames"].as_array().unwrap());
            assert_eq!(values.len(), titles.len());
            values.iter().map(text).zip(titles.iter().map(text)).collect()
        }
    }
}

#[test]
fn every_revision_gets_choices_that_it_knows() {
    for all in [false, true] {
        let newest = offered(&properties(all, None)["decision"]);
        assert_eq!(newest.len(), if all { 3 } else { 2 });
        for revision in ProtocolVersion::KNOWN_VERSIONS {
            let properties = properties(all, Some(revision));
            let is_old = revision.as_str() < "2025-11-25";
            let decision = &properties["decision"];
            assert_eq!(
                (decision.get("enum").is_some(), decision.get("oneOf").is_none()),
                (is_old, is_old),
                "{revision}"
            );
            assert_eq!(
                (offered(decision), &properties["reason"]["default"]),
                (newest.clone(), &json!("")),
                "{revision}"
            );
        }
        // Each of them means something.
        for (value, _) in newest {
            let result =
                ElicitResult::new(ElicitationAction::Accept).with_content(json!({"decision": value, "reason": ""}));
            assert_ne!(choice(&result), Choice::Deny("nothing was decided".to_owned()), "{value}");
        }
    }
}
