use ptc_runner::lisp::SessionOptions;

use super::*;
use crate::eval::no_tool;

/// Run one program after another, each in a session of its own with the memory of the one before, as text.
fn check(programs: &[&str]) -> String {
    let mut stored = "{}".to_owned();
    let mut told = String::new();
    for program in programs {
        let mut session = Session::new(SessionOptions::default());
        let left_out = Stored::parse(&stored).unwrap().define(&mut session);
        let outcome = session.run(program, &mut no_tool);
        let value = outcome.value().map_or_else(|| format!("{:?}", outcome.problems()), crate::eval::clojure);
        told = left_out.iter().map(|entry| format!("{entry}\n")).chain([value]).collect();
        stored = to_json(&session.memory()).0.to_string();
    }
    told
}

#[test]
fn values_come_back() {
    assert_eq!(check(&["(def a {:k #{1 2.5 \"x\"}}) (def b 12345678901234567890)", "[a b]"]), "[{:k #{1 2.5 \"x\"}} 12345678901234567890]");
    assert_eq!(check(&["(def z 1) (def a 2)", "(def z 3)", "[z a]"]), "[3 2]");
}

#[test]
fn what_cannot_come_back_is_named() {
    insta::assert_snapshot!(check(&["(defn f [x] x) (def n 1)", "n"]), @r#"
    the definition of f is left out: "fn" cannot be read here: a function is only its printed form; define it again
    1
    "#);
}

#[test]
fn order_and_docs_are_kept() {
    let mut session = Session::new(SessionOptions::default());
    session.run("(def late \"a doc\" 1) (def early 2)", &mut no_tool);
    let text = to_json(&session.memory()).0.to_string();
    insta::assert_snapshot!(text, @r#"{"late":{"value":{"t":"int","v":"1"},"doc":"a doc","order":1},"early":{"value":{"t":"int","v":"2"},"order":2}}"#);
    let mut again = Session::new(SessionOptions::default());
    assert!(Stored::parse(&text).unwrap().define(&mut again).is_empty());
    assert_eq!(to_json(&again.memory()).0.to_string(), text);
}

#[test]
fn files_that_are_no_memory() {
    let of = |text: &str| Stored::parse(text).err().unwrap_or_default();
    insta::assert_snapshot!(of("[1]"), @"this is not the `memory` object of an answer: invalid type: sequence, expected a map at line 1 column 0");
    insta::assert_snapshot!(of("{"), @"this is not the `memory` object of an answer: EOF while parsing an object at line 1 column 1");
}

#[test]
fn an_entry_too_deep_to_read_is_left_out() {
    let deep = format!("{}{}", r#"{"t":"seq","v":["#.repeat(90), "]}".repeat(90));
    let text = format!(r#"{{"a":{{"value":{deep}}},"b":{{"value":{{"t":"int","v":"1"}},"order":2}}}}"#);
    let mut session = Session::new(SessionOptions::default());
    let left_out = Stored::parse(&text).unwrap().define(&mut session);
    assert_eq!(left_out.iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>(), ["a"]);
    let outcome = session.run("b", &mut no_tool);
    assert_eq!(outcome.value().map(crate::eval::clojure).as_deref(), Some("1"));
}
