//! Resolved expressions to instructions.

use std::sync::Arc;

use super::code::{Code, Definition, GroupCode, Handler, Op, Proto, Reg};
use super::liveness::{is_same_slot, mark_last_uses, reads_anywhere, recur_order};
use crate::analyze::ir::{Arity, CaptureSource, Catch, Function, Kind, Node, Slot};
use crate::error::{Error, Reason};
use crate::span::Span;
use crate::stdlib::known::known;
use crate::value::{BuiltinId, Value};

/// Elements of a literal that are evaluated before they are moved into the collection.
const CHUNK: usize = 128;
/// Registers that one function may use.
const MAX_REGISTERS: u32 = 60_000;

/// Where compiled code goes and what it belongs to.
pub(crate) struct Target<'a> {
    /// The session's table; new code is appended.
    pub codes: &'a mut Vec<Arc<Code>>,
    pub program: u32,
    pub hidden: bool,
}

/// Compile a function with all that is inside it.
///
/// Errors with `invalid_form` when a function needs more registers or constants than instructions can name.
pub(crate) fn compile(function: &mut Function, target: &mut Target<'_>) -> Result<Arc<Proto>, Error> {
    let needs_callee = !function.captures.is_empty();
    compile_in(function, needs_callee, target)
}

fn compile_in(function: &mut Function, needs_callee: bool, target: &mut Target<'_>) -> Result<Arc<Proto>, Error> {
    let mut arities = Vec::with_capacity(function.arities.len());
    for arity in &mut function.arities {
        mark_last_uses(arity);
        arities.push(compile_arity(arity, function.name.as_ref(), needs_callee, target)?);
    }
    Ok(Arc::new(Proto {
        name: function.name.clone(),
        params_text: function.params_text.clone(),
        captures: function.captures.clone(),
        arities,
    }))
}

fn compile_arity(arity: &mut Arity, name: Option<&Arc<str>>, needs_callee: bool, target: &mut Target<'_>) -> Result<Arc<Code>, Error> {
    let span = arity.body.span;
    if arity.slots > MAX_REGISTERS {
        return Err(too_large(span));
    }
    let params = arity.fixed + u32::from(arity.rest);
    let mut compiler = Compiler {
        target,
        code: Code {
            index: 0,
            fixed: arity.fixed as u16,
            rest: arity.rest,
            registers: arity.slots as u16,
            needs_callee,
            hidden: false,
            program: 0,
            ops: Vec::new(),
            spans: Vec::new(),
            constants: Vec::new(),
            functions: Vec::new(),
            groups: Vec::new(),
            definitions: Vec::new(),
            handlers: Vec::new(),
            name: name.cloned(),
        },
        locals: arity.slots,
        next: arity.slots,
        loops: vec![Loop { slots: (0..params).collect(), start: 0 }],
        failed: None,
    };
    compiler.tail(&mut arity.body)?;
    if let Some(error) = compiler.failed {
        return Err(error);
    }
    let mut code = compiler.code;
    code.index = compiler.target.codes.len() as u32;
    code.hidden = compiler.target.hidden;
    code.program = compiler.target.program;
    let code = Arc::new(code);
    target.codes.push(code.clone());
    Ok(code)
}

fn too_large(span: Span) -> Error {
    Error::new(Reason::InvalidForm, "this function is too large: split it into several, or pass the literals as data").at(span)
}

/// Whether a builtin is arithmetic or comparison that has its own instruction.
pub(crate) fn is_arithmetic(id: BuiltinId) -> bool {
    let ids = known();
    [ids.add, ids.sub, ids.mul, ids.inc, ids.dec, ids.lt, ids.le, ids.gt, ids.ge, ids.eq].contains(&id)
}

struct Loop {
    slots: Vec<Slot>,
    start: u32,
}

/// Where the value of an expression goes.
#[derive(Copy, Clone)]
enum To {
    Reg(Reg),
    Return,
}

