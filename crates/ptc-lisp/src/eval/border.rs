//! The border of a session: what a host brings in is checked before a program can see it.
//!
//! A function of a program holds numbers of code and of definitions, and a cell is a number: elsewhere, they would mean
//! whatever has the same number there.

use std::fmt;
use std::sync::Arc;

use super::code_table::CodeTable;
use crate::error::{Error, Reason};
use crate::session::host::{ToolAnswer, ToolError};
use crate::value::{Closure, Value};

/// Why a value cannot enter a session.
pub(crate) enum Foreign {
    /// It holds this function, whose code the session does not have.
    Function(Arc<Closure>),
    /// It refers to an atom, a volatile, a delay or a lazy sequence. Even one of the session itself: the session frees
    /// cells to which nothing in it refers.
    Cell,
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Foreign::Function(function) => write!(f, "{function:?}, a function of another session"),
            Foreign::Cell => f.write_str("an atom, a delay or a lazy sequence, whose content is in its session"),
        }
    }
}

impl Foreign {
    /// The error of a host that brings `what`.
    pub fn error(&self, what: &str) -> Error {
        let hint = match self {
            Foreign::Function(_) => {
                "run its text here, or begin this session with the definitions of that one (`SessionOptions::definitions`)"
            }
            Foreign::Cell => "bring what is in it, or define it in a program",
        };
        Error { names_position: true, ..Error::new(Reason::ForeignValue, format!("{what} holds {self}: {hint}")) }
    }
}

/// Let a value in, if it means here what it meant where it comes from: data, builtins, what builtins such as `comp`
/// make of these, and functions that the session compiled itself or began with. A function may be a comparator.
///
/// Cost: linear in what is not host data; nothing is charged to a program.
#[inline]
pub(crate) fn admit(value: &Value, codes: &CodeTable, has_comparators: &mut bool) -> Result<(), Foreign> {
    if value.is_scalar() || value.is_plainly_free() { Ok(()) } else { search(value, codes, has_comparators) }
}

fn search(value: &Value, codes: &CodeTable, has_comparators: &mut bool) -> Result<(), Foreign> {
    let ties = value.ties();
    *has_comparators |= !ties.functions.is_empty();
    match ties.functions.into_iter().find(|function| !codes.has(function)) {
        Some(function) => Err(Foreign::Function(function)),
        None if ties.has_cells => Err(Foreign::Cell),
        None => Ok(()),
    }
}

/// Let the answer of a tool in, or replace it with why not: the call was made nevertheless.
#[inline]
pub(crate) fn admit_answer(answer: &mut ToolAnswer, codes: &CodeTable, has_comparators: &mut bool) {
    let data = answer.result.as_ref().map_or_else(|failure| failure.data.as_ref(), Some);
    if let Some(data) = data
        && let Err(foreign) = admit(data, codes, has_comparators)
    {
        let text = format!("its answer holds {foreign}; a tool must answer with data");
        answer.result = Err(ToolError::new(text).may_have_run(true));
    }
}
