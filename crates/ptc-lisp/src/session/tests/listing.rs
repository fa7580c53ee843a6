//! The instructions of the programs that `docs/machine.md` follows.

use std::fmt::Write;

use insta::assert_snapshot;

use crate::eval::code::Op;
use crate::stdlib::table::table;
use crate::{Session, SessionOptions, Value};

/// Every function of a program: its registers, then its instructions by number.
fn listing(source: &str) -> String {
    let data = Value::from_json_str(r#"{"orders": [{"qty": 2, "price": 5}, {"qty": 1, "price": 7}]}"#).unwrap();
    let data = data.as_map().unwrap().clone();
    let mut session = Session::new(SessionOptions { data, ..SessionOptions::default() });
    session.start(source);
    let mut text = String::new();
    for code in session.machine.codes.of_programs() {
        let name = code.name.as_deref().unwrap_or("program");
        writeln!(
            text,
            "{name}: {} registers, {} of them locals; constants {:?}",
            code.registers, code.locals, code.constants
        )
        .unwrap();
        for (at, op) in code.ops.iter().enumerate() {
            match op {
                Op::CallBuiltin(count, window, d, id) => {
                    writeln!(text, "{at:>3} CallBuiltin({count}, {window}, {d}, {})", table().entry(*id).row.name)
                }
                Op::Builtin1(number, ..)
                | Op::Builtin2(number, ..)
                | Op::Builtin(number, ..)
                | Op::First(number, ..)
                | Op::Rest(number, ..)
                | Op::Item(number, ..)
                | Op::Ask1(number, ..)
                | Op::Ask2(number, ..) => {
                    let name = table().entry(table().of_quick(*number)).row.name;
                    writeln!(
                        text,
                        "{at:>3} {}",
                        format!("{op:?}").replacen(&format!("({number}"), &format!("({name}"), 1)
                    )
                }
                op => writeln!(text, "{at:>3} {op:?}"),
            }
            .unwrap();
        }
    }
    text
}

#[test]
fn a_function_and_its_call() {
    assert_snapshot!(listing("(defn cost [order] (* (:qty order) (:price order)))\n(cost (first data/orders))"), @"
    cost: 4 registers, 1 of them locals; constants [:qty, :price]
      0 GetKeyword(2, 0, 0)
      1 TakeKeyword(3, 0, 1)
      2 Mul(1, 2, 3)
      3 Ret(1)
    program: 3 registers, 0 of them locals; constants [#fn[order], :orders]
      0 Const(0, 0)
      1 Def(0, 0)
      2 Data(2, 1)
      3 First(first, 1, r2!)
      4 CallGlobal(1, 0, 0)
      5 Ret(0)
    ");
}

#[test]
fn a_pass_with_its_body_in_place() {
    assert_snapshot!(listing("(reduce (fn [sum order] (+ sum (:price order))) 0 data/orders)"), @"
    program: 4 registers, 2 of them locals; constants [:price]
      0 TakeKeyword(3, 1, 0)
      1 Add(2, 0, 3)
      2 Ret(2)
    program: 11 registers, 4 of them locals; constants [:orders, #fn[sum order], :price]
      0 Int(2, 0)
      1 Data(3, 0)
      2 EachStart(0)
      3 Const(8, 1)
      4 Take(9, 2)
      5 Take(10, 3)
      6 CallBuiltin(3, 7, 7, reduce)
      7 Take(4, 7)
      8 Jump(12)
      9 ElementGetKeyword(8, 6, 2)
     10 Add(7, 0, 8)
     11 EachFold(7, 0)
     12 Ret(4)
    ");
}

#[test]
fn a_loop() {
    assert_snapshot!(listing("(loop [n 3 out []] (if (pos? n) (recur (dec n) (conj out n)) out))"), @"
    program: 2 registers, 2 of them locals; constants [[]]
      0 Int(0, 3)
      1 Const(1, 0)
      2 TestValue(IsPositive, r0)
      3 Jump(7)
      4 Builtin2(conj, 1, r1!, r0)
      5 Dec(0, 0)
      6 Back(2)
      7 Ret(1)
    ");
}

/// For each vector pattern of a program, how many elements it puts into registers at once.
fn taken_at_once(pattern: &str) -> Vec<u16> {
    let mut session = Session::new(SessionOptions::default());
    session.start(&format!("(defn f [x] (let [{pattern} x] [a b c all]))"));
    let ops = session.machine.codes.of_programs().flat_map(|code| &code.ops);
    ops.filter_map(|op| if let Op::Pattern(.., parts) = op { Some(*parts) } else { None }).collect()
}

#[test]
fn a_pattern_takes_at_once_what_it_names_when_nothing_else_is_read() {
    let named = "all 4 a 1 b 2 c 3";
    let of = |pattern: &str| taken_at_once(&format!("{named} {pattern}"));
    assert_eq!(of("[a b c]"), [3]);
    assert_eq!(of("[_ a]"), [2]);
    // Elements that are read out of order, from a pattern with more, or in addition to the whole are fetched one by
    // one.
    assert_eq!(of("[[a b] c]"), [0, 2]);
    assert_eq!(of("[a b & c]"), [0]);
    assert_eq!(of("[a b :as all]"), [2]);
}

#[test]
fn constants_beside_numbers() {
    assert_snapshot!(listing("(defn price [qty] (if (= 3 qty) (* 1.5 qty 2) (+ qty qty qty)))"), @"
    price: 3 registers, 1 of them locals; constants [1.5, 2]
      0 TestEqInt(0, 3)
      1 Jump(5)
      2 Arithmetic(Mul, 2, k0, r0)
      3 Arithmetic(Mul, 1, r2, k1)
      4 Ret(1)
      5 Add(2, 0, 0)
      6 Add(1, 2, 0)
      7 Ret(1)
    program: 1 registers, 0 of them locals; constants [#fn[qty]]
      0 Const(0, 0)
      1 Def(0, 0)
      2 Ret(0)
    ");
}

/// How often each function reads an entry of the data or a captured value, and how often its loop starts again.
fn reads(source: &str) -> Vec<(usize, usize)> {
    let count = |listing: &str, ops: [&str; 2]| ops.iter().map(|op| listing.matches(op).count()).sum();
    let functions = listing(source);
    functions
        .split("constants")
        .skip(1)
        .map(|own| (count(own, [" Data(", " Capture("]), count(own, ["Back(", " Each"])))
        .collect()
}

#[test]
fn what_cannot_change_is_read_before_a_loop() {
    let source =
        "(loop [i 0 acc 0] (if (= i (count data/orders)) acc (recur (inc i) (+ acc (:qty (nth data/orders i))))))";
    assert_snapshot!(listing(source), @"
    program: 5 registers, 3 of them locals; constants [:orders, :qty]
      0 Data(2, 0)
      1 Int(0, 0)
      2 Int(1, 0)
      3 Builtin1(count, 3, r2)
      4 TestEq(0, 3)
      5 Jump(7)
      6 Ret(1)
      7 Item(nth, 4, r2, r0)
      8 TakeKeyword(3, 4, 1)
      9 Add(1, 1, 3)
     10 IncBack(0, 3)
     11 Inc(0, 0)
    ");
    // In a loop over a collection, and in an inner one.
    let source = "(reduce (fn [s i] (+ s (:qty (nth data/orders i)) (count data/orders))) 0 (range 2))";
    assert_eq!(reads(source).last(), Some(&(1, 2)));
    // A function that starts again, and a closure.
    let source = "(defn f [i acc] (if (= i (count data/orders)) acc (recur (inc i) (+ acc (:qty (nth data/orders i)))))) (f 0 0)";
    assert_eq!(reads(source)[0], (1, 1));
    assert_eq!(reads("(let [k 2 f (fn [n] (loop [i 0] (if (< i n) (recur (+ i k k)) i)))] (f 9))")[0], (1, 1));
}
