//! What is known about a function of the program besides its instructions: how it is called, and where its text is.

use std::any::Any;
use std::sync::Arc;

use super::BuiltinId;
use crate::error::advice::arity::Counts;
use crate::parse::program_text::ProgramText;
use crate::parse::span::Span;
use crate::value::name::Name;

/// The separator between stored parameter lists of a function with several arities: no list has a line break.
pub(crate) const ARITIES: &str = "\n";

/// A function as closures refer to it.
#[derive(Debug)]
pub(crate) struct Proto {
    pub name: Option<Arc<str>>,
    /// The text of its parameter list; lists of several arities are joined by [`ARITIES`].
    pub params_text: Arc<str>,
    /// The names of the captured values in its text.
    pub capture_names: Vec<Arc<str>>,
    /// Its text, if a program has it in one piece.
    pub source: Option<Source>,
    /// The functions that it calls and that are known only when it runs; `None` when a call of it may have an effect.
    pub calls: Option<Calls>,
    pub arities: Vec<EntryPoint>,
}

/// The functions that a function calls, and that are known only when it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Calls {
    /// By their indexes among its captured values.
    pub captures: Vec<u32>,
    /// Definitions.
    pub globals: Vec<u32>,
    /// Whether it may call a builtin that looks inside values, and so into atoms: `str`.
    pub looks_inside: bool,
}

/// Where the text of a function is.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    pub program: Arc<ProgramText>,
    pub origin: Origin,
}

impl Source {
    /// The function as a form that a program could hold; `name` selects among the functions of a `letfn`.
    pub fn text(&self, name: &str) -> Option<String> {
        let cut = |span: &Span| self.program.text.get(span.start as usize..span.end as usize);
        Some(match &self.origin {
            Origin::Whole(span) => cut(span)?.to_owned(),
            Origin::Parts { parts, own: None } => format!("(fn {})", cut(parts)?),
            Origin::Parts { parts, own: Some(own) } => format!("(fn {own} {})", cut(parts)?),
            Origin::Body(None) => "(fn [])".to_owned(),
            Origin::Body(Some(span)) => format!("(fn [] {})", cut(span)?),
            Origin::Group(span) => format!("(letfn {} {name})", cut(span)?),
        })
    }
}

impl Proto {
    /// The arity that takes `count` arguments.
    #[inline]
    pub fn select(&self, count: usize) -> Option<&EntryPoint> {
        self.arities
            .iter()
            .find(|entry| usize::from(entry.fixed) == count && !entry.rest)
            .or_else(|| self.arities.iter().find(|entry| entry.rest && count >= usize::from(entry.fixed)))
    }

    /// The name shown in messages.
    pub fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or("fn")
    }

    /// `1 argument`, `1 or 2 arguments`, `2 or more arguments`.
    pub fn expected_arguments(&self) -> String {
        Counts::new(self.arities.iter().map(|entry| (usize::from(entry.fixed), entry.rest))).to_string()
    }
}

/// How much of a value is read.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reads {
    /// Perhaps only its first elements.
    Prefix,
    /// As much as the caller of the function reads of its value.
    Caller,
    Whole,
}

/// One arity of a function: how it is called, and the number of its code.
#[derive(Debug)]
pub(crate) struct EntryPoint {
    pub fixed: u16,
    pub rest: bool,
    /// The number of registers of a frame.
    pub registers: u16,
    /// The index of its instructions in the session's table of code.
    pub code: u32,
    /// The instructions themselves: a table that has others under the number is that of another session.
    pub compiled: Arc<dyn Any + Send + Sync>,
    /// Whether the callee must be readable below the frame: it captures something or names itself.
    pub needs_callee: bool,
    /// Prelude code: not shown in traces and positions.
    pub hidden: bool,
    /// How much it reads of each fixed parameter; of others, the whole.
    pub reads: Vec<Reads>,
    /// What it compares, if it does nothing else.
    pub comparison: Option<Box<Comparison>>,
}

/// What such a function compares.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub by: By,
    /// Whether the second parameter comes first.
    pub swapped: bool,
    /// The field that is compared; when missing, the arguments themselves.
    pub field: Option<Name>,
}

/// The function that compares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Builtin(BuiltinId),
    /// The captured one, as a predicate: what `comparator` returns.
    Captured,
}

/// Where the text of a function is in its program.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// The whole form, `#(…)`.
    Whole(Span),
    /// Parameter lists and bodies, with the name by which the function may call itself.
    Parts { parts: Span, own: Option<Arc<str>> },
    /// The body of a function without parameters; `None` when it is empty.
    Body(Option<Span>),
    /// The binding vector of the `letfn` it belongs to.
    Group(Span),
}

/// The first number of prelude code.
const PRELUDE: u32 = 1 << 31;
/// Bits for the inner functions of one prelude function.
const INNER: u32 = 16;

/// The number of the first code of a prelude function, by the number of its row.
pub(crate) fn first_of_prelude(row: u16) -> u32 {
    PRELUDE | u32::from(row) << INNER
}

/// The row of the prelude function that contains the code with this number, and its index there.
pub(crate) fn place_in_prelude(code: usize) -> Option<(usize, usize)> {
    let code = u32::try_from(code).ok().filter(|code| code & PRELUDE != 0)? & !PRELUDE;
    Some(((code >> INNER) as usize, (code & ((1 << INNER) - 1)) as usize))
}
