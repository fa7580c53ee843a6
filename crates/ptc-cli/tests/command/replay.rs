//! Recorded runs, shown with another compression by `ptc replay`.

use std::path::Path;

use insta::assert_snapshot;
use serde_json::{Value as Json, json};

use super::{refused, shown as shown_with_notes, typed_step};

/// What a command shows, without the note that comes once the built-in prices are old.
fn shown(folder: &Path, args: &[&str]) -> (String, String) {
    let (text, remarks) = shown_with_notes(folder, args);
    let others = remarks.split_inclusive('\n').filter(|line| !line.starts_with("note: the prices of `"));
    (text, others.collect())
}

const MISSION: &str = r#"
    mission = "Which stays cost at most {{limit}} euros?"
    max_turns = 4
    replay = "answers.jsonl"
    compression = true
    [data]
    limit = 250
    [tools.price]
    signature = "(nights :int) -> {total :float}"
    program = "{:total (* 89.5 nights)}"
"#;

const PROGRAMS: [&str; 4] = [
    "(def prices (mapv (fn [n] (:total (tool/price {:nights n}))) (range 1 31)))",
    "(println (str/join \" \" (map str prices)))",
    "(def kept (filterv (fn [p] (<= p data/limit)) prices)) (println (count kept))",
    "(return {:kept (count kept)})",
];

/// A mission of four turns, run once: its record is `run.jsonl`, its step `step.json` with typed values and `plain.json`.
fn recorded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), MISSION).unwrap();
    let answer = |program: &str| {
        json!({"content": format!("```clojure\n{program}\n```"), "usage": {"input": 1000, "output": 40}}).to_string()
    };
    std::fs::write(folder.path().join("answers.jsonl"), PROGRAMS.map(answer).join("\n")).unwrap();
    let (step, _) = shown(folder.path(), &["run", "m.toml", "--json", "--record", "run.jsonl"]);
    std::fs::write(folder.path().join("plain.json"), step).unwrap();
    std::fs::write(folder.path().join("step.json"), typed_step(folder.path(), "m.toml")).unwrap();
    folder
}

/// The system text grows with the language; here it counts as nothing.
fn without_system(folder: &Path) {
    let path = folder.join("step.json");
    let mut step: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    step.as_object_mut().unwrap().remove("system").unwrap();
    std::fs::write(path, step.to_string()).unwrap();
}

