//! The record of an invocation in the protocol of Restate.

use std::collections::BTreeSet;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use futures::Stream;
use restate_sdk_shared_core::error::codes;
use restate_sdk_shared_core::{
    AwaitResponse, CoreVM, Error, Header, HeaderMap, JournalReplay, NonEmptyValue, NotificationHandle, PayloadOptions,
    RetryPolicy, RunExitResult, TerminalFailure, UnresolvedFuture, VM, VMOptions, Value,
};
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Sleep;

use super::names::StepNames;
use crate::record::{Command, Completion, Handle, Notice, Progress, Record, RecordError, Target};

/// What the engine sends.
pub(crate) type Input = Pin<Box<dyn Stream<Item = Result<Bytes, String>> + Send>>;

/// One invocation, driven once.
pub(crate) struct RestateRecord {
    machine: CoreVM,
    headers: hyper::HeaderMap,
    /// The received bytes of the record, during its replay: see [`RestateRecord::write_over`].
    replayed: Vec<Bytes>,
    input: Input,
    output: UnboundedSender<Bytes>,
    /// Work that runs here or is not on record yet.
    under_way: BTreeSet<Handle>,
    /// How long an invocation without such work is kept.
    suspend_after: Duration,
    /// When it is released.
    idle: Option<Pin<Box<Sleep>>>,
}

/// The start message of an invocation.
pub(crate) struct Invocation {
    /// Key of the object.
    pub key: String,
    pub input: Bytes,
    /// Names of the steps on record.
    pub steps: Vec<String>,
}

/// The outcome of a handler.
#[derive(Debug)]
pub(crate) enum Answer {
    /// This.
    Value(Bytes),
    /// An error for the caller, with an HTTP status code and a text.
    Refused(u16, String),
    /// It is to be driven again after a while: something that it needs is unavailable.
    Later(String),
    /// What it does differs from the record: it ends nevertheless, without a retry. With keys of the state.
    Diverged(Result<Bytes, String>, Vec<(String, Bytes)>),
}

impl RestateRecord {
    /// The machine of a request, and the headers of the response.
    ///
    /// Errors with code and text when the request does not follow the protocol.
    pub fn new(
        headers: hyper::HeaderMap,
        input: Input,
        output: UnboundedSender<Bytes>,
        suspend_after: Duration,
    ) -> Result<(RestateRecord, Vec<Header>), (u16, String)> {
        let machine =
            CoreVM::new(ByName(&headers), VMOptions::default()).map_err(|error| (error.code(), error.to_string()))?;
        let head = machine.get_response_head().headers;
        let (under_way, idle) = (BTreeSet::new(), None);
        let replayed = Vec::new();
        Ok((RestateRecord { machine, headers, replayed, input, output, under_way, suspend_after, idle }, head))
    }

    /// Wait for the start message, and for the whole record.
    pub async fn begun(&mut self) -> Result<Invocation, RecordError> {
        let mut steps = StepNames::default();
        while !self.machine.is_ready_to_execute().map_err(broken)? {
            match std::future::poll_fn(|cx| self.input.as_mut().poll_next(cx)).await {
                Some(Ok(bytes)) => {
                    self.replayed.push(bytes.clone());
                    steps.read(bytes.clone());
                    self.machine.notify_input(bytes);
                }
                Some(Err(problem)) => return Err(RecordError::Gone(problem)),
                None => self.machine.notify_input_closed(),
            }
        }
        let started = self.machine.sys_input().map_err(broken)?;
        Ok(Invocation { key: started.key, input: started.input, steps: steps.names })
    }

    /// Report the handler's outcome, and wait until the engine has received it.
    pub async fn end(mut self, answer: Answer) {
        match answer {
            Answer::Value(value) => {
                if let Err(error) = write(&mut self.machine, NonEmptyValue::Success(value)) {
                    self.write_over(failure(codes::JOURNAL_MISMATCH.into(), error.to_string()), Vec::new());
                }
            }
            Answer::Refused(code, message) => {
                if let Err(error) = write(&mut self.machine, failure(code, message)) {
                    self.write_over(failure(codes::JOURNAL_MISMATCH.into(), error.to_string()), Vec::new());
                }
            }
            Answer::Later(problem) => self.machine.notify_error(Error::new(codes::INTERNAL, problem), None),
            Answer::Diverged(Ok(value), state) => self.write_over(NonEmptyValue::Success(value), state),
            Answer::Diverged(Err(problem), state) => {
                self.write_over(failure(codes::JOURNAL_MISMATCH.into(), problem), state);
            }
        }
        self.let_go().await;
    }

