//! Helpers shared by the tests of the text and number families, and tests of shown text.

use std::sync::Arc;

use insta::assert_snapshot;

use crate::error::Signal;
use crate::eval::context::{Clock, Context};
use crate::limits::Limits;
use crate::limits::meter::Meter;
use crate::reference::language;
use crate::session::host::ToolError;
use crate::session::{Session, SessionOptions};
use crate::stdlib::table::table;
use crate::stdlib::{Call, Run};
use crate::value::{FormatOptions, Value, format};

/// 2024-03-09T10:00:00.5Z
pub(in crate::stdlib) struct Noon;

impl Clock for Noon {
    fn now_micros(&self) -> i64 {
        1_709_978_400_500_000
    }
}

/// The text of the program's value or `! reason message`; printed lines come first, each after `> `.
pub(in crate::stdlib) fn check(source: &str) -> String {
    check_with(source, Limits::default())
}

pub(in crate::stdlib) fn check_with(source: &str, limits: Limits) -> String {
    let mut session =
        Session::new(SessionOptions { limits, clock: Arc::new(Noon), seed: 7, ..SessionOptions::default() });
    let outcome = session.run(source, &mut |_| Err(ToolError::new("no tools here")));
    let mut lines: Vec<String> = outcome.prints.iter().map(|line| format!("> {line}")).collect();
    lines.push(match outcome.value() {
        Some(value) => format(value, &FormatOptions::full()).text,
        None => outcome
            .problems()
            .iter()
            .map(|problem| format!("! {} {}", problem.reason, problem.message))
            .collect::<Vec<_>>()
            .join("\n"),
    });
    lines.join("\n")
}

/// Call the row `name` directly.
pub(in crate::stdlib) fn call(name: &str, args: &[Value]) -> Result<Value, String> {
    let mut cx = Context::new(language(), Meter::new(Limits::default()), Arc::new(Noon), 7);
    let row = table().find(name).map(|id| table().entry(id).row).unwrap_or_else(|| panic!("no row {name}"));
    let Run::Plain(run) = row.run else { panic!("{name} is not a plain row") };
    let mut args = args.to_vec();
    run(&mut Call { name: row.name, args: &mut args, cx: &mut cx }).map_err(|signal| match *signal {
        Signal::Error(error) => format!("{}: {}", error.reason, error.message),
        other => format!("{other:?}"),
    })
}

#[test]
fn three_ways_to_show_a_value() {
    assert_snapshot!(check(r#"[(str "a" nil 1.0 [nil "b"]) (pr-str "a" nil 1.0) (print-str "a" nil [\b])]"#), @r#"["a1.0[nil \"b\"]" "\"a\" nil 1.0" "a nil [\"b\"]"]"#);
    assert_snapshot!(check("[(str (+ 0.1 0.2)) (pr-str (+ 0.1 0.2)) (str ##Inf) (pr-str ##Inf)]"), @r###"["0.30000000000000004" "0.30000000000000004" "Infinity" "##Inf"]"###);
    assert_snapshot!(check("(str (atom [1 2]))"), @r##""#<atom [1 2]>""##);
}

#[test]
fn an_endless_sequence_ends_in_a_limit() {
    assert_snapshot!(check_with("(str (range))", Limits { fuel: 100_000, ..Limits::default() }), @"! fuel_exceeded stopped after 100000 steps: all of a lazy sequence was asked for; if it has no end, write (take n coll)");
}
