//! Programs of a session, from text to code.

#[cfg(all(test, feature = "testing"))]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use crate::analyze::ir::{Analyzed, Function};
use crate::analyze::{self, Described, Edit, Environment, Options, print};
use crate::error::warning::Warning;
use crate::error::{Error, Reason};
use crate::eval::code::Code;
use crate::eval::compile::{Target, compile};
use crate::eval::globals::Globals;
use crate::eval::listing::listing;
use crate::eval::vm::Machine;
use crate::fields::{self, DataFields, Findings};
use crate::limits::Limits;
use crate::optimize::Plan;
use crate::parse::Parsed;
use crate::parse::program_text::{ProgramText, Required};
use crate::parse::span::Span;
use crate::session::outcome::Problem;
use crate::session::pipeline;
use crate::signature::contract::InputChecks;
use crate::stdlib::parameters::parameter_lists;
use crate::stdlib::table::table;
use crate::value::{Closure, Name, Origin, Source, Value, quoted};

/// A program that is ready to run. The session does not know of it until it is installed.
pub(crate) struct Prepared {
    /// Its code, numbered for the table of the session.
    codes: Vec<Arc<Code>>,
    /// The number of the code that runs first.
    main: u32,
    /// The definitions of the session, with a number for each name that the program introduces.
    globals: Globals,
    pub warnings: Vec<Warning>,
    pub text: Arc<ProgramText>,
    /// What to add to the error it ends in, if it does: a surplus bracket may be the cause.
    pub note: Option<String>,
}

impl Prepared {
    /// The instructions of the program and of its functions.
    pub fn listing(&self) -> String {
        self.codes.iter().map(|code| listing(code, &self.globals)).collect()
    }

    /// Make this the program that the machine runs.
    pub fn install(self, machine: &mut Machine) {
        machine.before = Some(std::mem::replace(&mut machine.globals, self.globals));
        Arc::make_mut(&mut machine.codes).add(self.codes);
        machine.cx.warnings.extend(self.warnings);
        machine.text = self.text;
        machine.start(self.main);
    }
}

/// The static phases of the programs of one session. The session itself stays as it is.
pub struct Phases<'s> {
    pub(crate) machine: &'s Machine,
    pub(crate) limits: &'s Limits,
    pub(crate) fields: &'s DataFields,
    /// What the host calls the program.
    pub(crate) name: Option<Arc<str>>,
}

/// A program that was read and not analyzed yet.
pub struct ReadProgram {
    source: Arc<str>,
    parsed: Parsed,
}

