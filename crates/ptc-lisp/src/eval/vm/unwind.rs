//! Propagating errors: handlers, `finally`, positions and traces.

use std::sync::Arc;

use super::operands::clear;
use super::{Frame, Machine, NativeFrame, Turn};
use crate::error::advice::call as advice;
use crate::error::warning::WarningCode;
use crate::error::{Called, Error, Exception, Reason, Signal, err};
use crate::eval::code::{Code, Handler, Takes};
use crate::eval::code_table::CodeTable;
use crate::eval::native::Native;
use crate::parse::span::Span;
use crate::value::Value;

/// Forms whose first part is a test.
const TESTS: [&str; 8] = ["if", "if-not", "when", "when-not", "not", "and", "or", "cond"];

/// The most frames that are examined where a place is noted before each of many calls.
const NEAR: usize = 64;

impl Machine {
    /// Find the handler of `signal` and continue there, or return the signal when nothing handles it.
    pub(super) fn unwind(&mut self, codes: &CodeTable, signal: Box<Signal>) -> Result<Turn, Box<Signal>> {
        let mut signal = signal;
        match &mut *signal {
            Signal::Error(error) => {
                self.name_origin(error);
                self.locate(codes, error);
                if error.reason.is_limit() {
                    self.add_for_endless(error);
                    return Err(signal);
                }
            }
            Signal::Return(_) | Signal::Fail(_) => self.ended_at = self.place(codes),
            Signal::Need { .. } | Signal::NeedAll(_) | Signal::Busy(_) => {
                return Err(err(Reason::InternalError, "a sequence was needed where none can be realised"));
            }
        }
        while let Some(frame) = self.frames.last().copied() {
            while self.natives.last().is_some_and(|native| native.depth >= self.frames.len()) {
                if let (Signal::Error(_), Some(NativeFrame { native: Native::Force(force), .. })) =
                    (&*signal, self.natives.last_mut())
                    && force.forgives(&mut self.cx)
                {
                    return Ok(Turn::Native);
                }
                if let Some(mut native) = self.natives.pop() {
                    native.native.abandon(&mut self.cx);
                }
            }
            let code = &codes[frame.code as usize];
            let at = frame.pc.saturating_sub(1);
            let above = frame.base as usize + usize::from(code.registers);
            let register = |handler: &Handler| frame.base as usize + usize::from(handler.register);
            let handler =
                code.handlers.iter().find(|handler| handles(handler, at, &signal, self.regs.get(register(handler))));
            if let Some(handler) = handler {
                clear(self.regs.get_mut(above..).unwrap_or_default());
                if handler.takes != Takes::WhilePending {
                    if let Signal::Error(error) = &*signal {
                        self.claim(error.bytes())?;
                    }
                    self.regs[register(handler)] = caught(*signal);
                }
                if let Some(top) = self.frames.last_mut() {
                    top.pc = handler.target;
                }
                return Ok(Turn::Code);
            }
            for register in self.regs.iter_mut().take(above).skip(frame.base as usize) {
                *register = Value::Nil;
            }
            self.frames.pop();
        }
        Err(signal)
    }

    /// If a limit was reached while a whole lazy sequence was realised, say that the sequence may be endless.
    fn add_for_endless(&self, error: &mut Error) {
        let wants_all = |frame: &NativeFrame| matches!(&frame.native, Native::Force(force) if force.wants_all());
        let reduces = |frame: &Frame| {
            let code = self.codes.get(frame.code as usize);
            code.is_some_and(|code| code.hidden && code.name.as_deref() == Some("%reduce-from"))
        };
        let asks_for_all = self.natives.iter().any(wants_all) || self.frames.iter().any(reduces);
        if error.reason != Reason::RecursionLimitExceeded && asks_for_all {
            error.hint("all of a lazy sequence was asked for; if it has no end, write (take n coll)");
        }
    }

    /// Give the warnings of the running call their place: that of the innermost user code of this program.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "after every call, and mostly there are none")]
    pub(super) fn place_warnings(&mut self, codes: &CodeTable) {
        if !self.cx.unplaced.is_empty() {
            self.place_new_warnings(codes);
        }
    }

    #[cold]
    fn place_new_warnings(&mut self, codes: &CodeTable) {
        let place = self.place(codes).unwrap_or_default();
        if self.is_tested(place) {
            self.cx.unplaced.retain(|(code, _)| *code != WarningCode::KeywordOnNonMap);
        }
        self.cx.place_warnings(place);
    }

