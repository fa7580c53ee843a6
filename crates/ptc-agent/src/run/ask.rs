//! Asking the model: checks before a turn, the request, and what to do when the call fails.

use std::sync::Arc;
use std::time::Duration;

use ptc_chat::{LlmError, Message, OutputMode, Reply, Request, ToolDefinition};
use ptc_compression::{PlainHistory, PlainOptions, Redactor, RenderInput, Renderer};
use ptc_lisp::Memory;
use ptc_transcript::{CompressionStats, FailKind, FailReason, RequestEstimate, Turn, TurnKind};

use super::dialogue::Dialogue;
use super::{Action, Facts, Phase, Run, using};
use crate::agent::Definition;
use crate::drive::OnBudgetExceeded;

/// A request that waits for its answer.
pub(super) struct Asking {
    pub request: Arc<Request>,
    /// When the turn began.
    pub since: Duration,
    pub kind: TurnKind,
}

/// The ways in which the turns so far are kept for requests.
pub(super) struct Histories {
    /// The dialogue; kept when it is sent or collected.
    pub plain: Option<PlainHistory>,
    /// The strategy at work, when history is compressed.
    pub compressed: Option<Box<dyn Renderer>>,
    /// The conversation with a model that writes no programs, instead of both.
    pub dialogue: Option<Dialogue>,
    pub redactor: Redactor,
}

impl Histories {
    pub fn new(definition: &Definition, facts: &Facts, memory: &Memory, progress: &str) -> Histories {
        let redactor = Redactor::new(&facts.data, memory);
        if definition.output != OutputMode::PtcLisp {
            let dialogue = Some(Dialogue::start(definition, &facts.mission));
            return Histories { plain: None, compressed: None, dialogue, redactor };
        }
        let is_active = definition.compression.is_active(definition.max_turns, definition.retry_turns);
        let compressed = definition.compression.renderer().filter(|_| is_active);
        let options = PlainOptions {
            feedback_max_chars: definition.format.feedback_max_chars,
            ..PlainOptions::new(definition.max_turns, definition.retry_turns)
        };
        let plain = (compressed.is_none() || facts.options.collect_messages)
            .then(|| PlainHistory::start(&render_input(definition, facts, progress, definition.max_turns), options));
        Histories { plain, compressed, dialogue: None, redactor }
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
                let rendered = renderer.render(memory, &RenderInput { redactor: Some(&self.redactor), ..*input });
                (rendered.messages, Some(rendered.stats))
            }
            (None, Some(told)) => (told.to_vec(), None),
            (None, None) => (Vec::new(), None),
        };
        self.redactor.redact_messages(&mut messages);
        (messages, stats)
    }
}

