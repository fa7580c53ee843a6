//! Mission files in TOML, data files, and tools defined by commands, programs, canned or recorded answers, and questions
//! to models.
//!
//! [`MissionFile::load`] reads a mission; [`MissionFile::build_agent`] and [`MissionFile::run_options`] make it a run.
//!
//! ```
//! use ptc_config::MissionFile;
//!
//! let text = "mission = \"Add {{a}} and 1\"\nmax_turns = 3\n[data]\na = 41\n";
//! let mission = MissionFile::from_text("add.toml", text)?;
//! assert_eq!(mission.agent.max_turns, 3);
//! assert!(matches!(mission.data["a"], ptc_lisp::Value::Int(41)));
//!
//! let mistake = MissionFile::from_text("add.toml", "prompt = \"Add\"").unwrap_err();
//! assert!(mistake.to_string().ends_with("unknown key `prompt`; use `mission`"));
//! # Ok::<(), ptc_config::ConfigError>(())
//! ```

#![forbid(unsafe_code)]

mod agents;
mod check;
mod compression;
mod data;
mod document;
mod edit;
mod error;
mod mcp;
mod mission;
mod model;
mod nearest;
mod options;
mod place;
mod problems;
mod quantity;
mod records;
mod registry;
mod schema;
mod settings;
mod shape;
mod text;
mod tool;
mod trust;
mod user;

pub use agents::AgentDefinition;
pub use check::MissionCheck;
pub use compression::StrategyChoice;
pub use data::{
    CellReading, ColumnReading, DataError, DataFile, DataFormat, ReadOptions, Reading, data_formats, query_sqlite,
    read_data, read_data_with, read_json,
};
pub use document::{Document, Item, ParsedDocument, Section};
pub use edit::{with_table, without_server};
pub use error::ConfigError;
pub use mission::{Keep, MissingInput, MissionFile, ModelSource, RunModels, UnknownInput, model_of};
pub use model::{ModelError, ModelName};
pub use place::{Place, named};
pub use problems::MissionWarning;
pub use ptc_chat::{read_file, read_most};
pub use ptc_compression::Strategy;
pub use quantity::{QuantityError, parse_bytes, parse_duration};
pub use records::{RecordError, RecordFormat};
pub use registry::{Registry, UnusableName};
pub use schema::mission_schema;
pub use settings::{Allowed, ApproveSetting, Given, SettingKey, Settings, SettingsFiles};
pub use text::{NotUtf8, read_text};
pub use tool::{CannedAnswer, ConfiguredTool, Question, ToolKind};
pub use trust::TrustedFiles;
pub use user::{user_logins, user_state};
