//! The walk over a program: what each expression may call, and what its value may be.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::bound::CallBound;
use super::cost::Cost;
use super::program::Program;
use super::reach::Reach;
use super::stored::Stored;
use super::value::{Abstract, Arguments, Callee, Frame, Group, KnownMap, Lambda, MOST_FUNCTIONS};
use crate::analyze::frame::Walked;
use crate::analyze::ir::{CaptureSource, Function, Kind, Node};
use crate::stdlib::known::known;
use crate::value::{BuiltinId, Closure, Name, Value};

/// The deepest nesting of expressions, those of called functions included.
const MOST_DEPTH: usize = 220;
/// The most expressions that are visited; beyond that, only the reachable tools are determined.
const MOST_STEPS: usize = 200_000;
/// Parts of values that count as one expression.
const PARTS_OF_A_STEP: usize = 64;

/// The walk: bodies of functions are visited where they are called, once for each written call.
pub(super) struct Walk<'a> {
    pub program: &'a Program<'a>,
    /// The calls of the expressions so far.
    pub cost: Cost,
    /// Definitions of the program so far.
    bound: HashMap<u32, Abstract>,
    /// Functions of earlier programs that were parsed again.
    pub read: HashMap<*const Closure, Stored>,
    /// The tools that collections of the session lead to, by address.
    collections: HashMap<usize, (Value, BTreeSet<Name>)>,
    /// The functions whose bodies are being walked.
    pub open: Vec<*const Function>,
    depth: usize,
    steps: usize,
    /// The program is too large or nested too deeply for bounds.
    pub gave_up: bool,
}

