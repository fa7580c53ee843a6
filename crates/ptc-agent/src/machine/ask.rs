//! Asking the model: checks before a turn, the request, and what to do when the call fails.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{LlmError, LlmErrorKind, Message, OutputMode, Reply, Request};
use ptc_compression::words::DataShapes;
use ptc_compression::{CompressionConfig, Dialogue, History, NextRequest, OverCeiling, PlainOptions, RenderInput};
use ptc_lisp::signature::Signature;
use ptc_lisp::{GrammarOptions, Memory};
use ptc_transcript::{FailKind, FailReason, RunUsage, Spent, Turn, TurnKind};

use super::action::Action;
use super::relief::Relief;
use super::state::{Asking, Phase, Run, RunFacts};
use crate::agent::{Agent, Definition};
use crate::spec::{FailedAttempt, OnBudgetExceeded};

/// The history of a run that shows it in this way and is now at `progress`, before its first turn.
pub(super) fn history(agent: &Agent, facts: &RunFacts, compression: &CompressionConfig, progress: &str) -> History {
    let spec = &agent.definition.spec;
    let input = render_input(&agent.definition, facts, progress);
    let system = Arc::clone(&facts.system);
    if spec.output != OutputMode::PtcLisp {
        let dialogue = Dialogue::start(&input, agent.offer.schema.is_some());
        return History::of_dialogue(dialogue, compression, system, &input);
    }
    let plain = PlainOptions {
        feedback_max_chars: spec.format_options.feedback_max_chars,
        ..PlainOptions::new(spec.max_turns, spec.retry_turns)
    };
    History::start(&compression.for_turns(spec.max_turns, spec.retry_turns), system, plain, &input)
}

fn render_input<'a>(definition: &'a Definition, facts: &'a RunFacts, progress: &'a str) -> RenderInput<'a> {
    RenderInput {
        tools: &facts.tools,
        tool_tokens: definition.spec.tool_tokens,
        shapes: Some(facts.shapes.get_or_init(|| DataShapes::new(&facts.data))),
        signature: definition.spec.signature.as_ref(),
        field_descriptions: &definition.spec.field_descriptions,
        context_descriptions: &definition.spec.context_descriptions,
        received_descriptions: &facts.setup.received,
        shows_samples: definition.spec.samples,
        notes: definition.notes(),
        follow_up: facts.setup.follow_up.as_deref().unwrap_or_default(),
        kept: &facts.kept,
        progress,
        ..RenderInput::new(&facts.mission, &facts.data)
    }
}

impl Run {
    /// Ask for the next turn, unless something ended the run.
    pub(super) fn next_turn(&mut self) -> Action {
        if self.left.work == 0 && self.left.retry == 0 {
            return self.turns_used_up();
        }
        let is_late = self.time_left() == Some(Duration::ZERO);
        if is_late && self.left.budget.left() > 0 {
            return self.mission_timeout();
        }
        if !self.left.budget.take() {
            return self.limit(FailReason::TurnBudgetExhausted, "the turn budget is used up");
        }
        let progress = self.progress.clone();
        let next = self.next_request();
        if let Some(over) = &next.over_ceiling {
            return self.limit(FailReason::ContextLimit, self.over_ceiling(over));
        }
        self.usage.estimates.push(next.estimate);
        let request = Arc::new(self.request(next.messages));
        let asking = Asking { request, since: self.now, due: self.now, kind: self.kind(), progress };
        self.ask(asking, Duration::ZERO)
    }

    /// What is wrong with a request that is too large, however little it shows of the history.
    fn over_ceiling(&self, over: &OverCeiling) -> String {
        let turn = self.turns.len() + 1;
        let instead = match self.course.at(turn).strategy() {
            None if turn > 1 => "raise it, or choose a compression, which shows less of the history",
            _ => "raise it, or shorten the mission and its data",
        };
        format!("the request of turn {turn} has at least {over}: {instead}")
    }

    fn ask(&mut self, asking: Asking, delay: Duration) -> Action {
        self.facts.setup.lineage.spending.add(&Spent { requests: 1, ..Spent::default() });
        self.asked = self.turns.len() + 1;
        let request = Arc::clone(&asking.request);
        self.phase = Phase::Asking(Box::new(Asking { due: self.now.saturating_add(delay), ..asking }));
        Action::AskLlm { request, delay, time_left: self.time_left() }
    }

    /// From this turn on, show history in another way.
    fn show_otherwise(&mut self, turn: usize) {
        if self.spec().output == OutputMode::PtcLisp {
            let begun = self.turns.first().map_or(self.progress.as_str(), Turn::progress);
            let history = history(&self.agent, &self.facts, self.course.at(turn), begun);
            self.history = history.after(&self.turns, &self.progress);
            self.usage.compression = None;
        }
    }

    /// The messages of the coming turn.
    fn next_request(&mut self) -> NextRequest {
        let turn = self.turns.len() + 1;
        if self.course.changes_at(turn) {
            self.show_otherwise(turn);
        }
        let memory = if self.history.shows_memory() { self.session.memory() } else { Memory::default() };
        let input = render_input(&self.agent.definition, &self.facts, &self.progress);
        let next = self.history.request(&memory, &input);
        self.last_request =
            (next.stats.is_some() && self.facts.setup.spec.collect_messages).then(|| next.messages.clone());
        if next.stats.is_some() {
            self.usage.compression.clone_from(&next.stats);
        }
        next
    }

