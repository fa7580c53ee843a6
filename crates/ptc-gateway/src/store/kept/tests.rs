use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::*;
use crate::store::State;

/// A session of this many bytes that has been unused for some hours; with an interrupted program, or without.
fn add(store: &Store, hours: u64, bytes: usize, is_interrupted: bool) -> String {
    let id = store.create().unwrap();
    store.commit(&id, &State { programs: 1, ..State::default() }).unwrap();
    fs::write(store.journal(&id, 1), vec![b'x'; bytes]).unwrap();
    if is_interrupted {
        store.begin(&id, 2, "1").unwrap();
    }
    let used = SystemTime::now() - Duration::from_secs(hours * 60 * 60 + 120);
    fs::File::open(store.session(&id).join("state.json")).unwrap().set_modified(used).unwrap();
    id
}

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    (folder, store)
}

fn kept(sessions: usize, days: u32, bytes: u64) -> KeptSessions {
    KeptSessions { sessions, days, bytes }
}

#[test]
fn each_bound_removes_the_longest_unused_and_says_why() {
    let (_folder, store) = store();
    let ids: Vec<String> = (0..4).map(|at| add(&store, 30 - at, 2 << 20, at == 0)).collect();
    assert_eq!(store.prune(&kept(10, 30, 1 << 30)).unwrap(), []);
    let removed = store.prune(&kept(3, 30, 1 << 30)).unwrap();
    // The oldest was interrupted.
    assert_eq!(removed, [Removed { session: ids[1].clone(), why: "more than 3 (`keep_sessions`)".to_owned() }]);
    let removed = store.prune(&kept(3, 30, 5 << 20)).unwrap();
    assert_eq!(removed, [Removed { session: ids[2].clone(), why: "beyond 5 MB in all (`keep_size`)".to_owned() }]);
    let removed = store.prune(&kept(3, 1, 1 << 30)).unwrap();
    assert_eq!(removed, [Removed { session: ids[3].clone(), why: "unused for 1 days".to_owned() }]);
    assert_eq!(store.sessions().unwrap(), ids[..1]);
    assert_eq!(
        Removed::line(&[removed.clone(), removed].concat()),
        "stored sessions in which nothing waits were removed: 2 unused for 1 days"
    );
}

#[test]
fn one_that_may_be_in_use_is_kept() {
    let (_folder, store) = store();
    let ids = [store.create().unwrap(), store.create().unwrap()];
    assert_eq!(store.prune(&kept(1, 30, 1)).unwrap(), []);
    assert!(ids.iter().all(|id| store.has(id)));
}

proptest! {
    /// Whatever there is: what waits stays, the bounds hold for the rest, and nothing goes without need.
    #[test]
    fn the_bounds_hold_and_nothing_goes_without_need(
        found in prop::collection::vec((0..100_u64, 0..5_usize, prop::bool::weighted(0.3)), 0..8),
        sessions in 1..8_usize, days in 1..5_u32, megabytes in 0..12_u64,
    ) {
        let (_folder, store) = store();
        let ids: Vec<String> =
            found.iter().map(|(hours, size, interrupted)| add(&store, *hours, size << 20, *interrupted)).collect();
        let bounds = kept(sessions, days, (megabytes << 20) + (1 << 19));
        let removed = store.prune(&bounds).unwrap();
        let stays = |id: &String| store.has(id);
        let left: Vec<usize> = (0..ids.len()).filter(|at| stays(&ids[*at])).collect();
        prop_assert_eq!(left.len() + removed.len(), ids.len());
        let free: Vec<usize> = left.iter().copied().filter(|at| !found[*at].2).collect();
        let size: u64 = left.iter().map(|at| found[*at].1 as u64).sum();
        prop_assert!((0..ids.len()).filter(|at| found[*at].2).all(|at| stays(&ids[at])));
        prop_assert!(free.iter().all(|at| found[*at].0 < u64::from(days) * 24));
        // If a bound does not hold, nothing is left that may go.
        prop_assert!(free.is_empty() || (left.len() <= sessions && size <= megabytes), "{found:?} {removed:?}");
        // A session that went for a bound was used no later than those that may go and stay.
        for gone in removed.iter().filter(|one| !one.why.starts_with("unused")) {
            let at = ids.iter().position(|id| *id == gone.session).unwrap();
            prop_assert!(free.iter().all(|other| found[*other].0 <= found[at].0), "{found:?} {removed:?}");
        }
    }
}
