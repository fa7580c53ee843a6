//! What is known of a value before the program runs: which fields its maps have, and which functions it may be.

use std::sync::Arc;

use indexmap::IndexMap;

use super::look_up::LookUpId;
use crate::analyze::frame::{self, Walked};
use crate::parse::span::Span;
use crate::value::{BuiltinId, Closure, Name, Value};

/// Levels of collections that are followed.
pub(super) const MAX_DEPTH: usize = 10;
/// The most functions that one value may be, and lookups whose nil it may be; beyond that it is unknown.
const MANY: usize = 8;

/// A value: everything that it may be. Without any of it, the expression does not complete.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Known {
    /// It may be something of which nothing is known.
    pub open: bool,
    /// It may be nil that the data or the program has in this place.
    pub nil: bool,
    /// It may be a value without parts.
    pub scalar: bool,
    /// The maps that it may be.
    pub map: Option<Arc<Maps>>,
    /// The lists and sets that it may be.
    pub list: Option<Arc<Lists>>,
    pub functions: Vec<Callee>,
    /// The lookups without result whose nil it may be.
    pub missing: Vec<LookUpId>,
    /// The literal that it is.
    pub literal: Option<Literal>,
    /// What it is the JSON text of.
    pub text_of: Option<Arc<Known>>,
    /// The data that it comes from.
    pub origin: Option<Arc<Origin>>,
}

/// The maps of one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Maps {
    /// The keys that some of them have, keywords and texts alike, in the order of the first ones.
    pub fields: IndexMap<Arc<str>, Known>,
    /// The values under further keys, where there may be further keys.
    pub rest: Option<Known>,
    /// Whether each of them is known.
    pub is_sure: bool,
    /// Whether the program made some of them.
    pub is_derived: bool,
    /// Where they come from; a missing key of others is not reported.
    pub origin: Option<Arc<Origin>>,
}

/// The lists of one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lists {
    /// Any element.
    pub element: Known,
    /// The elements by position, where all lists have as many.
    pub places: Option<Vec<Known>>,
}

/// A part of the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// `data/report :rows`, `orders`.
    pub part: Arc<str>,
    /// Whether it is about the elements of the part rather than about the part itself.
    pub is_each: bool,
}

impl Origin {
    /// Whether it is data of the host, rather than what a program or a tool made.
    pub fn is_data(&self) -> bool {
        self.part.starts_with("data/")
    }

    /// The name of the whole that it is a part of.
    pub fn whole(&self) -> &str {
        let end = self.part.find(" :").or_else(|| self.part.find(" \""));
        end.and_then(|end| self.part.get(..end)).unwrap_or(&self.part)
    }
}

/// A literal and its place.
#[derive(Clone, Debug)]
pub(crate) struct Literal {
    pub value: Value,
    pub place: Place,
}

/// A place in a text: that of the program, which is number 0, or that of a function of an earlier one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub text: u32,
    pub span: Span,
}

impl PartialEq for Literal {
    fn eq(&self, other: &Literal) -> bool {
        // The elements of a collection have its place.
        let is_same = match (&self.value, &other.value) {
            (Value::Keyword(one), Value::Keyword(other)) => one == other,
            (Value::Str(one), Value::Str(other)) => one == other,
            (Value::Int(one), Value::Int(other)) => one == other,
            (Value::Bool(one), Value::Bool(other)) => one == other,
            (Value::Nil, Value::Nil) => true,
            (one, other) => one.address().is_some() && one.address() == other.address(),
        };
        is_same && self.place == other.place
    }
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) enum Callee {
    Builtin(BuiltinId),
    Tool(Name),
    Lambda(Arc<Lambda>),
    /// A var: the value that the definition has when it is called.
    Global(u32),
    /// A function of an earlier program.
    Stored(Arc<Closure>),
    /// A function that a builtin makes of others: `comp`, `partial`, a transducer.
    Made(BuiltinId, Arc<[Known]>),
}

