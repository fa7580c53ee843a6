use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::eval::context::SystemClock;
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::reference::language;
use crate::stdlib::argument::Argument;
use crate::stdlib::call::Begin;
use crate::stdlib::table::table;
use crate::stdlib::{Call, Run};
use crate::value::{Map, Value};

fn context() -> Context {
    let mut cx = Context::new(language(), Meter::new(Limits::default()), Arc::new(SystemClock), 7);
    cx.cells.begin_turn();
    for kind in [CellKind::Atom, CellKind::Volatile] {
        cx.cells.cell(kind, Value::Int(5));
    }
    cx
}

/// Any argument: numbers, names, texts, cells, and collections, shared or not.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        (-3_i64..6).prop_map(Value::Int),
        any::<i64>().prop_map(Value::Int),
        prop_oneof![Just(0.0), Just(-0.0), Just(f64::NAN), Just(2.0), Just(-1.5)].prop_map(Value::Float),
        "[abé]{0,3}".prop_map(Value::string),
        "[ab]".prop_map(|name| Value::keyword(&name)),
        (0..2_u32).prop_map(|id| Value::Cell(crate::value::CellRef {
            id,
            kind: if id == 0 { CellKind::Atom } else { CellKind::Volatile }
        })),
    ];
    leaf.prop_recursive(2, 12, 4, |inner| {
        let entry = (
            prop_oneof!["[ab]".prop_map(|name| Value::keyword(&name)), "[ab]".prop_map(Value::string), (0..3_i64).prop_map(Value::Int)],
            inner.clone(),
        );
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..5).prop_map(Value::vector),
            1 => prop::collection::vec(entry, 0..4).prop_map(|pairs| Value::Map(Map::from_pairs(pairs, &mut Meter::host()).unwrap())),
            1 => prop::collection::vec("[ab]".prop_map(|name| Value::keyword(&name)), 0..3)
                .prop_map(|items| Value::Set(crate::value::Set::from_values(items, &mut Meter::host()).unwrap())),
        ]
    })
}

/// What the function of the row returns, with its cost.
fn called(name: &str, mut args: Vec<Value>) -> Option<(Value, u64, u64)> {
    let mut cx = context();
    let row = table().entry(table().find(name)?).row;
    let mut call = Call { name: row.name, args: &mut args, cx: &mut cx };
    let value = match row.run {
        Run::Plain(run) => run(&mut call).ok()?,
        Run::Native(start) => match start(&mut call).ok()? {
            Begin::Value(value) => value,
            _ => return None,
        },
        Run::Frame | Run::Prelude(_) => return None,
    };
    Some((value, cx.meter.fuel_used(), cx.cells.changes()))
}

#[test]
fn every_quick_call_belongs_to_a_row() {
    for (at, (name, _)) in QUICK.iter().enumerate() {
        let id = table().find(name).unwrap_or_else(|| panic!("no row {name}"));
        let number = table().entry(id).quick.unwrap();
        assert!(usize::from(number) == at && table().of_quick(number) == id, "{name} stands twice");
        // A row that may start a frame has its quick call in the window of the call.
        assert!(matches!(table().entry(id).row.run, Run::Plain(_)), "{name} may start a frame");
    }
}

/// The value of a program with the fuel that it used.
fn ending(source: &str) -> (String, u64) {
    let outcome = crate::Session::new(crate::SessionOptions::default()).run(source, &mut |_| unreachable!());
    let text = outcome.value().map(shown).unwrap_or_else(|| format!("{:?}", outcome.problems()));
    (text, outcome.usage.fuel)
}

