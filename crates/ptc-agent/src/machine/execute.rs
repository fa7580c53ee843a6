//! Running the program of an answer, and what its outcome means for the run.

use std::sync::LazyLock;
use std::time::Duration;

use ptc_chat::{Reply, StopReason};
use ptc_lisp::problems_text;
use ptc_lisp::signature::{ExtraFields, Type, fold_keys, respelled};
use ptc_lisp::values::MAX_NESTING;
use ptc_lisp::values::writable_levels;
use ptc_lisp::{Ending, Limits, Outcome, Problem, Progress, Reason, Value};
use ptc_transcript::{EndingKind, Fail, FailKind, FailReason, FailurePlace, TurnFields, TurnWarning, failure_value};

use super::action::Action;
use super::misspelt::misfits;
use super::state::{Answer, Asking, Phase, Run};
use super::texts;
use crate::approval::ApprovalScope;
use crate::extract::{ExtractError, program_of};
use crate::spec::{MemoryStrategy, SignatureValidation};

/// The keys of `(budget/remaining)`: names that are not held would be allocated and freed in every turn.
static BUDGET: LazyLock<[Value; 6]> =
    LazyLock::new(|| ["turns", "work-turns", "retry-turns", "depth", "tokens", "llm-requests"].map(Value::keyword));

/// The keys under `:depth` there.
static BUDGET_DEPTH: LazyLock<[Value; 2]> = LazyLock::new(|| ["current", "max"].map(Value::keyword));

/// The keys under `:tokens` there.
static BUDGET_TOKENS: LazyLock<[Value; 5]> =
    LazyLock::new(|| ["input", "output", "total", "cache-creation", "cache-read"].map(Value::keyword));

/// Why an answer, a program or its value is not accepted, and the record of it.
pub(super) struct Refused {
    pub reason: FailReason,
    pub message: String,
    pub result: Value,
}

impl Refused {
    pub fn new(reason: FailReason, message: impl Into<String>) -> Refused {
        let message = message.into();
        Refused { result: failure_value(reason.as_str(), &message), reason, message }
    }

    /// The kind of failure when nothing can be corrected.
    pub fn kind(&self) -> FailKind {
        match self.reason {
            FailReason::ReturnValidationFailed | FailReason::ValidationError => FailKind::Validation,
            FailReason::JsonParseError | FailReason::EmptyResponse => FailKind::Llm,
            _ => FailKind::Program,
        }
    }
}

/// The tokens after which the answer was cut.
fn cut_at(answer: &Answer) -> u64 {
    let limit = answer.asking.request.options.max_output_tokens;
    answer.reply.tokens.map_or(u64::from(limit), |tokens| tokens.output)
}

/// Whether a value can be handed over: one that repeats its parts too often cannot be written.
fn check_writable(value: &Value) -> Result<(), Refused> {
    let is_writable = writable_levels(value, MAX_NESTING) == MAX_NESTING;
    is_writable.then_some(()).ok_or_else(|| Refused::new(Reason::MemoryExceeded.into(), texts::REPETITIVE))
}

/// Whether a value means something outside its session: a function there is only its printed form. The value of a program
/// that ends with a definition is the name of that.
///
/// Errors with what to return instead.
fn check_sendable(ending: EndingKind, value: &Value) -> Result<(), String> {
    if ending == EndingKind::Value && matches!(value, Value::Var(_)) {
        return Ok(());
    }
    match value.to_sent_json() {
        Err(error) if error.reason == Reason::InvalidToolArgs => Err(error.message),
        _ => Ok(()),
    }
}

impl Run {
    pub(super) fn execute(&mut self, asking: Asking, reply: Reply) -> Action {
        match program_of(&reply) {
            Ok(program) => self.run_program(asking, texts::with_program(reply, &program), program),
            Err(error) => {
                let reply = texts::with_calls(reply);
                self.without_program(Answer { reply, program: None, asking, time: Duration::ZERO }, &error)
            }
        }
    }

    /// Run a program; if it needs approval, only after it.
    pub(super) fn run_program(&mut self, asking: Asking, reply: Reply, program: String) -> Action {
        let answer = Answer { reply, program: Some(program.clone()), asking, time: Duration::ZERO };
        let asks = self.facts.setup.approval_scope == ApprovalScope::Programs;
        if asks { self.approve_program(answer, program) } else { self.run_answer(answer) }
    }

