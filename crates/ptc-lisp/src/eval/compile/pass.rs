//! Passes whose bodies stand in place.

use super::{Compiler, Done, NOTHING, too_large};
use crate::analyze::ir::{Does, Kind, Node, Pass, Slot};
use crate::eval::code::{Op, PassCode, Reg};
use crate::eval::inline::reads_fields_only;
use crate::span::Span;
use crate::value::Value;

impl Compiler<'_, '_> {
    /// The arguments in the registers of the call, the slow path for those that need it, then the body and its loop.
    pub(super) fn pass(&mut self, pass: &mut Pass, d: Reg, span: Span) -> Done {
        let window = if u32::from(d) + 1 == self.next && u32::from(d) >= self.locals { d } else { self.temp(span) };
        let count = pass.args.len() + 1;
        let function = if pass.does == Does::Update { 2 } else { pass.at };
        let mut args = pass.args.iter_mut();
        let mut in_local = None;
        for at in 0..count {
            let register = self.temp(span);
            if at == function {
                continue;
            }
            if let Some(arg) = args.next() {
                if pass.does == Does::Update
                    && at == 0
                    && let Some(slot) = self.last_of_local(arg)
                {
                    in_local = Some(slot);
                    continue;
                }
                if pass.does == Does::Update && at == 1 {
                    self.update_near(arg, span);
                }
                self.into(arg, register)?;
            }
        }
        let Ok(number) = u16::try_from(self.code.passes.len()) else { return Err(too_large(span)) };
        let holder = in_local.unwrap_or(if pass.does == Does::Update { window + 1 } else { window + count as Reg });
        let params = pass.first as Reg;
        let element =
            pass.does.element().map(|at| pass.first + at).filter(|slot| reads_fields_only(&mut pass.body, *slot));
        let mut code = PassCode {
            does: pass.does,
            window,
            holder,
            result: d,
            params,
            in_place: element.is_some(),
            takes_maps: pass.takes_maps,
            slow: 0,
            start: 0,
            end: 0,
            locals: params + pass.does.params() as Reg..params + pass.slots as Reg,
            temporaries: NOTHING,
        };
        self.emit(if pass.does == Does::Update { Op::UpdateStart(number) } else { Op::PassStart(number) }, span);
        code.slow = self.here();
        if let Some(slot) = in_local {
            self.emit(Op::Take(window + 1, slot), span);
        }
        let slow = self.slow_path(pass, window, d, span)?;
        code.start = self.here();
        // Numbers are given in the order in which passes begin; those within the body come behind.
        let place = self.code.passes.len();
        self.code.passes.push(code);
        let kept = std::mem::replace(&mut self.kept, NOTHING);
        let (next, handlers) = (self.next as Reg, self.code.handlers.len());
        self.elements.extend(element.map(|slot| (slot, holder)));
        let around = self.within.replace(number);
        self.rounds(&mut pass.body, pass.does, window, params, number, span)?;
        self.within = around;
        if element.is_some() {
            self.elements.pop();
        }
        let mut temporaries = std::mem::replace(&mut self.kept, kept);
        if self.code.handlers.len() > handlers {
            // A caught error leaves values where the instructions that would have taken them did not run.
            temporaries = next..self.code.registers;
        }
        self.land(slow);
        let end = self.here();
        if let Some(code) = self.code.passes.get_mut(place) {
            (code.end, code.temporaries) = (end, temporaries);
        }
        if pass.does != Does::Update {
            self.fetch(d, window, span);
        }
        Ok(())
    }

    /// The register of a local that is read for the last time: what is there may be changed where it is.
    fn last_of_local(&self, node: &Node) -> Option<Reg> {
        match node.kind {
            Kind::Local { slot, last: true } if self.element(slot).is_none() => Some(slot as Reg),
            _ => None,
        }
    }

    /// When the key of an update is a field of an element, it need not be fetched for an entry that is there.
    fn update_near(&mut self, key: &Node, span: Span) {
        if let (Some((holder, name)), Ok(number)) = (self.field(key), u16::try_from(self.code.passes.len()))
            && let Some(items) = self.element(u32::from(holder))
        {
            self.emit(Op::UpdateNear(items, number, name), span);
        }
    }

