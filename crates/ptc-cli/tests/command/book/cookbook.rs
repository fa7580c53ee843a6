//! The missions of the cookbook give the answers that it shows.

use std::fs;
use std::path::Path;

use ptc_tests::fences::{self, Fence};
use serde_json::json;

use crate::shown;

const PAGE: &str = "docs/guide/cookbook.md";

/// What a section says.
#[derive(Default)]
struct Recipe {
    /// Files by name, the mission among them.
    files: Vec<(String, String)>,
    /// What models answer, in order.
    answers: Vec<String>,
    /// The command, if it is not `ptc run`.
    command: Option<String>,
    /// What it prints, or the beginning of each line of its table.
    shown: String,
}

impl Recipe {
    /// Take a block; a line `NAME:` before it is the name of its file.
    fn take(&mut self, fence: Fence, before: &str) {
        let name = before.strip_prefix('`').and_then(|line| line.strip_suffix("`:"));
        match (&*fence.kind, name) {
            (_, Some(name)) => self.files.push((name.to_owned(), fence.text)),
            ("toml", None) => self.files.push(("mission.toml".to_owned(), fence.text)),
            ("clojure", None) => self.answers.push(json!({ "content": fence.text }).to_string()),
            ("json", None) => self.answers.push(fence.text),
            ("sh", None) => self.command = Some(fence.text),
            _ => self.shown = fence.text,
        }
    }

    fn check(&self, folder: &Path, title: &str) {
        for (name, text) in &self.files {
            fs::write(folder.join(name), text).unwrap();
        }
        fs::write(folder.join("answers.jsonl"), self.answers.join("\n")).unwrap();
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(command) = &self.command else {
            let run = ["run", "mission.toml", "--llm", "replay:answers.jsonl", "--approve", "all"];
            let (answer, told) = shown(folder, &run);
            assert_eq!(words(&answer), words(&self.shown), "{title}\n{told}");
            assert!(!told.contains("failed:"), "{title}\n{told}");
            return;
        };
        let words: Vec<String> = command
            .split_whitespace()
            .map(|word| if word.starts_with("openai:") { "replay:answers.jsonl".to_owned() } else { word.to_owned() })
            .collect();
        shown(folder, &words.iter().map(String::as_str).skip(1).collect::<Vec<_>>());
        let table = fs::read_to_string(folder.join(words.last().unwrap())).unwrap();
        for (line, row) in self.shown.lines().zip(table.lines()) {
            assert!(row.starts_with(&format!("{line},")), "{title}\n{table}");
        }
    }
}

#[test]
fn each_mission_of_the_cookbook_gives_its_answer() {
    let page = fs::read_to_string(fences::root().join(PAGE)).unwrap();
    let sections = page.split("\n## ").skip(1).filter(|section| section.contains("```"));
    let mut count = 0;
    for section in sections {
        let mut recipe = Recipe::default();
        let lines: Vec<&str> = section.lines().collect();
        for fence in fences::of(PAGE, section) {
            recipe.take(fence.clone(), lines[..fence.line - 1].iter().rev().find(|line| !line.is_empty()).unwrap());
        }
        recipe.check(tempfile::tempdir().unwrap().path(), lines[0]);
        count += 1;
    }
    assert_eq!(count, 10, "{count} missions");
}
