use std::fs;
use std::path::Path;

use ptc_lisp::text::{FormatOptions, format};
use ptc_mission::{LanguageChoice, SystemPromptOptions};

use super::*;

/// A folder with `mission.toml` and these files.
fn folder(toml: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mission.toml"), toml).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// The error of this mission, with the folder cut from its paths.
fn check(toml: &str, files: &[(&str, &str)]) -> String {
    let folder = folder(toml, files);
    let error = MissionFile::load(folder.path().join("mission.toml")).unwrap_err();
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn data_of_every_kind() {
    let toml = r#"
mission = "x"
replay = "answers.jsonl"
[data]
limit = 250
rate = 1.5
when = 2024-03-09
wide = { file = "a.txt", note = "not a file" }
literal = { value = { file = "b" } }
rows = { file = "rows.json" }
lines = { file = "lines.jsonl" }
cells = { file = "cells.csv" }
"#;
    let folder = folder(toml, &[("rows.json", "[1]"), ("lines.jsonl", "{\"a\":1}\n"), ("cells.csv", "a,b\n1,007\n")]);
    let mission = MissionFile::load(folder.path().join("mission.toml")).unwrap();
    let text = format(&Value::Map(mission.data_map()), &FormatOptions::full()).text;
    insta::assert_snapshot!(text, @r#"{:limit 250 :rate 1.5 :when "2024-03-09" :wide {:file "a.txt" :note "not a file"} :literal {:file "b"} :rows [1] :lines [{:a 1}] :cells [{:a 1 :b "007"}]}"#);
    assert_eq!(mission.replay.as_deref(), Some(folder.path().join("answers.jsonl").as_path()));
}

#[test]
fn columns_that_a_signature_declares_as_text_stay_text() {
    let rows = "code,price,note\n100,12.50,1\n200,7.25,NA\n";
    let of = |signature: &str| {
        let toml = format!("mission = \"x\"\nsignature = \"{signature}\"\n[data]\nrows = {{ file = \"rows.csv\" }}\n");
        let folder = folder(&toml, &[("rows.csv", rows)]);
        let mission = MissionFile::load(folder.path().join("mission.toml")).unwrap();
        (format(&Value::Map(mission.data_map()), &FormatOptions::full()).text, mission.notes.len())
    };
    let declared = "(rows [{code :string, price :string?, note :int?}]) -> :int";
    assert_eq!(
        of(declared),
        (r#"{:rows [{:code "100" :price "12.50" :note 1} {:code "200" :price "7.25" :note nil}]}"#.to_owned(), 1)
    );
    let undeclared = "(rows [:map]) -> :int";
    assert_eq!(
        of(undeclared),
        (r"{:rows [{:code 100 :price 12.5 :note 1} {:code 200 :price 7.25 :note nil}]}".to_owned(), 1)
    );
}

/// The remarks on this mission.
fn notes(toml: &str) -> String {
    MissionFile::from_text("m.toml", toml).unwrap().notes.join("\n")
}

#[test]
fn keys_of_the_mission_below_data_are_told() {
    insta::assert_snapshot!(notes("mission = \"x\"\n[data]\nyear = 3\nmax_turns = 3\nreplay = \"a.jsonl\"\ncompression = { digest = true }\n"), @r"
    m.toml:4:1: `max_turns` below [data] is data; keys of the mission go above the first [table]
    m.toml:5:1: `replay` below [data] is data; keys of the mission go above the first [table]
    m.toml:6:1: `compression` below [data] is data; keys of the mission go above the first [table]
    ");
    assert_eq!(notes("mission = \"Do {{plan.a}}\"\n[data]\nplan = 3\n"), "", "a placeholder asks for it");
    assert_eq!(notes("mission = \"x\"\nsignature = \"(timeout :int) -> :int\"\n[data]\ntimeout = 3\n"), "");
    assert_eq!(notes("mission = \"x\"\nmax_turns = 3\n[data]\nyear = 3\n"), "");
}

#[test]
fn tables_that_may_be_meant_as_files_are_told() {
    let of = |table: &str| notes(&format!("mission = \"x\"\n[data]\na = {table}\n"));
    insta::assert_snapshot!(of("{ fil = \"x.csv\" }"), @"m.toml:3:7: this table is data; a data file is `{ file = \"…\" }`, not `fil`");
    insta::assert_snapshot!(of("{ file = \"x.csv\", size = 3 }"), @"m.toml:3:7: this table is data, since not all of its keys are options of data files; `{ value = { … } }` says so, too, without this note");
    assert_eq!(of("{ value = { file = \"x.csv\", size = 3 } }"), "");
    assert_eq!(of("{ fill = \"red\", line = \"x.csv\" }"), "", "no file has this name");
    assert_eq!(of("{ file = 3, size = 3 }"), "");
}

#[test]
fn broken_toml() {
    insta::assert_snapshot!(check("mission = \"x\"\nmax_turns = = 3\n", &[]), @"mission.toml:2:13: extra `=`, expected nothing");
    insta::assert_snapshot!(check("mission = \"x\"\nmission = \"y\"\n", &[]), @"mission.toml:2:1: the key `mission` appears twice in one table; rename or remove one");
}

#[test]
fn data_that_cannot_be_used() {
    let data = |entry: &str| format!("mission = \"x\"\n[data]\n{entry}\n");
    insta::assert_snapshot!(check(&data("rows = { file = \"nowhere.json\" }"), &[]), @"mission.toml:3:17: data/rows: cannot read nowhere.json: No such file or directory (os error 2)");
    insta::assert_snapshot!(check(&data("rows = { file = \"r.jsonl\" }"), &[("r.jsonl", "{}\n{}\n{\"a\": }\n")]), @"mission.toml:3:17: data/rows: r.jsonl:3:7: this is not JSON: expected value");
    insta::assert_snapshot!(check(&data("rows = { file = \"r.pdf\" }"), &[("r.pdf", "%PDF\0")]), @"mission.toml:3:17: data/rows: the format of r.pdf is unknown, and it is not text; what can be read is named .csv, .tsv, .tab, .psv, .xlsx, .xlsm, .xlsb, .xls, .ods, .json, .geojson, .jsonl, .ndjson, .txt, .md, .log, .parquet, .arrow, .feather, .ipc (or .gz and .zip of these)");
    insta::assert_snapshot!(check(&data("rows = { file = 3 }"), &[]), @"mission.toml:3:17: file must be the name of a file (got 3)");
    insta::assert_snapshot!(check(&data("fail = 1"), &[]), @"mission.toml:3:1: data key 'fail' is reserved: programs read the last error there; give the entry another name");
    insta::assert_snapshot!(check(&data("x = nan"), &[]), @"mission.toml:3:5: data holds finite numbers only (got nan)");
    insta::assert_snapshot!(check("mission = \"x\"\ndata = 3", &[]), @"mission.toml:2:8: data must be a map (got 3)");
}

#[test]
fn sources_of_data_are_checked() {
    let data = |entry: &str| check(&format!("mission = \"x\"\n[data]\n{entry}\n"), &[("r.csv", "a\n1\n")]);
    insta::assert_snapshot!(data("rows = { file = \"r.csv\", columns = [\"a\"] }"), @"mission.toml:3:17: data/rows: `columns` is for Parquet and Arrow; r.csv is CSV, leave `columns` out");
    insta::assert_snapshot!(data("rows = { file = \"r.parquet\", columns = [] }"), @"mission.toml:3:40: columns must be a list of at least one name (got a list)");
    insta::assert_snapshot!(data("rows = { file = \"r.parquet\", columns = \"a\" }"), @r#"mission.toml:3:40: columns must be a list of at least one name (got "a")"#);
    insta::assert_snapshot!(data("rows = { file = \"r.csv\", seperator = \";\" }"), @"mission.toml:3:26: unknown key `seperator` in a data file (a table that is data itself is written `{ value = { … } }`); use `separator`");
    insta::assert_snapshot!(data("rows = { file = \"r.csv\", separator = \";;\" }"), @r#"mission.toml:3:38: separator must be one ASCII character, or `tab` (got ";;")"#);
    insta::assert_snapshot!(data("rows = { file = \"r.csv\", skip = 1, page = 3 }"), @"mission.toml:3:36: unknown key `page` in a data file (a table that is data itself is written `{ value = { … } }`); known: format, separator, quote, escape, header, skip, comment, trim, decimal, thousands, null, types, on_error, encoding, file_column, member, sheet, columns, file");
    insta::assert_snapshot!(data("rows = { sqlite = \"r.db\", sql = 3 }"), @"mission.toml:3:33: sql must be a query (got 3)");
    insta::assert_snapshot!(data("rows = { sqlite = \"r.db\", sql = \"select ?\", params = [[1]] }"), @"mission.toml:3:54: params must be a list of strings, numbers and booleans (got a list)");
}

#[cfg(not(any(feature = "parquet", feature = "sqlite")))]
#[test]
fn formats_that_are_not_built_in_name_their_feature() {
    let data = |entry: &str| check(&format!("mission = \"x\"\n[data]\n{entry}\n"), &[]);
    insta::assert_snapshot!(data("rows = { file = \"r.parquet\", columns = [\"a\"] }"), @"mission.toml:3:17: data/rows: cannot read r.parquet: Parquet needs a build with the feature `parquet`: in a clone, cargo install --locked --path crates/ptc-cli --features parquet");
    insta::assert_snapshot!(data("rows = { file = \"r.arrow\" }"), @"mission.toml:3:17: data/rows: cannot read r.arrow: Arrow needs a build with the feature `parquet`: in a clone, cargo install --locked --path crates/ptc-cli --features parquet");
    insta::assert_snapshot!(data("rows = { sqlite = \"r.db\", sql = \"select 1\" }"), @"mission.toml:3:33: data/rows: cannot read r.db: SQLite needs a build with the feature `sqlite`: in a clone, cargo install --locked --path crates/ptc-cli --features sqlite");
}

#[test]
fn tables_that_are_no_sources_are_literals() {
    let text = "mission = \"x\"\n[data]\na = { file = \"x\", page = 3 }\nb = { value = { sql = \"s\", sqlite = \"d\" } }\nc = { sql = \"s\" }\n";
    let mission = MissionFile::from_text("m.toml", text).unwrap();
    let shown = |key: &str| format(&mission.data[key], &FormatOptions::full()).text;
    assert_eq!(
        [shown("a"), shown("b"), shown("c")],
        ["{:file \"x\" :page 3}", "{:sql \"s\" :sqlite \"d\"}", "{:sql \"s\"}"]
    );
}

#[test]
fn a_missing_mission_file_is_named() {
    let error = MissionFile::load("nowhere/mission.toml").unwrap_err();
    assert!(error.to_string().starts_with("cannot read nowhere/mission.toml: "), "{error}");
    assert!(error.place().is_none());
}

#[test]
fn errors_carry_their_line() {
    let error = MissionFile::from_text("m.toml", "mission = \"ä\"\nmax_turns = 0 # ü\n").unwrap_err();
    let place = error.place().unwrap();
    assert_eq!((place.line, place.column, place.line_text.as_str()), (2, 13, "max_turns = 0 # ü"));
    assert_eq!(error.message(), "max_turns must be an integer above 0 (got 0)");
    assert_eq!(place.file, Path::new("m.toml"));
}

#[test]
fn limits_follow_the_agent() {
    let mission = MissionFile::from_text("m.toml", "mission = \"x\"\ntimeout = 700\nmax_heap = \"1MB\"\n").unwrap();
    let limits = mission.limits();
    assert_eq!((limits.time.as_millis(), limits.memory), (700, 1 << 20));
}

#[test]
fn an_agent_is_built_from_the_options() {
    let text = "mission = \"Fit {{limit}}\"\nsignature = \"(limit :int, who :string?) -> {kept :int}\"\nmax_turns = 4\n[tools.rate]\nprogram = \"1\"\n";
    let mission = MissionFile::from_text("m.toml", text).unwrap();
    let agent = mission.build_agent(&mission.limits()).unwrap();
    assert_eq!((agent.spec().mission.as_str(), agent.spec().max_turns, agent.tools().len()), ("Fit {{limit}}", 4, 1));
    assert_eq!(
        agent.spec().signature.as_ref().map(ToString::to_string).as_deref(),
        Some("(limit :int, who :string?) -> {kept :int}")
    );
    let uncovered = MissionFile::from_text("m.toml", &text.replace("{{limit}}", "{{other}}")).unwrap();
    let error = uncovered.build_agent(&uncovered.limits()).unwrap_err();
    insta::assert_snapshot!(error, @"m.toml: mission placeholders without a signature parameter: {{other}}");
}

#[test]
fn models_are_asked_again_as_the_command_says_then_the_mission_then_three_times() {
    let agent = |retry: &str| format!("[agents.a]\nmission = 'y'\ndescription = 'd'\n{retry}");
    let toml = format!("mission = 'x'\n{}", agent("llm_retry = { max_attempts = 5 }\n"));
    let asked = |patience: Option<Duration>| {
        let mut mission = MissionFile::from_text("m.toml", &toml).unwrap();
        mission.ask_again(patience);
        let mut retries = Vec::new();
        mission.change_agents(|agent| {
            let retry = agent.llm_retry.clone().unwrap();
            retries.push((retry.max_attempts, retry.patience, retry.jitter));
        });
        retries
    };
    assert_eq!(asked(None), [(3, None, false), (5, None, false)]);
    let hour = Some(Duration::from_secs(3600));
    assert_eq!(asked(hour), [(3, hour, true), (5, hour, true)]);
}

#[test]
fn inputs_that_a_mission_does_not_know() {
    let check = |toml: &str, name: &str| {
        let mission = MissionFile::from_text("m.toml", toml).unwrap();
        mission
            .check_input(name)
            .map_or_else(|unknown| format!("{:?} of {:?}", unknown.nearest, unknown.known), |()| "known".to_owned())
    };
    let declared =
        "mission = \"Since {{since}}\"\ncontext_descriptions = { notes = \"what was said\" }\n[data]\nyear = 2023\n";
    assert_eq!(check(declared, "yaer"), r#"Some("year") of ["notes", "since", "year"]"#);
    assert_eq!(check(declared, "colour"), r#"None of ["notes", "since", "year"]"#);
    for known in ["year", "since", "notes"] {
        assert_eq!(check(declared, known), "known");
    }
    assert_eq!(
        check("mission = \"x\"\nsignature = \"(limit :int?) -> :int\"\n", "limt"),
        r#"Some("limit") of ["limit"]"#
    );
    assert_eq!(check("mission = \"Count.\"\n", "anything"), "known", "a mission that names no input takes any");
}

#[test]
fn placeholders_that_nothing_fills() {
    let check = |mission: &str| {
        let toml = format!(
            "mission = \"{mission}\"\n[data]\nlimit = 250\nroom = {{ value = {{ number = 4, bed = {{ size = 2 }} }} }}\n"
        );
        let unfilled = MissionFile::from_text("m.toml", &toml).unwrap().unfilled();
        unfilled
            .iter()
            .map(|unknown| format!("{} -> {}", unknown.name, unknown.nearest.as_deref().unwrap_or("?")))
            .collect::<Vec<_>>()
            .join(", ")
    };
    assert_eq!(check("{{limit}} in {{room.number}} {{room.bed.size}} {{#guests}}{{name}}{{/guests}}"), "");
    assert_eq!(check("{{limt}} and {{nope}}"), "limt -> limit, nope -> ?");
    assert_eq!(
        check("{{room.numbr}} {{room.bed.sise}} {{limit.eur}}"),
        "room.numbr -> room.number, room.bed.sise -> room.bed.size, limit.eur -> ?"
    );
    assert_eq!(check("{{limit"), "", "no template");
}

#[test]
fn mission_files_that_are_not_utf8_say_where() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.toml");
    fs::write(&path, b"max_turns = 2\nmission = \"Z\xe4hle\"\n").unwrap();
    let error = MissionFile::load(&path).unwrap_err();
    insta::assert_snapshot!(error.message(), @"this is not UTF-8 text (byte 0xE4 at offset 26); save the file as UTF-8");
    assert_eq!(error.place().map(|place| (place.line, place.column)), Some((2, 13)));
}

#[test]
fn what_was_noticed_in_data_files_is_kept() {
    let folder = folder("mission = \"x\"\n[data]\nrows = { file = \"rows.csv\" }\n", &[("rows.csv", "a;b\n1;2\n")]);
    let mission = MissionFile::load(folder.path().join("mission.toml")).unwrap();
    assert_eq!(mission.notes.len(), 1);
    assert!(mission.notes[0].ends_with("rows.csv: read as CSV, cells separated by `;`"), "{}", mission.notes[0]);
}

#[test]
fn system_texts_come_from_files() {
    let load = |line: &str| {
        let folder = folder(&format!("mission = \"x\"\n{line}\n"), &[("clerk.md", "\u{feff}You are a clerk.\n\n")]);
        MissionFile::load(folder.path().join("mission.toml")).unwrap().agent.system_prompt
    };
    let SystemPromptOptions::Text(whole) = load("system_prompt = { file = \"clerk.md\" }") else {
        panic!("not the whole text")
    };
    assert_eq!(whole, "You are a clerk.");
    let parts = load(
        "system_prompt = { suffix = { file = \"clerk.md\" }, language_spec = { file = \"clerk.md\" }, prefix = \"Go.\" }",
    );
    let SystemPromptOptions::Parts(parts) = parts else { panic!("no parts") };
    assert_eq!((parts.prefix.as_deref(), parts.suffix.as_deref()), (Some("Go."), Some("You are a clerk.")));
    assert!(matches!(parts.language_spec, Some(LanguageChoice::Text(text)) if text == "You are a clerk."));
}

#[test]
fn system_texts_that_cannot_be_used() {
    let prompt = |value: &str| {
        check(&format!("mission = \"x\"\nsystem_prompt = {value}\n"), &[("empty.md", " \n"), ("lean", "lean")])
    };
    insta::assert_snapshot!(prompt("{ file = \"nowhere.md\" }"), @"mission.toml:2:26: cannot read nowhere.md: No such file or directory (os error 2); its name starts from the folder of the mission file");
    insta::assert_snapshot!(prompt("{ file = \"empty.md\" }"), @"mission.toml:2:26: empty.md is empty; write the text for the model into it");
    insta::assert_snapshot!(prompt("{ file = 3 }"), @"mission.toml:2:26: file must be the name of a file (got 3)");
    insta::assert_snapshot!(prompt("{ file = \"lean\", prefix = \"Go.\" }"), @"mission.toml:2:43: `file` is the whole system text; write the prefix into that file, or leave `file` out");
    insta::assert_snapshot!(prompt("{ prefix = { text = \"Go.\" } }"), @"mission.toml:2:30: unknown key `text` in `prefix`; known: file");
    insta::assert_snapshot!(prompt("{ prefix = 3 }"), @r#"mission.toml:2:28: prefix must be text or `{ file = "…" }` (got 3)"#);
    insta::assert_snapshot!(prompt("{ language_spec = \"maximal\" }"), @"mission.toml:2:35: unknown language_spec 'maximal'; available: lean, full, minimal, brief, lean_single_shot, single_shot, minimal_single_shot, brief_single_shot, multi_turn, base, addon_single_shot, addon_multi_turn, addon_tasks, addon_plan");
    insta::assert_snapshot!(prompt("3"), @r#"mission.toml:2:17: system_prompt must be text, `{ file = "…" }` or a map of `prefix`, `suffix`, `language_spec` and `output_format` (got 3)"#);
    insta::assert_snapshot!(prompt("{ langage_spec = \"lean\" }"), @"mission.toml:2:19: unknown key `langage_spec` in `system_prompt`; use `language_spec`");
}
