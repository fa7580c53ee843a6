//! The walk over a program: what each expression may be, with the bodies of functions where they are called.

use std::collections::HashMap;
use std::sync::Arc;

use super::Program;
use super::bodies::Open;
use super::look_up::{LookUp, LookUpId, Use};
use super::summary::Summary;
use super::value::{Arguments, Callee, Frame, Group, Known, Lambda, Literal, Maps, Place};
use crate::analyze::bound_once::BoundOnce;
use crate::analyze::frame::Walked;
use crate::analyze::ir::{CaptureSource, Catch, Function, Kind, Node, Slot};
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::value::{Closure, Name, Value};

/// The deepest nesting of expressions, those of called functions included.
const MOST_DEPTH: usize = 160;
/// The most expressions that are visited; beyond that, nothing is found.
const MOST_STEPS: usize = 20_000;
/// Rounds of a loop in which its locals may become more than they were.
pub(super) const MOST_ROUNDS: usize = 4;

/// The walk.
pub(super) struct Walk<'a> {
    pub program: &'a Program<'a>,
    pub bound_once: BoundOnce<'a>,
    /// Definitions of the program so far.
    bound: HashMap<u32, Known>,
    /// Those of earlier programs, as far as they were read.
    before: HashMap<u32, Known>,
    /// The bodies that are being walked.
    pub open: Vec<Open>,
    /// Functions that got somewhere from where they may be called with anything.
    escaped: HashMap<*const Lambda, Arc<Lambda>>,
    /// Functions of earlier programs that were read again.
    pub stored: HashMap<*const Closure, (Arc<Closure>, Option<Arc<Lambda>>)>,
    pub look_ups: Vec<LookUp>,
    pub places: HashMap<(Place, String), LookUpId>,
    /// The names of the functions whose texts have a number; 0 is the program.
    pub texts: Vec<Option<Arc<str>>>,
    /// The text that is being walked.
    pub text: u32,
    /// The last call of the program itself.
    pub site: Span,
    /// The arguments of the jumps to the start of each loop around.
    jumps: Vec<Option<Vec<Known>>>,
    /// Values of definitions that may still be examined.
    pub budget: usize,
    /// Not all elements were examined.
    pub is_sample: bool,
    /// A lookup found nothing, or nothing that says what all elements have there.
    pub is_doubtful: bool,
    /// Bodies of `try` around that catch something.
    pub catching: usize,
    depth: usize,
    steps: usize,
    /// The program is too large or nested too deeply.
    pub gave_up: bool,
}

