//! From text to code: the only file that names every phase.

use std::collections::HashSet;
use std::sync::Arc;

use crate::analyze::ir::{Analyzed, CaptureSource, Kind};
use crate::analyze::{self, Described, Edit, Environment, Options};
use crate::contract::InputChecks;
use crate::error::{Error, Reason};
use crate::eval::code::Code;
use crate::eval::compile::{Target, compile, compile_in};
use crate::eval::globals::Globals;
use crate::eval::rewrite::rewrite;
use crate::eval::vm::Machine;
use crate::limits::Limits;
use crate::outcome::Problem;
use crate::parse::{self, ReadLimits};
use crate::span::Span;
use crate::stdlib::parameters::parameter_lists;
use crate::stdlib::table::table;
use crate::value::{Closure, Group, Name, Origin, ProgramText, Required, Source, Value, write_quoted};
use crate::warning::Warning;

/// A program that is ready to run. Nothing of the session knows of it until it is installed.
pub(crate) struct Prepared {
    /// Its own code, which follows that of the session.
    codes: Vec<Arc<Code>>,
    /// The number of the code that runs first.
    main: u32,
    /// The definitions of the session, with a number for each name that the program makes known.
    globals: Globals,
    pub warnings: Vec<Warning>,
    /// What to add to the error it ends in, if it does: a bracket too many may be behind it.
    pub note: Option<String>,
}

/// Parse, analyze and compile a program for the machine, which stays as it is.
///
/// Errors with all static problems.
pub(crate) fn prepare(source: &Arc<str>, machine: &Machine, limits: &Limits) -> Result<Prepared, Vec<Problem>> {
    let read = ReadLimits { max_bytes: limits.source_bytes, ..ReadLimits::default() };
    let parsed = parse::parse_with(source, read).map_err(|error| {
        let problem = Error::new(Reason::ParseError, error.message.clone()).at(error.span);
        vec![Problem::new(&problem, source, error.names_position)]
    })?;
    let note = parsed.surplus.map(|surplus| format!(" ({})", surplus.note()));
    let options = Options { max_symbols: limits.symbols };
    let mut globals = machine.globals.clone();
    let mut names = Names { machine, globals: &mut globals, source, only: None };
    let Analyzed { mut main, warnings, required } =
        analyze::analyze(&parsed, &mut names, &options).map_err(|mut errors| {
            if let (Some(note), Some(first)) = (&note, errors.first_mut()) {
                first.message.push_str(note);
            }
            errors.iter().map(|error| Problem::new(error, source, false)).collect::<Vec<_>>()
        })?;
    globals.require(&required);
    machine.edits.iter().for_each(|edit| edit.rewrite(&mut main));
    rewrite(&mut main);
    let mut codes = Vec::new();
    let text = Arc::new(ProgramText { text: source.clone(), required });
    let mut target = machine.target(&mut codes, machine.program, text);
    let proto = compile(&mut main, &mut target).map_err(|error| vec![Problem::new(&error, source, false)])?;
    let main = proto.arities.first().map_or(0, |entry| entry.code);
    Ok(Prepared { codes, main, globals, warnings, note })
}

impl Prepared {
    /// Make the program the one that the machine runs. Answers the definitions before it.
    pub fn install(self, machine: &mut Machine) -> Globals {
        let before = std::mem::replace(&mut machine.globals, self.globals);
        Arc::make_mut(&mut machine.codes).own.extend(self.codes);
        machine.cx.warnings.extend(self.warnings);
        machine.start(self.main);
        before
    }
}

impl Machine {
    /// Where code is compiled to that will follow what the session has.
    fn target<'c>(&self, codes: &'c mut Vec<Arc<Code>>, program: u32, text: Arc<ProgramText>) -> Target<'c> {
        Target { codes, first: self.codes.own.len() as u32, program, text, hidden: false, inlines: true }
    }
}

/// A function as it is stored.
pub(crate) struct FunctionText<'a> {
    /// One form: `(fn …)`, `#(…)`, `(letfn […] name)` or `tool/name`.
    pub source: &'a str,
    /// What messages call it.
    pub name: Option<&'a str>,
    /// The names of the values that it closed over.
    pub captured: &'a [&'a str],
    /// The definitions that it may refer to, bound or not.
    pub globals: &'a HashSet<String>,
    pub required: Required,
}

/// A stored function with its captured values; nothing of it runs.
///
/// Errors with what is wrong with the text.
pub(crate) fn load_function(
    function: FunctionText<'_>,
    values: Vec<Value>,
    machine: &mut Machine,
    limits: &Limits,
) -> Result<Value, String> {
    let mut codes = Vec::new();
    let mut globals = std::mem::take(&mut machine.globals);
    let loaded = function_of(function, values, machine, &mut globals, &mut codes, limits);
    machine.globals = globals;
    if loaded.is_ok() {
        Arc::make_mut(&mut machine.codes).own.extend(codes);
    }
    loaded
}

