//! What a session starts with.

use std::sync::Arc;

use super::Definitions;
use crate::eval::context::{Clock, SystemClock};
use crate::limits::Limits;
use crate::session::host::{CachedCall, ToolSpec};
use crate::signature::Field;
use crate::value::{Map, Value};

/// The parts of a new session.
#[derive(Clone)]
pub struct SessionOptions {
    /// Read-only input under `data/`; does not count towards the memory limit when imported as external.
    pub data: Map,
    /// The types that the host declares for entries of the data. A field that they name may be missing from all of it;
    /// any other one that a program looks up and no record has is a mistake.
    pub data_types: Vec<Field>,
    /// What programs find defined, from another session or from stored memory.
    /// [`Session::left_out`](super::Session::left_out) says what could not be taken.
    pub definitions: Definitions,
    /// The tools that programs may call.
    pub tools: Vec<ToolSpec>,
    /// Limits of each program.
    pub limits: Limits,
    /// Seed of `rand` and the other random functions.
    pub seed: u64,
    /// The clock that programs read.
    pub clock: Arc<dyn Clock>,
    /// Answers of cacheable tools from earlier sessions.
    pub tool_cache: Vec<CachedCall>,
    /// Finished tasks for `(task id …)`; `None` when the host keeps none.
    pub tasks: Option<Vec<(String, Value)>>,
    /// Decimals to which floats in results are rounded.
    pub float_precision: Option<u32>,
    /// The largest size in bytes of one entry of `*1 *2 *3`.
    pub history_max_bytes: usize,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            data: Map::new(),
            data_types: Vec::new(),
            definitions: Definitions::default(),
            tools: Vec::new(),
            tool_cache: Vec::new(),
            limits: Limits::default(),
            seed: 0,
            clock: Arc::new(SystemClock),
            tasks: None,
            float_precision: None,
            history_max_bytes: 1_024,
        }
    }
}
