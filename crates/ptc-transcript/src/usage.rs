//! The usage of a run.

use ptc_chat::Tokens;
use serde::{Deserialize, Serialize};

/// Counters of one run. Token counts are `None` when no reply reported any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunUsage {
    /// Wall time from the first check to the end.
    pub duration_ms: u64,
    /// Size of the memory at the end.
    pub memory_bytes: u64,
    /// Recorded turns.
    pub turns: usize,
    /// Sum of all input tokens, cached ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Sum of all output tokens, reasoning included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Input and output together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_tokens: Option<u64>,
    /// Requests sent to the model, retried ones included; `None` when none could be sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm_requests: Option<u64>,
    /// Estimated size of the system text in tokens: its characters divided by four, rounded down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_prompt_tokens: Option<u64>,
    /// Input tokens written to the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_creation_tokens: Option<u64>,
    /// Input tokens read from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_read_tokens: Option<u64>,
    /// The size of the request of each turn, counted before it was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub estimates: Vec<RequestEstimate>,
    /// Statistics of the last rendering, when compression was active.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compression: Option<CompressionStats>,
    /// Whether the answer is the value of the last good turn instead of a `return`.
    #[serde(skip_serializing_if = "is_false")]
    pub fallback_used: bool,
    /// Whether a JSON Schema was sent.
    #[serde(skip_serializing_if = "is_false")]
    pub schema_used: bool,
    /// Size of that schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema_bytes: Option<u64>,
}

/// The requests to models of a run and the runs below it, with their tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// All tokens; `None` when no reply reported any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<Tokens>,
    /// Requests, retried ones included.
    pub requests: u64,
}

impl Spent {
    /// The tokens of one reply.
    pub fn tokens(tokens: Tokens) -> Spent {
        Spent { tokens: Some(tokens), requests: 0 }
    }

    /// Whether no request was made.
    pub fn is_nothing(&self) -> bool {
        *self == Spent::default()
    }

    /// Count `more`, too.
    pub fn add(&mut self, more: &Spent) {
        self.requests = self.requests.saturating_add(more.requests);
        if let Some(more) = more.tokens {
            self.tokens.get_or_insert_default().add(&more);
        }
    }
}

impl RunUsage {
    /// Count the tokens of one reply.
    pub fn add_tokens(&mut self, tokens: &Tokens) {
        add(&mut self.input_tokens, tokens.input);
        add(&mut self.output_tokens, tokens.output);
        add(&mut self.total_tokens, tokens.total());
        if tokens.cached > 0 {
            add(&mut self.cache_read_tokens, tokens.cached);
        }
        if tokens.cache_write > 0 {
            add(&mut self.cache_creation_tokens, tokens.cache_write);
        }
    }
}

fn add(sum: &mut Option<u64>, more: u64) {
    *sum = Some(sum.unwrap_or(0).saturating_add(more));
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// How many tokens the request of a turn has, counted before it is sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestEstimate {
    /// Number of the turn, from 1.
    pub turn: usize,
    /// Tokens of the system text and the stable beginning, which providers can cache.
    pub prefix: u64,
    /// Tokens of the rest.
    pub history: u64,
}

impl RequestEstimate {
    /// Both together.
    pub fn total(&self) -> u64 {
        self.prefix.saturating_add(self.history)
    }
}

/// What one compressed rendering showed and left out. Totals count successful turns only; shown and dropped add up to
/// them, or are 0 if a custom strategy does not count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompressionStats {
    /// Whether a strategy rendered the history.
    pub enabled: bool,
    /// Name of the strategy.
    pub strategy: String,
    /// Turns that were merged away.
    pub turns_compressed: usize,
    /// Tool calls of successful turns.
    pub tool_calls_total: usize,
    /// Of these, how many are listed.
    pub tool_calls_shown: usize,
    /// Of these, how many are left out.
    pub tool_calls_dropped: usize,
    /// Printed entries of successful turns.
    pub printlns_total: usize,
    /// Of these, how many are shown.
    pub printlns_shown: usize,
    /// Of these, how many are left out.
    pub printlns_dropped: usize,
    /// Failed turns that are not shown at all.
    pub error_turns_collapsed: usize,
    /// How far a token ceiling shortened the history: from 0, nothing, to 10, names only. `None` without a ceiling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ceiling_step: Option<usize>,
}

impl CompressionStats {
    /// Statistics of a strategy that has shown nothing yet.
    pub fn of(strategy: impl Into<String>) -> Self {
        CompressionStats { enabled: true, strategy: strategy.into(), ..CompressionStats::default() }
    }
}