struct Compiler<'a, 'b> {
    target: &'a mut Target<'b>,
    code: Code,
    /// Registers below are locals.
    locals: u32,
    /// The next free temporary.
    next: u32,
    loops: Vec<Loop>,
    failed: Option<Error>,
}

type Done = Result<(), Error>;

impl Compiler<'_, '_> {
    fn emit(&mut self, op: Op, span: Span) -> usize {
        self.code.ops.push(op);
        self.code.spans.push(span);
        self.code.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.code.ops.len() as u32
    }

    /// A temporary register; the caller resets `self.next` when done.
    fn temp(&mut self, span: Span) -> Reg {
        let register = self.next;
        self.next += 1;
        if register >= MAX_REGISTERS {
            self.failed.get_or_insert_with(|| too_large(span));
            return 0;
        }
        self.code.registers = self.code.registers.max(self.next as u16);
        register as Reg
    }

    fn constant(&mut self, value: &Value) -> u32 {
        // Only names repeat often enough to look for them among the last few.
        if let Value::Keyword(name) = value {
            for (at, known) in self.code.constants.iter().enumerate().rev().take(64) {
                if matches!(known, Value::Keyword(other) if other == name) {
                    return at as u32;
                }
            }
        }
        self.code.constants.push(value.clone());
        self.code.constants.len() as u32 - 1
    }

    /// Point the jump at `at` to the next instruction.
    fn land(&mut self, at: usize) {
        let here = self.here();
        self.retarget(at, here);
    }

    fn retarget(&mut self, at: usize, to: u32) {
        if let Some(
            Op::Jump(target) | Op::Back(target) | Op::JumpIfFalse(_, target) | Op::JumpIfTrue(_, target) | Op::JumpIfDefined(_, target),
        ) = self.code.ops.get_mut(at)
        {
            *target = to;
        }
    }

    fn tail(&mut self, node: &mut Node) -> Done {
        self.go(node, To::Return)
    }

    fn into(&mut self, node: &mut Node, register: Reg) -> Done {
        self.go(node, To::Reg(register))
    }

    /// The register to compute into, for a place that may be the return value.
    fn register(&mut self, to: To, span: Span) -> Reg {
        match to {
            To::Reg(register) => register,
            To::Return => self.temp(span),
        }
    }

    /// Finish a computed value: return it, or leave it where it is.
    fn finish(&mut self, to: To, register: Reg, span: Span) {
        if matches!(to, To::Return) {
            self.emit(Op::Ret(register), span);
        }
    }

