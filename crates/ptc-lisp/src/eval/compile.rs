//! Compiling resolved expressions to instructions.

mod comparison;
mod each;
mod field_test;
mod flow;
mod literal;
mod operation;

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use super::code::{Code, Definition, Op, Reg};
use super::code_table::Numbers;
use crate::analyze::ir::{Arity, Function, Kind, Node, Slot};
use crate::error::{Error, Reason};
use crate::optimize::tree::Made;
use crate::parse::program_text::ProgramText;
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::value::{Comparison, EntryPoint, Proto, Reads, Source, Value};

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
}

/// Compile a function with all functions inside it.
///
/// Errors with `invalid_form` when a function needs more registers or constants than instructions can name.
pub(crate) fn compile(function: &mut Function, target: &mut Target<'_>) -> Result<Arc<Proto>, Box<Error>> {
    compile_in(function, !function.captures.is_empty(), target)
}

pub(crate) fn compile_in(
    function: &mut Function,
    needs_callee: bool,
    target: &mut Target<'_>,
) -> Result<Arc<Proto>, Box<Error>> {
    let mut arities = Vec::with_capacity(function.arities.len());
    for arity in &mut function.arities {
        arities.push(compile_arity(arity, function.name.as_ref(), needs_callee, target)?);
    }
    Ok(Arc::new(Proto {
        name: function.name.clone(),
        params_text: function.params_text.clone(),
        capture_names: function.capture_names.clone(),
        source: function.origin.clone().map(|origin| Source { program: target.text.clone(), origin }),
        calls: function.calls.take(),
        arities,
    }))
}

/// Functions nest in functions: what is only needed before or after the body is in other frames.
fn compile_arity(
    arity: &mut Arity,
    name: Option<&Arc<str>>,
    needs_callee: bool,
    target: &mut Target<'_>,
) -> Done<EntryPoint> {
    let comparison = comparison::comparison(arity).map(Box::new);
    let mut compiler = Compiler::of(arity, name, needs_callee, target)?;
    compiler.go(&mut arity.body, To::Return)?;
    compiler.entry(arity.fixed as u16, std::mem::take(&mut arity.reads), comparison)
}

fn too_large(span: Span) -> Box<Error> {
    let text = "this function is too large: split it into several, or pass the literals as data";
    Box::new(Error::new(Reason::InvalidForm, text).at(span))
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
    failed: Option<Box<Error>>,
}

type Done<T = ()> = Result<T, Box<Error>>;

impl<'a, 'b> Compiler<'a, 'b> {
    fn of(
        arity: &Arity,
        name: Option<&Arc<str>>,
        needs_callee: bool,
        target: &'a mut Target<'b>,
    ) -> Done<Box<Compiler<'a, 'b>>> {
        if arity.slots > MAX_REGISTERS {
            return Err(too_large(arity.body.span));
        }
        let params = arity.fixed + u32::from(arity.rest);
        Ok(Box::new(Compiler {
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
        }))
    }

    /// The finished code, among that of its target.
    fn entry(self: Box<Self>, fixed: u16, reads: Vec<Reads>, comparison: Option<Box<Comparison>>) -> Done<EntryPoint> {
        let Compiler { mut code, target, kept, failed, .. } = *self;
        if let Some(error) = failed {
            return Err(error);
        }
        code.index = target.numbers.after(target.codes.len());
        // A caught error leaves values in registers when the instructions that would have taken them did not run.
        code.kept = if code.handlers.is_empty() { kept } else { code.locals..code.registers };
        code.hints.resize_with(code.constants.len(), AtomicU8::default);
        debug_assert!(code.dangling().is_none(), "{:?}", code.dangling());
        let code = Arc::new(code);
        target.codes.push(code.clone());
        Ok(EntryPoint {
            fixed,
            rest: code.rest,
            registers: code.registers,
            code: code.index,
            needs_callee: code.needs_callee,
            hidden: code.hidden,
            reads,
            compiled: code,
            comparison,
        })
    }
}

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
            if let Some(target) = self.code.ops.get_mut(at).and_then(Op::target_mut) {
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

    /// An expression into a register, or as the value of the function. Its work is in functions (`flow.rs`): it recurs, and without
    /// optimisation its frame has room for what each case holds.
    fn go(&mut self, node: &mut Node, to: To) -> Done {
        let span = node.span;
        let mark = self.next;
        match &mut node.kind {
            Kind::Cond { clauses, default } => self.cond(clauses, default, to, span)?,
            Kind::Do(nodes) if !nodes.is_empty() => self.body(nodes, to)?,
            Kind::And(nodes) if !nodes.is_empty() => self.chain(nodes, to, span, Op::JumpIfFalse)?,
            Kind::Or(nodes) if !nodes.is_empty() => self.chain(nodes, to, span, Op::JumpIfTrue)?,
            Kind::Let { bindings, body } => self.let_in(bindings, body, to)?,
            Kind::Loop { bindings, body } => self.looped(bindings, body, to)?,
            Kind::Recur(args) => self.recur(args, span)?,
            Kind::Made(Made::Replace { map, keys, lets_go, call }) => {
                if *lets_go && self.element(*map).is_none() {
                    self.let_go(*map, keys, span)?;
                }
                self.go(call, to)?;
            }
            Kind::Made(Made::Clear { slots, then }) => {
                self.clear(slots, span);
                self.go(then, to)?;
            }
            Kind::Made(Made::Leave | Made::Skip | Made::Stop) => self.leave(&node.kind, span),
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
            Kind::Data(name) => self.data(name, d, span),
            Kind::Tool(name) => self.load(&Value::Tool(name.clone()), d, span),
            Kind::History(turns) => self.emit(Op::History(d, *turns), span),
            Kind::Call { callee, args } => self.call(callee, args, d, span)?,
            Kind::Fn(function) => self.closure(function, d, span)?,
            Kind::Made(Made::Lazily { source, functions, globals, returned }) => {
                let window = self.window(Some(source), functions, d, span)?;
                let number = u16::try_from(self.code.globals.len()).map_err(|_| too_large(span))?;
                self.code.globals.push(globals.as_slice().into());
                self.emit(Op::Lazily(window, functions.len() as u16, number, *returned), span);
                self.fetch(d, window, span);
            }
            Kind::Made(Made::InPart { call, returned }) => self.call_in_part(call, *returned, d)?,
            Kind::Made(Made::Each(each)) => self.each(each, d, span)?,
            Kind::Made(Made::Update(update)) => self.update(update, d, span)?,
            Kind::Vector(nodes) => self.collect(nodes, d, span, Op::Vector, Op::ExtendVector)?,
            Kind::Map(nodes) => self.map(nodes, d, span)?,
            Kind::Set(nodes) => self.collect(nodes, d, span, Op::Set, Op::ExtendSet)?,
            Kind::Def { global, name, value, doc, once } => {
                let made = Definition { global: *global, name: name.clone(), doc: doc.clone() };
                self.define(made, value, *once, d, span)?;
            }
            // Forms with control flow fill a register themselves.
            _ => self.go(node, To::Reg(d))?,
        }
        self.next = mark;
        Ok(())
    }
}
