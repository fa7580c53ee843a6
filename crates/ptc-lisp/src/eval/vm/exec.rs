//! The loop over instructions.

use std::sync::atomic::Ordering;

use super::call::BuiltinCall;
use super::operands::{
    add_int, at_hint, call_in_window, call_window_quickly, clear, floats, let_go, look_up_quickly, near_field, take,
    take_apart,
};
use super::{Answer, Exit, Flow, Frame, Machine, each, is_limit};
use crate::error::Res;
use crate::eval::code::{Code, Op, arguments_behind};
use crate::eval::code_table::CodeTable;
use crate::index::addressable;
use crate::stdlib::Run;
use crate::stdlib::argument::{Relation, equal};
use crate::stdlib::quick::{Arguments, QUICK, Quick};
use crate::stdlib::table::table;
use crate::value::{Value, copy_to, number};

impl Machine {
    /// Run the topmost frame until it calls a native frame, suspends, fails or returns to one.
    #[expect(clippy::too_many_lines, reason = "one arm per instruction")]
    pub(super) fn exec(&mut self, codes: &CodeTable) -> Res<Flow> {
        let Some(frame) = self.frames.last().copied() else { return Ok(Flow::Exit(Exit::Done(Value::Nil))) };
        let mut code: &Code = &codes[frame.code as usize];
        let mut ops: &[Op] = &code.ops;
        let table = table();
        let mut base = frame.base as usize;
        let mut pc = frame.pc as usize;
        let mut answer = frame.answer;
        // The registers of the running frame. Code that calls a method of the machine borrows them again afterwards.
        let mut regs: &mut [Value] = &mut self.regs[base..];

        macro_rules! reg {
            ($r:expr) => {
                regs[usize::from($r)]
            };
        }
        macro_rules! constant {
            ($k:expr) => {
                code.constants[usize::from($k)]
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
                        return Ok(self.stop_before(pc as u32));
                    }
                    $then;
                }
            };
        }
        // Functions that call themselves need not look up their code.
        macro_rules! run_code {
            ($index:expr) => {
                if $index != code.index {
                    code = &codes[$index as usize];
                    ops = &code.ops;
                }
            };
        }
        macro_rules! resume {
            ($frame:expr) => {
                let frame = *$frame;
                answer = frame.answer;
                base = frame.base as usize;
                pc = frame.pc as usize;
                run_code!(frame.code);
                registers!();
            };
        }
        macro_rules! reload {
            () => {
                match self.frames.last() {
                    Some(top) => {
                        resume!(top);
                    }
                    None => return Ok(Flow::Exit(Exit::Done(Value::Nil))),
                }
            };
        }
        // Start the function of an entry, whose arguments are after register `window`.
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
                run_code!(entry.code);
                pc = 0;
                registers!();
            }};
        }
        macro_rules! put {
            ($d:expr, $value:expr) => {
                copy_to!(reg!($d), $value)
            };
        }
        macro_rules! arith {
            ($d:expr, $a:expr, $b:expr, $checked:ident, $float:expr, $slow:path, $name:expr) => {{
                match (&reg!($a), &reg!($b)) {
                    (Value::Int(x), Value::Int(y)) if let Some(n) = x.$checked(*y) => reg!($d).set_int(n),
                    (x, y) if let Some((x, y)) = floats(x, y) => reg!($d).set_float($float(x, y)),
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
            }};
        }
        macro_rules! next {
            ($done:expr) => {{
                $done;
                pc += 1;
            }};
        }
        // A test skips the jump after it when it holds.
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
        // An instruction for each relation: one for all takes 1.3 times the instructions in the shortest loops.
        macro_rules! compare {
            ($slow:lifetime, $relation:ident, $a:expr, $holds:tt, $b:expr) => {{
                let holds = match (&reg!($a), &reg!($b)) {
                    (Value::Int(x), Value::Int(y)) => x $holds y,
                    (Value::Float(x), Value::Float(y)) => x $holds y,
                    (x, y) => match Relation::$relation.of(x, y) {
                        Some(holds) => holds,
                        None => break $slow,
                    },
                };
                branch!(holds);
            }};
            ($slow:lifetime, $relation:ident, $a:expr, $holds:tt, int $n:expr) => {{
                let holds = match &reg!($a) {
                    Value::Int(x) => *x $holds i64::from($n),
                    Value::Float(x) => *x $holds f64::from($n),
                    _ => break $slow,
                };
                branch!(holds);
            }};
        }
        macro_rules! combine {
            ($a:expr, $n:expr, $plain:path, $slow:path, $name:expr) => {{
                spend!();
                let each = &code.eaches[usize::from($n)];
                let fresh = if each.combine(regs, $a, $plain) {
                    Ok(None)
                } else {
                    $slow(&reg!(each.window), &reg!($a), $name, &mut self.cx.meter).map(Some)
                };
                pc = match fresh {
                    Err(signal) if is_limit(&signal) => check!(Err(signal)),
                    // If all elements had been computed first, one of them might have failed before.
                    Err(_) => each.slow as usize,
                    Ok(fresh) => {
                        fresh.into_iter().for_each(|sum| reg!(each.window).set(sum));
                        each.next(regs)
                    }
                };
            }};
        }
        // Collect something, reserving capacity when there is none, and continue with the next element.
        macro_rules! collect {
            ($each:ident, $n:expr, $collect:expr) => {{
                spend!();
                let $each = &code.eaches[usize::from($n)];
                if !$collect {
                    save!();
                    self.reserve($each, base, 1)?;
                    registers!();
                    let _ = $collect;
                }
                pc = $each.next(regs);
            }};
        }
        // Look up a keyword constant in a value that is usually a map.
        macro_rules! get_field {
            ($d:expr, $holder:expr, $k:expr) => {{
                let (key, hint) = (&constant!($k), &code.hints[usize::from($k)]);
                if let Some(value) = at_hint($holder, key, hint).or_else(|| near_field($holder, key, hint)) {
                    put!($d, value);
                } else {
                    let holder = $holder.clone();
                    save!();
                    let found = self.look_up_keyword(codes, key, &holder)?;
                    registers!();
                    reg!($d).set(found);
                }
                pc += 1;
            }};
        }
        // Empty the registers of operands that are read for the last time, except the one of the result.
        macro_rules! release {
            ([$($operand:expr),+]) => {
                $(if $operand.is_last() {
                    regs[$operand.index()].clear();
                })+
            };
            ($d:expr, [$($operand:expr),+]) => {
                $(if $operand.is_last() && $operand.index() != usize::from($d) {
                    regs[$operand.index()].clear();
                })+
            };
        }
        // A quick call, or else the row's function at the label.
        macro_rules! builtin {
            ($slow:lifetime, $number:expr, $d:expr, [$($argument:expr),+]) => {{
                spend!();
                let arguments = [$($argument),+];
                let mut on = Arguments { registers: regs, constants: &code.constants, operands: &arguments, d: $d };
                match &QUICK[usize::from($number)].1 {
                    Quick::Value(quick) | Quick::Item(quick) if quick(&mut on, &mut self.cx) => {}
                    _ => break $slow,
                }
                release!($d, [$($argument),+]);
                pc += 1;
            }};
        }
        macro_rules! ask {
            ($slow:lifetime, $number:expr, [$($argument:expr),+]) => {{
                spend!();
                let arguments = [$($argument),+];
                let on = Arguments { registers: regs, constants: &code.constants, operands: &arguments, d: 0 };
                let Quick::Ask(ask) = &QUICK[usize::from($number)].1 else { break $slow };
                let Some(holds) = ask(&on, &mut self.cx) else { break $slow };
                release!([$($argument),+]);
                branch!(holds);
            }};
        }
        // Continue after the call of a collection or keyword, if it can be made here.
        macro_rules! look_up {
            ($callee:expr, $a:expr, $count:expr) => {
                if $count == 1
                    && let Some(found) = look_up_quickly($callee, &reg!($a + 1), &mut self.cx.meter)
                {
                    reg!($a).set(found);
                    reg!($a + 1).clear();
                    pc += 1;
                    continue;
                }
            };
        }
        // Continue after a call that the machine made.
        macro_rules! after_call {
            ($flow:expr, $window:expr) => {
                match $flow {
                    Flow::Value(value) => {
                        self.regs[$window].set(value);
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
            'slow: loop {
                match ops[pc] {
                    Op::Const(d, k) => next!(put!(d, &code.constants[k as usize])),
                    Op::Int(d, n) => next!(reg!(d).set_int(i64::from(n))),
                    Op::Nil(d) => next!(reg!(d).set(Value::Nil)),
                    Op::Copy(d, a) => next!(put!(d, &reg!(a))),
                    Op::Take(d, a) => next!(take(regs, d, a)),
                    Op::Jump(to) => pc = to as usize,
                    Op::Back(to) => {
                        spend!();
                        pc = to as usize;
                    }
                    Op::IncBack(a, to) => {
                        spend!();
                        pc += 1;
                        step!(a, a, 1, 1.0, number::inc(&reg!(a), "inc", &mut self.cx.meter));
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
                    Op::Compare(relation, a, b) => {
                        match relation.of(a.of(regs, &code.constants), b.of(regs, &code.constants)) {
                            Some(holds) => branch!(holds),
                            None => break 'slow,
                        }
                    }
                    Op::Less(a, b) => compare!('slow, Less, a, <, b),
                    Op::AtMost(a, b) => compare!('slow, AtMost, a, <=, b),
                    Op::Greater(a, b) => compare!('slow, Greater, a, >, b),
                    Op::AtLeast(a, b) => compare!('slow, AtLeast, a, >=, b),
                    Op::LessInt(a, n) => compare!('slow, Less, a, <, int n),
                    Op::AtMostInt(a, n) => compare!('slow, AtMost, a, <=, int n),
                    Op::GreaterInt(a, n) => compare!('slow, Greater, a, >, int n),
                    Op::AtLeastInt(a, n) => compare!('slow, AtLeast, a, >=, int n),
                    Op::Equal(_, a, b) => match equal(a.of(regs, &code.constants), b.of(regs, &code.constants)) {
                        Some(holds) => branch!(holds),
                        None => break 'slow,
                    },
                    Op::Add(d, a, b) => arith!(d, a, b, checked_add, std::ops::Add::add, number::add, "+"),
                    Op::Sub(d, a, b) => arith!(d, a, b, checked_sub, std::ops::Sub::sub, number::sub, "-"),
                    Op::Mul(d, a, b) => arith!(d, a, b, checked_mul, std::ops::Mul::mul, number::mul, "*"),
                    Op::AddInt(d, a, n) => {
                        next!(step!(d, a, i64::from(n), f64::from(n), add_int(&reg!(a), n, &mut self.cx.meter)))
                    }
                    Op::Inc(d, a) => next!(step!(d, a, 1, 1.0, number::inc(&reg!(a), "inc", &mut self.cx.meter))),
                    Op::Dec(d, a) => next!(step!(d, a, -1, -1.0, number::dec(&reg!(a), "dec", &mut self.cx.meter))),
                    Op::LetGo(a, b) => next!(check!(let_go(regs, a, b, &mut self.cx.meter))),
                    Op::GetKeyword(d, a, k) => get_field!(d, &reg!(a), k),
                    Op::TakeKeyword(d, a, k) => {
                        get_field!(d, &reg!(a), k);
                        reg!(a).clear();
                    }
                    Op::Data(d, k) => {
                        let k = k as usize;
                        match &code.constants[k] {
                            Value::Keyword(name) if let Some(value) = self.data.get_at_place(name, &code.hints[k]) => {
                                put!(d, value);
                            }
                            _ => {
                                let value = self.data_entry(&code.constants[k], &code.hints[k]);
                                registers!();
                                reg!(d).set(value);
                            }
                        }
                        pc += 1;
                    }
                    Op::ElementGetKeyword(d, items, k) => get_field!(d, each::element(regs, items), k),
                    Op::Element(d, items) => next!(put!(d, each::element(regs, items))),
                    Op::CallGlobal(count, a, global) => {
                        spend!();
                        let window = base + usize::from(a);
                        match self.globals.get(global) {
                            Some(Value::Function(closure)) if closure.entry.fixed == u16::from(count) => {
                                let (entry, track) = (closure.entry, closure.track.load(Ordering::Relaxed));
                                if entry.needs_callee {
                                    reg!(a).set(Value::Function(closure.clone()));
                                }
                                enter!(window, entry, track);
                                continue;
                            }
                            Some(value) => {
                                look_up!(value, a, count);
                                reg!(a) = value.clone();
                            }
                            None => {
                                save!();
                                return Err(self.unbound(global));
                            }
                        }
                        save!();
                        let flow = self.dispatch(codes, window, usize::from(count), false)?;
                        after_call!(flow, window);
                    }
                    Op::CallLocal(count, a, local) => {
                        spend!();
                        let window = base + usize::from(a);
                        if let Value::Function(closure) = &reg!(local)
                            && closure.entry.fixed == u16::from(count)
                        {
                            let (entry, track) = (closure.entry, closure.track.load(Ordering::Relaxed));
                            if entry.needs_callee {
                                let callee = Value::Function(closure.clone());
                                reg!(a).set(callee);
                            }
                            enter!(window, entry, track);
                            continue;
                        }
                        if let Value::Builtin(id) = &reg!(local)
                            && call_window_quickly(table.entry(*id), a, count, regs, &mut self.cx)
                        {
                            pc += 1;
                            continue;
                        }
                        look_up!(&reg!(local), a, count);
                        reg!(a) = reg!(local).clone();
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
                        look_up!(&reg!(a), a, count);
                        save!();
                        let flow = self.dispatch(codes, window, usize::from(count), false)?;
                        after_call!(flow, window);
                    }
                    Op::CallInPart(a, count, returned) => {
                        spend!();
                        let window = base + usize::from(a);
                        let in_part = !returned || answer.is_in_part();
                        if let Value::Function(closure) = &reg!(a)
                            && closure.entry.fixed == count
                        {
                            let (entry, track) = (closure.entry, closure.track.load(Ordering::Relaxed));
                            enter!(window, entry, track);
                            if in_part && let Some(frame) = self.frames.last_mut() {
                                answer = answer.in_part();
                                frame.answer = answer;
                            }
                            continue;
                        }
                        look_up!(&reg!(a), a, count);
                        save!();
                        let flow = self.dispatch(codes, window, usize::from(count), false)?;
                        if in_part && let (Flow::Code, Some(frame)) = (&flow, self.frames.last_mut()) {
                            frame.answer = frame.answer.in_part();
                        }
                        after_call!(flow, window);
                    }
                    Op::CallBuiltin(count, a, d, id) => {
                        spend!();
                        let (entry, count) = (table.entry(id), usize::from(count));
                        if call_in_window(id, (a, d), count, regs, &mut self.cx) {
                            pc += 1;
                            continue;
                        }
                        save!();
                        let window = base + usize::from(a);
                        let plain = self.is_answered_plainly(entry.row, window, count) && entry.accepts(count);
                        let flow = match &entry.row.run {
                            Run::Plain(run) if plain => match self.run_plain(codes, (id, *run), window, count) {
                                Ok(value) => {
                                    self.regs[base + usize::from(d)].store(value);
                                    pc += 1;
                                    if self.cx.meter.scan_due() {
                                        save!();
                                        self.scan()?;
                                    }
                                    registers!();
                                    continue;
                                }
                                Err(flow) => flow?,
                            },
                            _ => self.call_builtin(codes, BuiltinCall { id, window, count, to_native: false })?,
                        };
                        after_call!(flow, base + usize::from(d));
                    }
                    Op::Builtin1(number, d, a) => builtin!('slow, number, d, [a]),
                    Op::Builtin2(number, d, a, b) => builtin!('slow, number, d, [a, b]),
                    Op::Builtin(number, d, count) => {
                        spend!();
                        let (three, more);
                        let operands = match ops[pc + 1] {
                            Op::Three(a, b, c) if count == 3 => {
                                three = [a, b, c];
                                three.as_slice()
                            }
                            _ => {
                                more = arguments_behind(ops, pc);
                                &more[..usize::from(count)]
                            }
                        };
                        let mut on = Arguments { registers: regs, constants: &code.constants, operands, d };
                        match &QUICK[usize::from(number)].1 {
                            Quick::Value(quick) | Quick::Item(quick) if quick(&mut on, &mut self.cx) => {}
                            _ => break 'slow,
                        }
                        for argument in operands {
                            release!(d, [argument]);
                        }
                        pc += 1 + operands.len().div_ceil(3);
                    }
                    Op::Ask1(number, a) => ask!('slow, number, [a]),
                    Op::Ask2(number, a, b) => ask!('slow, number, [a, b]),
                    Op::Item(number, d, a, b) => {
                        if let (Value::Vector(items), Value::Int(at @ 0..)) =
                            (a.of(regs, &code.constants), b.of(regs, &code.constants))
                            && let Some(item) = items.get(addressable(*at))
                            && self.slice > 0
                        {
                            self.slice -= 1;
                            put!(d, item);
                            release!(d, [a, b]);
                            pc += 1;
                        } else {
                            builtin!('slow, number, d, [a, b]);
                        }
                    }
                    Op::First(_, d, a) => {
                        spend!();
                        match a.of(regs, &code.constants) {
                            Value::Vector(items) => put!(d, items.get(0).unwrap_or(&Value::Nil)),
                            Value::Nil => reg!(d).set(Value::Nil),
                            _ => break 'slow,
                        }
                        release!(d, [a]);
                        pc += 1;
                    }
                    Op::Rest(_, d, a) => {
                        spend!();
                        let dropped = match regs.get_mut(a.index()) {
                            // A loop drops the first element of a collection that only it holds.
                            Some(Value::Vector(items)) if a.is_last() && a.index() == usize::from(d) => {
                                items.drop_first_quickly()
                            }
                            _ => {
                                let operands = &[a];
                                let mut on = Arguments { registers: regs, constants: &code.constants, operands, d };
                                Quick::Rest.call(&mut on, &mut self.cx)
                            }
                        };
                        if !dropped {
                            break 'slow;
                        }
                        release!(d, [a]);
                        pc += 1;
                    }
                    Op::Pattern(pattern, d, a, parts) => {
                        spend!();
                        if !pattern.takes(a.of(regs, &code.constants)) {
                            break 'slow;
                        }
                        if parts > 0
                            && self.slice >= i64::from(parts)
                            && let Op::Item(_, first, ..) = ops[pc + 1]
                            && take_apart(regs, a, d, first, parts)
                        {
                            self.slice -= i64::from(parts);
                            pc += usize::from(parts);
                        } else if !a.is_last() {
                            put!(d, a.of(regs, &code.constants));
                        } else if a.index() != usize::from(d) {
                            let value = std::mem::take(&mut regs[a.index()]);
                            reg!(d).set(value);
                        }
                        pc += 1;
                    }
                    Op::Arithmetic(function, d, a, b) => {
                        spend!();
                        match (a.of(regs, &code.constants), b.of(regs, &code.constants)) {
                            (Value::Int(x), Value::Int(y)) if let Some(n) = function.of(*x, *y) => reg!(d).set_int(n),
                            (x, y) => match function.float(x, y) {
                                Some(x) => reg!(d).set_float(x),
                                None => break 'slow,
                            },
                        }
                        release!(d, [a, b]);
                        pc += 1;
                    }
                    Op::TestValue(test, a) => {
                        spend!();
                        let Some(holds) = test.of(a.of(regs, &code.constants)) else { break 'slow };
                        release!([a]);
                        branch!(holds);
                    }
                    Op::Ret(a) => {
                        if answer.track() != 0 {
                            self.globals.returned(answer.track(), &reg!(a), answer.is_in_part());
                        }
                        if answer.is_to_native() {
                            let mut value = std::mem::take(&mut reg!(a));
                            clear(&mut regs[..usize::from(code.registers)]);
                            // The native frame may continue with the same function at once.
                            if self.slice > 0
                                && !code.rest
                                && let Some(native) = self.natives.last_mut()
                                && native.native.again(&mut value, regs, &mut self.cx)
                            {
                                self.slice -= 1;
                                pc = 0;
                                continue;
                            }
                            self.frames.pop();
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
                        // Other temporaries are empty, or hold numbers.
                        clear(&mut own[..usize::from(code.locals)]);
                        clear(
                            own.get_mut(usize::from(code.kept.start)..usize::from(code.kept.end)).unwrap_or_default(),
                        );
                        self.frames.pop();
                        let Some(top) = self.frames.last() else {
                            self.ended_at = Some(code.spans[pc]);
                            return Ok(Flow::Exit(Exit::Done(std::mem::take(&mut self.regs[base - 1]))));
                        };
                        resume!(top);
                    }
                    Op::EachNext(n) => {
                        spend!();
                        pc = code.eaches[usize::from(n)].next(regs);
                    }
                    Op::EachTest(n) => pc = code.eaches[usize::from(n)].test(regs, &mut self.slice),
                    Op::EachCollect(a, n) => collect!(each, n, each.collect(regs, a)),
                    Op::EachKeep(a, n) => collect!(each, n, reg!(a).is_nil() || each.collect(regs, a)),
                    Op::EachElement(n) => collect!(each, n, check!(each.collect_element(regs, &mut self.cx.meter))),
                    Op::EachConcat(a, n) => {
                        spend!(then {});
                        save!();
                        let each = &code.eaches[usize::from(n)];
                        if !self.concat(each, base, a, base + usize::from(code.registers))? {
                            return Ok(Flow::Native(None));
                        }
                        registers!();
                        pc = each.next(regs);
                    }
                    Op::EachGroup(a, n) => {
                        spend!();
                        let each = &code.eaches[usize::from(n)];
                        if !check!(each.group(regs, a, &mut self.cx.meter)) {
                            save!();
                            if !self.group(each, base, a, base + usize::from(code.registers))? {
                                return Ok(Flow::Native(None));
                            }
                            registers!();
                        }
                        pc = each.next(regs);
                    }
                    Op::EachFold(a, n) => {
                        spend!();
                        pc = code.eaches[usize::from(n)].fold(regs, a);
                    }
                    Op::EachAdd(a, n) => combine!(a, n, number::add_plain, number::add, "+"),
                    Op::EachMultiply(a, n) => combine!(a, n, number::mul_plain, number::mul, "*"),
                    Op::EachStart(n) => {
                        spend!(then {});
                        save!();
                        let each = &code.eaches[usize::from(n)];
                        pc = self.begin_each(each, base, code.hidden)?.unwrap_or(pc + 1);
                        registers!();
                    }
                    Op::EachEnd(n) => pc = code.eaches[usize::from(n)].end(regs),
                    Op::UpdateStart(n) => {
                        spend!();
                        let update = &code.updates[usize::from(n)];
                        pc =
                            if check!(update.begin(regs, &mut self.cx.meter)) { update.start as usize } else { pc + 1 };
                    }
                    Op::UpdateNear(items, n, k) => {
                        let (update, k) = (&code.updates[usize::from(n)], usize::from(k));
                        let field = (&code.constants[k], &code.hints[k]);
                        let begun = self.slice > 0 && check!(update.begin_near(regs, items, field, &mut self.cx.meter));
                        self.slice -= i64::from(begun);
                        pc = if begun { update.start as usize } else { pc + 1 };
                    }
                    Op::UpdateEnd(a, n) => {
                        let update = &code.updates[usize::from(n)];
                        if !update.end(regs, a) {
                            save!();
                            self.put_entry(update, base, a)?;
                            registers!();
                        }
                        pc += 1;
                    }
                    Op::UpdateLeave(n) => pc = code.updates[usize::from(n)].leave(regs),
                    Op::Capture(d, index) => {
                        let value = self.captured(base, index);
                        registers!();
                        reg!(d).set(value);
                        pc += 1;
                    }
                    Op::Global(d, global) => {
                        let Some(value) = self.globals.get(global).map(Value::copy) else {
                            save!();
                            return Err(self.unbound(global));
                        };
                        reg!(d).set(value);
                        pc += 1;
                    }
                    Op::JumpIfDefined(number, to) => {
                        let global = code.definitions[usize::from(number)].global;
                        pc = if self.globals.get(global).is_some() { to as usize } else { pc + 1 };
                    }
                    // All are listed by name, so that the dispatch needs no test for values beyond the last one.
                    #[rustfmt::skip]
                op @ (Op::Sibling(..) | Op::SelfFn(..) | Op::History(..) | Op::Vector(..) | Op::ExtendVector(..) | Op::Map(..)
                    | Op::ExtendMap(..) | Op::Record(..) | Op::Set(..) | Op::ExtendSet(..) | Op::Closure(..) | Op::Group(..) | Op::Def(..)
                    | Op::Lazily(..) | Op::Rethrow(..) | Op::Three(..)) => {
                    save!();
                    if let Some(flow) = self.construct(code, op, base)? {
                        return Ok(flow);
                    }
                    registers!();
                    pc += 1;
                }
                }
            }
            // Cases that no quick call handles.
            save!();
            if !self.call_row(codes, code, base, pc)? {
                return Ok(Flow::Native(None));
            }
            registers!();
            let value = std::mem::take(&mut regs[usize::from(code.registers)]);
            match ops[pc] {
                Op::Builtin1(_, d, ..)
                | Op::Builtin2(_, d, ..)
                | Op::First(_, d, _)
                | Op::Rest(_, d, _)
                | Op::Pattern(_, d, ..)
                | Op::Item(_, d, ..)
                | Op::Arithmetic(_, d, ..) => {
                    reg!(d).set(value);
                    pc += 1;
                }
                Op::Builtin(_, d, count) => {
                    reg!(d).set(value);
                    pc += 1 + usize::from(count).div_ceil(3);
                }
                _ => branch!(value.is_truthy()),
            }
        }
    }
}
