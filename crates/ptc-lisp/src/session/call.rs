//! Calls of functions by the host: no text is read, and nothing is compiled.

use serde::Serialize;

use super::{Running, Session};
use crate::error::advice::nearest;
use crate::error::{Error, Reason, Signal, with_article};
use crate::eval::globals::Globals;
use crate::limits::Limits;
use crate::session::host::{ToolCall, ToolResult};
use crate::session::outcome::{Outcome, Problem};
use crate::stdlib::is_callable;
use crate::value::{Import, Name, Value};

/// A definition that can be called, found once by its name: [`Program::function`](super::Program::function),
/// [`Session::function`].
///
/// It stands for what a session has under the name at the time of the call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    name: Name,
    /// Its number in the sessions that it was found for; others may have another one.
    number: u32,
}

impl Function {
    /// The name of the definition.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The function under this name.
    ///
    /// Errors when it is not defined, or defined as something that cannot be called.
    pub(super) fn of(name: &str, globals: &Globals) -> Result<Function, Error> {
        let known = Name::known(name).filter(|name| globals.named(name).is_some());
        let Some((name, number)) = known.and_then(|name| Some((name.clone(), globals.number(&name)?))) else {
            let names: Vec<&str> = globals.iter().map(|(name, _)| name.as_str()).collect();
            let hint = nearest(name, names).map(|near| format!(". Did you mean '{near}'?")).unwrap_or_default();
            return Err(Error::new(Reason::UndefinedSymbol, format!("undefined symbol '{name}'{hint}")));
        };
        let function = Function { name, number };
        function.value(globals)?;
        Ok(function)
    }

    /// What the session has under this name.
    fn value(&self, globals: &Globals) -> Result<Value, Error> {
        let number = match globals.name(self.number) {
            Some(name) if *name == self.name => Some(self.number),
            _ => globals.number(&self.name),
        };
        let name = &self.name;
        match number.and_then(|number| globals.get(number)) {
            Some(value) if is_callable(value) => Ok(value.clone()),
            Some(value) => {
                let text = format!("{name} is {}, not a function", with_article(value.kind()));
                Err(Error::new(Reason::NotCallable, text))
            }
            None => Err(Error::new(Reason::UndefinedSymbol, format!("undefined symbol '{name}'"))),
        }
    }
}

/// The arguments of a call: a tuple of at most eight values of any serializable types, or a list of [`Value`]s.
///
/// Rust data becomes host data, as by [`to_value`](crate::to_value), and does not count towards the memory limit. A
/// [`Value`] in a tuple would become what its JSON says; in a list it stays what it is.
pub trait Arguments {
    /// The values. Errors with the index of the argument that cannot be one, and why.
    #[doc(hidden)]
    fn into_values(self, import: &mut Import) -> Result<Vec<Value>, (usize, serde_json::Error)>;
}

impl Arguments for Vec<Value> {
    fn into_values(self, _: &mut Import) -> Result<Vec<Value>, (usize, serde_json::Error)> {
        Ok(self)
    }
}

/// Tuples of these types as arguments.
macro_rules! tuples {
    ($($($kind:ident $place:tt)*;)*) => {
        $(impl<$($kind: Serialize),*> Arguments for ($($kind,)*) {
            fn into_values(self, _import: &mut Import) -> Result<Vec<Value>, (usize, serde_json::Error)> {
                Ok(vec![$(_import.serialized(&self.$place).map_err(|error| ($place, error))?),*])
            }
        })*
    };
}

tuples! {
    ;
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}

impl Session {
    /// A function that programs of this session have defined.
    ///
    /// Errors with `undefined_symbol`, and with `not_callable` when the definition cannot be called.
    pub fn function(&self, name: &str) -> Result<Function, Error> {
        Function::of(name, &self.machine.globals)
    }

    /// Call a function of this session, answering its tool calls with `tools`.
    ///
    /// The outcome is that of a program that consists of the call, except that its problems have their places in the
    /// program that defined the function, that `*1` stays as it is, and that `limits` are those of this call alone. What
    /// the function defines and writes into atoms stays, unless it fails.
    ///
    /// Cost: that of the function, some hundred nanoseconds, and what the arguments cost. Nothing remains in the session
    /// except what the function itself keeps.
    ///
    /// ```
    /// use ptc_lisp::{Limits, Program, SessionOptions, no_tools};
    ///
    /// #[derive(serde::Serialize)]
    /// struct Order { total: u32, express: bool }
    ///
    /// let text = "(defn score [{:keys [total express]}] (+ total (if express 5 0)))";
    /// let rules = Program::compile(text, SessionOptions::default())?;
    /// let score = rules.function("score")?;
    ///
    /// let mut session = rules.session();
    /// let order = Order { total: 20, express: true };
    /// let outcome = session.call(&score, (&order,), &Limits::default(), &mut no_tools);
    /// assert_eq!(outcome.into_typed::<u32>()?, 25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn call(
        &mut self,
        function: &Function,
        args: impl Arguments,
        limits: &Limits,
        tools: &mut dyn FnMut(&ToolCall) -> ToolResult,
    ) -> Outcome {
        self.start_call(function, args, limits);
        self.go_to_end(None, tools)
    }

    /// Start a call of a function, as [`Session::start`] starts a program: for hosts whose tools answer later.
    pub fn start_call(&mut self, function: &Function, args: impl Arguments, limits: &Limits) {
        self.abandon();
        self.begin(limits.clone());
        self.machine.tools.begin();
        let refused = self.prepare_call(function, args).err().map(|error| vec![Problem::new(&error, "")]);
        let cells = self.machine.cx.cells.count();
        self.running = Some(Running { ending: None, refused, note: None, call: Some(cells) });
    }

    fn prepare_call(&mut self, function: &Function, args: impl Arguments) -> Result<(), Error> {
        if let Some(refusal) = self.refusal() {
            return Err(refusal.clone());
        }
        let value = function.value(&self.machine.globals)?;
        let import = self.arguments.get_or_insert_with(|| Box::new(Import::uncounted()));
        let args = args.into_values(import).map_err(|(at, error)| {
            let text = format!("argument {} of {} cannot become a value: {error}", at + 1, function.name);
            Error::new(Reason::ArgumentError, text)
        })?;
        import.renew();
        for (at, arg) in args.iter().enumerate() {
            self.admit(arg, || format!("argument {} of {}", at + 1, function.name))?;
        }
        self.machine.start_call(value, args).map_err(|signal| match *signal {
            Signal::Error(error) => error.into_error(),
            _ => Error::new(Reason::InternalError, "a call could not start"),
        })
    }
}
