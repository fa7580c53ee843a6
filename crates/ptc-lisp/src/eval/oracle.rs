//! A second evaluator for tests: it walks the resolved program by plain recursion, without registers, frames or
//! liveness.
//!
//! It knows only the first-order core, and reports when a program goes beyond it.

mod names;
pub(crate) mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::context::{Context, SystemClock};
use crate::analyze::ir::{Arity, CaptureSource, Catch, Function, Kind, Node, Slot};
use crate::analyze::{self, Options};
use crate::error::{Error, ErrorClass, Exception, Reason, Signal};
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::parse;
use crate::reference::language;
use crate::stdlib::table::table;
use crate::stdlib::{Call, Run};
use crate::value::{BuiltinId, FormatOptions, Map, Name, Set, Value, format};

use names::Names;

/// Nested calls before a program counts as too large for plain recursion.
const DEPTH: usize = 60;
/// Evaluated nodes before a program counts as endless.
const STEPS: usize = 2_000_000;

/// The text of the program's value, `return`ed or not, or `! reason` for each problem; `Err` for programs that are out
/// of scope.
fn run(source: &str) -> Result<String, String> {
    let Ok(parsed) = parse::parse(source) else { return Ok("! parse_error".to_owned()) };
    let mut names = Names::default();
    let analyzed = match analyze::analyze(&parsed, &mut names, &Options { max_symbols: 10_000 }) {
        Ok(analyzed) => analyzed,
        Err(errors) => {
            return Ok(errors.iter().map(|error| format!("! {}", error.reason)).collect::<Vec<_>>().join("\n"));
        }
    };
    let cx = Context::new(language(), Meter::new(Limits::default()), Arc::new(SystemClock), 0);
    let mut walker = Walker { cx, globals: HashMap::new(), names: names.globals, depth: 0, steps: 0 };
    let main = Arc::new(Closure { function: Arc::new(analyzed.main), captures: Vec::new() });
    match walker.call_closure(&main, Vec::new()) {
        Ok(value) | Err(Stop::Return(value)) => Ok(value.text()),
        Err(Stop::Fail(value)) => Ok(format!("! fail {}", value.text())),
        Err(Stop::Error(error)) => Ok(format!("! {}", error.reason)),
        Err(Stop::Recur(_)) => Err("recur left its loop".to_owned()),
        Err(Stop::OutOfScope(what)) => Err(what),
    }
}

/// A value, or a function of the program as this evaluator represents it.
#[derive(Clone)]
enum Val {
    Data(Value),
    Fn(Arc<Closure>),
}

struct Closure {
    function: Arc<Function>,
    captures: Vec<Val>,
}

/// Everything that is not a value.
enum Stop {
    Error(Box<Exception>),
    Return(Val),
    Fail(Val),
    Recur(Vec<Val>),
    OutOfScope(String),
}

type Out<T = Val> = Result<T, Stop>;

impl Val {
    fn is_truthy(&self) -> bool {
        match self {
            Val::Data(value) => value.is_truthy(),
            Val::Fn(_) => true,
        }
    }

    /// The value for a place where functions of the program cannot be kept.
    fn data(self) -> Out<Value> {
        match self {
            Val::Data(value) => Ok(value),
            Val::Fn(_) => Err(Stop::OutOfScope("a function inside a value".to_owned())),
        }
    }

    fn text(&self) -> String {
        match self {
            Val::Data(value) => format(value, &FormatOptions::full()).text,
            Val::Fn(closure) => {
                format!("#fn[{}]", closure.function.params_text.split(crate::value::ARITIES).next().unwrap_or_default())
            }
        }
    }
}

impl From<Box<Error>> for Stop {
    fn from(error: Box<Error>) -> Stop {
        Stop::Error(Box::new((*error).into()))
    }
}

impl From<Box<Signal>> for Stop {
    fn from(signal: Box<Signal>) -> Stop {
        match *signal {
            Signal::Error(error) => Stop::Error(Box::new(error)),
            Signal::Return(value) => Stop::Return(Val::Data(value)),
            Signal::Fail(value) => Stop::Fail(Val::Data(value)),
            Signal::Need { .. } | Signal::NeedAll(_) | Signal::Busy(_) => Stop::OutOfScope("a generator".to_owned()),
        }
    }
}

