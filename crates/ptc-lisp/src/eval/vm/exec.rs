//! The loop over instructions.

use std::sync::Arc;

use super::{Exit, Flow, Frame, Machine, Next, call};
use crate::error::{Reason, Res, Signal, err};
use crate::eval::code::{Code, Op};
use crate::stdlib::compare::{is_keyword_beside_string, warn_keyword_beside_string};
use crate::value::{Closure, Group, Map, Value, Vector, compare_numbers, number};

impl Machine {
    /// Run the topmost frame until it calls a native frame, suspends, fails or returns to one.
    #[allow(clippy::too_many_lines, reason = "one arm per instruction")]
    pub(super) fn exec(&mut self, codes: &[Arc<Code>]) -> Res<Flow> {
        let Some(mut frame) = self.frames.last().copied() else { return Ok(Flow::Exit(Exit::Done(Value::Nil))) };
        let mut code: &Code = &codes[frame.code as usize];
        let mut ops: &[Op] = &code.ops;
        let mut base = frame.base as usize;
        let mut pc = frame.pc as usize;

        macro_rules! reg {
            ($r:expr) => {
                self.regs[base + usize::from($r)]
            };
        }
        // Errors and suspensions find the running instruction one before the saved place.
        macro_rules! save {
            () => {
                if let Some(top) = self.frames.last_mut() {
                    top.pc = pc as u32 + 1;
                }
            };
        }
        macro_rules! check {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(signal) => {
                        save!();
                        return Err(signal.into());
                    }
                }
            };
        }
        macro_rules! spend {
            () => {
                self.slice -= 1;
                if self.slice < 0 {
                    save!();
                    if self.refill()? {
                        // The instruction has not run: it does when the next slice begins.
                        if let Some(top) = self.frames.last_mut() {
                            top.pc = pc as u32;
                        }
                        self.next = Next::Code;
                        return Ok(Flow::Exit(Exit::Slice));
                    }
                }
            };
        }
        macro_rules! reload {
            () => {
                match self.frames.last() {
                    Some(top) => frame = *top,
                    None => return Ok(Flow::Exit(Exit::Done(Value::Nil))),
                }
                code = &codes[frame.code as usize];
                ops = &code.ops;
                base = frame.base as usize;
                pc = frame.pc as usize;
            };
        }
        macro_rules! arith {
            ($regs:ident, $d:expr, $a:expr, $b:expr, $checked:ident, $float:expr, $slow:path, $name:expr) => {{
                let (x, y) = (&$regs[usize::from($a)], &$regs[usize::from($b)]);
                let quick = match (x, y) {
                    (Value::Int(x), Value::Int(y)) => x.$checked(*y).map(Value::Int),
                    (Value::Float(x), Value::Float(y)) => Some(Value::Float($float(*x, *y))),
                    _ => None,
                };
                let result = match quick {
                    Some(result) => result,
                    None => check!($slow(x, y, $name, &mut self.cx.meter)),
                };
                $regs[usize::from($d)].set(result);
                pc += 1;
            }};
        }
        macro_rules! step {
            ($regs:ident, $d:expr, $a:expr, $int:expr, $float:expr, $slow:expr) => {{
                let quick = match &$regs[usize::from($a)] {
                    Value::Int(x) => x.checked_add($int).map(Value::Int),
                    Value::Float(x) => Some(Value::Float(x + $float)),
                    _ => None,
                };
                let result = match quick {
                    Some(result) => result,
                    None => check!($slow),
                };
                $regs[usize::from($d)].set(result);
                pc += 1;
            }};
        }
        macro_rules! test {
            ($a:expr, $b:expr, $int:expr, $float:expr, $order:expr, $name:expr) => {{
                let holds = match (&$a, &$b) {
                    (Value::Int(x), Value::Int(y)) => $int(x, y),
                    (Value::Float(x), Value::Float(y)) => $float(x, y),
                    (x, y) => check!(compare_slow(x, y, $order, $name)),
                };
                pc += if holds { 2 } else { 1 };
            }};
        }
        macro_rules! test_int {
            ($a:expr, $n:expr, $int:expr, $order:expr, $name:expr) => {{
                let holds = match &$a {
                    Value::Int(x) => $int(x, &i64::from($n)),
                    other => check!(compare_slow(other, &Value::Int(i64::from($n)), $order, $name)),
                };
                pc += if holds { 2 } else { 1 };
            }};
        }
        macro_rules! after_call {
            ($flow:expr, $window:expr) => {
                match $flow {
                    Flow::Value(value) => {
                        self.regs[$window] = value;
                        pc += 1;
                        if self.cx.meter.scan_due() {
                            save!();
                            self.scan()?;
                        }
                    }
                    Flow::Code => {
                        reload!();
                    }
                    other => return Ok(other),
                }
            };
        }

        loop {
            // Instructions that only touch registers run here, over one slice of them.
            let regs = &mut self.regs[base..];
            loop {
                match ops[pc] {
                    Op::Const(d, k) => {
                        let value = code.constants[k as usize].copy();
                        regs[usize::from(d)].set(value);
                        pc += 1;
                    }
                    Op::Int(d, n) => {
                        regs[usize::from(d)].set(Value::Int(i64::from(n)));
                        pc += 1;
                    }
                    Op::Nil(d) => {
                        regs[usize::from(d)].set(Value::Nil);
                        pc += 1;
                    }
                    Op::Copy(d, a) => {
                        let value = regs[usize::from(a)].copy();
                        regs[usize::from(d)].set(value);
                        pc += 1;
                    }
                    Op::Take(d, a) => {
                        let value = std::mem::take(&mut regs[usize::from(a)]);
                        regs[usize::from(d)].set(value);
                        pc += 1;
                    }
                    Op::Jump(to) => pc = to as usize,
                    Op::Back(to) => {
                        if self.slice <= 0 {
                            break;
                        }
                        self.slice -= 1;
                        pc = to as usize;
                    }
                    Op::JumpIfFalse(a, to) => pc = if regs[usize::from(a)].is_truthy() { pc + 1 } else { to as usize },
                    Op::JumpIfTrue(a, to) => pc = if regs[usize::from(a)].is_truthy() { to as usize } else { pc + 1 },
                    Op::TakeJumpIfFalse(a, to) => {
                        pc = if regs[usize::from(a)].is_truthy() { pc + 1 } else { to as usize };
                        regs[usize::from(a)].set(Value::Nil);
                    }
                    Op::TakeJumpIfTrue(a, to) => {
                        pc = if regs[usize::from(a)].is_truthy() { to as usize } else { pc + 1 };
                        regs[usize::from(a)].set(Value::Nil);
                    }
                    Op::TestLt(a, b) => test!(regs[usize::from(a)], regs[usize::from(b)], i64::lt, f64::lt, [true, false, false], "<"),
                    Op::TestLe(a, b) => test!(regs[usize::from(a)], regs[usize::from(b)], i64::le, f64::le, [true, true, false], "<="),
                    Op::TestGt(a, b) => test!(regs[usize::from(a)], regs[usize::from(b)], i64::gt, f64::gt, [false, false, true], ">"),
                    Op::TestGe(a, b) => test!(regs[usize::from(a)], regs[usize::from(b)], i64::ge, f64::ge, [false, true, true], ">="),
                    Op::TestLtConst(a, k) => {
                        test!(regs[usize::from(a)], code.constants[usize::from(k)], i64::lt, f64::lt, [true, false, false], "<");
                    }
                    Op::TestLeConst(a, k) => {
                        test!(regs[usize::from(a)], code.constants[usize::from(k)], i64::le, f64::le, [true, true, false], "<=");
                    }
                    Op::TestGtConst(a, k) => {
                        test!(regs[usize::from(a)], code.constants[usize::from(k)], i64::gt, f64::gt, [false, false, true], ">");
                    }
                    Op::TestGeConst(a, k) => {
                        test!(regs[usize::from(a)], code.constants[usize::from(k)], i64::ge, f64::ge, [false, true, true], ">=");
                    }
                    Op::TestEqConst(a, k) => {
                        let (x, constant) = (&regs[usize::from(a)], &code.constants[usize::from(k)]);
                        let holds = equal_scalars(x, constant);
                        if !holds && is_keyword_beside_string(x, constant) {
                            break;
                        }
                        pc += if holds { 2 } else { 1 };
                    }
                    Op::TestLtInt(a, n) => test_int!(regs[usize::from(a)], n, i64::lt, [true, false, false], "<"),
                    Op::TestLeInt(a, n) => test_int!(regs[usize::from(a)], n, i64::le, [true, true, false], "<="),
                    Op::TestGtInt(a, n) => test_int!(regs[usize::from(a)], n, i64::gt, [false, false, true], ">"),
                    Op::TestGeInt(a, n) => test_int!(regs[usize::from(a)], n, i64::ge, [false, true, true], ">="),
                    Op::TestEqInt(a, n) => {
                        let holds = match &regs[usize::from(a)] {
                            Value::Int(x) => *x == i64::from(n),
                            Value::Float(x) => *x == f64::from(n),
                            _ => false,
                        };
                        pc += if holds { 2 } else { 1 };
                    }
                    Op::Add(d, a, b) => arith!(regs, d, a, b, checked_add, std::ops::Add::add, number::add, "+"),
                    Op::Sub(d, a, b) => arith!(regs, d, a, b, checked_sub, std::ops::Sub::sub, number::sub, "-"),
                    Op::Mul(d, a, b) => arith!(regs, d, a, b, checked_mul, std::ops::Mul::mul, number::mul, "*"),
                    Op::AddInt(d, a, n) => {
                        step!(regs, d, a, i64::from(n), f64::from(n), add_int(&regs[usize::from(a)], n, &mut self.cx.meter))
                    }
                    Op::Inc(d, a) => step!(regs, d, a, 1, 1.0, number::inc(&regs[usize::from(a)], "inc", &mut self.cx.meter)),
                    Op::Dec(d, a) => step!(regs, d, a, -1, -1.0, number::dec(&regs[usize::from(a)], "dec", &mut self.cx.meter)),
                    Op::GetKeyword(d, a, k) => {
                        let found = match (&regs[usize::from(a)], &code.constants[usize::from(k)]) {
                            (Value::Map(map), Value::Keyword(name)) if map.as_sorted().is_none() => match map.get_keyword(name) {
                                Some(value) => value.copy(),
                                None => map.get_text(name.as_str()).cloned().unwrap_or_default(),
                            },
                            (Value::Nil, _) => Value::Nil,
                            _ => break,
                        };
                        regs[usize::from(d)].set(found);
                        pc += 1;
                    }
                    _ => break,
                }
            }
            match ops[pc] {
                Op::Back(to) => {
                    spend!();
                    pc = to as usize;
                }
                Op::TestEq(a, b) => {
                    let holds = match (&reg!(a), &reg!(b)) {
                        (Value::Int(x), Value::Int(y)) => x == y,
                        (Value::Keyword(x), Value::Keyword(y)) => x == y,
                        (Value::Str(x), Value::Str(y)) => x == y,
                        (x, y) if is_keyword_beside_string(x, y) => {
                            save!();
                            warn_keyword_beside_string(x, y, &mut self.cx);
                            self.place_warnings(codes);
                            false
                        }
                        (x, y) => {
                            let (x, y) = (x.clone(), y.clone());
                            self.lend();
                            let same = self.cx.equal(&x, &y);
                            self.reclaim();
                            match same {
                                Ok(holds) => holds,
                                Err(signal) => {
                                    save!();
                                    if self.force_for_retry(&signal, base + usize::from(code.registers)) {
                                        return Ok(Flow::Native(None));
                                    }
                                    return Err(signal);
                                }
                            }
                        }
                    };
                    pc += if holds { 2 } else { 1 };
                }
                Op::TestEqConst(a, k) => {
                    save!();
                    warn_keyword_beside_string(&reg!(a), &code.constants[usize::from(k)], &mut self.cx);
                    self.place_warnings(codes);
                    pc += 1;
                }
                Op::GetKeyword(d, a, k) => {
                    let key = &code.constants[usize::from(k)];
                    let holder = reg!(a).clone();
                    self.lend();
                    let found = call::keyword_lookup(key, &holder, &Value::Nil, &mut self.cx);
                    self.reclaim();
                    if !self.cx.unplaced.is_empty() {
                        save!();
                        self.place_warnings(codes);
                    }
                    reg!(d) = check!(found);
                    pc += 1;
                }
                Op::CallGlobal(count, a, global) => {
                    spend!();
                    let window = base + usize::from(a);
                    match self.globals.get(global) {
                        Some(Value::Function(closure)) => {
                            let entry = closure.entry;
                            if entry.fixed == u16::from(count) {
                                let track = closure.track.load(std::sync::atomic::Ordering::Relaxed);
                                if entry.needs_callee {
                                    self.regs[window].set(Value::Function(closure.clone()));
                                }
                                save!();
                                if self.frames.len() >= self.cx.meter.limits().depth {
                                    return Err(self.too_deep());
                                }
                                code = &codes[entry.code as usize];
                                ops = &code.ops;
                                base = window + 1;
                                pc = 0;
                                let needed = base + usize::from(entry.registers);
                                if self.regs.len() < needed {
                                    self.grow(needed)?;
                                }
                                frame = Frame { code: entry.code, pc: 0, base: base as u32, track, to_native: false };
                                self.frames.push(frame);
                                continue;
                            }
                            self.regs[window] = Value::Function(closure.clone());
                        }
                        Some(value) => self.regs[window] = value.clone(),
                        None => {
                            save!();
                            return Err(self.unbound(global));
                        }
                    }
                    save!();
                    let flow = self.dispatch(codes, window, usize::from(count), false)?;
                    after_call!(flow, window);
                }
                Op::Call(a, count) => {
                    spend!();
                    save!();
                    let window = base + usize::from(a);
                    let flow = self.dispatch(codes, window, usize::from(count), false)?;
                    after_call!(flow, window);
                }
                Op::CallBuiltin(a, count, id) => {
                    spend!();
                    save!();
                    let window = base + usize::from(a);
                    let flow = self.call_builtin(codes, id, window, usize::from(count), false)?;
                    after_call!(flow, window);
                }
                Op::Ret(a) => {
                    let value = std::mem::take(&mut reg!(a));
                    if frame.track != 0 {
                        self.globals.returned(frame.track, &value);
                    }
                    for register in &mut self.regs[base..base + usize::from(code.registers)] {
                        if register.holds_pointer() {
                            *register = Value::Nil;
                        }
                    }
                    self.frames.pop();
                    if frame.to_native {
                        return Ok(Flow::Native(Some(value)));
                    }
                    self.regs[base - 1].set(value);
                    if self.frames.is_empty() {
                        self.ended_at = Some(code.spans[pc]);
                        return Ok(Flow::Exit(Exit::Done(std::mem::take(&mut self.regs[base - 1]))));
                    }
                    reload!();
                }
                Op::Capture(d, index) => {
                    let value = match &self.regs[base - 1] {
                        Value::Function(closure) => closure.captured().get(usize::from(index)).cloned().unwrap_or_default(),
                        _ => Value::Nil,
                    };
                    reg!(d) = value;
                    pc += 1;
                }
                Op::SelfFn(d) => {
                    let value = self.regs[base - 1].clone();
                    reg!(d) = value;
                    pc += 1;
                }
                Op::Sibling(d, index) => {
                    let value = self.sibling(base, index as u32);
                    reg!(d) = value;
                    pc += 1;
                }
                Op::Global(d, global) => match self.globals.get(global) {
                    Some(value) => {
                        let value = value.clone();
                        reg!(d) = value;
                        pc += 1;
                    }
                    None => {
                        save!();
                        return Err(self.unbound(global));
                    }
                },
                Op::Data(d, k) => {
                    let value = match &code.constants[k as usize] {
                        Value::Keyword(name) if name.as_str() == "fail" => self.fail.clone(),
                        Value::Keyword(name) => {
                            self.data.get_keyword(name).or_else(|| self.data.get_text(name.as_str())).cloned().unwrap_or_default()
                        }
                        _ => Value::Nil,
                    };
                    reg!(d) = value;
                    pc += 1;
                }
                Op::History(d, turns) => {
                    let value = self.history.get(usize::from(turns).saturating_sub(1)).cloned().unwrap_or_default();
                    reg!(d) = value;
                    pc += 1;
                }
                Op::Vector(d, a, n) => {
                    check!(self.claim(64 + usize::from(n) * 16));
                    let start = base + usize::from(a);
                    let items: Vec<Value> = self.regs[start..start + usize::from(n)].iter_mut().map(std::mem::take).collect();
                    reg!(d) = Value::Vector(Vector::from(items));
                    pc += 1;
                }
                Op::ExtendVector(d, a, n) => {
                    check!(self.claim(usize::from(n) * 16));
                    let start = base + usize::from(a);
                    let items: Vec<Value> = self.regs[start..start + usize::from(n)].iter_mut().map(std::mem::take).collect();
                    if let Value::Vector(vector) = &mut reg!(d) {
                        check!(vector.extend(items.into_iter(), &mut self.cx.meter));
                    }
                    pc += 1;
                }
                Op::Map(d, a, n) | Op::ExtendMap(d, a, n) => {
                    if let Err(signal) = self.finish_keys(base + usize::from(a), usize::from(n), 2) {
                        save!();
                        if self.force_for_retry(&signal, base + usize::from(code.registers)) {
                            return Ok(Flow::Native(None));
                        }
                        return Err(signal);
                    }
                    check!(self.claim(64 + usize::from(n) * 20));
                    let mut map = match (&code.ops[pc], std::mem::take(&mut reg!(d))) {
                        (Op::ExtendMap(..), Value::Map(map)) => map,
                        _ => Map::new(),
                    };
                    let start = base + usize::from(a);
                    for at in 0..usize::from(n) / 2 {
                        let key = std::mem::take(&mut self.regs[start + 2 * at]);
                        let value = std::mem::take(&mut self.regs[start + 2 * at + 1]);
                        check!(map.insert(key, value, &mut self.cx.meter));
                    }
                    reg!(d) = Value::Map(map);
                    pc += 1;
                }
                Op::Set(d, a, n) | Op::ExtendSet(d, a, n) => {
                    if let Err(signal) = self.finish_keys(base + usize::from(a), usize::from(n), 1) {
                        save!();
                        if self.force_for_retry(&signal, base + usize::from(code.registers)) {
                            return Ok(Flow::Native(None));
                        }
                        return Err(signal);
                    }
                    check!(self.claim(64 + usize::from(n) * 40));
                    let mut set = match (&code.ops[pc], std::mem::take(&mut reg!(d))) {
                        (Op::ExtendSet(..), Value::Set(set)) => set,
                        _ => crate::value::Set::new(),
                    };
                    let start = base + usize::from(a);
                    for at in 0..usize::from(n) {
                        let member = std::mem::take(&mut self.regs[start + at]);
                        check!(set.insert(member, &mut self.cx.meter));
                    }
                    reg!(d) = Value::Set(set);
                    pc += 1;
                }
                Op::Closure(d, number) => {
                    let proto = &code.functions[number as usize];
                    check!(self.claim(80 + proto.captures.len() * 16));
                    let captures = self.capture(base, &proto.captures);
                    reg!(d) = Value::Function(Arc::new(Closure::new(proto.clone(), captures)));
                    pc += 1;
                }
                Op::Group(d, number) => {
                    let group = &code.groups[number as usize];
                    check!(self.claim(128 + (group.captures.len() + group.protos.len()) * 96));
                    let captures = self.capture(base, &group.captures);
                    let shared = Arc::new(Group { protos: group.protos.clone(), captures });
                    for at in 0..group.protos.len() {
                        let closure = Closure::of_group(&shared, at).map(|closure| Value::Function(Arc::new(closure)));
                        reg!(d + at as u16) = closure.unwrap_or_default();
                    }
                    pc += 1;
                }
                Op::Def(d, number) => {
                    let definition = &code.definitions[number as usize];
                    let value = std::mem::replace(&mut reg!(d), Value::Var(definition.name.clone()));
                    check!(self.own_globals());
                    self.globals.define(definition.global, value, definition.doc.clone());
                    pc += 1;
                }
                Op::JumpIfDefined(number, to) => {
                    let defined = self.globals.get(code.definitions[usize::from(number)].global).is_some();
                    pc = if defined { to as usize } else { pc + 1 };
                }
                Op::Rethrow(a) => match std::mem::take(&mut reg!(a)) {
                    Value::Exception(exception) => {
                        save!();
                        return Err(match &exception.control {
                            Some(signal) => signal.clone(),
                            None => Box::new(Signal::Error(exception.error.clone())),
                        });
                    }
                    _ => pc += 1,
                },
                _ => {
                    save!();
                    return Err(err(Reason::InternalError, "an instruction in the wrong place"));
                }
            }
        }
    }
}

