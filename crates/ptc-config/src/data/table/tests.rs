use std::fs;

use super::super::read_data_with;
use super::*;

/// The value of a CSV file read with these options, and its notes.
fn check(text: &str, options: serde_json::Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.csv"), text).unwrap();
    let mut set = ReadOptions::default();
    for (name, value) in options.as_object().unwrap() {
        set.set(name, value).unwrap();
    }
    let told = match read_data_with(folder.path().join("a.csv"), &set) {
        Ok(file) => [vec![file.value.to_string()], file.notes].concat().join("\n"),
        Err(error) => error.to_string(),
    };
    told.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn rows_that_cannot_be_read_are_left_out_and_named() {
    let skip = || serde_json::json!({"on_error": "skip"});
    insta::assert_snapshot!(check("a,b\n1,2\n3\n4,5,6\n7,8\n", skip()), @r"
    [{:a 1 :b 2} {:a 7 :b 8}]
    a.csv: read as CSV, cells separated by `,`, left out: lines 3-4
    a.csv: 2 rows are left out: lines 3-4; of line 3: this row has 1 cell, the header has 2
    ");
    insta::assert_snapshot!(check("a,b\n\"1\"x,2\n7,8\n", skip()), @r#"
    [{:a 7 :b 8}]
    a.csv: read as CSV, cells separated by `,`, left out: line 2
    a.csv: 1 row is left out: line 2; of line 2: there is text after the quote that closes a cell: write "" for a quote inside of a quoted cell, or say `escape = true` if it is written \"
    "#);
    let typed = serde_json::json!({"on_error": "skip", "types": {"b": "int"}});
    insta::assert_snapshot!(check("a,b\n1,2\nx,y\n", typed), @r"
    [{:a 1 :b 2}]
    a.csv: read as CSV, cells separated by `,`, left out: line 3
    a.csv: 1 row is left out: line 3; of line 3: `y` in the column `b` is not an integer
    ");
    insta::assert_snapshot!(check("a,b\n1,2\n3,\"x\n", skip()), @r#"a.csv:3:3: the quote that opens here is never closed: close it, or write "" for a quote inside of a quoted cell"#);
}

#[test]
fn given_types_are_those_of_columns() {
    insta::assert_snapshot!(check("a,b\n1,2\n3,x\n", serde_json::json!({"types": {"b": "int"}})), @"a.csv:3:1: `x` in the column `b` is not an integer");
    insta::assert_snapshot!(check("a,b\n1,2\n", serde_json::json!({"types": {"c": "int"}})), @"a.csv has no column `c`; it has `a`, `b`");
    insta::assert_snapshot!(check("d\n1.3.2024\n", serde_json::json!({"types": {"d": "date %d.%m.%Y"}})), @r#"[{:d #date "2024-03-01"}]"#);
}

#[test]
fn a_type_that_only_later_rows_show_is_that_of_all() {
    let ints = "1\n".repeat(3_000);
    for (last, first) in [("x", "\"1\""), ("2.5", "1.0"), ("2,5", "1.0"), ("NA", "1")] {
        let told = check(&format!("n\n{ints}\"{last}\"\n"), serde_json::json!({}));
        assert!(told.starts_with(&format!("[{{:n {first}}} ")), "{last} {}", &told[..40]);
    }
}

#[test]
fn line_ends_do_not_change_line_numbers() {
    for end in ["\n", "\r\n", "\r"] {
        let told = check(&["a,b", "1,2", "3", "4,5"].join(end), serde_json::json!({}));
        assert!(told.starts_with("a.csv:3:1: "), "{end:?} {told}");
        let told = check(&["a", "1", "2", "", "n/a", ""].join(end), serde_json::json!({}));
        assert!(told.contains("`n/a` in line 5 "), "{end:?} {told}");
    }
}

#[test]
fn lines_are_chosen_by_options() {
    let rows = "x\na,b\n1,2\n";
    insta::assert_snapshot!(check(rows, serde_json::json!({"skip": 1})), @"
    [{:a 1 :b 2}]
    a.csv: read as CSV, cells separated by `,`, the header is line 2, left out: line 1
    ");
    insta::assert_snapshot!(check(rows, serde_json::json!({"header": 3})), @r#"
    []
    a.csv: read as CSV, cells separated by `,`, the header is line 3, left out: lines 1-2
    "#);
    insta::assert_snapshot!(check(rows, serde_json::json!({"header": 9})), @"a.csv:1:1: `header = 9` names a line that the file does not have; count from 1");
    insta::assert_snapshot!(check("1,2\n", serde_json::json!({"header": false})), @"[{:column_1 1 :column_2 2}]");
    insta::assert_snapshot!(check("a,a\n1,2\n", serde_json::json!({"header": ["x", "y"], "skip": 1})), @"
    [{:x 1 :y 2}]
    a.csv: read as CSV, cells separated by `,`, no header, left out: line 1
    ");
    insta::assert_snapshot!(check("a,b\n;1,2\n3,4\n", serde_json::json!({"comment": ";"})), @"
    [{:a 3 :b 4}]
    a.csv: read as CSV, cells separated by `,`, left out: line 2
    ");
}

#[test]
fn cells_are_chosen_by_options() {
    insta::assert_snapshot!(check("a,b\n x ,-\n", serde_json::json!({"trim": true, "null": ["-"]})), @r#"[{:a "x" :b nil}]"#);
    insta::assert_snapshot!(check("a\n1.234\n", serde_json::json!({"decimal": ","})), @"[{:a 1234}]");
    insta::assert_snapshot!(check("a;b\n1.234;2,5\n", serde_json::json!({})), @r#"
    [{:a "1.234" :b 2.5}]
    a.csv: read as CSV, cells separated by `;`, decimal `,`
    a.csv: the column `a` is text, since its points may be between thousands in a file with decimal commas; say `decimal = ","` or `decimal = "."`
    "#);
    insta::assert_snapshot!(check("a,b\n1,2,\n", serde_json::json!({})), @"
    [{:a 1 :b 2}]
    a.csv: read as CSV, cells separated by `,`, one at the end of each row
    ");
    insta::assert_snapshot!(check("a,b\n# x\n1,2\n", serde_json::json!({})), @"
    [{:a 1 :b 2}]
    a.csv: read as CSV, cells separated by `,`, left out: line 2
    ");
}
