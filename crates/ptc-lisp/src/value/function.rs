//! Functions, tools and cells as values.

mod proto;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use super::Value;
use crate::limits::release::release;
use crate::named::named;

pub(crate) use proto::{
    ARITIES, By, Calls, Comparison, EntryPoint, Origin, Proto, Reads, Source, first_of_prelude, place_in_prelude,
};

/// A builtin by its row number in the function table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct BuiltinId(pub(crate) u16);

/// A function of the program with its captured values.
pub struct Closure {
    pub(crate) proto: Arc<Proto>,
    pub(crate) captures: Captures,
    /// Which return-type record its calls fill; 0 for none.
    pub(crate) track: AtomicU32,
    /// The entry for the most common kind of call.
    pub(crate) entry: Entry,
}

/// The entry into a function that has one arity without a rest parameter; `fixed` is `u16::MAX` for all others.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Entry {
    pub fixed: u16,
    pub registers: u16,
    pub code: u32,
    pub needs_callee: bool,
}

impl Entry {
    pub(crate) fn of(proto: &Proto) -> Entry {
        match proto.arities.as_slice() {
            [only] if !only.rest => {
                Entry { fixed: only.fixed, registers: only.registers, code: only.code, needs_callee: only.needs_callee }
            }
            _ => Entry { fixed: u16::MAX, registers: 0, code: 0, needs_callee: true },
        }
    }
}

/// Where a closure finds its captured values.
pub(crate) enum Captures {
    Own(Vec<Value>),
    /// Functions of one `letfn` share their captures, so they can refer to each other without a cycle.
    Group(Arc<Group>),
}

/// The functions of one `letfn` and their captured values.
pub(crate) struct Group {
    pub(crate) protos: Vec<Arc<Proto>>,
    pub(crate) captures: Vec<Value>,
}

impl Closure {
    pub(crate) fn new(proto: Arc<Proto>, captures: Vec<Value>) -> Closure {
        let entry = Entry::of(&proto);
        Closure { proto, captures: Captures::Own(captures), track: AtomicU32::new(0), entry }
    }

    /// A function of a `letfn`.
    pub(crate) fn of_group(group: &Arc<Group>, index: usize) -> Option<Closure> {
        let proto = group.protos.get(index)?.clone();
        let entry = Entry::of(&proto);
        Some(Closure { proto, captures: Captures::Group(group.clone()), track: AtomicU32::new(0), entry })
    }

    pub(crate) fn captured(&self) -> &[Value] {
        match &self.captures {
            Captures::Own(values) => values,
            Captures::Group(group) => &group.captures,
        }
    }

    /// Whether a builtin such as `comp` or `juxt` created it: then its parameters are not shown.
    pub(crate) fn is_derived(&self) -> bool {
        self.proto.arities.first().is_some_and(|entry| entry.hidden)
    }

    /// Whether it is this function of the prelude, or was created inside it.
    pub(crate) fn is_of_prelude(&self, row: BuiltinId) -> bool {
        let code = self.proto.arities.first().and_then(|entry| place_in_prelude(entry.code as usize));
        code.is_some_and(|(of, _)| of == usize::from(row.0))
    }

    /// The parameters as shown in `#fn[x & more]`; of the first arity when there are several.
    #[must_use]
    pub fn params(&self) -> &str {
        self.proto.params_text.split(ARITIES).next().unwrap_or_default()
    }

    /// Its name, if any.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.proto.name.as_deref()
    }
}

impl Drop for Closure {
    fn drop(&mut self) {
        if let Captures::Own(values) = &mut self.captures
            && !values.is_empty()
        {
            release(std::mem::take(values));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        release(std::mem::take(&mut self.captures));
    }
}

impl fmt::Debug for Closure {
    // Bounded: by the text of a program.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#fn[{}]", self.params())
    }
}

named! {
    /// The kinds of mutable cells of the session.
    #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
    pub enum CellKind {
        /// `atom`
        Atom = "atom",
        /// `volatile!`
        Volatile = "volatile",
        /// `delay`
        Delay = "delay",
    }

    /// `atom`, `volatile` or `delay`.
    fn as_str
}

/// A mutable cell by its number in the session's store.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct CellRef {
    pub(crate) id: u32,
    pub(crate) kind: CellKind,
}

impl CellRef {
    /// What kind of cell it is.
    #[must_use]
    pub fn kind(self) -> CellKind {
        self.kind
    }
}

/// A view of a lazily realised sequence: its cell in the session's store and the number of dropped elements.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct LazySeq {
    pub(crate) cell: u32,
    pub(crate) offset: u32,
}

/// A value that ends the enclosing `reduce`.
#[derive(Debug)]
pub struct Reduced(Value);

impl Reduced {
    pub(crate) fn new(value: Value) -> Reduced {
        Reduced(value)
    }

    /// The value inside.
    #[must_use]
    pub fn get(&self) -> &Value {
        &self.0
    }
}

impl Drop for Reduced {
    fn drop(&mut self) {
        release(vec![std::mem::take(&mut self.0)]);
    }
}
