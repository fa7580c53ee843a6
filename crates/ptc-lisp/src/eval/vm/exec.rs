//! The loop over instructions.

use std::sync::atomic::Ordering;

use super::operands::{add_int, clear, compare_slow, equal_scalars, is_exact};
use super::{Answer, Exit, Flow, Frame, Machine, Next};
use crate::error::Res;
use crate::eval::code::{Code, Op};
use crate::eval::codes::Codes;
use crate::eval::context::State;
use crate::stdlib::compare::{is_keyword_beside_string, warn_keyword_beside_string};
use crate::stdlib::known::known;
use crate::stdlib::table::table;
use crate::stdlib::{Call, Run};
use crate::value::{Value, number};

impl Machine {
    /// Run the topmost frame until it calls a native frame, suspends, fails or returns to one.
    #[allow(clippy::too_many_lines, reason = "one arm per instruction")]
    pub(super) fn exec(&mut self, codes: &Codes) -> Res<Flow> {
        let Some(frame) = self.frames.last().copied() else { return Ok(Flow::Exit(Exit::Done(Value::Nil))) };
        let mut code: &Code = &codes[frame.code as usize];
        let mut ops: &[Op] = &code.ops;
        let (table, update) = (table(), known().update);
        let mut base = frame.base as usize;
        let mut pc = frame.pc as usize;
        let mut answer = frame.answer;
        // The registers of the running frame. Whatever calls a method of the machine takes them up again afterwards.
        let mut regs: &mut [Value] = &mut self.regs[base..];

        macro_rules! reg {
            ($r:expr) => {
                regs[usize::from($r)]
            };
        }
        macro_rules! registers {
            () => {
                regs = &mut self.regs[base..]
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
                spend!(then registers!());
            };
            (then $then:expr) => {
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
                    $then;
                }
            };
        }
        macro_rules! reload {
            () => {
                match self.frames.last() {
                    Some(top) => {
                        answer = top.answer;
                        base = top.base as usize;
                        pc = top.pc as usize;
                        code = &codes[top.code as usize];
                    }
                    None => return Ok(Flow::Exit(Exit::Done(Value::Nil))),
                }
                ops = &code.ops;
                registers!();
            };
        }
        // Start the function of an entry, whose arguments are behind register `window`.
        macro_rules! enter {
            ($window:expr, $entry:expr, $track:expr) => {{
                save!();
                if self.frames.len() >= self.cx.meter.limits().depth {
                    return Err(self.too_deep());
                }
                let entry = $entry;
                base = $window + 1;
                let needed = base + usize::from(entry.registers);
                if self.regs.len() < needed {
                    self.grow(needed)?;
                }
                answer = Answer::new($track, false);
                self.frames.push(Frame { code: entry.code, pc: 0, base: base as u32, answer });
                code = &codes[entry.code as usize];
                ops = &code.ops;
                pc = 0;
                registers!();
            }};
        }
        // A copy into a register: numbers without a detour.
        macro_rules! put {
            ($d:expr, $value:expr) => {
                match $value {
                    Value::Int(n) => {
                        let n = *n;
                        reg!($d).set_int(n);
                    }
                    Value::Float(x) => {
                        let x = *x;
                        reg!($d).set_float(x);
                    }
                    other => {
                        let value = other.clone();
                        reg!($d).set(value);
                    }
                }
            };
        }
        macro_rules! arith {
            ($d:expr, $a:expr, $b:expr, $checked:ident, $float:expr, $slow:path, $name:expr) => {{
                match (&reg!($a), &reg!($b)) {
                    (Value::Int(x), Value::Int(y)) if let Some(n) = x.$checked(*y) => reg!($d).set_int(n),
                    (Value::Float(x), Value::Float(y)) => {
                        let result = $float(*x, *y);
                        reg!($d).set_float(result);
                    }
                    (x, y) => {
                        let result = check!($slow(x, y, $name, &mut self.cx.meter));
                        reg!($d).set(result);
                    }
                }
                pc += 1;
            }};
        }
        macro_rules! step {
            ($d:expr, $a:expr, $int:expr, $float:expr, $slow:expr) => {{
                match &reg!($a) {
                    Value::Int(x) if let Some(n) = x.checked_add($int) => reg!($d).set_int(n),
                    Value::Float(x) => {
                        let result = x + $float;
                        reg!($d).set_float(result);
                    }
                    _ => {
                        let result = check!($slow);
                        reg!($d).set(result);
                    }
                }
                pc += 1;
            }};
        }
        // A test skips the jump behind it when it holds.
        macro_rules! branch {
            ($holds:expr) => {
                if $holds {
                    pc += 2;
                } else if let Op::Jump(to) = ops[pc + 1] {
                    pc = to as usize;
                } else {
                    pc += 1;
                }
            };
        }
        macro_rules! test {
            ($a:expr, $b:expr, $int:expr, $float:expr, $order:expr, $name:expr) => {{
                let holds = match (&$a, &$b) {
                    (Value::Int(x), Value::Int(y)) => $int(x, y),
                    (Value::Float(x), Value::Float(y)) => $float(x, y),
                    (Value::Float(x), Value::Int(y)) if is_exact(*y) => $float(x, &(*y as f64)),
                    (x, y) => check!(compare_slow(x, y, $order, $name)),
                };
                branch!(holds);
            }};
        }
        macro_rules! test_int {
            ($a:expr, $n:expr, $int:expr, $float:expr, $order:expr, $name:expr) => {{
                let holds = match &$a {
                    Value::Int(x) => $int(x, &i64::from($n)),
                    Value::Float(x) => $float(x, &f64::from($n)),
                    other => check!(compare_slow(other, &Value::Int(i64::from($n)), $order, $name)),
                };
                branch!(holds);
            }};
        }
        // Go on after a call that the machine made.
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
                        registers!();
                    }
                    Flow::Code => {
                        reload!();
                    }
                    Flow::Native(returned) => match self.run_natives(codes, returned)? {
                        Flow::Code => {
                            reload!();
                        }
                        other => return Ok(other),
                    },
                    other => return Ok(other),
                }
            };
        }

        loop {
            match ops[pc] {
                Op::Const(d, k) => {
                    put!(d, &code.constants[k as usize]);
                    pc += 1;
                }
                Op::Int(d, n) => {
                    reg!(d).set_int(i64::from(n));
                    pc += 1;
                }
                Op::Nil(d) => {
                    reg!(d).set(Value::Nil);
                    pc += 1;
                }
                Op::Copy(d, a) => {
                    put!(d, &reg!(a));
                    pc += 1;
                }
                Op::Take(d, a) => {
                    match &mut reg!(a) {
                        Value::Int(n) => {
                            let n = *n;
                            reg!(d).set_int(n);
                        }
                        Value::Float(x) => {
                            let x = *x;
                            reg!(d).set_float(x);
                        }
                        other => {
                            let value = std::mem::take(other);
                            reg!(d).set(value);
                        }
                    }
                    pc += 1;
                }
                Op::Jump(to) => pc = to as usize,
                Op::Back(to) => {
                    spend!();
                    pc = to as usize;
                }
                Op::JumpIfFalse(a, to) => pc = if reg!(a).is_truthy() { pc + 1 } else { to as usize },
                Op::JumpIfTrue(a, to) => pc = if reg!(a).is_truthy() { to as usize } else { pc + 1 },
                Op::TakeJumpIfFalse(a, to) => {
                    pc = if reg!(a).is_truthy() { pc + 1 } else { to as usize };
                    reg!(a).set(Value::Nil);
                }
                Op::TakeJumpIfTrue(a, to) => {
                    pc = if reg!(a).is_truthy() { to as usize } else { pc + 1 };
                    reg!(a).set(Value::Nil);
                }
                Op::TestLt(a, b) => test!(reg!(a), reg!(b), i64::lt, f64::lt, [true, false, false], "<"),
                Op::TestLe(a, b) => test!(reg!(a), reg!(b), i64::le, f64::le, [true, true, false], "<="),
                Op::TestGt(a, b) => test!(reg!(a), reg!(b), i64::gt, f64::gt, [false, false, true], ">"),
                Op::TestGe(a, b) => test!(reg!(a), reg!(b), i64::ge, f64::ge, [false, true, true], ">="),
                Op::TestLtConst(a, k) => {
                    test!(reg!(a), code.constants[usize::from(k)], i64::lt, f64::lt, [true, false, false], "<");
                }
                Op::TestLeConst(a, k) => {
                    test!(reg!(a), code.constants[usize::from(k)], i64::le, f64::le, [true, true, false], "<=");
                }
                Op::TestGtConst(a, k) => {
                    test!(reg!(a), code.constants[usize::from(k)], i64::gt, f64::gt, [false, false, true], ">");
                }
                Op::TestGeConst(a, k) => {
                    test!(reg!(a), code.constants[usize::from(k)], i64::ge, f64::ge, [false, true, true], ">=");
                }
                Op::TestEqConst(a, k) => {
                    let (x, constant) = (&reg!(a), &code.constants[usize::from(k)]);
                    let holds = equal_scalars(x, constant);
                    if !holds && is_keyword_beside_string(x, constant) {
                        save!();
                        warn_keyword_beside_string(x, constant, &mut self.cx);
                        self.place_warnings(codes);
                        registers!();
                    }
                    branch!(holds);
                }
                Op::TestFieldEqConst(a, k, c) => {
                    let (key, constant) = (&code.constants[usize::from(k)], &code.constants[usize::from(c)]);
                    let holds = match (&reg!(a), key) {
                        (Value::Map(map), Value::Keyword(name))
                            if map.as_sorted().is_none()
                                && let Some(value) = map.get_keyword(name)
                                && !is_keyword_beside_string(value, constant) =>
                        {
                            equal_scalars(value, constant)
                        }
                        (holder, key) => {
                            let holder = holder.clone();
                            // The jump behind it has the place of the lookup.
                            if let Some(top) = self.frames.last_mut() {
                                top.pc = pc as u32 + 2;
                            }
                            let value = self.look_up_keyword(codes, key, &holder)?;
                            save!();
                            if is_keyword_beside_string(&value, constant) {
                                warn_keyword_beside_string(&value, constant, &mut self.cx);
                                self.place_warnings(codes);
                            }
                            registers!();
                            equal_scalars(&value, constant)
                        }
                    };
                    branch!(holds);
                }
                Op::TestLtInt(a, n) => test_int!(reg!(a), n, i64::lt, f64::lt, [true, false, false], "<"),
                Op::TestLeInt(a, n) => test_int!(reg!(a), n, i64::le, f64::le, [true, true, false], "<="),
                Op::TestGtInt(a, n) => test_int!(reg!(a), n, i64::gt, f64::gt, [false, false, true], ">"),
                Op::TestGeInt(a, n) => test_int!(reg!(a), n, i64::ge, f64::ge, [false, true, true], ">="),
                Op::TestEqInt(a, n) => {
                    let holds = match &reg!(a) {
                        Value::Int(x) => *x == i64::from(n),
                        Value::Float(x) => *x == f64::from(n),
                        _ => false,
                    };
                    branch!(holds);
                }
                Op::Add(d, a, b) => arith!(d, a, b, checked_add, std::ops::Add::add, number::add, "+"),
                Op::Sub(d, a, b) => arith!(d, a, b, checked_sub, std::ops::Sub::sub, number::sub, "-"),
                Op::Mul(d, a, b) => arith!(d, a, b, checked_mul, std::ops::Mul::mul, number::mul, "*"),
                Op::AddInt(d, a, n) => {
                    step!(d, a, i64::from(n), f64::from(n), add_int(&reg!(a), n, &mut self.cx.meter))
                }
                Op::Inc(d, a) => step!(d, a, 1, 1.0, number::inc(&reg!(a), "inc", &mut self.cx.meter)),
                Op::Dec(d, a) => step!(d, a, -1, -1.0, number::dec(&reg!(a), "dec", &mut self.cx.meter)),
                Op::GetKeyword(d, a, k) => {
                    match (&reg!(a), &code.constants[usize::from(k)]) {
                        (Value::Map(map), Value::Keyword(name))
                            if map.as_sorted().is_none()
                                && let Some(value) = map.get_keyword(name) =>
                        {
                            put!(d, value)
                        }
                        (Value::Nil, _) => reg!(d).set(Value::Nil),
                        (holder, key) => {
                            let holder = holder.clone();
                            save!();
                            let found = self.look_up_keyword(codes, key, &holder)?;
                            registers!();
                            reg!(d).set(found);
                        }
                    }
                    pc += 1;
                }
                Op::TestEq(a, b) => {
                    let holds = match (&reg!(a), &reg!(b)) {
                        (Value::Int(x), Value::Int(y)) => x == y,
                        (Value::Keyword(x), Value::Keyword(y)) => x == y,
                        (Value::Str(x), Value::Str(y)) => x == y,
                        (x, y) => {
                            let (x, y) = (x.clone(), y.clone());
                            save!();
                            match self.test_equal(codes, &x, &y) {
                                Ok(holds) => {
                                    registers!();
                                    holds
                                }
                                Err(signal) if self.force_for_retry(&signal, base + usize::from(code.registers)) => {
                                    return Ok(Flow::Native(None));
                                }
                                Err(signal) => return Err(signal),
                            }
                        }
                    };
                    branch!(holds);
                }
                Op::CallGlobal(count, a, global) => {
                    spend!();
                    let window = base + usize::from(a);
                    match self.globals.get(global) {
                        Some(Value::Function(closure)) => {
                            let entry = closure.entry;
                            if entry.fixed == u16::from(count) {
                                let track = closure.track.load(Ordering::Relaxed);
                                if entry.needs_callee {
                                    reg!(a).set(Value::Function(closure.clone()));
                                }
                                enter!(window, entry, track);
                                continue;
                            }
                            reg!(a) = Value::Function(closure.clone());
                        }
                        Some(value) => reg!(a) = value.clone(),
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
                    let window = base + usize::from(a);
                    if let Value::Function(closure) = &reg!(a)
                        && closure.entry.fixed == count
                    {
                        let (entry, track) = (closure.entry, closure.track.load(Ordering::Relaxed));
                        enter!(window, entry, track);
                        continue;
                    }
                    save!();
                    let flow = self.dispatch(codes, window, usize::from(count), false)?;
                    after_call!(flow, window);
                }
                Op::CallBuiltin(a, count, id) => {
                    spend!(then {});
                    save!();
                    let (entry, count) = (table.entry(id), usize::from(count));
                    let window = base + usize::from(a);
                    let State { has_comparators, cells, .. } = &self.cx.state;
                    let Run::Plain(run) = &entry.row.run else {
                        if id == update && count == 3 && self.begin_update(window)? {
                            reload!();
                            continue;
                        }
                        let flow = self.call_builtin(codes, id, window, count, false)?;
                        after_call!(flow, window);
                        continue;
                    };
                    if *has_comparators || cells.has_generators() || !entry.accepts(count) {
                        let flow = self.call_builtin(codes, id, window, count, false)?;
                        after_call!(flow, window);
                        continue;
                    }
                    self.count_before_call(window, count)?;
                    let mark = self.cx.meter.mark();
                    let args = &mut self.regs[window + 1..window + 1 + count];
                    let flow = match run(&mut Call { name: entry.row.name, args, cx: &mut self.cx }) {
                        Ok(value) => {
                            clear(&mut self.regs[window + 1..window + 1 + count]);
                            self.place_warnings(codes);
                            Flow::Value(value)
                        }
                        Err(signal) => self.after_builtin(codes, id, window, count, false, &mark, Err(signal))?,
                    };
                    after_call!(flow, window);
                }
                Op::Ret(a) => {
                    if answer.track() != 0 {
                        self.globals.returned(answer.track(), &reg!(a));
                    }
                    if answer.is_to_native() {
                        let mut value = std::mem::take(&mut reg!(a));
                        clear(&mut regs[..usize::from(code.registers)]);
                        // The native frame may go on with the same function at once.
                        if self.slice > 0
                            && !code.rest
                            && let Some(native) = self.natives.last_mut()
                            && native.native.again(&mut value, regs)
                        {
                            self.slice -= 1;
                            pc = 0;
                            continue;
                        }
                        self.frames.pop();
                        if self.slice > 0 && self.end_update(&mut value) {
                            reload!();
                            continue;
                        }
                        match self.run_natives(codes, Some(value))? {
                            Flow::Code => {
                                reload!();
                            }
                            other => return Ok(other),
                        }
                        continue;
                    }
                    let (below, own) = self.regs.split_at_mut(base);
                    below[base - 1].take_from(&mut own[usize::from(a)]);
                    clear(&mut own[..usize::from(code.registers)]);
                    self.frames.pop();
                    if self.frames.is_empty() {
                        self.ended_at = Some(code.spans[pc]);
                        return Ok(Flow::Exit(Exit::Done(std::mem::take(&mut self.regs[base - 1]))));
                    }
                    reload!();
                }
                Op::Capture(d, index) => {
                    let value = match &self.regs[base - 1] {
                        Value::Function(closure) => closure.captured().get(usize::from(index)).map(Value::copy).unwrap_or_default(),
                        _ => Value::Nil,
                    };
                    registers!();
                    reg!(d).set(value);
                    pc += 1;
                }
                Op::SelfFn(d) => {
                    let value = self.regs[base - 1].clone();
                    registers!();
                    reg!(d).set(value);
                    pc += 1;
                }
                Op::Global(d, global) => match self.globals.get(global) {
                    Some(value) => {
                        let value = value.copy();
                        reg!(d).set(value);
                        pc += 1;
                    }
                    None => {
                        save!();
                        return Err(self.unbound(global));
                    }
                },
                Op::JumpIfDefined(number, to) => {
                    let defined = self.globals.get(code.definitions[usize::from(number)].global).is_some();
                    pc = if defined { to as usize } else { pc + 1 };
                }
                op => {
                    save!();
                    if let Some(flow) = self.construct(code, op, base)? {
                        return Ok(flow);
                    }
                    registers!();
                    pc += 1;
                }
            }
        }
    }
}
