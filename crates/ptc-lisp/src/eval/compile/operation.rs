//! Calls, arithmetic and comparisons.

use super::{Compiler, Done, known, too_large};
use crate::analyze::ir::{Kind, Node};
use crate::eval::code::{Code, Op, Reg};
use crate::optimize::argument_order::argument_order;
use crate::optimize::last_uses::reads;
use crate::optimize::peephole::only_test;
use crate::parse::span::Span;
use crate::stdlib::Run;
use crate::stdlib::argument::{Argument, Arithmetic};
use crate::stdlib::quick::Quick;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

impl Compiler<'_, '_> {
    /// Emit jumps, added to `exits`, that are taken when `test` does not hold.
    pub(super) fn jump_unless(&mut self, test: &mut Node) -> Done {
        only_test(test);
        let span = test.span;
        let mark = self.next;
        match &mut test.kind {
            Kind::And(nodes) if !nodes.is_empty() => {
                for node in nodes {
                    self.jump_unless(node)?;
                }
                return Ok(());
            }
            Kind::Or(nodes) if !nodes.is_empty() => return self.jump_unless_any(nodes),
            Kind::Call { callee, args } => {
                let exit = match (callee.builtin(), args.as_mut_slice()) {
                    (Some(id), [arg]) if id == known().not => Some(self.jump_when(arg, span)?),
                    (Some(id), args) => self.test_builtin(id, args, span)?,
                    _ => None,
                };
                if let Some(exit) = exit {
                    self.next = mark;
                    self.exits.push(exit);
                    return Ok(());
                }
            }
            _ => {}
        }
        let register = self.operand(test)?;
        self.next = mark;
        let jump = if self.is_temporary(register) { Op::TakeJumpIfFalse } else { Op::JumpIfFalse };
        let exit = self.jump(jump(register, 0), span);
        self.exits.push(exit);
        Ok(())
    }

    /// Like [`Compiler::jump_unless`], taken when none of these holds.
    fn jump_unless_any(&mut self, tests: &mut [Node]) -> Done {
        let Some((last, before)) = tests.split_last_mut() else { return Ok(()) };
        let hits = before.iter_mut().map(|test| self.jump_when(test, test.span)).collect::<Result<Vec<_>, _>>()?;
        self.jump_unless(last)?;
        self.land(hits);
        Ok(())
    }

    /// Emit a jump that is taken when `test` holds.
    fn jump_when(&mut self, test: &mut Node, span: Span) -> Done<usize> {
        only_test(test);
        let mark = self.next;
        if matches!(&test.kind, Kind::And(_) | Kind::Or(_) | Kind::Call { .. }) && self.is_test(test) {
            let exits = self.exits.len();
            self.jump_unless(test)?;
            let hit = self.jump(Op::Jump(0), span);
            self.land_exits(exits);
            return Ok(hit);
        }
        let register = self.operand(test)?;
        self.next = mark;
        let jump = if self.is_temporary(register) { Op::TakeJumpIfTrue } else { Op::JumpIfTrue };
        Ok(self.jump(jump(register, 0), span))
    }