impl<'a> Walk<'a> {
    pub fn new(program: &'a Program<'a>, budget: usize) -> Walk<'a> {
        Walk {
            program,
            bound_once: BoundOnce::new(program.body),
            bound: HashMap::new(),
            before: HashMap::new(),
            open: Vec::new(),
            escaped: HashMap::new(),
            stored: HashMap::new(),
            look_ups: Vec::new(),
            places: HashMap::new(),
            texts: vec![None],
            text: 0,
            site: program.body.span,
            jumps: Vec::new(),
            budget,
            is_sample: false,
            is_doubtful: false,
            catching: 0,
            depth: 0,
            steps: 0,
            gave_up: false,
        }
    }

    /// The whole program. Its value and its definitions are shown.
    pub fn main(&mut self) {
        let value = self.node(self.program.body, &mut Frame::default());
        self.used_with_parts(&value, Use::Shown);
        for (global, value) in std::mem::take(&mut self.bound) {
            if !self.bound_once.is_read(global) {
                self.used_with_parts(&value, Use::Shown);
            }
        }
    }

    /// One level deeper, unless there are too many.
    pub fn deeper(&mut self, work: impl FnOnce(&mut Self) -> Known) -> Known {
        self.steps += 1;
        if self.gave_up || self.depth >= MOST_DEPTH || self.steps > MOST_STEPS {
            self.gave_up = true;
            return Known::any();
        }
        self.depth += 1;
        let value = work(self);
        self.depth -= 1;
        value
    }

    pub fn place(&self, span: Span) -> Place {
        Place { text: self.text, span }
    }

    /// An expression.
    pub fn node(&mut self, node: &Node, frame: &mut Frame) -> Known {
        self.deeper(|walk| walk.kind(node, frame))
    }

    fn nodes(&mut self, nodes: &[Node], frame: &mut Frame) -> Vec<Known> {
        nodes.iter().map(|node| self.node(node, frame)).collect()
    }

    /// Its work is in functions: without optimisation, a frame has room for what each case holds, and it recurs.
    fn kind(&mut self, node: &Node, frame: &mut Frame) -> Known {
        match &node.kind {
            Kind::Const(value) => self.constant(value, node.span),
            Kind::Local { slot, .. } => frame.get(*slot),
            Kind::Capture(at) => self.source(CaptureSource::Capture(*at), frame),
            Kind::SelfFn => self.source(CaptureSource::SelfFn, frame),
            Kind::Sibling(at) => self.source(CaptureSource::Sibling(*at), frame),
            Kind::Global(global) => self.global(*global),
            Kind::Data(name) => {
                let summary = self.program.data(name);
                self.examined(summary)
            }
            Kind::Tool(name) => Known::function(Callee::Tool(name.clone())),
            Kind::Cond { clauses, default } => self.choice(clauses, default, frame),
            Kind::Do(nodes) => self.nodes(nodes, frame).pop().unwrap_or_else(Known::nil),
            Kind::And(nodes) => self.and(nodes, frame),
            Kind::Or(nodes) => self.or(nodes, frame),
            Kind::Let { bindings, body } => {
                bindings.iter().for_each(|(slot, init)| self.bind(*slot, init, frame));
                self.node(body, frame)
            }
            Kind::Loop { bindings, body } => self.looped(bindings, body, frame),
            Kind::Recur(nodes) => self.jump(nodes, frame),
            Kind::Call { callee, args } => {
                let (callee, args) = self.callee_and_arguments(callee, args, frame);
                self.call_at(&callee, args, node.span)
            }
            Kind::Fn(function) => self.closure(function, frame),
            Kind::LetFn { slots, functions, captures, body } => {
                self.functions(slots, functions, captures, frame);
                self.node(body, frame)
            }
            Kind::Vector(nodes) => Known::tuple(self.nodes(nodes, frame)),
            Kind::Set(nodes) => self.set(nodes, frame),
            Kind::Map(nodes) => {
                let entries = self.nodes(nodes, frame);
                self.map_of_pairs(&entries)
            }
            Kind::Def { global, value, once, .. } => self.define(*global, value, *once, frame),
            Kind::Try { body, catches, finally } => {
                let value = self.caught(body, catches, frame);
                finally.iter().for_each(|finally| drop(self.node(finally, frame)));
                value
            }
            Kind::History(_) => Known::any(),
            // The optimizer runs later.
            Kind::Made(_) => self.lost(),
        }
    }

    fn bind(&mut self, slot: Slot, init: &Node, frame: &mut Frame) {
        let value = self.node(init, frame);
        frame.set(slot, value);
    }

    fn callee_and_arguments(&mut self, callee: &Node, args: &[Node], frame: &mut Frame) -> (Known, Arguments) {
        (self.node(callee, frame), Arguments::of(self.nodes(args, frame)))
    }

    fn functions(
        &mut self,
        slots: &[Slot],
        functions: &[Arc<Function>],
        captures: &[CaptureSource],
        frame: &mut Frame,
    ) {
        let captures = captures.iter().map(|source| self.source(*source, frame)).collect();
        let group = Arc::new(Group { functions: functions.to_vec(), captures, text: self.text });
        slots.iter().enumerate().for_each(|(at, slot)| frame.set(*slot, group.member(at)));
    }

    fn set(&mut self, nodes: &[Node], frame: &mut Frame) -> Known {
        let members = self.nodes(nodes, frame);
        members.iter().for_each(|member| self.used_with_parts(member, Use::Computed));
        Known::list(members.into_iter().fold(Known::nothing(), Known::or))
    }

    /// A body whose errors are caught.
    fn caught(&mut self, body: &Node, catches: &[Catch], frame: &mut Frame) -> Known {
        self.catching += usize::from(!catches.is_empty());
        let mut value = self.node(body, frame);
        self.catching -= usize::from(!catches.is_empty());
        for catch in catches {
            frame.set(catch.slot, Known::any());
            value = value.or(self.node(&catch.body, frame));
        }
        value
    }

    /// What is known of data or of a definition.
    fn examined(&mut self, summary: Summary) -> Known {
        self.is_sample |= summary.is_sample;
        self.is_doubtful |= summary.known.is_empty();
        summary.known
    }

    /// A case in which nothing can be said about the program.
    fn lost(&mut self) -> Known {
        self.gave_up = true;
        Known::any()
    }

    /// A literal of the program, or a value in its place.
    fn constant(&mut self, value: &Value, span: Span) -> Known {
        let place = self.place(span);
        let literal = |value: &Value| Some(Literal { value: value.clone(), place });
        match value {
            Value::Nil => Known { literal: literal(value), ..Known::nil() },
            Value::Builtin(id) if *id == known().skip || *id == known().stop => Known::nothing(),
            Value::Builtin(_) | Value::Function(_) | Value::Tool(_) | Value::Var(_) => self.function(value),
            Value::Vector(items) => {
                let parts = items.iter().map(|item| self.constant(item, span)).collect();
                Known { literal: literal(value), ..Known::tuple(parts) }
            }
            Value::Map(map) => {
                let entries: Vec<Known> =
                    map.iter().flat_map(|(key, value)| [key, value]).map(|part| self.constant(part, span)).collect();
                Known { literal: literal(value), ..self.map_of_pairs(&entries) }
            }
            Value::Set(items) => {
                let parts: Vec<Known> = items.iter().map(|item| self.constant(item, span)).collect();
                Known::list(parts.into_iter().fold(Known::nothing(), Known::or))
            }
            Value::LazySeq(_) | Value::Cell(_) | Value::Exception(_) | Value::Reduced(_) => Known::any(),
            _ => Known { literal: literal(value), ..Known::scalar() },
        }
    }

    fn function(&self, value: &Value) -> Known {
        match value {
            Value::Tool(name) => Known::function(Callee::Tool(name.clone())),
            Value::Builtin(id) => Known::function(Callee::Builtin(*id)),
            Value::Function(closure) => Known::function(Callee::Stored(closure.clone())),
            Value::Var(name) => match self.program.globals.number(name) {
                Some(global) => Known::function(Callee::Global(global)),
                None => Known::any(),
            },
            _ => Known::any(),
        }
    }

    /// A map of keys and values in turn. It comes from where its values come from.
    pub fn map_of_pairs(&mut self, entries: &[Known]) -> Known {
        let mut maps = Maps { is_sure: true, is_derived: true, ..Maps::default() };
        maps.origin = entries.iter().skip(1).step_by(2).find_map(|value| value.origin.clone());
        for pair in entries.chunks(2) {
            let [key, value] = pair else { continue };
            self.put(&mut maps, key, value.clone());
        }
        Known::map(maps)
    }

    /// A value under a key of a map.
    pub fn put(&mut self, maps: &mut Maps, key: &Known, value: Known) {
        // A map under texts is a dictionary.
        if let Some(Literal { value: Value::Keyword(name), .. }) = &key.literal {
            maps.fields.insert(name.as_str().into(), value);
            return;
        }
        self.used_with_parts(key, Use::Computed);
        maps.rest = Some(maps.rest.take().unwrap_or_default().or(value));
    }

    /// The first branch whose test holds, as far as the tests are known.
    fn choice(&mut self, clauses: &[(Node, Node)], default: &Node, frame: &mut Frame) -> Known {
        let mut value = Known::nothing();
        for (test, then) in clauses {
            let truth = self.node(test, frame).truthy();
            if truth != Some(false) {
                let mut inside = frame.clone();
                narrow(test, true, &mut inside);
                value = value.or(self.node(then, &mut inside));
            }
            if truth == Some(true) {
                return value;
            }
            narrow(test, false, frame);
        }
        value.or(self.node(default, frame))
    }

    /// All but the last are tests.
    fn and(&mut self, nodes: &[Node], frame: &mut Frame) -> Known {
        let mut inside = frame.clone();
        let mut value = Known::nothing();
        let mut may_fail = false;
        for node in nodes {
            value = self.node(node, &mut inside);
            match value.truthy() {
                Some(false) => return if value.is_nil() { value.or_nil() } else { value },
                Some(true) => {}
                None => may_fail = true,
            }
            narrow(node, true, &mut inside);
        }
        if may_fail && nodes.len() > 1 { Known { nil: true, scalar: true, literal: None, ..value } } else { value }
    }

    /// The others stand in for what a lookup does not find.
    fn or(&mut self, nodes: &[Node], frame: &mut Frame) -> Known {
        let mut inside = frame.clone();
        let mut value = Known::nothing();
        for node in nodes {
            let one = self.node(node, &mut inside);
            let truth = one.truthy();
            value = value.or(one);
            if truth == Some(true) {
                break;
            }
            narrow(node, false, &mut inside);
        }
        if nodes.is_empty() { Known::nil() } else { value.settled() }
    }

    /// A loop: its locals are what they are at the start and what each jump sets them to.
    fn looped(&mut self, bindings: &[(Slot, Node)], body: &Node, frame: &mut Frame) -> Known {
        let (mut slots, mut state) = (Vec::new(), Vec::new());
        for (slot, init) in bindings {
            let value = self.node(init, frame);
            frame.set(*slot, value.clone());
            slots.push(*slot);
            state.push(value);
        }
        self.rounds(&slots, state, body, frame)
    }

    /// The value of a body that may jump to its start with other values in `slots`.
    pub fn rounds(&mut self, slots: &[Slot], mut state: Vec<Known>, body: &Node, frame: &mut Frame) -> Known {
        let mut result = Known::nothing();
        for round in 0..=MOST_ROUNDS {
            let mut inside = frame.clone();
            slots.iter().zip(&state).for_each(|(slot, value)| inside.set(*slot, value.clone()));
            self.jumps.push(None);
            result = result.or(self.node(body, &mut inside));
            let Some(next) = self.jumps.pop().flatten() else { break };
            let joined: Vec<Known> = state.iter().cloned().zip(next).map(|(one, other)| one.or(other)).collect();
            if joined == state {
                break;
            }
            state = if round + 1 < MOST_ROUNDS { joined } else { slots.iter().map(|_| Known::any()).collect() };
        }
        result
    }

    /// What `step` makes of a value again and again, the value itself included.
    pub fn again(&mut self, mut state: Known, mut step: impl FnMut(&mut Self, Known) -> Known) -> Known {
        for _ in 0..MOST_ROUNDS {
            let next = step(self, state.clone());
            let joined = state.clone().or(next);
            if joined == state {
                return state;
            }
            state = joined;
        }
        step(self, Known::any());
        Known::any()
    }

    fn jump(&mut self, nodes: &[Node], frame: &mut Frame) -> Known {
        let next = self.nodes(nodes, frame);
        if let Some(jump) = self.jumps.last_mut() {
            *jump = Some(match jump.take() {
                Some(before) => before.into_iter().zip(next).map(|(one, other)| one.or(other)).collect(),
                None => next,
            });
        }
        Known::nothing()
    }

    fn closure(&mut self, function: &Arc<Function>, frame: &mut Frame) -> Known {
        let captures = function.captures.iter().map(|source| self.source(*source, frame)).collect();
        Known::lambda(Arc::new(Lambda { function: function.clone(), captures, group: None, text: self.text }))
    }

    fn source(&mut self, source: CaptureSource, frame: &Frame) -> Known {
        frame.source(source).unwrap_or_else(|| self.lost())
    }

    /// The value of a definition at this point.
    pub fn global(&mut self, global: u32) -> Known {
        if let Some(value) = self.bound.get(&global) {
            return value.clone();
        }
        if self.bound_once.is_bound(global) && !self.bound_once.is_steady(global) {
            return Known::any();
        }
        if let Some(value) = self.before.get(&global) {
            return value.clone();
        }
        let value = match self.program.globals.get(global) {
            Some(Value::Function(closure)) => Known::function(Callee::Stored(closure.clone())),
            Some(value) => {
                let name = self.program.globals.name(global).map(Name::to_string).unwrap_or_default();
                let (cells, each) = (&self.program.machine.cx.cells, self.program.each);
                let summary = super::summary::of_value(value, &name, cells, &mut self.budget, each);
                self.examined(summary)
            }
            None => Known::any(),
        };
        self.before.insert(global, value.clone());
        value
    }

    fn define(&mut self, global: u32, node: &Node, once: bool, frame: &mut Frame) -> Known {
        // A function of an earlier program that defines something: what was said about definitions may be wrong.
        if self.text != 0 {
            return self.lost();
        }
        let is_kept = once && self.program.globals.get(global).is_some();
        let value = if is_kept { Known::any() } else { self.node(node, frame) };
        if !is_kept && self.bound_once.is_steady(global) {
            self.bound.insert(global, value);
        }
        Known::function(Callee::Global(global))
    }

    /// A value gets somewhere from where its functions may be called with anything.
    pub fn escape(&mut self, value: &Known) {
        for callee in &value.functions {
            if let Callee::Lambda(lambda) = callee
                && self.escaped.insert(Arc::as_ptr(lambda), lambda.clone()).is_some()
            {
                continue;
            }
            if !matches!(callee, Callee::Builtin(_) | Callee::Tool(_)) {
                self.deeper(|walk| walk.call_function(callee, Arguments::any()));
            }
        }
        if let Some(list) = value.list.as_ref().filter(|list| !list.element.functions.is_empty()) {
            self.escape(&list.element);
        }
        if let Some(maps) = value.map.as_ref().filter(|maps| maps.is_derived) {
            maps.fields.values().filter(|value| !value.functions.is_empty()).for_each(|value| self.escape(value));
        }
    }

    pub fn escape_all<'v>(&mut self, values: impl IntoIterator<Item = &'v Known>) {
        values.into_iter().for_each(|value| self.escape(value));
    }
}

/// What a test says about the locals in it, where it holds or where it does not.
fn narrow(test: &Node, holds: bool, frame: &mut Frame) {
    let mut narrowed = |node: &Node, is_nil: bool| {
        let Some(slot) = node.slot() else { return };
        let value = frame.get(slot);
        frame.set(slot, if is_nil { value.settled() } else { value.but_nil() });
    };
    match &test.kind {
        Kind::Local { .. } => narrowed(test, !holds),
        Kind::And(nodes) if holds => nodes.iter().for_each(|node| narrow(node, true, frame)),
        Kind::Or(nodes) if !holds => nodes.iter().for_each(|node| narrow(node, false, frame)),
        _ => {
            let Some((id, [arg])) = test.builtin_call() else { return };
            match table().entry(id).row.facts.presence {
                Some(is_there) => narrowed(arg, is_there != holds),
                None if id == known().not => narrow(arg, !holds, frame),
                None => {}
            }
        }
    }
}
