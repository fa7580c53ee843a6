//! The analyzed program: names resolved to slots, macros expanded, patterns destructured.

use std::sync::Arc;

use crate::error::ErrorClass;
use crate::optimize::tree::Made;
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
    /// A local; `last` is set by the pass `last-uses` (the analyzer writes `false`).
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
    /// `*1 *2 *3` as 1, 2, 3; `*e` as 0.
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
    /// What the optimizer makes: the analyzer writes none.
    Made(Made),
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
                Kind::LetFn { body, .. }
                | Kind::Made(Made::Clear { then: body, .. } | Made::InPart { call: body, .. }) => visit(body),
                Kind::Made(Made::Lazily { source, functions, .. }) => {
                    visit(source);
                    functions.$iter().for_each(visit);
                }
                Kind::Made(Made::Replace { keys, call, .. }) => {
                    keys.$iter().for_each(&mut *visit);
                    visit(call);
                }
                Kind::Def { value, .. } => visit(value),
                Kind::Try { body, catches, finally } => {
                    visit(body);
                    catches.$iter().for_each(|catch| visit(&$($mut)? catch.body));
                    finally.$iter().for_each(|finally| visit(finally));
                }
                Kind::Made(Made::Each(each)) => each.$operands().for_each(visit),
                Kind::Made(Made::Update(update)) => update.args.$iter().for_each(visit),
                Kind::Const(_)
                | Kind::Local { .. }
                | Kind::Capture(_)
                | Kind::SelfFn
                | Kind::Sibling(_)
                | Kind::Global(_)
                | Kind::Data(_)
                | Kind::Tool(_)
                | Kind::History(_)
                | Kind::Made(Made::Leave | Made::Skip | Made::Stop)
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
    /// How much is read of each fixed parameter; as long as nothing is known, the whole. Set by the optimizer.
    pub reads: Vec<Reads>,
    /// Slots in use: parameters and all locals.
    pub slots: u32,
    pub body: Node,
}

/// A program ready for the optimizer: an arity without parameters.
#[derive(Clone, Debug)]
pub(crate) struct Analyzed {
    pub main: Function,
    pub warnings: Vec<crate::error::warning::Warning>,
    /// The namespaces that it requires.
    pub required: Required,
}
