//! Collection literals, closures and guarded code.

use std::sync::Arc;

use super::{CHUNK, Compiler, Done, compile, compile_in};
use crate::analyze::ir::{CaptureSource, Catch, Function, Kind, Node, Slot};
use crate::eval::code::{FunctionCode, GroupCode, Handler, Op, Reg, Takes};
use crate::optimize::argument_order::element_order;
use crate::parse::span::Span;
use crate::value::{Columns, Value};

impl Compiler<'_, '_> {
    /// A collection literal, built in chunks so that any size fits into the registers.
    pub(super) fn collect(
        &mut self,
        nodes: &mut [Node],
        d: Reg,
        span: Span,
        first: fn(Reg, Reg, u16) -> Op,
        more: fn(Reg, Reg, u16) -> Op,
    ) -> Done {
        // What does not fit into one instruction is built in a temporary: elements may read the old value of `d`.
        let result = if nodes.len() > CHUNK { self.temp(span) } else { d };
        if nodes.is_empty() {
            self.emit(first(result, result, 0), span);
        }
        for (number, chunk) in nodes.chunks_mut(CHUNK).enumerate() {
            let mark = self.next;
            let start = self.next as Reg;
            let order = element_order(chunk);
            self.in_order(chunk.iter_mut(), order)?;
            let op = if number == 0 { first } else { more };
            self.emit(op(result, start, chunk.len() as u16), span);
            self.next = mark;
        }
        self.fetch(d, result, span);
        Ok(())
    }

    /// A map literal; one with few keys, all of them keywords, is a record.
    pub(super) fn map(&mut self, nodes: &mut [Node], d: Reg, span: Span) -> Done {
        const NIL: &Value = &Value::Nil;
        let keys = nodes.iter().step_by(2).map(|node| if let Kind::Const(key) = &node.kind { key } else { NIL });
        let (Some(columns), Ok(number)) = (Columns::of(keys), u16::try_from(self.code.columns.len())) else {
            return self.collect(nodes, d, span, Op::Map, Op::ExtendMap);
        };
        self.code.columns.push(Arc::new(columns));
        let start = self.next as Reg;
        // Keys are constants.
        let order = element_order(nodes).into_iter().filter(|at| at % 2 == 1).map(|at| at / 2).collect();
        self.in_order(nodes.iter_mut().skip(1).step_by(2), order)?;
        self.emit(Op::Record(d, start, number), span);
        Ok(())
    }

    pub(super) fn closure(&mut self, function: &mut Arc<Function>, d: Reg, span: Span) -> Done {
        self.prepare_captures(&function.captures, span);
        let proto = compile(Arc::make_mut(function), self.target)?;
        if function.captures.is_empty() {
            // Nothing to close over: one closure serves every evaluation.
            let closure = Value::Function(Arc::new(crate::value::Closure::new(proto, Vec::new())));
            self.load(&closure, d, span);
            return Ok(());
        }
        self.code.functions.push(FunctionCode { proto, captures: function.captures.clone() });
        self.emit(Op::Closure(d, self.code.functions.len() as u32 - 1), span);
        Ok(())
    }

    /// Put captured values where a closure looks for them.
    fn prepare_captures(&mut self, captures: &[CaptureSource], span: Span) {
        for source in captures {
            match source {
                CaptureSource::Local(slot) => {
                    if let Some(holder) = self.element(*slot) {
                        self.emit(Op::Element(*slot as Reg, holder), span);
                    }
                }
                _ => self.code.needs_callee = true,
            }
        }
    }

    pub(super) fn group(
        &mut self,
        slots: &[Slot],
        functions: &mut [Arc<Function>],
        captures: &[CaptureSource],
        span: Span,
    ) -> Done {
        self.prepare_captures(captures, span);
        let functions = functions.iter_mut().map(Arc::make_mut);
        let protos = functions.map(|function| compile_in(function, true, self.target)).collect::<Result<_, _>>()?;
        self.code.groups.push(GroupCode { protos, captures: captures.to_vec() });
        let number = self.code.groups.len() as u32 - 1;
        let mark = self.next;
        let start = self.next as Reg;
        for _ in slots {
            self.temp(span);
        }
        self.emit(Op::Group(start, number), span);
        for (at, slot) in slots.iter().enumerate() {
            self.emit(Op::Take(*slot as Reg, start + at as Reg), span);
        }
        self.next = mark;
        Ok(())
    }

    /// `try`: the body, then handlers out of line; `finally` code is emitted at the normal exit and once for signals.
    pub(super) fn guarded(
        &mut self,
        body: &mut Node,
        catches: &mut [Catch],
        finally: Option<&mut Node>,
        d: Reg,
        span: Span,
    ) -> Done {
        let pending = self.temp(span);
        let mark = self.next;
        // Inside, the value is built in a temporary: a handler must not find a partial result.
        let from = self.here();
        self.into(body, d)?;
        let to = self.here();
        let mut ends = vec![self.jump(Op::Jump(0), span)];
        let mut catch_handlers = Vec::new();
        for catch in catches.iter_mut() {
            let (target, register, takes) = (self.here(), catch.slot as Reg, Takes::Class(catch.class));
            catch_handlers.push(Handler { from, to, target, register, takes });
            self.next = mark;
            self.into(&mut catch.body, d)?;
            ends.push(self.jump(Op::Jump(0), span));
        }
        let guarded_to = self.here();
        // Inner ranges were recorded first, so the first match is the innermost.
        self.code.handlers.extend(catch_handlers);
        let Some(finally) = finally else {
            self.land(ends);
            return Ok(());
        };
        let target = self.here();
        self.code.handlers.push(Handler { from, to: guarded_to, target, register: pending, takes: Takes::Everything });
        self.next = mark;
        let again = self.jump(Op::Jump(0), span);
        self.land(ends);
        self.emit(Op::Nil(pending), span);
        self.land([again]);
        let from = self.here();
        self.effect(finally)?;
        self.next = mark;
        let to = self.here();
        self.code.handlers.push(Handler { from, to, target: to, register: pending, takes: Takes::WhilePending });
        self.emit(Op::Rethrow(pending), span);
        Ok(())
    }
}
