//! Listings of compiled functions.

use std::fmt::{self, Write};

use super::code::{Code, Op, Operand};
use super::globals::Globals;
use crate::stdlib::table::table;
use crate::value::{Name, shown};

/// A function: its registers, then its instructions by index, with their operands in the order of the table.
pub(crate) fn listing(code: &Code, globals: &Globals) -> String {
    let name = code.name.as_deref().unwrap_or("program");
    let mut text = format!("{name}: {} registers, {} of them locals\n", code.registers, code.locals);
    for (at, op) in code.ops.iter().enumerate() {
        // A string takes any text.
        let _written = instruction(&mut text, at, *op, code, globals);
    }
    text
}

fn instruction(text: &mut String, at: usize, op: Op, code: &Code, globals: &Globals) -> fmt::Result {
    write!(text, "{at:>3} {}", op.name())?;
    let mut written = Ok(());
    op.visit(|operand| {
        let operand = Shown { operand, code, globals };
        written = written.and_then(|()| write!(text, " {operand}"));
    });
    written?;
    writeln!(text)
}

struct Shown<'c> {
    operand: Operand,
    code: &'c Code,
    globals: &'c Globals,
}

impl fmt::Display for Shown<'_> {
    // Bounded: one operand.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let constant = |f: &mut fmt::Formatter<'_>, number: usize| match self.code.constants.get(number) {
            Some(value) => f.write_str(&shown(value)),
            None => write!(f, "k{number}"),
        };
        match self.operand {
            Operand::Into(r) | Operand::From(r) | Operand::Changed(r) | Operand::Values(r) | Operand::Window(r) => {
                write!(f, "r{r}")
            }
            Operand::Taken(r) => write!(f, "r{r}!"),
            Operand::Argument(argument) if argument.in_register().is_none() => constant(f, argument.index()),
            Operand::Argument(argument) => write!(f, "{argument:?}"),
            Operand::Constant(k) => constant(f, k as usize),
            Operand::Key(k) => constant(f, usize::from(k)),
            Operand::Number(n) => write!(f, "{n}"),
            Operand::Flag(yes) => write!(f, "{yes}"),
            Operand::Target(at) => write!(f, "→{at}"),
            Operand::Global(number) => write!(f, "@{}", self.globals.name(number).map_or("?", Name::as_str)),
            Operand::Builtin(_)
            | Operand::Quick(_)
            | Operand::Arithmetic(_)
            | Operand::Relation(_)
            | Operand::Test(_)
            | Operand::Pattern(_) => f.write_str(self.operand.row().map_or("?", |id| table().entry(id).row.name)),
            Operand::Function(n) | Operand::Group(n) | Operand::Definition(n) => write!(f, "{n}"),
            Operand::Count(n)
            | Operand::Parts(n)
            | Operand::Columns(n)
            | Operand::Definitions(n)
            | Operand::Loop(n)
            | Operand::Update(n)
            | Operand::Captured(n)
            | Operand::Sibling(n) => write!(f, "{n}"),
            Operand::Turns(n) => write!(f, "{n}"),
        }
    }
}
