//! Rust functions as the tools of a session.

use std::fmt;

use indexmap::IndexMap;
use serde::de::value::Error as NoValue;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

use super::{ToolCall, ToolError, ToolResult, ToolSpec, no_tools};
use crate::error::advice::nearest;
use crate::value::{from_value, key_name, to_value};

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
    ///
    /// An argument that the type has no field for is refused, unless the type takes any, as with `#[serde(flatten)]`. With a
    /// [signature](ToolSpec::signature) misspelt and missing arguments are found before the program runs.
    #[must_use]
    pub fn with<A, T, E>(mut self, spec: ToolSpec, mut function: impl FnMut(A) -> Result<T, E> + Send + 'a) -> Self
    where
        A: DeserializeOwned,
        T: Serialize,
        E: fmt::Display + 'static,
    {
        let mut names = FieldNames(None);
        let _no_value = A::deserialize(&mut names);
        let answers = move |call: &ToolCall| {
            names.check(call)?;
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

/// The fields that a type asks serde for; `None` when it takes any, or is not a struct.
struct FieldNames(Option<&'static [&'static str]>);

impl FieldNames {
    /// Errors for an argument that is not among them.
    fn check(&self, call: &ToolCall) -> Result<(), ToolError> {
        let (Some(names), Some(args)) = (self.0, call.args.as_map()) else { return Ok(()) };
        let given = args.iter().filter_map(|(key, _)| key_name(key));
        let Some(unknown) = given.into_iter().find(|name| !names.contains(name)) else { return Ok(()) };
        let meant = nearest(unknown, names.iter().copied()).map(|name| format!("; did you mean :{name}?"));
        let known: Vec<String> = names.iter().map(|name| format!(":{name}")).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let meant = meant.unwrap_or_default();
        Err(ToolError::new(format!("the arguments do not fit: there is no :{unknown}{meant} (arguments: {known})")))
    }
}

impl<'de> Deserializer<'de> for &mut FieldNames {
    type Error = NoValue;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, NoValue> {
        self.0 = Some(fields);
        Err(NoValue::custom("only the names are asked for"))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, NoValue> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue::custom("it is not a struct"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}
