use ptc_runner::transcript::Journal;

use super::*;

const KEPT: Keep = Keep::Newest(7);

const ENDED: &str = "{\"type\":\"end\",\"step\":{},\"sum\":\"0\"}\n";
const CANCELLED: &str = "{\"type\":\"end\",\"reason\":\"cancelled\",\"sum\":\"0\"}\n";
const TURN: &str = "{\"type\":\"turn\"}\n";

/// A run whose record ends with this line, and what it removed.
fn ran(base: &Path, last: &str, keep: Keep) -> (PathBuf, Removed) {
    let (file, path) = begin(base).unwrap();
    file.write(TURN).unwrap();
    file.write(last).unwrap();
    let removed = make_space(&path, keep);
    drop(file);
    // A process that another test starts has our locks until it runs its program.
    while is_running(&path) {
        std::thread::yield_now();
    }
    (path, removed)
}

fn names(base: &Path) -> Vec<PathBuf> {
    fs::read_dir(place(base)).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn how_far_a_run_has_come_is_in_its_last_line() {
    let base = tempfile::tempdir().unwrap();
    let of = |last: &str| progress(&ran(base.path(), last, Keep::All).0);
    assert_eq!([ENDED, CANCELLED, TURN].map(of), [Progress::Ended, Progress::Interrupted, Progress::Interrupted]);
    assert_eq!(of(&format!("{{\"type\":\"end\",\"a\":\"{}\"}}\n", "x".repeat(200_000))), Progress::Ended);
    assert_eq!(of(&format!("{ENDED}{{\"type\":\"resumed\"")), Progress::Ended, "a torn line says nothing");
    let (file, path) = begin(base.path()).unwrap();
    assert_eq!(progress(&path), Progress::Running);
    drop(file);
    assert_eq!(progress(&path), Progress::Interrupted);
}

#[test]
fn the_newest_are_kept_and_nothing_else_is_removed() {
    let base = tempfile::tempdir().unwrap();
    let first = ran(base.path(), ENDED, KEPT).0;
    let not_ours = ["notes.jsonl", "20200101T000000.000000Z", "run.json"].map(|name| place(base.path()).join(name));
    not_ours.iter().for_each(|path| fs::write(path, "mine").unwrap());
    let (under_way, path) = begin(base.path()).unwrap();
    under_way.write(TURN).unwrap();
    let later: Vec<PathBuf> = (0..7).map(|_| ran(base.path(), ENDED, KEPT).0).collect();
    assert!(!first.exists(), "the oldest is gone");
    assert!(path.exists(), "a run that has not ended stays, however old");
    assert!(later.iter().all(|path| path.exists()) && not_ours.iter().all(|path| path.exists()));
    assert_eq!(names(base.path()).len(), 7 + 1 + not_ours.len());
    assert_eq!(all(base.path()).len(), 8);
}

#[test]
fn interrupted_runs_are_removed_last_and_told() {
    let base = tempfile::tempdir().unwrap();
    let killed: Vec<PathBuf> = (0..6).map(|_| ran(base.path(), TURN, KEPT).0).collect();
    let finished: Vec<PathBuf> = (0..5).map(|_| ran(base.path(), ENDED, KEPT).0).collect();
    assert!(killed.iter().all(|path| path.exists()), "finished runs went first");
    assert!(finished[..4].iter().all(|path| !path.exists()) && finished[4].exists());
    let more = ran(base.path(), CANCELLED, KEPT);
    assert_eq!(more.1, Removed { finished: 1, interrupted: Vec::new() });
    let last = ran(base.path(), ENDED, KEPT);
    assert_eq!(last.1, Removed { finished: 0, interrupted: vec![killed[0].clone()] }, "only interrupted ones are left");
}

#[test]
fn a_run_that_was_resumed_in_vain_stays() {
    let base = tempfile::tempdir().unwrap();
    let killed = ran(base.path(), "{\"type\":\"resumed\",\"sum\":\"0\"}\n", KEPT).0;
    for _ in 0..9 {
        ran(base.path(), ENDED, Keep::Newest(2));
    }
    assert!(killed.exists(), "somebody wanted it");
    assert_eq!(names(base.path()).len(), 2);
}

#[test]
fn all_are_kept_on_request() {
    let base = tempfile::tempdir().unwrap();
    assert!((0..20).all(|_| ran(base.path(), ENDED, Keep::All).1 == Removed::default()));
    let removed = ran(base.path(), ENDED, Keep::Newest(2)).1;
    assert_eq!(removed, Removed { finished: 19, interrupted: Vec::new() });
}

#[cfg(unix)]
#[test]
fn only_the_owner_reads_what_is_kept() {
    use std::os::unix::fs::PermissionsExt;
    let base = tempfile::tempdir().unwrap();
    let (_, path) = begin(base.path()).unwrap();
    for (path, mode) in [(path.as_path(), 0o600), (path.parent().unwrap(), 0o700)] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, mode);
    }
}

#[test]
fn many_runs_may_begin_at_once() {
    let base = tempfile::tempdir().unwrap();
    let path = base.path();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..20).for_each(|_| drop(ran(path, ENDED, KEPT))));
        }
    });
    assert!(names(path).len() >= 7);
    // Runs that ended while others made space stay until the next one does.
    ran(path, ENDED, KEPT);
    assert_eq!(names(path).len(), 7);
}

#[test]
fn a_run_is_found_by_what_names_it_alone() {
    let base = tempfile::tempdir().unwrap();
    let said = |name: &str| find(base.path(), name).unwrap_err().to_string();
    assert!(said("last").starts_with("no run is kept in "));
    let (one, other) = (ran(base.path(), ENDED, KEPT).0, ran(base.path(), ENDED, KEPT).0);
    for (name, path) in [("last", &other), ("-1", &other), ("-2", &one), (id(&one).unwrap(), &one)] {
        assert_eq!(&find(base.path(), name).unwrap(), path, "{name}");
    }
    assert_eq!(said("20"), "2 runs begin with `20`: write more of the id; `ptc runs` lists them");
    assert_eq!(said("-3"), "only 2 runs are kept, fewer than 3; `ptc runs` lists them");
    assert!(said("99").starts_with("`99` is neither a file nor a kept run"));
}