impl Phases<'_> {
    /// Parse, analyze and compile a program.
    ///
    /// Errors with all static problems.
    pub(crate) fn prepare(&self, source: Arc<str>) -> Result<Prepared, Vec<Problem>> {
        self.prepare_with(source, &self.machine.plan, |_, _| ()).map(|(prepared, ())| prepared)
    }

    /// The same with the passes of `plan`, and the result of `look` for the resolved program and the definitions, which have a number for each
    /// of its names.
    ///
    /// Errors with all static problems.
    pub(crate) fn prepare_with<R>(
        &self,
        source: Arc<str>,
        plan: &Plan,
        look: impl FnOnce(&Function, &Globals) -> R,
    ) -> Result<(Prepared, R), Vec<Problem>> {
        let program = self.read(source)?;
        let (Analyzed { mut main, mut warnings, required }, mut globals) = self.resolve(&program)?;
        globals.require(&required);
        self.machine.edits.iter().for_each(|edit| edit.rewrite(&mut main));
        self.check_fields(&program, &main, &globals, &mut warnings)?;
        let seen = look(&main, &globals);
        plan.program(&mut main, &globals);
        let note = program.note();
        let mut codes = Vec::new();
        let text = Arc::new(ProgramText { name: self.name.clone(), text: program.source, required });
        let mut target = self.machine.target(&mut codes, text.clone());
        let proto = compile(&mut main, &mut target).map_err(|error| vec![Problem::new(&error, &text.text)])?;
        let main = proto.arities.first().map_or(0, |entry| entry.code);
        Ok((Prepared { codes, main, globals, warnings, text, note }, seen))
    }

    /// The tree that is compiled, with the passes of `plan`, and the definitions.
    ///
    /// Errors with all static problems.
    pub(crate) fn optimized(&self, source: Arc<str>, plan: &Plan) -> Result<(Function, Globals), Vec<Problem>> {
        let program = self.read(source)?;
        let (Analyzed { mut main, required, .. }, mut globals) = self.resolve(&program)?;
        globals.require(&required);
        plan.program(&mut main, &globals);
        Ok((main, globals))
    }

    /// Look for fields that no record has.
    ///
    /// Errors with up to five of those that are certainly mistakes; the others are added to the warnings.
    fn check_fields(
        &self,
        program: &ReadProgram,
        main: &Function,
        globals: &Globals,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), Vec<Problem>> {
        let read = |closure: &Closure| function_tree(closure, self.machine, globals, self.limits);
        let Findings { mut problems, warnings: more } = fields::find(self.fields, self.machine, globals, main, &read);
        if !problems.is_empty() {
            problems.truncate(analyze::MAX_PROBLEMS);
            return Err(problems.iter().map(|problem| Problem::new(problem, &program.source)).collect());
        }
        if !more.is_empty() {
            warnings.extend(more);
            warnings.truncate(analyze::MAX_WARNINGS);
            warnings.sort_by_key(|warning| warning.span.start);
        }
        Ok(())
    }

    /// Read a program: from its text to forms.
    ///
    /// Errors with the place where the text is not a program, and when the session refuses every program.
    pub fn read(&self, source: impl Into<Arc<str>>) -> Result<ReadProgram, Vec<Problem>> {
        let source = source.into();
        if let Some(refusal) = &self.machine.refusal {
            return Err(vec![Problem::new(refusal, &source)]);
        }
        let parsed = pipeline::read(&source, self.limits.source_bytes);
        let parsed = parsed.map_err(|error| vec![Problem::new(&error, &source)])?;
        Ok(ReadProgram { source, parsed })
    }

    /// Analyze what was read: resolve names, expand macros, find every static problem. Returns the number of warnings.
    ///
    /// Errors with the static problems.
    #[cfg(feature = "testing")]
    pub fn analyze(&self, program: &ReadProgram) -> Result<usize, Vec<Problem>> {
        self.resolve(program).map(|(analyzed, _)| analyzed.warnings.len())
    }

    /// The resolved program, and the definitions, with a number for each name that it introduces.
    fn resolve(&self, program: &ReadProgram) -> Result<(Analyzed, Globals), Vec<Problem>> {
        let mut globals = self.machine.globals.clone();
        let mut names = Names { machine: self.machine, globals: &mut globals, source: &program.source, stored: None };
        match analyze::analyze(&program.parsed, &mut names, &Options { max_symbols: self.limits.symbols }) {
            Ok(analyzed) => Ok((analyzed, globals)),
            Err(mut errors) => {
                if let (Some(note), Some(first)) = (program.note(), errors.first_mut()) {
                    first.message.push_str(&note);
                }
                Err(errors.iter().map(|error| Problem::new(error, &program.source)).collect())
            }
        }
    }
}

impl print::Names for Globals {
    fn global(&self, number: u32) -> String {
        self.name(number).map(ToString::to_string).unwrap_or_default()
    }
}

impl ReadProgram {
    fn note(&self) -> Option<String> {
        self.parsed.surplus.map(|surplus| format!(" ({})", surplus.note()))
    }
}

impl Machine {
    /// The target for code of the session.
    fn target<'c>(&'c self, codes: &'c mut Vec<Arc<Code>>, text: Arc<ProgramText>) -> Target<'c> {
        Target { codes, numbers: self.codes.numbers(), text, hidden: false }
    }
}

/// A stored function.
pub(crate) struct FunctionText<'a> {
    /// One form, as [`pipeline::function`] takes it.
    pub source: &'a str,
    /// Its name in messages.
    pub name: Option<&'a str>,
    /// The names of its captured values.
    pub captured: &'a [&'a str],
    /// The definitions that it may refer to, bound or not.
    pub globals: &'a HashSet<String>,
    pub required: Required,
}

