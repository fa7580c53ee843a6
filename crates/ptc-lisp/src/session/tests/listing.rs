//! The instructions of the programs that `docs/machine.md` follows.

use std::path::Path;

use insta::assert_snapshot;

use crate::eval::code::{Code, Op};
use crate::eval::instructions::FAMILIES;
use crate::{Session, SessionOptions, Value};

fn session() -> Session {
    let data = Value::from_json_str(r#"{"orders": [{"qty": 2, "price": 5}, {"qty": 1, "price": 7}]}"#).unwrap();
    Session::new(SessionOptions { data: data.as_map().unwrap().clone(), ..SessionOptions::default() })
}

fn listing(source: &str) -> String {
    session().instructions(source, &[]).unwrap()
}

#[test]
fn a_function_and_its_call() {
    assert_snapshot!(listing("(defn cost [order] (* (:qty order) (:price order)))\n(cost (first data/orders))"), @"
    cost: 4 registers, 1 of them locals
      0 GetKeyword r2 r0 :qty
      1 TakeKeyword r3 r0! :price
      2 Mul r1 r2 r3
      3 Ret r1!
    program: 3 registers, 0 of them locals
      0 Const r0 #fn[order]
      1 Def r0 0
      2 Data r2 :orders
      3 First first r1 r2!
      4 CallGlobal 1 r0 @cost
      5 Ret r0!
    ");
}

#[test]
fn a_pass_with_its_body_in_place() {
    assert_snapshot!(listing("(reduce (fn [sum order] (+ sum (:price order))) 0 data/orders)"), @"
    program: 4 registers, 2 of them locals
      0 TakeKeyword r3 r1! :price
      1 Add r2 r0 r3
      2 Ret r2!
    program: 11 registers, 4 of them locals
      0 Int r2 0
      1 Data r3 :orders
      2 EachStart 0
      3 Const r8 #fn[sum order]
      4 Take r9 r2!
      5 Take r10 r3!
      6 CallBuiltin 3 r7 r7 reduce
      7 Take r4 r7!
      8 Jump →12
      9 ElementGetKeyword r8 r6 :price
     10 Add r7 r0 r8
     11 EachFold r7! 0
     12 Ret r4!
    ");
}

#[test]
fn a_loop() {
    assert_snapshot!(listing("(loop [n 3 out []] (if (pos? n) (recur (dec n) (conj out n)) out))"), @"
    program: 2 registers, 2 of them locals
      0 Int r0 3
      1 Const r1 []
      2 TestValue pos? r0
      3 Jump →7
      4 Builtin2 conj r1 r1! r0
      5 Dec r0 r0
      6 Back →2
      7 Ret r1!
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
    price: 3 registers, 1 of them locals
      0 Equal = r0 3
      1 Jump →5
      2 Arithmetic * r2 1.5 r0
      3 Arithmetic * r1 r2 2
      4 Ret r1!
      5 Add r2 r0 r0
      6 Add r1 r2 r0
      7 Ret r1!
    program: 1 registers, 0 of them locals
      0 Const r0 #fn[qty]
      1 Def r0 0
      2 Ret r0!
    ");
}

/// How often each function reads an entry of the data or a captured value, and how often its loop starts again.
fn reads(source: &str) -> Vec<(usize, usize)> {
    let count = |listing: &str, ops: [&str; 2]| ops.iter().map(|op| listing.matches(op).count()).sum();
    let functions = listing(source);
    functions
        .split("registers")
        .skip(1)
        .map(|own| (count(own, [" Data ", " Capture "]), count(own, ["Back ", " Each"])))
        .collect()
}

#[test]
fn what_cannot_change_is_read_before_a_loop() {
    let source =
        "(loop [i 0 acc 0] (if (= i (count data/orders)) acc (recur (inc i) (+ acc (:qty (nth data/orders i))))))";
    assert_snapshot!(listing(source), @"
    program: 5 registers, 3 of them locals
      0 Data r2 :orders
      1 Int r0 0
      2 Int r1 0
      3 Builtin1 count r3 r2
      4 Equal = r0 r3
      5 Jump →7
      6 Ret r1!
      7 Item nth r4 r2 r0
      8 TakeKeyword r3 r4! :qty
      9 Add r1 r1 r3
     10 IncBack r0 →3
     11 Inc r0 r0
    ");
    // In a loop over a collection, and in an inner one.
    let source = "(reduce (fn [s i] (+ s (:qty (nth data/orders i)) (count data/orders))) 0 (range 2))";
    assert_eq!(reads(source).last(), Some(&(1, 2)));
    // A function that starts again, and a closure.
    let source = "(defn f [i acc] (if (= i (count data/orders)) acc (recur (inc i) (+ acc (:qty (nth data/orders i)))))) (f 0 0)";
    assert_eq!(reads(source)[0], (1, 1));
    assert_eq!(reads("(let [k 2 f (fn [n] (loop [i 0] (if (< i n) (recur (+ i k k)) i)))] (f 9))")[0], (1, 1));
}

#[test]
fn a_pass_can_be_left_out() {
    let without = session().instructions("(let [x data/orders] (conj x 1))", &["last-uses"]).unwrap();
    assert!(!without.contains("r0!"), "{without}");
    assert!(listing("(let [x data/orders] (conj x 1))").contains("r0!"));
    assert!(session().instructions("(nope 1)", &[]).is_err());
}

#[test]
fn an_instruction_names_only_what_its_code_has() {
    let code = Code { registers: 2, ops: vec![Op::Nil(1), Op::Jump(0)], ..Code::default() };
    assert!(code.dangling().is_none());
    for wrong in [Op::Nil(2), Op::Jump(3), Op::Const(0, 0), Op::Call(1, 1), Op::Vector(0, 1, 2), Op::EachStart(0)] {
        let code = Code { registers: 2, ops: vec![Op::Nil(0), wrong], ..Code::default() };
        assert_eq!(code.dangling().map(|(at, _)| at), Some(1), "{wrong:?}");
    }
}

/// `docs/machine.md` has the table of instructions.
#[test]
fn the_page_of_the_machine_lists_the_instructions() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/machine.md");
    let page = std::fs::read_to_string(page).unwrap();
    let row = |[name, operands, does]: &[&str; 3]| format!("| `{name}{operands}` |{does} |\n");
    let family = |(title, rows): &(&str, &[[&str; 3]])| {
        format!("**{title}**\n\n| | |\n|---|---|\n{}", rows.iter().map(row).collect::<String>())
    };
    let tables = FAMILIES.iter().map(family).collect::<Vec<_>>().join("\n");
    assert!(page.contains(&tables), "docs/machine.md does not have these tables:\n{tables}");
}
