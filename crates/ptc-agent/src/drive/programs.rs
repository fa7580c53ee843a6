//! Hand-written programs, one after another, over the tools of an agent: what an interactive prompt needs.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ptc_chat::Llm;
use ptc_lisp::{Ending, Limits, Outcome, Progress, Session, ToolAnswer, ToolCall, ToolError, ToolResult};
use ptc_lisp::{Value, problems_text};
use ptc_transcript::{Decision, failure_value};
use tokio_util::sync::CancellationToken;

use super::calls::Calls;
use super::guard::lock;
use super::log::{Log, UNDECIDED};
use super::options::RunOptions;
use super::report::Reporter;
use super::{approvals, check_approver};
use crate::agent::Agent;
use crate::approval::{Approval, PendingCall};
use crate::compiled::nobody;
use crate::context::IntoData;
use crate::error::AgentError;
use crate::machine::lineage::Lineage;
use crate::machine::{Input, Run, not_allowed};

/// A session of programs over the data and the tools of an agent: definitions stay, tools are really called, and models
/// are asked only by agents and questions that a program calls.
///
/// Each program returns its whole [`Outcome`]. One that fails or is interrupted leaves the definitions as they were,
/// and its error is `data/fail` of the next one.
///
/// ```
/// use ptc_agent::{Agent, CancellationToken, ProgramSession, RunOptions, FnTool, ToolError};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Stay { nights: u32 }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
/// let price = FnTool::new("price", "Price of a stay", |stay: Stay| Ok::<_, ToolError>(stay.nights * 90));
/// let agent = Agent::builder("Look around.").tool(price).build()?;
/// let mut programs = ProgramSession::new(&agent, json!({"nights": 3}), RunOptions::new())?;
/// let cancel = CancellationToken::new();
/// programs.run("(def total (tool/price {:nights data/nights}))", &cancel, &mut |_| {}).await;
/// let outcome = programs.run("(inc total)", &cancel, &mut |_| {}).await;
/// assert_eq!(outcome.value().unwrap().to_json().unwrap(), json!(271));
/// # Ok::<(), AgentError>(()) }).unwrap();
/// # use ptc_agent::AgentError;
/// ```
pub struct ProgramSession {
    agent: Agent,
    /// A run that never starts: its session, its data, and what agents that it calls inherit.
    run: Box<Run>,
    llm: Arc<dyn Llm>,
    options: RunOptions,
    limits: Limits,
    programs: usize,
}

impl ProgramSession {
    /// A session without definitions, unless the options bring some.
    ///
    /// The options that count are model and models, approval, observers, parallel calls, seed, clock, slice and
    /// definitions; journals are those of runs. Budgets of turns and tokens bound the agents that one program calls.
    ///
    /// Errors when the context does not fit, and when a tool needs approval and there is no approver.
    pub fn new(agent: &Agent, context: impl IntoData, options: RunOptions) -> Result<ProgramSession, AgentError> {
        check_approver(agent, &options)?;
        let context = context.into_context()?;
        let run = Box::new(agent.start_as(context, &options, options.identity(), Lineage::default())?);
        let llm = match agent.model(&options) {
            Err(AgentError::LlmRequired) => Arc::new(nobody()),
            model => model?,
        };
        let limits = agent.spec().limits();
        let limits = Limits { memory: options.max_heap.unwrap_or(limits.memory), ..limits };
        Ok(ProgramSession { agent: agent.clone(), run, llm, options, limits, programs: 0 })
    }

    /// The session in which the programs run: what is defined, and what a program could do.
    #[must_use]
    pub fn session(&self) -> &Session {
        self.run.session()
    }

    /// The same, to define or restore something.
    pub fn session_mut(&mut self) -> &mut Session {
        self.run.session_mut()
    }

    /// The bounds of the next program.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Set the bounds of further programs.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Run a program to its end. `cancel` interrupts it wherever it is: also its tools, whose calls count as perhaps
    /// done.
    ///
    /// `on_print` receives each line when it is known: between two slices, before calls, and at the end. The outcome
    /// has them all, as far as the limits keep them.
    pub async fn run(
        &mut self,
        program: &str,
        cancel: &CancellationToken,
        on_print: &mut (dyn FnMut(&str) + Send),
    ) -> Outcome {
        self.programs += 1;
        self.options.cancel = cancel.clone();
        self.run.renew_budget();
        self.run.session_mut().set_limits(self.limits.clone());
        let outcome = self.driven(program, on_print).await;
        let fail = match &outcome.ending {
            Ending::Fail(value) => value.clone(),
            Ending::Error(problems) => {
                let reason = problems.first().map(|problem| problem.reason.as_str()).unwrap_or_default();
                failure_value(reason, &problems_text(problems))
            }
            _ => Value::Nil,
        };
        self.run.keep_fail(fail);
        outcome
    }

