//! Hidden values, in every form that a program can give them: none is in a request, under any strategy. Keys of the
//! environment are in nothing that is written.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::view::View;
use super::{command, shown};

/// What is hidden: in data, in a field, in the result of a tool, in a definition.
const HIDDEN: [&str; 4] =
    ["canary-data \"7f\"\n3a91", "canary-field-7f3a92", "canary-tool-7f3a93", "canary-def-7f3a94"];
/// Values that no file and no stream may hold.
const KEYS: [&str; 2] = ["canary-env-7f3a95", "canary-key-7f3a96"];

const PROGRAMS: [&str; 14] = [
    "(def _mine \"canary-def-7f3a94\") (println data/_key data/rows _mine) (def r (tool/login {:a 1})) (println r (:_session r))",
    "(println (pr-str data/_key) (str \"x\" data/_key \"y\") (pr-str (pr-str {:a data/_key})) (map :_pin data/rows))",
    "(println (json/generate-string {:a data/_key :b (:_session r)}) (json/generate-string (json/generate-string {:a data/_key})))",
    "(println (keyword (:_session r)) (symbol _mine) {(:_session r) 1 (keyword _mine) 2} #{_mine})",
    "(tool/bad {:a data/_key :b [(:_session r)]})",
    "(tool/typed {:a data/_key})",
    "(throw (ex-info (str \"no \" data/_key) {:at (:_session r)}))",
    "(+ 1 data/_key)",
    "((keyword (:_session r)) 1 2 3 4)",
    "(re-find (re-pattern (str \"[\" _mine)) \"x\")",
    "(parse-long data/_key 1)",
    "(nth [1] (:_pin (first data/rows)))",
    "(def copy {:x data/_key :y [(:_session r)]}) (defn f \"uses a key\" [] _mine) (tool/login {:a data/_key})",
    "(assert (= 1 _mine) (str \"not \" _mine))",
];

/// Programs that keep what is hidden under hidden names, and pass it to tools; they fail, too.
const CAREFUL: [&str; 8] = [
    "(def _mine data/_key) (def r (tool/login {:_a data/_key})) (println r data/rows)",
    "(def _pins (mapv :_pin data/rows)) (println (count _pins) {:_pins _pins :key 1})",
    "(def people (mapv (fn [row] (assoc row :b 2)) data/rows)) (println people)",
    "(tool/bad {:_a data/_key :b 1})",
    "(throw (ex-info \"no\" {:_at data/_key :row (first data/rows)}))",
    "(def f (fn [] _mine)) (def _g (delay data/_key)) (println (count @_g) (count (f)))",
    "(+ {:_session (:_session r)} 1)",
    "(def all {:r r :rows data/rows :_in {:deep data/_key}}) (println all)",
];

/// A mission of these programs. Its tools take `argument`; `bad` runs `command`.
fn mission(folder: &Path, programs: &[&str], last: &str, argument: &str, command: &str) {
    let text = format!(
        "mission = \"Look at {{{{name}}}}.\"\nreplay = \"a.jsonl\"\nmax_turns = 30\n[data]\nname = \"Ines\"\n_key = {}\nrows = [{{ a = 1, _pin = \"{}\" }}]\n\
         [tools.login]\nsignature = \"({argument} :any) -> :any\"\ncommand = [\"sh\", \"-c\", \"echo '{{\\\"ok\\\": 1, \\\"_session\\\": \\\"{}\\\"}}'\"]\nenv = {{ TOKEN = \"{}\" }}\n\
         [tools.bad]\nsignature = \"({argument} :any, b :any) -> :any\"\ncommand = [\"sh\", \"-c\", \"{command} >&2; exit 3\"]\nenv = [\"PASSED\"]\n\
         [tools.typed]\nsignature = \"(a :int) -> :int\"\ncommand = [\"cat\"]\n",
        json!(HIDDEN[0]),
        HIDDEN[1],
        HIDDEN[2],
        KEYS[0]
    );
    fs::write(folder.join("m.toml"), text).unwrap();
    let answers = programs.iter().chain([&last]).map(|program| json!({ "content": program }).to_string() + "\n");
    fs::write(folder.join("a.jsonl"), answers.collect::<String>()).unwrap();
}

/// Everything in the folder but the mission.
pub(crate) fn files(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => files(&entry.path(), found),
            false if entry.file_name() != "m.toml" => {
                found.push(String::from_utf8_lossy(&fs::read(entry.path()).unwrap()).into_owned())
            }
            false => {}
        }
    }
}

