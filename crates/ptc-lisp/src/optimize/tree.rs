//! The expressions that the optimizer makes, in addition to those of the analyzer.

use crate::analyze::ir::{Node, Slot};
use crate::value::BuiltinId;

/// What such an expression does.
#[derive(Clone, Debug)]
pub(crate) enum Made {
    /// A loop over a collection that does something with each element. It comes from a call such as `map`.
    Each(Box<Each>),
    /// A call of `update` or a variant with the body of its function inlined.
    Update(Box<Update>),
    /// A call that puts other values under `keys` of a local map. With `lets_go`, set by the pass `last-uses`,
    /// the map itself is not read again, and its old values may be dropped first.
    Replace { map: Slot, keys: Vec<Node>, lets_go: bool, call: Box<Node> },
    /// The source of a sequence of which perhaps only a prefix is read: a lazy sequence, if all `functions` that compute
    /// its elements are pure, and those of the definitions `globals`; with `returned`, only in a call that is
    /// [`Made::InPart`].
    Lazily { source: Box<Node>, functions: Vec<Node>, globals: Vec<u32>, returned: bool },
    /// A call of a function of the program, of whose value perhaps only a prefix is read; with `returned`, only in a call
    /// that is one itself.
    InPart { call: Box<Node>, returned: bool },
    /// Drop the values of locals that are not read again, then evaluate `then`.
    Clear { slots: Vec<Slot>, then: Box<Node> },
    /// In the body of an update, before anything else happened there: make the call on the slow path.
    Leave,
    /// In the body of a loop over a collection: continue with the next element.
    Skip,
    /// In such a body: end the loop.
    Stop,
}

/// See [`Made::Each`]. Its operands were evaluated before: they are locals.
#[derive(Clone, Debug)]
pub(crate) struct Each {
    pub does: LoopKind,
    pub over: LoopSource,
    /// A second collection, whose elements are the parameter after the element.
    pub beside: Option<Node>,
    /// The first value of a fold or sum.
    pub init: Option<Node>,
    /// The function, where it is known only at run time; the body calls it with as many arguments as it has parameters.
    pub callee: Option<Node>,
    /// The call as written, for collections and functions that need the slow path.
    pub slow: Node,
    /// Whether it accepts a map as a collection; otherwise the slow path reports the error.
    pub takes_maps: bool,
    /// Whether a text of several lines, whose letters are hardly meant, takes the slow path, which warns of it.
    pub warns: bool,
    /// Whether the parameter before the element is its index.
    pub indexed: bool,
    /// The slots that hold the parts of an element, a pair or longer vector, in place of the element itself.
    pub parts: Option<Parts>,
    /// Whether the enclosing loop collects the results of this one, which are not used otherwise.
    pub nested: bool,
    /// Outer locals that a `recur` in its body sets before the next round.
    pub sets: Vec<Slot>,
    /// The slots of its parameters; those of its locals follow, `slots` in all.
    pub first: Slot,
    pub slots: u32,
    pub body: Node,
}

/// See [`Each::parts`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    pub first: Slot,
    pub count: u32,
    /// Whether they must be the keys and values of a map: `reduce-kv`.
    pub entries: bool,
}

/// What a loop goes over.
#[derive(Clone, Debug)]
pub(crate) enum LoopSource {
    /// The elements of a collection.
    Items(Node),
    /// The integers from the first on, below the second.
    Range([Node; 2]),
}

impl Each {
    /// The expressions that it reads at the start.
    pub fn operands(&self) -> impl Iterator<Item = &Node> {
        let over = match &self.over {
            LoopSource::Items(items) => std::slice::from_ref(items),
            LoopSource::Range(ends) => ends.as_slice(),
        };
        over.iter().chain(&self.beside).chain(&self.init).chain(&self.callee)
    }

    /// The number of arguments of the function.
    pub fn params(&self) -> Slot {
        match self.parts {
            Some(Parts { entries: true, count, .. }) => 1 + count,
            _ => self.own_params(),
        }
    }

    /// The number of slots that a round starts with.
    pub fn own_params(&self) -> Slot {
        self.element() - self.first + 1 + Slot::from(self.beside.is_some())
    }

    /// The slot of the element.
    pub fn element(&self) -> Slot {
        self.first + Slot::from(self.indexed || matches!(self.does, LoopKind::Fold { .. }))
    }

    /// The same, mutable.
    pub fn operands_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        let over = match &mut self.over {
            LoopSource::Items(items) => std::slice::from_mut(items),
            LoopSource::Range(ends) => ends.as_mut_slice(),
        };
        over.iter_mut().chain(&mut self.beside).chain(&mut self.init).chain(&mut self.callee)
    }
}

/// What a loop does with the values of its body.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum LoopKind {
    /// Collects them: `map`.
    Map,
    /// Collects the values that are not nil: `keep`.
    Keep,
    /// Collects the elements whose values are truthy (`filter`), or not (`remove`).
    Filter { truthy: bool },
    /// Collects the elements of the values: `mapcat`.
    Concat,
    /// Nothing, since loops in the body collect: `for` with several collections.
    Nest,
    /// Collects the elements grouped by the values: `group-by`.
    Group,
    /// Passes each value to the next call, with the next element: `reduce`. Without `init` the first element is the
    /// first value.
    Fold { init: bool },
    /// Adds them up, or multiplies them: `(reduce + (map (fn …) xs))`. Without `init` the first one is the first sum.
    Sum { product: bool, init: bool },
    /// Ends with the first value: `(first (map …))`.
    First,
    /// Ends at the first truthy or falsy value: `some`, `every?`.
    Search { truthy: bool },
    /// Nothing: `doseq`.
    Effects,
}

/// See [`Made::Update`].
#[derive(Clone, Debug)]
pub(crate) struct Update {
    pub builtin: BuiltinId,
    /// The collection and the key.
    pub args: [Node; 2],
    /// The arguments of the call from index `at` on, for calls that need the slow path.
    pub written: Vec<Node>,
    pub at: usize,
    /// The slot of the value under the key; those of the locals of the body follow, `slots` in all.
    pub first: Slot,
    pub slots: u32,
    /// The expression that replaces the value.
    pub body: Node,
}