    async fn driven(&mut self, program: &str, on_print: &mut (dyn FnMut(&str) + Send)) -> Outcome {
        let ProgramSession { agent, run, llm, options, programs, .. } = self;
        let log = Log::open(options);
        log.go_live();
        let reporter = Reporter::start(&options.observers, log.run_id(), run, None);
        let calls = Calls::new(agent, llm.as_ref(), options, &reporter, &log);
        let mut told = 0;
        let mut tell = |prints: &[String]| {
            // Of many lines the oldest may be gone.
            prints.get(told.min(prints.len())..).unwrap_or_default().iter().for_each(|line| on_print(line));
            told = prints.len();
        };
        run.session_mut().start(program);
        loop {
            let progress = run.session_mut().advance(options.slice);
            let outcome = match progress {
                Progress::Done(outcome) => outcome,
                Progress::Slice if options.cancel.is_cancelled() => run.session_mut().interrupt([]),
                Progress::Slice => {
                    tell(run.session().prints());
                    log.rest().await;
                    continue;
                }
                Progress::Calls(waiting) => {
                    tell(run.session().prints());
                    let answers = answers(&calls, run, *programs, waiting).await;
                    if !options.cancel.is_cancelled() {
                        run.session_mut().answer_calls(answers);
                        continue;
                    }
                    run.session_mut().interrupt(answers)
                }
            };
            tell(&outcome.prints);
            return outcome;
        }
    }
}

/// An answer for each of these calls of program `number`: those that need approval are asked about first.
async fn answers(calls: &Calls<'_>, run: &mut Run, number: usize, waiting: Vec<ToolCall>) -> Vec<ToolAnswer> {
    let mut waiting: Vec<(PendingCall, Option<ToolResult>)> = waiting
        .into_iter()
        .map(|call| {
            let known = run.recalled(&call);
            (PendingCall { id: format!("{number}/{}", call.seq), path: Arc::default(), call }, known)
        })
        .collect();
    decide(calls, run, &mut waiting).await;
    let open: Vec<PendingCall> =
        waiting.iter().filter(|(_, known)| known.is_none()).map(|(pending, _)| pending.clone()).collect();
    lock(&calls.children).begin_batch(run.lineage());
    let made = match calls.make(&open, None).await {
        Ok(Input::Results(results) | Input::Interrupted(results)) => results,
        _ => Vec::new(),
    };
    let mut made = made.into_iter();
    let unknown = || Err(ToolError::new("its answer is lost").may_have_run(true));
    let answers = waiting.into_iter().map(|(pending, known)| match known {
        Some(result) => result.into(),
        None => run.checked_result(&pending.call, made.next().unwrap_or_else(unknown)).into(),
    });
    answers.collect()
}

/// Ask about the calls that are marked, and answer those that may not be made.
async fn decide(calls: &Calls<'_>, run: &mut Run, waiting: &mut [(PendingCall, Option<ToolResult>)]) {
    let mut marked: Vec<&mut (PendingCall, Option<ToolResult>)> = waiting
        .iter_mut()
        .filter(|(pending, known)| known.is_none() && run.spec_of(&pending.call).is_some_and(|tool| tool.approve))
        .collect();
    if marked.is_empty() {
        return;
    }
    let asked = Approval::Calls(marked.iter().map(|(pending, _)| pending.clone()).collect());
    let decisions = tokio::select! {
        biased;
        decisions = approvals::decisions(&asked, None, calls.options, calls.reporter, calls.log) => decisions.unwrap_or_default(),
        () = calls.options.cancel.cancelled() => Vec::new(),
    };
    let decisions = decisions.into_iter().chain(std::iter::repeat_with(|| Decision::deny(UNDECIDED)));
    for ((pending, known), decision) in marked.iter_mut().map(|marked| &mut **marked).zip(decisions) {
        let refused = match decision {
            Decision::Approve => continue,
            Decision::Edit(args) => match run.session_mut().amend(pending.call.seq, args) {
                Ok(call) => {
                    pending.call = call;
                    continue;
                }
                Err(error) => not_allowed(&format!("as edited, {}", error.message)),
            },
            Decision::Deny(reason) => not_allowed(&reason),
            _ => not_allowed(UNDECIDED),
        };
        *known = Some(Err(refused));
    }
}
