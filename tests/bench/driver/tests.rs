use ptc_tests::bench::WORKLOADS;
use serde_json::json;

use super::{Subjects, command, count, resident, time};

#[test]
fn every_subject_answers() {
    for workload in WORKLOADS {
        assert_eq!(count(3, &[workload.id]).unwrap(), json!([workload.answer(3)]), "{}", workload.id);
    }
    let bytes = command(&["data", "3"]).unwrap().len();
    assert_eq!(count(3, &["import", "import-serde"]).unwrap(), json!([bytes, bytes]));
    // Without compression a turn is two messages, answer and feedback, after the first one.
    assert_eq!(count(3, &["render-coalesced", "render-plain"]).unwrap(), json!([1, 7]));
    let views = ["next-coalesced", "next-rolling", "next-summary", "next-aggressive"];
    assert_eq!(count(100, &views).unwrap(), json!([1, 7, 41, 1]));
    // How far the ceilings have to cut: not at all, and to the end.
    assert_eq!(count(100, &["next-ceiling", "next-names"]).unwrap(), json!([0, 10]));
    assert!(count(100, &["next-append"]).unwrap()[0].as_u64().is_some_and(|messages| messages % 2 == 1));
    assert_eq!(Subjects::of_size(1).named("W99").err(), Some("`W99` is not a workload".to_owned()));
}

#[test]
fn every_run_of_a_batch_is_another_program() {
    let mut subject = Subjects::of_size(5).named("W1").unwrap();
    let answers: Vec<_> = (0..3).map(|_| (subject.run)().answer().unwrap()).collect();
    assert_eq!(answers, [7, 8, 9]);
}

#[test]
fn times_come_with_the_answer() {
    let timed = time("W4", 10, std::time::Duration::ZERO).unwrap();
    assert_eq!((&timed["answer"], timed["samples_ns"].as_array().map(Vec::len)), (&json!(55), Some(3)));
}

#[test]
fn memory_is_measured() {
    assert!(resident().unwrap() > 100_000);
    assert!(command(&["memory", "2000"]).unwrap().starts_with("{\"bytes\":"));
    assert!(command(&["time", "W4", "ten", "1"]).unwrap_err().starts_with("`ten` is not a size"));
    assert!(command(&["time", "W4"]).unwrap_err().starts_with("usage: "));
}
