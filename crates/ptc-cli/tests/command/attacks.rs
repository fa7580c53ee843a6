//! The corpus of attacks in every place of a mission, checked in everything that the command writes.

pub(crate) mod corpus;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ptc_runner::transcript::read_record;
use serde_json::{Value as Json, json};

use super::{command, ptc, shown};
use corpus::{acts, attacks};

/// A string of TOML.
fn toml(text: &str) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if acts(c) || c.is_control() => format!("\\U{:08x}", u32::from(c)),
        c => c.to_string(),
    };
    format!("\"{}\"", text.chars().map(escape).collect::<String>())
}

/// A mission in which everything but the names of tools is an attack.
fn mission(folder: &Path, attacks: &[String]) {
    let mut text = String::from("mission = \"Look.\"\nreplay = \"a.jsonl\"\nmax_turns = 200\nthinking = true\n");
    text += &format!("name = {0}\ndescription = {0}\n[data]\n", toml(&attacks.join(" ")));
    for (place, attack) in attacks.iter().enumerate() {
        text += &format!("{0} = {0}\nd{place} = [{{ {0} = {0}, n = 1 }}, {{ {0} = {0}, n = 2 }}]\n", toml(attack));
    }
    text += "[context_descriptions]\n";
    attacks.iter().enumerate().for_each(|(place, attack)| text += &format!("d{place} = {}\n", toml(attack)));
    for (place, attack) in attacks.iter().enumerate() {
        let attack = toml(attack);
        text += &format!("[tools.bad{place}]\ndescription = {attack}\nsignature = \"(a :any) -> :any\"\n");
        text += &format!(
            "answers = [{{ args = {{ a = 1 }}, error = {attack} }}, {{ result = {{ {attack} = {attack} }} }}]\n"
        );
    }
    fs::write(folder.join("m.toml"), text).unwrap();
    let mut answers = Vec::new();
    for (place, attack) in attacks.iter().enumerate() {
        // Escapes of JSON are escapes of the language.
        let quoted = json!(attack).to_string();
        for program in [
            format!("(def v{place} {quoted}) (println v{place} data/d{place}) (tool/bad{place} {{:a [v{place}]}})"),
            format!("(tool/bad{place} {{:a 1}})"),
            format!("(throw (ex-info {quoted} {{{quoted} {quoted}}}))"),
        ] {
            answers.push(format!("{attack}\n```clojure\n{program}\n```\n"));
        }
    }
    answers.push(format!("```clojure\n(return [data/d0 {}])\n```", json!(attacks)));
    let answers: String = answers.iter().map(|answer| json!({ "content": answer }).to_string() + "\n").collect();
    fs::write(folder.join("a.jsonl"), answers).unwrap();
}

/// Nothing in it acts, and no line of it looks like a remark of ours.
pub(crate) fn harmless(what: &str, text: &str) {
    let found = text.char_indices().find(|(_, c)| acts(*c));
    let around =
        |at: usize| text[..at].chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect::<String>();
    assert!(found.is_none(), "{what}: {:?} after {:?}", found.unwrap().1, around(found.unwrap().0));
    let forged = |line: &&str| {
        ["error: FAKE", "warning: FAKE", "note: FAKE", "1 turn · FAKE"].iter().any(|fake| line.starts_with(fake))
    };
    assert_eq!(text.lines().find(forged), None, "{what}");
}

#[test]
fn no_attack_leaves_a_run_but_as_text() {
    let folder = tempfile::tempdir().unwrap();
    mission(folder.path(), &attacks());
    let files = ["--requests", "q.jsonl"];
    for args in [
        &[&["run", "m.toml"][..], &files].concat()[..],
        &["check", "m.toml"],
        &["run", "m.toml", "--preview"],
        &["run", "m.toml", "--no-keep", "--stream", "--compression", "aggressive"],
        &["show"],
        &["show", "--usage"],
        &["show", "--view", "compressed"],
        &["show", "--timing"],
        &["runs"],
        &["runs", "diff", "last", "last"],
        &["replay"],
    ] {
        let (out, remarks) = shown(folder.path(), args);
        harmless(&format!("{args:?}, standard output"), &out);
        harmless(&format!("{args:?}, standard error"), &remarks);
    }
    for args in [&["run", "m.toml", "--no-keep"][..], &["show"]] {
        let output = command(folder.path(), args).args(["--color", "always"]).env_remove("NO_COLOR").output().unwrap();
        for text in [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()) {
            let bare = text.split("\u{1b}[").enumerate().map(|(place, part)| {
                let style =
                    part.split_once('m').filter(|(style, _)| style.bytes().all(|b| b.is_ascii_digit() || b == b';'));
                if place == 0 { part } else { style.expect("a colour").1 }
            });
            harmless(&format!("{args:?} in colours"), &bare.collect::<String>());
        }
    }
    // Each line is one object, also for readers that end lines at other characters.
    let kept = fs::read_dir(folder.path().join(".ptc/runs")).unwrap().map(|run| run.unwrap().path());
    for name in kept.chain([folder.path().join("q.jsonl")]) {
        let text = String::from_utf8(read_record(&name).unwrap()).unwrap();
        let name = name.display();
        assert!(text.split_terminator('\n').all(|line| serde_json::from_str::<Json>(line).is_ok()), "{name}");
        assert!(!text.contains(|c: char| c < ' ' && c != '\n'), "{name}");
    }
}

