//! What a session starts with, read from JSON.

use std::sync::Arc;
use std::time::Duration;

use indexmap::IndexMap;
use ptc_lisp::signature::{Signature, SignatureError};
use ptc_lisp::{Clock, Limits, SessionOptions, ToolSpec, Value};
use serde::Deserialize;

/// Why a session cannot start.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    /// The options have a key or a value that they cannot have.
    #[error("options of the session: {0}")]
    Shape(serde_json::Error),
    /// The data is not a JSON object.
    #[error("data: expected a JSON object, whose keys programs read as data/KEY; got {found}")]
    NoObject {
        /// What it is instead.
        found: String,
    },
    /// The data is not JSON.
    #[error("data: {0}")]
    Data(serde_json::Error),
    /// The signature of a tool cannot be read.
    #[error("tool {name}: {error}")]
    Signature {
        /// The tool.
        name: String,
        /// What is wrong with it.
        error: SignatureError,
    },
    /// More memory than a module in a browser can have.
    #[error("limits: memoryBytes must be at most {MOST_MEMORY}, the memory that a module can be sure of; got {bytes}")]
    TooMuchMemory {
        /// The limit given.
        bytes: u64,
    },
    /// A limit is zero.
    #[error("limits: {name} must be above 0")]
    NoLimit {
        /// The limit.
        name: &'static str,
    },
}

/// The largest memory limit: a browser gives a module up to four times this, and a program may briefly need a copy.
const MOST_MEMORY: u64 = 1 << 30;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Options {
    tools: IndexMap<String, Tool>,
    limits: Bounds,
    seed: u64,
    /// Milliseconds since 1970.
    now: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    signature: Option<String>,
    description: Option<String>,
    #[serde(default)]
    cache: bool,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Bounds {
    fuel: Option<u64>,
    memory_bytes: Option<u64>,
    milliseconds: Option<u64>,
    depth: Option<usize>,
}

/// A clock that does not move.
struct Frozen(i64);

impl Clock for Frozen {
    fn now_micros(&self) -> i64 {
        self.0
    }
}

/// Reads the options of a session and its data, both as JSON. `{}` is every default.
pub(crate) fn read(options: &str, data: &str) -> Result<SessionOptions, OptionsError> {
    let Options { tools, limits, seed, now } = serde_json::from_str(options).map_err(OptionsError::Shape)?;
    let data = match Value::from_json_str(data).map_err(OptionsError::Data)? {
        Value::Map(data) => data,
        other => return Err(OptionsError::NoObject { found: ptc_lisp::values::type_of(&other) }),
    };
    let tools = tools.into_iter().map(|(name, tool)| spec(name, tool)).collect::<Result<_, _>>()?;
    let mut options = SessionOptions { data, tools, seed, limits: bounds(&limits)?, ..SessionOptions::default() };
    if let Some(now) = now {
        options.clock = Arc::new(Frozen((now * 1_000.0) as i64));
    }
    Ok(options)
}

fn spec(name: String, tool: Tool) -> Result<ToolSpec, OptionsError> {
    let read = |text: String| Signature::parse_tool(&text);
    let signature = tool.signature.map(read).transpose();
    let signature = signature.map_err(|error| OptionsError::Signature { name: name.clone(), error })?;
    Ok(ToolSpec { name, signature, description: tool.description, cache: tool.cache, ..ToolSpec::default() })
}

fn bounds(given: &Bounds) -> Result<Limits, OptionsError> {
    let Limits { fuel, memory, time, depth, .. } = Limits::default();
    let zero = [
        ("fuel", given.fuel == Some(0)),
        ("memoryBytes", given.memory_bytes == Some(0)),
        ("milliseconds", given.milliseconds == Some(0)),
        ("depth", given.depth == Some(0)),
    ];
    if let Some((name, _)) = zero.into_iter().find(|(_, is_zero)| *is_zero) {
        return Err(OptionsError::NoLimit { name });
    }
    if let Some(bytes) = given.memory_bytes.filter(|bytes| *bytes > MOST_MEMORY) {
        return Err(OptionsError::TooMuchMemory { bytes });
    }
    Ok(Limits {
        fuel: given.fuel.unwrap_or(fuel),
        memory: given.memory_bytes.unwrap_or(memory),
        time: given.milliseconds.map_or(time, Duration::from_millis),
        depth: given.depth.unwrap_or(depth),
        ..Limits::default()
    })
}
