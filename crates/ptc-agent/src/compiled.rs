//! Agents whose program is written once and then runs without a model.

use std::sync::Arc;

use ptc_chat::{Llm, LlmError, LlmErrorKind, OutputMode, Request, llm_fn};
use ptc_lisp::signature::Signature;
use ptc_lisp::{Session, SessionOptions, problems_text};
use ptc_transcript::Step;

use crate::agent::{Agent, AgentBuilder, Callable, Callee, SubagentOptions, Target, tool_of};
use crate::context::{Context, IntoData};
use crate::drive::{Beginning, Opening, RunOptions};
use crate::error::AgentError;
use crate::spec::AgentSpec;

/// Correcting turns of a compilation whose program calls tools, when the agent has none.
const RETRY_TURNS: usize = 2;

/// Why an agent could not be compiled.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The run could not start.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The agent may use several turns, each with its own program.
    #[error("only agents with max_turns 1 can be compiled")]
    ManyTurns,
    /// The agent answers with JSON or text: there is no program to keep.
    #[error("only agents that write programs can be compiled")]
    NoProgram,
    /// A child with a deadline would make the program depend on the speed of its model.
    #[error("cannot compile: tool agent {0} has a mission_timeout")]
    Deadline(String),
    /// The run on the sample has no answer.
    #[error("cannot compile: {}", .0.fail().map(ToString::to_string).unwrap_or_default())]
    Failed(Box<Step>),
    /// The program cannot run alone: it relies on definitions of earlier turns.
    #[error("cannot compile: the program is not self-contained: {0}")]
    NotAlone(String),
}

/// An agent with its program. Cheap to clone.
///
/// ```
/// use std::sync::Arc;
/// use ptc_agent::{Agent, RunOptions};
/// use ptc_chat::ScriptedLlm;
/// use serde_json::json;
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let agent = Agent::builder("Add VAT to {{net}}").signature("(net :float) -> :float").max_turns(1).build()?;
/// let options = RunOptions::new().llm(Arc::new(ScriptedLlm::replies(["(* 1.25 data/net)"])));
/// let vat = agent.compile((), options).await?;
/// let step = vat.execute(json!({"net": 8.0}), RunOptions::default()).await?;
/// assert_eq!(step.value::<f64>()?, 10.0);
/// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Debug, Clone)]
pub struct CompiledAgent {
    agent: Agent,
    source: Arc<str>,
    metadata: CompileMetadata,
}

/// How a compiled agent was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompileMetadata {
    /// Microseconds since 1970.
    pub compiled_at: i64,
    /// Input and output tokens, when the model counted.
    pub tokens_used: Option<u64>,
    /// Turns of the run on the sample.
    pub turns: usize,
    /// The model that wrote the program.
    pub llm_model: String,
}

impl Agent {
    /// Let a model write the program of this agent, by running it once on a sample; the program of the last good turn
    /// is kept. Inputs that the sample lacks are filled in by their types.
    ///
    /// Errors when the agent may use several turns, when the run has no answer, or when its program needs definitions
    /// of an earlier turn.
    pub fn compile<'a>(
        &'a self,
        sample: impl IntoData,
        options: RunOptions,
    ) -> impl Future<Output = Result<CompiledAgent, CompileError>> + Send + 'a {
        let sample = sample.into_context();
        async move { self.compiled(sample?, options).await }
    }

    async fn compiled(&self, sample: Context, options: RunOptions) -> Result<CompiledAgent, CompileError> {
        check_compilable(self)?;
        let sample = sample.filled(self.spec().signature.as_ref().map(Signature::params).unwrap_or_default());
        let (clock, model) = (Arc::clone(&options.clock), self.model(&options)?.name().to_owned());
        let step = self.trial()?.run_with(sample, options).await?;
        let program =
            step.turns().iter().rev().find(|turn| turn.is_success()).and_then(|turn| turn.program().map(str::to_owned));
        let Some(program) = program.filter(|_| step.is_ok()) else { return Err(CompileError::Failed(Box::new(step))) };
        let metadata = CompileMetadata {
            compiled_at: clock.now_micros(),
            tokens_used: step.usage.total_tokens,
            turns: step.usage.turns,
            llm_model: model,
        };
        // It must run without what earlier turns defined.
        let known = SessionOptions { tools: self.tools(), data: step.data, ..SessionOptions::default() };
        let check = Session::new(known).check(&program);
        check.map_err(|problems| CompileError::NotAlone(problems_text(&problems)))?;
        let agent = self.to_builder().retry_turns(0).build()?;
        Ok(CompiledAgent { agent, source: program.into(), metadata })
    }

    /// The agent that writes the program: programs that call tools may be corrected.
    fn trial(&self) -> Result<Agent, AgentError> {
        let definition = &self.definition;
        let corrects = definition.spec.retry_turns == 0 && !definition.tools.is_empty();
        if corrects { self.to_builder().retry_turns(RETRY_TURNS).build() } else { Ok(self.clone()) }
    }
}

