//! The input of a run: what programs read as `data/`.

use indexmap::IndexMap;
use ptc_lisp::signature::{ExtraFields, Field, Finding, PathStep, Signature, coerce, validate};
use ptc_lisp::values::key_name;
use ptc_lisp::{Import, Map, Value};
use ptc_transcript::{Fail, FailKind, FailReason, Step, ValueForm, json_of};
use serde::Serialize;

use crate::error::AgentError;
use crate::rules;
use crate::spec::SignatureValidation;

/// The input data of a run. It does not count towards the memory limits of programs, unless it was given to
/// [`Context::from_map`] without being imported as host data.
#[derive(Debug, Clone, Default)]
pub struct Context {
    pub(crate) data: Map,
    /// What the previous run left, when the data is its answer.
    pub(crate) upstream: Option<Upstream>,
}

/// The previous run.
#[derive(Debug, Clone)]
pub(crate) struct Upstream {
    /// What the fields of its answer mean.
    pub descriptions: IndexMap<String, String>,
    /// Why it has no answer.
    pub fail: Option<Fail>,
}

/// What a run takes as its input: a map or struct that implements `Serialize`, `()` for none, or a [`Context`].
///
/// ```
/// use ptc_agent::{Agent, Context, RunOptions, blocking};
/// use ptc_chat::ScriptedLlm;
///
/// let agent = Agent::builder("Count the rows.").build()?;
/// let options = || RunOptions::new().llm(std::sync::Arc::new(ScriptedLlm::replies(["(return (count data/rows))"])));
/// let step = blocking::run_with(&agent, serde_json::json!({"rows": [1, 2]}), options())?;
/// assert_eq!(step.value::<u32>().unwrap(), 2);
/// // The same with data that was imported before.
/// let data = ptc_lisp::Value::from_json(serde_json::json!({"rows": [1, 2]}));
/// let step = blocking::run_with(&agent, Context::from_map(data.as_map().cloned().unwrap()), options())?;
/// assert_eq!(step.value::<u32>().unwrap(), 2);
/// # Ok::<(), ptc_agent::AgentError>(())
/// ```
pub trait IntoData {
    /// The entries of a map or struct; an empty context for `()` and `None`.
    ///
    /// Errors when the value is anything else, or cannot be written as JSON.
    fn into_context(self) -> Result<Context, AgentError>;
}

impl IntoData for Context {
    fn into_context(self) -> Result<Context, AgentError> {
        Ok(self)
    }
}

impl<T: Serialize> IntoData for T {
    fn into_context(self) -> Result<Context, AgentError> {
        Context::new(self)
    }
}

impl Context {
    /// The entries of a map or struct; an empty context for `()` and `None`.
    ///
    /// Errors when the value is anything else, or cannot be written as JSON.
    pub fn new(value: impl Serialize) -> Result<Context, AgentError> {
        match Import::uncounted().serialized(&value).map_err(|error| AgentError::Context(error.to_string()))? {
            Value::Nil => Ok(Context::default()),
            Value::Map(data) => Ok(Context::from_map(data)),
            other => Err(AgentError::Context(format!("got a {}", other.kind()))),
        }
    }

    /// Data that was imported before. It counts towards the memory limit of programs unless it came from
    /// [`Import::uncounted`], [`Value::from_json`] or [`ptc_lisp::to_value`].
    #[must_use]
    pub fn from_map(data: Map) -> Context {
        Context { data, upstream: None }
    }

    /// The answer of a run as the input of the next one: the entries of a map, nothing for any other answer. The
    /// agent's descriptions of its result fields describe the data. With a failed step, or one whose answer holds a
    /// function, the next run ends at once with `chained_failure`.
    ///
    /// ```
    /// use ptc_agent::{Agent, Context, RunOptions};
    /// use ptc_chat::ScriptedLlm;
    /// use std::sync::Arc;
    ///
    /// let count = Agent::builder("Count").signature("{rooms :int}").max_turns(1).build()?;
    /// let step = ptc_agent::blocking::run(&count, &ScriptedLlm::replies(["(return {:rooms 7})"]), ())?;
    /// let double = Agent::builder("Double").signature("(rooms :int) -> :int").max_turns(1).build()?;
    /// let llm = Arc::new(ScriptedLlm::replies(["(* 2 data/rooms)"]));
    /// let options = RunOptions::new().llm(llm);
    /// let step = ptc_agent::blocking::run_with(&double, Context::from_step(&step), options)?;
    /// assert_eq!(step.value::<u32>().unwrap(), 14);
    /// # Ok::<(), ptc_agent::AgentError>(())
    /// ```
    #[must_use]
    pub fn from_step(step: &Step) -> Context {
        let (data, fail) = match &step.result {
            Ok(value @ Value::Map(_)) => match sent(value) {
                Ok(json) => (map_of(Import::uncounted().value(json)), None),
                Err(why) => {
                    let reason = FailReason::ReturnValidationFailed;
                    (
                        Map::new(),
                        Some(Fail::new(FailKind::Program, reason, format!("its answer cannot be data: {why}"))),
                    )
                }
            },
            Ok(_) => (Map::new(), None),
            Err(fail) => (Map::new(), Some(fail.clone())),
        };
        let upstream = Upstream { descriptions: step.field_descriptions.clone(), fail };
        Context { data, upstream: Some(upstream) }
    }

