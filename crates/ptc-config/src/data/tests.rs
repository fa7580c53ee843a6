use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::*;

/// The value of `text` in a file of this name, as the formatter prints it.
fn check(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    match read_data(&path).map(|file| file.value) {
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
fn csv_columns_are_typed_as_a_whole() {
    let text = "id,name,price,open,qty\n7,Ines,12.50,true,3\n8,\"Rui, jr\",7.25,false,\n9,,1e3,,-0\n";
    insta::assert_snapshot!(check("a.csv", text), @r#"[{:id 7 :name "Ines" :price 12.5 :open true :qty 3} {:id 8 :name "Rui, jr" :price 7.25 :open false :qty nil} {:id 9 :name nil :price 1000.0 :open nil :qty 0}]"#);
    assert_eq!(
        check("a.csv", "code,day\n007,2024-03-01\n100,2024-03-02\n"),
        r#"[{:code "007" :day "2024-03-01"} {:code "100" :day "2024-03-02"}]"#
    );
    assert_eq!(check("a.csv", "a\n1\n\"2.0\"\n-0\n"), "[{:a 1.0} {:a 2.0} {:a -0.0}]", "quotes do not make a text");
    assert_eq!(check("a.csv", "a,b\nTRUE,\nfalse,\n"), r#"[{:a "TRUE" :b nil} {:a "false" :b nil}]"#);
    assert_eq!(check("a.csv", "a\n40300.619960000004\n30\n"), "[{:a 40300.61996} {:a 30.0}]");
    assert_eq!(check("a.csv", ""), "[]");
    assert_eq!(check("a.csv", "a,b\n"), "[]");
}

#[test]
fn texts_are_one_string() {
    assert_eq!(check("a.txt", "first\r\nsecond\n"), r#""first\r\nsecond\n""#);
    assert_eq!(check("README.MD", "\u{feff}# Über"), r##""# Über""##);
    assert_eq!(check("a.txt", ""), r#""""#);
    assert_eq!(check("a.ndjson", "{\"a\":1}\n"), "[{:a 1}]");
}

#[test]
fn broken_files_name_the_line() {
    insta::assert_snapshot!(check("a.json", "{\"a\": 1,\n \"b\": }"), @"a.json:2:7: this is not JSON: expected value");
    insta::assert_snapshot!(check("a.jsonl", "{\"a\":1}\n\n{\"a\":oops}\n"), @"a.jsonl:3:6: this is not JSON: expected value");
    insta::assert_snapshot!(check("a.jsonl", "{} {}\n"), @"a.jsonl:1:4: this is not JSON: trailing characters");
    insta::assert_snapshot!(check("a.csv", "a,b\n1,2\n3\n"), @"a.csv:3:1: this row has 1 cells, the header has 2; quote cells that hold commas");
    insta::assert_snapshot!(check("a.csv", "a,a\n1,2\n"), @"a.csv:1:1: the header has `a` twice; rename one");
    insta::assert_snapshot!(check("a.xlsx", ""), @"the format of a.xlsx is unknown; name it .json, .jsonl, .csv, .txt or .md (or one of these with .gz), .parquet or .arrow");
    insta::assert_snapshot!(check("a.csv.zip", ""), @"the format of a.csv.zip is unknown; name it .json, .jsonl, .csv, .txt or .md (or one of these with .gz), .parquet or .arrow");
    insta::assert_snapshot!(check("a.parquet.gz", ""), @"the format of a.parquet.gz is unknown; name it .json, .jsonl, .csv, .txt or .md (or one of these with .gz), .parquet or .arrow");
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn compressed_texts_are_read_as_what_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = |error: DataError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        read_data(&path).map_or_else(error, |DataFile { value, .. }| {
            ptc_lisp::format(&value, &ptc_lisp::FormatOptions::full()).text
        })
    };
    assert_eq!(read("a.csv.gz", &compressed(b"n\n1.50\n2\n")), "[{:n 1.5} {:n 2.0}]");
    assert_eq!(read("a.JSON.GZ", &compressed(b"[1]")), "[1]");
    let two = [compressed(b"{\"n\":1}\n"), compressed(b"{\"n\":2}\n")].concat();
    assert_eq!(read("a.jsonl.gz", &two), "[{:n 1} {:n 2}]", "files that were appended to");
    insta::assert_snapshot!(read("a.json.gz", &compressed(b"[1,\n}")), @"a.json.gz:2:1: this is not JSON: expected value");
    insta::assert_snapshot!(read("a.txt.gz", b"plain text"), @"cannot decompress a.txt.gz with gzip: it does not begin as such files do; leave out .gz if it is not compressed");
    insta::assert_snapshot!(read("a.txt.gz", &compressed(&[b'x'; 1_000])[..20]), @"cannot decompress a.txt.gz with gzip: incomplete deflate stream");
}

#[test]
fn files_are_bounded_by_what_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.txt.gz");
    fs::write(&path, compressed(&vec![b'x'; 4 << 20])).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 40_000);
    let read = |is_compressed, limit| {
        let error = |error: DataError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        bytes(&path, is_compressed, limit).map_or_else(error, |bytes| bytes.len().to_string())
    };
    assert_eq!(read(true, 4 << 20), "4194304");
    insta::assert_snapshot!(read(true, 3 << 20), @"bomb.txt.gz has more than 3 MB when decompressed; keep what the mission needs, or write a tool that searches it");
    assert!(read(false, 1_000).contains("has more than"));
}

/// Like `check`, for a file that need not be text.
fn check_bytes(name: &str, bytes: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), bytes).unwrap();
    let error = read_data(folder.path().join(name)).unwrap_err();
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
    assert_eq!(
        check("a.csv", "a,b\n1,\"say \"\"hi\"\"\"\n2,5\" wide\n"),
        r#"[{:a 1 :b "say \"hi\""} {:a 2 :b "5\" wide"}]"#
    );
    assert_eq!(check("a.csv", "a,b\n1,\"\"\n"), "[{:a 1 :b nil}]");
}

#[test]
fn a_key_that_stands_twice_is_not_lost_in_silence() {
    insta::assert_snapshot!(check("a.json", "{\"a\": 1,\n \"b\": {\"c\": 2,\n   \"c\": 3}}"), @"a.json:3:6: the key `c` appears twice in one object, and only one value can be kept; rename or remove one");
    insta::assert_snapshot!(check("a.jsonl", "{\"a\":1}\n{\"a\":1, \"\\u0061\":2}\n"), @"a.jsonl:2:16: the key `a` appears twice in one object, and only one value can be kept; rename or remove one");
    let many: String = (0..40).map(|n| format!("\"k{n}\": {n}, ")).collect();
    assert!(check("a.json", &format!("{{{many}\"k39\": 0}}")).contains("the key `k39` appears twice"));
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
    assert_eq!(
        read("a;b\n1;2,5\n"),
        "[{:a 1 :b \"2,5\"}] a.csv: the cells are separated by `;`, since its header has no comma a.csv: the column `b` is text, since `2,5` in line 2 has a comma; numbers are written with a point, and with nothing between thousands"
    );
    assert_eq!(
        read("a\tb\n1\tx;y\n"),
        "[{:a 1 :b \"x;y\"}] a.csv: the cells are separated by tabs, since its header has no comma"
    );
    assert_eq!(read("a,b;c\n1,2\n"), "[{:a 1 \"b;c\" 2}] ");
    assert_eq!(read("\"a;b\"\n1\n"), "[{\"a;b\" 1}] ", "quoted, it is a name");
    assert_eq!(read("a\n1;2\n"), "[{:a \"1;2\"}] ", "one column");
    let odd = "[{:a \"1\"} {:a \"2\"} {:a \"?\"}] a.csv: the column `a` is text, since `?` in line 4 is not a number; 2 of its 3 filled cells are numbers";
    assert_eq!(read("a\n1\n2\n?\n"), odd);
    insta::assert_snapshot!(check("a.csv", "a;b\n1;2;3\n"), @"a.csv:2:1: this row has 3 cells, the header has 2; quote cells that hold `;`");
}

#[test]
fn a_missing_file_is_named() {
    let error = read_data("nowhere.json").unwrap_err().to_string();
    assert!(error.starts_with("cannot read nowhere.json: "), "{error}");
}
