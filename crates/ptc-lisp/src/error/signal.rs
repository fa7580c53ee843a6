//! What ends a call early: errors with the values that a program attached to them, `return` and `fail`, and requests to
//! realise a sequence first.

use std::ops::{Deref, DerefMut};

use super::{Called, Error, Reason};
use crate::limits::meter::Meter;
use crate::limits::release::release;
use crate::value::{Map, Value};

const _: () = assert!(size_of::<Res>() == 16);

/// An exception as a program holds it: an error, with the values attached to it.
#[derive(Clone, Debug)]
pub struct Exception {
    error: Error,
    pub(crate) attached: Attached,
    /// A `return` or `fail` that waits for a `finally`. Programs never see such a value.
    pub(crate) control: Option<Box<Signal>>,
}

/// The values of an exception.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attached {
    /// What `ex-data` returns for an `ex-info`.
    pub data: Option<Value>,
    /// What `ex-cause` returns.
    pub cause: Option<Value>,
    /// The value of the wrong kind, until it is known whether a tool returned it.
    pub subject: Option<Value>,
    /// What failed has used up what it worked on: it cannot run again.
    pub is_final: bool,
}

impl Attached {
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.data.iter().chain(&self.cause).chain(&self.subject)
    }
}

impl Drop for Attached {
    fn drop(&mut self) {
        if self.data.is_some() || self.cause.is_some() || self.subject.is_some() {
            release(
                [self.data.take(), self.cause.take(), self.subject.take()]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<Value>>(),
            );
        }
    }
}

impl Exception {
    pub(crate) fn new(error: Error) -> Exception {
        Exception { error, attached: Attached::default(), control: None }
    }

    /// The error inside.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// What `ex-data` returns for an `ex-info`.
    #[must_use]
    pub fn data(&self) -> Option<&Value> {
        self.attached.data.as_ref()
    }

    /// What `ex-cause` returns.
    #[must_use]
    pub fn cause(&self) -> Option<&Value> {
        self.attached.cause.as_ref()
    }

    pub(crate) fn into_error(self) -> Error {
        self.error
    }

    /// Its size in bytes, without what its data and cause hold.
    pub(crate) fn bytes(&self) -> usize {
        let running = self.running.capacity() * size_of::<Called>();
        size_of::<Exception>() + 32 + self.message.capacity() + running
    }

    /// What `ex-data` returns for an error without data: its reason, here `reason`, and the tool that failed.
    pub(crate) fn known_as(&self, reason: Reason, meter: &mut Meter) -> Res<Map> {
        let mut map = Map::new();
        map.insert(Value::keyword("reason"), Value::keyword(reason.as_str()), meter)?;
        if let Some(tool) = &self.tool {
            map.insert(Value::keyword("tool"), Value::string(tool.as_str()), meter)?;
        }
        Ok(map)
    }
}

impl From<Error> for Exception {
    fn from(error: Error) -> Exception {
        Exception::new(error)
    }
}

impl Deref for Exception {
    type Target = Error;

    fn deref(&self) -> &Error {
        &self.error
    }
}

impl DerefMut for Exception {
    fn deref_mut(&mut self) -> &mut Error {
        &mut self.error
    }
}

/// Everything that ends an evaluation early.
#[derive(Clone, Debug)]
pub(crate) enum Signal {
    /// An error: `catch` sees it unless its reason is a limit.
    Error(Exception),
    /// `(return v)`.
    Return(Value),
    /// `(fail v)`.
    Fail(Value),
    /// Realise the generator to at least this many elements (counted from its cell's start), then run the instruction
    /// again.
    Need { cell: u32, count: usize },
    /// Realise all of these generators to their ends, then run the instruction again.
    NeedAll(Vec<u32>),
    /// The sequence or delay in this cell is being computed: by this program itself, or by another branch of `pmap`.
    Busy(u32),
}

impl From<Error> for Box<Signal> {
    fn from(error: Error) -> Self {
        Box::new(Signal::Error(Exception::new(error)))
    }
}

impl From<Box<Error>> for Box<Signal> {
    fn from(error: Box<Error>) -> Self {
        (*error).into()
    }
}

impl Signal {
    /// Whether an allocation was refused to something that can run again.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Signal::Error(error) if error.reason == Reason::MemoryExceeded && !error.attached.is_final)
    }

    /// The same, of something that cannot run again.
    #[cold]
    pub fn finally(mut self: Box<Self>) -> Box<Self> {
        if let Signal::Error(error) = &mut *self {
            error.attached.is_final = true;
        }
        self
    }

    /// The same error, about this value.
    #[cold]
    pub fn about_value(mut self: Box<Self>, got: &Value) -> Box<Self> {
        if let Signal::Error(error) = &mut *self {
            error.attached.subject = Some(got.clone());
        }
        self
    }
}

/// What a builtin returns: 16 bytes for a `Value`.
pub(crate) type Res<T = Value> = Result<T, Box<Signal>>;

/// A boxed error signal, the usual way out of a builtin.
pub(crate) fn err(reason: Reason, message: impl Into<String>) -> Box<Signal> {
    Error::new(reason, message).into()
}

/// `type_error` with this text.
pub(crate) fn type_error(message: impl Into<String>) -> Box<Signal> {
    err(Reason::TypeError, message)
}

/// `argument_error` with this text.
pub(crate) fn argument_error(message: impl Into<String>) -> Box<Signal> {
    err(Reason::ArgumentError, message)
}

/// `arithmetic_error` with this text.
pub(crate) fn arithmetic_error(message: impl Into<String>) -> Box<Signal> {
    err(Reason::ArithmeticError, message)
}
