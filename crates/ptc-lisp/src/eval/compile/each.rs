//! Loops over collections, and updates of entries, with their bodies inlined.

use super::field_test::{begins_with_test, field_tests};
use super::{Compiler, Done, Loop, NOTHING, too_large};
use crate::analyze::ir::{Kind, Node, Slot};
use crate::eval::code::{EachCode, LoopLocal, Op, OverCode, Reg, UpdateCode};
use crate::optimize::reads_fields_only;
use crate::optimize::tree::{Each, LoopKind, LoopSource, Made, Update};
use crate::parse::span::Span;
use crate::value::Value;

impl Compiler<'_, '_> {
    /// The slow path for collections that need it, then the body and its rounds.
    #[expect(clippy::too_many_lines, reason = "the code of a loop, in the order in which it runs")]
    pub(super) fn each(&mut self, each: &mut Each, d: Reg, span: Span) -> Done {
        let around = self.within.filter(|_| each.nested);
        let window = match around.and_then(|around| self.code.eaches.get(usize::from(around))) {
            Some(around) => around.window,
            None => self.result_register(d, span),
        };
        let over = match &mut each.over {
            LoopSource::Items(items) => OverCode::Items(self.operand_of_loop(items)?),
            LoopSource::Range([start, end]) => {
                OverCode::Range(self.operand_of_loop(start)?, self.operand_of_loop(end)?)
            }
        };
        let init = each.init.as_mut().map(|init| self.operand_of_loop(init)).transpose()?;
        let callee = each.callee.as_mut().map(|callee| self.operand_of_loop(callee)).transpose()?;
        let beside = each.beside.as_mut().map(|beside| self.operand_of_loop(beside)).transpose()?;
        let (index, holder, _) = (self.temp(span), self.temp(span), beside.map(|_| self.temp(span)));
        let number = self.number(self.code.eaches.len(), span)?;
        let params = each.first as Reg;
        let element = each.element();
        let in_place =
            matches!(over, OverCode::Items(_)) && each.parts.is_none() && reads_fields_only(&mut each.body, element);
        self.emit(Op::EachStart(number), span);
        let slow = self.here();
        self.code.eaches.push(EachCode {
            does: each.does,
            window,
            over,
            init,
            callee: callee.map(|callee| callee.register),
            beside,
            nested: around.is_some(),
            holder,
            state: index..self.next as Reg,
            params,
            element: element as Reg,
            index: each.indexed.then_some(params),
            parts: each.parts,
            arguments: each.params() as u16,
            in_place,
            takes_maps: each.takes_maps,
            warns: each.warns,
            tests: Vec::new(),
            passed: 0,
            failed: 0,
            slow,
            start: 0,
            end: 0,
            locals: params + each.own_params() as Reg..params + each.slots as Reg,
            temporaries: NOTHING,
        });
        let slow = match around {
            Some(around) => {
                let made = self.temp(span);
                self.into(&mut each.slow, made)?;
                self.jump(Op::EachConcat(made, around), span)
            }
            None => {
                self.into(&mut each.slow, window)?;
                self.jump(Op::Jump(0), span)
            }
        };
        let start = self.here();
        let is_plain = matches!(over, OverCode::Items(_)) && each.parts.is_none() && beside.is_none() && !each.indexed;
        let has_tests = is_plain && begins_with_test(each.does, &each.body, element);
        if has_tests {
            self.emit(Op::EachTest(number), span);
        }
        let kept = std::mem::replace(&mut self.kept, NOTHING);
        let (next, handlers) = (self.next as Reg, self.code.handlers.len());
        self.elements.extend(in_place.then_some((element, holder)));
        let outside = self.within.replace(number);
        self.loops.push(Loop { slots: each.sets.clone(), again: Op::EachNext(number) });
        let skips = std::mem::take(&mut self.skips);
        self.rounds(&mut each.body, each.does, window, params, number, span)?;
        let skips = std::mem::replace(&mut self.skips, skips);
        if !skips.is_empty() {
            self.land(skips);
            self.emit(Op::EachNext(number), span);
        }
        self.loops.pop();
        self.within = outside;
        if in_place {
            self.elements.pop();
        }
        let temporaries = self.temporaries_since(kept, next, handlers);
        self.land([slow]);
        let end = self.here();
        let tests = if has_tests { field_tests(&self.code, number, start, end) } else { Default::default() };
        if let Some(code) = self.code.eaches.get_mut(usize::from(number)) {
            (code.start, code.end, code.temporaries) = (start, end, temporaries);
            (code.tests, code.passed, code.failed) = tests;
        }
        if around.is_none() {
            self.fetch(d, window, span);
        }
        Ok(())
    }