    fn request(&self, messages: Vec<Message>) -> Request {
        let definition = &self.agent.definition;
        let offer = &self.agent.offer;
        let is_normal = self.kind() == TurnKind::Normal;
        // An agent with a single turn had no earlier turn to call tools in.
        let offers_tools = is_normal || definition.spec.max_turns == 1;
        Request {
            system: Arc::clone(&self.facts.system),
            messages,
            turn: u32::try_from(self.turns.len() + 1).unwrap_or(u32::MAX),
            agent: self.facts.setup.lineage.path.last().cloned(),
            tool_names: if is_normal { Arc::clone(&offer.names) } else { Arc::default() },
            tools: if offers_tools { Arc::clone(&offer.tools) } else { Arc::default() },
            output: definition.spec.output,
            schema: offer.schema.clone(),
            grammar: self.grammar(offers_tools, !is_normal),
            cache: self.facts.setup.spec.cache,
            options: self.relief.options(&definition.spec.model_options),
            ..Request::default()
        }
    }

    /// What the model may write, if the agent is constrained.
    fn grammar(&self, tools: bool, ends: bool) -> Option<Arc<str>> {
        let spec = self.spec();
        let returns = spec.signature.as_ref().map(Signature::result);
        let grammar = spec.grammar.then(|| self.session.grammar(&GrammarOptions { returns, tools, ends }))?;
        grammar.ok().map(|grammar| grammar.gbnf().into())
    }

    /// Continue with an answer of the model.
    pub(super) fn replied(&mut self, asking: Asking, reply: Result<Reply, LlmError>) -> Action {
        self.count(&reply);
        let reply = match reply.and_then(Reply::unless_refused) {
            Ok(reply) => reply,
            Err(error) => return self.ask_again(asking, &error),
        };
        if self.is_over_budget() {
            return self.over_budget();
        }
        match self.spec().output {
            OutputMode::Json => self.answered_with_json(asking, reply),
            OutputMode::Text => self.answered_with_text(asking, reply),
            _ => self.execute(asking, reply),
        }
    }

    /// Count a request and the tokens of its answer.
    pub(super) fn count(&mut self, reply: &Result<Reply, LlmError>) {
        self.requests_sent += 1;
        if let Some(tokens) = reply.as_ref().ok().and_then(|reply| reply.tokens) {
            self.usage.add_tokens(&tokens);
            self.facts.setup.lineage.spending.add(&Spent::tokens(tokens));
        }
    }

    fn ask_again(&mut self, asking: Asking, error: &LlmError) -> Action {
        if self.time_left() == Some(Duration::ZERO) {
            return self.mission_timeout();
        }
        if self.relief.changes_options() && error.kind() == LlmErrorKind::ClientError {
            // The provider may allow no answer that long.
            self.relief = Relief::Refused;
            let options = self.spec().model_options.clone();
            let attempt = asking.request.attempt + 1;
            let request = Request { options, attempt, ..(*asking.request).clone() };
            return self.ask(Asking { request: Arc::new(request), ..asking }, Duration::ZERO);
        }
        let attempt = asking.request.attempt;
        let told = self.facts.setup.llm_retry.as_ref().or(self.spec().llm_retry.as_ref());
        let retry = told.cloned().unwrap_or_default();
        let spent = self.now.saturating_sub(asking.since);
        let identity = &self.facts.setup.identity;
        let call = format!("{}/{}/{}", identity.id.as_deref().unwrap_or_default(), identity.seed, asking.request.turn);
        let Some(delay) = retry.wait(&FailedAttempt { attempt, error, spent, call: &call }) else {
            let message = format!("the LLM call failed: {error}{}", self.patience(&asking));
            return self.stopped(FailKind::Llm, FailReason::LlmError, message);
        };
        if self.time_left().is_some_and(|left| delay >= left) {
            return self.mission_timeout();
        }
        let request = Request { attempt: attempt + 1, ..(*asking.request).clone() };
        self.ask(Asking { request: Arc::new(request), ..asking }, delay)
    }

    /// How often and for how long the model was asked, if more than once.
    fn patience(&self, asking: &Asking) -> String {
        let attempts = asking.request.attempt;
        let spent = self.now.saturating_sub(asking.since).as_secs_f64();
        if attempts > 1 { format!(" ({attempts} attempts in {spent:.1} s)") } else { String::new() }
    }

    /// Whether what the run and those around it have used is too much.
    fn is_over_budget(&self) -> bool {
        let (options, spent) = (&self.facts.setup, self.facts.setup.lineage.spending.of_all());
        match (&options.budget, options.spec.token_limit) {
            (Some(budget), _) => budget(&self.usage_with(&spent)).is_break(),
            (None, Some(limit)) => spent.tokens.is_some_and(|tokens| tokens.total() > limit),
            (None, None) => false,
        }
    }

    /// The turns and the time of this run with what all have asked of models.
    fn usage_with(&self, spent: &Spent) -> RunUsage {
        let duration_ms = u64::try_from(self.now.as_millis()).unwrap_or(u64::MAX);
        let mut usage = RunUsage {
            duration_ms,
            turns: self.turns.len(),
            llm_requests: Some(spent.requests),
            ..RunUsage::default()
        };
        if let Some(tokens) = &spent.tokens {
            usage.add_tokens(tokens);
        }
        usage
    }

    fn over_budget(&mut self) -> Action {
        let partial = self.facts.setup.spec.on_budget_exceeded == OnBudgetExceeded::ReturnPartial;
        if let Some(step) = partial.then(|| self.fallback()).flatten() {
            return step;
        }
        let used = self.facts.setup.lineage.spending.of_all().tokens.map_or(0, |tokens| tokens.total());
        let told = match (&self.facts.setup.budget, self.facts.setup.spec.token_limit) {
            (None, Some(limit)) => {
                format!("token limit reached: {used} tokens used, token_limit is {limit}")
            }
            _ => "stopped by the budget callback".to_owned(),
        };
        self.limit(FailReason::BudgetCallbackExceeded, told)
    }
}