    /// Start the program of the answer.
    pub(super) fn run_answer(&mut self, mut answer: Answer) -> Action {
        let limits = self.program_limits();
        answer.time = limits.time;
        self.session.set_limits(limits);
        // It holds numbers, which are let in.
        self.session.set_budget(self.budget_value()).unwrap_or_default();
        let may_undo = self.spec().memory_strategy == MemoryStrategy::Rollback;
        self.checkpoint = may_undo.then(|| self.session.checkpoint());
        self.kept.begin_program();
        self.session.start(answer.program.as_deref().unwrap_or_default());
        self.advance(answer)
    }

    fn without_program(&mut self, answer: Answer, error: &ExtractError) -> Action {
        self.last = (Vec::new(), Vec::new());
        let message = match error {
            ExtractError::Empty | ExtractError::OnlyThoughts if answer.reply.stop == StopReason::Length => {
                self.cut_in_thoughts(&answer)
            }
            _ => self.cut_message(&answer).unwrap_or_else(|| error.to_string()),
        };
        let fields = self.fields(&answer, failure_value(FailReason::ParseError.as_str(), &message));
        self.record_failure(fields);
        if !self.definition().is_single_shot() {
            return self.next_turn();
        }
        match error {
            error if error.is_missing() => self.stopped(
                FailKind::Llm,
                FailReason::NoCodeFound,
                format!("the LLM answer contains no program: {message}"),
            ),
            _ => self.stopped(FailKind::Llm, FailReason::ParseError, message),
        }
    }

    /// The limits of a program: its own time, or what the run has left. A program that ended in time before a crash is
    /// now allowed more time: on a busy machine it would otherwise end differently.
    fn program_limits(&self) -> Limits {
        let limits = self.facts.limits(self.spec());
        if !self.facts.setup.is_timed {
            return Limits { time: Duration::MAX, ..limits };
        }
        let recorded = self.facts.setup.resume.as_ref().and_then(|recorded| recorded.turn(self.turns.len() + 1));
        if recorded.is_some_and(|turn| turn.reason != Some(FailReason::Program(Reason::Timeout))) {
            return Limits { time: Duration::MAX, ..limits };
        }
        let time = self.time_left().map_or(limits.time, |left| left.min(limits.time));
        Limits { time, ..limits }
    }

    pub(super) fn advance(&mut self, answer: Answer) -> Action {
        match self.session.advance(self.facts.setup.slice) {
            Progress::Slice => {
                self.phase = Phase::Running(Box::new(answer));
                Action::Slice
            }
            Progress::Calls(calls) => self.call(answer, calls),
            Progress::Done(outcome) => self.ended(answer, outcome),
        }
    }

    fn ended(&mut self, answer: Answer, outcome: Outcome) -> Action {
        let Outcome { ending, prints, missing, tool_calls, warnings, summaries, .. } = outcome;
        let program = answer.program.as_deref().unwrap_or_default();
        let warnings = warnings.iter().map(|warning| TurnWarning::new(warning, program)).collect();
        self.last = (prints.clone(), tool_calls.clone());
        let fields = TurnFields { prints, missing, tool_calls, warnings, ..self.fields(&answer, Value::Nil) };
        if matches!(ending, Ending::Value(_) | Ending::Return(_)) {
            self.summaries.extend(summaries);
        }
        match ending {
            Ending::Value(value) => self.valued(fields, value),
            Ending::Return(value) => self.end_by(EndingKind::Return, fields, &value),
            Ending::Fail(value) => self.end_by(EndingKind::Fail, fields, &value),
            Ending::Error(problems) => {
                let refused = self.refused_for(&answer, &problems);
                let failed_at = problems.first().and_then(|problem| problem.position).map(FailurePlace::from);
                self.failed(TurnFields { failed_at, ..fields }, refused)
            }
            _ => self.broken("the program ended in an unknown way"),
        }
    }

    fn refused_for(&self, answer: &Answer, problems: &[Problem]) -> Refused {
        let reason = problems.first().map_or(FailReason::InternalError, |problem| FailReason::from(problem.reason));
        let cut = (reason == FailReason::ParseError).then(|| self.cut_message(answer)).flatten();
        let timeout = problems.first().filter(|problem| problem.reason == Reason::Timeout);
        let text = match (cut, timeout) {
            (Some(cut), _) => cut,
            (None, Some(problem)) => texts::timeout(answer.time, problem),
            (None, None) => {
                let explained: Vec<Problem> =
                    problems.iter().map(|problem| texts::explained(problem, &self.turns)).collect();
                problems_text(&explained)
            }
        };
        Refused::new(reason, text)
    }