    fn go(&mut self, node: &mut Node, to: To) -> Done {
        let span = node.span;
        let mark = self.next;
        match &mut node.kind {
            Kind::If(parts) => {
                let [test, then, otherwise] = &mut **parts;
                let skip = self.jump_unless(test)?;
                self.next = mark;
                self.go(then, to)?;
                let end = matches!(to, To::Reg(_)).then(|| self.emit(Op::Jump(0), span));
                self.land(skip);
                self.next = mark;
                self.go(otherwise, to)?;
                if let Some(end) = end {
                    self.land(end);
                }
            }
            Kind::Cond { clauses, default } => {
                let mut ends = Vec::new();
                for (test, then) in clauses {
                    let skip = self.jump_unless(test)?;
                    self.next = mark;
                    self.go(then, to)?;
                    if matches!(to, To::Reg(_)) {
                        ends.push(self.emit(Op::Jump(0), span));
                    }
                    self.land(skip);
                    self.next = mark;
                }
                self.go(default, to)?;
                for end in ends {
                    self.land(end);
                }
            }
            Kind::Do(nodes) => match nodes.split_last_mut() {
                None => self.value(Op::Nil, to, span),
                Some((last, before)) => {
                    for node in before {
                        self.effect(node)?;
                        self.next = mark;
                    }
                    self.go(last, to)?;
                }
            },
            Kind::And(nodes) => self.chain(nodes, to, span, &Value::Bool(true), Op::JumpIfFalse)?,
            Kind::Or(nodes) => self.chain(nodes, to, span, &Value::Nil, Op::JumpIfTrue)?,
            Kind::Let { bindings, body } => {
                for (slot, init) in bindings {
                    self.into(init, *slot as Reg)?;
                    self.next = mark;
                }
                self.go(body, to)?;
            }
            Kind::Loop { bindings, body } => {
                let mut slots = Vec::with_capacity(bindings.len());
                for (slot, init) in bindings {
                    self.into(init, *slot as Reg)?;
                    self.next = mark;
                    slots.push(*slot);
                }
                self.loops.push(Loop { slots, start: self.here() });
                self.go(body, to)?;
                self.loops.pop();
            }
            Kind::Recur(args) => self.recur(args, span)?,
            Kind::LetFn { slots, functions, captures, body } => {
                self.group(slots, functions, captures, span)?;
                self.go(body, to)?;
            }
            Kind::Try { body, catches, finally } => {
                let register = self.register(to, span);
                self.guarded(body, catches, finally.as_deref_mut(), register, span)?;
                self.finish(to, register, span);
            }
            Kind::Local { slot, .. } if matches!(to, To::Return) => {
                self.emit(Op::Ret(*slot as Reg), span);
            }
            _ => {
                let register = self.register(to, span);
                self.simple(node, register)?;
                self.finish(to, register, span);
            }
        }
        self.next = mark;
        Ok(())
    }

    fn value(&mut self, op: fn(Reg) -> Op, to: To, span: Span) {
        let register = self.register(to, span);
        self.emit(op(register), span);
        self.finish(to, register, span);
    }

    /// An expression whose value nobody wants.
    fn effect(&mut self, node: &mut Node) -> Done {
        if matches!(node.kind, Kind::Const(_) | Kind::Fn(_)) {
            return Ok(());
        }
        let register = self.temp(node.span);
        self.into(node, register)
    }

    /// `and` and `or`: leave at the first value for which `leave` jumps.
    fn chain(&mut self, nodes: &mut [Node], to: To, span: Span, empty: &Value, leave: fn(Reg, u32) -> Op) -> Done {
        let Some((last, before)) = nodes.split_last_mut() else {
            let register = self.register(to, span);
            let constant = self.constant(empty);
            self.emit(Op::Const(register, constant), span);
            self.finish(to, register, span);
            return Ok(());
        };
        if before.is_empty() {
            return self.go(last, to);
        }
        let register = self.register(to, span);
        let mut exits = Vec::new();
        for node in before {
            self.into(node, register)?;
            exits.push(self.emit(leave(register, 0), span));
        }
        self.go(last, to)?;
        for exit in exits {
            self.land(exit);
        }
        self.finish(to, register, span);
        Ok(())
    }

    fn recur(&mut self, args: &mut [Node], span: Span) -> Done {
        let Some(target) = self.loops.last() else { return Ok(()) };
        let (slots, start) = (target.slots.clone(), target.start);
        let mark = self.next;
        match recur_order(args, &slots) {
            Some(order) => {
                for at in order {
                    if let (Some(arg), Some(slot)) = (args.get_mut(at), slots.get(at)) {
                        self.into(arg, *slot as Reg)?;
                        self.next = mark;
                    }
                }
            }
            None => {
                let mut held = Vec::with_capacity(args.len());
                for (arg, slot) in args.iter_mut().zip(&slots) {
                    if is_same_slot(Some(arg), Some(slot)) {
                        // Marked as a last use, it would be moved away: it stays where it is.
                        continue;
                    }
                    let register = self.temp(arg.span);
                    self.into(arg, register)?;
                    held.push((*slot, register));
                }
                for (slot, register) in held {
                    self.emit(Op::Take(slot as Reg, register), span);
                }
            }
        }
        self.next = mark;
        self.emit(Op::Back(start), span);
        Ok(())
    }

