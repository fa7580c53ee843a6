//! What is legal about an agent and its input, and still likely to confuse a model.

use ptc_lisp::values::key_name;
use ptc_lisp::{ReferenceKind, look_up};
use ptc_mission::PromptCut;

use super::{Agent, Definition, Target};
use crate::context::Context;

/// What is likely to confuse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AgentWarning {
    /// A tool with the name of a function of the language: programs that mean the function call the tool.
    #[error("tool '{0}' has the name of a function: `{0}` alone is the tool in programs; give it another name")]
    ToolHidesFunction(String),
    /// A tool hidden by a form of the language: programs reach it only with its namespace.
    #[error("tool '{0}' has the name of a form of the language: only `tool/{0}` is the tool; give it another name")]
    ToolBehindForm(String),
    /// A data key hidden by something of the language: programs reach it only with its namespace.
    #[error("data key '{0}' has a name of the language: only `data/{0}` is the data; give it another name")]
    DataBehindLanguage(String),
    /// A tool and a data key: the name alone is an error in programs.
    #[error("'{0}' is both a tool and a data key: `{0}` alone is an error in programs; rename one of them")]
    ToolAndData(String),
    /// The model gets no question.
    #[error("the mission is empty: say in `mission` what the model should do")]
    EmptyMission,
    /// Braces that open and never close: the model reads them as they are.
    #[error("the mission has {{{{ at {line}:{column} without a closing }}}}: it stays as typed")]
    OpenPlaceholder {
        /// Line of the mission, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
    },
    /// The model sees only the beginning of its system text.
    #[error("{}{cut}; raise prompt_limit, or leave it out", whose(.path))]
    SystemTextCut {
        /// The agents from the checked one down to the one with this text, by the names that their callers use; empty
        /// for the checked one.
        path: Vec<String>,
        /// How much of it.
        cut: PromptCut,
    },
}

/// What is likely to be a mistake in the text of a mission.
fn of_mission(mission: &str) -> Option<AgentWarning> {
    if mission.trim().is_empty() {
        return Some(AgentWarning::EmptyMission);
    }
    let (before, _) = mission.rsplit_once("{{").filter(|(_, open)| !open.contains("}}"))?;
    let (line, start) = (before.matches('\n').count() + 1, before.rfind('\n').map_or(0, |at| at + 1));
    let column = before.get(start..).unwrap_or_default().chars().count() + 1;
    Some(AgentWarning::OpenPlaceholder { line, column })
}

fn whose(path: &[String]) -> String {
    if path.is_empty() { String::new() } else { format!("agent '{}': ", path.join("/")) }
}

impl Agent {
    /// Names that are legal and likely to confuse: of tools and data that also exist in the language, and names shared
    /// by a tool and a data key. In the order of the tools, then of the data; then the system texts that `prompt_limit`
    /// cuts, of this agent and of all that it calls. Nothing is run.
    ///
    /// ```
    /// use ptc_agent::{Agent, Context};
    ///
    /// let agent = Agent::builder("Report.").build()?;
    /// let warnings = agent.check(&Context::new(serde_json::json!({"count": 3, "rows": []}))?);
    /// assert_eq!(warnings[0].to_string(), "data key 'count' has a name of the language: only `data/count` is the data; give it another name");
    /// assert_eq!(warnings.len(), 1);
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    #[must_use]
    pub fn check(&self, context: &Context) -> Vec<AgentWarning> {
        let tools = &self.definition.tools;
        let of_tools = tools.keys().filter_map(|name| {
            Some(match look_up(name).ok()?.kind {
                ReferenceKind::Function | ReferenceKind::Constant => AgentWarning::ToolHidesFunction(name.clone()),
                _ => AgentWarning::ToolBehindForm(name.clone()),
            })
        });
        let of_data = context.data.iter().filter_map(|(key, _)| {
            let name = key_name(key)?.to_owned();
            if tools.contains_key(&name) {
                return Some(AgentWarning::ToolAndData(name));
            }
            look_up(&name).ok().map(|_| AgentWarning::DataBehindLanguage(name))
        });
        let mut warnings: Vec<AgentWarning> = of_tools.chain(of_data).collect();
        warnings.extend(of_mission(&self.definition.spec.mission));
        // A text that cannot be built is an error when the agent is built.
        let cut_text = |path: Vec<String>, definition: &Definition| {
            let cut = definition.system_prompt(false).ok()?.cut?;
            Some(AgentWarning::SystemTextCut { path, cut })
        };
        warnings.extend(cut_text(Vec::new(), &self.definition));
        warnings.extend(self.definition.tools_below().into_iter().filter_map(|mut below| match below.tool.target() {
            Some(Target::Agent(callee)) => {
                below.path.push(below.name.to_owned());
                cut_text(below.path, &callee.agent.definition)
            }
            _ => None,
        }));
        warnings
    }
}
