//! Compiling resolved expressions to instructions.

mod comparison;
mod each;
mod field_test;
mod literal;
mod operation;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use super::code::{Code, Definition, Op, Reg};
use super::code_table::Numbers;
use super::hoist::hoist;
use super::inline::make_loops;
use super::liveness::mark_last_uses;
use super::order::{is_same_slot, recur_order};
use super::replace::mark_replaced;
use crate::analyze::ir::{Arity, Function, Kind, Node, Slot};
use crate::error::{Error, Reason};
use crate::parse::program_text::ProgramText;
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::value::{EntryPoint, Proto, Source, Value};

/// The most elements of a literal that are evaluated before they are moved into the collection.
const CHUNK: usize = 128;
/// The most registers that one function may use.
const MAX_REGISTERS: u32 = 60_000;

/// Where compiled code goes and what it belongs to.
pub(crate) struct Target<'a> {
    /// Where new code is appended.
    pub codes: &'a mut Vec<Arc<Code>>,
    /// The numbers of that code.
    pub numbers: Numbers<'a>,
    /// The text that the spans of the code point into.
    pub text: Arc<ProgramText>,
    pub hidden: bool,
    /// Whether loops and updates are inlined: not in a function that is only for the slow path.
    pub inlines: bool,
}

/// Compile a function with all functions inside it.
///
/// Errors with `invalid_form` when a function needs more registers or constants than instructions can name.
pub(crate) fn compile(function: &mut Function, target: &mut Target<'_>) -> Result<Arc<Proto>, Error> {
    compile_in(function, !function.captures.is_empty(), target)
}

pub(crate) fn compile_in(
    function: &mut Function,
    needs_callee: bool,
    target: &mut Target<'_>,
) -> Result<Arc<Proto>, Error> {
    let mut arities = Vec::with_capacity(function.arities.len());
    for arity in &mut function.arities {
        if target.inlines {
            make_loops(arity);
            hoist(arity);
        }
        let parts = mark_replaced(arity);
        mark_last_uses(arity, parts);
        arities.push(compile_arity(arity, function.name.as_ref(), needs_callee, target)?);
    }
    Ok(Arc::new(Proto {
        name: function.name.clone(),
        params_text: function.params_text.clone(),
        capture_names: function.capture_names.clone(),
        source: function.origin.clone().map(|origin| Source { program: target.text.clone(), origin }),
        arities,
    }))
}

fn compile_arity(
    arity: &mut Arity,
    name: Option<&Arc<str>>,
    needs_callee: bool,
    target: &mut Target<'_>,
) -> Result<EntryPoint, Error> {
    let span = arity.body.span;
    let comparison = comparison::comparison(arity).map(Box::new);
    if arity.slots > MAX_REGISTERS {
        return Err(too_large(span));
    }
    let params = arity.fixed + u32::from(arity.rest);
    let mut compiler = Compiler {
        code: Code {
            rest: arity.rest,
            registers: arity.slots as u16,
            locals: arity.slots as u16,
            needs_callee,
            hidden: target.hidden,
            text: target.text.clone(),
            name: name.cloned(),
            ..Code::default()
        },
        target,
        locals: arity.slots,
        next: arity.slots,
        kept: NOTHING,
        elements: Vec::new(),
        exits: Vec::new(),
        skips: Vec::new(),
        within: None,
        leaves: None,
        loops: vec![Loop { slots: (0..params).collect(), again: Op::Back(0) }],
        failed: None,
    };
    compiler.go(&mut arity.body, To::Return)?;
    if let Some(error) = compiler.failed {
        return Err(error);
    }
    let mut code = compiler.code;
    code.index = compiler.target.numbers.after(compiler.target.codes.len());
    // A caught error leaves values in registers when the instructions that would have taken them did not run.
    code.kept = if code.handlers.is_empty() { compiler.kept } else { code.locals..code.registers };
    code.hints.resize_with(code.constants.len(), AtomicU8::default);
    let code = Arc::new(code);
    let entry = EntryPoint {
        fixed: arity.fixed as u16,
        rest: code.rest,
        registers: code.registers,
        code: code.index,
        compiled: code.clone(),
        needs_callee: code.needs_callee,
        hidden: code.hidden,
        comparison,
    };
    target.codes.push(code);
    Ok(entry)
}

