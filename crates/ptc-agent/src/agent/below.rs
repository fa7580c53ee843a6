//! The tools of an agent and of all agents that it calls.

use ptc_lisp::{Progress, Session, SessionOptions, ToolSpec, Value};

use super::{Agent, Callable, Definition, Target};
use crate::approval::ApprovalTool;
use crate::error::AgentError;
use crate::models::LlmRegistry;

/// A tool of an agent, or of one that it calls.
pub(crate) struct ToolBelow<'a> {
    /// The agents down to the one that has the tool, by the names that their callers use; empty for the agent that was
    /// asked.
    pub path: Vec<String>,
    pub name: &'a str,
    pub tool: &'a Callable,
}

impl Definition {
    /// All tools, those of an agent right after its own tool.
    pub fn tools_below(&self) -> Vec<ToolBelow<'_>> {
        let mut found = Vec::new();
        self.collect(&[], &mut found);
        found
    }

    /// An agent that calls itself has no other tools then.
    fn collect<'a>(&'a self, path: &[String], found: &mut Vec<ToolBelow<'a>>) {
        for (name, tool) in &self.tools {
            found.push(ToolBelow { path: path.to_vec(), name, tool });
            if let Some(Target::Agent(callee)) = tool.target() {
                callee.agent.definition.collect(&[path, std::slice::from_ref(name)].concat(), found);
            }
        }
    }
}

impl Agent {
    /// The tools whose calls need approval, of this agent and of all that it calls, in order.
    ///
    /// ```
    /// use ptc_agent::{Agent, SubagentOptions, FnTool, ToolError};
    ///
    /// let pay = FnTool::new("pay", "Pays", |()| Ok::<_, ToolError>(5)).approve();
    /// let clerk = Agent::builder("Pay").description("Pays").tool(pay).build()?;
    /// let boss = Agent::builder("Have it paid").tool(clerk.as_tool(SubagentOptions::named("clerk"))?).build()?;
    /// assert_eq!(boss.marked_tools()[0].to_string(), "'pay' of agent 'clerk'");
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    #[must_use]
    pub fn marked_tools(&self) -> Vec<ApprovalTool> {
        let marked = self.definition.tools_below().into_iter().filter(|below| below.tool.spec().approve);
        marked.map(|below| ApprovalTool { name: below.name.to_owned(), path: below.path }).collect()
    }

    /// Whether a tool takes these arguments, of this agent or of the one that `path` leads to, as in
    /// [`PendingCall::path`](crate::PendingCall::path): for those who change the arguments of a call that waits.
    ///
    /// Errors with what does not fit. Arguments of a tool that is not found are checked when the call is made.
    ///
    /// ```
    /// use ptc_agent::{Agent, FnTool, ToolError};
    /// use ptc_lisp::Value;
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Payment { euros: u32 }
    ///
    /// let pay = FnTool::new("pay", "Pays", |payment: Payment| Ok::<_, ToolError>(payment.euros)).approve();
    /// let agent = Agent::builder("Pay what is open.").tool(pay).build()?;
    /// let euros = |value: Value| Value::map_from([(Value::keyword("euros"), value)]);
    /// assert!(agent.takes(&[], "pay", &euros(Value::Int(5))).is_ok());
    /// assert!(agent.takes(&[], "pay", &euros(Value::string("five"))).is_err());
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    pub fn takes(&self, path: &[String], tool: &str, args: &Value) -> Result<(), String> {
        if args.as_map().is_none() {
            return Err(format!("arguments must be a map of names, got a {}", args.kind()));
        }
        let below = self.definition.tools_below();
        let Some(found) = below.iter().find(|below| below.path == path && below.name == tool) else { return Ok(()) };
        // A program checks them as the call does.
        let data = Value::map_from([(Value::keyword("args"), args.clone())]);
        let mut session = Session::new(SessionOptions {
            data: data.as_map().cloned().unwrap_or_default(),
            tools: vec![ToolSpec { name: tool.to_owned(), ..found.tool.spec().clone() }],
            ..SessionOptions::default()
        });
        session.start(&format!("(tool/{tool} data/args)"));
        loop {
            match session.advance(None) {
                Progress::Slice => {}
                Progress::Calls(_) => return Ok(()),
                Progress::Done(outcome) => {
                    // Without the places: this program was not written by the person.
                    let found = outcome.problems().iter().map(|problem| problem.message.clone());
                    return Err(found.collect::<Vec<_>>().join("; "));
                }
            }
        }
    }

    /// Whether the run knows every model that the agents among the tools name, at any depth.
    pub(crate) fn check_models(&self, registry: &LlmRegistry) -> Result<(), AgentError> {
        for ToolBelow { tool, .. } in self.definition.tools_below() {
            if let Some(Target::Agent(callee)) = tool.target()
                && let Some(llm) = &callee.llm
            {
                llm.resolve(registry)?;
            }
        }
        Ok(())
    }
}
