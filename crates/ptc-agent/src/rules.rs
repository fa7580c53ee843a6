//! Rules of agents on their own, for code that checks its input before an agent is built: mission files, commands.
//!
//! ```
//! use ptc_agent::rules;
//!
//! assert!(rules::tool_name("fits-in?").is_ok());
//! let error = rules::data_key("fail").unwrap_err();
//! assert_eq!(error.to_string(), "data key 'fail' is reserved: programs read the last error there; give the entry another name");
//! ```

use ptc_lisp::Map;

use crate::agent::builtin;
use crate::error::AgentError;

pub use crate::spec::plan;
pub use crate::tool::tool_result;

/// Where programs read the last error.
const FAIL_KEY: &str = "fail";

/// Whether programs can write this name after `tool/`, and bare without meaning something else.
pub fn tool_name(name: &str) -> Result<(), AgentError> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '?' | '!' | '-')) {
        return Err(AgentError::InvalidToolName(name.to_owned()));
    }
    if matches!(name, "return" | "fail") {
        return Err(AgentError::ReservedToolName(name.to_owned()));
    }
    Ok(())
}

/// Whether an entry of the data may have this name.
pub fn data_key(key: &str) -> Result<(), AgentError> {
    if key == FAIL_KEY { Err(AgentError::ReservedDataKey(key.to_owned())) } else { Ok(()) }
}

/// Whether all entries of the data have names that they may have.
pub fn data(data: &Map) -> Result<(), AgentError> {
    if data.get_named(FAIL_KEY).is_some() { data_key(FAIL_KEY) } else { Ok(()) }
}

/// Whether there are builtin tools of each of these families.
pub fn tool_families(families: &[String]) -> Result<(), AgentError> {
    builtin::tools(families).map(drop)
}
