//! What a run shares with its calls of Python: the context of the caller, its event loop, and exceptions.

use std::sync::{Arc, Mutex, PoisonError};

use ptc_runner::agent::CancellationToken;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tokio::sync::oneshot;

use crate::attached::attached;

/// What a program reads when Python ends while it waits.
pub(crate) const SHUTTING_DOWN: &str = "Python is shutting down";

/// An exception that ends a run, for the caller that started it; the first one wins.
#[derive(Clone, Default)]
pub(crate) struct Interruption {
    error: Arc<Mutex<Option<PyErr>>>,
    /// Cancelled with the first exception.
    pub(crate) cancel: CancellationToken,
}

impl Interruption {
    pub(crate) fn raise(&self, error: PyErr) {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.cancel.cancel();
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The caller of a run, as its tools and its model need it.
pub(crate) struct Host {
    pub(crate) interruption: Interruption,
    /// A `contextvars.Context`: each call runs in a copy, since only one thread can be in a context.
    context: Py<PyAny>,
    /// Exceptions of tools by `(tool, text)`, and the last one of the model by `None`.
    pub(crate) raised: Py<PyDict>,
    /// Takes an object and an [`Answer`]: awaits the object on the loop of the caller, and returns what cancels that, or
    /// returns None when there is nothing to await. Without it, functions wait in their threads.
    on_loop: Option<Py<PyAny>>,
    /// Memory limit of programs.
    pub(crate) memory: u64,
}

impl Host {
    pub(crate) fn new(context: Py<PyAny>, raised: Py<PyDict>, on_loop: Option<Py<PyAny>>, memory: u64) -> Host {
        Host { interruption: Interruption::default(), context, raised, on_loop, memory }
    }

    /// The method of `ptc_runner.Tool` that calls the function.
    pub(crate) fn invoke(&self) -> &'static str {
        if self.on_loop.is_some() { "_start" } else { "_answer" }
    }

    /// Call a function in the context of the caller.
    pub(crate) fn call<'py, const N: usize>(
        &self,
        py: Python<'py>,
        function: &Bound<'py, PyAny>,
        args: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let context = self.context.bind(py).call_method0(intern!(py, "copy"))?;
        let args: Vec<_> = std::iter::once(function.clone()).chain(args).collect();
        context.call_method1(intern!(py, "run"), PyTuple::new(py, args)?)
    }

    /// What `work` gives on a separate thread, awaited if it can be.
    ///
    /// The outer error is a text: no answer will arrive.
    pub(crate) async fn called<E: From<PyErr> + Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(Python<'_>) -> Result<Py<PyAny>, E> + Send + 'static,
    ) -> Result<Result<Py<PyAny>, E>, String> {
        let (host, shared) = (Arc::clone(self), Arc::default());
        let _cancels = CancelOnDrop(Arc::clone(&shared));
        let made = off_thread(move || attached(|py| host.begun(py, &shared, work(py)?))).await?.ok_or(SHUTTING_DOWN)?;
        match made {
            Ok(Begun::Done(value)) => Ok(Ok(value)),
            Ok(Begun::Awaited(answer)) => {
                let answered = answer.await.map_err(|_| "its event loop ended without an answer".to_owned())?;
                Ok(answered.map_err(E::from))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Have the loop of the caller await an object, if there is something to await.
    fn begun<E: From<PyErr>>(&self, py: Python<'_>, shared: &Mutex<Await>, object: Py<PyAny>) -> Result<Begun, E> {
        let Some(on_loop) = &self.on_loop else { return Ok(Begun::Done(object)) };
        let (sender, receiver) = oneshot::channel();
        let answer = Bound::new(py, Answer(Mutex::new(Some(sender))))?;
        let cancel = on_loop.bind(py).call1((&object, answer))?;
        if cancel.is_none() {
            return Ok(Begun::Done(object));
        }
        if matches!(Await::set(shared, Await::Posted(cancel.clone().unbind())), Await::GivenUp) {
            cancel.call0()?;
        }
        Ok(Begun::Awaited(receiver))
    }
}

/// A call that has begun.
enum Begun {
    Done(Py<PyAny>),
    Awaited(oneshot::Receiver<PyResult<Py<PyAny>>>),
}

/// What is known of an object that the loop may await: shared by the thread that gets the object, and by those who wait.
#[derive(Default)]
enum Await {
    #[default]
    Unknown,
    /// It is awaited; this cancels that, and has no effect on what has ended.
    Posted(Py<PyAny>),
    /// Nobody waits any more.
    GivenUp,
}

impl Await {
    fn set(shared: &Mutex<Await>, state: Await) -> Await {
        std::mem::replace(&mut *shared.lock().unwrap_or_else(PoisonError::into_inner), state)
    }
}

/// Cancels what is awaited when nobody waits for it any more.
struct CancelOnDrop(Arc<Mutex<Await>>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        if let Await::Posted(cancel) = Await::set(&self.0, Await::GivenUp) {
            // A loop that has ended has nothing to cancel.
            let _ = attached(|py| cancel.call0(py).map(drop));
        }
    }
}

/// Takes the answer of something that is awaited on the loop of the caller.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Answer(Mutex<Option<oneshot::Sender<PyResult<Py<PyAny>>>>>);

#[pymethods]
impl Answer {
    /// It gave this.
    fn set(&self, value: Py<PyAny>) {
        self.send(Ok(value));
    }

    /// It raised this.
    fn fail(&self, error: Bound<'_, PyAny>) {
        self.send(Err(PyErr::from_value(error)));
    }
}

impl Answer {
    fn send(&self, answer: PyResult<Py<PyAny>>) {
        if let Some(sender) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            // What waited for it may have given up.
            let _ = sender.send(answer);
        }
    }
}

/// Do work that may wait for Python where nothing else waits for it.
///
/// Errors with a text when the thread ended without a result.
async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|stopped| format!("its thread ended without an answer: {stopped}"))
}
