//! A program that is compiled once, for any number of sessions.

use std::fmt;
use std::sync::Arc;

use super::{Definitions, Function, Session, SessionOptions};
use crate::error::Error;
use crate::error::warning::Warning;
use crate::eval::globals::Globals;
use crate::session::host::ToolError;
use crate::session::outcome::ProgramError;

/// A program whose definitions are there: it was read, checked, compiled and run once. Threads share it, each with its
/// session. Cloning is cheap.
///
/// ```
/// use ptc_lisp::{Limits, Program, SessionOptions, no_tools};
///
/// let rules = Program::compile("(def base 10) (defn price [n] (+ base (* 3 n)))", SessionOptions::default())?;
/// let price = rules.function("price")?;
/// std::thread::scope(|scope| {
///     for n in 0..4 {
///         let (rules, price) = (&rules, &price);
///         scope.spawn(move || {
///             let outcome = rules.session().call(price, (n,), &Limits::default(), &mut no_tools);
///             assert_eq!(outcome.into_typed::<i64>().ok(), Some(10 + 3 * n));
///         });
///     }
/// });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Program {
    /// The options of its sessions, with its definitions.
    options: Arc<SessionOptions>,
    warnings: Arc<[Warning]>,
}

impl Program {
    /// Compile a program and run it once, so that its definitions are there. It may use the definitions and the data of
    /// the options, and their limits hold for it.
    ///
    /// Errors with its problems, as those of a run; also when it calls a tool outside of a function.
    pub fn compile(text: &str, options: SessionOptions) -> Result<Program, ProgramError> {
        Program::of(None, text, options)
    }

    /// The same for a program with a name, such as that of its file: errors and warnings then say `rates.lisp:3:5`, also
    /// where a program that has its definitions calls its functions.
    ///
    /// ```
    /// use ptc_lisp::{Limits, Program, SessionOptions, no_tools};
    ///
    /// let rates = Program::compile_named("rates.lisp", "(defn tax [n] (* n 19))", SessionOptions::default())?;
    /// let options = SessionOptions { definitions: rates.definitions().clone(), ..SessionOptions::default() };
    /// let bills = Program::compile_named("bills.lisp", "(defn total [n]\n  (+ n (tax n)))", options)?;
    ///
    /// let total = bills.function("total")?;
    /// let outcome = bills.session().call(&total, ("12",), &Limits::default(), &mut no_tools);
    /// assert_eq!(
    ///     outcome.problems()[0].snippet(false),
    ///     concat!(
    ///         "*: expected numbers, got string and number; (parse-long s) and (parse-double s) read numbers, (str ...) joins texts\n",
    ///         "at rates.lisp:1:15, in tax\n",
    ///         "  |\n",
    ///         "1 | (defn tax [n] (* n 19))\n",
    ///         "  |               ^\n",
    ///         "called at bills.lisp:2:8, in total\n",
    ///         "  |\n",
    ///         "2 |   (+ n (tax n)))\n",
    ///         "  |        ^\n",
    ///     ),
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn compile_named(name: &str, text: &str, options: SessionOptions) -> Result<Program, ProgramError> {
        Program::of(Some(name.into()), text, options)
    }

    fn of(name: Option<Arc<str>>, text: &str, options: SessionOptions) -> Result<Program, ProgramError> {
        let mut session = Session::new(options.clone());
        session.start_named(name, text);
        let mut outcome = session.go_to_end(None, &mut |call| {
            Err(ToolError::new(format!(
                "tool/{} cannot be called while a program is compiled: call it in a function",
                call.name
            )))
        });
        let warnings = std::mem::take(&mut outcome.warnings).into();
        outcome.into_result()?;
        let definitions = session.definitions();
        Ok(Program { options: Arc::new(SessionOptions { definitions, ..options }), warnings })
    }

    /// What is legal in it and likely a mistake: at most five. [`Outcome::warnings`](crate::Outcome::warnings) has those
    /// of its functions while they run.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// A function that it defines, for [`Session::call`] in any of its sessions.
    ///
    /// Errors with `undefined_symbol`, and with `not_callable` when the definition cannot be called.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        match self.options.definitions.globals() {
            Some(globals) => Function::of(name, globals),
            None => Function::of(name, &Globals::default()),
        }
    }

    /// A new session with its options and definitions. What a session defines or writes into atoms, no other one sees.
    ///
    /// Cost: linear in the number of definitions, atoms and tools; nothing is compiled.
    #[must_use]
    pub fn session(&self) -> Session {
        Session::new(SessionOptions::clone(&self.options))
    }

    /// Its definitions, for a session with other options.
    #[must_use]
    pub fn definitions(&self) -> &Definitions {
        &self.options.definitions
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Program({:?})", self.options.definitions)
    }
}
