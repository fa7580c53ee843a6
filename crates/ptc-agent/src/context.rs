//! The input of a run: what programs read as `data/`.

use ptc_lisp::{ExtraFields, Finding, Import, Map, PathStep, Value, coerce, validate};
use ptc_signature::{Field, Signature};
use serde::Serialize;

use crate::error::AgentError;
use crate::options::SignatureValidation;

/// The input data of a run; it does not count for the memory limits of programs.
#[derive(Debug, Clone, Default)]
pub struct Context {
    data: Map,
}

impl Context {
    /// The entries of a map or struct; nothing for `()` and `None`.
    ///
    /// Errors when the value is anything else, or cannot be written as JSON.
    pub fn new(value: impl Serialize) -> Result<Context, AgentError> {
        match Import::external().serialized(&value).map_err(|error| AgentError::Context(error.to_string()))? {
            Value::Nil => Ok(Context::default()),
            Value::Map(data) => Ok(Context { data }),
            other => Err(AgentError::Context(format!("got a {}", other.kind()))),
        }
    }

    /// Data that was imported before. Mark it external, or it counts for the memory of programs.
    #[must_use]
    pub fn from_map(data: Map) -> Context {
        Context { data }
    }

    /// The names of its entries, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        self.data.iter().map(|(key, _)| name_of(key).to_owned()).collect()
    }

    /// The data, held against the declared inputs.
    pub(crate) fn checked(self, signature: Option<&Signature>, mode: SignatureValidation) -> Result<Map, AgentError> {
        if self.data.get_named("fail").is_some() {
            return Err(AgentError::ReservedDataKey("fail".to_owned()));
        }
        let params = signature.map(Signature::params).unwrap_or_default();
        let mut changed = Vec::new();
        for param in params {
            let known = self.data.get_named(&param.name);
            match input(param, known, mode) {
                Ok(Some(value)) => changed.push((Value::keyword(&param.name), value)),
                Ok(None) => {}
                Err(_) if mode == SignatureValidation::WarnOnly => {}
                Err(mut finding) => {
                    finding.path.insert(0, PathStep::Name(param.name.clone()));
                    return Err(AgentError::ContextType(finding));
                }
            }
        }
        Ok(replaced(self.data, changed))
    }
}

/// The converted value of an input that does not fit as it is.
fn input(param: &Field, known: Option<&Value>, mode: SignatureValidation) -> Result<Option<Value>, Finding> {
    if mode == SignatureValidation::Disabled {
        return Ok(None);
    }
    let Some(value) = known else {
        let missing = Finding { path: Vec::new(), message: "required input is missing".to_owned() };
        return if param.ty.accepts_absent() { Ok(None) } else { Err(missing) };
    };
    let strict = mode == SignatureValidation::Strict;
    let extra = if strict { ExtraFields::Rejected } else { ExtraFields::Allowed };
    match validate(value, &param.ty, extra).into_iter().next() {
        None => Ok(None),
        Some(finding) if strict => Err(finding),
        Some(_) => coerce(value, &param.ty).map(|(value, _)| Some(value)),
    }
}

fn name_of(key: &Value) -> &str {
    match key {
        Value::Keyword(name) => name.as_str(),
        other => other.as_str().unwrap_or_default(),
    }
}

fn replaced(data: Map, changed: Vec<(Value, Value)>) -> Map {
    if changed.is_empty() {
        return data;
    }
    let entries = data.iter().map(|(key, value)| {
        let new = changed.iter().find(|(name, _)| name_of(name) == name_of(key)).map(|(_, value)| value);
        (key.clone(), new.unwrap_or(value).clone())
    });
    match Value::map_from(entries) {
        Value::Map(map) => map,
        _ => data,
    }
}
