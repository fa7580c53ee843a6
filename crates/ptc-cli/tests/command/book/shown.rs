//! What the pages show as output is the output.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use ptc_tests::fences;
use serde_json::{Value as Json, json};

use crate::{command, shown};

/// The answer of the orders example.
const EXPECTED: &str = "docs/examples/orders/expected.json";

/// The text blocks of a page, in order.
fn texts(page: &str) -> Vec<String> {
    let fences = fences::all().unwrap().into_iter();
    fences.filter(|fence| fence.page == page && fence.kind == "text").map(|fence| fence.text).collect()
}

/// A folder with the orders example at its place in the repository.
fn orders() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (fences::root().join("docs/examples/orders"), folder.path().join("docs/examples/orders"));
    fs::create_dir_all(&to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    folder
}

/// A line without times and folders, cut where the page or the terminal leaves something out; where exactly a terminal
/// cuts depends on the width of the time.
fn pieces(line: &str) -> Vec<String> {
    let line = line.replace("docs/examples/orders/", "");
    let is_time = |part: &&str| part.ends_with(" ms") || part.ends_with(" s");
    let parts: Vec<&str> = line.split(" · ").filter(|part| !is_time(part)).collect();
    let line = parts.join(" · ");
    let pieces: Vec<&str> = line.split("...").collect();
    let last = pieces.len() - 1;
    let whole_words = |(at, piece): (usize, &'_ str)| {
        if at < last { piece.rsplit_once(' ').unwrap().0.to_owned() } else { piece.to_owned() }
    };
    let line = pieces.into_iter().enumerate().map(whole_words).collect::<Vec<_>>().join("…");
    line.split('…').map(|piece| piece.trim().to_owned()).collect()
}

