//! Which tools something could call in any way: through the names in its text and everything they lead to.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::program::Program;
use super::value::{Abstract, Callee, Lambda};
use crate::analyze::ir::{Function, Kind, Node};
use crate::eval::code::{Code, Operand};
use crate::stdlib::table::table;
use crate::value::{Captures, Closure, Name, Proto, Value, place_in_prelude};

/// A traversal of everything that something leads to, each part once.
///
/// Functions of this program are read as trees, those of earlier programs as code. A definition leads to its value and
/// to every value that the program may bind it to.
pub(super) struct Reach<'p, 'a> {
    program: &'p Program<'a>,
    /// What definitions are now, as far as the walk knows it.
    bound: &'p dyn Fn(u32) -> Option<Abstract>,
    pub tools: BTreeSet<Name>,
    /// Definitions that functions of earlier programs may bind.
    pub binds: HashSet<u32>,
    /// Expressions and instructions visited.
    pub steps: usize,
    /// Parts of values visited, which takes far less time.
    pub parts: usize,
    globals: Worklist<u32>,
    cells: Worklist<u32>,
    codes: Worklist<usize>,
    /// Collections and closures, by address.
    shared: HashSet<usize>,
    values: Vec<Value>,
    functions: Vec<Arc<Function>>,
    lambdas: HashSet<*const Lambda>,
    trees: HashSet<*const Function>,
    abstracts: Vec<Abstract>,
}

/// Items still to visit, and all that were ever added.
struct Worklist<T>(Vec<T>, HashSet<T>);

impl<T: Copy + Eq + std::hash::Hash> Worklist<T> {
    fn add(&mut self, number: T) {
        if self.1.insert(number) {
            self.0.push(number);
        }
    }
}

impl<T> Default for Worklist<T> {
    fn default() -> Self {
        Worklist(Vec::new(), HashSet::new())
    }
}

impl<'p, 'a> Reach<'p, 'a> {
    pub fn new(program: &'p Program<'a>, bound: &'p dyn Fn(u32) -> Option<Abstract>) -> Reach<'p, 'a> {
        Reach {
            program,
            bound,
            tools: BTreeSet::new(),
            binds: HashSet::new(),
            steps: 0,
            parts: 0,
            globals: Worklist::default(),
            cells: Worklist::default(),
            codes: Worklist::default(),
            shared: HashSet::new(),
            values: Vec::new(),
            functions: Vec::new(),
            lambdas: HashSet::new(),
            trees: HashSet::new(),
            abstracts: Vec::new(),
        }
    }

    /// What an expression leads to.
    pub fn of_node(mut self, node: &Node) -> Self {
        self.tree(node);
        self.all()
    }

    /// What a value of the session leads to.
    pub fn of_value(mut self, value: &Value) -> Self {
        self.values.push(value.clone());
        self.all()
    }

    /// What a value of the program leads to.
    pub fn of_abstract(mut self, value: &Abstract) -> Self {
        self.abstracts.push(value.clone());
        self.all()
    }

    /// What a definition leads to.
    pub fn of_global(mut self, global: u32) -> Self {
        self.globals.add(global);
        self.all()
    }

    /// Continue until nothing is left to visit.
    fn all(mut self) -> Self {
        loop {
            if let Some(value) = self.values.pop() {
                self.value(&value);
            } else if let Some(value) = self.abstracts.pop() {
                value.functions.iter().for_each(|callee| self.callee(callee));
            } else if let Some(function) = self.functions.pop() {
                function.arities.iter().for_each(|arity| self.tree(&arity.body));
            } else if let Some(global) = self.globals.0.pop() {
                self.global(global);
            } else if let Some(cell) = self.cells.0.pop() {
                let values = &mut self.values;
                self.program.machine.cx.cells.contents(cell, &mut |value| values.push(value.clone()));
            } else if let Some(code) = self.codes.0.pop() {
                self.code(code);
            } else {
                return self;
            }
        }
    }

