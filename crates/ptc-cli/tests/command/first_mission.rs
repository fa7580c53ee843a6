//! The files of "Your first mission" do what the page says.

use std::fs;
use std::path::Path;

use serde_json::json;

#[cfg(unix)]
use super::refused;
use super::shown;

const PAGE: &str = include_str!("../../../../docs/guide/first-mission.md");

/// The block of the page that begins after `heading`, of this kind.
fn block(heading: &str, kind: &str) -> &'static str {
    let rest = PAGE.split_once(heading).unwrap().1;
    let rest = rest.split_once(&format!("```{kind}\n")).unwrap().1;
    rest.split_once("```").unwrap().0
}

/// Data, program, answers and the mission with this command instead of the original one.
fn write(folder: &Path, tool: &str) {
    let mission = block("`mission.toml`:", "toml").replace("command = [\"./rate.py\"]\n", tool);
    let program = block("`turn1.clj`:", "clojure");
    let answers = json!({ "content": program }).to_string();
    let trips = block("`trips.csv`:", "text");
    for (name, text) in
        [("mission.toml", &*mission), ("turn1.clj", program), ("answers.jsonl", &answers), ("trips.csv", trips)]
    {
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn the_mission_of_the_page_gives_its_answer_with_each_tool() {
    let expected = block("Either way the answer is", "clojure");
    let program = block("### Without Python", "toml,tool");
    let answers = block("# a program in PTC-Lisp", "toml,tool");
    for tool in [program, answers] {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), tool);
        assert_eq!(shown(folder.path(), &["check", "--mission", "mission.toml", "turn1.clj"]).0, "");
        let (answer, _) = shown(folder.path(), &["run", "mission.toml", "--llm", "replay:answers.jsonl", "--json"]);
        let step: serde_json::Value = serde_json::from_str(&answer).unwrap();
        for row in step["return"].as_array().unwrap() {
            let (country, euros) = (row["country"].as_str().unwrap(), row["euros_a_day"].as_i64().unwrap());
            assert!(expected.contains(&format!("{{:country \"{country}\" :euros_a_day {euros}}}")), "{row}");
        }
        assert_eq!(step["return"].as_array().unwrap().len(), 4);
    }
}

/// Each mistake of the page in the files, and words that the table has.
#[cfg(unix)]
#[test]
fn slips_are_told_what_the_page_says() {
    let folder = tempfile::tempdir().unwrap();
    let slips = [
        ("signature = \"(trips", "signatur = \"(trips", "unknown key `signatur`; use `signature`"),
        ("cost :float", "cost :number", "write `:float` instead of `:number`"),
        ("each country", "each country of {{yaer}}", "mission placeholders without a signature parameter: {{yaer}}"),
        (
            "\"sh\"",
            "\"./rate.py\"",
            "tool `rate`: there is no command `./rate.py`; install it, or name an executable file",
        ),
    ];
    for (from, to, told) in slips {
        write(folder.path(), "command = [\"sh\"]\n");
        let path = folder.path().join("mission.toml");
        fs::write(&path, fs::read_to_string(&path).unwrap().replace(from, to)).unwrap();
        assert!(PAGE.contains(told), "{told}");
        let error = refused(folder.path(), &["run", "mission.toml", "--llm", "replay:answers.jsonl"]);
        assert!(error.contains(told), "{error}");
    }
    write(folder.path(), "command = [\"sh\"]\n");
    let csv = folder.path().join("trips.csv");
    fs::write(&csv, fs::read_to_string(&csv).unwrap().replace("6900", "about 6900")).unwrap();
    let error = refused(folder.path(), &["run", "mission.toml", "--llm", "replay:answers.jsonl"]);
    for told in [
        "the column `cost` is text, since `about 6900` in line 2 is not a number",
        "[trips.0.cost]: cannot coerce string \"about 6900\" to float",
    ] {
        assert!(PAGE.contains(told) && error.contains(told), "{error}");
    }
}