fn render_input<'a>(definition: &'a Definition, facts: &'a Facts, progress: &'a str, turns_left: usize) -> RenderInput<'a> {
    RenderInput {
        tools: &facts.tools,
        signature: definition.signature.as_ref(),
        field_descriptions: &definition.field_descriptions,
        context_descriptions: &definition.context_descriptions,
        received_descriptions: &facts.received,
        notes: definition.notes(),
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
        let request = Arc::new(self.request());
        if let Some(over) = self.over_ceiling(&request) {
            return self.limit(FailReason::ContextLimit, over);
        }
        let estimate = self.estimate(&request);
        self.usage.estimates.push(estimate);
        self.ask(Asking { request, since: self.now, kind: self.kind() }, Duration::ZERO)
    }

    /// What is wrong with a request that is too large, however little it shows of the history.
    fn over_ceiling(&self, request: &Request) -> Option<String> {
        let over = self.definition().compression.ceiling()?.check(&request.system, &request.messages).err()?;
        Some(format!("the request of turn {} has at least {over}: raise it, or shorten the mission and its data", request.turn))
    }

    /// How large a request is: counted as for the ceiling, or else a quarter of its characters.
    fn estimate(&self, request: &Request) -> RequestEstimate {
        let tokens = |messages: &[Message]| match self.definition().compression.ceiling() {
            Some(ceiling) => ceiling.tokens(&request.system, messages),
            None => {
                let contents: usize = messages.iter().map(|message| message.content().chars().count()).sum();
                (request.system.chars().count() + contents) / 4
            }
        };
        let stable = |message: &Message| message.parts.iter().take_while(|part| part.stable).cloned().collect::<Vec<_>>();
        let beginning = request.messages.first().map(|first| Message::new(first.role, stable(first)));
        let (prefix, whole) = (tokens(beginning.as_slice()), tokens(&request.messages));
        let number = |tokens: usize| u64::try_from(tokens).unwrap_or(u64::MAX);
        RequestEstimate { turn: self.turns.len() + 1, prefix: number(prefix), history: number(whole.saturating_sub(prefix)) }
    }

    fn ask(&mut self, asking: Asking, delay: Duration) -> Action {
        self.requests_sent += 1;
        self.asked = self.turns.len() + 1;
        let request = Arc::clone(&asking.request);
        self.phase = Phase::Asking(Box::new(asking));
        Action::AskLlm { request, delay }
    }

    fn request(&mut self) -> Request {
        let turn = self.turns.len() + 1;
        let definition = &self.agent.definition;
        let progress = self.progress();
        let input = render_input(definition, &self.facts, &progress, definition.max_turns.saturating_sub(self.turns.len()));
        // The dialogue repeats what was said of definitions; only a strategy shows them anew.
        let memory = self.histories.compressed.as_ref().map(|_| self.session.memory()).unwrap_or_default();
        let (messages, stats) = self.histories.messages(&memory, &input);
        if stats.is_some() {
            self.usage.compression = stats;
        }
        let tool_names = match self.kind() {
            TurnKind::Normal if definition.output != OutputMode::Json => self.facts.tools.iter().map(|tool| tool.name.clone()).collect(),
            _ => Vec::new(),
        };
        Request {
            system: Arc::clone(&self.facts.system),
            messages,
            turn: u32::try_from(turn).unwrap_or(u32::MAX),
            agent: self.facts.lineage.name.clone(),
            tool_names,
            tools: self.offered_tools(),
            output: definition.output,
            schema: definition.schema(),
            cache: self.facts.options.cache,
            options: self.definition().model_options.clone(),
            ..Request::default()
        }
    }

    /// What the provider is told of the tools, in text mode; nothing when the model must finish, unless it had no turn before.
    fn offered_tools(&self) -> Vec<ToolDefinition> {
        let definition = self.definition();
        let offers = self.kind() == TurnKind::Normal || definition.max_turns == 1;
        let tools = self.facts.tools.iter().filter(|_| offers && definition.output == OutputMode::Text);
        tools.map(using::definition_of).collect()
    }

    /// Go on with an answer of the model.
    pub(super) fn replied(&mut self, asking: Asking, reply: Result<Reply, LlmError>) -> Action {
        if let Some(tokens) = reply.as_ref().ok().and_then(|reply| reply.tokens) {
            self.usage.add_tokens(&tokens);
        }
        let reply = match reply.and_then(Reply::unless_refused) {
            Ok(reply) => reply,
            Err(error) => return self.ask_again(asking, &error),
        };
        if self.is_over_token_budget() {
            return self.over_token_budget();
        }
        match self.definition().output {
            OutputMode::Json => self.answered_with_json(asking, reply),
            OutputMode::Text => self.answered_with_text(asking, reply),
            _ => self.execute(asking, reply),
        }
    }

    fn ask_again(&mut self, asking: Asking, error: &LlmError) -> Action {
        let attempt = asking.request.attempt;
        let Some(delay) = self.definition().llm_retry.wait(attempt, error) else {
            let message = format!("the LLM call failed: {error}");
            return self.stopped(FailKind::Llm, FailReason::LlmError, message);
        };
        if self.time_left().is_some_and(|left| delay >= left) {
            return self.mission_timeout();
        }
        let request = Request { attempt: attempt + 1, ..(*asking.request).clone() };
        self.ask(Asking { request: Arc::new(request), ..asking }, delay)
    }

    fn is_over_token_budget(&self) -> bool {
        let limit = self.facts.options.token_limit;
        limit.is_some_and(|limit| self.usage.total_tokens.is_some_and(|used| used > limit))
    }

    fn over_token_budget(&mut self) -> Action {
        let partial = self.facts.options.on_budget_exceeded == OnBudgetExceeded::ReturnPartial;
        if let Some(step) = partial.then(|| self.fallback()).flatten() {
            return step;
        }
        self.limit(FailReason::BudgetCallbackExceeded, "stopped by the token limit or the budget callback")
    }
}
