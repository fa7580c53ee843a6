//! Compiled functions: instructions over registers.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU8;

use crate::analyze::ir::CaptureSource;
use crate::error::ErrorClass;
use crate::optimize::tree::{LoopKind, Parts};
use crate::parse::program_text::ProgramText;
use crate::parse::span::Span;
use crate::stdlib::argument::{Argument, Arithmetic, MOST_ARGUMENTS, Pattern, Test};
use crate::value::{BuiltinId, Columns, Name, Proto, Value};

/// A register of the running frame.
pub(crate) type Reg = u16;

/// One instruction, 8 bytes. `d` is the register of the result; `a`, `b` are read in place.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Op {
    /// d ← constant
    Const(Reg, u32),
    /// d ← small integer
    Int(Reg, i32),
    /// d ← nil
    Nil(Reg),
    /// d ← copy of a
    Copy(Reg, Reg),
    /// d ← a, moved out
    Take(Reg, Reg),
    Capture(Reg, u16),
    SelfFn(Reg),
    Sibling(Reg, u16),
    Global(Reg, u32),
    /// d ← data entry named by the constant; without a name, the value of `data/fail`
    Data(Reg, u32),
    History(Reg, u8),
    Jump(u32),
    /// Backward jump: one unit of fuel.
    Back(u32),
    /// a ← a + 1, then the same: how most counting loops end. Its errors have the place of the `Inc` after it.
    IncBack(Reg, u32),
    JumpIfFalse(Reg, u32),
    JumpIfTrue(Reg, u32),
    /// The same for a temporary, which is emptied: a reference kept there would make the next update copy.
    TakeJumpIfFalse(Reg, u32),
    TakeJumpIfTrue(Reg, u32),
    /// Skip the following `Jump` when the comparison holds.
    TestLt(Reg, Reg),
    TestLe(Reg, Reg),
    TestGt(Reg, Reg),
    TestGe(Reg, Reg),
    TestEq(Reg, Reg),
    TestLtInt(Reg, i16),
    TestLeInt(Reg, i16),
    TestGtInt(Reg, i16),
    TestGeInt(Reg, i16),
    TestEqInt(Reg, i16),
    /// The same against a constant.
    TestLtConst(Reg, u16),
    TestLeConst(Reg, u16),
    TestGtConst(Reg, u16),
    TestGeConst(Reg, u16),
    TestEqConst(Reg, u16),
    /// The same for the value under keyword constant b in a, against a constant.
    TestFieldEqConst(Reg, u16, u16),
    Add(Reg, Reg, Reg),
    Sub(Reg, Reg, Reg),
    Mul(Reg, Reg, Reg),
    AddInt(Reg, Reg, i16),
    Inc(Reg, Reg),
    Dec(Reg, Reg),
    /// d ← lookup of keyword constant b in a
    GetKeyword(Reg, Reg, u16),
    /// The same, with a emptied: a map that is not read again must not hold the value found, so that it can be updated
    /// in place.
    TakeKeyword(Reg, Reg, u16),
    /// d ← element of the current round of the loop over the collection in a
    Element(Reg, Reg),
    /// d ← lookup of keyword constant b in that element
    ElementGetKeyword(Reg, Reg, u16),
    /// Callee in `a`, arguments after it; the result goes to `a`.
    Call(Reg, u16),
    /// The same with the callee in a local.
    CallLocal(u8, Reg, Reg),
    /// The same with the callee read from a definition.
    CallGlobal(u8, Reg, u32),
    /// The same with a builtin, for this many arguments after a; the result goes to d, which is a when the row calls
    /// functions.
    CallBuiltin(u8, Reg, Reg, BuiltinId),
    /// d ← the quick call of this number (see [`crate::stdlib::quick::Quick`]), or the call of its row.
    Builtin1(u8, Reg, Argument),
    Builtin2(u8, Reg, Argument, Argument),
    /// The same for this many arguments, which are in the instructions after it.
    Builtin(u8, Reg, u16),
    Three(Argument, Argument, Argument),
    /// The same for an element by its index, and for the first one.
    Item(u8, Reg, Argument, Argument),
    First(u8, Reg, Argument),
    /// The same for all but the first.
    Rest(u8, Reg, Argument),
    /// The same for a value that a pattern destructures, and for this many `Item`s after it, which are all that is read
    /// of it.
    Pattern(Pattern, Reg, Argument, u16),
    /// The same for two numbers.
    Arithmetic(Arithmetic, Reg, Argument, Argument),
    /// Skip the following `Jump` when the quick call of this number holds.
    Ask1(u8, Argument),
    Ask2(u8, Argument, Argument),
    /// The same for a test of one value.
    TestValue(Test, Argument),
    /// Call the value in `a` with `n` arguments after it; perhaps only a prefix of the result is read, with the flag if
    /// that is so for the running function.
    CallInPart(Reg, u16, bool),
    /// a ← the sequence in `a`, lazy if the `n` functions after it and those in definitions `m` of this code are pure; with
    /// the flag, only if perhaps only a prefix of the value of the running function is read
    Lazily(Reg, u16, u16, bool),
    /// d ← vector of `n` registers from `a` (moved)
    Vector(Reg, Reg, u16),
    /// Append `n` registers from `a` to the vector in `d`.
    ExtendVector(Reg, Reg, u16),
    /// d ← map of `n` registers (keys and values) from `a`
    Map(Reg, Reg, u16),
    ExtendMap(Reg, Reg, u16),
    /// d ← map of the values in the registers from `a`, under columns `n` of this code
    Record(Reg, Reg, u16),
    Set(Reg, Reg, u16),
    ExtendSet(Reg, Reg, u16),
    /// d ← closure of function `n` of this code
    Closure(Reg, u32),
    /// Registers from `d` on ← the closures of group `n` of this code
    Group(Reg, u32),
    /// Bind definition `n` of this code to the value in `d`, which becomes the var.
    Def(Reg, u32),
    /// Jump when definition `n` of this code is bound already (`defonce`).
    JumpIfDefined(u16, u32),
    Ret(Reg),
    /// Start loop `n` over a collection; falls through when it needs the slow path.
    EachStart(u16),
    /// The next element of loop `n`, or its end.
    EachNext(u16),
    /// Skip to the first element for which the field tests that follow hold, as far as that can be decided here.
    EachTest(u16),
    /// Collect the value in `a`, then the next element.
    EachCollect(Reg, u16),
    /// The same when it is not nil.
    EachKeep(Reg, u16),
    /// Collect the element, then the next one.
    EachElement(u16),
    /// Collect the elements of the value in `a`, then the next element of the loop.
    EachConcat(Reg, u16),
    /// Collect the element under the key in `a`, then the next one.
    EachGroup(Reg, u16),
    /// Make the value in `a` the accumulator, then the next element.
    EachFold(Reg, u16),
    /// Add the value in `a` to the result, then the next element; or multiply.
    EachAdd(Reg, u16),
    EachMultiply(Reg, u16),
    /// Leave the loop: its result is complete.
    EachEnd(u16),
    /// Start update `n`; falls through when it needs the slow path.
    UpdateStart(u16),
    /// Start update `n` of an existing entry, whose key the element of the loop over the collection in `a` has under a
    /// keyword constant; otherwise falls through to the instruction that fetches this key.
    UpdateNear(Reg, u16, u16),
    /// Replace the entry with the value in `a`: the end of an update.
    UpdateEnd(Reg, u16),
    /// If the map in `a` is not shared, drop its value under the key in `b`, which is replaced next.
    LetGo(Reg, Reg),
    /// Do update `n` on the slow path: its body has done nothing yet.
    UpdateLeave(u16),
    /// Continue with the signal that a `finally` deferred in `a`; falls through when there is none.
    Rethrow(Reg),
}

const _: () = assert!(size_of::<Op>() <= 8);

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

/// A local that is an operand of a loop.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Operand {
    pub register: Reg,
    /// Whether the local is not read again.
    pub moves: bool,
}

/// What a loop goes over.
#[derive(Copy, Clone, Debug)]
pub(crate) enum OverCode {
    Items(Operand),
    /// The integers from the first on, below the second.
    Range(Operand, Operand),
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
    pub init: Option<Operand>,
    /// An unknown function that the body calls: whether it accepts these arguments is checked when the loop starts.
    pub callee: Option<Reg>,
    /// A second collection; its register follows the holder of the first.
    pub beside: Option<Operand>,
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
    /// Whether it may be less than, equal to or greater than a number.
    Compares([bool; 3], Value),
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
