//! What all passes have in common: a file that shows what it does, and a row on the page of the machine.

use std::path::Path;

use insta::assert_snapshot;
use proptest::prelude::*;
use proptest::sample;

use super::loops::tests::{CALLS, COLLECTIONS, FOLDS, ROWS, ending_in};
use super::{PASSES, Plan};
use crate::analyze::ir::{Function, Kind, Slot};
use crate::analyze::print;
use crate::eval::oracle::tests::{LOCALS, program};
use crate::session::outcome::problems_text;
use crate::value::{FormatOptions, Value, format};
use crate::{Session, SessionOptions};

/// The value of a program, or its problem without its place, and the fuel that it used.
pub(in crate::optimize) fn ending(source: &str) -> (String, u64) {
    let outcome = Session::new(SessionOptions::default()).run(source, &mut |_| unreachable!());
    let text = match outcome.value() {
        Some(value) => format(value, &FormatOptions::full()).text,
        None => problems_text(outcome.problems()).split(" at line").next().unwrap_or_default().to_owned(),
    };
    (text, outcome.usage.fuel)
}

/// The names that the examples of passes use without binding them.
const FREE: [&str; 12] = ["xs", "ys", "m", "f", "g", "p", "k", "v", "n", "x", "y", "cell"];

/// A tree with the names of its parameters.
struct Free;

impl print::Names for Free {
    fn global(&self, number: u32) -> String {
        number.to_string()
    }

    fn local(&self, slot: Slot) -> Option<&str> {
        FREE.get(slot as usize).copied()
    }
}

/// The tree of an expression, with these passes.
fn tree(source: &str, passes: &[&str]) -> String {
    let data = Value::from_json_str(r#"{"items": []}"#).unwrap();
    let data = data.as_map().unwrap().clone();
    let session = Session::new(SessionOptions { data, ..SessionOptions::default() });
    let plan = Plan::with(|pass| passes.contains(&pass.name));
    let program = format!("(fn [{}] {source})", FREE.join(" "));
    let (main, _) = session.phases().optimized(program.into(), &plan).unwrap();
    let Kind::Fn(function) = &main.arities[0].body.kind else { panic!("not a function: {source}") };
    print::program(&Function::clone(function), &Free)
}

/// What the first lines of a file say after this word.
fn said<'a>(file: &'a str, word: &str) -> Vec<&'a str> {
    let lines = file.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim);
    lines.filter_map(|line| line.strip_prefix(word)?.strip_prefix(' ')).map(str::trim).collect()
}

/// The file of a pass begins with what it does to some expressions. `with` names the passes that have to run before.
#[test]
fn each_pass_does_what_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/optimize");
    let mut wrong = String::new();
    for pass in &PASSES {
        let file = std::fs::read_to_string(folder.join(pass.name.replace('-', "_") + ".rs")).unwrap();
        let (before, after, law) = (said(&file, "before"), said(&file, "after"), said(&file, "law"));
        let with: Vec<&str> = said(&file, "with").iter().flat_map(|names| names.split(", ")).collect();
        if before.is_empty() || before.len() != after.len() || law.is_empty() {
            wrong +=
                &format!("{}: {} times before, {} after, {} law\n", pass.name, before.len(), after.len(), law.len());
        }
        for (at, before) in before.iter().enumerate() {
            let made = tree(before, &[with.as_slice(), &[pass.name]].concat());
            let without = tree(before, &with);
            if after.get(at) != Some(&made.as_str()) || made == without {
                wrong += &format!("{}\n  before   {before}\n  without  {without}\n  after    {made}\n", pass.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What `ptc eval --show optimized` prints: over several lines where one is too long, with and without a pass.
#[test]
fn a_program_is_printed_as_it_is_compiled() {
    let session = Session::new(SessionOptions::default());
    let program = "(def small (count (filter odd? (map inc [1 2 3])))) (count (filter odd? (map inc [1 2 3])))";
    assert_snapshot!(session.optimized(program, &[]).unwrap(), @"
    (do
      (def small
        (let
          [$0 '[1 2 3] $1 0]
          (each fold [$2 $1!] [$3 $0!] (let [$4 (inc $3!)] (if (odd? $4!) (inc $2!) skip)))))
      (let
        [$5 '[1 2 3] $6 0]
        (each fold [$7 $6!] [$8 $5!] (let [$9 (inc $8!)] (if (odd? $9!) (inc $7!) skip)))))
    ");
    assert_snapshot!(session.optimized("(count (filter odd? [1 2 3]))", &["fusion", "last-uses"]).unwrap(), @"(count (let [$1 '[1 2 3]] (each filter [$0 $1] (odd? $0))))");
    assert!(session.optimized("(nope 1)", &[]).unwrap_err()[0].message.contains("nope"));
    // Nothing ran.
    assert!(session.memory().entries().is_empty());
}

/// `docs/machine.md` has the table of passes.
#[test]
fn the_page_of_the_machine_lists_the_passes() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/machine.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: String =
        PASSES.iter().map(|pass| format!("| {} | {} | {} |\n", pass.name, pass.does, pass.place)).collect();
    assert!(page.contains(&rows), "docs/machine.md does not have these rows:\n{rows}");
}

/// A collection, and a program in which a call over it holds another one.
fn nested() -> impl Strategy<Value = (&'static str, String)> {
    let calls = prop_oneof![
        (sample::select(CALLS), program()).prop_map(|(call, body)| call.replace('F', &format!("(fn [a] {body})"))),
        (sample::select(FOLDS), program()).prop_map(|(call, body)| call.replace('F', &format!("(fn [b a] {body})"))),
    ];
    (sample::select(COLLECTIONS), sample::select(CALLS), sample::select(COLLECTIONS), calls).prop_map(
        |(outer, call, inner, body)| (outer, call.replace('F', &format!("(fn [a] (let [xs {inner}] {body}))"))),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Of two errors a pass may reach the other one first.
    #[test]
    fn a_random_program_is_the_same_without_each_pass((collection, call) in nested()) {
        let source = format!("(let {LOCALS} (let [rows {ROWS} xs {collection}] {call}))");
        let ending = |is_off: &dyn Fn(&str) -> bool| {
            let mut session = Session::new(SessionOptions::default());
            session.optimize_without(is_off);
            let ending = ending_in(&mut session, &source, None);
            if ending.starts_with('!') { "an error".to_owned() } else { ending }
        };
        let all = ending(&|_| false);
        prop_assert_eq!(&ending(&|_| true), &all, "without passes: {}", source);
        for pass in &PASSES {
            prop_assert_eq!(&ending(&|name| name == pass.name), &all, "without {}: {}", pass.name, source);
        }
    }
}
