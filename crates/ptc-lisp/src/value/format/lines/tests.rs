use super::super::format;
use super::*;
use proptest::prelude::*;

fn text(json: &str, width: usize, lines: usize) -> String {
    let shown = format_lines(&Value::from_json_str(json).unwrap(), &FormatOptions::full(), width, lines);
    format!("{}{}", shown.text, if shown.truncated { "\n(cut)" } else { "" })
}

#[test]
fn values_take_as_many_lines_as_they_need() {
    insta::assert_snapshot!(text("[1, 2, 3]", 40, 9), @"[1 2 3]");
    insta::assert_snapshot!(text(r#"[{"id": 1, "name": "Ada Lovelace"}, {"id": 2, "name": "Bob"}]"#, 40, 9), @r#"
    [{:id 1 :name "Ada Lovelace"}
     {:id 2 :name "Bob"}]
    "#);
    insta::assert_snapshot!(text(r#"{"country": "Austria", "top": [{"name": "Ada", "lost": 12.5}, {"name": "Bob", "lost": 7}]}"#, 40, 9), @r#"
    {:country "Austria"
     :top [{:name "Ada" :lost 12.5}
           {:name "Bob" :lost 7}]}
    "#);
    insta::assert_snapshot!(text("[1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]", 20, 9), @"
    [1000 2000 3000
     4000 5000 6000
     7000 8000]
    ");
    insta::assert_snapshot!(text(r#"{"a long key that leaves no space for it": [1000, 2000, 3000, 4000, 5000]}"#, 30, 9), @r#"
    {"a long key that leaves no space for it"
       [1000 2000 3000 4000 5000]}
    "#);
}

#[test]
fn long_values_are_cut() {
    let many: Vec<String> = (0..500).map(|n| format!("{{\"id\": {n}, \"name\": \"number {n}\"}}")).collect();
    insta::assert_snapshot!(text(&format!("[{}]", many.join(",")), 40, 3), @r#"
    [{:id 0 :name "number 0"}
     {:id 1 :name "number 1"}
     {:id 2 :name "number 2"} …]
    (cut)
    "#);
    insta::assert_snapshot!(text(&format!("{{\"a\": [{}], \"b\": 1}}", many.join(",")), 40, 3), @r#"
    {:a [{:id 0 :name "number 0"}
         {:id 1 :name "number 1"}
         {:id 2 :name "number 2"} …]}
    (cut)
    "#);
    assert!(text(&format!("\"{}\"", "x".repeat(9_000)), 40, 3).ends_with("(cut)"));
}

proptest! {
    /// Whatever the layout: without a cut it is the value, except for blanks and line breaks, and it has few lines.
    #[test]
    fn a_layout_is_the_value(numbers in prop::collection::vec((any::<i32>(), "[a-z ]{0,30}", prop::collection::vec(any::<u8>(), 0..30)), 0..12), width in 10_usize..90, lines in 1_usize..60) {
        let rows: Vec<Value> = numbers.iter().map(|(n, name, bytes)| {
            let bytes = Value::vector(bytes.iter().map(|byte| Value::Int((*byte).into())).collect());
            Value::map_from([(Value::keyword("n"), Value::Int((*n).into())), (Value::string(name.as_str()), bytes), (Value::Int(1), Value::string(name.as_str()))])
        }).collect();
        let value = Value::vector(rows);
        let shown = format_lines(&value, &FormatOptions::full(), width, lines);
        prop_assert!(shown.text.lines().count() <= lines);
        if !shown.truncated {
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            prop_assert_eq!(bare(&shown.text), bare(&format(&value, &FormatOptions::full()).text));
        }
    }
}
