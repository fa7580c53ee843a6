//! What can stop a program: errors a program may catch, limits it may not, and the two endings.

pub(crate) mod advice;
pub(crate) mod warning;

use std::fmt;
use std::sync::Arc;

use crate::named::named;
use crate::parse::program_text::ProgramText;
use crate::parse::span::Span;
use crate::value::name::Name;

mod class;
mod signal;

pub(crate) use class::ErrorClass;
pub use signal::Exception;
pub(crate) use signal::{Res, Signal, argument_error, arithmetic_error, err, type_error};

/// The result of operations on plain data, which can fail only with an error: no `return`, no sequence that must be
/// realised first.
pub(crate) type Fallible<T = ()> = Result<T, Box<Error>>;

named! {
    /// Why a program failed, by the stable names of the language reference.
    #[non_exhaustive]
    #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
    pub enum Reason {
        /// The text is not a program.
        ParseError = "parse_error",
        /// Too many distinct names.
        SymbolLimitExceeded = "symbol_limit_exceeded",
        /// A special form has the right number of parts but the wrong shape.
        InvalidForm = "invalid_form",
        /// A special form has the wrong number of parts.
        InvalidArity = "invalid_arity",
        /// `cond` with an odd number of forms.
        InvalidCondForm = "invalid_cond_form",
        /// A threading macro without a value.
        InvalidThreadForm = "invalid_thread_form",
        /// `where` with the wrong shape.
        InvalidWhereForm = "invalid_where_form",
        /// `where` with an unknown operator.
        InvalidWhereOperator = "invalid_where_operator",
        /// A pattern that cannot destructure.
        UnsupportedPattern = "unsupported_pattern",
        /// `%` outside `#()`.
        InvalidPlaceholder = "invalid_placeholder",
        /// A name that nothing defines.
        UndefinedSymbol = "undefined_symbol",
        /// A bare name that is both a tool and a data key.
        AmbiguousReference = "ambiguous_reference",
        /// `data/name` that does not exist.
        DataNotFound = "data_not_found",
        /// `tool/name` that does not exist.
        ToolNotFound = "tool_not_found",
        /// A key that no record of known data has.
        UnknownField = "unknown_field",
        /// Arguments that do not fit a tool.
        InvalidToolArgs = "invalid_tool_args",
        /// A tool failed.
        ToolError = "tool_error",
        /// A call of something that is not a function.
        NotCallable = "not_callable",
        /// A keyword call with a wrong argument count.
        InvalidKeywordCall = "invalid_keyword_call",
        /// A call with a wrong argument count.
        ArityError = "arity_error",
        /// An argument of the wrong kind.
        TypeError = "type_error",
        /// An argument of the right kind that cannot be used.
        ArgumentError = "argument_error",
        /// Division by zero and the like.
        ArithmeticError = "arithmetic_error",
        /// A value that does not fit a pattern.
        DestructureError = "destructure_error",
        /// A failed `assert`, `:pre` or `:post`.
        AssertionError = "assertion_error",
        /// An uncaught `throw`.
        Exception = "exception",
        /// A branch of `pmap` failed.
        PmapError = "pmap_error",
        /// A branch of `pcalls` failed.
        PcallsError = "pcalls_error",
        /// A value nested too deeply to compare, hash or send.
        NestingTooDeep = "nesting_too_deep",
        /// A result that does not fit its signature.
        ValidationError = "validation_error",
        /// The call depth limit.
        RecursionLimitExceeded = "recursion_limit_exceeded",
        /// The time limit.
        Timeout = "timeout",
        /// The memory limit.
        MemoryExceeded = "memory_exceeded",
        /// The fuel limit.
        FuelExceeded = "fuel_exceeded",
        /// A value that belongs to another session.
        ForeignValue = "foreign_value",
        /// The host stopped the run.
        Cancelled = "cancelled",
        /// A defect of the interpreter.
        InternalError = "internal_error",
    }

    /// The stable name, for example `type_error`.
    fn as_str
}

impl Reason {
    /// Whether this is a limit: a program can never catch it.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(
            self,
            Reason::RecursionLimitExceeded
                | Reason::Timeout
                | Reason::MemoryExceeded
                | Reason::FuelExceeded
                | Reason::SymbolLimitExceeded
                | Reason::Cancelled
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One problem of a program: its reason, its text without a position, and where it happened.
#[derive(Clone, Debug)]
pub struct Error {
    /// The stable reason.
    pub reason: Reason,
    /// What was found and what to write instead; no position inside.
    pub message: String,
    /// Where it happened, as byte offsets into the source of the program that was running.
    pub span: Option<Span>,
    /// Where the program asked for the element that a lazy sequence failed to compute, when that is another place.
    pub(crate) needed_at: Option<Span>,
    /// Bytes of the message that say what was found; a hint follows them.
    pub(crate) found: u32,
    /// What happened, for hints that are added further out.
    pub(crate) about: About,
    /// Whether the message itself says where it happened, or concerns the whole program.
    pub(crate) names_position: bool,
    /// The tool that failed.
    pub tool: Option<Name>,
    /// The class of which a thrown exception was created.
    pub(crate) class: Option<ErrorClass>,
    /// The user functions that were running, innermost first; at most a few.
    pub(crate) running: Vec<Called>,
}

/// A user function that was running when an error occurred, or the program itself.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// Its name; `None` for an anonymous one, and for the program.
    pub name: Option<Arc<str>>,
    /// The program that it is of, and where in that it was.
    pub text: Arc<ProgramText>,
    pub span: Span,
}

