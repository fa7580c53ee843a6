//! A session whose data, answers and outcomes are JSON: all of this crate that is not JavaScript.

use std::collections::BTreeSet;
use std::sync::Arc;

use ptc_lisp::values::key_text;
use ptc_lisp::{Error, Limits, Progress, Reason, Session, ToolCall, ToolError, ToolResult, Value, reference};

use crate::options::{self, OptionsError};
use crate::report::{self, CheckReport, Definition, Report};

/// Names that a completion offers at most.
const OFFERED: usize = 100;

/// Programs that run one after another over the same data, tools and definitions.
///
/// ```
/// use ptc_wasm::{Programs, Step};
///
/// let mut programs = Programs::new(r#"{"tools": {"price": {"signature": "(item :string) -> :int"}}}"#, r#"{"n": 2}"#)?;
/// programs.start(r#"(* data/n (tool/price {:item "tea"}))"#);
/// let report = loop {
///     match programs.advance() {
///         Step::Calls(calls) => {
///             assert_eq!(calls[0].args.as_deref(), Ok(r#"{"item":"tea"}"#));
///             programs.answer(vec![Ok("350".to_owned())]);
///         }
///         Step::Done(report) => break report,
///     }
/// };
/// assert_eq!(serde_json::to_value(report)?["value"], 700);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Programs {
    session: Session,
    /// Of each program, and of each call of a function.
    limits: Limits,
    /// The text of the running program.
    source: String,
    /// The names after `data/` and `tool/`, with them.
    outside: Vec<String>,
}

/// How far a program has got.
pub enum Step {
    /// These calls wait: answer them in their order, then advance.
    Calls(Vec<Call>),
    /// It ended.
    Done(Box<Report>),
}

/// A call of a tool.
pub struct Call {
    /// The tool, without `tool/`.
    pub name: Arc<str>,
    /// The arguments as the text of a JSON object; an error says why they have none.
    pub args: Result<String, String>,
}

impl Programs {
    /// A session with these options and this data, both JSON objects. The keys of the options are those of
    /// `SessionOptions` in `types.d.ts`, without `data` and without the functions of tools.
    ///
    /// Errors say which option cannot be read.
    pub fn new(options: &str, data: &str) -> Result<Programs, OptionsError> {
        let options = options::read(options, data)?;
        // Keys that no program can write after `data/` are strings.
        let data = options.data.iter().filter(|(key, _)| matches!(key, Value::Keyword(_)));
        let data = data.map(|(key, _)| format!("data/{}", key_text(key)));
        let tools = options.tools.iter().map(|tool| format!("tool/{}", tool.name));
        let outside = data.chain(tools).collect();
        let limits = options.limits.clone();
        Ok(Programs { session: Session::new(options), limits, source: String::new(), outside })
    }

    /// Start a program. Problems that are found before anything runs are in the report of the first step.
    pub fn start(&mut self, program: &str) {
        program.clone_into(&mut self.source);
        self.session.start(program);
    }

    /// Start a call of a function that a program defined, with the limits of a program. The arguments are the text of a
    /// JSON array.
    ///
    /// Errors for a function that is not defined, and for a text that is not an array.
    pub fn start_call(&mut self, name: &str, args: &str) -> Result<(), Box<Report>> {
        let start = |programs: &mut Programs| -> Result<(), Error> {
            let function = programs.session.function(name)?;
            let Ok(Value::Vector(args)) = Value::from_json_str(args) else {
                return Err(Error::new(Reason::ArgumentError, "the arguments of a call are a JSON array"));
            };
            programs.source.clear();
            programs.session.start_call(&function, args.iter().cloned().collect::<Vec<_>>(), &programs.limits);
            Ok(())
        };
        start(self).map_err(|error| Box::new(Report::refused(&error, &self.session)))
    }

    /// Run until the program ends or waits for tools.
    pub fn advance(&mut self) -> Step {
        loop {
            match self.session.advance(None) {
                Progress::Slice => {}
                Progress::Calls(calls) => return Step::Calls(calls.iter().map(|call| self.asked(call)).collect()),
                Progress::Done(outcome) => {
                    return Step::Done(Box::new(Report::new(&outcome, &self.source, &self.session)));
                }
            }
        }
    }

    /// Answer the waiting calls in their order: the text of a JSON value, or why there is none. No text, as of a
    /// JavaScript function that returns nothing, is written as an empty string and becomes nil.
    pub fn answer(&mut self, answers: Vec<Result<String, String>>) {
        self.session.answer(answers.into_iter().map(answer).collect());
    }

    /// Run a program to its end; `tool` answers each call.
    pub fn run(&mut self, program: &str, tool: &mut dyn FnMut(&Call) -> Result<String, String>) -> Report {
        self.start(program);
        self.go_to_end(tool)
    }

    /// Call a function as [`Programs::start_call`] says, to its end; `tool` answers each call.
    pub fn call(&mut self, name: &str, args: &str, tool: &mut dyn FnMut(&Call) -> Result<String, String>) -> Report {
        match self.start_call(name, args) {
            Ok(()) => self.go_to_end(tool),
            Err(report) => *report,
        }
    }

    fn go_to_end(&mut self, tool: &mut dyn FnMut(&Call) -> Result<String, String>) -> Report {
        loop {
            match self.advance() {
                Step::Calls(calls) => {
                    let answers = calls.iter().map(&mut *tool).collect();
                    self.answer(answers);
                }
                Step::Done(report) => return *report,
            }
        }
    }

    /// Look for the problems of a program that are found without running it.
    #[must_use]
    pub fn check(&self, program: &str) -> CheckReport {
        CheckReport::new(self.session.check(program), program)
    }

    /// The definitions that programs left, in order.
    #[must_use]
    pub fn definitions(&self) -> Vec<Definition> {
        report::definitions(&self.session.memory())
    }

    /// The names with this prefix that a program could use, sorted: those of the language, of data and tools, and
    /// definitions. At most 100.
    #[must_use]
    pub fn complete(&self, prefix: &str) -> Vec<String> {
        let memory = self.session.memory();
        let language = reference();
        let defined = memory.entries().iter().map(|entry| entry.name.as_str());
        let names = language.iter().map(|entry| entry.name).chain(self.outside.iter().map(String::as_str));
        let found: BTreeSet<&str> = names.chain(defined).filter(|name| name.starts_with(prefix)).collect();
        found.into_iter().take(OFFERED).map(str::to_owned).collect()
    }

    fn asked(&self, call: &ToolCall) -> Call {
        let args = self.session.to_json(&call.args);
        let no_json = |error: Error| format!("the arguments cannot be sent to JavaScript: {}", error.message);
        Call { name: Arc::clone(&call.name), args: args.map(|args| args.to_string()).map_err(no_json) }
    }
}

fn answer(answer: Result<String, String>) -> ToolResult {
    match answer {
        Ok(text) if text.is_empty() => Ok(Value::Nil),
        Ok(text) => Value::from_json_str(&text)
            .map_err(|error| ToolError::new(format!("the result is not JSON: {error}")).may_have_run(true)),
        Err(message) => Err(ToolError::new(message)),
    }
}