fn wrong(reason: Reason, text: &str) -> Stop {
    Stop::Error(Box::new(Error::new(reason, text).into()))
}

/// The running function: its slots, its captures and itself.
struct Frame {
    slots: Vec<Val>,
    closure: Arc<Closure>,
}

impl Frame {
    fn set(&mut self, slot: Slot, value: Val) {
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = value;
        }
    }

    fn get(&self, slot: Slot) -> Out {
        self.slots.get(slot as usize).cloned().ok_or_else(|| Stop::OutOfScope(format!("slot {slot}")))
    }

    fn captured(&self, source: CaptureSource) -> Out {
        match source {
            CaptureSource::Local(slot) => self.get(slot),
            CaptureSource::Capture(index) => self.capture(index),
            CaptureSource::SelfFn => Ok(Val::Fn(self.closure.clone())),
            CaptureSource::Sibling(_) => Err(Stop::OutOfScope("letfn".to_owned())),
        }
    }

    fn capture(&self, index: u32) -> Out {
        self.closure.captures.get(index as usize).cloned().ok_or_else(|| Stop::OutOfScope(format!("capture {index}")))
    }
}

struct Walker {
    cx: Context,
    globals: HashMap<u32, Val>,
    names: Vec<String>,
    depth: usize,
    steps: usize,
}