#[test]
fn a_run_is_shown_as_native_calls() {
    let folder = recorded();
    without_system(folder.path());
    let args = [
        "replay",
        "step.json",
        "--prices",
        "gpt-5-mini",
        "--as",
        "native-tools",
        "--as",
        "native-tools,batches,words=5,answer=9,data=no",
    ];
    let (text, _) = shown(folder.path(), &args);
    let row = |label: &str| {
        let line = text.lines().find(|line| line.starts_with(label)).unwrap_or_else(|| panic!("{label}: {text}"));
        line[label.len()..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    // Thirty calls, one by one or together, and the closing text.
    assert_eq!(row("requests"), ["4", "31", "2"]);
    assert!(
        text.contains("native-tools assumes: each call has a request; 0 words before the calls of a request;"),
        "{text}"
    );
    assert!(text.contains("the closing text has 9 words; the data is not sent"), "{text}");
    let (json, _) = shown(folder.path(), &[&args[..], &["--json"]].concat());
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(json["renditions"][1]["assumptions"].as_array().unwrap().len(), 4);
    assert_eq!(json["renditions"][1]["output"].as_array().unwrap().len(), 31);
}

#[test]
fn another_way_than_native_calls_is_refused() {
    let folder = recorded();
    for way in
        ["programs", "native-tools,words", "native-tools,words=-1", "native-tools,data=yes", "native-tools,batches=3"]
    {
        let error = refused(folder.path(), &["replay", "step.json", "--as", way]);
        assert!(error.contains(&format!("--as {way}: write native-tools, and after commas:")), "{error}");
    }
}

#[test]
fn a_run_is_shown_with_other_strategies() {
    let folder = recorded();
    without_system(folder.path());
    let args = [
        "replay",
        "step.json",
        "--compression",
        "none",
        "--compression",
        "rolling-window,window=1",
        "--prices",
        "gpt-5-mini",
    ];
    let (text, remarks) = shown(folder.path(), &args);
    assert_snapshot!(text, @r"
    step.json: 4 turns, return

    Tokens of each request: o200k; without the system text, which the step does not hold
    Prices (gpt-5-mini, list of 2026-07-09): USD 0.25 input, 0.025 cached, 0.25 written to the cache, 2 output per million

    turn                        single-user-coalesced      none  rolling-window,window=1
       1                                           74        62                       74
       2                                          327       112                      361
       3                                          444       298                      469
       4                                          467       355                      506

    input                                       1,312       827                    1,410
      as in the request before                    221       472                      221
    output                                        160       160                      160
    USD without cache                        0.000648  0.000527                 0.000673
    USD with cache                           0.000598  0.000421                 0.000623

    none: first differs from single-user-coalesced in turn 1, message 1, byte 226
      - user: \n\n;; No tool calls made\n\nTurns left: 4
      + user: (its end)

    rolling-window,window=1: first differs from single-user-coalesced in turn 2, message 1, byte 362
      - user: \n\n;; Tool calls made:\n;   (10 earlier calls not shown)\n;   p...
      + user: (its end)
    ");
    assert_eq!(remarks, "");
}

#[test]
fn without_names_every_strategy_is_shown() {
    let folder = recorded();
    let (text, _) = shown(folder.path(), &["replay", "step.json", "--against", "none", "--json"]);
    let line: Json = serde_json::from_str(&text).unwrap();
    let names: Vec<&str> =
        line["renditions"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["none", "single-user-coalesced", "digest", "rolling-window", "per-turn-summary", "aggressive", "append-only"]
    );
    assert_eq!((&line["file"], &line["ending"], &line["turns"]), (&json!("step.json"), &json!("return"), &json!(4)));
    assert_eq!(line["output"], json!([40, 40, 40, 40]));
    let (plain, aggressive) = (&line["renditions"][0], &line["renditions"][5]);
    assert!(plain["totals"]["input"].as_u64() > aggressive["totals"]["input"].as_u64(), "{text}");
    assert!(plain["totals"]["cost"]["cached"].as_f64() < plain["totals"]["cost"]["uncached"].as_f64(), "{text}");
    assert_eq!((&plain["difference"], &aggressive["difference"]["turn"]), (&Json::Null, &json!(1)));
    assert_eq!(line["system_tokens"], plain["requests"][3]["system"]);
}

#[test]
fn what_was_sent_is_what_the_strategy_of_the_run_renders() {
    let folder = recorded();
    let mission = MISSION.replace("compression = true", "compression = { strategy = \"rolling-window\", window = 1 }");
    std::fs::write(folder.path().join("m.toml"), mission).unwrap();
    shown(folder.path(), &["run", "m.toml", "--record", "own.jsonl"]);
    let args =
        ["replay", "own.jsonl", "--compression", "rolling-window,window=1", "--compression", "rolling-window,window=2"];
    let (text, remarks) = shown(folder.path(), &[&args[..], &["--against", "as-sent"]].concat());
    assert!(text.contains("\n\nrolling-window,window=1: no request differs from as sent\n"), "{text}");
    assert!(text.contains("\n\nrolling-window,window=2: first differs from as sent in turn 3, "), "{text}");
    assert_eq!(remarks, "");
}

#[test]
fn ceilings_count_the_system_text() {
    let folder = recorded();
    let args = |file| ["replay", file, "--against", "none", "--compression", "none,max_tokens=50"];
    for file in ["step.json", "run.jsonl"] {
        let (text, _) = shown(folder.path(), &args(file));
        let end = text.trim_end().lines().last().unwrap();
        let said = "none,max_tokens=50: ends with context_limit: the request of turn 1 has at least ";
        assert!(end.starts_with(said) && end.ends_with(" tokens (counted in o200k), and max_tokens is 50"), "{end}");
    }
    without_system(folder.path());
    let text = refused(folder.path(), &args("step.json"));
    assert_snapshot!(text, @"error: step.json: the step does not hold its system text, which counts for max_tokens: record the run again, or leave max_tokens out");
}

#[test]
fn a_record_says_what_the_step_says() {
    let folder = recorded();
    let of = |file: &str| {
        let args = [
            "replay",
            file,
            "--against",
            "single-user-coalesced",
            "--compression",
            "sliding-window,turns=1",
            "--compression",
            "cleared-outputs,keep=1",
        ];
        let (text, remarks) = shown(folder.path(), &args);
        assert_eq!(remarks, "");
        text.replace(file, "FILE")
    };
    assert_eq!(of("run.jsonl"), of("step.json"));
    assert_eq!(shown(folder.path(), &["replay", "run.jsonl"]).1, "");
    let mut old: Json = serde_json::from_slice(&std::fs::read(folder.path().join("step.json")).unwrap()).unwrap();
    old.as_object_mut().unwrap().remove("compression").unwrap();
    std::fs::write(folder.path().join("old.json"), old.to_string()).unwrap();
    let (_, remarks) = shown(folder.path(), &["replay", "old.json"]);
    assert_eq!(
        remarks,
        "note: old.json is of an older release, which does not say how history was shown; `--against S` says it\n"
    );
    let show = |file: &str| shown(folder.path(), &["show", file, "--raw"]);
    let (text, remarks) = show("run.jsonl");
    assert_eq!((text.strip_suffix("Model: replay:./answers.jsonl\n").unwrap().to_owned(), remarks), show("step.json"));
    // Killed in the third turn.
    let record = std::fs::read_to_string(folder.path().join("run.jsonl")).unwrap();
    let end = record.find("{\"type\":\"reply\",\"turn\":3").unwrap();
    std::fs::write(folder.path().join("killed.jsonl"), &record[..end + 30]).unwrap();
    let (text, remarks) = show("killed.jsonl");
    assert!(text.contains("+- Turn 2 -") && !text.contains("+- Turn 3 -"), "{text}");
    assert_snapshot!(remarks, @"note: killed.jsonl: cancelled: the journal ends before the run did: it was stopped, its model failed, a bound was reached, or it is still running; a resumed run continues from here");
}

#[test]
fn a_picture_is_drawn_of_one_run() {
    let folder = recorded();
    let draw = |out: &str| {
        shown(folder.path(), &["replay", "step.json", "--svg", out]);
        std::fs::read_to_string(folder.path().join(out)).unwrap()
    };
    let picture = draw("a.svg");
    assert!(
        picture.starts_with("<!-- ptc replay -->\n<svg ")
            && picture.contains("<title>Tokens of each request: step.json</title>"),
        "{picture}"
    );
    assert_eq!(picture.matches("<polyline ").count(), 7, "the strategy of the run stands for itself");
    assert_eq!(draw("b.svg"), picture);
    let text = refused(folder.path(), &["replay", "step.json", "run.jsonl", "--svg", "c.svg"]);
    assert_snapshot!(text, @"error: --svg draws one run, 2 files are given; call it once for each");
    assert!(
        refused(folder.path(), &["replay", "step.json", "--svg", "step.json/x.svg"])
            .contains("cannot write step.json/x.svg")
    );
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let folder = recorded();
    let check = |args: &[&str]| refused(folder.path(), &[&["replay"], args].concat());
    assert_snapshot!(check(&["plain.json"]), @"error: plain.json has plain values, from which requests cannot be rendered again; the record of its run has them");
    std::fs::write(folder.path().join("log.jsonl"), shown(folder.path(), &["show", "run.jsonl", "--events"]).0)
        .unwrap();
    assert_snapshot!(check(&["log.jsonl"]), @"error: log.jsonl is a log of events, which holds neither values nor definitions; the record of its run has them");
    assert_snapshot!(check(&["step.json", "--against", "as-sent"]), @"error: step.json does not hold what was sent: the run did not collect its messages; leave `--against` out, or name a strategy");
    assert_snapshot!(check(&["step.json", "--compression", "rolling-window,windw=2"]), @r#"
    error: unknown key `windw` in the options of `rolling-window`; use `window`
     --> --compression:1:16
      |
    1 | rolling-window,windw=2
      |                ^^^^^^^
    "#);
    assert_snapshot!(check(&["step.json", "--against", "aggressive,max_tokens=8k"]), @r#"
    error: max_tokens must be an integer above 0, such as 8000 (got 8k)
     --> --against:1:23
      |
    1 | aggressive,max_tokens=8k
      |                       ^^
    "#);
    assert_snapshot!(check(&["step.json", "--against", "cleared-outputs,keep=x"]), @"error: --against cleared-outputs,keep=x: write cleared-outputs,keep=N, N 0 or more");
    assert_snapshot!(check(&["step.json", "--compression", "sliding-window"]), @"error: --compression sliding-window: write sliding-window,turns=N, N 0 or more");
    assert_snapshot!(check(&["step.json", "--compression", "as-sent"]), @"error: `as-sent` is a baseline: write it after --against");
    assert_snapshot!(check(&["step.json", "--prices", "free"]), @"error: --prices: there are no list prices of `free`; write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    assert!(check(&["m.toml"]).contains("m.toml is neither the record of a run"));
    assert!(check(&["step.json", "--prices", "nowhere.toml"]).contains("cannot read nowhere.toml"));
    let old = check(&["step.json", "--price-list", "nowhere.toml"]);
    assert!(
        old.contains("tip: `--prices FILE` names a list; `--prices FILE --prices NAME` also a model of it"),
        "{old}"
    );
    assert_snapshot!(check(&["step.json", "--prices", "gpt-5", "--prices", "input=1,output=2"]), @"error: --prices: `gpt-5` and `input=1,output=2` are both for all models; give one of them, with files next to it");
    assert!(check(&["nowhere"]).contains("`nowhere` is neither a file nor a kept run"));

    let mut step: Json =
        serde_json::from_str(&std::fs::read_to_string(folder.path().join("step.json")).unwrap()).unwrap();
    step["compression"][0]["strategy"] = json!("my-own");
    std::fs::write(folder.path().join("own.json"), step.to_string()).unwrap();
    assert_snapshot!(check(&["own.json"]), @"error: own.json was run with a custom strategy, `my-own`; name the baseline with --against");
    step.as_object_mut().unwrap().remove("turns").unwrap();
    std::fs::write(folder.path().join("empty.json"), step.to_string()).unwrap();
    assert_snapshot!(check(&["empty.json", "--against", "none"]), @"error: empty.json: the step has no turns: nothing was asked, or the run did not keep them (`keep_turns`)");

    let record = std::fs::read_to_string(folder.path().join("run.jsonl")).unwrap();
    let bad = record.replace("\"type\":\"turn\",\"number\":2", "\"type\":\"turn\",\"number\":9");
    std::fs::write(folder.path().join("bad.jsonl"), bad).unwrap();
    assert_snapshot!(check(&["bad.jsonl"]), @"error: bad.jsonl: the record is damaged from line 67 on (its sum is not that of this line after the one before it): only what is before it can be shown");
}

/// The options of the run are in its step and in its journal: they need not be repeated.
///
/// Proves: DBG-009.
#[test]
fn options_of_the_run_are_those_of_the_reference() {
    let folder = recorded();
    let options = "compression = { strategy = \"rolling-window\", window = 1, println_limit = 1, max_tokens = 90000 }";
    std::fs::write(folder.path().join("m.toml"), MISSION.replace("compression = true", options)).unwrap();
    shown(folder.path(), &["run", "m.toml", "--record", "own.jsonl"]);
    std::fs::write(folder.path().join("own.json"), typed_step(folder.path(), "m.toml")).unwrap();
    for file in ["own.json", "own.jsonl"] {
        let given = "rolling-window,println_limit=1,window=1,max_tokens=90000";
        let (text, remarks) = shown(folder.path(), &["replay", file, "--compression", given]);
        let same = format!("{given}: no request differs from rolling-window,window=1,println_limit=1,max_tokens=90000");
        assert!(text.contains(&same), "{text}");
        assert_eq!(remarks, "");
        let (view, _) = shown(folder.path(), &["show", file, "--view", "compressed"]);
        assert!(view.contains("| (as `rolling-window` shows it)") && view.contains("| [assistant]"), "{view}");
    }
}

/// A list with one old price, one that was never looked up, and one whose promise is over.
const PRICES: &str = r#"[[list]]
source = "https://llm.example/prices"
date = 2020-01-31
[list.models]
old = { input = 2, cached = 0.2, write = 2.5, output = 8 }
[[list]]
source = "https://llm.example/offers"
date = 2026-11-02
[list.models]
offer = { input = 1, output = 4, until = 2026-11-03 }
[[list]]
unverified = true
models.guess = { input = 1, output = 4 }
"#;

#[test]
fn prices_are_those_of_the_list_given_and_old_ones_are_noted() {
    let folder = recorded();
    std::fs::write(folder.path().join("prices.toml"), PRICES).unwrap();
    let replay = |model: &str, more: &[&str]| {
        let args = ["replay", "step.json", "--compression", "none", "--prices", "prices.toml", "--prices", model];
        shown_with_notes(folder.path(), &[&args, more].concat())
    };
    let (text, note) = replay("old", &[]);
    assert!(text.contains("\nPrices (old, list of 2020-01-31): USD 2 input, 0.2 cached, 2.5 written"), "{text}");
    let (start, end) = note.split_once(" months old").unwrap();
    let months: u32 =
        start.strip_prefix("note: the prices of `old, list of 2020-01-31` are ").unwrap().parse().unwrap();
    assert!(months >= 81, "{note}");
    assert_eq!(end, "; https://llm.example/prices may have new ones; give others with `--prices`\n");
    assert_snapshot!(replay("offer", &[]).1, @"note: the prices of `offer, list of 2026-11-02` were promised until 2026-11-03; https://llm.example/offers may have new ones; give others with `--prices`");
    assert_snapshot!(replay("guess", &[]).1, @"note: the prices of `guess, not looked up` may be wrong; give others with `--prices`");
    assert_eq!(replay("input=1,output=2", &[]).1, "");
    let (line, _) = replay("offer", &["--json"]);
    let prices = serde_json::from_str::<Json>(&line).unwrap()["prices"].to_string();
    assert_snapshot!(prices, @r#"{"name":"offer, list of 2026-11-02","input":1.0,"cached":1.0,"write":1.0,"output":4.0,"source":"https://llm.example/offers","date":"2026-11-02","until":"2026-11-03"}"#);
    let prices = serde_json::from_str::<Json>(&replay("guess", &["--json"]).0).unwrap()["prices"].to_string();
    assert_snapshot!(prices, @r#"{"name":"guess, not looked up","input":1.0,"cached":1.0,"write":1.0,"output":4.0,"unverified":true}"#);
}

#[test]
fn a_price_list_that_cannot_be_used_says_where() {
    let folder = recorded();
    let check = |text: &str, more: &[&str]| {
        std::fs::write(folder.path().join("prices.toml"), text).unwrap();
        refused(folder.path(), &[&["replay", "step.json", "--prices", "prices.toml"], more].concat())
    };
    let offer = ["--prices", "offer"];
    assert_snapshot!(check(&PRICES.replace("cached", "cashed"), &offer), @"error: prices.toml: line 5: unknown key `cashed` in `old`; write `cached`");
    assert_snapshot!(check(&PRICES.replace("= 0.2", "= '0.2'"), &offer), @"error: prices.toml: line 5: `cached` of `old` must be USD for a million tokens: a number without quotes, 0 or more (got '0.2')");
    assert_snapshot!(check("", &offer), @r#"error: prices.toml: there are no prices in it; write `[[list]]`, below it `source = "https://…"`, `date = 2026-11-27` and `models."NAME" = { input = 3, output = 15 }`"#);
    assert_snapshot!(check(PRICES, &["--prices", "offers"]), @"error: --prices: there are no list prices of `offers`; did you mean `offer`? Or write USD per million tokens: input=3,cached=0.3,write=3.75,output=15");
    assert_snapshot!(check(PRICES, &["--prices", "old", "--svg", "prices.toml", "--force"]), @"error: --svg prices.toml: this command reads the prices from this file; name another one");
}
