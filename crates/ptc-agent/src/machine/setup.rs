//! What a run starts with.

use std::ops::ControlFlow;
use std::sync::Arc;

use indexmap::IndexMap;
use ptc_compression::CompressionConfig;
use ptc_lisp::{CachedCall, Clock, Definitions};
use ptc_transcript::{Fail, Recorded, RunUsage};

use super::lineage::Lineage;
use crate::approval::ApprovalScope;
use crate::spec::{LlmRetry, RunSpec};

/// What a run starts with besides its agent and its data: everything that decides its course, without models or
/// approvers.
pub(crate) struct Setup {
    pub spec: RunSpec,
    pub identity: Identity,
    pub lineage: Lineage,
    /// How history is shown, instead of what the agent says.
    pub compression: Option<CompressionConfig>,
    pub llm_retry: Option<LlmRetry>,
    pub max_heap: Option<u64>,
    pub budget: Option<Arc<OnBudget>>,
    pub approval_scope: ApprovalScope,
    pub tool_cache: Vec<CachedCall>,
    pub definitions: Definitions,
    /// What the user says after the runs that this one continues.
    pub follow_up: Option<String>,
    /// Fuel after which other tasks may run.
    pub slice: Option<u64>,
    pub tasks: Option<Vec<(String, ptc_lisp::Value)>>,
    /// What a resumed run was before.
    pub resume: Option<Arc<Recorded>>,
    /// Whether programs are also bounded by time, which differs from run to run.
    pub is_timed: bool,
    /// Descriptions of data that came from the previous agent.
    pub received: IndexMap<String, String>,
    /// Why the previous agent has no answer.
    pub upstream: Option<Fail>,
}

/// Who a run is, and the seed of its programs.
#[derive(Clone)]
pub(crate) struct Identity {
    /// First part of the ids of calls.
    pub id: Option<Arc<str>>,
    pub seed: u64,
    pub clock: Arc<dyn Clock>,
}

/// Decides after each answer of a model whether a run may continue.
pub(crate) type OnBudget = dyn Fn(&RunUsage) -> ControlFlow<()> + Send + Sync;
