//! Functions of several shapes as one kind of handler.

use std::fmt;

use ptc_lisp::{BoxFuture, Import, ToolFailure, ToolResult};
use ptc_signature::{Enums, Signature};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::context::ToolContext;

/// A function that can be a tool: sync or async, with or without state, with or without [`ToolContext`]. `M` only tells these apart.
#[diagnostic::on_unimplemented(
    message = "this function cannot be a tool",
    note = "a tool takes its state, if any, one argument struct (Deserialize + JsonSchema), and a ToolContext, if it wants one; it gives Result<T, E> with T: Serialize + JsonSchema and E: Display"
)]
pub trait Handler<S, M>: Send + Sync + 'static {
    /// The signature that the types tell.
    fn signature() -> Signature;

    /// Run one call with these JSON arguments.
    fn call(&self, state: S, args: serde_json::Value) -> BoxFuture<'static, ToolResult>;
}

/// Marks sync functions.
pub struct SyncKind;
/// Marks async functions.
pub struct AsyncKind;
/// Marks functions that take a [`ToolContext`].
pub struct InContext;

impl<F, A, T, E> Handler<(), (SyncKind, fn(A) -> (T, E))> for F
where
    F: Fn(A) -> Result<T, E> + Clone + Send + Sync + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, (): (), args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(off_thread(move || finished(function(read(args)?))))
    }
}

impl<S, F, A, T, E> Handler<S, (SyncKind, fn(S, A) -> (T, E))> for F
where
    F: Fn(S, A) -> Result<T, E> + Clone + Send + Sync + 'static,
    S: Send + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, state: S, args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(off_thread(move || finished(function(state, read(args)?))))
    }
}

impl<F, A, R, T, E> Handler<(), (AsyncKind, fn(A) -> (R, T, E))> for F
where
    F: Fn(A) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<T, E>> + Send + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, (): (), args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(async move { finished(function(read(args)?).await) })
    }
}

impl<S, F, A, R, T, E> Handler<S, (AsyncKind, fn(S, A) -> (R, T, E))> for F
where
    F: Fn(S, A) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<T, E>> + Send + 'static,
    S: Send + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, state: S, args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(async move { finished(function(state, read(args)?).await) })
    }
}

impl<F, A, T, E> Handler<(), (SyncKind, InContext, fn(A) -> (T, E))> for F
where
    F: Fn(A, ToolContext) -> Result<T, E> + Clone + Send + Sync + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, (): (), args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(async move {
            let (context, _open) = ToolContext::guarded();
            off_thread(move || finished(function(read(args)?, context))).await
        })
    }
}

impl<S, F, A, T, E> Handler<S, (SyncKind, InContext, fn(S, A) -> (T, E))> for F
where
    F: Fn(S, A, ToolContext) -> Result<T, E> + Clone + Send + Sync + 'static,
    S: Send + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, state: S, args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(async move {
            let (context, _open) = ToolContext::guarded();
            off_thread(move || finished(function(state, read(args)?, context))).await
        })
    }
}

impl<F, A, R, T, E> Handler<(), (AsyncKind, InContext, fn(A) -> (R, T, E))> for F
where
    F: Fn(A, ToolContext) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<T, E>> + Send + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, (): (), args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(async move {
            let (context, _open) = ToolContext::guarded();
            finished(function(read(args)?, context).await)
        })
    }
}

impl<S, F, A, R, T, E> Handler<S, (AsyncKind, InContext, fn(S, A) -> (R, T, E))> for F
where
    F: Fn(S, A, ToolContext) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<T, E>> + Send + 'static,
    S: Send + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    T: Serialize + JsonSchema + Send + 'static,
    E: fmt::Display + Send + 'static,
{
    fn signature() -> Signature {
        signature_of::<A, T>()
    }

    fn call(&self, state: S, args: serde_json::Value) -> BoxFuture<'static, ToolResult> {
        let function = self.clone();
        Box::pin(async move {
            let (context, _open) = ToolContext::guarded();
            finished(function(state, read(args)?, context).await)
        })
    }
}

fn signature_of<A: JsonSchema, T: JsonSchema>() -> Signature {
    let (args, result) = (schemars::schema_for!(A).to_value(), schemars::schema_for!(T).to_value());
    Signature::from_json_schemas(Some(&args), Some(&result), Enums::Keyword)
}

fn read<A: DeserializeOwned>(args: serde_json::Value) -> Result<A, ToolFailure> {
    serde_json::from_value(args).map_err(|error| ToolFailure::new(format!("the arguments do not fit: {error}")))
}

fn finished<T: Serialize, E: fmt::Display>(result: Result<T, E>) -> ToolResult {
    let value = result.map_err(|error| ToolFailure::new(error.to_string()))?;
    Import::counted().serialized(&value).map_err(|error| ToolFailure::new(format!("the result is no JSON: {error}")))
}

/// Run what may block where it blocks nobody else; without a runtime, right here.
async fn off_thread(work: impl FnOnce() -> ToolResult + Send + 'static) -> ToolResult {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else { return work() };
    match runtime.spawn_blocking(work).await {
        Ok(result) => result,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(ToolFailure::new("the call was cancelled")),
        },
    }
}

/// An error of a tool: any standard error by `?`, or a text by [`ToolError::new`].
///
/// It is not a standard error itself, so that all of them convert to it.
pub struct ToolError {
    message: String,
}

impl ToolError {
    /// An error with this text for the model: say what was wrong and what to send instead.
    pub fn new(message: impl Into<String>) -> ToolError {
        ToolError { message: message.into() }
    }
}

impl<E: std::error::Error> From<E> for ToolError {
    fn from(error: E) -> ToolError {
        ToolError::new(error.to_string())
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ToolError({:?})", self.message)
    }
}