impl Error {
    /// An error without a position; the running instruction adds it.
    pub fn new(reason: Reason, message: impl Into<String>) -> Error {
        let message = message.into();
        Error {
            reason,
            found: u32::try_from(message.len()).unwrap_or(u32::MAX),
            message,
            about: About::Other,
            span: None,
            needed_at: None,
            names_position: false,
            tool: None,
            class: None,
            running: Vec::new(),
        }
    }

    /// An error with a hint on what to write instead. Callers that know more replace the hint.
    pub(crate) fn hinted(reason: Reason, found: impl Into<String>, hint: &str) -> Error {
        let mut error = Error::new(reason, found);
        error.hint(hint);
        error
    }

    /// Put this hint after what was found.
    pub(crate) fn hint(&mut self, hint: &str) {
        if self.message.is_char_boundary(self.found as usize) {
            self.message.truncate(self.found as usize);
        }
        self.message.push_str(": ");
        self.message.push_str(hint);
    }

    /// The same error with this subject.
    pub(crate) fn about(self, about: About) -> Error {
        Error { about, ..self }
    }

    /// Name the function as the program wrote it in `call`, the text of the call: for `(str/split …)`, `split: …`
    /// becomes `str/split: …`.
    pub(crate) fn name_as_written(&mut self, call: &str) {
        let Some((name, text)) = self.message.split_once(": ") else { return };
        let ends_name = |c: char| c.is_whitespace() || "()[]{}\"".contains(c);
        let Some(written) = call.strip_prefix('(').and_then(|call| call.split(ends_name).next()) else { return };
        if written != name && written.contains('/') && last_part(written) == last_part(name) {
            self.message = format!("{written}: {text}");
        }
    }

    /// Add the caller of the functions that were running. At most [`NAMED`] names are kept, and few places besides.
    pub(crate) fn add_caller(&mut self, caller: Called) {
        let (count, last) = (self.names().count(), self.names().last());
        let is_named = caller.name.is_some() && count < NAMED && last != caller.name.as_deref();
        let is_same = |last: &Called| Arc::ptr_eq(&last.text, &caller.text) && last.span == caller.span;
        if is_named || self.running.len() < PLACES && !self.running.last().is_some_and(is_same) {
            self.running.push(caller);
        }
    }

    /// Whether more callers would change nothing that is shown of them in one line.
    pub(crate) fn names_enough(&self) -> bool {
        self.names().count() >= NAMED
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        in_turn(self.running.iter().map(|called| called.name.as_deref()))
    }

    /// The same error at `span`, unless it already has a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Error {
        self.span.get_or_insert(span);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The most functions that are named as running.
const NAMED: usize = 5;

/// The most places of running functions, if they add no name.
const PLACES: usize = 12;

/// The names among those of running functions, of calls in a row one; at most as many as are shown.
pub(crate) fn in_turn<'a>(names: impl Iterator<Item = Option<&'a str>>) -> impl Iterator<Item = &'a str> {
    let mut last = None;
    names.flatten().filter(move |name| last.replace(*name) != Some(*name)).take(NAMED)
}

/// What an error is about, where hints depend on it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// No hint depends on it.
    Other,
    /// Nil where `+`, `-`, `*` or `/` needs a number, with no hint yet.
    NilOperand,
    /// Values that cannot be ordered with each other.
    NoOrder,
    /// The same, one of them a map.
    NoOrderOfMaps,
    /// A comparison with `##NaN`.
    NoNumber,
}

/// The name without its namespace.
fn last_part(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, last)| last)
}

/// `1 part`, `2 parts`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// `a vector`, `an atom`.
pub(crate) fn with_article(noun: &str) -> String {
    format!("{} {noun}", if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    //! Hints after what was found.

    use super::{Error, Reason};

    #[test]
    fn a_hint_replaces_the_one_before() {
        let mut error = Error::hinted(Reason::FuelExceeded, "stopped: after 5 steps", "end the loop");
        assert_eq!(error.message, "stopped: after 5 steps: end the loop");
        error.hint("write (take n coll)");
        assert_eq!(error.message, "stopped: after 5 steps: write (take n coll)");
    }

    #[test]
    fn a_hint_on_a_message_that_was_rewritten_is_added() {
        let mut error = Error::new(Reason::FuelExceeded, "ab");
        error.message = "\u{20ac}".to_owned();
        error.hint("c");
        assert_eq!(error.message, "\u{20ac}: c");
    }
}
