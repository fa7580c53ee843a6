//! Mistakes in a tool call, as far as its arguments are literals.

use crate::signature::{Field, Signature, Type};

use super::arguments::{InputChecks, call_form, is_for, known_places, positional, refusal, takes_map};
use super::spelling::{declared_fields, declared_key, field_for, twins};
use super::{PathStep, coerce, key_text};
use crate::error::Signal;
use crate::error::advice::nearest;
use crate::limits::meter::Meter;
use crate::value::{Map, Value};

/// An argument as known before anything runs.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    /// A literal.
    Known(Value),
    /// A computed value.
    Computed,
    /// A map whose keys are literals; `None` for a computed value.
    Entries(Vec<(Value, Option<Value>)>),
}

/// A mistake that would make the call fail, or an argument that the tool does not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Its text, as in the error at run time.
    pub message: String,
    /// The name of the argument, when it is about one that was given.
    pub argument: Option<String>,
}

/// Every mistake in the written arguments of `tool/NAME` with this signature; none where too little is known.
///
/// Literals that would be coerced (`"42"` for `:int`) are not mistakes.
pub(crate) fn mistakes(
    tool: &str,
    signature: &Signature,
    args: &[Written],
    checks: InputChecks,
    meter: &mut Meter,
) -> Vec<Mistake> {
    if matches!(checks, InputChecks::Off | InputChecks::WarnOnly) {
        return Vec::new();
    }
    match given(tool, signature, args, meter) {
        LiteralArguments::Unclear => Vec::new(),
        LiteralArguments::Refused(message) => vec![Mistake { message, argument: None }],
        LiteralArguments::Named(entries) => {
            let mut mistakes = if signature.is_open() { Vec::new() } else { undeclared(tool, signature, &entries) };
            mistakes.extend(twice(tool, signature, &entries).or_else(|| ill_typed(tool, signature, &entries, meter)));
            mistakes
        }
    }
}

/// The arguments, as understood.
enum LiteralArguments {
    Unclear,
    Refused(String),
    /// Names with their values, `None` for a computed one.
    Named(Vec<(Value, Option<Value>)>),
}

fn given(tool: &str, signature: &Signature, args: &[Written], meter: &mut Meter) -> LiteralArguments {
    let entries = match args {
        [] => Vec::new(),
        [Written::Known(Value::Map(map))] => {
            map.iter().map(|(key, value)| (key.clone(), Some(value.clone()))).collect()
        }
        [Written::Entries(entries)] => entries.clone(),
        [Written::Computed] => return LiteralArguments::Unclear,
        _ => return by_place(tool, signature, args, meter),
    };
    match known_places(Some(signature)) {
        // One map parameter takes the whole map.
        Some(params @ [only])
            if !args.is_empty() && takes_map(&only.ty) && !entries.iter().any(|(key, _)| is_for(params, key)) =>
        {
            LiteralArguments::Unclear
        }
        _ => LiteralArguments::Named(entries),
    }
}

/// `:name value` pairs, or values in the order of the parameters.
fn by_place(tool: &str, signature: &Signature, args: &[Written], meter: &mut Meter) -> LiteralArguments {
    if args.len().is_multiple_of(2) {
        let heads = || args.iter().step_by(2);
        if heads().all(|head| matches!(head, Written::Known(Value::Keyword(_)))) {
            let pairs = args.chunks_exact(2).filter_map(|pair| match pair {
                [Written::Known(key), value] => Some((key.clone(), known(value))),
                _ => None,
            });
            return LiteralArguments::Named(pairs.collect());
        }
        if heads().all(|head| matches!(head, Written::Known(Value::Keyword(_)) | Written::Computed)) {
            return LiteralArguments::Unclear;
        }
    }
    let places = vec![Value::Nil; args.len()];
    let named = || {
        let params = known_places(Some(signature)).unwrap_or_default();
        params.iter().zip(args).map(|(param, arg)| (Value::keyword(&param.name), known(arg))).collect()
    };
    match positional(tool, Some(signature), &places, meter) {
        Ok(_) => LiteralArguments::Named(named()),
        Err(signal) => match *signal {
            Signal::Error(error) if !error.reason.is_limit() => LiteralArguments::Refused(error.into_error().message),
            _ => LiteralArguments::Unclear,
        },
    }
}

