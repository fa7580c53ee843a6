//! What a host brings into a session besides programs: options, definitions, facts, answers.

use std::sync::Arc;

use super::{Session, SessionOptions};
use crate::analyze::forms::find;
use crate::error::{Error, Reason};
use crate::eval::border::admit;
use crate::session::host::{ToolCall, no_tools};
use crate::session::restore::is_name;
use crate::value::{Name, Value, key_text, shown};

/// Whether a program that defines this symbol means the definition by it. The language says so itself.
fn means_its_definition(symbol: &str) -> bool {
    // Names of most definitions, which nothing in the language has.
    if symbol.starts_with(char::is_alphabetic) && find(symbol).is_none() {
        return true;
    }
    let mut session = Session::new(SessionOptions::default());
    let outcome = session.run(&format!("(def {symbol} true) {symbol}"), &mut no_tools);
    matches!(outcome.value(), Some(Value::Bool(true)))
}

impl Session {
    /// Bind a definition from outside, as `(def name value)` would. A program that waits and then fails undoes it.
    ///
    /// Errors and binds nothing when the value holds a function of another session, or an atom, a delay or a lazy
    /// sequence: functions come with [`SessionOptions::definitions`](super::SessionOptions::definitions) or as text.
    /// Builtins, what builtins such as `partial` make of data, and functions of this session are let in. Vars and tools
    /// are names: they mean what this session has under them. A name that no program can write is an error, too, and one
    /// that programs use for something else, such as `if` and `*1`.
    ///
    /// ```
    /// use ptc_lisp::{Reason, Session, SessionOptions, no_tools};
    ///
    /// let mut first = Session::new(SessionOptions::default());
    /// let rule = first.run("(fn [user] (= user \"admin\"))", &mut no_tools).into_result()?;
    /// let mut second = Session::new(SessionOptions::default());
    /// let error = second.define("allowed?", rule.clone(), None).unwrap_err();
    /// assert_eq!(error.reason, Reason::ForeignValue);
    /// first.define("allowed?", rule, None)?;
    /// assert_eq!(first.run("(allowed? \"mallory\")", &mut no_tools).into_result()?.to_string(), "false");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn define(&mut self, name: &str, value: Value, doc: Option<&str>) -> Result<(), Error> {
        if !is_name(name) {
            let text = format!(
                "no program can write the name {}: define a symbol such as orders-2026",
                shown(&Value::string(name))
            );
            return Err(Error::new(Reason::ArgumentError, text));
        }
        if !means_its_definition(name) {
            let text = format!(
                "programs mean something else by the name {name}, so they could not use its definition: define another symbol"
            );
            return Err(Error::new(Reason::ArgumentError, text));
        }
        self.admit(&value, || format!("the definition of {name}"))?;
        let slot = self.machine.globals.slot(&Name::new(name));
        self.machine.globals.define(slot, value, doc.map(Arc::from));
        self.carried = None;
        Ok(())
    }

    /// What `data/fail` returns: the error of the last turn, nil when it succeeded.
    ///
    /// Errors like [`Session::define`]; then `data/fail` is nil.
    pub fn set_fail(&mut self, fail: Value) -> Result<(), Error> {
        self.machine.fail = Value::Nil;
        self.admit(&fail, || "data/fail".to_owned())?;
        self.machine.fail = fail;
        Ok(())
    }

    /// What `(budget/remaining)` returns.
    ///
    /// Errors like [`Session::define`], and changes nothing.
    pub fn set_budget(&mut self, budget: Value) -> Result<(), Error> {
        self.admit(&budget, || "the budget".to_owned())?;
        self.machine.cx.budget = budget;
        Ok(())
    }

    /// Keep the answer of a call that the host made itself, outside programs, if its tool is cacheable and the answer
    /// can be let in (see [`Session::define`]).
    pub fn keep_answer(&mut self, call: &ToolCall, answer: &Value) {
        let is_let_in = [&call.args, answer].iter().all(|value| self.admit(value, String::new).is_ok());
        if is_let_in {
            self.machine.tools.keep(call, answer);
            self.carried = None;
        }
    }

    /// Why every program is refused: an option of this session holds a function or an atom of another one. The
    /// [reason](crate::Reason) is `foreign_value`.
    #[must_use]
    pub fn refusal(&self) -> Option<&Error> {
        self.machine.refusal.as_deref()
    }

    /// Check what the options brought.
    pub(super) fn check_options(&mut self) {
        self.machine.refusal = self.admit_options().err().map(Box::new);
    }

    fn admit_options(&mut self) -> Result<(), Error> {
        if !self.machine.data.is_external() && !self.machine.data.is_empty() {
            for (key, value) in &self.machine.data.clone() {
                self.admit(key, || "a key of the data".to_owned())?;
                self.admit(value, || format!("data/{}", key_text(key)))?;
            }
        }
        if !self.machine.cx.local.tasks.is_empty() {
            for (id, value) in self.machine.cx.local.tasks.clone() {
                self.admit(&value, || format!("the task {id}"))?;
            }
        }
        let mut cached = Vec::new();
        self.machine.tools.visit(&mut |value| cached.push(value.clone()));
        cached.iter().try_for_each(|value| self.admit(value, || "a cached answer of a tool".to_owned()))
    }

    /// Let a value of the host in, which `what` names. Errors with what it holds and what to do instead.
    pub(super) fn admit(&mut self, value: &Value, what: impl FnOnce() -> String) -> Result<(), Error> {
        let machine = &mut self.machine;
        let admitted = admit(value, &machine.codes, &mut machine.cx.has_comparators);
        admitted.map_err(|foreign| foreign.error(&what()))
    }
}
