//! The beginning of every run: of agents, conversations, programs that were compiled, and agents that are called.

use std::sync::Arc;

use ptc_chat::{Llm, Message};
use ptc_lisp::BoxFuture;
use ptc_transcript::Step;

use super::report::Parent;
use super::{Log, RunOptions, drive};
use crate::agent::Agent;
use crate::approval;
use crate::context::Context;
use crate::error::AgentError;
use crate::lineage::Lineage;
use crate::models::check_named;

/// What a run begins with.
pub(crate) enum Opening {
    /// The mission of the agent.
    Mission,
    /// The next text of a conversation, behind what was said before.
    Text(Vec<Message>, String),
    /// A program that runs instead of asking a model.
    Program(Arc<str>),
}

/// A run to begin.
pub(crate) struct Beginning<'a> {
    pub agent: &'a Agent,
    pub context: Context,
    pub llm: &'a dyn Llm,
    pub options: RunOptions,
    pub opening: Opening,
}

/// The run that calls the one to begin.
pub(super) struct Above<'a> {
    pub log: &'a Log<'a>,
    pub lineage: Lineage,
    pub parent: Parent,
}

impl<'a> Beginning<'a> {
    /// Run from the beginning to the end.
    ///
    /// Errors before anything is done only.
    pub fn run(self) -> BoxFuture<'a, Result<Step, AgentError>> {
        self.below(None)
    }

    /// The same for a run that may answer a call of another one. What the one above was allowed, its calls are.
    ///
    /// Boxed, since a run inside a run has no largest size, and each future around it would have room for it once more.
    pub(super) fn below(self, above: Option<Above<'a>>) -> BoxFuture<'a, Result<Step, AgentError>> {
        Box::pin(async move {
            let Beginning { agent, context, llm, options, opening } = self;
            let (log, lineage, parent) = match above {
                Some(Above { log, lineage, parent }) => (log.below(&options), lineage, Some(parent)),
                None => {
                    approval::check(&agent.definition, &options)?;
                    check_named(agent, &options.llm_registry)?;
                    (Log::open(&options), Lineage::default(), None)
                }
            };
            let mut run = Box::new(agent.start_as(context, &options, log.identity(), lineage)?);
            match opening {
                Opening::Mission => {}
                Opening::Text(before, text) => run.converse(before, &text),
                Opening::Program(program) => run.follow(program),
            }
            drive(run, llm, &options, log, parent).await
        })
    }
}
