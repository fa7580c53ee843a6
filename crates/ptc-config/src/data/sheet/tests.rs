use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::super::read_data_with;
use super::*;

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

/// A workbook with these sheets, each the XML of its rows.
fn workbook(sheets: &[(&str, &str)]) -> Vec<u8> {
    sharing(sheets, "")
}

/// The same with a text that cells can share.
fn sharing(sheets: &[(&str, &str)], shared: &str) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let mut put = |name: &str, text: String| {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    };
    let numbered = || sheets.iter().enumerate().map(|(at, (name, rows))| (at + 1, *name, *rows));
    let named: String =
        numbered().map(|(at, name, _)| format!("<sheet name=\"{name}\" sheetId=\"{at}\" r:id=\"r{at}\"/>")).collect();
    let related: String = numbered()
        .map(|(at, ..)| {
            format!("<Relationship Id=\"r{at}\" Type=\"{RELATIONS}/worksheet\" Target=\"worksheets/sheet{at}.xml\"/>")
        })
        .collect();
    let strings = format!("<Relationship Id=\"s\" Type=\"{RELATIONS}/sharedStrings\" Target=\"sharedStrings.xml\"/>");
    let related = related + &strings;
    put("xl/sharedStrings.xml", format!("<sst xmlns=\"{MAIN}\"><si><t>{shared}</t></si></sst>"));
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    put(
        "xl/workbook.xml",
        format!("<workbook xmlns=\"{MAIN}\" xmlns:r=\"{RELATIONS}\"><sheets>{named}</sheets></workbook>"),
    );
    let office = format!("<Relationship Id=\"r1\" Type=\"{RELATIONS}/officeDocument\" Target=\"xl/workbook.xml\"/>");
    put("_rels/.rels", format!("<Relationships xmlns=\"{package}\">{office}</Relationships>"));
    put("xl/_rels/workbook.xml.rels", format!("<Relationships xmlns=\"{package}\">{related}</Relationships>"));
    let dates = "<styleSheet xmlns=\"MAIN\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>";
    put("xl/styles.xml", dates.replace("MAIN", MAIN));
    for (at, _, rows) in numbered() {
        let rows = format!("<worksheet xmlns=\"{MAIN}\"><sheetData>{rows}</sheetData></worksheet>");
        put(&format!("xl/worksheets/sheet{at}.xml"), rows);
    }
    archive.finish().unwrap().into_inner()
}

/// A row with this number of these cells: numbers, texts, and what is between `<` and `>` as it is.
fn row(number: usize, cells: &[&str]) -> String {
    let cell = |(at, value): (usize, &&str)| {
        let place = format!("{}{number}", char::from(b'A' + at as u8));
        match value {
            &"" => String::new(),
            value if value.starts_with('<') => value.replacen("<c", &format!("<c r=\"{place}\""), 1),
            value if value.parse::<f64>().is_ok() => format!("<c r=\"{place}\"><v>{value}</v></c>"),
            value => format!("<c r=\"{place}\" t=\"inlineStr\"><is><t>{value}</t></is></c>"),
        }
    };
    format!("<row r=\"{number}\">{}</row>", cells.iter().enumerate().map(cell).collect::<String>())
}