    /// A jump that is taken when `test` does not hold.
    fn jump_unless(&mut self, test: &mut Node) -> Result<usize, Error> {
        let span = test.span;
        let mark = self.next;
        if let Kind::Call { callee, args } = &mut test.kind {
            if let (Kind::Const(Value::Builtin(id)), [_, _]) = (&callee.kind, args.as_slice())
                && let Some(at) = self.compare_and_skip(*id, args, span)?
            {
                self.next = mark;
                return Ok(at);
            }
            if let (Kind::Const(Value::Builtin(id)), [arg]) = (&callee.kind, args.as_mut_slice())
                && *id == known().not
            {
                let register = self.operand(arg)?;
                self.next = mark;
                return Ok(self.emit(Op::JumpIfTrue(register, 0), span));
            }
        }
        let register = self.operand(test)?;
        self.next = mark;
        Ok(self.emit(Op::JumpIfFalse(register, 0), span))
    }

    fn compare_and_skip(&mut self, id: BuiltinId, args: &mut [Node], span: Span) -> Result<Option<usize>, Error> {
        let ids = known();
        let [left, right] = args else { return Ok(None) };
        let small = small_int(right);
        let with_int: Option<fn(Reg, i16) -> Op> = match id {
            _ if id == ids.lt => Some(Op::TestLtInt),
            _ if id == ids.le => Some(Op::TestLeInt),
            _ if id == ids.gt => Some(Op::TestGtInt),
            _ if id == ids.ge => Some(Op::TestGeInt),
            _ if id == ids.eq => Some(Op::TestEqInt),
            _ => return Ok(None),
        };
        let op = if let (Some(make), Some(n)) = (with_int, small) {
            let a = self.operand(left)?;
            make(a, n)
        } else if let Some(index) = self.scalar_constant(right) {
            let a = self.operand(left)?;
            match id {
                _ if id == ids.lt => Op::TestLtConst(a, index),
                _ if id == ids.le => Op::TestLeConst(a, index),
                _ if id == ids.gt => Op::TestGtConst(a, index),
                _ if id == ids.ge => Op::TestGeConst(a, index),
                _ => Op::TestEqConst(a, index),
            }
        } else {
            let (a, b) = self.operands(left, right)?;
            match id {
                _ if id == ids.lt => Op::TestLt(a, b),
                _ if id == ids.le => Op::TestLe(a, b),
                _ if id == ids.gt => Op::TestGt(a, b),
                _ if id == ids.ge => Op::TestGe(a, b),
                _ => Op::TestEq(a, b),
            }
        };
        self.emit(op, span);
        Ok(Some(self.emit(Op::Jump(0), span)))
    }

    /// The index of a number, keyword, string, nil or boolean constant, when an operand can name it.
    fn scalar_constant(&mut self, node: &Node) -> Option<u16> {
        match &node.kind {
            Kind::Const(value @ (Value::Int(_) | Value::Float(_) | Value::Keyword(_) | Value::Str(_) | Value::Nil | Value::Bool(_)))
                if self.code.constants.len() < usize::from(u16::MAX) =>
            {
                Some(self.constant(value) as u16)
            }
            _ => None,
        }
    }

    /// Two registers for reading in place after both were evaluated.
    fn operands(&mut self, left: &mut Node, right: &mut Node) -> Result<(Reg, Reg), Error> {
        let a = match left.kind {
            // Evaluating the right side may move the local away: then the left side is held apart.
            Kind::Local { slot, .. }
                if !matches!(right.kind, Kind::Local { .. } | Kind::Const(_)) && reads_anywhere(right, slot, self.locals) =>
            {
                let register = self.temp(left.span);
                self.into(left, register)?;
                register
            }
            _ => self.operand(left)?,
        };
        Ok((a, self.operand(right)?))
    }

