use ptc_runner::lisp::{Session, SessionOptions, Value};
use ptc_runner::signature::Signature;

use super::*;

/// Names with a tool, data and definitions.
pub(in super::super) fn known() -> Names {
    let tool = ToolSpec::new("rate").signature(Signature::parse_tool("(nights :int) -> :float").unwrap());
    let orders =
        Value::from_json_str(r#"[{"id": 1, "order-total": 2.5, "by": {"name": "Ada"}}, {"paid?": true, "a b": 1}]"#)
            .unwrap();
    let mut names = Names::new(&[tool, ToolSpec::new("reset")], &[("orders".to_owned(), orders)]);
    let mut session = Session::new(SessionOptions::default());
    session.run("(defn area ([w] w) ([w h] (* w h))) (def rest-of {:own 1})", &mut |_| unreachable!());
    names.define(&session.memory());
    names
}

#[test]
fn names_are_found_by_their_beginning() {
    let names = known();
    assert_eq!(names.beginning("tool/r"), ["tool/rate", "tool/reset"]);
    assert_eq!(names.beginning(""), ["area", "data/orders", "rest-of", "tool/rate", "tool/reset"]);
    assert_eq!(names.beginning("str/tri"), ["str/trim", "str/trim-newline", "str/triml", "str/trimr"]);
    assert_eq!(names.beginning("rest"), ["rest", "rest-of"]);
    assert_eq!([names.beginning("*e"), names.beginning("*3")].concat(), ["*e", "*3"]);
    assert_eq!(names.keywords_beginning(":o"), [":order-total", ":own"]);
    assert_eq!(names.keywords_beginning(":").len(), 6);
}

#[test]
fn each_name_knows_how_it_is_used() {
    let names = known();
    let usage =
        |name: &str| names.get(name).map(|named| format!("{:?} {}", named.kind, named.usage)).unwrap_or_default();
    let all =
        ["map", "let", "area", "rest-of", "tool/rate", "tool/reset", "data/orders", "str/trim", "nope"].map(usage);
    insta::assert_snapshot!(all.join("\n").trim_end(), @"
    Builtin (map f)  (map f & colls)
    Form (let [name value ...] body...)
    Definition (area w)  (area w h)
    Definition map[1]
    Tool tool/rate (nights :int) -> :float
    Tool tool/reset
    Data list[2]
    Builtin (trim s)
    ");
}

#[test]
fn definitions_that_are_gone_are_no_names() {
    let mut names = known();
    names.define(&Memory::default());
    assert!(names.get("area").is_none() && names.get("map").is_some());
}
