//! Asking the model: checks before a turn, the request, and what to do when the call fails.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{LlmError, Message, OutputMode, Reply, Request};
use ptc_compression::{
    CompressionConfig, Estimate, PlainHistory, PlainOptions, Redactor, RenderInput, Renderer, RequestCounter,
};
use ptc_lisp::Memory;
use ptc_mission::DataShapes;
use ptc_transcript::{CompressionStats, FailKind, FailReason, RunUsage, Spent, Turn, TurnKind};

use super::dialogue::Dialogue;
use super::{Action, Facts, Phase, Run};
use crate::agent::{Agent, Definition};
use crate::drive::OnBudgetExceeded;

/// A request that waits for its answer.
pub(super) struct Asking {
    pub request: Arc<Request>,
    /// When the turn began.
    pub since: Duration,
    pub kind: TurnKind,
    /// How far the run had come, as the request says.
    pub progress: String,
}

/// The ways in which the turns so far are kept for requests.
pub(super) struct Histories {
    /// The dialogue, when it is sent.
    pub plain: Option<PlainHistory>,
    /// The strategy at work, when history is compressed.
    pub compressed: Option<Box<dyn Renderer>>,
    /// The conversation with a model that writes no programs, instead of both.
    pub dialogue: Option<Dialogue>,
    pub redactor: Redactor,
    /// Counts as the ceiling does, or estimates where there is none.
    requests: RequestCounter,
}

impl Histories {
    /// Those of a run that shows its history in this way.
    pub fn new(agent: &Agent, facts: &Facts, compression: &CompressionConfig, progress: &str) -> Histories {
        let definition = &*agent.definition;
        let redactor = Redactor::new(&facts.data, &facts.kept);
        let system = Arc::clone(&facts.system);
        let requests = match compression.ceiling() {
            Some(ceiling) => ceiling.requests(system),
            None => RequestCounter::new(Estimate, system),
        };
        if definition.spec.output != OutputMode::PtcLisp {
            let dialogue = Some(Dialogue::start(agent, &facts.mission));
            return Histories { plain: None, compressed: None, dialogue, redactor, requests };
        }
        let is_active = compression.is_active(definition.spec.max_turns, definition.spec.retry_turns);
        let compressed = compression.renderer().filter(|_| is_active);
        let options = PlainOptions {
            feedback_max_chars: definition.spec.format_options.feedback_max_chars,
            ..PlainOptions::new(definition.spec.max_turns, definition.spec.retry_turns)
        };
        let plain = compressed.is_none().then(|| {
            PlainHistory::start(&render_input(definition, facts, progress, definition.spec.max_turns), options)
        });
        Histories { plain, compressed, dialogue: None, redactor, requests }
    }

    /// The same after these turns, which now stand at `progress`.
    pub fn after(mut self, turns: &[Turn], progress: &str) -> Histories {
        let later = turns.iter().skip(1).map(Turn::progress).chain([progress]);
        turns.iter().zip(later).for_each(|(turn, progress)| self.push(turn, progress));
        self
    }

    /// Take note of a turn behind which another one comes, and of how far the run has come.
    pub fn push(&mut self, turn: &Turn, progress: &str) {
        self.redactor.observe(turn);
        if let Some(renderer) = &mut self.compressed {
            renderer.push(turn);
        }
        if let Some(plain) = &mut self.plain {
            plain.push(turn, progress);
        }
        if let Some(dialogue) = &mut self.dialogue {
            dialogue.push(turn);
        }
    }

    /// The conversation as it went, when it is kept.
    pub fn told(&self) -> Option<&[Message]> {
        self.dialogue.as_ref().map(Dialogue::messages).or_else(|| self.plain.as_ref().map(PlainHistory::messages))
    }

    /// The messages of the next request, hidden values taken out.
    fn messages(&self, memory: &Memory, input: &RenderInput<'_>) -> (Vec<Message>, Option<CompressionStats>) {
        let (mut messages, stats) = match (&self.compressed, self.told()) {
            (Some(renderer), _) => {
                let input = RenderInput { redactor: Some(&self.redactor), requests: Some(&self.requests), ..*input };
                let rendered = renderer.render(memory, &input);
                (rendered.messages, Some(rendered.stats))
            }
            (None, Some(told)) => (told.to_vec(), None),
            (None, None) => (Vec::new(), None),
        };
        self.redactor.redact_messages(&mut messages);
        (messages, stats)
    }
}