    /// A register that holds the value of `node` for reading in place.
    fn operand(&mut self, node: &mut Node) -> Result<Reg, Error> {
        if let Kind::Local { slot, .. } = node.kind {
            return Ok(slot as Reg);
        }
        let register = self.temp(node.span);
        self.into(node, register)?;
        Ok(register)
    }

    /// Expressions that compute a value into a register.
    fn simple(&mut self, node: &mut Node, d: Reg) -> Done {
        let span = node.span;
        let mark = self.next;
        match &mut node.kind {
            Kind::Const(Value::Nil) => {
                self.emit(Op::Nil(d), span);
            }
            Kind::Const(Value::Int(n)) if i32::try_from(*n).is_ok() => {
                self.emit(Op::Int(d, *n as i32), span);
            }
            Kind::Const(value) => {
                let constant = self.constant(value);
                self.emit(Op::Const(d, constant), span);
            }
            Kind::Local { slot, last } => {
                let slot = *slot as Reg;
                if slot != d {
                    self.emit(if *last { Op::Take(d, slot) } else { Op::Copy(d, slot) }, span);
                }
            }
            Kind::Capture(index) => {
                self.emit(Op::Capture(d, *index as u16), span);
            }
            Kind::SelfFn => {
                self.code.needs_callee = true;
                self.emit(Op::SelfFn(d), span);
            }
            Kind::Sibling(index) => {
                self.code.needs_callee = true;
                self.emit(Op::Sibling(d, *index as u16), span);
            }
            Kind::Global(global) => {
                self.emit(Op::Global(d, *global), span);
            }
            Kind::Data(name) => {
                let constant = self.constant(&Value::Keyword(name.clone()));
                self.emit(Op::Data(d, constant), span);
            }
            Kind::Tool(name) => {
                let constant = self.constant(&Value::Tool(name.clone()));
                self.emit(Op::Const(d, constant), span);
            }
            Kind::History(turns) => {
                self.emit(Op::History(d, *turns), span);
            }
            Kind::Call { callee, args } => self.call(callee, args, d, span)?,
            Kind::Fn(function) => self.closure(function, d, span)?,
            Kind::Vector(nodes) => self.collect(nodes, d, span, Op::Vector, Op::ExtendVector)?,
            Kind::Map(nodes) => self.collect(nodes, d, span, Op::Map, Op::ExtendMap)?,
            Kind::Set(nodes) => self.collect(nodes, d, span, Op::Set, Op::ExtendSet)?,
            Kind::Def { global, name, value, doc, once } => {
                self.code.definitions.push(Definition { global: *global, name: name.clone(), doc: doc.clone() });
                let definition = self.code.definitions.len() as u32 - 1;
                let skip = once.then(|| self.emit(Op::JumpIfDefined(definition as u16, 0), span));
                self.into(value, d)?;
                self.emit(Op::Def(d, definition), span);
                if let Some(skip) = skip {
                    let end = self.emit(Op::Jump(0), span);
                    self.land(skip);
                    let var = self.constant(&Value::Var(name.clone()));
                    self.emit(Op::Const(d, var), span);
                    self.land(end);
                }
            }
            // Forms with control flow know how to fill a register themselves.
            _ => self.go(node, To::Reg(d))?,
        }
        self.next = mark;
        Ok(())
    }