impl PartialEq for Callee {
    fn eq(&self, other: &Callee) -> bool {
        match (self, other) {
            (Callee::Builtin(one), Callee::Builtin(other)) => one == other,
            (Callee::Tool(one), Callee::Tool(other)) => one == other,
            (Callee::Global(one), Callee::Global(other)) => one == other,
            (Callee::Lambda(one), Callee::Lambda(other)) => Arc::ptr_eq(one, other),
            (Callee::Stored(one), Callee::Stored(other)) => Arc::ptr_eq(one, other),
            (Callee::Made(_, one), Callee::Made(_, other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

/// A function with its captured values.
pub(crate) type Lambda = frame::Lambda<Known>;
/// The functions of a `letfn`.
pub(crate) type Group = frame::Group<Known>;
/// What a running function sees.
pub(crate) type Frame = frame::Frame<Known>;

impl Walked for Known {
    fn any() -> Known {
        Known::any()
    }

    fn lambda(lambda: Arc<Lambda>) -> Known {
        Known::function(Callee::Lambda(lambda))
    }
}

/// The arguments of a call.
#[derive(Clone, Default, PartialEq)]
pub(crate) struct Arguments {
    pub known: Vec<Known>,
    /// Each of the arguments that may follow them.
    pub more: Option<Known>,
}

impl Arguments {
    pub fn of(known: impl Into<Vec<Known>>) -> Arguments {
        Arguments { known: known.into(), more: None }
    }

    /// Any arguments.
    pub fn any() -> Arguments {
        Arguments { known: Vec::new(), more: Some(Known::any()) }
    }

    /// Those of either of two calls; `None` where their numbers differ, or are unknown.
    pub fn or(self, other: Arguments) -> Option<Arguments> {
        let are_alike = self.known.len() == other.known.len() && self.more.is_none() && other.more.is_none();
        let joined = self.known.into_iter().zip(other.known).map(|(one, other)| one.or(other));
        are_alike.then(|| Arguments::of(joined.collect::<Vec<_>>()))
    }

    pub fn get(&self, at: usize) -> Known {
        self.known.get(at).or(self.more.as_ref()).cloned().unwrap_or_else(Known::nil)
    }

    /// The list of those from an index on.
    pub fn from(&self, at: usize) -> Known {
        let rest = self.known.get(at..).unwrap_or_default();
        match &self.more {
            None if rest.is_empty() => Known::nil(),
            None => Known::tuple(rest.to_vec()),
            Some(more) => rest.iter().fold(Known::list(more.clone()), |list, one| list.or(Known::list(one.clone()))),
        }
    }
}

impl Known {
    /// No value.
    pub fn nothing() -> Known {
        Known::default()
    }

    pub fn any() -> Known {
        Known { open: true, ..Known::default() }
    }

    pub fn nil() -> Known {
        Known { nil: true, ..Known::default() }
    }

    pub fn scalar() -> Known {
        Known { scalar: true, ..Known::default() }
    }

    pub fn truth(value: bool, place: Place) -> Known {
        Known { literal: Some(Literal { value: Value::Bool(value), place }), ..Known::scalar() }
    }

    pub fn function(callee: Callee) -> Known {
        Known { functions: vec![callee], ..Known::default() }
    }

    /// A list of such elements.
    pub fn list(element: Known) -> Known {
        let origin = element.origin.clone();
        Known { list: Some(Arc::new(Lists { element, places: None })), origin, ..Known::default() }
    }

    /// A list of exactly these elements.
    pub fn tuple(places: Vec<Known>) -> Known {
        let element = places.iter().cloned().fold(Known::nothing(), Known::or);
        let origin = places.iter().find_map(|place| place.origin.clone());
        let places = Some(places);
        Known { list: Some(Arc::new(Lists { element, places })), origin, ..Known::default() }
    }

    pub fn map(maps: Maps) -> Known {
        Known { origin: maps.origin.clone(), map: Some(Arc::new(maps)), ..Known::default() }
    }

    /// A map with any keys and these values.
    pub fn map_of(values: Known) -> Known {
        let origin = values.origin.clone();
        Known::map(Maps { rest: Some(values), is_sure: true, is_derived: true, origin, ..Maps::default() })
    }

    /// The same, or nil.
    pub fn or_nil(self) -> Known {
        Known { nil: true, literal: None, ..self }
    }

    /// The same, which is not nil.
    pub fn but_nil(self) -> Known {
        Known { nil: false, missing: Vec::new(), ..self }
    }

    /// The same, which comes from there if nothing else is known.
    pub fn since(mut self, origin: Option<&Arc<Origin>>) -> Known {
        if self.origin.is_none() {
            self.origin = origin.cloned();
        }
        self
    }

    /// The same as data that is read again.
    pub fn read_again(mut self) -> Known {
        self.open |= !self.functions.is_empty();
        self.functions.clear();
        self.literal = None;
        self.settled()
    }

    /// The same, of which no lookup is asked any more.
    pub fn settled(mut self) -> Known {
        self.nil |= !self.missing.is_empty();
        self.missing.clear();
        self
    }

    fn has_parts(&self) -> bool {
        self.map.is_some() || self.list.is_some() || !self.functions.is_empty()
    }

    /// Whether it can be nothing but nil.
    pub fn is_nil(&self) -> bool {
        !self.open && !self.scalar && !self.has_parts() && (self.nil || !self.missing.is_empty())
    }

    /// Whether it says nothing of what other values in its place may have: nil, or lists without elements.
    pub fn is_empty(&self) -> bool {
        match &self.list {
            Some(list) => list.element.is_empty(),
            None => self.is_nil() || self.is_nothing(),
        }
    }

    /// The same of a value that comes from data, of which other elements may say more.
    pub fn is_empty_data(&self) -> bool {
        self.origin.is_some() && self.is_empty()
    }

    /// Whether it may be nil.
    pub fn may_be_nil(&self) -> bool {
        self.open || self.nil || !self.missing.is_empty()
    }

    /// Whether the expression does not complete.
    pub fn is_nothing(&self) -> bool {
        !self.may_be_nil() && !self.scalar && !self.has_parts()
    }

    /// Whether it is true or false here, as far as that is known.
    pub fn truthy(&self) -> Option<bool> {
        if self.is_nil() {
            return Some(false);
        }
        self.literal.as_ref().map(|literal| literal.value.is_truthy())
    }

    /// What it gives when its elements are gone through.
    pub fn elements(&self) -> Known {
        let mut element = if self.open { Known::any() } else { Known::nothing() };
        element.scalar |= self.scalar;
        if let Some(list) = &self.list {
            element = element.or(list.element.clone());
        }
        if let Some(maps) = &self.map {
            element = element.or(Known::tuple(vec![Known::scalar().since(self.origin.as_ref()), maps.values()]));
        }
        element.since(self.origin.as_ref())
    }

    /// Either of both.
    pub fn or(self, other: Known) -> Known {
        self.joined(other, MAX_DEPTH)
    }

    fn joined(mut self, other: Known, depth: usize) -> Known {
        if self.is_nothing() || self == other {
            return other;
        }
        if other.is_nothing() {
            return self;
        }
        if depth == 0 {
            return Known::any();
        }
        self.open |= other.open;
        self.nil |= other.nil;
        self.scalar |= other.scalar;
        self.map = both(self.map, other.map, |one, other| one.joined(other, depth - 1));
        self.list = both(self.list, other.list, |one, other| one.joined(other, depth - 1));
        for callee in other.functions {
            if !self.functions.contains(&callee) {
                self.functions.push(callee);
            }
        }
        for id in other.missing {
            if !self.missing.contains(&id) {
                self.missing.push(id);
            }
        }
        if self.literal != other.literal {
            self.literal = None;
        }
        if self.text_of != other.text_of {
            self.text_of = None;
        }
        self.origin = self.origin.or(other.origin);
        self
    }

    /// Whether it may be more functions than are followed.
    pub fn is_crowded(&self) -> bool {
        self.functions.len() > MANY
    }
}

fn both<T: Clone>(one: Option<Arc<T>>, other: Option<Arc<T>>, join: impl FnOnce(T, T) -> T) -> Option<Arc<T>> {
    match (one, other) {
        (Some(one), Some(other)) if Arc::ptr_eq(&one, &other) => Some(one),
        (Some(one), Some(other)) => Some(Arc::new(join(Arc::unwrap_or_clone(one), Arc::unwrap_or_clone(other)))),
        (one, other) => one.or(other),
    }
}

impl Maps {
    /// The value under any key.
    pub fn values(&self) -> Known {
        self.fields.values().chain(&self.rest).cloned().fold(Known::nothing(), Known::or)
    }

    /// Whether every key is known.
    pub fn is_closed(&self) -> bool {
        self.rest.is_none()
    }

    /// The same with further keys of which nothing is known.
    pub fn opened(mut self, values: Known) -> Maps {
        self.rest = Some(self.rest.unwrap_or_default().or(values));
        self
    }

    /// The maps of two places.
    fn joined(mut self, other: Maps, depth: usize) -> Maps {
        // A key that only some of them name may be one of the further keys of the others.
        let further = |value: Known, rest: &Option<Known>| match rest {
            Some(rest) => value.joined(rest.clone(), depth).or_nil(),
            None => value.or_nil(),
        };
        for (_, value) in self.fields.iter_mut().filter(|(key, _)| !other.fields.contains_key(*key)) {
            *value = further(std::mem::take(value), &other.rest);
        }
        for (key, value) in other.fields {
            let known = self.fields.shift_remove_full(&key);
            let (at, joined) = match known {
                Some((at, _, known)) => (at, known.joined(value, depth)),
                None => (self.fields.len(), further(value, &self.rest)),
            };
            self.fields.shift_insert(at, key, joined);
        }
        self.rest = match (self.rest, other.rest) {
            (Some(one), Some(other)) => Some(one.joined(other, depth)),
            (one, other) => one.or(other),
        };
        self.is_sure &= other.is_sure;
        self.is_derived |= other.is_derived;
        self.origin = self.origin.or(other.origin);
        self
    }
}

impl Lists {
    fn joined(self, other: Lists, depth: usize) -> Lists {
        let places = match (self.places, other.places) {
            (Some(one), Some(other)) if one.len() == other.len() => {
                Some(one.into_iter().zip(other).map(|(one, other)| one.joined(other, depth)).collect())
            }
            _ => None,
        };
        Lists { element: self.element.joined(other.element, depth), places }
    }
}