    /// Read until the engine closes the request, and close the response only then: an earlier end is taken for a lost connection.
    pub async fn let_go(mut self) {
        // When the engine is gone, it drives the invocation again.
        let _ = self.flush();
        let RestateRecord { output, mut input, .. } = self;
        let closed = async { while let Some(Ok(_)) = std::future::poll_fn(|cx| input.as_mut().poll_next(cx)).await {} };
        let _ = tokio::time::timeout(Duration::from_secs(60), closed).await;
        drop(output);
    }

    /// End the invocation whatever is on record: the engine would drive one that does not fit its record again and
    /// again. A machine that has found a mismatch sends nothing more, so one that does not replay sends the end.
    fn write_over(&mut self, value: NonEmptyValue, state: Vec<(String, Bytes)>) {
        if !self.replayed.is_empty() {
            let options = VMOptions { journal_replay: JournalReplay::Disabled, ..VMOptions::default() };
            let Ok(mut machine) = CoreVM::new(ByName(&self.headers), options) else { return };
            self.replayed.drain(..).for_each(|bytes| machine.notify_input(bytes));
            if machine.sys_input().is_ok() {
                self.machine = machine;
            }
        }
        for (key, value) in state {
            let _ = self.machine.sys_state_set(key, value, None, PayloadOptions::unstable_serialization());
        }
        if let Err(error) = write(&mut self.machine, value) {
            self.machine.notify_error(Error::new(codes::INTERNAL, error.to_string()), None);
        }
    }

    fn flush(&mut self) -> Result<(), RecordError> {
        let bytes = self.machine.take_output();
        match bytes.is_empty() || self.output.send(bytes).is_ok() {
            true => Ok(()),
            false => Err(RecordError::Gone("it closed the connection".to_owned())),
        }
    }

    fn taken(&mut self, open: &[Handle]) -> Result<Option<Progress>, RecordError> {
        let ready = open.iter().find(|handle| self.machine.is_completed(of(**handle)));
        let Some(handle) = ready else { return Ok(None) };
        let value = self.machine.take_notification(of(*handle)).map_err(broken)?;
        self.under_way.remove(handle);
        Ok(value.map(|value| Progress::Completed(*handle, completion(value))))
    }

    /// Whether no work runs here, and has not for so long that the engine should wait alone.
    fn is_idle(&mut self, cx: &mut Context<'_>) -> bool {
        if !self.under_way.is_empty() {
            self.idle = None;
            return false;
        }
        let idle = self.idle.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.suspend_after)));
        idle.as_mut().poll(cx).is_ready()
    }
}

