use ptc_tests::{fences, orders};
use ptc_trace::{Anchor, Picture};

use super::{Failure, USAGE, Workspace, command};

/// The message that refuses a command line.
fn refused(words: &[&str]) -> String {
    command(words).unwrap_err().to_string()
}

#[test]
fn unknown_commands_are_answered_with_the_list() {
    for words in [&[] as &[&str], &["tidyy"], &["tidy", "now"], &["codegen", "--chek"], &["orders", "--seed", "1"]] {
        assert!(matches!(command(words), Err(Failure::Usage(_))), "{words:?}");
        assert!(refused(words).contains("codegen [--check]"), "{words:?}");
    }
    assert_eq!(refused(&["orders", "--seed", "x", "--out", "y"]), "`x` is not a seed, an integer from 0");
}

#[test]
fn orders_are_written_for_any_seed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new");
    assert!(command(&["orders", "--seed", "11", "--out", out.to_str().unwrap()]).unwrap().is_empty());
    let expected: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("expected.json")).unwrap()).unwrap();
    assert_eq!(expected, orders::answer(11));
    for name in ["orders.json", "customers.json", "mission.toml", "answers.jsonl"] {
        assert!(out.join(name).is_file(), "{name}");
    }
}

/// A second work tree of a repository has a file of that name where the first has a folder.
#[test]
fn git_is_no_part_of_the_project_in_any_work_tree() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".git"), "gitdir: elsewhere\n").unwrap();
    std::fs::write(folder.path().join("README.md"), "").unwrap();
    assert_eq!(Workspace::at(folder.path()).top_level().unwrap(), ["README.md"]);
}

#[test]
fn a_path_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let text = refused(&["orders", "--seed", "1", "--out", file.to_str().unwrap()]);
    assert!(text.starts_with(&file.display().to_string()), "{text}");
}

#[test]
fn the_pages_name_commands_that_exist() {
    let fences = fences::all().unwrap();
    let lines = fences.iter().filter(|fence| fence.kind == "sh").flat_map(|fence| fences::shell::commands(&fence.text));
    let named: Vec<String> =
        lines.filter_map(|words| words.strip_prefix(&["cargo".into(), "xtask".into()])?.first().cloned()).collect();
    assert!(!named.is_empty());
    for name in named {
        assert!(USAGE.lines().any(|line| line.split_whitespace().next() == Some(&name)), "cargo xtask {name}");
    }
}

/// The value of `attribute` of an element, as a number.
fn number(element: &str, attribute: &str) -> Option<f64> {
    element.split_once(&format!("{attribute}=\""))?.1.split('"').next()?.parse().ok()
}

/// Texts of a picture that would be cut at its left or right, for a generous width of characters.
pub(crate) fn cut(svg: &str) -> Vec<String> {
    let width = number(svg, "width").unwrap();
    let is_cut = |element: &&str| {
        let Some(x) = number(element, "x") else { return false };
        let text =
            element.split_once('>').unwrap().1.split('<').next().unwrap().replace("&lt;", "<").replace("&gt;", ">");
        let length = 7.2 * text.chars().count() as f64;
        let left = match element {
            element if element.contains("\"end\"") => x - length,
            element if element.contains("\"middle\"") => x - length / 2.0,
            _ => x,
        };
        left < 0.0 || left + length > width
    };
    svg.lines().filter(|line| line.starts_with("<text")).filter(is_cut).map(str::to_owned).collect()
}

#[test]
fn texts_that_leave_the_picture_are_noticed() {
    let mut picture = Picture::new(200.0, 100.0, "");
    picture.text((100.0, 20.0), Anchor::Middle, "label", "inside");
    picture.text((20.0, 20.0), Anchor::End, "label", "left of it");
    picture.text((180.0, 20.0), Anchor::Start, "label", "right of it");
    assert_eq!(cut(&picture.finish()).len(), 2);
}
