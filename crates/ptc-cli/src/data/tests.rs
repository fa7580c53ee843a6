use std::fs;

use ptc_runner::lisp::text::{FormatOptions, format};

use super::*;

/// `data/` of these options; `@` in them is a folder with `a.json`, `rows.csv` and `list.json`.
fn check(given: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    fs::write(folder.path().join("a.json"), r#"{"limit": 1, "b c": 2}"#).unwrap();
    fs::write(folder.path().join("rows.csv"), "n\n1\n2\n").unwrap();
    fs::write(folder.path().join("list.json"), "[1]").unwrap();
    let given: Vec<String> = given.iter().map(|text| text.replace('@', &path)).collect();
    match read(&given) {
        Ok(map) => format(&Value::Map(map), &FormatOptions::full()).text,
        Err(failure) => failure.to_string().replace(&path, "@"),
    }
}

#[test]
fn files_and_json() {
    assert_eq!(check(&[]), "{}");
    assert_eq!(check(&["@/a.json", "limit=3"]), r#"{:limit 3 "b c" 2}"#);
    assert_eq!(check(&["rows=@/rows.csv", "x={\"a\":[null]}"]), "{:rows [{:n 1} {:n 2}] :x {:a [nil]}}");
    assert_eq!(check(&["{\"a\":1}"]), "{:a 1}");
    assert_eq!(check(&["e=\"a=b\""]), r#"{:e "a=b"}"#);
}

#[test]
fn files_have_the_options_of_mission_files() {
    assert_eq!(
        check(&[r#"rows={ file = "@/rows.csv", skip = 1, header = false }"#]),
        "{:rows [{:column_1 1} {:column_1 2}]}"
    );
    assert_eq!(check(&[r#"rows={file="@/rows.csv",types={n="text"}}"#]), r#"{:rows [{:n "1"} {:n "2"}]}"#);
    assert_eq!(check(&[r#"v={ value = { file = "x" } }"#]), r#"{:v {:file "x"}}"#);
    let misspelt = check(&[r#"rows={ file = "@/rows.csv", skpi = 1 }"#]);
    assert!(
        misspelt.starts_with("--data rows={") && misspelt.contains(": unknown key `skpi` in a data file"),
        "{misspelt}"
    );
    let wrong = check(&[r#"rows={ file = "@/rows.csv", decimal = ";" }"#]);
    assert!(wrong.contains(r#": decimal must be "." or ",""#), "{wrong}");
    let missing = check(&[r#"rows={ file = "@/nowhere.csv" }"#]);
    assert!(missing.contains("cannot read @/nowhere.csv: "), "{missing}");
    let open = check(&[r#"rows={ file = "@/rows.csv" skip = 1 }"#]);
    assert!(open.starts_with(r#"--data { file = "@/rows.csv" skip = 1 }: "#), "{open}");
}

#[test]
fn mistakes() {
    insta::assert_snapshot!(check(&["[1]"]), @"--data [1]: only a JSON object can be all of data/; give it a name: --data NAME=JSON");
    insta::assert_snapshot!(check(&["x=hello"]), @r#"--data x=hello: this is neither JSON nor a file that exists; a text is written in quotes: NAME='"text"'"#);
    insta::assert_snapshot!(check(&["{\"a\":}"]), @r#"--data {"a":}: this is not JSON: expected value at line 1 column 6"#);
    insta::assert_snapshot!(check(&["fail=1"]), @"--data fail: data key 'fail' is reserved: programs read the last error there; give the entry another name");
    assert!(check(&["nowhere.json"]).starts_with("--data nowhere.json: cannot read nowhere.json: "));
}

#[test]
fn files_have_names_for_programs() {
    assert_eq!(check(&["@/list.json", "@/rows.csv"]), "{:list [1] :rows [{:n 1} {:n 2}]}");
    assert_eq!(name_of("data/Sales 2024.csv.gz").ok().as_deref(), Some("sales-2024"));
    assert_eq!(name_of("weather.csv").ok().as_deref(), Some("weather"));
    for odd in ["2024.csv", "-", "logs/*.csv"] {
        assert!(name_of(odd).is_err(), "{odd}");
    }
}