    fn call(&mut self, callee: &mut Node, args: &mut [Node], d: Reg, span: Span) -> Done {
        if let Kind::Const(value) = &callee.kind {
            match value {
                Value::Builtin(id) => {
                    let id = *id;
                    if self.arithmetic(id, args, d, span)? {
                        return Ok(());
                    }
                    let window = self.window(None, args, d, span)?;
                    self.emit(Op::CallBuiltin(window, args.len() as u16, id), span);
                    self.fetch(d, window, span);
                    return Ok(());
                }
                Value::Keyword(_) if args.len() == 1 && self.code.constants.len() < usize::from(u16::MAX) => {
                    let constant = self.constant(value) as u16;
                    if let [arg] = args {
                        let a = self.operand(arg)?;
                        self.emit(Op::GetKeyword(d, a, constant), span);
                    }
                    return Ok(());
                }
                _ => {}
            }
        }
        if let (Kind::Global(global), Ok(count)) = (&callee.kind, u8::try_from(args.len())) {
            let global = *global;
            let window = self.window(None, args, d, span)?;
            self.emit(Op::CallGlobal(count, window, global), span);
            self.fetch(d, window, span);
            return Ok(());
        }
        let window = self.window(Some(callee), args, d, span)?;
        self.emit(Op::Call(window, args.len() as u16), span);
        self.fetch(d, window, span);
        Ok(())
    }

    /// Move a call's result from its window to where it is wanted.
    fn fetch(&mut self, d: Reg, window: Reg, span: Span) {
        if d != window {
            self.emit(Op::Take(d, window), span);
        }
    }

    /// Callee and arguments in consecutive temporaries; answers the callee's register, which is `d` when that is the topmost.
    fn window(&mut self, callee: Option<&mut Node>, args: &mut [Node], d: Reg, span: Span) -> Result<Reg, Error> {
        if args.len() > usize::from(u16::MAX) - 1 {
            return Err(too_large(span));
        }
        let window = if u32::from(d) + 1 == self.next && u32::from(d) >= self.locals { d } else { self.temp(span) };
        if let Some(callee) = callee {
            self.into(callee, window)?;
        }
        for arg in args {
            let register = self.temp(arg.span);
            self.into(arg, register)?;
        }
        Ok(window)
    }

