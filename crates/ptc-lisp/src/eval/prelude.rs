//! The part of the standard library that is written in the language itself.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::code::Code;
use super::compile::Target;
use crate::analyze::{Environment, Options};
use crate::error::{Error, Reason};
use crate::parse::{Form, FormKind, Symbol};
use crate::pipeline;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Closure, ProgramText, Proto, Value, first_of_prelude};

const SOURCE: &str = include_str!("../stdlib/prelude.clj");
/// How every definition of the prelude begins: at the start of a line.
const DEFINITION: &str = "(defn ";

/// The functions of the prelude by the numbers of their rows, each compiled when it is first needed: most programs need
/// a few of them, many none.
struct Prelude {
    functions: Vec<Definition>,
    /// Definitions that are none, or of names without a row; a test keeps this empty.
    strays: Vec<String>,
}

/// One row; the text is `None` when the row is not of the prelude.
#[derive(Default)]
struct Definition {
    text: Option<&'static str>,
    compiled: OnceLock<Result<Compiled, Vec<Error>>>,
}

struct Compiled {
    closure: Arc<Closure>,
    /// Its code and that of the functions inside.
    codes: Vec<Arc<Code>>,
}

/// The function of a prelude row.
pub(crate) fn closure(id: BuiltinId) -> Option<&'static Arc<Closure>> {
    compiled(usize::from(id.0)).map(|compiled| &compiled.closure)
}

/// The code with this number inside the function of a row.
pub(crate) fn code(row: usize, inner: usize) -> Option<&'static Arc<Code>> {
    compiled(row)?.codes.get(inner)
}

/// What is wrong with the prelude itself; a test keeps this empty.
#[cfg(test)]
pub(crate) fn problems() -> Vec<String> {
    let flawed = (0..prelude().functions.len()).filter_map(|row| Some((row, result(row)?.as_ref().err()?)));
    let flaws = flawed.flat_map(|(row, errors)| {
        let text = prelude().functions[row].text.unwrap_or_default();
        let head = text.lines().next().unwrap_or_default();
        errors.iter().map(move |error| {
            let place = error.span.map(|span| crate::span::position(text, span.start));
            format!("{head}: {}{}", error.message, place.map(|place| format!(" at {place}")).unwrap_or_default())
        })
    });
    prelude().strays.iter().cloned().chain(flaws).collect()
}

/// The function in the prelude with this text and these names of captured values, in any order.
///
/// Cost: the first call compiles the whole prelude.
pub(crate) fn made<'a>(text: &str, captured: impl Iterator<Item = &'a str>) -> Option<&'static Arc<Proto>> {
    static MADE: OnceLock<HashMap<Key, &'static Arc<Proto>>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let codes = (0..prelude().functions.len()).filter_map(compiled).flat_map(|compiled| &compiled.codes);
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

fn prelude() -> &'static Prelude {
    static PRELUDE: OnceLock<Prelude> = OnceLock::new();
    PRELUDE.get_or_init(|| {
        let mut prelude = Prelude { functions: Vec::new(), strays: Vec::new() };
        prelude.functions.resize_with(table().iter().count(), Definition::default);
        for text in definitions(SOURCE) {
            let name =
                text.strip_prefix(DEFINITION).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
            let row = table().find(name).and_then(|id| prelude.functions.get_mut(usize::from(id.0)));
            match row {
                Some(row) if row.text.is_none() => row.text = Some(text),
                Some(_) => prelude.strays.push(format!("{name} is defined twice")),
                None => prelude.strays.push(format!("prelude function {name} has no row")),
            }
        }
        prelude
    })
}

/// The definitions of a prelude text: from one line that begins with `(` to the next.
fn definitions(source: &'static str) -> impl Iterator<Item = &'static str> {
    let starts = source.match_indices("\n(").map(|(at, _)| at + 1);
    let ends = starts.clone().skip(1).chain([source.len()]);
    starts.zip(ends).filter_map(|(start, end)| source.get(start..end))
}

fn compiled(row: usize) -> Option<&'static Compiled> {
    result(row)?.as_ref().ok()
}

fn result(row: usize) -> Option<&'static Result<Compiled, Vec<Error>>> {
    let definition = prelude().functions.get(row)?;
    let text = definition.text?;
    Some(definition.compiled.get_or_init(|| compile_definition(row as u16, text)))
}

/// `(defn name …)` as the function of the row `name`.
fn compile_definition(row: u16, text: &str) -> Result<Compiled, Vec<Error>> {
    let mut parsed = pipeline::read(text, usize::MAX).map_err(|error| vec![error])?;
    let text = Arc::new(ProgramText { text: text.into(), ..ProgramText::default() });
    let wrong = |message: &str| vec![Error::new(Reason::InternalError, message)];
    let [Form { kind: FormKind::List(parts), .. }] = parsed.forms.as_mut_slice() else {
        return Err(wrong("the prelude holds definitions only"));
    };
    // As an anonymous function its own name means the builtin, which it becomes.
    let name = (parts.len() > 1).then(|| parts.remove(1).kind);
    let Some(FormKind::Symbol(Symbol { name, .. })) = name else { return Err(wrong("a definition without a name")) };
    if matches!(parts.get(1).map(|part| &part.kind), Some(FormKind::Str(_))) {
        parts.remove(1);
    }
    if let Some(head) = parts.first_mut() {
        head.kind = FormKind::Symbol(Symbol { ns: None, name: "fn".to_owned() });
    }
    let mut codes = Vec::new();
    let mut target =
        Target { codes: &mut codes, first: first_of_prelude(row), program: 0, text, hidden: true, inlines: true };
    let options = Options { max_symbols: usize::MAX };
    match pipeline::function(&parsed, Some(&name), &[], &mut Builtins, &options, &mut target)? {
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