/// A stored function with its captured values; it does not run.
///
/// Errors with what is wrong with the text.
pub(crate) fn load_function(
    function: &FunctionText<'_>,
    values: &[Value],
    machine: &mut Machine,
    limits: &Limits,
) -> Result<Value, String> {
    let mut globals = std::mem::take(&mut machine.globals);
    let mut codes = Vec::new();
    let FunctionText { source, name, required, .. } = function;
    let mut load = || {
        let parsed = pipeline::read(source, limits.source_bytes).map_err(|error| vec![error])?;
        let [_] = parsed.forms.as_slice() else {
            return Err(vec![Error::new(Reason::InvalidForm, "its `source` is not one form")]);
        };
        let text = Arc::new(ProgramText { name: None, text: (*source).into(), required: required.clone() });
        let mut names = Names { machine, globals: &mut globals, source, stored: Some(function) };
        let options = Options { max_symbols: limits.symbols };
        let plan = machine.plan.clone();
        pipeline::function(&parsed, *name, values, &mut names, &options, &plan, &mut machine.target(&mut codes, text))
    };
    let loaded = load();
    machine.globals = globals;
    let value = loaded.map_err(|errors| errors.into_iter().next().map(|error| error.message).unwrap_or_default())?;
    Arc::make_mut(&mut machine.codes).add(codes);
    Ok(value)
}

/// The tree of a function of an earlier program, from its text; `None` where the text is not in one piece. Its captured
/// values are the first locals around it.
///
/// Cost: that of reading and analyzing the text.
pub(crate) fn function_tree(
    closure: &Closure,
    machine: &Machine,
    globals: &Globals,
    limits: &Limits,
) -> Option<analyze::ir::Kind> {
    let proto = &closure.proto;
    let name = proto.name.as_deref();
    let source = proto.source.as_ref()?;
    let text = source.text(name.unwrap_or_default())?;
    let used = machine.codes.definitions_of(closure);
    let used = used.iter().filter_map(|number| globals.name(*number)).map(ToString::to_string).collect();
    let captured: Vec<&str> = proto.capture_names.iter().map(AsRef::as_ref).collect();
    let required = source.program.required.clone();
    let function = FunctionText { source: &text, name, captured: &captured, globals: &used, required };
    let parsed = pipeline::read(&text, usize::MAX).ok()?;
    let mut globals = globals.clone();
    let mut names = Names { machine, globals: &mut globals, source: &text, stored: Some(&function) };
    pipeline::function_tree(&parsed, &mut names, &Options { max_symbols: limits.symbols }).ok()?
}

/// The function as the definition of `name`: `(defn name "doc" [params] body...)` where it has that form.
fn definition(source: &Source, name: &str, doc: Option<&str>) -> Option<String> {
    let quoted = doc.map(|doc| quoted(doc, None) + " ").unwrap_or_default();
    match &source.origin {
        Origin::Parts { parts, own: None } => {
            let parts = source.program.text.get(parts.start as usize..parts.end as usize)?;
            Some(format!("(defn {name} {quoted}{parts})"))
        }
        _ => Some(format!("(def {name} {quoted}{})", source.text(name)?)),
    }
}

/// Names as a program of the session sees them.
pub(crate) struct Names<'a> {
    pub machine: &'a Machine,
    /// The definitions of the machine, to which names of the text are added.
    pub globals: &'a mut Globals,
    /// The text that is analyzed.
    pub source: &'a str,
    /// The stored function whose text this is; it says which definitions exist.
    pub stored: Option<&'a FunctionText<'a>>,
}

impl Environment for Names<'_> {
    fn global(&mut self, name: &str) -> u32 {
        self.globals.slot(&Name::new(name))
    }

    fn is_defined(&self, name: &str) -> bool {
        match self.stored {
            Some(function) => function.globals.contains(name),
            None => self.globals.is_defined(name),
        }
    }

    /// None for a stored function: the search for the nearest name is skipped, since a memory may have as many
    /// functions as definitions.
    fn definitions(&self) -> Vec<String> {
        if self.stored.is_some() {
            return Vec::new();
        }
        self.globals.iter().map(|(name, _)| name.to_string()).collect()
    }

    fn required(&self) -> Required {
        self.stored.map_or_else(|| self.globals.required(), |function| function.required.clone())
    }

    fn captured(&self) -> Option<&[&str]> {
        self.stored.map(|function| function.captured)
    }

    fn tool(&self, name: &str) -> Option<Option<&crate::signature::Signature>> {
        self.machine.tools.get(name).map(|spec| spec.signature.as_ref())
    }

    fn tools(&self) -> Vec<String> {
        self.machine.tools.names()
    }

    fn tool_details(&self, name: &str) -> String {
        self.machine.tools.get(name).map(|spec| spec.details()).unwrap_or_default()
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
        self.machine.cx.local.tasks.contains_key(id)
    }
}