    /// Two-argument arithmetic in one instruction; false when the call is not of that kind.
    fn arithmetic(&mut self, id: BuiltinId, args: &mut [Node], d: Reg, span: Span) -> Result<bool, Error> {
        let ids = known();
        match args {
            [arg] if id == ids.inc || id == ids.dec => {
                let a = self.operand(arg)?;
                self.emit(Op::AddInt(d, a, if id == ids.inc { 1 } else { -1 }), span);
            }
            [left, right] if id == ids.add || id == ids.sub => {
                let negative = id == ids.sub;
                match small_int(right).filter(|n| *n != i16::MIN) {
                    Some(n) => {
                        let a = self.operand(left)?;
                        self.emit(Op::AddInt(d, a, if negative { -n } else { n }), span);
                    }
                    None => {
                        let (a, b) = self.operands(left, right)?;
                        self.emit(if negative { Op::Sub(d, a, b) } else { Op::Add(d, a, b) }, span);
                    }
                }
            }
            [left, right] if id == ids.mul => {
                let (a, b) = self.operands(left, right)?;
                self.emit(Op::Mul(d, a, b), span);
            }
            [_, _] if [ids.lt, ids.le, ids.gt, ids.ge, ids.eq].contains(&id) => {
                let Some(skip) = self.compare_and_skip(id, args, span)? else { return Ok(false) };
                let (yes, no) = (self.constant(&Value::Bool(true)), self.constant(&Value::Bool(false)));
                self.emit(Op::Const(d, yes), span);
                let end = self.emit(Op::Jump(0), span);
                self.land(skip);
                self.emit(Op::Const(d, no), span);
                self.land(end);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A collection literal, built in chunks so that any size fits into the registers.
    fn collect(&mut self, nodes: &mut [Node], d: Reg, span: Span, first: fn(Reg, Reg, u16) -> Op, more: fn(Reg, Reg, u16) -> Op) -> Done {
        // Elements may read the old value of `d`: build aside.
        let result = self.temp(span);
        if nodes.is_empty() {
            self.emit(first(result, result, 0), span);
        }
        for (number, chunk) in nodes.chunks_mut(CHUNK).enumerate() {
            let mark = self.next;
            let start = self.next as Reg;
            for node in chunk.iter_mut() {
                let register = self.temp(node.span);
                self.into(node, register)?;
            }
            let op = if number == 0 { first } else { more };
            self.emit(op(result, start, chunk.len() as u16), span);
            self.next = mark;
        }
        self.emit(Op::Take(d, result), span);
        Ok(())
    }

    fn closure(&mut self, function: &mut Arc<Function>, d: Reg, span: Span) -> Done {
        for source in &function.captures {
            if !matches!(source, CaptureSource::Local(_)) {
                self.code.needs_callee = true;
            }
        }
        let proto = compile(Arc::make_mut(function), self.target)?;
        if proto.captures.is_empty() {
            // Nothing to close over: one closure serves every evaluation.
            let closure = Value::Function(Arc::new(crate::value::Closure::new(proto, Vec::new())));
            let constant = self.constant(&closure);
            self.emit(Op::Const(d, constant), span);
            return Ok(());
        }
        self.code.functions.push(proto);
        self.emit(Op::Closure(d, self.code.functions.len() as u32 - 1), span);
        Ok(())
    }

    fn group(&mut self, slots: &[Slot], functions: &mut [Arc<Function>], captures: &[CaptureSource], span: Span) -> Done {
        for source in captures {
            if !matches!(source, CaptureSource::Local(_)) {
                self.code.needs_callee = true;
            }
        }
        let mut protos = Vec::with_capacity(functions.len());
        for function in functions.iter_mut() {
            protos.push(compile_in(Arc::make_mut(function), true, self.target)?);
        }
        self.code.groups.push(GroupCode { protos, captures: captures.to_vec() });
        let number = self.code.groups.len() as u32 - 1;
        let mark = self.next;
        let start = self.next as Reg;
        for _ in slots {
            self.temp(span);
        }
        self.emit(Op::Group(start, number), span);
        for (at, slot) in slots.iter().enumerate() {
            self.emit(Op::Take(*slot as Reg, start + at as Reg), span);
        }
        self.next = mark;
        Ok(())
    }

    /// `try`: the body, then handlers out of line; `finally` code stands on the way out and once for signals.
    fn guarded(&mut self, body: &mut Node, catches: &mut [Catch], finally: Option<&mut Node>, d: Reg, span: Span) -> Done {
        let pending = self.temp(span);
        let mark = self.next;
        // Inside, the value is built aside: a handler must not find a half-made result.
        let from = self.here();
        self.into(body, d)?;
        let to = self.here();
        let mut ends = vec![self.emit(Op::Jump(0), span)];
        let mut catch_handlers = Vec::new();
        for catch in catches.iter_mut() {
            catch_handlers.push(Handler { from, to, target: self.here(), register: catch.slot as Reg, class: Some(catch.class) });
            self.next = mark;
            self.into(&mut catch.body, d)?;
            ends.push(self.emit(Op::Jump(0), span));
        }
        let guarded_to = self.here();
        // Inner ranges were recorded first, so the first match is the innermost.
        self.code.handlers.extend(catch_handlers);
        let Some(finally) = finally else {
            for end in ends {
                self.land(end);
            }
            return Ok(());
        };
        let target = self.here();
        self.code.handlers.push(Handler { from, to: guarded_to, target, register: pending, class: None });
        self.next = mark;
        let again = self.emit(Op::Jump(0), span);
        for end in ends {
            self.land(end);
        }
        self.emit(Op::Nil(pending), span);
        self.land(again);
        self.effect(finally)?;
        self.next = mark;
        self.emit(Op::Rethrow(pending), span);
        Ok(())
    }
}

/// A constant that fits the operand of a comparison.
fn small_int(node: &Node) -> Option<i16> {
    match node.kind {
        Kind::Const(Value::Int(n)) => i16::try_from(n).ok(),
        _ => None,
    }
}
