//! The table of instructions: what each reads, writes and names, and what it does. The enum, the visitor of operands,
//! listings and the table in `docs/machine.md` come from it.

use crate::stdlib::argument::{Argument, Arithmetic, Pattern, Relation, Test};
use crate::stdlib::quick::{Quick, number_of};
use crate::stdlib::table::table;
use crate::value::BuiltinId;

/// A register of the running frame.
pub(crate) type Reg = u16;

/// An operand of an instruction, by its role.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Operand {
    /// A register that gets the result.
    Into(Reg),
    /// A register that is read.
    From(Reg),
    /// A register that is read and emptied.
    Taken(Reg),
    /// A register that is read and gets the result.
    Changed(Reg),
    /// The first of as many registers as the count says, all emptied.
    Values(Reg),
    /// The register of a callee, followed by as many arguments as the count says.
    Window(Reg),
    /// See [`Argument`].
    Argument(Argument),
    Count(u16),
    /// How many of the instructions after it take its result apart.
    Parts(u16),
    Number(i32),
    Flag(bool),
    /// The index of an instruction.
    Target(u32),
    /// The number of a definition of the session.
    Global(u32),
    /// A row, and a row by the number of its quick call.
    Builtin(BuiltinId),
    Quick(u8),
    /// What an instruction computes or tests.
    Arithmetic(Arithmetic),
    Relation(Relation),
    Test(Test),
    Pattern(Pattern),
    /// An index in a list of the code.
    Constant(u32),
    Key(u16),
    Function(u32),
    Group(u32),
    Columns(u16),
    Definition(u32),
    Definitions(u16),
    Loop(u16),
    Update(u16),
    /// An index in what the function captured, and in its `letfn`.
    Captured(u16),
    Sibling(u16),
    /// How many programs ago.
    Turns(u8),
}

impl Operand {
    /// The row that it names.
    pub fn row(self) -> Option<BuiltinId> {
        let is_it = |quick: &Quick| match (quick, self) {
            (Quick::Arithmetic(one), Operand::Arithmetic(other)) => *one == other,
            (Quick::Compare(one), Operand::Relation(other)) => *one == other,
            (Quick::Test(one), Operand::Test(other)) => *one == other,
            (Quick::Pattern(one), Operand::Pattern(other)) => *one == other,
            _ => false,
        };
        match self {
            Operand::Builtin(id) => Some(id),
            Operand::Quick(number) => Some(table().of_quick(number)),
            _ => number_of(is_it).map(|number| table().of_quick(number)),
        }
    }
}

