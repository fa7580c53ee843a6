//! Results of tools, as programs see them.

use ptc_lisp::Value;
use ptc_lisp::signature::{ExtraFields, Finding, Type, respelled, validate};

/// The result of a tool as programs see it, when it has the declared type; else the first thing that does not fit.
///
/// ```
/// use ptc_agent::rules;
/// use ptc_lisp::Value;
/// use ptc_lisp::signature::Type;
///
/// let tone = Type::parse("{tone :keyword}")?;
/// assert!(rules::tool_result(Value::from_json_str(r#"{"tone": "angry"}"#)?, &tone).is_ok());
/// let finding = rules::tool_result(Value::from_json_str(r#"{"tone": 3}"#)?, &tone).unwrap_err();
/// assert_eq!(finding.to_string(), "[tone]: expected keyword, got int");
/// // A function of the host may give a set where its type says list.
/// let tags = Value::set_from([Value::string("a")]).unwrap();
/// assert_eq!(rules::tool_result(tags, &Type::parse("[:string]")?).unwrap().to_string(), r#"["a"]"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tool_result(value: Value, ty: &Type) -> Result<Value, Finding> {
    if validate(&value, ty, ExtraFields::Allowed).is_empty() {
        return Ok(value);
    }
    let value = respelled(&value, ty);
    validate(&value, ty, ExtraFields::Allowed).into_iter().next().map_or(Ok(value), Err)
}
