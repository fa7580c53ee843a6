use crate::{Reason, Session, SessionOptions};

#[test]
fn each_phase_finds_its_own_problems() {
    let session = Session::new(SessionOptions::default());
    let phases = session.phases();
    let problems = phases.read("(inc 1").err().unwrap_or_default();
    assert_eq!(problems.iter().map(|problem| problem.reason).collect::<Vec<_>>(), [Reason::ParseError]);
    let unknown = phases.read("(+ 1 nothing)").unwrap_or_else(|problem| panic!("{problem:?}"));
    let problems = phases.analyze(&unknown).unwrap_err();
    assert!(problems[0].message.contains("nothing"), "{problems:?}");
    let program = phases.read("(def rate 2)\n(* rate 21)").unwrap_or_else(|problem| panic!("{problem:?}"));
    assert_eq!(phases.analyze(&program).unwrap(), 0);
    // Neither defined anything.
    assert!(session.memory().is_empty());
}