impl Walker {
    fn eval(&mut self, node: &Node, frame: &mut Frame) -> Out {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Stop::OutOfScope("too many steps".to_owned()));
        }
        match &node.kind {
            Kind::Const(value) => Ok(Val::Data(value.clone())),
            Kind::Local { slot, .. } => frame.get(*slot),
            Kind::Capture(index) => frame.capture(*index),
            Kind::SelfFn => Ok(Val::Fn(frame.closure.clone())),
            Kind::Global(number) => self
                .globals
                .get(number)
                .cloned()
                .ok_or_else(|| wrong(Reason::UndefinedSymbol, "this definition has not run")),
            Kind::Cond { clauses, default } => {
                for (test, then) in clauses {
                    if self.eval(test, frame)?.is_truthy() {
                        return self.eval(then, frame);
                    }
                }
                self.eval(default, frame)
            }
            Kind::Do(nodes) => self.until(nodes, frame, Value::Nil, |_| false),
            Kind::And(nodes) => self.until(nodes, frame, Value::Bool(true), |value| !value.is_truthy()),
            Kind::Or(nodes) => self.until(nodes, frame, Value::Nil, Val::is_truthy),
            Kind::Let { bindings, body } => {
                self.bind(bindings, frame)?;
                self.eval(body, frame)
            }
            Kind::Loop { bindings, body } => self.repeat(bindings, body, frame),
            Kind::Recur(args) => Err(Stop::Recur(self.all(args, frame)?)),
            Kind::Call { callee, args } => {
                let callee = self.eval(callee, frame)?;
                let args = self.all(args, frame)?;
                self.call(callee, args)
            }
            Kind::Fn(function) => {
                let captures =
                    function.captures.iter().map(|source| frame.captured(*source)).collect::<Out<Vec<_>>>()?;
                Ok(Val::Fn(Arc::new(Closure { function: function.clone(), captures })))
            }
            Kind::Vector(nodes) => Ok(Val::Data(Value::vector(self.all_data(nodes, frame)?))),
            Kind::Set(nodes) => {
                let values = self.all_data(nodes, frame)?;
                Ok(Val::Data(Value::Set(Set::from_values(values, &mut self.cx.meter)?)))
            }
            Kind::Map(nodes) => {
                let mut map = Map::new();
                let mut values = self.all_data(nodes, frame)?.into_iter();
                while let (Some(key), Some(value)) = (values.next(), values.next()) {
                    map.insert(key, value, &mut self.cx.meter)?;
                }
                Ok(Val::Data(Value::Map(map)))
            }
            Kind::Def { global, name, value, once, .. } => {
                if !(*once && self.globals.contains_key(global)) {
                    let value = self.eval(value, frame)?;
                    self.globals.insert(*global, value);
                }
                Ok(Val::Data(Value::Var(name.clone())))
            }
            Kind::Try { body, catches, finally } => self.guarded(body, catches, finally.as_deref(), frame),
            Kind::Sibling(_)
            | Kind::LetFn { .. }
            | Kind::Data(_)
            | Kind::Tool(_)
            | Kind::History(_)
            | Kind::Made(_) => Err(Stop::OutOfScope(format!("{:?}", node.kind))),
        }
    }

    /// The values in order up to the first one that is `enough`, else the last; `empty` when there are none.
    fn until(&mut self, nodes: &[Node], frame: &mut Frame, empty: Value, enough: fn(&Val) -> bool) -> Out {
        let mut value = Val::Data(empty);
        for node in nodes {
            value = self.eval(node, frame)?;
            if enough(&value) {
                break;
            }
        }
        Ok(value)
    }

    fn bind(&mut self, bindings: &[(Slot, Node)], frame: &mut Frame) -> Out<()> {
        for (slot, init) in bindings {
            let value = self.eval(init, frame)?;
            frame.set(*slot, value);
        }
        Ok(())
    }

    fn repeat(&mut self, bindings: &[(Slot, Node)], body: &Node, frame: &mut Frame) -> Out {
        self.bind(bindings, frame)?;
        loop {
            match self.eval(body, frame) {
                Err(Stop::Recur(values)) => {
                    for ((slot, _), value) in bindings.iter().zip(values) {
                        frame.set(*slot, value);
                    }
                }
                other => return other,
            }
        }
    }

    fn all(&mut self, nodes: &[Node], frame: &mut Frame) -> Out<Vec<Val>> {
        nodes.iter().map(|node| self.eval(node, frame)).collect()
    }

    fn all_data(&mut self, nodes: &[Node], frame: &mut Frame) -> Out<Vec<Value>> {
        nodes.iter().map(|node| self.eval(node, frame)?.data()).collect()
    }

    fn call(&mut self, callee: Val, args: Vec<Val>) -> Out {
        let callee = match callee {
            Val::Fn(closure) => return self.call_closure(&closure, args),
            Val::Data(Value::Var(name)) => return self.call_named(&name, args),
            Val::Data(value) => value,
        };
        let args = args.into_iter().map(Val::data).collect::<Out<Vec<_>>>()?;
        let value = match callee {
            Value::Builtin(id) => self.call_builtin(id, args)?,
            other => self.call_data(&other, &args)?,
        };
        Ok(Val::Data(value))
    }

    fn call_named(&mut self, name: &Name, args: Vec<Val>) -> Out {
        let number = self.names.iter().position(|known| known == name.as_str()).unwrap_or(usize::MAX);
        match self.globals.get(&(number as u32)).cloned() {
            Some(value) => self.call(value, args),
            None => Err(wrong(Reason::UndefinedSymbol, "an unbound var")),
        }
    }

    fn call_closure(&mut self, closure: &Arc<Closure>, args: Vec<Val>) -> Out {
        let Some(arity) = select(&closure.function.arities, args.len()) else {
            return Err(wrong(Reason::ArityError, "arguments"));
        };
        if self.depth >= DEPTH {
            return Err(Stop::OutOfScope("too deep".to_owned()));
        }
        let mut frame = Frame { slots: vec![Val::Data(Value::Nil); arity.slots as usize], closure: closure.clone() };
        let mut args = args.into_iter();
        for slot in 0..arity.fixed {
            frame.set(slot, args.next().unwrap_or(Val::Data(Value::Nil)));
        }
        let more = args.map(Val::data).collect::<Out<Vec<_>>>()?;
        if arity.rest && !more.is_empty() {
            frame.set(arity.fixed, Val::Data(Value::vector(more)));
        }
        self.depth += 1;
        let value = loop {
            match self.eval(&arity.body, &mut frame) {
                Err(Stop::Recur(values)) => (0_u32..).zip(values).for_each(|(slot, value)| frame.set(slot, value)),
                other => break other,
            }
        };
        self.depth -= 1;
        value
    }

    fn call_builtin(&mut self, id: BuiltinId, mut args: Vec<Value>) -> Out<Value> {
        let entry = table().entry(id);
        if !entry.accepts(args.len()) {
            return Err(wrong(Reason::ArityError, entry.row.name));
        }
        let Run::Plain(run) = entry.row.run else {
            return Err(Stop::OutOfScope(format!("the builtin {}", entry.row.name)));
        };
        match run(&mut Call { name: entry.row.name, args: &mut args, cx: &mut self.cx })? {
            Value::LazySeq(_) => Err(Stop::OutOfScope(format!("the generator of {}", entry.row.name))),
            value => Ok(value),
        }
    }

    /// Keywords, maps, sets and vectors as functions.
    fn call_data(&mut self, callee: &Value, args: &[Value]) -> Out<Value> {
        let meter = &mut self.cx.meter;
        let (holder, key, default) = match (callee, args) {
            (Value::Keyword(_), [holder]) => (holder, callee, Value::Nil),
            (Value::Keyword(_), [holder, default]) => (holder, callee, default.clone()),
            (Value::Keyword(_), _) => return Err(wrong(Reason::InvalidKeywordCall, "keyword")),
            (Value::Map(_), [key]) => (callee, key, Value::Nil),
            (Value::Map(_), [key, default]) => (callee, key, default.clone()),
            (Value::Set(_), [key]) => (callee, key, Value::Nil),
            (Value::Vector(items), [Value::Int(at)]) => {
                let found = usize::try_from(*at).ok().and_then(|at| items.get(at)).cloned();
                return found.ok_or_else(|| wrong(Reason::ArgumentError, "index"));
            }
            (Value::Vector(_), [_]) => return Err(wrong(Reason::TypeError, "index")),
            (Value::Map(_) | Value::Set(_) | Value::Vector(_), _) => {
                return Err(wrong(Reason::ArityError, "collection"));
            }
            _ => return Err(wrong(Reason::NotCallable, "callee")),
        };
        Ok(match holder {
            Value::Map(map) => map.lookup(key, meter)?.cloned().unwrap_or(default),
            Value::Set(set) => set.get(key, meter)?.cloned().unwrap_or(default),
            _ => default,
        })
    }

    fn guarded(&mut self, body: &Node, catches: &[Catch], finally: Option<&Node>, frame: &mut Frame) -> Out {
        let mut ended = self.eval(body, frame);
        if let Err(Stop::Error(error)) = &ended
            && let Some(catch) = catches.iter().find(|catch| takes(catch.class, error))
        {
            frame.set(catch.slot, Val::Data(Value::Exception(Arc::new(Exception::clone(error)))));
            ended = self.eval(&catch.body, frame);
        }
        if let Some(finally) = finally {
            match (self.eval(finally, frame), &ended) {
                // An error in `finally` does not stop a `return`.
                (Err(Stop::Error(_)), Err(Stop::Return(_))) => {}
                (Err(stop), _) => return Err(stop),
                (Ok(_), _) => {}
            }
        }
        ended
    }
}

