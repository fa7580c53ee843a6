use std::fs;

use super::*;

/// What `text` in a file of this name is, as the formatter prints it.
fn check(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    match load_data(&path) {
        Ok(value) => ptc_lisp::format(&value, &ptc_lisp::FormatOptions::full()).text,
        Err(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
    }
}

#[test]
fn json_and_json_lines() {
    assert_eq!(check("a.json", "{\"n\": [1, 2.5, null]}"), "{:n [1 2.5 nil]}");
    assert_eq!(check("a.json", "\u{feff}[]"), "[]");
    assert_eq!(check("a.JSONL", "{\"a\":1}\r\n\n{\"a\":2}\n"), "[{:a 1} {:a 2}]");
    assert_eq!(check("a.jsonl", ""), "[]");
}

#[test]
fn csv_cells() {
    let text = "id,name,price,open\n7,Ines,89.5,true\n007,\"Rui, jr\",1e5,False\n-0,,-2.50,12345678901234567890123\n";
    insta::assert_snapshot!(check("a.csv", text), @r#"[{:id 7 :name "Ines" :price 89.5 :open true} {:id "007" :name "Rui, jr" :price "1e5" :open "False"} {:id "-0" :name nil :price "-2.50" :open "12345678901234567890123"}]"#);
    assert_eq!(check("a.csv", "a\nNaN\ninf\n1.\n.5\n"), r#"[{:a "NaN"} {:a "inf"} {:a "1."} {:a ".5"}]"#);
    assert_eq!(check("a.csv", ""), "[]");
}

#[test]
fn broken_files_name_the_line() {
    insta::assert_snapshot!(check("a.json", "{\"a\": 1,\n \"b\": }"), @"a.json:2:7: this is not JSON: expected value");
    insta::assert_snapshot!(check("a.jsonl", "{\"a\":1}\n\n{\"a\":oops}\n"), @"a.jsonl:3:6: this is not JSON: expected value");
    insta::assert_snapshot!(check("a.jsonl", "{} {}\n"), @"a.jsonl:1:4: this is not JSON: trailing characters");
    insta::assert_snapshot!(check("a.csv", "a,b\n1,2\n3\n"), @"a.csv:3:1: this row has 1 cells, the header has 2; quote cells that hold commas");
    insta::assert_snapshot!(check("a.csv", "a,a\n1,2\n"), @"a.csv:1:1: the header has `a` twice; rename one");
    insta::assert_snapshot!(check("a.txt", ""), @"cannot tell what a.txt is; name it .json, .jsonl or .csv");
}

#[test]
fn a_missing_file_is_named() {
    let error = load_data("nowhere.json").unwrap_err().to_string();
    assert!(error.starts_with("cannot read nowhere.json: "), "{error}");
}