    /// Whether the call at `place` is the test of a form, as in `(if (:error x) …)`: then nil is an answer.
    fn is_tested(&self, place: Span) -> bool {
        let before = self.text.text.get(..place.start as usize).unwrap_or_default().trim_end();
        TESTS.iter().any(|form| before.strip_suffix(form).is_some_and(|rest| rest.ends_with('(')))
    }

    /// The place of the innermost running user code of this program; where it ended, when nothing of it is running.
    pub(super) fn place(&self, codes: &CodeTable) -> Option<Span> {
        let below = self.parents.iter().rev().flat_map(|fiber| fiber.frames.iter().rev());
        self.frames.iter().rev().chain(below).find_map(|frame| self.user_span(codes, frame)).or(self.ended_at)
    }

    /// Like [`Machine::place`], at a bounded cost for deep calls: the place of the innermost or else the outermost user
    /// code among the few frames at either end.
    pub(super) fn place_nearby(&self, codes: &CodeTable) -> Option<Span> {
        if self.frames.len() <= NEAR {
            return self.place(codes);
        }
        let of = |frame: &Frame| self.user_span(codes, frame);
        let innermost = self.frames.iter().rev().take(NEAR).find_map(of);
        innermost.or_else(|| self.frames.iter().take(NEAR).find_map(of)).or(self.ended_at)
    }

    /// The place of a frame, if it runs user code of this program.
    fn user_span(&self, codes: &CodeTable, frame: &Frame) -> Option<Span> {
        let code = codes.get(frame.code as usize).filter(|code| self.is_of_program(code))?;
        code.spans.get(frame.pc.saturating_sub(1) as usize).copied()
    }

    /// Whether it is user code of the running program: its text is the very one, not an equal one.
    fn is_of_program(&self, code: &Code) -> bool {
        !code.hidden && Arc::ptr_eq(&code.text, &self.text)
    }

    /// Where the program asked for the lazy sequence or delay in which the frame with this number runs.
    fn needed_at(&self, codes: &CodeTable, number: usize) -> Option<Span> {
        let computes = |native: &Native| matches!(native, Native::Force(_) | Native::Delayed(_));
        let outermost = self.natives.iter().find(|frame| computes(&frame.native) && frame.depth <= number)?;
        let below = self.frames.iter().take(outermost.depth).rev();
        below.into_iter().find_map(|frame| self.user_span(codes, frame)).or(self.ended_at)
    }

    /// Give an error the place of the innermost user code of this program, and its calling functions.
    fn locate(&self, codes: &CodeTable, error: &mut Error) {
        if error.span.is_some() {
            return;
        }
        for (number, frame) in self.frames.iter().enumerate().rev() {
            let code = &codes[frame.code as usize];
            if code.hidden {
                continue;
            }
            if error.span.is_none() && self.is_of_program(code) {
                error.span = self.user_span(codes, frame);
                error.needed_at = self.needed_at(codes, number);
                let text = &self.text.text;
                if let Some(call) = error.span.and_then(|span| text.get(span.start as usize..span.end as usize)) {
                    error.name_as_written(call);
                    advice::add_for_short_function(error, call);
                }
            }
            if let Some(span) = code.spans.get(frame.pc.saturating_sub(1) as usize).copied() {
                error.add_caller(Called { name: code.name.clone(), text: code.text.clone(), span });
            }
            if error.span.is_some() && error.names_enough() {
                break;
            }
        }
        if self.parents.is_empty() {
            error.span = error.span.or(self.ended_at);
        }
    }
}

fn handles(handler: &Handler, at: u32, signal: &Signal, held: Option<&Value>) -> bool {
    if at < handler.from || at >= handler.to {
        return false;
    }
    match (handler.takes, signal) {
        (Takes::Everything, _) => true,
        (Takes::Class(class), Signal::Error(error)) => class.takes(error),
        (Takes::WhilePending, Signal::Error(_)) => {
            matches!(held, Some(Value::Exception(pending)) if pending.control.is_some())
        }
        _ => false,
    }
}

fn caught(signal: Signal) -> Value {
    Value::Exception(Arc::new(match signal {
        Signal::Error(exception) => exception,
        control => {
            let mut pending = Exception::new(Error::new(Reason::InternalError, "a pending return"));
            pending.control = Some(Box::new(control));
            pending
        }
    }))
}
