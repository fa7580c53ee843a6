//! What a run begins with.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;

use indexmap::IndexMap;
use ptc_compression::CompressionConfig;
use ptc_lisp::{CachedCall, Clock, Definitions};
use ptc_transcript::{Fail, Recorded, RunUsage};

use super::lineage::Lineage;
use crate::approval::ApprovalScope;
use crate::spec::{LlmRetry, RunSpec};

/// What a run begins with beside its agent and its data: all that decides its course, and nobody to ask.
pub(crate) struct Setup {
    pub spec: RunSpec,
    pub identity: Identity,
    pub lineage: Lineage,
    /// How history is shown, in place of what the agent says.
    pub compression: Option<CompressionConfig>,
    pub llm_retry: Option<LlmRetry>,
    pub max_heap: Option<u64>,
    pub budget: Option<OnBudget>,
    pub approval_scope: ApprovalScope,
    pub tool_cache: Vec<CachedCall>,
    pub definitions: Definitions,
    /// Fuel after which others may work.
    pub slice: Option<u64>,
    pub tasks: Option<Vec<(String, ptc_lisp::Value)>>,
    /// What a run that goes on was before.
    pub resume: Option<Arc<Recorded>>,
    /// Descriptions of data that came from the agent before.
    pub received: IndexMap<String, String>,
    /// Why the agent before has no answer.
    pub upstream: Option<Fail>,
}

/// Who a run is, and what its programs draw from.
#[derive(Clone)]
pub(crate) struct Identity {
    /// First part of the ids of calls.
    pub id: Option<Arc<str>>,
    pub seed: u64,
    pub clock: Arc<dyn Clock>,
}

/// Decides after each answer of a model whether a run may go on, by what it and the agents that it called have used:
/// tokens, requests, and the turns and the time of the run that was answered.
///
/// ```
/// use std::ops::ControlFlow;
/// use ptc_agent::{OnBudget, RunOptions};
///
/// let few_requests = OnBudget::new(|usage| match usage.llm_requests {
///     Some(requests) if requests > 10 => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// });
/// let options = RunOptions::new().budget(few_requests);
/// # drop(options);
/// ```
#[derive(Clone)]
pub struct OnBudget(Arc<Decide>);

type Decide = dyn Fn(&RunUsage) -> ControlFlow<()> + Send + Sync;

impl OnBudget {
    /// Wrap a closure. It should depend on nothing but the usage, so that a run that is resumed takes the same course.
    pub fn new(decide: impl Fn(&RunUsage) -> ControlFlow<()> + Send + Sync + 'static) -> OnBudget {
        OnBudget(Arc::new(decide))
    }

    pub(crate) fn stops(&self, usage: &RunUsage) -> bool {
        (self.0)(usage).is_break()
    }
}

impl fmt::Debug for OnBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnBudget")
    }
}
