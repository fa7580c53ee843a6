//! What the requests of all runs of an agent say about tools and answers: built once.

use std::sync::Arc;

use ptc_chat::{OutputMode, ToolDefinition};
use ptc_compression::native::tool_definition;
use ptc_lisp::ToolSpec;
use ptc_lisp::signature::Signature;
use serde_json::Value as Json;

use crate::spec::AgentSpec;

/// The tools and the schema of an agent, in the forms in which they are sent.
pub(crate) struct Toolset {
    pub specs: Arc<[ToolSpec]>,
    /// The names of the tools.
    pub names: Arc<[String]>,
    /// The tools in the format of providers, in text mode.
    pub tools: Arc<[ToolDefinition]>,
    /// The schema that an answer in JSON must match.
    pub schema: Option<Arc<Json>>,
    /// Bytes of the schema as text.
    pub schema_bytes: Option<u64>,
}

impl Toolset {
    pub fn new(agent: &AgentSpec, specs: Arc<[ToolSpec]>) -> Toolset {
        let told = specs.iter().filter(|_| agent.output == OutputMode::Text);
        let schema = schema(agent);
        Toolset {
            names: specs.iter().map(|spec| spec.name.clone()).collect(),
            tools: told.map(tool_definition).collect(),
            schema_bytes: schema.as_ref().map(|schema| schema.to_string().len() as u64),
            schema: schema.map(Arc::new),
            specs,
        }
    }
}

fn schema(agent: &AgentSpec) -> Option<Json> {
    let wants_json = match agent.output {
        OutputMode::Json => true,
        OutputMode::Text => !agent.answers_text(),
        _ => false,
    };
    wants_json
        .then(|| agent.schema.clone().or_else(|| agent.signature.as_ref().map(Signature::result_schema)))
        .flatten()
}