macro_rules! instructions {
    (@target Target $operand:ident) => { return Some($operand) };
    (@target $role:ident $operand:ident) => { let _ = $operand; };
    ($($family:literal; $($(#[doc = $does:literal])+ $name:ident($($operand:ident: $role:ident $kind:ty),+);)+)+) => {
        /// One instruction, 8 bytes.
        #[derive(Copy, Clone, Debug)]
        pub(crate) enum Op {
            $($($(#[doc = $does])+ $name($($kind),+),)+)+
        }

        impl Op {
            /// Show each operand.
            pub fn visit(self, mut see: impl FnMut(Operand)) {
                match self {
                    $($(Op::$name($($operand),+) => { $(see(Operand::$role($operand.into()));)+ })+)+
                }
            }

            /// The place of the instruction where it may continue.
            pub fn target_mut(&mut self) -> Option<&mut u32> {
                match self {
                    $($(Op::$name($($operand),+) => { $(instructions!(@target $role $operand);)+ })+)+
                }
                #[allow(unreachable_code, reason = "some have one")]
                None
            }

            pub fn name(self) -> &'static str {
                match self {
                    $($(Op::$name(..) => stringify!($name),)+)+
                }
            }
        }

        /// The families with their instructions: name, operands, what it does.
        #[cfg(test)]
        pub(crate) const FAMILIES: &[(&str, &[[&str; 3]])] = &[
            $(($family, &[$([stringify!($name), concat!($(" ", stringify!($operand)),+), concat!($($does),+)],)+]),)+
        ];
    };
}

instructions! {
    "Values";
    /// d ← k.
    Const(d: Into Reg, k: Constant u32);
    /// d ← n.
    Int(d: Into Reg, n: Number i32);
    /// d ← nil.
    Nil(d: Into Reg);
    /// d ← a copy of a.
    Copy(d: Into Reg, a: From Reg);
    /// d ← a, moved out; a number stays in both.
    Take(d: Into Reg, a: Taken Reg);
    /// d ← a captured value.
    Capture(d: Into Reg, c: Captured u16);
    /// d ← the running function.
    SelfFn(d: Into Reg);
    /// d ← a function of the same `letfn`.
    Sibling(d: Into Reg, s: Sibling u16);
    /// d ← the value of a definition.
    Global(d: Into Reg, g: Global u32);
    /// d ← the entry of the data that k names; of nil, the value of `data/fail`.
    Data(d: Into Reg, k: Constant u32);
    /// d ← the value of an earlier program.
    History(d: Into Reg, p: Turns u8);

    "Jumps";
    /// Continue at t.
    Jump(t: Target u32);
    /// The same backwards, for one unit of fuel.
    Back(t: Target u32);
    /// a ← a + 1, then the same: how most counting loops end. Its errors have the place of the `Inc` after it.
    IncBack(a: Changed Reg, t: Target u32);
    /// Continue at t when a is nil or false.
    JumpIfFalse(a: From Reg, t: Target u32);
    /// Continue at t when a is anything else.
    JumpIfTrue(a: From Reg, t: Target u32);
    /// As `JumpIfFalse`, for a temporary, which is emptied: a reference kept there would make the next update copy.
    TakeJumpIfFalse(a: Taken Reg, t: Target u32);
    /// As `JumpIfTrue`, for a temporary.
    TakeJumpIfTrue(a: Taken Reg, t: Target u32);
    /// Continue at t when the definition has a value (`defonce`).
    JumpIfDefined(n: Definition u16, t: Target u32);
    /// Return a.
    Ret(a: Taken Reg);
    /// Continue with the signal that a `finally` deferred in a; falls through when there is none.
    Rethrow(a: From Reg);

    "Tests, which skip the following `Jump` when they hold";
    /// Whether a < b.
    Less(a: From Reg, b: From Reg);
    /// Whether a ≤ b.
    AtMost(a: From Reg, b: From Reg);
    /// Whether a > b.
    Greater(a: From Reg, b: From Reg);
    /// Whether a ≥ b.
    AtLeast(a: From Reg, b: From Reg);
    /// Whether a < n.
    LessInt(a: From Reg, n: Number i32);
    /// Whether a ≤ n.
    AtMostInt(a: From Reg, n: Number i32);
    /// Whether a > n.
    GreaterInt(a: From Reg, n: Number i32);
    /// Whether a ≥ n.
    AtLeastInt(a: From Reg, n: Number i32);
    /// Compare two numbers of which one is another constant.
    Compare(f: Relation Relation, a: Argument Argument, b: Argument Argument);
    /// Whether two values are equal.
    Equal(q: Quick u8, a: Argument Argument, b: Argument Argument);
    /// Test one value.
    TestValue(f: Test Test, a: Argument Argument);
    /// The quick call of a test of one value.
    Ask1(q: Quick u8, a: Argument Argument);
    /// The quick call of a test of two values.
    Ask2(q: Quick u8, a: Argument Argument, b: Argument Argument);

    "Numbers";
    /// d ← a + b.
    Add(d: Into Reg, a: From Reg, b: From Reg);
    /// d ← a − b.
    Sub(d: Into Reg, a: From Reg, b: From Reg);
    /// d ← a × b.
    Mul(d: Into Reg, a: From Reg, b: From Reg);
    /// d ← a + n.
    AddInt(d: Into Reg, a: From Reg, n: Number i16);
    /// d ← a + 1.
    Inc(d: Into Reg, a: From Reg);
    /// d ← a − 1.
    Dec(d: Into Reg, a: From Reg);
    /// d ← a function of two numbers.
    Arithmetic(f: Arithmetic Arithmetic, d: Into Reg, a: Argument Argument, b: Argument Argument);

    "Fields and elements";
    /// d ← what a has under keyword k.
    GetKeyword(d: Into Reg, a: From Reg, k: Key u16);
    /// The same, with a emptied: a map that is not read again must not hold the value found, so that it can be updated in
    /// place.
    TakeKeyword(d: Into Reg, a: Taken Reg, k: Key u16);
    /// d ← the element of the current round of the loop over the collection in a.
    Element(d: Into Reg, a: From Reg);
    /// d ← what that element has under keyword k.
    ElementGetKeyword(d: Into Reg, a: From Reg, k: Key u16);
    /// If the map in a is not shared, drop its value under the key in b, which is replaced next.
    LetGo(a: Changed Reg, b: From Reg);

    "Builtins: the quick call, or else the call of the row";
    /// d ← the call with one operand.
    Builtin1(q: Quick u8, d: Into Reg, a: Argument Argument);
    /// d ← the call with two operands.
    Builtin2(q: Quick u8, d: Into Reg, a: Argument Argument, b: Argument Argument);
    /// d ← the call with n operands, which are in the instructions after it.
    Builtin(q: Quick u8, d: Into Reg, n: Count u16);
    /// Operands of the call before it.
    Three(a: Argument Argument, b: Argument Argument, c: Argument Argument);
    /// d ← the element of a at the index b.
    Item(q: Quick u8, d: Into Reg, a: Argument Argument, b: Argument Argument);
    /// d ← the first element of a.
    First(q: Quick u8, d: Into Reg, a: Argument Argument);
    /// d ← a without its first element.
    Rest(q: Quick u8, d: Into Reg, a: Argument Argument);
    /// d ← a, which a pattern destructures; the n `Item`s after it are all that is read of it.
    Pattern(f: Pattern Pattern, d: Into Reg, a: Argument Argument, n: Parts u16);

    "Calls, with the arguments in the registers after w, and the result in w";
    /// Call the value in w.
    Call(w: Window Reg, n: Count u16);
    /// Call the value in a local.
    CallLocal(n: Count u8, w: Window Reg, a: From Reg);
    /// Call the value of a definition.
    CallGlobal(n: Count u8, w: Window Reg, g: Global u32);
    /// Call a row; the result goes to d, which is w when the row calls functions.
    CallBuiltin(n: Count u8, w: Window Reg, d: Into Reg, r: Builtin BuiltinId);
    /// As `Call`, where perhaps only a prefix of the result is read; with the flag, if that is so for the running function.
    CallInPart(w: Window Reg, n: Count u16, y: Flag bool);
    /// w ← the sequence in w, lazy if the n functions after it and those in these definitions are pure; with the flag, only
    /// if perhaps only a prefix of the value of the running function is read.
    Lazily(w: Window Reg, n: Count u16, m: Definitions u16, y: Flag bool);

    "Collections and functions";
    /// d ← the vector of n values.
    Vector(d: Into Reg, v: Values Reg, n: Count u16);
    /// Append n values to the vector in d.
    ExtendVector(d: Changed Reg, v: Values Reg, n: Count u16);
    /// d ← the map of n keys and values.
    Map(d: Into Reg, v: Values Reg, n: Count u16);
    /// Add n keys and values to the map in d.
    ExtendMap(d: Changed Reg, v: Values Reg, n: Count u16);
    /// d ← the map of the values in the registers from v, under the keys of a literal.
    Record(d: Into Reg, v: From Reg, n: Columns u16);
    /// d ← the set of n values.
    Set(d: Into Reg, v: Values Reg, n: Count u16);
    /// Add n values to the set in d.
    ExtendSet(d: Changed Reg, v: Values Reg, n: Count u16);
    /// d ← a closure of a function.
    Closure(d: Into Reg, n: Function u32);
    /// The registers from d on ← the closures of a `letfn`.
    Group(d: Into Reg, n: Group u32);
    /// Bind a definition to the value in d, which becomes the var.
    Def(d: Changed Reg, n: Definition u32);

    "Loops over a collection";
    /// Start the loop; falls through when it needs the slow path.
    EachStart(l: Loop u16);
    /// The next element, or the end.
    EachNext(l: Loop u16);
    /// Skip to the first element for which the field tests that follow hold, as far as that can be decided here.
    EachTest(l: Loop u16);
    /// Collect a, then the next element.
    EachCollect(a: Taken Reg, l: Loop u16);
    /// The same when a is not nil.
    EachKeep(a: Taken Reg, l: Loop u16);
    /// Collect the element, then the next one.
    EachElement(l: Loop u16);
    /// Collect the elements of a, then the next element of the loop.
    EachConcat(a: Taken Reg, l: Loop u16);
    /// Collect the element under the key in a, then the next one.
    EachGroup(a: Taken Reg, l: Loop u16);
    /// Make a the accumulator, then the next element.
    EachFold(a: Taken Reg, l: Loop u16);
    /// Add a to the result, then the next element.
    EachAdd(a: From Reg, l: Loop u16);
    /// Multiply the result by a, then the next element.
    EachMultiply(a: From Reg, l: Loop u16);
    /// Leave the loop: its result is complete.
    EachEnd(l: Loop u16);

    "Updates of an entry";
    /// Start the update; falls through when it needs the slow path.
    UpdateStart(u: Update u16);
    /// Start the update of an existing entry, whose key the element of the loop over the collection in a has under keyword
    /// k; otherwise falls through to the instruction that fetches this key.
    UpdateNear(a: From Reg, u: Update u16, k: Key u16);
    /// Replace the entry with a: the end of an update.
    UpdateEnd(a: Taken Reg, u: Update u16);
    /// Do the update on the slow path: its body has done nothing yet.
    UpdateLeave(u: Update u16);
}

impl Op {
    /// A comparison of two registers.
    pub fn compare(relation: Relation, a: Reg, b: Reg) -> Op {
        match relation {
            Relation::Less => Op::Less(a, b),
            Relation::AtMost => Op::AtMost(a, b),
            Relation::Greater => Op::Greater(a, b),
            Relation::AtLeast => Op::AtLeast(a, b),
        }
    }

    /// A comparison of a register with an integer.
    pub fn compare_int(relation: Relation, a: Reg, n: i32) -> Op {
        match relation {
            Relation::Less => Op::LessInt(a, n),
            Relation::AtMost => Op::AtMostInt(a, n),
            Relation::Greater => Op::GreaterInt(a, n),
            Relation::AtLeast => Op::AtLeastInt(a, n),
        }
    }

    /// How it compares two numbers.
    pub fn relation(self) -> Option<Relation> {
        match self {
            Op::Less(..) | Op::LessInt(..) => Some(Relation::Less),
            Op::AtMost(..) | Op::AtMostInt(..) => Some(Relation::AtMost),
            Op::Greater(..) | Op::GreaterInt(..) => Some(Relation::Greater),
            Op::AtLeast(..) | Op::AtLeastInt(..) => Some(Relation::AtLeast),
            Op::Compare(relation, ..) => Some(relation),
            _ => None,
        }
    }
}

const _: () = assert!(size_of::<Op>() <= 8);
