//! From text to code: read, analyze, compile. Programs, stored functions and the prelude all pass through here.

use std::sync::Arc;

use crate::analyze::ir::{Analyzed, CaptureSource, Kind};
use crate::analyze::{Environment, Options, analyze};
use crate::error::{Error, Reason};
use crate::eval::compile::{Target, compile, compile_in};
use crate::optimize::Plan;
use crate::parse::{Parsed, ReadLimits, parse_with};
use crate::value::{Closure, Group, Value};

/// The forms of a text of at most `max_bytes`.
pub(crate) fn read(source: &str, max_bytes: usize) -> Result<Parsed, Error> {
    Ok(parse_with(source, ReadLimits { max_bytes, ..ReadLimits::default() })?)
}

/// The tree of a text with one form, as [`function`] takes it.
///
/// Errors with what is wrong with the text.
pub(crate) fn function_tree(
    parsed: &Parsed,
    names: &mut dyn Environment,
    options: &Options,
) -> Result<Option<Kind>, Vec<Error>> {
    let Analyzed { main, .. } = analyze(parsed, names, options)?;
    Ok(main.arities.into_iter().next().map(|arity| arity.body.kind))
}

/// The function denoted by a text with one form: `(fn …)`, `#(…)`, `(letfn […] name)`, or the name of a builtin or
/// tool. `name` is its name in messages, `values` are its captured values. It does not run.
///
/// Errors with what is wrong with the text.
pub(crate) fn function(
    parsed: &Parsed,
    name: Option<&str>,
    values: &[Value],
    names: &mut dyn Environment,
    options: &Options,
    plan: &Plan,
    target: &mut Target<'_>,
) -> Result<Value, Vec<Error>> {
    let node = function_tree(parsed, names, options)?;
    // The captured values are the first locals around the function.
    let taken = |source: &CaptureSource| match source {
        CaptureSource::Local(slot) => values.get(*slot as usize).cloned().unwrap_or_default(),
        _ => Value::Nil,
    };
    let closure = match node {
        Some(Kind::Const(builtin @ Value::Builtin(_))) => return Ok(builtin),
        Some(Kind::Tool(name)) => return Ok(Value::Tool(name)),
        Some(Kind::Fn(mut function)) => {
            let function = Arc::make_mut(&mut function);
            if target.hidden {
                plan.prelude(function)
            } else {
                plan.stored(function)
            }
            function.name = name.map(Arc::from);
            let captures = function.captures.iter().map(taken).collect();
            Some(Closure::new(compile(function, target).map_err(|error| vec![*error])?, captures))
        }
        Some(Kind::LetFn { slots, mut functions, captures, body }) => {
            let functions = functions.iter_mut().map(|function| {
                let function = Arc::make_mut(function);
                plan.stored(function);
                compile_in(function, true, target)
            });
            let protos = functions.collect::<Result<_, _>>().map_err(|error| vec![*error])?;
            let group = Arc::new(Group { protos, captures: captures.iter().map(taken).collect() });
            let index = match body.kind {
                Kind::Local { slot, .. } => slots.iter().position(|known| *known == slot),
                _ => None,
            };
            index.and_then(|index| Closure::of_group(&group, index))
        }
        _ => None,
    };
    closure.map(|closure| Value::Function(Arc::new(closure))).ok_or_else(|| {
        let text =
            "its `source` is not a function: expected (fn [params] body...), #(...), (letfn [...] name) or a name";
        vec![Error::new(Reason::InvalidForm, text)]
    })
}
