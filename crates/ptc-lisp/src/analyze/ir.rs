//! The analyzed program: names resolved to slots, macros expanded, patterns destructured.

use std::sync::Arc;

use crate::error::ErrorClass;
use crate::parse::program_text::Required;
use crate::parse::span::Span;
use crate::value::{BuiltinId, Calls, Name, Origin, Reads, Value};

/// A register of the running function: parameters first, then locals.
pub(crate) type Slot = u32;

/// One expression and its place in the source.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    pub span: Span,
}

/// What an expression does.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// A literal, a quoted form, a builtin as a value.
    Const(Value),
    /// A local; `last` is set by the compiler's liveness pass (the analyzer writes `false`).
    Local { slot: Slot, last: bool },
    /// A value that the running function closed over, by its index in `Function::captures`.
    Capture(u32),
    /// The running function itself (the name of a named `fn`).
    SelfFn,
    /// Another function of the enclosing `letfn` group, by its index.
    Sibling(u32),
    /// A user definition by its number in the session's table; unbound when reached: `undefined_symbol`.
    Global(u32),
    /// `data/name`, already known to exist (or `fail`, which is nil when absent).
    Data(Name),
    /// `tool/name` as a value or callee, already known to exist.
    Tool(Name),
    /// `*1 *2 *3` as 1, 2, 3.
    History(u8),
    /// The value of the first clause whose test is truthy, else the default: `if`, `cond` and their variants.
    Cond { clauses: Vec<(Node, Node)>, default: Box<Node> },
    /// In order; value of the last, nil when empty.
    Do(Vec<Node>),
    /// First falsy value, else the last; `true` when empty.
    And(Vec<Node>),
    /// First truthy value, else the last; nil when empty.
    Or(Vec<Node>),
    /// Sequential bindings to fresh slots, then the body.
    Let { bindings: Vec<(Slot, Node)>, body: Box<Node> },
    /// Bindings evaluated in order; `Recur` inside the body's tail assigns all of them and jumps.
    Loop { bindings: Vec<(Slot, Node)>, body: Box<Node> },
    /// Jump to the innermost enclosing `Loop`, else to the start of the arity; one argument per binding or parameter
    /// (rest parameter included).
    Recur(Vec<Node>),
    /// A call; builtins are `Const(Value::Builtin(_))` callees.
    Call { callee: Box<Node>, args: Vec<Node> },
    /// A closure.
    Fn(Arc<Function>),
    /// The functions of a `letfn`, bound to `slots` in order. All share `captures`; inside them `Capture(i)` indexes
    /// this list (their own `captures` is empty) and `Sibling(i)` is the i-th function.
    LetFn { slots: Vec<Slot>, functions: Vec<Arc<Function>>, captures: Vec<CaptureSource>, body: Box<Node> },
    /// A vector of evaluated elements.
    Vector(Vec<Node>),
    /// Keys and values in turn, evaluated left to right; later keys win.
    Map(Vec<Node>),
    /// A set of evaluated elements.
    Set(Vec<Node>),
    /// Bind a user definition; the value of the expression is the var. With `once`, nothing is evaluated when it is
    /// already bound.
    Def { global: u32, name: Name, value: Box<Node>, doc: Option<Arc<str>>, once: bool },
    /// `try`.
    Try { body: Box<Node>, catches: Vec<Catch>, finally: Option<Box<Node>> },
    /// A loop over a collection that does something with each element. Only the compiler creates it, from a call such
    /// as `map`.
    Each(Box<Each>),
    /// A call of `update` or a variant with the body of its function inlined. Created by the compiler.
    Update(Box<Update>),
    /// A call that puts other values under `keys` of a local map. With `lets_go`, set by the compiler's liveness pass,
    /// the map itself is not read again, and its old values may be dropped first. Created by the compiler.
    Replace { map: Slot, keys: Vec<Node>, lets_go: bool, call: Box<Node> },
    /// The source of a sequence of which perhaps only a prefix is read: a lazy sequence, if all `functions` that compute
    /// its elements are pure, and those of the definitions `globals`; with `returned`, only in a call that is
    /// [`Kind::InPart`]. Created by the compiler.
    Lazily { source: Box<Node>, functions: Vec<Node>, globals: Vec<u32>, returned: bool },
    /// A call of a function of the program, of whose value perhaps only a prefix is read; with `returned`, only in a call
    /// that is one itself. Created by the compiler.
    InPart { call: Box<Node>, returned: bool },
    /// Drop the values of locals that are not read again, then evaluate `then`. Created by the compiler.
    Clear { slots: Vec<Slot>, then: Box<Node> },
    /// In the body of an update, before anything else happened there: make the call on the slow path. Created by the
    /// compiler.
    Leave,
    /// In the body of a loop over a collection: continue with the next element. Created by the compiler.
    Skip,
    /// In such a body: end the loop. Created by the compiler.
    Stop,
}

