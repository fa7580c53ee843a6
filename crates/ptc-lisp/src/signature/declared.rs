//! What a program, tool or agent takes and returns.

use std::sync::Arc;

use serde_json::Value as Json;

use crate::signature::types::{self, Field, Type};
use crate::signature::{SignatureError, parse, schema};

/// The contract of a program, tool or agent: declared parameters and the type of the result.
///
/// - writing no parameter list (`:int`) differs from writing an empty one (`() -> :int`): without a list the inputs are
///   not declared and stay unchecked
/// - a signature that was read from JSON Schemas keeps them: they say more than a line can, see [`Signature::lines`]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature {
    params: Option<Vec<Field>>,
    is_open: bool,
    result: Type,
    /// The schema that the parameters were read from.
    pub(super) input: Option<Arc<Json>>,
    /// The schema that the result was read from.
    pub(super) output: Option<Arc<Json>>,
}

impl Signature {
    /// A signature from its parts; `params` is `None` when the inputs are not declared.
    pub fn new(params: Option<Vec<Field>>, result: Type) -> Self {
        Signature { params, is_open: false, result, input: None, output: None }
    }

    /// The same signature, which takes further arguments of any name: `(id :int, …) -> :any`.
    #[must_use]
    pub fn open(self) -> Self {
        Signature { is_open: true, ..self }
    }

    /// The same signature with another result.
    #[must_use]
    pub fn returning(self, result: Type) -> Self {
        Signature { result, output: None, ..self }
    }

    /// Say what a parameter is, or a field of one: `"city"`, `"filter.size"`, where lists and maps from keys to values are
    /// passed through. False when there is no such parameter.
    ///
    /// ```
    /// use ptc_lisp::signature::Signature;
    ///
    /// let mut weather = Signature::parse("(city :string, days :int = 1 (1 to 7)) -> :map").unwrap();
    /// assert!(weather.describe("city", "A zip code, not a name") && !weather.describe("zip", ""));
    /// assert_eq!(weather.to_string(), r#"(city :string "A zip code, not a name", days :int = 1 (1 to 7)) -> :map"#);
    /// assert_eq!(weather.lines(), ["city string; A zip code, not a name", "days integer; minimum 1; maximum 7; default 1"]);
    /// ```
    pub fn describe(&mut self, path: &str, about: &str) -> bool {
        match &mut self.input {
            Some(schema) => schema::describe(Arc::make_mut(schema), path, about),
            None => types::describe(self.params.as_deref_mut().unwrap_or_default(), path, about),
        }
    }

    /// Whether it takes arguments that are not declared.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Reads `(name type, …) -> type`, or a type alone.
    ///
    /// - errors: position, what was found and what to write instead
    /// - cost: linear in the length of `text`
    pub fn parse(text: &str) -> Result<Signature, SignatureError> {
        parse::signature(text)
    }

    /// Reads the signature of a tool, which may also be written `-> type`.
    pub fn parse_tool(text: &str) -> Result<Signature, SignatureError> {
        parse::tool_signature(text)
    }

    /// The declared parameters in order; empty also when none are declared.
    pub fn params(&self) -> &[Field] {
        self.params.as_deref().unwrap_or_default()
    }

    /// Whether a parameter list was written, even an empty one.
    pub fn declares_params(&self) -> bool {
        self.params.is_some()
    }

    /// The declared parameter of exactly this name.
    pub fn param(&self, name: &str) -> Option<&Field> {
        self.params().iter().find(|param| param.name == name)
    }

    /// The type of the result.
    pub fn result(&self) -> &Type {
        &self.result
    }
}
