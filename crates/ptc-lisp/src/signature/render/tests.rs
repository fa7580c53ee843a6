use insta::assert_snapshot;

use crate::signature::{Signature, Type};

/// The text form, the plain form and the example of one signature's result.
fn check(text: &str) -> String {
    let signature = Signature::parse(text).unwrap();
    format!("{signature} | {} | {}", signature.plain(), signature.result().example())
}

#[test]
fn three_forms() {
    assert_snapshot!(check("(a :int b :string?) -> {c [:float]}"), @"(a :int, b :string?) -> {c [:float]} | (a int, b string?) -> {c [float]} | {:c []}");
    assert_snapshot!(check(":int"), @":int | () -> int | 42");
    assert_snapshot!(check("() -> {total :float, rooms [:int], meta {floor :int?, tag :keyword}, x :any}"), @r#"() -> {total :float, rooms [:int], meta {floor :int?, tag :keyword}, x :any} | () -> {total float, rooms [int], meta {floor int?, tag keyword}, x any} | {:total 3.14, :rooms [], :meta {:floor 42, :tag :ok}, :x "..."}"#);
    assert_snapshot!(check("(m {}) -> [{ok :bool}]?"), @"(m :map) -> [{ok :bool}]? | (m map) -> [{ok bool}]? | []");
    assert_snapshot!(check("(m {:string -> [:int]}) -> {rates {:keyword -> {rate :float}}?, n {:int -> :bool}}"), @"(m {:string -> [:int]}) -> {rates {:keyword -> {rate :float}}?, n {:int -> :bool}} | (m {string -> [int]}) -> {rates {keyword -> {rate float}}?, n {int -> bool}} | {:rates {:key {:rate 3.14}}, :n {42 true}}");
    assert_snapshot!(check(":string?"), @r#":string? | () -> string? | "result""#);
}

#[test]
fn examples_have_values_of_sets_at_every_level() {
    assert_snapshot!(check("{found [{level #{:low :high}, n :int}], tags [:string], by {:string -> [#{:a}]}}").rsplit(" | ").next().unwrap(), @r#"{:found [{:level :low, :n 42}], :tags [], :by {"key" [:a]}}"#);
    assert_eq!(Type::parse("{kind #{:dot}, r :int?} | #{:none}").unwrap().example(), "{:kind :dot, :r 42}");
    let kinds = Type::parse("[{kind #{:dot}} | {kind #{:line}, long :int}]").unwrap();
    assert_eq!(kinds.example(), "[{:kind :dot} {:kind :line, :long 42}]");
    assert_eq!(Type::parse("[:string | {kind #{:dot}}]").unwrap().example(), r#"["result" {:kind :dot}]"#);
}

#[test]
fn pieces_for_namespace_lines() {
    let signature = Signature::parse("(rooms [{no :int}], nights :int?) -> :map").unwrap();
    assert_snapshot!(signature.plain_params(), @"rooms [{no int}], nights int?");
    assert_snapshot!(signature.params()[1].plain(), @"nights int?");
    assert_snapshot!(signature.params()[1], @"nights :int?");
    assert_snapshot!(signature.result().plain(), @"map");
}

#[test]
fn lines_leave_out_rules_that_anyone_expects() {
    let signature = r#"(size :int (at least 0), id :int (-9007199254740991 to 9007199254740991), name :string (at least 1 character; at most 9 characters), n :int (0 to 9), x :float (above 0), code :string (matches "^(aaaaaaaaaa|bbbbbbbbbb|cccccccccc|dddddddd)$"; uuid)) -> :any"#;
    let signature = Signature::parse(signature).unwrap();
    assert_snapshot!(signature.plain_params(), @"size int, id int, name string (at most 9 characters), n int (0 to 9), x float (above 0), code string (uuid)");
}

#[test]
fn a_doubled_question_mark_is_written_once() {
    let doubled = Type::Optional(Box::new(Type::Optional(Box::new(Type::Int))));
    assert_eq!(doubled.to_string(), ":int?");
    assert_eq!(Type::Int.optional().optional(), Type::parse(":int?").unwrap());
}

#[test]
fn serde_uses_the_text_form() {
    let signature = Signature::parse("(a :int) -> [:string]").unwrap();
    let json = serde_json::to_string(&signature).unwrap();
    assert_snapshot!(json, @r#""(a :int) -> [:string]""#);
    assert_eq!(serde_json::from_str::<Signature>(&json).unwrap(), signature);
    assert_snapshot!(serde_json::from_str::<Type>("\":list\"").unwrap_err(), @"signature, line 1, column 1: expected a type, found `:list`; write `[:any]` instead of `:list`; types are :string, :int, :float, :bool, :keyword, :map, :any, lists like [:int], maps like {name :string} and {:string -> :int}, sets of values like #{:low :high} and alternatives like :int | :string");
}

#[test]
fn descriptions_are_in_the_form_that_reads_back() {
    let text =
        r#"(day :string (date) "As YYYY-MM-DD\nor \"today\"", "b c" :int "First") -> {total :float "Sum in euros"}"#;
    let signature = Signature::parse(text).unwrap();
    assert_eq!(signature.to_string(), text);
    assert_eq!(
        signature.plain().to_string(),
        r#"(day string (date; YYYY-MM-DD), "b c" int) -> {total float (in euros)}"#
    );
    assert_eq!(signature.written_params().to_string(), r#"day :string (date), "b c" :int"#);
    assert_eq!(
        signature.lines(),
        [
            "day string; format date; As YYYY-MM-DD or \"today\"",
            "b c integer; First",
            "result.total number; Sum in euros"
        ]
    );
    let read = |text: &str| Signature::parse(text).unwrap().params().len();
    assert_eq!(read(r#"(a :int "about" b :int) -> :any"#), 2);
    assert_eq!(read(r#"(a :int "about" "b c" [:int]) -> :any"#), 2);
    assert_eq!(read(r#"(a :int "b c" :int) -> :any"#), 2);
}
