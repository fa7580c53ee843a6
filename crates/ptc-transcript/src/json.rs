//! The versioned JSON form of turns and steps: snake_case keys, absent options left out, unknown keys ignored.

mod definitions;
mod nulls;
mod plain;
mod record;
mod step;
mod turn;
mod value;

pub(crate) use definitions::{DefinitionsJson, read_definitions, write_definitions};
pub use nulls::typed_json;
pub use record::{CachedCallJson, MemoryEntryJson, ToolRecordJson, ToolSpecJson};
pub(crate) use record::{MemoryJson, within_bounds};
pub use step::{FailJson, StepJson};
pub(crate) use turn::Definitions as ReadTurns;
pub use turn::TurnJson;
pub use value::{ValueForm, json_of, typed_value, value_of, without_hidden};

/// Version of the format that this crate writes; readers accept this and older ones.
pub const FORMAT_VERSION: u32 = 1;

/// Why a JSON text is not a step or turn.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Not JSON, or a key is missing or has the wrong kind of value.
    #[error("this is not a recorded step or turn: {0}")]
    Shape(String),
    /// The text exceeds the limits of reading.
    #[error("this step cannot be read: {0}")]
    TooLarge(String),
    /// Written by a newer release.
    #[error("this record has format version {found}, this release reads up to {FORMAT_VERSION}: use a newer release")]
    Version {
        /// The version of the record.
        found: u32,
    },
    /// The values were written for reading by people and other tools.
    #[error("this record holds plain values, which cannot be read back: write it with typed values")]
    Plain,
    /// A typed value that this library cannot have written.
    #[error("{found} is not a typed value: {problem}")]
    Value {
        /// The JSON found.
        found: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A signature that does not parse.
    #[error("the recorded signature does not parse: {0}")]
    Signature(ptc_lisp::signature::SignatureError),
}

fn check_readable(version: u32, values: ValueForm) -> Result<(), ReadError> {
    match (version, values) {
        (found, _) if found > FORMAT_VERSION => Err(ReadError::Version { found }),
        (_, ValueForm::Plain) => Err(ReadError::Plain),
        (_, ValueForm::Typed) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
