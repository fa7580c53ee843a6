//! What can stop a program: errors a program may catch, limits it may not, and the two endings.

use std::fmt;

use crate::name::Name;
use crate::span::Span;

mod signal;

pub use signal::Exception;
pub(crate) use signal::{Res, Signal, argument_error, arithmetic_error, err, type_error};

/// What plain data answers that can only fail by an error: no `return`, no sequence that must be realised first.
pub(crate) type Fallible<T = ()> = Result<T, Box<Error>>;

/// Why a program failed, by the stable names of the language reference.
#[non_exhaustive]
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The text is not a program.
    ParseError,
    /// Too many distinct names.
    SymbolLimitExceeded,
    /// A special form has the right number of parts but the wrong shape.
    InvalidForm,
    /// A special form has the wrong number of parts.
    InvalidArity,
    /// `cond` with an odd number of forms.
    InvalidCondForm,
    /// A threading macro without a value.
    InvalidThreadForm,
    /// `where` with the wrong shape.
    InvalidWhereForm,
    /// `where` with an unknown operator.
    InvalidWhereOperator,
    /// Something that cannot be destructured with.
    UnsupportedPattern,
    /// `%` outside `#()`.
    InvalidPlaceholder,
    /// A name that nothing defines.
    UndefinedSymbol,
    /// A bare name that is both a tool and a data key.
    AmbiguousReference,
    /// `data/name` that does not exist.
    DataNotFound,
    /// `tool/name` that does not exist.
    ToolNotFound,
    /// Arguments that do not fit a tool.
    InvalidToolArgs,
    /// A tool failed.
    ToolError,
    /// A call of something that is not a function.
    NotCallable,
    /// A keyword call with a wrong argument count.
    InvalidKeywordCall,
    /// A call with a wrong argument count.
    ArityError,
    /// An argument of the wrong kind.
    TypeError,
    /// An argument of the right kind that cannot be used.
    ArgumentError,
    /// Division by zero and the like.
    ArithmeticError,
    /// A value that does not fit a pattern.
    DestructureError,
    /// A failed `assert`, `:pre` or `:post`.
    AssertionError,
    /// An uncaught `throw`.
    Exception,
    /// A branch of `pmap` failed.
    PmapError,
    /// A branch of `pcalls` failed.
    PcallsError,
    /// A value nested too deep to compare, hash or send.
    NestingTooDeep,
    /// A result that does not fit its signature.
    ValidationError,
    /// The call depth limit.
    RecursionLimitExceeded,
    /// The time limit.
    Timeout,
    /// The memory limit.
    MemoryExceeded,
    /// The fuel limit.
    FuelExceeded,
    /// The host stopped the run.
    Cancelled,
    /// A defect of the interpreter.
    InternalError,
}

impl Reason {
    /// The stable name, for example `type_error`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::ParseError => "parse_error",
            Reason::SymbolLimitExceeded => "symbol_limit_exceeded",
            Reason::InvalidForm => "invalid_form",
            Reason::InvalidArity => "invalid_arity",
            Reason::InvalidCondForm => "invalid_cond_form",
            Reason::InvalidThreadForm => "invalid_thread_form",
            Reason::InvalidWhereForm => "invalid_where_form",
            Reason::InvalidWhereOperator => "invalid_where_operator",
            Reason::UnsupportedPattern => "unsupported_pattern",
            Reason::InvalidPlaceholder => "invalid_placeholder",
            Reason::UndefinedSymbol => "undefined_symbol",
            Reason::AmbiguousReference => "ambiguous_reference",
            Reason::DataNotFound => "data_not_found",
            Reason::ToolNotFound => "tool_not_found",
            Reason::InvalidToolArgs => "invalid_tool_args",
            Reason::ToolError => "tool_error",
            Reason::NotCallable => "not_callable",
            Reason::InvalidKeywordCall => "invalid_keyword_call",
            Reason::ArityError => "arity_error",
            Reason::TypeError => "type_error",
            Reason::ArgumentError => "argument_error",
            Reason::ArithmeticError => "arithmetic_error",
            Reason::DestructureError => "destructure_error",
            Reason::AssertionError => "assertion_error",
            Reason::Exception => "exception",
            Reason::PmapError => "pmap_error",
            Reason::PcallsError => "pcalls_error",
            Reason::NestingTooDeep => "nesting_too_deep",
            Reason::ValidationError => "validation_error",
            Reason::RecursionLimitExceeded => "recursion_limit_exceeded",
            Reason::Timeout => "timeout",
            Reason::MemoryExceeded => "memory_exceeded",
            Reason::FuelExceeded => "fuel_exceeded",
            Reason::Cancelled => "cancelled",
            Reason::InternalError => "internal_error",
        }
    }

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
    /// Where, as byte offsets into the source of the program that was running.
    pub span: Option<Span>,
    /// Where the element was asked for that a lazy sequence failed to make, when that is another place.
    pub(crate) needed_at: Option<Span>,
    /// The tool that failed.
    pub tool: Option<Name>,
    /// The class that a thrown exception was made of.
    pub(crate) class: Option<CatchClass>,
    /// The user functions that were running, innermost first, at most a few.
    pub trace: Vec<String>,
}

