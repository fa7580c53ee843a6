//! What is known of a value before the program runs.

use std::sync::Arc;

use super::bound::CallBound;
use crate::analyze::frame::{self, Walked};
use crate::value::{BuiltinId, Closure, Map, Name};

/// The most functions that one value may be; beyond that it is unknown.
pub(super) const MOST_FUNCTIONS: usize = 6;

/// A value: the functions that it may be, and how many elements it has at most.
///
/// What is not among `functions` cannot reach a tool that is not paid for: a function is paid for when it escapes, with
/// all calls that it could ever make. So what comes out of a collection, a cell or an unknown function needs no look.
#[derive(Clone, Debug)]
pub(super) struct Abstract {
    pub functions: Vec<Callee>,
    /// Whether it may be something else.
    pub others: bool,
    /// How many elements it has, when it is a collection whose elements all exist already. A lazy sequence has no
    /// bound: its functions may be called again after an error.
    pub size: Option<CallBound>,
    /// Its upper bound, when it is a number.
    pub number: Option<CallBound>,
    /// Its lower bound, when it is an integer.
    pub least: Option<i64>,
    /// The map that it is, when that exists already.
    pub map: Option<Arc<KnownMap>>,
}

/// A map that exists before the program runs.
#[derive(Debug)]
pub(super) struct KnownMap {
    pub map: Map,
    /// Its name in bounds, when it is a part of the data: `data/report :rows`.
    pub part: Option<Arc<str>>,
}

/// A function of which more is known.
#[derive(Clone, Debug)]
pub(super) enum Callee {
    Tool(Name),
    Builtin(BuiltinId),
    Lambda(Arc<Lambda>),
    /// A var: the value that the definition of this number has when it is called.
    Global(u32),
    /// A function of an earlier program.
    Stored(Arc<Closure>),
    /// A function that calls each of these at most once: `comp`, `partial`, `juxt`.
    Once(Arc<[Abstract]>),
    /// A transducer that calls each of these at most once for an element, and passes on at most one.
    Transducer(Arc<[Abstract]>),
}

/// A function of the program, with its captured values.
pub(super) type Lambda = frame::Lambda<Abstract>;
/// The functions of a `letfn`.
pub(super) type Group = frame::Group<Abstract>;
/// What a running function sees.
pub(super) type Frame = frame::Frame<Abstract>;

impl Walked for Abstract {
    fn any() -> Abstract {
        Abstract::any()
    }

    fn lambda(lambda: Arc<Lambda>) -> Abstract {
        Abstract::function(Callee::Lambda(lambda))
    }
}

/// The arguments of a call.
#[derive(Clone)]
pub(super) struct Arguments {
    pub known: Vec<Abstract>,
    /// Whether others may follow; these cannot reach a tool.
    pub more: bool,
}

impl Arguments {
    /// Any number of arguments that cannot reach a tool.
    pub fn any() -> Arguments {
        Arguments { known: Vec::new(), more: true }
    }
}

impl Abstract {
    /// No value: the expression does not complete.
    pub fn nothing() -> Abstract {
        let none = Some(CallBound::of(0));
        Abstract {
            functions: Vec::new(),
            others: false,
            size: none.clone(),
            number: none,
            least: Some(i64::MAX),
            map: None,
        }
    }

    /// An unknown value.
    pub fn any() -> Abstract {
        Abstract { functions: Vec::new(), others: true, size: None, number: None, least: None, map: None }
    }

    /// Neither a collection nor a number above zero.
    pub fn scalar() -> Abstract {
        Abstract { others: true, least: None, ..Abstract::nothing() }
    }

    /// A collection with at most `size` elements, or any number.
    pub fn sized(size: Option<CallBound>) -> Abstract {
        Abstract { size, ..Abstract::any() }
    }

    /// A number that is at most this.
    pub fn number(number: Option<CallBound>) -> Abstract {
        Abstract { number, ..Abstract::scalar() }
    }

    /// This integer.
    pub fn integer(n: i64) -> Abstract {
        Abstract { least: Some(n), ..Abstract::number(Some(CallBound::of(n.try_into().unwrap_or(0)))) }
    }

    /// This function.
    pub fn function(callee: Callee) -> Abstract {
        Abstract { functions: vec![callee], least: None, ..Abstract::nothing() }
    }

    /// Either of both.
    pub fn or(mut self, other: Abstract) -> Abstract {
        for callee in other.functions {
            if !self.functions.iter().any(|known| known.is(&callee)) {
                self.functions.push(callee);
            }
        }
        let either = |one: Option<CallBound>, other: Option<CallBound>| Some(one?.or(&other?));
        self.others |= other.others;
        self.map = None;
        self.size = either(self.size, other.size);
        self.number = either(self.number, other.number);
        self.least = self.least.zip(other.least).map(|(one, other)| one.min(other));
        self
    }
}

impl Callee {
    /// Whether both are the same function. It may be false for equal ones, never true for different ones.
    fn is(&self, other: &Callee) -> bool {
        match (self, other) {
            (Callee::Tool(one), Callee::Tool(other)) => one == other,
            (Callee::Builtin(one), Callee::Builtin(other)) => one == other,
            (Callee::Global(one), Callee::Global(other)) => one == other,
            (Callee::Lambda(one), Callee::Lambda(other)) => Arc::ptr_eq(one, other),
            (Callee::Stored(one), Callee::Stored(other)) => Arc::ptr_eq(one, other),
            (Callee::Once(one), Callee::Once(other)) | (Callee::Transducer(one), Callee::Transducer(other)) => {
                Arc::ptr_eq(one, other)
            }
            _ => false,
        }
    }
}
