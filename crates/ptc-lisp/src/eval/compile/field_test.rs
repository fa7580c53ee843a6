//! Field tests at the start of the rounds of a loop: an element that fails one is skipped.

use std::sync::atomic::AtomicU8;

use super::operation::is_comparison;
use crate::analyze::ir::{Kind, Node, Slot};
use crate::eval::code::{Asks, Code, EachCode, FieldTest, Op, Reg};
use crate::optimize::tree::LoopKind;
use crate::stdlib::argument::Argument;
use crate::stdlib::known::known;
use crate::value::Value;

/// Whether the rounds of a loop may start with such a test.
pub(super) fn begins_with_test(does: LoopKind, body: &Node, element: Slot) -> bool {
    match &body.kind {
        Kind::Cond { clauses, .. } => clauses.first().is_some_and(|(test, _)| asks_field(test, element)),
        _ => matches!(does, LoopKind::Filter { .. }) && asks_field(body, element),
    }
}

fn asks_field(test: &Node, element: Slot) -> bool {
    match &test.kind {
        Kind::And(nodes) => nodes.first().is_some_and(|first| asks_field(first, element)),
        Kind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
            (Kind::Const(Value::Keyword(_)), [holder]) => holder.slot() == Some(element),
            (Kind::Const(Value::Builtin(id)), args) if *id == known().not || is_comparison(*id) => {
                args.iter().any(|arg| asks_field(arg, element))
            }
            _ => false,
        },
        _ => false,
    }
}

/// The tests after the start of a loop, where its body continues when all hold, and where it goes when one fails.
pub(super) fn field_tests(code: &Code, number: u16, start: u32, end: u32) -> (Vec<FieldTest>, u32, u32) {
    let is_next = |at: u32| match code.ops.get(at as usize) {
        Some(Op::Jump(to)) => matches!(code.ops.get(*to as usize), Some(Op::EachNext(n)) if *n == number),
        op => matches!(op, Some(Op::EachNext(n)) if *n == number),
    };
    let (mut tests, mut passed, mut failed) = (Vec::new(), start + 1, end);
    let each = code.eaches.get(usize::from(number));
    while let Some((key, asks, [holds, fails])) = each.and_then(|each| field_test(code, each, passed)) {
        let wanted = is_next(fails);
        if !wanted && !is_next(holds) {
            break;
        }
        let Value::Keyword(key) = key.clone() else { break };
        tests.push(FieldTest { key, hint: AtomicU8::default(), asks, wanted });
        (passed, failed) = if wanted { (holds, fails) } else { (fails, holds) };
    }
    (tests, passed, failed)
}

/// The test of a field of the element at `at`, where the code continues when it holds, and where when it does not.
fn field_test<'c>(code: &'c Code, each: &EachCode, at: u32) -> Option<(&'c Value, Asks, [u32; 2])> {
    let [first, second, behind @ ..] = code.ops.get(at as usize..)? else { return None };
    let constant = |k: u16| code.constants.get(usize::from(k));
    let (key, register) = match (*first, *second) {
        (Op::ElementGetKeyword(register, items, key), _) if items == each.holder => (key, register),
        (Op::GetKeyword(register, holder, key), _) if holder == each.element => (key, register),
        _ => return None,
    };
    let (read, asks, exits) = match (*second, behind) {
        (Op::TakeJumpIfFalse(read, to), _) => (read, Asks::IsTruthy, [at + 2, to]),
        (Op::TakeJumpIfTrue(read, to), _) => (read, Asks::IsTruthy, [to, at + 2]),
        (test, [Op::Jump(to), ..]) => {
            let (read, asks) = comparison(code, test)?;
            (read, asks, [at + 3, *to])
        }
        _ => return None,
    };
    // A local may be read again.
    (read == register && register >= code.locals).then_some((constant(key)?, asks, exits))
}

/// The register that is compared with a constant, and what is checked.
fn comparison(code: &Code, test: Op) -> Option<(Reg, Asks)> {
    let constant =
        |argument: Argument| argument.in_register().is_none().then(|| argument.of(&[], &code.constants).copy());
    match (test, test.relation()) {
        (Op::Equal(_, a, b), _) => Some((a.in_register()?, Asks::Equals(constant(b).filter(Value::is_scalar)?))),
        (Op::Compare(_, a, b), Some(relation)) => {
            Some((a.in_register()?, Asks::Compares(relation, constant(b).filter(Value::is_number)?)))
        }
        (Op::LessInt(a, n) | Op::AtMostInt(a, n) | Op::GreaterInt(a, n) | Op::AtLeastInt(a, n), Some(relation)) => {
            Some((a, Asks::Compares(relation, Value::Int(n.into()))))
        }
        _ => None,
    }
}
