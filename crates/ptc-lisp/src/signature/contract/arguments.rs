//! The arguments that a program wrote for a tool, as the tool receives them.

use std::borrow::Cow;
use std::time::Duration;

use crate::signature::{Field, Signature, Type};

use super::coerce::coerce_fields;
use super::spelling::{declared_fields, field_for};
use super::{ExtraFields, Finding, fold_map, validate_fields};
use crate::error::{Reason, Res, Signal, counted, err};
use crate::limits::meter::Meter;
use crate::value::{Cells, KeyTexts, MAX_NESTING, Map, Value, json_shaped, key_name, plainly_shaped};

/// How the arguments of tools are checked against their signatures.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputChecks {
    /// Coerce what can be coerced; the rest is an error.
    #[default]
    Coerce,
    /// Coerce what can be coerced; the rest passes with a finding.
    WarnOnly,
    /// No coercion, no undeclared arguments.
    Strict,
    /// Everything passes.
    Off,
}

/// The arguments of one tool call.
#[derive(Debug)]
pub(crate) struct ToolArguments {
    /// As the program wrote them, by name: a map with the program's keys.
    pub surface: Map,
    /// As the tool receives them: JSON-shaped, string keys, named as the signature declares and others as written;
    /// without a signature with `_` for `-`.
    pub args: Map,
    /// Coercions that were not silent.
    pub notes: Vec<Finding>,
}

/// What the arguments of a tool are checked against.
#[derive(Copy, Clone)]
pub(crate) struct Parameters<'a> {
    /// The name of the tool.
    pub tool: &'a str,
    pub signature: Option<&'a Signature>,
    pub checks: InputChecks,
}

/// Bind `args` to the parameters of `tool/NAME`, check and coerce them. A lone map is taken over, not copied.
///
/// Errors with `invalid_tool_args`, naming the parameters.
pub(crate) fn tool_arguments(
    Parameters { tool, signature, checks }: Parameters<'_>,
    args: &mut [Value],
    keys: &mut KeyTexts,
    cells: &dyn Cells,
    meter: &mut Meter,
) -> Res<ToolArguments> {
    weigh(args, meter)?;
    let params = signature.filter(|signature| signature.declares_params()).map(Signature::params);
    let is_open = signature.is_some_and(Signature::is_open);
    let surface = bind(tool, signature, args, meter)?;
    let refuse = |message: String| err(Reason::InvalidToolArgs, refusal(tool, signature, &message));
    let fields = params.unwrap_or_default();
    let spelled = declared_fields(&surface, fields).map_err(|error| refuse(error.message))?;
    let extra = if is_open { ExtraFields::Allowed } else { ExtraFields::Rejected };
    let (checked, notes) = match params {
        Some(params) => check(spelled, params, checks, extra).map_err(|finding| refuse(finding.to_string()))?,
        None => (fold_map(&spelled, &[]).map_err(|error| refuse(error.message))?, Vec::new()),
    };
    let args = json_shaped(&checked, keys, cells, meter).map_err(|signal| named(tool, *signal))?;
    let Value::Map(args) = args else { return Err(refuse("got no map".to_owned())) };
    Ok(ToolArguments { surface, args, notes })
}

/// Parts of arguments that are checked and coerced for one unit of fuel; a few are free.
const CHECKED: usize = 64;

/// The approximate maximum of nanoseconds that checking and coercing one part takes.
const NANOSECONDS: u64 = 400;

/// Bytes of a changed copy for each part of a map, and of other collections.
const COPIED: (usize, usize) = (100, 24);

/// Keys longer than this many bytes make arguments unusual.
const LONG_KEY: usize = 1_024;

/// Pay for checks and coercions, which visit every part and cannot be interrupted, and for the copies they make.
///
/// Errors when the deadline would pass before their end, or when there is no memory for the copies; copies of host data
/// are free.
fn weigh(args: &[Value], meter: &mut Meter) -> Res<()> {
    let mut weight = Weight::default();
    for arg in args {
        weight.add(arg, 0, meter)?;
    }
    if weight.parts >= CHECKED {
        meter.look_ahead(Duration::from_nanos(weight.parts as u64 * NANOSECONDS))?;
    }
    Ok(meter.allocate_briefly(weight.bytes)?)
}

#[derive(Default)]
struct Weight {
    parts: usize,
    bytes: usize,
}

impl Weight {
    fn add(&mut self, value: &Value, depth: usize, meter: &mut Meter) -> Res<()> {
        let is_free = value.sharing().is_none_or(|sharing| sharing.external);
        let copied = if matches!(value, Value::Map(_)) { COPIED.0 } else { COPIED.1 };
        if let (Value::Map(map), false) = (value, is_free) {
            // Names of arguments become strings.
            self.bytes += 2 * map.iter().filter_map(|(key, _)| key_name(key)).map(str::len).sum::<usize>();
        }
        for part in value.parts() {
            self.parts += 1;
            self.bytes += if is_free { 0 } else { copied };
            if self.parts.is_multiple_of(CHECKED) {
                meter.charge(1)?;
                meter.tick()?;
                // A value that shares its parts may have too many of them to wait for.
                meter.allocate_briefly(self.bytes)?;
            }
            if depth < MAX_NESTING {
                self.add(part, depth + 1, meter)?;
            }
        }
        Ok(())
    }
}

