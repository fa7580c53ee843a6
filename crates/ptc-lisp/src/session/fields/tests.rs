use crate::session::{Session, SessionOptions};
use crate::value::{FormatOptions, Value, format_with};
use crate::{HiddenFields, Outcome, ShownNames, ToolSpec};

fn hit() -> Value {
    Value::from_json_str(r#"{"_id": 7, "_source": {"_type": "a", "n": 1}, "_token": "t", "rows": [{"_key": 2}]}"#)
        .unwrap()
}

fn server(hidden: &[&str]) -> ToolSpec {
    ToolSpec { hidden_fields: HiddenFields::named(hidden.iter().copied()), ..ToolSpec::new("search") }
}

fn run(session: &mut Session, source: &str) -> Outcome {
    session.run(source, &mut |_| Ok(hit()))
}

#[test]
fn names_with_a_word_for_a_secret_are_hidden() {
    let hidden = HiddenFields::named(["_score"]);
    for name in
        ["_token", "_apiKey", "_api_keys", "_SSN", "_ssn4", "_password2", "_refreshToken", "_client-secret", "_score"]
    {
        assert!(hidden.hides(name), "{name}");
    }
    for name in
        ["_id", "_source", "_links", "__typename", "_keyword", "_monkey", "_tokenizer", "_class", "_pinned", "score"]
    {
        assert!(!hidden.hides(name), "{name}");
    }
    assert!(HiddenFields::default().hides("_id") && !HiddenFields::default().hides("id"));
}

#[test]
fn fields_that_a_tool_shows_are_printed_and_stay_shown() {
    let options = SessionOptions { tools: vec![server(&[])], ..SessionOptions::default() };
    let mut session = Session::new(options);
    assert_eq!(run(&mut session, "(println {:_id 1 :a 2})").prints, ["{:a 2}"]);
    let outcome = run(&mut session, "(def hit (tool/search {})) (println hit) (println {:_id 1 :_other 2})");
    assert_eq!(outcome.prints, [r#"{:_id 7 :_source {:_type "a" :n 1} :rows [{}]}"#, "{:_id 1}"]);
    assert_eq!(outcome.tool_calls[0].hidden_fields, HiddenFields::named::<&str>([]));
    let memory = session.memory();
    assert_eq!(memory.shown_names().iter().collect::<Vec<_>>(), ["_id", "_source", "_type"]);
    // Other sessions that continue with the definitions show them, too; so does one that follows a failed program.
    run(&mut session, "(def lost 1) (/ 1 0)");
    let definitions = session.definitions();
    assert_eq!(definitions.shown_names(), memory.shown_names());
    let stored = crate::Definitions::from(definitions.store().0).with_shown_names(definitions.shown_names().clone());
    for definitions in [definitions, stored] {
        let mut next = Session::new(SessionOptions { definitions, ..SessionOptions::default() });
        assert_eq!(run(&mut next, "(println (:_source hit))").prints, [r#"{:_type "a" :n 1}"#]);
    }
}

#[test]
fn fields_stay_hidden_as_the_tool_says() {
    let shown_by = |tool: ToolSpec| {
        let mut session = Session::new(SessionOptions { tools: vec![tool], ..SessionOptions::default() });
        run(&mut session, "(println (tool/search {}))").prints
    };
    assert_eq!(shown_by(ToolSpec::new("search")), ["{:rows [{}]}"]);
    assert_eq!(shown_by(server(&["_source", "_type"])), ["{:_id 7 :rows [{}]}"]);
}

#[test]
fn answers_from_the_cache_show_their_fields() {
    let mut first = Session::new(SessionOptions {
        tools: vec![ToolSpec { cache: true, ..server(&[]) }],
        ..SessionOptions::default()
    });
    run(&mut first, "(tool/search {})");
    let options = SessionOptions {
        tools: vec![ToolSpec { cache: true, ..server(&[]) }],
        tool_cache: first.tool_cache(),
        ..SessionOptions::default()
    };
    let mut second = Session::new(options);
    assert_eq!(run(&mut second, "(println (keys (tool/search {})) (:_id (tool/search {})) {:_id 3})").prints.len(), 1);
    assert!(second.memory().shown_names().has("_id"));
}

#[test]
fn names_are_bounded() {
    let many = Value::map_from((0..3_000).map(|n| (Value::string(format!("_field{n}")), Value::Int(n))));
    let long = Value::map_from([(Value::string(format!("_{}", "x".repeat(300))), Value::Int(1))]);
    let mut shown = ShownNames::default();
    shown.learn(&long, &HiddenFields::named(["_none"]));
    assert!(shown.is_empty());
    shown.learn(&many, &HiddenFields::named(["_none"]));
    assert_eq!(shown.iter().count(), 1_000);
    let text = format_with(&many, &FormatOptions::full(), &shown).text;
    assert_eq!(text.matches("_field").count(), 1_000);
}

#[test]
fn they_are_written_as_lists() {
    let shown: ShownNames = ["_b", "_a"].into_iter().collect();
    let text = serde_json::to_string(&shown).unwrap();
    assert_eq!(text, r#"["_a","_b"]"#);
    assert_eq!(serde_json::from_str::<ShownNames>(&text).unwrap(), shown);
    for hidden in [HiddenFields::default(), HiddenFields::named(["_a"]), HiddenFields::named::<&str>([])] {
        let text = serde_json::to_string(&hidden).unwrap();
        assert_eq!(serde_json::from_str::<HiddenFields>(&text).unwrap(), hidden, "{text}");
    }
}