impl<'a> Walk<'a> {
    pub fn new(program: &'a Program<'a>) -> Walk<'a> {
        Walk {
            program,
            cost: Cost::default(),
            bound: HashMap::new(),
            read: HashMap::new(),
            collections: HashMap::new(),
            open: Vec::new(),
            depth: 0,
            steps: 0,
            gave_up: false,
        }
    }

    /// The whole program.
    pub fn main(&mut self) {
        self.node(self.program.body, &mut Frame::default());
    }

    /// The calls of `work`, separate from earlier calls.
    pub fn apart<R>(&mut self, work: impl FnOnce(&mut Self) -> R) -> (R, Cost) {
        let before = std::mem::take(&mut self.cost);
        let result = work(self);
        (result, std::mem::replace(&mut self.cost, before))
    }

    /// Count the calls of `work` this many times.
    pub fn often<R>(&mut self, count: &CallBound, work: impl FnOnce(&mut Self) -> R) -> R {
        let (result, cost) = self.apart(work);
        self.cost.then(&cost.times(count));
        result
    }

    /// One level deeper, unless there are too many.
    pub fn deeper(&mut self, work: impl FnOnce(&mut Self) -> Abstract) -> Abstract {
        self.steps += 1;
        if self.gave_up || self.depth >= MOST_DEPTH || self.steps > MOST_STEPS {
            self.gave_up = true;
            return Abstract::any();
        }
        self.depth += 1;
        let value = work(self);
        self.depth -= 1;
        value
    }

    /// Look for tools from here.
    pub fn reach(&mut self, look: impl for<'x> FnOnce(Reach<'x, 'a>) -> Reach<'x, 'a>) -> BTreeSet<Name> {
        let bound = |global| self.bound.get(&global).cloned();
        let found = look(Reach::new(self.program, &bound));
        let (tools, steps) = (found.tools, found.steps + found.parts / PARTS_OF_A_STEP);
        self.steps += steps;
        tools
    }

    /// Pay for all calls that these tools could get.
    fn pay(&mut self, tools: impl IntoIterator<Item = Name>) {
        for tool in tools {
            self.cost.add(&tool, &CallBound::UNBOUNDED);
        }
    }

    /// A value escapes: it may be called any number of times.
    pub fn escape(&mut self, value: &Abstract) {
        let leads_somewhere = |callee: &Callee| !matches!(callee, Callee::Builtin(_));
        if value.functions.iter().any(leads_somewhere) {
            let tools = self.reach(|reach| reach.of_abstract(value));
            self.pay(tools);
        }
    }

    /// The same for several values.
    pub fn escape_all<'v>(&mut self, values: impl IntoIterator<Item = &'v Abstract>) {
        values.into_iter().for_each(|value| self.escape(value));
    }

    /// Either of both.
    pub fn either(&mut self, one: Abstract, other: Abstract) -> Abstract {
        let both = one.or(other);
        if both.functions.len() <= MOST_FUNCTIONS {
            return both;
        }
        self.escape(&both);
        Abstract { functions: Vec::new(), others: true, ..both }
    }

    /// An expression.
    pub fn node(&mut self, node: &Node, frame: &mut Frame) -> Abstract {
        self.deeper(|walk| walk.kind(&node.kind, frame))
    }

    fn kind(&mut self, kind: &Kind, frame: &mut Frame) -> Abstract {
        match kind {
            Kind::Const(value) => self.constant(value),
            Kind::Local { slot, .. } => frame.get(*slot),
            Kind::Capture(at) => self.source(CaptureSource::Capture(*at), frame),
            Kind::SelfFn => self.source(CaptureSource::SelfFn, frame),
            Kind::Sibling(at) => self.source(CaptureSource::Sibling(*at), frame),
            Kind::Global(global) => self.global(*global),
            Kind::Data(name) => self.data(name),
            Kind::Tool(name) => Abstract::function(Callee::Tool(name.clone())),
            Kind::History(turns) => {
                self.program.history(*turns).map_or_else(Abstract::scalar, |value| self.value(&value))
            }
            Kind::Cond { clauses, default } => self.choice(clauses, default, frame),
            Kind::Do(nodes) => self.in_order(nodes, frame),
            Kind::And(nodes) | Kind::Or(nodes) => {
                let values = nodes.iter().map(|node| self.node(node, frame)).collect::<Vec<_>>();
                values.into_iter().fold(Abstract::scalar(), |one, other| self.either(one, other))
            }
            Kind::Let { bindings, body } => {
                for (slot, init) in bindings {
                    let value = self.node(init, frame);
                    frame.set(*slot, value);
                }
                self.node(body, frame)
            }
            Kind::Loop { bindings, body } => self.repeat(bindings, body, frame),
            Kind::Recur(nodes) => {
                self.elements(nodes, frame);
                Abstract::nothing()
            }
            Kind::Call { callee, args } => self.called(callee, args, frame),
            Kind::Fn(function) => self.closure(function, frame),
            Kind::LetFn { slots, functions, captures, body } => {
                let captures = captures.iter().map(|source| self.source(*source, frame)).collect();
                let group = Arc::new(Group { functions: functions.clone(), captures, text: 0 });
                slots.iter().enumerate().for_each(|(at, slot)| frame.set(*slot, group.member(at)));
                self.node(body, frame)
            }
            Kind::Vector(nodes) | Kind::Set(nodes) => self.elements(nodes, frame),
            Kind::Map(nodes) => {
                let whole = self.elements(nodes, frame);
                // Keys and values in turn.
                Abstract { size: Some(CallBound::of(nodes.len().div_ceil(2) as u64)), ..whole }
            }
            Kind::Def { global, value, once, .. } => self.define(*global, value, *once, frame),
            Kind::Try { body, catches, finally } => {
                let mut value = self.node(body, frame);
                let mut caught = Cost::default();
                for catch in catches {
                    frame.set(catch.slot, Abstract::any());
                    let (other, cost) = self.apart(|walk| walk.node(&catch.body, frame));
                    caught.or(cost);
                    value = self.either(value, other);
                }
                self.cost.then(&caught);
                if let Some(finally) = finally {
                    self.node(finally, frame);
                }
                value
            }
            // The optimizer runs later.
            Kind::Made(_) => {
                self.gave_up = true;
                Abstract::any()
            }
        }
    }

    fn in_order(&mut self, nodes: &[Node], frame: &mut Frame) -> Abstract {
        let mut value = Abstract::scalar();
        for node in nodes {
            value = self.node(node, frame);
        }
        value
    }

    /// Values that get into a collection.
    fn elements(&mut self, nodes: &[Node], frame: &mut Frame) -> Abstract {
        for node in nodes {
            let value = self.node(node, frame);
            self.escape(&value);
        }
        Abstract::sized(Some(CallBound::of(nodes.len() as u64)))
    }

    fn choice(&mut self, clauses: &[(Node, Node)], default: &Node, frame: &mut Frame) -> Abstract {
        let (mut value, mut chosen) = (Abstract::nothing(), Cost::default());
        for (test, then) in clauses {
            self.node(test, frame);
            let (one, cost) = self.apart(|walk| walk.node(then, frame));
            chosen.or(cost);
            value = self.either(value, one);
        }
        let (one, cost) = self.apart(|walk| walk.node(default, frame));
        chosen.or(cost);
        self.cost.then(&chosen);
        self.either(value, one)
    }

    fn called(&mut self, node: &Node, args: &[Node], frame: &mut Frame) -> Abstract {
        let callee = self.node(node, frame);
        let known: Vec<Abstract> = args.iter().map(|arg| self.node(arg, frame)).collect();
        if let Some(value) = self.field(node, args, &known) {
            return value;
        }
        self.call(&callee, Arguments { known, more: false })
    }

    fn closure(&mut self, function: &Arc<Function>, frame: &mut Frame) -> Abstract {
        let captures = function.captures.iter().map(|source| self.source(*source, frame)).collect();
        Abstract::lambda(Arc::new(Lambda { function: function.clone(), captures, group: None, text: 0 }))
    }

    fn source(&mut self, source: CaptureSource, frame: &Frame) -> Abstract {
        frame.source(source).unwrap_or_else(|| self.lost())
    }

    /// A case that the analyzer rules out: nothing is known then.
    fn lost(&mut self) -> Abstract {
        self.gave_up = true;
        Abstract::any()
    }

    fn constant(&mut self, value: &Value) -> Abstract {
        match value {
            Value::Builtin(id) if *id == known().skip || *id == known().stop => Abstract::nothing(),
            value => self.value(value),
        }
    }

    /// A value that exists already.
    pub fn value(&mut self, value: &Value) -> Abstract {
        match value {
            Value::Tool(name) => return Abstract::function(Callee::Tool(name.clone())),
            Value::Builtin(id) => return Abstract::function(Callee::Builtin(*id)),
            Value::Function(closure) => return Abstract::function(Callee::Stored(closure.clone())),
            Value::Var(name) => {
                let global = self.program.globals.number(name);
                return global.map_or_else(Abstract::any, |global| Abstract::function(Callee::Global(global)));
            }
            Value::Int(n) => return Abstract::integer(*n),
            Value::Float(_) | Value::Big(_) => return Abstract::number(None),
            _ => {}
        }
        let tools = self.tools_of(value);
        self.pay(tools);
        match value {
            Value::LazySeq(_) => Abstract::any(),
            _ => Abstract { size: Some(CallBound::of(value.size().unwrap_or(0) as u64)), ..Abstract::scalar() },
        }
    }

    /// The tools that a value of the session leads to; a collection is visited once.
    fn tools_of(&mut self, value: &Value) -> BTreeSet<Name> {
        let address = value.address();
        if let Some((_, known)) = address.and_then(|address| self.collections.get(&address)) {
            return known.clone();
        }
        let tools = self.reach(|reach| reach.of_value(value));
        if let Some(address) = address {
            // It is kept so that no other collection gets its address.
            self.collections.insert(address, (value.clone(), tools.clone()));
        }
        tools
    }

    fn data(&mut self, name: &Name) -> Abstract {
        let part = (name.as_str() != "fail").then(|| format!("data/{name}").into());
        self.program.data(name).map_or_else(Abstract::scalar, |value| self.part(&value, part))
    }

    /// A value that exists already, and its name in bounds when it is a part of the data.
    pub fn part(&mut self, value: &Value, part: Option<Arc<str>>) -> Abstract {
        let mut known = self.value(value);
        if let (Some(part), Some(size), false) = (&part, value.size(), value.is_nil()) {
            known.size = Some(CallBound::count(part, size as u64));
        }
        if let Value::Map(map) = value {
            known.map = Some(Arc::new(KnownMap { map: map.clone(), part }));
        }
        known
    }

    /// The value of a definition at this point.
    pub fn global(&mut self, global: u32) -> Abstract {
        if let Some(value) = self.bound.get(&global) {
            return value.clone();
        }
        if self.program.may_change(global) && !self.program.is_steady(global) {
            let tools = self.reach(|reach| reach.of_global(global));
            self.pay(tools);
            return Abstract::any();
        }
        // Not bound yet: its value before the program.
        self.program.defined(global).map_or_else(Abstract::any, |value| self.part(&value, None))
    }

    /// A definition, which may be read from here on, and by functions that escaped before.
    fn define(&mut self, global: u32, node: &Node, once: bool, frame: &mut Frame) -> Abstract {
        if !(once && self.program.defined(global).is_some()) {
            let value = self.node(node, frame);
            let tools = self.reach(|reach| reach.of_abstract(&value));
            if !tools.is_empty() {
                let told = self.reach(|reach| reach.of_global(global));
                self.pay(tools.difference(&told).cloned().collect::<Vec<_>>());
            }
            if self.program.is_steady(global) {
                self.bound.insert(global, value);
            }
        }
        Abstract::function(Callee::Global(global))
    }

    /// A tool is called.
    pub fn tool(&mut self, name: &Name, args: &Arguments) -> Abstract {
        self.escape_all(&args.known);
        self.cost.add(name, &CallBound::of(1));
        Abstract::any()
    }

    /// Pay for values of earlier programs that a builtin may return.
    pub fn kept(&mut self, id: BuiltinId) {
        let tools = self.reach(|reach| reach.of_value(&Value::Builtin(id)));
        self.pay(tools);
    }
}