/// The usual arguments, for a tool without a signature: one record of plain values, as the program wrote it and as the
/// tool receives it. `None` for all others, which [`tool_arguments`] handles.
pub(crate) fn plain_arguments(
    signature: Option<&Signature>,
    args: &mut [Value],
    keys: &mut KeyTexts,
    meter: &mut Meter,
) -> Res<Option<(Map, Map)>> {
    let [arg] = args else { return Ok(None) };
    let Value::Map(surface) = arg else { return Ok(None) };
    if signature.is_some_and(Signature::declares_params) {
        return Ok(None);
    }
    if surface.iter().any(|(key, _)| key_name(key).is_some_and(|name| name.len() > LONG_KEY)) {
        return Ok(None);
    }
    let Some(shaped) = plainly_shaped(surface, keys, meter)? else { return Ok(None) };
    match std::mem::take(arg) {
        Value::Map(surface) => Ok(Some((surface, shaped))),
        _ => Ok(None),
    }
}

/// The parameters that arguments without names can be for: where there may be others, and none or one is known, arguments
/// need names.
pub(super) fn known_places(signature: Option<&Signature>) -> Option<&[Field]> {
    let declared = signature.filter(|signature| signature.declares_params())?;
    Some(declared.params()).filter(|params| !declared.is_open() || params.len() > 1)
}

/// Construct the argument map that the program meant.
fn bind(tool: &str, signature: Option<&Signature>, args: &mut [Value], meter: &mut Meter) -> Res<Map> {
    let params = known_places(signature);
    if let [only] = args
        && let Value::Map(map) = only
    {
        return match params {
            Some(params @ [param]) if takes_map(&param.ty) && !map.iter().any(|(key, _)| is_for(params, key)) => {
                Map::from_pairs([(Value::keyword(&param.name), std::mem::take(only))], meter)
            }
            _ => match std::mem::take(only) {
                Value::Map(map) => Ok(map),
                _ => Ok(Map::new()),
            },
        };
    }
    match args {
        [] => Ok(Map::new()),
        _ if args.len().is_multiple_of(2) && args.iter().step_by(2).all(|key| matches!(key, Value::Keyword(_))) => {
            let pairs = args.chunks_exact(2).filter_map(|pair| Some((pair.first()?.clone(), pair.last()?.clone())));
            Map::from_pairs(pairs, meter)
        }
        _ => positional(tool, signature, args, meter),
    }
}

/// Whether the key is the name of a parameter, in any style.
pub(super) fn is_for(params: &[Field], key: &Value) -> bool {
    key_name(key).is_some_and(|name| field_for(params, name).is_some())
}

/// Whether a lone parameter of this type takes a map as a whole.
pub(super) fn takes_map(ty: &Type) -> bool {
    let is_map = |ty: &Type| matches!(ty, Type::Map | Type::MapOf(..) | Type::Record(_));
    ty.required().alternatives().iter().any(|ty| is_map(ty.shape()))
}

pub(super) fn positional(tool: &str, signature: Option<&Signature>, args: &[Value], meter: &mut Meter) -> Res<Map> {
    let invalid = |message: String| err(Reason::InvalidToolArgs, message);
    let (Some(params), Some(signature)) = (known_places(signature), signature) else {
        return Err(invalid(format!("tool/{tool} needs named arguments, e.g. (tool/{tool} {{:name ...}})")));
    };
    if args.len() > params.len() {
        let (most, got) = (counted(params.len(), "argument"), args.len());
        return Err(invalid(match params {
            [] => format!("tool/{tool} takes no arguments, got {got}"),
            _ => format!("tool/{tool} takes at most {most}, got {got}; {}", call_form(tool, signature)),
        }));
    }
    if let Some(missing) = params.iter().skip(args.len()).find(|param| !param.ty.accepts_absent()) {
        let (name, form) = (&missing.name, call_form(tool, signature));
        return Err(invalid(format!("tool/{tool} is missing the argument \"{name}\"; {form}")));
    }
    Map::from_pairs(params.iter().zip(args).map(|(param, arg)| (Value::keyword(&param.name), arg.clone())), meter)
}

fn check<'m>(
    args: Cow<'m, Map>,
    params: &[Field],
    checks: InputChecks,
    extra: ExtraFields,
) -> Result<(Cow<'m, Map>, Vec<Finding>), Finding> {
    let coerced = || coerce_fields(&args, params).map(|(map, notes)| (Cow::Owned(map), notes));
    match checks {
        InputChecks::Off => Ok((args, Vec::new())),
        InputChecks::Coerce => coerced(),
        InputChecks::WarnOnly => Ok(coerced().unwrap_or_else(|finding| (args, vec![finding]))),
        InputChecks::Strict => match validate_fields(&args, params, extra).into_iter().next() {
            Some(finding) => Err(finding),
            None => Ok((args, Vec::new())),
        },
    }
}

pub(super) fn refusal(tool: &str, signature: Option<&Signature>, message: &str) -> String {
    match signature {
        Some(known) if !known.params().is_empty() => format!("tool/{tool} {message}; {}", call_form(tool, known)),
        _ => format!("tool/{tool} {message}"),
    }
}

/// `call it as (tool/search {:query "text" :limit 10?})`
pub(super) fn call_form(tool: &str, signature: &Signature) -> String {
    let named: Vec<String> = signature.params().iter().take(4).map(|param| format!("{} ...", param.key())).collect();
    format!("it takes ({}), e.g. (tool/{tool} {{{}}})", signature.written_params(), named.join(" "))
}

/// The same error with the tool's name before it.
fn named(tool: &str, signal: Signal) -> Box<Signal> {
    match signal {
        Signal::Error(mut error) if !error.reason.is_limit() => {
            error.message = format!("tool/{tool}: {}", error.message);
            Box::new(Signal::Error(error))
        }
        other => Box::new(other),
    }
}