impl Error {
    /// An error without a position; the running instruction adds it.
    pub fn new(reason: Reason, message: impl Into<String>) -> Error {
        Error {
            reason,
            message: message.into(),
            span: None,
            needed_at: None,
            tool: None,
            class: None,
            trace: Vec::new(),
        }
    }

    /// Name the function as the program wrote it in `call`, the text of the call: `split: …` of `(str/split …)` becomes
    /// `str/split: …`.
    pub(crate) fn name_as_written(&mut self, call: &str) {
        let Some((name, text)) = self.message.split_once(": ") else { return };
        let ends_name = |c: char| c.is_whitespace() || "()[]{}\"".contains(c);
        let Some(written) = call.strip_prefix('(').and_then(|call| call.split(ends_name).next()) else { return };
        if written != name && written.contains('/') && last_part(written) == last_part(name) {
            self.message = format!("{written}: {text}");
        }
    }

    /// The same error at `span`, unless it already has a place.
    #[must_use]
    pub fn at(mut self, span: Span) -> Error {
        self.span.get_or_insert(span);
        self
    }
}

/// Which errors a `catch` clause takes (L-12).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum CatchClass {
    /// `Throwable`, `Exception`, `RuntimeException`, `Object`, `:default`, unknown names.
    All,
    /// `ExceptionInfo`: what `throw` raised and tools raise.
    ExceptionInfo,
    /// `ArithmeticException`: `arithmetic_error`.
    Arithmetic,
    /// `ClassCastException`, `NullPointerException`: `type_error` (also `not_callable`).
    Type,
    /// `IllegalArgumentException`, `NumberFormatException`, `IndexOutOfBoundsException`: argument, arity and index
    /// errors.
    Argument,
    /// `IllegalStateException`, `UnsupportedOperationException`: only what is thrown as such.
    State,
    /// `AssertionError`: what `assert`, `:pre` and `:post` raise.
    Assertion,
}

impl CatchClass {
    /// Whether a `catch` of this class takes `error`. A thrown exception remembers the class that it was made of.
    pub fn takes(self, error: &Error) -> bool {
        if error.reason == Reason::Exception {
            return match self {
                CatchClass::All | CatchClass::ExceptionInfo => true,
                class => error.class == Some(class),
            };
        }
        match self {
            CatchClass::All => true,
            CatchClass::ExceptionInfo => error.reason == Reason::ToolError,
            CatchClass::Arithmetic => error.reason == Reason::ArithmeticError,
            CatchClass::Type => {
                matches!(
                    error.reason,
                    Reason::TypeError | Reason::NotCallable | Reason::InvalidKeywordCall | Reason::DestructureError
                )
            }
            CatchClass::Argument => {
                matches!(error.reason, Reason::ArgumentError | Reason::ArityError | Reason::InvalidToolArgs)
            }
            CatchClass::State => false,
            CatchClass::Assertion => error.reason == Reason::AssertionError,
        }
    }
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
