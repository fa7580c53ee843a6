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
    /// The programs of a model, one for each turn.
    turns: Vec<String>,
    answer: String,
}

impl Recipe {
    /// Take a block; a line `NAME:` before it is the name of its file.
    fn take(&mut self, fence: Fence, before: &str) {
        let name = before.strip_prefix('`').and_then(|line| line.strip_suffix("`:"));
        match (&*fence.kind, name) {
            (_, Some(name)) => self.files.push((name.to_owned(), fence.text)),
            ("toml", None) => self.files.push(("mission.toml".to_owned(), fence.text)),
            ("clojure", None) => self.turns.push(json!({ "content": fence.text }).to_string()),
            _ => self.answer = fence.text,
        }
    }

    fn check(&self, folder: &Path, title: &str) {
        for (name, text) in &self.files {
            fs::write(folder.join(name), text).unwrap();
        }
        fs::write(folder.join("answers.jsonl"), self.turns.join("\n")).unwrap();
        let (answer, told) =
            shown(folder, &["run", "mission.toml", "--llm", "replay:answers.jsonl", "--approve", "all"]);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&answer), words(&self.answer), "{title}\n{told}");
        assert!(!told.contains("failed:"), "{title}\n{told}");
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
    assert!(count >= 6, "{count} missions");
}
