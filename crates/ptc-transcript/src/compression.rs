//! The way of showing history, as steps and journals keep it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

/// Options of a strategy by the names that mission files have for them.
pub type CompressionOptions = Map<String, Json>;

/// How the requests of a run showed its history: enough to render them again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CompressionRecord {
    /// The name of the strategy; `None` sends the dialogue as it is.
    pub strategy: Option<String>,
    /// All options of the strategy, those that have their defaults included.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub options: CompressionOptions,
    /// What no request may exceed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<usize>,
    /// The unit in which `max_tokens` is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_counter: Option<String>,
}

/// How history was shown from a turn on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompressionUse {
    /// The first turn whose request was written this way, from 1.
    pub from_turn: usize,
    /// How.
    #[serde(flatten)]
    pub compression: CompressionRecord,
}
