use std::collections::HashMap;

use insta::assert_snapshot;

use super::*;
use crate::Limits;
use crate::text::print_float;
use crate::value::{
    CellKind, Name,
    tests::{map, set, vector},
};

fn check(
    value: impl Into<Value>,
    limit: impl Into<Option<usize>>,
    printable_limit: impl Into<Option<usize>>,
) -> String {
    let options =
        FormatOptions { limit: limit.into(), printable_limit: printable_limit.into(), ..FormatOptions::printed() };
    let shown = format(&value.into(), &options);
    if shown.truncated { format!("{} | cut", shown.text) } else { shown.text }
}

fn kw(name: &str) -> Value {
    Value::keyword(name)
}

/// Proves: TRN-001, TRN-005.
#[test]
fn scalars() {
    assert_snapshot!(check(7, None, None), @"7");
    assert_snapshot!(check(2.0, None, None), @"2.0");
    assert_snapshot!(check(vector([kw("a"), Value::Nil, true.into(), f64::INFINITY.into()]), None, None), @"[:a nil true ##Inf]");
    assert_snapshot!(check("tab\there \u{1}#{x}", None, None), @r#""tab\there \u0001#{x}""#);
    assert_snapshot!(check("abcdefgh", None, 5), @r#""abcde..." | cut"#);
    assert_snapshot!(check("abcde", None, 5), @r#""abcde""#);
    assert_snapshot!(check("äöüäö", None, 5), @r#""äöüäö""#);
    assert_snapshot!(check(Value::Var(Name::new("total")), None, None), @"#'total");
    assert_snapshot!(check(Value::Tool(Name::new("search")), None, None), @"#<tool search>");
    assert_snapshot!(check(Value::Date(jiff::civil::date(2024, 3, 9)), None, None), @r#"#date "2024-03-09""#);
    assert_snapshot!(check(Value::Instant(1_709_978_400_500_000), None, None), @r#"#inst "2024-03-09T10:00:00.5Z""#);
    assert_snapshot!(check(Value::Instant(i64::MIN), None, None), @r#"#inst "-9223372036854775808 us""#);
}

#[test]
fn floats() {
    let floats =
        [0.1 + 0.2, 1.0 / 3.0, 1e20, 1e21, -1.5e22, 1.0e-11, 3.2e-12, 1e-5, -0.0, f64::NAN, 123_456_789.123_456_79];
    let printed: Vec<String> = floats.iter().map(|x| print_float(*x)).collect();
    assert_snapshot!(printed.join(" "), @"0.3 0.3333333333 100000000000000000000.0 1.0e21 -1.5e22 1.0e-11 3.2e-12 0.00001 -0.0 ##NaN 123456789.12345679");
    let shortest: Vec<String> = floats.iter().map(|x| crate::value::shortest_float(*x)).collect();
    assert_snapshot!(shortest.join(" "), @"0.30000000000000004 0.3333333333333333 100000000000000000000.0 1.0e21 -1.5e22 1.0e-11 3.2e-12 0.00001 -0.0 NaN 123456789.12345679");
}

/// Proves: TRN-001, TRN-004.
#[test]
fn limits_of_collections() {
    let four = || vector([10, 20, 30, 40].map(Value::from));
    assert_snapshot!(check(four(), 3, None), @"[10 20 30 ...] (4 items, showing first 3) | cut");
    assert_snapshot!(check(four(), 4, None), @"[10 20 30 40]");
    assert_snapshot!(check(vector([vector([1, 2, 3].map(Value::from)), 9.into()]), 2, None), @"[[1 2 ...] (3 items, showing first 2) 9] | cut");
    assert_snapshot!(check(set([3, 1, 2].map(Value::from)), 2, None), @"#{3 1 ...} (3 items, showing first 2) | cut");
    assert_snapshot!(check(vector([vector([]), set([]), map([])]), None, None), @"[[] #{} {}]");
    assert_snapshot!(check(four(), 0, None), @"[ ...] (4 items, showing first 0) | cut");
}

/// Proves: TRN-001, TRN-003, TRN-004, SAM-003.
#[test]
fn maps_keep_insertion_order_and_show_as_many_entries_as_lists() {
    let letters =
        |n: usize| map(["d", "a", "c", "b"].iter().take(n).zip(1..).map(|(name, n)| (kw(name), Value::Int(n))));
    assert_snapshot!(check(letters(2), None, None), @"{:d 1 :a 2}");
    assert_snapshot!(check(letters(4), 3, None), @"{:d 1 :a 2 :c 3 ...} (4 items, showing first 3) | cut");
    assert_snapshot!(check(letters(3), 3, 80), @"{:d 1 :a 2 :c 3}");
    assert_snapshot!(check(vector([letters(3)]), 3, 80), @"[{:d 1 :a 2 :c 3}]");
    let note = map([(kw("note"), "n".repeat(40).into()), (kw("z"), 1.into())]);
    assert_snapshot!(check(note, None, 60), @r#"{:note "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" :z 1}"#);
    let keys = map([(vector([1.into(), "k".into()]), map([("long key".into(), 2.into())])), (Value::Nil, 3.into())]);
    assert_snapshot!(check(keys, None, None), @r#"{[1 "k"] {"long key" 2} nil 3}"#);
}

#[test]
fn hidden_entries() {
    let value = map([(kw("_token"), "s".into()), (kw("id"), 1.into()), ("_x".into(), map([(kw("_y"), 1.into())]))]);
    assert_snapshot!(check(value.clone(), 1, None), @"{:id 1}");
    assert_snapshot!(check(map([(kw("a"), map([(kw("_y"), 1.into())]))]), None, None), @"{:a {}}");
    let all = FormatOptions { hide: false, ..FormatOptions::full() };
    assert_snapshot!(format(&value, &all).text, @r#"{:_token "s" :id 1 "_x" {:_y 1}}"#);
}

#[test]
fn display_text_is_raw() {
    let parts = [
        Value::Nil,
        "a\"b".into(),
        1.0.into(),
        kw("k"),
        vector([1.into(), "a".into()]),
        Value::Date(jiff::civil::date(2024, 3, 9)),
    ];
    let text: Vec<String> = parts.iter().map(display_text).collect();
    assert_snapshot!(text.join("|"), @r#"|a"b|1.0|:k|[1 "a"]|2024-03-09"#);
}

/// Atom 0 holds a vector with itself, atom 1 holds 5; generator 0 has two realised elements.
struct Session(HashMap<u32, Value>);

impl Cells for Session {
    fn content(&self, cell: CellRef) -> Option<Value> {
        self.0.get(&cell.id).cloned()
    }
    fn realised(&self, generator: LazySeq) -> Option<Realised> {
        let known = if generator.cell == 0 { vec![1.into(), 2.into()] } else { Vec::new() };
        Some(Realised {
            items: known.into_iter().skip(generator.offset as usize).collect(),
            complete: generator.cell == 2,
        })
    }
}

#[test]
fn cells_and_generators() {
    let atom = |id| Value::Cell(CellRef { id, kind: CellKind::Atom });
    let generator = |cell, offset| Value::LazySeq(LazySeq { cell, offset });
    let session = Session(HashMap::from([(0, vector([atom(0), 1.into()])), (1, 5.into())]));
    let value = vector([atom(0), atom(1), atom(1), Value::Cell(CellRef { id: 7, kind: CellKind::Delay })]);
    let shown = |value: &Value| format_with(value, &FormatOptions::full(), &session).text;
    assert_snapshot!(shown(&value), @"[#<atom [... 1]> #<atom 5> #<atom 5> #<delay>]");
    assert_snapshot!(shown(&vector([generator(0, 0), generator(0, 1), generator(1, 0), generator(2, 0)])), @"[[1 2 ...] [2 ...] [...] []]");
    assert_snapshot!(format(&vector([atom(1), generator(0, 0)]), &FormatOptions::full()).text, @"[#<atom> #<seq>]");
}

#[test]
fn deep_values_end_in_dots() {
    let deep = (0..600).fold(Value::Int(1), |inner, _| vector([inner]));
    let text = check(deep, None, None);
    assert_eq!(text, format!("{}...{}", "[".repeat(512), "]".repeat(512)));
}

#[test]
fn values_that_share_their_parts_meet_the_memory_limit() {
    let shared = (0..60).fold(Value::from("leaf"), |inner, _| vector([inner.clone(), inner]));
    let mut meter = Meter::new(Limits { memory: 100_000, ..Limits::default() });
    let mut out = String::new();
    let result = write_value(&mut out, &shared, &FormatOptions::full(), &NoCells, &mut meter);
    assert!(format!("{result:?}").contains("MemoryExceeded"));
    assert!(out.len() < 1_000_000);
    assert!(format(&shared, &FormatOptions::full()).text.ends_with(" ..."));
}

#[test]
fn names_and_expressions_are_one_line_too() {
    assert_snapshot!(check(kw("a\nb"), None, None), @r":a\nb");
    assert_snapshot!(check(Value::Symbol(Name::new("x\u{1b}[2J")), None, None), @r"x\u001b[2J");
    assert_snapshot!(check(Value::Tool(Name::new("a\n;; Output:")), None, None), @r"#<tool a\n;; Output:>");
    assert_snapshot!(check(map([(kw("\u{202e}k"), 1.into())]), None, None), @r"{:\u202ek 1}");
    assert_snapshot!(check("a\u{2028}b\u{202e}c\u{feff}\u{85}\u{7f}", None, None), @r#""a\u2028b\u202ec\ufeff\u0085\u007f""#);
}

mod laws {
    use proptest::prelude::*;

    use crate::text::{FormatOptions, format};
    use crate::{Session, SessionOptions, Value};

    fn read(source: &str) -> Value {
        let mut session = Session::new(SessionOptions::default());
        let outcome = session.run(source, &mut |_| unreachable!());
        outcome.value().unwrap_or_else(|| panic!("{source:?}: {:?}", outcome.problems())).clone()
    }

    fn odd() -> impl Strategy<Value = char> {
        prop_oneof![
            any::<char>(),
            prop::char::range('\0', '\u{A0}'),
            prop::char::range('\u{2000}', '\u{206F}'),
            prop::char::range('\u{FFF0}', '\u{FFFF}'),
            prop::sample::select(vec!['\\', '"', '\n', '\r', '\u{1b}', '\u{202e}']),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn a_printed_string_is_one_line_that_is_read_as_the_same_string(chars in prop::collection::vec(odd(), 0..12)) {
            let value = Value::string(chars.into_iter().collect::<String>());
            let text = format(&Value::vector(vec![value.clone()]), &FormatOptions::full()).text;
            prop_assert!(!text.contains(|c: char| c.is_control() || ('\u{2028}'..='\u{202E}').contains(&c)), "{:?}", text);
            let again = read(&text);
            prop_assert_eq!(again.as_vector().and_then(|items| items.get(0)).and_then(Value::as_str), value.as_str());
        }

        #[test]
        fn a_printed_expression_is_one_line_that_matches_the_same(text in "[a-c\\n\\t\"\\u{1b}\\u{2028}]{1,6}", before in "[a-c]{0,2}") {
            let pattern = format!("{before}{text}");
            let quoted = format(&Value::string(pattern.as_str()), &FormatOptions::full()).text;
            let printed = format(&read(&format!("(re-pattern {quoted})")), &FormatOptions::full()).text;
            prop_assert!(!printed.contains(|c: char| c.is_control() || c == '\u{2028}'), "{:?}", printed);
            let found = read(&format!("(re-matches {printed} {quoted})"));
            prop_assert_eq!(found.as_str(), Some(pattern.as_str()), "{}", printed);
        }
    }
}
