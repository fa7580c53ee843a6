//! The part of the standard library that is written in the language itself.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::code::Code;
use super::code_table::Numbers;
use super::compile::Target;
use crate::analyze::{Environment, Options};
use crate::error::{Error, Reason};
use crate::optimize::Plan;
use crate::parse::program_text::ProgramText;
use crate::parse::{Form, FormKind, Symbol};
use crate::session::pipeline;
use crate::stdlib::Run;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Closure, Proto, Value, first_of_prelude};

/// The function of a row, once it was needed: most programs need few functions of the prelude, many none.
type Definition = OnceLock<Result<Compiled, Vec<Error>>>;

struct Compiled {
    closure: Arc<Closure>,
    /// Its code and that of its inner functions.
    codes: Vec<Arc<Code>>,
}

/// The function of a prelude row.
pub(crate) fn closure(id: BuiltinId) -> Option<&'static Arc<Closure>> {
    compiled(usize::from(id.0)).map(|compiled| &compiled.closure)
}

/// The code with this number in the function of a row.
pub(crate) fn code(row: usize, inner: usize) -> Option<&'static Arc<Code>> {
    compiled(row)?.codes.get(inner)
}

/// Problems of the prelude itself; a test checks that there are none.
#[cfg(test)]
pub(crate) fn problems() -> Vec<String> {
    let flawed = rows().filter_map(|row| Some((row, result(row)?.as_ref().err()?)));
    let flaws = flawed.flat_map(|(row, errors)| {
        let text = text(row).unwrap_or_default();
        let head = text.lines().next().unwrap_or_default();
        errors.iter().map(move |error| {
            let place = error.span.map(|span| crate::parse::span::position(text, span.start));
            format!("{head}: {}{}", error.message, place.map(|place| format!(" at {place}")).unwrap_or_default())
        })
    });
    flaws.collect()
}

/// The function in the prelude with this text and these names of captured values, in any order.
///
/// Cost: the first call compiles the whole prelude.
pub(crate) fn made<'a>(text: &str, captured: impl Iterator<Item = &'a str>) -> Option<&'static Arc<Proto>> {
    static MADE: OnceLock<HashMap<Key, &'static Arc<Proto>>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let codes = rows().filter_map(compiled).flat_map(|compiled| &compiled.codes);
        let inner = codes.flat_map(|code| {
            let constants = code.constants.iter().filter_map(|constant| match constant {
                Value::Function(closure) => Some(&closure.proto),
                _ => None,
            });
            code.functions.iter().map(|function| &function.proto).chain(constants)
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

/// The numbers of all rows, of the prelude or not.
fn rows() -> std::ops::Range<usize> {
    0..table().iter().count()
}

/// The definition of a row, if it belongs to the prelude.
fn text(row: usize) -> Option<&'static str> {
    if let Run::Prelude(text) = table().entry(BuiltinId(row as u16)).row.run { Some(text) } else { None }
}

fn compiled(row: usize) -> Option<&'static Compiled> {
    result(row)?.as_ref().ok()
}

fn result(row: usize) -> Option<&'static Result<Compiled, Vec<Error>>> {
    static DEFINITIONS: OnceLock<Vec<Definition>> = OnceLock::new();
    let definition = DEFINITIONS.get_or_init(|| rows().map(|_| Definition::new()).collect()).get(row)?;
    if definition.get().is_none() {
        let text = text(row)?;
        return Some(definition.get_or_init(|| compile_definition(row as u16, text)));
    }
    definition.get()
}

/// `(defn name …)` as the function of the row `name`.
fn compile_definition(row: u16, text: &str) -> Result<Compiled, Vec<Error>> {
    let mut parsed = pipeline::read(text, usize::MAX).map_err(|error| vec![error])?;
    let text = Arc::new(ProgramText { text: text.into(), ..ProgramText::default() });
    let wrong = |message: &str| vec![Error::new(Reason::InternalError, message)];
    let [Form { kind: FormKind::List(parts), .. }] = parsed.forms.as_mut_slice() else {
        return Err(wrong("the prelude holds definitions only"));
    };
    // In an anonymous function, its own name means the builtin, which it becomes.
    let name = (parts.len() > 1).then(|| parts.remove(1).kind);
    let Some(FormKind::Symbol(Symbol { name, .. })) = name else { return Err(wrong("a definition without a name")) };
    // The docs and attributes belong to the row, not to the function.
    while matches!(parts.get(1).map(|part| &part.kind), Some(FormKind::Str(_) | FormKind::Map(_))) {
        parts.remove(1);
    }
    if let Some(head) = parts.first_mut() {
        head.kind = FormKind::Symbol(Symbol { ns: None, name: "fn".to_owned() });
    }
    let mut codes = Vec::new();
    let mut target = Target { codes: &mut codes, numbers: Numbers::from(first_of_prelude(row)), text, hidden: true };
    let options = Options { max_symbols: usize::MAX };
    match pipeline::function(&parsed, Some(&name), &[], &mut Builtins, &options, &Plan::all(), &mut target)? {
        Value::Function(closure) => Ok(Compiled { closure, codes }),
        _ => Err(wrong("not a function")),
    }
}

/// Names in the prelude are builtins and nothing else.
struct Builtins;

impl Environment for Builtins {
    fn global(&mut self, _name: &str) -> u32 {
        u32::MAX
    }
}
