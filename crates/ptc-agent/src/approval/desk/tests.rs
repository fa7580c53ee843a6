use std::sync::Arc;

use futures::FutureExt;
use ptc_lisp::{ToolCall, Value};

use super::super::{Approval, Approver, PendingCall};
use super::{ApprovalDesk, GONE, TAKEN};
use crate::Decision;

fn call(id: &str) -> PendingCall {
    let nothing = Value::map_from([]);
    let call = ToolCall { seq: 1, name: "pay".into(), args: nothing.clone(), surface: nothing };
    PendingCall { id: id.to_owned(), path: Arc::new([]), call }
}

fn calls(ids: &[&str]) -> Approval {
    Approval::Calls(ids.iter().map(|id| call(id)).collect())
}

fn told(decisions: &[Decision]) -> Option<String> {
    Some(decisions.iter().map(|decision| format!("{decision:?} ")).collect())
}

/// What was decided, if it was.
fn decided(asked: impl Future<Output = Vec<Decision>>) -> Option<String> {
    told(&asked.now_or_never()?)
}

fn ids(desk: &ApprovalDesk) -> Vec<String> {
    desk.waiting().iter().flat_map(Approval::ids).collect()
}

#[test]
fn answers_reach_what_waits_in_any_order() {
    let desk = ApprovalDesk::new();
    let (one, other) = (calls(&["a/1/1", "a/1/2"]), calls(&["b/1/1"]));
    let (mut first, mut second) = (desk.decide(&one), desk.decide(&other));
    assert!(first.as_mut().now_or_never().is_none() && second.as_mut().now_or_never().is_none());
    assert_eq!(ids(&desk), ["a/1/1", "a/1/2", "b/1/1"]);
    desk.answer("a/1/2", Decision::deny("no")).unwrap();
    assert!(first.as_mut().now_or_never().is_none());
    desk.answer("b/1/1", Decision::Approve).unwrap();
    assert_eq!(decided(second), told(&[Decision::Approve]));
    desk.answer("a/1/1", Decision::Approve).unwrap();
    assert_eq!(decided(first), told(&[Decision::Approve, Decision::deny("no")]));
    let error = desk.answer("a/1/1", Decision::Approve).unwrap_err();
    assert_eq!(error.to_string(), "nothing waits for approval under `a/1/1`; nothing waits at all");
}

#[test]
fn what_a_run_waited_for_leaves_with_it() {
    let desk = ApprovalDesk::new();
    let (one, other) = (calls(&["a/1/1", "a/1/2"]), calls(&["b/1/1"]));
    let mut first = desk.decide(&one);
    let mut second = desk.decide(&other);
    assert!(first.as_mut().now_or_never().is_none() && second.as_mut().now_or_never().is_none());
    desk.answer("a/1/1", Decision::Approve).unwrap();
    drop(first);
    assert_eq!(ids(&desk), ["b/1/1"]);
    let error = desk.answer("a/1/2", Decision::Approve).unwrap_err();
    assert_eq!(error.to_string(), "nothing waits for approval under `a/1/2`; waiting: b/1/1");

    // The desk of the page may be gone before the run: nobody can answer.
    desk.items().by_id.clear();
    assert_eq!(decided(second), told(&[Decision::deny(GONE)]));
}

#[test]
fn two_runs_do_not_share_an_id() {
    let desk = ApprovalDesk::new();
    let (one, other) = (calls(&["1/1"]), calls(&["1/1"]));
    let mut first = desk.decide(&one);
    assert!(first.as_mut().now_or_never().is_none());
    assert_eq!(decided(desk.decide(&other)), told(&[Decision::deny(TAKEN)]));
    desk.answer("1/1", Decision::Approve).unwrap();
    assert_eq!(decided(first), told(&[Decision::Approve]));
}

#[test]
fn each_is_told_once() {
    let desk = ApprovalDesk::new();
    let mut early = Box::pin(desk.next());
    assert!(early.as_mut().now_or_never().is_none());
    let (one, other) = (calls(&["a/1/1", "a/1/2"]), calls(&["b/1/1"]));
    let mut first = desk.decide(&one);
    assert!(first.as_mut().now_or_never().is_none());
    assert_eq!(early.now_or_never().map(|what| what.ids()), Some(vec!["a/1/1".to_owned()]));
    assert_eq!(desk.next().now_or_never().map(|what| what.ids()), Some(vec!["a/1/2".to_owned()]));
    // Both still wait, and are not told again.
    assert!(desk.next().now_or_never().is_none());
    let mut second = desk.decide(&other);
    assert!(second.as_mut().now_or_never().is_none());
    drop(second);
    assert!(desk.next().now_or_never().is_none(), "it has left");
}
