//! Rust functions as the tools of a session.

use std::fmt;

use indexmap::IndexMap;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{ToolCall, ToolError, ToolResult, ToolSpec, no_tools};
use crate::value::{from_value, to_value};

/// Answers the calls of one tool.
type Answers<'a> = Box<dyn FnMut(&ToolCall) -> ToolResult + Send + 'a>;

/// Rust functions as the tools of a session: serde reads their arguments and writes their results. They are for hosts whose
/// tools answer at once; others answer [`Progress::Calls`](crate::Progress::Calls) when they can.
///
/// ```
/// use ptc_lisp::{FnTools, Session, SessionOptions, ToolSpec};
///
/// #[derive(serde::Deserialize)]
/// struct Item { item: String }
///
/// let price = |asked: Item| match asked.item.as_str() {
///     "tea" => Ok(350),
///     other => Err(format!("'{other}' is not sold here; there is tea")),
/// };
/// let spec = ToolSpec::new("price").signature("(item :string) -> :int".parse()?);
/// let mut tools = FnTools::new().with(spec, price);
///
/// let mut session = Session::new(SessionOptions { tools: tools.specs(), ..SessionOptions::default() });
/// let outcome = session.run(r#"(* 2 (tool/price {:item "tea"}))"#, &mut |call| tools.answer(call));
/// assert_eq!(outcome.into_typed::<u32>()?, 700);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct FnTools<'a> {
    tools: IndexMap<String, (ToolSpec, Answers<'a>)>,
}

impl<'a> FnTools<'a> {
    /// No tool.
    #[must_use]
    pub fn new() -> FnTools<'a> {
        FnTools::default()
    }

    /// The same with this tool, instead of one of the same name. Its argument is the map of the call as a type of Rust; its
    /// error is the text that the program gets, or a [`ToolError`] that says more.
    #[must_use]
    pub fn with<A, T, E>(mut self, spec: ToolSpec, mut function: impl FnMut(A) -> Result<T, E> + Send + 'a) -> Self
    where
        A: DeserializeOwned,
        T: Serialize,
        E: fmt::Display + 'static,
    {
        let answers = move |call: &ToolCall| {
            let args = from_value(&call.args);
            let args = args.map_err(|error| ToolError::new(format!("the arguments do not fit: {error}")))?;
            let result = function(args).map_err(|error| ToolError::of(&error))?;
            // It has answered, so it was done.
            let unwritten = |error| ToolError::new(format!("the result cannot be written as JSON: {error}"));
            to_value(&result).map_err(|error| unwritten(error).may_have_run(true))
        };
        self.tools.insert(spec.name.clone(), (spec, Box::new(answers)));
        self
    }

    /// What [`SessionOptions::tools`](crate::SessionOptions::tools) takes.
    #[must_use]
    pub fn specs(&self) -> Vec<ToolSpec> {
        self.tools.values().map(|(spec, _)| spec.clone()).collect()
    }

    /// Answer a call.
    ///
    /// Errors as the function does, and for a tool that is not there.
    pub fn answer(&mut self, call: &ToolCall) -> ToolResult {
        match self.tools.get_mut(&*call.name) {
            Some((_, answers)) => answers(call),
            None => no_tools(call),
        }
    }
}