/// The value of a workbook, its notes, and how it was read.
fn check(book: &[u8], options: serde_json::Value) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.xlsx"), book).unwrap();
    let mut set = ReadOptions::default();
    for (name, value) in options.as_object().unwrap() {
        set.set(name, value).unwrap();
    }
    let told = match read_data_with(folder.path().join("a.xlsx"), &set) {
        Ok(file) => {
            let readings = file.readings.iter().map(ToString::to_string).collect();
            [vec![file.value.to_string()], file.notes, readings].concat().join("\n")
        }
        Err(error) => error.to_string(),
    };
    told.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn sheets_are_tables() {
    let rows = [
        row(2, &["Report"]),
        row(4, &["id", "name", "paid", "day", "total"]),
        row(5, &["1", "Ada, \"A\"", "<c t=\"b\"><v>1</v></c>", "<c s=\"1\"><v>45352</v></c>", "2.5"]),
        row(7, &["2", "x7", "<c t=\"b\"><v>0</v></c>", "<c s=\"1\"><v>45353</v></c>", "3"]),
    ];
    let book = workbook(&[("Q1", &rows.concat()), ("Q2", &row(1, &["a"]))]);
    insta::assert_snapshot!(check(&book, serde_json::json!({})), @r#"
    [{:id 1 :name "Ada, \"A\"" :paid true :day "2024-03-01" :total 2.5} {:id 2 :name "x7" :paid false :day "2024-03-02" :total 3.0}]
    a.xlsx (sheet Q1): read as a workbook, the header is line 4, left out: lines 1-3
    a.xlsx: the sheet `Q1` is read; `sheet = "…"` chooses from `Q1`, `Q2`
    a.xlsx (sheet Q1): a workbook, the header is line 4, left out: lines 1-3; 2 rows: id integers, name text, paid booleans, day dates as text, total numbers
    "#);
    insta::assert_snapshot!(check(&book, serde_json::json!({"sheet": "Q2"})), @"
    []
    a.xlsx (sheet Q2): read as a workbook
    a.xlsx (sheet Q2): a workbook; 0 rows: a text
    ");
    insta::assert_snapshot!(check(&book, serde_json::json!({"sheet": "Q3"})), @"cannot read a.xlsx: there is no sheet `Q3`; there are `Q1`, `Q2`");
    insta::assert_snapshot!(check(&book, serde_json::json!({"types": {"name": "int"}})), @r#"a.xlsx:5:1: `Ada, "A"` in the column `name` is not an integer"#);
    insta::assert_snapshot!(check(&book, serde_json::json!({"separator": ";"})), @"`separator` is for CSV; a.xlsx is a workbook, leave `separator` out");
    insta::assert_snapshot!(check(b"PK\x03\x04", serde_json::json!({})), @"cannot read a.xlsx: invalid Zip archive: Could not find EOCD");
}

/// Why a workbook cannot be read where this many bytes are allowed.
fn refused(name: &str, bytes: Vec<u8>, limit: u64) -> String {
    let file = Opened { path: name.into(), member: None, bytes };
    let read = read(&file, &ReadOptions::default(), &mut { limit });
    read.map(|source| source.text.head().to_owned()).unwrap_or_else(|error| error.to_string())
}

#[test]
fn workbooks_are_bounded_by_what_is_in_them() {
    let row = row(1, &["1"]);
    let padded = workbook(&[("s", &format!("{row}{}", " ".repeat(4 << 20)))]);
    assert!(padded.len() < 20_000);
    insta::assert_snapshot!(refused("a.xlsx", padded.clone(), 1 << 20), @"a.xlsx has more than 1 MB when decompressed; keep what the mission needs, or write a tool that searches it");
    assert_eq!(refused("a.xlsx", padded, 5 << 20), "1\n");
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["content.xml", "Pictures/a.png"] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(&vec![b' '; 700 << 10]).unwrap();
    }
    insta::assert_snapshot!(refused("a.ods", archive.finish().unwrap().into_inner(), 1 << 20), @"a.ods has more than 1 MB when decompressed; keep what the mission needs, or write a tool that searches it");
}

#[test]
fn what_cells_share_and_where_they_are_is_bounded() {
    let shared = |cells: &[&str]| refused("a.xlsx", sharing(&[("s", &row(1, cells))], &"x".repeat(600 << 10)), 1 << 20);
    let cell = "<c t=\"s\"><v>0</v></c>";
    assert_eq!(shared(&[cell]).len(), (600 << 10) + 3);
    insta::assert_snapshot!(shared(&[cell, cell]), @"a.xlsx has more than 1 MB when decompressed; keep what the mission needs, or write a tool that searches it");
    let far = "<row r=\"1\"><c r=\"A1\"><v>1</v></c></row><row r=\"1048576\"><c r=\"XFD1048576\"><v>2</v></c></row>";
    insta::assert_snapshot!(refused("a.xlsx", workbook(&[("s", far)]), 1 << 20), @"cannot read a.xlsx: the cells of the sheet `s` are spread over 1048576 rows and 16384 columns; delete those that are far from the others");
}