fn has_in_order(line: &str, pieces: &[String]) -> bool {
    let mut rest = line;
    pieces.iter().all(|piece| match rest.split_once(piece.as_str()) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn the_story_of_the_orders_example_is_that_of_the_page() {
    let folder = orders();
    let (answer, story) = shown(folder.path(), &["run", "docs/examples/orders/mission.toml"]);
    let mut lines = story.lines().map(|line| pieces(line).join("…"));
    for line in texts("docs/guide/command.md").remove(0).lines() {
        let wanted = pieces(line);
        let is_shown = lines.any(|line| has_in_order(&line, &wanted));
        assert!(is_shown, "the page shows a line that is not shown:\n{line}\n\n{story}");
    }
    let expected: Json = serde_json::from_str(&fs::read_to_string(folder.path().join(EXPECTED)).unwrap()).unwrap();
    let top = expected["top"].as_array().unwrap().iter().map(|customer| customer["name"].as_str().unwrap());
    for name in top.chain([expected["country"].as_str().unwrap()]) {
        assert!(answer.contains(name), "{name}\n{answer}");
    }
}

/// The words of a text, however its lines are broken.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a command of the page on evaluation prints on standard output, in a copy of an example.
fn evaluated(example: &str, line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(fences::root().join("docs/examples").join(example)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    let page = fs::read_to_string(fences::root().join("docs/guide/evaluation.md")).unwrap();
    assert!(words(&page.replace("\\\n", "")).contains(&format!("ptc {line}")), "the page runs `{line}`");
    let output = command(folder.path(), &line.split(' ').collect::<Vec<_>>()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn verdicts_are_those_of_the_page_on_evaluation() {
    let shown = texts("docs/guide/evaluation.md");
    let prompts = "eval-suite tickets.csv --mission short.toml --mission strict.toml --llm replay:small.jsonl --llm replay:large.jsonl --prices gpt-5-mini";
    let both = "compare mission.toml --each customers.csv --llm replay:answers.jsonl --prices claude-sonnet-4.5 --all";
    for (text, example, line) in
        [(&shown[0], "two-prompts", prompts), (&shown[1], "two-prompts", prompts), (&shown[2], "compare", both)]
    {
        let found = words(&evaluated(example, line));
        assert!(found.contains(&words(text)), "the page shows\n{text}\nand this is shown:\n{found}");
    }
}

#[test]
fn effects_are_those_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let program = "(doseq [o data/orders] (tool/pay o)) (tool/list)";
    let known = ["check", "--effects", "--tool", "pay", "--tool", "list", "--data", "orders=[1,2,3]", "-e", program];
    assert_eq!(shown(folder.path(), &known).0, texts("docs/guide/command.md")[1]);
}

#[test]
fn data_is_shown_as_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let tier = |n| if n <= 310 { "free" } else { "gold" };
    let country = |n| (n <= 402).then_some(if n <= 212 { "FR" } else { "DE" });
    let users = (1..=500).map(|n| json!({"id": n, "tier": tier(n), "country": country(n)}));
    let log = format!("10:00 starting\n10:01 ready\n{}", "10:02 nothing new\n".repeat(40));
    let log = format!("{}{}", log.trim_end(), ".".repeat(4_039 - log.trim_end().len()));
    fs::write(folder.path().join("users.json"), json!(users.collect::<Vec<_>>()).to_string()).unwrap();
    fs::write(folder.path().join("log.txt"), log).unwrap();
    let mission = "mission = 'x'\n[data]\nlimit = 250\nlog = { file = 'log.txt' }\nusers = { file = 'users.json' }\ntrips = [{ id = 1, city = 'Bonn' }, { id = 2, city = 'Ulm' }, { id = 3, city = 'Bonn' }]\n";
    fs::write(folder.path().join("m.toml"), mission).unwrap();
    let (preview, _) = shown(folder.path(), &["run", "m.toml", "--preview"]);
    let page = texts("docs/guide/command.md").remove(2);
    assert!(preview.contains(&page), "{preview}\n{page}");
}

/// The trace of a run of one program with one tool, whose answers are the same each time.
fn trace(folder: &Path, mission: &str, program: &str) -> String {
    fs::write(folder.join("mission.toml"), mission).unwrap();
    let answers = [program, "(return 1)"].map(|program| json!({ "content": program }).to_string()).join("\n");
    fs::write(folder.join("answers.jsonl"), answers).unwrap();
    shown(folder, &["run", "mission.toml", "--llm", "replay:answers.jsonl"]);
    shown(folder, &["show"]).0
}

#[test]
fn a_turn_is_shown_as_on_the_page_on_debugging() {
    let folder = tempfile::tempdir().unwrap();
    let mission = "mission = 'x'\n[tools.quote-room]\nsignature = '(room :int, nights :int) -> {total :float}'\n\
                   program = '{:total (* 89.5 nights)}'\n";
    let shown = trace(folder.path(), mission, "(def rate 89.5)\n(tool/quote-room {:room 12 :nights 3})");
    let page = texts("docs/guide/debugging.md").remove(0);
    assert!(shown.starts_with(&page), "{shown}");
}

#[test]
fn cached_calls_are_shown_as_on_the_page_of_the_first_mission() {
    let folder = tempfile::tempdir().unwrap();
    let mission =
        "mission = 'x'\n[tools.rate]\nsignature = '(currency :string) -> :float'\ncache = true\nprogram = '0.085'\n";
    let shown = trace(folder.path(), mission, "(+ (tool/rate {:currency \"NOK\"}) (tool/rate {:currency \"NOK\"}))");
    let page = texts("docs/guide/first-mission.md").remove(1);
    assert!(shown.contains(&page), "{shown}");
}

/// What is typed on the page gets the answers of the page; times and calls are for terminals only.
#[test]
fn a_prompt_answers_as_on_the_page() {
    let page = texts("docs/guide/repl.md").remove(0);
    let mut typed = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(input) = line.strip_prefix("ptc> ") else { continue };
        typed.push_str(input);
        typed.push('\n');
        while let Some(more) = lines.next_if(|line| line.starts_with("  (")) {
            typed.push_str(more);
            typed.push('\n');
        }
    }
    let folder = orders();
    fs::write(folder.path().join("typed"), typed).unwrap();
    let input = fs::File::open(folder.path().join("typed")).unwrap();
    let mut repl = command(folder.path(), &["repl", "docs/examples/orders/mission.toml"]);
    let output = repl.stdin(Stdio::from(input)).output().unwrap();
    let shown = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(shown[0].lines().count(), 2, "{}", shown[0]);
    for line in shown.iter().flat_map(|text| text.lines()) {
        assert!(
            page.lines().any(|on_page| on_page.trim_end() == line.trim_end()),
            "the page lacks {line}\n{}",
            shown[1]
        );
    }
}
