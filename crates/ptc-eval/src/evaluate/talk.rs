//! Asking an agent, text after text.

use ptc_agent::{Agent, AgentError, CancellationToken, Context, Conversation, RunOptions, chat_step};
use ptc_chat::OutputMode;
use ptc_transcript::{Step, Turn};
use serde_json::Value as Json;

use super::outcome::{Outcome, answer_of, judged};
use super::records::Records;
use crate::assertion::Observed;
use crate::case::{Case, Prepared};
use crate::constraint::Constraint;
use crate::error::EvalError;
use crate::judge::{Hearing, Judge, Verdict, answer_text};
use crate::options::EvalOptions;
use crate::suite::Suite;

/// The agent answers the mission, then each further text of the user; answers are judged.
pub(super) async fn talk(
    case: &Case,
    prepared: &Prepared,
    run: RunOptions,
    records: &Records<'_>,
    may_continue: impl Fn() -> bool,
    bench: Bench<'_>,
) -> Result<Outcome, EvalError> {
    let cancel = run.cancel.clone();
    let mut talk = Talk { prepared, run, conversation: Conversation::default(), steps: Vec::new() };
    let mut outcome = Outcome::default();
    let mut verdict = None;
    for text in std::iter::once(None).chain(case.then.iter().map(|text| Some(text.as_str()))) {
        if text.is_some() && !may_continue() {
            outcome.problems.push("the user had more to say".to_owned());
            break;
        }
        let step = talk.say(text, records.kept(talk.run.clone())?).await.map_err(|source| case.unusable(source))?;
        let answer = answer_of(&step);
        talk.steps.push(step);
        let answer = match answer {
            Ok(answer) => answer,
            Err(problem) => {
                outcome.problems.push(of_text(case, talk.steps.len(), problem));
                break;
            }
        };
        let said = asked_judge(case, prepared, &answer, &cancel).await;
        outcome.answers.push(answer);
        match said {
            Ok(said) => verdict = said,
            Err(problem) => {
                outcome.problems.push(of_text(case, talk.steps.len(), problem));
                break;
            }
        }
    }
    outcome.steps = talk.steps;
    if outcome.problems.is_empty() {
        judge_last(case, prepared, verdict, &mut outcome);
    }
    if outcome.problems.is_empty() {
        outcome.problems = bench.problems(case, &outcome, &cancel).await;
    }
    Ok(outcome)
}

/// Who else judges: the tools of the suite, when nothing that needs no opinion is wrong.
#[derive(Clone, Copy)]
pub(super) struct Bench<'a> {
    pub(super) suite: &'a Suite,
    pub(super) options: &'a EvalOptions,
}

impl Bench<'_> {
    async fn problems(&self, case: &Case, outcome: &Outcome, cancel: &CancellationToken) -> Vec<String> {
        let Some((judge @ Judge::Tool(_), judging)) = case.judge.as_ref().zip(self.suite.judging.as_ref()) else {
            return Vec::new();
        };
        let answer = outcome.answers.last();
        let mut references = case.expect.iter().filter(|one| case.is_reference(one)).peekable();
        let is_right = |one: &Constraint| answer.is_some_and(|answer| one.judge(answer).is_ok());
        if references.peek().is_some() && references.all(is_right) {
            return Vec::new();
        }
        let expected = case.expect.iter().find_map(|constraint| match constraint {
            Constraint::Eq(value) | Constraint::Within(value, _) => Some(answer_text(value)),
            _ => None,
        });
        let hearing = Hearing {
            question: outcome.steps.first().map(|step| step.mission.clone()).unwrap_or_default(),
            answer: answer.map(answer_text).unwrap_or_default(),
            expected: expected.unwrap_or_default(),
        };
        match judge.hear(judging, &self.options.judges, &hearing, cancel).await {
            Ok(verdict) if verdict.passed => Vec::new(),
            Ok(verdict) => verdict.problems,
            Err(problem) => vec![problem],
        }
    }
}

/// A problem, with the text of the user that it is about where there are several.
fn of_text(case: &Case, number: usize, problem: String) -> String {
    if case.then.is_empty() { problem } else { format!("text {number} of the user: {problem}") }
}

/// What the judge says about an answer, if the case has one.
///
/// The error says why it says nothing.
async fn asked_judge(
    case: &Case,
    prepared: &Prepared,
    answer: &Json,
    cancel: &CancellationToken,
) -> Result<Option<Verdict>, String> {
    let Some(judge) = &case.judge else { return Ok(None) };
    let text = answer_text(answer);
    let said = cancel.run_until_cancelled(judge.ask(&prepared.mission, &text)).await;
    said.unwrap_or_else(|| Err(format!("{judge} was not asked to the end")))
}

/// What is wrong with the last answer and with the run.
fn judge_last(case: &Case, prepared: &Prepared, verdict: Option<Verdict>, outcome: &mut Outcome) {
    let Some(last) = outcome.answers.last_mut() else { return };
    let (answer, mut problems) = judged(std::mem::take(last), prepared.agent.spec().output, case);
    let turns: Vec<Turn> = outcome.steps.iter().flat_map(Step::turns).cloned().collect();
    let seen = Observed { turns: &turns, data: &prepared.data, answer: &answer };
    problems.extend(case.check.iter().filter_map(|assertion| assertion.judge(seen).err()));
    problems.extend(verdict.filter(|verdict| !verdict.passed).into_iter().flat_map(|verdict| verdict.problems));
    *last = answer;
    outcome.problems = problems;
}

/// An agent and what was said so far.
struct Talk<'a> {
    prepared: &'a Prepared,
    run: RunOptions,
    conversation: Conversation,
    steps: Vec<Step>,
}

impl Talk<'_> {
    /// The step for the mission, or for a later text of the user. An agent that writes text continues its dialogue;
    /// another one continues from its last step.
    async fn say(&mut self, text: Option<&str>, run: RunOptions) -> Result<Step, AgentError> {
        let (agent, data) = (&self.prepared.agent, Context::from_map(self.prepared.data.clone()));
        let is_text = agent.spec().output == OutputMode::Text;
        let (Some(text), Some(last)) = (text, self.steps.last()) else {
            return agent.run_with(data, run.collect_messages(is_text)).await;
        };
        if is_text {
            let history = last.messages.clone().unwrap_or_default();
            return chat_step(&without_inputs(agent)?, text, history, run).await;
        }
        let options = run.follow_up(self.conversation.say(last, text));
        agent.continue_from(last, data, options.tool_cache(last.tool_cache.clone())).await
    }
}

/// The agent for later texts: its inputs were shown in the first one.
fn without_inputs(agent: &Agent) -> Result<Agent, AgentError> {
    agent.adjusted(|agent| agent.signature(":string"))
}
