//! Drives a handler over the record of an engine, so that it takes the same course each time.
//!
//! A handler is any future: branches may wait at the same time. Completions decide its course. It gets them one at a
//! time, each only when all branches wait for the engine or for their own work. So the branches start their next
//! commands in the same order each time, and the engine finds them as recorded.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

use bytes::Bytes;
use futures::channel::oneshot;
use futures::future::{Either, select};
use futures::task::AtomicWaker;
use tokio_util::sync::CancellationToken;

use crate::record::{Command, Completion, Handle, Notice, Progress, Record, RecordError};

/// How often a handler that wakes itself is polled before other tasks of the runtime are.
const POLLS_AT_ONCE: usize = 32;

/// A handler's access to its invocation.
#[derive(Clone, Default)]
pub struct InvocationContext {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    asked: Mutex<VecDeque<PumpRequest>>,
    /// Branches that will soon continue on their own.
    resting: AtomicUsize,
    /// Whether this process has done the work of a step.
    has_worked: AtomicBool,
    cancel: CancellationToken,
    /// Why the invocation is put off.
    put_off: Mutex<Option<String>>,
}

enum PumpRequest {
    Begin(Command, Answers),
    Tell(Notice),
    Propose(Handle, Bytes),
    /// Whether everything so far was as recorded.
    Check(oneshot::Sender<Result<(), RecordError>>),
    /// Whether no command is left on record.
    AtEnd(oneshot::Sender<bool>),
}

/// Where the answers to a command go.
struct Answers {
    begun: oneshot::Sender<Begun>,
    execute: oneshot::Sender<()>,
    reply: oneshot::Sender<Reply>,
}

/// The other side of it.
struct Begin {
    begun: oneshot::Receiver<Begun>,
    execute: oneshot::Receiver<()>,
    reply: oneshot::Receiver<Reply>,
}

/// A command that was started: its handle, and the id of a callback.
type Begun = Result<(Handle, Option<String>), RecordError>;

/// What came back.
type Reply = Result<Completion, RecordError>;

/// How an invocation ended.
pub enum InvocationEnd<T> {
    /// The handler is done.
    Done(T),
    /// The process has to release it.
    Dropped,
    /// Something that it needs is unavailable.
    PutOff(String),
}

impl InvocationContext {
    /// The result of this work, and whether it was done just now.
    ///
    /// Errors when the record continues differently.
    pub async fn run(&self, name: String, work: impl Future<Output = Bytes>) -> Result<(Bytes, bool), RecordError> {
        let work = async {
            self.shared.has_worked.store(true, Ordering::Relaxed);
            work.await
        };
        self.step(name, work).await
    }

    /// Put this on record before the handler continues; returns what is there.
    pub async fn note(&self, name: String, value: Bytes) -> Result<Bytes, RecordError> {
        Ok(self.step(name, async { value }).await?.0)
    }

    async fn step(&self, name: String, work: impl Future<Output = Bytes>) -> Result<(Bytes, bool), RecordError> {
        let Begin { begun, execute, reply } = self.begin(Command::Run { name });
        let (handle, _) = received(begun).await?;
        match select(execute, reply).await {
            Either::Left((Ok(()), reply)) => {
                let made = work.await;
                self.ask(PumpRequest::Propose(handle, made));
                Ok((value(received(reply).await?)?, true))
            }
            // What is on record is not executed.
            Either::Left((Err(_), reply)) => Ok((value(received(reply).await?)?, false)),
            Either::Right((Ok(reply), _)) => Ok((value(reply?)?, false)),
            Either::Right((Err(_), _)) => std::future::pending().await,
        }
    }

    /// Wait until this time: microseconds since 1970.
    pub async fn sleep_until(&self, name: String, until_us: u64) -> Result<(), RecordError> {
        self.completion(Command::Sleep { name, until_us }).await.map(|_| ())
    }

    /// The value of a promise of this mission, once it has one.
    pub async fn promise(&self, name: String) -> Result<Bytes, RecordError> {
        value(self.completion(Command::AwaitPromise(name)).await?)
    }

    /// Whether a promise of this mission has its value.
    pub async fn has_promise(&self, name: String) -> Result<bool, RecordError> {
        Ok(matches!(self.completion(Command::PeekPromise(name)).await?, Completion::Value(_)))
    }

    /// Give a promise its value; false when it already had one.
    pub async fn complete_promise(&self, name: String, with: Bytes) -> Result<bool, RecordError> {
        Ok(!matches!(self.completion(Command::CompletePromise(name, with)).await?, Completion::Failed(..)))
    }

    /// The value under this key of the state.
    pub async fn state(&self, key: &str) -> Result<Option<Bytes>, RecordError> {
        match self.completion(Command::State(key.to_owned())).await? {
            Completion::Value(value) => Ok(Some(value)),
            _ => Ok(None),
        }
    }