    /// The same with made-up values for inputs that are missing.
    pub(crate) fn filled(self, params: &[Field]) -> Context {
        let missing = params.iter().filter(|param| self.data.get_named(&param.name).is_none());
        let example = |param: &Field| Import::uncounted().value(param.ty.example_json());
        let made = missing.map(|param| (Value::keyword(&param.name), example(param)));
        let known = self.data.iter().map(|(key, value)| (key.clone(), value.clone()));
        Context { data: map_of(Value::map_from(known.chain(made))), upstream: self.upstream }
    }

    /// Every input that does not fit the signature, in its order: those that are missing, and those whose value no
    /// conversion fixes. Nothing is run.
    ///
    /// ```
    /// use ptc_agent::{Context, SignatureValidation};
    /// use ptc_lisp::signature::Signature;
    ///
    /// let signature = Signature::parse("(year :int, rows [{kg :float}], who :string?) -> :any")?;
    /// let context = Context::new(serde_json::json!({"rows": [{"kg": "2.5"}, {"kg": "heavy"}]}))?;
    /// let findings = context.findings(&signature, SignatureValidation::Enabled);
    /// let texts: Vec<String> = findings.iter().map(ToString::to_string).collect();
    /// assert_eq!(texts, ["[year]: required input is missing", "[rows.1.kg]: cannot coerce string \"heavy\" to float"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn findings(&self, signature: &Signature, mode: SignatureValidation) -> Vec<Finding> {
        let params = signature.params().iter();
        params.filter_map(|param| named(param, self.data.get_named(&param.name), mode).err()).collect()
    }

    /// The data, validated against the declared inputs.
    pub(crate) fn checked(self, signature: Option<&Signature>, mode: SignatureValidation) -> Result<Map, AgentError> {
        rules::data(&self.data)?;
        let params = signature.map(Signature::params).unwrap_or_default();
        match &self.upstream {
            Some(upstream) if upstream.fail.is_some() => return Ok(self.data),
            Some(_) => self.has_keys_of(params)?,
            None => {}
        }
        let mut changed = Vec::new();
        for param in params {
            let known = self.data.get_named(&param.name);
            match named(param, known, mode) {
                Ok(Some(value)) => changed.push((Value::keyword(&param.name), value)),
                Ok(None) => {}
                Err(_) if mode == SignatureValidation::WarnOnly => {}
                Err(finding) => return Err(AgentError::ContextType(finding)),
            }
        }
        Ok(replaced(self.data, changed))
    }

    /// Whether the previous step returns everything that this agent takes.
    fn has_keys_of(&self, params: &[Field]) -> Result<(), AgentError> {
        let is_missing = |param: &&Field| !param.ty.accepts_absent() && self.data.get_named(&param.name).is_none();
        let mut missing: Vec<String> = params.iter().filter(is_missing).map(|param| param.name.clone()).collect();
        missing.sort_unstable();
        if missing.is_empty() { Ok(()) } else { Err(AgentError::ChainKeys(missing)) }
    }
}

/// The JSON of an answer that another run gets.
///
/// Errors with why it has none: a function, too many levels.
pub(crate) fn sent(answer: &Value) -> Result<serde_json::Value, ptc_lisp::Error> {
    answer.to_sent_json()?;
    Ok(json_of(answer, ValueForm::Plain))
}

/// As [`input`]; what is wrong begins with the name of the input.
fn named(param: &Field, known: Option<&Value>, mode: SignatureValidation) -> Result<Option<Value>, Finding> {
    input(param, known, mode).map_err(|mut finding| {
        finding.path.insert(0, PathStep::Name(param.name.clone()));
        finding
    })
}

/// The converted value of an input that does not fit unconverted.
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

fn replaced(data: Map, changed: Vec<(Value, Value)>) -> Map {
    if changed.is_empty() {
        return data;
    }
    let entries = data.iter().map(|(key, value)| {
        let new = changed.iter().find(|(name, _)| key_name(name) == key_name(key)).map(|(_, value)| value);
        (key.clone(), new.unwrap_or(value).clone())
    });
    map_of(Value::map_from(entries))
}

/// The value as a map.
fn map_of(value: Value) -> Map {
    if let Value::Map(map) = value { map } else { Map::new() }
}