fn check_compilable(agent: &Agent) -> Result<(), CompileError> {
    if agent.spec().max_turns != 1 {
        return Err(CompileError::ManyTurns);
    }
    if agent.definition.spec.output != OutputMode::PtcLisp {
        return Err(CompileError::NoProgram);
    }
    for (name, tool) in &agent.definition.tools {
        if matches!(tool.target(), Some(Target::Agent(callee)) if callee.agent.definition.spec.mission_timeout.is_some())
        {
            return Err(CompileError::Deadline(name.clone()));
        }
    }
    Ok(())
}

impl CompiledAgent {
    /// An agent with a given program: it has tools, data and limits, and asks no model.
    ///
    /// Errors when the agent may use several turns or does not write programs. The program itself is checked when it
    /// runs.
    pub fn from_source(agent: &Agent, source: impl Into<Arc<str>>) -> Result<CompiledAgent, CompileError> {
        check_compilable(agent)?;
        Ok(CompiledAgent { agent: agent.clone(), source: source.into(), metadata: CompileMetadata::default() })
    }

    /// Run the program on this context. No model is asked, except by agents that the program calls.
    ///
    /// Errors when the context does not fit, or when a model is needed and `options` names none.
    pub fn execute<'a>(
        &'a self,
        context: impl IntoData,
        options: RunOptions,
    ) -> impl Future<Output = Result<Step, AgentError>> + Send + 'a {
        let context = context.into_context();
        async move {
            let llm: Arc<dyn Llm> = match &options.llm {
                Some(llm) => Arc::clone(llm),
                None if self.llm_required() => return Err(AgentError::LlmRequired),
                None => Arc::new(nobody()),
            };
            let opening = Opening::Program(Arc::clone(&self.source));
            Beginning { agent: &self.agent, context: context?, llm: &llm, options, opening }.run().await
        }
    }

    /// This program as a tool.
    ///
    /// Errors when the program calls agents that need a model, or when name or description are missing.
    pub fn as_tool(&self, options: SubagentOptions) -> Result<Callable, AgentError> {
        if self.llm_required() {
            return Err(AgentError::CompiledNeedsLlm);
        }
        let callee = Callee { program: Some(Arc::clone(&self.source)), ..Callee::of(self.agent.clone(), None) };
        tool_of(callee, options)
    }

    /// The same program with other options, such as `timeout`, `max_heap` or `float_precision`.
    ///
    /// Errors when the options break a rule.
    pub fn adjusted(&self, change: impl FnOnce(AgentBuilder) -> AgentBuilder) -> Result<CompiledAgent, AgentError> {
        Ok(CompiledAgent { agent: change(self.agent.to_builder()).build()?, ..self.clone() })
    }

    /// The program.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The instructions and limits of its agent.
    #[must_use]
    pub fn spec(&self) -> &AgentSpec {
        self.agent.spec()
    }

    /// How it was made.
    #[must_use]
    pub fn metadata(&self) -> &CompileMetadata {
        &self.metadata
    }

    /// Whether the program may call agents, which ask a model.
    #[must_use]
    pub fn llm_required(&self) -> bool {
        self.agent.definition.tools.values().any(|tool| match tool.target() {
            None | Some(Target::Host(_)) => false,
            Some(Target::Agent(callee)) => callee.program.is_none(),
            Some(Target::Itself | Target::Query) => true,
        })
    }
}

/// The model of a program that asks no model.
pub(crate) fn nobody() -> impl Llm {
    let nobody = |_: &Request| Err(LlmError::new(LlmErrorKind::ConfigError, AgentError::LlmRequired.to_string()));
    llm_fn("none", nobody)
}

#[cfg(test)]
mod tests;
