//! What older releases put on the record of an engine.

use std::fs;
use std::path::Path;

use super::*;
use crate::json::read;

fn file(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/formats/durable-1").join(name)).unwrap()
}

#[test]
fn records_of_every_release_are_read() {
    let submission: Submission = read(&file("submission.json")).unwrap();
    assert_eq!((submission.seed, submission.tenant.as_deref(), submission.data.len()), (Some(7), Some("a"), 1));
    let status: Status = read(&file("status.json")).unwrap();
    assert_eq!((status.state, status.turns[0].calls, status.waiting[0].path.len()), (MissionState::Waiting, 2, 1));
    let answer: Answer = read(&file("answer.json")).unwrap();
    assert!(matches!(answer.decision, Decided::Edit(_)));
    let outcome: Outcome = read(&file("outcome.json")).unwrap();
    assert_eq!((outcome.ending, outcome.value), (EndingKind::Return, Stored::Json(serde_json::json!(3))));
    assert!(matches!((outcome.record, outcome.step, outcome.trace), (None, Some(Stored::Stored(_)), Some(_))));
}