fn render_input<'a>(
    definition: &'a Definition,
    facts: &'a Facts,
    progress: &'a str,
    turns_left: usize,
) -> RenderInput<'a> {
    RenderInput {
        tools: &facts.tools,
        shapes: Some(facts.shapes.get_or_init(|| DataShapes::new(&facts.data))),
        signature: definition.spec.signature.as_ref(),
        field_descriptions: &definition.spec.field_descriptions,
        context_descriptions: &definition.spec.context_descriptions,
        received_descriptions: &facts.received,
        notes: definition.notes(),
        kept: &facts.kept,
        progress,
        turns_left,
        system: &facts.system,
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
        let request = Arc::new(self.request());
        if let Some(over) = self.over_ceiling(&request) {
            return self.limit(FailReason::ContextLimit, over);
        }
        self.usage.estimates.push(self.histories.requests.estimate(self.turns.len() + 1, &request.messages));
        self.ask(Asking { request, since: self.now, kind: self.kind(), progress }, Duration::ZERO)
    }

    /// What is wrong with a request that is too large, however little it shows of the history.
    fn over_ceiling(&self, request: &Request) -> Option<String> {
        let compression = self.course.at(self.turns.len() + 1);
        let over = compression.ceiling()?.check(&self.histories.requests, &request.messages).err()?;
        let instead = match compression.strategy() {
            None if request.turn > 1 => "raise it, or choose a compression, which shows less of the history",
            _ => "raise it, or shorten the mission and its data",
        };
        Some(format!("the request of turn {} has at least {over}: {instead}", request.turn))
    }

    fn ask(&mut self, asking: Asking, delay: Duration) -> Action {
        self.requests_sent += 1;
        self.facts.lineage.spending.add(&Spent { requests: 1, ..Spent::default() });
        self.asked = self.turns.len() + 1;
        let request = Arc::clone(&asking.request);
        self.phase = Phase::Asking(Box::new(asking));
        Action::AskLlm { request, delay }
    }

    /// From this turn on history is shown in another way.
    fn show_otherwise(&mut self, turn: usize) {
        if self.spec().output == OutputMode::PtcLisp {
            let begun = self.turns.first().map_or(self.progress.as_str(), Turn::progress);
            let histories = Histories::new(&self.agent, &self.facts, self.course.at(turn), begun);
            self.histories = histories.after(&self.turns, &self.progress);
            self.usage.compression = None;
        }
    }

    fn request(&mut self) -> Request {
        let turn = self.turns.len() + 1;
        if self.course.changes_at(turn) {
            self.show_otherwise(turn);
        }
        let definition = &self.agent.definition;
        let input = render_input(
            definition,
            &self.facts,
            &self.progress,
            definition.spec.max_turns.saturating_sub(self.turns.len()),
        );
        // The dialogue repeats what was said of definitions; only a strategy shows them anew.
        let memory = self.histories.compressed.as_ref().map(|_| self.session.memory()).unwrap_or_default();
        let (messages, stats) = self.histories.messages(&memory, &input);
        self.last_request = (stats.is_some() && self.facts.options.collect_messages).then(|| messages.clone());
        if stats.is_some() {
            self.usage.compression = stats;
        }
        let offer = &self.agent.offer;
        let is_normal = self.kind() == TurnKind::Normal;
        // An agent of a single turn had none before in which it could have called.
        let offers_tools = is_normal || definition.spec.max_turns == 1;
        Request {
            system: Arc::clone(&self.facts.system),
            messages,
            turn: u32::try_from(turn).unwrap_or(u32::MAX),
            agent: self.facts.lineage.path.last().cloned(),
            tool_names: if is_normal { Arc::clone(&offer.names) } else { Arc::default() },
            tools: if offers_tools { Arc::clone(&offer.tools) } else { Arc::default() },
            output: definition.spec.output,
            schema: offer.schema.clone(),
            cache: self.facts.options.cache,
            options: definition.spec.model_options.clone(),
            ..Request::default()
        }
    }

    /// Go on with an answer of the model.
    pub(super) fn replied(&mut self, asking: Asking, reply: Result<Reply, LlmError>) -> Action {
        if let Some(tokens) = reply.as_ref().ok().and_then(|reply| reply.tokens) {
            self.usage.add_tokens(&tokens);
            self.facts.lineage.spending.add(&Spent::tokens(tokens));
        }
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

    fn ask_again(&mut self, asking: Asking, error: &LlmError) -> Action {
        let attempt = asking.request.attempt;
        let told = self.facts.options.llm_retry.as_ref().or(self.spec().llm_retry.as_ref());
        let retry = told.cloned().unwrap_or_default();
        let Some(delay) = retry.wait(attempt, error) else {
            let message = format!("the LLM call failed: {error}{}", self.patience(&asking));
            return self.stopped(FailKind::Llm, FailReason::LlmError, message);
        };
        if self.time_left().is_some_and(|left| delay >= left) {
            return self.mission_timeout();
        }
        let request = Request { attempt: attempt + 1, ..(*asking.request).clone() };
        self.ask(Asking { request: Arc::new(request), ..asking }, delay)
    }

    /// How often it was asked and for how long, when that was more than once.
    fn patience(&self, asking: &Asking) -> String {
        let attempts = asking.request.attempt;
        let spent = self.now.saturating_sub(asking.since).as_secs_f64();
        if attempts > 1 { format!(" ({attempts} attempts in {spent:.1} s)") } else { String::new() }
    }

    /// Whether what the run and those around it have used is too much.
    fn is_over_budget(&self) -> bool {
        let (options, spent) = (&self.facts.options, self.facts.lineage.spending.of_all());
        match (&options.budget, options.token_limit) {
            (Some(budget), _) => budget.stops(&self.usage_with(&spent)),
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
        let partial = self.facts.options.on_budget_exceeded == OnBudgetExceeded::ReturnPartial;
        if let Some(step) = partial.then(|| self.fallback()).flatten() {
            return step;
        }
        self.limit(FailReason::BudgetCallbackExceeded, "stopped by the token limit or the budget callback")
    }
}
