//! What a program, tool or agent takes and returns.

use crate::signature::types::{Field, Type};
use crate::signature::{SignatureError, parse};

/// Declared parameters and the type of the result.
///
/// Writing no parameter list (`:int`) differs from writing an empty one (`() -> :int`): without a list the inputs are
/// not declared and stay unchecked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature {
    params: Option<Vec<Field>>,
    is_open: bool,
    result: Type,
}

impl Signature {
    /// A signature from its parts; `params` is `None` when the inputs are not declared.
    pub fn new(params: Option<Vec<Field>>, result: Type) -> Self {
        Signature { params, is_open: false, result }
    }

    /// The same signature, which takes further arguments of any name: `(id :int, …) -> :any`.
    #[must_use]
    pub fn open(self) -> Self {
        Signature { is_open: true, ..self }
    }

    /// The same signature with another result.
    #[must_use]
    pub fn returning(self, result: Type) -> Self {
        Signature { result, ..self }
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