    /// Whether `node` is a test that can jump without computing a value.
    fn is_test(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::And(_) | Kind::Or(_) => true,
            Kind::Call { callee, args } => callee.builtin().is_some_and(|id| is_quick_test(id, args.len())),
            _ => false,
        }
    }

    fn is_temporary(&self, register: Reg) -> bool {
        u32::from(register) >= self.locals
    }

    /// The register and the key of `(:key local)`.
    pub(super) fn field(&mut self, node: &Node) -> Option<(Reg, u16)> {
        let Kind::Call { callee, args } = &node.kind else { return None };
        let (Kind::Const(key @ Value::Keyword(_)), [holder]) = (&callee.kind, args.as_slice()) else { return None };
        let slot = holder.slot()?;
        // Space for this constant and then for the lookup itself: the code that skips the lookup relies on it being one
        // instruction.
        (self.code.constants.len() + 1 < usize::from(u16::MAX)).then(|| (slot as Reg, self.constant(key) as u16))
    }

    /// A register that holds the value of `node`, to read in place.
    pub(super) fn operand(&mut self, node: &mut Node) -> Done<Reg> {
        if let Kind::Local { slot, .. } = node.kind
            && self.element(slot).is_none()
        {
            return Ok(slot as Reg);
        }
        let register = self.temp(node.span);
        self.into(node, register)?;
        Ok(register)
    }

    /// Two-argument arithmetic in one instruction; false when the call is not of that kind.
    pub(super) fn arithmetic(&mut self, id: BuiltinId, args: &mut [Node], d: Reg, span: Span) -> Done<bool> {
        let ids = known();
        match args {
            [arg] if id == ids.inc || id == ids.dec => {
                let a = self.operand(arg)?;
                self.emit(if id == ids.inc { Op::Inc(d, a) } else { Op::Dec(d, a) }, span);
            }
            // The sign says which function was written, for errors; and `(- -0.0 0)` is not `(+ -0.0 0)`.
            [left, right]
                if let (Some(n), true) = (small_int::<i16>(right), id == ids.add || id == ids.sub)
                    && (n > 0 || (n == 0 && id == ids.add)) =>
            {
                let a = self.operand(left)?;
                self.emit(Op::AddInt(d, a, if id == ids.sub { -n } else { n }), span);
            }
            [_, _, ..] if let Some(function) = folded(id) => {
                let Some(operands) = self.readings(args)? else { return Ok(false) };
                let Some((first, [between @ .., last])) = operands.split_first() else { return Ok(false) };
                let mut so_far = *first;
                for operand in between {
                    let next = self.temp(span);
                    self.calculate(function, next, [so_far, *operand], span);
                    so_far = Argument::register(u32::from(next), false).unwrap_or_default();
                }
                self.calculate(function, d, [so_far, *last], span);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Operands that are only read, after all of them were evaluated; `None` when operands cannot name them.
    fn readings(&mut self, args: &mut [Node]) -> Done<Option<Vec<Argument>>> {
        let spare = 2 * args.len() as u32;
        self.arguments(args, spare, |compiler, arg| Ok(Argument::register(u32::from(compiler.operand(arg)?), false)))
    }

    /// Constants, and the result of `make` for the others; `None` when operands cannot name them or `spare`
    /// temporaries.
    fn arguments(
        &mut self,
        args: &mut [Node],
        spare: u32,
        make: fn(&mut Self, &mut Node) -> Done<Option<Argument>>,
    ) -> Done<Option<Vec<Argument>>> {
        let most = Argument::constant((self.code.constants.len() + args.len()) as u32);
        if most.is_none() || Argument::register(self.next + spare, false).is_none() {
            return Ok(None);
        }
        let mut operands = vec![Argument::default(); args.len()];
        for at in argument_order(args) {
            let (Some(arg), Some(operand)) = (args.get_mut(at), operands.get_mut(at)) else { continue };
            let made = match &arg.kind {
                Kind::Const(value) => Argument::constant(self.constant(value)),
                _ => make(self, arg)?,
            };
            *operand = made.unwrap_or_default();
        }
        Ok(Some(operands))
    }

    fn calculate(&mut self, function: Arithmetic, d: Reg, operands: [Argument; 2], span: Span) {
        let op = match (function, operands.map(Argument::in_register)) {
            (Arithmetic::Add, [Some(a), Some(b)]) => Op::Add(d, a, b),
            (Arithmetic::Sub, [Some(a), Some(b)]) => Op::Sub(d, a, b),
            (Arithmetic::Mul, [Some(a), Some(b)]) => Op::Mul(d, a, b),
            _ => Op::Arithmetic(function, d, operands[0], operands[1]),
        };
        self.emit(op, span);
    }

    /// Put true or false into `d`, by a test that jumps at `skip`.
    fn boolean(&mut self, skip: usize, d: Reg, span: Span) {
        self.load(&Value::Bool(true), d, span);
        let end = self.jump(Op::Jump(0), span);
        self.land([skip]);
        self.load(&Value::Bool(false), d, span);
        self.land([end]);
    }

    pub(super) fn call(&mut self, callee: &mut Node, args: &mut [Node], d: Reg, span: Span) -> Done {
        let count = u8::try_from(args.len());
        match (&callee.kind, &mut *args) {
            (Kind::Const(Value::Builtin(id)), _) => {
                let id = *id;
                if self.arithmetic(id, args, d, span)? {
                    return Ok(());
                }
                if is_quick_test(id, args.len()) {
                    if let Some(skip) = self.test_builtin(id, args, span)? {
                        self.boolean(skip, d, span);
                        return Ok(());
                    }
                } else if let Some((number, operands)) = self.quick(id, args)? {
                    self.quick_call(number, &operands, d, span);
                    return Ok(());
                }
                if let Ok(count) = count {
                    let window = self.window(None, args, d, span)?;
                    let is_plain = matches!(table().entry(id).row.run, Run::Plain(_));
                    let result = if is_plain { d } else { window };
                    self.emit(Op::CallBuiltin(count, window, result, id), span);
                    self.fetch(d, result, span);
                    return Ok(());
                }
            }
            (Kind::Const(value @ Value::Keyword(_)), [arg]) if self.code.constants.len() < usize::from(u16::MAX) => {
                let constant = self.constant(value) as u16;
                if let Some(items) = arg.slot().and_then(|slot| self.element(slot)) {
                    self.emit(Op::ElementGetKeyword(d, items, constant), span);
                    return Ok(());
                }
                let a = self.operand(arg)?;
                let is_read_again = matches!(arg.kind, Kind::Local { last: false, .. }) || a == d;
                let op = if is_read_again { Op::GetKeyword } else { Op::TakeKeyword };
                self.emit(op(d, a, constant), span);
                return Ok(());
            }
            _ => {}
        }
        let (window, op) = match (&callee.kind, count) {
            (Kind::Global(global), Ok(count)) => {
                let window = self.window(None, args, d, span)?;
                (window, Op::CallGlobal(count, window, *global))
            }
            (Kind::Local { slot, .. }, Ok(count))
                if self.element(*slot).is_none() && !args.iter().any(|arg| reads(arg, *slot)) =>
            {
                let window = self.window(None, args, d, span)?;
                (window, Op::CallLocal(count, window, *slot as Reg))
            }
            _ => {
                let window = self.window(Some(callee), args, d, span)?;
                (window, Op::Call(window, args.len() as u16))
            }
        };
        self.emit(op, span);
        self.fetch(d, window, span);
        Ok(())
    }

    /// A call of which perhaps only a prefix is read.
    pub(super) fn call_in_part(&mut self, call: &mut Node, returned: bool, d: Reg) -> Done {
        let span = call.span;
        let Kind::Call { callee, args } = &mut call.kind else { return self.into(call, d) };
        // The place of an error about the callee is that of the call.
        callee.span = span;
        let window = self.window(Some(callee), args, d, span)?;
        self.emit(Op::CallInPart(window, args.len() as u16, returned), span);
        self.fetch(d, window, span);
        Ok(())
    }

    /// Emit a test by a quick call; returns the place of its jump, or `None` when the builtin has no quick call.
    fn test_builtin(&mut self, id: BuiltinId, args: &mut [Node], span: Span) -> Done<Option<usize>> {
        let Some(number) = table().entry(id).quick.filter(|_| is_quick_test(id, args.len())) else { return Ok(None) };
        let quick = Quick::numbered(number);
        if let (Quick::Compare(relation), [left, right]) = (quick, &mut *args)
            && let Some(n) = small_int(right)
        {
            let op = Op::compare_int(*relation, self.operand(left)?, n);
            self.emit(op, span);
            return Ok(Some(self.jump(Op::Jump(0), span)));
        }
        let mark = self.next;
        let operands = match quick {
            Quick::Compare(_) | Quick::Equal => self.readings(args)?,
            _ => self.quick(id, args)?.map(|(_, operands)| operands),
        };
        let Some(operands) = operands else { return Ok(None) };
        let op = match (quick, operands.as_slice()) {
            (Quick::Compare(relation), [a, b]) => match (a.in_register(), b.in_register()) {
                (Some(a), Some(b)) => Op::compare(*relation, a, b),
                _ => Op::Compare(*relation, *a, *b),
            },
            (Quick::Equal, [a, b]) => {
                (mark..self.next).for_each(|register| self.keeps(register as Reg));
                // A loop knows what it asks of a field by the constant after it.
                if a.in_register().is_none() { Op::Equal(number, *b, *a) } else { Op::Equal(number, *a, *b) }
            }
            (Quick::Test(test), [a]) => Op::TestValue(*test, *a),
            (_, [a]) => Op::Ask1(number, *a),
            (_, [a, b]) => Op::Ask2(number, *a, *b),
            _ => return Err(too_large(span)),
        };
        self.emit(op, span);
        Ok(Some(self.jump(Op::Jump(0), span)))
    }

    /// Emit the quick call with this number.
    fn quick_call(&mut self, number: u8, operands: &[Argument], d: Reg, span: Span) {
        let op = match (Quick::numbered(number), operands) {
            (Quick::First, [a]) => Op::First(number, d, *a),
            (Quick::Rest, [a]) => Op::Rest(number, d, *a),
            (Quick::Pattern(pattern), [a]) => Op::Pattern(*pattern, d, *a, 0),
            (Quick::Item(_), [a, b]) => Op::Item(number, d, *a, *b),
            (Quick::Arithmetic(function), [a, b]) => Op::Arithmetic(*function, d, *a, *b),
            (_, [a]) => Op::Builtin1(number, d, *a),
            (_, [a, b]) => Op::Builtin2(number, d, *a, *b),
            (_, more) => Op::Builtin(number, d, more.len() as u16),
        };
        self.emit(op, span);
        if let Op::Item(_, _, whole, _) = op
            && whole.is_last()
        {
            self.join_items(whole);
        }
        if matches!(op, Op::Builtin(..)) {
            for three in operands.chunks(3) {
                let at = |at: usize| three.get(at).copied().unwrap_or_default();
                self.emit(Op::Three(at(0), at(1), at(2)), span);
            }
        }
    }

    /// Tell the pattern how many `Item`s after it, this one the last, put everything that is read of `whole` into
    /// consecutive registers.
    fn join_items(&mut self, whole: Argument) {
        let Code { ops, constants, .. } = &mut self.code;
        let number = table().entry(known().nth_part).quick;
        let start = ops.iter().rposition(|op| !matches!(op, Op::Item(..)));
        let Some((Op::Pattern(_, held, _, parts), items)) = start.and_then(|at| ops.get_mut(at..)?.split_first_mut())
        else {
            return;
        };
        let Some(Op::Item(_, first, ..)) = items.first().copied() else { return };
        let is_part = |(op, at): (&Op, u16)| match op {
            Op::Item(known, d, of, index) => {
                Some(*known) == number
                    && *d == first + at
                    && of.index() == whole.index()
                    && matches!(index.of(&[], constants), Value::Int(n) if *n == i64::from(at))
            }
            _ => false,
        };
        if usize::from(*held) == whole.index() && items.iter().zip(0..).all(is_part) {
            *parts = items.len() as u16;
        }
    }

    /// A builtin on operands in place: the number of its quick call with the operands, or `None` when the row has no
    /// quick call for this many.
    fn quick(&mut self, id: BuiltinId, args: &mut [Node]) -> Done<Option<(u8, Vec<Argument>)>> {
        let entry = table().entry(id);
        let takes = |number: &u8| Quick::numbered(*number).takes(args.len()) && entry.accepts(args.len());
        let Some(number) = entry.quick.filter(|number| takes(number) && !reads_twice(args)) else { return Ok(None) };
        // Locals come last in the order, and are read in place.
        let operands = self.arguments(args, args.len() as u32, |compiler, arg| {
            let is_last = !matches!(arg.kind, Kind::Local { slot, last: false } if compiler.element(slot).is_none());
            Ok(Argument::register(u32::from(compiler.operand(arg)?), is_last))
        })?;
        Ok(operands.map(|operands| (number, operands)))
    }

    /// Move a call's result from its window to its target.
    pub(super) fn fetch(&mut self, d: Reg, window: Reg, span: Span) {
        if d != window {
            self.emit(Op::Take(d, window), span);
        }
    }

    /// Put callee and arguments into consecutive temporaries; returns the callee's register, which is `d` when that is
    /// the topmost temporary.
    pub(super) fn window(&mut self, callee: Option<&mut Node>, args: &mut [Node], d: Reg, span: Span) -> Done<Reg> {
        if args.len() > usize::from(u16::MAX) - 1 {
            return Err(too_large(span));
        }
        let window = self.result_register(d, span);
        if let Some(callee) = callee {
            self.into(callee, window)?;
        }
        let order = argument_order(args);
        self.in_order(args.iter_mut(), order)?;
        Ok(window)
    }

    /// Put the values of these nodes into consecutive temporaries, evaluated in this order.
    pub(super) fn in_order<'n>(&mut self, nodes: impl Iterator<Item = &'n mut Node>, order: Vec<usize>) -> Done {
        let mut nodes: Vec<Option<&mut Node>> = nodes.map(Some).collect();
        let first = self.next;
        for at in order {
            let Some(node) = nodes.get_mut(at).and_then(Option::take) else { continue };
            let register = first + at as u32;
            // Lower registers belong to nodes that come later.
            self.next = self.next.max(register);
            if self.next == register {
                self.temp(node.span);
            }
            self.into(node, register as Reg)?;
        }
        Ok(())
    }
}

/// Whether the builtin compares two values, by an instruction.
pub(super) fn is_comparison(id: BuiltinId) -> bool {
    matches!(table().entry(id).row.quick, Some(Quick::Compare(_) | Quick::Equal))
}

/// Arithmetic that folds from left to right over any number of arguments.
fn folded(id: BuiltinId) -> Option<Arithmetic> {
    let ids = known();
    let all = [(ids.add, Arithmetic::Add), (ids.sub, Arithmetic::Sub), (ids.mul, Arithmetic::Mul)];
    all.into_iter().find(|(known, _)| *known == id).map(|(_, function)| function)
}

/// Whether calls of this builtin with this many arguments are tests that compute no value.
fn is_quick_test(id: BuiltinId, count: usize) -> bool {
    let quick = table().entry(id).quick.map(Quick::numbered);
    quick.is_some_and(|quick| quick.is_test() && quick.takes(count))
}

/// Whether two of these arguments are the same local.
fn reads_twice(args: &[Node]) -> bool {
    let slots: Vec<_> = args.iter().filter_map(Node::slot).collect();
    slots.iter().enumerate().any(|(at, slot)| slots.iter().skip(at + 1).any(|other| other == slot))
}

/// A constant that fits an instruction.
fn small_int<N: TryFrom<i64>>(node: &Node) -> Option<N> {
    if let Kind::Const(Value::Int(n)) = node.kind { N::try_from(n).ok() } else { None }
}