/// Whether it is the local plus one.
fn is_incremented(node: &Node, slot: Slot) -> bool {
    matches!(node.builtin_call(), Some((id, [arg])) if id == known().inc && arg.slot() == Some(slot))
}

fn too_large(span: Span) -> Error {
    Error::new(Reason::InvalidForm, "this function is too large: split it into several, or pass the literals as data")
        .at(span)
}

/// No registers; the first that is added makes it a range.
#[allow(clippy::reversed_empty_ranges, reason = "it grows to both sides")]
const NOTHING: Range<u16> = u16::MAX..0;

struct Loop {
    slots: Vec<Slot>,
    /// The instruction that starts it again.
    again: Op,
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
    /// Temporaries that may still hold a reference after their use.
    kept: Range<u16>,
    /// Slots that stand for the element of a running loop, each with the register of its collection: their own
    /// registers stay empty.
    elements: Vec<(Slot, Reg)>,
    /// Jumps that are taken when a test does not hold.
    exits: Vec<usize>,
    /// Jumps to the next round of the loop over a collection.
    skips: Vec<usize>,
    /// The loop over a collection whose body is compiled, and the update.
    within: Option<u16>,
    leaves: Option<u16>,
    loops: Vec<Loop>,
    failed: Option<Error>,
}

type Done = Result<(), Error>;

impl Compiler<'_, '_> {
    fn emit(&mut self, op: Op, span: Span) {
        self.code.ops.push(op);
        self.code.spans.push(span);
    }