#[test]
fn no_attack_is_markup_in_a_page_or_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    mission(folder.path(), &attacks());
    shown(folder.path(), &["run", "m.toml"]);
    shown(folder.path(), &["show", "--html", "run.html"]);
    shown(folder.path(), &["replay", "--svg", "run.svg"]);
    shown(folder.path(), &["show", "--chrome", "run.json"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    serde_json::from_str::<Json>(&read("run.json")).unwrap();
    for name in ["run.html", "run.svg"] {
        let text = read(name);
        assert!(!text.contains(acts), "{name}");
        for tag in ["<script>FAKE", "<img src=x", "<svg/onload", "<b>FAKE", "href=\"javascript:", "<!--<script"] {
            assert!(!text.contains(tag), "{name}: {tag}");
        }
    }
    let page = read("run.html");
    assert_eq!((page.matches("<script").count(), page.matches("</script").count()), (2, 2));
    assert_eq!((page.matches("<title").count(), page.matches("</noscript").count()), (1, 1));
}

/// Without code blocks and code spans.
fn outside_code(page: &str) -> String {
    let (mut text, mut fence) = (String::new(), None);
    for line in page.lines() {
        let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
        match fence {
            Some(open) if ticks >= open && line.len() == ticks => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some(ticks),
            None => {
                let mut rest = line;
                while let Some((plain, code)) = rest.split_once('`') {
                    text.push_str(plain);
                    let ticks = 1 + code.bytes().take_while(|byte| *byte == b'`').count();
                    let close = "`".repeat(ticks);
                    rest = code[ticks - 1..].split_once(&close).map_or("", |(_, rest)| rest);
                }
                text.push_str(rest);
                text.push('\n');
            }
        }
    }
    text
}

#[test]
fn no_attack_is_markdown_in_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    fs::create_dir_all(suite.join("recordings")).unwrap();
    fs::write(suite.join("suite.toml"), "levels = [\"one\"]\n").unwrap();
    let mut cases = String::new();
    for (place, attack) in attacks().iter().enumerate() {
        let question = toml(&format!("What? {attack}"));
        cases += &format!(
            "[cases.c{place}]\nmission = {question}\nkind = \"string\"\nexpect = {{ eq = \"right\" }}\nmax_turns = 2\n"
        );
        let programs = [format!("(throw (ex-info {0} {{}}))", json!(attack)), format!("(return {})", json!(attack))];
        let answers: String = programs.iter().map(|one| json!({ "content": one }).to_string() + "\n").collect();
        fs::write(suite.join(format!("recordings/c{place}.jsonl")), answers).unwrap();
    }
    fs::write(suite.join("one.toml"), cases).unwrap();
    let output = ptc(folder.path(), &["eval-suite", "suite", "--report", "r.md"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    for page in [String::from_utf8(output.stdout).unwrap(), fs::read_to_string(folder.path().join("r.md")).unwrap()] {
        harmless("the report", &page);
        // The file begins with its format marker.
        let text = outside_code(page.strip_prefix("<!-- ptc eval-suite -->\n").unwrap_or(&page));
        let heads: BTreeSet<&str> =
            text.lines().filter(|line| line.starts_with('#') || line.starts_with("| FAKE")).collect();
        assert!(!heads.iter().any(|line| line.contains("FAKE")), "{heads:?}");
        for mark in ["[FAKE]", "<"] {
            let bare = text.match_indices(mark).find(|(at, _)| !text[..*at].ends_with('\\'));
            assert_eq!(bare.map(|(at, _)| text[..at].lines().last()), None, "{mark}");
        }
    }
}
