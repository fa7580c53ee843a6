use std::collections::BTreeMap;
use std::time::Duration;

use ptc_lisp::{Limits, Session, SessionOptions};
use serde_json::Value as Json;

use super::super::{echo, value};
use super::*;

/// Answers of all styles at a size, under the default limits of a host; only time is not tested.
fn answers(size: u64) -> BTreeMap<&'static str, Vec<(&'static str, Json)>> {
    let data = data(size);
    let limits = Limits { time: Duration::from_secs(600), ..Limits::default() };
    let mut answers: BTreeMap<&str, Vec<(&str, Json)>> = BTreeMap::new();
    for Style { work, name, source } in styles() {
        let options = SessionOptions { data: data.clone(), limits: limits.clone(), ..SessionOptions::default() };
        let outcome = Session::new(options).run(source, &mut echo);
        let answer = value(&outcome).unwrap_or_else(|problem| panic!("{work}/{name} at {size}: {problem}"));
        answers.entry(work).or_default().push((name, answer));
    }
    answers
}

#[test]
fn all_styles_of_a_work_answer_the_same() {
    for size in [1, 2, 7, 100, 1_000] {
        for (work, answers) in answers(size) {
            let (_, first) = &answers[0];
            assert!(answers.iter().all(|(_, answer)| answer == first), "{work} at {size}: {answers:?}");
            assert!(size < 100 || !first.is_null(), "{work} answers nothing");
        }
    }
}

#[test]
fn every_file_of_styles_is_counted() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/styles");
    let names = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut names: Vec<String> = names.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, WORKS.iter().map(|(work, _)| *work).collect::<Vec<_>>());
}

#[test]
fn no_style_reaches_a_default_limit() {
    assert_eq!(answers(10_000).len(), WORKS.len());
}

#[test]
fn every_style_has_a_name_of_its_own() {
    let mut ids: Vec<String> = styles().map(|style| format!("{}/{}", style.work, style.name)).collect();
    assert!(ids.len() >= 60 && ids.iter().all(|id| style(id).is_some()));
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), styles().count());
}
