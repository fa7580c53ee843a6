//! How a model should sample, independent of the provider.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Options sent with every request of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelOptions {
    /// Sampling temperature; `None` leaves it to the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// The maximum of tokens in a reply, reasoning included where the provider counts it; always sent.
    pub max_output_tokens: u32,
    /// Texts at which the model stops; the text itself is not part of the reply.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// Seed for providers that can repeat a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// How much a reasoning model should think; `None` leaves it to the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<ReasoningEffort>,
    /// Further fields of the request body, merged in as they are.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
}

impl Default for ModelOptions {
    fn default() -> Self {
        ModelOptions {
            temperature: None,
            max_output_tokens: 4096,
            stop: Vec::new(),
            seed: None,
            reasoning_effort: None,
            extra: Map::new(),
        }
    }
}

/// How much a reasoning model should think before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ReasoningEffort {
    /// Not at all.
    None,
    /// The minimum that the provider offers.
    Minimal,
    /// A little.
    Low,
    /// The usual amount.
    Medium,
    /// A lot.
    High,
    /// The maximum that the provider offers.
    Max,
}