impl Record for RestateRecord {
    fn begin(&mut self, command: Command) -> Result<(Handle, Option<String>), RecordError> {
        let options = PayloadOptions::unstable_serialization();
        let machine = &mut self.machine;
        let handle = match command {
            Command::Run { name } => machine.sys_run(name).map(|run| run.handle),
            Command::Sleep { name, until_us } => {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).ok();
                machine.sys_sleep(name, Duration::from_micros(until_us), now)
            }
            Command::AwaitPromise(name) => machine.sys_get_promise(name),
            Command::PeekPromise(name) => machine.sys_peek_promise(name),
            Command::CompletePromise(name, value) => {
                machine.sys_complete_promise(name, NonEmptyValue::Success(value), options)
            }
            Command::State(key) => machine.sys_state_get(key, None, options),
            Command::StateKeys => machine.sys_state_get_keys(None),
            Command::Callback => {
                let made = machine.sys_awakeable().map_err(broken)?;
                return Ok((Handle(made.handle.into()), Some(made.id)));
            }
        };
        Ok((Handle(handle.map_err(broken)?.into()), None))
    }

    fn tell(&mut self, notice: Notice) -> Result<(), RecordError> {
        // Notices decide nothing, so their bytes may change with a release.
        let options = PayloadOptions::unstable_serialization();
        let machine = &mut self.machine;
        match notice {
            Notice::SetState(key, value) => machine.sys_state_set(key, value, None, options),
            Notice::ClearState(key) => machine.sys_state_clear(key, None),
            Notice::Send(to, input, after_us) => {
                let after = after_us.map(Duration::from_micros);
                machine.sys_send(target(to), input, after, None, options).map(|_| ())
            }
            Notice::AnswerCallback(id, value) => {
                machine.sys_complete_awakeable(id, NonEmptyValue::Success(value), options)
            }
        }
        .map_err(broken)
    }

    fn is_replaying(&self) -> bool {
        self.machine.state().is_replaying()
    }

    fn propose(&mut self, handle: Handle, value: Bytes) -> Result<(), RecordError> {
        let result = RunExitResult::Success(value);
        self.machine.propose_run_completion(of(handle), result, RetryPolicy::default()).map_err(broken)
    }

    fn poll_progress(&mut self, cx: &mut Context<'_>, open: &[Handle]) -> Poll<Result<Progress, RecordError>> {
        loop {
            self.flush()?;
            if !self.machine.state().is_replaying() {
                self.replayed = Vec::new();
            }
            let any = open.iter().map(|handle| UnresolvedFuture::Single(of(*handle))).collect();
            match self.machine.do_await(UnresolvedFuture::FirstCompleted(any)) {
                Ok(AwaitResponse::AnyCompleted) => {
                    if let Some(progress) = self.taken(open)? {
                        return Poll::Ready(Ok(progress));
                    }
                }
                Ok(AwaitResponse::ExecuteRun(handle)) => {
                    let handle = Handle(handle.into());
                    self.under_way.insert(handle);
                    return Poll::Ready(Ok(Progress::Execute(handle)));
                }
                Ok(AwaitResponse::CancelSignalReceived) => return Poll::Ready(Ok(Progress::Cancelled)),
                Ok(AwaitResponse::WaitingExternalProgress { waiting_input, .. }) => {
                    self.flush()?;
                    if !waiting_input {
                        return Poll::Pending;
                    }
                    match self.input.as_mut().poll_next(cx) {
                        Poll::Ready(Some(Ok(bytes))) => {
                            self.idle = None;
                            self.machine.notify_input(bytes);
                        }
                        Poll::Ready(Some(Err(problem))) => return Poll::Ready(Err(RecordError::Gone(problem))),
                        Poll::Ready(None) => self.machine.notify_input_closed(),
                        // As if the engine had asked for it.
                        Poll::Pending if self.is_idle(cx) => self.machine.notify_input_closed(),
                        Poll::Pending => return Poll::Pending,
                    }
                }
                Ok(AwaitResponse::EphemeralNotificationReady(_)) => {
                    let problem = "the engine answers a question that was not asked";
                    return Poll::Ready(Err(RecordError::Gone(problem.to_owned())));
                }
                Err(error) => {
                    let error = broken(error);
                    if error == RecordError::Suspended {
                        self.flush()?;
                    }
                    return Poll::Ready(Err(error));
                }
            }
        }
    }
}

fn write(machine: &mut CoreVM, value: NonEmptyValue) -> Result<(), RecordError> {
    machine.sys_write_output(value, PayloadOptions::unstable_serialization()).map_err(broken)?;
    machine.sys_end().map_err(broken)
}

fn failure(code: u16, message: String) -> NonEmptyValue {
    NonEmptyValue::Failure(TerminalFailure { code, message, metadata: Vec::new() })
}

fn of(handle: Handle) -> NotificationHandle {
    NotificationHandle::from(handle.0)
}

fn target(target: Target) -> restate_sdk_shared_core::Target {
    restate_sdk_shared_core::Target {
        service: target.service,
        handler: target.handler.to_owned(),
        key: Some(target.key),
        idempotency_key: None,
        scope: None,
        limit_key: None,
        headers: Vec::new(),
    }
}

fn completion(value: Value) -> Completion {
    match value {
        Value::Void => Completion::Empty,
        Value::Success(bytes) => Completion::Value(bytes),
        Value::Failure(failure) => Completion::Failed(failure.code, failure.message),
        Value::StateKeys(keys) => Completion::Keys(keys),
        Value::InvocationId(id) => Completion::Value(Bytes::from(id)),
    }
}

fn broken(error: Error) -> RecordError {
    match error.code() {
        _ if error.is_suspended_error() => RecordError::Suspended,
        code if code == u16::from(codes::JOURNAL_MISMATCH) => {
            RecordError::Diverged(format!("the mission diverges from its record: {}", error.message()))
        }
        _ => RecordError::Gone(error.to_string()),
    }
}

/// Headers as the machine reads them.
struct ByName<'a>(&'a hyper::HeaderMap);

impl HeaderMap for ByName<'_> {
    type Error = hyper::header::ToStrError;

    fn extract(&self, name: &str) -> Result<Option<&str>, Self::Error> {
        self.0.get(name).map(hyper::header::HeaderValue::to_str).transpose()
    }
}
