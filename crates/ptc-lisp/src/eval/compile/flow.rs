//! Forms with control flow, and others that are more than an instruction.

use super::{Compiler, Done, Loop, To};
use crate::analyze::ir::{Kind, Node, Slot};
use crate::eval::code::{Definition, Op, Reg};
use crate::optimize::argument_order::{is_same_slot, recur_order};
use crate::optimize::tree::Made;
use crate::parse::span::Span;
use crate::stdlib::known::known;
use crate::value::{Name, Value};

impl Compiler<'_, '_> {
    pub(super) fn cond(&mut self, clauses: &mut [(Node, Node)], default: &mut Node, to: To, span: Span) -> Done {
        let mark = self.next;
        let mut ends = Vec::new();
        let skips = self.within.is_some() && matches!(default.kind, Kind::Made(Made::Skip));
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
        Ok(())
    }

    pub(super) fn body(&mut self, nodes: &mut [Node], to: To) -> Done {
        let mark = self.next;
        let Some((last, before)) = nodes.split_last_mut() else { return Ok(()) };
        for node in before {
            self.effect(node)?;
            self.next = mark;
        }
        self.go(last, to)
    }

    pub(super) fn let_in(&mut self, bindings: &mut [(Slot, Node)], body: &mut Node, to: To) -> Done {
        let mark = self.next;
        let count = bindings.len();
        for (at, (slot, init)) in bindings.iter_mut().enumerate() {
            // A value that is only named goes directly to its target.
            if at + 1 == count && matches!(to, To::Reg(_)) && body.slot() == Some(*slot) {
                return self.go(init, to);
            }
            self.into(init, *slot as Reg)?;
            self.next = mark;
        }
        self.go(body, to)
    }

    pub(super) fn looped(&mut self, bindings: &mut [(Slot, Node)], body: &mut Node, to: To) -> Done {
        let mark = self.next;
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
        Ok(())
    }

    pub(super) fn let_go(&mut self, map: Slot, keys: &mut [Node], span: Span) -> Done {
        let mark = self.next;
        for key in keys {
            let register = self.operand(key)?;
            self.emit(Op::LetGo(map as Reg, register), span);
            self.next = mark;
        }
        Ok(())
    }

    pub(super) fn clear(&mut self, slots: &[Slot], span: Span) {
        for slot in slots {
            if self.element(*slot).is_none() {
                self.emit(Op::Nil(*slot as Reg), span);
            }
        }
    }

    /// The ways out of what a function of a collection does.
    pub(super) fn leave(&mut self, kind: &Kind, span: Span) {
        match (kind, self.leaves, self.within) {
            (Kind::Made(Made::Leave), Some(number), _) => self.emit(Op::UpdateLeave(number), span),
            (Kind::Made(Made::Stop), _, Some(number)) => self.emit(Op::EachEnd(number), span),
            (Kind::Made(Made::Skip), _, Some(number)) => self.emit(Op::EachNext(number), span),
            _ => {}
        }
    }

    pub(super) fn define(&mut self, made: Definition, value: &mut Node, once: bool, d: Reg, span: Span) -> Done {
        let (name, definition) = (made.name.clone(), self.code.definitions.len() as u32);
        self.code.definitions.push(made);
        let skip = once.then(|| self.jump(Op::JumpIfDefined(definition as u16, 0), span));
        self.into(value, d)?;
        self.emit(Op::Def(d, definition), span);
        if let Some(skip) = skip {
            let end = self.jump(Op::Jump(0), span);
            self.land([skip]);
            self.load(&Value::Var(name), d, span);
            self.land([end]);
        }
        Ok(())
    }

    pub(super) fn data(&mut self, name: &Name, d: Reg, span: Span) {
        let name = if name.as_str() == "fail" { Value::Nil } else { Value::Keyword(name.clone()) };
        let constant = self.constant(&name);
        self.emit(Op::Data(d, constant), span);
    }

    /// `and` and `or`: leave at the first value for which `leave` jumps.
    pub(super) fn chain(&mut self, nodes: &mut [Node], to: To, span: Span, leave: fn(Reg, u32) -> Op) -> Done {
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

    pub(super) fn recur(&mut self, args: &mut [Node], span: Span) -> Done {
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
}

/// Whether it is the local plus one.
fn is_incremented(node: &Node, slot: Slot) -> bool {
    matches!(node.builtin_call(), Some((id, [arg])) if id == known().inc && arg.slot() == Some(slot))
}
