//! From text to code: the only file that names every phase.

use std::sync::Arc;

use crate::analyze::{self, Environment, Options};
use crate::contract::InputChecks;
use crate::error::{Error, Reason};
use crate::eval::compile::{Target, compile};
use crate::eval::vm::Machine;
use crate::limits::Limits;
use crate::outcome::Problem;
use crate::parse::{self, ReadLimits};
#[cfg(feature = "testing")]
use crate::stdlib::{Builtin, table::table};
use crate::value::Name;
#[cfg(feature = "testing")]
use crate::value::{BuiltinId, Value};
use crate::warning::{Warning, WarningCode};

/// A program that is ready to run.
pub(crate) struct Loaded {
    /// The number of its code.
    pub code: u32,
    /// What to add to the error it ends in, if it does: a bracket too many may be behind it.
    pub note: Option<String>,
}

/// Parse, analyze and compile a program into the machine's table.
///
/// Errors with all static problems; nothing has run then and no definition has changed.
pub(crate) fn load(source: &Arc<str>, machine: &mut Machine, limits: &Limits) -> Result<Loaded, Vec<Problem>> {
    let read = ReadLimits { max_bytes: limits.source_bytes, ..ReadLimits::default() };
    let parsed = parse::parse_with(source, read).map_err(|error| {
        let problem = Error::new(Reason::ParseError, error.message.clone()).at(error.span);
        vec![Problem::new(&problem, source, error.names_position)]
    })?;
    let note = parse::surplus_note(&parsed, source).map(|note| format!(" ({note})"));
    let options = Options { max_symbols: limits.symbols };
    let mut names = Names { machine };
    let analyzed = analyze::analyze(&parsed, &mut names, &options).map_err(|mut errors| {
        if let (Some(note), Some(first)) = (parse::surplus_note(&parsed, source), errors.first_mut()) {
            first.message.push_str(&format!(" ({note})"));
        }
        errors.iter().map(|error| Problem::new(error, source, false)).collect::<Vec<_>>()
    })?;
    machine.cx.warnings.extend(analyzed.warnings.into_iter().map(|warning| match &note {
        // A form that was closed too early leaves its rest behind it.
        Some(note) if warning.code == WarningCode::DroppedResult => Warning { message: format!("{}{note}", warning.message), ..warning },
        _ => warning,
    }));
    machine.cx.words = analyzed.words;
    machine.cx.max_words = limits.symbols;
    let mut main = analyzed.main;
    #[cfg(feature = "testing")]
    if machine.wrap_literals {
        analyze::wrap::wrap_literals(&mut main);
    }
    let program = machine.program;
    let mut target = Target { codes: Arc::make_mut(&mut machine.codes), program, hidden: false };
    let proto = compile(&mut main, &mut target).map_err(|error| vec![Problem::new(&error, source, false)])?;
    Ok(Loaded { code: proto.arities.first().map_or(0, |code| code.index), note })
}

/// Names as a program of the session sees them.
struct Names<'a> {
    machine: &'a mut Machine,
}

impl Environment for Names<'_> {
    fn global(&mut self, name: &str) -> u32 {
        self.machine.globals.slot(&Name::new(name))
    }

    fn is_defined(&self, name: &str) -> bool {
        self.machine.globals.named(&Name::new(name)).is_some()
    }

    fn definitions(&self) -> Vec<String> {
        self.machine.globals.iter().map(|(name, _)| name.to_string()).collect()
    }

    fn tool(&self, name: &str) -> Option<Option<&ptc_signature::Signature>> {
        self.machine.tools.get(name).map(|spec| spec.signature.as_ref())
    }

    fn tools(&self) -> Vec<String> {
        self.machine.tools.names()
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

    #[cfg(feature = "testing")]
    fn builtin(&self, namespace: Option<&str>, name: &str) -> Option<(BuiltinId, &'static Builtin)> {
        let id = table().resolve(namespace, name)?;
        let id = self.machine.sabotage.as_ref().map_or(id, |sabotage| sabotage.builtin(id, name));
        Some((id, table().entry(id).row))
    }

    #[cfg(feature = "testing")]
    fn constant(&self, name: &str) -> Option<Value> {
        let value = table().constant(name)?;
        let wrong = self.machine.sabotage.as_ref().is_some_and(|sabotage| sabotage.is_constant(name));
        Some(if wrong { analyze::sabotage::answer() } else { value.clone() })
    }

    #[cfg(feature = "testing")]
    fn is_sabotaged(&self, form: &str) -> bool {
        self.machine.sabotage.as_ref().is_some_and(|sabotage| sabotage.is_form(form))
    }

    fn has_task(&self, id: &str) -> bool {
        self.machine.cx.tasks.contains_key(id)
    }
}
