//! The instructions that construct values: collections, closures, definitions.

use std::sync::Arc;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;

use super::operands::clear;
use super::{Flow, Machine};
use crate::error::{Exception, Reason, Res, Signal, err};
use crate::eval::cells::{Cursor, SLOT, Steps, Tail};
use crate::eval::code::{Code, Op};
use crate::stdlib::table::table;
use crate::stdlib::{Force, Purity};
use crate::value::{Closure, Group, Map, Proto, Set, Value, Vector};

/// The most functions that are looked at to know whether a call is pure.
const MOST_CALLS: usize = 64;

impl Machine {
    /// Run one of them in the frame at `base`. A returned value means that the machine has to leave the frame first.
    #[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
    pub(super) fn construct(&mut self, code: &Code, op: Op, base: usize) -> Res<Option<Flow>> {
        let at = |register: u16| base + usize::from(register);
        match op {
            Op::SelfFn(d) => self.regs[at(d)] = self.regs[base - 1].clone(),
            Op::Sibling(d, index) => self.regs[at(d)] = self.sibling(base, u32::from(index)),
            Op::History(d, turns) => self.regs[at(d)] = self.left(turns).cloned().unwrap_or_default(),
            Op::Lazily(a, n, globals, returned) => {
                let in_part = !returned || self.frames.last().is_some_and(|frame| frame.answer.is_in_part());
                let above = base + usize::from(code.registers);
                let globals = &code.globals[usize::from(globals)];
                if in_part && let Some(flow) = self.make_lazy(at(a), usize::from(n), globals, above)? {
                    return Ok(Some(flow));
                }
                clear(&mut self.regs[at(a) + 1..=at(a) + usize::from(n)]);
            }
            Op::Vector(d, a, n) => {
                self.claim(64 + usize::from(n) * 16)?;
                let items = Vector::from(self.moved(at(a), n));
                self.regs[at(d)].set_new(|| Value::Vector(items));
            }
            Op::ExtendVector(d, a, n) => {
                self.claim(usize::from(n) * 16)?;
                let items = self.moved(at(a), n);
                if let Value::Vector(vector) = &mut self.regs[at(d)] {
                    vector.extend(items.into_iter(), &mut self.cx.meter)?;
                }
            }
            Op::Map(d, a, n) | Op::ExtendMap(d, a, n) => {
                if let Some(flow) = self.finish(code, base, at(a), n, 2)? {
                    return Ok(Some(flow));
                }
                self.claim(64 + usize::from(n) * 20)?;
                let mut map = match (op, std::mem::take(&mut self.regs[at(d)])) {
                    (Op::ExtendMap(..), Value::Map(map)) => map,
                    _ => Map::with_capacity(usize::from(n) / 2),
                };
                for pair in (at(a)..at(a) + usize::from(n)).step_by(2) {
                    let key = std::mem::take(&mut self.regs[pair]);
                    let value = std::mem::take(&mut self.regs[pair + 1]);
                    map.insert(key, value, &mut self.cx.meter)?;
                }
                self.regs[at(d)] = Value::Map(map);
            }
            Op::Record(d, a, number) => {
                let columns = &code.columns[usize::from(number)];
                self.claim(112 + columns.len() * size_of::<Value>())?;
                let values = self.moved(at(a), columns.len() as u16).into_boxed_slice();
                self.regs[at(d)] = Map::record(columns, values).map(Value::Map).unwrap_or_default();
            }
            Op::Set(d, a, n) | Op::ExtendSet(d, a, n) => {
                if let Some(flow) = self.finish(code, base, at(a), n, 1)? {
                    return Ok(Some(flow));
                }
                self.claim(64 + usize::from(n) * 40)?;
                let mut set = match (op, std::mem::take(&mut self.regs[at(d)])) {
                    (Op::ExtendSet(..), Value::Set(set)) => set,
                    _ => Set::new(),
                };
                for member in at(a)..at(a) + usize::from(n) {
                    set.insert(std::mem::take(&mut self.regs[member]), &mut self.cx.meter)?;
                }
                self.regs[at(d)] = Value::Set(set);
            }
            Op::Closure(d, number) => {
                let function = &code.functions[number as usize];
                self.claim(80 + function.captures.len() * 16)?;
                let captures = self.capture(base, &function.captures);
                self.regs[at(d)] = Value::Function(Arc::new(Closure::new(function.proto.clone(), captures)));
            }
            Op::Group(d, number) => {
                let group = &code.groups[number as usize];
                self.claim(128 + (group.captures.len() + group.protos.len()) * 96)?;
                let captures = self.capture(base, &group.captures);
                let shared = Arc::new(Group { protos: group.protos.clone(), captures });
                for member in 0..group.protos.len() {
                    let closure = Closure::of_group(&shared, member).map(|closure| Value::Function(Arc::new(closure)));
                    self.regs[at(d) + member] = closure.unwrap_or_default();
                }
            }
            Op::Def(d, number) => {
                let definition = &code.definitions[number as usize];
                let value = std::mem::replace(&mut self.regs[at(d)], Value::Var(definition.name.clone()));
                self.keep_globals();
                self.own_globals()?;
                self.globals.define(definition.global, value, definition.doc.clone());
            }
            Op::Rethrow(a) => {
                if let Value::Exception(exception) = std::mem::take(&mut self.regs[at(a)]) {
                    return Err(match &exception.control {
                        Some(signal) => signal.clone(),
                        None => Box::new(Signal::Error(Exception::clone(&exception))),
                    });
                }
            }
            _ => return Err(err(Reason::InternalError, "an instruction in the wrong place")),
        }
        Ok(None)
    }

