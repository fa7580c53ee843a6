//! Running agents: with a model, with options, and step by step.

use std::sync::Arc;

use ptc_chat::Llm;
use ptc_transcript::Step;

use super::options::RunOptions;
use super::{Beginning, Opening};
use crate::agent::Agent;
use crate::context::{Context, IntoData};
use crate::error::AgentError;
use crate::machine::Run;
use crate::machine::lineage::Lineage;
use crate::machine::setup::Identity;

impl Agent {
    /// Run it with this model; the entries of `context`, a map, a struct or a [`Context`], become `data/`.
    ///
    /// Errors before the first request only; [`Step::ending`] reports everything that happens later.
    pub fn run<'a>(
        &'a self,
        llm: &'a dyn Llm,
        context: impl IntoData,
    ) -> impl Future<Output = Result<Step, AgentError>> + Send + 'a {
        let context = context.into_context();
        let opening = Opening::Mission;
        async move {
            let options = RunOptions::default();
            Beginning { agent: self, context: context?, llm, options, opening }.run().await
        }
    }

    /// Run it with options; the model is that of the options, else the agent's own.
    pub fn run_with<'a>(
        &'a self,
        context: impl IntoData,
        options: RunOptions,
    ) -> impl Future<Output = Result<Step, AgentError>> + Send + 'a {
        let context = context.into_context();
        async move {
            let (context, llm) = (context?, self.model(&options)?);
            Beginning { agent: self, context, llm: &llm, options, opening: Opening::Mission }.run().await
        }
    }

    /// Continue where a run ended, with a new list of turns: its definitions and its finished tasks are there from the
    /// start.
    ///
    /// The step may be that of another agent, of a run without an answer, or read back from typed JSON. In the process
    /// that made it, definitions are exact; read from JSON, they are what could be written down, and the run does not
    /// start when one is missing from it. See [`RunOptions::continuing`].
    ///
    /// ```
    /// use std::sync::Arc;
    /// use ptc_agent::{Agent, RunOptions};
    /// use ptc_chat::ScriptedLlm;
    ///
    /// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
    /// let llm = Arc::new(ScriptedLlm::replies(["(defn net [x] (* 0.8 x)) (return (net 10))", "(return (net 20))"]));
    /// let options = RunOptions::new().llm(llm);
    /// let first = Agent::builder("What is 10 without tax?").build()?.run_with((), options.clone()).await?;
    /// let agent = Agent::builder("And 20?").build()?;
    /// let second = agent.continue_from(&first, (), options).await?;
    /// assert_eq!(second.value::<f64>().unwrap(), 16.0);
    /// # Ok::<(), ptc_agent::AgentError>(()) }).unwrap();
    /// ```
    pub fn continue_from<'a>(
        &'a self,
        step: &Step,
        context: impl IntoData,
        options: RunOptions,
    ) -> impl Future<Output = Result<Step, AgentError>> + Send + 'a {
        self.run_with(context, options.continuing(step))
    }

    /// The model of a run with these options.
    pub(crate) fn model(&self, options: &RunOptions) -> Result<Arc<dyn Llm>, AgentError> {
        match (&options.llm, self.definition.llm()) {
            (Some(llm), _) => Ok(Arc::clone(llm)),
            (None, Some(llm)) => llm.resolve(&options.llm_registry),
            (None, None) => Err(AgentError::LlmRequired),
        }
    }

    /// The run as a state machine, for callers that talk to the model, the tools and the approver themselves.
    pub fn start(&self, context: impl IntoData, options: &RunOptions) -> Result<Run, AgentError> {
        self.check_models(&options.llm_registry)?;
        self.start_as(context.into_context()?, options, options.identity(), Lineage::default())
    }

    /// The same for a run that has a journal, or that another one calls.
    pub(crate) fn start_as(
        &self,
        context: Context,
        options: &RunOptions,
        identity: Identity,
        lineage: Lineage,
    ) -> Result<Run, AgentError> {
        options.check()?;
        let mut setup = options.setup(identity, lineage);
        if let Some(before) = &context.upstream {
            setup.received.clone_from(&before.descriptions);
            setup.upstream.clone_from(&before.fail);
        }
        let data =
            context.checked(self.definition.spec.signature.as_ref(), self.definition.spec.signature_validation)?;
        let keeps_tasks = options.tasks.is_some();
        let system = match &self.system {
            Some(text) if !keeps_tasks => Arc::clone(text),
            _ => self.definition.system_prompt(keeps_tasks)?.text.into(),
        };
        Run::new(self.clone(), data, system, setup)
    }
}
