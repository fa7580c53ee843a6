//! Doing a task with programs that are known beforehand.

use std::sync::Arc;

use ptc_runner::agent::Conversation;
use ptc_runner::chat::llm_fn;
use ptc_runner::lisp::{Tool, ToolSpec};
use ptc_runner::prelude::*;
use ptc_runner::signature::Type;
use ptc_runner::transcript::Turn;
use serde_json::{Value as Json, json};

use crate::Res;
use crate::plan::{Counts, Names, Plan, Rule};
use crate::suite::{Opened, SERVER, Verdict};
use crate::task::Task;

/// Turns that a run may take; none comes close.
const MAX_TURNS: usize = 40;

/// A task that was done.
pub(crate) struct Done {
    /// The run of each text of the user.
    pub(crate) steps: Vec<Step>,
    /// What the suite said after the last one.
    pub(crate) verdict: Verdict,
    pub(crate) counts: Counts,
}

impl Done {
    /// The results of all calls.
    pub(crate) fn results(&self) -> impl Iterator<Item = Json> {
        let calls = self.steps.iter().flat_map(Step::turns).flat_map(Turn::tool_calls);
        calls.map(|call| match &call.error {
            Some(error) => json!({ "error": error }),
            None => call.result.to_json().unwrap_or_default(),
        })
    }
}

/// Do a task on an open server, and have it judged.
pub(crate) async fn on_server(task: &Task, opened: &Opened, rule: Rule, names: Names) -> Res<Done> {
    let plan = Arc::new(Plan::new(rule, names, SERVER, declared(&opened.tools), task.turns.clone()));
    let agent = agent(task, opened.tools.clone())?;
    let mut verdict = Verdict::default();
    let mut steps: Vec<Step> = Vec::new();
    let mut conversation = Conversation::default();
    for number in 0..task.turns.len() {
        let step = step(task, number, &agent, &plan, &mut conversation, steps.last()).await?;
        verdict = opened.verdict(&answer(task, number, &step)).await?;
        if !verdict.passed {
            verdict.problems.insert(0, format!("after text {} of the user", number + 1));
        }
        steps.push(step);
        if !verdict.passed {
            break;
        }
    }
    Ok(Done { steps, verdict, counts: plan.counts() })
}

/// Do a task of the fixtures with these tools; it is not judged.
#[cfg(test)]
pub(crate) async fn with_tools(task: &Task, tools: Vec<Arc<dyn Tool>>, rule: Rule) -> Res<Done> {
    let plan = Arc::new(Plan::new(rule, Names::Shown, SERVER, task.declared.clone(), task.turns.clone()));
    let agent = agent(task, tools)?;
    let mut steps: Vec<Step> = Vec::new();
    let mut conversation = Conversation::default();
    for number in 0..task.turns.len() {
        steps.push(step(task, number, &agent, &plan, &mut conversation, steps.last()).await?);
    }
    Ok(Done { steps, verdict: Verdict::default(), counts: plan.counts() })
}

/// The tools whose result has a type: they declare what they return.
pub(crate) fn declared(tools: &[Arc<dyn Tool>]) -> Vec<String> {
    let prefix = format!("{SERVER}-");
    let declared = tools.iter().map(|tool| tool.spec()).filter(|spec| is_declared(spec));
    declared.filter_map(|spec| spec.name.strip_prefix(&prefix).map(str::to_owned)).collect()
}

/// Whether the result of a tool has a type.
pub(crate) fn is_declared(spec: &ToolSpec) -> bool {
    spec.signature.as_ref().is_some_and(|signature| *signature.result().required() != Type::Any)
}

/// The mission is what the user says first; the rest follows in a conversation.
fn agent(task: &Task, tools: Vec<Arc<dyn Tool>>) -> Res<Agent> {
    let mission = task.turns.first().map(|turn| turn.user.as_str()).unwrap_or_default();
    Ok(Agent::builder(mission).tools(tools).max_turns(MAX_TURNS).build()?)
}

async fn step(
    task: &Task,
    number: usize,
    agent: &Agent,
    plan: &Arc<Plan>,
    conversation: &mut Conversation,
    before: Option<&Step>,
) -> Res<Step> {
    plan.turn(number);
    let model = Arc::clone(plan);
    let options = RunOptions::new().llm(Arc::new(llm_fn("plan", move |request| model.reply(request))));
    let turn = task.turns.get(number).ok_or("there is no such text")?;
    let step = match before {
        Some(before) => {
            let options = options.follow_up(conversation.say(before, &turn.user));
            agent.continue_from(before, (), options).await?
        }
        None => agent.run_with((), options).await?,
    };
    match &step.result {
        Ok(_) => Ok(step),
        Err(fail) => Err(format!("{}: text {}: {}: {}", task.task, number + 1, fail.reason, fail.message).into()),
    }
}

/// What the user gets: the text that the suite expects, or what the program returned.
fn answer(task: &Task, number: usize, step: &Step) -> String {
    let expected = task.turns.get(number).and_then(|turn| turn.answer.clone());
    expected.unwrap_or_else(|| match step.result.as_ref().ok().and_then(|value| value.to_json().ok()) {
        Some(Json::String(text)) => text,
        Some(json) => json.to_string(),
        None => String::new(),
    })
}