    /// What to say about an answer that the model could not finish.
    fn cut_message(&self, answer: &Answer) -> Option<String> {
        (answer.reply.stop == StopReason::Length).then(|| texts::cut_answer(cut_at(answer)))
    }

    /// What to say about an answer that ended before its program began. The next requests leave more tokens for it, once.
    fn cut_in_thoughts(&mut self, answer: &Answer) -> String {
        if self.left.work.saturating_add(self.left.retry) <= 1 {
            return texts::cut_at_last(cut_at(answer));
        }
        let change = self.relief.next(&self.spec().model_options);
        if let Some(relief) = change {
            self.relief = relief;
        }
        texts::cut_in_thoughts(cut_at(answer), change)
    }

    /// The program ended without a signal.
    fn valued(&mut self, fields: TurnFields, value: Value) -> Action {
        if self.spec().max_turns == 1 && self.spec().retry_turns == 0 {
            return self.end_by(EndingKind::Value, fields, &value);
        }
        let fields = TurnFields { result: value, ..fields };
        match self.memory_over_limit() {
            None => {
                self.record_success(fields);
                self.next_turn()
            }
            Some((size, limit)) => self.over_memory_limit(fields, size, limit),
        }
    }

    /// End the run with this value, unless it is refused.
    fn end_by(&mut self, ending: EndingKind, fields: TurnFields, value: &Value) -> Action {
        let value = match self.accept(ending, value) {
            Ok(value) => value,
            Err(refused) => return self.failed(fields, refused),
        };
        let fields = TurnFields { result: value.clone(), ..fields };
        if ending == EndingKind::Fail {
            self.record_failure(fields);
            return self.end(ending, Err(Fail::explicit(value)));
        }
        self.record_success(fields);
        self.end(ending, Ok(value))
    }

    /// A failed turn: feedback and another try, unless there is only one.
    pub(super) fn failed(&mut self, fields: TurnFields, refused: Refused) -> Action {
        let kind = refused.kind();
        let Refused { reason, message, result } = refused;
        self.record_failure(TurnFields { result, ..fields });
        if self.can_correct() {
            return self.next_turn();
        }
        match reason {
            FailReason::Program(Reason::Timeout | Reason::FuelExceeded | Reason::MemoryExceeded) => {
                self.limit(reason, message)
            }
            _ => self.stopped(kind, reason, message),
        }
    }

    /// The value with which the run may end: keys are as the host reads them, and a returned value fits the signature and
    /// the check of the host.
    fn accept(&self, ending: EndingKind, value: &Value) -> Result<Value, Refused> {
        check_writable(value)?;
        if ending == EndingKind::Fail {
            return Ok(value.clone());
        }
        check_sendable(ending, value).map_err(|problem| self.refused_return(value, vec![problem]))?;
        let definition = self.definition();
        let is_checked = if definition.is_single_shot() {
            definition.spec.validate_single_shot
        } else {
            ending != EndingKind::Value
        };
        if !is_checked && definition.answer_check.is_none() {
            return self.folded(value);
        }
        let extra = match definition.spec.signature_validation {
            SignatureValidation::Disabled | SignatureValidation::WarnOnly => return self.folded(value),
            SignatureValidation::Strict => ExtraFields::Rejected,
            SignatureValidation::Enabled => ExtraFields::Allowed,
        };
        let ty = definition.spec.signature.as_ref().map(ptc_lisp::signature::Signature::result);
        let mut spelled = None;
        if let Some(ty) = ty.filter(|ty| !misfits(value, ty, extra).is_empty()) {
            let findings = misfits(spelled.insert(respelled(value, ty)), ty, extra);
            if !findings.is_empty() {
                return Err(self.refused_return(value, findings.iter().map(ToString::to_string).collect()));
            }
        }
        let folded = self.folded(spelled.as_ref().unwrap_or(value))?;
        match self.host_check(&folded) {
            Ok(()) => Ok(folded),
            Err(problem) => Err(self.refused_return(value, vec![problem])),
        }
    }

    /// What the host asks of the value beyond its signature.
    pub(super) fn host_check(&self, value: &Value) -> Result<(), String> {
        self.definition().answer_check.as_ref().map_or(Ok(()), |check| check(value))
    }