#[test]
fn no_request_holds_a_hidden_value_under_any_strategy() {
    let folder = tempfile::tempdir().unwrap();
    mission(folder.path(), &PROGRAMS, "(return (count data/rows))", "a", "cat");
    for strategy in
        ["none", "single-user-coalesced", "digest", "rolling-window", "per-turn-summary", "aggressive", "append-only"]
    {
        let args = ["run", "m.toml", "--compression", strategy, "--requests", "q.jsonl"];
        let output = command(folder.path(), &args)
            .envs([("OPENAI_API_KEY", KEYS[1]), ("PASSED", KEYS[1]), ("PTC_LLM_KEY", KEYS[1])])
            .output()
            .unwrap();
        assert!(output.status.success(), "{strategy}: {}", String::from_utf8_lossy(&output.stderr));
        let requests = fs::read_to_string(folder.path().join("q.jsonl")).unwrap();
        assert!(requests.contains("[hidden]") && requests.contains("Ines"), "{strategy}");
        assert_eq!(shown(folder.path(), &["show", "--requests"]).0, requests, "{strategy}: its record has them");
        // For a text with a line end also its halves.
        for secret in HIDDEN.iter().flat_map(|hidden| hidden.split('\n')) {
            let found = requests
                .find(secret.trim_matches('"').trim())
                .map(|at| requests[..at].chars().rev().take(90).collect::<String>());
            assert_eq!(found.map(|text| text.chars().rev().collect::<String>()), None, "{strategy}: {secret}");
        }
        let mut written = vec![String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap()];
        files(folder.path(), &mut written);
        for key in KEYS {
            assert!(!written.iter().any(|text| text.contains(key)), "{strategy}: {key}");
        }
    }
    // Maps are shown without their hidden entries, to people too; what programs printed is as it was.
    let (trace, _) = shown(folder.path(), &["show"]);
    assert!(!trace.contains("_session") || !trace.contains(":_session \"canary"), "{trace}");
    let (compressed, _) = shown(folder.path(), &["show", "--view", "compressed"]);
    assert!(!compressed.contains("canary-"), "{compressed}");
}

#[test]
fn what_people_look_at_is_without_what_only_hidden_names_hold() {
    let folder = tempfile::tempdir().unwrap();
    mission(folder.path(), &CAREFUL, "(return {:n 1 :_all all})", "_a", "echo no room");
    let run = |args: &[&str]| {
        let mut command = command(folder.path(), &[&["run", "m.toml"], args].concat());
        let output = command.envs([("PASSED", KEYS[1]), ("OPENAI_API_KEY", KEYS[1])]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        (output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let (_, story) = run(&["--requests", "q.jsonl"]);
    assert!(story.contains("turn 8 of 30"), "{story}");
    fs::write(folder.path().join("step.json"), run(&["--json", "--no-keep"]).0).unwrap();

    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let mut looks = vec![("standard error", story), ("requests", read("q.jsonl"))];
    let traces: [(&str, &[&str]); 10] = [
        ("kept run", &["show"]),
        ("as the model saw it", &["show", "--view", "compressed"]),
        ("step", &["show", "step.json"]),
        ("spans", &["show", "--timing"]),
        ("numbers", &["show", "--timing", "--json"]),
        ("spans for browsers", &["show", "--chrome", "chrome.json"]),
        ("events", &["show", "--events"]),
        ("list of runs as text", &["runs"]),
        ("page", &["show", "--html", "kept.html"]),
        ("page of the step", &["show", "step.json", "--html", "step.html"]),
    ];
    for (name, args) in traces {
        let (out, remarks) = shown(folder.path(), args);
        looks.push((name, out + &remarks));
    }
    looks.extend(["chrome.json", "kept.html", "step.html"].map(|file| (file, read(file))));
    let view = View::of(folder.path(), &[]);
    let runs = view.listed(|runs| runs.len() == 1);
    looks.push(("list of runs", runs[0].to_string()));
    let run = runs[0]["url"].as_str().unwrap();
    looks.extend([run, &format!("{run}.json")].map(|page| ("view", view.get(page).1)));
    for (name, text) in &looks {
        for secret in HIDDEN.iter().take(3).flat_map(|hidden| hidden.split('\n')).chain(KEYS) {
            let at = text.find(secret.trim_matches('"').trim());
            let around = at.map(|at| text[..at].chars().rev().take(200).collect::<String>());
            assert_eq!(around.map(|text| text.chars().rev().collect::<String>()), None, "{name}: {secret}");
        }
    }
    let shows_the_run = |text: &str| text.contains("tool/login") && text.contains("no room");
    let pages = looks.iter().filter(|(name, text)| name.ends_with(".html") && shows_the_run(text));
    assert_eq!(pages.count(), 2);
}