fn function_of(
    function: FunctionText<'_>,
    values: Vec<Value>,
    machine: &Machine,
    known: &mut Globals,
    codes: &mut Vec<Arc<Code>>,
    limits: &Limits,
) -> Result<Value, String> {
    let FunctionText { source, name, captured, globals, required } = function;
    let read = ReadLimits { max_bytes: limits.source_bytes, ..ReadLimits::default() };
    let parsed = parse::parse_with(source, read).map_err(|error| error.message)?;
    let [_] = parsed.forms.as_slice() else { return Err("its `source` is not one form".to_owned()) };
    let text = Arc::new(ProgramText { text: source.into(), required: required.clone() });
    let mut names = Names { machine, globals: known, source, only: Some(globals) };
    let analyzed =
        analyze::analyze_function(&parsed, captured, required, &mut names, &Options { max_symbols: limits.symbols });
    let analyzed =
        analyzed.map_err(|errors| errors.into_iter().next().map(|error| error.message).unwrap_or_default())?;
    let node = analyzed.main.arities.into_iter().next().map(|arity| arity.body.kind);
    let taken =
        |sources: &[CaptureSource]| sources.iter().map(|source| captured_value(*source, &values)).collect::<Vec<_>>();
    let mut target = machine.target(codes, 0, text);
    match node {
        Some(Kind::Const(builtin @ Value::Builtin(_))) => Ok(builtin),
        Some(Kind::Tool(name)) => Ok(Value::Tool(name)),
        Some(Kind::Fn(mut function)) => {
            let function = Arc::make_mut(&mut function);
            function.name = name.map(Arc::from);
            let proto = compile(function, &mut target).map_err(|error| error.message)?;
            let captures = taken(&function.captures);
            Ok(Value::Function(Arc::new(Closure::new(proto, captures))))
        }
        Some(Kind::LetFn { slots, mut functions, captures, body }) => {
            let mut protos = Vec::with_capacity(functions.len());
            for function in &mut functions {
                protos.push(compile_in(Arc::make_mut(function), true, &mut target).map_err(|error| error.message)?);
            }
            let group = Arc::new(Group { protos, captures: taken(&captures) });
            let index = match body.kind {
                Kind::Local { slot, .. } => slots.iter().position(|known| *known == slot),
                _ => None,
            };
            let member = index.and_then(|index| Closure::of_group(&group, index));
            member.map(|closure| Value::Function(Arc::new(closure))).ok_or_else(not_a_function)
        }
        _ => Err(not_a_function()),
    }
}

/// The function as the definition of `name`: `(defn name "doc" [params] body...)` where it can be written so.
fn definition(source: &Source, name: &str, doc: Option<&str>) -> Option<String> {
    let mut quoted = String::new();
    if let Some(doc) = doc {
        write_quoted(&mut quoted, doc, None);
        quoted.push(' ');
    }
    match &source.origin {
        Origin::Parts { parts, own: None } => {
            let parts = source.program.text.get(parts.start as usize..parts.end as usize)?;
            Some(format!("(defn {name} {quoted}{parts})"))
        }
        _ => Some(format!("(def {name} {quoted}{})", source.text(name)?)),
    }
}

/// The captured values are the first locals around the function.
fn captured_value(source: CaptureSource, values: &[Value]) -> Value {
    match source {
        CaptureSource::Local(slot) => values.get(slot as usize).cloned().unwrap_or_default(),
        _ => Value::Nil,
    }
}

fn not_a_function() -> String {
    "its `source` is not a function: expected (fn [params] body...), #(...), (letfn [...] name) or a name".to_owned()
}

/// Names as a program of the session sees them.
pub(crate) struct Names<'a> {
    pub machine: &'a Machine,
    /// The definitions of the machine, to which names of the text are added.
    pub globals: &'a mut Globals,
    /// The text that is analyzed.
    pub source: &'a str,
    /// The only definitions there are, when the text is a stored function.
    pub only: Option<&'a HashSet<String>>,
}

impl Environment for Names<'_> {
    fn global(&mut self, name: &str) -> u32 {
        self.globals.slot(&Name::new(name))
    }

    fn is_defined(&self, name: &str) -> bool {
        match self.only {
            Some(names) => names.contains(name),
            None => self.globals.is_defined(name),
        }
    }

    fn definitions(&self) -> Vec<String> {
        self.globals.iter().map(|(name, _)| name.to_string()).collect()
    }

    fn required(&self) -> Required {
        self.globals.required().clone()
    }

    fn tool(&self, name: &str) -> Option<Option<&ptc_signature::Signature>> {
        self.machine.tools.get(name).map(|spec| spec.signature.as_ref())
    }

    fn tools(&self) -> Vec<String> {
        self.machine.tools.names()
    }

    fn tool_description(&self, name: &str) -> Option<&str> {
        self.machine.tools.get(name)?.description.as_deref()
    }

    fn definition(&self, name: &str) -> Option<Described> {
        let global = self.globals.named(&Name::known(name)?)?;
        let value = global.value.as_ref()?;
        Some(Described {
            params: parameter_lists(value, table()),
            doc: global.doc.as_ref().map(ToString::to_string),
            label: Some(crate::value::type_of(&self.machine.show(value))),
            source: match value {
                Value::Function(closure) if !closure.is_derived() => {
                    closure.proto.source.as_ref().and_then(|source| definition(source, name, global.doc.as_deref()))
                }
                _ => None,
            },
        })
    }

    fn data_label(&self, name: &str) -> Option<String> {
        self.machine.data.get_named(name).map(crate::value::type_of)
    }

    fn text(&self, span: Span) -> Option<&str> {
        self.source.get(span.start as usize..span.end as usize)
    }

    fn tool_checks(&self) -> InputChecks {
        self.machine.tools.checks
    }

    fn has_data(&self, name: &str) -> bool {
        self.machine.data.get_named(name).is_some()
    }

    fn data_names(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.machine.data.iter().filter_map(|(key, _)| crate::value::key_name(key).map(str::to_owned)).collect();
        names.sort_unstable();
        names
    }

    fn edits(&self) -> &[Box<dyn Edit>] {
        &self.machine.edits
    }

    fn has_task(&self, id: &str) -> bool {
        self.machine.cx.tasks.contains_key(id)
    }
}
