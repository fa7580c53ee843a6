use super::{Row, row, table};

/// Data in a file.
fn file(name: &'static str, exit: i32, file: &str, content: impl AsRef<[u8]>) -> Row {
    row(name, exit).file(file, content).args(["eval", "-e", "(count data/x)", "--data", &format!("x={file}")])
}

/// The value of `--data`.
fn given(name: &'static str, exit: i32, given: &str) -> Row {
    row(name, exit).args(["eval", "-e", "1", "--data", given])
}

fn rows() -> Vec<Row> {
    let deep = "[".repeat(1_000_000);
    let names: String = (0..200_000).map(|at| format!("column{at},")).collect();
    vec![
        given("a file that is not there", 2, "x=no.json"),
        row("a folder", 2).folder("x.json").args(["eval", "-e", "1", "--data", "x=x.json"]),
        row("a link that leads to itself", 2).link("x.json", "x.json").args(["eval", "-e", "1", "--data", "x=x.json"]),
        file("no ending", 0, "x", "1"),
        file("JSON: empty", 2, "x.json", ""),
        file("JSON: white space", 2, "x.json", " \n \n"),
        file("JSON: UTF-16", 0, "x.json", b"\xff\xfe[\x001\x00]\x00"),
        file("JSON: a byte 0", 2, "x.json", b"[1,\0]"),
        file("JSON: a million brackets", 2, "x.json", &deep),
        file("JSON: a million brackets, closed", 2, "x.json", deep.clone() + &"]".repeat(1_000_000)),
        file("JSON: a key twice that a terminal would obey", 2, "x.json", r#"{"\u001b[31m":1,"\u001b[31m":2}"#),
        file("JSON: NaN", 2, "x.json", "[1,\nNaN]"),
        file("JSON: Infinity", 2, "x.json", "[1,-Infinity]"),
        file("JSON: a float that is too large", 2, "x.json", "[1,\n 1e999]"),
        file("JSON: a float of 100,000 digits", 2, "x.json", format!("[{}.5]", "9".repeat(100_000))),
        file("JSON: an integer of 100,000 digits", 2, "x.json", format!("[{}]", "9".repeat(100_000))),
        file("JSON: half of a pair", 2, "x.json", r#"["\ud800"]"#),
        file("JSON: two documents", 0, "x.json", "[1] [2]"),
        file("JSON: cut off", 2, "x.json", "[1, {\"a\": \"b"),
        file("JSON: latin letters", 2, "x.json", b"[\"\xe9\"]"),
        row("JSON: 200 MB of zeros", 2).zeros("x.json", 200 << 20).args(["eval", "-e", "1", "--data", "x=x.json"]),
        file("JSON Lines: brackets", 2, "x.jsonl", format!("1\n{}\n", "[".repeat(100_000))),
        file("CSV: a byte 0", 2, "x.csv", b"a,b\n1,\0\n"),
        file("CSV: a header of two megabytes", 2, "x.csv", &names),
        row("CSV: 200 MB of zeros", 2).zeros("x.csv", 200 << 20).args(["eval", "-e", "1", "--data", "x=x.csv"]),
        row("text: 2 GB", 2).zeros("x.txt", 2 << 30).args(["eval", "-e", "1", "--data", "x=x.txt"]),
        row("text: a device without an end", 2)
            .link("x.txt", "/dev/zero")
            .args(["eval", "-e", "1", "--data", "x=x.txt"])
            .slow(),
        file("an archive that is none", 2, "x.zip", "PK"),
        file("a workbook that is none", 2, "x.xlsx", "PK"),
        file("bytes without a format", 2, "x.bin", b"\0\x01"),
        given("a pattern without a file", 2, "x=*.csv"),
        file("gzip: empty", 2, "x.json.gz", ""),
        file("Parquet needs a feature", 2, "x.parquet", "PAR1"),
        given("an invalid name", 2, "1x=3"),
        given("a name with a blank", 2, "x y=3"),
        given("no name", 2, "=3"),
        given("nothing after the name", 2, "x="),
        given("a list is not all of it", 2, "[1]"),
        given("a key twice on the command line", 2, r#"{"a":1,"a":2}"#),
        given("a key twice in one entry", 2, r#"x={"a":1,"a":2}"#),
        given("NaN on the command line", 2, r#"x=[1,NaN]"#),
        given("half of a pair on the command line", 2, r#"x="\ud800""#),
        given("brackets on the command line", 2, &format!("x={}", "[".repeat(100_000))),
        given("a long name of a file", 2, &"x".repeat(100_000)),
        given("a file that a terminal would obey", 2, "x=a\u{1b}[31m\nerror: b.json"),
        row("no name for it", 2).file("1.json", "[1]").args(["eval", "-e", "1", "--data", "1.json"]),
    ]
}

#[test]
fn bad_data() {
    insta::assert_snapshot!("data", table(rows()));
}