    /// `d` when it is the topmost temporary, else a new one.
    pub(super) fn result_register(&mut self, d: Reg, span: Span) -> Reg {
        if u32::from(d) + 1 == self.next && u32::from(d) >= self.locals { d } else { self.temp(span) }
    }

    fn number(&self, count: usize, span: Span) -> Done<u16> {
        u16::try_from(count).map_err(|_| too_large(span))
    }

    /// The register of a local that is an operand of a loop, and whether it may be moved out.
    fn operand_of_loop(&mut self, node: &mut Node) -> Done<LoopLocal> {
        let moves = matches!(node.kind, Kind::Local { last: true, .. });
        Ok(LoopLocal { register: self.operand(node)?, moves })
    }

    /// The temporaries that may hold a reference after a body that started with register `next`.
    fn temporaries_since(&mut self, kept: std::ops::Range<Reg>, next: Reg, handlers: usize) -> std::ops::Range<Reg> {
        let temporaries = std::mem::replace(&mut self.kept, kept);
        // A caught error leaves values in registers when the instructions that would have taken them did not run.
        if self.code.handlers.len() > handlers { next..self.code.registers } else { temporaries }
    }

    /// The collection and the key in the registers of the call, the slow path, then the body.
    pub(super) fn update(&mut self, update: &mut Update, d: Reg, span: Span) -> Done {
        let window = self.result_register(d, span);
        let (collection, key, _) = (self.temp(span), self.temp(span), self.temp(span));
        let [map, under] = &mut update.args;
        let in_local = self.last_of_local(map);
        if in_local.is_none() {
            self.into(map, collection)?;
        }
        let number = self.number(self.code.updates.len(), span)?;
        self.update_near(under, number, span);
        self.into(under, key)?;
        self.emit(Op::UpdateStart(number), span);
        let slow = self.here();
        let params = update.first as Reg;
        self.code.updates.push(UpdateCode {
            window,
            holder: in_local.unwrap_or(collection),
            result: d,
            params,
            slow,
            start: 0,
            locals: params + 1..params + update.slots as Reg,
            temporaries: NOTHING,
        });
        if let Some(slot) = in_local {
            self.emit(Op::Take(collection, slot), span);
        }
        let Ok(count) = u8::try_from(update.at + update.written.len()) else { return Err(too_large(span)) };
        let first = window + 1 + update.at as Reg;
        self.put_written(&mut update.written, first, span)?;
        self.emit(Op::CallBuiltin(count, window, window, update.builtin), span);
        self.fetch(d, window, span);
        let slow = self.jump(Op::Jump(0), span);
        let start = self.here();
        let kept = std::mem::replace(&mut self.kept, NOTHING);
        let (next, handlers) = (self.next as Reg, self.code.handlers.len());
        let around = self.leaves.replace(number);
        let value = self.temp(span);
        self.into(&mut update.body, value)?;
        self.emit(Op::UpdateEnd(value, number), span);
        self.leaves = around;
        let temporaries = self.temporaries_since(kept, next, handlers);
        self.land([slow]);
        if let Some(code) = self.code.updates.get_mut(usize::from(number)) {
            (code.start, code.temporaries) = (start, temporaries);
        }
        Ok(())
    }

    /// The register of a local that is read for the last time: its value may be changed in place.
    fn last_of_local(&self, node: &Node) -> Option<Reg> {
        let Kind::Local { slot, last: true } = node.kind else { return None };
        self.element(slot).is_none().then_some(slot as Reg)
    }