    /// The keys of the state.
    pub async fn state_keys(&self) -> Result<Vec<String>, RecordError> {
        match self.completion(Command::StateKeys).await? {
            Completion::Keys(keys) => Ok(keys),
            _ => Ok(Vec::new()),
        }
    }

    /// An id to which a value can be sent, and that value.
    pub async fn callback(
        &self,
    ) -> Result<(String, impl Future<Output = Result<Completion, RecordError>> + use<>), RecordError> {
        let Begin { begun, reply, .. } = self.begin(Command::Callback);
        let (_, id) = received(begun).await?;
        Ok((id.unwrap_or_default(), received(reply)))
    }

    /// Put something on record that has no completion.
    pub fn tell(&self, notice: Notice) {
        self.ask(PumpRequest::Tell(notice));
    }

    /// Whether everything that was recorded until now agrees with the existing record.
    pub async fn fits(&self) -> Result<(), RecordError> {
        let (answer, fits) = oneshot::channel();
        self.ask(PumpRequest::Check(answer));
        received(fits).await
    }

    /// Whether the handler has done again what is on record and this process has added nothing but notes.
    pub async fn is_at_end(&self) -> bool {
        let (answer, at_end) = oneshot::channel();
        self.ask(PumpRequest::AtEnd(answer));
        received(at_end).await && !self.shared.has_worked.load(Ordering::Relaxed)
    }

    /// Cancelled when the invocation is asked to end.
    pub fn cancel(&self) -> CancellationToken {
        self.shared.cancel.clone()
    }

    /// Release the invocation: the engine drives it again after a while. For things that are temporarily unavailable.
    pub async fn put_off<T>(&self, problem: String) -> T {
        lock(&self.shared.put_off).get_or_insert(problem);
        std::future::pending().await
    }

    /// Yield to other tasks of the runtime, and continue on our own.
    pub async fn rest(&self) {
        self.beside(tokio::task::yield_now()).await;
    }

    /// Wait for something that is neither on record nor the work of a step, such as reading a large value. No
    /// completion is delivered until it is done, so its duration decides nothing, and the process does not release the
    /// invocation.
    pub async fn beside<T>(&self, work: impl Future<Output = T>) -> T {
        let _resting = Resting::begin(&self.shared.resting);
        work.await
    }

    /// Waits for the answer: not before the command is on record.
    async fn completion(&self, command: Command) -> Result<Completion, RecordError> {
        let Begin { begun, reply, .. } = self.begin(command);
        received(begun).await?;
        received(reply).await
    }

    fn begin(&self, command: Command) -> Begin {
        let (begun, execute, reply) = (oneshot::channel(), oneshot::channel(), oneshot::channel());
        self.ask(PumpRequest::Begin(command, Answers { begun: begun.0, execute: execute.0, reply: reply.0 }));
        Begin { begun: begun.1, execute: execute.1, reply: reply.1 }
    }

    fn ask(&self, asked: PumpRequest) {
        lock(&self.shared.asked).push_back(asked);
    }
}

struct Resting<'a>(&'a AtomicUsize);

