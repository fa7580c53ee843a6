use serde_json::json;

use super::*;

/// What is wrong with a value.
fn check(name: &str, value: Json) -> String {
    ReadOptions::default().set(name, &value).err().unwrap_or_default()
}

#[test]
fn values_of_each_option() {
    for (name, value) in [
        ("format", json!("csv")),
        ("separator", json!("tab")),
        ("quote", json!("")),
        ("escape", json!(true)),
        ("header", json!(3)),
        ("header", json!(false)),
        ("header", json!(["a"])),
        ("skip", json!(0)),
        ("comment", json!("#")),
        ("trim", json!(true)),
        ("decimal", json!(",")),
        ("thousands", json!(" ")),
        ("null", json!([])),
        ("types", json!({"a": "date %d.%m.%Y", "b": "int"})),
        ("on_error", json!("skip")),
        ("encoding", json!("latin1")),
        ("file_column", json!("file")),
        ("member", json!("a.csv")),
        ("sheet", json!("Q1")),
        ("columns", json!(["a"])),
    ] {
        assert_eq!(check(name, value), "", "{name}");
    }
    for option in &OPTIONS {
        assert_ne!(check(option.key.0, json!({"a": 1.5})), "", "{}", option.key.0);
    }
}

#[test]
fn wrong_values_say_what_they_must_be() {
    insta::assert_snapshot!(check("separator", json!("--")), @"separator must be one ASCII character, or `tab`");
    insta::assert_snapshot!(check("header", json!(true)), @"header must be the number of a line from 1, `false`, or a list of names");
    insta::assert_snapshot!(check("types", json!({"a": "int", "b": "money"})), @r#"the type of `b` must be `text`, `int`, `float`, `percent`, `bool`, `date`, `datetime`, or `date` with a format such as `date %d.%m.%Y`, not "money""#);
    insta::assert_snapshot!(check("seperator", json!(";")), @"unknown option `seperator`; known: format, separator, quote, escape, header, skip, comment, trim, decimal, thousands, null, types, on_error, encoding, file_column, member, sheet, columns");
}
