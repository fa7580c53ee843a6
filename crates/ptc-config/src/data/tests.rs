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

/// As `check`, of a file that need not be text.
fn check_bytes(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let error = load_data(folder.path().join(name)).unwrap_err();
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn files_that_are_not_utf8_say_where() {
    insta::assert_snapshot!(check_bytes("a.csv", b"name,age\nIn\xeas,7\n"), @"a.csv:2:3: this is not UTF-8 text (byte 0xEA at offset 11); save the file as UTF-8");
    insta::assert_snapshot!(check_bytes("a.json", b"{\"name\": \"In\xeas\"}"), @"a.json:1:13: this is not UTF-8 text (byte 0xEA at offset 12); save the file as UTF-8");
    insta::assert_snapshot!(check_bytes("a.jsonl", b"1\n\"\xff\""), @"a.jsonl:2:2: this is not UTF-8 text (byte 0xFF at offset 3); save the file as UTF-8");
}

#[test]
fn a_quote_that_is_never_closed_is_shown_where_it_opens() {
    insta::assert_snapshot!(check("a.csv", "a,b\n1,\"two\n3,4\n5,6\n"), @r#"a.csv:2:3: the quote that opens here is never closed: close it, or write "" for a quote inside of a quoted cell"#);
    insta::assert_snapshot!(check("a.csv", "a,b\n1,\"say \"\"hi\n"), @r#"a.csv:2:3: the quote that opens here is never closed: close it, or write "" for a quote inside of a quoted cell"#);
    assert_eq!(check("a.csv", "a,b\n1,\"say \"\"hi\"\"\"\n2,5\" wide\n"), r#"[{:a 1 :b "say \"hi\""} {:a 2 :b "5\" wide"}]"#);
    assert_eq!(check("a.csv", "a,b\n1,\"\"\n"), "[{:a 1 :b nil}]");
}

#[test]
fn a_key_that_stands_twice_is_not_lost_in_silence() {
    insta::assert_snapshot!(check("a.json", "{\"a\": 1,\n \"b\": {\"c\": 2,\n   \"c\": 3}}"), @"a.json:3:6: the key `c` stands twice in one object, and only one value can be kept; rename or remove one");
    insta::assert_snapshot!(check("a.jsonl", "{\"a\":1}\n{\"a\":1, \"\\u0061\":2}\n"), @"a.jsonl:2:16: the key `a` stands twice in one object, and only one value can be kept; rename or remove one");
    let many: String = (0..40).map(|n| format!("\"k{n}\": {n}, ")).collect();
    assert!(check("a.json", &format!("{{{many}\"k39\": 0}}")).contains("the key `k39` stands twice"));
    assert_eq!(check("a.json", "[{\"a\": 1}, {\"a\": 2, \"b\": {\"a\": 3}}]"), "[{:a 1} {:a 2 :b {:a 3}}]");
    let deep = format!("{}{}", "[".repeat(400), "]".repeat(400));
    assert!(check("a.json", &deep).starts_with("[[["), "nesting is no matter here");
}

#[test]
fn cells_may_be_separated_by_something_else() {
    let read = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, text).unwrap();
        let file = read_data(&path).unwrap();
        let value = ptc_lisp::format(&file.value, &ptc_lisp::FormatOptions::full()).text;
        format!("{value} {}", file.notes.join(" ").replace(&format!("{}/", folder.path().display()), ""))
    };
    assert_eq!(read("a;b\n1;2,5\n"), "[{:a 1 :b \"2,5\"}] a.csv: the cells are separated by `;`, since its header has no comma");
    assert_eq!(read("a\tb\n1\tx;y\n"), "[{:a 1 :b \"x;y\"}] a.csv: the cells are separated by tabs, since its header has no comma");
    assert_eq!(read("a,b;c\n1,2\n"), "[{:a 1 \"b;c\" 2}] ");
    assert_eq!(read("\"a;b\"\n1\n"), "[{\"a;b\" 1}] ", "quoted, it is a name");
    assert_eq!(read("a\n1;2\n"), "[{:a \"1;2\"}] ", "one column");
    insta::assert_snapshot!(check("a.csv", "a;b\n1;2;3\n"), @"a.csv:2:1: this row has 3 cells, the header has 2; quote cells that hold `;`");
}

#[test]
fn a_missing_file_is_named() {
    let error = load_data("nowhere.json").unwrap_err().to_string();
    assert!(error.starts_with("cannot read nowhere.json: "), "{error}");
}
