use super::*;

#[test]
fn processes_of_the_same_worker_are_lost_when_it_says_so() {
    let alone = Process::new();
    assert!(!alone.knows_lost(&alone.id));
    assert!(alone.knows_lost(&Process::new().id));
    let several = Process::of_worker("w", "w/11", vec!["w/1".to_owned()]);
    assert!(!several.knows_lost("w/11"));
    assert!(!several.knows_lost("w/10"));
    assert!(several.knows_lost("w/1"));
    assert!(several.knows_lost("v/2"));
}