/// The walk over the parts of an expression, shared or mutable.
macro_rules! walk {
    ($(#[$doc:meta])* $name:ident $(<$life:lifetime>)? $iter:ident $operands:ident $($mut:tt)?) => {
        $(#[$doc])*
        #[inline]
        pub fn $name$(<$life>)?(&$($life)? $($mut)? self, visit: &mut dyn FnMut(&$($life)? $($mut)? Node)) {
            match &$($mut)? self.kind {
                Kind::Cond { clauses, default } => {
                    for (test, then) in clauses {
                        visit(test);
                        visit(then);
                    }
                    visit(default);
                }
                Kind::Do(nodes)
                | Kind::And(nodes)
                | Kind::Or(nodes)
                | Kind::Recur(nodes)
                | Kind::Vector(nodes)
                | Kind::Map(nodes)
                | Kind::Set(nodes) => nodes.$iter().for_each(visit),
                Kind::Let { bindings, body } | Kind::Loop { bindings, body } => {
                    bindings.$iter().for_each(|(_, init)| visit(init));
                    visit(body);
                }
                Kind::Call { callee, args } => {
                    visit(callee);
                    args.$iter().for_each(visit);
                }
                Kind::LetFn { body, .. } | Kind::Clear { then: body, .. } | Kind::InPart { call: body, .. } => visit(body),
                Kind::Lazily { source, functions, .. } => {
                    visit(source);
                    functions.$iter().for_each(visit);
                }
                Kind::Replace { keys, call, .. } => {
                    keys.$iter().for_each(&mut *visit);
                    visit(call);
                }
                Kind::Def { value, .. } => visit(value),
                Kind::Try { body, catches, finally } => {
                    visit(body);
                    catches.$iter().for_each(|catch| visit(&$($mut)? catch.body));
                    finally.$iter().for_each(|finally| visit(finally));
                }
                Kind::Each(each) => each.$operands().for_each(visit),
                Kind::Update(update) => update.args.$iter().for_each(visit),
                Kind::Const(_)
                | Kind::Local { .. }
                | Kind::Capture(_)
                | Kind::SelfFn
                | Kind::Sibling(_)
                | Kind::Global(_)
                | Kind::Data(_)
                | Kind::Tool(_)
                | Kind::History(_)
                | Kind::Leave
                | Kind::Skip
                | Kind::Stop
                | Kind::Fn(_) => {}
            }
        }
    };
}

impl Node {
    walk! {
        /// The parts that run in the same function, in order of evaluation. For a loop over a collection and an update,
        /// only their operands, not their bodies.
        for_each_part iter_mut operands_mut mut
    }

    walk! {
        /// The same, shared.
        look_at_parts<'n> iter operands
    }

    /// The expression and everything inside it, the bodies of functions included, in no order. It uses no native stack
    /// in proportion to depth.
    pub fn look_at_all<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        let mut open = vec![self];
        while let Some(node) = open.pop() {
            visit(node);
            match &node.kind {
                Kind::Fn(function) => open.extend(function.arities.iter().map(|arity| &arity.body)),
                Kind::LetFn { functions, .. } => {
                    open.extend(functions.iter().flat_map(|function| &function.arities).map(|arity| &arity.body))
                }
                _ => {}
            }
            node.look_at_parts(&mut |part| open.push(part));
        }
    }

    /// Whether `test` holds for each of these parts.
    pub fn all_parts(&self, test: fn(&Node) -> bool) -> bool {
        let mut all = true;
        self.look_at_parts(&mut |part| all = all && test(part));
        all
    }

    /// The parts one of which gives the value: the ends of a choice or of a body, else the expression itself.
    pub fn for_each_end(&mut self, visit: &mut dyn FnMut(&mut Node)) {
        match &mut self.kind {
            Kind::Cond { clauses, default } => {
                clauses.iter_mut().for_each(|(_, then)| then.for_each_end(visit));
                default.for_each_end(visit);
            }
            Kind::Let { body, .. } => body.for_each_end(visit),
            Kind::Do(nodes) if !nodes.is_empty() => {
                nodes.last_mut().into_iter().for_each(|last| last.for_each_end(visit))
            }
            _ => visit(self),
        }
    }

    /// The value of a constant.
    pub fn literal(&self) -> Option<Value> {
        match &self.kind {
            Kind::Const(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// The builtin, if it is one.
    pub fn builtin(&self) -> Option<BuiltinId> {
        match self.kind {
            Kind::Const(Value::Builtin(id)) => Some(id),
            _ => None,
        }
    }

    /// The builtin that it calls, if any, with the arguments.
    pub fn builtin_call(&self) -> Option<(BuiltinId, &[Node])> {
        match &self.kind {
            Kind::Call { callee, args } => Some((callee.builtin()?, args)),
            _ => None,
        }
    }

    /// Its slot, if it is a local.
    pub fn slot(&self) -> Option<Slot> {
        if let Kind::Local { slot, .. } = self.kind { Some(slot) } else { None }
    }

    /// Take out what it does; nil replaces it.
    pub fn take_kind(&mut self) -> Kind {
        std::mem::replace(&mut self.kind, Kind::Const(Value::Nil))
    }
}

/// A value that needs no evaluation.
pub(crate) fn constant(value: Value, span: Span) -> Node {
    Node { kind: Kind::Const(value), span }
}

pub(crate) fn nil(span: Span) -> Node {
    constant(Value::Nil, span)
}

pub(crate) fn local(slot: Slot, span: Span) -> Node {
    Node { kind: Kind::Local { slot, last: false }, span }
}

pub(crate) fn call_of(callee: Node, args: Vec<Node>, span: Span) -> Node {
    Node { kind: Kind::Call { callee: Box::new(callee), args }, span }
}

/// A call of this builtin.
pub(crate) fn call(id: BuiltinId, args: Vec<Node>, span: Span) -> Node {
    call_of(constant(Value::Builtin(id), span), args, span)
}

/// `body` under `bindings`, or `body` itself when there are none.
pub(crate) fn bound(bindings: Vec<(Slot, Node)>, body: Node) -> Node {
    if bindings.is_empty() {
        return body;
    }
    let span = body.span;
    Node { kind: Kind::Let { bindings, body: Box::new(body) }, span }
}

/// An `if`.
pub(crate) fn choice(test: Node, then: Node, otherwise: Node, span: Span) -> Node {
    Node { kind: Kind::Cond { clauses: vec![(test, then)], default: Box::new(otherwise) }, span }
}

/// See [`Kind::Each`]. Its operands were evaluated before: they are locals.
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

/// See [`Kind::Update`].
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

/// One `catch` clause.
#[derive(Clone, Debug)]
pub(crate) struct Catch {
    pub class: ErrorClass,
    /// The slot of the bound exception.
    pub slot: Slot,
    pub body: Node,
}

/// Where the enclosing function finds a value to close over.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CaptureSource {
    Local(Slot),
    Capture(u32),
    SelfFn,
    Sibling(u32),
}

/// A function with its arities.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// For messages and traces; `None` for an anonymous function.
    pub name: Option<Arc<str>>,
    /// At most one arity is variadic; fixed ones have distinct counts.
    pub arities: Vec<Arity>,
    /// The captured values, in the order of `Capture` indexes.
    pub captures: Vec<CaptureSource>,
    /// The name of each captured value in the text of the function; those of the group for a member of a `letfn`.
    pub capture_names: Vec<Arc<str>>,
    /// Where its text is; `None` when the program does not have it in one piece.
    pub origin: Option<Origin>,
    /// The parameters as `#fn[…]` and the prelude show them (10.5 of the reference), lists of several
    /// arities joined by [`crate::value::ARITIES`].
    pub params_text: Arc<str>,
    /// The functions that it calls and that are known only when it runs; `None` when a call of it may have an effect. Set by
    /// the optimizer.
    pub calls: Option<Calls>,
    /// The whole form; only tests look at it.
    #[allow(dead_code, reason = "the printed form of the tests shows it")]
    pub span: Span,
}

impl Function {
    /// The arities that can take `count` arguments, or with `more` that many and perhaps others.
    pub fn taking(&self, count: usize, more: bool) -> impl Iterator<Item = &Arity> {
        let exactly = move |arity: &Arity| !arity.rest && arity.fixed as usize == count;
        let has_exact = self.arities.iter().any(exactly);
        self.arities.iter().filter(move |arity| {
            let fixed = arity.fixed as usize;
            if more {
                return arity.rest || fixed >= count;
            }
            if arity.rest { fixed <= count && !has_exact } else { exactly(arity) }
        })
    }
}

/// One parameter list with its body.
#[derive(Clone, Debug)]
pub(crate) struct Arity {
    /// Fixed parameters, in slots `0..fixed`.
    pub fixed: u32,
    /// Slot `fixed` holds the rest arguments: a vector, nil when there are none.
    pub rest: bool,
    /// How much is read of each fixed parameter; as long as nothing is known, the whole. Set by the compiler.
    pub reads: Vec<Reads>,
    /// Slots in use: parameters and all locals.
    pub slots: u32,
    pub body: Node,
}

/// A program ready for the compiler: an arity without parameters.
#[derive(Clone, Debug)]
pub(crate) struct Analyzed {
    pub main: Function,
    pub warnings: Vec<crate::error::warning::Warning>,
    /// The namespaces that it requires.
    pub required: Required,
}