    /// Visit a tree with the functions inside it, without using the native stack in proportion to depth.
    fn tree(&mut self, root: &Node) {
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            self.steps += 1;
            match &node.kind {
                Kind::Tool(name) => drop(self.tools.insert(name.clone())),
                Kind::Const(value) => self.values.extend(Some(value).filter(|value| may_hold(value)).cloned()),
                Kind::Global(global) => self.globals.add(*global),
                Kind::History(turns) => self.values.extend(self.program.history(*turns)),
                Kind::Data(name) => self.values.extend(self.program.data(name).filter(may_hold)),
                Kind::Fn(function) => open.extend(function.arities.iter().map(|arity| &arity.body)),
                Kind::LetFn { functions, .. } => {
                    open.extend(functions.iter().flat_map(|function| &function.arities).map(|arity| &arity.body))
                }
                _ => {}
            }
            node.look_at_parts(&mut |part| open.push(part));
        }
    }

    fn callee(&mut self, callee: &Callee) {
        match callee {
            Callee::Tool(name) => drop(self.tools.insert(name.clone())),
            Callee::Builtin(id) => self.values.push(Value::Builtin(*id)),
            Callee::Global(global) => self.globals.add(*global),
            Callee::Stored(closure) => self.closure(closure),
            Callee::Once(values) | Callee::Transducer(values) => self.abstracts.extend(values.iter().cloned()),
            Callee::Lambda(lambda) if self.lambdas.insert(Arc::as_ptr(lambda)) => {
                let group = lambda.group.iter().flat_map(|group| &group.functions);
                for function in group.chain([&lambda.function]) {
                    if self.trees.insert(Arc::as_ptr(function)) {
                        self.functions.push(function.clone());
                    }
                }
                self.abstracts.extend(lambda.captures.iter().filter(|value| !value.functions.is_empty()).cloned());
            }
            Callee::Lambda(_) => {}
        }
    }

    fn global(&mut self, global: u32) {
        if let Some(value) = (self.bound)(global) {
            return self.abstracts.push(value);
        }
        self.values.extend(self.program.defined(global));
        for value in self.program.definitions(global) {
            self.tree(value);
        }
    }

    fn value(&mut self, value: &Value) {
        self.parts += 1;
        match value {
            Value::Tool(name) => drop(self.tools.insert(name.clone())),
            Value::Builtin(id) if table().entry(*id).row.facts.kept => self.values.extend(self.program.kept()),
            Value::Function(closure) => self.closure(closure),
            Value::Var(name) => {
                if let Some(global) = self.program.globals.number(name) {
                    self.globals.add(global);
                }
            }
            Value::Cell(cell) => self.cells.add(cell.id),
            Value::LazySeq(view) => self.cells.add(view.cell),
            Value::Exception(exception) => self.values.extend(exception.attached.values().cloned()),
            Value::Reduced(inner) => self.values.push(inner.get().clone()),
            Value::Vector(_) | Value::Map(_) | Value::Set(_) => self.collection(value),
            _ => {}
        }
    }

    fn collection(&mut self, value: &Value) {
        if let Some(sharing) = value.sharing()
            && (sharing.external || !self.shared.insert(sharing.address))
        {
            return;
        }
        let sorted = match value {
            Value::Map(map) => map.as_sorted(),
            Value::Set(set) => set.as_map().as_sorted(),
            _ => None,
        };
        self.values.extend(sorted.and_then(|sorted| sorted.order().function()).cloned());
        for part in value.parts() {
            self.parts += 1;
            if may_hold(part) {
                self.values.push(part.clone());
            }
        }
    }

    fn closure(&mut self, closure: &Arc<Closure>) {
        if !self.shared.insert(Arc::as_ptr(closure) as usize) {
            return;
        }
        self.values.extend(closure.captured().iter().filter(|value| may_hold(value)).cloned());
        self.proto(&closure.proto);
        if let Captures::Group(group) = &closure.captures {
            group.protos.iter().for_each(|proto| self.proto(proto));
        }
    }

    fn proto(&mut self, proto: &Proto) {
        for entry in &proto.arities {
            // Builtins name no tools.
            if place_in_prelude(entry.code as usize).is_none() {
                self.codes.add(entry.code as usize);
            }
        }
    }

    fn code(&mut self, number: usize) {
        let codes = &self.program.machine.codes;
        let Some(code) = codes.get(number).cloned() else { return };
        let Code { ops, constants, functions, groups, definitions, .. } = &*code;
        self.steps += ops.len();
        for op in ops {
            op.visit(|operand| match operand {
                Operand::Global(global) => self.globals.add(global),
                Operand::Turns(turns) => self.values.extend(self.program.history(turns)),
                Operand::Builtin(id) if table().entry(id).row.facts.kept => self.values.extend(self.program.kept()),
                _ => {}
            });
        }
        self.values.extend(constants.iter().filter(|value| may_hold(value)).cloned());
        self.binds.extend(definitions.iter().map(|definition| definition.global));
        let grouped = groups.iter().flat_map(|group| &group.protos);
        functions.iter().map(|function| &function.proto).chain(grouped).for_each(|proto| self.proto(proto));
    }
}

/// Whether a value may lead to a tool.
fn may_hold(value: &Value) -> bool {
    match value {
        Value::Var(_) | Value::Tool(_) | Value::Function(_) | Value::Cell(_) | Value::LazySeq(_) => true,
        Value::Exception(_) | Value::Reduced(_) => true,
        Value::Builtin(id) => table().entry(*id).row.facts.kept,
        Value::Vector(items) => !items.is_empty(),
        Value::Map(_) | Value::Set(_) => true,
        _ => false,
    }
}
