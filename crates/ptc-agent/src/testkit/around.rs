//! Approvers, strategies and counters of tokens that fail.

use std::sync::Arc;

use ptc_compression::{Compression, RenderInput, Rendered, TokenCounter};
use ptc_lisp::{BoxFuture, Memory, Value};
use ptc_transcript::{CompressionOptions, Decision, Turn};

use super::{Fault, Faults, panic_now};
use crate::approval::{Approval, Approver, OnDecision};

pub(super) struct FaultyApprover {
    pub approver: Arc<dyn Approver>,
    pub faults: Faults,
}

impl Approver for FaultyApprover {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        self.decide_each(waiting, &|_, _| ())
    }

    fn decide_each<'a>(&'a self, waiting: &'a Approval, decided: &'a OnDecision<'a>) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move {
            let all = |decision: Decision| waiting.ids().iter().map(|_| decision.clone()).collect();
            match self.faults.draw(Fault::OF_APPROVERS) {
                Some(Fault::Denied) => return all(Decision::deny("by the seed")),
                Some(Fault::NoDecision) => return Vec::new(),
                Some(Fault::BadEdit) => return all(Decision::Edit(Value::Int(1))),
                Some(Fault::MoreDecisions) => return [all(Decision::Approve), all(Decision::Approve)].concat(),
                Some(Fault::NobodyDecides) => std::future::pending().await,
                Some(Fault::ApproverPanic) => panic_now(),
                Some(_) => tokio::time::sleep(self.faults.time(5_000)).await,
                None => {}
            }
            self.approver.decide_each(waiting, decided).await
        })
    }
}

pub(super) struct FaultyCompression {
    pub strategy: Arc<dyn Compression>,
    pub faults: Faults,
}

impl Compression for FaultyCompression {
    fn name(&self) -> &str {
        self.strategy.name()
    }

    fn options(&self) -> CompressionOptions {
        self.strategy.options()
    }

    fn to_messages(&self, turns: &[Turn], memory: &Memory, input: &RenderInput<'_>) -> Rendered {
        if self.faults.draw_rarely(&[Fault::StrategyPanic], 4).is_some() {
            panic_now();
        }
        self.strategy.to_messages(turns, memory, input)
    }
}

pub(super) struct FaultyCounter<C> {
    pub counter: C,
    pub faults: Faults,
}

impl<C: TokenCounter> TokenCounter for FaultyCounter<C> {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn count(&self, text: &str) -> usize {
        if self.faults.draw_rarely(&[Fault::CounterPanic], 100).is_some() {
            panic_now();
        }
        self.counter.count(text)
    }
}