impl<'a> Resting<'a> {
    fn begin(count: &'a AtomicUsize) -> Resting<'a> {
        count.fetch_add(1, Ordering::Relaxed);
        Resting(count)
    }
}

impl Drop for Resting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The pump answers everything while it drives; when it stops, the handler is dropped.
async fn received<T>(receiver: oneshot::Receiver<T>) -> T {
    match receiver.await {
        Ok(received) => received,
        Err(_) => std::future::pending().await,
    }
}

fn value(completion: Completion) -> Result<Bytes, RecordError> {
    match completion {
        Completion::Value(value) => Ok(value),
        Completion::Empty | Completion::Keys(_) => Ok(Bytes::new()),
        Completion::Failed(code, text) => Err(RecordError::Diverged(format!("{text} (code {code})"))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Drive a handler to its end, or until the process has to release it.
pub async fn drive<R: Record, T, F: Future<Output = T>>(
    record: &mut R,
    handler: impl FnOnce(InvocationContext) -> F,
) -> InvocationEnd<T> {
    let given = InvocationContext::default();
    let shared = Arc::clone(&given.shared);
    // The budget of tokio has a branch wake up only after the task has yielded: it would seem to wait for the engine.
    let mut work = pin!(tokio::task::unconstrained(handler(given)));
    let alarm = Arc::new(Alarm::default());
    let inner = Waker::from(Arc::clone(&alarm));
    let mut open = Open { record, shared: &shared, waiting: Vec::new(), broken: None };
    poll_fn(|cx| {
        alarm.outer.register(cx.waker());
        loop {
            for round in 0.. {
                alarm.rang.store(false, Ordering::Relaxed);
                if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(&inner)) {
                    let told = open.take_asked();
                    return Poll::Ready(told.map_or(InvocationEnd::Dropped, |_| InvocationEnd::Done(done)));
                }
                if !alarm.rang.load(Ordering::Relaxed) {
                    break;
                }
                // Its alarm has woken this task, too.
                if round == POLLS_AT_ONCE {
                    return Poll::Pending;
                }
            }
            if let Some(problem) = lock(&shared.put_off).take() {
                return Poll::Ready(InvocationEnd::PutOff(problem));
            }
            match open.take_asked() {
                Ok(true) => continue,
                Ok(false) => {}
                Err(_) => return Poll::Ready(InvocationEnd::Dropped),
            }
            if shared.resting.load(Ordering::Relaxed) > 0 {
                return Poll::Pending;
            }
            match open.advance(cx) {
                Poll::Ready(Ok(())) => {}
                Poll::Ready(Err(_)) => return Poll::Ready(InvocationEnd::Dropped),
                Poll::Pending => return Poll::Pending,
            }
        }
    })
    .await
}

/// What was started and has not completed.
struct Open<'a, R> {
    record: &'a mut R,
    shared: &'a Shared,
    waiting: Vec<Waiting>,
    /// How the handler's course differs from the record.
    broken: Option<RecordError>,
}

impl<R: Record> Open<'_, R> {
    /// Do what the handler asked for; returns whether that may let it continue.
    fn take_asked(&mut self) -> Result<bool, RecordError> {
        let mut goes_on = false;
        loop {
            let Some(asked) = lock(&self.shared.asked).pop_front() else { return Ok(goes_on) };
            goes_on |= matches!(asked, PumpRequest::Begin(..) | PumpRequest::Check(_) | PumpRequest::AtEnd(_));
            match self.take(asked) {
                Ok(()) => {}
                Err(error @ RecordError::Diverged(_)) => {
                    self.break_with(error);
                    goes_on = true;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn take(&mut self, asked: PumpRequest) -> Result<(), RecordError> {
        match asked {
            PumpRequest::Begin(command, Answers { begun, execute, reply }) => {
                let given = self.broken.clone().map_or_else(|| self.record.begin(command), Err);
                // A dropped branch does not need it.
                let _ = begun.send(given.clone());
                let (handle, _) = given?;
                self.waiting.push(Waiting { handle, execute: Some(execute), reply });
                Ok(())
            }
            PumpRequest::Check(answer) => {
                let _ = answer.send(self.broken.clone().map_or(Ok(()), Err));
                Ok(())
            }
            PumpRequest::AtEnd(answer) => {
                let _ = answer.send(self.broken.is_none() && !self.record.is_replaying());
                Ok(())
            }
            _ if self.broken.is_some() => Ok(()),
            PumpRequest::Tell(notice) => self.record.tell(notice),
            PumpRequest::Propose(handle, value) => self.record.propose(handle, value),
        }
    }

    /// Take one more message from the engine.
    fn advance(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), RecordError>> {
        if self.broken.is_some() {
            // Nothing more arrives except from the handler's own work.
            return Poll::Pending;
        }
        self.waiting.retain(|waiting| !waiting.reply.is_canceled());
        let open: Vec<Handle> = self.waiting.iter().map(|waiting| waiting.handle).collect();
        let progress = match self.record.poll_progress(cx, &open) {
            Poll::Pending => return Poll::Pending,
            Poll::Ready(progress) => progress,
        };
        match progress {
            Ok(Progress::Completed(handle, completion)) => {
                if let Some(index) = self.waiting.iter().position(|waiting| waiting.handle == handle) {
                    let _ = self.waiting.swap_remove(index).reply.send(Ok(completion));
                }
            }
            // It stays open: a process does not release running work.
            Ok(Progress::Execute(handle)) => {
                let waiting = self.waiting.iter_mut().find(|waiting| waiting.handle == handle);
                let _ = waiting.and_then(|waiting| waiting.execute.take()).map(|execute| execute.send(()));
            }
            Ok(Progress::Cancelled) => self.shared.cancel.cancel(),
            Err(error @ RecordError::Diverged(_)) => self.break_with(error),
            Err(error) => return Poll::Ready(Err(error)),
        }
        Poll::Ready(Ok(()))
    }

    fn break_with(&mut self, error: RecordError) {
        for waiting in self.waiting.drain(..) {
            let _ = waiting.reply.send(Err(error.clone()));
        }
        self.broken.get_or_insert(error);
    }
}

/// A branch that waits.
struct Waiting {
    handle: Handle,
    /// Until the work is asked to start.
    execute: Option<oneshot::Sender<()>>,
    reply: oneshot::Sender<Reply>,
}

/// Wakes the task, and remembers it: a handler that was woken while it was polled has more to do.
#[derive(Default)]
struct Alarm {
    rang: AtomicBool,
    outer: AtomicWaker,
}

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rang.store(true, Ordering::Relaxed);
        self.outer.wake();
    }
}