    /// What earlier turns left: the result of so many turns ago, or the last error.
    pub(crate) fn left(&self, turns: u8) -> Option<&Value> {
        match usize::from(turns).checked_sub(1) {
            Some(place) => self.history.get(place),
            None => Some(&self.error),
        }
    }

    /// `data/fail` without a name, else the entry of this name; `hint` is the index at which it was last found.
    #[cold]
    pub(super) fn data_entry(&self, name: &Value, hint: &AtomicU8) -> Value {
        let Value::Keyword(name) = name else { return self.fail.clone() };
        let place = self.data.iter().position(|(key, _)| matches!(key, Value::Keyword(known) if known == name));
        if let Some(place) = place.and_then(|place| u8::try_from(place).ok()) {
            hint.store(place, Relaxed);
        }
        self.data.get_keyword(name).or_else(|| self.data.get_text(name.as_str())).cloned().unwrap_or_default()
    }

    /// The `count` values from register `start` on, moved out.
    fn moved(&mut self, start: usize, count: u16) -> Vec<Value> {
        self.regs[start..start + usize::from(count)].iter_mut().map(std::mem::take).collect()
    }

    /// Make the sequence in a register lazy if the functions in the `count` registers after it, and in these definitions,
    /// are pure; realise it otherwise, above the registers of the frame.
    fn make_lazy(&mut self, register: usize, count: usize, globals: &[u32], above: usize) -> Res<Option<Flow>> {
        let functions = &self.regs[register + 1..=register + count];
        let pure = functions.iter().all(|function| self.is_pure(function, true))
            && self.are_pure(globals, true, &mut Vec::new());
        match &self.regs[register] {
            Value::LazySeq(view) if !pure && self.cx.cells.surely_ends(*view) && !self.cx.cells.is_finished(*view) => {
                let need = Box::new(Signal::Need { cell: view.cell, count: usize::MAX });
                return if self.force_for_retry(&need, above) { Ok(Some(Flow::Native(None))) } else { Err(need) };
            }
            Value::LazySeq(view) if pure && self.cx.cells.surely_ends(*view) => {
                let steps = Box::new(Steps::Items(Cursor::Lazy(*view)));
                self.claim(SLOT + 64 + size_of::<Steps>())?;
                self.regs[register] = Value::LazySeq(self.cx.cells.generator(Vec::new(), Tail::Steps(steps)));
            }
            Value::Map(_) if functions.iter().any(|function| matches!(function, Value::Keyword(_))) => {}
            Value::Vector(_) | Value::Map(_) | Value::Set(_) if pure => {
                self.claim(SLOT + 64 + size_of::<Steps>())?;
                let steps = Box::new(Steps::Items(Cursor::Items(std::mem::take(&mut self.regs[register]), 0)));
                self.regs[register] = Value::LazySeq(self.cx.cells.generator(Vec::new(), Tail::Steps(steps)));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Whether calls of a value have no effect besides their value or an error. Looking inside values, and so into the
    /// atoms in them, is none where it `may_look`.
    pub(super) fn is_pure(&self, callee: &Value, may_look: bool) -> bool {
        self.calls_are_pure(callee, may_look, &mut Vec::new())
    }

    /// `open` are the functions whose calls are being looked at.
    fn calls_are_pure(&self, callee: &Value, may_look: bool, open: &mut Vec<*const Proto>) -> bool {
        match callee {
            Value::Builtin(id) => {
                let row = table().entry(*id).row;
                row.purity == Purity::Pure && (may_look || row.force != Force::Deep)
            }
            Value::Function(closure) => {
                let (Some(calls), proto) = (&closure.proto.calls, Arc::as_ptr(&closure.proto)) else { return false };
                if calls.looks_inside && !may_look {
                    return false;
                }
                if open.contains(&proto) {
                    return true;
                }
                open.push(proto);
                open.len() <= MOST_CALLS
                    && calls
                        .captures
                        .iter()
                        .filter_map(|index| closure.captured().get(*index as usize))
                        .all(|value| self.calls_are_pure(value, may_look, open))
                    && self.are_pure(&calls.globals, may_look, open)
            }
            Value::Tool(_) | Value::Var(_) => false,
            // Data, whose lookup has no effect, or a value whose call is an error.
            _ => true,
        }
    }

    /// The same for what these definitions hold.
    fn are_pure(&self, globals: &[u32], may_look: bool, open: &mut Vec<*const Proto>) -> bool {
        let mut values = globals.iter().map(|global| self.globals.get(*global));
        values.all(|value| value.is_some_and(|value| self.calls_are_pure(value, may_look, open)))
    }

    /// Make the value in each `step`th of these registers usable as a key; requests what has to be realised first.
    fn finish(&mut self, code: &Code, base: usize, start: usize, count: u16, step: usize) -> Res<Option<Flow>> {
        let Err(signal) = self.finish_keys(start, usize::from(count), step) else { return Ok(None) };
        if self.force_for_retry(&signal, base + usize::from(code.registers)) {
            return Ok(Some(Flow::Native(None)));
        }
        Err(signal)
    }
}
