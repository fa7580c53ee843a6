use std::fs;

use ptc_lisp::Value;

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
    a.csv: the column `a` is text, since its points may be between thousands, as in other files with decimal commas or `;` between cells; say `decimal = ","` or `decimal = "."`
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

/// A file with these rows of two texts, all cells in quotes.
fn written(rows: &[[String; 2]]) -> String {
    let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Always).from_writer(Vec::new());
    writer.write_record(["a", "b"]).unwrap();
    rows.iter().for_each(|row| writer.write_record(row).unwrap());
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

/// Options that leave nothing to be found out.
fn said() -> serde_json::Value {
    serde_json::json!({"separator": ",", "quote": "\"", "types": {"a": "text", "b": "text"}})
}

proptest::proptest! {
    /// Pieces of 16 bytes begin and end anywhere: within cells, at line ends in quotes, between quotes.
    #[test]
    fn pieces_of_a_text_are_read_as_the_whole(
        rows in proptest::collection::vec(proptest::array::uniform2("[a\"\n, ]{0,40}"), 1..20)
    ) {
        let text = written(&rows);
        let cell = |cell: &String| if cell.is_empty() { "nil".to_owned() } else { Value::string(cell.clone()).to_string() };
        let wanted: Vec<String> = rows.iter().map(|[a, b]| format!("{{:a {} :b {}}}", cell(a), cell(b))).collect();
        let wanted = format!("[{}]", wanted.join(" "));
        // From a file, and from memory as text that had to be decoded; notes follow in other lines.
        for text in [text.clone(), format!("\u{feff}{text}")] {
            let told = check(&text, said());
            proptest::prop_assert_eq!(told.lines().next(), Some(wanted.as_str()));
        }
    }

    /// Lines are counted through all pieces.
    #[test]
    fn places_are_those_of_the_whole(
        rows in proptest::collection::vec(proptest::array::uniform2("[a\"\n, ]{0,40}"), 1..20),
        late in proptest::collection::vec("[a-c]{1,9}", 0..20)
    ) {
        let mut text = written(&rows);
        text.push_str(&late.iter().map(|word| format!("{word},x\n")).collect::<String>());
        let line = text.matches('\n').count() + 1;
        let told = check(&format!("{text}y\n1,2\n"), said());
        proptest::prop_assert!(told.starts_with(&format!("a.csv:{line}:1: this row has 1 cell")), "{}", told);
        let mut skip = said();
        skip["on_error"] = "skip".into();
        let told = check(&format!("{text}y\n1,2\nz\n"), skip);
        let left_out = format!("a.csv: 2 rows are left out: lines {line}, {}; of line {line}: ", line + 2);
        proptest::prop_assert!(told.contains(&left_out), "{}", told);
        let told = check(&format!("n,b\n{}?,2\n", "1,2\n".repeat(late.len() + 4)), serde_json::json!({}));
        proptest::prop_assert!(told.contains(&format!("`?` in line {} is not a number", late.len() + 6)), "{}", told);
    }
}

#[test]
fn a_quote_that_is_never_closed_is_found_in_any_piece() {
    for before in [0, 1, 5, 40] {
        let text = format!("a,b\n{}\"x,2\n{}", "1,2\n".repeat(before), "3,4\n".repeat(300));
        let told = check(&text, serde_json::json!({"separator": ",", "quote": "\""}));
        assert!(told.starts_with(&format!("a.csv:{}:1: the quote that opens here", before + 2)), "{told}");
    }
}

#[test]
fn a_file_whose_later_lines_are_not_utf8_is_read_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = b"a,b\n".to_vec();
    // Most pieces begin inside of quotes.
    bytes.extend(b"1,\"x\ny\"\n".repeat(400));
    bytes.extend(b"2,caf\xe9\n");
    fs::write(folder.path().join("a.csv"), bytes).unwrap();
    let file = read_data_with(folder.path().join("a.csv"), &ReadOptions::default()).unwrap();
    assert_eq!(file.value.as_vector().map(ptc_lisp::Vector::len), Some(401));
    assert!(file.value.to_string().ends_with("{:a 2 :b \"café\"}]"));
    assert!(file.notes.iter().any(|note| note.contains("windows-1252")), "{:?}", file.notes);
}