    /// The collection whose element `slot` stands for.
    pub(super) fn element(&self, slot: Slot) -> Option<Reg> {
        self.elements.iter().rev().find(|(known, _)| *known == slot).map(|(_, holder)| *holder)
    }

    /// The call as it was written, with a jump to what comes behind the pass.
    fn slow_path(&mut self, pass: &mut Pass, window: Reg, d: Reg, span: Span) -> Result<usize, crate::error::Error> {
        if let Some(call) = &mut pass.slow {
            let inlines = std::mem::replace(&mut self.target.inlines, false);
            let done = self.into(call, window);
            self.target.inlines = inlines;
            done?;
            return Ok(self.emit(Op::Jump(0), span));
        }
        let count =
            if pass.does == Does::Update { (pass.at + pass.written.len()) as u16 } else { pass.args.len() as u16 + 1 };
        let function = window + 1 + pass.at as Reg;
        let inlines = std::mem::replace(&mut self.target.inlines, false);
        let done = self.put_written(&mut pass.written, function, span);
        self.target.inlines = inlines;
        done?;
        self.emit(Op::CallBuiltin(window, count, pass.builtin), span);
        if pass.does == Does::Update {
            self.fetch(d, window, span);
        }
        Ok(self.emit(Op::Jump(0), span))
    }

    /// The function of the call, and what stands around it, into the registers from `first` on, where arguments may
    /// stand behind.
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
            // What it takes to make it must not stand on the other arguments.
            let aside = self.temp(span);
            self.into(node, aside)?;
            self.emit(Op::Take(register, aside), span);
            self.next = behind;
        }
        self.next = mark;
        Ok(())
    }

    /// The body and what becomes of its value.
    fn rounds(&mut self, body: &mut Node, does: Does, window: Reg, params: Reg, number: u16, span: Span) -> Done {
        let exits = self.exits.len();
        match does {
            Does::Filter { truthy } => {
                self.jump_unless(body)?;
                self.emit(if truthy { Op::PassElement(number) } else { Op::PassNext(number) }, span);
                self.land_exits(exits);
                self.emit(if truthy { Op::PassNext(number) } else { Op::PassElement(number) }, span);
                return Ok(());
            }
            Does::Search { truthy: false } => {
                self.jump_unless(body)?;
                self.emit(Op::PassNext(number), span);
                self.land_exits(exits);
                let no = self.constant(&Value::Bool(false));
                self.emit(Op::Const(window, no), span);
                self.emit(Op::PassEnd(number), span);
                return Ok(());
            }
            _ => {}
        }
        let value = match (does, &body.kind) {
            // What is updated stays where it is from round to round.
            (Does::Fold { .. }, Kind::Pass(update))
                if update.does == Does::Update
                    && update.args.first().is_some_and(|map| self.last_of_local(map) == Some(params)) =>
            {
                params
            }
            _ => self.temp(span),
        };
        self.into(body, value)?;
        match does {
            Does::Map => self.emit(Op::PassCollect(value, number), span),
            Does::Keep => self.emit(Op::PassKeep(value, number), span),
            Does::Fold { .. } => self.emit(Op::PassFold(value, number), span),
            Does::Sum { product: false, .. } => self.emit(Op::PassAdd(value, number), span),
            Does::Sum { product: true, .. } => self.emit(Op::PassMultiply(value, number), span),
            Does::Update => self.emit(Op::UpdateEnd(value, number), span),
            Does::First => {
                self.emit(Op::Take(window, value), span);
                self.emit(Op::PassEnd(number), span)
            }
            Does::Search { .. } | Does::Filter { .. } => {
                let skip = self.emit(Op::JumpIfFalse(value, 0), span);
                self.emit(Op::Take(window, value), span);
                self.emit(Op::PassEnd(number), span);
                self.land(skip);
                self.emit(Op::PassNext(number), span)
            }
        };
        Ok(())
    }
}
