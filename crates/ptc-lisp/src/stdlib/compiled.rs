//! The part of the standard library that is written in the language itself.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::table::table;
use crate::analyze::ir::Kind;
use crate::analyze::{self, Environment, Options};
use crate::error::{Error, Reason};
use crate::eval::code::{Code, ProgramText, Proto};
use crate::eval::compile::{Target, compile};
use crate::parse::{self, Form, FormKind, Symbol};
use crate::value::{BuiltinId, Closure, Value};

const SOURCES: &[&str] = &[include_str!("prelude.clj")];

/// The compiled prelude: code at the start of every session's table, functions by row number.
pub(crate) struct Prelude {
    pub codes: Vec<Arc<Code>>,
    closures: Vec<Option<Arc<Closure>>>,
    /// Problems of the prelude itself; a test keeps this empty.
    pub problems: Vec<String>,
}

/// The function of a prelude row.
pub(crate) fn closure(id: BuiltinId) -> Option<&'static Arc<Closure>> {
    prelude().closures.get(usize::from(id.0)).and_then(Option::as_ref)
}

/// The function in the prelude with this text and these names of captured values, in any order.
pub(crate) fn made<'a>(text: &str, captured: impl Iterator<Item = &'a str>) -> Option<&'static Arc<Proto>> {
    static MADE: OnceLock<HashMap<Key, &'static Arc<Proto>>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let inner = prelude().codes.iter().flat_map(|code| {
            let constants = code.constants.iter().filter_map(|constant| match constant {
                Value::Function(closure) => Some(&closure.proto),
                _ => None,
            });
            code.functions.iter().chain(constants)
        });
        inner.filter_map(|proto| Some((key(proto)?, proto))).collect()
    });
    let mut captured: Vec<&str> = captured.collect();
    captured.sort_unstable();
    made.get(&(text.to_owned(), captured) as &(String, Vec<&str>)).copied()
}

/// The text of a function and the names of its captured values, sorted.
type Key = (String, Vec<&'static str>);

fn key(proto: &'static Proto) -> Option<Key> {
    let text = proto.source.as_ref()?.text(proto.name.as_deref().unwrap_or_default())?;
    let mut captured: Vec<&str> = proto.capture_names.iter().map(AsRef::as_ref).collect();
    captured.sort_unstable();
    Some((text, captured))
}

/// The prelude, compiled once per process.
pub(crate) fn prelude() -> &'static Prelude {
    static PRELUDE: OnceLock<Prelude> = OnceLock::new();
    PRELUDE.get_or_init(load)
}

fn load() -> Prelude {
    let mut prelude = Prelude { codes: Vec::new(), closures: vec![None; table().iter().count()], problems: Vec::new() };
    for source in SOURCES {
        if let Err(errors) = load_source(source, &mut prelude) {
            for error in errors {
                let place = error.span.map(|span| parse_position(source, span.start)).unwrap_or_default();
                prelude.problems.push(format!("{}{place}", error.message));
            }
        }
    }
    prelude
}

fn parse_position(source: &str, offset: u32) -> String {
    let place = crate::span::position(source, offset);
    format!(" at line {}, column {}", place.line, place.column)
}

/// Each top-level `(defn name …)` becomes the function of the row `name`.
fn load_source(source: &str, prelude: &mut Prelude) -> Result<(), Vec<Error>> {
    let limits = parse::ReadLimits { max_bytes: usize::MAX, ..parse::ReadLimits::default() };
    let parsed =
        parse::parse_with(source, limits).map_err(|error| vec![Error::new(Reason::ParseError, error.message.clone()).at(error.span)])?;
    let mut errors = Vec::new();
    let text = Arc::new(ProgramText { text: source.into(), ..ProgramText::default() });
    for form in parsed.forms {
        if let Err(more) = load_definition(form, &text, prelude) {
            errors.extend(more);
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

fn load_definition(form: Form, text: &Arc<ProgramText>, prelude: &mut Prelude) -> Result<(), Vec<Error>> {
    let span = form.span;
    let wrong = |message: String| vec![Error::new(Reason::InternalError, message).at(span)];
    let FormKind::List(mut parts) = form.kind else { return Err(wrong("the prelude holds definitions only".to_owned())) };
    let name = match parts.get(1).map(|part| &part.kind) {
        Some(FormKind::Symbol(symbol)) => symbol.name.clone(),
        _ => return Err(wrong("a definition without a name".to_owned())),
    };
    let Some(id) = table().find(&name) else { return Err(wrong(format!("prelude function {name} has no row"))) };
    // As an anonymous function its own name means the builtin, which it becomes.
    parts.remove(1);
    if matches!(parts.get(1).map(|part| &part.kind), Some(FormKind::Str(_))) {
        parts.remove(1);
    }
    if let Some(head) = parts.first_mut() {
        head.kind = FormKind::Symbol(Symbol { ns: None, name: "fn".to_owned() });
    }
    let parsed = parse::Parsed { forms: vec![Form { kind: FormKind::List(parts), span }], ..parse::Parsed::default() };
    let analyzed = analyze::analyze(&parsed, &mut Builtins, &Options { max_symbols: usize::MAX })?;
    let Some(Kind::Fn(function)) = analyzed.main.arities.into_iter().next().map(|arity| arity.body.kind) else {
        return Err(wrong(format!("{name} is not a function")));
    };
    let mut function = (*function).clone();
    function.name = Some(Arc::from(name.as_str()));
    let mut target = Target { codes: &mut prelude.codes, program: 0, text: text.clone(), hidden: true };
    let proto = compile(&mut function, &mut target).map_err(|error| vec![error])?;
    if let Some(slot) = prelude.closures.get_mut(usize::from(id.0)) {
        *slot = Some(Arc::new(Closure::new(proto, Vec::new())));
    }
    Ok(())
}

/// Names in the prelude are builtins and nothing else.
struct Builtins;

impl Environment for Builtins {
    fn global(&mut self, _name: &str) -> u32 {
        u32::MAX
    }
}
