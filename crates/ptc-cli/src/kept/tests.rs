use std::io::Write;

use ptc_runner::lisp::{Map, Value};

use super::*;

fn begin(base: &Path) -> KeptRun {
    keeping(base, Keep::Newest(KEPT))
}

const KEPT: usize = 7;

fn keeping(base: &Path, keep: Keep) -> KeptRun {
    let run = NewRun { mission: Path::new("m.toml"), model: "ollama:qwen3", journal: None, goes_on: false, keep };
    KeptRun::begin(base, &run).unwrap()
}

/// A run that has ended.
fn finished(base: &Path) -> PathBuf {
    let mut run = begin(base);
    fs::write(run.journal(), "{}\n").unwrap();
    run.settle(true);
    run.folder.clone()
}

/// A run that was killed.
fn interrupted(base: &Path) -> PathBuf {
    let mut run = begin(base);
    fs::write(run.journal(), "{}\n").unwrap();
    // Its folder stays, as after a kill.
    run.has_begun = true;
    run.folder.clone()
}

fn names(base: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder::place(base))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_newest_are_kept_and_nothing_else_is_removed() {
    let base = tempfile::tempdir().unwrap();
    let first = finished(base.path());
    let runs = folder::place(base.path());
    let not_ours = ["notes", "20200101T000000.000000Z", "20200101T000000.000001Z"].map(|name| runs.join(name));
    for folder in &not_ours {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("journal.jsonl"), "mine").unwrap();
    }
    fs::write(not_ours[2].join("run.json"), "{\"format\":\"of somebody\"}").unwrap();
    let second = finished(base.path());
    fs::write(second.join("notes.txt"), "what I saw").unwrap();
    let under_way = begin(base.path());
    let resumed = finished(base.path());
    let journal = File::open(resumed.join("journal.jsonl")).unwrap();
    journal.lock().unwrap();
    let later: Vec<PathBuf> = (0..KEPT).map(|_| finished(base.path())).collect();
    assert!(!first.exists(), "the oldest is gone");
    assert!(under_way.folder.join("run.json").exists(), "a run that goes on stays, however old");
    assert!(resumed.join("journal.jsonl").exists(), "a journal that is being written stays as well");
    assert!(later.iter().all(|folder| folder.join("journal.jsonl").exists()));
    assert!(
        not_ours.iter().all(|folder| fs::read_to_string(folder.join("journal.jsonl")).is_ok_and(|text| text == "mine"))
    );
    assert_eq!(fs::read_to_string(second.join("notes.txt")).unwrap(), "what I saw");
    assert!(!second.join("journal.jsonl").exists());
    assert_eq!(names(base.path()).len(), KEPT + not_ours.len() + 3);
}

#[test]
fn interrupted_runs_are_removed_last_and_told() {
    let base = tempfile::tempdir().unwrap();
    let killed: Vec<PathBuf> = (0..KEPT - 1).map(|_| interrupted(base.path())).collect();
    let finished: Vec<PathBuf> = (0..5).map(|_| finished(base.path())).collect();
    assert!(killed.iter().all(|folder| folder.exists()), "finished runs went first");
    assert!(finished[..4].iter().all(|folder| !folder.exists()) && finished[4].exists());
    let more = interrupted(base.path());
    let mut last = begin(base.path());
    fs::write(last.journal(), "{}\n").unwrap();
    let removed = Removed { finished: 1, interrupted: vec![killed[0].clone()] };
    assert_eq!(last.settle(true), removed, "only interrupted ones and this one are left");
    assert!(last.folder.exists() && more.exists() && !finished[4].exists());
    let mut resumed = KeptRun::begin(
        base.path(),
        &NewRun {
            mission: Path::new("m.toml"),
            model: "m",
            journal: Some(&more.join(JOURNAL)),
            goes_on: true,
            keep: Keep::default(),
        },
    )
    .unwrap();
    assert_eq!(resumed.settle(true), Removed::default());
    assert_eq!(folder::about(&more).unwrap().over, Some(true), "it is no longer interrupted");
}

#[test]
fn a_run_that_was_resumed_in_vain_stays() {
    let base = tempfile::tempdir().unwrap();
    let killed = interrupted(base.path());
    let run = NewRun {
        mission: Path::new("m.toml"),
        model: "m",
        journal: Some(&killed.join(JOURNAL)),
        goes_on: true,
        keep: Keep::Newest(1),
    };
    let mut resumed = KeptRun::begin(base.path(), &run).unwrap();
    resumed.settle(false);
    drop(resumed);
    let later: Vec<PathBuf> = (0..KEPT + 1).map(|_| finished(base.path())).collect();
    assert!(killed.join(JOURNAL).exists(), "somebody wanted it");
    assert!(!later[0].exists() && !later[1].exists() && later[2].exists(), "it counts as one of those that are kept");
}

#[test]
fn all_are_kept_on_request() {
    let base = tempfile::tempdir().unwrap();
    let first = finished(base.path());
    let mut runs: Vec<KeptRun> = (0..2 * KEPT).map(|_| keeping(base.path(), Keep::All)).collect();
    assert!(runs.iter_mut().all(|run| run.settle(true) == Removed::default()));
    drop(runs);
    assert!(first.exists());
    let mut last = keeping(base.path(), Keep::Newest(2));
    assert_eq!(last.settle(true), Removed { finished: 2 * KEPT, interrupted: Vec::new() });
    assert!(!first.exists());
}

#[test]
fn a_run_of_an_older_release_counts_as_finished() {
    let base = tempfile::tempdir().unwrap();
    let old = interrupted(base.path());
    let text = fs::read_to_string(old.join(ABOUT)).unwrap();
    fs::write(old.join(ABOUT), text.replace("  \"over\": false", "  \"resumed\": null")).unwrap();
    let killed = interrupted(base.path());
    let _finished: Vec<PathBuf> = (0..KEPT - 1).map(|_| finished(base.path())).collect();
    assert!(!old.exists() && killed.exists());
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let base = tempfile::tempdir().unwrap();
    let run = begin(base.path());
    drop(run.answers().unwrap());
    let _journal = ptc_runner::config::JournalFile::create(run.journal()).unwrap();
    for name in [ABOUT, ANSWERS, JOURNAL] {
        let mode = fs::metadata(run.folder.join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
fn answers_go_behind_those_that_were_kept() {
    let base = tempfile::tempdir().unwrap();
    let run = begin(base.path());
    for line in ["one\n", "two\n"] {
        run.answers().unwrap().0.write_all(line.as_bytes()).unwrap();
    }
    assert_eq!(fs::read_to_string(run.folder.join(ANSWERS)).unwrap(), "one\ntwo\n");
}

#[test]
fn many_runs_may_begin_at_once() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..20).for_each(|_| drop(finished(path))));
        }
    });
    assert_eq!(names(path).len(), KEPT);
}

#[test]
fn a_start_that_is_refused_leaves_no_run() {
    let base = tempfile::tempdir().unwrap();
    let run = begin(base.path());
    drop(run.answers().unwrap());
    drop(run);
    assert_eq!(names(base.path()), Vec::<String>::new());
    assert!(matches!(last(base.path()), Err(NoLastRun::None { .. })));
}

#[test]
fn large_data_has_no_journal_unless_it_is_asked_for() {
    let data = |length: usize| match Value::map_from([(
        Value::keyword("rows"),
        Value::from_json(vec!["a".repeat(1000); length].into()),
    )]) {
        Value::Map(map) => map,
        _ => Map::new(),
    };
    assert!(!is_large(&data(8_000)));
    assert!(is_large(&data(9_000)));
}