/// Comparison of anything but two integers or two floats: `order` says whether less, equal and greater hold.
#[cold]
fn compare_slow(x: &Value, y: &Value, order: [bool; 3], name: &str) -> Res<bool> {
    let found = match (x, y) {
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        (Value::Instant(a), Value::Instant(b)) => Some(a.cmp(b)),
        _ if x.is_number() && y.is_number() => compare_numbers(x, y),
        _ => {
            let wrong = if x.is_number() { y } else { x };
            return Err(crate::error::type_error(format!("{name}: expected numbers, got {}", wrong.kind())));
        }
    };
    Ok(match found {
        Some(std::cmp::Ordering::Less) => order[0],
        Some(std::cmp::Ordering::Equal) => order[1],
        Some(std::cmp::Ordering::Greater) => order[2],
        None => false,
    })
}

/// Equality of anything with a scalar constant.
#[inline]
fn equal_scalars(x: &Value, constant: &Value) -> bool {
    match (x, constant) {
        (Value::Keyword(x), Value::Keyword(y)) => x == y,
        (Value::Str(x), Value::Str(y)) => x == y,
        (Value::Nil, Value::Nil) => true,
        (Value::Bool(x), Value::Bool(y)) => x == y,
        _ => x.is_number() && constant.is_number() && compare_numbers(x, constant) == Some(std::cmp::Ordering::Equal),
    }
}

/// Adding a small constant, off the fast path.
#[cold]
fn add_int(x: &Value, n: i16, meter: &mut crate::meter::Meter) -> Res {
    let (name, amount) = match n {
        n if n < 0 => ("-", -i64::from(n)),
        n => ("+", i64::from(n)),
    };
    if n < 0 { number::sub(x, &Value::Int(amount), name, meter) } else { number::add(x, &Value::Int(amount), name, meter) }
}