fn known(written: &Written) -> Option<Value> {
    match written {
        Written::Known(value) => Some(value.clone()),
        Written::Computed | Written::Entries(_) => None,
    }
}

/// The text of the key that is for this parameter.
fn written_as(params: &[Field], entries: &[(Value, Option<Value>)], name: &str) -> Option<String> {
    let is_its = |text: &String| field_for(params, text).is_some_and(|field| field.name == name);
    entries.iter().filter_map(|(key, _)| key_text(key)).find(is_its)
}

/// Arguments that the signature does not have.
fn undeclared(tool: &str, signature: &Signature, entries: &[(Value, Option<Value>)]) -> Vec<Mistake> {
    let params = signature.params();
    let is_declared = |text: &str| field_for(params, text).is_some();
    let unknown = entries.iter().filter_map(|(key, _)| key_text(key)).filter(|text| !is_declared(text));
    let mistake = |text: String| {
        let close = nearest(&text, params.iter().map(|param| param.name.as_str()));
        let hint = close.map(|name| format!(" (did you mean \"{name}\"?)")).unwrap_or_default();
        let message = match params {
            [] => format!("tool/{tool} takes no arguments, got \"{text}\""),
            _ => format!("tool/{tool} has no argument \"{text}\"{hint}; {}", call_form(tool, signature)),
        };
        Mistake { message, argument: Some(text) }
    };
    unknown.map(mistake).collect()
}

/// Two names for one parameter.
fn twice(tool: &str, signature: &Signature, entries: &[(Value, Option<Value>)]) -> Option<Mistake> {
    let params = signature.params();
    let names: Vec<String> = entries.iter().filter_map(|(key, _)| key_text(key)).collect();
    names.iter().enumerate().find_map(|(at, name)| {
        let field = field_for(params, name)?;
        let is_its = |first: &&String| field_for(params, first).is_some_and(|other| other.name == field.name);
        let first = names.iter().take(at).find(is_its)?;
        let message = refusal(tool, Some(signature), &twins(field, first, name));
        Some(Mistake { message, argument: Some(name.clone()) })
    })
}

/// The first argument that is missing or cannot be coerced.
fn ill_typed(
    tool: &str,
    signature: &Signature,
    entries: &[(Value, Option<Value>)],
    meter: &mut Meter,
) -> Option<Mistake> {
    let params = signature.params();
    let mut map = Map::new();
    let mut computed = Vec::new();
    for (key, value) in entries {
        let field = key_text(key).and_then(|text| field_for(params, &text));
        computed.extend(field.filter(|_| value.is_none()).map(|field| field.name.as_str()));
        let key = field.map_or_else(|| key.clone(), |field| declared_key(key, field));
        map.insert(key, value.clone().unwrap_or_default(), meter).ok()?;
    }
    let fields = params.iter().map(|param| match computed.contains(&param.name.as_str()) {
        true => Field::new(param.name.clone(), Type::Any),
        false => param.clone(),
    });
    let fields: Vec<Field> = fields.collect();
    let mistake =
        |message: String, argument| Some(Mistake { message: refusal(tool, Some(signature), &message), argument });
    let map = match declared_fields(&map, &fields) {
        Ok(map) => Value::Map(map.into_owned()),
        Err(error) => return mistake(error.message, None),
    };
    let finding = coerce(&map, &Type::Record(fields)).err()?;
    let argument = match finding.path.first() {
        Some(PathStep::Name(name)) => written_as(params, entries, name),
        _ => None,
    };
    mistake(finding.to_string(), argument)
}