#[test]
fn a_cell_is_changed_as_the_row_changes_it() {
    let contents = ["[1 2 3]", "5", "1.5", "nil", "{:a 1}", "9223372036854775807", "#{1}"];
    let changes = ["conj i", "assoc 1 i", "assoc :a i", "+ i", "- i", "inc", "dec", "count", "conj i i"];
    for (change, content) in changes.iter().flat_map(|change| contents.iter().map(move |content| (change, content))) {
        for (swap, make) in [("swap!", "atom"), ("vswap!", "volatile!")] {
            // A row called through a name has no quick call.
            let program = |f: &str, count: usize| {
                format!(
                    "(let [f {f} c ({make} {content})] \
                     [(try (doseq [i (range {count})] (CALL c {change})) (catch Exception e :error)) @c])"
                )
            };
            let quickly = |count| ending(&program("nil", count).replace("CALL", swap));
            let slowly = |count| ending(&program(&format!("(first [{swap}])"), count).replace("CALL", "f"));
            let (quick, slow) = ([quickly(10), quickly(30)], [slowly(10), slowly(30)]);
            assert_eq!([&quick[0].0, &quick[1].0], [&slow[0].0, &slow[1].0], "{swap} {change} {content}");
            assert_eq!(quick[1].1 - quick[0].1, slow[1].1 - slow[0].1, "{swap} {change} {content}");
        }
    }
    let cell = Value::Cell(crate::value::CellRef { id: 0, kind: CellKind::Atom });
    let mut registers = [cell, Value::Builtin(known().inc), Value::Nil];
    let operands = [0, 1].map(|at| Argument::register(at, false).unwrap());
    let mut on = Arguments { registers: &mut registers, constants: &[], operands: &operands, d: 2 };
    assert!(calls::change(&mut on, CellKind::Atom, &mut context()), "a change is quick");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_quick_call_does_what_the_row_does(
        at in 0..QUICK.len(),
        args in prop::collection::vec(value(), 0..10),
        kinds in prop::collection::vec(prop::sample::select(vec![Kind::Last, Kind::Last, Kind::Read, Kind::Constant]), 9),
        shared in prop::bool::weighted(0.3),
    ) {
        let (name, quick) = &QUICK[at];
        let entry = table().entry(table().find(name).unwrap());
        if !entry.accepts(args.len()) || !quick.takes(args.len()) {
            return Ok(());
        }
        let operands: Vec<Argument> = (0..).zip(&kinds).take(args.len()).map(|(at, kind)| kind.operand(at)).collect();
        let mut registers = copies(&args);
        let constants = copies(&args);
        let held = if shared { (registers.clone(), constants.clone()) } else { Default::default() };
        let mut cx = context();
        registers.push(Value::Nil);
        let mut on = Arguments { registers: &mut registers, constants: &constants, operands: &operands, d: args.len() as u16 };
        let done = quick.call(&mut on, &mut cx);
        let result = registers.pop().filter(|_| done);
        match &result {
            Some(value) => {
                let (wanted, fuel, changes) = called(name, copies(&args)).ok_or_else(|| TestCaseError::fail(format!("{name} {args:?} fails")))?;
                prop_assert_eq!(shown(value), shown(&wanted), "{} {:?}", name, args);
                prop_assert_eq!((cx.meter.fuel_used(), cx.cells.changes()), (fuel, changes), "{} {:?}", name, args);
            }
            None => prop_assert_eq!(all_shown(&registers), all_shown(&args), "{}", name),
        }
        for (at, operand) in operands.iter().enumerate() {
            if !operand.is_last() {
                let now = operand.of(&registers, &constants);
                prop_assert_eq!(shown(now), shown(&args[at]), "{} changed operand {}", name, at);
            }
        }
        prop_assert_eq!(all_shown(&constants), all_shown(&args), "{} changed a constant", name);
        if shared {
            prop_assert_eq!(all_shown(&held.0), all_shown(&args), "{} changed what others hold", name);
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq)]
enum Kind {
    Last,
    Read,
    Constant,
}

impl Kind {
    fn operand(self, at: u32) -> Argument {
        match self {
            Kind::Last => Argument::register(at, true),
            Kind::Read => Argument::register(at, false),
            Kind::Constant => Argument::constant(at),
        }
        .unwrap()
    }
}

fn shown(value: &Value) -> String {
    format!("{value:?} {}", crate::value::format(value, &crate::value::FormatOptions::full()).text)
}

fn all_shown(values: &[Value]) -> Vec<String> {
    values.iter().map(shown).collect()
}

/// The same values, with collections that are not shared.
fn copies(values: &[Value]) -> Vec<Value> {
    values
        .iter()
        .map(|value| match value {
            Value::Vector(items) => {
                // With capacity for more.
                let mut copy = Vec::with_capacity(items.len() + 8);
                copy.extend(items.iter().cloned());
                Value::vector(copy)
            }
            Value::Map(map) => {
                let pairs = map.iter().map(|(key, value)| (key.clone(), value.clone())).collect::<Vec<_>>();
                Value::Map(Map::from_pairs(pairs, &mut Meter::host()).unwrap())
            }
            other => other.clone(),
        })
        .collect()
}

#[test]
fn a_short_fold_of_numbers_is_that_of_any_function() {
    let vectors = [
        "[]",
        "[5]",
        "[1 2 3]",
        "[1 2.5 -3]",
        "[9223372036854775807 1]",
        "[1 nil]",
        "[\"a\"]",
        "[2 0]",
        "(vec (range 100))",
        "nil",
        "#{1 2}",
    ];
    for f in ["+", "*", "-", "/", "max", "min", "quot", "mod", "bit-and", "str", "conj"] {
        for xs in vectors {
            for call in ["(reduce F xs)", "(reduce F 7 xs)", "(reduce F nil xs)", "(apply F xs)"] {
                let with = |f: &str| {
                    let call = call.replace('F', f);
                    ending(&format!(
                        "(let [xs {xs} others {{:f {f}}}] (try {call} (catch Exception e :error)))",
                        f = f.trim_start_matches("g ")
                    ))
                    .0
                };
                // A function of the program has no quick call.
                let slowly = ending(&format!(
                    "(let [xs {xs} g (fn [& args] (apply (first [{f}]) (concat args [])))] (try {} (catch Exception e :error)))",
                    call.replace('F', "g")
                ))
                .0;
                assert_eq!(with(f), slowly, "{call} {f} {xs}");
            }
        }
    }
}
