//! Compiled functions: instructions over registers, and what they refer to.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

pub(crate) use super::instructions::{Op, Operand, Reg};
use crate::analyze::ir::CaptureSource;
use crate::error::ErrorClass;
use crate::optimize::tree::{LoopKind, Parts};
use crate::parse::program_text::ProgramText;
use crate::parse::span::Span;
use crate::stdlib::argument::{Argument, MOST_ARGUMENTS, Relation};
use crate::value::{Columns, Name, Proto, Value};

/// The arguments after the [`Op::Builtin`] at `at`.
pub(crate) fn arguments_behind(ops: &[Op], at: usize) -> [Argument; MOST_ARGUMENTS] {
    let mut arguments = [Argument::default(); MOST_ARGUMENTS];
    let behind = ops.iter().skip(at + 1).zip(arguments.chunks_exact_mut(3));
    for (op, places) in behind {
        let Op::Three(a, b, c) = *op else { break };
        places.copy_from_slice(&[a, b, c]);
    }
    arguments
}

/// One arity of a function.
#[derive(Debug, Default)]
pub(crate) struct Code {
    /// Its index in the session's table of code.
    pub index: u32,
    pub rest: bool,
    /// Number of registers of a frame.
    pub registers: u16,
    /// How many registers are parameters and locals, and which of the others may hold a reference when the function
    /// returns.
    pub locals: u16,
    pub kept: Range<u16>,
    /// Whether the callee must be readable below the frame: it captures something or names itself.
    pub needs_callee: bool,
    /// Prelude code: not shown in traces and positions.
    pub hidden: bool,
    /// The text that its spans point into: code of one program has one.
    pub text: Arc<ProgramText>,
    pub ops: Vec<Op>,
    pub spans: Vec<Span>,
    pub constants: Vec<Value>,
    /// For each constant that is a key: the index at which it was last found in a record.
    pub hints: Vec<AtomicU8>,
    pub functions: Vec<FunctionCode>,
    pub groups: Vec<GroupCode>,
    pub definitions: Vec<Definition>,
    /// The keys of map literals.
    pub columns: Vec<Arc<Columns>>,
    /// Definitions whose functions compute the elements of a lazy sequence.
    pub globals: Vec<Box<[u32]>>,
    pub handlers: Vec<Handler>,
    pub eaches: Vec<EachCode>,
    pub updates: Vec<UpdateCode>,
    /// For messages and traces.
    pub name: Option<Arc<str>>,
}

impl Code {
    /// The first instruction that names a register, an instruction or an entry that this code does not have.
    pub fn dangling(&self) -> Option<(usize, Op)> {
        self.ops.iter().copied().enumerate().find(|(_, op)| {
            let (mut count, mut is_there) = (0, true);
            op.visit(|operand| {
                if let Operand::Count(n) = operand {
                    count = u32::from(n)
                }
            });
            op.visit(|operand| is_there &= self.has(operand, count));
            !is_there
        })
    }

    fn has(&self, operand: Operand, count: u32) -> bool {
        let register = |register: Reg, more: u32| u32::from(register) + more < u32::from(self.registers);
        match operand {
            Operand::Into(r) | Operand::From(r) | Operand::Taken(r) | Operand::Changed(r) => register(r, 0),
            Operand::Values(r) => count == 0 || register(r, count - 1),
            Operand::Window(r) => register(r, count),
            Operand::Argument(argument) => match argument.in_register() {
                Some(r) => register(r, 0) || argument == Argument::default(),
                None => argument.index() < self.constants.len(),
            },
            Operand::Target(at) => (at as usize) < self.ops.len(),
            Operand::Constant(k) => (k as usize) < self.constants.len(),
            Operand::Key(k) => matches!(self.constants.get(usize::from(k)), Some(Value::Keyword(_))),
            Operand::Function(n) => (n as usize) < self.functions.len(),
            Operand::Group(n) => (n as usize) < self.groups.len(),
            Operand::Definition(n) => (n as usize) < self.definitions.len(),
            Operand::Columns(n) => usize::from(n) < self.columns.len(),
            Operand::Definitions(n) => usize::from(n) < self.globals.len(),
            Operand::Loop(n) => usize::from(n) < self.eaches.len(),
            Operand::Update(n) => usize::from(n) < self.updates.len(),
            Operand::Count(_) | Operand::Parts(_) | Operand::Number(_) | Operand::Flag(_) => true,
            Operand::Global(_) | Operand::Captured(_) | Operand::Sibling(_) | Operand::Turns(_) => true,
            named => named.row().is_some(),
        }
    }
}

