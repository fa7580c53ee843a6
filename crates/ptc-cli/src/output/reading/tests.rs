use insta::assert_snapshot;
use proptest::prelude::*;
use ptc_runner::lisp::{Ending, Session, SessionOptions, Value};

use super::readable;

fn check(source: &str, width: usize) -> String {
    let outcome = Session::new(SessionOptions::default()).run(source, &mut |_: &_| unreachable!());
    match outcome.ending {
        Ending::Value(value) => readable(&value, width),
        other => panic!("{source}: {other:?}"),
    }
}

#[test]
fn a_map_is_a_list_of_its_entries_and_maps_in_a_list_are_a_table() {
    let answer = r#"{:country "Italy" :lost 102046.97 :checked nil
                     :top [{:name "Vera Brandt" :lost 18664.37} {:name "Lucia Visser" :lost 8877.79 :vip true}]}"#;
    assert_snapshot!(check(answer, 80), @"
    country  Italy
    lost     102046.97
    checked  nil
    top      name              lost  vip
             ──────────────────────────────
             Vera Brandt   18664.37
             Lucia Visser   8877.79  true
    ");
}

#[test]
fn lists_and_other_values() {
    assert_snapshot!(check("[1 2 3]", 80), @"[1 2 3]");
    assert_snapshot!(check(r#"{:tags ["a" "b"] :pair {:x 1 :y [2 3]} :none []}"#, 80), @r#"
    tags  ["a" "b"]
    pair  x  1
          y  [2 3]
    none  []
    "#);
    assert_snapshot!(check(r#""two\nlines""#, 80), @"
    two
    lines
    ");
    assert_snapshot!(check(r#"[]"#, 80), @"[]");
    assert_snapshot!(check("{[1 2] 3}", 80), @"{[1 2] 3}");
}

#[test]
fn narrow_terminals_wrap_cells_and_cut_nothing() {
    let rows = r#"[{:id 1 :note "a rather long remark about the first of them"} {:id 2 :note "short"}]"#;
    assert_snapshot!(check(rows, 30), @"
    id  note
    ──────────────────────────────
     1  a rather long remark
        about the first of them
     2  short
    ");
}

#[test]
fn what_makes_no_table_is_written_as_it_is() {
    let columns = format!("[{{{}}}]", (0..13).map(|n| format!(":k{n} {n} ")).collect::<String>());
    assert!(check(&columns, 200).starts_with("[{:k0 0"));
    assert_eq!(check("[{:a 1} 2]", 80), "[{:a 1} 2]");
    assert_eq!(check("[{:a 1} (range 9)]", 25), "{:a 1}\n[0 1 2 3 4 5 6 7 8]");
}

proptest! {
    #[test]
    fn no_cell_is_lost(rows in prop::collection::vec(("[a-zé]{1,9}", 0i64..1_000_000), 1..20), width in 20usize..120) {
        let value = Value::vector(
            rows.iter()
                .map(|(name, n)| Value::map_from([(Value::keyword("name"), Value::string(name.as_str())), (Value::keyword("n"), Value::Int(*n))]))
                .collect(),
        );
        let text = readable(&value, width);
        for (name, n) in &rows {
            prop_assert!(text.contains(name.as_str()) && text.contains(&n.to_string()), "{text}");
        }
        prop_assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
    }
}