    fn refused_return(&self, value: &Value, problems: Vec<String>) -> Refused {
        let definition = self.definition();
        let ty = definition.spec.signature.as_ref().map_or(&Type::Any, ptc_lisp::signature::Signature::result);
        let reason = match definition.is_single_shot() {
            true => FailReason::ValidationError,
            false => FailReason::ReturnValidationFailed,
        };
        let limit = definition.spec.format_options.feedback_limit;
        let memory = self.session.memory();
        let (message, result) = texts::refused_return(&reason, ty, value, problems, (limit, memory.shown_names()));
        Refused { reason, message, result }
    }

    /// The value with keys as the host reads them: declared ones with `_` instead of `-`, others as written.
    fn folded(&self, value: &Value) -> Result<Value, Refused> {
        let ty: Option<&Type> = self.spec().signature.as_ref().map(ptc_lisp::signature::Signature::result);
        let Some(ty) = ty else { return Ok(value.clone()) };
        fold_keys(value, ty).map_err(|error| Refused::new(error.reason.into(), error.message))
    }

    /// The value of the most recent good turn that has one, if it may be the answer.
    pub(super) fn fallback(&mut self) -> Option<Action> {
        let has_value =
            |turn: &&ptc_transcript::Turn| turn.is_success() && !matches!(turn.result(), Value::Nil | Value::Var(_));
        let turn = self.turns.iter().rev().find(has_value).filter(|_| self.spec().fallback)?.clone();
        let value = self.accept(EndingKind::Fallback, turn.result()).ok()?;
        self.usage.fallback_used = true;
        Some(self.end_with(EndingKind::Fallback, Ok(value), turn.memory().clone()))
    }

    fn memory_over_limit(&self) -> Option<(u64, u64)> {
        let limit = self.spec().memory_limit?;
        let size = self.session.memory_bytes();
        (size > limit).then_some((size, limit))
    }

    fn over_memory_limit(&mut self, fields: TurnFields, size: u64, limit: u64) -> Action {
        let over = Refused::new(FailReason::MemoryLimitExceeded, texts::memory_limit(size, limit));
        if self.spec().memory_strategy == MemoryStrategy::Strict {
            self.record_failure(TurnFields { result: over.result, ..fields });
            return self.limit(over.reason, over.message);
        }
        if let Some(checkpoint) = self.checkpoint.take() {
            // It is of this session.
            self.session.restore(checkpoint).unwrap_or_default();
        }
        let Refused { result, .. } = Refused::new(over.reason, texts::undone(&over.message));
        self.record_failure(TurnFields { result, memory: self.session.memory(), ..fields });
        self.next_turn()
    }

    /// What is known about the turn, apart from what its program did.
    pub(super) fn fields(&self, answer: &Answer, result: Value) -> TurnFields {
        let collects = self.facts.setup.spec.collect_messages;
        TurnFields {
            program: answer.program.clone(),
            memory: self.session.memory(),
            kind: answer.asking.kind,
            messages: collects.then(|| answer.asking.request.messages.clone()),
            progress: answer.asking.progress.clone(),
            tokens: answer.reply.tokens,
            duration: self.now.saturating_sub(answer.asking.since),
            stop: answer.reply.stop.clone(),
            reasoning: answer.reply.reasoning.clone(),
            ..TurnFields::new(self.turns.len() + 1, answer.reply.content.clone(), result)
        }
    }

    /// What `(budget/remaining)` returns during the next program.
    fn budget_value(&self) -> Value {
        let count = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
        let tokens = |n: Option<u64>| Value::Int(i64::try_from(n.unwrap_or(0)).unwrap_or(i64::MAX));
        let map = |keys: &[Value], values: &[Value]| Value::map_from(keys.iter().cloned().zip(values.iter().cloned()));
        let usage = &self.usage;
        let used = [
            usage.input_tokens,
            usage.output_tokens,
            usage.total_tokens,
            usage.cache_creation_tokens,
            usage.cache_read_tokens,
        ];
        // The current turn has been taken, but counts as used only when it is recorded.
        let budget = self.left.budget.left().saturating_add(1);
        let [turns, work, retry] =
            [self.left.work.saturating_add(self.left.retry).min(budget), self.left.work, self.left.retry].map(count);
        let depth = [self.facts.setup.lineage.depth, self.max_depth()].map(count);
        let (depth, tokens_used) = (map(&*BUDGET_DEPTH, &depth), map(&*BUDGET_TOKENS, &used.map(tokens)));
        map(&*BUDGET, &[turns, work, retry, depth, tokens_used, tokens(Some(self.requests_sent))])
    }
}