/// A local that is an operand of a loop.
#[derive(Copy, Clone, Debug)]
pub(crate) struct LoopLocal {
    pub register: Reg,
    /// Whether the local is not read again.
    pub moves: bool,
}

/// What a loop goes over.
#[derive(Copy, Clone, Debug)]
pub(crate) enum OverCode {
    Items(LoopLocal),
    /// The integers from the first on, below the second.
    Range(LoopLocal, LoopLocal),
}

/// A loop over a collection with its body inlined.
///
/// Its state is in temporaries: the register of the result; the index of the next element, followed by the register of
/// the collection, which for a range holds the end.
#[derive(Debug)]
pub(crate) struct EachCode {
    pub does: LoopKind,
    /// The result.
    pub window: Reg,
    pub over: OverCode,
    pub init: Option<LoopLocal>,
    /// An unknown function that the body calls: whether it accepts these arguments is checked when the loop starts.
    pub callee: Option<Reg>,
    /// A second collection; its register follows the holder of the first.
    pub beside: Option<LoopLocal>,
    /// Whether it shares the result of the enclosing loop.
    pub nested: bool,
    pub holder: Reg,
    /// The index and what follows it.
    pub state: Range<u16>,
    /// The parameters of the body, including the element, and its index where the body needs it.
    pub params: Reg,
    pub element: Reg,
    pub index: Option<Reg>,
    /// Registers for the parts of the element, instead of the element.
    pub parts: Option<Parts>,
    /// The number of arguments of the function.
    pub arguments: u16,
    /// Whether the body reads the element in place: then its register stays empty.
    pub in_place: bool,
    /// Whether it accepts a map as a collection.
    pub takes_maps: bool,
    /// Whether a text of several lines takes the slow path.
    pub warns: bool,
    /// Tests that an element must pass for the round to do anything, where the body continues after them, and where it
    /// goes when one fails.
    pub tests: Vec<FieldTest>,
    pub passed: u32,
    pub failed: u32,
    /// Where the slow path starts, where the body starts, and what comes after the loop.
    pub slow: u32,
    pub start: u32,
    pub end: u32,
    /// Locals of the body other than its parameters, and temporaries that may hold a reference after a round.
    pub locals: Range<u16>,
    pub temporaries: Range<u16>,
}

/// A test of a field against a constant.
#[derive(Debug)]
pub(crate) struct FieldTest {
    pub key: Name,
    /// The index at which the key was last found.
    pub hint: AtomicU8,
    pub asks: Asks,
    /// The result that the test must have.
    pub wanted: bool,
}

/// What a test checks of a value.
#[derive(Debug)]
pub(crate) enum Asks {
    IsTruthy,
    Equals(Value),
    /// How it compares with a number.
    Compares(Relation, Value),
}

/// An update of an entry with its body inlined.
///
/// The registers from `window` on are those of the call: result, collection, key; after them the place of the entry.
#[derive(Debug)]
pub(crate) struct UpdateCode {
    pub window: Reg,
    /// The collection, which may be in its original local.
    pub holder: Reg,
    /// The register of the result.
    pub result: Reg,
    /// The value under the key.
    pub params: Reg,
    /// Where the slow path starts, and where the body starts.
    pub slow: u32,
    pub start: u32,
    /// Locals of the body other than its parameter, and temporaries that may hold a reference after it.
    pub locals: Range<u16>,
    pub temporaries: Range<u16>,
}

/// A function that closes over something.
#[derive(Debug)]
pub(crate) struct FunctionCode {
    pub proto: Arc<Proto>,
    pub captures: Vec<CaptureSource>,
}

/// The functions of a `letfn`.
#[derive(Debug)]
pub(crate) struct GroupCode {
    pub protos: Vec<Arc<Proto>>,
    pub captures: Vec<CaptureSource>,
}

/// What a `def` binds.
#[derive(Debug)]
pub(crate) struct Definition {
    pub global: u32,
    pub name: Name,
    pub doc: Option<Arc<str>>,
}

/// Which signals a handler takes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Errors of this class: a `catch`.
    Class(ErrorClass),
    /// Errors, `return` and `fail`: a `finally`.
    Everything,
    /// Errors, while the `return` or `fail` in the register is deferred: the code of a `finally` cannot stop it.
    WhilePending,
}

/// Instructions `from..to` are guarded; a caught signal goes to `target` with its value in `register`.
#[derive(Debug)]
pub(crate) struct Handler {
    pub from: u32,
    pub to: u32,
    pub target: u32,
    pub register: Reg,
    pub takes: Takes,
}
