//! Tools made of Rust functions: names, types and documentation come from the function's argument and result types.

mod context;
mod handler;
mod result;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use ptc_lisp::{BoxFuture, Effect, ToolCall, ToolError, ToolResult, ToolSpec};

pub use context::ToolContext;
pub use handler::Handler;
pub use result::tool_result;

/// A Rust function that programs may call. Sync and async functions are wrapped the same way.
///
/// The function takes one struct, `Deserialize + JsonSchema`, whose fields are the parameters (a text, a number or a list is
/// the parameter `value`), and returns
/// `Result<T, E>` with `T: Serialize + JsonSchema`; the model reads the text of an error. With [`ToolError`] as the
/// error, `?` works on every standard error. A sync function may block: it runs on a thread for that. A last parameter
/// [`ToolContext`] tells the function which call it answers, until when, and whether the caller still waits.
///
/// ```
/// use ptc_agent::{FnTool, ToolError};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Stay { nights: u32 }
///
/// async fn price(stay: Stay) -> Result<f64, ToolError> {
///     Ok(89.5 * f64::from(stay.nights))
/// }
///
/// let tool = FnTool::new("price", "Price of a stay", price);
/// assert_eq!(tool.spec().signature.as_ref().unwrap().to_string(), "(nights :int (at least 0)) -> :float");
/// ```
#[derive(Clone)]
pub struct FnTool {
    spec: ToolSpec,
    call: Call,
}

type Call = Arc<dyn Fn(serde_json::Value) -> BoxFuture<'static, ToolResult> + Send + Sync>;

impl FnTool {
    /// A tool of this name over `function`; `doc` is the line that the model reads.
    pub fn new<M, F: Handler<(), M>>(name: impl Into<String>, doc: impl Into<String>, function: F) -> FnTool {
        FnTool::with_state(name, doc, (), function)
    }

    /// Like [`FnTool::new`], for a function that takes `state` first: cloned for every call, so put what is large or
    /// shared into an `Arc`.
    pub fn with_state<S, M, F>(name: impl Into<String>, doc: impl Into<String>, state: S, function: F) -> FnTool
    where
        S: Clone + Send + Sync + 'static,
        F: Handler<S, M>,
    {
        let spec = ToolSpec::new(name).description(doc).signature(F::signature());
        let function = Arc::new(function);
        FnTool { spec, call: Arc::new(move |args| function.call(state.clone(), args)) }
    }

    /// How long one call may take; 60 s by default.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> FnTool {
        self.spec.timeout = Some(time);
        self
    }

    /// Equal calls of a run are answered once; failures are asked again.
    #[must_use]
    pub fn cache(mut self) -> FnTool {
        self.spec.cache = true;
        self
    }

    /// A call may be repeated when it is unknown whether it was done.
    #[must_use]
    pub fn idempotent(mut self) -> FnTool {
        self.spec.idempotent = true;
        self
    }

    /// Each call needs approval, except where the cache answers: see [`Approver`](crate::Approver).
    #[must_use]
    pub fn approve(mut self) -> FnTool {
        self.spec.approve = true;
        self
    }

    /// Whether calls change anything outside of the run; [`Effect::Write`] by default.
    ///
    /// Answers of tools that read are kept when a program fails, and given to equal calls of the next one. Calls of
    /// tools that write stay in the view of the model.
    #[must_use]
    pub fn effect(mut self, effect: Effect) -> FnTool {
        self.spec = self.spec.effect(effect);
        self
    }

    /// What models and the interpreter see of the tool.
    #[must_use]
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }
}

impl ptc_lisp::Tool for FnTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, call: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async move {
            let args = call.args.to_json().map_err(|error| ToolError::new(error.message))?;
            (self.call)(args).await
        })
    }
}

impl fmt::Debug for FnTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool").field("spec", &self.spec).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