    /// Emit a jump whose target comes later; returns its place.
    fn jump(&mut self, op: Op, span: Span) -> usize {
        self.emit(op, span);
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

    /// Note that a value may stay in `register` after its use: in a loop, it would prevent the next round from updating
    /// in place.
    fn keeps(&mut self, register: Reg) {
        if u32::from(register) >= self.locals {
            self.kept = self.kept.start.min(register)..self.kept.end.max(register + 1);
        }
    }

    fn constant(&mut self, value: &Value) -> u32 {
        // Only names repeat often enough to search for them among the last few.
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

    fn load(&mut self, value: &Value, d: Reg, span: Span) {
        let constant = self.constant(value);
        self.emit(Op::Const(d, constant), span);
    }

    /// Make these jumps go to the next instruction.
    fn land(&mut self, jumps: impl IntoIterator<Item = usize>) {
        let here = self.here();
        for at in jumps {
            if let Some(
                Op::Jump(target)
                | Op::JumpIfFalse(_, target)
                | Op::JumpIfTrue(_, target)
                | Op::TakeJumpIfFalse(_, target)
                | Op::TakeJumpIfTrue(_, target)
                | Op::JumpIfDefined(_, target),
            ) = self.code.ops.get_mut(at)
            {
                *target = here;
            }
        }
    }

    /// The same for the jumps of tests that were added after the first `since`.
    fn land_exits(&mut self, since: usize) {
        let exits = self.exits.split_off(since);
        self.land(exits);
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

    /// Finish a computed value: return it, or leave it in its register.
    fn finish(&mut self, to: To, register: Reg, span: Span) {
        if matches!(to, To::Return) {
            self.emit(Op::Ret(register), span);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each kind of node")]
    fn go(&mut self, node: &mut Node, to: To) -> Done {
        let span = node.span;
        let mark = self.next;
        match &mut node.kind {
            Kind::Cond { clauses, default } => {
                let mut ends = Vec::new();
                let skips = self.within.is_some() && matches!(default.kind, Kind::Skip);
                let count = clauses.len();
                for (at, (test, then)) in clauses.iter_mut().enumerate() {
                    let exits = self.exits.len();
                    self.jump_unless(test)?;
                    self.next = mark;
                    self.go(then, to)?;
                    if skips && at + 1 == count {
                        self.skips.extend(self.exits.split_off(exits));
                        break;
                    }
                    if matches!(to, To::Reg(_)) {
                        ends.push(self.jump(Op::Jump(0), span));
                    }
                    self.land_exits(exits);
                    self.next = mark;
                }
                if !skips {
                    self.go(default, to)?;
                }
                self.land(ends);
            }
            Kind::Do(nodes) if !nodes.is_empty() => {
                let Some((last, before)) = nodes.split_last_mut() else { return Ok(()) };
                for node in before {
                    self.effect(node)?;
                    self.next = mark;
                }
                self.go(last, to)?;
            }
            Kind::And(nodes) if !nodes.is_empty() => self.chain(nodes, to, span, Op::JumpIfFalse)?,
            Kind::Or(nodes) if !nodes.is_empty() => self.chain(nodes, to, span, Op::JumpIfTrue)?,
            Kind::Let { bindings, body } => {
                let count = bindings.len();
                for (at, (slot, init)) in bindings.iter_mut().enumerate() {
                    // A value that is only named goes directly to its target.
                    if at + 1 == count && matches!(to, To::Reg(_)) && body.slot() == Some(*slot) {
                        return self.go(init, to);
                    }
                    self.into(init, *slot as Reg)?;
                    self.next = mark;
                }
                self.go(body, to)?;
            }
            Kind::Loop { bindings, body } => {
                let mut slots = Vec::with_capacity(bindings.len());
                for (slot, init) in bindings {
                    if !is_same_slot(Some(init), Some(slot)) {
                        self.into(init, *slot as Reg)?;
                    }
                    self.next = mark;
                    slots.push(*slot);
                }
                self.loops.push(Loop { slots, again: Op::Back(self.here()) });
                self.go(body, to)?;
                self.loops.pop();
            }
            Kind::Recur(args) => self.recur(args, span)?,
            Kind::Replace { map, keys, lets_go, call } => {
                if *lets_go && self.element(*map).is_none() {
                    for key in keys {
                        let register = self.operand(key)?;
                        self.emit(Op::LetGo(*map as Reg, register), span);
                        self.next = mark;
                    }
                }
                self.go(call, to)?;
            }
            Kind::Clear { slots, then } => {
                for slot in slots.iter().filter(|slot| self.element(**slot).is_none()).copied().collect::<Vec<_>>() {
                    self.emit(Op::Nil(slot as Reg), span);
                }
                self.go(then, to)?;
            }
            Kind::Leave => {
                if let Some(number) = self.leaves {
                    self.emit(Op::UpdateLeave(number), span);
                }
            }
            Kind::Skip | Kind::Stop => {
                if let Some(number) = self.within {
                    let stops = matches!(node.kind, Kind::Stop);
                    self.emit(if stops { Op::EachEnd(number) } else { Op::EachNext(number) }, span);
                }
            }
            Kind::LetFn { slots, functions, captures, body } => {
                self.group(slots, functions, captures, span)?;
                self.go(body, to)?;
            }
            Kind::Try { body, catches, finally } => {
                let register = self.register(to, span);
                self.guarded(body, catches, finally.as_deref_mut(), register, span)?;
                self.finish(to, register, span);
            }
            Kind::Local { slot, .. } if matches!(to, To::Return) && self.element(*slot).is_none() => {
                self.emit(Op::Ret(*slot as Reg), span)
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

    /// An expression whose value is not used.
    fn effect(&mut self, node: &mut Node) -> Done {
        if matches!(node.kind, Kind::Const(_) | Kind::Fn(_)) {
            return Ok(());
        }
        let register = self.temp(node.span);
        self.keeps(register);
        self.into(node, register)
    }

    /// `and` and `or`: leave at the first value for which `leave` jumps.
    fn chain(&mut self, nodes: &mut [Node], to: To, span: Span, leave: fn(Reg, u32) -> Op) -> Done {
        let Some((last, before)) = nodes.split_last_mut() else { return Ok(()) };
        if before.is_empty() {
            return self.go(last, to);
        }
        let register = self.register(to, span);
        let mut exits = Vec::new();
        for node in before {
            self.into(node, register)?;
            exits.push(self.jump(leave(register, 0), span));
        }
        self.go(last, to)?;
        self.land(exits);
        self.finish(to, register, span);
        Ok(())
    }

    fn recur(&mut self, args: &mut [Node], span: Span) -> Done {
        let Some(target) = self.loops.last() else { return Ok(()) };
        let (slots, mut again, mut place_of_again) = (target.slots.clone(), target.again, span);
        let mark = self.next;
        match recur_order(args, &slots) {
            Some(order) => {
                for (place, at) in order.iter().enumerate() {
                    let (Some(arg), Some(slot)) = (args.get_mut(*at), slots.get(*at)) else { continue };
                    match again {
                        Op::Back(start) if place + 1 == order.len() && is_incremented(arg, *slot) => {
                            self.emit(Op::IncBack(*slot as Reg, start), span);
                            // It gives errors their place.
                            again = Op::Inc(*slot as Reg, *slot as Reg);
                            place_of_again = arg.span;
                        }
                        _ => self.into(arg, *slot as Reg)?,
                    }
                    self.next = mark;
                }
            }
            None => {
                let mut held = Vec::with_capacity(args.len());
                for (arg, slot) in args.iter_mut().zip(&slots) {
                    if is_same_slot(Some(arg), Some(slot)) {
                        // Marked as a last use, it would be moved out; here it stays in place.
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
        self.emit(again, place_of_again);
        Ok(())
    }

    /// Expressions that compute a value into a register.
    fn simple(&mut self, node: &mut Node, d: Reg) -> Done {
        let span = node.span;
        let mark = self.next;
        match &mut node.kind {
            Kind::Const(Value::Nil) => self.emit(Op::Nil(d), span),
            Kind::Const(Value::Int(n)) if i32::try_from(*n).is_ok() => self.emit(Op::Int(d, *n as i32), span),
            Kind::Const(value) => self.load(value, d, span),
            Kind::Do(nodes) | Kind::Or(nodes) if nodes.is_empty() => self.emit(Op::Nil(d), span),
            Kind::And(nodes) if nodes.is_empty() => self.load(&Value::Bool(true), d, span),
            Kind::Local { slot, last } => {
                let slot = *slot as Reg;
                if let Some(holder) = self.element(u32::from(slot)) {
                    self.emit(Op::Element(d, holder), span);
                } else if slot != d {
                    self.emit(if *last { Op::Take(d, slot) } else { Op::Copy(d, slot) }, span);
                }
            }
            Kind::Capture(index) => self.emit(Op::Capture(d, *index as u16), span),
            Kind::SelfFn => {
                self.code.needs_callee = true;
                self.emit(Op::SelfFn(d), span);
            }
            Kind::Sibling(index) => {
                self.code.needs_callee = true;
                self.emit(Op::Sibling(d, *index as u16), span);
            }
            Kind::Global(global) => self.emit(Op::Global(d, *global), span),
            Kind::Data(name) => {
                let name = if name.as_str() == "fail" { Value::Nil } else { Value::Keyword(name.clone()) };
                let constant = self.constant(&name);
                self.emit(Op::Data(d, constant), span);
            }
            Kind::Tool(name) => self.load(&Value::Tool(name.clone()), d, span),
            Kind::History(turns) => self.emit(Op::History(d, *turns), span),
            Kind::Call { callee, args } => self.call(callee, args, d, span)?,
            Kind::Fn(function) => self.closure(function, d, span)?,
            Kind::Each(each) => self.each(each, d, span)?,
            Kind::Update(update) => self.update(update, d, span)?,
            Kind::Vector(nodes) => self.collect(nodes, d, span, Op::Vector, Op::ExtendVector)?,
            Kind::Map(nodes) => self.map(nodes, d, span)?,
            Kind::Set(nodes) => self.collect(nodes, d, span, Op::Set, Op::ExtendSet)?,
            Kind::Def { global, name, value, doc, once } => {
                self.code.definitions.push(Definition { global: *global, name: name.clone(), doc: doc.clone() });
                let definition = self.code.definitions.len() as u32 - 1;
                let skip = once.then(|| self.jump(Op::JumpIfDefined(definition as u16, 0), span));
                self.into(value, d)?;
                self.emit(Op::Def(d, definition), span);
                if let Some(skip) = skip {
                    let end = self.jump(Op::Jump(0), span);
                    self.land([skip]);
                    self.load(&Value::Var(name.clone()), d, span);
                    self.land([end]);
                }
            }
            // Forms with control flow fill a register themselves.
            _ => self.go(node, To::Reg(d))?,
        }
        self.next = mark;
        Ok(())
    }
}
