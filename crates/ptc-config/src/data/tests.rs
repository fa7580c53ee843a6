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
        Ok(value) => ptc_lisp::text::format(&value, &ptc_lisp::text::FormatOptions::full()).text,
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
    assert_eq!(check("a.csv", "a,b\nTRUE,\nfalse,\n"), "[{:a true :b nil} {:a false :b nil}]");
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
    insta::assert_snapshot!(check("a.csv", "a,b\n1,2\n3\n"), @"a.csv:3:1: this row has 1 cell, the header has 2; complete it, or leave such rows out with `on_error = \"skip\"`");
    insta::assert_snapshot!(check("a.csv", "a,a\n1,2\n"), @"a.csv:1:1: the header has `a` twice; rename one, or name all columns: header = [\"…\"], skip = 1");
    insta::assert_snapshot!(check("a.parquet.gz", ""), @"cannot decompress a.parquet.gz with gzip: it does not begin as such files do; leave out .gz if it is not compressed");
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
            ptc_lisp::text::format(&value, &ptc_lisp::text::FormatOptions::full()).text
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
    assert!(fs::metadata(&path).unwrap().len() < 200_000);
    fs::copy(&path, folder.path().join("bomb.txt")).unwrap();
    let read = |is_compressed, limit| {
        let error = |error: DataError| error.to_string().replace(&format!("{}/", folder.path().display()), "");
        let path = if is_compressed { path.clone() } else { folder.path().join("bomb.txt") };
        open::open(&path, &ReadOptions::default(), limit).map_or_else(error, |file| file.bytes.len().to_string())
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
    insta::assert_snapshot!(check_bytes("a.csv", b"name,age\n\xc3\xa9 In\xeas,7\n"), @r#"a.csv:2:5: this is not UTF-8 text (byte 0xEA at offset 14); save the file as UTF-8, or say how it is written, as in `encoding = "windows-1252"`"#);
    insta::assert_snapshot!(check_bytes("a.csv", b"name,age\n\x81,7\n"), @r#"a.csv:2:1: this is not UTF-8 text (byte 0x81 at offset 9); save the file as UTF-8, or say how it is written, as in `encoding = "windows-1252"`"#);
    insta::assert_snapshot!(check_bytes("a.json", b"{\"name\": \"In\xeas\"}"), @r#"a.json:1:13: this is not UTF-8 text (byte 0xEA at offset 12); save the file as UTF-8, or say how it is written, as in `encoding = "windows-1252"`"#);
    insta::assert_snapshot!(check_bytes("a.jsonl", b"1\n\"\xff\""), @r#"a.jsonl:2:2: this is not UTF-8 text (byte 0xFF at offset 3); save the file as UTF-8, or say how it is written, as in `encoding = "windows-1252"`"#);
    insta::assert_snapshot!(check_bytes("a.dat", b"\x00\x01\xff"), @"the format of a.dat is unknown, and it is not text; what can be read is named .csv, .tsv, .tab, .psv, .xlsx, .xlsm, .xlsb, .xls, .ods, .json, .geojson, .jsonl, .ndjson, .txt, .md, .log, .parquet, .arrow, .feather, .ipc (or .gz and .zip of these)");
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
        let value = ptc_lisp::text::format(&file.value, &ptc_lisp::text::FormatOptions::full()).text;
        format!("{value} {}", file.notes.join(" ").replace(&format!("{}/", folder.path().display()), ""))
    };
    assert_eq!(read("a;b\n1;2,5\n"), "[{:a 1 :b 2.5}] a.csv: read as CSV, cells separated by `;`, decimal `,`");
    assert_eq!(read("a\tb\n1\tx;y\n"), "[{:a 1 :b \"x;y\"}] a.csv: read as CSV, cells separated by tabs");
    assert_eq!(read("a,b;c\n1,2\n"), "[{:a 1 \"b;c\" 2}] ");
    assert_eq!(read("\"a;b\"\n1\n"), "[{\"a;b\" 1}] ", "quoted, it is a name");
    assert_eq!(read("a\n1;2\n"), "[{:a \"1;2\"}] ", "one column");
    let odd = "[{:a \"1\"} {:a \"2\"} {:a \"?\"}] a.csv: the column `a` is text, since `?` in line 4 is not a number; 2 of its 3 filled cells are numbers; `null = [\"?\"]` reads the others as missing";
    assert_eq!(read("a\n1\n2\n?\n"), odd);
    insta::assert_snapshot!(check("a.csv", "a;b\n1;2;3\n"), @"a.csv:2:1: this row has 3 cells, the header has 2; quote cells that hold `;`, or leave such rows out with `on_error = \"skip\"`");
}

#[test]
fn a_missing_file_is_named() {
    let error = read_data("nowhere.json").unwrap_err().to_string();
    assert!(error.starts_with("cannot read nowhere.json: "), "{error}");
}

/// The value of a file of a folder, and the notes.
fn in_folder(files: &[(&str, &[u8])], name: &str, options: serde_json::Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let mut set = ReadOptions::default();
    for (name, value) in options.as_object().unwrap() {
        set.set(name, value).unwrap();
    }
    let told = match read_data_with(folder.path().join(name), &set) {
        Ok(file) => [vec![file.value.to_string()], file.notes].concat().join("\n"),
        Err(error) => error.to_string(),
    };
    told.replace(&format!("{}/", folder.path().display()), "")
}

fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in files {
        archive.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

#[test]
fn an_archive_is_the_file_in_it() {
    let one = archive(&[("a.csv", "n\n1\n"), ("__MACOSX/._a.csv", "x")]);
    let two = archive(&[("a.csv", "n\n1\n"), ("b.json", "[2]")]);
    let none = || serde_json::json!({});
    insta::assert_snapshot!(in_folder(&[("x.zip", &one)], "x.zip", none()), @"
    [{:n 1}]
    x.zip (a.csv): read as CSV, cells separated by `,`
    ");
    insta::assert_snapshot!(in_folder(&[("x.zip", &two)], "x.zip", none()), @r#"cannot read x.zip: the archive has 2 files: `a.csv`, `b.json`; choose one with `member = "…"`"#);
    insta::assert_snapshot!(in_folder(&[("x.zip", &two)], "x.zip", serde_json::json!({"member": "b.json"})), @"[2]");
    insta::assert_snapshot!(in_folder(&[("x.zip", &two)], "x.zip", serde_json::json!({"member": "c"})), @r#"cannot read x.zip: the archive has 2 files: `a.csv`, `b.json`; choose one with `member = "…"`"#);
    insta::assert_snapshot!(in_folder(&[("x.csv", b"n\n")], "x.csv", serde_json::json!({"member": "c"})), @"cannot read x.csv: `member` names a file of a .zip archive, which this is not; leave it out");
    assert!(in_folder(&[("x.zip", b"no archive")], "x.zip", none()).starts_with("cannot read x.zip: "));
}

#[test]
fn a_file_of_an_archive_is_bounded_by_what_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bomb.zip");
    fs::write(&path, archive(&[("a.csv", &" ".repeat(4 << 20))])).unwrap();
    assert!(fs::metadata(&path).unwrap().len() < 10_000);
    let read = |limit: u64| match open::open(&path, &ReadOptions::default(), limit) {
        Ok(file) => file.bytes.len().to_string(),
        Err(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
    };
    insta::assert_snapshot!(read(3 << 20), @"bomb.zip has more than 3 MB when decompressed; keep what the mission needs, or write a tool that searches it");
    assert_eq!(read(4 << 20), (4 << 20).to_string());
}

#[test]
fn a_pattern_is_all_files_with_such_names() {
    let files: [(&str, &[u8]); 5] = [
        ("l[1]/b.csv", b"id,n\n2,x\n"),
        ("l[1]/a.csv", b"id,n\n1,5\n"),
        ("l[1]/c.txt", b"hi"),
        ("l[1]/d.txt", b"ho"),
        ("l[1]/e.jsonl", b"{\"a\":1}\n"),
    ];
    let check = |name: &str, options: serde_json::Value| in_folder(&files, name, options);
    insta::assert_snapshot!(check("l[1]/*.csv", serde_json::json!({})), @r#"
    [{:id 1 :n "5"} {:id 2 :n "x"}]
    2 rows are read of 2 files: 1 of l[1]/a.csv, 1 of l[1]/b.csv; `file_column = "…"` adds a column with their names
    "#);
    let named = check("l[1]/*.csv", serde_json::json!({"file_column": "from"}));
    assert!(named.starts_with("[{:id 1 :n \"5\" :from \"") && named.contains("a.csv\"}"), "{named}");
    insta::assert_snapshot!(check("l[1]/*.csv", serde_json::json!({"file_column": "id"})), @"cannot read l[1]/a.csv: there is a column `id` already; choose another name for `file_column`");
    insta::assert_snapshot!(check("l[1]/*.txt", serde_json::json!({})), @r#"[{:file "l[1]/c.txt" :text "hi"} {:file "l[1]/d.txt" :text "ho"}]"#);
    insta::assert_snapshot!(check("l[1]/*.xml", serde_json::json!({})), @"cannot read l[1]/*.xml: no file has a name like this");
    insta::assert_snapshot!(check("l[1]/*", serde_json::json!({})), @"cannot read l[1]/c.txt: this is text, and l[1]/a.csv is CSV; read them one by one");
    let other: [(&str, &[u8]); 2] = [("a.csv", b"id,n\n"), ("b.csv", b"id,m\n")];
    insta::assert_snapshot!(in_folder(&other, "*.csv", serde_json::json!({})), @"b.csv:1:1: the columns are `id`, `m`, those of a.csv are `id`, `n`; files that are read as one need the same columns in the same order");
    let json: [(&str, &[u8]); 2] = [("a.json", b"[1, 2]"), ("b.json", b"[3]")];
    assert_eq!(in_folder(&json, "*.json", serde_json::json!({})), "[1 2 3]");
    let json: [(&str, &[u8]); 2] = [("a.json", b"[1, 2]"), ("b.json", b"3")];
    insta::assert_snapshot!(in_folder(&json, "*.json", serde_json::json!({})), @"cannot read b.json: this is not a list, and several files are read as one list; name it alone");
}

#[test]
fn options_are_for_formats() {
    insta::assert_snapshot!(in_folder(&[("a.json", b"1")], "a.json", serde_json::json!({"separator": ";"})), @"`separator` is for CSV; a.json is JSON, leave `separator` out");
    insta::assert_snapshot!(in_folder(&[("a.dat", b"a\n1\n")], "a.dat", serde_json::json!({"format": "csv"})), @"[{:a 1}]");
    insta::assert_snapshot!(in_folder(&[("a.csv.gz", &compressed(b"a\n1\n"))], "a.csv.gz", serde_json::json!({"null": ["1"]})), @"[{:a nil}]");
    insta::assert_snapshot!(in_folder(&[("a.csv", &compressed(b"a\n1\n"))], "a.csv", serde_json::json!({})), @"[{:a 1}]");
}

#[test]
fn how_files_were_read_can_be_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, b"Report\n\nname;day;n\nZo\xeb;2024-03-01;2,5\nJo;2024-03-02;\n").unwrap();
    let file = read_data(&path).unwrap();
    let plain = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    insta::assert_snapshot!(plain(file.readings[0].to_string()), @"a.csv: CSV, windows-1252, cells separated by `;`, the header is line 3, left out: line 1, decimal `,`; 2 rows: name text, day dates as text, n numbers (1 nil)");
    insta::assert_snapshot!(plain(serde_json::to_string(&file.readings[0]).unwrap()), @r#"{"file":"a.csv","format":"CSV","encoding":"windows-1252","separator":";","quote":"\"","has_spaces":false,"is_trailing":false,"header":3,"left_out":[1],"decimal":",","columns":[{"name":"name","kind":"text","missing":0},{"name":"day","kind":"dates as text","missing":0},{"name":"n","kind":"numbers","missing":1}],"count":2}"#);
    fs::write(&path, "a\n1\n").unwrap();
    insta::assert_snapshot!(plain(read_data(&path).unwrap().readings[0].to_string()), @"a.csv: CSV, cells separated by `,`; 1 row: a integers");
    let text = folder.path().join("a.txt");
    fs::write(&text, "Öl").unwrap();
    insta::assert_snapshot!(plain(read_data(&text).unwrap().readings[0].to_string()), @"a.txt: text; 2 characters");
}
