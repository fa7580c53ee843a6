use serde_json::json;

use super::*;

fn written(format: RecordFormat, value: serde_json::Value) -> (String, Vec<String>) {
    let mut out = Vec::new();
    let remarks = format.write(&Value::from_json(value), &mut out).unwrap();
    (String::from_utf8(out).unwrap(), remarks)
}

fn refused(format: RecordFormat, value: serde_json::Value) -> String {
    format.write(&Value::from_json(value), &mut Vec::new()).unwrap_err().to_string()
}

#[test]
fn the_ending_of_a_file_says_the_format() {
    let of = |name: &str| RecordFormat::of_file(Path::new(name));
    assert_eq!(
        (of("a.CSV"), of("b/c.jsonl"), of("x.parquet")),
        (Some(RecordFormat::Csv), Some(RecordFormat::JsonLines), Some(RecordFormat::Parquet))
    );
    assert_eq!((of("a.xlsx"), of("csv")), (None, None));
}

#[test]
fn columns_are_all_keys_in_the_order_of_their_appearance() {
    let rows = json!([{"a": 1, "b": "x, \"y\""}, {"b": null, "c": [1, {"d": 2}]}, {"c": true, "a": 2.5}]);
    let (text, remarks) = written(RecordFormat::Csv, rows.clone());
    insta::assert_snapshot!(text, @r#"
    a,b,c
    1,"x, ""y""",
    ,,"[1,{""d"":2}]"
    2.5,,true
    "#);
    assert_eq!(remarks, [""; 0]);
    insta::assert_snapshot!(written(RecordFormat::JsonLines, rows).0, @r#"
    {"a":1,"b":"x, \"y\""}
    {"b":null,"c":[1,{"d":2}]}
    {"c":true,"a":2.5}
    "#);
}

#[test]
fn formulas_are_disarmed_and_counted() {
    let rows = json!([{"n": -5, "=evil": "=1+1"}, {"n": 1, "=evil": "@x"}, {"n": 2, "=evil": "plain"}]);
    let (text, remarks) = written(RecordFormat::Csv, rows.clone());
    insta::assert_snapshot!(text, @"
    n,'=evil
    -5,'=1+1
    1,'@x
    2,plain
    ");
    assert_eq!(
        remarks,
        ["2 cells begin with `=`, `+`, `-` or `@`: a `'` is written before it, so that no spreadsheet runs it"]
    );
    let (text, _) = written(RecordFormat::Json, rows);
    assert!(text.contains("\"=1+1\""), "{text}");
}

#[test]
fn cells_of_markdown_are_one_line() {
    let (text, _) = written(RecordFormat::Markdown, json!([{"a": "x|y\nz", "b": 1}]));
    insta::assert_snapshot!(text, @r"
    | a | b |
    | --- | --- |
    | x\|y<br>z | 1 |
    ");
}

#[test]
fn only_records_have_columns() {
    assert_eq!(
        refused(RecordFormat::Csv, json!({"rows": [1], "n": 2})),
        "this needs a list of maps, and the answer is map[2]; JSON takes any answer"
    );
    assert!(refused(RecordFormat::JsonLines, json!([{"a": 1}, 2])).contains("list[2]"));
    assert_eq!(written(RecordFormat::Json, json!(7)).0, "7\n");
    assert_eq!(written(RecordFormat::Csv, json!([])).0, "");
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_needs_its_feature() {
    assert!(refused(RecordFormat::Parquet, json!([{"a": 1}])).contains("--features parquet"));
}

#[cfg(feature = "parquet")]
#[test]
fn what_is_written_as_parquet_is_read_again() {
    let rows = json!([{"b": "x", "a": 1}, {"b": null, "a": 2, "c": [1.5]}]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.parquet");
    let mut file = std::fs::File::create(&path).unwrap();
    assert_eq!(RecordFormat::Parquet.write(&Value::from_json(rows), &mut file).unwrap(), [""; 0]);
    let read = crate::read_data(&path).unwrap().value;
    assert_eq!(read.to_string(), r#"[{:b "x" :a 1 :c nil} {:b nil :a 2 :c [1.5]}]"#);
    let told = refused(RecordFormat::Parquet, json!([{"a": 1}, {"a": "x"}]));
    assert!(told.contains("a column has one type"), "{told}");
}
