//! The static phases of a program one at a time, for benchmarks: [`Session::check`] runs them all.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use crate::analyze::{self, Options};
use crate::error::{Error, Reason};
use crate::eval::vm::Machine;
use crate::limits::Limits;
use crate::outcome::Problem;
use crate::parse::{self, Parsed, ReadLimits};
use crate::program::Names;
#[cfg(doc)]
use crate::session::Session;

/// The phases of one session; what they make is let go of again.
pub struct Phases<'s> {
    pub(crate) machine: &'s Machine,
    pub(crate) limits: &'s Limits,
}

/// A program that was read and not looked at yet.
pub struct ReadProgram {
    source: Arc<str>,
    parsed: Parsed,
}

impl Phases<'_> {
    /// Read a program: from its text to forms.
    ///
    /// Errors with the place where it is no program.
    pub fn read(&self, source: &str) -> Result<ReadProgram, Vec<Problem>> {
        let limits = ReadLimits { max_bytes: self.limits.source_bytes, ..ReadLimits::default() };
        let parsed = parse::parse_with(source, limits).map_err(|error| {
            let problem = Error::new(Reason::ParseError, error.message).at(error.span);
            vec![Problem::new(&problem, source, error.names_position)]
        })?;
        Ok(ReadProgram { source: source.into(), parsed })
    }

    /// Analyze what was read: resolve names, expand macros, find every static problem. Answers the number of warnings.
    ///
    /// Errors with the static problems.
    pub fn analyze(&self, program: &ReadProgram) -> Result<usize, Vec<Problem>> {
        let options = Options { max_symbols: self.limits.symbols };
        let mut globals = self.machine.globals.clone();
        let mut names = Names { machine: self.machine, globals: &mut globals, source: &program.source, only: None };
        let analyzed = analyze::analyze(&program.parsed, &mut names, &options);
        let analyzed = analyzed.map_err(|errors| {
            errors.iter().map(|error| Problem::new(error, &program.source, false)).collect::<Vec<_>>()
        })?;
        Ok(analyzed.warnings.len())
    }
}