/// The arity for this many arguments: an exact one before the variadic one.
fn select(arities: &[Arity], count: usize) -> Option<&Arity> {
    let exact = arities.iter().find(|arity| !arity.rest && arity.fixed as usize == count);
    exact.or_else(|| arities.iter().find(|arity| arity.rest && arity.fixed as usize <= count))
}

/// Which classes name which reasons, as the language reference lists them.
fn takes(class: ErrorClass, error: &Error) -> bool {
    if error.reason.is_limit() {
        return false;
    }
    if let Some(thrown) = error.class {
        return thrown.is_a(class);
    }
    let reason = error.reason.as_str();
    let taken: &[&str] = match class {
        ErrorClass::Throwable => return true,
        ErrorClass::Exception | ErrorClass::RuntimeException => return reason != "assertion_error",
        ErrorClass::Error | ErrorClass::AssertionError => &["assertion_error"],
        ErrorClass::ArithmeticException => &["arithmetic_error"],
        ErrorClass::ClassCastException | ErrorClass::NullPointerException => {
            &["type_error", "not_callable", "invalid_keyword_call", "destructure_error"]
        }
        ErrorClass::IllegalArgumentException
        | ErrorClass::IndexOutOfBoundsException
        | ErrorClass::NumberFormatException => &["argument_error", "arity_error", "invalid_tool_args"],
        ErrorClass::ArityException => &["arity_error"],
        ErrorClass::IllegalStateException | ErrorClass::UnsupportedOperationException => &[],
        ErrorClass::ExceptionInfo => &["exception", "tool_error"],
    };
    taken.contains(&reason)
}