    /// When the key of an update is a field of an element, it need not be fetched for an existing entry.
    fn update_near(&mut self, key: &Node, number: u16, span: Span) {
        if let Some((holder, name)) = self.field(key)
            && let Some(items) = self.element(u32::from(holder))
        {
            self.emit(Op::UpdateNear(items, number, name), span);
        }
    }

    /// The register of the collection whose element `slot` stands for.
    pub(super) fn element(&self, slot: Slot) -> Option<Reg> {
        self.elements.iter().rev().find(|(known, _)| *known == slot).map(|(_, holder)| *holder)
    }

    /// Put the function of the call, and the arguments around it, into the registers from `first` on; other arguments
    /// may already be in the registers after them.
    fn put_written(&mut self, written: &mut [Node], first: Reg, span: Span) -> Done {
        let mark = self.next;
        while self.next < u32::from(first) + written.len() as u32 {
            self.temp(span);
        }
        let behind = self.next;
        for (register, node) in (first..).zip(written) {
            if matches!(node.kind, Kind::Fn(_) | Kind::Const(_)) {
                self.into(node, register)?;
                continue;
            }
            // Temporaries needed for it must not overwrite the other arguments.
            let aside = self.temp(span);
            self.into(node, aside)?;
            self.emit(Op::Take(register, aside), span);
            self.next = behind;
        }
        self.next = mark;
        Ok(())
    }

    /// The body and the use of its value.
    fn rounds(&mut self, body: &mut Node, does: LoopKind, window: Reg, params: Reg, number: u16, span: Span) -> Done {
        let exits = self.exits.len();
        match does {
            LoopKind::Filter { truthy } => {
                self.jump_unless(body)?;
                self.emit(if truthy { Op::EachElement(number) } else { Op::EachNext(number) }, span);
                self.land_exits(exits);
                self.emit(if truthy { Op::EachNext(number) } else { Op::EachElement(number) }, span);
                return Ok(());
            }
            LoopKind::Search { truthy: false } => {
                self.jump_unless(body)?;
                self.emit(Op::EachNext(number), span);
                self.land_exits(exits);
                self.load(&Value::Bool(false), window, span);
                self.emit(Op::EachEnd(number), span);
                return Ok(());
            }
            LoopKind::Effects | LoopKind::Nest => {
                self.effect(body)?;
                self.emit(Op::EachNext(number), span);
                return Ok(());
            }
            _ => {}
        }
        let mut stays = matches!(does, LoopKind::Fold { .. });
        if stays {
            body.for_each_end(&mut |end| match &end.kind {
                // The accumulator stays in place.
                Kind::Local { slot, last: true } if *slot == Slot::from(params) => end.kind = Kind::Made(Made::Skip),
                // The updated value stays in place from round to round.
                Kind::Made(Made::Update(update)) if self.last_of_local(&update.args[0]) == Some(params) => {}
                Kind::Made(Made::Skip | Made::Stop) => {}
                _ => stays = false,
            });
        }
        let value = if stays { params } else { self.temp(span) };
        self.into(body, value)?;
        match does {
            LoopKind::Map => self.emit(Op::EachCollect(value, number), span),
            LoopKind::Keep => self.emit(Op::EachKeep(value, number), span),
            LoopKind::Concat => self.emit(Op::EachConcat(value, number), span),
            LoopKind::Group => self.emit(Op::EachGroup(value, number), span),
            LoopKind::Fold { .. } => self.emit(Op::EachFold(value, number), span),
            LoopKind::Sum { product: false, .. } => self.emit(Op::EachAdd(value, number), span),
            LoopKind::Sum { product: true, .. } => self.emit(Op::EachMultiply(value, number), span),
            LoopKind::First => {
                self.emit(Op::Take(window, value), span);
                self.emit(Op::EachEnd(number), span)
            }
            LoopKind::Search { .. } | LoopKind::Filter { .. } | LoopKind::Effects | LoopKind::Nest => {
                let skip = self.jump(Op::JumpIfFalse(value, 0), span);
                self.emit(Op::Take(window, value), span);
                self.emit(Op::EachEnd(number), span);
                self.land([skip]);
                self.emit(Op::EachNext(number), span)
            }
        };
        Ok(())
    }
}
