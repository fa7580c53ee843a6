//! Grammars of the programs that a session accepts, for servers that constrain what a model writes.
//!
//! Every sentence of a [`Grammar`] is read without an error and passes [`crate::Session::check`]. It is finite: a
//! sentence has a bounded depth and length, so that a model that would run on must end.

mod expressions;
mod names;
mod notation;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::signature::Type;

use self::expressions::Expressions;
use self::names::Names;
use self::notation::{Notation, write};
use crate::session::Session;

/// Maximum length of a grammar in bytes; servers refuse longer ones or become slow.
pub const MAX_GRAMMAR_BYTES: usize = 90_000;

/// What a model may write, as rules; the first one is `root`.
///
/// ```
/// use ptc_lisp::{GrammarOptions, Session, SessionOptions, ToolSpec};
///
/// let tools = vec![ToolSpec::new("price")];
/// let session = Session::new(SessionOptions { tools, ..SessionOptions::default() });
/// let grammar = session.grammar(&GrammarOptions::default())?;
/// assert!(grammar.gbnf().starts_with("root ::= "));
/// assert!(grammar.lark().starts_with("start: root\n"));
/// # Ok::<(), ptc_lisp::GrammarTooLong>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    rules: Vec<Rule>,
}

/// Which programs a grammar allows.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GrammarOptions<'t> {
    /// The type of what programs return, as far as they write it as a literal.
    pub returns: Option<&'t Type>,
    /// Whether they may call tools.
    pub tools: bool,
    /// Whether they must end with a call of `return` or `fail`.
    pub ends: bool,
}

impl Default for GrammarOptions<'_> {
    /// Any value, tools, any end.
    fn default() -> Self {
        GrammarOptions { returns: None, tools: true, ends: false }
    }
}

/// A name and what it may stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    name: String,
    choices: Vec<Sequence>,
}

/// What follows one another.
type Sequence = Vec<Part>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    /// As it is written here.
    Text(String),
    /// What a rule of this name stands for.
    Rule(String),
    /// Characters of these classes, each at least and at most so often.
    Characters(&'static [(&'static str, usize, usize)]),
    /// This or nothing.
    Optional(Sequence),
}

/// The tools and data of a session alone make the grammar too long; definitions are left out first.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GrammarTooLong {
    /// Its length in bytes.
    pub bytes: usize,
}

impl fmt::Display for GrammarTooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes;
        write!(
            f,
            "the grammar has {bytes} bytes, at most {MAX_GRAMMAR_BYTES} can be sent; give the session fewer tools or data"
        )
    }
}

impl std::error::Error for GrammarTooLong {}

impl Grammar {
    /// In the notation of llama.cpp, which vLLM reads as well.
    #[must_use]
    pub fn gbnf(&self) -> String {
        write(&self.rules, Notation::Gbnf)
    }

    /// In the notation of Lark, as OpenAI's custom tools take it.
    #[must_use]
    pub fn lark(&self) -> String {
        write(&self.rules, Notation::Lark)
    }
}

impl Session {
    /// The grammar of programs over the data, tools and definitions that the session has now.
    ///
    /// - programs are up to two definitions, an optional `println`, and an expression or a call of `return` or `fail`
    /// - expressions nest up to five calls deep, fewer with many names; definitions and locals have fixed names; functions
    ///   are called with as many arguments as they take, at most three, tools with their declared keys
    /// - left out are destructuring, loops and atoms (a grammar cannot express where a name that the model invents is in
    ///   scope), vectors and maps of more than four elements, and all definitions but the last hundred
    /// - names that start with `_`, which models are not shown, are left out as well
    ///
    /// Errors when data and tools alone make it longer than [`MAX_GRAMMAR_BYTES`]. Cost: linear in the grammar, which is
    /// built again with less depth while it is too long; the first in a process also checks calls of every function.
    pub fn grammar(&self, options: &GrammarOptions<'_>) -> Result<Grammar, GrammarTooLong> {
        let mut bytes = 0;
        for (depth, definitions) in [(5, 100), (4, 100), (3, 100), (2, 100), (2, 0)] {
            let names = Names::of(self, options.tools, definitions);
            let grammar = Grammar { rules: Expressions::new(&names, depth).program(options) };
            bytes = grammar.gbnf().len().max(grammar.lark().len());
            if bytes <= MAX_GRAMMAR_BYTES {
                return Ok(grammar);
            }
        }
        Err(GrammarTooLong { bytes })
    }
}
